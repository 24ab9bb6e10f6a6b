"""How the work-groups of a launch live on cores: tied to one or not, one round or many, at which widths."""

from collections.abc import Sequence

from sycllint.grouping import grouped
from sycllint.hardware.device import Device, Vendor
from sycllint.launch.kernel import KernelLaunch
from sycllint.occupancy.filling import most_work_groups
from sycllint.occupancy.occupancy import Limiter, Occupancy
from sycllint.occupancy.registers import register_word
from sycllint.values.value import Known, known
from sycllint_rules.wording import core, listed, percent, plural, width


def empty(launch: KernelLaunch) -> bool:
    """Whether the global range is known to hold no work-item.

    The kernel is then not executed and the local range is ignored (SYCL 2020, "Work-group data parallel kernels").
    """
    return launch.global_range is not None and 0 in [
        each.value for each in launch.global_range.extents if isinstance(each, Known)
    ]


def one_round(launch: KernelLaunch, device: Device, occupancy: Occupancy) -> bool:
    """Whether all groups are known to be resident at once, so that more room on a core would change nothing.

    On every way to the launch, where its range is one of several.
    """
    groups = most_work_groups(launch, device)
    if groups is None or device.cores is None:
        return False
    return groups <= device.cores * occupancy.groups_per_core


def one_group_per_core(launch: KernelLaunch, device: Device) -> bool:
    """Whether there are never more groups than cores: all are resident at once, however few a core holds."""
    groups = most_work_groups(launch, device)
    return groups is not None and device.cores is not None and groups <= device.cores


def idle(occupancy: Occupancy) -> float:
    """Share of a core's thread contexts without a thread of a resident group, of all that the hardware has."""
    return 1 - occupancy.ratio


def spare(occupancy: Occupancy) -> float:
    """Share of the contexts that the kernel's registers leave and its groups do not use.

    What other sizes could fill. Rules decide by it; their messages give shares of the whole core.
    """
    return 1 - occupancy.threads_resident / occupancy.usable_threads_per_core


def register_mode(device: Device, occupancy: Occupancy) -> str:
    """``the 256-register mode`` of Intel when it leaves only some of a core's contexts; else empty.

    A share of the core then says little of the work-group, and messages give the share of the mode beside it.
    """
    if device.vendor is not Vendor.INTEL or occupancy.usable_threads_per_core == occupancy.threads_per_core:
        return ""
    return f"the {occupancy.registers}-register mode"


def used(device: Device, occupancy: Occupancy) -> str:
    """Share of a core's contexts that the resident groups fill: ``31%``, ``31%, 62% of the 256-register mode``."""
    mode = register_mode(device, occupancy)
    return percent(occupancy.ratio) + (f", {percent(1 - spare(occupancy))} of {mode}" if mode else "")


def idle_part(device: Device, occupancy: Occupancy) -> str:
    """``43% of Xe-core``; ``69% of Xe-core, 38% of the 256-register mode,``."""
    mode = register_mode(device, occupancy)
    whole = f"{percent(idle(occupancy))} of {core(device)}"
    return f"{whole}, {percent(spare(occupancy))} of {mode}," if mode else whole


def contexts(device: Device, occupancy: Occupancy) -> str:
    """The contexts that hold groups: ``112 contexts``; ``the 24 of 40 contexts that 40 VGPRs leave``."""
    usable, slots = occupancy.usable_threads_per_core, occupancy.threads_per_core
    if usable == slots:
        return f"{slots} contexts"
    return f"the {usable} of {slots} contexts that {occupancy.registers} {register_word(device)} leave"


def fewer_registers(launch: KernelLaunch, device: Device, occupancy: Occupancy) -> str:
    """`` With up to 32 VGPRs, 2 groups of 1024 fit (80%).`` where the compiler's registers limit; else empty.

    On Intel the source asks for a register mode, and what it costs is SYC207's matter.
    """
    if device.vendor is Vendor.INTEL or occupancy.limiter is not Limiter.REGISTERS:
        return ""
    from sycllint.occupancy.budget import budget

    above = budget(device, launch, occupancy).above
    if above is None:
        return ""
    groups = f"{plural(above.groups_per_core, 'group')} of {known(launch.work_group_size)}"
    return f" With up to {above.registers} {above.word}, {groups} fit ({percent(above.ratio)})."


def idle_at(device: Device, worst: Occupancy, occupancies: Sequence[Occupancy]) -> str:
    """``leaves 43% of Xe-core idle``; with the widths it holds at and the shares at the others where they disagree."""
    share = percent(idle(worst))
    fact = f"leaves {idle_part(device, worst)} idle"
    here = [each for each in occupancies if percent(idle(each)) == share]
    others = [(each.sub_group_size, idle(each)) for each in occupancies if each not in here]
    if not others:
        return fact
    at = listed(width(device, each.sub_group_size) for each in here)
    return f"{fact} at {at} ({by_width(device, others)})"


def by_width(device: Device, shares: Sequence[tuple[int, float]]) -> str:
    """Shares at each sub-group size the compiler may choose: ``43% at SIMD8, 14% at SIMD16 and SIMD32``."""
    sizes = grouped((percent(share), width(device, size)) for size, share in shares)
    return ", ".join(f"{share} at {listed(widths)}" for share, widths in sizes.items())
