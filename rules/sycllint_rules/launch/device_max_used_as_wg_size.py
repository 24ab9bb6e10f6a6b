"""The work-group is as large as the device allows, whatever the kernel needs.

The device's maximum applies to a kernel without special needs. A kernel with local memory, barriers or much private
state may be allowed less, and the launch then throws. The limit of one kernel can be queried once it is built.

Bad::

    void sums(sycl::queue &q, float *a, size_t n) {
      const size_t size = q.get_device().get_info<sycl::info::device::max_work_group_size>();
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> part(size, h);
        h.parallel_for(sycl::nd_range<1>(n, size), [=](sycl::nd_item<1> it) {
          part[it.get_local_id(0)] = a[it.get_global_id(0)];
          sycl::group_barrier(it.get_group());
          a[it.get_global_id(0)] = part[size - 1 - it.get_local_id(0)];
        });
      });
    }

Good::

    class Sums;

    void sums(sycl::queue &q, float *a, size_t n) {
      const auto kernels = sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context());
      const auto kernel = kernels.get_kernel(sycl::get_kernel_id<Sums>());
      const size_t size = kernel.get_info<sycl::info::kernel_device_specific::work_group_size>(q.get_device());
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> part(size, h);
        h.parallel_for<Sums>(sycl::nd_range<1>(n, size), [=](sycl::nd_item<1> it) {
          part[it.get_local_id(0)] = a[it.get_global_id(0)];
          sycl::group_barrier(it.get_group());
          a[it.get_global_id(0)] = part[size - 1 - it.get_local_id(0)];
        });
      });
    }

Intel's guide gives the opposite advice in general: query the device for its largest work-group and use it, because its
work-items share local memory and barriers. That is right for a kernel with few registers and no local memory. For
others, query the limit of the kernel after it is built, as above; and the largest group is not always the one that
fills a core best (SYC201), nor the one that leaves room for a second group (SYC205).

The query is followed through variables, functions that return it, and data members that every constructor, initialiser
and assignment in the file and its headers sets to it.

Silent when the number is changed on the way, such as halved or limited by ``min``; when it cannot be followed from the
query to the launch; when the kernel has no local memory, no barrier and less than 64 B of private arrays.

Source: SYCL 2020, information descriptors device::max_work_group_size and kernel_device_specific::work_group_size;
KhronosGroup/SYCL-Docs pull request 548; kokkos pull requests 7999 and 9353; Intel oneAPI GPU Optimization Guide,
"Considerations for Selecting Work-Group Size" (the general advice).
"""

from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.host.checks.device_maximum import DeviceMaximum
from sycllint.host.unit import SourceUnit
from sycllint.rule import Finding, record_rule
from sycllint_rules.wording import listed, size


@record_rule("SYC108", Severity.WARNING, on=SourceUnit, seen=DeviceMaximum, muted_in_tests=True)
def device_max_used_as_wg_size(seen: DeviceMaximum) -> Finding:
    """A finding for each launch with the largest work-group that any kernel may have."""
    return Finding(
        location=seen.location,
        subject=f"work-group size `{seen.text}`",
        verdict=f"is the device maximum, but a kernel with {_needs(seen)} may be limited to less",
        evidence=Evidence.DERIVED,
        related=(Related("the device maximum is queried here", seen.query),) if seen.query else (),
        help="Query `info::kernel_device_specific::work_group_size` for the limit of this kernel.",
    )


def _needs(seen: DeviceMaximum) -> str:
    needs = (
        "local memory" if seen.local_memory else "",
        "barriers" if seen.barrier else "",
        f"{size(seen.private)} of private arrays" if seen.private else "",
    )
    return listed(each for each in needs if each)
