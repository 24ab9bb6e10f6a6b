"""The evaluator as those parts see it that stand on most of the others: names, parameters and calls."""

from __future__ import annotations

from typing import Protocol

from sycllint.cpp.expression import Name
from sycllint.values.arrays import Arrays
from sycllint.values.construction import Construction
from sycllint.values.conversions import Conversions
from sycllint.values.instances import Instances
from sycllint.values.interface import Evaluation, Parameters
from sycllint.values.lookup import Lookup
from sycllint.values.macros import Macros
from sycllint.values.members import Members
from sycllint.values.objects import Point
from sycllint.values.static_types import StaticTypes
from sycllint.values.template_arguments import TemplateArguments


class Called(Parameters, Protocol):
    """Parameters, and which functions the project has."""

    def is_defined(self, function: Name, count: int, point: Point) -> bool:
        """Whether the project has a function of this name that a call at ``point`` may mean."""


class Whole(Evaluation, Protocol):
    """An evaluator and its parts below."""

    arrays: Arrays
    construction: Construction
    conversions: Conversions
    instances: Instances
    lookup: Lookup
    macros: Macros
    members: Members
    static_types: StaticTypes
    template_arguments: TemplateArguments

    @property
    def bindings(self) -> Called:
        """What parameters are given, and what calls give back."""
