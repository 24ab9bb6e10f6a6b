"""A kernel of one work-item loops over an array, on a device that runs thousands.

One work-item is one lane of one hardware thread. A loop whose iterations write distinct elements can be a range.

Bad, on tgl::

    void scale(sycl::queue &q, float *y, size_t n) {
      q.single_task([=] {
        for (size_t i = 0; i < n; ++i) {
          y[i] *= 2.0f;
        }
      });
    }

Good, on tgl::

    void scale(sycl::queue &q, float *y, size_t n) {
      q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) { y[i] *= 2.0f; });
    }

The loop may count, or advance pointers to the end of an array.

Sums are reported if the loop has a known trip count: work-groups can reduce them.

Silent when the loops have at most 1,024 trips together; when an iteration depends on the previous one (running sums,
recurrences, random number generators); for sums with an unknown trip count; in files that name FPGAs, pipes, or the
host or a CPU as the device; in test trees.

Source: Intel oneAPI GPU Optimization Guide, "SYCL Thread Mapping and GPU Occupancy", section "Mapping Work-groups to
Xe-cores for Maximum Occupancy". Threads of the device: ``sycllint devices NAME``.
"""

from collections.abc import Iterator

from sycllint.device_code.checks.serial_loops import SerialLoop
from sycllint.diagnostic import Evidence, Severity
from sycllint.launch.kernel import KernelLaunch, LaunchKind
from sycllint.occupancy.model import work_items
from sycllint.rule import Finding, Outcome, Silent, rule
from sycllint.target import Target
from sycllint_rules.wording import number, plural

_FEW = 1024
"""Trips that are not worth a launch of their own (catalogue of this pack)."""


@rule("SYC801", Severity.WARNING, on=KernelLaunch, seen=SerialLoop, muted_in_tests=True)
def serial_kernel(launch: KernelLaunch, target: Target) -> Iterator[Outcome]:
    """One finding for each loop."""
    contexts = target.device.total_threads
    if launch.kind is not LaunchKind.SINGLE_TASK and work_items(launch) != 1:
        yield Silent("more than one work-item runs, or an unknown number")
        return
    if contexts is None:
        return
    for each in launch.kernel.seen.of(SerialLoop):
        if each.trips is not None and each.trips <= _FEW:
            yield Silent(f"the loop over {each.array} has {plural(each.trips, 'iteration')} only")
            continue
        if each.is_combined and each.trips is None:
            yield Silent(f"the loop over {each.array} only adds up an unknown number of elements")
            continue
        yield Finding(
            location=each.location,
            subject=f"loop over `{each.array}`",
            verdict=f"runs on 1 of {number(contexts)} hardware threads",
            evidence=Evidence.DERIVED,
        )
