"""Which declaration a name has where it stands: its type, and whether that is certain."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any, TypeAlias

from sycllint.cpp.expression import Call, Capture, Lambda, Name, Type
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place, span_of
from sycllint.cpp.statement import (
    Block,
    Damaged,
    Declaration,
    Function,
    FunctionParameter,
    If,
    Include,
    Loop,
    Macro,
    RangeLoop,
    Statement,
    Variable,
    Variants,
)
from sycllint.symbols.symbols import Symbols
from sycllint.symbols.unit import Unit
from sycllint.values.objects import Point
from sycllint.values.side_effects.mutation import Mutations

Introduced: TypeAlias = Variable | FunctionParameter | Capture
"""What gives a name its meaning inside functions."""


class Declarations:
    """Declarations of variables for one evaluator."""

    def __init__(self, unit: Unit, symbols: Symbols, mutations: Mutations) -> None:
        self._facts = unit
        self._symbols = symbols
        self._mutations = mutations
        self._types: dict[tuple[str, Node, int], tuple[Type | None, Place | None]] = {}
        self._blocks: dict[Block, dict[str, list[Variable]]] = {}

    def of_block(self, block: Block, text: str) -> list[Variable]:
        """The variables called ``text`` that ``block`` declares in its own scope."""
        found = self._blocks.get(block)
        return (self._declared(block) if found is None else found).get(text, [])

    def _declared(self, block: Block) -> dict[str, list[Variable]]:
        found: dict[str, list[Variable]] = {}
        self._blocks[block] = found
        for variable in declared_in(block.statements):
            found.setdefault(variable.name, []).append(variable)
        return found

    def type_of(self, name: Name, point: Point) -> Type | None:
        """The type with which a variable or parameter called ``name`` is declared, if one is visible."""
        if name.scope is not None or "::" in name.text:
            return None
        place = point.place
        key = (name.text, place.node, point.offset)
        known = self._types.get(key)
        # The text of a macro or of an included file stands in several places.
        if known is not None and known[1] is place.outer:
            return known[0]
        found = self._nearest_type(name.text, point)
        if found is None:
            outside = self._symbols.variables(name, point.place).declared
            variable = next((each.node for each in outside if isinstance(each.node, Variable)), None)
            found = variable.type if variable is not None else None
        self._types[key] = (found, place.outer)
        return found

    def variable(self, text: str, point: Point) -> tuple[Variable, Point] | None:
        """The nearest declaration of ``text`` around ``point``, when that is a block's, and where it stands."""
        for place in point.place.within():
            node = place.node
            if type(node) is Block:
                found = [each for each in self.of_block(node, text) if each.start < point.offset]
                if found:
                    return (found[0], Point(place, found[0].start)) if len(found) == 1 else None
            elif _introduced(node, text) is not None:
                return None
        return None

    def is_unsettled(self, text: str, place: Place) -> bool:
        """Whether ``text`` is written in a conditional whose branch was only guessed, here or outside all functions.

        Where ``place`` is in that branch, it is compiled only together with what the branch writes.
        """
        if self._facts.is_settled:
            return False
        facts = self._facts.file_at(place)
        if not facts.unsettled:
            return False
        use = span_of(place.node)
        around = place.innermost(Function)
        for span, names, _ in facts.unsettled:
            if text not in names or span.start <= use.start < use.end <= span.end:
                continue
            if around is not None and around.start <= span.start < around.extent_end:
                return True
            bodies = (each.node for found in facts.functions.values() for each in found)
            if not any(each.start <= span.start < each.extent_end for each in bodies):
                return True
        return False

    def is_cut(self, start: int, end: int, place: Place) -> bool:
        """Whether a conditional whose branch was only guessed stands in this text."""
        return not self._facts.is_settled and any(
            span.start < end and start < span.end and not (span.start <= start and end <= span.end)
            for span, *_ in self._facts.file_at(place).unsettled
        )

    def changed_within(self, variable: Variable, declaration: Declaration, offset: int) -> bool:
        """Whether a later variable of the same declaration changes this one: ``int n = 4, m = n++``."""
        return any(
            variable.name in self._mutations.of(each)
            for later in declaration.variables
            if variable.start < later.start < offset
            for each in later.arguments
        )

    def _nearest_type(self, text: str, point: Point) -> Type | None:
        """The type of the nearest declaration around ``point``."""
        found = self.nearest(text, point)
        if found is None:
            return None
        node, place = found
        if isinstance(node, Capture):
            start = getattr(place.node, "start", 0)
            automatic = Name("auto", None, None, start, start)
            return Type(automatic, 0, node.by_reference, False, (), start, start)
        return node.type

    def nearest(self, text: str, point: Point) -> tuple[Introduced, Place] | None:
        """The nearest declaration around ``point``, and the scope it belongs to."""
        place: Place | None = point.place
        offset = point.offset
        while place is not None:
            node = place.node
            kind = type(node)
            if type(node) is Block:
                declared = self._blocks.get(node)
                for variable in (self._declared(node) if declared is None else declared).get(text, ()):
                    if variable.start < offset:
                        return variable, place
            elif kind in _HEADS:
                for each in _HEADS[kind](node):
                    if each.name == text:
                        return each, place
            elif kind is Include or kind is Macro:
                used = outside(place)
                offset = offset if used is None else used
            place = place.outer
        return None


def _introduced(node: Node, text: str) -> Introduced | None:
    """A parameter, a capture with a value, or a variable of a loop's or an ``if``'s head."""
    heads = _HEADS.get(type(node))
    if heads is not None:
        for each in heads(node):
            if each.name == text:
                return each
    return None


def _in_head(node: Loop | If) -> Sequence[Introduced]:
    return node.initializer.variables if isinstance(node.initializer, Declaration) else ()


def _in_lambda(node: Lambda) -> Sequence[Introduced]:
    return (*node.parameters, *[each for each in node.captures if each.value is not None])


_HEADS: dict[type[Node], Callable[[Any], Sequence[Introduced]]] = {
    Function: attrgetter("parameters"),
    Lambda: _in_lambda,
    Loop: _in_head,
    If: _in_head,
    RangeLoop: lambda node: (node.variable,),
}
"""What each kind of nodes introduces before its body."""


def declared_in(statements: Iterable[Statement]) -> Iterator[Variable]:
    """The variables that ``statements`` declare in their own scope, also inside preprocessor conditionals."""
    for statement in statements:
        match statement:
            case Declaration(variables=variables):
                yield from variables
            case Variants(arms=arms):
                for arm in arms:
                    yield from declared_in(arm.body.statements)
            case Damaged(body=body):
                yield from declared_in(body.statements)
            case _:
                pass


def outside(place: Place) -> int | None:
    """Where the code around continues when ``place`` is the text of a macro or of an included file."""
    outer = place.outer
    if isinstance(place.node, Macro) and outer is not None and isinstance(outer.node, Call | Name):
        return outer.node.start
    return place.node.start if isinstance(place.node, Include) else None


def end_of(statement: Statement) -> int:
    """Where ``statement`` ends; a function's own span is its name's."""
    return statement.extent_end if isinstance(statement, Function) else statement.end
