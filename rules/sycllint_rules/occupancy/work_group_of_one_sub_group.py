"""A work-group is one sub-group, on a device that runs its hardware threads in pairs.

From Gen12 (Xe-LP) to Xe-LPG two vector engines are fused: they run two threads of a work-group together. A group that
is a single sub-group is a single thread, so that the second engine of its pair has nothing to run. The guide copies an
array with groups of 16 and of 32 work-items at a sub-group size of 16: on an accelerator that dispatches two sub-groups
at a time the first is much slower, though neither kernel has a barrier or local memory.

Bad, on tgl::

    void scale(sycl::queue &q, int *values) {
      q.parallel_for(sycl::nd_range<1>(1 << 20, 16), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {
        values[it.get_global_id(0)] *= 2;
      });
    }

Good, on tgl::

    void scale(sycl::queue &q, int *values) {
      q.parallel_for(sycl::nd_range<1>(1 << 20, 32), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {
        values[it.get_global_id(0)] *= 2;
      });
    }

Without a required sub-group size the compiler chooses one; the rule reports a group that is one sub-group at every size
the device has.

Silent when the device's engines take threads one by one (Gen9, Gen11, PVC, Xe2 and later), or it is another vendor's;
when the work-group or the required sub-group size is unknown; when the launch has one work-group, or one work-item in
each; when the launch is reached only after a property of the device was compared with something; in test trees. Off
unless selected.

Known problems: the guide names no device and gives no figure. A kernel that is limited by memory or by its launch gains
nothing.

Source: Intel oneAPI GPU Optimization Guide, "Considerations for Selecting Work-Group Size", its last paragraph on
sub-groups; compute-runtime, ``fusedEuEnabled``: ``sycllint devices NAME``, fused engines.
"""

from sycllint.diagnostic import Evidence, Severity
from sycllint.hardware.device import IntelDevice
from sycllint.launch.kernel import KernelLaunch
from sycllint.occupancy.filling import work_groups
from sycllint.occupancy.model import sub_group_sizes
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint.values.value import known
from sycllint_rules.residency import empty
from sycllint_rules.wording import because, listed, width, work_group


@rule("SYC211", Severity.NOTE, on=KernelLaunch, enabled=False, muted_in_tests=True)
def work_group_of_one_sub_group(launch: KernelLaunch, target: Target) -> Finding | None:
    """Count the sub-groups of a group at the required size, or at the narrowest of the device."""
    local, items, device = launch.local_range, known(launch.work_group_size), target.device
    if not isinstance(device, IntelDevice) or device.fused_engines < 2 or launch.device_checked:
        return None
    if local is None or not items or items < 2 or empty(launch) or work_groups(launch) == 1:
        return None
    sizes = sub_group_sizes(device, launch)
    if not sizes or items > min(sizes):
        return None
    return Finding(
        location=local.location,
        subject=work_group(local, items),
        verdict=f"is one sub-group at {listed(width(device, each) for each in sizes)}, and threads run in pairs on "
        f"{device.fused_engines} fused engines: the second of each pair idles",
        evidence=Evidence.DERIVED,
        related=because(*local.extents),
        help=f"{device.fused_engines * max(sizes)} work-items are at least {device.fused_engines} sub-groups.",
    )
