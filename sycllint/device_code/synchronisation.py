"""Which work-items code may synchronise that is not interpreted: none, those of one sub-group, or all of the group.

A function needs no argument to reach the group it runs in: DPC++'s extension free_function_queries gives the calling
work-item to any. So whatever is neither of SYCL or the C++ library nor visible may hold a barrier. Visible functions
do what their instructions do, and what the functions do that they may call.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum

from sycllint.cpp.expression import Brace, Expr, Lambda, Member, Name, Type
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, Struct, Variable
from sycllint.dataflow.reach import Functions, ReachDomain, defined
from sycllint.domains.library import is_function_of_values, is_library_type, is_part
from sycllint.domains.results import is_plain_function
from sycllint.domains.vocabulary import (
    GROUP_FUNCTIONS,
    OLD_GROUP_FUNCTIONS,
    SUB_GROUP_FUNCTIONS,
    SUB_GROUP_MAKERS,
    SUB_GROUP_MEMBERS,
    SUB_GROUP_TYPES,
    may_synchronise,
)
from sycllint.facts.file import Declared
from sycllint.ir import ops
from sycllint.ir.bodies import bodies
from sycllint.ir.body import Body
from sycllint.ir.lower_expressions import UNEVALUATED
from sycllint.symbols.scope import Scope
from sycllint.symbols.templates import template_parameter
from sycllint.values.evaluate import Evaluator
from sycllint.values.memory import Memo
from sycllint.values.objects import TypeKind


class Waiting(IntEnum):
    """Who may wait."""

    NOBODY = 0
    LANES = 1
    """Work-items of one sub-group."""
    GROUP = 2


_NOTHING: tuple[Waiting, Functions] = (Waiting.NOBODY, ())


class Synchronisation:
    """Answers for one evaluator, whatever way the code is reached: no parameter is bound."""

    bottom = Waiting.NOBODY
    top = Waiting.GROUP

    def __init__(self, evaluator: Evaluator) -> None:
        self._symbols = evaluator.symbols
        self._overloads = evaluator.overloads
        self._types = evaluator.types
        self._facts = evaluator.facts
        self._bodies = bodies.of(evaluator)
        self._reach: ReachDomain[Waiting] = ReachDomain(evaluator, self)

    # ------------------------------------------------------------ instructions

    def members(self, _: Body) -> tuple[Waiting, Functions]:
        """What a constructor makes is said of the making of its object."""
        return _NOTHING

    def instruction(self, body: Body, position: int) -> tuple[Waiting, Functions]:
        """Who may wait in a call or a construction by itself, and the visible functions that it may run."""
        code, node = body.op[position], body.node[position]
        if code == ops.NEW:
            return _NOTHING
        if code == ops.DECL:
            return self._made(node.type, body.around_of(position)) if isinstance(node, Variable) else _NOTHING
        if code == ops.CONSTRUCT:
            made = node.type if isinstance(node, Brace) else None
            return self._kind_made(made, body.around_of(position)) if isinstance(made, Name) else _NOTHING
        callee = body.callee(position)
        if isinstance(callee, Name):
            return self._free(body, position, callee)
        if isinstance(callee, Member):
            return self._member(body, position, callee)
        return self._value(body, position)

    def _free(self, body: Body, position: int, callee: Name) -> tuple[Waiting, Functions]:
        last = callee.last
        if last in UNEVALUATED:
            return _NOTHING
        if last in GROUP_FUNCTIONS and (callee.qualifier or last not in OLD_GROUP_FUNCTIONS):
            return self._of_group(body, position), ()
        if last in SUB_GROUP_FUNCTIONS and self._of_group(body, position) is Waiting.LANES:
            return Waiting.LANES, ()
        if body.a[position] != ops.NONE:
            return self._value(body, position)
        place = body.around_of(position)
        found = self._overloads.of(body.call(position), place) if self._overloads.is_defined(last) else None
        if found is not None and found.found:
            return Waiting.NOBODY, found.found
        return self._opaque(callee, len(body.list(position)), place)

    def _member(self, body: Body, position: int, callee: Member) -> tuple[Waiting, Functions]:
        name = callee.name
        if self._overloads.is_defined(name):
            found = self._overloads.of(body.call(position), body.around_of(position)).found
            if found:
                return Waiting.NOBODY, found
        if name == "barrier":
            return Waiting.LANES if _is_lanes(body, body.a[position]) else Waiting.GROUP, ()
        if name in SUB_GROUP_MEMBERS:
            return _NOTHING
        local = body.local(body.a[position]) if body.a[position] != ops.NONE else None
        kind = local.type if local is not None else None
        return self._method(name, kind, None, body.around_of(position)), ()

    def _value(self, body: Body, position: int) -> tuple[Waiting, Functions]:
        """A call of what a value is: a lambda that is written here is part of this body."""
        value = _origin(body, body.a[position])
        if value != ops.NONE and body.op[value] == ops.LAMBDA:
            return _NOTHING
        found = self._overloads.of(body.call(position), body.around_of(position)).found
        return (Waiting.NOBODY, found) if found else (Waiting.GROUP, ())

    def _of_group(self, body: Body, position: int) -> Waiting:
        """Who takes part in a group function."""
        lanes = any(_is_lanes(body, each) for each in body.list(position))
        return Waiting.LANES if lanes else Waiting.GROUP

    # ----------------------------------------------------------------- queries

    def call(self, function: Name, arguments: Sequence[Expr], place: Place) -> bool:
        """Whether a function, or what makes an object of a class, that is called by its name may synchronise."""
        unknown = (None,) * len(arguments)
        found = self._overloads.of_name(function, unknown, place).found
        return self._any(found) if found else self._may(*self._opaque(function, len(arguments), place))

    def function(self, name: Name, place: Place) -> bool:
        """Whether a function that is passed to other code, which calls it, may synchronise."""
        found = self._symbols.functions(name, place).declared
        return self._any(found) if found else self._may(*self._opaque(name, 0, place))

    def method(self, name: str, kind: Type | None, place: Place, struct: Declared[Struct] | None = None) -> bool:
        """Whether a method may: of an object declared with the type ``kind``, or of the class ``struct``."""
        return self._method(name, kind, struct, place) is not Waiting.NOBODY

    def open_method(self, name: str, arguments: Sequence[Expr], *, used: bool) -> bool:
        """Whether a method of a template parameter's class may synchronise: as the visible candidates do.

        Without one, ``combine(a, b)`` for its value is arithmetic.
        """
        found = self._overloads.of_method(name, None, (None,) * len(arguments)).found
        if found and not may_synchronise(name, shouted=False):
            return self._any(found)
        return not is_part(name) and not (used and name == "operator()" and len(arguments) > 1)

    def own_method(self, name: str, arguments: Sequence[Expr], place: Place) -> bool:
        """Whether ``this->name(…)`` may, in the code at ``place``."""
        around = self._symbols.class_around(place)
        found = self._overloads.of_method(name, around, (None,) * len(arguments)).found
        return self._any(found) if found else self.method(name, None, place)

    def operator(self, symbol: str, struct: Declared[Struct], *, holds: bool) -> bool:
        """Whether an operator of a class may, or without a ``symbol`` a conversion.

        ``holds`` is the answer where that operator is not visible.
        """
        scope = self._symbols.scope_of(struct)
        names = {f"operator{symbol}"}
        if not symbol:
            inside = (each for each in struct.node.members.statements if isinstance(each, Function))
            names = {each.name for each in inside if each.name.startswith("operator ")}
        found = [each for name in names for each in self._operators(name, scope)]
        return self._any(found) if found else holds

    def making(self, kind: Type, place: Place) -> bool:
        """Whether a variable of this type may synchronise while it is made, or when it ends."""
        return self._may(*self._made(kind, place))

    def ending(self, kind: Type, place: Place) -> bool:
        """Whether a variable may when it ends: its visible class says so, or its class is not visible."""
        if kind.pointers or kind.reference:
            return False
        resolved = self._types.kind(kind.name, place)
        if resolved.struct is None:
            return resolved.automatic or not self._is_library(resolved)
        scope = self._symbols.scope_of(resolved.struct)
        return self._any(self._symbols.methods(f"~{scope.name}", scope))

    def closure(self, function: Lambda, place: Place) -> bool:
        """Whether a lambda may when it is called."""
        return self._reach.of(self._bodies.of(function, place)) is not Waiting.NOBODY

    def who(self, found: Functions) -> Waiting:
        """Who may wait in one of several visible functions."""
        return self._reach.most(found)

    # ------------------------------------------------------------ declarations

    def _may(self, waiting: Waiting, found: Functions) -> bool:
        return waiting is not Waiting.NOBODY or self._any(found)

    def _any(self, found: Functions) -> bool:
        return self._reach.most(defined(found)) is not Waiting.NOBODY

    def _operators(self, name: str, scope: Scope) -> Iterator[Declared[Function]]:
        """The operators of a class: its own, and the free ones of its name."""
        yield from self._symbols.methods(name, scope)
        free = self._symbols.scopes.named(self._symbols.scopes.functions, name)
        yield from (each for each, home in free if home.is_namespace)

    def _opaque(self, name: Name, count: int, place: Place) -> tuple[Waiting, Functions]:
        """Who may wait in a function without a visible body, or in the construction of an object."""
        declared = self._symbols.functions(name, place).declared
        if any(self._symbols.class_of(each) is None for each in declared):
            return Waiting.GROUP, ()
        last = name.last
        if self._is_of_library(name, place) or (count and is_function_of_values(last)):
            return Waiting.GROUP if may_synchronise(last, shouted=False) else Waiting.NOBODY, ()
        return self._kind_made(name, place)

    def _is_of_library(self, name: Name, place: Place) -> bool:
        if name.scope is not None:
            return self._is_library(self._types.kind(name.scope, place))
        qualifier = name.qualifier
        if not qualifier:
            return False
        return qualifier.removeprefix("::").startswith("std") or is_plain_function(name, self._facts.namespaces)

    def _method(self, name: str, kind: Type | None, struct: Declared[Struct] | None, place: Place) -> Waiting:
        """Who may wait by a method of an object of a declared type, or of a class."""
        if may_synchronise(name, shouted=False):
            return Waiting.GROUP
        if kind is not None and not kind.pointers:
            resolved = self._types.kind(kind.name, place)
            if resolved.struct is None and not resolved.automatic and self._is_library(resolved):
                return Waiting.NOBODY
            struct = resolved.struct
        methods = self._symbols.methods(name, self._symbols.scope_of(struct)) if struct is not None else ()
        found = [each for each in methods if each.node.body is not None]
        if found:
            return self._reach.most(found)
        return Waiting.NOBODY if is_part(name) else Waiting.GROUP

    def _made(self, kind: Type, place: Place) -> tuple[Waiting, Functions]:
        if kind.pointers or kind.reference:
            return _NOTHING
        return self._kind_made(kind.name, place)

    def _kind_made(self, name: Name, place: Place) -> tuple[Waiting, Functions]:
        """Who may wait when an object of a class is made and ends, and its visible constructors and destructors."""
        kind = self._types.kind(name, place)
        if kind.struct is not None:
            return self._class_made(kind.struct)
        is_quiet = self._is_library(kind) or template_parameter(name.text, place) is not None
        return (Waiting.NOBODY if is_quiet else Waiting.GROUP), ()

    def _class_made(self, struct: Declared[Struct]) -> tuple[Waiting, Functions]:
        """The constructors and destructors of a class and its bases; a base that is not visible may do anything."""
        found: list[Declared[Function]] = []
        classes = [struct]
        for each in classes:
            scope = self._symbols.scope_of(each)
            for name in (scope.name, f"~{scope.name}"):
                found += defined(self._symbols.methods(name, scope))
            bases = [self._types.kind(base, each.place.outer) for base in each.node.bases]
            known = [base.struct for base in bases if base.struct is not None]
            if any(base.struct is None and not self._is_library(base) for base in bases):
                return Waiting.GROUP, ()
            classes += [base for base in known if all(base.node is not one.node for one in classes)]
        return Waiting.NOBODY, found

    def _is_library(self, kind: TypeKind) -> bool:
        return is_library_type(kind, self._facts.namespaces)


def _origin(body: Body, position: int) -> int:
    """The value that a variable is declared with and keeps, and that of one that it is copied from."""
    seen = {ops.NONE}
    while position not in seen and body.op[position] in (ops.LOAD, ops.READ):
        seen.add(position)
        slot = body.a[position]
        if body.op[position] == ops.READ:
            position = slot
        elif any(body.a[each] == slot for each in body.at(ops.STORE, ops.ADDR_LOCAL)):
            return ops.NONE
        else:
            position = next((body.b[each] for each in body.at(ops.DECL) if body.a[each] == slot), ops.NONE)
    return ops.NONE if position in seen else position


def _is_lanes(body: Body, position: int) -> bool:
    """Whether a value is a sub-group, or some of its work-items."""
    local = body.local(position)
    if local is not None and local.type is not None and local.type.name.last in SUB_GROUP_TYPES:
        return True
    value = _origin(body, position)
    return value != ops.NONE and body.op[value] == ops.CALL and body.called(value) in SUB_GROUP_MAKERS


synchronisation = Memo(Synchronisation)
"""That of an evaluator."""
