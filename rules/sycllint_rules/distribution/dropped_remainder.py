"""Work is split by an integer division, and the remainder is never processed.

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

Reported when each id has a share of ``n / ids`` elements and loops over just that share; when the global range is
``n / size`` work-groups of ``size`` work-items in one of its dimensions, each with an element of its own, whether or
not the kernel compares the id with the end; and when it is ``n / 4`` work-items that set 4 elements each in a loop.

Silent when the number is a known multiple, also where each visible call passes one, a product, or rounded before; when
the kernel uses the number elsewhere too, such as in a loop up to it; when the host computes the remainder (``n %
4096``, ``n - done``), in an assertion or for a second pass, or multiplies the quotient again by the number of shares;
when the divisor is not the number of ids.

Source: C++ standard, [expr.mul]: the quotient of integers is truncated.
"""

from sycllint.device_code.checks.remainders import DroppedRemainder
from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, record_rule


@record_rule("SYC803", Severity.WARNING, on=KernelLaunch, seen=DroppedRemainder)
def dropped_remainder(each: DroppedRemainder) -> Finding:
    """A finding for each division."""
    rest = f"{each.dividend} % {each.divisor}"
    return Finding(
        location=each.location,
        subject=f"`{each.dividend} / {each.divisor}`",
        verdict=f"rounds down, and the last `{rest}` elements are not processed",
        evidence=Evidence.DERIVED,
        related=(
            Related("the launch has a work-item for each of the others" if each.is_launch else _SHARE, each.used),
        ),
        help=_HELP[each.is_launch],
    )


_SHARE = "each id processes one share"
_HELP = {
    True: "Round the global range up, and let work-items past the end do nothing.",
    False: "Round the quotient up and limit the last share to the end, or loop with a stride of all work-items.",
}
