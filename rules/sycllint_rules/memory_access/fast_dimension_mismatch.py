"""Uncoalesced access: the id of a slow dimension indexes contiguous memory, that of the fast dimension indexes rows.

SYCL counts like C arrays: neighbouring work-items differ in the last dimension. CUDA's x is the first to change, so a
kernel ported with ``x = get_global_id(0)`` reads a column where it read a row.

Bad::

    void scale(sycl::queue &q, float *image, size_t width) {
      q.parallel_for(sycl::nd_range<2>({1024, 1024}, {16, 16}), [=](sycl::nd_item<2> it) {
        const size_t x = it.get_global_id(0), y = it.get_global_id(1);
        image[y * width + x] *= 2.0f;
      });
    }

Good::

    void scale(sycl::queue &q, float *image, size_t width) {
      q.parallel_for(sycl::nd_range<2>({1024, 1024}, {16, 16}), [=](sycl::nd_item<2> it) {
        const size_t y = it.get_global_id(0), x = it.get_global_id(1);
        image[y * width + x] *= 2.0f;
      });
    }

All accesses of the kernel are counted in both orders of the two dimensions, each as often as the loops around it turn:
work-items that read neighbouring elements, or all the same one, share cache lines; those that are a row apart do not.
The finding is at the access that is made most often.

Silent when the other order is not at least twice as good, as in a transposition, or where one store goes across rows
and a loop reads what is the same for all lanes; when a work-item's elements of up to 16 bytes lie side by side; when a
group has fewer than 8 work-items in the last dimension, or an unknown number; when the launch has fewer than 1024
work-items; for local memory.

Source: SYCL 2020, "Linearization": the last dimension is contiguous; AdaptiveCpp issue 158, a matrix multiplication two
to five times as fast with the dimensions swapped.
"""

from sycllint.device_code.checks.dimension_order import SlowFirst
from sycllint.diagnostic import Evidence, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, record_rule
from sycllint.values.value import known
from sycllint_rules.wording import number


@record_rule("SYC702", Severity.WARNING, on=KernelLaunch, seen=SlowFirst)
def fast_dimension_mismatch(each: SlowFirst) -> Finding:
    """A finding for each kernel."""
    stride = known(each.stride)
    apart = f"{number(stride)} elements" if stride is not None else "a row"
    return Finding(
        location=each.location,
        subject=f"uncoalesced access to `{each.array}`:",
        verdict=f"consecutive work-items differ in dimension {each.fast}, {apart} apart, "
        f"but dimension {each.unit} is contiguous",
        evidence=Evidence.DERIVED,
    )
