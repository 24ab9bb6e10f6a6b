"""A work-group size does not suit every configured target; other sizes do.

The limits differ (256 on Gen9, 512 on Tiger Lake, 1024 elsewhere), a wave of 64 needs multiples of 64, and a size that
fills one core leaves a third of another idle. One constant for all of them should be a size that suits all.

Bad, on intel::

    void scale(sycl::queue &q, float *values) {
      q.parallel_for(sycl::nd_range<1>(1 << 24, 1024),
                     [=](sycl::nd_item<1> it) { values[it.get_global_id(0)] *= 2; });
    }

Good, on intel::

    void scale(sycl::queue &q, float *values) {
      q.parallel_for(sycl::nd_range<1>(1 << 24, 256),
                     [=](sycl::nd_item<1> it) { values[it.get_global_id(0)] *= 2; });
    }

Off by default: select it by its code or name. A size suits a device when the device accepts it, when it is a multiple
of the required sub-group size or else of the widest, and when it leaves no more than a quarter of a core's contexts
idle at that width (of those that the kernel's registers leave), as far as a group has to sit on one core. Proposed are
powers of two that suit every target, with the local memory as it stands.

AMD's own advice for groups that share nothing is SYC208's.

Silent when there is one target only; when the size or the local memory is unknown; when a required sub-group size is
not supported everywhere (SYC301); when the launch is reached only after its size was compared with a property of the
device; in test trees.

Source: oneAPI-samples, notebook "Thread Mapping and GPU Occupancy", section "Mapping Work-groups to Xe-cores for
Maximum Occupancy" (the table of devices); each device's numbers: ``sycllint devices NAME``.
"""

from itertools import takewhile

from sycllint.diagnostic import Evidence, Severity
from sycllint.errors import SycllintError
from sycllint.hardware.device import Device
from sycllint.launch.kernel import KernelLaunch
from sycllint.occupancy.estimate import estimate_occupancy, limit
from sycllint.occupancy.filling import pinned
from sycllint.occupancy.model import demanded_registers, register_demand, sub_group_sizes
from sycllint.rule import Finding, Outcome, Silent, rule
from sycllint.target import Target
from sycllint.values.value import known
from sycllint_rules.residency import empty, idle_part, spare
from sycllint_rules.silence import no_group, no_occupancy
from sycllint_rules.wording import because, listed, work_group

_MOST_IDLE = 0.25
_LISTED = 3
"""Devices that are named with their reason."""


@rule("SYC209", Severity.NOTE, on=KernelLaunch, enabled=False, muted_in_tests=True)
def portable_size_window(launch: KernelLaunch, target: Target) -> Outcome:
    """Try the size, and if it fails one target every power of two, on all targets of the run."""
    local, items, devices = launch.local_range, known(launch.work_group_size), target.devices
    if local is None or not items or launch.device_checked or empty(launch):
        return no_group(launch)
    if len(devices) < 2:
        return Silent("there is one target")
    if known(launch.local_memory.total) is None or not all(_runs(launch, each) for each in devices):
        return no_occupancy(launch, target.device)
    if not _objection(launch, target.device, items):
        return Silent(f"work-group {items} suits {target.name}")
    failing = [(each, objection) for each in devices if (objection := _objection(launch, each, items))]
    most = max(each.max_work_group_size for each in devices)
    powers = takewhile(lambda size: size <= most, (1 << exponent for exponent in range(most.bit_length())))
    window = [size for size in powers if not any(_objection(launch, each, size) for each in devices)]
    return Finding(
        location=local.location,
        subject=work_group(local, items),
        verdict=f"is a poor fit for {_named(failing)}; {_proposed(window, devices)}",
        evidence=Evidence.DERIVED,
        device_specific=False,
        related=because(*local.extents),
    )


def _runs(launch: KernelLaunch, device: Device) -> bool:
    """Whether the device has the sub-group size and the registers that the kernel demands."""
    if not sub_group_sizes(device, launch):
        return False
    demand = register_demand(device, launch)
    if demand is None:
        return bool(device.sub_group_sizes)
    registers = known(demand.value)
    try:
        return registers is not None and limit(device, registers) > 0
    except SycllintError:
        return False


def _objection(launch: KernelLaunch, device: Device, items: int) -> str:
    """Why ``items`` do not suit ``device``, in a few words; empty when they do."""
    width = max(sub_group_sizes(device, launch))
    registers = demanded_registers(device, launch)
    most = limit(device, registers, width)
    if items > most:
        return f"max {most}"
    if items % width:
        return f"no multiple of {width}"
    memory = known(launch.local_memory.total) or 0
    if not pinned(launch, device) or device.threads_per_core is None or memory > device.max_local_memory_per_group:
        return ""
    found = estimate_occupancy(
        device, items, width, local_memory=memory, barrier=launch.barrier is not False, registers=registers
    )
    return f"{idle_part(device, found)} idle" if spare(found) > _MOST_IDLE else ""


def _named(failing: list[tuple[Device, str]]) -> str:
    """``gen9 (max 256), tgl (max 512) and 2 more``."""
    names = [f"{device.name} ({objection})" for device, objection in failing[:_LISTED]]
    rest = len(failing) - len(names)
    return listed([*names, f"{rest} more"] if rest else names)


def _proposed(window: list[int], devices: tuple[Device, ...]) -> str:
    if not window:
        return f"no power of two suits all {len(devices)} targets"
    verb = "suits" if len(window) == 1 else "suit"
    return f"{listed(map(str, window))} {verb} all {len(devices)} targets"
