"""A shuffle or reduction over the sub-group is in divergent control flow.

Every lane has to reach it. The value of a lane that does not is undefined: on some devices it is the old content of its
register.

Bad::

    void sums(sycl::queue &q, const int *from, int *to, int n) {
      const size_t padded = (n + 255) / 256 * 256;
      q.parallel_for(sycl::nd_range<1>(padded, 256), [=](sycl::nd_item<1> it) {
        const int i = it.get_global_id(0);
        if (i < n) {
          const int sum = sycl::reduce_over_group(it.get_sub_group(), from[i], sycl::plus<>());
          to[i] = sum;
        }
      });
    }

Good::

    void sums(sycl::queue &q, const int *from, int *to, int n) {
      const size_t padded = (n + 255) / 256 * 256;
      q.parallel_for(sycl::nd_range<1>(padded, 256), [=](sycl::nd_item<1> it) {
        const int i = it.get_global_id(0);
        const int mine = i < n ? from[i] : 0;
        const int sum = sycl::reduce_over_group(it.get_sub_group(), mine, sycl::plus<>());
        if (i < n) {
          to[i] = sum;
        }
      });
    }

Intel's guide transposes a tile of 16 x 16 with a shuffle in a branch which one lane of the sub-group takes. It relies
on the behaviour of one compiler; SYCL 2020 leaves it undefined, and the rule reports it. ``sycl::select_from_group``
that all lanes reach, with the condition around what is done with its result, is the same transposition.

Silent when whole sub-groups take the same path: the sub-group's id, ``lid / 32`` with sub-groups of 32, ``lid < k``
with ``k`` a multiple of the sub-group size; when the sub-group size is not known and decides; when the launch makes the
condition hold for all; when the condition is not understood.

In a kernel of two or three dimensions whose local range is not known, ids of single dimensions are not reported: the
group may have an extent of 1 there.

Source: SYCL 2020, "Group functions" (converged control flow); Intel oneAPI GPU Optimization Guide, "Sub-Groups and SIMD
Vectorization", section "Data Sharing" (the transposition).
"""

from collections.abc import Iterator

from sycllint.device_code.checks.missed_barriers import Cause, MissedBarrier
from sycllint.diagnostic import Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint_rules.divergence import JUMPS, finding, leaves, missed, reached_by


@rule("SYC308", Severity.WARNING, on=KernelLaunch, seen=MissedBarrier)
def sub_group_collective_divergent(launch: KernelLaunch, _target: Target) -> Iterator[Finding]:
    """Yield a finding for each condition, loop or jump that parts a sub-group before a collective."""
    for seen in missed(launch, lambda each: each.in_sub_group and not each.in_both):
        cure = "Call it in all lanes, and let only its operand depend on the condition."
        yield finding(seen, f"`{seen.operation}`", _verdict(seen), cure)


def _verdict(seen: MissedBarrier) -> str:
    if seen.cause in JUMPS:
        return f"is divergent: {leaves(seen, 'lanes')} before it, and all lanes of the sub-group must reach it"
    if seen.cause is Cause.LOOP:
        return f"is divergent: the trip count of the loop while `{seen.condition}` differs between lanes of a sub-group"
    return f"is divergent: only {reached_by(seen, 'lanes')} reach it; all lanes of the sub-group must"
