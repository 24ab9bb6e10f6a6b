"""How often each rule spoke: a table for people, the most frequent first."""

from collections.abc import Iterator, Sequence

from sycllint.diagnostic import Diagnostic, Severity
from sycllint.grouping import grouped
from sycllint.record import NamedTuple
from sycllint.report.terminal.display import aligned
from sycllint.report.terminal.style import INK_OF, Style
from sycllint.source.edit import Applicability


class Count(NamedTuple):
    """One rule's findings."""

    code: str
    name: str
    severity: Severity
    """The gravest of them."""
    findings: int
    files: int
    mendable: int
    """The number of findings with a safe fix."""


def counts(diagnostics: Sequence[Diagnostic]) -> list[Count]:
    """One for each rule, the most findings first, then by code."""
    groups = grouped((each.code, each) for each in diagnostics)
    return sorted(map(_count, groups.values()), key=lambda each: (-each.findings, each.code))


def table(diagnostics: Sequence[Diagnostic], style: Style) -> str:
    """``205  SYC607  warning  fp64-literal-promotes  in 40 files, --fix updates 200``, a line for each rule."""
    found = counts(diagnostics)
    digits = len(str(max((each.findings for each in found), default=0)))
    rows = aligned([_row(each, digits) for each in found]) if found else []
    return "".join(f"{_inked(row, each, style)}\n" for row, each in zip(rows, found, strict=True))


def _count(group: Sequence[Diagnostic]) -> Count:
    first = group[0]
    return Count(
        first.code,
        first.name,
        max(each.severity for each in group),
        len(group),
        len({each.location.path for each in group}),
        sum(each.fix is not None and each.fix.applicability is Applicability.SAFE for each in group),
    )


def _row(count: Count, digits: int) -> tuple[str, ...]:
    return f"{count.findings:>{digits}}", count.code, count.severity.label, count.name, ", ".join(_more(count))


def _more(count: Count) -> Iterator[str]:
    yield f"in {count.files} file{'s' * (count.files != 1)}"
    if count.mendable:
        yield f"--fix updates {'all' if count.mendable == count.findings else count.mendable}"


def _inked(row: str, count: Count, style: Style) -> str:
    head, code, rest = row.partition(count.code)
    return f"{head}{style.ink(code, INK_OF[count.severity])}{rest}"
