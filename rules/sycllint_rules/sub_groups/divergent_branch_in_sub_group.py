"""A branch on ``id % k`` is divergent in every sub-group, and both sides have work.

The lanes of a sub-group execute one instruction together. If some of them take one path and some the other, the
sub-group executes both, one after the other, with the lanes of the other path idle. A branch that is uniform in a
sub-group does not have this cost: one on the group, on the sub-group, or on ``id / k`` where ``k`` is a multiple of the
sub-group size.

Bad::

    void mixed(sycl::queue &q, const float *a, float *b) {
      q.parallel_for(sycl::nd_range<1>(1 << 20, 256), [=](sycl::nd_item<1> it) {
        const size_t i = it.get_global_id(0);
        if (i % 2 == 0) {
          b[i] = sycl::sin(a[i]);
        } else {
          b[i] = sycl::cos(a[i]);
        }
      });
    }

Good::

    void mixed(sycl::queue &q, const float *a, float *b) {
      q.parallel_for(sycl::nd_range<1>(1 << 20, 256), [=](sycl::nd_item<1> it) {
        const size_t half = it.get_global_range(0) / 2;
        const size_t k = it.get_global_id(0);
        if (it.get_group(0) < it.get_group_range(0) / 2) {
          b[2 * k] = sycl::sin(a[2 * k]);
        } else {
          b[2 * (k - half) + 1] = sycl::cos(a[2 * (k - half) + 1]);
        }
      });
    }

Work is a loop, a call of a function, or more than one subscript. The paths are those of an ``if`` with ``else`` or of a
``switch``, the statements after an ``if`` that returns, and those of two ``if`` of which no work-item takes both. The
rule evaluates every work-item of two groups: a branch is reported when each sub-group takes more than one path, and the
paths repeat within half of a sub-group or less.

Silent when the condition is uniform in some sub-group, as ``id < n`` is; when it depends on data, or on the iteration
of a loop; when one side has no work; when the local range is unknown, or no whole number of sub-groups; when only some
of the sub-group sizes that the device may choose diverge. Off unless selected.

Known problems: compilers turn short sides without loops into predicated instructions, which cost as much on both sides
but no branch.

Source: Intel oneAPI GPU Optimization Guide, "Vectorization and Memory Access".
"""

from collections.abc import Iterator

from sycllint.device_code.checks.divergent_branches import DivergentBranch
from sycllint.diagnostic import Evidence, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.occupancy.model import sub_group_sizes
from sycllint.rule import Finding, rule
from sycllint.target import Target


@rule("SYC311", Severity.NOTE, on=KernelLaunch, seen=DivergentBranch, enabled=False)
def divergent_branch_in_sub_group(launch: KernelLaunch, target: Target) -> Iterator[Finding]:
    """One finding for each branch that parts sub-groups of the required size, or of every size of the device."""
    sizes = sub_group_sizes(target.device, launch)
    for each in launch.kernel.seen.of(DivergentBranch):
        periods = dict(each.periods)
        found = [periods[size] for size in sizes if size in periods]
        if not found or len(found) < len(sizes):
            continue
        yield Finding(
            location=each.location,
            subject=f"branch on `{each.text}`",
            verdict=f"diverges in every sub-group, with a period of {max(found)} work-items: "
            "both paths are executed in turn",
            evidence=Evidence.DERIVED,
            device_specific=False,
        )
