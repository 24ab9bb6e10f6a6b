"""What the rules on arrays in global memory have in common."""

from collections.abc import Sequence

from sycllint.device_code.checks.past_ends import PastEnd
from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding
from sycllint.values.value import all_known
from sycllint_rules.wording import because, number, plural


def past_ends(launch: KernelLaunch) -> list[PastEnd]:
    """The accesses past the ends of arrays in one launch: what was seen of its kernel may stand for other ones."""
    whole = all_known(launch.global_range.extents if launch.global_range is not None else ())
    local = all_known(launch.local_range.extents) if launch.local_range is not None else whole
    seen = launch.kernel.seen.of(PastEnd)
    return [each for each in seen if (whole is None and each.given) or (each.whole, each.local) == (whole, local)]


def finding(launch: KernelLaunch, found: Sequence[PastEnd], where: str, cure: str) -> Finding:
    """One for a launch, at the first array; the others that are accessed past their ends stand beside it.

    ``where`` says for which work-items. A warning where elements and work-items are known in examples only.
    """
    first, *others = found
    given = " and ".join(f"`{text}` is {number(value)}" for text, value in first.given)
    ranges = (launch.global_range, launch.local_range)
    return Finding(
        location=first.location,
        subject=f"`{first.text}`",
        verdict=f"is out of range {where}{f' where {given}' if given else ''}: "
        f"index {number(first.index)} of {plural(first.elements, 'element')}",
        severity=Severity.WARNING if first.given else None,
        evidence=Evidence.DERIVED if first.given else Evidence.PROVED,
        device_specific=False,
        related=(
            Related(f"`{first.array}` is allocated here", first.allocated),
            *(Related(f"also past the end of `{each.array}`", each.location) for each in others),
            *because(first.count, *(extent for each in ranges if each is not None for extent in each.extents)),
        ),
        help=cure,
    )
