"""The global range is not a multiple of the local range.

SYCL has no partial work-groups: when a global extent is not a whole number of local extents, ``parallel_for`` throws
``errc::nd_range`` and nothing runs. CUDA code does not prepare for this, because there the grid is counted in blocks.

Bad::

    void scale(sycl::queue &q, float *y) {
      q.parallel_for(sycl::nd_range<1>(1000, 256), [=](sycl::nd_item<1> it) {
        const size_t i = it.get_global_id(0);
        y[i] *= 2.0f;
      });
    }

Good::

    void scale(sycl::queue &q, float *y) {
      constexpr size_t n = 1000;
      constexpr size_t local = 256;
      q.parallel_for(sycl::nd_range<1>((n + local - 1) / local * local, local), [=](sycl::nd_item<1> it) {
        const size_t i = it.get_global_id(0);
        if (i < n) {
          y[i] *= 2.0f;
        }
      });
    }

When the kernel has a barrier, the guard goes around the work and not in front of it as an early ``return``: every
work-item of the group has to reach the barrier.

The fix rounds the global range up and sees to the guard, both at once. It is made for one dimension, with both extents
known and named in the call, and a kernel that is a lambda beside them, asks for no global or group range, and

* keeps ids from the present range on away from all memory, and has no barrier behind that: only the range changes;
* compares no id with anything, and has no barrier and no sub-group operation: a guard is put at its top;
* returns early at its top, and has barriers as statements of their own: the return becomes a flag, and what is between
  the barriers is done under it. This one is unsafe: what the idle work-items leave out, others may wait for in vain.

Silent when either extent is unknown; when both have several possible values and some combination of them divides, or a
condition lets only some through; when the local extent is larger than the global one, which is SYC103.

Source: SYCL 2020, "SYCL functions for invoking kernels", handler::parallel_for with an nd_range.
"""

from sycllint.diagnostic import Evidence, Severity
from sycllint.launch.fault import Fault, Repair
from sycllint.launch.kernel import KernelLaunch
from sycllint.record import record
from sycllint.rule import Finding, Outcome, rule
from sycllint.target import Target
from sycllint.values.value import Known, Symbolic, Value
from sycllint_rules.evidence import pair
from sycllint_rules.repair import repair
from sycllint_rules.silence import compared, no_group, unresolved_range
from sycllint_rules.wording import because


@rule("SYC102", Severity.ERROR, on=KernelLaunch, reads=Repair)
def global_not_divisible(launch: KernelLaunch, target: Target) -> Outcome:
    """Divide each global extent by its local extent; one finding per launch, for the first dimension that fails."""
    del target
    missing = unresolved_range(launch)
    if missing is not None or launch.global_range is None or launch.local_range is None:
        return missing or no_group(launch)
    whole, part = launch.global_range.extents, launch.local_range.extents
    for dimension, (global_extent, local_extent) in enumerate(zip(whole, part, strict=True)):
        remainder = _remainder(global_extent, local_extent)
        if remainder is None:
            continue
        where = "" if len(whole) == 1 else f" in dimension {dimension}"
        return Finding(
            location=launch.local_range.location,
            subject=f"global {remainder.whole}",
            verdict=f"is not a multiple of local {remainder.part}{where}{remainder.arithmetic}",
            evidence=remainder.evidence,
            device_specific=False,
            related=because(*remainder.values),
            help=remainder.cure,
            fix=repair(launch, Fault.UNEVEN),
        )
    return compared(launch, "each global extent is a multiple of the local one")


@record
class _Remainder:
    """A division that leaves a rest, as words and as the values it rests on."""

    whole: str
    part: str
    arithmetic: str
    cure: str
    evidence: Evidence
    values: tuple[Value, ...]


def _remainder(whole: Value, part: Value) -> _Remainder | None:
    if isinstance(whole, Known) and isinstance(part, Symbolic):
        return _symbolic_remainder(whole, part)
    found = pair(whole, part, lambda total, local: 0 < local <= total and total % local != 0)
    if found is None:
        return None
    total, local = found.first.value, found.second.value
    above = -(-total // local) * local
    return _Remainder(
        whole=str(total),
        part=str(local),
        arithmetic=f" ({total} = {total // local}*{local} + {total % local})",
        cure=f"Round up to {above} and guard ids from {total} on, or choose a local extent that divides {total}.",
        evidence=found.evidence,
        values=(found.first, found.second),
    )


def _symbolic_remainder(whole: Known, part: Symbolic) -> _Remainder | None:
    """No multiple of ``m`` divides a number that ``m`` does not divide."""
    step = part.multiple_of
    if step < 2 or whole.value <= 0 or whole.value % step == 0:
        return None
    return _Remainder(
        whole=str(whole.value),
        part=part.text,
        arithmetic=f", which is a multiple of {step}",
        cure=f"{whole.value} is not a multiple of {step}, so no value of {part.text} divides it.",
        evidence=Evidence.DERIVED,
        values=(whole, part),
    )
