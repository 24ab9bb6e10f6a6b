"""Loops of device code: one iteration stands for all, and what variables hold in it is a function of its number."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sycllint.cpp.expression import Brace, Call, Expr, Name
from sycllint.cpp.node import Node, walk
from sycllint.cpp.statement import Declaration, Loop, RangeLoop
from sycllint.device_code.access_trace.abstract_values import (
    AbstractValue,
    Data,
    DeviceClosure,
    Environment,
    MemoryElement,
    Object,
    Pointer,
    Slot,
    lose,
)
from sycllint.device_code.access_trace.calls import DeviceCalls
from sycllint.device_code.access_trace.conditions import conjunction, when
from sycllint.device_code.access_trace.escape_analysis import EscapeAnalysis
from sycllint.device_code.access_trace.expressions import ExpressionTransfer
from sycllint.device_code.access_trace.interpreter import Interpreter, Transfers
from sycllint.device_code.access_trace.iterations import turns_of
from sycllint.device_code.access_trace.state import Exit
from sycllint.device_code.access_trace.terms import TERM, Atom, AtomKind, Term, atoms, operation, replaced, varies
from sycllint.device_code.access_trace.trace import Cycle, Guard, LoopHead, widest
from sycllint.device_code.bodies.loop_updates import FLIP, TURN, acts, changes, plain_update
from sycllint.domains.meaning import Role
from sycllint.record import replace

_MAX_MACROS = 8
"""How many macros lie between one in the update of a loop and what it stands for."""


class LoopTransfer(Transfers):
    """Those of one walk."""

    def __init__(
        self, interpreter: Interpreter, escapes: EscapeAnalysis, calls: DeviceCalls, expressions: ExpressionTransfer
    ) -> None:
        super().__init__(interpreter)
        self._escapes = escapes
        self._calls = calls
        self._expressions = expressions
        self._counters = 0

    def transfers(self) -> dict[type[Node], Callable[..., bool]]:
        """The transfer functions of loops, by their kinds."""
        return {Loop: self._loop, RangeLoop: self._range_loop}

    def _loop(self, node: Loop, names: Environment) -> bool:
        inner = dict(names)
        if node.initializer is not None:
            self._interpreter.single(node.initializer, inner)
        if node.keyword == "do" and getattr(node.condition, "text", "") in ("0", "false"):
            return self._interpreter.once(node.body, inner)
        return self._turned(node, inner, lambda head: self._iteration(node, head, inner))

    def _turned(self, node: Loop | RangeLoop, inner: Environment, iteration: Callable[[LoopHead], None]) -> bool:
        """A loop of which ``iteration`` reads one turn."""
        state = self._state
        self._counters += 1
        head = LoopHead(Atom(AtomKind.COUNTER, self._counters))
        changed = self._enter(node, head, inner)
        outer, state.loops = state.loops, (*state.loops, head)
        exits, guards = len(state.exits), state.guards
        with state.collecting() as found:
            iteration(head)
        state.loops, state.guards = outer, guards
        head.synchronises = widest(found)
        head.is_left = any(each.keyword != "continue" for each in state.exits[exits:])
        if found:
            state.events.append(Cycle(head, tuple(found)))
        self._leave(head, exits, changed)
        return True

    def _iteration(self, node: Loop, head: LoopHead, names: Environment) -> None:
        state = self._state
        if node.keyword == "do":
            again = self._again(node, head, names)
            head.condition = again
            state.under(when(again) if again is not None else Guard(state.fresh(), None))
        elif node.condition is not None:
            condition = self._interpreter.condition(node.condition, names)
            head.condition = None if isinstance(condition, Data) else condition
            if condition != 1:
                state.under(when(condition))
        self._interpreter.block(node.body, names)
        if node.update is not None:
            self._expressions.effect(node.update, names)
        if node.keyword == "do" and node.condition is not None:
            self._interpreter.term(node.condition, names)

    def _again(self, node: Loop, head: LoopHead, names: Environment) -> Term | None:
        """Whether a ``do`` loop has an iteration, by its number; ``None`` where more than that decides it.

        What variables hold at its start is what the condition has seen at the end of the one before.
        """
        if node.condition is None or any(acts(each) for each in self._written_out(node.condition)):
            return None
        with self._state.collecting():
            condition = self._interpreter.condition(node.condition, names)
        if not isinstance(condition, TERM) or not atoms(condition) <= {head.counter}:
            return None
        return operation("||", operation("<", head.counter, 1), condition)

    def _range_loop(self, node: RangeLoop, names: Environment) -> bool:
        inner = dict(names)
        state = self._state
        self._escapes.discard(node.range, names)
        if node.variable.type.reference and not node.variable.type.constant:
            self._escapes.kept(node.range, names)

        def iteration(_: LoopHead) -> None:
            if not (isinstance(node.range, Brace) and node.range.elements):
                state.under(when(None))
            if self._calls.may_iterate(node.range, names):
                self._interpreter.may_wait(node.range)
            state.declare(inner, node.variable.name, None)
            self._interpreter.block(node.body, inner)

        return self._turned(node, inner, iteration)

    def _enter(self, node: Loop | RangeLoop, head: LoopHead, names: Environment) -> dict[Slot, AbstractValue]:
        """The variables that change in the loop, and what each holds at the start of an iteration."""
        state = self._state
        changed = self._evaluator.mutations.of(node)
        if isinstance(node, Loop) and isinstance(node.initializer, Declaration):
            parts = [each for each in (node.condition, node.update, node.body) if each is not None]
            changed = changed.union(*(self._evaluator.mutations.of(each) for each in parts))
        inside = changes(self._evaluator, node)
        changing: list[Slot] = []
        steps: dict[Slot, AbstractValue] = {}
        for name in changed:
            slot = names.get(name.lstrip("&"))
            value = slot.value if isinstance(slot, Slot) else None
            if not isinstance(slot, Slot) or isinstance(value, Role):
                continue
            if isinstance(value, Object) and name not in inside.updates:
                changing += self._interpreter.objects.changed(value, node)
                continue
            if isinstance(value, Pointer | MemoryElement | DeviceClosure) and name not in inside.updates:
                # What changes is an element that it leads to.
                continue
            changing.append(slot)
            if not name.startswith("&") and isinstance(node, Loop):
                steps[slot] = self._series(plain_update(inside, node, name), slot, head.counter, changed, names)
        for slot in changing:
            series = steps.get(slot)
            if series is None:
                lose(slot.value)
            state.put(slot, series)
        return {slot: steps.get(slot) for slot in changing}

    def _series(
        self, update: tuple[str, Expr] | None, slot: Slot, counter: Atom, changed: frozenset[str], names: Environment
    ) -> AbstractValue:
        """``start + step * counter`` and its kin, for a variable with one plain update in each iteration."""
        if update is None:
            return None
        operator, by = update
        if any(acts(each) or (isinstance(each, Name) and each.text in changed) for each in self._written_out(by)):
            return None
        with self._state.collecting():
            step = self._interpreter.term(by, names)
        start = slot.value
        if isinstance(start, Pointer) and start.indices:
            moved = operation(operator, 0, operation("*", step, counter)) if operator in ("+", "-") else None
            return replace(start, indices=(*start.indices[:-1], operation("+", start.indices[-1], moved)))
        if isinstance(start, Data):
            return replace(start, like=_carried(operator, start.like, step, counter))
        return _carried(operator, start, step, counter) if isinstance(start, TERM) else None

    def _written_out(self, expression: Expr, depth: int = 0) -> Iterator[Node]:
        """The parts of ``expression``, the texts of macros in place of their uses with arguments."""
        for each in walk(expression):
            name = each.function if isinstance(each, Call) and depth < _MAX_MACROS else None
            macro = self._interpreter.macro(name, name.start) if isinstance(name, Name) else None
            if macro is not None and macro.value is not None:
                yield from self._written_out(macro.value, depth + 1)
            else:
                yield each

    def _leave(self, head: LoopHead, exits: int, changed: dict[Slot, AbstractValue]) -> None:
        """What left the function depends on all iterations; variables are known where it is how often the loop turned.

        Others are not followed beyond it. They are not any number either: what two of them are at the end hangs
        together.
        """
        state = self._state
        left = state.exits[exits:]
        state.exits[exits:] = [_vague(each, len(state.guards)) for each in left if each.keyword == "return"]
        turns = turns_of(head) if any(changed.values()) else None
        for slot, series in changed.items():
            lose(slot.value)
            known = replaced(series, head.counter, turns) if turns is not None and isinstance(series, TERM) else None
            state.put(slot, known)


def _vague(exit_: Exit, depth: int) -> Exit:
    """An exit from a function inside a loop, without the iteration that it is taken in."""
    inner = conjunction(exit_.guards[depth:])
    if isinstance(inner, Data):
        return Exit(exit_.keyword, (*exit_.guards[:depth], when(Data())))
    if inner is not None and not varies(inner) and not any(each.kind is AtomKind.COUNTER for each in atoms(inner)):
        return exit_
    return Exit(exit_.keyword, (*exit_.guards[:depth], when(None)))


def _carried(operator: str, start: Term | None, step: Term | None, counter: Atom) -> Term | None:
    """What is left of ``start`` after ``counter`` updates by ``step``."""
    if start is None or step is None:
        return None
    if operator in ("+", "-", "<<", ">>"):
        return operation(operator, start, operation("*", step, counter))
    odd = operation("&", counter, 1)
    if operator == FLIP or (operator == TURN and start in (0, 1)):
        return operation("+", start, operation("*", odd, operation("-", step, operation("*", 2, start))))
    if operator == "^":
        return operation("^", start, operation("*", odd, step))
    if operator in ("*", "/"):
        return operation(operator, start, operation("power", step, counter))
    return None
