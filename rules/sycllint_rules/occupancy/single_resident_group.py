"""A core holds only one work-group, and idles while the group waits at barriers.

With two groups on a core one computes while the other waits, and the next begins while the last threads of the former
finish. One group that takes all of a core gives that up, even where it fills every thread context.

Bad, on pvc::

    void relax(sycl::queue &q, float *grid, int cells, int rounds) {
      q.parallel_for(sycl::nd_range<1>(cells * 1024, 1024),
                     [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {
                       for (int i = 0; i < rounds; ++i) {
                         grid[it.get_global_id(0)] *= 0.5f;
                         sycl::group_barrier(it.get_group());
                       }
                     });
    }

Good, on pvc::

    void relax(sycl::queue &q, float *grid, int cells, int rounds) {
      q.parallel_for(sycl::nd_range<1>(cells * 512, 512),
                     [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {
                       for (int i = 0; i < rounds; ++i) {
                         grid[it.get_global_id(0)] *= 0.5f;
                         sycl::group_barrier(it.get_group());
                       }
                     });
    }

Reported when at every legal sub-group size one group is resident, the kernel has two barriers or one in a loop, and
half of the work-items, of the local memory, or of both let two groups in. On AMD and NVIDIA the registers of the kernel
are not in the source, and they can only make it worse. With a compiler's report (``--kernel-info``) they count, and the
help also says with how many of them a second group fits, and what part of the registers and of the LDS the one group
leaves unused. ``sycllint kernels`` and ``sycllint explain`` list the groups for every number of registers.

Silent when a number is unknown; when the kernel waits once; when there are no more groups than cores; in test trees.

Source: AMD GPUOpen, "Optimizing GPU occupancy and resource usage with large thread groups", sections "Problem: Single
thread group per CU" and "Solution: Two thread groups per CU".
"""

from sycllint.diagnostic import Severity
from sycllint.hardware.device import Device, IntelDevice
from sycllint.launch.kernel import Kernel, KernelLaunch
from sycllint.occupancy.estimate import estimate_occupancy
from sycllint.occupancy.model import as_compiled, demanded_registers
from sycllint.occupancy.occupancy import Occupancy
from sycllint.occupancy.registers import register_word
from sycllint.rule import Finding, Outcome, Silent, rule
from sycllint.target import Target
from sycllint.values.value import known
from sycllint_rules.residency import empty, fewer_registers, one_round, used
from sycllint_rules.silence import limited, no_group, no_occupancy
from sycllint_rules.wording import because, core, named_size, plural, size, thread, width


@rule("SYC205", Severity.WARNING, on=KernelLaunch, muted_in_tests=True)
def single_resident_group(launch: KernelLaunch, target: Target) -> Outcome:
    """Count the groups of a core at each legal width, and once more for half of the group."""
    local, items = launch.local_range, known(launch.work_group_size)
    if local is None or not items or not _waits(launch.kernel) or empty(launch):
        waits = _waits(launch.kernel)
        return no_group(launch) if waits else Silent("the kernel has no second barrier, and none in a loop")
    occupancies = target.occupancy_of(launch)
    if not occupancies or any(each.groups_per_core != 1 for each in occupancies):
        known_to_fit = Silent(limited(target.device, occupancies)) if occupancies else None
        return known_to_fit or no_occupancy(launch, target.device)
    worst = min(occupancies, key=lambda each: each.ratio)
    if any(one_round(launch, target.device, each) for each in occupancies):
        return Silent("all work-groups of the launch are resident at once")
    cures = [_cure(launch, target.device, items, each) for each in occupancies]
    if not all(cures):
        return Silent("half of the work-group or of its local memory makes no room for a second one")
    return Finding(
        location=local.location,
        subject=named_size(launch, items),
        verdict=f"fits only once on {core(target.device)}, which idles at its barriers",
        related=because(*local.extents),
        help=_arithmetic(launch, target.device, items, worst)
        + cures[occupancies.index(worst)]
        + _registers(launch, target.device, worst),
    )


def _waits(kernel: Kernel) -> bool:
    """Whether it has more than one barrier on its way."""
    return len(kernel.barriers) > 1 or any(
        loop.path == barrier.path and loop.span.start <= barrier.span.start < loop.span.end
        for barrier in kernel.barriers
        for loop in kernel.loops
    )


def _cure(launch: KernelLaunch, device: Device, items: int, now: Occupancy) -> str:
    """What of the group has to be halved for two to fit; empty when nothing helps."""
    whole = as_compiled(device, launch).local_memory
    memory = (known(whole.total) or 0) - whole.added
    registers = demanded_registers(device, launch)
    half, half_memory = items // 2, memory // 2
    smaller = [(half, memory, f"{half} work-items")] if half >= now.sub_group_size else []
    if memory:
        smaller.append((items, half_memory, f"{size(half_memory)} of local memory"))
        if half >= now.sub_group_size:
            smaller.append((half, half_memory, f"{half} work-items with {size(half_memory)} of local memory"))
    for group, local_memory, named in smaller:
        found = estimate_occupancy(
            device,
            group,
            now.sub_group_size,
            local_memory=local_memory + whole.added,
            barrier=True,
            registers=registers,
        )
        if found.groups_per_core > 1:
            return f" {named} make room for {found.groups_per_core}."
    return ""


def _arithmetic(launch: KernelLaunch, device: Device, items: int, now: Occupancy) -> str:
    """What the one group takes of the core: threads, and local memory where that is what limits."""
    at = f" at {width(device, now.sub_group_size)}" if len(device.sub_group_sizes) > 1 else ""
    threads = f"{items} work-items{at} are {now.threads_per_group} of {now.threads_per_core} {thread(device)}s"
    memory = now.local_memory_allocated
    taken = f" and take {size(memory)} of {size(device.local_memory_per_core)} local memory" if memory else ""
    waits = plural(len(launch.kernel.barriers), "barrier")
    return f"{threads} ({used(device, now)}){taken}; {waits} in the kernel."


def _registers(launch: KernelLaunch, device: Device, now: Occupancy) -> str:
    """The other cure where the compiler's registers keep the second group out, and what the first leaves unused."""
    if now.registers is None or isinstance(device, IntelDevice):
        return ""
    from sycllint.occupancy.budget import unused

    left = str(unused(device, now))
    taken = f" One group with {now.registers} {register_word(device)} leaves {left} unused." if left else ""
    return fewer_registers(launch, device, now) + taken
