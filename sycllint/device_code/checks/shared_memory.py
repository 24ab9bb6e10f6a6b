"""What a kernel does with local memory that the rules judge: one walk, several looks at what it recorded."""

from collections.abc import Iterable, Iterator

from sycllint.cpp.expression import Assign, Expr, Lambda, Name, Number
from sycllint.cpp.node import walk
from sycllint.cpp.statement import Damaged, Function, Include, Variable
from sycllint.device_code.bodies.reading import is_accessor
from sycllint.device_code.code import KernelCode, LocalArray
from sycllint.device_code.spelling import spelled
from sycllint.ir import ops
from sycllint.ir.body import Body, Local, Storage
from sycllint.record import record
from sycllint.source.span import Location
from sycllint.values.memory import Memo
from sycllint.values.value import known

MAX_CONTEXTS = 3
"""Shapes of one kernel's launches in which it is looked at; beyond them it is taken to do what it does in the last."""
_Seen = dict[Lambda | Function, dict[tuple[object, ...], tuple[object, ...]]]
_passes: Memo[_Seen] = Memo(lambda _: {})


def shared_memory(code: KernelCode) -> Iterable[object]:
    """Records of one kernel; none at once for a kernel without visible shared memory."""
    shares = bool(code.local or code.scan.local or code.scan.barriers)
    if not shares and not _may_sum(code):
        return ()
    shapes = _passes.of(code.evaluator).setdefault(code.function, {})
    key = _shape(code)
    if key not in shapes:
        shapes[key] = next(reversed(shapes.values())) if len(shapes) >= MAX_CONTEXTS else tuple(_records(code))
    return shapes[key]


def _may_sum(code: KernelCode) -> bool:
    """Whether there is an update of an element with a plain index: all that ``global_use.sums`` could report."""
    return any(_is_sum(code, body, each) for body in code.lowered for each in body.at(ops.UPDATE, ops.WRITE))


def _is_sum(code: KernelCode, body: Body, position: int) -> bool:
    """Whether a place that other work-items may have, too, is read, changed and written."""
    target, node = body.a[position], body.node[position]
    if isinstance(node, Assign) and node.operator == "=" and not _is_mentioned(node.left, node.right):
        return False
    in_macro = body.is_in_macro(position) or body.is_in_macro(target)
    if body.op[target] == ops.READ:
        target = body.a[target]
    if body.op[target] == ops.FIELD and body.op[body.a[target]] == ops.ELEM:
        target = body.a[target]
    if body.op[target] == ops.ELEM:
        number = body.extra[target]
        indices = body.lists[number] if number != ops.NONE else (body.b[target],)
        is_plain = all(isinstance(body.node[each], Number | Name) or body.is_in_macro(each) for each in indices)
    else:
        is_plain = body.op[target] in (ops.FIELD, ops.DEREF) or in_macro
    return is_plain and not _is_own(code, body, target)


def _is_own(code: KernelCode, body: Body, place: int) -> bool:
    """Whether a place is surely part of a variable of the work-item: ``float sums[4];``."""
    local = body.root(place)
    if not isinstance(local, Local) or local.storage is not Storage.VARIABLE or local.type is None:
        return False
    kind = local.type
    resolved = code.evaluator.types.kind(kind.name, body.place)
    return not (kind.pointers or kind.reference) and resolved.is_number


def _is_mentioned(element: Expr, value: Expr) -> bool:
    text = spelled(element)
    return text is not None and any(spelled(each) == text for each in walk(value) if type(each) is type(element))


def _shape(code: KernelCode) -> tuple[object, ...]:
    """What two launches of one kernel must differ in to be looked at one by one."""
    geometry = code.geometry
    extents = (*(geometry.whole or ()), None, *(geometry.local or ()), geometry.sub_group_size)
    return (*map(known, extents), *(known(each.count) for each in code.local))


def _records(code: KernelCode) -> Iterator[object]:
    from sycllint.device_code.access_trace.trace import accesses_of
    from sycllint.device_code.access_trace.tracing import walked
    from sycllint.device_code.checks.global_use import overwrites, sums, weak_fences
    from sycllint.device_code.checks.local_layout import layout
    from sycllint.device_code.checks.local_use import uses
    from sycllint.device_code.races.barrier_intervals import Intervals, exchanges
    from sycllint.device_code.races.collision_solver import collision_solver

    geometry = code.geometry
    if code.local:
        yield from _captured(code)
    trace = walked(code)
    if trace is None:
        return
    accesses = accesses_of(trace)
    yield from sums(accesses, geometry)
    if code.scan.barriers and not (code.local or code.scan.local):
        from sycllint.device_code.checks.idle_barriers import idle_fences

        yield from idle_fences(trace, geometry.dims)
    solver = collision_solver(geometry, accesses)
    if solver is None:
        return
    yield from Intervals(solver, trace.events).conflicts()
    yield from uses(accesses, solver, geometry)
    yield from layout(accesses, solver, geometry)
    if solver.width_known:
        from sycllint.device_code.checks.within_sub_groups import within_sub_groups

        yield from within_sub_groups(accesses, solver)
    yield from weak_fences(trace.events, solver)
    yield from overwrites(accesses, geometry)
    if code.scan.barriers:
        yield from exchanges(solver, trace.events, accesses)


@record
class Captured:
    """A local accessor of the launch, and where the kernel first names it; ``None`` when it never does."""

    array: LocalArray
    named: Location | None


def _captured(code: KernelCode) -> Iterator[Captured]:
    """The local accessors with a name of their own, for a kernel that is a lambda."""
    function = code.function
    if not isinstance(function, Lambda):
        return
    facts = code.evaluator.facts
    nodes = tuple(walk(function))
    if function.damaged or any(isinstance(each, Include | Damaged) for each in nodes):
        return
    file = facts.file_at(code.place)
    names = {each.text: each for each in nodes if isinstance(each, Name)}
    macros = [each.node.text for name in names if name in facts.macros for each in facts.macros.get(name)]
    own = {each.name for each in nodes if isinstance(each, Variable)}
    for array in code.local:
        if not array.is_accessor or array.name in own:
            # The kernel gives the name another meaning.
            continue
        name = names.get(array.name)
        if name is not None:
            yield Captured(array, file.location(name.start, name.end))
        elif is_accessor(code.evaluator, array.name, code.place, function.start) and not any(
            array.name in text for text in macros
        ):
            yield Captured(array, None)
