"""The whole launch has too few hardware threads to fill half of the device.

A device hides memory latency by switching between threads; contexts without a thread hide nothing. The rule counts the
threads of the launch, work-groups times work-items / sub-group size, against the thread contexts of the device: those
of all cores of the target that is named, of a configured number of ``cores``, or of the part with a PCI id. The name of
an architecture stands for its full part; where its smallest part would be half full, the finding says how many cores it
assumes.

Bad, on tgl::

    void integrate(sycl::queue &q, float *bodies, int steps) {
      q.parallel_for(sycl::nd_range<1>(2 * 512, 512), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(32)]] {
        for (int i = 0; i < steps; ++i) {
          bodies[it.get_global_id(0)] *= 0.99f;
        }
      });
    }

Good, on tgl::

    void integrate(sycl::queue &q, float *bodies, int steps) {
      q.parallel_for(sycl::nd_range<1>(84 * 512, 512), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(32)]] {
        for (int i = 0; i < steps; ++i) {
          bodies[it.get_global_id(0)] *= 0.99f;
        }
      });
    }

Silent when the body has no loop, since then there is little to spread; for single tasks and launches of one work-group,
or of 256 work-items or fewer, which finish what others began; for a ``range`` that may be one work-group, unless its
work-items run nested loops; when a number is unknown; when half of the device is filled at some legal sub-group size,
or all that registers and local memory leave of it; in test trees.

Source: Intel oneAPI GPU Optimization Guide, "SYCL Thread Mapping and GPU Occupancy", section "A Detailed Example", the
table of VectorAdd2. Cores and threads of each device: ``sycllint devices NAME``.
"""

from sycllint.diagnostic import Evidence, Severity
from sycllint.hardware.device import Device
from sycllint.hardware.words import all_cores
from sycllint.launch.kernel import KernelLaunch, LaunchKind
from sycllint.occupancy.filling import filling, work_groups
from sycllint.occupancy.model import sub_group_sizes, work_items
from sycllint.record import record
from sycllint.rule import Finding, Outcome, Silent, rule
from sycllint.target import Target
from sycllint.values.value import Known, known
from sycllint_rules.wording import because, core, number, percent, plural, thread, width

_ENOUGH = 0.5
_FEW = 256
"""Work-items that every device takes as one work-group: such a launch is small because its work is."""


@record
class _Threads:
    """Hardware threads of a launch at its narrowest legal width, where there are most of them."""

    count: int
    width: int
    launched: str
    """What makes them: ``2 work-groups of 512``."""


@rule("SYC202", Severity.WARNING, on=KernelLaunch, muted_in_tests=True)
def device_undersubscribed(launch: KernelLaunch, target: Target) -> Outcome:
    """Compare the threads of the launch with the contexts of the device."""
    whole, items, groups = launch.global_range, work_items(launch), work_groups(launch)
    if whole is None:
        return Silent("it is a single task")
    if items is None or (groups is None and launch.kind is not LaunchKind.RANGE):
        return Silent("the number of work-items or of work-groups is unknown")
    device, contexts = target.device, target.device.total_threads
    if contexts is None:
        return Silent(f"the threads of {device.name} are not public")
    threads = _threads(launch, device, items, groups)
    if isinstance(threads, Silent):
        return threads
    fill = f"fill {_at_most(launch, device)}{percent(threads.count / contexts)} of the device"
    reason = _good_reason(launch, target, threads)
    if threads.count >= contexts:
        return Silent(f"{threads.launched} fill the device")
    if reason:
        return Silent(f"{threads.launched} {fill}, {reason}")
    by_part = _part_decides(device, threads)
    of = f" ({number(threads.count)} of the {number(contexts)} {thread(device)}s of {all_cores(device)})"
    return Finding(
        location=whole.location,
        subject=threads.launched,
        verdict=fill + (of if by_part else ""),
        evidence=Evidence.DERIVED if by_part else Evidence.PROVED,
        related=because(*(each for each in whole.extents if isinstance(each, Known))),
        help=_arithmetic(device, threads),
    )


def _good_reason(launch: KernelLaunch, target: Target, threads: _Threads) -> str:
    """Why it is well that the launch has no more threads, in words that end a sentence; empty when it is not."""
    contexts = target.device.total_threads or 0
    if threads.count >= _ENOUGH * contexts:
        return f"and less than {percent(_ENOUGH)} is reported"
    if not launch.kernel.loops:
        return "and the kernel has no loop, so there is little to spread"
    if launch.register_count is not None:
        return "and it demands registers, which leave fewer threads"
    filled = filling(target.device, launch, target.occupancy_of(launch))
    if filled is not None and any(rounds.full_waves for _, rounds in filled.rounds):
        return "which is all that its registers and local memory leave"
    return ""


def _part_decides(device: Device, threads: _Threads) -> bool:
    """Whether the smallest part of the architecture would be half full; an unknown one may have a single core."""
    return threads.count >= _ENOUGH * (device.smallest_cores or 1) * (device.threads_per_core or 0)


def _at_most(launch: KernelLaunch, device: Device) -> str:
    """``at most `` where the compiler chooses the width: the narrowest gives the most threads."""
    return "" if len(sub_group_sizes(device, launch)) == 1 else "at most "


def _threads(launch: KernelLaunch, device: Device, items: int, groups: int | None) -> _Threads | Silent:
    """The threads of the launch, or the reason why the rule is silent."""
    narrowest = min(sub_group_sizes(device, launch), default=None)
    if narrowest is None:
        return Silent(f"the required sub-group size is unknown, or not one of {device.name}")
    group = known(launch.work_group_size)
    if groups is not None and group is not None:
        launched = f"{plural(groups, 'work-group')} of {group}"
        if groups == 1:
            return Silent(f"{launched}: a single work-group finishes what others began")
        if groups * group <= _FEW:
            return Silent(f"{launched}: so few work-items that the work is small")
        return _Threads(groups * -(-group // narrowest), narrowest, launched)
    if items <= _FEW or (items <= device.max_work_group_size and not _has_nested_loops(launch)):
        return Silent(f"{plural(items, 'work-item')} may be a single work-group")
    return _Threads(-(-items // narrowest), narrowest, plural(items, "work-item"))


def _has_nested_loops(launch: KernelLaunch) -> bool:
    """Whether one work-item has so much to do that it is no matter of one work-group, however few they are."""
    loops = launch.kernel.loops
    return any(
        inner.path == outer.path and outer.span.start < inner.span.start and inner.span.end <= outer.span.end
        for outer in loops
        for inner in loops
    )


def _arithmetic(device: Device, threads: _Threads) -> str:
    """The threads of the launch and the contexts of the device, and of the smallest part where that differs."""
    made = f"{plural(threads.count, thread(device))} at {width(device, threads.width)}"
    contexts = f"{number(device.total_threads or 0)} contexts of {all_cores(device)}"
    if device.smallest_cores is None or device.smallest_cores == device.cores or device.threads_per_core is None:
        return f"{made} for the {contexts}."
    least = device.smallest_cores * device.threads_per_core
    smallest = f"the smallest part has {number(least)} in {plural(device.smallest_cores, core(device))}"
    return f"{made} for the {contexts}; {smallest}."
