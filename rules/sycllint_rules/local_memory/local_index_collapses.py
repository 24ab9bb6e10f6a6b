"""Many work-items of a group write one element of local memory, because the index leaves out a dimension.

An index made of ``get_local_id(0)`` in a group of 1x2x128 is 0 for all 256 work-items. They write the same element in
no order, and it then has the value of any of them.

Bad::

    void gather(sycl::queue &q, const float *a, float *b) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> mine(256, h);
        h.parallel_for(sycl::nd_range<3>({256, 64, 128}, {1, 2, 128}), [=](sycl::nd_item<3> it) {
          mine[it.get_local_id(0)] = a[it.get_global_linear_id()];
          sycl::group_barrier(it.get_group());
          b[it.get_global_linear_id()] = mine[0];
        });
      });
    }

Good::

    void gather(sycl::queue &q, const float *a, float *b) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> mine(256, h);
        h.parallel_for(sycl::nd_range<3>({256, 64, 128}, {1, 2, 128}), [=](sycl::nd_item<3> it) {
          mine[it.get_local_linear_id()] = a[it.get_global_linear_id()];
          sycl::group_barrier(it.get_group());
          b[it.get_global_linear_id()] = mine[0];
        });
      });
    }

Silent when the local range is unknown, when a condition on the id that is left out picks the writer, when the value is
not known to differ between the writers, for atomics, and where an index or a condition depends on data.

Source: SYCL 2020, section "Memory model": writes to one location by several work-items are a data race unless they
are atomic.
"""

from sycllint.device_code.checks.local_use import Collapse
from sycllint.diagnostic import Related, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, record_rule
from sycllint_rules.wording import number


@record_rule("SYC404", Severity.WARNING, on=KernelLaunch, seen=Collapse)
def local_index_collapses(each: Collapse) -> Finding:
    """A finding for each write that several work-items make to one element."""
    shape = "x".join(map(str, each.extents))
    single = next((dimension for dimension in each.used if each.extents[dimension] == 1), None)
    if single is not None and all(each.extents[dimension] == 1 for dimension in each.used):
        why = f"dimension {single} of work-group {shape} has extent 1"
    else:
        why = f"the index does not use dimension {each.dimension} of work-group {shape}"
    return Finding(
        location=each.location,
        subject=f"`{each.text}`",
        verdict=f"is one element that {number(each.writers)} work-items write: {why}",
        related=(Related(f"`{each.memory}` is declared here", each.declared),),
        help="`get_local_linear_id()` is unique to each work-item.",
    )
