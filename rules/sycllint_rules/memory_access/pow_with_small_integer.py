"""A power with the exponent 2, 3, 0.5 or -1 is a product, a square root or a quotient.

``pow`` supports any exponent, so it computes a logarithm, a product and an exponential. With ``2.0`` it does so in
double precision.

Bad::

    void squared(sycl::queue &q, float *y, const float *x) {
      q.parallel_for(sycl::range<1>(1 << 20), [=](sycl::id<1> i) {
        const float d = x[i];
        y[i] = sycl::pow(d, 2.0f);
      });
    }

Good::

    void squared(sycl::queue &q, float *y, const float *x) {
      q.parallel_for(sycl::range<1>(1 << 20), [=](sycl::id<1> i) {
        const float d = x[i];
        y[i] = d * d;
      });
    }

An exponent that is a division of integers loses its fraction: ``-3 / 2`` is -1 and ``1 / 2`` is 0. The finding then
says so, and has no fix.

Silent when the exponent is not a constant; for powers of vectors, and functions of the project with that name; in a
``single_task`` outside loops, where it runs once.

Source: SYCL 2020, "Math functions": pow is defined for every exponent; C++ standard, [cmath.syn]: ``std::pow`` of a
float and an integer is a double.
"""

from collections.abc import Iterator

from sycllint.device_code.checks.mathematics import SmallPower
from sycllint.diagnostic import Severity
from sycllint.launch.kernel import KernelLaunch, LaunchKind
from sycllint.rule import Finding, rule
from sycllint.source.edit import Applicability, Edit, Fix
from sycllint.target import Target


@rule("SYC708", Severity.NOTE, on=KernelLaunch, seen=SmallPower)
def pow_with_small_integer(launch: KernelLaunch, target: Target) -> Iterator[Finding]:
    """One finding for each call."""
    for each in launch.kernel.seen.of(SmallPower):
        if launch.kind is LaunchKind.SINGLE_TASK and not each.repeats and not each.cut_off:
            continue
        yield Finding(
            location=each.location,
            subject=f"`{each.text}`",
            verdict=f"can be `{each.instead}`" + (f": {each.cut_off}, an integer division" if each.cut_off else ""),
            device_specific=False,
            fix=_fix(each),
        )


def _fix(each: SmallPower) -> Fix | None:
    if not each.plain or each.cut_off:
        return None
    applicability = Applicability.SAFE if each.is_same_type else Applicability.UNSAFE
    text = each.instead if each.instead.endswith(")") else f"({each.instead})"
    return Fix(f"write {each.instead}", (Edit(each.location, text),), applicability)
