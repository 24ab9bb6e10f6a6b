"""Whole work-groups do not fill a core's thread contexts, and a large part of every core stays idle.

A work-group with a barrier or local memory resides on one core as a whole. It takes work-items / sub-group size
hardware threads, rounded up, and a core holds a whole number of groups. On Tiger Lake a core has 112 thread contexts:
64 threads per group means one group and 48 idle contexts, 16 threads per group means seven groups and none.

Bad, on tgl::

    void relax(sycl::queue &q, float *grid) {
      constexpr size_t R = 4;
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> line(128, h);
        h.parallel_for(sycl::nd_range<3>({64, 64, 128}, {1, R, 128}),
                       [=](sycl::nd_item<3> it) [[sycl::reqd_sub_group_size(8)]] {
                         line[it.get_local_id(2)] = grid[it.get_global_linear_id()];
                         sycl::group_barrier(it.get_group());
                         grid[it.get_global_linear_id()] = line[127 - it.get_local_id(2)];
                       });
      });
    }

Good, on tgl::

    void relax(sycl::queue &q, float *grid) {
      constexpr size_t R = 1;
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> line(128, h);
        h.parallel_for(sycl::nd_range<3>({64, 64, 128}, {1, R, 128}),
                       [=](sycl::nd_item<3> it) [[sycl::reqd_sub_group_size(8)]] {
                         line[it.get_local_id(2)] = grid[it.get_global_linear_id()];
                         sycl::group_barrier(it.get_group());
                         grid[it.get_global_linear_id()] = line[127 - it.get_local_id(2)];
                       });
      });
    }

Shares are of all thread contexts of a core. Reported when less than 75 % of those that the registers of the kernel
leave are in use, which are all of them unless the source or a compiler's report says otherwise, and another legal
work-group size fills at least 15 % of them more. Where the kernel requires no sub-group size and the legal ones
disagree, it is a note with the share at each. On AMD and NVIDIA, where registers limit, the help also says from how
many on another group fits.

Silent when the kernel has neither a barrier nor local memory; when a number is unknown; when every group of the launch
is resident at once anyway; when local memory is what limits (SYC206); in test trees.

Source: Intel oneAPI GPU Optimization Guide, "SYCL Thread Mapping and GPU Occupancy", sections "Impact of Work-item
Synchronization Within Work-group" (the table of R) and "A Detailed Example" (the sizes 320 and 224); Intel GPU
Occupancy Calculator (the arithmetic).
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sycllint.diagnostic import Evidence, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.occupancy.filling import pinned
from sycllint.occupancy.model import as_compiled, demanded_registers
from sycllint.occupancy.occupancy import Limiter, Occupancy
from sycllint.record import record
from sycllint.rule import Finding, Outcome, Silent, rule
from sycllint.target import Target
from sycllint.values.value import known
from sycllint_rules.residency import contexts, empty, fewer_registers, idle, idle_at, one_round, spare
from sycllint_rules.silence import in_use, no_group, no_occupancy, no_resident_group
from sycllint_rules.wording import because, named_size, percent, plural, thread, width, work_group

if TYPE_CHECKING:
    from sycllint.occupancy.suggest import Suggestion

_ENOUGH = 0.75
_WORTH_IT = 0.15


@record
class _Waste:
    """A width at which a core stays idle in part, and the sizes that would fill it."""

    occupancy: Occupancy
    better: "tuple[Suggestion, ...]"


@rule("SYC201", Severity.WARNING, on=KernelLaunch, muted_in_tests=True)
def occupancy_quantised(launch: KernelLaunch, target: Target) -> Outcome:
    """Compare the resident groups of each legal width with what another work-group size would reach."""
    if launch.local_range is None or empty(launch):
        return no_group(launch)
    launch = as_compiled(target.device, launch)
    if launch.local_range is None or not pinned(launch, target.device):
        return no_resident_group(launch, target.device)
    occupancies = target.occupancy_of(launch)
    wasted = [waste for each in occupancies if (waste := _waste(launch, target, each))]
    if not wasted:
        return _enough(launch, target, occupancies)
    everywhere = len(wasted) == len(occupancies)
    worst = max(wasted, key=lambda waste: idle(waste.occupancy))
    return Finding(
        location=launch.local_range.location,
        subject=named_size(launch, known(launch.work_group_size) or 0),
        verdict=idle_at(target.device, worst.occupancy, occupancies),
        evidence=Evidence.PROVED if everywhere else Evidence.DERIVED,
        severity=None if everywhere else Severity.NOTE,
        related=because(*launch.local_range.extents),
        help=_arithmetic(launch, target, worst),
    )


def _enough(launch: KernelLaunch, target: Target, occupancies: Sequence[Occupancy]) -> Silent:
    """Why no other size is called for."""
    if not occupancies:
        return no_occupancy(launch, target.device)
    fact = in_use(target.device, occupancies)
    if any(one_round(launch, target.device, each) for each in occupancies):
        return Silent(f"{fact}, and all of the launch are resident at once")
    if all(spare(each) <= 1 - _ENOUGH for each in occupancies):
        return Silent(f"{fact}, and less than {percent(_ENOUGH)} is reported")
    return Silent(f"{fact}, and no other legal size fills clearly more, or threads are not what limits")


def _waste(launch: KernelLaunch, target: Target, occupancy: Occupancy) -> _Waste | None:
    if occupancy.limiter not in {Limiter.THREADS, Limiter.REGISTERS} or spare(occupancy) <= 1 - _ENOUGH:
        return None
    if one_round(launch, target.device, occupancy):
        return None
    reachable = occupancy.usable_threads_per_core / occupancy.threads_per_core
    from sycllint.occupancy.suggest import suggestions

    extents = launch.global_range.numbers if launch.global_range is not None else None
    better = suggestions(
        target.device,
        occupancy.sub_group_size,
        local_memory=known(launch.local_memory.total) or 0,
        barrier=launch.barrier is not False,
        registers=demanded_registers(target.device, launch),
        extents=extents,
        above=occupancy.ratio + _WORTH_IT * reachable,
        most=2,
    )
    return _Waste(occupancy, better) if better else None


def _arithmetic(launch: KernelLaunch, target: Target, waste: _Waste) -> str:
    assert launch.local_range is not None
    occupancy = waste.occupancy
    size = work_group(launch.local_range, known(launch.work_group_size) or 0)
    at = width(target.device, occupancy.sub_group_size)
    threads = plural(occupancy.threads_per_group, thread(target.device))
    return (
        f"{size} at {at} is {threads}, so {contexts(target.device, occupancy)} hold "
        f"{plural(occupancy.groups_per_core, 'group')}; {' or '.join(map(str, waste.better))} fills more."
        f"{fewer_registers(launch, target.device, occupancy)}"
    )
