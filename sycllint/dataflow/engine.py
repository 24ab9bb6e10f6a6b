"""The forward solver: a pass over the instructions of a body in the order in which they run, in any domain.

Control in a body is structured, so the solver needs no graph: where ways part it keeps a state for each, where they
meet a domain joins them, and a loop is run until its state stays the same. A call may be entered: its target is a
``SolverFrame`` on the solver's own stack. What a pass costs is counted in instructions, so that where it ends does
not depend on who asks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeAlias, TypeVar

from sycllint.cpp.statement import Arm, RangeLoop
from sycllint.ir import ops
from sycllint.ir.body import Body

State = TypeVar("State")
Value = TypeVar("Value")
Context = TypeVar("Context")
"""What a domain keeps of one call that is entered."""
Control = TypeVar("Control")
"""What a domain keeps of an instruction that decides what runs."""

MAX_ROUNDS = 12
"""How often the body of a loop is run for one state before it; domains have fewer steps from bottom to top."""


class Open(Generic[State, Control]):
    """A construct that the solver is in: an ``if``, a loop, a ``switch``, a ``try`` or the arms of a ``#if``."""

    __slots__ = ("arms", "begin", "broken", "code", "control", "entry", "head", "is_complete", "rounds", "skipped")

    def __init__(self, begin: int, code: int, entry: State) -> None:
        self.begin = begin
        self.code = code
        """The opcode of the instruction that begins it."""
        self.entry = entry
        """The state before it."""
        self.head = entry
        """Of a loop, the state at the beginning of this round."""
        self.control: Control | None = None
        """What decides over what runs in it; ``None`` where that is known."""
        self.arms: list[State | None] = []
        """The states at the ends of the arms so far; of a loop, those in which its test ends it."""
        self.broken: list[State] = []
        """The states in which ``break`` leaves it."""
        self.skipped: list[State] = []
        """The states in which ``continue`` ends an iteration."""
        self.is_complete = False
        """One of the arms is surely taken."""
        self.rounds = 0


class SolverFrame(Generic[State, Value, Context, Control]):
    """One function or lambda that is being run."""

    __slots__ = ("body", "context", "opened", "position", "returned", "values")

    def __init__(self, body: Body, context: Context, nothing: Value) -> None:
        self.body = body
        self.context = context
        self.position = 0
        """The instruction that is run, or the call that was entered from here."""
        self.values: list[Value] = [nothing] * len(body.op)
        """By position, what instructions gave when they last ran."""
        self.opened: list[Open[State, Control]] = []
        """The constructs around ``position``, from the outside in."""
        self.returned: list[tuple[int, State]] = []
        """The positions of the returns that were met, each with the state there."""


Step: TypeAlias = Callable[[SolverFrame[State, Value, Context, Control], int, State], Value]
"""A transfer function: it gives the value of an instruction and changes the state."""
_Turn: TypeAlias = Callable[[int, State | None], tuple[int, State | None]]
"""What the solver does at an instruction that decides what runs: the position to go on at, and the state there."""


class Domain(Protocol[State, Value, Context, Control]):
    """What a solver follows: values, states, and what follows from control."""

    @property
    def nothing(self) -> Value:
        """The value of an instruction that has not run."""

    @property
    def steps(self) -> Sequence[Step[State, Value, Context, Control] | None]:
        """The transfer functions by opcode, of instructions that neither call nor decide what runs."""

    def call(
        self, frame: SolverFrame[State, Value, Context, Control], position: int, state: State
    ) -> Value | SolverFrame[State, Value, Context, Control]:
        """What a call gives, or the function to enter, for which ``state`` is prepared."""

    def result(
        self, frame: SolverFrame[State, Value, Context, Control], state: State | None
    ) -> tuple[Value, State | None]:
        """What a function that was entered gives, and the state behind the call; ``state`` is that at its end.

        ``frame.returned`` has the states at its returns. No state is one that nothing gets behind.
        """

    def fork(self, state: State) -> State:
        """A copy to go on with, while the other one stays. None is made for an ``IF`` that only computes values."""

    def gather(
        self,
        frame: SolverFrame[State, Value, Context, Control],
        opened: Open[State, Control],
        position: int,
        states: Sequence[State | None],
    ) -> State | None:
        """The state at ``position``, in or behind a construct, to which ways lead that end with ``states``.

        Of an ``IF`` those of its two arms, of a loop those in which it is left or, at its ``NEXT``, an iteration ends.
        It may change them; no state is one that nothing gets there.
        """

    def widen(self, head: State, back: State) -> State:
        """What is known at the beginning of an iteration, before it and after one; both stay as they are."""

    def agree(self, opened: Open[State, Control], widened: State) -> bool:
        """Whether a round of a loop from ``widened`` would show nothing that the one from its head did not."""

    def holds(self, frame: SolverFrame[State, Value, Context, Control], position: int) -> bool | None:
        """Whether the condition of an ``IF`` or a ``TEST`` comes out true, where it surely does or does not."""

    def begins(
        self,
        frame: SolverFrame[State, Value, Context, Control],
        opened: Open[State, Control],
        position: int,
        state: State,
    ) -> Control | None:
        """The control of a construct: at its beginning, at each beginning of a round, and at the test of a loop."""

    def turns(self, opened: Open[State, Control]) -> Control | None:
        """The control of the other arm of an ``IF``."""

    def jumps(
        self,
        frame: SolverFrame[State, Value, Context, Control],
        position: int,
        target: Open[State, Control] | None,
        state: State,
    ) -> None:
        """A jump out of ``target``, to its next iteration, or by a return or a throw out of the function."""


class Solver(Generic[State, Value, Context, Control]):
    """One run of a domain from a body and through what it enters."""

    def __init__(self, domain: Domain[State, Value, Context, Control], budget: int) -> None:
        self._domain = domain
        self.left = budget
        """Instructions that may still be run."""
        self.frames: list[SolverFrame[State, Value, Context, Control]] = []
        """The functions that are being run, from the outside in."""
        self._frame: SolverFrame[State, Value, Context, Control]
        """The innermost of them."""
        self.is_lost = False
        """Something could not be followed, or the budget is spent: nothing that was found counts."""
        turns: dict[int, _Turn[State]] = {
            ops.IF: self._if,
            ops.ELSE: self._else,
            ops.LOOP: self._loop,
            ops.TEST: self._test,
            ops.NEXT: self._continues,
            ops.SWITCH: self._switch,
            ops.CASE: self._case,
            ops.TRY: self._try,
            ops.CATCH: self._catch,
            ops.SCOPE: self._scope,
            ops.END: self._end,
            ops.BREAK: self._break,
            ops.CONTINUE: self._continue,
            ops.RETURN: self._return,
            ops.THROW: self._throw,
            ops.GOTO: self._goto,
            ops.VARIANT: self._variant,
        }
        self._turns = [turns.get(code) for code in range(len(ops.NAMES))]
        """By opcode, what is done where control turns."""

    def lose(self) -> None:
        """Give up."""
        self.is_lost = True
        self.left = 0

    def run(self, frame: SolverFrame[State, Value, Context, Control], state: State) -> State | None:
        """Run ``frame`` from ``state``; the state behind it, or ``None`` where nothing gets there."""
        self.frames = [frame]
        current: State | None = state
        while True:
            entered, current = self._run(current)
            if self.is_lost:
                return None
            if entered is not None:
                self.frames.append(entered)
                continue
            ended = self.frames.pop()
            value, current = self._domain.result(ended, current)
            if not self.frames:
                return current
            caller = self.frames[-1]
            caller.values[caller.position] = value
            caller.position += 1

    def _run(self, state: State | None) -> tuple[SolverFrame[State, Value, Context, Control] | None, State | None]:
        """Run the innermost frame from its position up to its end, or to a call that is entered."""
        domain, frame = self._domain, self.frames[-1]
        self._frame = frame
        op, values, steps, turns = frame.body.op, frame.values, domain.steps, self._turns
        position, last = frame.position, len(op)
        while position < last and self.left > 0:
            if state is None:
                position = self._next(position)
                if position < last:
                    control = turns[op[position]]
                    assert control is not None
                    position, state = control(position, None)
                continue
            self.left -= 1
            code = op[position]
            step = steps[code]
            if step is not None:
                values[position] = step(frame, position, state)
            elif (control := turns[code]) is not None:
                position, state = control(position, state)
                continue
            elif code == ops.CALL:
                frame.position = position
                found = domain.call(frame, position, state)
                if isinstance(found, SolverFrame):
                    return found, state
                values[position] = found
            position += 1
        self.is_lost = self.is_lost or position < last
        frame.position = last
        return None, state

    # ------------------------------------------------------------------ control

    def _next(self, position: int) -> int:
        """The next instruction at which a way may begin again, where none gets to ``position``."""
        if not self._frame.opened:
            return len(self._frame.body.op)
        opened = self._frame.opened[-1]
        body, begin = self._frame.body, opened.begin
        end = body.extra[begin]
        if opened.code == ops.IF:
            otherwise = body.b[begin]
            return otherwise if position <= otherwise else end

        if opened.code == ops.LOOP and not opened.skipped:
            return end
        return next((each for each in body.labels(begin) if each >= position), end)

    def _open(self, position: int, state: State) -> Open[State, Control]:
        opened: Open[State, Control] = Open(position, self._frame.body.op[position], state)
        self._frame.opened.append(opened)
        return opened

    def _if(self, position: int, state: State | None) -> tuple[int, State | None]:
        assert state is not None
        domain, body = self._domain, self._frame.body
        opened = self._open(position, state)
        answer = domain.holds(self._frame, position)
        if answer is not None:
            opened.is_complete = True
            if answer:
                return position + 1, state
            otherwise = body.b[position]
            return (body.extra[position] if otherwise == ops.NONE else otherwise + 1), state
        opened.control = domain.begins(self._frame, opened, position, state)
        return position + 1, domain.fork(state) if body.encloses(position, *_CHANGING) else state

    def _else(self, position: int, state: State | None) -> tuple[int, State | None]:
        opened = self._frame.opened[-1]
        if opened.is_complete:
            return self._frame.body.extra[opened.begin], state
        opened.arms.append(state)
        opened.control = self._domain.turns(opened)
        return position + 1, opened.entry

    def _loop(self, position: int, state: State | None) -> tuple[int, State | None]:
        assert state is not None
        opened = self._open(position, state)
        opened.head = self._domain.fork(state)
        return self._round(opened)

    def _round(self, opened: Open[State, Control]) -> tuple[int, State]:
        """Begin an iteration of a loop."""
        opened.rounds += 1
        opened.arms, opened.broken, opened.skipped = [], [], []
        opened.control = self._domain.begins(self._frame, opened, opened.begin, opened.head)
        return opened.begin + 1, self._domain.fork(opened.head)

    def _test(self, position: int, state: State | None) -> tuple[int, State | None]:
        assert state is not None
        domain, opened = self._domain, self._frame.opened[-1]
        condition = self._frame.body.a[position]
        is_endless = condition == ops.NONE and not isinstance(self._frame.body.node[position], RangeLoop)
        if not (is_endless or domain.holds(self._frame, position)):
            opened.arms.append(domain.fork(state))
        opened.control = domain.begins(self._frame, opened, position, state)
        return position + 1, state

    def _continues(self, position: int, state: State | None) -> tuple[int, State | None]:
        opened = self._frame.opened[-1]
        states, opened.skipped = (state, *opened.skipped), []
        return position + 1, self._domain.gather(self._frame, opened, position, states)

    def _switch(self, position: int, state: State | None) -> tuple[int, State | None]:
        assert state is not None
        opened = self._open(position, state)
        opened.control = self._domain.begins(self._frame, opened, position, state)
        return position + 1, None

    def _case(self, position: int, state: State | None) -> tuple[int, State | None]:
        """A case is entered from the head, or by falling through; a label outside of all statements does nothing."""
        if not self._frame.opened:
            return position + 1, state
        opened = self._frame.opened[-1]
        opened.is_complete = opened.is_complete or self._frame.body.a[position] == ops.NONE
        states = self._domain.fork(opened.entry), state
        return position + 1, self._domain.gather(self._frame, opened, position, states)

    def _try(self, position: int, state: State | None) -> tuple[int, State | None]:
        assert state is not None
        opened = self._open(position, state)
        return position + 1, self._domain.fork(opened.entry)

    def _catch(self, position: int, state: State | None) -> tuple[int, State | None]:
        """A handler runs from the state before the ``try``, or from that at a ``throw`` in it."""
        opened = self._frame.opened[-1]
        opened.arms.append(state)
        states = [self._domain.fork(each) for each in (opened.entry, *opened.broken)]
        return position + 1, self._domain.gather(self._frame, opened, position, states)

    def _variant(self, position: int, state: State | None) -> tuple[int, State | None]:
        """An arm of a ``#if``; the first one opens it."""
        domain, body = self._domain, self._frame.body
        if body.b[position] == ops.NONE:
            assert state is not None
            opened = self._open(position, state)
        else:
            opened = self._frame.opened[-1]
            if body.a[body.b[position]] != ops.NO:
                opened.arms.append(state)
        answer, node = body.a[position], body.node[position]
        if answer == ops.NO or opened.is_complete:
            return position + 1, None
        is_last = isinstance(node, Arm) and node.keyword == "else"
        opened.is_complete = answer == ops.YES or is_last
        opened.control = None if answer == ops.YES else domain.begins(self._frame, opened, position, opened.entry)
        return position + 1, domain.fork(opened.entry)

    def _end(self, position: int, state: State | None) -> tuple[int, State | None]:
        code = self._frame.body.op[self._frame.body.a[position]]
        if code == ops.SCOPE:
            return position + 1, state
        opened = self._frame.opened[-1]
        if code == ops.LOOP:
            return self._end_of_round(opened, position, state)
        self._frame.opened.pop()
        if code == ops.IF:
            if opened.is_complete:
                return position + 1, state
            arms = (opened.arms[0], state) if opened.arms else (state, opened.entry)
            return position + 1, self._domain.gather(self._frame, opened, position, arms)
        if code == ops.VARIANT and self._frame.body.a[self._frame.body.a[position]] == ops.NO:
            state = None
        passed = opened.entry if code != ops.TRY and not opened.is_complete else None
        broken = opened.broken if code == ops.SWITCH else ()
        return position + 1, self._domain.gather(self._frame, opened, position, (passed, *opened.arms, state, *broken))

    def _end_of_round(
        self, opened: Open[State, Control], position: int, state: State | None
    ) -> tuple[int, State | None]:
        """Another round, where one would show more than this one."""
        domain = self._domain
        if state is not None:
            widened = domain.widen(opened.head, state)
            is_done = domain.agree(opened, widened)
            opened.head = widened
            if not is_done:
                if opened.rounds < MAX_ROUNDS:
                    return self._round(opened)
                self.lose()
        self._frame.opened.pop()
        return position + 1, domain.gather(self._frame, opened, position, (*opened.arms, *opened.broken))

    # -------------------------------------------------------------------- jumps

    def _target(self, codes: frozenset[int]) -> Open[State, Control] | None:
        return next((each for each in reversed(self._frame.opened) if each.code in codes), None)

    def _break(self, position: int, state: State | None) -> tuple[int, State | None]:
        assert state is not None
        target = self._target(_BROKEN)
        self._domain.jumps(self._frame, position, target, state)
        if target is not None:
            target.broken.append(state)
        return position + 1, None

    def _continue(self, position: int, state: State | None) -> tuple[int, State | None]:
        assert state is not None
        target = self._target(_LOOPS)
        self._domain.jumps(self._frame, position, target, state)
        if target is not None:
            target.skipped.append(state)
        return position + 1, None

    def _return(self, position: int, state: State | None) -> tuple[int, State | None]:
        assert state is not None
        self._domain.jumps(self._frame, position, None, state)
        self._frame.returned.append((position, state))
        return position + 1, None

    def _throw(self, position: int, state: State | None) -> tuple[int, State | None]:
        assert state is not None
        target = self._target(_TRIED)
        self._domain.jumps(self._frame, position, target, state)
        if target is not None:
            target.broken.append(state)
        return position + 1, None

    def _goto(self, position: int, state: State | None) -> tuple[int, State | None]:
        """The order of instructions says nothing from here on."""
        self.lose()
        return position + 1, state

    def _scope(self, position: int, state: State | None) -> tuple[int, State | None]:
        return position + 1, state


_CHANGING = tuple(
    sorted(
        set(range(len(ops.NAMES)))
        - {ops.CONST, ops.CAPTURE, ops.GLOBAL, ops.THIS, ops.LOAD, ops.FIELD, ops.ELEM, ops.DEREF, ops.READ}
        - {ops.UNARY, ops.BINARY, ops.CAST, ops.SELECT, ops.IF, ops.ELSE, ops.END}
    )
)
"""Opcodes of what may change a state; an ``if`` without any, such as that of ``a && b``, has one for both its arms."""
_BROKEN = frozenset({ops.LOOP, ops.SWITCH})
_LOOPS = frozenset({ops.LOOP})
_TRIED = frozenset({ops.TRY})
