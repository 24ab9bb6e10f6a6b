"""An accessor asks to read and write a buffer, and its kernel only reads it.

An accessor made without a mode may write. Every later command that reads the buffer then waits for this kernel, and
what another device or the host holds of the buffer counts as old, so that it is copied back although nothing changed.

Bad::

    void scale(sycl::queue &q, sycl::buffer<float> &factors, float *y) {
      q.submit([&](sycl::handler &h) {
        sycl::accessor factor(factors, h);
        h.parallel_for(1 << 20, [=](sycl::id<1> i) { y[i] *= factor[i]; });
      });
    }

Good::

    void scale(sycl::queue &q, sycl::buffer<float> &factors, float *y) {
      q.submit([&](sycl::handler &h) {
        sycl::accessor factor(factors, h, sycl::read_only);
        h.parallel_for(1 << 20, [=](sycl::id<1> i) { y[i] *= factor[i]; });
      });
    }

Silent when an element is assigned, has its address taken, is bound to a reference, or is handed to a function that is
not one of the mathematical ones; when the accessor itself is handed on, or is named outside the kernel; when the
kernel is not a lambda in sight.

Source: SYCL 2020, "Buffer accessor", access modes; Intel oneAPI GPU Optimization Guide, "Buffer Accessor Modes".
"""

from collections.abc import Iterator

from sycllint.diagnostic import Related, Severity
from sycllint.host.accessors import ReadOnlyAccessor
from sycllint.host.unit import SourceUnit
from sycllint.rule import Finding, rule
from sycllint.source.edit import Applicability, Edit, Fix
from sycllint.target import Target


@rule("SYC1110", Severity.NOTE, on=SourceUnit, seen=ReadOnlyAccessor, muted_in_tests=True)
def accessor_wider_than_used(unit: SourceUnit, target: Target) -> Iterator[Finding]:
    """Yield a finding for each accessor that might as well not write."""
    for seen in unit.seen.of(ReadOnlyAccessor):
        yield Finding(
            location=seen.location,
            subject=f"accessor {seen.name}",
            verdict=f"may write {seen.buffer}, which the kernel only reads",
            device_specific=False,
            related=(Related("the kernel is launched here", seen.kernel),),
            fix=_fix(seen),
        )


def _fix(seen: ReadOnlyAccessor) -> Fix | None:
    if seen.tag is None:
        return None
    return Fix("add sycl::read_only", (Edit(seen.tag, ", sycl::read_only"),), Applicability.SAFE)
