"""A work-group has more work-items than the device accepts.

The launch fails: DPC++ throws ``errc::nd_range`` and no work-item runs. The usual causes are a size copied from CUDA
(768 and 1024 are common there; Gen9 stops at 256, Tiger Lake at 512), a product of extents that is larger than it
looks, and a constant that was tuned on a larger GPU. A kernel that demands more registers per thread may have a lower
limit: SYC107.

Bad, on tgl::

    void smooth(sycl::queue &q, float *image) {
      constexpr int rows = 8;
      q.parallel_for(sycl::nd_range<2>({1024, 1024}, {rows, 128}), [=](sycl::nd_item<2> it) {
        const size_t i = it.get_global_linear_id();
        image[i] = 0.5f * image[i];
      });
    }

Good::

    void smooth(sycl::queue &q, float *image) {
      constexpr int rows = 4;
      q.parallel_for(sycl::nd_range<2>({1024, 1024}, {rows, 128}), [=](sycl::nd_item<2> it) {
        const size_t i = it.get_global_linear_id();
        image[i] = 0.5f * image[i];
      });
    }

On NVIDIA's devices the first of three dimensions, which is CUDA's z, has a limit of its own: 64 work-items.

A clamp counts as a number: ``std::min(n, 768)`` is reported as "up to 768", and as a warning, because whether it
happens depends on ``n``.

Silent when an extent is unknown, or only known to pass ``if (n > 1024) throw`` or ``assert(n <= 1024)``; when the
global range is empty; when the size is limited by a device query; when the launch, or each visible call of its
function, is reached only after the size was compared with one, unless the device is known to pass; when its failure
is caught and handled by another launch, another size or a value returned to other functions than ``main``; when the
queue is not for a GPU in any build; when a condition lets only some of several sizes through. A function that is
not visible and gets the queue, and names of vendors or kinds of devices, count as such a query; names of warps or
limits only if nothing else is known of their value. A warning if an unknown value selects the launch by its size,
as in ``switch (items)``, and if only an amount of memory, such as ``local_mem_size``, was compared and the device
is not known to pass: it bounds no work-group. A device that is known to fail the comparison is not reported.

Source: SYCL 2020, information descriptor kernel_device_specific::work_group_size (the limit depends on kernel and
device) and table "Attributes for kernel functions" (a required size the device lacks: errc::kernel_not_supported);
intel/llvm error_handling.cpp (what other launches throw); Intel oneAPI GPU Optimization Guide, "SYCL Thread Mapping and
GPU Occupancy", section "Impact of Work-item Synchronization Within Work-group" (R > 4 fails to launch). Each device's
limit: ``sycllint devices NAME``.
"""

from collections.abc import Iterator

from sycllint.diagnostic import Evidence, Severity
from sycllint.hardware.device import Device, Vendor
from sycllint.launch.kernel import KernelLaunch, Range
from sycllint.occupancy.estimate import estimate_occupancy, limit
from sycllint.occupancy.filling import pinned
from sycllint.occupancy.model import register_demand, sub_group_sizes
from sycllint.record import record
from sycllint.rule import Finding, KernelDemand, Outcome, Silent, rule
from sycllint.target import Target
from sycllint.values.value import Known, Symbolic, Value, known, steps
from sycllint_rules.evidence import case, reached, unless_checked
from sycllint_rules.residency import empty
from sycllint_rules.silence import no_group
from sycllint_rules.wording import because, core, percent, shape, width, work_group

_CUDA_Z = 64
"""CUDA C++ Programming Guide, table "Technical Specifications per Compute Capability": z-dimension of a block."""


@rule("SYC101", Severity.ERROR, on=KernelLaunch, kernels=KernelDemand.OVERSIZED)
def work_group_exceeds_max(launch: KernelLaunch, target: Target) -> Iterator[Outcome]:
    """Compare the work-items of one group, launched or required by an attribute, with the device's limit."""
    if empty(launch) or (launch.local_range is None and launch.required_work_group is None):
        yield no_group(launch)
        return
    yield from unless_checked(launch, target, _exceeding(launch, target))
    items = known(launch.work_group_size)
    most = _limit(launch, target.device)
    if items is None:
        yield no_group(launch)
    elif items > most.items:
        yield Silent("the size is compared with a property of the device before the launch")
    else:
        yield Silent(f"work-group {items} is within max {most.items}{most.mode} on {target.name}")


def _exceeding(launch: KernelLaunch, target: Target) -> Iterator[Finding]:
    most = _limit(launch, target.device)
    if launch.local_range is not None and launch.work_group_size is not None:
        excess = _excess(launch.local_range, launch.work_group_size, most.items)
        if excess is not None:
            yield Finding(
                location=launch.local_range.location,
                subject=excess.subject,
                verdict=f"exceeds max {most.items}{most.mode}",
                evidence=reached(launch, target, excess.evidence),
                related=because(excess.value),
                help=_cure(launch, target.device, excess.value, most.items),
            )
            return
    deep = _too_deep(launch, target.device)
    if deep is not None:
        yield deep
        return
    required = launch.required_work_group
    items = required.items if required is not None else None
    if required is not None and items is not None and items > most.items:
        yield Finding(
            location=required.location,
            subject=f"required {work_group(required, items)}",
            verdict=f"exceeds max {most.items}{most.mode}",
            evidence=reached(launch, target, Evidence.PROVED),
            related=because(*required.extents),
        )


def _too_deep(launch: KernelLaunch, device: Device) -> Finding | None:
    """The slowest of three dimensions is CUDA's z, of which a block has fewer than its threads."""
    local = launch.local_range
    deepest = known(local.extents[0]) if local is not None and len(local.extents) == 3 else None
    if local is None or device.vendor is not Vendor.NVIDIA or deepest is None or deepest <= _CUDA_Z:
        return None
    return Finding(
        location=local.location,
        subject=f"dimension 0 of work-group {shape(local.extents)}",
        verdict=f"is CUDA's z, and {deepest} exceeds max {_CUDA_Z}",
        related=because(local.extents[0]),
    )


@record
class _Limit:
    """Work-items per group, and the sub-group size that lowers it, if one does: `` at SIMD8``."""

    items: int
    mode: str


@record
class _Excess:
    """A size beyond the limit: how it is called, the value it stands in, how sure it is."""

    subject: str
    value: Value
    evidence: Evidence


def _limit(launch: KernelLaunch, device: Device) -> _Limit:
    """The limit at the kernel's sub-group size; the device's own when that is not known or not the device's."""
    required = sub_group_sizes(device, launch) if launch.sub_group_size else ()
    if len(required) != 1:
        return _Limit(device.max_work_group_size, "")
    (sub_group,) = required
    items = limit(device, None, sub_group)
    return _Limit(items, "" if items == device.max_work_group_size else f" at {width(device, sub_group)}")


def _excess(local: Range, size: Value, most: int) -> _Excess | None:
    found = case(size, lambda items: items > most)
    if found is not None:
        return _Excess(work_group(local, found.number.value), found.number, found.evidence)
    if not isinstance(size, Symbolic) or size.asks_device:
        return None
    if size.minimum is not None and size.minimum > most:
        return _Excess(f"work-group of at least {size.minimum}", size, Evidence.DERIVED)
    if size.maximum is not None and size.maximum > most and not size.is_guarded:
        return _Excess(f"work-group of up to {size.maximum}", size, Evidence.DERIVED)
    return None


def _cure(launch: KernelLaunch, device: Device, size: Value, most: int) -> str:
    """The largest legal value of the one named constant that is one extent by itself, and a better one if there is."""
    local = launch.local_range
    if local is None or not isinstance(size, Known):
        return ""
    named = steps(*local.extents)
    if len(named) != 1 or sum(isinstance(each, Known) and each.because == named for each in local.extents) != 1:
        return ""
    for dimension, each in enumerate(local.extents):
        if not isinstance(each, Known) or each.because != named or each.value != named[0].value or each.value < 1:
            continue
        rest, wrapped = divmod(size.value, each.value)
        if not wrapped:
            legal = _legal(launch, dimension, most // rest)
            name = named[0].name
            return (
                f"The largest legal {name} is {legal[-1]}{_better(launch, device, name, rest, legal)}." if legal else ""
            )
    return ""


def _legal(launch: KernelLaunch, dimension: int, most: int) -> list[int]:
    """Extents up to ``most`` that divide the global one; ``most`` alone when the global one is not known."""
    whole = launch.global_range
    extent = known(whole.extents[dimension]) if whole and dimension < len(whole.extents) else None
    if not extent:
        return [most] if most > 0 else []
    return [each for each in range(1, most + 1) if extent % each == 0]


def _better(launch: KernelLaunch, device: Device, name: str, rest: int, legal: list[int]) -> str:
    """A smaller value that fills a core better, lest the cure for this finding be the cause of SYC201."""
    required = sub_group_sizes(device, launch) if launch.sub_group_size else ()
    if not pinned(launch, device) or register_demand(device, launch) or len(required) != 1:
        return ""
    if device.threads_per_core is None:
        return ""
    memory = known(launch.local_memory.total) or 0
    held = {
        each: estimate_occupancy(device, each * rest, *required, local_memory=memory, barrier=bool(launch.barrier))
        for each in legal
    }
    best = max(legal, key=lambda each: (held[each].ratio, each))
    if held[best].ratio <= held[legal[-1]].ratio:
        return ""
    return f"; {name}={best} fills more of each {core(device)}, {percent(held[best].ratio)}"
