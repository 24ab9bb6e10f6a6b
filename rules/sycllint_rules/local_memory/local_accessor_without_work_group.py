"""A kernel without work-groups uses a local accessor.

Local memory belongs to a work-group. A ``single_task`` and a ``parallel_for`` over a plain range have none that the
program knows of, and submitting such a kernel with a local accessor throws ``errc::kernel_argument``.

Bad::

    void shift(sycl::queue &q, const float *a, float *b) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> tile(64, h);
        h.parallel_for(sycl::range<1>(65536), [=](sycl::id<1> i) {
          tile[i[0] % 64] = a[i];
          b[i] = tile[i[0] % 64];
        });
      });
    }

Good::

    void shift(sycl::queue &q, const float *a, float *b) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> tile(64, h);
        h.parallel_for(sycl::nd_range<1>(65536, 64), [=](sycl::nd_item<1> it) {
          tile[it.get_local_id(0)] = a[it.get_global_id(0)];
          sycl::group_barrier(it.get_group());
          b[it.get_global_id(0)] = tile[63 - it.get_local_id(0)];
        });
      });
    }

Silent when the kernel does not name the accessor, or is not a visible lambda; in a branch of an ``if constexpr`` whose
condition is not known.

Source: SYCL 2020, section "Local accessor": it must not be used in a kernel invoked via ``single_task`` or the simple
form of ``parallel_for``.
"""

from collections.abc import Iterator

from sycllint.device_code.checks.shared_memory import Captured
from sycllint.diagnostic import Related, Severity
from sycllint.launch.kernel import KernelLaunch, LaunchKind
from sycllint.rule import Finding, Outcome, Silent, rule
from sycllint.target import Target

_METHOD = {LaunchKind.SINGLE_TASK: "single_task", LaunchKind.RANGE: "parallel_for over a range"}


@rule("SYC402", Severity.ERROR, on=KernelLaunch, seen=Captured)
def local_accessor_without_work_group(launch: KernelLaunch, target: Target) -> Iterator[Outcome]:
    """Yield a finding for each local accessor that a kernel without work-groups names."""
    method = _METHOD.get(launch.kind)
    if method is None or launch.may_be_discarded or (launch.kind is LaunchKind.RANGE and launch.global_range is None):
        groups = "the launch has work-groups" if method is None else "it may not be such a launch, or not be compiled"
        yield Silent(groups)
        return
    for each in launch.kernel.seen.of(Captured):
        if each.named is not None:
            yield Finding(
                location=each.array.location,
                subject=f"local_accessor `{each.array.name}`",
                verdict=f"is used in a {method}, which has no work-groups: it throws `errc::kernel_argument`",
                device_specific=False,
                related=(Related("it is launched here", launch.location), Related("it is used here", each.named)),
                help="Launch over an `nd_range`, which has work-groups.",
            )
