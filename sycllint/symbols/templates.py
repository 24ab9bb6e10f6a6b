"""Parameters of templates: the declaration that a name means inside the template."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sycllint.cpp.expression import Binary, Character, Expr, Name, Number, Text, Type
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place, Template
from sycllint.cpp.statement import Function

_VALUES = frozenset({Binary, Character, Number, Text})


def instantiable(function: Function, given: Sequence[Expr], is_value: Callable[[Name], bool]) -> bool:
    """Whether a function can be called with these explicit template arguments, as far as their syntax shows.

    Each parameter takes a type or a value, and what is not given must have a default or be deduced from an argument.
    ``is_value`` says of a plain name whether it is that of a variable.
    """
    parameters = function.template_parameters
    if given and not parameters:
        return False
    before = next((index for index, each in enumerate(parameters) if each.pack), len(parameters))
    # A pack takes all that is given from there on.
    taking = (*parameters[:before], *parameters[before : before + 1] * len(given))
    for parameter, argument in zip(taking, given, strict=False):
        if parameter.type is None and (type(argument) in _VALUES or (type(argument) is Name and is_value(argument))):
            return False
        if parameter.type is not None and type(argument) is Type:
            return False
    left = parameters[min(len(given), before) :]
    rest = [each.name for each in left if each.default is None and each.name and not each.pack]
    if not rest or "::" in function.name:
        # Of a member function that is defined outside its class template, the object has them.
        return True
    return set(rest) <= {name for each in function.parameters for name in _names(each.type)}


def _names(written: Type) -> Iterator[str]:
    """The names that a type is written with."""
    for node in walk(written):
        if isinstance(node, Name):
            yield node.text.partition("::")[0]


def template_parameter(text: str, place: Place) -> tuple[Template, int] | None:
    """The template around ``place`` that has a parameter called ``text``, and which of its parameters that is."""
    for around in place.enclosing.templates:
        for index, parameter in enumerate(around.template_parameters):
            if parameter.name == text:
                return around, index
    return None
