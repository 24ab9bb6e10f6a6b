"""Strided access: each work-item loops over a chunk of its own, so neighbours access memory a chunk apart.

The work-items of a sub-group run the same instruction at once. Where they ask for neighbouring elements, that is one or
two cache lines; where each is in its own chunk, it is one line for each of them.

Bad::

    void clear(sycl::queue &q, int *data) {
      q.parallel_for(sycl::nd_range<1>(1 << 20, 256), [=](sycl::nd_item<1> it) {
        const size_t begin = it.get_global_linear_id() * 16;
        for (int j = 0; j < 16; ++j) {
          data[begin + j] = -1;
        }
      });
    }

Good::

    void clear(sycl::queue &q, int *data) {
      q.parallel_for(sycl::nd_range<1>(1 << 20, 256), [=](sycl::nd_item<1> it) {
        const size_t width = it.get_sub_group().get_max_local_range()[0];
        const size_t i = it.get_global_linear_id();
        const size_t begin = i / width * width * 16 + i % width;
        for (int j = 0; j < 16; ++j) {
          data[begin + j * width] = -1;
        }
      });
    }

A warning when the chunk is known, at least 4 elements and more than 16 bytes; a note when it is a run-time number, such
as the length of a row.

The finding is at the access that is made most often.

Silent when the memory is local or private; when a group has one work-item in the last dimension, and so no neighbours;
when the launch has fewer than 1024 work-items; when the size of an element is not known and the chunk may be 16 bytes
or less; when the array is read and written with different subscripts, since a step may need what the last one left;
when the loop does not run over just the chunk.

Source: Intel oneAPI GPU Optimization Guide, "Sub-Groups and SIMD Vectorization", section "Vectorization and Memory
Access" (chunks of 16 elements, and the interleaved stores that replace them).
"""

from sycllint.device_code.checks.traffic import ChunkedAccess
from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint.values.value import Symbolic, known
from sycllint_rules.wording import because, extent, number

_ELEMENTS = 4
_BYTES = 16
"""What one work-item loads or stores at once (SYCL 2020, ``vec<float, 4>``)."""


@rule("SYC701", Severity.WARNING, on=KernelLaunch, seen=ChunkedAccess)
def strided_by_chunk(launch: KernelLaunch, target: Target) -> Finding | None:
    """One finding for each kernel, at the most frequent access; of two, at that with a known chunk, and the larger."""
    wide = [each for each in launch.kernel.seen.of(ChunkedAccess) if _is_wide(each)]
    if not wide:
        return None
    first = max(wide, key=_weight)
    return Finding(
        location=first.location,
        subject=f"strided access to `{first.array}`:",
        verdict=f"consecutive work-items are {_apart(first)} apart in the loop over `{first.counter}`",
        evidence=Evidence.DERIVED,
        severity=None if known(first.chunk) is not None else Severity.NOTE,
        device_specific=False,
        related=(
            *(
                Related(f"`{each.array}` is also accessed with a stride of {_apart(each)}", each.location)
                for each in wide
                if each is not first
            ),
            *because(first.chunk),
        ),
    )


def _is_wide(each: ChunkedAccess) -> bool:
    chunk = known(each.chunk)
    return chunk is None or (chunk >= _ELEMENTS and (each.element_bytes or 1) * chunk > _BYTES)


def _weight(each: ChunkedAccess) -> tuple[int, bool, int]:
    chunk = known(each.chunk)
    return each.turns, chunk is not None, (chunk or 0) * (each.element_bytes or 1)


def _apart(each: ChunkedAccess) -> str:
    chunk = known(each.chunk)
    if chunk is None:
        text = extent(each.chunk) if isinstance(each.chunk, Symbolic) else ""
        return f"`{text}` elements" if text else "an unknown number of elements"
    return f"{number(chunk)} elements" if each.element_bytes is None else f"{number(chunk * each.element_bytes)} B"
