"""More work-items are launched than the array has elements, and nothing in the kernel checks the id.

A global range has to be a multiple of the local range, so it is rounded up; the work-items past the end then need a
guard. Without one they read and write what is stored after the array.

Bad::

    void clear(sycl::queue &q, float *y, size_t n) {
      q.parallel_for(sycl::nd_range<1>((n + 255) / 256 * 256, 256), [=](sycl::nd_item<1> it) {
        y[it.get_global_id(0)] = 0.0f;
      });
    }

Good::

    void clear(sycl::queue &q, float *y, size_t n) {
      q.parallel_for(sycl::nd_range<1>((n + 255) / 256 * 256, 256), [=](sycl::nd_item<1> it) {
        if (it.get_global_id(0) < n) {
          y[it.get_global_id(0)] = 0.0f;
        }
      });
    }

An error when both numbers are known and the array is shorter than the range; a warning when the code rounds the range
up, or when memory is allocated with as many bytes as there are work-items.

The fix puts a guard at the top of a kernel that is a lambda, if both numbers are known, the range is the rounded number
of elements of every array that it exceeds, and no barrier or sub-group operation follows.

Silent when anything in the kernel, or in the functions it calls, compares an id or a value computed from one, wraps it
(``%``, ``&``) or passes it to a function that is not visible, and when the kernel may return early; when the array is
allocated with the rounded size, or with an unknown one; for local memory.

Source: SYCL 2020, "Work-group data parallel kernels": the local range divides the global range. A guard before a
barrier is another matter: see SYC502.
"""

from collections.abc import Iterator

from sycllint.device_code.checks.bounds import UnguardedAccess
from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.launch.fault import Fault, Repair
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint.values.symbolic import rounded_up
from sycllint.values.value import known
from sycllint_rules.repair import repair
from sycllint_rules.wording import because, extent, number


@rule("SYC802", Severity.ERROR, on=KernelLaunch, seen=UnguardedAccess, reads=Repair)
def missing_bounds_guard(launch: KernelLaunch, target: Target) -> Iterator[Finding]:
    """One finding for each array that is accessed past its end."""
    for each in launch.kernel.seen.of(UnguardedAccess):
        items, elements = known(each.launched), known(each.elements)
        proved = items is not None and elements is not None and each.allocated is not None
        made = () if each.allocated is None else (Related(f"`{each.array}` is allocated here", each.allocated),)
        yield Finding(
            location=each.location,
            subject=f"`{each.array}[id]` is not guarded:",
            verdict=_past_known(items, elements) if items and elements else _past(each),
            evidence=Evidence.PROVED if proved else Evidence.DERIVED,
            severity=None if proved else Severity.WARNING,
            device_specific=False,
            related=(*made, *because(each.launched, each.elements)),
            fix=repair(launch, Fault.UNGUARDED) if proved else None,
        )


def _past_known(items: int, elements: int) -> str:
    return f"{number(items)} work-items are launched for {number(elements)} elements"


def _past(each: UnguardedAccess) -> str:
    if rounded_up(each.launched) is None:
        return f"the global range `{extent(each.launched)}` exceeds its `{extent(each.elements)}` elements"
    return f"the global range `{extent(each.launched)}` is rounded up, past `{extent(each.elements)}`"
