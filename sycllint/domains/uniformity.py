"""Uniformity: how far the values of a kernel are the same, and by which controls some work-items miss its barriers.

A value that differs between work-items makes what it decides over run for some of them only; what they assign differs,
too, where the ways meet again (*sync dependence*), and behind a loop that they leave at different trips (*temporal
divergence*). The terms are those of LLVM's "Convergence And Uniformity".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sycllint.cpp.expression import Binary, Conditional, Expr, Lambda, Name, Number
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, If, Loop, RangeLoop, Switch
from sycllint.dataflow.engine import Open, Solver, SolverFrame, Step
from sycllint.dataflow.mod_ref import Path, mod_refs
from sycllint.domains.activation import Activation, Context, UniformityRun
from sycllint.domains.arithmetic import COMPARISONS, perhaps_alike
from sycllint.domains.calling import called
from sycllint.domains.controls import Construct, Control, LaneArithmetic, ReachedBarrier
from sycllint.domains.counting import begin_loop, begin_round, end_loop, same_trips
from sycllint.domains.indices import Indices, Padding
from sycllint.domains.levels import UNIFORM, UNKNOWN, Content, Level, Memory, joined, one_of, truth_of
from sycllint.domains.meaning import Role
from sycllint.domains.outside import from_outside
from sycllint.domains.rounding import either_made
from sycllint.domains.states import State, merged, raised
from sycllint.domains.transfer import STEPS, value
from sycllint.domains.turn_limits import in_shared_turns, limits, limits_of_jump, shared_turns
from sycllint.ir import ops
from sycllint.ir.body import Body, Storage
from sycllint.record import replace
from sycllint.source.span import Location
from sycllint.values.evaluate import Evaluator

MAX_WORK = 60_000
"""Instructions run per kernel; beyond it nothing is said of it."""
_MAX_RUNS = 3
"""How often a kernel is run because it reads memory before it stores there."""
_JUMPS = {ops.BREAK: "break", ops.CONTINUE: "continue", ops.RETURN: "return", ops.THROW: "throw"}
_MISSED = (ops.CALL, *_JUMPS)
"""What a work-item may miss, or leave by: under nothing else does it matter what decides over a branch."""
Opened = Open[State, Construct]


class Uniformity:
    """The domain, and its answers for one kernel in one launch."""

    nothing = UNKNOWN
    steps: Sequence[Step[State, Content, Context, Construct] | None] = STEPS

    def __init__(self, evaluator: Evaluator, indices: Indices, *, for_lanes: bool = False) -> None:
        self.indices = indices
        self._run = UniformityRun(evaluator, indices, for_lanes=for_lanes)
        self._last_jump: tuple[str, Location] | None = None
        self.is_known = True
        """False when the kernel could not be followed: then nothing is said of it."""

    # ----------------------------------------------------------------- questions

    def reached_barriers(self) -> Iterator[ReachedBarrier]:
        """Barriers and collectives, each with the understood controls that differ between work-items."""
        if self.is_known:
            yield from self._run.reached_barriers.values()

    def lanes(self) -> tuple[LaneArithmetic, ...]:
        """Where the kernel takes a local id apart into lane and sub-group; nothing where it asks for the width."""
        return tuple(self._run.lanes.values()) if self.is_known and not self._run.asks_width else ()

    # -------------------------------------------------------------------- kernel

    def run(self, function: Lambda | Function, place: Place) -> Activation | None:
        """Follow the kernel ``function`` at ``place``; its frame, or ``None`` where it could not be followed."""
        run = self._run
        evaluator = run.evaluator
        frame, work, free = evaluator.frame, evaluator.work, evaluator.free
        evaluator.work, evaluator.free = 0, {}
        run.kernel = run.location(function, place)
        kernel = self._runs(run.bodies.of(function, place))
        evaluator.frame, evaluator.work, evaluator.free = frame, work, free
        self.is_known = kernel is not None
        return kernel

    def _runs(self, body: Body) -> Activation | None:
        """Run a kernel until it reads no memory before it is known that something is stored there."""
        run, outer = self._run, self._run.evaluator.frame
        left = MAX_WORK
        run.stored.update(map(_key, mod_refs.of(run.evaluator).of(body).writes))
        for _ in range(_MAX_RUNS):
            run.begin()
            run.evaluator.frame = outer
            run.solver = Solver(self, left)
            state = State([None] * len(body.locals), frozenset(), ())
            kernel = self._kernel(body, state)
            run.solver.run(kernel, state)
            if run.solver.is_lost:
                return None
            if run.unstored.isdisjoint(run.stored):
                return kernel
            left = run.solver.left
        return None

    def _kernel(self, body: Body, state: State) -> Activation:
        """The frame of a kernel: the item, an ``id``, its arguments and what it captures."""
        run, function = self._run, body.function
        context = Context(run, body, 0, None)
        kernel: Activation = SolverFrame(body, context, UNKNOWN)
        context.outer = run.evaluator.frame
        roles = run.meanings.parameters(function.parameters, kernel=True)
        symbols = run.evaluator.symbols
        struct = symbols.definition(symbols.class_around(body.place)) if isinstance(function, Function) else None
        if struct is not None:
            context.roles.members = run.meanings.members(struct)
        context.roles.bind(function.parameters, (), kernel=True)
        for slot, parameter in enumerate(function.parameters):
            kind = run.evaluator.types.kind(parameter.type.name).sycl or parameter.type.name.last
            if kind == "id":
                content = Content(run.indices.only("get_global_id").level, ids="get_global_id")
            elif roles.get(parameter.name) in (Role.ITEM, Role.WORK_GROUP):
                content = run.indices.of_item("get_global_id", None, chosen=False)
            elif slot > 0 or parameter.name:
                content = Content(Level.GRID, memory=Memory(parameter.name, False))
            else:
                continue
            state.contents[slot] = content
        for slot, local in enumerate(body.locals):
            if local.storage is Storage.CAPTURE and function.body is not None:
                start = function.body.start
                name = Name(local.name, None, None, start, start)
                state.contents[slot] = from_outside(run, name, body.around_of(0), None)
        return kernel

    # --------------------------------------------------------------------- calls

    def call(self, frame: Activation, position: int, state: State) -> Content | Activation:
        """What a call gives, or the function that it enters."""
        return called(frame, position, state)

    def result(self, frame: Activation, state: State | None) -> tuple[Content, State | None]:
        """What a function gives; what left it early is back after the call."""
        context, run = frame.context, self._run
        run.evaluator.frame = context.outer
        for _, each in frame.returned:
            state = each if state is None else merged(state, each, context.left)
        if state is not None:
            del state.contents[context.base :]
            state.exits = context.exits
        run.shared -= {each for each in run.shared if each >= context.base}
        return self._returned(frame), state

    def _returned(self, frame: Activation) -> Content:
        contents = frame.context.returned
        if not contents:
            return UNIFORM
        first, *others = contents
        if not others:
            return first
        memories = {each.memory for each in contents if each.number is None}
        level = joined((frame.context.left, *(each.level for each in contents)))
        found = Content(level, first.number, memories.pop() if len(memories) == 1 else None, made=first.made)
        for each in others:
            found = replace(found, number=one_of(found, each, level), made=either_made(found.made, each.made))
        return found

    # -------------------------------------------------------------------- states

    def fork(self, state: State) -> State:
        """A copy to go on with."""
        return state.copy()

    def widen(self, head: State, back: State) -> State:
        """What is known at the beginning of an iteration: nothing gets lower from one to the next."""
        return merged(head, back, Level.GRID)

    def agree(self, opened: Opened, widened: State) -> bool:
        """Whether another round of a loop would show nothing new."""
        construct = opened.control
        assert construct is not None
        begin_round(construct, widened)
        level = joined((construct.level, construct.left))
        reached = construct.control.level if construct.control is not None else Level.GRID
        return level is reached and opened.head.agrees(widened)

    def gather(self, frame: Activation, opened: Opened, position: int, states: Sequence[State | None]) -> State | None:
        """The state where ways meet, in or behind a construct."""
        construct, code = opened.control, frame.body.op[position]
        if opened.code == ops.IF:
            assert construct is not None
            return self._behind_branch(frame, position, construct, states[0], states[1])
        if opened.code == ops.LOOP:
            assert construct is not None
            return self._in_loop(frame, opened, construct, states, is_over=code == ops.END)
        if construct is None or construct.control is None:
            return _joined(states, Level.UNKNOWN if opened.code == ops.TRY else Level.GRID)
        found = _joined(states, joined((construct.control.level, construct.left)))
        if found is not None and opened.code == ops.SWITCH and code == ops.END:
            _leave(found, construct.exits, frozenset({"break"}))
        return found

    def _behind_branch(
        self, frame: Activation, end: int, construct: Construct, first: State | None, second: State | None
    ) -> State | None:
        control, run = construct.control, self._run
        assert control is not None
        met = run.met - construct.met
        if construct.first is not None:
            control.in_both = construct.first.in_both = construct.met_first == met > 0
            control = construct.first
        found = _joined((first, second), control.level, once=True)
        is_left = (first is None) is not (second is None) and control.level > Level.GROUP
        jumped = self._jump_of(frame, end, is_first=first is None) if found is not None and is_left else None
        if found is not None and jumped is not None:
            # What is missed from here on by the work-items that left.
            kind, jump = jumped
            branch = control.limits if first is None else control.otherwise
            turns = limits_of_jump(frame.opened, kind, branch)
            gone = run.exit(control, kind, jump, negated=first is not None, limits=turns)
            if gone not in found.exits:
                found.exits = (*found.exits, gone)
        return found

    def _jump_of(self, frame: Activation, end: int, *, is_first: bool) -> tuple[str, Location] | None:
        """The jump that ends one arm of a branch: the last one in it, or else one in a function that it calls."""
        body = frame.body
        begin = body.a[end]
        middle = body.b[begin] if body.b[begin] != ops.NONE else end
        arm = (begin, middle) if is_first else (middle, end)
        position = max((each for each in frame.context.jumps if arm[0] < each < arm[1]), default=None)
        return self._last_jump if position is None else frame.context.jumps[position]

    def _in_loop(
        self, frame: Activation, opened: Opened, construct: Construct, states: Sequence[State | None], *, is_over: bool
    ) -> State | None:
        """The state behind a loop, or that in which all parts of an iteration end."""
        if not is_over:
            found = _joined(states, construct.skipped)
            if found is not None:
                _leave(found, construct.exits, frozenset({"continue"}))
            return found
        self._run.turned[self._way_to(frame, opened.begin)] = construct, opened.head
        level = joined((construct.level, construct.left))
        found = _joined(states, level)
        if found is not None:
            _leave(found, construct.exits, frozenset({"break", "continue"}))
            raised(opened.entry, found, level)
            end_loop(construct, found)
        return found

    # ------------------------------------------------------------------- control

    def holds(self, frame: Activation, position: int) -> bool | None:
        """Whether the condition of a branch holds; of a loop, whether it is one that always does."""
        body = frame.body
        condition = body.a[position]
        if condition == ops.NONE:
            return None
        truth = truth_of(frame.values[condition])
        if body.op[position] == ops.TEST:
            node = body.node[position]
            is_plain = isinstance(node, Loop) and isinstance(node.condition, Number | Name)
            return True if is_plain and truth else None
        return truth

    def begins(self, frame: Activation, opened: Opened, position: int, state: State) -> Construct:
        """What decides over a construct, at its beginning, at that of a round, and at the test of a loop."""
        construct = opened.control
        if construct is None:
            construct = Construct(state.exits)
            construct.met = self._run.met
            if opened.code == ops.LOOP:
                begin_loop(frame, position, construct, state)
                self._resume(frame, position, construct, state)
        code = frame.body.op[position]
        if code == ops.LOOP:
            begin_round(construct, state)
            node = frame.body.node[position]
            construct.control = None
            if isinstance(node, Loop) and node.keyword == "do":
                construct.control = self._loop(frame, opened.begin, construct)
        elif code == ops.TEST:
            self._tested(frame, opened, construct, position, state)
        else:
            construct.control = self._branch(frame, position, state)
        return construct

    def _way_to(self, frame: Activation, begin: int) -> object:
        """A loop, and the calls by which it is reached."""
        callers = self._run.solver.frames[:-1]
        return (frame.body, begin, *[each.position for each in callers])

    def _resume(self, frame: Activation, begin: int, construct: Construct, state: State) -> None:
        """Begin a loop in another round of one around it with what its own rounds have shown in the last.

        Nothing gets lower from round to round, so that it ends with the same, and sooner.
        """
        construct.begun = state.contents[:]
        earlier = self._run.turned.get(self._way_to(frame, begin))
        if earlier is not None:
            before, head = earlier
            construct.resume(before)
            contents = [
                held if found is known else found
                for held, known, found in zip(state.contents, before.begun, head.contents, strict=True)
            ]
            known = merged(state, State(contents, head.written, head.exits), Level.GRID)
            state.contents, state.written, state.exits = known.contents, known.written, known.exits

    def turns(self, opened: Opened) -> Construct | None:
        """What decides over the other arm of a branch."""
        construct = opened.control
        assert construct is not None
        assert construct.control is not None
        construct.first, construct.control = construct.control, construct.control.opposite()
        construct.met_first, construct.met = self._run.met - construct.met, self._run.met
        return construct

    def _branch(self, frame: Activation, position: int, state: State) -> Control:
        body, run = frame.body, self._run
        node, place = body.node[position], body.around_of(position)
        if body.op[position] == ops.VARIANT:
            assert place.outer is not None
            return Control("branch", Level.UNKNOWN, None, place, run.location(node, place))
        condition: Expr | None = None
        match node:
            case If(condition=found) | Switch(condition=found) | Conditional(condition=found):
                condition = found
            case Binary(left=left):
                condition = left
            case _:
                pass
        value_ = body.a[position]
        level = value(frame, value_, state).level
        if isinstance(node, Binary) and node.operator == "||":
            value_ = body.a[value_]
        if body.op[position] == ops.SWITCH and all(body.a[each] == ops.NONE for each in body.labels(position)):
            level = Level.GRID
        if not body.encloses(position, *_MISSED):
            return Control("branch", level, condition, place, run.kernel)
        if level <= Level.GROUP:
            within = in_shared_turns(frame, value_, state) if body.op[position] == ops.IF else None
            control = Control("branch", level, condition, place, run.kernel, within=within)
        else:
            location = run.location(condition if condition is not None else node, place)
            proof = condition is not None and level.diverges and self._proof(frame, value_, state)
            control = Control("branch", level, condition, place, location, proof=proof)
        self._limit(frame, control, value_, state)
        return control

    def _limit(self, frame: Activation, control: Control, condition: int, state: State) -> None:
        """Say in which turns of the loop around each arm of a branch runs."""
        control.limits = limits(frame, condition, state, negated=False)
        control.otherwise = limits(frame, condition, state, negated=True)

    def _tested(self, frame: Activation, opened: Opened, construct: Construct, position: int, state: State) -> None:
        """The test of a loop: what decides over its body, and whether it is left by all at once."""
        body = frame.body
        node, condition = body.node[position], body.a[position]
        level = Level.GRID
        if condition != ops.NONE:
            level = value(frame, condition, state).level
            if level.diverges and body.op[condition] == ops.BINARY:
                sides = value(frame, body.a[condition], state), value(frame, body.b[condition], state)
                if body.name(condition) in COMPARISONS and perhaps_alike(*sides):
                    level = Level.UNKNOWN
            if level > Level.GROUP and same_trips(frame, opened.begin, construct, state):
                level = Level.GROUP
        elif isinstance(node, RangeLoop):
            level = value(frame, body.a[opened.begin], state).level
        construct.tested = max(construct.tested, level)
        construct.level = joined((construct.level, level, construct.left))
        construct.shared_turns = 0
        if level.diverges and construct.left <= Level.GROUP:
            construct.shared_turns = shared_turns(frame, opened.begin, construct, state)
        if not (isinstance(node, Loop) and node.keyword == "do"):
            construct.control = self._loop(frame, opened.begin, construct)

    def _loop(self, frame: Activation, begin: int, construct: Construct) -> Control:
        body = frame.body
        node, place = body.node[begin], body.around_of(begin)
        condition = node.condition if isinstance(node, Loop) else None
        construct.level = joined((construct.level, construct.left))
        if construct.level <= Level.GROUP:
            return Control("loop", construct.level, condition, place, self._run.kernel)
        location = self._run.location(condition if condition is not None else node, place)
        control = Control("loop", construct.level, condition, place, location)
        if construct.tested <= Level.GROUP:
            control.leaving = tuple(construct.leaving.values())
        return control

    def jumps(self, frame: Activation, position: int, target: Opened | None, state: State) -> None:
        """A jump: the work-items for which it is decided leave what is around it."""
        body, run, context = frame.body, self._run, frame.context
        code = body.op[position]
        jump = _JUMPS[code], run.location(body.node[position], body.around_of(position))
        self._last_jump = context.jumps[position] = jump
        level = self._around(frame, target)
        if code == ops.RETURN:
            given = body.a[position]
            context.returned.append(value(frame, given, state) if given != ops.NONE else UNIFORM)
            context.left = max(context.left, level)
        elif target is not None and target.control is not None:
            construct = target.control
            if code == ops.CONTINUE:
                construct.skipped = max(construct.skipped, level)
            else:
                construct.left = max(construct.left, level)
                if level > Level.GROUP:
                    construct.leaving[position] = limits_of_jump(frame.opened, _JUMPS[code])

    def _around(self, frame: Activation, target: Opened | None) -> Level:
        """The level of what decides, inside ``target``, whether a jump runs."""
        level = Level.GRID
        for opened in reversed(frame.opened):
            if opened is target and opened.code != ops.SWITCH:
                break
            if opened.control is not None and opened.control.control is not None:
                level = max(level, opened.control.control.level)
            if opened is target:
                break
        return level

    def _proof(self, frame: Activation, condition: int, state: State) -> Padding | bool:
        """Why a condition surely comes out both ways inside one group, from the numbers of the launch."""
        body, indices = frame.body, self.indices
        if body.op[condition] != ops.BINARY or body.name(condition) not in COMPARISONS:
            return False
        operator = body.name(condition)
        left, right = value(frame, body.a[condition], state), value(frame, body.b[condition], state)
        left = indices.only(left.ids) if left.ids else left
        right = indices.only(right.ids) if right.ids else right
        if left.number is None or right.number is None:
            return False
        operator, first, second = indices.undivided(operator, left.number.value, right.number.value)
        if indices.differs(operator, first, second):
            return True
        if operator in (">=", "<"):
            return indices.overhang(first, second) or False
        return (indices.overhang(second, first) or False) if operator in ("<=", ">") else False


def _key(path: Path) -> object:
    """The key of the memory that a pointer from outside the kernel leads to."""
    key: object = path[0]
    for member in path[1:]:
        key = key, member
    return key


def _joined(states: Sequence[State | None], level: Level, *, once: bool = False) -> State | None:
    found: State | None = None
    for each in states:
        if each is not None and each is not found:
            found = each if found is None else merged(found, each, level, once=once)
    return found


def _leave(state: State, before: tuple[Control, ...], kinds: frozenset[str]) -> None:
    """Who left only a part of a loop or a ``switch`` is back behind it."""
    if state.exits is not before:
        state.exits = tuple(each for each in state.exits if each.kind not in kinds or each in before)
