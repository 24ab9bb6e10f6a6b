"""What expressions of host code do: submit, wait, read and write memory, call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Increment,
    Index,
    Lambda,
    Member,
    Name,
    Opaque,
    SizeOf,
    Unary,
)
from sycllint.cpp.node import Node, children, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, Include, Macro, Parameter, Variable
from sycllint.facts.file import Declared
from sycllint.host.commands import Commands
from sycllint.host.records import PlaceholderOnHost, Use
from sycllint.host.scope import Scope, settled
from sycllint.host.things import Command, Kind, Lock, Ref, Thing
from sycllint.host.touches import Touches, names_in
from sycllint.host.vocabulary import (
    ALGORITHMS,
    ALLOCATORS,
    C_READERS,
    C_WRITERS,
    CONTAINER_QUIET,
    COPIES,
    DPCT_QUEUES,
    DPCT_QUIET,
    ELEMENTS,
    FILLERS,
    HARMLESS,
    ORDERING,
    QUIET_QUEUE_METHODS,
    SUBMITS,
    TEST_MACROS,
    WAITS,
)
from sycllint.host.watch import Watch
from sycllint.values.bindings import accepts
from sycllint.values.library import BY_VALUE, ENDS, READERS, TRANSIENT
from sycllint.values.objects import Point

if TYPE_CHECKING:
    from sycllint.host.course import Course

MAX_CALLS = 4
"""How deep calls are followed."""
MAX_STEPS = 10_000
"""Expressions looked at in one function and what it calls; more ends the walk."""
MAX_MEMORY_CALLS = 2
"""How deep calls are followed that are handed memory and no queue."""
MAX_EXPANSIONS = 4

Result = Thing | Command | None
_QUIET = BY_VALUE | READERS | TRANSIENT
_OUTGOING = frozenset({"swap", "tie", "exchange", "move", "forward", "ref", "thread", "getline"})
"""Functions of the C++ library that take variables by reference without reading them."""
_FOLLOWED = frozenset({Kind.QUEUE, Kind.EVENT, Kind.BUFFER, Kind.LAMBDA})
"""What a function is handed that it may submit with, or wait for."""
_READ_ONLY = frozenset({"read_only", "read"})


class Acts:
    """Expressions of one walk."""

    def __init__(self, scope: Scope, touches: Touches, watch: Watch, course: Course) -> None:
        self._scope = scope
        self._watch = watch
        self._course = course
        self._commands = Commands(scope, touches)
        self._running: list[Node] = []
        """Functions, lambdas and macros being walked, outermost first."""
        self._results: list[Result] = []
        self.steps = 0

    # ------------------------------------------------------------ expression

    def evaluate(self, expression: Expr, *, alone: bool = False, bound: bool = False) -> Result:
        """What ``expression`` does. ``alone`` when it is a statement; ``bound`` when only a reference is made to it."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            self._watch.waited_for_all()
            self._scope.state.over = True
            return None
        match expression:
            case Name():
                return self._name(expression, bound=bound)
            case Index(object=inner, indices=indices):
                for index in indices:
                    self.evaluate(index)
                self._element(inner, expression, Use.READ)
            case Unary(operator="*", operand=operand):
                return self._dereference(operand, expression)
            case Unary(operator="&", operand=operand):
                return self._address(operand)
            case Member(object=inner):
                self._member(inner, expression)
            case Assign():
                self._assign(expression)
            case Increment(operand=operand):
                self._store(operand, expression, None)
            case Call():
                return self._call(expression, alone=alone)
            case Conditional(condition=condition, then=then, otherwise=otherwise):
                self.evaluate(condition)
                self._either(condition, then, otherwise)
            case Binary(operator="&&" | "||" | "and" | "or" as operator, left=left, right=right):
                self.evaluate(left)
                is_and = operator in ("&&", "and")
                self._either(left, right if is_and else None, None if is_and else right)
            case Cast(type=kind, operand=operand):
                is_discarded = kind.name.last == "void" and not kind.pointers
                return self.evaluate(operand, bound=bound or is_discarded or bool(kind.pointers))
            case Lambda():
                self._watch.escaped(self._named_memory(expression))
            case SizeOf():
                return None
            case Opaque(kind="delete_expression", parts=parts):
                for part in parts:
                    self._freed(part, expression, "delete")
            case Opaque(kind=kind) if "await" in kind or "asm" in kind:
                self._watch.waited_for_all()
            case _:
                return self._inside(expression)
        return None

    def _inside(self, node: Node) -> Result:
        found: Result = None
        parts = children(node)
        for child in parts:
            found = self.evaluate(child)  # type: ignore[arg-type]
        return found if len(parts) == 1 else None

    def _either(self, condition: Expr, then: Expr | None, otherwise: Expr | None) -> None:
        """Expressions of which the condition, already evaluated, chooses one."""
        taken = self._course.truth(condition, condition.start)
        ways = [each for each, when in ((then, True), (otherwise, False)) if taken is None or taken is when]
        self._course.branches([lambda each=each: self._way(each) for each in ways])  # type: ignore[misc]

    def _way(self, expression: Expr | None) -> None:
        if expression is not None:
            self.evaluate(expression)

    def _name(self, name: Name, *, bound: bool) -> Result:
        scope = self._scope
        argument = scope.argument(name.text)
        if argument is not None:
            with scope.as_written_outside():
                return self.evaluate(argument, bound=bound)
        if name.text in scope.facts.macros and name.text not in scope.state.things:
            return self._macro(name, name, ())
        found = scope.thing(name)
        if found is not None and found.kind is Kind.OBJECT and not bound:
            self._watch.used(Ref(found), name, Use.READ)
        elif found is not None and found.kind is Kind.POINTER:
            self._watch.escaped((found, settled(Ref(found)).thing))
        return found

    def _element(self, inner: Expr, node: Node, use: Use) -> None:
        """``inner[i]`` is read or written."""
        scope = self._scope
        ref = scope.element(inner)
        if ref is not None:
            self._watch.used(ref, node, use)
            return
        thing = scope.thing(inner)
        if thing is not None and thing.kind is Kind.ACCESSOR:
            self._placeholder(thing, node)
        elif not isinstance(inner, Name):
            self.evaluate(inner)

    def _dereference(self, operand: Expr, node: Node) -> Result:
        thing = self._scope.thing(operand)
        if thing is not None and thing.kind in (Kind.QUEUE, Kind.EVENT):
            return thing
        ref = self._scope.memory(operand)
        if ref is not None:
            self._watch.used(ref, node, Use.READ)
        self.evaluate(operand)
        return None

    def _address(self, operand: Expr) -> Result:
        match operand:
            case Name():
                return self._scope.thing(operand)
            case Index(object=inner, indices=indices):
                if not isinstance(inner, Name):
                    self.evaluate(inner)
                for index in indices:
                    self.evaluate(index)
            case Member(object=inner):
                self.evaluate(inner, bound=True)
            case _:
                self.evaluate(operand, bound=True)
        return None

    def _member(self, inner: Expr, node: Member) -> None:
        thing = self._scope.thing(inner)
        if thing is not None and thing.kind is Kind.POINTER:
            self._watch.used(settled(Ref(thing)), node, Use.READ)
        else:
            self.evaluate(inner)

    # ----------------------------------------------------------- assignments

    def _assign(self, node: Assign) -> None:
        value = self.evaluate(node.right, bound=isinstance(node.left, Name) and self._is_pointer(node.left))
        self._store(node.left, node, node.right if node.operator == "=" else None, value)

    def _is_pointer(self, name: Name) -> bool:
        found = self._scope.thing(name)
        return found is not None and found.kind is Kind.POINTER

    def _store(self, target: Expr, node: Node, right: Expr | None, value: Result = None) -> None:
        """``target`` gets a new value; ``right`` when that is one expression."""
        scope = self._scope
        match target:
            case Name(text=text):
                argument = scope.argument(text)
                if argument is not None:
                    with scope.as_written_outside():
                        self._store(argument, node, right, value)
                    return
                found = scope.thing(target)
                if found is None:
                    return
                self._set(found, target, node, right, value)
            case Index(object=inner, indices=indices):
                for index in indices:
                    self.evaluate(index)
                self._element(inner, node, Use.WRITTEN)
            case Unary(operator="*", operand=operand):
                ref = scope.memory(operand)
                if ref is not None:
                    self._watch.used(ref, node, Use.WRITTEN)
                else:
                    self.evaluate(operand)
            case Member(object=inner):
                thing = scope.thing(inner)
                if thing is not None and thing.kind in (Kind.POINTER, Kind.OBJECT):
                    self._watch.used(settled(Ref(thing)), node, Use.WRITTEN)
                else:
                    self.evaluate(inner)
            case _:
                self.evaluate(target)

    def _set(self, found: Thing, name: Name, node: Node, right: Expr | None, value: Result) -> None:
        scope = self._scope
        fresh = Thing(
            found.name,
            found.kind,
            found.location,
            block=found.block,
            automatic=found.automatic,
            loops=found.loops,
            type_name=found.type_name,
        )
        match found.kind:
            case Kind.OBJECT | Kind.CONTAINER:
                self._watch.used(Ref(found), node, Use.WRITTEN)
            case Kind.EVENT:
                command = value.command if isinstance(value, Thing) else value
                scope.rebind(name.text, fresh.again(command=command))
            case Kind.POINTER:
                scope.rebind(name.text, scope.pointing(fresh, right) if right is not None else fresh)
            case Kind.LAMBDA | Kind.QUEUE | Kind.BUFFER | Kind.OWNER | Kind.HOST_ACCESSOR | Kind.ACCESSOR:
                scope.rebind(name.text, fresh)
            case _:
                if right is not None and scope.mentions_queue(right):
                    scope.rebind(name.text, found.again(holds_queue=True))

    # -------------------------------------------------------------- accessors

    def host_accessor(self, made: Thing, arguments: tuple[Expr, ...], node: Variable) -> None:
        """A host accessor is declared: it waits for the buffer's commands, and locks the buffer."""
        buffer = self._scope.thing(arguments[0])
        if buffer is None or buffer.kind is not Kind.BUFFER:
            self._watch.waited_for_all()
            return
        names = frozenset[str]().union(*(names_in(each) for each in (*arguments, node.type.name)))
        self._watch.settled(buffer)
        self._watch.locked(Lock(made, buffer, writes=not names & _READ_ONLY), node)

    def accessor(self, made: Thing, node: Variable) -> None:
        """An accessor is declared in host code; only one made from a buffer alone is remembered."""
        scope = self._scope
        first = node.arguments[0] if node.arguments else None
        buffer = scope.thing(first) if first is not None else None
        given = names_in(node.type.name) if node.type.name.arguments else set()
        others = [scope.thing(each) for each in node.arguments[1:]]
        handled = any(each is not None and each.kind is Kind.HANDLER for each in others)
        is_host = any("host" in each for each in given)
        known = all(
            "::" in each.text or each.text in ("read_only", "write_only", "read_write", "no_init")
            for each in node.arguments[1:]
            if isinstance(each, Name)
        )
        if buffer is None or buffer.kind is not Kind.BUFFER or handled or is_host or not known:
            scope.state.things[made.name] = made.again(kind=Kind.OTHER)

    def _placeholder(self, accessor: Thing, node: Node) -> None:
        if accessor.block and not any(isinstance(each, Lambda) for each in self._scope.place.chain()):
            location = self._scope.location(node)
            self._watch.note(PlaceholderOnHost(accessor.name, location, accessor.location))

    # ----------------------------------------------------------------- calls

    def _call(self, call: Call, *, alone: bool) -> Result:
        match call.function:
            case Name() as function:
                return self._named(call, function)
            case Member() as function:
                return self._method(call, function, alone=alone)
            case Lambda() as function:
                self._arguments(call.arguments)
                self._closure(function, self._scope.place, call.arguments, call)
                return self._result()
            case _:
                self._inside(call)
                self._watch.waited_for_all()
                return None

    def _arguments(self, arguments: tuple[Expr, ...]) -> list[Result]:
        """Arguments are evaluated; a variable by itself may be taken by reference."""
        return [self.evaluate(each, bound=True) for each in arguments]

    def _named(self, call: Call, function: Name) -> Result:
        scope, arguments = self._scope, call.arguments
        last = function.last
        local = scope.state.things.get(function.text)
        if local is not None and local.closure is not None and local.closure_place is not None:
            self._arguments(arguments)
            self._closure(local.closure, local.closure_place, arguments, call)
            return self._result()
        if function.text in scope.facts.macros:
            return self._macro(function, call, arguments)
        if last == "free":
            return self._free(call, function)
        if last in DPCT_QUEUES:
            return None
        candidates = scope.facts.functions.get(last)
        if candidates:
            return self._project_function(call, function, candidates)
        results = self._arguments(arguments)
        if last in ENDS:
            scope.state.over = True
            return None
        self._library(call, function, results)
        return None

    def _library(self, call: Call, function: Name, results: list[Result]) -> None:
        """A function that is not in sight."""
        watch, last, arguments = self._watch, function.last, call.arguments
        first = function.qualifier.removeprefix("::").partition("::")[0]
        if last in ALLOCATORS or (last in ("make_reduction", "reduction") and first != "std"):
            return
        if (last in _QUIET or first == "std") and last not in _OUTGOING:
            self._values_read(arguments)
        if last in C_WRITERS and first in ("", "std"):
            to, source = C_WRITERS[last]
            self._memory_used(arguments, to, call, Use.WRITTEN)
            if source is not None:
                self._memory_used(arguments, source, call, Use.READ)
            return
        if last in C_READERS and first in ("", "std"):
            for position in C_READERS[last]:
                self._memory_used(arguments, position, call, Use.READ)
            return
        if last in ALGORITHMS and first == "std" and not any("execution" in text for text in names_in(call)):
            for position, _ in enumerate(arguments):
                self._memory_used(arguments, position, call, Use.WRITTEN if last in FILLERS else Use.READ)
        if last == "swap":
            self._swapped(arguments)
            return
        self._kept(call, results)
        if first == "dpct" and last not in DPCT_QUIET:
            watch.waited_for_all()
        elif first in HARMLESS or last in _QUIET or TEST_MACROS.fullmatch(last):
            if WAITS.search(last) and first in ("sycl", "cl"):
                watch.waited_for_all()
        else:
            self._unknown(last, by_name=True)

    def _values_read(self, arguments: Iterable[Expr]) -> None:
        """Variables that are handed over by value."""
        for argument in arguments:
            if isinstance(argument, Name):
                self.evaluate(argument)

    def _kept(self, call: Call, results: list[Result]) -> None:
        """What is handed to somebody who may wait for it, or write to it."""
        scope, watch = self._scope, self._watch
        handed = any(isinstance(each, Command) for each in results)
        for argument, result in zip(call.arguments, results, strict=False):
            ref = scope.memory(argument)
            if ref is not None:
                watch.escaped((ref.thing,))
            elif isinstance(result, Thing):
                watch.escaped((result,))
                self._out(argument, result)
            if isinstance(argument, Lambda) or (isinstance(argument, Name) and isinstance(result, Thing)):
                body = result.closure if isinstance(result, Thing) else argument
                if isinstance(body, Lambda) and (scope.mentions_queue(body) or _waits(body)):
                    watch.waited_for_all()
        if handed or any(map(scope.mentions_queue, call.arguments)):
            watch.waited_for_all()

    def _kept_memory(self, arguments: tuple[Expr, ...]) -> None:
        """What a function that is not walked may have written."""
        refs = (self._scope.memory(each) for each in arguments)
        self._watch.escaped(each.thing for each in refs if each is not None)

    def _out(self, argument: Expr, thing: Thing) -> None:
        """``&p`` is handed out: the pointer may point elsewhere afterwards."""
        if isinstance(argument, Unary) and argument.operator == "&" and thing.kind in (Kind.POINTER, Kind.EVENT):
            fresh = Thing(thing.name, thing.kind, thing.location, block=thing.block, type_name=thing.type_name)
            self._scope.rebind(thing.name, fresh)

    def _swapped(self, arguments: tuple[Expr, ...]) -> None:
        scope = self._scope
        things = [found for each in arguments if (found := scope.thing(each)) is not None]
        if len(things) == len(arguments) == 2:
            one, other = things
            scope.rebind(one.name, _renamed(other, one))
            scope.rebind(other.name, _renamed(one, other))

    def _memory_used(self, arguments: tuple[Expr, ...], position: int, call: Call, use: Use) -> None:
        if position < len(arguments):
            ref = self._scope.memory(arguments[position])
            by_bytes = isinstance(call.function, Name) and call.function.last in {**C_READERS, **C_WRITERS}
            if ref is not None and (by_bytes or ref.thing.kind is not Kind.OBJECT):
                self._watch.used(ref, call, use)

    def _unknown(self, name: str, *, by_name: bool) -> None:
        """A function or method out of sight was called: it may wait for the queues it can know of."""
        if WAITS.search(name) or (name.isupper() and len(name) > 1):
            self._watch.waited_for_all()
        elif by_name:
            self._watch.waited_elsewhere()

    def _free(self, call: Call, function: Name) -> Result:
        arguments = call.arguments
        qualifier = function.qualifier.removeprefix("::")
        is_sycl = qualifier in ("sycl", "cl::sycl") or (not qualifier and len(arguments) == 2)
        is_c = len(arguments) == 1 and (qualifier in ("", "std"))
        self._arguments(arguments[1:])
        if arguments and (is_sycl or is_c) and not self._scope.facts.functions.get("free"):
            self._freed(arguments[0], call, "sycl::free" if is_sycl else "free")
        elif not (is_sycl or is_c):
            self._watch.waited_for_all()
        return None

    def _freed(self, argument: Expr, node: Node, by: str) -> None:
        ref = self._scope.memory(argument)
        if ref is not None:
            self._watch.freed(ref, node, by)
        else:
            self.evaluate(argument, bound=True)

    # --------------------------------------------------------------- methods

    def _method(self, call: Call, function: Member, *, alone: bool) -> Result:
        name, inner = function.name, function.object
        receiver = self._receiver(inner)
        if receiver is True or (isinstance(receiver, Thing) and receiver.kind is Kind.QUEUE):
            return self._queue_method(call, name, receiver if isinstance(receiver, Thing) else None, alone=alone)
        if isinstance(receiver, Command) or (isinstance(receiver, Thing) and receiver.kind is Kind.EVENT):
            command = receiver if isinstance(receiver, Command) else receiver.command
            self._arguments(call.arguments)
            if name not in ("get_info", "get_backend"):
                self._watch.waited_for(command, call)
            return None
        if isinstance(receiver, Thing):
            return self._object_method(call, name, receiver)
        if receiver is None and not isinstance(inner, Name | Member):
            inner_result = self.evaluate(inner)
            if isinstance(inner_result, Command):
                self._arguments(call.arguments)
                self._watch.waited_for(inner_result, call)
                return None
        results = self._arguments(call.arguments)
        self._kept(call, results)
        self._unknown(name, by_name=name not in CONTAINER_QUIET)
        return None

    def _receiver(self, inner: Expr) -> Result | bool:
        """The thing a method is called on; true for a queue that is not a variable."""
        found = self._scope.thing(inner)
        if found is not None:
            return found
        match inner:
            case Name(text=text):
                argument = self._scope.argument(text)
                if argument is not None:
                    with self._scope.as_written_outside():
                        return self._receiver(argument)
            case Call(function=Name() as function) if function.last in DPCT_QUEUES:
                return True
            case Call(function=Member(name=name)) if name in DPCT_QUEUES:
                return True
            case Call():
                return self.evaluate(inner)
            case Unary(operator="*", operand=Call() as operand):
                return self._receiver(operand)
        return None

    def _queue_method(self, call: Call, name: str, queue: Thing | None, *, alone: bool) -> Result:
        watch = self._watch
        if name in COPIES or name in SUBMITS:
            for argument in call.arguments:
                if not isinstance(argument, Lambda | Name):
                    self.evaluate(argument, bound=True)
            command = self._commands.made(call, name, queue, waitable=alone)
            watch.submitted(command)
            if command.is_kernel:
                watch.named(command, self._scope.names.of(call))
                watch.escaped(self._named_memory(call))
            return command
        self._arguments(call.arguments)
        if name in ("wait", "wait_and_throw"):
            watch.waited(queue, call)
        elif name in ORDERING:
            watch.fenced()
        elif name not in QUIET_QUEUE_METHODS:
            watch.waited_for_all()
        return None

    def _named_memory(self, call: Node) -> Iterator[Thing]:
        """Memory that is named anywhere in a call, or in a file that is included there."""
        things = self._scope.state.things
        if any(isinstance(each, Include) for each in walk(call)):
            yield from (settled(Ref(each)).thing for each in things.values())
        for text in self._scope.names.of(call):
            thing = things.get(text) or self._scope.state.outer.get(text)
            if thing is not None:
                yield settled(Ref(thing)).thing

    def _object_method(self, call: Call, name: str, receiver: Thing) -> Result:
        watch, scope = self._watch, self._scope
        results = self._arguments(call.arguments)
        match receiver.kind:
            case Kind.CONTAINER | Kind.OWNER:
                if name in ELEMENTS:
                    watch.used(Ref(receiver), call, Use.READ)
                elif name not in CONTAINER_QUIET:
                    watch.used(Ref(receiver), call, Use.WRITTEN)
                    watch.escaped((receiver,))
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
                    self._kept(call, results)
                    self._unknown(name, by_name=True)
                return None
        self._kept(call, results)
        if receiver.holds_queue:
            watch.waited_for_all()
        if name in ("push_back", "emplace_back", "insert") and any(map(scope.mentions_queue, call.arguments)):
            return None
        self._unknown(name, by_name=True)
        return None

    def traversed(self, range_: Expr, node: Node) -> None:
        """``for (x : range)`` reads every element."""
        thing = self._scope.thing(range_)
        if thing is not None and thing.kind in (Kind.CONTAINER, Kind.ARRAY):
            self._watch.used(Ref(thing), range_, Use.READ)

    # ---------------------------------------------------- functions in sight

    def returned(self, value: Result) -> None:
        """The function being walked returns ``value``."""
        self._results.append(value)

    def _result(self) -> Result:
        """What the walked function returned, when that is one thing."""
        results, self._results = self._results, []
        commands = [each for each in results if isinstance(each, Command)]
        return commands[0] if len(commands) == len(results) == 1 else None

    def _project_function(self, call: Call, function: Name, candidates: tuple[Declared[Function], ...]) -> Result:
        results = self._arguments(call.arguments)
        bodies = [each for each in candidates if each.node.body is not None and not each.node.damaged]
        fitting = [each for each in bodies if accepts(each.node, len(call.arguments))]
        if len(fitting) != 1 or len(self._running) >= MAX_CALLS or fitting[0].node in self._running:
            self._kept(call, results)
            self._unknown(function.last, by_name=True)
            return None
        declared = fitting[0]
        by_value = zip(call.arguments, declared.node.parameters, strict=False)
        self._values_read(each for each, parameter in by_value if not parameter.type.reference)
        if not self._matters(declared.node, call.arguments):
            self._kept_memory(call.arguments)
            return None
        return self._walked(declared, call)

    def _matters(self, function: Function, arguments: tuple[Expr, ...]) -> bool:
        """Whether walking a function can show anything: it works on what it is handed, or that is in flight."""
        state = self._scope.state
        concerned = self._course.concerns(function)
        if not concerned and not state.flights and not state.stale:
            return False
        for argument in arguments:
            thing, ref = self._scope.thing(argument), self._scope.memory(argument)
            if concerned and thing is not None and thing.kind in _FOLLOWED:
                return True
            if concerned and ref is not None and len(self._running) < MAX_MEMORY_CALLS:
                return True
            memory = ref.thing if ref is not None else thing
            if memory is not None and any(command.touches(memory) for command in state.flights):
                return True
        if concerned:
            self._watch.waited_elsewhere()
        return False

    def _walked(self, declared: Declared[Function], call: Call) -> Result:
        scope, function = self._scope, declared.node
        body = function.body
        assert body is not None
        given: list[tuple[Parameter, Expr, Thing | None, Ref | None]] = [
            (parameter, argument, scope.thing(argument), scope.memory(argument))
            for parameter, argument in zip(function.parameters, call.arguments, strict=False)
        ]
        chain, site = scope.chain, scope.site
        names = scope.state.things
        loops, scope.loops = scope.loops, 0
        where = scope.location(call)

        def bind() -> None:
            scope.state.things = {}
            for parameter in function.parameters:
                scope.state.things[parameter.name] = scope.parameter(parameter)
            for parameter, _, thing, ref in given:
                made = scope.state.things[parameter.name]
                scope.state.things[parameter.name] = _handed(parameter, made, thing, ref)

        self._running.append(function)
        saved, self._results = self._results, []
        scope.chain, scope.site = (*chain, where), None
        arguments = scope.arguments_aside()
        self._course.function(body, declared.place, bind)
        scope.arguments_back(arguments)
        scope.chain, scope.site = chain, site
        scope.loops = loops
        scope.state.things = names
        self._running.pop()
        result = self._result()
        self._results = saved
        for parameter, argument, thing, _ in given:
            if thing is not None and parameter.type.reference and not parameter.type.constant:
                self._changed(argument, thing, function, parameter)
        return result

    def _changed(self, argument: Expr, thing: Thing, function: Function, parameter: Parameter) -> None:
        """A function may have set what it was given by reference."""
        if thing.kind not in (Kind.POINTER, Kind.EVENT, Kind.LAMBDA):
            return
        body = function.body
        if body is not None and any(
            isinstance(each, Assign) and isinstance(each.left, Name) and each.left.text == parameter.name
            for each in walk(body)
        ):
            fresh = Thing(thing.name, thing.kind, thing.location, block=thing.block, type_name=thing.type_name)
            self._scope.rebind(thing.name, fresh)

    def _closure(self, function: Lambda, place: Place, arguments: tuple[Expr, ...], call: Call) -> None:
        """A lambda of this function is called: its body has the names around it."""
        scope = self._scope
        if len(self._running) >= MAX_CALLS or function in self._running or function.damaged:
            self._watch.waited_for_all()
            return
        given = [
            (each, scope.thing(value), scope.memory(value))
            for each, value in zip(function.parameters, arguments, strict=False)
        ]
        names = dict(scope.state.things)
        block = scope.block

        def bind() -> None:
            for parameter, thing, ref in given:
                scope.state.things[parameter.name] = _handed(parameter, scope.parameter(parameter), thing, ref)

        self._running.append(function)
        self._results = []
        self._course.function(function.body, place, bind)
        self._running.pop()
        things = scope.state.things
        for name, thing in list(things.items()):
            if thing.block > block or name not in names:
                things.pop(name)
        for name, thing in names.items():
            things.setdefault(name, thing)

    # ---------------------------------------------------------------- macros

    def _macro(self, name: Name, use: Expr, arguments: tuple[Expr, ...]) -> Result:
        """The use of a macro: what its text does in this place."""
        scope = self._scope
        macro = scope.evaluator.macros.macro(name, Point(scope.place, use.start))
        if (
            macro is None
            or macro in self._running
            or sum(isinstance(each, Macro) for each in self._running) > MAX_EXPANSIONS
        ):
            self._arguments(arguments)
            self._watch.waited_for_all()
            return None
        parameters = macro.parameters or ()
        if macro.value is None and macro.body is None:
            self._opaque_macro(macro, arguments)
            return None
        if macro.parameters is None and arguments:
            # ``CALL(x)`` where CALL is another name for a function.
            self._arguments(arguments)
            self._unknown(macro.text, by_name=True)
            return None
        if "__VA_ARGS__" in macro.text or len(parameters) != len(arguments):
            self._opaque_macro(macro, arguments)
            return None
        outer = scope.place
        self._running.append(macro)
        result: Result = None
        with scope.expanding(use, dict(zip(parameters, arguments, strict=True))):
            scope.place = Place(macro, Place(use, outer))
            if macro.value is not None:
                result = self.evaluate(macro.value)
            elif macro.body is not None:
                self._course.inline(macro.body.statements, Place(macro.body, scope.place))
        self._running.pop()
        scope.place = outer
        return result

    def _opaque_macro(self, macro: Macro, arguments: tuple[Expr, ...]) -> None:
        """A macro whose text is not followed."""
        results = self._arguments(arguments)
        if any(isinstance(each, Command) for each in results) or WAITS.search(macro.text):
            self._watch.waited_for_all()
        elif macro.text:
            self._watch.waited_elsewhere()


def _handed(parameter: Parameter, made: Thing, thing: Thing | None, ref: Ref | None) -> Thing:
    """A parameter that is given an argument."""
    if thing is not None and thing.kind in (Kind.QUEUE, Kind.EVENT, Kind.LAMBDA, Kind.BUFFER):
        return thing
    if made.kind is Kind.POINTER and ref is not None:
        return made.again(target=ref)
    if made.kind is Kind.OTHER and thing is not None and thing.kind is Kind.POINTER:
        return thing
    if parameter.type.reference and thing is not None:
        return thing
    return made


def _renamed(value: Thing, name: Thing) -> Thing:
    """What another variable stood for; the memory stays the same."""
    if value.kind is Kind.POINTER and value.target is None:
        return name.again(
            target=Ref(value), command=None, origin=name.origin if name.origin is value.origin else value.origin
        )
    return name.again(target=value.target, command=value.command)


def _waits(body: Node) -> bool:
    return any(WAITS.search(each) for each in names_in(body))
