"""Local memory is read before any work-item has stored to it.

A local accessor starts with indeterminate contents. Counting into it needs a loop that sets it to zero, and a barrier.

Bad::

    void histogram(sycl::queue &q, const int *a, int *bins) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<int, 1> mine(64, h);
        h.parallel_for(sycl::nd_range<1>(65536, 64), [=](sycl::nd_item<1> it) {
          sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::work_group>(
              mine[a[it.get_global_id(0)]]).fetch_add(1);
          sycl::group_barrier(it.get_group());
          bins[it.get_global_id(0)] = mine[it.get_local_id(0)];
        });
      });
    }

Good::

    void histogram(sycl::queue &q, const int *a, int *bins) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<int, 1> mine(64, h);
        h.parallel_for(sycl::nd_range<1>(65536, 64), [=](sycl::nd_item<1> it) {
          mine[it.get_local_id(0)] = 0;
          sycl::group_barrier(it.get_group());
          sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::work_group>(
              mine[a[it.get_global_id(0)]]).fetch_add(1);
          sycl::group_barrier(it.get_group());
          bins[it.get_global_id(0)] = mine[it.get_local_id(0)];
        });
      });
    }

Silent when the memory, or a reference to one of its elements, escapes the analysis, when it is accessed as another
type, when an earlier iteration may have stored to it, when the read depends on data, and for ``group_local_memory``,
which is initialised.

Source: SYCL 2020, section "Local accessor": the elements have indeterminate values when the kernel starts.
"""

from sycllint.device_code.checks.local_use import ReadBeforeWrite
from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, record_rule


@record_rule("SYC408", Severity.WARNING, on=KernelLaunch, seen=ReadBeforeWrite)
def local_memory_read_before_write(each: ReadBeforeWrite) -> Finding:
    """A finding for each local memory whose first access is not a store."""
    how = "accessed atomically" if each.atomic else "read"
    return Finding(
        location=each.location,
        subject=f"`{each.text}`",
        verdict=f"is {how} before any work-item writes `{each.memory}`: local memory is uninitialised",
        evidence=Evidence.DERIVED,
        related=(Related(f"`{each.memory}` is declared here", each.declared),),
    )
