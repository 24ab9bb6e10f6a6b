"""A name or a form of SYCL 1.2.1 that SYCL 2020 has removed or deprecated.

SYCL 2020 moved the header to ``sycl/sycl.hpp`` and the namespace to ``sycl``, made the selector classes into values and
local accessors into a class of their own, replaced ``atomic`` by ``atomic_ref`` and the discarding access modes by a
property, and deprecated offsets of index spaces and hierarchical kernels. Compilers still take most of it, with
warnings; one rule holds all of it, so that a code base can count and update it as a unit.

Bad::

    #include <CL/sycl.hpp>

    void fill(float *data) {
      cl::sycl::queue q(cl::sycl::gpu_selector{});
      q.parallel_for(cl::sycl::range<1>(4096), [=](cl::sycl::id<1> i) { data[i] = 1.0f; }).wait();
    }

Good::

    void fill(float *data) {
      sycl::queue q(sycl::gpu_selector_v);
      q.parallel_for(sycl::range<1>(4096), [=](sycl::id<1> i) { data[i] = 1.0f; }).wait();
    }

``--fix`` rewrites the header, the namespace, selectors that make a queue, device or platform, local accessors that name
their target, and ``auto a = b.get_access<…discard…>(h)``. It leaves what is not a matter of spelling: atomics (order
and scope have to be chosen), offsets, hierarchical kernels, selectors that are derived from.

Silent when it stands under a preprocessor condition that asks which SYCL there is, or that holds for compilers of
CUDA or HIP only; in folders ``cuda``, ``hip`` and ``rocm``, in files that do not include SYCL's header; in the
sources of SYCL implementations and in generated code; where a mode or a target is only compared with; for
``get_count`` and ``get_size``, which most often are another class's; in test trees.

Source: SYCL 2020, chapter "What has changed from previous versions"; sections "Device selectors", "Local accessor",
"Atomic references", "nd_range class", "Hierarchical data parallel kernels" and "Deprecated features".
"""

from sycllint.diagnostic import Severity
from sycllint.host.unit import SourceUnit
from sycllint.rule import Finding, record_rule
from sycllint.spelling.record import Old, Outdated
from sycllint_rules.spelling import outdated

_OTHER_RULES = (Old.BARRIER, Old.ATTRIBUTE)


@record_rule("SYC902", Severity.NOTE, on=SourceUnit, seen=Outdated, muted_in_tests=True)
def deprecated_sycl_121_api(use: Outdated) -> Finding | None:
    """A finding for each use."""
    return outdated(use, "is outdated: SYCL 2020 has {}") if use.kind not in _OTHER_RULES else None
