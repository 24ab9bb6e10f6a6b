"""Reasons for silence that several rules have: words that follow ``silent:`` in ``sycllint explain``."""

from collections.abc import Sequence

from sycllint.hardware.device import Device
from sycllint.launch.kernel import KernelLaunch, LaunchKind
from sycllint.occupancy.filling import pinned
from sycllint.occupancy.model import sub_group_sizes
from sycllint.occupancy.occupancy import Occupancy
from sycllint.rule import Silent
from sycllint.values.value import known
from sycllint_rules.residency import empty
from sycllint_rules.wording import core, percent, plural, shape, thread


def no_group(launch: KernelLaunch) -> Silent:
    """Why nothing is said of the work-group: it has no size, or none that is known, or never runs."""
    if launch.kind is LaunchKind.SINGLE_TASK:
        return Silent("it is a single task, without work-groups")
    if launch.local_range is None:
        return Silent("the runtime chooses the work-group size")
    if empty(launch):
        return Silent("no work-item runs")
    return Silent("the work-group size is not known")


def no_resident_group(launch: KernelLaunch, device: Device) -> Silent:
    """Why it does not matter how many groups a core holds, or is not known."""
    if launch.local_range is None or empty(launch):
        return no_group(launch)
    tied = pinned(launch, device)
    if tied is False:
        return Silent("neither a barrier nor local memory ties a work-group to a core")
    if tied is None:
        return Silent("it is not known whether a barrier or local memory ties a work-group to a core")
    return no_occupancy(launch, device)


def no_occupancy(launch: KernelLaunch, device: Device) -> Silent:
    """Which number is missing for the occupancy of a core."""
    if known(launch.work_group_size) is None:
        return no_group(launch)
    if known(launch.local_memory.total) is None:
        return Silent("the amount of local memory is not known")
    if device.sub_group_sizes and not sub_group_sizes(device, launch):
        return Silent(f"the required sub-group size is not known, or not one of {device.name}")
    if device.threads_per_core is None:
        return Silent(f"the threads per core of {device.name} are not public")
    return Silent(f"the launch does not fit {device.name}, or a number that decides is not known")


def in_use(device: Device, occupancies: Sequence[Occupancy]) -> str:
    """``work-groups occupy 57% to 86% of the threads of Xe-core``: what resident groups fill of a core."""
    shares = sorted(each.ratio for each in occupancies)
    least, most = percent(shares[0]), percent(shares[-1])
    share = least if least == most else f"{least} to {most}"
    return f"work-groups occupy {share} of the {thread(device)}s of {core(device)}"


def limited(device: Device, occupancies: Sequence[Occupancy]) -> str:
    """``Xe-core is limited by threads to 3 work-groups``; each limiter and number that a sub-group size has."""
    found = dict.fromkeys((each.limiter, each.groups_per_core) for each in occupancies)
    texts = [f"{each} to {plural(groups, 'work-group')}" for each, groups in found]
    return f"{core(device)} is limited by {' or by '.join(texts)}"


def unresolved_range(launch: KernelLaunch) -> Silent | None:
    """Why the global range is not compared with the local one; ``None`` when both are there to be compared."""
    whole, part = launch.global_range, launch.local_range
    if launch.kind is not LaunchKind.ND_RANGE or whole is None or part is None:
        return no_group(launch) if part is None else Silent("the global range is not known")
    if len(whole.extents) != len(part.extents):
        return Silent("the numbers of dimensions are not known")
    return None


def compared(launch: KernelLaunch, fact: str) -> Silent:
    """``fact`` of both ranges: ``each global extent is a multiple of the local one: 64x64x128, 1x4x128``."""
    whole, part = launch.global_range, launch.local_range
    if whole is None or part is None:
        return no_group(launch)
    if any(known(each) is None for each in (*whole.extents, *part.extents)):
        fact = "no number that is known contradicts it"
    return Silent(f"{fact}: global {shape(whole.extents)}, local {shape(part.extents)}")
