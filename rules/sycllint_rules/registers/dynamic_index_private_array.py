"""A private array that a run-time value indexes is too large to stay in registers.

Registers have no run-time address: an array can live in them when every subscript is a constant once loops are
unrolled, or, on Intel GPUs, when it is small enough for indirect access, 1,536 bytes per hardware thread. Beyond that
the compiler puts the whole array into memory.

Bad, on tgl::

    void spread(sycl::queue &q, const int *in, float *out) {
      q.parallel_for(sycl::range<1>(8192), [=](sycl::id<1> i) {
        float weights[64] = {};
        for (int k = 0; k < 1024; ++k) {
          weights[in[8192 * k + i] & 63] += 1.0f;
        }
        out[i] = weights[0] + weights[63];
      });
    }

Good, on tgl::

    void spread(sycl::queue &q, const int *in, float *out) {
      q.parallel_for(sycl::range<1>(8192), [=](sycl::id<1> i) {
        float weights[32] = {};
        for (int k = 0; k < 1024; ++k) {
          weights[in[8192 * k + i] & 31] += 1.0f;
        }
        out[i] = weights[0] + weights[31];
      });
    }

Silent when all subscripts are constants or counters of loops of at most 128 trips, which may be unrolled; when the
subscript depends on values that are not followed; with a compiler's report, which is used instead (SYC601); for arrays
that exceed the register file anyway (SYC601); on devices where the threshold was not measured.

Source: measured with Intel's offline compiler (IGC 1.0.12504) for skl, icllp, tgllp, dg1, acm-g10 and pvc: arrays with
such a subscript stay in registers up to 192, 96 and 48 bytes per work-item at SIMD 8, 16 and 32.
"""

from collections.abc import Iterator

from sycllint.device_code.checks.registers import PrivateState, RunTimeIndex
from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.hardware.device import IntelDevice
from sycllint.launch.kernel import KernelLaunch
from sycllint.occupancy.model import sub_group_sizes
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint_rules.register_file import register_bytes
from sycllint_rules.wording import number, width

_INDIRECT = 1536
"""Bytes per hardware thread; see the page's source."""


@rule("SYC602", Severity.NOTE, on=KernelLaunch, seen=RunTimeIndex, reads=PrivateState)
def dynamic_index_private_array(launch: KernelLaunch, target: Target) -> Iterator[Finding]:
    """Compare each array with a run-time subscript with what indirect access reaches at the narrowest width."""
    device = target.device
    found = launch.kernel.seen.of(RunTimeIndex)
    if not found or not isinstance(device, IntelDevice):
        return
    compiled = launch.compiled_for(device)
    if compiled is not None and compiled.private_memory is not None:
        return  # SYC601 says where they live
    legal, file = sub_group_sizes(device, launch), register_bytes(device, launch)
    if not legal or file is None:
        return
    narrowest = min(legal)
    if any(state.bytes * narrowest > file for state in launch.kernel.seen.of(PrivateState)):
        return
    for each in found:
        array = each.array
        if array.bytes * narrowest <= _INDIRECT:
            continue
        limit = f"{_INDIRECT // narrowest} B at {width(device, narrowest)}"
        yield Finding(
            location=each.location,
            subject=f"`{array.name}`, {number(array.bytes)} B with a run-time subscript,",
            verdict=f"is kept in memory instead of registers: the limit is {limit}",
            evidence=Evidence.DERIVED,
            related=(Related(f"`{array.name}` is declared here", array.location),),
        )
