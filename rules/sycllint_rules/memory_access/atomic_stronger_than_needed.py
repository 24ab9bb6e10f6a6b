"""An atomic counter has a stronger memory order than it needs.

``seq_cst`` and ``acq_rel`` order the memory accesses around the update, which costs fences. A counter whose result is
not used, in a kernel that uses no atomic in any other way, needs no order: ``relaxed`` counts as well.

Bad::

    void count(sycl::queue &q, int *total, const int *in) {
      q.parallel_for(sycl::range<1>(1 << 20), [=](sycl::id<1> i) {
        sycl::atomic_ref<int, sycl::memory_order::seq_cst, sycl::memory_scope::device> bin(total[in[i]]);
        bin.fetch_add(1);
      });
    }

Good::

    void count(sycl::queue &q, int *total, const int *in) {
      q.parallel_for(sycl::range<1>(1 << 20), [=](sycl::id<1> i) {
        sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device> bin(total[in[i]]);
        bin.fetch_add(1);
      });
    }

Silent when a result is used; when the kernel, or a function it calls, has a fence, an atomic load, store or exchange,
or a volatile object, since the order may be for those; for the scope ``system``, on which the host may rely.

Source: SYCL 2020, "Atomic references", and "Memory ordering": relaxed operations are atomic and order nothing else.
"""

from sycllint.device_code.checks.atomics import StrongAtomic
from sycllint.diagnostic import Evidence, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, record_rule
from sycllint.source.edit import Edit, Fix


@record_rule("SYC706", Severity.NOTE, on=KernelLaunch, seen=StrongAtomic)
def atomic_stronger_than_needed(each: StrongAtomic) -> Finding:
    """A finding for each atomic reference."""
    return Finding(
        location=each.location if each.written is None else each.written,
        subject=f"`memory_order::{each.order}`",
        verdict="is stronger than needed for a counter whose result is not used: `relaxed` is enough",
        evidence=Evidence.DERIVED,
        fix=_fix(each),
    )


def _fix(each: StrongAtomic) -> Fix | None:
    if each.written is None:
        return None
    return Fix("use relaxed", (Edit(each.written, each.spelling.replace(each.order, "relaxed")),))
