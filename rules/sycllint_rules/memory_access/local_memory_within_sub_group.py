"""Work-items exchange data through local memory with others of their own sub-group only.

A shuffle takes a value from another work-item of the sub-group without memory and without a barrier.

Bad::

    void exchange(sycl::queue &q, const float *from, float *to) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> tile(256, h);
        h.parallel_for(sycl::nd_range<1>(65536, 256), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {
          const size_t lid = it.get_local_id(0);
          tile[lid] = from[it.get_global_id(0)];
          sycl::group_barrier(it.get_group());
          to[it.get_global_id(0)] = tile[lid ^ 1];
        });
      });
    }

Good::

    void exchange(sycl::queue &q, const float *from, float *to) {
      q.parallel_for(sycl::nd_range<1>(65536, 256), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {
        const float own = from[it.get_global_id(0)];
        to[it.get_global_id(0)] = sycl::permute_group_by_xor(it.get_sub_group(), own, 1);
      });
    }

Silent when no sub-group size is required, or the group is not made of several whole sub-groups of it; when an access
stands in a branch or a loop, or its index depends on anything but the local id; when an element crosses the border of a
sub-group, or is written twice. Off unless selected.

Source: Intel oneAPI GPU Optimization Guide, "Sub-Groups and SIMD Vectorization", section "Data Sharing".
"""

from collections.abc import Iterator

from sycllint.device_code.checks.within_sub_groups import WithinSubGroup
from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.occupancy.model import sub_group_sizes
from sycllint.rule import Finding, Outcome, Silent, rule
from sycllint.target import Target
from sycllint.values.value import known
from sycllint_rules.wording import size


@rule("SYC704", Severity.NOTE, on=KernelLaunch, seen=WithinSubGroup, enabled=False)
def local_memory_within_sub_group(launch: KernelLaunch, target: Target) -> Iterator[Outcome]:
    """One finding for each local memory."""
    if launch.sub_group_size is None or not sub_group_sizes(target.device, launch):
        yield Silent(f"no sub-group size that {target.name} has is required")
        return
    for each in launch.kernel.seen.of(WithinSubGroup):
        taken = known(each.bytes) if each.bytes is not None else None
        amount = f"; a shuffle would save its {size(taken)} of local memory" if taken else ""
        yield Finding(
            location=each.location,
            subject=f"`{each.text}`",
            verdict=f"is exchanged within one sub-group of {each.width}{amount}",
            evidence=Evidence.DERIVED,
            device_specific=False,
            related=(Related(f"`{each.memory}` is declared here", each.declared),),
        )
