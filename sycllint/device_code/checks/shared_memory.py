"""What a kernel does with local memory that the rules judge: one walk, several looks at what it recorded."""

from collections.abc import Iterable, Iterator

from sycllint.cpp.expression import Assign, Call, Expr, Index, Lambda, Name, Number, Type, Unary
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Damaged, Function, Include, Macro, Variable
from sycllint.device_code.bodies.reading import DeviceFunction, is_accessor
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
MAX_IN_PLACE = 300
"""Instructions of a kernel that is looked through for arrays changed in place alone."""
_MAX_DEPTH = 4
"""Calls that a pointer is followed through, and classes in each other that are looked into."""
_SCOPES = (b"::work_group", b"_work_group", b"::sub_group", b"_sub_group")
_Seen = dict[Lambda | Function | DeviceFunction, dict[tuple[object, ...], tuple[object, ...]]]
_passes: Memo[_Seen] = Memo(lambda _: {})


def shared_memory(code: KernelCode) -> Iterable[object]:
    """Records of one kernel; none at once for a kernel without visible shared memory."""
    changes = ((body, each) for body in code.lowered for each in body.at(ops.UPDATE, ops.WRITE))
    if not (
        _shares(code)
        or _may_be_narrow(code)
        or _may_be_in_place(code)
        or any(_is_sum(code, body, each) for body, each in changes)
    ):
        return ()
    shapes = _passes.of(code.evaluator).setdefault(code.instance, {})
    key = _shape(code)
    if key not in shapes:
        shapes[key] = next(reversed(shapes.values())) if len(shapes) >= MAX_CONTEXTS else tuple(_records(code))
    return shapes[key]


def _shares(code: KernelCode) -> bool:
    return bool(code.local or code.scan.local or code.scan.barriers)


def _may_be_narrow(code: KernelCode) -> bool:
    """Whether an atomic may have the scope of a group."""
    return code.mentions(b"atomic_ref") and any(code.mentions(b"memory_scope" + each) for each in _SCOPES)


def _may_be_in_place(code: KernelCode) -> bool:
    """Whether a kernel of few instructions may read what its work-items write."""
    bodies = code.lowered
    return sum(len(each.op) for each in bodies) <= MAX_IN_PLACE and any(_is_in_place(code, each) for each in bodies)


def _is_in_place(code: KernelCode, body: Body) -> bool:
    """Whether a function writes elements of an array from outside of which it also reads others."""
    written: dict[object, set[str | None]] = {}
    changed = [body.a[each] for each in body.at(ops.WRITE, ops.UPDATE)]
    for array, element, _ in _elements(body, changed):
        written.setdefault(array, set()).add(element)
    # What is too long to be spelled may be another element; what a method refers to is read without more ado.
    places = (*(body.a[each] for each in body.at(ops.READ)), *body.at(ops.CALL)) if written else ()
    read = _elements(body, places)
    found = {
        array: place for array, element, place in read if array in written and written[array] - {None} != {element}
    }
    return any(not _is_own(code, body, place) for place in found.values())


def _elements(body: Body, places: Iterable[int]) -> Iterator[tuple[Local | str, str | None, int]]:
    """The arrays, from outside a function, that some places are elements of: these as written.

    Through pointers of the function, and through methods of objects that may give a reference.
    """
    for place in map(body.referred, places):
        code, node = body.op[place], body.node[place]
        array = body.root(body.a[place] if code == ops.CALL else place)
        if code not in (ops.ELEM, ops.DEREF, ops.CALL) or array is None:
            continue
        if isinstance(array, Local) and array.storage is Storage.VARIABLE and not (array.type and array.type.pointers):
            continue
        yield array, spelled(node) if isinstance(node, Index | Unary | Call) else None, place


def _is_sum(code: KernelCode, body: Body, position: int) -> bool:
    """Whether a place that other work-items may have, too, is read, changed and written: only then is there a sum."""
    target, node = body.referred(body.a[position]), body.node[position]
    if isinstance(node, Assign) and node.operator == "=" and not _is_mentioned(node.left, node.right):
        return False
    in_macro = body.is_in_macro(position) or body.is_in_macro(target)
    if body.op[target] == ops.READ:
        target = body.a[target]
    if body.op[target] == ops.FIELD and body.op[body.a[target]] == ops.ELEM:
        target = body.a[target]
    if body.op[target] in (ops.ELEM, ops.CALL):
        number = body.extra[target]
        indices = body.lists[number] if number != ops.NONE else (body.b[target],)
        is_plain = all(isinstance(body.node[each], Number | Name | Index) or body.is_in_macro(each) for each in indices)
    else:
        is_handed = body.op[target] == ops.LOAD and body.function is not code.function
        is_plain = body.op[target] in (ops.FIELD, ops.DEREF) or is_handed or in_macro
    return is_plain and not _is_own(code, body, target)


def _is_set(body: Body, slot: int) -> bool:
    """Whether a variable may be set after it is declared."""
    return bool(body.lambdas) or any(body.a[each] == slot for each in body.at(ops.STORE, ops.ADDR_LOCAL))


def _is_own(code: KernelCode, body: Body, place: int, depth: int = 0) -> bool:
    """Whether a place is surely part of a variable of the work-item, ``float sums[4];``, or is where calls lead to one.

    A pointer or reference that a function takes leads where each of its calls in the kernel says.
    """
    local = body.root(place)
    if not isinstance(local, Local) or local.type is None:
        return False
    if local.storage is Storage.VARIABLE:
        return _holds_numbers(code, local.type, body.place)
    slot = body.locals.index(local) if local.storage is Storage.PARAMETER and depth < _MAX_DEPTH else None
    if slot is None or _is_set(body, slot):
        return False
    handed = tuple(_handed(code, body, slot))
    return bool(handed) and all(given is not None and _is_own(code, *given, depth + 1) for given in handed)


def _handed(code: KernelCode, body: Body, slot: int) -> Iterator[tuple[Body, int] | None]:
    """What each call of a function in the kernel gives to a parameter; ``None`` for one that may be another's."""
    name = body.function.name.rpartition("::")[2] if isinstance(body.function, Function) else ""
    for caller in code.bodies:
        edges = {(each.body, each.position): each for each in code.graph.calls(caller.lowered)}
        for part in caller.lowered.whole():
            for position in part.at(ops.CALL):
                edge = edges.get((part, position))
                arguments = part.list(position)
                if edge is not None and edge.target is body:
                    yield (part, arguments[slot]) if slot < len(arguments) else None
                elif edge is None and part.called(position) == name:
                    yield None


def _holds_numbers(code: KernelCode, kind: Type, place: Place, depth: int = 0) -> bool:
    """Whether an object is a number, or has nothing but such in it."""
    resolved = code.evaluator.types.kind(kind.name, place)
    if kind.pointers or kind.reference or resolved.struct is None:
        return resolved.is_number and not (kind.pointers or kind.reference)
    node, inside = resolved.struct.node, Place(resolved.struct.node.members, resolved.struct.place)
    is_plain = depth < _MAX_DEPTH and not (node.template_parameters or node.bases)
    return is_plain and all(_holds_numbers(code, each.type, inside, depth + 1) for each in node.variables)


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
    from sycllint.device_code.checks.global_use import beside_atomics, narrow_atomics, overwrites, sums, weak_fences
    from sycllint.device_code.checks.local_layout import layout
    from sycllint.device_code.checks.local_use import uses
    from sycllint.device_code.races.barrier_intervals import Intervals, exchanges
    from sycllint.device_code.races.collision_solver import collision_solver
    from sycllint.device_code.races.in_place import in_place

    geometry = code.geometry
    if code.local:
        yield from _captured(code)
    trace = walked(code)
    if trace is None:
        return
    accesses = accesses_of(trace)
    yield from sums(accesses, geometry)
    if not code.scan.barriers:
        yield from beside_atomics(accesses, geometry)
    yield from narrow_atomics(accesses, geometry)
    yield from in_place(trace.events, accesses, geometry)
    if not _shares(code):
        return
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
    # What the use of a macro gives for its parameters is part of the kernels in its text.
    is_partial = any(isinstance(each, Macro) and each.parameters for each in code.place.chain())
    for array in code.local:
        if not array.is_accessor or array.name in own:
            # The kernel gives the name another meaning.
            continue
        name = names.get(array.name)
        if name is not None:
            yield Captured(array, file.location(name.start, name.end))
        elif (
            not is_partial
            and is_accessor(code.evaluator, array.name, code.place, function.start)
            and not any(array.name in text for text in macros)
        ):
            yield Captured(array, None)
