"""An index into local memory is out of range.

Most often it is a global id: local memory is allocated for each work-group, so that an index which grows with the group
leaves it in the second group. A halo that the accessor has no room for is the other way there.

Bad::

    void copy(sycl::queue &q, const float *a, float *b) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> tile(64, h);
        h.parallel_for(sycl::nd_range<1>(65536, 64), [=](sycl::nd_item<1> it) {
          const int i = it.get_global_id(0);
          tile[i] = a[i];
          sycl::group_barrier(it.get_group());
          b[i] = tile[63 - it.get_local_id(0)];
        });
      });
    }

Good::

    void copy(sycl::queue &q, const float *a, float *b) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> tile(64, h);
        h.parallel_for(sycl::nd_range<1>(65536, 64), [=](sycl::nd_item<1> it) {
          const int i = it.get_global_id(0);
          tile[it.get_local_id(0)] = a[i];
          sycl::group_barrier(it.get_group());
          b[i] = tile[63 - it.get_local_id(0)];
        });
      });
    }

Silent when the number of elements, the local range, or any number in the index or in a condition around the access is
unknown, in loops that may be left before their condition says so, and for an index below zero that a condition is on:
without a sign it is a large number there.

Source: SYCL 2020, section "Local accessor": an index outside its range is undefined behaviour.
"""

from collections.abc import Iterator

from sycllint.device_code.checks.local_use import OutOfRange
from sycllint.diagnostic import Related, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint.values.value import known
from sycllint_rules.wording import because, number, plural


@rule("SYC403", Severity.ERROR, on=KernelLaunch, seen=OutOfRange)
def local_index_out_of_range(launch: KernelLaunch, target: Target) -> Iterator[Finding]:
    """Yield a finding for each access to an element that does not exist."""
    for each in launch.kernel.seen.of(OutOfRange):
        count = known(each.count)
        if count is None:
            continue
        if 0 <= each.index < count:
            yield Finding(
                location=each.location,
                subject=f"`{each.text}`",
                verdict=f"grows with the work-group id, up to element {number(each.index)}: "
                f"each work-group has its own `{each.memory}`",
                severity=Severity.WARNING,
                device_specific=False,
                related=(Related(f"`{each.memory}` is declared here", each.declared), *because(each.count)),
                help="Index local memory by local ids.",
            )
            continue
        where = "in the last work-group" if each.by_group else f"for work-item {', '.join(map(str, each.work_item))}"
        yield Finding(
            location=each.location,
            subject=f"`{each.text}`",
            verdict=f"is out of range {where}: index {number(each.index)} of {plural(count, 'element')}"
            + (f" in dimension {each.dimension}" if each.dimension is not None else ""),
            device_specific=False,
            related=(Related(f"`{each.memory}` is declared here", each.declared), *because(each.count)),
            help="Index local memory by local ids." if each.by_group else "",
        )
