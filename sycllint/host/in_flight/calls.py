"""What calls do that are followed by their names alone: methods of queues and containers, functions of libraries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sycllint.cpp.expression import Brace, Call, Cast, Conditional, Expr, Index, Lambda, Member, Name, Type, Unary
from sycllint.cpp.node import walk
from sycllint.cpp.statement import FunctionParameter, Variable
from sycllint.host.in_flight.bodies import CalleeWalker
from sycllint.host.in_flight.commands import Commands
from sycllint.host.in_flight.handing import Handing, is_event
from sycllint.host.in_flight.library import Libraries, is_check, is_report
from sycllint.host.in_flight.owners import Owners
from sycllint.host.in_flight.walking import Expressions, Result
from sycllint.host.in_flight.watch import Watch
from sycllint.host.records import Use
from sycllint.host.scopes.kept_events import command_of
from sycllint.host.scopes.receivers import as_method, hidden_queue, is_command, spelled
from sycllint.host.scopes.scope import FunctionScope
from sycllint.host.scopes.things import Command, Kind, Ref, Thing
from sycllint.host.vocabulary import (
    ASYNC_FUNCTIONS,
    CONTAINER_QUIET,
    COPIES,
    ELEMENTS,
    FREE_COMMANDS,
    OPERATIONS,
    ORDERING,
    QUIET,
    QUIET_QUEUE_METHODS,
    RECORDING,
    SUBMITS,
    VALUE_OF_TRY,
)
from sycllint.host.written import names_in
from sycllint.values.side_effects.library import COLLECTORS, KEEPERS
from sycllint.values.types import qualifier_is_sycl

_METHODS_FOLLOWED = (Kind.QUEUE, Kind.EVENT, Kind.EVENTS, Kind.CONTAINER, Kind.OWNER, Kind.POINTER)
"""Members of objects whose methods are known, or are those of what they point to."""
_COPIED = (Kind.OBJECT, Kind.ARRAY, Kind.OTHER)
"""What a lambda copies with all that it holds."""
_PASSING = frozenset({"move", "forward"})
"""Functions of the C++ library that give what they are given."""
_TAKING = frozenset({"swap", "release"})
_KEEPING = frozenset({"push_back", "emplace_back", "insert", "emplace", "push"})
"""Methods of a list of events, which waits for none."""


class CallWalker:
    """Calls of one walk."""

    def __init__(
        self,
        expressions: Expressions,
        bodies: CalleeWalker,
        handing: Handing,
        owners: Owners,
        scope: FunctionScope,
        watch: Watch,
    ) -> None:
        self._acts = expressions
        self._bodies = bodies
        self._handing = handing
        self._owners = owners
        self._scope = scope
        self._commands = Commands(scope)
        self._watch = watch
        self._libraries = Libraries(handing, scope, watch)

    def call(self, call: Call, *, alone: bool) -> Result:
        """What a call does, and the command or thing that it gives."""
        match call.function:
            case Name() as function:
                return self._named(call, function)
            case Member() as function:
                return self._method(call, function, alone=alone)
            case Lambda() as function:
                self._handing.arguments(call.arguments)
                self._bodies.closure(function, self._scope.place, call.arguments)
                return self._bodies.result()
            case Brace() | Call() as function:
                self._acts.evaluate(function)
                return self._object_called(call, function, self._scope.objects.of(function) or self._object(function))
            case _:
                self._acts.inside(call)
                self._watch.waited_for_all()
                return None

    def _object_called(self, call: Call, inner: Expr, this: Thing) -> Result:
        """An object is called, by a visible operator or, as a std::function is, by what is not known.

        That may wait for all that the object was made from.
        """
        body = self._bodies.method(call, inner, "operator()")
        if body is not None:
            walked, result = self._bodies.entered(call, body, this)
            if walked or not self._bodies.concerns(body.node):
                return result
        self._handing.kept(call, self._handing.arguments(call.arguments))
        self._watch.waited_for_all()
        return None

    def _named(self, call: Call, function: Name) -> Result:
        scope, arguments = self._scope, call.arguments
        last = function.last
        if last in RECORDING:
            self._recorded(call, last)
            return None
        if len(arguments) == 2 and type(arguments[1]) in (Name, Unary):
            self._owners.handed(call)
        local = scope.state.things.get(function.text)
        if local is not None and local.closure is not None and local.closure_place is not None:
            self._handing.arguments(arguments)
            self._bodies.called(local, arguments)
            return self._bodies.result()
        candidates = scope.code.declared(call, function, scope)
        is_macro = local is None and function.text in scope.facts.macros
        if local is None and not candidates and not is_macro:
            local = scope.thing(function)
        if local is not None:
            return self._object_called(call, function, local)
        if is_macro:
            return self._bodies.macro(function, call, arguments)
        method = as_method(call, scope) if last in FREE_COMMANDS and not candidates else None
        queue = scope.thing(arguments[0]) if method is not None else None
        if method is not None and isinstance(method.function, Member) and queue is not None:
            return self._queue_method(method, method.function.name, queue, alone=False, what=function.text)
        if last == "free" and (function.qualifier or not candidates):
            self._free(call, function)
            return None
        given = scope.queue_given(call)
        if given is not None:
            self._handing.arguments(arguments)
            return given
        if last in ASYNC_FUNCTIONS and not candidates:
            return self._dpct_command(call, last)
        if last in VALUE_OF_TRY and not candidates:
            self._handing.arguments(arguments)
            return None
        if last in _PASSING and function.qualifier == "std" and len(arguments) == 1:
            self._watch.moved(found for each in arguments if (found := scope.thing(each)) is not None)
            return self._acts.evaluate(arguments[0], bound=True)
        if last in KEEPERS and function.qualifier == "std":
            self._handing.kept(call, [self._acts.referred(each) for each in arguments])
            return None
        if candidates and function.qualifier not in ("std", "::std"):
            return self._bodies.project_function(call, function, candidates)
        if not candidates and scope.declarations.reduced(call) is not None:
            # What it leads to is the launch's that is given the reduction.
            return None
        before = next(reversed(scope.state.flights), None)
        results = self._handing.arguments(arguments)
        first = results[0] if results and "mkl::" in function.text else None
        if isinstance(first, Thing) and first.kind is Kind.QUEUE:
            command = self._commands.of_mkl(call, function, first)
            if command is not None:
                self._watch.submitted(command)
                return command
        if scope.evaluator.endings.never_returns(call, scope.place):
            scope.state.over = True
            return None
        is_around = last.isupper() or next(reversed(scope.state.flights), None) is not before
        may_be_macro = is_around and not function.qualifier and last not in QUIET
        if may_be_macro and (is_check(last, arguments, results) or is_report(last, arguments, scope)):
            # It looks at what is done in its argument, or it is a macro, which may do anything.
            self._watch.doubted(last)
            return None
        if self._owners.exist:
            self._owners.made(Type(function, 0, False, False, (), function.start, function.end), arguments)
        self._libraries.called(call, function, results)
        return None

    def _recorded(self, call: Call, name: str) -> None:
        """A recording begins or ends; at either nothing of what was recorded is in flight."""
        self._handing.arguments(call.arguments)
        self._watch.waited_for_all()
        self._scope.state.recording = RECORDING[name]

    def _dpct_command(self, call: Call, name: str) -> Result:
        """A function of dpct that copies or fills, and returns before that is done."""
        results = self._handing.arguments(call.arguments)
        queues = (each for each in results if isinstance(each, Thing) and each.kind is Kind.QUEUE)
        queue = next(queues, None) or Thing("dpct", Kind.QUEUE, self._scope.location(call))
        command = self._commands.of_function(call, name, queue)
        self._watch.submitted(command)
        return command

    def _taken(self, name: str, results: Iterable[Result]) -> None:
        """``a.swap(b)`` and ``a.release()``: another object owns the memory from here on."""
        if name in _TAKING:
            self._watch.moved(each for each in results if isinstance(each, Thing))

    def _free(self, call: Call, function: Name) -> None:
        """``free`` of SYCL, of C or of a namespace that is not visible."""
        arguments = call.arguments
        qualifier = function.qualifier.removeprefix("::")
        named = bool(qualifier) and qualifier_is_sycl(qualifier, self._scope.facts.namespaces)
        is_sycl = named or (not qualifier and len(arguments) == 2)
        is_c = len(arguments) == 1 and (qualifier in ("", "std"))
        self._handing.arguments(arguments[1:])
        if arguments and (is_sycl or is_c):
            self._handing.freed(arguments[0], call, "sycl::free" if is_sycl else "free")
        elif not (is_sycl or is_c):
            self._watch.waited_for_all()

    # --------------------------------------------------------------- methods

    def _method(self, call: Call, function: Member, *, alone: bool) -> Result:
        name, inner = function.name, function.object
        if name in RECORDING:
            self._recorded(call, name)
            return None
        given = self._scope.queue_given(call)
        if given is not None:
            self._handing.arguments(call.arguments)
            return given
        receiver = self._receiver(inner)
        is_unclear = receiver is None or (isinstance(receiver, Thing) and receiver.kind is Kind.OTHER)
        if is_unclear and name in OPERATIONS and is_command(call, name):
            known = receiver if isinstance(receiver, Thing) else None
            receiver = hidden_queue(inner, known, self._scope) or receiver
        if isinstance(receiver, Thing) and receiver.kind is Kind.QUEUE:
            return self._queue_method(call, name, receiver, alone=alone)
        if isinstance(receiver, Command) or (isinstance(receiver, Thing) and receiver.kind is Kind.EVENT):
            command = receiver if isinstance(receiver, Command) else receiver.command
            self._handing.arguments(call.arguments)
            # Its status is asked for again and again, until it is complete.
            if name not in ("get_info", "get_backend") or _asks_status(function):
                self._watch.waited_for(command, call)
            return None
        body = self._bodies.method(call, inner, name)
        if body is not None:
            walked, result = self._bodies.entered(call, body, receiver or self._object(inner))
            if walked:
                return result
        # What neither submits nor waits is as good as not called, whatever its name.
        may_act = body is None or self._bodies.concerns(body.node)
        if isinstance(receiver, Thing):
            return self._object_method(call, function, receiver, may_act=may_act)
        if not isinstance(inner, Name | Member):
            inner_result = self._acts.evaluate(inner)
            if isinstance(inner_result, Command):
                self._handing.arguments(call.arguments)
                self._watch.waited_for(inner_result, call)
                return None
        results = self._handing.arguments(call.arguments)
        self._opaque_method(call, function, results, may_act=may_act, is_quiet=name in CONTAINER_QUIET)
        return None

    def _opaque_method(
        self, call: Call, function: Member, results: list[Result], *, may_act: bool, is_quiet: bool
    ) -> None:
        """A method of an object of which nothing is known is called."""
        if function.name == "write" and len(results) == 2:
            self._libraries.written_to_stream(call, function.object)
        self._taken(function.name, results)
        self._handing.kept(call, results)
        if may_act:
            is_quiet = is_quiet or self._scope.receivers.is_of_library(function.object)
            self._method_unknown(function, by_name=not is_quiet)

    def _method_unknown(self, function: Member, *, by_name: bool = True) -> None:
        """A method that is not visible was called, or an unknown function that an object holds."""
        watch, receivers, classes = self._watch, self._scope.receivers, self._scope.classes
        if self._scope.state.flights:
            written = receivers.type_of(function.object)
            if isinstance(function.object, Name) and function.object.text == "this":
                self._scope.unsettled_members(None)
            if classes.field(written, function.name) is not None:
                watch.waited_for_all()
            elif by_name and (classes.is_hidden(written, function.name) or receivers.is_opaque(function.object)):
                watch.doubted(function.name, own=False)
        self._handing.unknown(function.name, by_name=by_name)

    def _receiver(self, inner: Expr) -> Result:
        """The thing or command that a method is called on."""
        found = self._scope.thing(inner)
        if found is not None and (found.owner is None or found.kind in _METHODS_FOLLOWED):
            return found
        match inner:
            case Name(text=text):
                argument = self._scope.argument(text)
                if argument is not None:
                    with self._scope.as_written_outside():
                        return self._receiver(argument)
            case Call():
                return self._acts.evaluate(inner)
            case Unary(operator="*", operand=Call() as operand):
                return self._receiver(operand)
            case Index() | Member() | Cast() | Conditional():
                written = self._scope.receivers.type_of(inner)
                if written is not None and self._scope.kind(written) is Kind.QUEUE:
                    return Thing(spelled(inner) or "queue", Kind.QUEUE, self._scope.location(inner))
        return None

    def _object(self, inner: Expr) -> Thing:
        """The object that an expression gives, for its members."""
        known = self._scope.thing(inner)
        if known is not None:
            return known
        written = self._scope.receivers.type_of(inner)
        return Thing(spelled(inner), Kind.OTHER, self._scope.location(inner), written=written)

    def _queue_method(self, call: Call, name: str, queue: Thing, *, alone: bool, what: str = "") -> Result:
        watch = self._watch
        if name in COPIES or name in SUBMITS:
            for argument in call.arguments:
                if not isinstance(argument, Lambda | Name):
                    self._acts.evaluate(argument, bound=True)
            command = self._commands.made(call, name, queue, what or f"{queue.name}.{name}", waitable=alone)
            if command.is_kernel:
                self._given_by_value(call)
            watch.submitted(command)
            if command.is_kernel:
                if self._scope.state.stale:
                    watch.named(command, self._scope.names.of(call))
                watch.escaped(self._handing.named_memory(call))
            return command
        self._handing.arguments(call.arguments)
        if name in ("get", "value"):
            return queue
        if name in ("wait", "wait_and_throw"):
            watch.waited(queue, call)
        elif name in ORDERING:
            watch.fenced(queue, given_events=bool(call.arguments))
        elif name not in QUIET_QUEUE_METHODS:
            watch.waited_for_all()
        return None

    def _given_by_value(self, call: Call) -> None:
        """The host reads what a kernel captures by value when it submits the kernel."""
        things, flights = self._scope.state.things, self._scope.state.flights
        for name in {each.name for command in flights for each in command.uses}:
            thing = things.get(name)
            if thing is None or thing.kind not in _COPIED or not any(_captures(each, name) for each in _kernels(call)):
                continue
            if any(ref.thing.name == name for command in flights for ref in command.writes):
                self._watch.used(Ref(thing), call, Use.READ)

    def _object_method(self, call: Call, function: Member, receiver: Thing, *, may_act: bool) -> Result:
        watch, scope, name = self._watch, self._scope, function.name
        results = self._handing.arguments(call.arguments)
        if receiver.kind is Kind.EVENTS:
            return scope.events.method(function, receiver, call.arguments, [command_of(each) for each in results])
        if name in _KEEPING and receiver.kind is Kind.OTHER and any(map(is_event, results)):
            scope.keep(receiver)
            return None
        match receiver.kind:
            case Kind.CONTAINER | Kind.OWNER:
                self._handing.values_read(call.arguments)
                if name == "reset" and receiver.written is not None:
                    self._owners.made(receiver.written, call.arguments, receiver.name)
                if receiver.written is not None and name in COLLECTORS:
                    self._acts.made(receiver.written, call.arguments)
                if name in ELEMENTS:
                    watch.used(Ref(receiver), call, Use.READ)
                elif name not in CONTAINER_QUIET:
                    watch.used(Ref(receiver), call, Use.WRITTEN)
                    watch.escaped((receiver,))
                    scope.unsettled(receiver)
                    watch.object_ended(receiver)
                    if any(map(scope.mentions_queue, call.arguments)):
                        scope.keep(receiver)
                self._taken(name, (receiver, *results))
                return None
            case Kind.BUFFER:
                watch.settled(receiver)
                if name in ("set_final_data", "set_write_back"):
                    scope.rebind(receiver.name, receiver.again(writes_back=False))
                if name in ("get_access", "get_host_access") and not any(map(scope.mentions_queue, call.arguments)):
                    watch.waited_for_all()
                return None
            case Kind.HANDLER | Kind.HOST_ACCESSOR | Kind.ACCESSOR | Kind.POINTER:
                if receiver.kind is Kind.POINTER:
                    self._handing.kept(call, results)
                    if may_act:
                        self._method_unknown(function)
                return None
        watch.used(Ref(receiver), call, Use.READ)
        scope.unsettled(receiver)
        if receiver.holds_queue:
            watch.waited_for_all()
        elif any(map(scope.mentions_queue, call.arguments)):
            scope.keep(receiver)
        self._opaque_method(call, function, results, may_act=may_act, is_quiet=False)
        return None


def _kernels(call: Call) -> Iterator[Lambda]:
    """The kernel of a call, or those of the command group that it is given."""
    for argument in call.arguments:
        if isinstance(argument, Lambda):
            yield argument
            yield from (each for each in walk(argument.body) if isinstance(each, Lambda))


def _captures(kernel: Lambda, name: str) -> bool:
    """Whether a lambda copies a variable of the function around."""
    named = [each for each in kernel.captures if each.name == name]
    if named:
        return not any(each.by_reference or each.value is not None for each in named)
    if kernel.default != "=":
        return False
    if name not in names_in(kernel.body):
        return False
    return not any(isinstance(each, Variable | FunctionParameter) and each.name == name for each in walk(kernel))


def _asks_status(question: Member) -> bool:
    return any("command_execution_status" in names_in(each) for each in question.arguments or ())
