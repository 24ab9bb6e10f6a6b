"""The lane or sub-group is computed from the ids of a group with several dimensions.

How the work-items of a group of two or three dimensions are laid out in sub-groups is the implementation's choice, and
where rows are no whole number of sub-groups, implementations differ: some go on with the next row, some do not. So an
id that counts the work-items of the group may name another sub-group there, and one id of several surely does. Where
rows are whole sub-groups, today's implementations agree and SYCL 2020 still promises nothing: that is a note.

Bad::

    void rotate(sycl::queue &q, float *a) {
      q.parallel_for(
          sycl::nd_range<2>({64, 64}, {8, 8}), [=](sycl::nd_item<2> it) [[sycl::reqd_sub_group_size(16)]] {
            const int lane = it.get_local_id(1) % 16;
            const float next = sycl::select_from_group(it.get_sub_group(), a[it.get_global_linear_id()], 15 - lane);
            a[it.get_global_linear_id()] = next;
          });
    }

Good::

    void rotate(sycl::queue &q, float *a) {
      q.parallel_for(
          sycl::nd_range<2>({64, 64}, {8, 8}), [=](sycl::nd_item<2> it) [[sycl::reqd_sub_group_size(16)]] {
            const auto lanes = it.get_sub_group();
            const int lane = lanes.get_local_linear_id();
            const float next = sycl::select_from_group(lanes, a[it.get_global_linear_id()], 15 - lane);
            a[it.get_global_linear_id()] = next;
          });
    }

Silent when the group has one dimension, or one row; for an id of one dimension when the rows are whole sub-groups; when
the constant is not the required sub-group size; for the number of the sub-group in a group of one sub-group; when the
shape of the group is not known; when the kernel asks its sub-group for the width. The note is one per kernel.

Source: SYCL 2020, "ND-range kernels" (how work-items are arranged in sub-groups is implementation-defined).
"""

from collections.abc import Iterator
from math import prod

from sycllint.device_code.checks.assumed_widths import AssumedWidth
from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint.values.value import known
from sycllint_rules.wording import shape


@rule("SYC309", Severity.WARNING, on=KernelLaunch, seen=AssumedWidth)
def sub_group_id_by_division(launch: KernelLaunch, _target: Target) -> Iterator[Finding]:
    """Yield a finding where a row of the group is taken apart by the required sub-group size."""
    local, required = launch.local_range, launch.sub_group_size
    if local is None or required is None or len(local.extents) < 2:
        return
    if any(known(each) is None for each in local.extents):
        return
    row, rows = known(local.extents[-1]), [known(each) for each in local.extents[:-1]]
    if row is None or all(each == 1 for each in rows):
        return
    for seen in launch.kernel.seen.of(AssumedWidth):
        if seen.width != known(required.value) or not seen.is_arithmetic or (seen.per_row and row % seen.width == 0):
            continue
        if not seen.is_lane and prod(known(each) or 0 for each in local.extents) <= seen.width:
            continue  # The whole group is one sub-group, number 0.
        yield Finding(
            location=seen.location,
            subject=f"`{seen.text}`",
            verdict=_verdict(seen, row, shape(local.extents)),
            evidence=Evidence.DERIVED,
            severity=Severity.WARNING if row % seen.width else Severity.NOTE,
            device_specific=False,
            related=(Related("sub-group operation", seen.operation),),
            help="Use `get_local_linear_id()` and `get_group_linear_id()` of the sub-group.",
        )
        if row % seen.width == 0:
            return


def _verdict(seen: AssumedWidth, row: int, group: str) -> str:
    if seen.per_row:
        return f"does not match the sub-groups of work-group {group}: rows of {row} are no multiple of {seen.width}"
    if row % seen.width == 0:
        return f"relies on how work-group {group} is split into sub-groups, which is implementation-defined"
    rest = f"how rows of {row} are split into sub-groups of {seen.width} is implementation-defined"
    return f"need not match the sub-groups of work-group {group}: {rest}"
