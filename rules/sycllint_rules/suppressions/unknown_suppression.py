"""A suppression with an unknown rule, or with a mistake in its form.

It silences nothing: a code or name is misspelt, the list is not closed, ``until=`` has no date, or a range is ended
that was not begun.

Bad, on tgl::

    void scale(sycl::queue &q, float *data) {
      // sycllint: ignore[work-group-exceed-max] the GPU of the lab takes 1024
      q.parallel_for(sycl::nd_range<1>(64000, 640), [=](sycl::nd_item<1> item) {
        data[item.get_global_id(0)] *= 2.0f;
      });
    }

Good::

    void scale(sycl::queue &q, float *data) {
      // sycllint: ignore[work-group-exceeds-max] the GPU of the lab takes 1024
      q.parallel_for(sycl::nd_range<1>(64000, 640), [=](sycl::nd_item<1> item) {
        data[item.get_global_id(0)] *= 2.0f;
      });
    }

``--fix`` removes a word that resembles no rule; ``--unsafe-fixes`` writes the rule with the nearest spelling, which is
a guess.

Silent when what follows ``sycllint:`` in a comment is prose; on lists of ``NOLINT`` for other tools.

Source: the rules that are installed; the forms are those of docs/suppressions.md.
"""

from sycllint.diagnostic import Severity
from sycllint.host.unit import SourceUnit
from sycllint.rule import Finding, record_rule
from sycllint.source.faults import UnknownSuppression


@record_rule("SYC002", Severity.WARNING, on=SourceUnit, seen=UnknownSuppression)
def unknown_suppression(each: UnknownSuppression) -> Finding:
    """A finding for each word without a rule, and for each comment that is nearly a suppression."""
    return Finding(
        location=each.location,
        subject=each.sentence or f"unknown rule `{each.word}`",
        verdict="" if each.sentence else "in suppression",
        help=f"Did you mean `{each.close}`?" if each.close else "",
        fix=each.fix,
    )
