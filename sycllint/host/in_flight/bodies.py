"""Calls whose bodies are visible: functions of the project, lambdas and macros, walked where they are used."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import partial

from sycllint.cpp.expression import Call, Expr, Lambda, Member, Name
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, FunctionParameter, Macro, Variable
from sycllint.facts.file import Declared
from sycllint.host.in_flight.handing import Handing
from sycllint.host.in_flight.library import is_check
from sycllint.host.in_flight.walking import Expressions, Result, Statements, Way
from sycllint.host.in_flight.watch import Watch
from sycllint.host.records import Use
from sycllint.host.scopes.scope import FunctionScope
from sycllint.host.scopes.things import Allocator, Command, Found, Kind, Part, Ref, Thing, WalkState
from sycllint.host.vocabulary import OPERATIONS, WAITS
from sycllint.record import NamedTuple, replace
from sycllint.symbols.initialization import Initialization, initialization
from sycllint.values.objects import Frame, Point

MAX_CALLS = 4
"""How deep calls are followed."""
MAX_MEMORY_CALLS = 2
"""How deep calls are followed that are handed memory and no queue."""
MAX_EXPANSIONS = 4

_FOLLOWED = (Kind.QUEUE, Kind.EVENT, Kind.BUFFER, Kind.LAMBDA)
"""What a function is handed that it may submit with, or wait for."""
_BOUND = (*_FOLLOWED, Kind.POINTER)
"""Variables that are known in the function, too, where they are handed by value."""
_ASSIGNED = (Kind.POINTER, Kind.OWNER, Kind.LAMBDA, Kind.QUEUE, Kind.OTHER)
"""Variables that lead elsewhere after an assignment."""


class _Given(NamedTuple):
    """What a parameter gets."""

    parameter: FunctionParameter
    thing: Thing | None = None
    ref: Ref | None = None
    command: Command | None = None
    events: tuple[Command, ...] | None = None
    """Of a list, where they are known."""
    closure: Thing | None = None
    """The parameter that holds a lambda which is written as its argument."""
    object: Thing | None = None
    """What it is a copy of."""

    @property
    def is_bound(self) -> bool:
        """Whether the function works on the variable that is handed to it."""
        return self.thing is not None and (self.parameter.type.reference or self.thing.kind in _BOUND)


class _QuietWalk:
    """The walk of a function that left no record: from the same state, another one would leave none either."""

    def __init__(self, before: WalkState, after: WalkState, found: Found, unsettling: Sequence[Way]) -> None:
        """``found`` are the variables that were named there for the first time."""
        self._start = before
        self._unsettling = unsettling
        self._found = known = dict(found)
        self._changed = [
            key
            for key in before.outer.keys() | known.keys() | after.outer.keys()
            if after.outer.get(key) is not before.outer.get(key, known.get(key))
        ]
        left = [(key, after.outer[key]) for key in self._changed if key in after.outer]
        self._leads_back = (
            not (before.flights or before.stale or after.over)
            and before.same_in_flight(after)
            and all(_is_empty(*each) for each in left)
        )
        self._written, self._moved = after.written - before.written, after.moved - before.moved
        self._finished = max(after.finished - before.finished, key=lambda each: len(each.chain), default=None)

    def is_start(self, state: WalkState) -> bool:
        """Whether the same walk would begin in ``state``; what was written before only makes it quieter.

        A variable that leads nowhere is the same to it whether it was named before or not.
        """
        start = self._start
        if not (self._leads_back and start.same_in_flight(state) and start.written <= state.written):
            return False
        old, new = start.outer, state.outer
        return all(new[key] is each if key in new else _is_empty(key, each) for key, each in old.items()) and all(
            _is_empty(key, each) or self._found.get(key) is each or _is_only_named(key, each)
            for key, each in new.items()
            if key not in old
        )

    def go_through(self, scope: FunctionScope) -> None:
        """What the walk leaves behind: memory is written or moved, and commands were waited for."""
        state = scope.state
        for key in self._changed:
            state.outer.pop(key, None)
        for each in self._unsettling:
            each()
        state.written |= self._written
        state.moved |= self._moved
        if self._finished is not None:
            state.finished |= {replace(self._finished)}


def _is_empty(key: str | Part, each: Thing) -> bool:
    """Whether a variable that no block declares is as good as one that has not been named."""
    if isinstance(key, tuple) and key[0].kind is Kind.EVENTS:
        return False
    return not (each.leads or each.holds_queue or each.kind is Kind.EVENT)


def _is_only_named(key: str | Part, each: Thing) -> bool:
    """Whether an event or a queue is one of which no more is known than by its name: it makes a walk only quieter."""
    is_itself = isinstance(key, str) or (each.owner is key[0] and not each.own and key[0].kind is not Kind.EVENTS)
    return is_itself and each.command is None and each.kind in (Kind.QUEUE, Kind.EVENT)


class CalleeWalker:
    """Functions, lambdas and macros of one walk."""

    def __init__(
        self, expressions: Expressions, statements: Statements, handing: Handing, scope: FunctionScope, watch: Watch
    ) -> None:
        self._acts = expressions
        self._course = statements
        self._handing = handing
        self._scope = scope
        self._watch = watch
        self._running: list[Node] = []
        """Functions, lambdas and macros being walked, outermost first."""
        self._results: list[Result] = []
        self._quiet: dict[tuple[object, ...], _QuietWalk] = {}
        """Walks of functions that showed nothing, by what they depended on."""

    def returned(self, value: Result) -> None:
        """The function being walked returns ``value``."""
        self._results.append(value)

    def result(self) -> Result:
        """What the walked function returned, when that is one thing."""
        results, self._results = self._results, []
        commands = [each for each in results if isinstance(each, Command)]
        return commands[0] if len(commands) == len(results) == 1 else None

    def project_function(self, call: Call, function: Name, candidates: tuple[Declared[Function], ...]) -> Result:
        """A function of the project is called."""
        results = self._arguments(call.arguments, [each.node for each in candidates])
        scope = self._scope
        fitting = scope.code.meant(call, function, scope)
        is_open = len(fitting) != 1 or scope.classes.is_virtual(fitting[0])
        if is_open or len(self._running) >= MAX_CALLS or fitting[0].node in self._running:
            if any(scope.classes.is_around(each, scope.place) for each in candidates):
                self._scope.unsettled_members(None)
            self._handing.kept(call, results)
            self._handing.unknown(function.last, by_name=True)
            return None
        declared = fitting[0]
        for argument, result, parameter in zip(call.arguments, results, declared.node.parameters, strict=False):
            if not parameter.type.reference:
                self._handing.values_read((argument,))
                if isinstance(result, Thing) and result.kind is self._scope.kind(parameter.type) is Kind.CONTAINER:
                    self._acts.copied(argument, result)
        self._touches_device(declared.node, call.arguments)
        own = scope.classes.is_around(declared, scope.place)
        if not self._matters(declared.node, call.arguments, results, own=own):
            if own:
                self._scope.unsettled_members(declared.node.body)
            self._handing.kept_memory(call.arguments, declared.node)
            return None
        return self._walked(declared, call, results, self._scope.this if own else None)

    def _touches_device(self, function: Function, arguments: tuple[Expr, ...]) -> None:
        """Memory of the device is handed to a function that reads or writes through its parameter."""
        for argument, parameter in zip(arguments, function.parameters, strict=False):
            ref = self._scope.memory(argument)
            if ref is None or ref.thing.origin is not Allocator.DEVICE:
                continue
            if parameter.name in self._scope.code.touched(function):
                self._watch.used(ref, argument, Use.READ)

    def _arguments(self, arguments: tuple[Expr, ...], functions: list[Function]) -> list[Result]:
        """What is handed to one of several functions; to what takes a reference, nothing of an element is read."""
        taken = [number for each in functions for number, kind in enumerate(each.parameters) if kind.type.reference]
        return [
            self._acts.referred(argument) if position in taken else self._acts.evaluate(argument, bound=True)
            for position, argument in enumerate(arguments)
        ]

    def method(self, call: Call, inner: Expr, name: str) -> Declared[Function] | None:
        """The one body of a method that is called on ``inner``; ``None`` unless it is worth walking."""
        scope = self._scope
        if len(self._running) >= MAX_MEMORY_CALLS:
            return None
        found = scope.receivers.method(inner, call, name)
        return found if found is not None and found.node not in self._running else None

    def concerns(self, function: Function) -> bool:
        """Whether a function whose body is visible submits or waits."""
        return self._course.concerns(function)

    def entered(self, call: Call, declared: Declared[Function], this: Thing) -> tuple[bool, Result]:
        """A method of ``this`` is called: whether it was walked, and what it returns."""
        results = self._handing.arguments(call.arguments)
        memory = this.memory
        touched = any(command.touches(memory) for command in self._scope.state.flights)
        if not touched and not self._matters(declared.node, call.arguments, results, own=True):
            return False, None
        return True, self._walked(declared, call, results, memory)

    def constructed(self, this: Thing, how: Initialization, node: Variable | Function) -> None:
        """An object is made by a constructor, where that submits, waits or has to do with queues."""
        constructor, symbols = how.constructor, self._scope.evaluator.symbols
        if constructor is None or len(self._running) >= MAX_MEMORY_CALLS or constructor.node in self._running:
            return
        struct = symbols.class_defining(constructor)
        if struct is None or constructor.node.damaged:
            return
        kinds = {self._scope.kind(each.type) for each in struct.node.variables}
        if (
            not kinds.isdisjoint((Kind.QUEUE, Kind.HOST_ACCESSOR))
            or struct.node.bases
            or self._course.concerns(constructor.node)
        ):
            self._walked(constructor, _call_of(this, node, tuple(how.arguments)), [], this)

    def _initialised(self, constructor: Declared[Function], this: Thing) -> None:
        """A constructor gives bases and members their values."""
        scope, symbols = self._scope, self._scope.evaluator.symbols
        struct = symbols.class_defining(constructor)
        if struct is None:
            return
        written = dict(constructor.node.initializers)
        known = {each.last: scope.evaluator.types.kind(each, struct.place).struct for each in struct.node.bases}
        for name, made in {**known, struct.node.name: struct}.items():
            how = initialization(symbols, made, written[name]) if made is not None and name in written else None
            if how is not None:
                self.constructed(this, how, constructor.node)
        if struct.node.name in written:
            # Another constructor has made it.
            return
        for field in struct.node.variables:
            values = written.get(field.name, field.arguments)
            for each in values:
                self._acts.evaluate(each, bound=True)
            if scope.kind(field.type) is Kind.HOST_ACCESSOR and values and this.kind is Kind.OBJECT:
                self._acts.host_accessor(scope.objects.lock(this, field), values, field)
            else:
                scope.objects.initialised(this, struct, field, values)

    def destroyed(self, destructor: Declared[Function], thing: Thing) -> None:
        """An object ends by its destructor, unless too many calls are around."""
        if len(self._running) < MAX_MEMORY_CALLS and destructor.node not in self._running:
            self._walked(destructor, _call_of(thing, None), [], thing)

    def _matters(
        self, function: Function, arguments: tuple[Expr, ...], results: list[Result], *, own: bool = False
    ) -> bool:
        """Whether walking a function can show anything: it works on what it is handed, or that is in flight.

        ``own`` when it is a method of an object that is known.
        """
        state = self._scope.state
        concerned = self._course.concerns(function) or any(map(self._submits, arguments))
        if not concerned and not state.flights and not state.stale:
            return False
        if own and len(self._running) < MAX_MEMORY_CALLS and (concerned or self._has_members_in_flight()):
            return True
        if concerned and state.flights and len(self._running) < MAX_MEMORY_CALLS:
            # It may wait for a queue that it has from elsewhere.
            return True
        if concerned and any(isinstance(each, Command) for each in results):
            return True
        for argument in arguments:
            if concerned and isinstance(argument, Lambda):
                return True
            thing, ref = self._scope.thing(argument), self._scope.memory(argument)
            if concerned and thing is not None and (thing.kind in _FOLLOWED or self._scope.has_queue(thing)):
                return True
            if concerned and ref is not None and len(self._running) < MAX_MEMORY_CALLS:
                return True
            memory = ref.thing if ref is not None else thing
            if memory is not None and (
                any(command.touches(memory) for command in state.flights)
                or (state.stale and self._watch.is_stale(memory))
            ):
                return True
        if concerned:
            self._watch.waited_elsewhere()
        return False

    def _submits(self, argument: Expr) -> bool:
        """Whether an argument is a lambda that submits: so does who calls it."""
        found = self._scope.thing(argument) if isinstance(argument, Name) else None
        function = found.closure if found is not None else argument
        return isinstance(function, Lambda) and not OPERATIONS.isdisjoint(self._scope.names.of(function))

    def _has_members_in_flight(self) -> bool:
        """Whether a command uses what no block declares."""
        flights = (each for each in self._scope.state.flights if not all(thing.block for thing in each.uses))
        return any(not ref.thing.block for command in flights for ref in (*command.writes, *command.reads))

    def _walked(self, declared: Declared[Function], call: Call, results: list[Result], this: Thing | None) -> Result:
        """A function's body; ``this`` is the object whose method it is."""
        scope, function = self._scope, declared.node
        given = self._given(function, call.arguments, results)
        key = self._key(function, given, [*call.arguments, *results], this)
        quiet = self._quiet.get(key) if key is not None else None
        if quiet is not None and quiet.is_start(scope.state):
            quiet.go_through(scope)
            result: Result = None
        else:
            before, seen = scope.state.copy(), self._seen()
            found, unsettling = len(scope.found), len(scope.unsettling)
            result = self._entered(declared, call, given, this)
            is_same = seen == self._seen() and result is None
            if key is not None and is_same and key[-1] == self._flags():
                named = [(at, each) for at, each in scope.found[found:] if not self._is_inside(at)]
                self._quiet[key] = _QuietWalk(before, scope.state.copy(), named, scope.unsettling[unsettling:])
        for each in given:
            kind = each.parameter.type
            # Of a pointer it is the memory that is constant.
            if each.thing is not None and kind.reference and (kind.pointers or not kind.constant):
                self._changed(each.thing, function, each.parameter)
        return result

    def _key(
        self, function: Function, given: list[_Given], handed: Iterable[Expr | Result], this: Thing | None
    ) -> tuple[object, ...] | None:
        """What a walk of a function depends on, apart from the state; ``None`` where nothing like it can come again."""
        if any(
            isinstance(each, Lambda | Command) or (isinstance(each, Thing) and each.closure is not None)
            for each in handed
        ):
            return None
        bound = [(each.thing if each.is_bound else None, each.ref, each.events, each.object) for each in given]
        return function, this, *self._running, *bound, frozenset(self._watch.assumed) - {""}, self._flags()

    def _seen(self) -> tuple[object, ...]:
        """What a walk that shows nothing leaves as it is."""
        return len(self._watch.records), self._scope.extents.asked, self._scope.queues.known()

    def _is_inside(self, key: str | Part) -> bool:
        """Whether a member is one of a variable of the function that has been walked."""
        return isinstance(key, tuple) and [*key[0].owners()][-1].block > self._scope.block

    def _flags(self) -> tuple[bool, ...]:
        scope = self._scope
        return scope.again, scope.queues.exist, scope.kinds.lists_events

    def _entered(self, declared: Declared[Function], call: Call, given: list[_Given], this: Thing | None) -> Result:
        """A function's body, with its parameters bound to what is ``given``."""
        scope, function = self._scope, declared.node
        body = function.body
        assert body is not None
        chain, site = scope.chain, scope.site
        outer, scope.this = scope.this, this
        names = scope.state.things
        scope.loops_around.append(scope.loops)
        scope.loops = 0
        where = scope.location(call)
        scope.callers.append((names, outer, scope.frame))
        if not chain:
            self._watch.entry = self._watch.region

        def bind() -> None:
            scope.state.things = {}
            self._bind(function, given)
            if this is not None and scope.evaluator.symbols.is_constructor(declared):
                self._initialised(declared, this)

        finished = scope.state.finished
        self._running.append(function)
        saved, self._results = self._results, []
        scope.chain, scope.site = (*chain, where), None
        # In the body of a function no macro around its call is known.
        arguments, scope.arguments = scope.arguments, []
        frame, scope.frame = scope.frame, scope.frame_of(function, call.arguments, call)
        self._course.function(body, declared.place, bind)
        scope.frame = frame
        scope.arguments = arguments
        scope.chain, scope.site = chain, site
        scope.this = outer
        scope.loops = scope.loops_around.pop()
        scope.state.things = names
        scope.callers.pop()
        self._running.pop()
        self._forget_unlike(finished, len(chain) + 1)
        result = self.result()
        self._results = saved
        return result

    def _forget_unlike(self, before: frozenset[Command], depth: int) -> None:
        """A function that waits on one of its paths does so on purpose: its callers choose the path."""
        state = self._scope.state
        if not any(len(each.chain) >= depth for each in state.finished - before):
            return
        ways = [each for each, flight in state.flights.items() if flight.region is not None]
        state.finish([each for each in ways if len(each.chain) >= depth])

    def _changed(self, thing: Thing, function: Function, parameter: FunctionParameter) -> None:
        """A function may have set what it was given by reference."""
        if thing.kind not in (Kind.POINTER, Kind.EVENT, Kind.LAMBDA):
            return
        names = self._scope.names
        is_passed_on = parameter.type.pointers and parameter.name in names.passed_on(function)
        if is_passed_on or parameter.name in names.assigned(function):
            self._scope.rebind(thing.name, thing.with_unknown_value())

    def called(self, held: Thing, arguments: tuple[Expr, ...]) -> None:
        """A variable that holds a lambda, which may be that of a caller, is called."""
        assert held.closure is not None
        assert held.closure_place is not None
        given, frame = self._given(held.closure, arguments), self._scope.frame_of(held.closure, arguments)
        with self._scope.where_made(held):
            self._run(held.closure, held.closure_place, given, frame)

    def closure(self, function: Lambda, place: Place, arguments: tuple[Expr, ...]) -> None:
        """A lambda of this function is called: its body has the names around it."""
        self._run(function, place, self._given(function, arguments), self._scope.frame_of(function, arguments))

    def by_itself(self, function: Lambda) -> None:
        """A lambda that submits is made: whenever it is called, what it submits and uses itself is the same."""
        scope = self._scope
        if function.damaged or scope.site is not None or not self._is_task(function):
            return
        outer = scope.state
        scope.state = outer.copy()
        scope.state.flights, scope.state.locks, scope.state.blocked, scope.state.stale = {}, (), (), ()
        self._forget_assigned()
        results, self._results = self._results, []
        self._run(function, scope.place, [_Given(each) for each in function.parameters], scope.frame)
        self._results = results
        scope.state = outer

    def _is_task(self, function: Lambda) -> bool:
        """Whether a lambda submits, and is neither a command group nor a kernel."""
        if not self._submits(function):
            return False
        kinds = {each.name: self._scope.kind(each.type) for each in function.parameters}
        given = [name for name, kind in kinds.items() if kind is Kind.QUEUE]
        if Kind.HANDLER in kinds.values():
            return False
        return any(self._is_command(each, given) for each in self._scope.names.calls(function))

    def _is_command(self, call: Call, given: Collection[str]) -> bool:
        """Whether a call is one of a method of a queue; ``given`` are those that the lambda is handed."""
        function = call.function
        if not isinstance(function, Member) or function.name not in OPERATIONS:
            return False
        receiver = function.object
        if isinstance(receiver, Name) and receiver.text in given:
            return True
        found = self._scope.thing(receiver)
        return found is not None and found.kind is Kind.QUEUE

    def _forget_assigned(self) -> None:
        """Variables that are assigned in the function around may have other values when a lambda is called."""
        scope = self._scope
        around = scope.place.innermost(Function)
        assigned = scope.names.assigned(around) if around is not None else frozenset()
        for name, thing in scope.state.things.items():
            if thing.kind is Kind.EVENT or (thing.kind in _ASSIGNED and name in assigned):
                scope.state.things[name] = thing.with_unknown_value()

    def _given(
        self, function: Function | Lambda, arguments: Sequence[Expr], results: Sequence[Result] = ()
    ) -> list[_Given]:
        """What the parameters of a function get, by what its arguments are here."""
        scope, given = self._scope, list[_Given]()
        for number, parameter in enumerate(function.parameters):
            argument = arguments[number] if number < len(arguments) else parameter.default
            if argument is None:
                continue
            result = results[number] if number < len(results) else None
            command = result if isinstance(result, Command) else None
            is_list = scope.kind(parameter.type) is Kind.EVENTS
            events = scope.events.given((argument,)) if is_list else None
            if number >= len(arguments):
                given.append(_Given(parameter, events=events))
            elif isinstance(argument, Lambda):
                closure = scope.declarations.holding(scope.declarations.parameter(parameter), argument)
                given.append(_Given(parameter, closure=closure))
            else:
                ref, thing = scope.memory.given(argument, parameter.type), scope.thing(argument)
                is_copy = thing is None or not parameter.type.reference
                source = scope.objects.of(argument) if is_copy and ref is None else None
                given.append(_Given(parameter, thing, ref, command, events, object=source))
        return given

    def _bind(self, function: Function | Lambda, given: list[_Given]) -> None:
        """The parameters of the function that is entered stand for what they get."""
        scope = self._scope
        for parameter in function.parameters:
            scope.state.things[parameter.name] = scope.declarations.parameter(parameter)
        for each in given:
            made = scope.state.things[each.parameter.name]
            if each.events is not None and not (each.thing is not None and each.parameter.type.reference):
                scope.events.has(made, each.events)
            if each.object is not None:
                made = scope.objects.handed(each.object, made)
            scope.state.things[each.parameter.name] = each.closure or _handed(each, made)

    def _run(self, function: Lambda, place: Place, given: list[_Given], frame: Frame | None) -> None:
        scope = self._scope
        if len(self._running) >= MAX_CALLS or function in self._running or function.damaged:
            self._watch.waited_for_all()
            return
        names = dict(scope.state.things)
        block = scope.block

        self._running.append(function)
        self._results = []
        outer, scope.frame = scope.frame, frame
        self._course.function(function.body, place, partial(self._bind, function, given))
        scope.frame = outer
        self._running.pop()
        things = scope.state.things
        for name, thing in list(things.items()):
            if thing.block > block or name not in names:
                things.pop(name)
        for name, thing in names.items():
            things.setdefault(name, thing)

    # ---------------------------------------------------------------- macros

    def macro(self, name: Name, use: Expr, arguments: tuple[Expr, ...]) -> Result:
        """The use of a macro: what its text does in this place."""
        scope = self._scope
        macro = scope.evaluator.macros.macro(name, Point(scope.place, use.start))
        if (
            macro is None
            or macro in self._running
            or sum(isinstance(each, Macro) for each in self._running) > MAX_EXPANSIONS
        ):
            results = self._handing.arguments(arguments)
            if macro is None and not self._may_wait(name) and is_check(name.last, arguments, results):
                self._watch.doubted(name.last)
            else:
                self._watch.waited_for_all()
            return None
        if macro.value is None and macro.body is None:
            self._opaque_macro(macro, arguments)
            return None
        if macro.parameters is None and arguments:
            # ``CALL(x)`` where CALL is another name for a function.
            self._handing.arguments(arguments)
            self._handing.unknown(macro.text, by_name=True)
            return None
        if not macro.fits(arguments):
            self._opaque_macro(macro, arguments)
            return None
        outer = scope.place
        self._running.append(macro)
        result: Result = None
        with scope.expanding(use, dict(macro.handed(arguments))):
            scope.place = Place(macro, Place(use, outer))
            if macro.value is not None:
                result = self._acts.evaluate(macro.value)
            elif macro.body is not None:
                self._course.statements(macro.body.statements, Place(macro.body, scope.place))
        self._running.pop()
        scope.place = outer
        return result

    def _may_wait(self, name: Name) -> bool:
        """Whether the text of a macro, in one of its definitions, contains a word for waiting."""
        return any(WAITS.search(each.node.text) for each in self._scope.facts.macros.get(name.text))

    def _opaque_macro(self, macro: Macro, arguments: tuple[Expr, ...]) -> None:
        """A macro whose text is not followed."""
        results = self._handing.arguments(arguments)
        if any(isinstance(each, Command) for each in results) or WAITS.search(macro.text):
            self._watch.waited_for_all()
        elif macro.text:
            self._watch.waited_elsewhere()


def _handed(given: _Given, made: Thing) -> Thing:
    """A parameter that gets an argument."""
    thing, ref, kind = given.thing, given.ref, given.parameter.type
    if given.command is not None and made.kind is Kind.EVENT:
        return made.again(command=given.command)
    if thing is not None and thing.kind in (Kind.QUEUE, Kind.EVENT, Kind.LAMBDA, Kind.BUFFER):
        return thing
    if ref is not None and (made.kind is Kind.POINTER or (kind.reference and thing is None)):
        return made.again(target=ref)
    if made.kind is Kind.OTHER and thing is not None and thing.kind is Kind.POINTER:
        return thing
    if kind.reference and thing is not None:
        return thing
    return made


def _call_of(thing: Thing, node: Variable | Function | None, arguments: tuple[Expr, ...] = ()) -> Call:
    """The call of a constructor at ``node``, or of a destructor, which stands nowhere."""
    start, end = thing.location.span if node is None else (node.start, node.end)
    return Call(Name(thing.type_name, None, None, start, end), arguments, start, end)
