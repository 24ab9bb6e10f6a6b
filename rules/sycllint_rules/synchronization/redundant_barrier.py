"""A barrier orders no accesses: none before it, none after it, none since the one before, or only reads.

It costs more than the wait. A work-group with a barrier has to be resident as a whole on one core, so its size affects
the occupancy.

Bad::

    void add(sycl::queue &q, const float *a, float *b) {
      q.parallel_for(sycl::nd_range<1>(86016, 256), [=](sycl::nd_item<1> it) {
        const size_t i = it.get_global_id(0);
        sycl::group_barrier(it.get_group());
        b[i] += a[i];
      });
    }

Good::

    void add(sycl::queue &q, const float *a, float *b) {
      q.parallel_for(sycl::nd_range<1>(86016, 256), [=](sycl::nd_item<1> it) {
        const size_t i = it.get_global_id(0);
        b[i] += a[i];
      });
    }

A barrier in front of the first write is redundant, too, if the kernel does not write what it has read so far: the
arrays of two pointers must not overlap. So is ``barrier(access::fence_space::local_space)`` in a kernel without local
memory whose work-items use only elements of their own.

Silent when a function that gets memory as an argument is called before the barrier; when the second of two barriers
orders a kind of memory that the first does not; in functions that a kernel calls along with other statements, except
for two in a row.

Source: SYCL 2020, "group_barrier"; Intel oneAPI GPU Optimization Guide, "SYCL Thread Mapping and GPU Occupancy",
section "A Detailed Example" (VectorAdd4, whose barrier is functionally not needed).
"""

from collections.abc import Iterator

from sycllint.device_code.checks.idle_barriers import IdleBarrier, Reason
from sycllint.device_code.checks.missed_barriers import Cause, MissedBarrier
from sycllint.diagnostic import Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, rule
from sycllint.source.span import Location
from sycllint.target import Target

_VERDICTS = {
    Reason.FIRST: "at the start of the kernel orders no accesses",
    Reason.UNWRITTEN: "before the first write of the kernel orders no accesses",
    Reason.LAST: "at the end of the kernel orders no accesses",
    Reason.REPEATED: "follows another with no accesses between them",
    Reason.NO_LOCAL: "orders local memory only, and the kernel has none",
}
_HELP = {
    Reason.UNWRITTEN: "The kernel computes the same without it, "
    "unless an array that it writes overlaps one it has read."
}


_PARTING = (Cause.BRANCH, Cause.LOOP)


@rule("SYC505", Severity.NOTE, on=KernelLaunch, seen=IdleBarrier, reads=MissedBarrier)
def redundant_barrier(launch: KernelLaunch, _target: Target) -> Iterator[Finding]:
    """Yield a finding for each barrier that can go."""
    # A divergent barrier belongs to another rule, whatever it orders.
    reported = {_place(each.location) for each in launch.kernel.seen.of(MissedBarrier) if each.cause in _PARTING}
    for seen in launch.kernel.seen.of(IdleBarrier):
        if _place(seen.location) not in reported:
            reported.add(_place(seen.location))
            yield Finding(
                location=seen.location,
                subject="barrier",
                verdict=_VERDICTS[seen.reason],
                device_specific=False,
                help=_HELP.get(seen.reason, "The kernel computes the same without it."),
            )


def _place(location: Location) -> tuple[str, int]:
    return location.path, location.span.start
