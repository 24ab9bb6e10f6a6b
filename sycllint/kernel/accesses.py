"""One walk through a kernel that records what it does to shared memory: which element, when, under which conditions.

The walk goes forwards and knows what every variable of a work-item holds as a function of its ids. Functions in sight
are walked where they are called. What cannot be followed is ``None``, and what is done with that is never judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Assign, Call, Expr, Name, Number
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    Alias,
    Block,
    Case,
    Damaged,
    Declaration,
    Enum,
    Evaluate,
    Function,
    If,
    Include,
    Jump,
    Loop,
    Macro,
    Pragma,
    RangeLoop,
    Return,
    Statement,
    Struct,
    Switch,
    Try,
    UsingName,
    UsingNamespace,
    Variable,
    Variants,
)
from sycllint.domains.meaning import Meanings, Role
from sycllint.domains.vocabulary import GROUP_FUNCTIONS, STATIC_LOCAL, may_synchronise
from sycllint.kernel.cases import Choice, breaks, choices, has_default, is_only_default, leaves
from sycllint.kernel.certainty import guessed_names
from sycllint.kernel.device_calls import DeviceCalls
from sycllint.kernel.expressions import ACTING, Expressions
from sycllint.kernel.given import Given
from sycllint.kernel.lifetimes import NOTHING_LIVES, Lifetimes
from sycllint.kernel.loop_variables import LoopVariables
from sycllint.kernel.narrow import FULL, narrowed
from sycllint.kernel.objects import Objects
from sycllint.kernel.queries import Ids, Queries
from sycllint.kernel.terms import TERM, Atom, Kind, varies
from sycllint.kernel.trace import Cycle, Event, Fork, Guard, LoopHead, Memory, Scope, Trace, widest
from sycllint.kernel.walk_state import (
    PLACES,
    VALUES,
    Condition,
    Data,
    Element,
    Exit,
    Names,
    NotFollowedError,
    Object,
    Pointer,
    Slot,
    State,
    Thing,
    Way,
    calculated,
    chosen,
    combined,
    conjunction,
    guards_of,
    lose,
    unless,
    when,
)
from sycllint.source.span import Span
from sycllint.values.arithmetic import IntegerType

if TYPE_CHECKING:
    from sycllint.kernel.analyses import KernelCode

_ASIDE = frozenset({Alias, Enum, Function, Macro, Pragma, Struct, UsingName, UsingNamespace})
"""Statements that do nothing when they are reached."""


def traced(code: KernelCode) -> Trace | None:
    """What ``code`` does to memory; ``None`` when it does something that is not followed."""
    body = code.function.body
    if body is None or code.function.damaged:
        return None
    names = guessed_names(code.evaluator.facts, code.place, Span(body.start, body.end))
    if any(name in GROUP_FUNCTIONS or may_synchronise(name, shouted=False) for name in names):
        return None
    evaluator = code.evaluator
    frame, free, work = evaluator.frame, evaluator.free, evaluator.work
    evaluator.free = {}
    try:
        return Walk(code).trace()
    except (NotFollowedError, RecursionError):
        return None
    finally:
        evaluator.frame, evaluator.free, evaluator.work = frame, free, work


class Walk:
    """Statements of one kernel and of what it calls."""

    def __init__(self, code: KernelCode) -> None:
        self._code = code
        self._evaluator = code.evaluator
        self._queries = Queries(code.geometry)
        self.given = Given(code)
        self._state = State(code.evaluator.facts.file_at(code.place))
        self.expressions = Expressions(code.evaluator, self._state, self.given, self._queries)
        self.expressions.function = code.place
        self._variables = LoopVariables(code.evaluator, self._state, self.expressions)
        self.calls = DeviceCalls(code.evaluator, self._state, self.given, self._queries, self)
        self.expressions.calls = self.calls
        self.objects = Objects(code.evaluator, self._state, self)
        self.expressions.objects = self.objects
        self._lifetimes = Lifetimes(code.evaluator, self._state, self)
        self.returned: list[Thing] = []
        self._counters = 0
        self._following: tuple[Statement, ...] = ()
        """What stands behind the statement that is walked, in its block."""

    def trace(self) -> Trace:
        """Walk the kernel."""
        function = self._code.function
        names: Names = {}
        meanings = Meanings(self._evaluator)
        roles = meanings.parameters(function.parameters, kernel=True)
        for position, parameter in enumerate(function.parameters):
            thing: Thing = None
            role = roles.get(parameter.name)
            kind = self._evaluator.types.kind(parameter.type.name).sycl
            if kind in ("group", "h_item"):
                raise NotFollowedError
            if position == 0 and kind == "id":
                thing = self._queries.ids("global id")
            elif isinstance(role, Role):
                thing = role
            self._state.declare(names, parameter.name, thing)
        if function.body is not None:
            self.block(function.body, names)
        memories = (*self.given.memories.values(), *self.calls.shared.made)
        return Trace(tuple(self._state.events), memories, self._queries.dims or None, tuple(self._state.branches))

    # ------------------------------------------------------------ statements

    def block(self, block: Block, names: Names) -> bool:
        """The statements of ``block``; whether its end can be reached."""
        return self._statements(block, dict(names))

    def _statements(self, block: Block, names: Names) -> bool:
        """The same, in the names' own scope. A way out makes what follows conditional."""
        state = self._state
        before = state.guards
        lifetimes = self._lifetimes
        living, lifetimes.living = lifetimes.living, NOTHING_LIVES
        reached = True
        for position, statement in enumerate(block.statements):
            if type(statement) in _ASIDE:
                continue
            state.step()
            self._following = block.statements[position + 1 :]
            known, depth = len(state.exits), len(state.guards)
            visit = _VISITS.get(type(statement))
            if visit is None:
                raise NotFollowedError
            reached = visit(self, statement, names)
            if not reached:
                break
            for exit_ in state.exits[known:]:
                left = conjunction(exit_.guards[depth:])
                state.under(unless(left))
        state.guards = before
        if lifetimes.living:
            lifetimes.end()
        lifetimes.living = living
        return reached

    def _declaration(self, node: Declaration, names: Names) -> bool:
        for variable in node.variables:
            if variable.type.name.text in self._lifetimes.numbers:
                self.variable(variable, names)
            else:
                self._lifetimes.variable(variable, names)
        return True

    def variable(self, variable: Variable, names: Names) -> None:
        """What a variable holds from its declaration on."""
        kind = variable.type
        arguments = variable.arguments
        expressions = self.expressions
        last = kind.name.last
        if last in STATIC_LOCAL and kind.name.arguments:
            own = self.calls.shared.allocate(variable, kind.name.arguments[0], variable.name, initialised=False)
            names[variable.name] = Element(own.memory, ())
            return
        resolved = self._evaluator.types.kind(kind.name)
        if last == "atomic_ref" or resolved.sycl == "atomic_ref":
            self._state.declare(names, variable.name, self.calls.shared.atomic(arguments, names))
            return
        if resolved.struct is not None and variable.style != "=" and not (kind.pointers or kind.reference):
            made = None if kind.extents else self.objects.made(resolved.struct, arguments, names)
            if made is not None:
                self._state.declare(names, variable.name, made)
                return
        if resolved.sycl in ("id", "range") and arguments:
            thing = expressions.thing(arguments[0], names) if len(arguments) == 1 else None
            if thing is None or len(arguments) > 1:
                thing = Ids(tuple(expressions.term(each, names) for each in arguments))
            self._state.declare(names, variable.name, thing)
            return
        if len(arguments) != 1:
            for each in arguments:
                expressions.discard(each, names)
            self._declare(variable, resolved.integer, None, names)
            return
        only = arguments[0]
        thing = expressions.thing(only, names)
        if kind.reference:
            slot = names.get(only.text) if isinstance(only, Name) else None
            if isinstance(thing, Element):
                names[variable.name] = thing
                return
            if isinstance(slot, Slot):
                names[variable.name] = slot
                return
            if not kind.constant:
                expressions.escapes.kept(only, names)
        self._declare(variable, resolved.integer, self.initial(variable, thing, only), names)

    def _declare(self, variable: Variable, integer: IntegerType | None, thing: Thing, names: Names) -> None:
        """A new variable; by its type it may not change, or not hold every number."""
        self._state.declare(names, variable.name, thing)
        declared = names[variable.name]
        if isinstance(declared, Slot) and not variable.type.pointers:
            declared.fixed = variable.type.constant
            declared.integer = integer if integer is not None and integer.bits < FULL else None

    def _may_convert(self, memory: Memory) -> bool:
        """Whether an element may be an object of a class, which is a pointer only by a conversion function."""
        return not memory.element or bool(self._evaluator.facts.structs.get(memory.element.partition("<")[0]))

    def initial(self, variable: Variable, thing: Thing, written: Expr) -> Thing:
        """What a variable holds once it is made from ``thing``."""
        kind = variable.type
        if isinstance(thing, Object) and isinstance(written, Name) and not kind.pointers:
            return self.objects.copied(thing)
        if isinstance(thing, Element):
            known_kind = self._evaluator.types.kind(kind.name)
            is_number = not kind.pointers and known_kind.is_number
            if not is_number and (not thing.indices or thing.memory.has_row(thing.indices)):
                # A copy of an accessor, or a row of it.
                return Pointer(thing.memory, (*thing.indices, 0), thing.view) if kind.pointers else thing
            if kind.pointers and self._may_convert(thing.memory):
                # What the class's conversion function leads to; it reads no element.
                self.expressions.escapes.thing(thing)
                return None
            return self._state.read(thing, written)
        if isinstance(thing, Pointer):
            if kind.pointers or self._evaluator.types.kind(kind.name).automatic or kind.name.last.endswith("ptr"):
                return thing
            lose(thing)
            return None
        resolved = self._evaluator.types.kind(kind.name)
        if resolved.floating and isinstance(thing, TERM):
            return thing if not varies(thing) else None
        if kind.extents:
            return None
        return thing if kind.pointers else narrowed(thing, resolved.integer)

    def _evaluate(self, node: Evaluate, names: Names) -> bool:
        expression = node.expression
        if type(expression) in ACTING:
            self.calls.statement = expression
            self.expressions.thing(expression, names)
            called = expression.left if isinstance(expression, Assign) else expression
            if isinstance(called, Call) and isinstance(called.function, Name) and called.function.text.isupper():
                self.expressions.refuse_macro(called.function)
        else:
            self.expressions.effect(expression, names)
        return True

    def _inner(self, node: Block, names: Names) -> bool:
        return self.block(node, names)

    def _damaged(self, node: Damaged, names: Names) -> bool:
        raise NotFollowedError

    def _try(self, node: Try, names: Names) -> bool:
        return self.block(node.body, names)

    def _return(self, node: Return, names: Names) -> bool:
        thing = self.expressions.thing(node.value, names) if node.value is not None else None
        if isinstance(thing, Element) and node.value is not None and not self.calls.followed.gives_reference:
            thing = self._state.read(thing, node.value)
        self.returned.append(thing)
        self._state.exits.append(Exit("return", self._state.guards))
        return False

    def _jump(self, node: Jump, names: Names) -> bool:
        if node.keyword not in ("break", "continue"):
            raise NotFollowedError
        self._state.exits.append(Exit(node.keyword, self._state.guards))
        return False

    # ----------------------------------------------------------------- forks

    def _if(self, node: If, names: Names) -> bool:
        inner = dict(names)
        following = self._following
        if node.initializer is not None:
            self._statements(Block((node.initializer,), node.start, node.end), inner)
        condition = self.expressions.condition(node.condition, inner) if node.condition is not None else None
        if isinstance(condition, int):
            taken = node.then if condition else node.otherwise
            return self.block(taken, inner) if taken is not None else True
        others = node.otherwise.statements if node.otherwise is not None else following if leaves(node.then) else ()
        if node.condition is not None:
            self._state.branch(node.condition, condition, (node.then.statements, others), chosen=False)
        then, otherwise = guards_of(condition)
        arms = [(then, node.then), (otherwise, node.otherwise)]
        return self._fork(arms, inner, condition)

    def _fork(
        self, arms: list[tuple[Guard, Block | None]], names: Names, condition: Condition, *, of_switch: bool = False
    ) -> bool:
        """Each arm under its guard from the same start; then what variables hold after the one that was taken.

        A ``break`` at the end of an arm of a ``switch`` leads to what follows it.
        """
        state = self._state
        ends: list[Way] = []
        events: list[tuple[Event, ...]] = []
        reached: list[bool] = []
        for guard, block in arms:
            if block is None:
                ends.append(Way())
                reached.append(True)
                continue
            with state.collecting() as found, state.guarded(guard), state.tried() as way:
                reached.append(self.block(block, names) or (of_switch and breaks(block)))
            ends.append(way)
            events.append(tuple(found))
        if any(events):
            state.events.append(Fork(tuple(events)))
        kept = [end for end, is_reached in zip(ends, reached, strict=True) if is_reached] or ends
        if len(kept) == 1:
            state.go(kept[0])
        else:
            self._join(kept, condition if len(kept) == len(arms) == 2 else None)
        return any(reached)

    def _join(self, ends: list[Way], condition: Condition) -> None:
        """What variables hold after a fork: what they were given on each way, or what they held before it."""
        for slot in ends[0].declared:
            if isinstance(slot.value, PLACES):
                slot.value.memory.aside = True
        for slot in {slot: None for end in ends for slot in end.written}:
            value, *others = [end.written.get(slot, slot.value) for end in ends]
            if any(each is not value and each != value for each in others):
                value = self._either(value, others, condition)
            self._state.put(slot, value)

    def _either(self, value: Thing, others: list[Thing], condition: Condition) -> Thing:
        """One of several values; which one, ``condition`` tells."""
        other = others[0]
        if len(others) == 1 and isinstance(value, VALUES) and isinstance(other, VALUES):
            one = chosen(condition, value, other)
            if one is not None:
                return one
        for each in (value, *others):
            lose(each)
        return None

    def _variants(self, node: Variants, names: Names) -> bool:
        """Branches of the preprocessor; those of which it is not known whether they are compiled exclude each other."""
        place = Place(node, self.expressions.function)
        blocks: list[Block | None] = []
        for arm in node.arms:
            compiled = self._evaluator.macros.arm(arm, place)
            if compiled:
                if not blocks:
                    return self._statements(arm.body, names)
                blocks.append(arm.body)
                break
            if compiled is None:
                blocks.append(arm.body)
        else:
            blocks.append(None)
        if blocks == [None]:
            return True
        declared = {each.name for block in blocks if block is not None for each in _declared(block)}
        for name in declared:
            self._state.declare(names, name, None)
        arms = [(Guard(None, None), each) for each in blocks]
        return self._fork(arms, names, None)

    def _switch(self, node: Switch, names: Names) -> bool:
        value = self.expressions.condition(node.condition, names) if node.condition is not None else None
        found = choices(node)
        if found is None:
            raise NotFollowedError
        if is_only_default(node):
            return self._once(node.body, names)
        if node.condition is not None:
            self._state.branch(node.condition, value, [each.body.statements for each in found], chosen=True)
        arms: list[tuple[Guard, Block | None]] = [(self._chosen(each, value, names), each.body) for each in found]
        if not has_default(node):
            arms.append((Guard(None, None), None))
        exits = len(self._state.exits)
        self._fork(arms, names, None, of_switch=True)
        left = [each.keyword == "break" for each in self._state.exits[exits:]]
        self._state.exits[exits:] = [each for each in self._state.exits[exits:] if each.keyword != "break"]
        if sum(left) > sum(breaks(each.body) for each in found):
            # What was assigned before a break inside a condition is not known to those that come to the end.
            self.expressions.escapes.forgotten(self._evaluator.mutations.of(node.body), names)
        return True

    def _chosen(self, choice: Choice, value: Condition, names: Names) -> Guard:
        """That ``value`` is one of the labels that lead to ``choice``."""
        if choice.is_default:
            return Guard(None, None)
        condition: Condition = 0
        for each in choice.labels:
            condition = combined("||", condition, calculated("==", value, self.expressions.term(each, names)))
        return when(condition)

    def _case(self, node: Case, names: Names) -> bool:
        return self.block(node.body, names)

    # ----------------------------------------------------------------- loops

    def _loop(self, node: Loop, names: Names) -> bool:
        inner = dict(names)
        if node.initializer is not None:
            self._statements_of(node.initializer, inner)
        if node.keyword == "do" and self._is_false(node.condition):
            return self._once(node.body, inner)
        return self._turned(node, inner, lambda head: self._iteration(node, head, inner))

    def _turned(self, node: Loop | RangeLoop, inner: Names, iteration: Callable[[LoopHead], None]) -> bool:
        """A loop of which ``iteration`` reads one turn."""
        state = self._state
        self._counters += 1
        head = LoopHead(Atom(Kind.COUNTER, self._counters))
        changed = self._variables.enter(node, head, inner)
        outer, state.loops = state.loops, (*state.loops, head)
        exits, guards = len(state.exits), state.guards
        with state.collecting() as found:
            iteration(head)
        state.loops, state.guards = outer, guards
        head.synchronises = widest(found)
        head.is_left = any(each.keyword != "continue" for each in state.exits[exits:])
        if found:
            state.events.append(Cycle(head, tuple(found)))
        self._variables.leave(head, exits, changed)
        return True

    def _statements_of(self, statement: Statement, names: Names) -> None:
        visit = _VISITS.get(type(statement))
        if visit is not None:
            visit(self, statement, names)

    def _is_false(self, condition: Expr | None) -> bool:
        return isinstance(condition, Number | Name) and condition.text in ("0", "false")

    def _once(self, body: Block, names: Names) -> bool:
        exits = len(self._state.exits)
        self.block(body, names)
        self._state.exits[exits:] = [each for each in self._state.exits[exits:] if each.keyword == "return"]
        return True

    def _iteration(self, node: Loop, head: LoopHead, names: Names) -> None:
        state = self._state
        if node.keyword == "do":
            state.under(when(None) if node.condition is None else Guard(state.fresh(), None))
        elif node.condition is not None:
            condition = self.expressions.condition(node.condition, names)
            head.condition = None if isinstance(condition, Data) else condition
            if condition != 1:
                state.under(when(condition))
        self.block(node.body, names)
        if node.update is not None:
            self.expressions.effect(node.update, names)
        if node.keyword == "do" and node.condition is not None:
            self.expressions.term(node.condition, names)

    def _range_loop(self, node: RangeLoop, names: Names) -> bool:
        inner = dict(names)
        state = self._state
        self.expressions.discard(node.range, names)
        if node.variable.type.reference and not node.variable.type.constant:
            self.expressions.escapes.kept(node.range, names)

        def iteration(_: LoopHead) -> None:
            state.under(when(None))
            if self.calls.may_iterate(node.range, names):
                state.sync(Scope.WORK_GROUP, node.range, seen=False)
            state.declare(inner, node.variable.name, None)
            self.block(node.body, inner)

        return self._turned(node, inner, iteration)

    def _include(self, node: Include, names: Names) -> bool:
        """The text of a kernel in another file, read in its place."""
        found = self._evaluator.facts.included(node)
        if found is None or found.damaged:
            raise NotFollowedError
        file, self._state.file = self._state.file, found
        reached = self._statements(found.unit, names)
        self._state.file = file
        return reached


def _declared(block: Block) -> Iterator[Variable]:
    for statement in block.statements:
        if isinstance(statement, Declaration):
            yield from statement.variables


_VISITS: dict[type[Node], Callable[..., bool]] = {
    Block: Walk._inner,
    Case: Walk._case,
    Damaged: Walk._damaged,
    Declaration: Walk._declaration,
    Evaluate: Walk._evaluate,
    If: Walk._if,
    Include: Walk._include,
    Jump: Walk._jump,
    Loop: Walk._loop,
    RangeLoop: Walk._range_loop,
    Return: Walk._return,
    Switch: Walk._switch,
    Try: Walk._try,
    Variants: Walk._variants,
}
