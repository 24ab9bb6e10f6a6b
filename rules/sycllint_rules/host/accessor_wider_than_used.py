"""An accessor has a wider mode than its kernel needs: it may write a buffer that is only read, or lacks ``no_init``.

An accessor made without a mode may write. Every later command that reads the buffer then waits for this kernel, and
copies of the buffer on another device or the host become invalid, so that it is copied back although nothing changed.
An accessor without ``no_init`` keeps the elements that the kernel does not write: if it writes them all, the old ones
are copied to the device for nothing.

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

Silent when an element has its address taken, is bound to a reference, or is passed to a function that may take a
reference; when the accessor itself is passed on, or is used outside the kernel other than to require it; when the
kernel is neither a lambda nor a function object whose call operator is visible and whose other methods leave the
accessor alone; and of what is only written, unless every work-item sets the element of its own id, there is a work-item
for each element of the buffer and something may be in it: host data, or what an earlier command wrote.

Source: SYCL 2020, "Buffer accessor", access modes; Intel oneAPI GPU Optimization Guide, "Buffer Accessor Modes".
"""

from sycllint.diagnostic import Related, Severity
from sycllint.host.checks.accessors import AccessorUse, WideAccessor
from sycllint.host.unit import SourceUnit
from sycllint.rule import Finding, record_rule
from sycllint.source.edit import Applicability, Fix

_TAGS = {AccessorUse.READ: "sycl::read_only", AccessorUse.OVERWRITTEN: "sycl::write_only and sycl::no_init"}
_VERDICTS = {
    AccessorUse.READ: "may write `{buffer}`, which the kernel only reads",
    AccessorUse.OVERWRITTEN: "keeps what is in `{buffer}`, of which the kernel overwrites every element",
}


@record_rule("SYC1110", Severity.NOTE, on=SourceUnit, seen=WideAccessor, muted_in_tests=True)
def accessor_wider_than_used(seen: WideAccessor) -> Finding:
    """A finding for each accessor that might as well not write."""
    return Finding(
        location=seen.location,
        subject=f"`{seen.name}`",
        verdict=_VERDICTS[seen.use].format(buffer=seen.buffer),
        related=(Related("the kernel is launched here", seen.kernel),),
        fix=_fix(seen),
    )


def _fix(seen: WideAccessor) -> Fix | None:
    return Fix(f"add {_TAGS[seen.use]}", seen.edits, Applicability.SAFE) if seen.edits else None
