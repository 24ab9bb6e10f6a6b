"""A local accessor is made for a kernel that never uses it.

It is allocated all the same when the kernel captures it, and its bytes are taken from the next work-group on the core.

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

Silent when the kernel is not a lambda in sight, and when it names the accessor anywhere.

Source: SYCL 2020, section "Local accessor".
"""

from collections.abc import Iterator

from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.kernel.shared_memory import Captured
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint.values.value import known
from sycllint_rules.wording import size


@rule("SYC406", Severity.NOTE, on=KernelLaunch)
def local_memory_oversized(launch: KernelLaunch, target: Target) -> Iterator[Finding]:
    """Yield a finding for each local accessor that the kernel does not name."""
    for each in launch.kernel.seen.of(Captured):
        if each.named is None:
            count = known(each.array.bytes)
            amount = f" of {size(count)}" if count else ""
            yield Finding(
                location=each.array.location,
                subject=f"local_accessor {each.array.name}{amount}",
                verdict="is not used by the kernel",
                evidence=Evidence.DERIVED,
                device_specific=False,
                related=(Related("the kernel is launched here", launch.location),),
            )
