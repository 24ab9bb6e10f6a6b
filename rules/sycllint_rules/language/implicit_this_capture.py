"""A kernel lambda uses a data member of the class around it, and so captures ``this``.

``[=]`` copies local variables; of a data member it copies only the pointer ``this``, an address of the host. On the
device the member is then read through it. Lambdas that reach a launch through variables and functions are seen as
SYC1001 sees them.

Bad::

    struct Scaler {
      float factor;
      void run(sycl::queue &q, float *values, size_t n) {
        q.parallel_for(n, [=](sycl::id<1> i) { values[i] *= factor; }).wait();
      }
    };

Good::

    struct Scaler {
      float factor;
      void run(sycl::queue &q, float *values, size_t n) {
        q.parallel_for(n, [=, factor = factor](sycl::id<1> i) { values[i] *= factor; }).wait();
      }
    };

Silent when the object itself is captured (``[*this]``) or ``this`` is named in the capture, when the function or the
kernel declares the name itself, and for constants of the class.

Source: SYCL 2020, chapter "Language restrictions for kernels"; intel/llvm pull request 2029.
"""

from sycllint.diagnostic import Evidence, Severity
from sycllint.host.records import CapturedObject
from sycllint.host.unit import SourceUnit
from sycllint.rule import Finding, record_rule


@record_rule("SYC1006", Severity.WARNING, on=SourceUnit, seen=CapturedObject)
def implicit_this_capture(seen: CapturedObject) -> Finding:
    """A finding for each member that a kernel uses."""
    return Finding(
        location=seen.location,
        subject=f"using `{seen.owner}::{seen.member}`",
        verdict="captures `this`, a host pointer",
        evidence=Evidence.DERIVED,
    )
