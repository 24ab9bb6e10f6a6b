"""What the rules on arrays in global memory have in common."""

from sycllint.device_code.checks.past_ends import PastEnd
from sycllint.launch.kernel import KernelLaunch
from sycllint.values.value import Value, all_known
from sycllint_rules.wording import number, plural


def past_ends(launch: KernelLaunch) -> list[PastEnd]:
    """The accesses past the ends of arrays in one launch: what was seen of its kernel may stand for other ones."""
    whole = all_known(launch.global_range.extents if launch.global_range is not None else ())
    local = all_known(launch.local_range.extents) if launch.local_range is not None else whole
    seen = launch.kernel.seen.of(PastEnd)
    return [each for each in seen if (whole is None and each.given) or (each.whole, each.local) == (whole, local)]


def extents(launch: KernelLaunch) -> tuple[Value, ...]:
    """Those of the global range and of the local one."""
    ranges = (launch.global_range, launch.local_range)
    return tuple([extent for each in ranges if each is not None for extent in each.extents])


def beyond(each: PastEnd) -> str:
    """The index and the elements there are; in an example, where that is what they are known in."""
    where = " and ".join(f"`{text}` is {number(value)}" for text, value in each.given)
    return f"{f' where {where}' if where else ''}: index {number(each.index)} of {plural(each.elements, 'element')}"
