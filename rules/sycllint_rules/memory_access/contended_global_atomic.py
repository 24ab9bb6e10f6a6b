"""Every work-item updates one place of global memory atomically.

Atomic updates of one place are serialised over the whole device. The work-items of a group can reduce their values
first, so that one of them updates the place for all.

Bad::

    void sum(sycl::queue &q, const int *in, int *total) {
      q.parallel_for(sycl::nd_range<1>(1 << 20, 256), [=](sycl::nd_item<1> it) {
        sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device> sum(total[0]);
        sum.fetch_add(in[it.get_global_id(0)]);
      });
    }

Good::

    void sum(sycl::queue &q, const int *in, int *total) {
      q.parallel_for(sycl::nd_range<1>(1 << 20, 256), [=](sycl::nd_item<1> it) {
        const int part = sycl::reduce_over_group(it.get_group(), in[it.get_global_id(0)], sycl::plus<>());
        if (it.get_local_id(0) == 0) {
          sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device> sum(total[0]);
          sum.fetch_add(part);
        }
      });
    }

Silent when only some work-items reach the update, by a condition other than that the global id is in range; in a lambda
that is called elsewhere; when the place depends on data, as in a histogram; for local memory; for launches of fewer
than 1,024 work-items; in test trees.

Source: Intel oneAPI GPU Optimization Guide, "Atomic Operations"; SYCL 2020, "Group algorithms library",
``reduce_over_group``.
"""

from collections.abc import Iterator

from sycllint.device_code.checks.atomics import ContendedAtomic
from sycllint.diagnostic import Evidence, Severity
from sycllint.launch.kernel import KernelLaunch, LaunchKind
from sycllint.occupancy.filling import work_groups
from sycllint.occupancy.model import work_items
from sycllint.rule import Finding, Outcome, Silent, rule
from sycllint.target import Target
from sycllint_rules.wording import number, plural

_MANY = 1024
"""Work-items from which on the order of updates is felt."""


@rule("SYC705", Severity.WARNING, on=KernelLaunch, seen=ContendedAtomic, muted_in_tests=True)
def contended_global_atomic(launch: KernelLaunch, target: Target) -> Iterator[Outcome]:
    """One finding for each update."""
    if launch.kind is LaunchKind.SINGLE_TASK:
        yield Silent("it is a single task")
        return
    items = work_items(launch)
    if items is not None and items < _MANY:
        yield Silent(f"{items} work-items are few")
        return
    for each in launch.kernel.seen.of(ContendedAtomic):
        yield Finding(
            location=each.location,
            subject=f"`{each.place}`",
            verdict=f"is updated atomically by {'every' if items is None else f'each of {number(items)}'} "
            f"work-item{'' if items is None else 's'}",
            evidence=Evidence.DERIVED,
            device_specific=False,
            help=_fewer(launch),
        )


def _fewer(launch: KernelLaunch) -> str:
    if launch.kind is not LaunchKind.ND_RANGE:
        return "Use `sycl::reduction`: the launch has no work-groups to combine values in."
    groups = work_groups(launch)
    if groups is None:
        return "Combine the values with `reduce_over_group` first: one update per work-group."
    return f"Combine the values with `reduce_over_group` first: {plural(groups, 'update')}, one per work-group."
