"""Calls of a queue's methods as commands: what each reads and writes, and what it waits for."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sycllint.cpp.expression import Assign, Brace, Call, Expr, Increment, Lambda, Member, Name, Number, SizeOf, Type
from sycllint.cpp.node import Node, children, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Declaration, Struct, Variable
from sycllint.dataflow.mod_ref import ModRef, Path, mod_refs
from sycllint.facts.file import Declared
from sycllint.host.scopes.code_index import CodeIndex
from sycllint.host.scopes.modes import Mode
from sycllint.host.scopes.scope import FunctionScope
from sycllint.host.scopes.things import Command, Kind, MemoryUse, Ref, Thing, Touched, settled
from sycllint.host.vocabulary import (
    ASYNC_FUNCTIONS,
    CONTAINER_QUIET,
    COPIES,
    ELEMENTS,
    LAUNCHES,
    MKL_DOMAINS,
    MKL_UNFOLLOWED,
)
from sycllint.ir.bodies import bodies
from sycllint.record import NamedTuple, replace
from sycllint.symbols.initialization import initialization
from sycllint.values.objects import Point

_PLAIN_ARGUMENTS = 5
"""Functions of dpct that are given more move rows, at a pitch."""
_ALLOCATING = frozenset({"vector", "string", "basic_string"})
"""Containers whose elements are not in themselves."""

_PLAIN = 3
"""How many arguments a copy or a filling in one dimension has without events."""


class CommandEffects(NamedTuple):
    """What a command does: fields of ``Command``."""

    memory: tuple[MemoryUse, ...] = ()
    buffers: tuple[tuple[Thing, bool], ...] = ()
    ordered: bool = False
    follows: bool = False
    kernel: Lambda | None = None
    tells: bool = False
    after: tuple[Command, ...] | None = None

    def command(self, what: str, call: Call, queue: Thing, scope: FunctionScope, **more: bool) -> Command:
        """The command with these effects that ``call`` submits to ``queue``."""
        uses = frozenset[Thing]().union(*[each.things for each in self.memory])
        around = frozenset([part for each in uses for part in each.owners()])
        where = {"location": scope.location(call), "chain": scope.chain, "queue": queue, "uses": uses, "around": around}
        return Command(what=what, **where, **dict(zip(self._fields, self, strict=True)), **more)  # type: ignore[arg-type]


class Commands:
    """Commands of the functions that ``scope`` walks."""

    def __init__(self, scope: FunctionScope) -> None:
        self._scope = scope
        self._bodies = bodies.of(scope.evaluator)
        self._mod_refs = mod_refs.of(scope.evaluator)

    def made(self, call: Call, method: str, queue: Thing, *, waitable: bool) -> Command:
        """The command that ``queue.method(…)`` submits."""
        effects, scope = self._effects(method, call.arguments), self._scope
        may_wait = waitable and scope.site is None and not self._may_be_recorded(queue)
        is_kernel = method not in COPIES
        return effects.command(f"{queue.name}.{method}", call, queue, scope, is_kernel=is_kernel, waitable=may_wait)

    def _may_be_recorded(self, queue: Thing) -> bool:
        """Whether a caller may have a graph record the queue's commands; waiting is not allowed while it does."""
        return not queue.own and self._scope.facts.spells(b"begin_recording")

    def of_function(self, call: Call, name: str, queue: Thing) -> Command:
        """The command of a function that copies or fills on a queue."""
        moved = self._moved(ASYNC_FUNCTIONS[name], call.arguments)
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
        effects = CommandEffects((memory,), ordered=given, follows=given, after=self._events(events))
        return effects.command(function.text, call, queue, self._scope, is_kernel=True)

    def _is_event_list(self, argument: Expr) -> bool:
        found = self._scope.thing(argument)
        return isinstance(argument, Brace) or (found is not None and found.kind in (Kind.EVENT, Kind.EVENTS))

    def _effects(self, method: str, arguments: tuple[Expr, ...]) -> CommandEffects:
        if method in COPIES:
            return self._moved(COPIES[method], arguments)
        if method in LAUNCHES:
            return self._launch(method, arguments)
        group = arguments[-1] if arguments else None
        if isinstance(group, Name):
            found = self._scope.thing(group)
            if found is not None and found.closure is not None:
                with self._scope.where_made(found):
                    return self._command_group(found.closure)
            group = None
        return self._command_group(group) if isinstance(group, Lambda) else CommandEffects(ordered=True, follows=True)

    def _moved(self, positions: tuple[int, int | None, int], arguments: tuple[Expr, ...]) -> CommandEffects:
        """What a copy or a filling does: positions of destination and source, and how many arguments come first."""
        to, source, count = positions
        if len(arguments) < count:
            return CommandEffects(ordered=True)
        written = self._scope.memory(arguments[to])
        read = self._scope.memory(arguments[source]) if source is not None else None
        if count == _PLAIN:
            written, read = (self._of_one(each, arguments[count - 1]) for each in (written, read))
        return CommandEffects(
            (_moving(written, read),),
            ordered=len(arguments) > count,
            follows=len(arguments) > count,
            after=self._events(arguments[count:]),
        )

    def _of_one(self, ref: Ref | None, size: Expr) -> Ref | None:
        """The first element alone, where no more is moved: ``sizeof(float)`` bytes, or 1 element."""
        if ref is None or not ref.whole or ref.thing.kind is not Kind.POINTER:
            return ref
        written = ref.thing.written
        match size:
            case Number(text="1"):
                is_one = True
            case SizeOf(operator="sizeof", operand=Type(name=Name(text=text), pointers=0) | Name(text=text)):
                is_one = written is not None and written.pointers == 1 and written.name.text == text
            case _:
                is_one = False
        if not is_one:
            return ref
        self._scope.memory.offsets.known = True
        return replace(ref, alone=True)

    def _events(self, arguments: Iterable[Expr]) -> tuple[Command, ...] | None:
        """The commands whose events are given, one by one or in lists; ``None`` unless all are known."""
        found: list[Command] = []
        for argument in arguments:
            thing = self._scope.thing(argument)
            listed: Sequence[Command] | None = None
            if isinstance(argument, Brace) and argument.type is None:
                listed = self._events(argument.elements)
            elif thing is not None and thing.kind is Kind.EVENTS:
                listed = self._scope.events.listed(thing)
            elif thing is not None and thing.command is not None:
                listed = (thing.command,)
            if listed is None:
                return None
            found += listed
        return tuple(found)

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
        kernel, place = self._lambda(arguments[-1])
        pointers = self._pointers(kernel) if kernel is arguments[-1] else None
        if kernel is not None and pointers is not None:
            memory = _used_by(kernel, place, pointers, self._scope.code)
        else:
            writes, reads = self.kernel(arguments[-1])
            containers = self._containers(kernel, place) if kernel is not None else ()
            memory = MemoryUse.known(writes, reads, (*writes, *reads, *containers))
        reduced = tuple(ref for each in events if (ref := self._reduced(each)) is not None)
        # What a reduction finds in its variable it combines with what it leaves there.
        ordered = any(self._reduced(each) is None for each in events)
        return CommandEffects(
            (memory, MemoryUse.known(reduced, reduced)),
            ordered=ordered,
            follows=ordered,
            kernel=kernel,
            after=self._events(each for each in events if self._reduced(each) is None),
        )

    def _pointers(self, kernel: Lambda) -> dict[str, Thing] | None:
        """The pointers that a kernel names; ``None`` where it may come to memory by what has pointers in it."""
        scope = self._scope
        leading = scope.code.leading(kernel) if not (kernel.damaged or scope.arguments) else None
        if leading is None:
            return None
        names, outside = leading
        things = scope.state.things
        found = {each: things[each] for each in names & things.keys()}
        found |= {name: thing for name in outside - found.keys() if (thing := scope.outside_function(name)) is not None}
        for each in found.values():
            if each.kind is Kind.CONTAINER or scope.has_pointers(each):
                return None
        return {name: each for name, each in found.items() if each.kind is Kind.POINTER}

    def _containers(self, kernel: Lambda, place: Place) -> Iterator[Ref]:
        """Containers with memory of the host that a kernel has a copy of, and uses: the copy is the host's too."""
        if kernel.damaged or kernel.default == "&":
            return
        things = self._scope.state.things
        touched = self._scope.code.mod_ref(kernel, place)
        named = {first for first, *members in touched.reads | touched.writes if not members}
        used = [things[name] for name in sorted(things.keys() & named)]
        referred = [each.name for each in kernel.captures if each.by_reference or each.value is not None]
        for each in used:
            if each.kind is Kind.CONTAINER and each.name not in referred and self._allocates(each):
                yield Ref(each)

    def _allocates(self, container: Thing) -> bool:
        """Whether a container is one of the C++ library, and its elements are not in itself."""
        name = self._scope.evaluator.types.kind(container.written.name).name if container.written is not None else None
        if name is None or name.last not in _ALLOCATING:
            return False
        return name.qualifier in ("std", "::std") or (not name.qualifier and "std" in self._scope.facts.using)

    def _lambda(self, kernel: Expr) -> tuple[Lambda | None, Place]:
        """The lambda that a kernel is, or that a variable holds, and what is around it."""
        place = self._scope.place
        if isinstance(kernel, Name):
            found = self._scope.thing(kernel)
            return (found.closure, found.closure_place or place) if found is not None else (None, place)
        return kernel if isinstance(kernel, Lambda) else None, place

    def _reduced(self, argument: Expr) -> Ref | None:
        """The memory in which ``sycl::reduction(pointer, …)``, or a variable made from it, leaves its result."""
        if isinstance(argument, Name):
            found = self._scope.thing(argument)
            return found.target if found is not None and found.kind is Kind.REDUCTION else None
        return self._scope.declarations.reduced(argument)

    def kernel(self, kernel: Expr) -> tuple[tuple[Ref, ...], tuple[Ref, ...]]:
        """Memory that a kernel writes and reads through pointers it has captured or was given."""
        scope = self._scope
        match kernel:
            case Lambda():
                return self._of_lambda(kernel, scope.place)
            case Name():
                found = scope.thing(kernel)
                if found is not None and found.closure is not None:
                    with scope.where_made(found):
                        return self._of_lambda(found.closure, found.closure_place or scope.place)
            case Call(function=Name() as kind, arguments=given) | Brace(type=Name() as kind, elements=given):
                struct = scope.evaluator.types.kind(kind).struct
                made = initialization(scope.evaluator.symbols, struct, given) if struct is not None else None
                if struct is not None and made is not None:
                    return self._refs(self._of_object(struct), made.kept)
        return (), ()

    def _of_lambda(self, kernel: Lambda, place: Place) -> tuple[tuple[Ref, ...], tuple[Ref, ...]]:
        if kernel.damaged:
            return (), ()
        given = {each.name: each.value for each in kernel.captures if each.value is not None}
        return self._refs(self._scope.code.mod_ref(kernel, place), given, free=True)

    def _of_object(self, struct: Declared[Struct]) -> ModRef:
        """What the one call operator of a function object does with the members of its class."""
        symbols = self._scope.evaluator.symbols
        found = [each for each in symbols.methods("operator()", symbols.scope_of(struct)) if each.node.body is not None]
        if len(found) != 1 or found[0].node.damaged:
            return ModRef()
        return self._mod_refs.of(self._bodies.of(found[0].node, found[0].place))

    def _refs(
        self, touched: ModRef, given: dict[str, Expr], *, free: bool = False
    ) -> tuple[tuple[Ref, ...], tuple[Ref, ...]]:
        return tuple(self._each(touched.writes, given, free=free)), tuple(self._each(touched.reads, given, free=free))

    def _each(self, paths: Iterable[Path], given: dict[str, Expr], *, free: bool) -> Iterator[Ref]:
        for first, *members in sorted(paths):
            value = given.get(first)
            if value is None and free:
                value = Name(first, None, None, 0, 0)
            if value is None:
                continue
            for member in members:
                value = Member(value, member, None, 0, 0)
            found = self._scope.thing(value)
            if found is not None and found.kind is not Kind.POINTER:
                # An array or an object is captured with what it holds.
                continue
            ref = self._scope.memory(value)
            if ref is not None:
                yield _by_indices(ref)

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
        kernel = found.kernels[0] if len(found.kernels) == 1 else None
        return found.effects._replace(kernel=kernel)

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
                    before = found.effects
                    found.effects = before._replace(memory=before.memory + effects.memory)
                    found.kernels.append(effects.kernel)
                    # Between a range and a kernel stand reductions and properties: a handler takes no events.
                    return
                if method in ("depends_on", "host_task", "require", "ext_codeplay_enqueue_native_command"):
                    before, depends = found.effects, method == "depends_on"
                    events = self._events(arguments) if depends else None
                    found.effects = before._replace(
                        after=(*before.after, *events) if events is not None and before.after is not None else None,
                        ordered=True,
                        follows=before.follows or depends,
                        tells=before.tells or (method == "host_task" and any(map(_tells, arguments))),
                    )
            case Call(arguments=arguments):
                if any(isinstance(each, Name) and each.text == found.handler for each in arguments):
                    self._access(node, found)
            case Lambda():
                return
        for child in children(node):
            self._visit(child, found)

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
        self.kernels: list[Lambda | None] = []

    def accessed(self, buffer: Thing, mode: Mode) -> None:
        """An accessor of ``buffer`` is made."""
        self.effects = self.effects._replace(buffers=(*self.effects.buffers, (buffer, mode is Mode.WRITES)))


def _moving(written: Ref | None, read: Ref | None) -> MemoryUse:
    """What a copy or a filling does."""
    return MemoryUse.known((written,) if written is not None else (), (read,) if read is not None else ())


def _used_by(kernel: Lambda, place: Place, pointers: Mapping[str, Thing], code: CodeIndex) -> MemoryUse:
    """What a kernel does to memory that it comes to by ``pointers`` alone."""
    refs = {name: _by_indices(settled(Ref(each))) for name, each in pointers.items()}

    def work_out() -> Touched:
        touched = code.mod_ref(kernel, place)
        paths = (sorted(touched.writes), sorted(touched.reads))
        writes, reads = (tuple(refs[each[0]] for each in found if each[0] in refs and not each[1:]) for found in paths)
        return Touched(writes, reads, (*writes, *reads))

    return MemoryUse((ref.thing for ref in refs.values()), work_out)


def _by_indices(ref: Ref) -> Ref:
    """Memory of a kernel: which elements of a part it uses, its indices say."""
    return ref if ref.begins is None else Ref(ref.thing, ref.whole)


def _tells(task: Expr) -> bool:
    """Whether a host task may signal that it has run: it sets a variable, or calls a method."""
    for each in walk(task):
        match each:
            case Assign() | Increment():
                return True
            case Call(function=Member(name=name)) if name not in CONTAINER_QUIET | ELEMENTS:
                return True
    return False
