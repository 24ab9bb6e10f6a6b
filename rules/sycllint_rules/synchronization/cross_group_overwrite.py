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

The same holds for single work-items of a kernel without barriers and atomics: ``a[i] = a[i - 1] + a[i + 1]`` reads what
others overwrite.

Silent when the arrays differ, when there may be only one work-group, and when an index or a condition depends on data.

Source: SYCL 2020, section "Work-group data parallel kernels": no order between work-groups.
"""

from collections.abc import Iterator

from sycllint.device_code.checks.global_use import GroupOverwrite
from sycllint.device_code.races.in_place import InPlace
from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, rule
from sycllint.target import Target


@rule("SYC513", Severity.WARNING, on=KernelLaunch, seen=(GroupOverwrite, InPlace))
def cross_group_overwrite(launch: KernelLaunch, target: Target) -> Iterator[Finding]:
    """A finding for each array whose elements are input and output of different work-groups, or work-items."""
    for each in launch.kernel.seen.of(GroupOverwrite):
        yield _finding(each, "work-group", "groups")
    for other in launch.kernel.seen.of(InPlace):
        yield _finding(other, "work-item", "work-items")


def _finding(each: GroupOverwrite | InPlace, one: str, all_: str) -> Finding:
    return Finding(
        location=each.write,
        subject=f"`{each.write_text}`",
        verdict=f"overwrites what another {one} may still read as `{each.read_text}`: {all_} run in any order",
        evidence=Evidence.DERIVED,
        device_specific=False,
        related=(Related("it is read here", each.read),),
        help="Write to another array, and swap the two after the launch.",
    )
