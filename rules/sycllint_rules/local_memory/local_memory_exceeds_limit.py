"""A work-group needs more local memory than the device allows.

No part of the SYCL specification says what happens then. Level Zero reports out of device memory, OpenCL out of
resources; some runtimes have silently not run the kernel, or wrapped the addresses. The limit is per work-group
(``info::device::local_mem_size``) and on several Intel GPUs is half of what the core has.

Bad, on tgl::

    void blur(sycl::queue &q, float *image) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 2> tile({130, 130}, h);
        h.parallel_for(sycl::nd_range<2>({1024, 1024}, {16, 16}), [=](sycl::nd_item<2> it) {
          tile[it.get_local_id(0)][it.get_local_id(1)] = image[it.get_global_linear_id()];
          sycl::group_barrier(it.get_group());
          image[it.get_global_linear_id()] = tile[it.get_local_id(1)][it.get_local_id(0)];
        });
      });
    }

Good, on tgl::

    void blur(sycl::queue &q, float *image) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 2> tile({18, 18}, h);
        h.parallel_for(sycl::nd_range<2>({1024, 1024}, {16, 16}), [=](sycl::nd_item<2> it) {
          tile[it.get_local_id(0)][it.get_local_id(1)] = image[it.get_global_linear_id()];
          sycl::group_barrier(it.get_group());
          image[it.get_global_linear_id()] = tile[it.get_local_id(1)][it.get_local_id(0)];
        });
      });
    }

More than nine tenths of the limit is a warning: reductions, group algorithms and ``sycl::stream`` take local memory of
their own, and 64,000 of 65,536 bytes have been seen to fail.

On NVIDIA a kernel has 48 KB unless it opts in to more. DPC++ opts in by itself and the limit is what the SM can give;
AdaptiveCpp does not, so between the two it is a note.

Silent when a size is unknown, unless the known ones alone are too much; when the size is limited by a device query, or
the launch depends on one that the device is not known to pass; when its failure is caught and something else is
launched, or it is reported to the caller of a function other than ``main``; when the queue is not for a GPU; when the
global range is empty.

Source: SYCL 2020, device information descriptor local_mem_size; compute-runtime, cmdlist_hw_xehp_and_later.inl and
opencl/source/kernel/kernel.cpp (the errors); intel/llvm issue 21413 (nine tenths); compute-runtime issue 186 and
AdaptiveCpp issue 1434 (silent failures); unified-runtime, adapters/cuda/device.hpp, and AdaptiveCpp,
cuda_hardware_manager.cpp (who opts in). Each device's limit: ``sycllint devices NAME``.
"""

from collections.abc import Iterator

from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.hardware.device import NvidiaDevice
from sycllint.launch.kernel import KernelLaunch
from sycllint.launch.memory import LocalAllocation
from sycllint.occupancy.nvidia import LOCAL_MEMORY_WITHOUT_OPT_IN
from sycllint.rule import Finding, Outcome, Silent, rule
from sycllint.source.span import Location
from sycllint.target import Target
from sycllint.values.value import known, possible
from sycllint_rules.evidence import case, reached, unless_memory_checked
from sycllint_rules.residency import empty
from sycllint_rules.wording import because, number, percent


@rule("SYC401", Severity.ERROR, on=KernelLaunch)
def local_memory_exceeds_limit(launch: KernelLaunch, target: Target) -> Iterator[Outcome]:
    """Compare all local memory of a work-group, or the part that is known, with the device's limit per group."""
    if known(launch.local_memory.total) == 0:
        yield Silent("the kernel has no local memory")
        return
    yield from unless_memory_checked(launch, target, () if empty(launch) else _exceeding(launch, target))
    total, most = known(launch.local_memory.total), target.device.max_local_memory_per_group
    within = f"local memory {number(total)} B of max {number(most)} B" if total is not None else ""
    yield Silent(within or "the amount of local memory is not known")


def _exceeding(launch: KernelLaunch, target: Target) -> Iterator[Finding]:
    memory, limit = launch.local_memory, target.device.max_local_memory_per_group
    if memory.at_least > limit:
        more = "" if known(memory.total) is not None else "at least "
        yield _exceeds(launch, target, f"{more}{number(memory.at_least)} B", Evidence.PROVED)
        return
    found = case(memory.total, lambda total: total > limit)
    if found is not None:
        yield _exceeds(launch, target, f"{number(found.number.value)} B", found.evidence)
        return
    total = known(memory.total)
    if total is None:
        return
    if total > 0.9 * limit:
        yield Finding(
            location=_largest(launch),
            subject=f"local memory {number(total)} B",
            verdict=f"is {percent(total / limit)} of max {number(limit)} B, which the runtime shares",
            evidence=Evidence.DERIVED,
            severity=Severity.WARNING,
            related=_parts(launch),
        )
    elif isinstance(target.device, NvidiaDevice) and total > LOCAL_MEMORY_WITHOUT_OPT_IN:
        yield Finding(
            location=_largest(launch),
            subject=f"local memory {number(total)} B",
            verdict=f"exceeds the {number(LOCAL_MEMORY_WITHOUT_OPT_IN)} B of a kernel that does not opt in to more",
            evidence=Evidence.DERIVED,
            severity=Severity.NOTE,
            related=_parts(launch),
            help=f"DPC++ opts in and has {number(limit)} B; AdaptiveCpp does not.",
        )


def _exceeds(launch: KernelLaunch, target: Target, amount: str, evidence: Evidence) -> Finding:
    return Finding(
        location=_largest(launch),
        subject=f"local memory {amount}",
        verdict=f"exceeds max {number(target.device.max_local_memory_per_group)} B",
        evidence=reached(launch, target, evidence),
        related=_parts(launch),
    )


def _bytes(allocation: LocalAllocation) -> int:
    """The most it is known to take; 0 when nothing is known."""
    return max((each.value for each in possible(allocation.bytes)), default=0)


def _largest(launch: KernelLaunch) -> Location:
    allocations = launch.local_memory.allocations
    return max(allocations, key=_bytes).location if allocations else launch.location


def _parts(launch: KernelLaunch) -> tuple[Related, ...]:
    """Each allocation with its bytes when there are several, then the constants behind their sizes."""
    allocations = launch.local_memory.allocations
    sizes = tuple(
        Related(f"`{each.name}` takes {number(_bytes(each))} B", each.location)
        for each in allocations
        if len(allocations) > 1 and _bytes(each)
    )
    return sizes + because(*(each.count for each in allocations))
