"""A work-group barrier or collective is in a divergent branch, which only some work-items of the group take.

A barrier waits for every work-item of its group. Those in the other branch never reach it, so the kernel hangs, or, on
devices that count arrivals, continues with memory that is partly written.

Bad::

    void load(sycl::queue &q, const float *from, float *to) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> tile(128, h);
        h.parallel_for(sycl::nd_range<1>(65536, 128), [=](sycl::nd_item<1> it) {
          const int lid = it.get_local_id(0);
          if (lid < 96) {
            tile[lid] = from[it.get_global_id(0)];
            sycl::group_barrier(it.get_group());
          }
          to[it.get_global_id(0)] = tile[lid / 2];
        });
      });
    }

Good::

    void load(sycl::queue &q, const float *from, float *to) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> tile(128, h);
        h.parallel_for(sycl::nd_range<1>(65536, 128), [=](sycl::nd_item<1> it) {
          const int lid = it.get_local_id(0);
          if (lid < 96) {
            tile[lid] = from[it.get_global_id(0)];
          }
          sycl::group_barrier(it.get_group());
          to[it.get_global_id(0)] = tile[lid / 2];
        });
      });
    }

An error when the numbers of the launch prove that the condition holds for some work-items of a group and not for
others; a warning where it depends on an id or on what a work-item has read, and the numbers are not known. Two branches
with a barrier each are a warning too: each work-item reaches one, but not the same one.

Silent when the condition is uniform in the group: kernel arguments, the group's id, results of group functions such as
``any_of_group`` and ``group_broadcast``, local memory last written before a barrier; when the launch makes it hold for
all; when it is not understood.

Source: SYCL 2020, "Group functions" (all work-items of the group must encounter the call in converged control flow).
"""

from collections.abc import Iterator

from sycllint.device_code.checks.missed_barriers import Cause, MissedBarrier
from sycllint.diagnostic import Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint_rules.divergence import finding, missed, reached_by


@rule("SYC501", Severity.ERROR, on=KernelLaunch, seen=MissedBarrier)
def barrier_in_divergent_branch(launch: KernelLaunch, _target: Target) -> Iterator[Finding]:
    """Yield a finding for each condition that parts a group before a barrier."""
    for seen in missed(launch, lambda each: each.cause is Cause.BRANCH and not each.in_sub_group):
        if seen.in_both:
            verdict = f"is divergent: only {reached_by(seen, 'work-items')} reach it, the others another barrier"
            cure = "Use one barrier after both branches."
        else:
            verdict = f"is divergent: only {reached_by(seen, 'work-items')} reach it, not the whole work-group"
            cure = "Move the barrier out of the branch."
        yield finding(seen, f"`{seen.operation}`", verdict, cure)
