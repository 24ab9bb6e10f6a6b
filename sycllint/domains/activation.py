"""One run of the domain of uniformity: what it was given, what it found, and what it keeps of each call it is in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from sycllint.cpp.expression import Lambda, Name
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import CONST, Variable
from sycllint.dataflow.engine import Solver, SolverFrame
from sycllint.domains.arithmetic import Arithmetic
from sycllint.domains.controls import Construct, Control, LaneArithmetic, Limit, ReachedBarrier, missed_by_nobody
from sycllint.domains.indices import Indices
from sycllint.domains.levels import UNKNOWN, Content, Level
from sycllint.domains.meaning import Role, Roles, meanings, slot_of
from sycllint.domains.states import State
from sycllint.ir import ops
from sycllint.ir.bodies import bodies
from sycllint.ir.body import Body, Local, written
from sycllint.memoized import memoized
from sycllint.record import NamedTuple, replace
from sycllint.source.span import Location
from sycllint.symbols.overloads import CallTargets
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Frame

Activation: TypeAlias = "SolverFrame[State, Content, Context, Construct]"
"""A function that is being run."""


class LambdaValue(NamedTuple):
    """A lambda, and the function whose variables it captures."""

    body: Body
    around: Activation | None


class Context:
    """What is kept of one function that is being run."""

    def __init__(self, run: UniformityRun, body: Body, base: int, scope: object) -> None:
        self.run = run
        self.base = base
        """The number of its first variable."""
        self.scope = scope
        """In which names from outside are looked for: the function, or how it is reached where that matters."""
        self.around: Activation | None = None
        """Of a lambda, the function whose variables it captures."""
        self.roles = Roles(run.meanings, body)
        """Which of its values are items, groups or objects made from them."""
        self.aliases: dict[int, int] = {}
        """By slot of a reference, the number of the variable it refers to."""
        self.closures: dict[int, LambdaValue] = {}
        """By slot, the lambda that a variable is."""
        self.owner: Content | None = None
        """What the members hold of the object it is called on; ``None`` for the kernel, whose are its arguments."""
        self.call: Location | None = None
        """Where it is called; ``None`` of the kernel, and of lambdas."""
        self.outer: Frame | None = None
        """How the function around was reached."""
        self.exits: tuple[Control, ...] = ()
        """What decided over the jumps before the call."""
        self.jumps: dict[int, tuple[str, Location]] = {}
        """By position, each jump that was met: its kind, and where it is written."""
        self.left = Level.GRID
        """The highest one of what decides over returns."""
        self.returned: list[Content] = []
        """What it returns."""


class UniformityRun:
    """What one run is given, and what it finds."""

    def __init__(self, evaluator: Evaluator, indices: Indices, *, for_lanes: bool) -> None:
        self.evaluator = evaluator
        self.for_lanes = for_lanes
        """Nothing but lanes is looked for."""
        self.facts = evaluator.facts
        self.bodies = bodies.of(evaluator)
        self.indices = indices
        self.meanings = meanings.of(evaluator)
        self.arithmetic = Arithmetic(evaluator, indices)
        self.literals: dict[str, Content] = {}
        self.reached_barriers: dict[object, ReachedBarrier] = {}
        self.lanes: dict[Location, LaneArithmetic] = {}
        self.asks_width = False
        """The kernel asks a sub-group for its size."""
        self.stored: set[object] = set()
        """Memory outside the group that something is stored to, by its key."""
        self.unstored: set[object] = set()
        """Such memory that was read, by some work-items alike, before anything was seen to be stored there."""
        self.shared: set[int] = set()
        """The numbers of variables that escaped: code outside may change them at any time."""
        self.met = 0
        """Barriers and collectives that were met."""
        self.outer: dict[tuple[str, object], Content] = {}
        """What names from outside a function stand for."""
        self.reached: dict[object, Frame] = {}
        """How functions are reached, by the call."""
        self.kernel: Location
        """Where the kernel stands."""
        self.targets: dict[object, CallTargets] = {}
        """The functions that calls may run, by the call and what is known of its arguments."""
        self.solver: Solver[State, Content, Context, Construct]
        self.turned: dict[object, tuple[Construct, State]] = {}
        """By loop and the calls that lead to it, how it was last left, and the state at the beginning of its rounds."""
        self._left: dict[object, Control] = {}

    def begin(self) -> None:
        """Forget what an earlier run found, but for the memory that is stored to."""
        self.reached_barriers, self.lanes = {}, {}
        self.unstored.clear()
        self.shared.clear()
        self.turned.clear()

    def ask_width(self) -> None:
        """The kernel asks a sub-group for its size: then its lanes are not judged."""
        self.asks_width = True
        if self.for_lanes:
            self.solver.lose()

    # -------------------------------------------------------------------- places

    @memoized
    def location(self, node: Node, place: Place) -> Location:
        """Where ``node`` stands."""
        return self.facts.location(node, place)

    def written(self, body: Body, position: int) -> Location:
        """Where an instruction is written; of a macro's text, where the macro is used."""
        node, place = written(body.node[position], body.around_of(position))
        return self.location(node, place)

    # ----------------------------------------------------------------- variables

    def number(self, frame: Activation, slot: int) -> int:
        """The number of a variable; of a reference to one, that of what it refers to."""
        context = frame.context
        found = context.aliases.get(slot)
        return context.base + slot if found is None else found

    def held(self, state: State, number: int) -> Content:
        """What a variable holds."""
        content = state.contents[number]
        if content is None or (number in self.shared and content.memory is None):
            return UNKNOWN
        return content

    def captured(self, frame: Activation, name: str) -> tuple[Activation, int] | None:
        """The variable that a lambda captures by this name, and the function it is in; ``None`` for one outside."""
        return _declared_around(frame.body.around.get(name), frame.context.around)

    def roots(self, frame: Activation, position: int) -> Iterator[int]:
        """The numbers of the variables that a place, or a value read from one, is part of."""
        body = frame.body
        waiting = [position]
        while waiting:
            current = waiting.pop()
            code = body.op[current] if current != ops.NONE else ops.CONST
            if code in (ops.LOAD, ops.ADDR_LOCAL):
                yield self.number(frame, body.a[current])
            elif code == ops.CAPTURE:
                found = self.captured(frame, body.name(current))
                if found is not None:
                    yield self.number(*found)
            elif code in _PARTS:
                waiting.append(body.a[current])
            elif code == ops.SELECT:
                waiting += (body.a[current], body.b[current])
            elif code == ops.CALL and body.called(current) in _HANDED_BACK:
                waiting += body.list(current)[:1] if isinstance(body.callee(current), Name) else (body.a[current],)

    def closure(self, frame: Activation, position: int) -> LambdaValue | None:
        """The lambda that a value surely is."""
        body = frame.body
        while position != ops.NONE and body.op[position] in (ops.READ, ops.CAST):
            position = body.a[position]
        code = body.op[position] if position != ops.NONE else ops.CONST
        if code == ops.LAMBDA:
            return LambdaValue(body.lambdas[body.extra[position]], frame)
        if code == ops.LOAD:
            return frame.context.closures.get(body.a[position])
        if code == ops.CAPTURE:
            found = self.captured(frame, body.name(position))
            return found[0].context.closures.get(found[1]) if found is not None else None
        return None

    # ------------------------------------------------- what others may change

    def forget(self, state: State, numbers: Iterable[int]) -> None:
        """Something that is not followed changes these variables."""
        for number in numbers:
            content = state.contents[number]
            if content is not None and content.memory is None and not self._is_fixed(number):
                state.contents[number] = UNKNOWN

    def share(self, state: State, numbers: Iterable[int]) -> None:
        """Something that is not followed may change these variables at any time from here on."""
        found = [number for number in numbers if not self._is_fixed(number)]
        self.forget(state, found)
        self.shared.update(found)

    def keep(self, frame: Activation, state: State, position: int) -> None:
        """What a place is part of, or what a lambda changes, escapes: it may change at any time from here on."""
        closure = self.closure(frame, position)
        if closure is None:
            self.share(state, self.roots(frame, position))
        elif closure.around is not None:
            self.share(state, self._changed(closure, closure.around))

    def _changed(self, closure: LambdaValue, around: Activation) -> Iterator[int]:
        """The variables that a lambda may change of the functions around it."""
        function = closure.body.function
        assert isinstance(function, Lambda)
        for name in self.evaluator.mutations.of(function):
            local = closure.body.around.get(name.lstrip("&*"))
            if local is not None and name.startswith("*") and not (local.type is not None and local.type.extents):
                # Only an array has elements that the use of its name may change.
                continue
            found = _declared_around(local, around)
            if found is not None:
                yield self.number(*found)

    def _is_fixed(self, number: int) -> bool:
        """Whether a variable is const."""
        for frame in reversed(self.solver.frames):
            slot = number - frame.context.base
            if slot >= 0:
                local = frame.body.locals[slot]
                is_const = local.type is not None and local.type.constant
                return is_const or (isinstance(local.node, Variable) and bool(local.node.flags & CONST))
        return False

    # -------------------------------------------------------------------- memory

    def read(self, state: State, content: Content) -> Content:
        """An element of memory as the value that is in it."""
        memory = content.memory
        if memory is None or not content.through:
            return content
        level = content.level
        changes = memory.key in (state.written if memory.is_local else self.stored)
        if level < Level.ITEM:
            if changes:
                level = Level.UNKNOWN
            elif not memory.is_local:
                self.unstored.add(memory.key)
            elif level is Level.GRID:
                level = Level.GROUP
        return Content(level, content.number, memory, ids=content.ids)

    def store(self, state: State, content: Content) -> None:
        """Something is written through a place or a pointer."""
        memory = content.memory
        if memory is None:
            return
        if memory.is_local:
            state.written |= {memory.key}
        else:
            self.stored.add(memory.key)

    # ------------------------------------------------------------------- control

    def reach_barrier(self, frame: Activation, position: int, state: State, name: str, role: Role) -> None:
        """A barrier or collective."""
        location = self.written(frame.body, position)
        self.met += 1
        frames = self.solver.frames
        chain = tuple(each.context.call for each in frames if each.context.call is not None)
        barrier = self.reached_barriers.get((location, chain))
        if barrier is None:
            call = chain[0] if chain else None
            barrier = ReachedBarrier(location, frame.body.around_of(position), name, role, call)
            self.reached_barriers[location, chain] = barrier
        around = [opened.control for each in frames for opened in each.opened if opened.control is not None]
        controls = [each.control for each in around if each.control is not None]
        made_by_all = [each.within for each in controls if each.within is not None]
        limits = [limit for each in controls for limit in each.limits]
        for control in (*controls, *state.exits):
            if control in made_by_all or (limits and missed_by_nobody(self.indices, control, limits)):
                continue
            if control.level.diverges:
                of = (control.kind, control.location, control.jump)
                known = barrier.controls.get(of)
                if known is None or control.level > known.level:
                    barrier.controls[of] = control
            elif control.kind != "loop" or control.level is Level.UNKNOWN:
                barrier.undecided = True
        if role is Role.WORK_GROUP:
            state.written = frozenset()

    def exit(self, control: Control, kind: str, jump: Location, *, negated: bool, limits: tuple[Limit, ...]) -> Control:
        """What decides over a jump: one and the same in each round of a loop."""
        key = (kind, control.level, control.location, jump, negated, limits)
        found = self._left.get(key)
        if found is None:
            made = Control(kind, control.level, control.condition, control.place, control.location, jump)
            found = self._left[key] = replace(made, proof=control.proof, negated=negated, limits=limits)
        return found


_HANDED_BACK = frozenset({"get", "move", "forward", "at", "front", "back"})
"""Functions and methods of the C++ library that give their argument, or a part of their object."""
_PARTS = frozenset({ops.FIELD, ops.ELEM, ops.READ, ops.CAST})


def _declared_around(local: Local | None, around: Activation | None) -> tuple[Activation, int] | None:
    """The function that declares a variable, the one ``around`` or one farther out, and its slot there."""
    while local is not None and around is not None:
        slot = slot_of(around.body, local)
        if slot != ops.NONE:
            return around, slot
        around = around.context.around
    return None
