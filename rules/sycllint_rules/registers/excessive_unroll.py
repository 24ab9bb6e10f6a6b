"""A loop is unrolled whole, although it has many trips, or nobody knows how many.

Every copy of the body adds live values and code. Past a point the values no longer fit the registers and the code no
longer fits the instruction cache. A factor keeps both in hand.

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
statements; when the number of trips is unknown and the body has at most ten. Off unless selected.

Source: Intel oneAPI GPU Optimization Guide, "Registerization and Avoiding Register Spills", section "Optimization
Techniques": loops are not to be unrolled excessively.
"""

from collections.abc import Iterator

from sycllint.diagnostic import Evidence, Severity
from sycllint.kernel.serial import UnrolledLoop
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint_rules.wording import number

_COPIES = 128
_COPIES_OF_MUCH = 32
_MUCH = 10
"""Statements."""


@rule("SYC605", Severity.NOTE, on=KernelLaunch, seen=UnrolledLoop, enabled=False)
def excessive_unroll(launch: KernelLaunch, target: Target) -> Iterator[Finding]:
    """One finding for each outermost loop."""
    for each in launch.kernel.seen.of(UnrolledLoop):
        much = each.statements > _MUCH
        if each.trips is None:
            fires = much
        else:
            fires = each.trips > (_COPIES_OF_MUCH if much else _COPIES)
        if fires:
            copies = "an unknown number of" if each.trips is None else number(each.trips)
            yield Finding(
                location=each.location,
                subject="#pragma unroll",
                verdict=f"makes {copies} copies of the loop's body",
                evidence=Evidence.DERIVED,
                device_specific=False,
            )
