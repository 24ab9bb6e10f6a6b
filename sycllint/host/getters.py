"""Methods that do nothing but give a member of their object: ``buffer.data()`` is ``buffer.memory_`` by a new name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Call, Cast, Expr, Index, Member, Name, Type, Unary
from sycllint.cpp.statement import VIRTUAL, Function, Return
from sycllint.host.vocabulary import ADDRESSES
from sycllint.symbols.arity import accepts

if TYPE_CHECKING:
    from sycllint.host.scope import Scope


class Getters:
    """Answers at the place where ``scope`` is."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def given(self, call: Call) -> Expr | None:
        """What a call of a getter gives, in terms of the object that it is called on."""
        match call:
            case Call(function=Member(object=inner, name=name), arguments=()):
                found = self._one_of(inner, name, 0)
                return _of_object(found.value, inner) if found is not None and found.value is not None else None
            case _:
                return None

    def element(self, inner: Expr, indices: tuple[Expr, ...]) -> Index | None:
        """The element that ``inner[…]`` is, by an operator of its class: one of a member, at the same index."""
        found = self._one_of(inner, "operator[]", len(indices))
        match found:
            case Return(value=Index(object=array)):
                whole = _of_object(array, inner)
                return Index(whole, indices, indices[0].start, indices[-1].end) if whole is not None else None
            case _:
                return None

    def _one_of(self, inner: Expr, name: str, count: int) -> Return | None:
        """The one statement of a method, or of all its overloads."""
        receivers = self._scope.receivers
        returns = {each.node: _only_return(each.node) for each in receivers.methods_named(name)}
        if all(found is None for found in returns.values()):
            return None
        written = receivers.type_of(inner)
        declared = receivers.methods_of(written, name)
        fitting = [(each.node, returns[each.node]) for each in declared if accepts(each.node, count)]
        if not fitting or any(node.flags & VIRTUAL or found is None for node, found in fitting):
            return None
        return self._same(written, [(node, found) for node, found in fitting if found is not None])

    def _same(self, owner: Type | None, fitting: Iterable[tuple[Function, Return]]) -> Return | None:
        """What all of several methods give, which is a member of their class."""
        given = {_field(found.value): found for node, found in fitting if _gives_parameter(node, found)}
        names = {each for each in given if each and self._scope.receivers.field(owner, each) is not None}
        return next(iter(given.values())) if len(given) == len(names) == 1 else None


def _only_return(function: Function) -> Return | None:
    statements = function.body.statements if function.body is not None and not function.damaged else ()
    only = statements[0] if len(statements) == 1 else None
    return only if isinstance(only, Return) else None


def _gives_parameter(function: Function, found: Return) -> bool:
    """Whether an operator's index is its parameter itself; a getter has none."""
    if not function.parameters:
        return True
    match found.value:
        case Index(indices=indices):
            return [each.name for each in function.parameters] == [getattr(each, "text", "") for each in indices]
        case _:
            return False


def _field(given: Expr | None) -> str:
    """The member that an expression gives, or leads into; empty when it is none or does more."""
    match given:
        case Name(text=text) if "::" not in text:
            return text
        case Member(object=Name(text="this"), name=name):
            return name
        case Call(function=Member(object=inner, name=name), arguments=()) if name in ADDRESSES:
            return _field(inner)
        case Cast(operand=inner) | Index(object=inner) | Unary(operator="&", operand=Index(object=inner)):
            return _field(inner)
        case _:
            return ""


def _of_object(given: Expr, inner: Expr) -> Expr | None:
    """What a method gives, as it would be written where it is called on ``inner``."""
    match given:
        case Name(text=name, start=start, end=end) | Member(object=Name(text="this"), name=name, start=start, end=end):
            return Member(inner, name, None, start, end)
        case Call(function=Member(object=field, name=name), start=start, end=end):
            whole = _of_object(field, inner)
            return Call(Member(whole, name, None, start, end), (), start, end) if whole is not None else None
        case Cast(operand=operand):
            return _of_object(operand, inner)
        case Unary(operand=Index(object=field, indices=indices, start=start, end=end)):
            whole = _of_object(field, inner)
            return Unary("&", Index(whole, indices, start, end), start, end) if whole is not None else None
        case _:
            return None
