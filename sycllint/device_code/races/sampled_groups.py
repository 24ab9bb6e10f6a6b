"""Groups that stand for those of a launch: their shapes, and the work-items of each that are looked at."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from math import prod

from sycllint.device_code.code import Geometry
from sycllint.device_code.limits import LARGEST
from sycllint.record import record
from sycllint.values.value import Known, OneOf, Unknown, Value

Lane = tuple[int, ...]
"""The local id of a work-item."""
_USUAL_WIDTH = 32


@record
class SampledGroup:
    """One group: its shape, the width of its sub-groups, and the work-items that are tried."""

    local: tuple[int, ...]
    width: int
    lanes: tuple[Lane, ...]
    ids: tuple[tuple[int, ...], ...]
    """The same by dimension."""

    def of(self, lanes: Sequence[Lane]) -> "SampledGroup":
        """The same group with other work-items to look at, one or more."""
        return SampledGroup(self.local, self.width, tuple(lanes), tuple(zip(*lanes, strict=True)))

    def sub_group(self, lane: Lane, width: int) -> int:
        """The sub-group of a work-item: consecutive linear ids share one."""
        linear = 0
        for each, extent in zip(lane, self.local, strict=True):
            linear = linear * extent + each
        return linear // width


def largest(sample: SampledGroup) -> SampledGroup:
    """A group of as many work-items as devices take, for code that only such groups reach."""
    widest = max(range(len(sample.local)), key=lambda each: sample.local[each])
    rest = prod(sample.local) // sample.local[widest]
    shape = tuple(max(LARGEST // rest, 1) if each == widest else n for each, n in enumerate(sample.local))
    return sampled(shape, sample.width)


def sampled_groups(geometry: Geometry, used: frozenset[object]) -> tuple[SampledGroup, ...]:
    """One or two groups; none when groups are one work-item, or have no shape.

    Where an extent is not known it matters only in the dimensions that are ``used``: a name stands for some number
    above 1, and of what has none nothing is assumed where there are several dimensions.
    """
    local = geometry.local
    if local is None or not geometry.dims or len(local) != geometry.dims:
        return ()
    if geometry.dims > 1 and any(isinstance(each, Unknown) and index in used for index, each in enumerate(local)):
        return ()  # The group may have an extent of one there.
    shapes = [_extents(local, used, position) for position in (0, 1)]
    width = geometry.sub_group_size.value if isinstance(geometry.sub_group_size, Known) else None
    samples: list[SampledGroup] = []
    for position, shape in enumerate(dict.fromkeys(shapes)):
        if prod(shape) < 2:
            return ()
        samples.append(sampled(shape, width or (16, 32)[position]))
    if width is None and len(samples) == 1:
        samples.append(sampled(samples[0].local))
    return tuple(samples)


def _extents(local: tuple[Value, ...], used: frozenset[object], position: int) -> tuple[int, ...]:
    """A shape to try: a small one or a large one where extents are unknown."""
    unknown = [index for index, each in enumerate(local) if not isinstance(each, Known) and index in used]
    sizes = (64, 256) if len(unknown) <= 1 else (4, 16) if len(unknown) == 2 else (2, 4)
    shape: list[int] = []
    for index, each in enumerate(local):
        match each:
            case Known(value=number):
                shape.append(max(number, 1))
            case OneOf(values=values, open=False):
                shape.append(max((values[0], values[-1])[position].value, 1))
            case _:
                shape.append(sizes[position] if index in used else 1)
    return tuple(shape)


@lru_cache(maxsize=256)
def sampled(shape: tuple[int, ...], width: int = _USUAL_WIDTH) -> SampledGroup:
    """One group of a known shape; the width of its sub-groups need not be said where it does not matter."""
    wide = sum(extent > 1 for extent in shape)
    lanes = tuple(product(*(_ids(extent, wide) for extent in shape)))
    return SampledGroup(shape, width, lanes, tuple(zip(*lanes, strict=True)))


def _ids(extent: int, wide: int) -> list[int]:
    """Ids of one dimension that are tried: the first, the last, those around powers of two."""
    half = extent // 2
    if wide <= 1:
        some = [0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 256, half - 1, half, half + 1]
    elif wide == 2:
        some = [0, 1, 2, 3, half // 2, half]
    else:
        some = [0, 1, half]
    some += [extent - 2, extent - 1]
    return sorted({each for each in some if 0 <= each < extent})
