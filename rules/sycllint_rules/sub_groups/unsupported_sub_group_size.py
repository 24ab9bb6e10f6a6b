"""A kernel requires a sub-group size that the device does not have.

Submitting it throws ``errc::kernel_not_supported``. Intel GPUs up to Xe-LPG run 8, 16 and 32; Ponte Vecchio, Xe2 and
Xe3 run 16 and 32; so 8 stops working on the larger parts, and the 64 of an AMD wave works on none of them. A sub-group
is a warp of 32 on NVIDIA, a wave of 64 on AMD's GCN and CDNA and of 32 on RDNA as DPC++ compiles for it.

Bad, on pvc::

    void shift(sycl::queue &q, int *values) {
      q.parallel_for(sycl::nd_range<1>(1024, 128), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(8)]] {
        const auto group = it.get_sub_group();
        values[it.get_global_id(0)] = sycl::shift_group_left(group, values[it.get_global_id(0)], 1);
      });
    }

Good, on pvc::

    void shift(sycl::queue &q, int *values) {
      q.parallel_for(sycl::nd_range<1>(1024, 128), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {
        const auto group = it.get_sub_group();
        values[it.get_global_id(0)] = sycl::shift_group_left(group, values[it.get_global_id(0)], 1);
      });
    }

Silent when the size is unknown; when the launch depends on a question to the device, its failure is caught and
answered, or the queue is made for no GPU; when it has several possible values and the device has one of them, or when
another definition of its macro gives a size that the device has, as in sources for several back
ends. A function that is not visible and is given the queue, and what is named after vendors or back ends, count as a
question; what is named after warps only where nothing else is known of its value. A warning where a value that is not
known chooses the launch by its width, as in ``switch (width)``.

Source: SYCL 2020, table "Attributes for kernel functions", reqd_sub_group_size, and device information descriptor
sub_group_sizes; Intel oneAPI GPU Optimization Guide, "Sub-Groups and SIMD Vectorization" (8, 16 and 32). Each device's
sizes: ``sycllint devices NAME``.
"""

from sycllint.diagnostic import Evidence, Severity
from sycllint.hardware.device import Device, Vendor
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, KernelDemand, Outcome, Silent, rule
from sycllint.target import Target
from sycllint.values.value import known
from sycllint_rules.evidence import certainly, reached
from sycllint_rules.wording import because, listed, one_sub_group


@rule("SYC301", Severity.ERROR, on=KernelLaunch, kernels=KernelDemand.NONE)
def unsupported_sub_group_size(launch: KernelLaunch, target: Target) -> Outcome:
    """Look the required sub-group size up in the device's list."""
    required = launch.sub_group_size
    if required is None or not target.device.sub_group_sizes:
        return Silent("no sub-group size is required")
    sizes = target.device.sub_group_sizes
    wrong = certainly(required.value, lambda size: size not in sizes)
    if wrong is None or any(size in sizes for size in required.elsewhere) or launch.device_checked:
        exact = known(required.value)
        return Silent("the required sub-group size is not known" if exact is None else _chosen(exact, target.device))
    return Finding(
        location=required.location,
        subject=f"sub-group size {wrong.value}",
        verdict=f"is not supported ({_supported(target.device)})",
        evidence=reached(launch, target, Evidence.PROVED),
        related=because(wrong),
    )


def _chosen(required: int, device: Device) -> str:
    """The reason for silence: the size is supported, or is chosen for devices that have it."""
    if required in device.sub_group_sizes:
        return f"{device.name} has sub-groups of {required}"
    return "the size is chosen for devices that have it"


def _supported(device: Device) -> str:
    """``16 and 32 are``; ``a warp has 32`` where there is one size."""
    sizes = device.sub_group_sizes
    if device.vendor is not Vendor.INTEL and len(sizes) == 1:
        return f"{one_sub_group(device)} has {sizes[0]}"
    return f"{listed(map(str, sizes))} {'is' if len(sizes) == 1 else 'are'}"
