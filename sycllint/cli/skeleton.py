"""The two files that a rule costs, with an example in them that works and says that it is one."""

from string import Template

EXAMPLE = 224
"""Work-items per group that the example finds: one that fits every device, so that no other rule reports it."""

_RULE = Template('''"""A work-group of $example work-items.

This is the example that ``sycllint new-rule`` writes, page and check. Write yours in their place: the first line says
what is found, this paragraph why it matters, with the numbers. The rule is off until ``enabled=False`` goes.

Bad::

    void fill(sycl::queue &q, float *out) {
      q.parallel_for(sycl::nd_range<1>(917504, $example), [=](sycl::nd_item<1> item) {
        out[item.get_global_id(0)] = 1.0f;
      });
    }

Good::

    void fill(sycl::queue &q, float *out) {
      q.parallel_for(sycl::nd_range<1>(1048576, 256), [=](sycl::nd_item<1> item) {
        out[item.get_global_id(0)] = 1.0f;
      });
    }

Silent when the size is unknown or the runtime chooses it.

Source: none. A number that a rule rests on names its document and section here.
"""

from collections.abc import Iterator

from sycllint.diagnostic import Related, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint.values.value import known, steps


@rule("$code", Severity.NOTE, on=KernelLaunch, enabled=False)
def $function(launch: KernelLaunch, target: Target) -> Iterator[Finding]:
    """Yield a finding for a launch whose work-group has $example work-items."""
    size = launch.work_group_size
    if launch.local_range is None or size is None or known(size) != $example:
        return
    yield Finding(
        location=launch.local_range.location,
        subject="work-group",
        verdict="has $example work-items",
        device_specific=False,
        related=tuple(Related(step.message, step.location) for step in steps(size)),
    )
''')

_FIXTURE = Template("""\
// target: tgl
#include <sycl/sycl.hpp>

void example(sycl::queue &q, float *out) {
  // expect: $code "has $example work-items"
  q.parallel_for(sycl::nd_range<1>(917504, $example), [=](sycl::nd_item<1> item) {
    out[item.get_global_id(0)] = 1.0f;
  });
}

void another_size_is_silent(sycl::queue &q, float *out) {
  q.parallel_for(sycl::nd_range<1>(1048576, 256), [=](sycl::nd_item<1> item) {
    out[item.get_global_id(0)] = 1.0f;
  });
}

void an_unknown_size_is_silent(sycl::queue &q, float *out, size_t size) {
  q.parallel_for(sycl::nd_range<1>(4096 * size, size), [=](sycl::nd_item<1> item) {
    out[item.get_global_id(0)] = 1.0f;
  });
}
""")


def rule_module(code: str, name: str) -> str:
    """The rule: page and check."""
    return _RULE.substitute(code=code, function=name.replace("-", "_"), example=EXAMPLE)


def fixture(code: str) -> str:
    """C++ with what the rule says of it in comments."""
    return _FIXTURE.substitute(code=code, example=EXAMPLE)
