"""A suppression whose last day has passed.

``until=2027-03-31`` is the last day of the suppression. After it the finding is reported again, and ``--fix`` removes
the comment.

Bad, on tgl::

    void scale(sycl::queue &q, float *data) {
      // sycllint: ignore[SYC101] until=2020-12-31 the new GPU arrives in winter
      q.parallel_for(sycl::nd_range<1>(64000, 640), [=](sycl::nd_item<1> item) {
        data[item.get_global_id(0)] *= 2.0f;
      });
    }

Good::

    void scale(sycl::queue &q, float *data) {
      q.parallel_for(sycl::nd_range<1>(64000, 320), [=](sycl::nd_item<1> item) {
        data[item.get_global_id(0)] *= 2.0f;
      });
    }

Silent when the day is today or to come.

Source: the comment itself, and the clock of the machine that runs the check.
"""

from sycllint.diagnostic import Severity
from sycllint.host.unit import SourceUnit
from sycllint.rule import Finding, record_rule
from sycllint.source.faults import ExpiredSuppression


@record_rule("SYC003", Severity.WARNING, on=SourceUnit, seen=ExpiredSuppression)
def expired_suppression(each: ExpiredSuppression) -> Finding:
    """A finding for each."""
    return Finding(
        location=each.location,
        subject="suppression",
        verdict=f"expired after {each.until.isoformat()}",
        fix=each.fix,
    )
