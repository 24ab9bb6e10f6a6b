"""A reduction combines its result with device memory that nothing has initialised.

The result of ``sycl::reduction`` is combined with the value that the variable has before the kernel. Memory that was
just allocated holds anything.

Bad::

    float total(sycl::queue &q, const float *values, size_t n) {
      float *sum = sycl::malloc_device<float>(1, q);
      q.parallel_for(sycl::range<1>(n), sycl::reduction(sum, sycl::plus<float>()),
                     [=](sycl::id<1> i, auto &all) { all += values[i]; });
      float result;
      q.memcpy(&result, sum, sizeof(float)).wait();
      sycl::free(sum, q);
      return result;
    }

Good::

    float total(sycl::queue &q, const float *values, size_t n) {
      float *sum = sycl::malloc_device<float>(1, q);
      const sycl::property_list fresh{sycl::property::reduction::initialize_to_identity{}};
      q.parallel_for(sycl::range<1>(n), sycl::reduction(sum, sycl::plus<float>(), fresh),
                     [=](sycl::id<1> i, auto &all) { all += values[i]; });
      float result;
      q.memcpy(&result, sum, sizeof(float)).wait();
      sycl::free(sum, q);
      return result;
    }

Silent when anything may have written the memory before: a kernel, a copy, a filling, a function that got it as an
argument; when the reduction has properties that are not visible; for memory that the host can write.

Source: SYCL 2020, section "Reduction variables" (the property ``initialize_to_identity``).
"""

from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.host.records import UninitialisedReduction
from sycllint.host.unit import SourceUnit
from sycllint.rule import Finding, record_rule


@record_rule("SYC1118", Severity.WARNING, on=SourceUnit, seen=UninitialisedReduction)
def uninitialised_reduction(seen: UninitialisedReduction) -> Finding:
    """A finding for each reduction whose variable holds anything."""
    return Finding(
        location=seen.location,
        subject=f"the reduction over `{seen.name}`",
        verdict="is combined with what that holds before, which nothing has written",
        evidence=Evidence.DERIVED,
        related=(Related("allocated here", seen.allocated),),
        help="Fill the memory first, or give the reduction the property `initialize_to_identity`.",
    )
