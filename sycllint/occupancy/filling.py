"""The device as a launch of known size fills it: in one round, or in full ones and a begun one.

Intel's guide divides the threads of a launch by the contexts of the device ("SYCL Thread Mapping and GPU Occupancy",
section "A Detailed Example"). Where work-groups are tied to a core, whole groups are counted instead.
"""

from collections.abc import Sequence
from math import prod

from sycllint.hardware.device import Device, IntelDevice, Vendor
from sycllint.launch.device_numbers import answers
from sycllint.launch.kernel import KernelLaunch, LaunchKind
from sycllint.occupancy.model import as_compiled, register_demand, sub_group_sizes, work_items
from sycllint.occupancy.occupancy import Occupancy
from sycllint.occupancy.waves import Waves, waves, waves_of_threads
from sycllint.record import record
from sycllint.values.symbolic import number_with
from sycllint.values.value import Symbolic, Unknown, Value, known, most


@record
class Filling:
    """How one launch fills one device."""

    items: int
    """Work-items of the launch."""
    group: int | None
    """Work-items of a work-group; ``None`` when the runtime chooses."""
    rounds: tuple[tuple[int, Waves], ...]
    """By each sub-group size at which it can run, ascending."""

    @property
    def groups(self) -> int | None:
        """Work-groups of the launch."""
        return None if self.group is None else self.items // self.group


def filling(device: Device, launch: KernelLaunch, occupancies: Sequence[Occupancy]) -> Filling | None:
    """How ``launch``, which occupies a core as ``occupancies`` say, fills ``device``.

    ``None`` when its size, the cores of the device or the occupancy of a core is unknown, and when it decides and is
    unknown whether its work-groups are tied to a core. Of a range whose work-groups the runtime chooses, the threads
    are known on Intel, where they go to any core.
    """
    items = work_items(launch)
    if items is None or device.cores is None:
        return None
    group, groups = known(launch.work_group_size), work_groups(launch)
    if group is None or groups is None:
        rounds = _rounds_of_range(device, launch, items)
        return Filling(items, None, rounds) if rounds else None
    tied = pinned(as_compiled(device, launch), device)
    found = []
    for each in occupancies:
        whole, split = (waves(each, groups, device.cores, pinned=pinned) for pinned in (True, False))
        fits = split if tied is False else whole
        if fits is None or (tied is None and whole != split):
            return None
        found.append((each.sub_group_size, fits))
    return Filling(items, group, tuple(found)) if found else None


def _rounds_of_range(device: Device, launch: KernelLaunch, items: int) -> tuple[tuple[int, Waves], ...]:
    """The rounds of a launch without a local range, which can hold neither a barrier nor local memory."""
    contexts = device.total_threads
    if launch.kind is not LaunchKind.RANGE or contexts is None or register_demand(device, launch) is not None:
        return ()
    if not isinstance(device, IntelDevice):
        return ()  # whole groups of a size that is not known
    sizes = sub_group_sizes(device, launch)
    return tuple((size, waves_of_threads(-(-items // size), contexts)) for size in sizes)


def pinned(launch: KernelLaunch, device: Device) -> bool | None:
    """Whether all of a work-group has to sit on one core; ``None`` when unknown.

    On Intel it has to for a barrier or local memory. Without either, parts of a group may be dispatched to any core,
    and its size does not matter (Intel oneAPI GPU Optimization Guide, "Considerations for Selecting Work-group Size").
    Sub-group operations do not count. AMD and NVIDIA dispatch whole groups whatever they hold.
    """
    if device.vendor is not Vendor.INTEL:
        return True
    if launch.barrier or launch.local_memory.at_least > 0 or launch.local_memory.allocations:
        return True
    return None if launch.barrier is None or known(launch.local_memory.total) is None else False


def work_groups(launch: KernelLaunch) -> int | None:
    """Work-groups of the whole launch; ``None`` when unknown, or when the global range is not made of whole groups."""
    items, group = work_items(launch), known(launch.work_group_size)
    if launch.kind not in {LaunchKind.ND_RANGE, LaunchKind.WORK_GROUP} or not items or not group or items % group:
        return None
    return items // group


def most_work_groups(launch: KernelLaunch, device: Device) -> int | None:
    """The most work-groups that a launch has on ``device``, on any of its ways; ``None`` where nothing limits them."""
    group, whole = known(launch.work_group_size), launch.global_range
    if launch.kind not in {LaunchKind.ND_RANGE, LaunchKind.WORK_GROUP} or not group or whole is None:
        return None
    items: list[int] = []
    for extents in whole.ways or (whole.extents,):
        numbers = [number for each in extents if (number := _most_on(each, device)) is not None]
        if len(numbers) < len(extents):
            return None
        items.append(prod(numbers))
    return max(items) // group


def _most_on(value: Value, device: Device) -> int | None:
    answered = number_with(value, answers(device)) if isinstance(value, Symbolic | Unknown) else None
    return most(value) if answered is None else answered
