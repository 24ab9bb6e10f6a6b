"""A condition reads an element before it tests whether the index is in range.

``&&`` is evaluated from left to right. ``a[i] > 0 && i < n`` has read ``a[n]`` before ``i < n`` is tested.

Bad::

    void count(sycl::queue &q, const int *keys, int *out, int n) {
      q.parallel_for(sycl::range<1>(1 << 20), [=](sycl::id<1> id) {
        int i = 4 * id[0];
        while (keys[i] == 0 && i < n) {
          ++i;
        }
        out[id] = i;
      });
    }

Good::

    void count(sycl::queue &q, const int *keys, int *out, int n) {
      q.parallel_for(sycl::range<1>(1 << 20), [=](sycl::id<1> id) {
        int i = 4 * id[0];
        while (i < n && keys[i] == 0) {
          ++i;
        }
        out[id] = i;
      });
    }

Silent when the index was compared with something before, or folded into a range; when the other side of the comparison
changes in the kernel, since then it is hardly the end of the array.

Source: C++ standard, [expr.log.and]: the second operand is evaluated after the first, and only when that is true.
"""

from sycllint.device_code.checks.bounds import LateBound
from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, record_rule


@record_rule("SYC512", Severity.WARNING, on=KernelLaunch, seen=LateBound)
def bound_tested_after_access(each: LateBound) -> Finding:
    """A finding for each condition."""
    return Finding(
        location=each.location,
        subject=f"`{each.array}[{each.index}]`",
        verdict=f"is read before `{each.index}` is compared with its bound",
        evidence=Evidence.DERIVED,
        related=(Related("the bound is tested here", each.bound),),
    )
