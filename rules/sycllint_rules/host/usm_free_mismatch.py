"""Memory is freed by the wrong library, or while a command still uses it.

``sycl::free`` takes memory of ``malloc_device``, ``malloc_shared`` and ``malloc_host``, ``std::free`` and ``delete``
take memory of the C and C++ libraries; the wrong one corrupts the heap. None of them waits for commands in flight: a
copy or a kernel that still runs then uses memory that may already belong to another allocation. An in-order queue does
not help, for freeing is no command.

Bad::

    void total(sycl::queue &q, const float *host, size_t n) {
      float *values = sycl::malloc_device<float>(n, q);
      q.memcpy(values, host, n * sizeof(float));
      sycl::free(values, q);
    }

Good::

    void total(sycl::queue &q, const float *host, size_t n) {
      float *values = sycl::malloc_device<float>(n, q);
      q.memcpy(values, host, n * sizeof(float)).wait();
      sycl::free(values, q);
    }

A ``unique_ptr`` or ``shared_ptr`` frees by its deleter, which is ``delete`` unless another one is given.

An automatic object whose destructor is visible frees where its block ends; this is reported at its declaration.

The fix waits for each command that uses the memory; there is no fix if one of them is not a statement of its own.

A warning where the command stands in a macro that is not visible and may wait (``SYCL_CHECK(q.fill(...))``).

Silent when a wait may have happened, when the origin of the pointer is not visible or it has several, and when another
function frees it.

Source: SYCL 2020, chapter "Unified shared memory", memory deallocation functions.
"""

from collections.abc import Iterator

from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.host.records import EarlyUse, Use, WrongFree
from sycllint.host.unit import SourceUnit
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint_rules.host_wording import asynchronous, does, evidence, others, unless, waiting


@rule("SYC1106", Severity.ERROR, on=SourceUnit, seen=(WrongFree, EarlyUse))
def usm_free_mismatch(unit: SourceUnit, target: Target) -> Iterator[Finding]:
    """Yield a finding for each deallocation by the wrong function, and for each that comes before a wait."""
    for wrong in unit.seen.of(WrongFree):
        yield Finding(
            location=wrong.location,
            subject=f"`{wrong.name}`, allocated by `{wrong.allocator}`,",
            verdict=f"is freed by `{wrong.freed_by}`",
            device_specific=False,
            related=(Related("allocated here", wrong.allocated),) if wrong.allocated is not None else (),
        )
    for seen in unit.seen.of(EarlyUse):
        if seen.use is Use.FREED:
            sure = evidence(seen.assumption, configured=seen.configured, in_branch=seen.in_branch, doubt=seen.doubt)
            yield Finding(
                location=seen.location,
                subject=f"`{seen.name}`",
                verdict=f"is freed while the asynchronous `{seen.command.what}` may still {does(seen.command)} it"
                f"{unless(seen.doubt)}",
                evidence=sure,
                severity=None if sure is Evidence.PROVED else Severity.WARNING,
                device_specific=False,
                related=(
                    Related(asynchronous(seen.command), seen.command.location),
                    *others(seen.missing, seen.command),
                ),
                fix=waiting(seen.missing),
            )
