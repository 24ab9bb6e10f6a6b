"""Memory is used after ``sycl::free`` was given it, or is freed twice.

The memory may belong to another allocation by then: a kernel, a copy or the host reads and writes what is not theirs,
and a second ``sycl::free`` corrupts the heap.

Bad::

    float total(sycl::queue &q, const float *values, size_t n) {
      float *sum = sycl::malloc_shared<float>(1, q);
      *sum = 0;
      q.parallel_for(n, sycl::reduction(sum, sycl::plus<>()), [=](sycl::id<1> i, auto &s) { s += values[i]; }).wait();
      sycl::free(sum, q);
      return *sum;
    }

Good::

    float total(sycl::queue &q, const float *values, size_t n) {
      float *sum = sycl::malloc_shared<float>(1, q);
      *sum = 0;
      q.parallel_for(n, sycl::reduction(sum, sycl::plus<>()), [=](sycl::id<1> i, auto &s) { s += values[i]; }).wait();
      const float found = *sum;
      sycl::free(sum, q);
      return found;
    }

Silent when the memory is freed on some paths only, in a loop or in a destructor, or when an exception may have left out
the ``sycl::free``; when the pointer is assigned again, or a function that is not visible is given it; and for a second
``sycl::free`` when the allocation is not visible, as the pointer may be null.

Source: SYCL 2020, chapter "Unified shared memory", memory deallocation functions.
"""

from sycllint.diagnostic import Related, Severity
from sycllint.host.records import Use, UsedAfterFree
from sycllint.host.unit import SourceUnit
from sycllint.rule import Finding, record_rule


@record_rule("SYC1116", Severity.ERROR, on=SourceUnit, seen=UsedAfterFree)
def usm_used_after_free(seen: UsedAfterFree) -> Finding:
    """A finding for each use of memory that is gone."""
    by = f" by `{seen.by}`" if seen.by else ""
    verdict = "is freed twice" if seen.use is Use.FREED else f"is {seen.use.value}{by} after it was freed"
    return Finding(
        location=seen.location,
        subject=f"`{seen.name}`",
        verdict=verdict,
        related=(Related(f"`{seen.name}` is freed here", seen.freed),),
    )
