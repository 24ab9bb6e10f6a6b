"""Smart pointers that are made over memory of SYCL, which their deleters give to another library."""

from __future__ import annotations

from collections.abc import Sequence

from sycllint.cpp.expression import Brace, Call, Expr, Lambda, Name, Opaque, Type, Unary
from sycllint.cpp.node import walk
from sycllint.cpp.spelling import spelled
from sycllint.cpp.statement import Function
from sycllint.host.in_flight.watch import Watch
from sycllint.host.records import WrongFree
from sycllint.host.scopes.scope import FunctionScope
from sycllint.host.scopes.things import Allocator
from sycllint.source.span import Location
from sycllint.values.side_effects.library import OWNERS
from sycllint.values.types import as_type

_DELETE = "delete"
_FREE = "free"


class Owners:
    """Of one walk."""

    def __init__(self, scope: FunctionScope, watch: Watch) -> None:
        self._scope = scope
        self._watch = watch
        self.exist = any(scope.facts.spells(each.encode()) for each in OWNERS)
        """The unit spells their names."""
        self._has_own_free = scope.evaluator.overloads.is_defined(_FREE)

    def made(self, kind: Type, given: Sequence[Expr], name: str = "") -> None:
        """An object of a type, which may be a smart pointer called ``name``, takes what it is made from."""
        owner = self._scope.evaluator.types.kind(kind.name).name if given and not kind.pointers else None
        if owner is None or owner.last not in OWNERS or owner.qualifier not in ("", "std", "::std"):
            return
        allocated = self._allocated(given[0])
        freed_by = self._freed_by(owner, given[1:]) if allocated is not None else ""
        if allocated is not None and freed_by:
            self._left_to(freed_by, given[0], allocated, name)

    def handed(self, call: Call) -> None:
        """A function is handed memory of SYCL, and with it the ``free`` of the C library."""
        memory, *others = call.arguments
        allocated = self._allocated(memory) if len(others) == 1 and self._is_free(others[0]) else None
        if allocated is not None:
            self._left_to(_FREE, memory, allocated)

    def _left_to(self, freed_by: str, memory: Expr, allocated: tuple[Allocator, Location], name: str = "") -> None:
        allocator, at = allocated
        location = self._scope.location(memory)
        self._watch.note(WrongFree(name or spelled(memory), allocator.value, freed_by, location, at))

    def _allocated(self, value: Expr) -> tuple[Allocator, Location] | None:
        """How and where memory of SYCL is allocated that an expression leads to."""
        origin = self._scope.declarations.allocation(value)
        if origin.is_usm:
            return origin, self._scope.location(value)
        ref = self._scope.memory(value)
        if ref is None or not ref.whole or not ref.thing.origin.is_usm or ref.thing.allocated is None:
            return None
        return ref.thing.origin, ref.thing.allocated

    def _freed_by(self, owner: Name, others: Sequence[Expr]) -> str:
        """What frees the memory, where that is another library; what may be taken out of the owner before does not."""
        deleter = others[0] if others else None
        kind = as_type(owner.arguments[1]) if owner.arguments and len(owner.arguments) > 1 else None
        if deleter is not None and self._is_free(deleter):
            return _FREE
        match deleter:
            case Lambda():
                return self._in(deleter)
            case Name() | Brace() | Call():
                kind = self._scope.receivers.type_of(deleter)
                if kind is None:
                    return ""
        if kind is None or kind.name.last == "default_delete":
            return "" if others or self._scope.facts.calls("release") else _DELETE
        struct = self._scope.evaluator.types.kind(kind.name).struct
        operators = [each for each in struct.node.functions if each.name == "operator()"] if struct is not None else []
        return self._in(operators[0]) if len(operators) == 1 else ""

    def _is_free(self, expression: Expr) -> bool:
        """``free`` of the C library, or its address."""
        match expression:
            case Unary(operator="&", operand=operand):
                return self._is_free(operand)
            case Name(last="free", qualifier=qualifier):
                return qualifier in ("std", "::") or (not qualifier and not self._has_own_free)
            case _:
                return False

    def _in(self, deleter: Lambda | Function) -> str:
        """What a deleter frees its parameter by, where it calls nothing that is SYCL's."""
        given = deleter.parameters[0].name if len(deleter.parameters) == 1 and deleter.body is not None else ""
        found: list[str] = []
        for each in walk(deleter.body) if given and deleter.body is not None else ():
            match each:
                case Call(function=function, arguments=(Name(text=text),)) if self._is_free(function):
                    found += [_FREE] * (text == given)
                case Opaque(kind="delete_expression", parts=(Name(text=text),)):
                    found += [_DELETE] * (text == given)
                case Call():
                    return ""
        return found[0] if len(found) == 1 else ""
