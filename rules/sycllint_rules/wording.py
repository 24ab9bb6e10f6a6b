"""How the rules of this pack write sizes, shapes and places, so that one launch reads the same in every message."""

from collections.abc import Iterable, Iterator

from sycllint.diagnostic import Related
from sycllint.hardware.device import Device, Vendor
from sycllint.hardware.words import core, thread, width
from sycllint.launch.kernel import KernelLaunch, Range
from sycllint.source.span import Location
from sycllint.values.value import Step, Symbolic, Value, known, steps

__all__ = [
    "because",
    "core",
    "either",
    "extent",
    "listed",
    "named_size",
    "number",
    "one_sub_group",
    "percent",
    "plural",
    "shape",
    "size",
    "thread",
    "width",
    "work_group",
]


def one_sub_group(device: Device) -> str:
    """``a warp``, ``a wave``; ``a sub-group`` on Intel, whose threads have several widths."""
    return "a sub-group" if device.vendor is Vendor.INTEL else f"a {thread(device)}"


def number(count: int) -> str:
    """Digits in threes from ten thousand up, where they no longer read at a glance: ``1024``, ``65,536``."""
    return f"{count:,}" if abs(count) >= 10_000 else str(count)


def size(count: int) -> str:
    """Bytes as ``40 KB`` when they are whole kibibytes, else as ``655,400 B``."""
    return f"{count // 1024} KB" if count and count % 1024 == 0 else f"{number(count)} B"


def percent(fraction: float) -> str:
    """A share of something in whole percents, in tenths below ten: ``57%``, ``4.8%``."""
    value = 100 * fraction
    return f"{value:.1f}%" if 0 < value < 10 else f"{value:.0f}%"


def plural(count: int, noun: str) -> str:
    """``1 work-group``, ``2 work-groups``."""
    return f"{number(count)} {noun}" if count == 1 else f"{number(count)} {noun}s"


def listed(words: Iterable[str]) -> str:
    """``8, 16 and 32``."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def either(sizes: Iterable[int]) -> str:
    """``8, 16 or 32``."""
    *most, last = map(str, sizes)
    return f"{', '.join(most)} or {last}" if most else last


def extent(value: Value) -> str:
    """One extent in a shape: its number, the expression when only that is known, else ``?``."""
    exact = known(value)
    if exact is not None:
        return str(exact)
    return value.text if isinstance(value, Symbolic) else "?"


def shape(extents: Iterable[Value]) -> str:
    """Extents as written, slowest first: ``1x5x128``."""
    return "x".join(extent(each) for each in extents)


def work_group(local: Range, items: int) -> str:
    """A work-group and its ``items`` work-items: ``work-group 640``, or ``work-group 1x5x128 = 640`` with its shape.

    The shape is left out when it is not the one that has ``items`` work-items, which happens when several are possible.
    """
    if len(local.extents) > 1 and local.items == items:
        return f"work-group {shape(local.extents)} = {items}"
    return f"work-group {items}"


def named_size(launch: KernelLaunch, items: int) -> str:
    """The work-group by the one constant that makes it, ``R=4``; by its shape when there are more or none."""
    if launch.local_range is None:
        return f"work-group {items}"
    named = steps(*launch.local_range.extents)
    if len(named) == 1 and named[0].value is not None:
        return f"{named[0].name}={named[0].value}"
    return work_group(launch.local_range, items).partition(" = ")[0]


def because(*values: Value) -> tuple[Related, ...]:
    """The named constants behind ``values``, each at its place: ``R is 5 here``."""
    return tuple(_places(steps(*values)))


def _places(found: Iterable[Step]) -> Iterator[Related]:
    seen: set[tuple[str, Location]] = set()
    for step in found:
        if (step.name, step.location) not in seen:
            seen.add((step.name, step.location))
            yield Related(step.message, step.location)
