"""The local range is larger than the global range.

``nd_range`` takes the number of work-items in all and the number per work-group. CUDA's ``<<<grid, block>>>`` takes the
number of groups first; copied unchanged, the first range is smaller than the second. The launch throws
``errc::nd_range``.

Bad::

    void clear(sycl::queue &q, int *cells) {
      sycl::range<3> grid{1, 1, 16};
      sycl::range<3> block{1, 1, 64};
      q.parallel_for(sycl::nd_range<3>(grid, block), [=](sycl::nd_item<3> it) {
        cells[it.get_global_linear_id()] = 0;
      });
    }

Good::

    void clear(sycl::queue &q, int *cells) {
      sycl::range<3> grid{1, 1, 16};
      sycl::range<3> block{1, 1, 64};
      q.parallel_for(sycl::nd_range<3>(grid * block, block), [=](sycl::nd_item<3> it) {
        cells[it.get_global_linear_id()] = 0;
      });
    }

Names such as ``grid`` are never the reason for a finding: a range called ``grid_size`` may well be the product already.

The fix, an unsafe one, multiplies the global range by the local one, where both are names or numbers in the call; not
where no work-group could be as large as the local range, and the two make sense the other way round.

A local range that is rounded up to a multiple of the global one is a warning: the two are swapped.

Silent when either extent is unknown otherwise; when both have several possible values and some combination fits.

Source: SYCL 2020, "nd_range class" (the first argument is the whole index space) and "SYCL functions for invoking
kernels"; intel/llvm issue 8404 (the mistake, as users make it).
"""

from sycllint.diagnostic import Evidence, Severity
from sycllint.launch.fault import Fault, Repair
from sycllint.launch.kernel import KernelLaunch, Range
from sycllint.rule import Finding, Outcome, rule
from sycllint.target import Target
from sycllint.values.value import Symbolic, known
from sycllint_rules.evidence import Pair, pair
from sycllint_rules.repair import repair
from sycllint_rules.silence import compared, no_group, unresolved_range
from sycllint_rules.wording import because, shape

_LARGEST = 1024
"""Work-items in a work-group on any GPU that there is a profile of."""
_SWAPPED = "The global range comes first, then the local one."


@rule("SYC103", Severity.ERROR, on=KernelLaunch, reads=Repair)
def local_exceeds_global(launch: KernelLaunch, target: Target) -> Outcome:
    """Compare each local extent with its global extent; one finding per launch, for the first dimension that fails."""
    del target
    whole, part = launch.global_range, launch.local_range
    missing = unresolved_range(launch)
    if missing is not None or whole is None or part is None:
        return missing or no_group(launch)
    for dimension, (global_extent, local_extent) in enumerate(zip(whole.extents, part.extents, strict=True)):
        found = pair(global_extent, local_extent, lambda total, local: 0 < total < local)
        if found is None:
            continue
        large, small = _shapes(whole, part, found)
        where = "" if len(whole.extents) == 1 else f" in dimension {dimension}"
        return Finding(
            location=part.location,
            subject=f"local {large}",
            verdict=f"exceeds global {small}{where}",
            evidence=found.evidence,
            device_specific=False,
            related=because(found.first, found.second),
            help=_SWAPPED if _is_swapped(found) else _cure(whole, found),
            fix=None if _is_swapped(found) else repair(launch, Fault.EXCEEDS),
        )
    return _multiple_as_local(whole, part) or compared(launch, "no local extent exceeds the global one")


def _multiple_as_local(whole: Range, part: Range) -> Finding | None:
    """A global range rounded up to whole groups, which stands where the size of a group should."""
    for total, local in zip(whole.extents, part.extents, strict=True):
        size = known(total)
        if size is None or not 1 < size <= _LARGEST or not isinstance(local, Symbolic) or local.multiple_of % size:
            continue
        if local.maximum is None or local.maximum > size:
            return Finding(
                location=part.location,
                subject=f"local {local.text}",
                verdict=f"is a multiple of global {size}: it exceeds that unless it is {size}",
                evidence=Evidence.DERIVED,
                severity=Severity.WARNING,
                device_specific=False,
                related=because(total, local),
                help=_SWAPPED,
            )
    return None


def _is_swapped(found: Pair) -> bool:
    """Whether the two extents make sense the other way round only."""
    total, local = found.first.value, found.second.value
    return total <= _LARGEST < local and local % total == 0


def _shapes(whole: Range, part: Range, found: Pair) -> tuple[str, str]:
    """Both ranges when all of both is known, else the two extents alone."""
    if all(known(each) is not None for each in (*whole.extents, *part.extents)):
        return shape(part.extents), shape(whole.extents)
    return str(found.second.value), str(found.first.value)


def _cure(whole: Range, found: Pair) -> str:
    """The CUDA reading, when every extent makes sense as a number of groups."""
    fact = "SYCL's first range counts work-items, not work-groups"
    if not all(known(each) for each in whole.extents):
        return f"{fact}."
    groups, items = found.first.value, found.second.value
    return f"{fact}; {groups} groups of {items} are a global extent of {groups * items}."
