"""A copy reads device memory that was never written, or goes from host memory to host memory.

``queue::memcpy`` takes the destination first, ``queue::copy`` the source first. A copy from device memory that was just
allocated copies garbage to the host: usually the arguments are swapped. So they are where a copy from the host is the
last use of memory that a kernel has written, whose results nothing has read. A copy through a queue from ``malloc`` to
``malloc`` does not involve the device at all.

Bad::

    float *upload(sycl::queue &q, size_t n) {
      float *host = new float[n];
      float *values = sycl::malloc_device<float>(n, q);
      q.memcpy(host, values, n * sizeof(float)).wait();
      delete[] host;
      return values;
    }

Good::

    float *upload(sycl::queue &q, size_t n) {
      float *host = new float[n];
      float *values = sycl::malloc_device<float>(n, q);
      q.memcpy(values, host, n * sizeof(float)).wait();
      delete[] host;
      return values;
    }

Silent when the origin of either side is not visible, and when anything may have written the device memory before: a
kernel, a copy, a function that got it as an argument.

Source: SYCL 2020, chapter "Queue class", shortcut functions for USM.
"""

from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.host.records import CopyFlaw, SwappedCopy
from sycllint.host.unit import SourceUnit
from sycllint.rule import Finding, record_rule


@record_rule("SYC1112", Severity.WARNING, on=SourceUnit, seen=SwappedCopy)
def copy_direction_swapped(seen: SwappedCopy) -> Finding:
    """A finding for each copy that cannot be meant so."""
    where = "allocated here"
    match seen.flaw:
        case CopyFlaw.HOST_ONLY:
            subject, verdict = f"the copy from `{seen.source}` to `{seen.destination}`", "stays in host memory"
        case CopyFlaw.UNWRITTEN:
            subject, verdict = f"the copy to `{seen.destination}`", f"reads `{seen.source}`, which nothing has written"
        case CopyFlaw.OVERWRITES:
            subject = f"the copy to `{seen.destination}`"
            verdict = "overwrites what a kernel has written there, and nothing reads either before the memory is freed"
            where = "the kernel is launched here"
    return Finding(
        location=seen.location,
        subject=subject,
        verdict=verdict,
        evidence=Evidence.DERIVED,
        related=(Related(where, seen.beside),) if seen.beside is not None else (),
    )
