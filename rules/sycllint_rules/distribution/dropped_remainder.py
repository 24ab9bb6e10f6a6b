"""Work is split by a division, and what it leaves over is never processed.

``n / 64`` elements for each of 64 workers are ``n - n % 64`` elements.

Bad::

    void scale(sycl::queue &q, float *y, size_t n) {
      const size_t each = n / 4096;
      q.parallel_for(sycl::nd_range<1>(4096, 64), [=](sycl::nd_item<1> it) {
        const size_t begin = it.get_global_id(0) * each;
        for (size_t i = begin; i < begin + each; ++i) {
          y[i] *= 2.0f;
        }
      });
    }

Good::

    void scale(sycl::queue &q, float *y, size_t n) {
      q.parallel_for(sycl::nd_range<1>(4096, 64), [=](sycl::nd_item<1> it) {
        for (size_t i = it.get_global_id(0); i < n; i += it.get_global_range(0)) {
          y[i] *= 2.0f;
        }
      });
    }

Silent when the number is a known multiple; when the kernel compares something with it, as loops to the end do; when the
host asks for the remainder (``n % 4096``), in an assertion or for a second pass, or multiplies the quotient again by a
number of workers that is not known; when the divisor is not the number of workers.

Source: C++ standard, [expr.mul]: the quotient of integers is truncated.
"""

from collections.abc import Iterator

from sycllint.device_code.checks.remainders import DroppedRemainder
from sycllint.diagnostic import Evidence, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint_rules.wording import number


@rule("SYC803", Severity.WARNING, on=KernelLaunch, seen=DroppedRemainder)
def dropped_remainder(launch: KernelLaunch, target: Target) -> Iterator[Finding]:
    """One finding for each access in such chunks."""
    for each in launch.kernel.seen.of(DroppedRemainder):
        chunk = each.chunk.removeprefix("(").removesuffix(")") if each.chunk.startswith("(") else each.chunk
        yield Finding(
            location=each.location,
            subject=f"{_count(each.divisor)} chunks of {chunk} elements",
            verdict="leave out the remainder of the division",
            evidence=Evidence.DERIVED,
            device_specific=False,
        )


def _count(divisor: str) -> str:
    return number(int(divisor)) if divisor.isdigit() else divisor
