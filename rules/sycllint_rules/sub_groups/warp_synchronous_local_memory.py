"""Work-items exchange data through local memory in a kernel that has no barrier at all.

It relies on work-items of a sub-group running in lock-step. SYCL promises no such thing, and compilers keep values in
registers or reorder accesses as if there were one work-item. On a device with narrower sub-groups than the code was
written for, the work-items are not even in one.

Bad::

    void sums(sycl::queue &q, const float *a, float *b) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> part(32, h);
        h.parallel_for(sycl::nd_range<1>(4096, 32), [=](sycl::nd_item<1> it) {
          const int lid = it.get_local_id(0);
          part[lid] = a[it.get_global_id(0)];
          for (int half = 16; half > 0; half /= 2) {
            if (lid < half) part[lid] += part[lid + half];
          }
          if (lid == 0) b[it.get_group(0)] = part[0];
        });
      });
    }

Good::

    void sums(sycl::queue &q, const float *a, float *b) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> part(32, h);
        h.parallel_for(sycl::nd_range<1>(4096, 32), [=](sycl::nd_item<1> it) {
          const int lid = it.get_local_id(0);
          part[lid] = a[it.get_global_id(0)];
          sycl::group_barrier(it.get_group());
          for (int half = 16; half > 0; half /= 2) {
            if (lid < half) part[lid] += part[lid + half];
            sycl::group_barrier(it.get_group());
          }
          if (lid == 0) b[it.get_group(0)] = part[0];
        });
      });
    }

The steps of one sum are one finding, which names them all, however each is written. A fence between them orders memory
and makes no work-item wait.

Silent when the kernel has a barrier or a group function of any scope (then SYC503 looks at each pair of accesses), when
groups are one work-item, and when a condition is not understood. Where a condition or an index is read
from memory, any work-item may have that value, and the finding is a warning.

Source: SYCL 2020, section "Work-group data parallel kernels": ordering between work-items of a group needs a group
barrier; no forward progress in lock-step is promised for a sub-group.
"""

from collections.abc import Iterator

from sycllint.device_code.races.barrier_intervals import Conflict
from sycllint.diagnostic import Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint_rules.unordered import between, cure, finding, joined, read_after_write, write_after_read


@rule("SYC306", Severity.ERROR, on=KernelLaunch, seen=Conflict)
def warp_synchronous_local_memory(launch: KernelLaunch, target: Target) -> Iterator[Finding]:
    """Yield one finding for the local memories that work-items exchange data through, with all places that do."""
    for race in joined((*read_after_write(launch), *write_after_read(launch))):
        each = race.worst
        if each.barriers:
            continue
        verdict = (
            f"is what another work-item accesses as `{each.first_text}`{between(each)}, in a kernel without a barrier: "
            "work-items of a sub-group do not run in lock-step"
        )
        yield finding(race, verdict, _cure(each))


def _cure(conflict: Conflict) -> str:
    if conflict.divergent:
        return cure(conflict, "")
    return "Put a `group_barrier` of the sub-group after each step, or use `reduce_over_group`."
