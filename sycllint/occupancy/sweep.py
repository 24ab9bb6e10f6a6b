"""Occupancy as a function of the one parameter that a work-group size depends on.

Its legal values are those at which the launch fits the device: work-items and local memory within the limits, and, as
far as it is known, a global range of whole work-groups.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby, islice
from math import prod

from sycllint.errors import SycllintError
from sycllint.hardware.device import Device
from sycllint.launch.assign import at, filling, is_alone, memory_with
from sycllint.launch.kernel import KernelLaunch, Range
from sycllint.launch.memory import LocalMemory
from sycllint.occupancy.estimate import limit
from sycllint.occupancy.model import Demands, as_compiled, demands_of, register_demand, verdicts_of
from sycllint.occupancy.occupancy import Occupancy
from sycllint.record import record
from sycllint.values.value import Parameter, Symbolic, known

MAX_VALUES = 1024
"""Values that are tried, from the smallest possible on."""

_LISTED = 8
"""Shares that a line of text lists; of more, the best and the worst."""


@record
class SweepPoint:
    """The launch at one legal value of the parameter."""

    value: int
    work_group: int
    """Work-items."""
    occupancies: tuple[Occupancy, ...]
    """One per sub-group size at which it can run; empty when another number is missing."""

    @property
    def share(self) -> str:
        """The part of a core's thread contexts in use, in whole percents: ``57%``; ``57-100%`` over sub-group sizes."""
        ratios = [each.ratio for each in self.occupancies]
        if not ratios:
            return "?"
        least, most = f"{100 * min(ratios):.0f}", f"{100 * max(ratios):.0f}"
        return f"{most}%" if least == most else f"{least}-{most}%"


@record
class Refusal:
    """A value at which the launch does not fit the device."""

    value: int
    work_group: int
    """Work-items."""
    why: str
    """``work-group 640 exceeds max 512``."""


@record
class Sweep:
    """The legal values of ``parameter``, ascending, and what the launch is at each."""

    parameter: Parameter
    points: tuple[SweepPoint, ...]
    dividing: str
    """What they have to divide, when some values fit and do not: ``64``; ``the global range``; else empty."""
    first_fits: bool
    """The smallest value that the parameter can have fits the device."""
    uneven: tuple[SweepPoint, ...] = ()
    """The values, ascending, that fit the device and do not divide the global range, so that the launch fails."""
    refused: Refusal | None = None
    """The first value beyond all of these, and why the launch fails at it; ``None`` when none was found."""

    @property
    def name(self) -> str:
        """The parameter as it is written."""
        return self.parameter.text

    @property
    def legal(self) -> str:
        """``<= 4``, ``<= 32 that divides 64``, ``from 3 to 9``, ``= 1``."""
        first, last = self.points[0].value, self.points[-1].value
        if first == last:
            return f"= {first}"
        step = self.parameter.multiple_of
        steps = f" in steps of {step}" if step > 1 else ""
        divides = f" that divides {self.dividing}" if self.dividing else ""
        return f"<= {last}{steps}{divides}" if self.first_fits else f"from {first} to {last}{steps}{divides}"

    @property
    def shares(self) -> str:
        """``R=1 100%, 2 86%, 3 86%, 4 57%``; of many, the best and the worst; empty when no occupancy is known."""
        known_points = [point for point in self.points if point.occupancies]
        if not known_points:
            return ""
        if len(known_points) <= _LISTED:
            return f"{self.name}=" + ", ".join(f"{point.value} {point.share}" for point in known_points)
        best = _extreme(known_points, best=True)
        worst = _extreme(known_points, best=False)
        if best[0].share == worst[0].share:
            return f"{best[0].share} at each"
        return f"{best[0].share} at {self.name}={_values(best)}; {worst[0].share} at {_values(worst)}"

    def sentence(self, devices: str) -> str:
        """``R <= 4 launches on tgl; R=1 100%, 2 86%, 3 86%, 4 57%``."""
        fact = f"{self.name} {self.legal} launches on {devices}"
        return f"{fact}; {self.shares}" if self.shares else fact


def sweep(device: Device, launch: KernelLaunch) -> Sweep | None:
    """The sweep of ``launch`` on ``device``.

    ``None`` unless the work-group size is a polynomial in one parameter that the program does not ask the device
    for; when an attribute states the size; when no value is legal.
    """
    size = launch.work_group_size
    parameter = _parameter(launch)
    if parameter is None or size is None:
        return None
    most = _most(device, launch)
    if most is None:
        return None
    compiled = as_compiled(device, launch)
    demands = demands_of(device, compiled)
    trial = _Trial(compiled, parameter)
    fitting: list[tuple[SweepPoint, bool]] = []
    refused: Refusal | None = None
    candidates = list(islice(_candidates(parameter), MAX_VALUES))
    for value in candidates:
        items = at(size, {parameter.key: value})
        if items is None or items < 1:
            continue
        trial.put(value)
        memory = trial.memory()
        why = _refusal(device, items, most, memory)
        if why is None:
            total = known(memory.total)
            found = () if demands is None or total is None else _occupancies(device, demands, items, total)
            fitting.append((SweepPoint(value, items, found), trial.has_whole_groups(items)))
            refused = None
        elif refused is None:
            refused = Refusal(value, items, why)
    points = tuple(point for point, whole in fitting if whole)
    if not points:
        return None
    uneven = tuple(point for point, whole in fitting if not whole)
    dividing = _dividend(launch, parameter) if uneven else ""
    return Sweep(parameter, points, dividing, fitting[0][0].value == candidates[0], uneven, refused)


@lru_cache(maxsize=4 * MAX_VALUES)
def _occupancies(device: Device, demands: Demands, work_group: int, local_memory: int) -> tuple[Occupancy, ...]:
    """Those that can run, worked out once for all launches that demand the same: sweeps go over the same sizes."""
    return tuple(each for each in verdicts_of(device, demands, work_group, local_memory) if each.groups_per_core)


class _Trial:
    """A launch at a value of the parameter: what depends on it other than the size."""

    def __init__(self, launch: KernelLaunch, parameter: Parameter) -> None:
        self._launch = launch
        self._key = parameter.key
        self._numbers: dict[str, int] = {}
        self._fill = filling(launch, self._numbers)
        self._memory_is_fixed = known(launch.local_memory.total) is not None

    def put(self, value: int) -> None:
        """From here on the parameter is ``value``."""
        self._numbers[self._key] = value

    def memory(self) -> LocalMemory:
        """The local memory."""
        memory = self._launch.local_memory
        return memory if self._memory_is_fixed else memory_with(memory, self._fill)

    def has_whole_groups(self, items: int) -> bool:
        """Whether nothing that is known of the extents forbids the launch of groups of ``items``."""
        whole, local = self._launch.global_range, self._launch.local_range
        if whole is None or local is None or len(whole.extents) != len(local.extents):
            return True
        # An unknown global extent is not taken for the parameter: it may be computed from it.
        totals = [at(each, self._numbers) for each in whole.extents]
        for total, part in zip(totals, self._extents(local, items), strict=True):
            if part is not None and part < 1:
                return False
            if total is not None and part is not None and total % part:
                return False
        return True

    def _extents(self, local: Range, items: int) -> list[int | None]:
        """Extents of a group; where their product is not ``items``, those that are known without the parameter."""
        numbers = [known(self._fill(each)) for each in local.extents]
        if None in numbers or prod(each or 0 for each in numbers) != items:
            return [known(each) for each in local.extents]
        return numbers


def _parameter(launch: KernelLaunch) -> Parameter | None:
    """The one free number in the work-group size."""
    size = launch.work_group_size
    if launch.local_range is None or launch.required_work_group is not None:
        return None
    if not isinstance(size, Symbolic) or size.asks_device:
        return None
    atoms = {atom.key: atom for term in size.terms for atom in term.atoms}
    if len(atoms) != 1:
        return None
    (parameter,) = atoms.values()
    # Computed from several numbers, or one of a few: not every number between its bounds is one that it can be.
    several = len(set(parameter.roots)) > 1 or any(mark in parameter.text for mark in ("{", " or ", "…"))
    return None if several or parameter.location is None else parameter


def _most(device: Device, launch: KernelLaunch) -> int | None:
    """The largest work-group; ``None`` when a number it depends on is unknown or invalid for the device."""
    width = launch.sub_group_size
    sub_group = known(width.value) if width is not None else None
    if width is not None and sub_group not in device.sub_group_sizes:
        return None
    demand = register_demand(device, launch)
    registers = known(demand.value) if demand else None
    if demand is not None and registers is None:
        return None
    try:
        return limit(device, registers, sub_group)
    except SycllintError:
        return None


def _candidates(parameter: Parameter) -> Iterator[int]:
    """The positive values it may have, ascending."""
    step = max(parameter.multiple_of, 1)
    value = -(-max(parameter.minimum or 1, 1) // step) * step
    while parameter.maximum is None or value <= parameter.maximum:
        yield value
        value += step


def _refusal(device: Device, items: int, most: int, memory: LocalMemory) -> str | None:
    """Why a group of ``items`` with so much local memory does not fit; ``None`` when it does."""
    if items > most:
        return f"work-group {items} exceeds max {most}"
    total = known(memory.total)
    taken = memory.at_least if total is None else total
    allowed = device.max_local_memory_per_group
    if taken > allowed:
        return f"local memory {taken} B exceeds {allowed} B"
    return None if taken >= 0 else f"local memory is {taken} B"


def _dividend(launch: KernelLaunch, parameter: Parameter) -> str:
    """The one known global extent whose local extent is the parameter itself; ``the global range`` in other cases."""
    whole, local = launch.global_range, launch.local_range
    if whole is not None and local is not None and len(whole.extents) == len(local.extents):
        pairs = zip(whole.extents, local.extents, strict=True)
        totals = {known(total) for total, part in pairs if is_alone(part, parameter) or _is_lone(part, parameter)}
        if len(totals) == 1 and None not in totals:
            return str(totals.pop())
    return "the global range"


def _is_lone(value: object, parameter: Parameter) -> bool:
    if not isinstance(value, Symbolic) or len(value.terms) != 1:
        return False
    (term,) = value.terms
    return term.factor == 1 and term.atoms == (parameter,)


def _extreme(points: Sequence[SweepPoint], *, best: bool) -> list[SweepPoint]:
    """The points with the greatest or least ratio; over sub-group sizes, by the least of a point."""
    pick = max if best else min
    ratio = pick(min(each.ratio for each in point.occupancies) for point in points)
    share = next(point.share for point in points if min(each.ratio for each in point.occupancies) == ratio)
    return [point for point in points if point.share == share]


def _values(points: Sequence[SweepPoint]) -> str:
    """``1-4, 7, 8``: neighbours together, at most six stretches."""
    stretches = []
    for _, group in groupby(enumerate(point.value for point in points), key=lambda pair: pair[1] - pair[0]):
        numbers = [value for _, value in group]
        stretches.append(str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}")
    return ", ".join([*stretches[:6], *(["…"] if len(stretches) > 6 else [])])
