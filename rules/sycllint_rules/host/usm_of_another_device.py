"""A command uses memory that was allocated with the queue of another device.

Memory of ``malloc_device`` belongs to the device, and all memory of USM to the context, of the queue that it was
allocated with. A kernel on another device may not use it, unless both have a context that allows it and access between
the devices is enabled.

Bad::

    void scale(size_t n) {
      sycl::queue cpu{sycl::cpu_selector_v};
      sycl::queue gpu{sycl::gpu_selector_v};
      float *values = sycl::malloc_device<float>(n, cpu);
      gpu.parallel_for(n, [=](sycl::id<1> i) { values[i] = 1; }).wait();
      sycl::free(values, cpu);
    }

Good::

    void scale(size_t n) {
      sycl::queue gpu{sycl::gpu_selector_v};
      float *values = sycl::malloc_device<float>(n, gpu);
      gpu.parallel_for(n, [=](sycl::id<1> i) { values[i] = 1; }).wait();
      sycl::free(values, gpu);
    }

An error where selectors choose devices of different kinds; a warning where they are two of one list, as ``devices[0]``
and ``devices[1]``, which usually share a context: then access from one to the other has to be enabled.

Silent when a queue is given a context or any other device, for queues that are not made in the function or its callers,
when the file enables access between devices, and for copies of memory that the host can read or of two devices of one
list.

Source: SYCL 2020, chapter "Unified shared memory", kinds of allocations; sycl_ext_oneapi_peer_access.
"""

from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.host.records import ForeignMemory
from sycllint.host.unit import SourceUnit
from sycllint.rule import Finding, record_rule


@record_rule("SYC1117", Severity.ERROR, on=SourceUnit, seen=ForeignMemory)
def usm_of_another_device(seen: ForeignMemory) -> Finding:
    """A finding for each command that uses memory of another device."""
    sure = not seen.device.endswith("]")
    return Finding(
        location=seen.location,
        subject=f"`{seen.what}` on the device of `{seen.device}`",
        verdict=f"uses `{seen.name}`, which is allocated for `{seen.other}`",
        evidence=Evidence.PROVED if sure else Evidence.DERIVED,
        severity=None if sure else Severity.WARNING,
        related=(Related("allocated here", seen.allocated),) if seen.allocated is not None else (),
    )
