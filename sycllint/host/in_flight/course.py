"""A function of the host walked as it would run: every way through it, with the commands that are in flight."""

from collections.abc import Container, Iterator, Mapping, Sequence
from functools import partial

from sycllint.cpp.expression import Assign, Brace, Call, Expr, Increment, Index, Name, Number, Unary
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    Arm,
    Block,
    Case,
    Damaged,
    Declaration,
    Evaluate,
    Function,
    If,
    Include,
    Jump,
    Loop,
    RangeLoop,
    Return,
    Statement,
    Switch,
    Try,
    Variable,
    Variants,
)
from sycllint.garbage import dissolve
from sycllint.host.in_flight.acts import Acts
from sycllint.host.in_flight.debugging import asks_for_debugging, compiled_for_debugging
from sycllint.host.in_flight.destructors import Destructors
from sycllint.host.in_flight.state_join import joined
from sycllint.host.in_flight.walking import Result, Statements, Way
from sycllint.host.in_flight.watch import Watch
from sycllint.host.records import QueueInLoop
from sycllint.host.scopes.receivers import gives_copy
from sycllint.host.scopes.scope import FunctionScope
from sycllint.host.scopes.things import WITH_MEMBERS, Freed, Kind, Thing, WalkState
from sycllint.host.written import changed_in, names_in
from sycllint.record import replace
from sycllint.values.certainty import truth
from sycllint.values.objects import Point

_CHANGING = frozenset({Assign, Increment, Index, Unary})
"""Parts of conditions that depend on more than constants."""
_MOVED = (Kind.CONTAINER, Kind.OWNER)
_RETURNED = (*_MOVED, Kind.OBJECT, Kind.OTHER)
"""Variables whose memory, or that of their members, goes to the caller when they are returned."""


class Course(Statements):
    """The walk through one function, and through the functions it calls."""

    def __init__(self, scope: FunctionScope, watch: Watch, acting: Container[int]) -> None:
        """``acting`` are the identities of the unit's functions that submit or wait."""
        self._scope = scope
        self._watch = watch
        self._acting = acting
        self._acts = Acts(scope, watch, self)
        self._destructors = Destructors(scope, self._acts.bodies)
        self._is_called = False
        """The function that the walk began with has visible callers, which are walked by themselves."""
        self._blocks = 0
        self._regions = 0
        self._exits: list[list[WalkState]] = []
        """For each loop or switch around, the ways that leave it."""
        self._continues: list[list[WalkState]] = []
        """For each loop around, the ways among those that go on with its next iteration."""
        self._returns: list[tuple[int, list[WalkState]]] = []
        """For each function around, its block and the ways that leave it."""

    # ------------------------------------------------------------- functions

    def concerns(self, function: Function) -> bool:
        """Whether a function submits or waits, itself or in what it calls."""
        return id(function) in self._acting

    def root(self, function: Function, place: Place) -> None:
        """A function by itself, called with arguments of which nothing is known."""
        scope, body = self._scope, function.body
        if body is None:
            return
        self._is_called = scope.facts.calls(function.name)

        def bind() -> None:
            for parameter in function.parameters:
                scope.state.things[parameter.name] = scope.declarations.parameter(parameter)
            for name, values in function.initializers:
                field = scope.member(name)
                if field is not None:
                    self._acts.owners.made(field.type, values, name)

        self.function(body, place, bind)

    def release(self) -> None:
        """Forget the walk, whose parts know one another."""
        dissolve(self._acts, self._scope, self)

    def function(self, body: Block, place: Place, bind: Way) -> None:
        """A function's body at ``place``; ``bind`` makes its parameters known."""
        scope = self._scope
        outer, scope.place = scope.place, place
        exits, self._exits = self._exits, []
        ended: list[WalkState] = []
        before = scope.state.copy()
        around, block = self._opened()
        self._returns.append((block, ended))
        bind()
        self.statements(body.statements, Place(body, place))
        self._closed(around, block)
        self._returns.pop()
        self._exits = exits
        scope.place = outer
        scope.state = self._met(before, [*ended, scope.state])
        # Nothing comes to the members of its variables any more.
        for key in [each for each in scope.state.outer if type(each) is tuple and _root(each[0]).block >= block]:
            del scope.state.outer[key]

    def _opened(self) -> tuple[int, int]:
        """A new block: the one around it, and itself."""
        around = self._scope.block
        self._blocks += 1
        self._scope.block = self._blocks
        return around, self._blocks

    def _closed(self, around: int, block: int) -> None:
        if not self._scope.state.over:
            self._destructors.ended(block, None)
            self._watch.ended(block)
        self._scope.block = around

    # ------------------------------------------------------------ statements

    def statements(self, statements: Sequence[Statement], place: Place) -> None:
        """Statements of a block or of a macro, in the block that is open."""
        scope = self._scope
        outer = scope.place
        for statement in statements:
            if scope.state.over and not isinstance(statement, Case):
                continue
            scope.place = Place(statement, place)
            self._statement(statement)
        scope.place = outer

    def block(self, block: Block, *, place: Place | None = None) -> None:
        """A block with names of its own."""
        scope = self._scope
        around, number = self._opened()
        names = dict(scope.state.things)
        self.statements(block.statements, Place(block, place if place is not None else scope.place))
        self._closed(around, number)
        self._restored(names, number)

    def _restored(self, names: dict[str, Thing], block: int) -> None:
        """Names are those of the block around again, with the values they have now."""
        things = self._scope.state.things
        for name in [name for name, thing in things.items() if thing.block >= block]:
            del things[name]
        for name in [name for name in names if name not in things]:
            things[name] = names[name]

    def _statement(self, statement: Statement) -> None:
        acts, scope = self._acts, self._scope
        match statement:
            case Evaluate(expression=Name() as name) if scope.is_undeclared(name):
                # A statement that only names something is a macro whose text is not visible.
                self._watch.waited_for_all()
                scope.queues.forget()
            case Evaluate(expression=expression):
                acts.evaluate(expression, alone=True)
            case Declaration(variables=variables):
                for variable in variables:
                    self._declare(variable)
            case Block():
                self.block(statement)
            case If():
                self._if(statement)
            case Loop():
                self._loop(statement)
            case RangeLoop():
                self._range_loop(statement)
            case Switch(condition=condition, body=body):
                if condition is not None:
                    acts.evaluate(condition)
                self._switch(body)
            case Case(body=body):
                self.statements(body.statements, Place(body, scope.place))
            case Return(value=value):
                self._return(value)
            case Jump(keyword=keyword, value=value):
                self._jump(keyword, value)
            case Try(body=body, handlers=handlers):
                freed = scope.state.freed
                self.block(body)
                end = scope.state.copy()
                self.branches([_nothing, *(partial(self._handler, each, freed) for each in handlers)])
                scope.state.over = end.over and scope.state.over
                if not end.over:
                    # What handlers wait for matters only where something was thrown.
                    scope.state.flights = {**scope.state.flights, **end.flights}
            case Variants():
                self._variants(statement)
            case Damaged() | Include():
                self._watch.waited_for_all()
            case _:
                return

    def _handler(self, body: Block, freed: Mapping[Thing, Freed]) -> None:
        """What a handler does: anything before it may have thrown, and not come to free what is freed there."""
        self._scope.state.freed = freed
        self.block(body)

    def _declare(self, variable: Variable) -> None:
        scope = self._scope
        value: Result = None
        kind = scope.kind(variable.type)
        is_copied = kind is Kind.OBJECT or (kind is Kind.OTHER and variable.style == "=")
        for argument in variable.arguments:
            if variable.type.reference:
                found = self._acts.referred(argument)
            else:
                found = self._acts.evaluate(argument, bound=not is_copied)
                if type(found) is Thing and found.kind is Kind.CONTAINER:
                    self._acts.copied(argument, found)
            value = found if len(variable.arguments) == 1 else None
        self._made(variable, scope.declarations.variable(variable, value))
        if scope.queues.exist:
            scope.queues.handed(variable, variable.arguments)
        if scope.state.flights:
            self._acts.made(variable.type, variable.arguments)

    def _made(self, variable: Variable, made: Thing) -> None:
        """A declaration has made ``made``."""
        scope = self._scope
        scope.state.things[variable.name] = made
        how = scope.objects.declared(made, variable) if made.kind in WITH_MEMBERS else None
        if how is not None:
            self._acts.bodies.constructed(made, how, variable)
        if made.kind in (Kind.OWNER, Kind.OTHER) and self._acts.owners.exist:
            self._acts.owners.made(variable.type, variable.arguments, variable.name)
        if made.kind is Kind.HOST_ACCESSOR and variable.arguments:
            self._acts.host_accessor(made, variable.arguments, variable)
        elif made.kind is Kind.ACCESSOR:
            self._acts.accessor(made, variable)
        elif made.kind is Kind.QUEUE and made.own and scope.loops and self._is_the_same_each_time(variable):
            self._watch.note(QueueInLoop(made.name, made.location))
        elif made.kind is Kind.POINTER and variable.type.pointers > 1:
            self._watch.escaped((made,))

    def _is_the_same_each_time(self, variable: Variable) -> bool:
        """Whether a queue has a context of its own, and is made from what the loops around do not change."""
        names = frozenset().union(*(names_in(argument) for argument in variable.arguments))
        if any("context" in each for each in names):
            return False
        for loop in self._scope.place.chain():
            if isinstance(loop, Loop | RangeLoop) and not names.isdisjoint(changed_in(loop)):
                return False
        return True

    def _return(self, value: Expr | None) -> None:
        scope = self._scope
        if isinstance(value, Name) and (named := scope.thing(value)) is not None and named.block:
            self._watch.given_back(named)
        found = self._acts.evaluate(value) if value is not None else None
        kept = found if isinstance(found, Thing) and found.kind is Kind.CONTAINER and not found.block else None
        if value is not None and kept is not None and gives_copy(scope.place):
            self._acts.copied(value, kept)
        self._acts.bodies.returned(found)
        block, ended = self._returns[-1]
        if value is not None:
            self._watch.outlived(self._handed_out(value), block, value)
        leaving = found if isinstance(found, Thing) and found.kind in _RETURNED and isinstance(value, Name) else None
        if (
            leaving is not None
            and leaving.block
            and leaving.kind in _MOVED
            and value is not None
            and len(self._returns) == 1
            and not self._is_called
        ):
            self._watch.handed_out(leaving, value, "the caller")
        self._destructors.ended(block, leaving)
        self._watch.ended(block, leaving)
        ended.append(scope.state.copy())
        scope.state.over = True

    def _handed_out(self, value: Expr) -> Iterator[Thing]:
        """The buffers that the caller gets: by themselves, or as parts of an object that is made of them."""
        scope = self._scope
        match value:
            case Name():
                found = scope.thing(value)
                if found is not None and found.kind is Kind.BUFFER:
                    yield found
            case Brace(type=None, elements=given) | Brace(type=Name(), elements=given):
                for each in given:
                    yield from self._handed_out(each)
            case Call(function=Name(last="move", qualifier="std"), arguments=(inner,)):
                yield from self._handed_out(inner)
            case Call(function=Name() as kind, arguments=given) if scope.receivers.constructed(kind) is not None:
                for each in given:
                    yield from self._handed_out(each)
            case _:
                return

    def _jump(self, keyword: str, value: Expr | None) -> None:
        state = self._scope.state
        if value is not None:
            self._acts.evaluate(value)
        if keyword == "goto":
            self._watch.waited_for_all()
        if keyword == "continue" and self._continues:
            self._continues[-1].append(state.copy())
        if keyword in ("break", "continue") and self._exits:
            self._exits[-1].append(state.copy())
        state.over = True

    # -------------------------------------------------------------- branches

    def _if(self, node: If) -> None:
        if node.initializer is None:
            self._alternatives(node)
            return
        names = dict(self._scope.state.things)
        around, number = self._opened()
        self._statement(node.initializer)
        self._alternatives(node)
        self._scope.block = around
        self._restored(names, number)

    def _alternatives(self, node: If) -> None:
        if node.condition is not None:
            self._acts.condition(node.condition)
        taken = self.truth(node.condition, node.start + 1)
        otherwise = node.otherwise
        if taken is True:
            self.block(node.then)
        elif taken is False:
            if otherwise is not None:
                self.block(otherwise)
        else:
            ways = [lambda: self.block(node.then), (lambda: self.block(otherwise)) if otherwise else _nothing]
            self.chosen(node.condition, ways, asks_for_debugging(node.condition))

    def truth(self, condition: Expr | None, offset: int) -> bool | None:
        """Whether a condition holds, as far as that is known and matters."""
        scope = self._scope
        if condition is None or not scope.state.flights or scope.site is not None:
            return None
        return truth(scope.evaluator, condition, Point(scope.place, offset))

    def chosen(self, condition: Expr | None, ways: Sequence[Way], assumption: str = "") -> None:
        """Ways of which a condition that is not known chooses one; the first is for those who look for errors."""
        configured = condition is not None and self._is_configured(condition)
        self._watch.configured += configured
        self.branches(ways, (assumption, *[""] * (len(ways) - 1)) if assumption else ())
        self._watch.configured -= configured

    def _is_configured(self, condition: Expr) -> bool:
        """Whether a condition has constants from outside the function in it, and nothing else."""
        things = self._scope.state.things
        for each in walk(condition):
            if type(each) in _CHANGING or (type(each) is Name and each.text in things):
                return False
        return True

    def branches(self, ways: Sequence[Way], assumptions: Sequence[str] = ()) -> None:
        """Ways of which one is taken. ``assumptions`` say which are not in the program that is delivered."""
        scope, watch = self._scope, self._watch
        before = scope.state
        ends: list[WalkState] = []
        outer = watch.region
        for way, assumption in zip(ways, assumptions or [""] * len(ways), strict=True):
            scope.state = before.copy()
            self._regions += 1
            watch.region = self._regions
            watch.assumed.append(assumption)
            way()
            watch.assumed.pop()
            ends.append(scope.state)
        watch.region = outer
        scope.state = self._met(before, ends, assumptions)

    def _met(self, before: WalkState, ends: Sequence[WalkState], assumptions: Sequence[str] = ()) -> WalkState:
        return joined(before, ends, self._watch.region, assumptions)

    def _switch(self, body: Block) -> None:
        cases = [each for each in body.statements if isinstance(each, Case)]
        if len(cases) != len(body.statements):
            self.block(body)
            return
        self._exits.append([])
        place = Place(body, self._scope.place)
        ways: list[Way] = [partial(self._case, each, place) for each in cases]
        if all(each.value is not None for each in cases):
            ways.append(_nothing)
        self.branches(ways)
        self._exits.pop()

    def _case(self, case: Case, place: Place) -> None:
        """A case up to its ``break``, which is where the switch goes on."""
        self.block(case.body, place=Place(case, place))
        broken = self._exits[-1]
        if broken:
            self._scope.state = broken.pop()
            broken.clear()

    def _variants(self, node: Variants) -> None:
        """Branches of the preprocessor."""
        scope = self._scope
        ways: list[Way] = []
        assumptions: list[str] = []
        around = scope.place
        complete = False
        for arm in node.arms:
            compiled = scope.evaluator.macros.arm(arm, around)
            assumption = compiled_for_debugging(arm)
            if compiled is False and not assumption:
                continue
            way = partial(self._arm, arm, around)
            if compiled:
                if not ways:
                    way()
                    return
                complete = True
            ways.append(way)
            complete = complete or arm.keyword == "else"
            assumptions.append(assumption)
        if not complete:
            ways.append(_nothing)
            assumptions.append("")
        self.branches(ways, assumptions if any(assumptions) else ())

    def _arm(self, arm: Arm, around: Place) -> None:
        self.statements(arm.body.statements, Place(arm.body, Place(arm, around)))

    # ----------------------------------------------------------------- loops

    def _loop(self, node: Loop) -> None:
        names = dict(self._scope.state.things)
        around, number = self._opened()
        if node.initializer is not None:
            self._statement(node.initializer)

        declared = node.initializer.variables if isinstance(node.initializer, Declaration) else ()

        def once() -> None:
            for each in declared if self._scope.again else ():
                # In another pass a counter has another value.
                self._scope.state.things[each.name] = self._scope.state.things[each.name].again()
            for part in (node.condition,) if node.keyword != "do" else ():
                if part is not None:
                    self._acts.evaluate(part)
            self.block(node.body)
            self._continued()
            for part in (node.update, node.condition if node.keyword == "do" else None):
                if part is not None and not self._scope.state.over:
                    self._acts.evaluate(part)

        if node.keyword == "do" and isinstance(node.condition, Name | Number) and node.condition.text in ("0", "false"):
            self._exits.append([])
            self._continues.append([])
            once()
            self._continues.pop()
            state = self._scope.state
            self._scope.state = self._met(state, [state, *self._exits.pop()])
        else:
            self._repeated(once, at_least_once=node.keyword == "do")
        self._scope.block = around
        self._restored(names, number)

    def _range_loop(self, node: RangeLoop) -> None:
        self._acts.traversed(node.range, node)
        self._acts.evaluate(node.range, bound=True)

        def once() -> None:
            names = dict(self._scope.state.things)
            around, number = self._opened()
            thing = self._scope.declarations.variable(node.variable, None)
            self._scope.state.things[node.variable.name] = thing
            self.block(node.body)
            self._continued()
            self._closed(around, number)
            self._restored(names, number)

        self._repeated(once, at_least_once=False)

    def _repeated(self, once: Way, *, at_least_once: bool) -> None:
        """A loop's body: once, and once more after itself where the first time has left something behind."""
        scope, watch = self._scope, self._watch
        before = scope.state
        scope.state = before.copy()
        scope.loops += 1
        self._exits.append([])
        self._continues.append([])
        again = scope.again
        once()
        ends = [scope.state]
        if not scope.state.over and scope.state.differs(before):
            scope.again = True
            scope.state = scope.state.copy()
            once()
            ends = [scope.state]
        scope.again = again
        ends += self._exits.pop()
        self._continues.pop()
        scope.loops -= 1
        met = self._met(before, ends)
        if at_least_once or met.over:
            scope.state = met if not met.over else replace(met, over=not any(not each.over for each in ends))
            return
        # The way around the loop: what was in flight before may have been waited for inside, and the reverse.
        region = watch.region
        scope.state = self._met(before, [before.copy(), met])
        for command, flight in scope.state.flights.items():
            if flight.region == region and command in met.flights and command not in before.flights:
                scope.state.flights[command] = met.flights[command]
        # Commands of a loop count as submitted, and so does what they keep waiting or leave stale.
        scope.state.blocked, scope.state.stale = met.blocked, met.stale

    def _continued(self) -> None:
        """The end of a loop's body: ways that went on from inside meet here."""
        state = self._scope.state
        for each in self._continues[-1]:
            state.finish([command for command in state.flights if command in each.finished])
            if state.over:
                self._scope.state = state = each.copy()


def _root(part: Thing) -> Thing:
    """The variable that a member, or a member of such, belongs to."""
    *_, root = part.owners()
    return root


def _nothing() -> None:
    """A way on which nothing happens."""
