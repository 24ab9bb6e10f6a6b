"""A kernel uses exceptions, allocation, run-time types, virtual calls, function pointers or recursion.

Device code has no exceptions, no heap, no recursion, no run-time types, no threads, and knows at compile time what it
calls: ``throw``, ``try``, ``new``, ``delete``, ``typeid``, ``dynamic_cast``, ``thread_local``, calls of a virtual
function through a pointer or a reference, calls through a parameter that is a function pointer or through a
``std::function``, calls of a function with C's variable arguments, and recursive functions are not allowed, in the
kernel or in a function that it calls.

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
since the compiler may evaluate it; when the code is in a branch that is known not to be taken, in a branch of a
template or of an ``if constexpr``, or in one that only some builds have; in unevaluated operands (of ``sizeof``,
``noexcept``, ``decltype``); for placement ``new``; for a virtual function of an object that is no pointer or reference,
of a class template, or where the class that declares it ``virtual`` is not visible; and where the properties of
``sycl_ext_oneapi_virtual_functions`` are named.

Known problems: member functions are entered only where the class of their object is evident, and compiler options that
allow pointers to functions or virtual functions are not seen.

Source: SYCL 2020, chapter "Language restrictions for device functions".
"""

from collections.abc import Iterator

from sycllint.device_code.checks.restrictions import Forbidden, Restriction
from sycllint.diagnostic import Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint_rules.language_wording import forbidden


@rule("SYC1002", Severity.ERROR, on=KernelLaunch, seen=Forbidden)
def forbidden_construct(launch: KernelLaunch, target: Target) -> Iterator[Finding]:
    """Yield a finding for each construct that device code may not hold."""
    yield from forbidden(launch, Restriction.CONSTRUCT, "is not allowed {}")
