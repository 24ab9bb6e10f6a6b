"""A kernel lambda captures by reference.

A capture by reference is the address of a host variable, which is invalid on the device. The lambda of ``submit`` runs
on the host and may capture by reference; the one of ``parallel_for`` or ``single_task`` may not.

Bad::

    void scale(sycl::queue &q, float *values, float factor, size_t n) {
      q.parallel_for(n, [&](sycl::id<1> i) { values[i] *= factor; }).wait();
    }

Good::

    void scale(sycl::queue &q, float *values, float factor, size_t n) {
      q.parallel_for(n, [=](sycl::id<1> i) { values[i] *= factor; }).wait();
    }

A lambda that is kept in a variable, handed to functions that only launch it, or called by a kernel is device code, too.

The fix writes ``[=]`` when the kernel assigns to no variable by its name.

Silent when the lambda is a command group, a host task, or runs inside a kernel, when a function that it is handed to
may run it on the host as well, and when the launch is not surely SYCL's.

Source: SYCL 2020, chapter "Defining kernels as lambda functions"; AdaptiveCpp issue 1818.
"""

from sycllint.diagnostic import Severity
from sycllint.host.records import CapturedByReference
from sycllint.host.unit import SourceUnit
from sycllint.rule import Finding, record_rule
from sycllint.source.edit import Edit, Fix
from sycllint.source.span import Location, Span
from sycllint_rules.wording import listed


@record_rule("SYC1001", Severity.ERROR, on=SourceUnit, seen=CapturedByReference)
def kernel_captures_by_reference(seen: CapturedByReference) -> Finding:
    """A finding for each such kernel."""
    path, span = seen.location
    fix = None
    if seen.fixable:
        edit = Edit(Location(path, Span(span.start, span.start + len("[&]"))), "[=]")
        fix = Fix("capture by value", (edit,))
    names = listed(f"`{each}`" for each in seen.names) if seen.names else "everything"
    return Finding(
        location=Location(path, Span(span.start, span.start + 1)),
        subject="the kernel",
        verdict=f"captures {names} by reference, which is not allowed in device code",
        fix=fix,
    )
