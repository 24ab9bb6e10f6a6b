"""Local memory, not threads, decides how few work-groups a core holds.

A core has a fixed amount of local memory and allocates it in steps: on Tiger Lake 128 KB in powers of two up to 64 KB.
A group that needs 40 KB is allocated 64 KB, so two groups fill the memory, whatever the number of their threads.

Bad, on tgl::

    void convolve(sycl::queue &q, float *image) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 2> tile({80, 128}, h);
        h.parallel_for(sycl::nd_range<1>(1 << 20, 128), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(8)]] {
          tile[0][it.get_local_id(0)] = image[it.get_global_id(0)];
          sycl::group_barrier(it.get_group());
          image[it.get_global_id(0)] = tile[0][127 - it.get_local_id(0)];
        });
      });
    }

Good, on tgl::

    void convolve(sycl::queue &q, float *image) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 2> tile({32, 128}, h);
        h.parallel_for(sycl::nd_range<1>(1 << 20, 128), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(8)]] {
          tile[0][it.get_local_id(0)] = image[it.get_global_id(0)];
          sycl::group_barrier(it.get_group());
          image[it.get_global_id(0)] = tile[0][127 - it.get_local_id(0)];
        });
      });
    }

A smaller tile, a narrower element type, or one buffer for two uses that do not overlap in time lets more groups fit.
Reported when threads or registers alone would allow more groups and less than half of the contexts that the kernel's
registers leave are in use. Where the kernel requires no sub-group size and the legal ones disagree, it is a note; the
help has the share at each.

On Intel devices that were measured, the local memory that the compiler adds for group functions of a work-group
counts; the help then says that it is assumed (docs/compiled.md).

Silent when a size is unknown; when every group of the launch is resident at once anyway; in test trees.

Source: Intel oneAPI GPU Optimization Guide, "SYCL Thread Mapping and GPU Occupancy", section "Impact of Local Memory
Within Work-group"; the steps and the memory of a core: ``sycllint devices NAME``.
"""

from collections.abc import Sequence

from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.hardware.device import AmdDevice, Device, IntelDevice, NvidiaDevice
from sycllint.launch.kernel import KernelLaunch
from sycllint.launch.memory import LocalAllocation
from sycllint.occupancy.added import added_local_memory
from sycllint.occupancy.model import as_compiled
from sycllint.occupancy.occupancy import Limiter, Occupancy
from sycllint.occupancy.registers import register_word
from sycllint.rule import Finding, Outcome, Silent, rule
from sycllint.target import Target
from sycllint.values.value import known
from sycllint_rules.residency import by_width, empty, one_round, register_mode, spare
from sycllint_rules.silence import limited, no_group, no_occupancy
from sycllint_rules.wording import because, core, percent, plural, size, thread, width

_ENOUGH = 0.5


@rule("SYC206", Severity.WARNING, on=KernelLaunch, muted_in_tests=True)
def local_memory_limits_occupancy(launch: KernelLaunch, target: Target) -> Outcome:
    """Compare the groups that local memory allows on a core with those that threads alone would."""
    if launch.compiled or launch.kernel.group_functions:
        launch = as_compiled(target.device, launch)
    total, allocations = known(launch.local_memory.total), launch.local_memory.allocations
    if not total or not allocations or empty(launch):
        none = Silent("the kernel has no local memory" if total == 0 else "the amount of local memory is not known")
        return no_group(launch) if empty(launch) else none
    occupancies = target.occupancy_of(launch)
    short = [each for each in occupancies if _limited(launch, target.device, each)]
    if not short:
        fact = limited(target.device, occupancies) if occupancies else ""
        return Silent(fact) if fact else no_occupancy(launch, target.device)
    everywhere = len(short) == len(occupancies)
    added = added_local_memory(target.device, launch)
    worst = min(short, key=lambda each: each.ratio)
    largest = max(allocations, key=_bytes)
    return Finding(
        location=largest.location,
        subject=f"local memory {size(total)}",
        verdict=f"limits {core(target.device)} to {plural(worst.groups_per_core, 'work-group')}, "
        f"{_span(occupancies)} of its {thread(target.device)}s{_of_mode(target.device, occupancies)}",
        evidence=Evidence.PROVED if everywhere and added is None else Evidence.DERIVED,
        severity=None if everywhere else Severity.NOTE,
        related=_parts(launch),
        help=_table(target.device, occupancies)
        + _arithmetic(launch, target.device, total, worst)
        + ("" if added is None else f" The total {added.text}."),
    )


def _limited(launch: KernelLaunch, device: Device, occupancy: Occupancy) -> bool:
    return (
        occupancy.limiter is Limiter.LOCAL_MEMORY
        and 1 - spare(occupancy) < _ENOUGH
        and _otherwise(occupancy)[1] > occupancy.groups_per_core
        and not one_round(launch, device, occupancy)
    )


def _otherwise(occupancy: Occupancy) -> tuple[Limiter, int]:
    """What would limit a core if local memory did not, and to how many groups."""
    return min(
        ((limiter, groups) for limiter, groups in occupancy.limits if limiter is not Limiter.LOCAL_MEMORY),
        key=lambda limit: limit[1],
    )


def _plainly(device: Device, resource: Limiter) -> str:
    """A resource in the vendor's words, in the plural."""
    if resource is Limiter.REGISTERS:
        return register_word(device)
    return f"{thread(device)}s" if resource is Limiter.THREADS else str(resource)


def _bytes(allocation: LocalAllocation) -> int:
    return known(allocation.bytes) or 0


def _span(occupancies: Sequence[Occupancy]) -> str:
    """The share of threads; from the least to the most when it depends on the width: ``14% to 57%``."""
    return _from_to([each.ratio for each in occupancies])


def _of_mode(device: Device, occupancies: Sequence[Occupancy]) -> str:
    """The share of the threads of an Intel register mode: ``, 50% of the 256-register mode``; empty elsewhere."""
    mode = register_mode(device, occupancies[0])
    return f", {_from_to([1 - spare(each) for each in occupancies])} of {mode}" if mode else ""


def _from_to(shares: Sequence[float]) -> str:
    least, most = percent(min(shares)), percent(max(shares))
    return least if least == most else f"{least} to {most}"


def _table(device: Device, occupancies: Sequence[Occupancy]) -> str:
    """The share at each width when they differ: ``57% at SIMD8, 29% at SIMD16 and SIMD32; ``."""
    shares = [(each.sub_group_size, each.ratio) for each in occupancies]
    return f"{by_width(device, shares)}; " if len({percent(share) for _, share in shares}) > 1 else ""


def _arithmetic(launch: KernelLaunch, device: Device, total: int, worst: Occupancy) -> str:
    given = worst.local_memory_allocated
    rounded = f"{size(total)} is allocated as {size(given)} of {size(device.local_memory_per_core)}"
    resource, groups = _otherwise(worst)
    most = _step_for(device, groups) - launch.local_memory.added
    at = "" if launch.sub_group_size else f" at {width(device, worst.sub_group_size)}"
    cure = f", of {size(most)} each at most" if most > 0 else ""
    return f"{rounded}; {_plainly(device, resource)} alone allow {plural(groups, 'group')}{at}{cure}."


def _step_for(device: Device, groups: int) -> int:
    """The largest amount of which a core has room for ``groups``; 0 when there is none."""
    share = device.local_memory_per_core // groups
    match device:
        case IntelDevice():
            return max((step for step in device.local_memory_steps if step <= share), default=0)
        case AmdDevice():
            return share - share % device.local_memory_granule
        case NvidiaDevice():
            return max(share - share % device.local_memory_granule - device.local_memory_reserved, 0)
        case _:
            return share


def _parts(launch: KernelLaunch) -> tuple[Related, ...]:
    allocations = launch.local_memory.allocations
    each_size = tuple(
        Related(f"`{each.name}` takes {size(_bytes(each))}", each.location)
        for each in allocations
        if len(allocations) > 1 and _bytes(each)
    )
    return each_size + because(*(each.count for each in allocations))
