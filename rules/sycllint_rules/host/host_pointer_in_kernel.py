"""A kernel reads or writes memory that only the host has.

Memory from ``malloc``, ``new``, a standard container or of a local variable is the host's. The address is invalid in a
kernel. So is that of the elements of a captured ``std::vector`` or ``std::string``, whose copy is in host memory as
well. Systems that share all of their memory with the device (``aspect::usm_system_allocations``) are the exception.

Bad::

    void fill(sycl::queue &q, size_t n) {
      float *values = new float[n];
      q.parallel_for(n, [=](sycl::id<1> i) { values[i] = 1.0f; }).wait();
      delete[] values;
    }

Good::

    void fill(sycl::queue &q, size_t n) {
      float *values = sycl::malloc_shared<float>(n, q);
      q.parallel_for(n, [=](sycl::id<1> i) { values[i] = 1.0f; }).wait();
      sycl::free(values, q);
    }

Silent when the pointer has another or a second origin, for arrays that are named in the kernel, which a lambda captures
whole, for containers with a USM allocator, for classes that may have an ``operator new`` of their own, and in files
that name system allocations.

Source: SYCL 2020, chapters "Unified shared memory" (system allocations) and "Language restrictions for kernels".
"""

from sycllint.diagnostic import Related, Severity
from sycllint.host.records import HostMemoryInKernel
from sycllint.host.unit import SourceUnit
from sycllint.rule import Finding, record_rule


@record_rule("SYC1105", Severity.ERROR, on=SourceUnit, seen=HostMemoryInKernel)
def host_pointer_in_kernel(seen: HostMemoryInKernel) -> Finding:
    """A finding for each kernel and host memory that it uses."""
    return Finding(
        location=seen.location,
        subject=f"`{seen.name}`, host memory of {seen.source},",
        verdict="is used by the kernel",
        related=(Related(f"`{seen.name}` gets its memory here", seen.allocated),),
    )
