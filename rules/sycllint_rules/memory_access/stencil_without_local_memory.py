"""The work-items of a group read the same elements of an array again and again from global memory.

In a 3x3 stencil every element is read by nine work-items: its own and the eight around it. A group that loads the
elements it needs into local memory first reads each of them once, those of its border among them, and all other reads
go to local memory. With a reach of one, 8x8 work-items load 56% more than their 64 elements, 16x16 load 27% more, 32x32
load 13% more; the share given here is the border's elements over those of the group.

Bad::

    void blur(sycl::queue &q, const float *in, float *out, int w) {
      q.parallel_for(sycl::nd_range<2>({1024, 1024}, {16, 16}), [=](sycl::nd_item<2> it) {
        const int y = it.get_global_id(0) + 1;
        const int x = it.get_global_id(1) + 1;
        float sum = 0.0f;
        for (int dy = -1; dy <= 1; dy++) {
          for (int dx = -1; dx <= 1; dx++) {
            sum += in[(y + dy) * w + x + dx];
          }
        }
        out[y * w + x] = sum / 9;
      });
    }

Good::

    void blur(sycl::queue &q, const float *in, float *out, int w) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 2> tile({18, 18}, h);
        h.parallel_for(sycl::nd_range<2>({1024, 1024}, {16, 16}), [=](sycl::nd_item<2> it) {
          const int top = 16 * it.get_group(0);
          const int left = 16 * it.get_group(1);
          const int ly = it.get_local_id(0);
          const int lx = it.get_local_id(1);
          for (int k = 16 * ly + lx; k < 18 * 18; k += 256) {
            tile[k / 18][k % 18] = in[(top + k / 18) * w + left + k % 18];
          }
          sycl::group_barrier(it.get_group());
          float sum = 0.0f;
          for (int dy = 0; dy <= 2; dy++) {
            for (int dx = 0; dx <= 2; dx++) {
              sum += tile[ly + dy][lx + dx];
            }
          }
          out[(top + ly + 1) * w + left + lx + 1] = sum / 9;
        });
      });
    }

The shape of a stencil is worked out for a group in the middle of the launch, by what its work-items read there: the
dimensions of its tile are those of the local range.

Silent when the kernel has local memory, or writes to the array; when the local range is unknown, or has more than 1024
work-items; when an index or a condition on the read depends on data, or on a loop whose number of iterations is
unknown; when work-items read different shapes, or fewer than three of a group read one element; when the tile is larger
than the local memory of a work-group. Off unless selected.

Known problems: caches serve some of the repeated reads, on some devices most of them. The article reports 30% and more
for filters of neighbours on AMD's GCN.

Source: AMD GPUOpen, "Optimizing GPU occupancy and resource usage with large thread groups", "Neighborhood processing".
"""

from collections.abc import Iterator
from math import prod

from sycllint.device_code.checks.stencils import Stencil
from sycllint.diagnostic import Evidence, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint.values.value import known
from sycllint_rules.wording import because, number, percent


@rule("SYC710", Severity.NOTE, on=KernelLaunch, seen=Stencil, enabled=False)
def stencil_without_local_memory(launch: KernelLaunch, target: Target) -> Iterator[Finding]:
    """One finding for each array, where its tile fits."""
    if launch.local_range is None or known(launch.local_memory.total) != 0:
        return
    for each in launch.kernel.seen.of(Stencil):
        items, elements = prod(each.extents), prod(each.tile)
        if elements * (each.element_bytes or 1) > target.device.max_local_memory_per_group:
            continue
        yield Finding(
            location=each.location,
            subject=f"each element of `{each.array}`",
            verdict=f"is read by {each.readers} work-items of a work-group of {_shape(each.extents)}; a tile of "
            f"{_shape(each.tile)} in local memory loads {percent((elements - items) / items)} more than its "
            f"{number(items)} elements",
            evidence=Evidence.HEURISTIC,
            device_specific=False,
            related=because(*launch.local_range.extents),
        )


def _shape(extents: tuple[int, ...]) -> str:
    return "x".join(map(str, extents))
