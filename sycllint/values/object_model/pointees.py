"""Objects behind local pointers that own them: ``auto p = std::make_unique<Solver>(64);``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sycllint.cpp.expression import Call, Expr, Member, Name, New, Opaque, Type
from sycllint.cpp.node import Node, walk
from sycllint.cpp.statement import Block, Variable
from sycllint.values.object_model.methods import Methods
from sycllint.values.objects import Instance, Point
from sycllint.values.types import as_type

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

_MAKING = frozenset({"make_unique", "make_shared"})
_OWNERS = frozenset({"unique_ptr", "shared_ptr"})


class Pointees:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluation, methods: Methods) -> None:
        self._evaluator = evaluator
        self._methods = methods

    def of(self, pointer: Name, member: str, point: Point) -> Instance | None:
        """The object that a local pointer was made with, where nothing may set its ``member`` as long as it is there.

        Its pointer is only used to call methods, all of which leave the member as it is, and to delete the object.
        """
        found = self._evaluator.declarations.variable(pointer.text, point)
        if found is None:
            return None
        variable, there = found
        made = _made(variable)
        kind = self._evaluator.kind(made[0].name, there) if made is not None else None
        if made is None or kind is None or kind.struct is None or kind.bound is not None:
            return None
        made_of = Instance(kind.struct, made[1], there, self._evaluator.frame)
        return made_of if self._is_only_called(variable, member, made_of, there) else None

    def _is_only_called(self, variable: Variable, member: str, of: Instance, there: Point) -> bool:
        block = next((each for each in there.place.chain() if isinstance(each, Block)), None)
        if block is None or variable.name in self._evaluator.facts.macro_words:
            return False
        inside = tuple(walk(block))
        named = sum(isinstance(each, Name) and each.text == variable.name for each in inside)
        deleted = sum(_deletes(each, variable.name) for each in inside)
        called = [name for each in inside if (name := _method(each, variable.name)) is not None]
        is_all = named == len(called) + deleted
        return is_all and all(self._methods.keep(each, of.struct, member) for each in dict.fromkeys(called))


def _made(variable: Variable) -> tuple[Type, tuple[Expr, ...]] | None:
    """The type of the object that a pointer is initialised with, and what it is made from."""
    if len(variable.arguments) != 1:
        return None
    is_owner = variable.type.pointers == 1 or variable.type.name.last in _OWNERS or variable.type.name.text == "auto"
    match variable.arguments[0]:
        case Call(function=Name(arguments=(Name() | Type() as written,)) as function, arguments=arguments) if (
            function.last in _MAKING
        ):
            kind = as_type(written)
            return (kind, arguments) if kind is not None and is_owner else None
        case New(type=kind, arguments=arguments, placement=()) if is_owner and not kind.extents and not kind.pointers:
            return kind, arguments
        case _:
            return None


def _method(node: Node, text: str) -> str | None:
    """What ``p->method()`` calls."""
    match node:
        case Call(function=Member(object=Name(text=name), name=method)) if name == text:
            return method
        case _:
            return None


def _deletes(node: Node, text: str) -> bool:
    """``delete p``"""
    return (
        isinstance(node, Opaque)
        and node.kind == "delete_expression"
        and any(isinstance(each, Name) and each.text == text for each in node.parts)
    )
