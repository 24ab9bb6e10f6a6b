"""Parameters of templates: the declaration that a name means inside the template."""

from __future__ import annotations

from typing import TypeAlias

from sycllint.cpp.place import Place
from sycllint.cpp.statement import Alias, Function, Struct

Template: TypeAlias = Function | Struct | Alias


def template_parameter(text: str, place: Place) -> tuple[Template, int] | None:
    """The template around ``place`` that has a parameter called ``text``, and which of its parameters that is."""
    current: Place | None = place
    while current is not None:
        around = current.node
        if (type(around) is Function or type(around) is Struct or type(around) is Alias) and around.template_parameters:
            for index, parameter in enumerate(around.template_parameters):
                if parameter.name == text:
                    return around, index
        current = current.outer
    return None
