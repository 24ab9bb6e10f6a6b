"""How the work-groups of a launch live on cores: tied to one or not, one round or many, at which widths."""

from collections.abc import Sequence

from sycllint.hardware.device import Device
from sycllint.launch.kernel import KernelLaunch
from sycllint.occupancy.filling import work_groups
from sycllint.occupancy.occupancy import Occupancy
from sycllint.values.value import known
from sycllint_rules.wording import core, listed, percent, width


def empty(launch: KernelLaunch) -> bool:
    """Whether the global range is known to hold no work-item.

    The kernel is then not executed and the local range is ignored (SYCL 2020, "Work-group data parallel kernels").
    """
    return launch.global_range is not None and any(known(each) == 0 for each in launch.global_range.extents)


def one_round(launch: KernelLaunch, device: Device, occupancy: Occupancy) -> bool:
    """Whether all groups are known to be resident at once, so that more room on a core would change nothing."""
    groups = work_groups(launch)
    if groups is None or device.cores is None:
        return False
    return groups <= device.cores * occupancy.groups_per_core


def idle(occupancy: Occupancy) -> float:
    """Share of the thread contexts that the kernel's registers leave and its groups do not use."""
    return 1 - occupancy.threads_resident / occupancy.usable_threads_per_core


def idle_at(device: Device, worst: Occupancy, occupancies: Sequence[Occupancy]) -> str:
    """``leaves 43% of Xe-core idle``; with the widths it holds at and the shares at the others where they disagree."""
    share = percent(idle(worst))
    fact = f"leaves {share} of {core(device)} idle"
    here = [each for each in occupancies if percent(idle(each)) == share]
    others = [(each.sub_group_size, idle(each)) for each in occupancies if each not in here]
    if not others:
        return fact
    at = listed(width(device, each.sub_group_size) for each in here)
    return f"{fact} at {at} ({by_width(device, others)})"


def by_width(device: Device, shares: Sequence[tuple[int, float]]) -> str:
    """Shares at each sub-group size the compiler may choose: ``43% at SIMD8, 14% at SIMD16 and SIMD32``."""
    sizes: dict[str, list[str]] = {}
    for size, share in shares:
        sizes.setdefault(percent(share), []).append(width(device, size))
    return ", ".join(f"{share} at {listed(widths)}" for share, widths in sizes.items())
