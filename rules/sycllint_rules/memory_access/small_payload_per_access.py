"""A streaming kernel moves one small element per access.

The sub-group's accesses are one instruction: 16 work-items that load 4 bytes each make it carry 64 bytes, and 256 bytes
with ``sycl::vec<int, 4>``. Fewer instructions for the same bytes use more of the bandwidth.

Bad::

    void copy(sycl::queue &q, const int *from, int *to) {
      q.parallel_for(sycl::nd_range<1>(1 << 24, 256), [=](sycl::nd_item<1> it) {
        const size_t i = it.get_global_id(0);
        to[i] = from[i];
      });
    }

Good::

    void copy(sycl::queue &q, const int *from, int *to) {
      q.parallel_for(sycl::nd_range<1>((1 << 24) / 4, 256), [=](sycl::nd_item<1> it) {
        const size_t i = it.get_global_id(0);
        reinterpret_cast<sycl::vec<int, 4> *>(to)[i] = reinterpret_cast<const sycl::vec<int, 4> *>(from)[i];
      });
    }

The number of elements has to be a multiple of four, and both arrays have to be aligned to 16 bytes.

A loop counts if its stride is the number of work-items side by side: the size of the sub-group, of the work-group or of
the launch. There, each work-item may take four elements in a quarter of the rounds.

Silent when the kernel has a branch, a barrier, local memory, a private array, another loop over its arrays, or calls a
function that is not visible; when an array is subscripted with something else than the global id, or in such a loop
with something else than neighbouring elements for neighbouring work-items; when an element is larger than 4 bytes or
not understood.

Known problems: compilers join neighbouring accesses themselves where they know the alignment, and a kernel that is
limited by something else gains nothing. So the rule is off unless selected.

Source: Intel oneAPI GPU Optimization Guide, "Sub-Groups and SIMD Vectorization", section "Maximizing Memory Bandwidth
Utilization".
"""

from collections.abc import Iterator

from sycllint.device_code.checks.streams import Stream
from sycllint.diagnostic import Evidence, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.occupancy.model import sub_group_sizes
from sycllint.rule import Finding, rule
from sycllint.target import Target

_WIDER = 4
"""Elements of the vector in the guide's example."""


@rule("SYC703", Severity.NOTE, on=KernelLaunch, seen=Stream, enabled=False)
def small_payload_per_access(launch: KernelLaunch, target: Target) -> Iterator[Finding]:
    """One finding for each kernel, in the words of its sub-group size, or of the widest of the device."""
    width = max(sub_group_sizes(target.device, launch) or target.device.sub_group_sizes)
    for each in launch.kernel.seen.of(Stream):
        moved = each.bytes * width
        yield Finding(
            location=each.location,
            subject=f"access to `{each.array}`",
            verdict=f"moves {moved} B per sub-group of {width}; with elements of {_WIDER * each.bytes} B it moves "
            f"{_WIDER * moved} B",
            evidence=Evidence.HEURISTIC,
        )
