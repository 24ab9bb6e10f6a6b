"""A kernel uses a global or static variable that is not constant.

Such a variable is in host memory. Device code may use variables of static storage duration only when they are ``const``
or ``constexpr`` and initialised with constants, or ``device_global``. A ``static const`` that is computed from a
parameter is no constant either.

Bad::

    int factor = 3;

    void scale(sycl::queue &q, int *values, size_t n) {
      q.parallel_for(n, [=](sycl::id<1> i) { values[i] *= factor; }).wait();
    }

Good::

    int factor = 3;

    void scale(sycl::queue &q, int *values, size_t n) {
      q.parallel_for(n, [=, factor = factor](sycl::id<1> i) { values[i] *= factor; }).wait();
    }

Silent when a local variable, a parameter or a member has the name, when it is a macro or has several declarations, and
for variables of classes, ``device_global`` among them.

Source: SYCL 2020, chapter "Language restrictions for device functions".
"""

from collections.abc import Iterator

from sycllint.device_code.checks.restrictions import Forbidden, Restriction
from sycllint.diagnostic import Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint_rules.language_wording import forbidden


@rule("SYC1004", Severity.ERROR, on=KernelLaunch, seen=Forbidden)
def mutable_static_in_kernel(launch: KernelLaunch, target: Target) -> Iterator[Finding]:
    """Yield a finding for each variable of static storage duration that a kernel uses and that is not constant."""
    yield from forbidden(launch, Restriction.MUTABLE, "is not a constant, and is used {}")
