"""A kernel uses a part of the C or C++ library that only the host has.

``std::cout``, files, ``malloc``, ``rand``, ``exit`` and containers that allocate need an operating system; they have no
device code. Use ``sycl::stream`` to print, and the random number generators of oneDPL.

Bad::

    void noise(sycl::queue &q, int *values, size_t n) {
      q.parallel_for(n, [=](sycl::id<1> i) { values[i] = rand(); }).wait();
    }

Good::

    void noise(sycl::queue &q, int *values, const int *random, size_t n) {
      q.parallel_for(n, [=](sycl::id<1> i) { values[i] = random[i]; }).wait();
    }

Silent when the project has a function or a macro of that name, when it is a method, for ``printf``, which several
compilers accept, and in branches that are not taken or that only some builds have.

Source: SYCL 2020, chapter "Language restrictions for device functions"; Intel oneAPI GPU Optimization Guide, "Using
Libraries for GPU Offload", sample libraries-stdlib, and "Doing I/O in the Kernel", sample io-kernel.
"""

from collections.abc import Iterator

from sycllint.device_code.checks.restrictions import Forbidden, Restriction
from sycllint.diagnostic import Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint_rules.language_wording import forbidden


@rule("SYC1005", Severity.ERROR, on=KernelLaunch, seen=Forbidden)
def host_function_in_kernel(launch: KernelLaunch, target: Target) -> Iterator[Finding]:
    """Yield a finding for each use of what only the host has."""
    yield from forbidden(launch, Restriction.HOST, "is not available {}")
