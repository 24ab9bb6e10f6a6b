"""A loop with many iterations, or a trip count known only at run time, is to be unrolled completely.

Every copy of the body adds live values and code. Past a point the values no longer fit the registers and the code no
longer fits the instruction cache. An unroll factor limits both; measure to choose it.

Where the number of trips is a variable that the kernel captures, the loop cannot be unrolled whole. ``#pragma unroll``
then leaves it to the compiler whether it makes copies, and how many.

Bad::

    void smooth(sycl::queue &q, float *y, const float *x) {
      q.parallel_for(sycl::range<1>(1 << 20), [=](sycl::id<1> i) {
        float sum = 0.0f;
    #pragma unroll
        for (int k = 0; k < 16; ++k) {
    #pragma unroll
          for (int j = 0; j < 16; ++j) {
            sum += x[i + 16 * k + j];
          }
        }
        y[i] = sum;
      });
    }

Good::

    void smooth(sycl::queue &q, float *y, const float *x) {
      q.parallel_for(sycl::range<1>(1 << 20), [=](sycl::id<1> i) {
        float sum = 0.0f;
        for (int k = 0; k < 16; ++k) {
    #pragma unroll
          for (int j = 0; j < 16; ++j) {
            sum += x[i + 16 * k + j];
          }
        }
        y[i] = sum;
      });
    }

Silent when a factor is written; when all loops together make at most 128 copies, or 32 of a body with more than ten
statements; when it is not known whether the compiler knows the number of trips, as with a template parameter, a member,
or the parameter of a function that the kernel calls. Off unless selected.

Source: Intel oneAPI GPU Optimization Guide, "Registerization and Avoiding Register Spills", section "Optimization
Techniques": excessive unrolling raises register pressure; compare times with and without it, and with several factors.
Clang, "Language Extensions", "Loop Unrolling": a loop of which the compiler does not know the trips is not unrolled
whole.
"""

from sycllint.device_code.checks.serial_loops import UnrolledLoop
from sycllint.diagnostic import Evidence, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, record_rule
from sycllint_rules.wording import number

_COPIES = 128
_COPIES_OF_MUCH = 32
_MUCH = 10
"""Statements."""


@record_rule("SYC605", Severity.NOTE, on=KernelLaunch, seen=UnrolledLoop, enabled=False)
def excessive_unroll(each: UnrolledLoop) -> Finding | None:
    """A finding for each outermost loop."""
    verdict = _verdict(each)
    if verdict:
        return Finding(
            location=each.location,
            subject="`#pragma unroll`",
            verdict=verdict,
            evidence=Evidence.DERIVED,
            help="Write a factor, and measure with several.",
        )
    return None


def _verdict(loop: UnrolledLoop) -> str:
    """What the directive asks for; empty where that is no excess."""
    if loop.trips is None:
        return f"without a factor leaves the number of copies to the compiler: `{loop.bound}` is known only at run time"
    limit = _COPIES_OF_MUCH if loop.statements > _MUCH else _COPIES
    return f"makes {number(loop.trips)} copies of the loop body" if loop.trips > limit else ""
