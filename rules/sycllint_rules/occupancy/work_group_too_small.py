"""A work-group is so small that a core runs out of slots for groups, or lanes of a sub-group idle.

A core tracks a limited number of groups: NVIDIA's SMs have 16, 24 or 32 slots for any, an Intel core 32 to 128 barriers
for those that synchronise. When groups of one or two threads take them all, the other thread contexts stay empty. And a
group that is narrower than one sub-group leaves lanes idle.

Bad, on tgl::

    void gather(sycl::queue &q, float *sums, int blocks) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> part(32, h);
        h.parallel_for(sycl::nd_range<1>(blocks * 32, 32), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(32)]] {
          part[it.get_local_id(0)] = sums[it.get_global_id(0)];
          sycl::group_barrier(it.get_group());
          sums[it.get_global_id(0)] = part[31 - it.get_local_id(0)];
        });
      });
    }

Good, on tgl::

    void gather(sycl::queue &q, float *sums, int blocks) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> part(128, h);
        h.parallel_for(sycl::nd_range<1>(blocks * 128, 128),
                       [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(32)]] {
                         part[it.get_local_id(0)] = sums[it.get_global_id(0)];
                         sycl::group_barrier(it.get_group());
                         sums[it.get_global_id(0)] = part[127 - it.get_local_id(0)];
                       });
      });
    }

Reported when slots or barriers leave more than a quarter of a core's contexts empty (of those that the kernel's
registers leave), and for a group with a barrier or local memory that is narrower than every sub-group size of the
device. Groups of one work-item are reported whatever they hold, when there are more of them than the device has
contexts: a thread runs work-items of one group only. Where their number is not known, it is a note; so it is where the
kernel requires no sub-group size and the legal ones disagree.

The older edition of Intel's guide asks for at least 64, 128 or 256 work-items at SIMD8, 16 or 32, because a sub-slice
took 16 groups at most. That was the number of barriers up to Gen8; Gen9 has 32, and the dual sub-slice of Xe-LP twice
that. Eight threads per group are not needed to fill a core, so the rule does not ask for them.

Silent when a number is unknown; on Intel without barrier and local memory, when a group takes no slot, unless it is
one work-item; when every group of the launch is resident at once anyway, on every way to the launch, a single work-
item among them; when the group is smaller than the sub-group size it requires, which SYC302 reports of the same launch
with the same cure, so that one cause is one finding; when a value that is not known chooses the launch by its size, as
in ``case 4: launch<4>(q);``, and each sub-group is larger; of one work-item, in a file that uses explicit SIMD, where
each is a whole thread; in test trees.

Source: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability" (resident blocks); Intel GPU
Occupancy Calculator (barriers per core); compute-runtime, first commit (32 barriers from Gen9, 16 before); Intel oneAPI
GPU Optimization Guide, "SYCL Thread Mapping and GPU Occupancy", section "Mapping Work-groups to Xe-cores for Maximum
Occupancy", and its edition of 2021, "DPC++ Thread Hierarchy and Mapping", section "Mapping Work-groups to SubSlices"
(the sizes). Each device's numbers: ``sycllint devices NAME``.
"""

from sycllint.diagnostic import Evidence, Severity
from sycllint.hardware.device import Device, Vendor
from sycllint.launch.kernel import KernelLaunch, Range
from sycllint.occupancy.estimate import estimate_occupancy, limit
from sycllint.occupancy.filling import most_work_groups, pinned
from sycllint.occupancy.model import demanded_registers
from sycllint.occupancy.occupancy import Limiter, Occupancy
from sycllint.rule import Finding, Outcome, Silent, rule
from sycllint.target import Target
from sycllint.values.value import known
from sycllint_rules.residency import empty, idle_at, one_group_per_core, one_round, spare, used
from sycllint_rules.silence import in_use, no_group, no_occupancy, no_resident_group
from sycllint_rules.wording import because, core, percent, plural, thread, width, work_group

_MOST_IDLE = 0.25
_SLOTS = frozenset({Limiter.GROUPS, Limiter.BARRIERS})


@rule("SYC204", Severity.WARNING, on=KernelLaunch, muted_in_tests=True)
def work_group_too_small(launch: KernelLaunch, target: Target) -> Outcome:
    """Compare a group with one sub-group, then the groups that a core tracks with those its contexts could hold."""
    local, items = launch.local_range, known(launch.work_group_size)
    if local is None or empty(launch):
        return no_group(launch)
    if items == 1 and not pinned(launch, target.device):
        return _single(launch, local, target.device)
    if not items or not pinned(launch, target.device):
        return no_resident_group(launch, target.device)
    occupancies = target.occupancy_of(launch)
    few = one_group_per_core(launch, target.device)
    if few or any(one_round(launch, target.device, each) for each in occupancies):
        return Silent("all work-groups of the launch are resident at once")
    bound = [each for each in occupancies if each.limiter in _SLOTS and spare(each) > _MOST_IDLE]
    narrow = _narrow(launch, target.device, items)
    if not narrow and not bound:
        fact = f"{in_use(target.device, occupancies)}, or slots are not what limits" if occupancies else ""
        return Silent(fact) if fact else no_occupancy(launch, target.device)
    if narrow and launch.selected:
        return Silent("the launch is chosen by its size, for no more work than that")
    everywhere = bool(narrow) or len(bound) == len(occupancies)
    worst = max(bound, key=spare) if bound else None
    return Finding(
        location=local.location,
        subject=work_group(local, items),
        verdict=narrow or (idle_at(target.device, worst, occupancies) if worst else ""),
        evidence=Evidence.PROVED if everywhere else Evidence.DERIVED,
        severity=None if everywhere else Severity.NOTE,
        related=because(*local.extents),
        help=_arithmetic(launch, target.device, items, worst) if worst else "",
    )


def _single(launch: KernelLaunch, local: Range, device: Device) -> Outcome:
    """What groups of one work-item are that nothing ties to a core: each takes a thread for itself all the same."""
    contexts, groups = device.total_threads, most_work_groups(launch, device)
    if launch.sub_group_size is not None or not device.sub_group_sizes or contexts is None:
        return no_resident_group(launch, device)
    if groups is not None and groups <= contexts:
        return Silent("all work-groups of the launch are resident at once")
    if launch.explicit_simd:
        return Silent("the file uses explicit SIMD, where one work-item is a whole thread")
    return Finding(
        location=local.location,
        subject=work_group(local, 1),
        verdict=_lanes(device, 1),
        evidence=Evidence.DERIVED if groups is None else Evidence.PROVED,
        severity=Severity.NOTE if groups is None else None,
        related=because(*local.extents),
        help="A thread runs work-items of one work-group only; groups of a whole sub-group fill its lanes.",
    )


def _narrow(launch: KernelLaunch, device: Device, items: int) -> str:
    """What the lanes of a group are that fills no sub-group of the device; empty when it fills one."""
    narrowest = min(device.sub_group_sizes, default=0)
    tied = launch.barrier or launch.local_memory.at_least > 0
    if launch.sub_group_size is not None or not tied or items >= narrowest:
        return ""
    return _lanes(device, items)


def _lanes(device: Device, items: int) -> str:
    narrowest = min(device.sub_group_sizes)
    lanes = narrowest - items
    return (
        f"is narrower than one {thread(device)}: {lanes} of {narrowest} lanes idle ({percent(lanes / narrowest)})"
        if device.vendor is not Vendor.INTEL
        else f"is narrower than {width(device, narrowest)}: {lanes} of {narrowest} lanes idle "
        f"({percent(lanes / narrowest)})"
    )


def _arithmetic(launch: KernelLaunch, device: Device, items: int, worst: Occupancy) -> str:
    slots = "barriers" if worst.limiter is Limiter.BARRIERS else "slots for work-groups"
    at = f" at {width(device, worst.sub_group_size)}" if len(device.sub_group_sizes) > 1 else ""
    threads = plural(worst.threads_per_group, thread(device))
    fact = (
        f"{items} work-items{at} are {threads}, and the {worst.groups_per_core} {slots} of {core(device)} hold "
        f"{worst.threads_resident} of {worst.threads_per_core} {thread(device)}s ({used(device, worst)})"
    )
    enough = _enough(launch, device, worst)
    return f"{fact}; {enough} work-items fill them." if enough else f"{fact}."


def _enough(launch: KernelLaunch, device: Device, worst: Occupancy) -> int | None:
    """The fewest whole sub-groups at which slots no longer decide; the local memory of the group is taken to stay."""
    registers = demanded_registers(device, launch)
    step = worst.sub_group_size
    for items in range(step, limit(device, registers, step) + 1, step):
        found = estimate_occupancy(
            device,
            items,
            step,
            local_memory=known(launch.local_memory.total) or 0,
            barrier=bool(launch.barrier),
            registers=registers,
        )
        if found.limiter not in _SLOTS or not spare(found):
            return items if spare(found) <= _MOST_IDLE else None
    return None
