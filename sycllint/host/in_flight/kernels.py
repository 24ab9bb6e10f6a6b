"""Kernels of commands: the memory that they use, by themselves and through the function objects that they call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial, reduce

from sycllint.cpp.expression import Brace, Call, Expr, Lambda, Member, Name
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Struct
from sycllint.dataflow.mod_ref import ModRef, Path, mod_refs
from sycllint.facts.file import Declared
from sycllint.host.scopes.code_index import CodeIndex
from sycllint.host.scopes.scope import FunctionScope
from sycllint.host.scopes.things import BoundKernel, Kind, MemoryUse, Ref, Thing, Touched, settled
from sycllint.ir.bodies import bodies
from sycllint.record import replace
from sycllint.source.span import Location
from sycllint.symbols.initialization import initialization

_MAX_DEPTH = 4
"""How many function objects, each called by the one before, are looked into."""
NOTHING = MemoryUse.known()
_ALLOCATING = frozenset({"vector", "string", "basic_string"})
"""Containers whose elements are not in themselves."""


class BoundKernels:
    """Kernels at the place where ``scope`` is."""

    def __init__(self, scope: FunctionScope) -> None:
        self._scope = scope
        self._bodies = bodies.of(scope.evaluator)
        self._mod_refs = mod_refs.of(scope.evaluator)

    def of(self, kernel: Expr) -> BoundKernel | None:
        """The kernel that an expression is: a lambda, a function object, or a variable that holds one."""
        named = self._named(kernel) if isinstance(kernel, Lambda) else None
        if named is None:
            return self._followed(kernel, (), _MAX_DEPTH)
        assert isinstance(kernel, Lambda)
        scope = self._scope
        memory: dict[Path, Ref] = {}
        for name, each in named.items():
            if each.kind is Kind.POINTER:
                memory[name,] = settled(Ref(each))
        use = _used_by(kernel, scope.place, memory, scope.code)
        return BoundKernel(kernel, scope.place, use, memory, named, scope.chain, {}, scope.number(kernel))

    def _named(self, kernel: Lambda) -> dict[str, Thing] | None:
        """What a kernel names; ``None`` where it may come to memory by more than the pointers among that."""
        scope = self._scope
        leading = scope.code.leading(kernel) if not (kernel.damaged or scope.arguments) else None
        if leading is None:
            return None
        names, outside = leading
        things = scope.state.things
        found = {each: things[each] for each in names & things.keys()}
        found |= {name: thing for name in outside - found.keys() if (thing := scope.outside_function(name)) is not None}
        for each in found.values():
            if each.kind is Kind.CONTAINER or each.closure is not None or scope.has_pointers(each):
                return None
        return found

    def _followed(self, kernel: Expr, handed: Sequence[Ref | None], depth: int) -> BoundKernel | None:
        """A kernel, or a function object that one calls and hands memory to."""
        scope = self._scope
        match kernel:
            case Lambda():
                return self._of_lambda(kernel, handed, depth, scope.chain)
            case Call(function=Name() as kind, arguments=given) | Brace(type=Name() as kind, elements=given):
                struct = scope.evaluator.types.kind(kind, scope.place).struct
                made = initialization(scope.evaluator.symbols, struct, given) if struct is not None else None
                if struct is not None and made is not None:
                    return self._of_object(kernel, struct, made.kept, made.kept.get, handed, depth)
        found = scope.thing(kernel)
        if found is not None and found.closure is not None:
            with scope.where_made(found):
                return self._of_lambda(found.closure, handed, depth, scope.chain[: found.closure_depth])
        written = found.written if found is not None and found.kind is not Kind.POINTER else None
        struct = scope.evaluator.types.kind(written.name, scope.place).struct if written is not None else None
        if struct is None:
            return None
        return self._of_object(kernel, struct, {}, partial(_member, kernel), handed, depth)

    def _of_lambda(
        self, kernel: Lambda, handed: Sequence[Ref | None], depth: int, home: tuple[Location, ...]
    ) -> BoundKernel | None:
        """A lambda that stands in the function which the calls ``home`` lead to."""
        if kernel.damaged:
            return None
        scope = self._scope
        values = {each.name: each.value for each in kernel.captures if each.value is not None}
        things = scope.state.things
        named = scope.names.of(kernel)
        names = {each: things[each] for each in named & things.keys()}
        outside_names = sorted(named - names.keys())
        names |= {each: found for each in outside_names if (found := scope.outside_function(each)) is not None}
        touched = scope.code.mod_ref(kernel, scope.place)
        made = BoundKernel(kernel, scope.place, NOTHING, {}, names, home, values, scope.number(kernel))

        def outside(name: str) -> Expr:
            return values[name] if name in values else Name(name, None, None, 0, 0)

        return self._kernel(made, touched, outside, handed, self._containers(kernel), depth)

    def _of_object(
        self,
        kernel: Expr,
        struct: Declared[Struct],
        values: Mapping[str, Expr],
        member: Callable[[str], Expr | None],
        handed: Sequence[Ref | None],
        depth: int,
    ) -> BoundKernel | None:
        """A function object by its one call operator; ``member`` says what a member is outside."""
        scope, symbols = self._scope, self._scope.evaluator.symbols
        found = [each for each in symbols.methods("operator()", symbols.scope_of(struct)) if each.node.body is not None]
        if len(found) != 1 or found[0].node.damaged:
            return None
        (operator,) = found
        things = scope.state.things
        named = frozenset().union(*map(scope.names.of, values.values())) & things.keys()
        touched = self._mod_refs.of(self._bodies.of(operator.node, operator.place))
        names = {each: things[each] for each in named}
        made = BoundKernel(operator.node, operator.place, NOTHING, {}, names, None, values, scope.number(kernel))
        return self._kernel(made, touched, member, handed, (), depth)

    def _kernel(
        self,
        made: BoundKernel,
        touched: ModRef,
        outside: Callable[[str], Expr | None],
        handed: Sequence[Ref | None],
        containers: Iterable[Ref],
        depth: int,
    ) -> BoundKernel:
        """``made`` with its memory and the functions that it calls; ``outside`` says what a name is around it."""
        parameters = [each.name for each in made.function.parameters]
        given = dict(zip(parameters, handed, strict=False))

        def found(path: Path) -> Expr | None:
            first, *members = path
            value = outside(first) if first not in parameters else None
            return reduce(_member, members, value) if value is not None else None

        def memory_of(path: Path) -> Ref | None:
            value = found(path)
            return given.get(path[0]) if value is None and len(path) == 1 else self._memory(value)

        memory = {path: ref for path in sorted(touched.writes | touched.reads) if (ref := memory_of(path)) is not None}
        called: list[tuple[Path, BoundKernel]] = []
        for path, paths in sorted(touched.calls, key=str) if depth else ():
            value = found(path)
            refs = [memory_of(each) if each else None for each in paths]
            inner = self._followed(value, refs, depth - 1) if value is not None else None
            if inner is not None:
                called.append((path, inner))
        inside = [each.use.touched for _, each in called]
        reads, writes = (tuple(memory[each] for each in sorted(paths) if each in memory) for paths in touched[:2])
        writes += tuple(ref for each in inside for ref in each.writes)
        reads += tuple(ref for each in inside for ref in each.reads)
        use = MemoryUse.known(
            writes, reads, (*writes, *reads, *containers, *(r for each in inside for r in each.by_kernel))
        )
        return replace(made, use=use, memory=memory, called=tuple(called))

    def _memory(self, value: Expr | None) -> Ref | None:
        """The memory of the host's side that a name in a kernel leads to."""
        found = self._scope.thing(value) if value is not None else None
        if value is None or (found is not None and found.kind is not Kind.POINTER):
            # An array or an object is captured with what it holds.
            return None
        return self._scope.memory(value)

    def _containers(self, kernel: Lambda) -> Iterator[Ref]:
        """Containers with memory of the host that a kernel has a copy of, and uses: the copy is the host's too."""
        if kernel.default == "&":
            return
        things = self._scope.state.things
        touched = self._scope.code.mod_ref(kernel, self._scope.place)
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


def _member(value: Expr, name: str) -> Expr:
    return Member(value, name, None, 0, 0)


def _used_by(kernel: Lambda, place: Place, memory: Mapping[Path, Ref], code: CodeIndex) -> MemoryUse:
    """What a kernel does to memory that it comes to by pointers alone."""

    def work_out() -> Touched:
        touched = code.mod_ref(kernel, place)
        own = {each.name for each in kernel.parameters}
        paths = (sorted(touched.writes), sorted(touched.reads))
        writes, reads = (
            tuple(memory[each] for each in found if each in memory and each[0] not in own) for found in paths
        )
        return Touched(writes, reads, (*writes, *reads))

    return MemoryUse((ref.thing for ref in memory.values()), work_out)
