"""A private array of vectors of which the kernel only uses single components.

The compiler keeps an array in registers as a whole or not at all. An array for each component leaves it the choice:
some of them, if not all, may stay in registers where the one of vectors goes to memory.

Bad::

    void sums(sycl::queue &q, const sycl::float4 *in, float *out) {
      q.parallel_for(sycl::range<1>(8192), [=](sycl::id<1> i) {
        sycl::float4 v[8];
        for (int k = 0; k < 8; ++k) {
          v[k].x() = in[8192 * k + i].x();
          v[k].y() = in[8192 * k + i].y();
        }
        out[i] = v[in[i].z() > 0.0f ? 1 : 2].x();
      });
    }

Good::

    void sums(sycl::queue &q, const sycl::float4 *in, float *out) {
      q.parallel_for(sycl::range<1>(8192), [=](sycl::id<1> i) {
        float x[8];
        float y[8];
        for (int k = 0; k < 8; ++k) {
          x[k] = in[8192 * k + i].x();
          y[k] = in[8192 * k + i].y();
        }
        out[i] = x[in[i].z() > 0.0f ? 1 : 2];
      });
    }

Silent when an element is used as a vector anywhere, when the array is passed on, when it takes at most 64 bytes or a
number of bytes that is not known, and for classes of the project. Off unless selected: whether the whole array is kept
depends on all other live values, which SYC601 and SYC602 report.

Source: Intel oneAPI GPU Optimization Guide, "Registerization and Avoiding Register Spills", section "Optimization
Techniques", with an array of ``sycl::float4`` as its example.
"""

from sycllint.device_code.checks.private_arrays import VectorArray
from sycllint.diagnostic import Evidence, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, record_rule
from sycllint_rules.wording import number

_SMALL = 64
"""Bytes per work-item up to which the way an array is kept hardly matters (the catalogue's threshold)."""


@record_rule("SYC604", Severity.NOTE, on=KernelLaunch, seen=VectorArray, enabled=False)
def array_of_vectors(each: VectorArray) -> Finding | None:
    """A finding for each array."""
    if each.bytes > _SMALL:
        return Finding(
            location=each.location,
            subject=f"`{each.name}`, {number(each.bytes)} B of `{each.element}`",
            verdict="of which only components are used, is kept in registers as a whole or not at all",
            evidence=Evidence.HEURISTIC,
            help="Use one array per component.",
        )
    return None
