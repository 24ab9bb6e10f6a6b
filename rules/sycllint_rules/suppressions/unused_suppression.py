"""A suppression that silences nothing.

The code was fixed, or the comment is on the wrong line. It would hide the next finding of its rule. Each entry of a
list is reported by itself; ``--fix`` removes it, and the comment with the last word.

Bad::

    void scale(sycl::queue &q, float *data) {
      // sycllint: ignore[SYC101] the GPU of the lab takes 1024
      q.parallel_for(sycl::nd_range<1>(65536, 256), [=](sycl::nd_item<1> item) {
        data[item.get_global_id(0)] *= 2.0f;
      });
    }

Good::

    void scale(sycl::queue &q, float *data) {
      q.parallel_for(sycl::nd_range<1>(65536, 256), [=](sycl::nd_item<1> item) {
        data[item.get_global_id(0)] *= 2.0f;
      });
    }

Silent when one of the rules it names did not run on the file (``--select``, ``ignore``, the mute of test trees); when
``--target`` leaves out configured devices; when a part of the file does not parse; in a header, when a file that
includes it is not linted in the same run. Only ``ignore-file[SYC001]`` and other words that name this rule silence it.

Source: the findings of the same run; that dead suppressions pile up elsewhere: llvm/llvm-project issue 69674
(clang-tidy), koalaman/shellcheck issue 645.
"""

from sycllint.diagnostic import Severity
from sycllint.host.unit import SourceUnit
from sycllint.rule import Finding, record_rule
from sycllint.source.faults import UnusedSuppression


@record_rule("SYC001", Severity.WARNING, on=SourceUnit, seen=UnusedSuppression)
def unused_suppression(each: UnusedSuppression) -> Finding:
    """A finding for each suppression, or for what of it is unused."""
    return Finding(
        location=each.location,
        subject=f"suppression of {', '.join(each.words)}" if each.words else "suppression",
        verdict="matches no finding",
        fix=each.fix,
    )
