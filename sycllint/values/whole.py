"""The evaluator as those parts see it that stand on most of the others: names, parameters and calls."""

from __future__ import annotations

from typing import Protocol

from sycllint.cpp.expression import Name
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.values.answers import FrameAnswers
from sycllint.values.deduction.argument_kinds import ArgumentKinds
from sycllint.values.deduction.instances import Instances
from sycllint.values.deduction.instantiations import Instantiations
from sycllint.values.deduction.static_types import StaticTypes
from sycllint.values.deduction.template_arguments import TemplateArguments
from sycllint.values.interface import Evaluation, Parameters
from sycllint.values.local_names.lookup import Lookup
from sycllint.values.object_model.arrays import Arrays
from sycllint.values.object_model.construction import Construction
from sycllint.values.object_model.conversions import ObjectConversions
from sycllint.values.object_model.members import Members
from sycllint.values.objects import Point
from sycllint.values.preprocessor.macros import Macros


class Called(Parameters, Protocol):
    """Parameters, and which functions the project has."""

    def is_defined(self, function: Name, count: int, point: Point) -> bool:
        """Whether the project has a function of this name that a call at ``point`` may mean."""


class Reachability(Protocol):
    """Which code surely never runs on the way by which it is looked at."""

    def is_skipped(self, node: Node, around: Place | None) -> bool:
        """Whether ``node`` never does, in what is ``around``; calls on the way to it aside."""


class Whole(Evaluation, Protocol):
    """An evaluator and its parts below."""

    argument_kinds: ArgumentKinds
    arrays: Arrays
    construction: Construction
    conversions: ObjectConversions
    instances: Instances
    instantiations: Instantiations
    lookup: Lookup
    macros: Macros
    members: Members
    static_types: StaticTypes
    template_arguments: TemplateArguments
    decided: FrameAnswers[bool | None]
    """Conditions looked at before."""
    work: int
    """Expressions looked at since the last question."""

    @property
    def reach(self) -> Reachability:
        """Code that surely never runs."""

    @property
    def bindings(self) -> Called:
        """What parameters are given, and what calls give back."""
