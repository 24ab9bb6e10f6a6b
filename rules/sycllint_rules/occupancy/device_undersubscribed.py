"""The whole launch has too few hardware threads to fill even the smallest part of the architecture.

A device hides memory latency by switching between threads; contexts without a thread hide nothing. The rule counts
the threads of the launch, work-groups times work-items / sub-group size, against the thread contexts of the smallest
part on sale, so that what it says holds on every part.

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
or of 256 work-items or fewer, which finish what others began; when a number is unknown; when half of the smallest part
is filled at some legal sub-group size; in test trees.

Source: Intel oneAPI GPU Optimization Guide, "SYCL Thread Mapping and GPU Occupancy", the table of VectorAdd2. Cores of
the smallest part: ``sycllint devices NAME``.
"""

from collections.abc import Iterator

from sycllint.diagnostic import Severity
from sycllint.hardware.device import Device
from sycllint.launch.kernel import KernelLaunch, LaunchKind
from sycllint.occupancy.filling import work_groups
from sycllint.occupancy.model import work_items
from sycllint.record import record
from sycllint.rule import Finding, rule
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
def device_undersubscribed(launch: KernelLaunch, target: Target) -> Iterator[Finding]:
    """Compare the threads of the launch with the contexts of the architecture's smallest part."""
    device = target.device
    if not launch.kernel.loops or launch.global_range is None or launch.register_count is not None:
        return
    if device.smallest_cores is None or device.threads_per_core is None:
        return
    threads = _threads(launch, device)
    contexts = device.smallest_cores * device.threads_per_core
    if threads is None or threads.count >= _ENOUGH * contexts:
        return
    at_most = "" if launch.sub_group_size or len(device.sub_group_sizes) == 1 else "at most "
    yield Finding(
        location=launch.global_range.location,
        subject=threads.launched,
        verdict=f"fill {at_most}{percent(threads.count / contexts)} of the smallest part",
        related=because(*(each for each in launch.global_range.extents if isinstance(each, Known))),
        help=_arithmetic(device, threads),
    )


def _threads(launch: KernelLaunch, device: Device) -> _Threads | None:
    narrowest = _narrowest(launch, device)
    if narrowest is None:
        return None
    groups, group = work_groups(launch), known(launch.work_group_size)
    if groups is not None and group is not None:
        if groups == 1 or groups * group <= _FEW:
            return None
        return _Threads(groups * -(-group // narrowest), narrowest, f"{plural(groups, 'work-group')} of {group}")
    items = work_items(launch)
    if launch.kind is not LaunchKind.RANGE or items is None or items <= device.max_work_group_size:
        return None
    return _Threads(-(-items // narrowest), narrowest, plural(items, "work-item"))


def _narrowest(launch: KernelLaunch, device: Device) -> int | None:
    """The required sub-group size, else the smallest the device has; ``None`` when the required one is no good."""
    if launch.sub_group_size is None:
        return min(device.sub_group_sizes, default=None)
    required = known(launch.sub_group_size.value)
    return required if required in device.sub_group_sizes else None


def _arithmetic(device: Device, threads: _Threads) -> str:
    """The threads of the launch and the contexts of the smallest and of the full part."""
    assert device.smallest_cores is not None
    assert device.threads_per_core is not None
    made = f"{plural(threads.count, thread(device))} at {width(device, threads.width)}"
    least = number(device.smallest_cores * device.threads_per_core)
    parts = f"{least} contexts in {plural(device.smallest_cores, core(device))}"
    if device.cores and device.cores != device.smallest_cores:
        parts += f", {number(device.cores * device.threads_per_core)} in the {device.cores} of a full {device.name}"
    return f"{made} for {parts}."
