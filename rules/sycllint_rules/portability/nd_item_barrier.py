"""A barrier as a member of ``nd_item`` or ``sub_group``.

SYCL 2020 has one barrier for every kind of group, the function ``group_barrier``. The member of ``nd_item`` is not in
it any more, compilers warn of it, and the next release may not have it.

Bad::

    void shift(sycl::queue &q, float *data) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> tile(sycl::range<1>(256), h);
        h.parallel_for(sycl::nd_range<1>(4096, 256), [=](sycl::nd_item<1> item) {
          const size_t lane = item.get_local_id(0);
          tile[lane] = data[item.get_global_id(0)];
          item.barrier();
          data[item.get_global_id(0)] = tile[lane ^ 1];
        });
      });
    }

Good::

    void shift(sycl::queue &q, float *data) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> tile(sycl::range<1>(256), h);
        h.parallel_for(sycl::nd_range<1>(4096, 256), [=](sycl::nd_item<1> item) {
          const size_t lane = item.get_local_id(0);
          tile[lane] = data[item.get_global_id(0)];
          sycl::group_barrier(item.get_group());
          data[item.get_global_id(0)] = tile[lane ^ 1];
        });
      });
    }

``--fix`` rewrites it, unless there is a comment among the arguments. ``group_barrier`` orders local and global memory:
``barrier(local_space)``, which orders local memory only, may be cheaper, and is a note without a fix.

Silent when the object is not plainly an ``nd_item`` or a ``sub_group``; under a preprocessor condition that asks
which SYCL there is, or that holds for compilers of CUDA or HIP only; in folders of backends in these languages; in
the sources of SYCL implementations and in generated code; in test trees.

Source: SYCL 2020, chapter "What has changed from previous versions" (nd_item::barrier is gone) and section "Group
functions and algorithms library", group_barrier.
"""

from sycllint.diagnostic import Severity
from sycllint.host.unit import SourceUnit
from sycllint.rule import Finding, record_rule
from sycllint.spelling.record import Old, Outdated
from sycllint_rules.spelling import outdated


@record_rule("SYC901", Severity.NOTE, on=SourceUnit, seen=Outdated, muted_in_tests=True)
def nd_item_barrier(use: Outdated) -> Finding | None:
    """A finding for each call."""
    return outdated(use, "is {} in SYCL 2020") if use.kind is Old.BARRIER else None
