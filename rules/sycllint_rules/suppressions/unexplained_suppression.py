"""A suppression without a reason.

A later reader cannot know whether it is still needed. Off by default; a project that wants a reason for each turns it
on with ``extend-select = ["SYC004"]``.

Bad, on tgl::

    void scale(sycl::queue &q, float *data) {
      // sycllint: ignore[SYC101]
      q.parallel_for(sycl::nd_range<1>(64000, 640), [=](sycl::nd_item<1> item) {
        data[item.get_global_id(0)] *= 2.0f;
      });
    }

Good::

    void scale(sycl::queue &q, float *data) {
      // sycllint: ignore[SYC101] the GPU of the lab takes 1024
      q.parallel_for(sycl::nd_range<1>(64000, 640), [=](sycl::nd_item<1> item) {
        data[item.get_global_id(0)] *= 2.0f;
      });
    }

Silent when anything follows the list, ``until=`` aside; on ``enable`` and ``NOLINTEND``.

Source: the comment itself.
"""

from sycllint.diagnostic import Severity
from sycllint.host.unit import SourceUnit
from sycllint.rule import Finding, record_rule
from sycllint.source.faults import UnexplainedSuppression


@record_rule("SYC004", Severity.WARNING, on=SourceUnit, seen=UnexplainedSuppression, enabled=False)
def unexplained_suppression(each: UnexplainedSuppression) -> Finding:
    """A finding for each."""
    return Finding(location=each.location, subject="suppression", verdict="has no reason")
