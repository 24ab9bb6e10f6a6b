"""Barriers of a kernel's own statements that order no accesses: at its start, at its end, or right after another."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Assign, Call, Expr, Increment, Index, Lambda, Member, Name, Unary
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Block, Declaration, Evaluate, Function, Statement
from sycllint.kernel.meaning import Meanings, Role, Scope
from sycllint.kernel.once import once_per_function
from sycllint.record import record
from sycllint.source.span import Location, Span
from sycllint.values.objects import Point

if TYPE_CHECKING:
    from sycllint.kernel.analyses import KernelCode

_ASKING = ("get_",)


class Reason(Enum):
    """Why a barrier orders nothing."""

    FIRST = "first"
    LAST = "last"
    REPEATED = "repeated"


@record
class IdleBarrier:
    """A work-group barrier without accesses before it, after it, or between it and the one before."""

    location: Location
    reason: Reason


@once_per_function
def idle_barriers(code: KernelCode) -> Iterator[IdleBarrier]:
    """The idle barriers among the statements of the kernel, or of the one function that it does nothing but call."""
    if code.scan.barriers and code.function.body is not None:
        yield from _Reader(code).found()


class _Reader:
    """The statements of one kernel."""

    def __init__(self, code: KernelCode) -> None:
        self._meanings = Meanings(code.evaluator)
        self._evaluator = code.evaluator
        self._function, self._place = self._followed(code.function, code.place)
        self._scope: Scope = dict(self._meanings.parameters(self._function.parameters, kernel=True))

    def _followed(self, function: Lambda | Function, place: Place) -> tuple[Lambda | Function, Place]:
        """The function that is all a kernel calls."""
        body = function.body
        match body.statements if body is not None else ():
            case (Evaluate(expression=Call(function=Name() as called, arguments=arguments) as call),):
                scope = self._meanings.parameters(function.parameters, kernel=True)
                passed = tuple(self._meanings.of(each, scope) for each in arguments)
                targets = self._meanings.called(called, call, passed, place)
                if targets.sure and len(targets.found) == 1 and targets.found[0].node.body is not None:
                    return targets.found[0].node, targets.found[0].place
            case _:
                pass
        return function, place

    def found(self) -> Iterator[IdleBarrier]:
        """Each idle barrier, once."""
        body = self._function.body
        assert body is not None
        statements = body.statements
        barriers = [self._barrier(each, body) for each in statements]
        quiet = True
        for position, (statement, barrier) in enumerate(zip(statements, barriers, strict=True)):
            reason = self._reason(barriers, position, quiet=quiet) if barrier is not None else None
            if reason is not None:
                path = self._evaluator.facts.file_at(self._place).path
                yield IdleBarrier(Location(path, Span(statement.start, statement.end)), reason)
            quiet = quiet and (barrier is not None or self._is_quiet(statement))

    def _reason(self, barriers: list[Call | None], position: int, *, quiet: bool) -> Reason | None:
        if quiet:
            return Reason.FIRST
        before, barrier = barriers[position - 1], barriers[position]
        if before is not None and barrier is not None and _orders_no_less(before, barrier):
            return Reason.REPEATED
        return Reason.LAST if position == len(barriers) - 1 else None

    def _barrier(self, statement: Statement, body: Block) -> Call | None:
        """The barrier of the work-group that a statement is; a declaration may name its group."""
        if isinstance(statement, Declaration):
            for variable in statement.variables:
                only = variable.arguments[0] if len(variable.arguments) == 1 else None
                role = self._meanings.of_type(variable.type.name)
                meaning = role if role is not None else self._meanings.of(only, self._scope) if only else None
                if meaning is not None:
                    self._scope[variable.name] = meaning
        if not isinstance(statement, Evaluate):
            return None
        expression: Expr | None = statement.expression
        if isinstance(expression, Name) or (isinstance(expression, Call) and isinstance(expression.function, Name)):
            name = expression if isinstance(expression, Name) else expression.function
            assert isinstance(name, Name)
            macro = self._evaluator.macros.macro(name, Point(Place(body, self._place), statement.start))
            expression = macro.value if macro is not None else expression
        match expression:
            case Call(function=Member(object=inner, name="barrier")) as call:
                return call if self._meanings.of(inner, self._scope) in (Role.ITEM, Role.WORK_GROUP) else None
            case Call(function=Name(last="group_barrier"), arguments=(group, *_)) as call:
                return call if self._meanings.of(group, self._scope) is Role.WORK_GROUP else None
            case _:
                return None

    def _is_quiet(self, statement: Statement) -> bool:
        """Whether a statement touches no memory that another work-item sees: declarations from ids and arguments."""
        if not isinstance(statement, Declaration):
            return False
        return not any(self._may_access(node) for variable in statement.variables for node in walk(variable))

    def _may_access(self, node: object) -> bool:
        match node:
            case Call(function=Member(name=name)):
                return not name.startswith(_ASKING)
            case Call() | Lambda() | Assign() | Increment():
                return True
            case Index(object=Call(function=Member(name=name))):
                return not name.startswith(_ASKING)
            case Index():
                return True
            case Unary(operator="*" | "&"):
                return True
            case _:
                return False


def _orders_no_less(before: Call, barrier: Call) -> bool:
    """Whether all that a barrier orders has been ordered by the one before it: kinds of memory, and how far.

    Without arguments ``nd_item::barrier`` orders both kinds of memory (SYCL 1.2.1, 4.8.1.8) and ``group_barrier`` both
    for the group (SYCL 2020, "group_barrier").
    """
    wanted, given = _extent(barrier), _extent(before)
    return wanted is not None and (given == wanted or (given == () and _is_space(wanted)))


def _extent(barrier: Call) -> tuple[str, ...] | None:
    """The names of a barrier's arguments after its group, ``()`` without any; ``None`` when one is not a name."""
    after = barrier.arguments if isinstance(barrier.function, Member) else barrier.arguments[1:]
    names = tuple(each.last for each in after if isinstance(each, Name))
    if len(names) < len(after):
        return None
    return () if names == ("global_and_local",) else names


def _is_space(extent: tuple[str, ...] | None) -> bool:
    return extent in (("local_space",), ("global_space",))
