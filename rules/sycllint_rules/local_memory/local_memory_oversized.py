"""A local accessor is made for a kernel that never uses it, or uses less than half of it.

It is allocated if the kernel captures it, and reduces the local memory for other work-groups on the core.

Bad::

    void scale(sycl::queue &q, float *a) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> scratch(1024, h);
        h.parallel_for(sycl::nd_range<1>(65536, 256), [=](sycl::nd_item<1> it) {
          a[it.get_global_id(0)] *= 2;
        });
      });
    }

Good::

    void scale(sycl::queue &q, float *a) {
      q.submit([&](sycl::handler &h) {
        h.parallel_for(sycl::nd_range<1>(65536, 256), [=](sycl::nd_item<1> it) {
          a[it.get_global_id(0)] *= 2;
        });
      });
    }

Silent when the kernel is not a visible lambda and the accessor is named anywhere. Of what is used: silent when the last
element that is used is not known, which it is not in loops, and when local memory does not limit how many work-groups a
core holds. Silent in test trees, where accessors are constructed as a test.

Source: SYCL 2020, section "Local accessor".
"""

from collections.abc import Iterator

from sycllint.device_code.checks.local_layout import Reach
from sycllint.device_code.checks.shared_memory import Captured
from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.occupancy.occupancy import Limiter
from sycllint.rule import Finding, Outcome, Silent, rule
from sycllint.target import Target
from sycllint.values.value import known
from sycllint_rules.wording import number, size


@rule("SYC406", Severity.NOTE, on=KernelLaunch, seen=(Captured, Reach), muted_in_tests=True)
def local_memory_oversized(launch: KernelLaunch, target: Target) -> Iterator[Outcome]:
    """Yield a finding for each local accessor that the kernel does not name, or needs less of."""
    for each in launch.kernel.seen.of(Captured):
        if each.named is None:
            count = known(each.array.bytes)
            amount = f" of {size(count)}" if count else ""
            yield Finding(
                location=each.array.location,
                subject=f"local_accessor `{each.array.name}`{amount}",
                verdict="is not used by the kernel",
                evidence=Evidence.DERIVED,
                device_specific=False,
                related=(Related("the kernel is launched here", launch.location),),
            )
    if not any(each.limiter is Limiter.LOCAL_MEMORY for each in target.occupancy_of(launch)):
        yield Silent("the kernel uses each accessor, and local memory is not known to limit the work-groups of a core")
        return
    for reach in launch.kernel.seen.of(Reach):
        element = reach.bytes // reach.count
        yield Finding(
            location=reach.declared,
            subject=f"local_accessor `{reach.memory}` of {size(reach.bytes)}",
            verdict=f"is only used up to element {number(reach.highest)}: {size((reach.highest + 1) * element)}",
            evidence=Evidence.DERIVED,
            related=(Related("the last element is used here", reach.location),),
        )
