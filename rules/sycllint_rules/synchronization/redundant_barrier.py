"""A barrier orders nothing: no memory is used before it, after it, or since the one before.

It costs more than the wait. A work-group with a barrier has to be resident as a whole on one core, so its size begins
to matter for how busy the device is.

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

Silent when anything that may touch memory stands between, or the second of two barriers orders a kind of memory that
the first does not; inside loops, branches and functions that a kernel calls
besides other statements.

Source: SYCL 2020, "group_barrier"; Intel oneAPI GPU Optimization Guide, "SYCL Thread Mapping and GPU Occupancy",
section "A Detailed Example" (VectorAdd4, whose barrier is functionally not needed).
"""

from collections.abc import Iterator

from sycllint.device_code.checks.idle_barriers import IdleBarrier, Reason
from sycllint.diagnostic import Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, rule
from sycllint.target import Target

_VERDICTS = {
    Reason.FIRST: "at the start of the kernel orders no accesses",
    Reason.LAST: "at the end of the kernel orders no accesses",
    Reason.REPEATED: "follows another with no accesses between them",
}


@rule("SYC505", Severity.NOTE, on=KernelLaunch, seen=IdleBarrier)
def redundant_barrier(launch: KernelLaunch, _target: Target) -> Iterator[Finding]:
    """Yield a finding for each barrier that can go."""
    for seen in launch.kernel.seen.of(IdleBarrier):
        yield Finding(
            location=seen.location,
            subject="barrier",
            verdict=_VERDICTS[seen.reason],
            device_specific=False,
            help="Without it the kernel computes the same.",
        )
