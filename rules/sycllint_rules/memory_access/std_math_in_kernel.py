"""A mathematical function of the C++ library in device code, where SYCL promises only its own.

``std::exp`` works if the implementation has a device version of the C++ library, as DPC++ has. ``sycl::exp`` works
everywhere, and is the one that implementations map to the device's instruction.

Bad::

    void grow(sycl::queue &q, float *y, const float *x) {
      q.parallel_for(sycl::range<1>(1 << 20), [=](sycl::id<1> i) { y[i] = std::exp(x[i]); });
    }

Good::

    void grow(sycl::queue &q, float *y, const float *x) {
      q.parallel_for(sycl::range<1>(1 << 20), [=](sycl::id<1> i) { y[i] = sycl::exp(x[i]); });
    }

Silent when it is one of ``std::min``, ``std::max``, ``std::abs`` and ``std::clamp``, which are plain arithmetic; in
host code; in test trees, where the extension itself is tested.

Source: SYCL 2020, "Language restrictions for device functions" and "Built-in functions".
"""

from sycllint.device_code.checks.mathematics import StandardMath
from sycllint.diagnostic import Evidence, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, record_rule
from sycllint.source.edit import Edit, Fix


@record_rule("SYC709", Severity.NOTE, on=KernelLaunch, seen=StandardMath, muted_in_tests=True)
def std_math_in_kernel(each: StandardMath) -> Finding:
    """A finding for each call."""
    mine = f"sycl::{each.name}"
    return Finding(
        location=each.location,
        subject=f"`std::{each.name}`",
        verdict=f"in device code is an extension; `{mine}` is portable",
        evidence=Evidence.DERIVED,
        fix=Fix(f"call {mine}", (Edit(each.location, mine),)) if each.has_twin else None,
    )
