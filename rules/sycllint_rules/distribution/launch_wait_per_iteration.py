"""A loop waits for each of its kernels and uses nothing of them in between.

While the host waits, wakes up and submits the next kernel, the device has nothing to do. Kernels that follow one
another need no host for that: an in-order queue, or a dependency on the event before, keeps them in order on the
device.

Bad::

    void simulate(sycl::queue &q, float *now, float *next, size_t n, int steps) {
      for (int step = 0; step < steps; ++step) {
        q.parallel_for(n, [=](sycl::id<1> i) { next[i] = 0.5f * (now[i] + now[i + 1]); });
        q.wait();
        std::swap(now, next);
      }
    }

Good::

    void simulate(float *now, float *next, size_t n, int steps) {
      sycl::queue q{sycl::property::queue::in_order()};
      for (int step = 0; step < steps; ++step) {
        q.parallel_for(n, [=](sycl::id<1> i) { next[i] = 0.5f * (now[i] + now[i + 1]); });
        std::swap(now, next);
      }
      q.wait();
    }

Silent when the loop does anything else than submit, wait, count and swap pointers, since it may use the result; when a
copy to the host or a host task is among its commands; when the function measures time, or the names in the loop show
that it repeats a measurement (``repeat``, ``iter``, ``warmup``). Off unless selected.

Source: Intel oneAPI GPU Optimization Guide, "Executing Multiple Kernels on the Device at the Same Time", sample
multiple-kernel-execution.
"""

from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.host.checks.waiting import WaitingLoop
from sycllint.host.unit import SourceUnit
from sycllint.rule import Finding, record_rule
from sycllint_rules.wording import number


@record_rule("SYC805", Severity.NOTE, on=SourceUnit, seen=WaitingLoop, enabled=False, muted_in_tests=True)
def launch_wait_per_iteration(seen: WaitingLoop) -> Finding:
    """A finding for each such loop."""
    each = "each iteration" if seen.trips is None else f"each of {number(seen.trips)} iterations"
    return Finding(
        location=seen.location,
        subject=f"wait for `{seen.queue}`",
        verdict=f"in {each} of a loop that only submits: the device idles until the next one",
        evidence=Evidence.HEURISTIC,
        related=(Related("the loop", seen.loop),),
        help="Use an in-order queue and wait once, after the loop.",
    )
