"""An extent of a range is zero, negative, or too large for the ids of the kernel.

A local extent of 0 usually comes from an integer division such as ``48 / 64``. It divides nothing, so the launch throws
``errc::nd_range``; DPC++ instead takes a first extent of 0 for "any size" and chooses a group size itself. A negative
number becomes an enormous ``size_t``. A global extent of 0 is legal and runs nothing. A global range of more than
2,147,483,647 work-items is refused at the launch by DPC++, which compiles ids as ``int`` by default.

Bad::

    void step(sycl::queue &q, float *cells) {
      constexpr int n = 48;
      q.parallel_for(sycl::nd_range<1>(n, n / 64), [=](sycl::nd_item<1> it) {
        cells[it.get_global_id(0)] += 1.0f;
      });
    }

Good::

    void step(sycl::queue &q, float *cells) {
      constexpr int n = 48;
      constexpr int local = 16;
      q.parallel_for(sycl::nd_range<1>((n + local - 1) / local * local, local), [=](sycl::nd_item<1> it) {
        cells[it.get_global_id(0)] += 1.0f;
      });
    }

A zero or negative local extent is an error. An empty global range and one that does not fit ``int`` are warnings: the
first is legal, and a note where a name that is 0 itself makes it so; the second depends on DPC++'s default and is not
reported with ``-fno-sycl-id-queries-fit-in-int``.

Silent when the extent is unknown; about the local range when the global one is or may be empty, as it is then ignored;
about large ranges where the build gives that option; in test trees.

Source: SYCL 2020, "SYCL functions for invoking kernels" (a non-zero index space has to be divisible by the local size)
and "Work-group data parallel kernels" (an empty one); intel/llvm, sycl/source/detail/scheduler/commands.cpp,
HasLocalSize (a first extent of 0); Intel oneAPI DPC++/C++ Compiler Developer Guide 2025.1, option
fsycl-id-queries-fit-in-int (on by default); intel/llvm, sycl/include/sycl/detail/id_queries_fit_in_int.hpp (the check
at the launch).
"""

from collections.abc import Iterator

from sycllint.diagnostic import Evidence, Severity
from sycllint.launch.kernel import KernelLaunch, Range
from sycllint.rule import Finding, KernelDemand, Outcome, Silent, rule
from sycllint.target import Target
from sycllint.values.value import Known, possible
from sycllint_rules.evidence import case
from sycllint_rules.wording import because, number, shape

_INT_MAX = 2**31 - 1
_WRAPPED = "wraps to more than 2^63 work-items"


@rule("SYC104", Severity.ERROR, on=KernelLaunch, kernels=KernelDemand.NONE, muted_in_tests=True)
def degenerate_range(launch: KernelLaunch, target: Target) -> Iterator[Outcome]:
    """Look for extents that no launch can want, the local range first."""
    del target
    if launch.local_range is not None and not _may_be_empty(launch.global_range):
        yield from _local(launch.local_range)
    if launch.global_range is not None:
        yield from _global(launch.global_range, wide=launch.wide_ids)
    yield Silent("no extent is known to be zero, negative or larger than the ids of the kernel")


def _local(local: Range) -> Iterator[Finding]:
    for dimension, value in enumerate(local.extents):
        found = case(value, lambda extent: extent == 0 or _negative(extent))
        if found is None:
            continue
        yield Finding(
            location=local.location,
            subject="local extent " + _written(found.number.value) + _where(local, dimension),
            verdict="makes empty work-groups" if found.number.value == 0 else _WRAPPED,
            evidence=found.evidence,
            device_specific=False,
            related=because(found.number),
            help="A division that rounds down gives 0; `(n + d - 1) / d` rounds up." if found.number.value == 0 else "",
        )
        return


def _global(whole: Range, *, wide: bool) -> Iterator[Finding]:
    for dimension, value in enumerate(whole.extents):
        found = case(value, lambda extent: extent == 0 or _negative(extent))
        if found is None:
            continue
        empty = found.number.value == 0
        yield Finding(
            location=whole.location,
            subject="global extent " + _written(found.number.value) + _where(whole, dimension),
            verdict="launches no work-items" if empty else _WRAPPED,
            evidence=found.evidence,
            severity=_of_nothing(found.number) if empty else None,
            device_specific=False,
            related=because(found.number),
        )
        return
    if not wide:
        yield from _beyond_int(whole)


def _may_be_empty(whole: Range | None) -> bool:
    """Whether an extent is 0, or one of its possible values is: the local range is then ignored, or may be."""
    return whole is not None and any(each.value == 0 for extent in whole.extents for each in possible(extent))


def _of_nothing(extent: Known) -> Severity:
    """A note for a 0 that a name stands for, as in a warm-up; a warning for one that arithmetic leaves."""
    return Severity.NOTE if any(step.value == 0 for step in extent.because) else Severity.WARNING


def _beyond_int(whole: Range) -> Iterator[Finding]:
    items = whole.items
    if items is None or items <= _INT_MAX:
        return
    spelled = shape(whole.extents) + " = " if len(whole.extents) > 1 else ""
    yield Finding(
        location=whole.location,
        subject=f"global {spelled}{number(items)}",
        verdict=f"exceeds {number(_INT_MAX)}, the largest id that DPC++ supports by default",
        evidence=Evidence.DERIVED,
        severity=Severity.WARNING,
        device_specific=False,
        related=because(*(each for each in whole.extents if isinstance(each, Known))),
        help="Compile with `-fno-sycl-id-queries-fit-in-int` for 64-bit ids.",
    )


def _negative(extent: int) -> bool:
    """Below zero, or what a negative number becomes as ``size_t``."""
    return extent < 0 or extent >= 2**63


def _written(extent: int) -> str:
    return str(extent - 2**64 if extent >= 2**63 else extent)


def _where(of: Range, dimension: int) -> str:
    return "" if len(of.extents) == 1 else f" in dimension {dimension}"
