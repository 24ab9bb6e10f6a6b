"""A work-group of a kernel without local memory is narrower than a wave, or has more than 256 work-items, on AMD.

Groups are large so that their work-items can share local memory (LDS). A kernel that needs none is best off with 64 to
256 work-items: 256 is what AMD recommends by default, as it suits the way work is distributed, and a single wave of 64
frees what it holds as soon as it ends. All waves of a larger group have to find room on one compute unit before the
first of them starts, and what they hold is free only when the last of them ends. In a group that is narrower than a
wave the other lanes idle.

Bad, on gfx90a::

    void scale(sycl::queue &q, float *values) {
      q.parallel_for(sycl::nd_range<1>(1 << 24, 1024),
                     [=](sycl::nd_item<1> it) { values[it.get_global_id(0)] *= 2; });
    }

Good, on gfx90a::

    void scale(sycl::queue &q, float *values) {
      q.parallel_for(sycl::nd_range<1>(1 << 24, 256),
                     [=](sycl::nd_item<1> it) { values[it.get_global_id(0)] *= 2; });
    }

The article writes of GCN, whose waves have 64 work-items. RDNA's have 32 by default: there a group of 32 is a whole
wave and is not reported.

Silent when the device is another vendor's; when the kernel has a barrier, local memory, sub-group operations or a
reduction, or calls something that is not visible and may have them; when the work-group size is unknown or left to the
runtime; for a launch of one work-group; when the launch is reached only after a property of the device was compared
with something; in test trees. Off unless selected.

Source: AMD GPUOpen, "Optimizing GPU occupancy and resource usage with large thread groups", "When large thread groups
should be used".
"""

from sycllint.device_code.checks.dimensions import Reducer
from sycllint.diagnostic import Evidence, Severity
from sycllint.hardware.device import AmdDevice
from sycllint.launch.kernel import KernelLaunch
from sycllint.occupancy.filling import work_groups
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint.values.value import known
from sycllint_rules.residency import empty
from sycllint_rules.wording import because, core, percent, width, work_group

_MOST = 256
"""What AMD recommends where no local memory is needed, and the upper end of its range; see the page's source."""


@rule("SYC208", Severity.NOTE, on=KernelLaunch, reads=Reducer, enabled=False, muted_in_tests=True)
def work_group_outside_amd_range(launch: KernelLaunch, target: Target) -> Finding | None:
    """Compare the group with one wave and with 256 work-items, when its work-items share nothing."""
    local, items, device = launch.local_range, known(launch.work_group_size), target.device
    if not isinstance(device, AmdDevice) or local is None or not items or empty(launch) or launch.device_checked:
        return None
    if _shares(launch) or work_groups(launch) == 1:
        return None
    wave = min(device.sub_group_sizes)
    if wave <= items <= _MOST:
        return None
    return Finding(
        location=local.location,
        subject=f"{work_group(local, items)} without local memory",
        verdict=_too_narrow(device, items, wave) if items < wave else _too_large(device, items),
        evidence=Evidence.PROVED if items < wave else Evidence.HEURISTIC,
        related=because(*local.extents),
        help=f"{_MOST} work-items are AMD's default where no local memory is needed.",
    )


def _shares(launch: KernelLaunch) -> bool:
    """Whether the kernel's work-items may share what only a group has."""
    kernel = launch.kernel
    shares = launch.barrier is not False or launch.local_memory.allocations or kernel.sub_group_operations
    return bool(shares or kernel.seen.of(Reducer))


def _too_narrow(device: AmdDevice, items: int, wave: int) -> str:
    idle = wave - items
    return f"is narrower than a {width(device, wave)}: {idle} of {wave} lanes idle ({percent(idle / wave)})"


def _too_large(device: AmdDevice, items: int) -> str:
    waves = -(-items // min(device.sub_group_sizes))
    return f"occupies one {core(device)} until the last of its {waves} waves ends; {_MOST} work-items free it earlier"
