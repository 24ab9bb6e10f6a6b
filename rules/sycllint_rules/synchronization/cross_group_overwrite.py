"""A work-group writes its result over input that another work-group may not have read yet.

Nothing orders the groups of a launch. Group 1 stores to ``a[1]`` when it is done, and group 0 reads ``a[1]`` with its
second work-item, before or after.

Bad::

    void sums(sycl::queue &q, float *a) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> part(256, h);
        h.parallel_for(sycl::nd_range<1>(65536, 256), [=](sycl::nd_item<1> it) {
          const int lid = it.get_local_id(0);
          part[lid] = a[it.get_global_id(0)];
          for (int half = 128; half > 0; half /= 2) {
            sycl::group_barrier(it.get_group());
            if (lid < half) part[lid] += part[lid + half];
          }
          if (lid == 0) a[it.get_group(0)] = part[0];
        });
      });
    }

Good::

    void sums(sycl::queue &q, const float *a, float *b) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> part(256, h);
        h.parallel_for(sycl::nd_range<1>(65536, 256), [=](sycl::nd_item<1> it) {
          const int lid = it.get_local_id(0);
          part[lid] = a[it.get_global_id(0)];
          for (int half = 128; half > 0; half /= 2) {
            sycl::group_barrier(it.get_group());
            if (lid < half) part[lid] += part[lid + half];
          }
          if (lid == 0) b[it.get_group(0)] = part[0];
        });
      });
    }

Silent when the arrays differ, when there may be only one work-group, and when an index or a condition depends on data.

Source: SYCL 2020, section "Work-group data parallel kernels": no order between work-groups.
"""

from sycllint.device_code.checks.global_use import GroupOverwrite
from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, record_rule


@record_rule("SYC513", Severity.WARNING, on=KernelLaunch, seen=GroupOverwrite)
def cross_group_overwrite(each: GroupOverwrite) -> Finding:
    """A finding for each array whose first elements are input and output of different work-groups."""
    return Finding(
        location=each.write,
        subject=f"`{each.write_text}`",
        verdict=f"overwrites what another work-group may still read as `{each.read_text}`: groups run in any order",
        evidence=Evidence.DERIVED,
        related=(Related("it is read here", each.read),),
    )
