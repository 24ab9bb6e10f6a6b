"""Each element of a local memory is read and written by one work-item alone.

Nothing is shared, so a private variable in a register does the same, and leaves the local memory to other work-groups.

Bad::

    void sums(sycl::queue &q, const float *a, float *b, int n) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> sum(256, h);
        h.parallel_for(sycl::nd_range<1>(65536, 256), [=](sycl::nd_item<1> it) {
          const int lid = it.get_local_id(0);
          sum[lid] = 0;
          for (int i = 0; i < n; i++) sum[lid] += a[i];
          b[it.get_global_id(0)] = sum[lid];
        });
      });
    }

Good::

    void sums(sycl::queue &q, const float *a, float *b, int n) {
      q.parallel_for(sycl::nd_range<1>(65536, 256), [=](sycl::nd_item<1> it) {
        float sum = 0;
        for (int i = 0; i < n; i++) sum += a[i];
        b[it.get_global_id(0)] = sum;
      });
    }

Silent when any access has another index or is atomic, when the memory is passed to a function that is not visible, and
when a work-item has several elements; in test trees, where local memory is often what is tested.

Known problems: large private state is sometimes put in local memory to save registers; then the code is intended.

Source: SYCL 2020, section "Memory model": private and local memory.
"""

from sycllint.device_code.checks.local_use import UsedPrivately
from sycllint.diagnostic import Evidence, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, record_rule
from sycllint.values.value import known
from sycllint_rules.wording import size


@record_rule("SYC409", Severity.NOTE, on=KernelLaunch, seen=UsedPrivately, muted_in_tests=True)
def local_memory_used_privately(each: UsedPrivately) -> Finding:
    """A finding for each local memory in which no work-item uses the element of another."""
    count = known(each.bytes)
    amount = f" of {size(count)}" if count else ""
    return Finding(
        location=each.declared,
        subject=f"`{each.memory}`{amount}",
        verdict=f"is only accessed as `{each.text}`, each element by one work-item: a private variable is enough",
        evidence=Evidence.DERIVED,
    )
