"""Objects of classes that are not visible, made from a variable, which they may refer to and set later.

``Reader reader(size); reader.read();`` may set ``size``. An object that is not used afterwards sets nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Assign, Brace, Call, Expr, Name, New
from sycllint.cpp.node import Node, children
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    Block,
    Declaration,
    Evaluate,
    If,
    Loop,
    RangeLoop,
    Switch,
    Try,
    Variable,
)
from sycllint.values.side_effects.callees import SCALARS, TEXTUAL
from sycllint.values.side_effects.library import BY_VALUE, FACTORIES
from sycllint.values.side_effects.lvalues import named, root
from sycllint.values.types import as_type

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

MAKING = frozenset({Block, Declaration, Evaluate, If, Loop, RangeLoop, Switch, Try})
"""Statements that may make an object, or hold one that does."""
_MAKERS = frozenset({Brace, Call, New, Variable})
_USED = rb"\b%s\s*(?:\.|->|[,)]|>>|<<|[|&(])|(?:>>|<<|[|&*])\s*%s\b"
"""What an object does, or who gets it: a method is called, it stands among arguments or beside an operator."""


class Holders:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluation) -> None:
        self._evaluator = evaluator
        self._made: dict[int, tuple[tuple[str, frozenset[str], int], ...]] = {}

    def may_set(self, statement: Node, text: str, place: Place, end: int) -> bool:
        """Whether ``statement`` makes an object from the variable ``text`` that is used between it and ``end``."""
        key = id(statement)
        if key not in self._made:
            self._made[key] = tuple(self._objects(statement))
        made = self._made[key]
        if not made:
            return False
        return any(text in held and self._is_used(name, place, start, end) for name, held, start in made)

    def _objects(self, statement: Node) -> Iterator[tuple[str, frozenset[str], int]]:
        """The objects of classes not visible that a statement makes: what they are made from, and from where on."""
        makers: list[tuple[str | None, Node]] = []
        match statement:
            case Declaration(variables=variables, end=end):
                makers += [(each.name, each) for each in variables if each.type.name.text not in SCALARS]
            case Evaluate(expression=Assign(left=left, right=right), end=end):
                makers.append((root(left), right))
            case _:
                end = 0
                for each in _inside(statement):
                    yield from self._objects(each)
        for name, maker in makers:
            held = frozenset(self._held(maker)) if name is not None else frozenset()
            if name is not None and held:
                yield name, held, end

    def _held(self, maker: Node) -> set[str]:
        if type(maker) not in _MAKERS:
            return set()
        names = {name for each in self._given(maker) for name in named(each)}
        return names.union(*map(self._held, children(maker)))

    def _given(self, maker: Node) -> Iterable[Expr]:
        """What an object of a class that is not visible is made from."""
        match maker:
            case Variable(type=kind, arguments=arguments) | New(type=kind, arguments=arguments):
                made = kind.name if not kind.pointers and not kind.reference else None
            case Brace(type=Name() as made, elements=arguments):
                pass
            case Call(function=Name(last=last, arguments=(held, *_)), arguments=arguments) if last in FACTORIES:
                known = as_type(held)
                made = known.name if known is not None else None
            case Call(function=Name() as function, arguments=arguments):
                facts = self._evaluator.facts
                is_declared = function.last in facts.functions or function.last in facts.macros
                made = function if function.last[:1].isupper() and not is_declared else None
            case _:
                return ()
        return arguments if made is not None and self._is_opaque(made) else ()

    def _is_opaque(self, name: Name) -> bool:
        known = self._evaluator.types.kind(name)
        if known.struct is not None or known.is_number or known.automatic or known.extents is not None:
            return False
        if known.name.last in BY_VALUE or known.name.last in TEXTUAL:
            return False
        return known.name.qualifier.removeprefix("::").partition("::")[0] not in ("std", "sycl", "cl")

    def _is_used(self, name: str, place: Place, start: int, end: int) -> bool:
        content = self._evaluator.facts.content_at(place)
        if content is None:
            return True
        return re.compile(_USED % ((re.escape(name.encode()),) * 2)).search(content, start, end) is not None


def _inside(statement: Node) -> Iterator[Node]:
    """The statements right inside one that holds others."""
    match statement:
        case Block(statements=statements):
            yield from statements
        case If(then=then, otherwise=otherwise):
            yield then
            if otherwise is not None:
                yield otherwise
        case Loop(body=body) | RangeLoop(body=body) | Switch(body=body) | Try(body=body):
            yield body
        case _:
            pass
