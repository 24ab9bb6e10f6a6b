"""Results written by hand: sources with their finding marked in place, for the tests of every format."""

from collections.abc import Callable, Sequence

from sycllint.diagnostic import Diagnostic, Evidence, Related, Severity
from sycllint.heads import AnyRule
from sycllint.launch.kernel import KernelLaunch
from sycllint.pipeline import Result
from sycllint.rule import Rule
from sycllint.source.span import Location, Span
from sycllint.source.text import SourceFile

SWEEP = """\
#include <sycl/sycl.hpp>

constexpr int R = 5;

void sweep(sycl::queue &q, float *data) {
  q.parallel_for(sycl::nd_range<3>({64, 60, 128}, {1, R, 128}), [=](sycl::nd_item<3> it) {
    data[it.get_global_linear_id()] += 1.0f;
  });
}
"""

Sources = Callable[[str], SourceFile]


def files(**contents: str | bytes) -> Sources:
    """Sources by path; ``a_cpp`` is ``a.cpp``."""
    by_path = {
        name.replace("_", "."): text.encode() if isinstance(text, str) else text for name, text in contents.items()
    }
    return lambda path: SourceFile(path, by_path[path])


def at(path: str, content: str | bytes, text: str | bytes, nth: int = 0) -> Location:
    """The place of the ``nth`` occurrence of ``text``."""
    content = content.encode() if isinstance(content, str) else content
    text = text.encode() if isinstance(text, str) else text
    start = -1
    for _ in range(nth + 1):
        start = content.index(text, start + 1)
    return Location(path, Span(start, start + len(text)))


def finding(
    location: Location,
    message: str = "work-group 1x5x128 = 640 exceeds max 512 on tgl",
    *,
    code: str = "SYC101",
    name: str = "work-group-exceeds-max",
    severity: Severity = Severity.ERROR,
    related: tuple[Related, ...] = (),
    help: str = "",  # noqa: A002
) -> Diagnostic:
    return Diagnostic(code, name, severity, Evidence.PROVED, message, location, ("tgl",), related, help)


def exceeds() -> Diagnostic:
    """The finding in ``SWEEP``."""
    return finding(
        at("a.cpp", SWEEP, "{1, R, 128}"),
        related=(Related("R is 5 here", at("a.cpp", SWEEP, "R = 5")),),
        help="The largest R that fits is 4.",
    )


def result(
    *diagnostics: Diagnostic,
    notices: Sequence[str] = (),
    complete: bool = True,
    rules: tuple[AnyRule, ...] = (),
    targets_assumed: bool = False,
    skipped: int = 0,
    with_parse_errors: int = 0,
    interrupted: bool = False,
) -> Result:
    return Result(
        diagnostics=diagnostics,
        targets=("tgl",),
        targets_assumed=targets_assumed,
        checked=1,
        skipped=skipped,
        with_parse_errors=with_parse_errors,
        notices=tuple(notices),
        complete=complete,
        rules=lambda: rules,
        interrupted=interrupted,
    )


def rule_in(module: str, code: str, name: str, severity: Severity) -> AnyRule:
    """A rule whose page is the docstring of ``module``."""
    return Rule(
        code=code,
        name=name,
        severity=severity,
        fact=KernelLaunch,
        check=lambda launch, target: (),
        enabled=True,
        muted_in_tests=False,
        module=module,
    )
