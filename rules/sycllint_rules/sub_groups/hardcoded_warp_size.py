"""A kernel assumes sub-groups of 32 or 64 without requiring them.

``lid % 32`` is the lane only if a sub-group has 32 of them. If the compiler chooses 16, "lanes" 0 to 31 are in two
sub-groups: shuffles read the wrong values, and the work of one sub-group is split between two. An exchange between
lanes 16 apart, or with lane 31, is out of range in a sub-group of 16: its result is undefined.

Bad::

    void sums(sycl::queue &q, const float *from, float *to) {
      q.parallel_for(sycl::nd_range<1>(86016, 256), [=](sycl::nd_item<1> it) {
        const auto group = it.get_sub_group();
        float sum = from[it.get_global_id(0)];
        for (int step = 16; step > 0; step >>= 1) sum += sycl::shift_group_left(group, sum, step);
        if (it.get_local_id(0) % 32 == 0) to[it.get_global_id(0) / 32] = sum;
      });
    }

Good::

    void sums(sycl::queue &q, const float *from, float *to) {
      q.parallel_for(sycl::nd_range<1>(86016, 256), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(32)]] {
        const auto group = it.get_sub_group();
        float sum = from[it.get_global_id(0)];
        for (int step = 16; step > 0; step >>= 1) sum += sycl::shift_group_left(group, sum, step);
        if (it.get_local_id(0) % 32 == 0) to[it.get_global_id(0) / 32] = sum;
      });
    }

Silent when the required sub-group size is that constant, or is not known; when the kernel, or an enclosing condition,
queries the sub-group size; when it uses no operation of a sub-group, for then 32 may be a layout of data; for parts of
a sub-group of a fixed size; when every target has that width alone; on a target without that width where a condition on
the device decides about the launch. One finding per kernel.

Source: SYCL 2020, "Required sub-group size attribute"; sub-group sizes of each device from its profile.
"""

from sycllint.device_code.checks.assumed_widths import WARPS, AssumedWidth
from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint.values.value import Known
from sycllint_rules.wording import either


@rule("SYC303", Severity.WARNING, on=KernelLaunch, seen=AssumedWidth)
def hardcoded_warp_size(launch: KernelLaunch, target: Target) -> Finding | None:
    """One finding for a kernel whose lane arithmetic and sub-group size have nothing to do with each other."""
    required = launch.sub_group_size
    if required is not None and not isinstance(required.value, Known):
        return None
    size = required.value.value if required is not None and isinstance(required.value, Known) else None
    sizes = target.device.sub_group_sizes
    for seen in launch.kernel.seen.of(AssumedWidth):
        if seen.width not in WARPS or size == seen.width or (size is None and tuple(sizes) == (seen.width,)):
            continue
        if size is not None and not (seen.is_lane and seen.width > size):
            # The sub-group's number may be that of several; a lane may not.
            continue
        is_possible = size is not None or seen.width in sizes
        if not is_possible and launch.device_checked:
            # The program asks what it runs on, and launches the instance for devices of this width on others.
            continue
        return Finding(
            location=seen.location,
            subject=f"`{seen.text}` assumes sub-groups of {seen.width},",
            verdict=f"but the required size is {size}"
            if size is not None
            else f"but the compiler may choose {either(sizes)}",
            evidence=Evidence.DERIVED,
            device_specific=size is None,
            related=(Related("sub-group operation", seen.operation),),
            help=_help(seen.width, is_possible),
        )
    return None


def _help(assumed: int, is_possible: bool) -> str:
    """Requiring the size is an answer only where the device has it."""
    ask = "use the sub-group's `get_local_linear_id()` and `get_max_local_range()`"
    if is_possible:
        return f"Require it with `[[sycl::reqd_sub_group_size({assumed})]]`, or {ask}."
    return f"{ask[0].upper()}{ask[1:]}."
