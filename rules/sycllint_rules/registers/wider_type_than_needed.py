"""A private array has elements of 64 bits, and none of them exceeds what 32 bits hold.

Registers are counted in bytes: halves of them make room for a wider sub-group, or for something else.

Bad::

    void count(sycl::queue &q, const unsigned char *in, unsigned *out) {
      q.parallel_for(sycl::range<1>(8192), [=](sycl::id<1> i) {
        unsigned long histogram[32] = {0};
        for (int k = 0; k < 1024; ++k) {
          ++histogram[in[8192 * k + i] & 31];
        }
        for (int k = 0; k < 32; ++k) {
          out[8192 * k + i] = histogram[k];
        }
      });
    }

Good::

    void count(sycl::queue &q, const unsigned char *in, unsigned *out) {
      q.parallel_for(sycl::range<1>(8192), [=](sycl::id<1> i) {
        unsigned histogram[32] = {0};
        for (int k = 0; k < 1024; ++k) {
          ++histogram[in[8192 * k + i] & 31];
        }
        for (int k = 0; k < 32; ++k) {
          out[8192 * k + i] = histogram[k];
        }
      });
    }

Silent when an element is set to anything but a known number, or raised by one that is not known, or in a loop with an
unknown number of trips; when the array is passed on; for single variables, which compilers narrow themselves. Off
unless selected.

Source: Intel oneAPI GPU Optimization Guide, "Registerization and Avoiding Register Spills", section "Choosing Smaller
Data Types" (sample registers/histogram32-long).
"""

from sycllint.device_code.checks.private_arrays import WideArray
from sycllint.diagnostic import Evidence, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, record_rule
from sycllint_rules.wording import number


@record_rule("SYC606", Severity.NOTE, on=KernelLaunch, seen=WideArray, enabled=False)
def wider_type_than_needed(each: WideArray) -> Finding:
    """A finding for each array."""
    return Finding(
        location=each.location,
        subject=f"`{each.name}`, {number(each.bytes)} B of `{each.element}`,",
        verdict=f"never exceeds {number(each.most)}: 32-bit elements need {number(each.bytes // 2)} B",
        evidence=Evidence.DERIVED,
    )
