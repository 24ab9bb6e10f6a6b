"""A work-item spins until another one has written, with no other way out of the loop.

Work-groups need not run at the same time: a device may start the group that is waited for only when the one that
waits is done. A launch with more groups than fit the device then never ends.

Bad::

    void chain(sycl::queue &q, int *ready, float *a) {
      q.parallel_for(sycl::nd_range<1>(86016, 256), [=](sycl::nd_item<1> it) {
        const int group = it.get_group(0);
        sycl::atomic_ref<int, sycl::memory_order::acq_rel, sycl::memory_scope::device> done(ready[0]);
        if (it.get_local_id(0) == 0) {
          while (done.load() < group) {
          }
          a[group + 1] += a[group];
          done.store(group + 1);
        }
      });
    }

Good::

    void chain(sycl::queue &q, float *a) {
      q.single_task([=] {
        for (int group = 0; group < 336; ++group) a[group + 1] += a[group];
      });
    }

Silent when the loop has another exit or counts its tries; when there is one group; when the memory is local; in
kernels of a root group, whose groups do run together.

Source: SYCL 2020, "Forward progress" (work-items of different groups have weakly parallel progress guarantees).
"""

from collections.abc import Iterator

from sycllint.diagnostic import Evidence, Severity
from sycllint.kernel.spins import SpinWait
from sycllint.launch.kernel import KernelLaunch, LaunchKind
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint.values.value import known
from sycllint_rules.wording import number


@rule("SYC508", Severity.WARNING, on=KernelLaunch, seen=SpinWait)
def inter_group_spin_wait(launch: KernelLaunch, target: Target) -> Iterator[Finding]:
    """Yield a finding for each loop that only memory ends."""
    groups = _groups(launch)
    if launch.kind is LaunchKind.SINGLE_TASK or groups == 1:
        return
    resident = max((each.groups_per_core for each in target.occupancy_of(launch)), default=0) * (
        target.device.cores or 0
    )
    crowded = groups is not None and 0 < resident < groups
    for seen in launch.kernel.seen.of(SpinWait):
        verdict = "ends only when another work-item writes, whose work-group may not have started"
        if crowded and groups is not None:
            verdict = (
                f"waits for other work-groups, and {number(groups - resident)} of {number(groups)} are not resident"
            )
        yield Finding(
            location=seen.location,
            subject=f"a loop while {seen.condition}",
            verdict=verdict,
            evidence=Evidence.DERIVED,
            device_specific=crowded,
            help="A second kernel, or a root group, orders work-groups.",
        )


def _groups(launch: KernelLaunch) -> int | None:
    """Work-groups of the launch, when known."""
    if launch.global_range is None or launch.local_range is None:
        return None
    count = 1
    for whole, local in zip(launch.global_range.extents, launch.local_range.extents, strict=False):
        first, second = known(whole), known(local)
        if first is None or not second:
            return None
        count *= -(-first // second)
    return count
