"""Some work-items of a group return before a barrier that the others reach.

The usual bounds guard ``if (i >= n) return;`` is right in a kernel without barriers. With one, the last group of a
launch that was rounded up is split: its first work-items wait for those that are gone.

Bad::

    void smooth(sycl::queue &q, const float *from, float *to, int n) {
      const int padded = (n + 255) / 256 * 256;
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> tile(256, h);
        h.parallel_for(sycl::nd_range<1>(padded, 256), [=](sycl::nd_item<1> it) {
          const int i = it.get_global_id(0);
          const int lid = it.get_local_id(0);
          if (i >= n) return;
          tile[lid] = from[i];
          sycl::group_barrier(it.get_group());
          to[i] = tile[lid] + tile[lid > 0 ? lid - 1 : 0];
        });
      });
    }

Good::

    void smooth(sycl::queue &q, const float *from, float *to, int n) {
      const int padded = (n + 255) / 256 * 256;
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> tile(256, h);
        h.parallel_for(sycl::nd_range<1>(padded, 256), [=](sycl::nd_item<1> it) {
          const int i = it.get_global_id(0);
          const int lid = it.get_local_id(0);
          const bool inside = i < n;
          tile[lid] = inside ? from[i] : 0.0f;
          sycl::group_barrier(it.get_group());
          if (inside) {
            to[i] = tile[lid] + tile[lid > 0 ? lid - 1 : 0];
          }
        });
      });
    }

``break`` and ``continue`` before a barrier of the same loop count too. An error when the launch shows that a group is
split: known numbers, or a range that is the guard's bound rounded up. A warning otherwise.

The fix, an unsafe one, is made for an error in one dimension: a flag instead of the return, and in a kernel that is a
lambda the code between barriers runs under this flag. Work-items out of range then reach every barrier, and store
nothing to local memory that others may read.

Silent when the barrier is only in the other branch; when the launched range makes the guard hold for none; when whole
groups leave; when the condition is not understood.

In a kernel of two or three dimensions whose local range is not known, ids of single dimensions are not reported: the
group may have an extent of 1 there.

Source: SYCL 2020, "Group functions" (converged control flow); SYCLomatic's FAQ on early exits before barriers.
"""

from collections.abc import Iterator

from sycllint.device_code.checks.missed_barriers import Cause, MissedBarrier
from sycllint.diagnostic import Severity
from sycllint.launch.fault import Fault, Repair
from sycllint.launch.kernel import KernelLaunch
from sycllint.record import replace
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint_rules.divergence import JUMPS, finding, leaves, missed
from sycllint_rules.repair import repair
from sycllint_rules.wording import number, plural


@rule("SYC502", Severity.ERROR, on=KernelLaunch, seen=MissedBarrier, reads=Repair)
def early_return_before_barrier(launch: KernelLaunch, _target: Target) -> Iterator[Finding]:
    """Yield a finding for each jump that takes some work-items of a group away from a barrier."""
    for seen in missed(launch, lambda each: each.cause in JUMPS and not each.in_sub_group):
        fix = repair(launch, Fault.PARTED) if seen.proved else None
        yield replace(finding(seen, leaves(seen, "work-items"), _verdict(seen), _cure(seen), at_jump=True), fix=fix)


def _verdict(seen: MissedBarrier) -> str:
    barrier, padding = f"`{seen.operation}`", seen.padding
    if padding is None:
        return f"before a {barrier} that the rest of the work-group waits at"
    if padding.bound is None or padding.extent is None:
        return f"before a {barrier}: the global range is rounded up, so some work-items of the last group do"
    gone = plural(padding.extent - padding.bound, "work-item")
    return f"before a {barrier}: {gone} of {number(padding.extent)} do"


def _cure(seen: MissedBarrier) -> str:
    jump = "return" if seen.cause is Cause.RETURN else "jump"
    return f"Put the work under a condition in place of the {jump}, so that every work-item reaches the barrier."
