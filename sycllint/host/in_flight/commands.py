"""Calls of a queue's methods as commands: what each reads and writes, and what it waits for."""

from collections.abc import Iterable, Iterator

from sycllint.cpp.expression import Assign, Brace, Call, Expr, Increment, Lambda, Member, Name
from sycllint.cpp.node import Node, children, walk
from sycllint.cpp.statement import Declaration, Variable
from sycllint.host.in_flight.kernels import BoundKernels
from sycllint.host.scopes.declarations import combines
from sycllint.host.scopes.modes import Mode
from sycllint.host.scopes.receivers import as_method
from sycllint.host.scopes.scope import FunctionScope
from sycllint.host.scopes.things import DYING, BoundKernel, Command, Kind, MemoryUse, Moved, Ref, Thing, WrittenNumber
from sycllint.host.vocabulary import (
    ASYNC_FUNCTIONS,
    CONTAINER_QUIET,
    COPIES,
    ELEMENTS,
    IN_ELEMENTS,
    LAUNCHES,
    MKL_DOMAINS,
    MKL_UNFOLLOWED,
)
from sycllint.record import NamedTuple, replace
from sycllint.values.objects import Point

_PLAIN_ARGUMENTS = 5
"""Functions of dpct that are given more move rows, at a pitch."""

_PLAIN = 3
"""How many arguments a copy or a filling in one dimension has without events."""


class CommandEffects(NamedTuple):
    """What a command does: fields of ``Command``."""

    memory: tuple[MemoryUse, ...] = ()
    buffers: tuple[tuple[Thing, bool], ...] = ()
    ordered: bool = False
    follows: bool = False
    kernel: BoundKernel | None = None
    combined: tuple[Ref, ...] = ()
    space: WrittenNumber | None = None
    signals: bool = False
    after: tuple[Command, ...] | None = None

    def command(self, what: str, call: Call, queue: Thing, scope: FunctionScope, **more: bool) -> Command:
        """The command with these effects that ``call`` submits to ``queue``."""
        uses = frozenset[Thing]().union(*[each.things for each in self.memory])
        around = frozenset([part for each in uses for part in each.owners()])
        where = {"location": scope.location(call), "point": scope.point(call), "chain": scope.chain, "queue": queue}
        where |= {"uses": uses, "around": around}
        return Command(what=what, **where, **dict(zip(self._fields, self, strict=True)), **more)  # type: ignore[arg-type]


class Commands:
    """Commands of the functions that ``scope`` walks."""

    def __init__(self, scope: FunctionScope) -> None:
        self._scope = scope
        self._kernels = BoundKernels(scope)

    def made(self, call: Call, method: str, queue: Thing, what: str, *, waitable: bool) -> Command:
        """The command that ``queue.method(…)``, which may be written as ``what``, submits."""
        effects, scope = self._effects(method, call.arguments), self._scope
        may_wait = waitable and scope.site is None and not self._may_be_recorded(queue)
        is_kernel = method not in COPIES
        return effects.command(what, call, queue, scope, is_kernel=is_kernel, waitable=may_wait)

    def _may_be_recorded(self, queue: Thing) -> bool:
        """Whether a caller may have a graph record the queue's commands; waiting is not allowed while it does."""
        return not queue.own and self._scope.facts.spells(b"begin_recording")

    def of_function(self, call: Call, name: str, queue: Thing) -> Command:
        """The command of a function that copies or fills on a queue."""
        moved = self._moved(ASYNC_FUNCTIONS[name], call.arguments, in_bytes=True)
        plain = len(call.arguments) <= _PLAIN_ARGUMENTS
        effects = CommandEffects(moved.memory if plain else (), ordered=True)
        return effects.command(name, call, queue, self._scope, is_kernel=False)

    def of_mkl(self, call: Call, function: Name, queue: Thing) -> Command | None:
        """The command of a function of oneMKL that is given a queue and pointers; one given buffers is none.

        Functions of BLAS leave their result where the last pointer leads.
        """
        *_, domain, _ = ("", *(each for each in function.qualifier.split("::") if not each.endswith("_major")), "")
        if domain not in MKL_DOMAINS or function.last.endswith(("_batch", "_size")):
            return None
        used = [ref for each in call.arguments[1:] if (ref := self._scope.memory(each)) is not None]
        if not used:
            return None
        events = [each for each in call.arguments[1:] if self._is_event_list(each)]
        known, given = domain == "blas" and function.last not in MKL_UNFOLLOWED, bool(events)
        memory = MemoryUse.known((used[-1],) if known else (), tuple(used))
        effects = CommandEffects((memory,), ordered=given, follows=given, after=self._scope.events.given(events))
        return effects.command(function.text, call, queue, self._scope, is_kernel=True)

    def _is_event_list(self, argument: Expr) -> bool:
        found = self._scope.thing(argument)
        return isinstance(argument, Brace) or (found is not None and found.kind in (Kind.EVENT, Kind.EVENTS))

    def _effects(self, method: str, arguments: tuple[Expr, ...]) -> CommandEffects:
        if method in COPIES:
            return self._moved(COPIES[method], arguments, in_bytes=method not in IN_ELEMENTS)
        if method in LAUNCHES:
            return self._launch(method, arguments)
        group = arguments[-1] if arguments else None
        if group is not None and not isinstance(group, Lambda):
            found = self._scope.thing(group)
            if found is not None and found.closure is not None:
                with self._scope.where_made(found):
                    return self._command_group(found.closure)
            group = None
        return self._command_group(group) if isinstance(group, Lambda) else CommandEffects(ordered=True, follows=True)

    def _moved(
        self, positions: tuple[int, int | None, int], arguments: tuple[Expr, ...], *, in_bytes: bool
    ) -> CommandEffects:
        """What a copy or a filling does: positions of destination and source, and how many arguments come first."""
        to, source, count = positions
        if len(arguments) < count:
            return CommandEffects(ordered=True)
        written = self._scope.memory(arguments[to])
        read = self._scope.memory(arguments[source]) if source is not None else None
        memory = _moving(written, read)
        if count == _PLAIN:
            number = self._scope.number(arguments[count - 1], in_bytes=in_bytes)
            written, read = (each.of((number,)) if each is not None else None for each in (written, read))
            memory = _moving(written, read)
            memory.moved = Moved(number, arguments[:2], (*memory.touched.writes, *memory.touched.reads))
        return CommandEffects(
            (memory,),
            ordered=len(arguments) > count,
            follows=len(arguments) > count,
            after=self._scope.events.given(arguments[count:]),
        )

    def _copy_of_accessor(self, arguments: tuple[Expr, ...]) -> CommandEffects:
        """``h.copy(source, destination)``, of which one is an accessor and the other may be memory of the host."""
        read, written = (self._scope.memory(each) for each in arguments)
        known = _moving(written, None) if read is None else _moving(None, read if written is None else None)
        return CommandEffects((known,), ordered=True)

    # --------------------------------------------------------------- kernels

    def _launch(self, method: str, arguments: tuple[Expr, ...]) -> CommandEffects:
        if not arguments:
            return CommandEffects(ordered=True)
        events = arguments[:-1] if method == "single_task" else arguments[1:-1]
        kernel = self._kernels.of(arguments[-1])
        reduced = tuple(ref for each in events if (ref := self._reduced(each)) is not None)
        # What a reduction finds in its variable it combines with what it leaves there.
        ordered = any(self._reduced(each) is None for each in events)
        return CommandEffects(
            (*((kernel.use,) if kernel is not None else ()), MemoryUse.known(reduced, reduced)),
            ordered=ordered,
            follows=ordered,
            kernel=kernel,
            combined=tuple(ref for each in events if self._combines(each) and (ref := self._reduced(each)) is not None),
            space=self._scope.number(arguments[0]) if method != "single_task" else None,
            after=self._scope.events.given(each for each in events if self._reduced(each) is None),
        )

    def _reduced(self, argument: Expr) -> Ref | None:
        """The memory in which ``sycl::reduction(pointer, …)``, or a variable made from it, leaves its result."""
        if isinstance(argument, Name):
            found = self._scope.thing(argument)
            return found.target if found is not None and found.kind is Kind.REDUCTION else None
        return self._scope.declarations.reduced(argument)

    def _combines(self, argument: Expr) -> bool:
        found = self._scope.thing(argument) if isinstance(argument, Name) else None
        return found.combines if found is not None else combines(argument)

    # --------------------------------------------------------- command groups

    def _command_group(self, group: Lambda) -> CommandEffects:
        """What a command group submits. Its own variables are known while it is looked at."""
        scope = self._scope
        saved = dict(scope.state.things)
        handler = group.parameters[0].name if group.parameters else ""
        found = _GroupEffects(handler)
        for parameter in group.parameters:
            scope.state.things[parameter.name] = scope.declarations.parameter(parameter)
        try:
            self._visit(group.body, found)
        finally:
            scope.state.things = saved
        kernel, space = found.kernels[0] if len(found.kernels) == 1 else (None, None)
        return found.effects._replace(kernel=kernel, space=space)

    def _visit(self, node: Node, found: "_GroupEffects") -> None:
        match node:
            case Declaration(variables=variables):
                for variable in variables:
                    self._declared(variable, found)
                return
            case Call(function=Member(object=Name(text=receiver), name=method), arguments=arguments) if (
                receiver == found.handler
            ):
                if method in LAUNCHES or method in COPIES:
                    by_accessor = method == "copy" and len(arguments) == 2
                    effects = self._copy_of_accessor(arguments) if by_accessor else self._effects(method, arguments)
                    for each in effects.memory:
                        if each.moved is not None:
                            each.moved = replace(each.moved, method=f"{receiver}.{method}")
                    before = found.effects
                    found.effects = before._replace(
                        memory=before.memory + effects.memory, combined=before.combined + effects.combined
                    )
                    found.kernels.append((effects.kernel, effects.space))
                    # Between a range and a kernel stand reductions and properties: a handler takes no events.
                    return
                if method in ("depends_on", "host_task", "require", "ext_codeplay_enqueue_native_command"):
                    before, depends = found.effects, method == "depends_on"
                    events = self._scope.events.given(arguments) if depends else None
                    signals = method == "host_task" and any(map(_signals, arguments))
                    referred = () if signals or method != "host_task" else tuple(self._referred(arguments))
                    found.effects = before._replace(
                        memory=(*before.memory, MemoryUse.known((), referred)) if referred else before.memory,
                        after=(*before.after, *events) if events is not None and before.after is not None else None,
                        ordered=True,
                        follows=before.follows or depends,
                        signals=before.signals or signals,
                    )
            case Call(function=function, arguments=arguments):
                if any(isinstance(each, Name) and each.text == found.handler for each in arguments):
                    is_visible = isinstance(function, Name) and self._scope.code.declared(node, function, self._scope)
                    as_written = as_method(node, self._scope) if not is_visible else None
                    if as_written is not None:
                        self._visit(as_written, found)
                        return
                    self._access(node, found)
            case Lambda():
                return
        for child in children(node):
            self._visit(child, found)

    def _referred(self, arguments: Iterable[Expr]) -> Iterator[Ref]:
        """The variables that a host task has by reference, and reads."""
        for task in arguments:
            if not isinstance(task, Lambda) or task.damaged:
                continue
            named = {each.name: each.by_reference for each in task.captures}
            names = self._scope.names.of(task.body) if task.default == "&" else frozenset[str]()
            for name in sorted(names | named.keys()):
                thing = self._scope.state.things.get(name) if named.get(name, True) else None
                if thing is not None and thing.kind in DYING:
                    yield Ref(thing)

    def _declared(self, variable: Variable, found: "_GroupEffects") -> None:
        scope = self._scope
        kind = scope.kind(variable.type)
        arguments = variable.arguments
        if kind is Kind.ACCESSOR and arguments:
            buffer = scope.thing(arguments[0])
            if buffer is not None and buffer.kind is Kind.BUFFER:
                mode = scope.modes.declared(variable, Point(scope.place, variable.start), found.handler)
                found.accessed(buffer, mode)
            else:
                found.effects = found.effects._replace(ordered=True, after=None)
        for argument in arguments:
            self._visit(argument, found)
        only = arguments[0] if len(arguments) == 1 else None
        value = scope.thing(only) if only is not None else None
        scope.state.things[variable.name] = scope.declarations.variable(variable, value)

    def _access(self, call: Call, found: "_GroupEffects") -> None:
        """``buffer.get_access<mode>(h)``, or a function that is handed the handler."""
        function = call.function
        if isinstance(function, Member) and function.name == "get_access":
            buffer = self._scope.thing(function.object)
            if buffer is not None and buffer.kind is Kind.BUFFER:
                found.accessed(
                    buffer, self._scope.modes.asked(call, Point(self._scope.place, call.start), found.handler)
                )
                return
        if isinstance(function, Name) and function.last in ("accessor", "local_accessor", "stream", "reduction"):
            return
        found.effects = found.effects._replace(ordered=True, follows=True, after=None)


class _GroupEffects:
    """What was found in one command group."""

    def __init__(self, handler: str) -> None:
        self.handler = handler
        self.effects = CommandEffects(after=())
        self.kernels: list[tuple[BoundKernel | None, WrittenNumber | None]] = []

    def accessed(self, buffer: Thing, mode: Mode) -> None:
        """An accessor of ``buffer`` is made."""
        self.effects = self.effects._replace(buffers=(*self.effects.buffers, (buffer, mode is Mode.WRITES)))


def _moving(written: Ref | None, read: Ref | None) -> MemoryUse:
    """What a copy or a filling does."""
    return MemoryUse.known((written,) if written is not None else (), (read,) if read is not None else ())


def _signals(task: Expr) -> bool:
    """Whether a host task may signal that it has run: it sets a variable, or calls a method."""
    for each in walk(task):
        match each:
            case Assign() | Increment():
                return True
            case Call(function=Member(name=name)) if name not in CONTAINER_QUIET | ELEMENTS:
                return True
    return False
