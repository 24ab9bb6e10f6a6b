"""A copy is given a number of elements where it asks for bytes, or bytes where it asks for elements.

``memcpy`` and ``memset`` count bytes. Given the number of elements of memory whose elements have more than one byte,
they copy or set only the first part of it, and the rest keeps what was there. ``queue::copy``, ``queue::fill`` and the
typed ``malloc_device<T>`` count elements: given bytes, a copy goes past the end of the memory, and an allocation takes
several times as much memory as is used.

Bad::

    float *upload(sycl::queue &q, const std::vector<float> &values) {
      float *found = sycl::malloc_device<float>(values.size(), q);
      q.memcpy(found, values.data(), values.size()).wait();
      return found;
    }

Good::

    float *upload(sycl::queue &q, const std::vector<float> &values) {
      float *found = sycl::malloc_device<float>(values.size(), q);
      q.memcpy(found, values.data(), values.size() * sizeof(float)).wait();
      return found;
    }

An error where memory is allocated in the same program that the copy surely goes past the end of; a warning where only
a part is copied, which is a bug only if the rest is wanted; a note where too much is allocated.

Silent when the size of an element is not known or one byte, where the memory of either side is looked at as bytes,
where a ``sizeof`` is behind the size, under whatever name, where the size is another than the number of elements, and
where the memory or its size is not visible.

Source: SYCL 2020, chapters "Explicit memory operations" and "Unified shared memory", allocation functions.
"""

from collections.abc import Iterator

from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.host.records import MiscountedAllocation, MiscountedCopy
from sycllint.host.unit import SourceUnit
from sycllint.rule import Finding, rule
from sycllint.target import Target


@rule("SYC1114", Severity.ERROR, on=SourceUnit, seen=(MiscountedAllocation, MiscountedCopy))
def element_count_for_bytes(unit: SourceUnit, target: Target) -> Iterator[Finding]:
    """Yield a finding for each size in the wrong unit."""
    for copy in unit.seen.of(MiscountedCopy):
        past_end, times = copy.past_end, copy.size
        yield Finding(
            location=copy.location,
            subject=f"`{copy.what}` with size `{copy.written}`",
            verdict=f"goes past the end of `{copy.name}`: the size is {times} times that of the memory"
            if past_end
            else f"uses only 1/{times} of `{copy.name}`: the size is in bytes, and each of the elements has {times}",
            evidence=Evidence.PROVED if past_end else Evidence.DERIVED,
            severity=None if past_end else Severity.WARNING,
            device_specific=False,
            related=(Related(f"`{copy.name}` has elements of type `{copy.element}`", copy.declared),),
        )
    for made in unit.seen.of(MiscountedAllocation):
        yield Finding(
            location=made.location,
            subject=f"`{made.allocator}<{made.element}>`",
            verdict=f"allocates {made.size} times the memory: it counts elements, and `{made.written}` is in bytes",
            evidence=Evidence.DERIVED,
            severity=Severity.NOTE,
            device_specific=False,
        )
