"""The host reads or writes through a pointer to device memory.

Memory of ``sycl::malloc_device`` is on the device and not in the host's address space: reading or writing it on the
host is a fault.

Bad::

    void start(sycl::queue &q, size_t n) {
      float *values = sycl::malloc_device<float>(n, q);
      values[0] = 1.0f;
      sycl::free(values, q);
    }

Good::

    void start(sycl::queue &q, size_t n) {
      float *values = sycl::malloc_device<float>(n, q);
      q.fill(values, 1.0f, 1).wait();
      sycl::free(values, q);
    }

A data member is followed into methods that do not allocate it, where every visible member of that name is only set to
device memory.

Silent when the access is in a kernel, for a queue's own ``memcpy`` and ``fill``, for algorithms with an execution
policy, and when the pointer has been assigned again or has several origins.

Source: SYCL 2020, chapter "Unified shared memory", table of the kinds of allocation.
"""

from sycllint.diagnostic import Related, Severity
from sycllint.host.records import HostAccessOfDevice
from sycllint.host.unit import SourceUnit
from sycllint.rule import Finding, record_rule


@record_rule("SYC1104", Severity.ERROR, on=SourceUnit, seen=HostAccessOfDevice)
def device_pointer_on_host(seen: HostAccessOfDevice) -> Finding:
    """A finding for each access by the host."""
    return Finding(
        location=seen.location,
        subject=f"device memory `{seen.name}`",
        verdict="is accessed by the host",
        related=(Related("allocated by malloc_device here", seen.allocated),) if seen.allocated is not None else (),
    )
