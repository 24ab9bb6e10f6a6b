"""A kernel throws, allocates, asks for a type at run time, or calls through a pointer or in a circle.

Device code has no exceptions, no heap, no recursion, no run-time types and no pointers to functions: ``throw``,
``try``, ``new``, ``delete``, ``typeid``, calls through a parameter that is a function pointer, and functions that
reach themselves do not compile for a device, in the kernel or in a function that it calls.

Bad::

    void check(sycl::queue &q, int *values, size_t n) {
      q.parallel_for(n, [=](sycl::id<1> i) {
        if (values[i] < 0) throw 1;
      }).wait();
    }

Good::

    void check(sycl::queue &q, int *values, int *failed, size_t n) {
      q.parallel_for(n, [=](sycl::id<1> i) {
        if (values[i] < 0) failed[0] = 1;
      }).wait();
    }

Silent when the function that is called is not the only one of its name and number of arguments, or is ``constexpr``,
since the compiler may run it; when the code stands in a branch that is known not to be taken, in a branch of a
template, or in one that only some builds have; and for placement ``new``.

Known problems: virtual calls, ``dynamic_cast`` and ``thread_local`` are not seen; nor are compiler options that allow
pointers to functions.

Source: SYCL 2020, chapter "Language restrictions for device functions".
"""

from collections.abc import Iterator

from sycllint.diagnostic import Severity
from sycllint.kernel.restrictions import Forbidden, Restriction
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint_rules.language_wording import entered, standing


@rule("SYC1002", Severity.ERROR, on=KernelLaunch, seen=Forbidden)
def forbidden_construct(launch: KernelLaunch, target: Target) -> Iterator[Finding]:
    """Yield a finding for each construct that device code may not hold."""
    for seen in launch.kernel.seen.of(Forbidden):
        if seen.restriction is Restriction.CONSTRUCT:
            yield Finding(
                location=seen.location,
                subject=seen.what,
                verdict=f"is used {standing(seen)}",
                device_specific=False,
                related=entered(launch, seen),
            )
