"""An id or a range is asked for in a dimension that the item does not have.

Dimensions count from zero: an ``nd_item<2>`` has 0 and 1. The result for 2 is undefined; usually it is the memory after
the array of ids.

Bad::

    void clear(sycl::queue &q, float *a) {
      q.parallel_for(sycl::nd_range<2>({64, 64}, {8, 32}), [=](sycl::nd_item<2> it) {
        a[it.get_global_id(1) * 64 + it.get_global_id(2)] = 0.0f;
      });
    }

Good::

    void clear(sycl::queue &q, float *a) {
      q.parallel_for(sycl::nd_range<2>({64, 64}, {8, 32}), [=](sycl::nd_item<2> it) {
        a[it.get_global_id(0) * 64 + it.get_global_id(1)] = 0.0f;
      });
    }

Functions that get the item as an argument are checked, too.

Silent when the dimension is not known; when the item's dimensions are a template's parameter.

Source: SYCL 2020, "nd_item class", "item class", "id class" (the argument is in the range [0, Dimensions)).
"""

from sycllint.device_code.checks.dimensions import OutOfDimensions
from sycllint.diagnostic import Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, record_rule
from sycllint_rules.wording import plural


@record_rule("SYC111", Severity.ERROR, on=KernelLaunch, seen=OutOfDimensions)
def item_dimension_out_of_range(seen: OutOfDimensions) -> Finding:
    """A finding for each question for a dimension beyond the last."""
    return Finding(
        location=seen.location,
        subject=f"`{seen.text}`",
        verdict=f"is out of range: `{seen.kind}<{seen.dims}>` has {plural(seen.dims, 'dimension')}",
        help=f"Dimensions count from 0; the last is {seen.dims - 1}.",
    )
