"""A volatile object of a work-item cannot live in a register.

Every read and write of it becomes one of memory, in the order in which it is written. No other work-item can see a
private object, so there is nothing to gain.

Bad::

    void count(sycl::queue &q, const unsigned *in, unsigned *out) {
      q.parallel_for(sycl::range<1>(8192), [=](sycl::id<1> i) {
        volatile unsigned total = 0;
        for (int k = 0; k < 16; ++k) {
          total = total + in[8192 * k + i];
        }
        out[i] = total;
      });
    }

Good::

    void count(sycl::queue &q, const unsigned *in, unsigned *out) {
      q.parallel_for(sycl::range<1>(8192), [=](sycl::id<1> i) {
        unsigned total = 0;
        for (int k = 0; k < 16; ++k) {
          total = total + in[8192 * k + i];
        }
        out[i] = total;
      });
    }

The fix removes ``volatile`` if the declaration declares only this object.

Silent when it is a pointer to volatile memory, which others may see, or is called ``sink`` or ``dummy``, which keeps a
compiler from removing what a benchmark measures.

Source: Intel oneAPI GPU Optimization Guide, "Registerization and Avoiding Register Spills", section "Optimization
Techniques": private variables are not to be declared volatile (histogram32-int-volatile).
"""

from sycllint.device_code.checks.registers import VolatilePrivate
from sycllint.diagnostic import Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, record_rule
from sycllint.source.edit import Edit, Fix

_SINKS = ("sink", "dummy")


@record_rule("SYC603", Severity.WARNING, on=KernelLaunch, seen=VolatilePrivate)
def volatile_private(each: VolatilePrivate) -> Finding | None:
    """A finding for each object."""
    if not any(word in each.name.lower() for word in _SINKS):
        return Finding(
            location=each.location,
            subject=f"private {'array' if each.is_array else 'variable'} `{each.name}`",
            verdict="is volatile: every access to it goes to memory",
            fix=Fix("remove volatile", (Edit(each.keyword, ""),)) if each.keyword is not None else None,
        )
    return None
