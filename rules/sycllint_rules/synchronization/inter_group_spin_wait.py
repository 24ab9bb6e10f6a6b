"""A work-item spins until another one has written; the loop has no other exit.

Work-groups need not run at the same time: a device may start the group that is waited for only when the one that
waits is done. A launch with more groups than fit the device then never ends.

A lock is such a wait, too. Where work-items of one sub-group contend for it, the one that gets it waits at the end of
the loop for the others, which wait for it to release the lock. The critical section belongs in the loop, in the branch
where the exchange succeeds; a single value needs no lock but an atomic operation or a reduction.

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

Bad::

    void largest(sycl::queue &q, int *lock, float *best, const float *a, int n) {
      q.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> it) {
        sycl::atomic_ref<int, sycl::memory_order::acq_rel, sycl::memory_scope::device> held(lock[0]);
        while (held.exchange(1) == 1) {
        }
        if (a[it.get_global_id(0)] > best[0]) best[0] = a[it.get_global_id(0)];
        held.store(0);
      });
    }

Good::

    void largest(sycl::queue &q, float *best, const float *a, int n) {
      auto largest = sycl::reduction(best, sycl::maximum<float>());
      q.parallel_for(sycl::nd_range<1>(n, 256), largest,
                     [=](sycl::nd_item<1> it, auto &most) { most.combine(a[it.get_global_id(0)]); });
    }

Reported when each iteration reads the same memory, in its condition, through a variable or in a function, and changes
no memory itself.

Silent when the loop has another exit or counts its tries; when an exchange is tried again with what was read, as loops
do that update a value without a lock; when there is one group; when the memory is local; in kernels of a root group,
whose groups do run together. Of locks on NVIDIA's devices, where the threads of a warp progress independently.

Source: SYCL 2020, "Forward progress" (work-items of different groups have weakly parallel progress guarantees);
CUDA C++ Programming Guide, "Independent Thread Scheduling" (locks between the threads of a warp, from Volta).
"""

from collections.abc import Iterator

from sycllint.device_code.checks.spin_waits import SpinWait
from sycllint.diagnostic import Evidence, Severity
from sycllint.hardware.device import Vendor
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
        if seen.is_lock:
            if target.device.vendor is not Vendor.NVIDIA:
                yield _locked(seen)
            continue
        verdict = "needs a write by a work-item whose work-group may not have started"
        if crowded and groups is not None:
            verdict = f"needs other work-groups, but {number(groups - resident)} of {number(groups)} are not resident"
        yield Finding(
            location=seen.location,
            subject=f"spin wait on `{seen.condition}`",
            verdict=verdict,
            evidence=Evidence.DERIVED,
            device_specific=crowded,
            help="Split the kernel in two, or synchronise with a root group.",
        )


def _locked(seen: SpinWait) -> Finding:
    return Finding(
        location=seen.location,
        subject=f"spin wait on `{seen.condition}`",
        verdict="may deadlock: the work-item that holds the lock need not make progress while others spin",
        evidence=Evidence.DERIVED,
        device_specific=False,
        help="Move the critical section into the loop, where the exchange succeeds; "
        "for one value use an atomic operation instead of a lock.",
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
