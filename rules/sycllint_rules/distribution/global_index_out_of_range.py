"""A work-item accesses an element of an array in global memory that does not exist.

The last work-item's neighbour, the first one's predecessor, a stride too many: ``a[id + 1]`` is an element for all
work-items but one. What is stored after the array is read instead, and what is written there is lost or destroys
something else; devices stop a kernel for it only where the page is not theirs.

Bad::

    void difference(sycl::queue &q) {
      float *a = sycl::malloc_device<float>(1024, q);
      float *d = sycl::malloc_device<float>(1024, q);
      q.parallel_for(sycl::range<1>(1024), [=](sycl::id<1> i) { d[i] = a[i + 1] - a[i]; });
    }

Good::

    void difference(sycl::queue &q) {
      float *a = sycl::malloc_device<float>(1024, q);
      float *d = sycl::malloc_device<float>(1024, q);
      q.parallel_for(sycl::range<1>(1023), [=](sycl::id<1> i) { d[i] = a[i + 1] - a[i]; });
    }

Tried are the work-items at the ends of the range, of its first and its last work-group, and at the numbers that
conditions around the access compare with. A warning where elements and work-items come from numbers that are not known:
then several examples of these are tried, and in each some index is out of range. That is asked where nothing in the
kernel checks an id, and where ``id <= n`` may let one too many through.

The allocation is found wherever a pointer, an accessor or a member of an object has it from: a constructor, a function
that returns it, a caller.

Silent when the number of elements, of work-items, or any number in the index, in a condition around the access or in
the bound of a loop around it is unknown; when the access depends on data, or a loop around it has another exit than its
condition; below zero, when a condition asks for what the index is made of; for a pointer that may lead elsewhere than
to the beginning of one allocation, and arrays of several dimensions. A plain id that nothing checks is SYC802's, and an
index that goes by the work-group SYC807's.

Source: SYCL 2020, "Data access": an index outside of an accessor's range is undefined behaviour; C++ says the same of
an allocation.
"""

from sycllint.device_code.checks.past_ends import PastEnd
from sycllint.diagnostic import Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint_rules.past_ends import finding, past_ends


@rule("SYC808", Severity.ERROR, on=KernelLaunch, seen=PastEnd)
def global_index_out_of_range(launch: KernelLaunch, target: Target) -> Finding | None:
    """One finding for each launch."""
    found = [each for each in past_ends(launch) if each.group is None]
    if not found:
        return None
    item = ", ".join(map(str, found[0].item))
    where = f"for global id {item if len(found[0].item) == 1 else f'({item})'}"
    return finding(launch, found, where, "Guard the access, launch fewer work-items or allocate more elements.")
