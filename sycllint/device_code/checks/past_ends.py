"""Indices of arrays in global memory that no element has: ``a[id + 1]`` in the last work-item, ``a[group * size]``."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice, product
from math import lcm

from sycllint.cpp.expression import Binary, Expr, Index, Member, Name
from sycllint.device_code.access_trace.terms import Atom, AtomKind, Operation, Term, atoms, slope
from sycllint.device_code.access_trace.trace import Access, MemoryObject, Space, Trace, accesses_of
from sycllint.device_code.access_trace.tracing import walked
from sycllint.device_code.affine.indexing import same
from sycllint.device_code.bodies.instruction_index import Spot
from sycllint.device_code.bodies.reading import DeviceFunction
from sycllint.device_code.checks.bounds import is_guarded, unguarded_accesses
from sycllint.device_code.checks.host_arrays import allocation, given_value
from sycllint.device_code.checks.local_use import first_outside, is_exact, possible_ids, stays
from sycllint.device_code.code import Geometry, KernelCode
from sycllint.device_code.once import kept_per_function
from sycllint.device_code.races.collision_solver import CollisionSolver
from sycllint.device_code.races.sampled_groups import Lane, sampled
from sycllint.grouping import grouped
from sycllint.record import record, replace
from sycllint.source.span import Location
from sycllint.values.examples import Example, examples
from sycllint.values.objects import Allocation, Instance, Point, Result
from sycllint.values.side_effects.callees import SCALARS
from sycllint.values.value import Known, Symbolic, Unknown, Value, all_known

MAX_ITEMS = 64
"""Work-items for which an index is evaluated."""
MAX_INSTRUCTIONS = 1500
"""Of a kernel and what it calls: such as are generated have many more."""
_BOUNDS = frozenset({"<", "<=", ">", ">="})
_ANY_SIZE = 64
"""Of a group, where the runtime chooses."""
_UNKNOWN = Unknown("a member")
_MANY = 5
"""So many groups is what a number that is not known makes in the first example, and a half: it need be no multiple."""


@record
class PastEnd:
    """An element that does not exist."""

    array: str
    allocated: Location
    location: Location
    text: str
    index: int
    elements: int
    """Those of the array."""
    item: tuple[int, ...]
    """The global id of a work-item that accesses it."""
    group: tuple[int, ...] | None
    """Set where the index grows with the work-group otherwise than a global id does: a group that accesses such an
    element, in one dimension the first."""
    whole: tuple[int, ...]
    """The global range of the launch."""
    local: tuple[int, ...]
    """Its local range; the same as the global one where the runtime chooses."""
    count: Value
    """Elements of the array."""
    given: tuple[tuple[str, int], ...] = ()
    """Numbers that are not known, and what they are in this example; in each one tried some index was too great."""


@record
class _Launch:
    """The ranges of a launch, as they are with some numbers."""

    whole: tuple[int, ...]
    local: tuple[int, ...]
    example: Example
    has_groups: bool
    """The kernel may ask for its group."""

    @property
    def groups(self) -> tuple[int, ...]:
        return tuple([items // size for items, size in zip(self.whole, self.local, strict=True)])

    def group_of(self, item: tuple[int, ...]) -> tuple[int, ...]:
        return tuple([at // size for at, size in zip(item, self.local, strict=True)])

    def lane_of(self, item: tuple[int, ...]) -> Lane:
        return tuple([at % size for at, size in zip(item, self.local, strict=True)])

    def item(self, group: tuple[int, ...], lane: Lane) -> tuple[int, ...]:
        return tuple([at * size + own for at, size, own in zip(group, self.local, lane, strict=True)])

    def atoms(self, trace: Trace) -> dict[Atom, int]:
        """What numbers in a kernel are that are known by this alone."""
        found = {Atom(AtomKind.GIVEN, key): self.example.parameter(each) for key, each in trace.parameters.items()}
        found |= {Atom(AtomKind.LOCAL_RANGE, dimension): each for dimension, each in enumerate(self.local)}
        found |= {Atom(AtomKind.GROUP_RANGE, dimension): each for dimension, each in enumerate(self.groups)}
        return {atom: number for atom, number in found.items() if number is not None}


def past_ends(code: KernelCode) -> Iterator[PastEnd]:
    """The first such access to each array, where every number is known, or for all that some numbers may be."""
    geometry = code.geometry
    whole = geometry.whole or ()
    if geometry.has_offset or not whole or not all(isinstance(each, Known | Symbolic) for each in whole):
        return
    is_known = all_known(whole) is not None
    if not is_known and not _may_exceed(code):
        return
    if sum(len(body.op) for body in code.lowered) > MAX_INSTRUCTIONS:
        return
    kinds = Known if is_known else Known | Symbolic
    made = [each.count for each in _allocations(code) if isinstance(each.count, kinds)]
    if not made or (not is_known and is_guarded(code) and not _is_array_s_end(code, made)):
        return
    launches = _launches(geometry, made)
    if not launches:
        return
    if code.geometry.local is None:
        # A kernel that cannot ask for its group does the same in one group as in many.
        code = replace(code, geometry=replace(code.geometry, local=code.geometry.whole))
    trace = walked(code)
    if trace is None:
        return
    accesses = accesses_of(trace)
    first, *others = launches
    tried, rest = _Tried(first, trace, accesses), list[_Tried]()
    reported: set[MemoryObject] = set()
    arrays: dict[MemoryObject, Allocation | None] = {}
    for access in accesses:
        memory = access.memory
        if memory.space is not Space.GLOBAL or memory in reported or len(access.indices) != 1 or access.view:
            continue
        if memory not in arrays:
            arrays[memory] = allocation(code, code.bodies[0], *memory.given) if memory.given is not None else None
        array = arrays[memory]
        if array is None or not isinstance(array.count, kinds):
            continue
        found = tried.past_end(access, array)
        if found is None:
            continue
        rest = rest or [_Tried(each, trace, accesses) for each in others]
        if all(each.has_none(array) or each.past_end(access, array) for each in rest):
            reported.add(memory)
            if all(memory.name != each.array for each in unguarded_accesses(code)):
                yield found


class _Tried:
    """A kernel in one launch."""

    def __init__(self, launch: _Launch, trace: Trace, accesses: Sequence[Access]) -> None:
        self._launch = launch
        self._given = launch.atoms(trace)
        self._solver = CollisionSolver((sampled(launch.local),), certain=True, width_known=False)
        last = tuple([each - 1 for each in launch.groups])
        self._possible = possible_ids(accesses, launch.local, last)
        self._possible |= {atom: (number, number) for atom, number in self._given.items()}

    def has_none(self, array: Allocation) -> bool:
        """Whether an array has no elements: then it is of no use, and no such launch is meant."""
        return self._launch.example.number(array.count) == 0

    def past_end(self, access: Access, array: Allocation) -> PastEnd | None:
        """The access, if some work-item has an index that no element has."""
        launch = self._launch
        count = launch.example.number(array.count)
        if not count or stays(access.indices[0], count, self._possible) or not is_exact(access, self._given):
            return None
        sample = self._solver.samples[0]
        items = ((launch.group_of(each), launch.lane_of(each)) for each in self._work_items(access))
        for group, lanes in grouped(items).items():
            index, _, lane = first_outside(access, (count,), self._solver, sample.of(lanes), group, self._given)
            if index is not None:
                first = None
                if launch.has_groups and _goes_by_group(access, launch.local):
                    index, first = self._in_first_group(access, count, index, group)
                place = (access.memory.name, array.location, access.location, access.text)
                item = launch.item(group, lane)
                shape = (launch.whole, launch.local)
                return PastEnd(*place, index, count, item, first, *shape, array.count, launch.example.read)
        return None

    def _work_items(self, access: Access) -> Iterator[tuple[int, ...]]:
        """Global ids at the ends of the range, of its first and its last group, and at the numbers in conditions."""
        launch, numbers = self._launch, set[int]()
        for guard in access.guards:
            if guard.term is not None:
                numbers.update(_numbers(guard.term))
                numbers.update(self._given[each] for each in atoms(guard.term) if each in self._given)
        asked = {*numbers, *(each - 1 for each in numbers)}
        sides = (
            {0, size - 1, end - size, end - 1, *asked} for end, size in zip(launch.whole, launch.local, strict=True)
        )
        inside = [sorted(each for each in one if 0 <= each < end) for one, end in zip(sides, launch.whole, strict=True)]
        return islice(product(*inside), MAX_ITEMS)

    def _in_first_group(
        self, access: Access, count: int, index: int, group: tuple[int, ...]
    ) -> tuple[int, tuple[int, ...]]:
        """The first group with such an index, in one dimension, and that, where ``group`` has ``index``."""
        if len(group) > 1:
            return index, group
        below, above = 0, group[0]
        while below < above:
            middle, sample = (below + above) // 2, self._solver.samples[0]
            inner, _, _ = first_outside(access, (count,), self._solver, sample, (middle,), self._given)
            if inner is None:
                below = middle + 1
            else:
                above, index = middle, inner
        return index, (above,)


def _launches(geometry: Geometry, made: Sequence[Value]) -> list[_Launch]:
    """The launch with its numbers, or in examples of those that are not known, which are to agree."""
    whole, local = geometry.whole or (), all_known(geometry.local or ())
    if local is None or 0 in local or len(local) not in (0, len(whole)):
        return []
    size = lcm(*local) if local else _ANY_SIZE
    for usual in (_MANY * size + size // 2, _MANY * size):
        found = [_launch(whole, local, each) for each in examples((*whole, *made), usual, size)]
        launches = [each for each in found if each is not None]
        if launches:
            return launches
    return []


def _launch(whole: Sequence[Value], local: tuple[int, ...], example: Example) -> _Launch | None:
    """A launch with the numbers of an example; ``None`` where there is none of these ranges, or it is empty."""
    extents = [example.number(each) for each in whole]
    numbers = tuple([each for each in extents if each is not None and each > 0])
    groups = local or numbers
    if len(numbers) < len(extents) or any(items % size for items, size in zip(numbers, groups, strict=True)):
        return None
    return _Launch(numbers, groups, example, bool(local))


def _may_exceed(code: KernelCode) -> bool:
    """Whether a kernel without a guard subscripts with more than an id, or a guard may let one too many through."""
    if is_guarded(code):
        return bool(_including(code))
    subscripts = (each for body in code.bodies for each, _ in body.of(Index))
    return any(not isinstance(each.indices[0], Name) for each in subscripts if each.indices)


@kept_per_function
def _including(code: KernelCode) -> tuple[tuple[DeviceFunction, Spot[Binary]], ...]:
    """``id <= n``, ``id > n``: comparisons of ids with names that let what the name stands for through as well."""
    found: list[tuple[DeviceFunction, Spot[Binary]]] = []
    for body in code.bodies:
        for spot in body.operations(_BOUNDS):
            item, end = _sides(spot.node)
            if isinstance(end, Name | Member) and code.reading.mentions(body, item):
                found.append((body, spot))
    return tuple(found)


def _sides(asked: Binary) -> tuple[Expr, Expr | None]:
    """What is compared, and what it may be equal to."""
    match asked.operator:
        case "<=" | ">":
            return asked.left, asked.right
        case ">=" | "<":
            return asked.right, asked.left
        case _:
            return asked, None


def _is_array_s_end(code: KernelCode, made: Sequence[Value]) -> bool:
    """Whether what such a comparison lets through is the number of elements of an array."""
    for body, spot in _including(code):
        _, end = _sides(spot.node)
        limit = code.reading.value(end, spot.place, body.frame(code.evaluator.frame)) if end is not None else None
        if limit is not None and any(same(limit, each) for each in made):
            return True
    return False


def _allocations(code: KernelCode) -> Iterator[Allocation]:
    """What the host allocates for the pointers, accessors and objects that a kernel is given, as far as it is known."""
    kernel, start = code.bodies[0], code.function.start
    for each in sorted(kernel.spots.from_outside):
        name = Name(each, None, None, start, start)
        declared = code.evaluator.declarations.type_of(name, Point(code.place, start))
        if declared is None or (declared.name.text in SCALARS and not declared.pointers):
            continue
        yield from _led_to(code, given_value(code, kernel, name, code.place))


def _led_to(code: KernelCode, value: Result) -> Iterator[Allocation]:
    if isinstance(value, Allocation):
        yield value
    elif isinstance(value, Instance):
        members = code.evaluator.members
        for each in value.struct.node.variables:
            yield from _led_to(code, members.value(value, each.name) or _UNKNOWN)


def _numbers(term: Term) -> Iterator[int]:
    if isinstance(term, int):
        yield term
    elif isinstance(term, Operation):
        yield from chain.from_iterable(map(_numbers, term.operands))


def _goes_by_group(access: Access, local: tuple[int, ...]) -> bool:
    """Whether the index has the id of the group in it, and not as a global id has."""
    index = access.indices[0]
    assert index is not None
    groups = [each.key for each in atoms(index) if each.kind is AtomKind.GROUP and isinstance(each.key, int)]
    for dimension in groups:
        item, group = slope(index, Atom(AtomKind.LOCAL, dimension)), slope(index, Atom(AtomKind.GROUP, dimension))
        if item is None or group is None or group != item * local[dimension]:
            return True
    return False
