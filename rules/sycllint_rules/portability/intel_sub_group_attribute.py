"""The sub-group size is required by a vendor's attribute, where the standard has one.

``[[intel::reqd_sub_group_size(16)]]`` is known only to DPC++; other compilers ignore an unknown attribute, and the
kernel then runs with a sub-group size that it was not written for. ``[[sycl::reqd_sub_group_size(16)]]`` means the same
and is known to every SYCL 2020 compiler.

Bad::

    void scale(sycl::queue &q, float *data) {
      q.parallel_for(sycl::nd_range<1>(4096, 256), [=](sycl::nd_item<1> it) [[intel::reqd_sub_group_size(16)]] {
        data[it.get_global_id(0)] *= 2.0f;
      });
    }

Good::

    void scale(sycl::queue &q, float *data) {
      q.parallel_for(sycl::nd_range<1>(4096, 256), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {
        data[it.get_global_id(0)] *= 2.0f;
      });
    }

``--fix`` rewrites it.

Silent when it stands under a preprocessor condition that asks which SYCL or which compiler there is, also where that
is one of CUDA or HIP; in folders of backends in these languages; in the sources of SYCL implementations and in
generated code; in test trees.

Source: SYCL 2020, section "Kernel attributes", reqd_sub_group_size.
"""

from sycllint.diagnostic import Severity
from sycllint.host.unit import SourceUnit
from sycllint.rule import Finding, record_rule
from sycllint.spelling.record import Old, Outdated
from sycllint_rules.spelling import outdated


@record_rule("SYC904", Severity.NOTE, on=SourceUnit, seen=Outdated, muted_in_tests=True)
def intel_sub_group_attribute(use: Outdated) -> Finding | None:
    """A finding for each attribute."""
    return outdated(use, "is the standard {} since SYCL 2020") if use.kind is Old.ATTRIBUTE else None
