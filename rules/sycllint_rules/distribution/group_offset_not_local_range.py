"""The offset of a work-group is not its size, so groups leave elements out or process them twice.

``get_group(0) * C + get_local_id(0)`` counts the work-items of all groups when C is the local range. With another
number there are gaps between groups, or overlaps.

Bad::

    void scale(sycl::queue &q, float *y) {
      q.parallel_for(sycl::nd_range<1>(1 << 20, 128), [=](sycl::nd_item<1> it) {
        y[it.get_group(0) * 256 + it.get_local_id(0)] *= 2.0f;
      });
    }

Good::

    void scale(sycl::queue &q, float *y) {
      q.parallel_for(sycl::nd_range<1>(1 << 20, 128), [=](sycl::nd_item<1> it) {
        y[it.get_group(0) * 128 + it.get_local_id(0)] *= 2.0f;
      });
    }

Silent when either number is unknown; when a loop or another subscript covers the difference; when the kernel compares
an id, as overlapping tiles do.

Source: SYCL 2020, "nd_item class": the global id is the group's id times the local range, and the local id.
"""

from sycllint.device_code.checks.traffic import GroupOffset
from sycllint.diagnostic import Evidence, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, record_rule
from sycllint_rules.wording import number


@record_rule("SYC804", Severity.WARNING, on=KernelLaunch, seen=GroupOffset)
def group_offset_not_local_range(each: GroupOffset) -> Finding:
    """A finding for each dimension."""
    effect = "elements between groups are left out" if each.factor > each.local else "groups overlap"
    return Finding(
        location=each.location,
        subject=f"group offset {number(each.factor)}",
        verdict=f"is not the local range {number(each.local)} in dimension {each.dimension}: {effect}",
        evidence=Evidence.DERIVED,
    )
