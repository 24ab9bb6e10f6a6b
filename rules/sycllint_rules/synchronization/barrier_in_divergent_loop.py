"""A work-group barrier is in a loop whose number of iterations differs between work-items of the group.

Work-items that have left the loop never reach the barrier, at which the others wait for them.

Bad::

    void paths(sycl::queue &q, const float *from, float *to, int count) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> tile(64, h);
        h.parallel_for(sycl::nd_range<1>(64, 64), [=](sycl::nd_item<1> it) {
          const int lid = it.get_local_id(0);
          for (int path = lid; path < count; path += 64) {
            tile[lid] = from[path];
            sycl::group_barrier(it.get_group());
            to[path] = tile[63 - lid];
            sycl::group_barrier(it.get_group());
          }
        });
      });
    }

Good::

    void paths(sycl::queue &q, const float *from, float *to, int count) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> tile(64, h);
        h.parallel_for(sycl::nd_range<1>(64, 64), [=](sycl::nd_item<1> it) {
          const int lid = it.get_local_id(0);
          for (int first = 0; first < count; first += 64) {
            const int path = first + lid;
            tile[lid] = path < count ? from[path] : 0.0f;
            sycl::group_barrier(it.get_group());
            if (path < count) {
              to[path] = tile[63 - lid];
            }
            sycl::group_barrier(it.get_group());
          }
        });
      });
    }

Silent when start and end hold the same id, which cancels; when the count is a multiple of the step; when the condition
is the same in the whole group, or is not understood; when the barrier is only in the first iterations, as under
``if (i < 2)``, which all work-items run.

In a kernel of two or three dimensions whose local range is not known, ids of single dimensions are not reported: the
group may have an extent of 1 there.

Known problem: a count that is a multiple of the step in every run, and is nowhere shown to be, is reported.

Source: SYCL 2020, "Group functions" (each loop iteration counts for converged control flow).
"""

from collections.abc import Iterator

from sycllint.device_code.checks.missed_barriers import Cause, MissedBarrier
from sycllint.diagnostic import Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint_rules.divergence import finding, missed


@rule("SYC509", Severity.WARNING, on=KernelLaunch, seen=MissedBarrier)
def barrier_in_divergent_loop(launch: KernelLaunch, _target: Target) -> Iterator[Finding]:
    """Yield a finding for each loop that parts a group around a barrier."""
    for seen in missed(launch, lambda each: each.cause is Cause.LOOP and not each.in_sub_group):
        loop = f"the loop while `{seen.condition}`" if seen.condition else "its loop"
        verdict = f"is divergent: the trip count of {loop} differs between work-items of a group"
        yield finding(
            seen, f"`{seen.operation}`", verdict, "Give all work-items the same trip count, and guard the work inside."
        )
