"""A tile in local memory has a border that costs more than half of what it holds.

A stencil loads its tile and, on every side, as many elements as it reaches over. The smaller the tile, the larger the
share of the border. Two shares are in use, and the message gives both: the *extra* loads, border over the tile without
it, and the part *of all loads* that is border. With a reach of one:

| work-group | border | loads | extra | of all loads |
|---|---|---|---|---|
| 8x8 | 36 | 100 | 56% | 36% |
| 16x16 | 68 | 324 | 27% | 21% |
| 32x32 | 132 | 1156 | 13% | 11% |
| 4x4x4 | 152 | 216 | 238% | 70% |
| 8x8x8 | 488 | 1000 | 95% | 49% |

The article gives the first share in two dimensions (56%, 27%, 13%) and the second in three (70%, and 48% for 48.8%).

Bad::

    void blur(sycl::queue &q, const float *in, float *out) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 2> tile({10, 10}, h);
        h.parallel_for(sycl::nd_range<2>({512, 512}, {8, 8}), [=](sycl::nd_item<2> it) {
          stencil(tile, in, out, it);
        });
      });
    }

Good::

    void blur(sycl::queue &q, const float *in, float *out) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 2> tile({18, 18}, h);
        h.parallel_for(sycl::nd_range<2>({512, 512}, {16, 16}), [=](sycl::nd_item<2> it) {
          stencil(tile, in, out, it);
        });
      });
    }

Silent when the local array is not larger than the work-group by the same even number in every dimension, as one that is
padded in the last alone is not; when the border is at most half of the tile; when an extent is unknown; and when twice
the tile in each dimension is more than the device takes, in work-items or in local memory. Off unless selected.

Source: AMD GPUOpen, "Optimizing GPU occupancy and resource usage with large thread groups", section "Neighborhood
processing".
"""

from collections.abc import Iterator
from math import prod

from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.hardware.device import Device
from sycllint.launch.kernel import KernelLaunch, LaunchKind
from sycllint.launch.memory import LocalAllocation
from sycllint.occupancy.halo import Halo, halo
from sycllint.record import record
from sycllint.rule import Finding, Outcome, rule
from sycllint.target import Target
from sycllint.values.value import all_known, known
from sycllint_rules.silence import no_group
from sycllint_rules.wording import number, percent

_TOO_MUCH = 0.5
"""Share of the tile without its border (the catalogue's threshold: between 8x8 and 16x16 with a reach of one)."""


@rule("SYC407", Severity.NOTE, on=KernelLaunch, enabled=False)
def halo_overhead(launch: KernelLaunch, target: Target) -> Iterator[Outcome]:
    """One finding for each local accessor that is the work-group and a border around it."""
    if launch.kind is not LaunchKind.ND_RANGE or launch.local_range is None:
        yield no_group(launch)
        return
    inner = launch.local_range.numbers or ()
    for each in launch.local_memory.allocations:
        tile = _tile(inner, all_known(each.extents) or ())
        if tile is None or halo(tile.inner, tile.reach).overhead <= _TOO_MUCH or not _fits(tile, each, target.device):
            continue
        now, then = halo(tile.inner, tile.reach), halo(tile.doubled, tile.reach)
        yield Finding(
            location=each.location,
            subject=f"`{each.name}` for {_shape(tile.inner)} work-items with a border of {tile.reach}",
            verdict=f"loads {number(now.border)} elements in addition to their {number(now.payload)}: {_shares(now)}; "
            f"with {_shape(tile.doubled)} it is {_shares(then)}",
            evidence=Evidence.HEURISTIC,
            device_specific=False,
            related=(Related("the work-group is given here", launch.local_range.location),),
        )


@record
class _Tile:
    """What a work-group works on, and how far it looks over its edges."""

    inner: tuple[int, ...]
    reach: int

    @property
    def doubled(self) -> tuple[int, ...]:
        """The extents of a work-group that is twice as large in each dimension."""
        return tuple(2 * each for each in self.inner)


def _tile(inner: tuple[int, ...], array: tuple[int, ...]) -> _Tile | None:
    if len(inner) < 2 or len(inner) != len(array) or min(inner) < 2:
        return None
    beyond = {outer - own for own, outer in zip(inner, array, strict=True)}
    more = beyond.pop()
    return _Tile(inner, more // 2) if not beyond and more > 0 and more % 2 == 0 else None


def _fits(tile: _Tile, allocation: LocalAllocation, device: Device) -> bool:
    """Whether the device takes twice the tile in each dimension."""
    amount, count = known(allocation.bytes), known(allocation.count)
    if not amount or not count or prod(tile.doubled) > device.max_work_group_size:
        return False
    return halo(tile.doubled, tile.reach).loads * (amount // count) <= device.max_local_memory_per_group


def _shares(of: Halo) -> str:
    return f"{percent(of.overhead)} extra ({percent(of.share)} of all loads)"


def _shape(extents: tuple[int, ...]) -> str:
    return "x".join(map(str, extents))
