"""A launch with numbers in place of what is not known of it: what it would be if a parameter were 4."""

from collections.abc import Callable, Iterator, Mapping
from math import prod

from sycllint.launch.kernel import KernelLaunch, Range, Required
from sycllint.launch.memory import LocalMemory
from sycllint.record import replace
from sycllint.values.value import Known, Parameter, Symbolic, Unknown, Value, known

Fill = Callable[[Value], Value]
"""A value with numbers in place of parameters."""


def free_parameters(launch: KernelLaunch) -> tuple[Parameter, ...]:
    """The unknown numbers that ``launch`` depends on, each once.

    A number of which nothing is known but the reason has no ``text``.
    """
    atoms = {atom.key: atom for value in _values(launch) for atom in _atoms(value)}
    for value in _values(launch):
        if isinstance(value, Unknown):
            found = _parameter(value, atoms)
            atoms.setdefault(found.key, found)
    return tuple(atoms.values())


def assigned(launch: KernelLaunch, numbers: Mapping[str, int]) -> KernelLaunch:
    """``launch`` with ``numbers``, by the key of a parameter, put in; what still depends on others stays as it is."""
    return filled(launch, filling(launch, numbers))


def filled(launch: KernelLaunch, fill: Fill) -> KernelLaunch:
    """``launch`` with ``fill`` applied to each of its numbers; sizes that are products of known ones become known."""
    local = _range(launch.local_range, fill)
    size = None if launch.work_group_size is None else fill(launch.work_group_size)
    items = local.items if local is not None else None
    if size is not None and known(size) is None and items is not None:
        size = Known(items)
    return replace(
        launch,
        global_range=_range(launch.global_range, fill),
        local_range=local,
        work_group_size=size,
        sub_group_size=_required(launch.sub_group_size, fill),
        required_work_group=_range(launch.required_work_group, fill),
        register_count=_required(launch.register_count, fill),
        local_memory=memory_with(launch.local_memory, fill),
    )


def filling(launch: KernelLaunch, numbers: Mapping[str, int]) -> Fill:
    """How ``numbers`` are put into a value of ``launch``.

    An unknown number counts as the parameter that has its reason and place.
    """
    atoms = {atom.key: atom for value in _values(launch) for atom in _atoms(value)}

    def fill(value: Value) -> Value:
        match value:
            case Symbolic():
                number = at(value, numbers)
            case Unknown():
                number = numbers.get(_parameter(value, atoms).key)
            case _:
                return value
        return value if number is None else Known(number)

    return fill


def at(value: Value, numbers: Mapping[str, int]) -> int | None:
    """The number that ``value`` is for these parameters; ``None`` when it depends on others too."""
    match value:
        case Known(value=number):
            return number
        case Symbolic(terms=terms) if terms and all(atom.key in numbers for term in terms for atom in term.atoms):
            return sum(term.factor * prod(numbers[atom.key] for atom in term.atoms) for term in terms)
        case _:
            return None


def memory_with(memory: LocalMemory, fill: Fill) -> LocalMemory:
    """``memory`` with numbers put in: its total is known once all allocations are."""
    allocations = tuple(replace(each, count=fill(each.count), bytes=fill(each.bytes)) for each in memory.allocations)
    sizes = [size for each in allocations if (size := known(each.bytes)) is not None]
    total = fill(memory.total)
    if known(total) is None and allocations and len(sizes) == len(allocations):
        total = Known(sum(sizes))
    return LocalMemory(allocations, total, max(memory.at_least, sum(sizes)))


def is_alone(value: Value, parameter: Parameter) -> bool:
    """Whether ``value`` is ``parameter`` itself, of which nothing else is known, by its reason and place."""
    same = isinstance(value, Unknown) and (value.reason, value.location) == (parameter.reason, parameter.location)
    return same and parameter.location is not None


def _values(launch: KernelLaunch) -> Iterator[Value]:
    for extents in (launch.local_range, launch.global_range, launch.required_work_group):
        if extents is not None:
            yield from extents.extents
    for demand in (launch.sub_group_size, launch.register_count):
        if demand is not None:
            yield demand.value
    if launch.work_group_size is not None:
        yield launch.work_group_size
    for allocation in launch.local_memory.allocations:
        yield allocation.bytes
    if not launch.local_memory.allocations:
        yield launch.local_memory.total


def _atoms(value: Value) -> Iterator[Parameter]:
    if isinstance(value, Symbolic):
        for term in value.terms:
            yield from term.atoms


def _parameter(value: Unknown, atoms: Mapping[str, Parameter]) -> Parameter:
    for atom in atoms.values():
        if is_alone(value, atom):
            return atom
    return Parameter(f"{value.reason}@{value.location}", "", value.reason, value.location)


def _range(extents: Range | None, fill: Fill) -> Range | None:
    return None if extents is None else Range(tuple(map(fill, extents.extents)), extents.location)


def _required(demand: Required | None, fill: Fill) -> Required | None:
    return None if demand is None else Required(fill(demand.value), demand.location)
