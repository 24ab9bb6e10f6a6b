"""How an object of a class is made: which constructor is called, and what is written for each member."""

from __future__ import annotations

from collections.abc import Sequence

from sycllint.cpp.expression import Brace, Expr, Name
from sycllint.cpp.statement import STATIC, Function, Struct
from sycllint.facts.file import Declared
from sycllint.record import NamedTuple
from sycllint.symbols.arity import accepts
from sycllint.symbols.symbols import Symbols


class Initialization(NamedTuple):
    """One way to make an object."""

    constructor: Declared[Function] | None
    """What is called; ``None`` for an aggregate."""
    arguments: Sequence[Expr]
    members: Sequence[tuple[str, Expr]]
    """What each member is made from, where that is one expression: in the names of the constructor's parameters."""

    @property
    def kept(self) -> dict[str, Expr]:
        """The members that are one of the arguments, as it is given."""
        if self.constructor is None:
            return dict(self.members)
        parameters = (each.name for each in self.constructor.node.parameters)
        given = dict(zip(parameters, self.arguments, strict=False))
        return {
            member: given[value.text]
            for member, value in self.members
            if isinstance(value, Name) and value.text in given
        }


def initialization(symbols: Symbols, struct: Declared[Struct], arguments: Sequence[Expr]) -> Initialization | None:
    """How an object is made from ``arguments``, which may be a list in braces.

    ``None`` where it has constructors and not one alone takes so many, or a base class that takes the first of them.
    """
    if len(arguments) == 1 and isinstance(arguments[0], Brace) and arguments[0].type is None:
        arguments = arguments[0].elements
    constructors = symbols.constructors(struct)
    fitting = _defined([each for each in constructors if accepts(each.node, len(arguments))])
    if len(fitting) == 1:
        written = ((member, values[0]) for member, values in fitting[0].node.initializers if len(values) == 1)
        return Initialization(fitting[0], arguments, tuple(written))
    if constructors or struct.node.bases:
        return None
    own = (each.name for each in struct.node.variables if not each.flags & STATIC)
    return Initialization(None, arguments, tuple(zip(own, arguments, strict=False)))


def _defined(constructors: Sequence[Declared[Function]]) -> Sequence[Declared[Function]]:
    """Several constructors without the declarations of those that are defined outside their class."""
    outside = {_signature(each.node) for each in constructors if "::" in each.node.name}
    return [each for each in constructors if "::" in each.node.name or _signature(each.node) not in outside]


def _signature(function: Function) -> tuple[tuple[str, int, bool], ...]:
    return tuple([(each.type.name.last, each.type.pointers, each.type.reference) for each in function.parameters])
