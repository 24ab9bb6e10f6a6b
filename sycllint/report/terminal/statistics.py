"""How often each rule spoke, and where the time of a run went: tables for people."""

from collections.abc import Iterator, Sequence

from sycllint.diagnostic import Diagnostic, Severity
from sycllint.grouping import grouped
from sycllint.record import NamedTuple
from sycllint.report.terminal.display import aligned, printable
from sycllint.report.terminal.style import INK_OF, Style
from sycllint.source.edit import Applicability
from sycllint.stopwatch import Stopwatch


class Count(NamedTuple):
    """One rule's findings."""

    code: str
    name: str
    severity: Severity
    """The gravest of them."""
    findings: int
    files: int
    fixable: int
    """The number of findings with a safe fix."""


def counts(diagnostics: Sequence[Diagnostic]) -> list[Count]:
    """One for each rule, the most findings first, then by code."""
    groups = grouped((each.code, each) for each in diagnostics)
    return sorted(map(_count, groups.values()), key=lambda each: (-each.findings, each.code))


def table(diagnostics: Sequence[Diagnostic], style: Style) -> str:
    """``205  SYC607  warning  fp64-literal-promotes  in 40 files, --fix updates 200``, a line for each rule."""
    found = counts(diagnostics)
    digits = len(str(max((each.findings for each in found), default=0)))
    cells = [
        (f"{each.findings:>{digits}}", each.code, each.severity.label, each.name, ", ".join(_more(each)))
        for each in found
    ]
    rows = aligned(cells) if found else []
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


def _more(count: Count) -> Iterator[str]:
    yield f"in {count.files} file{'s' * (count.files != 1)}"
    if count.fixable:
        yield f"--fix updates {'all' if count.fixable == count.findings else count.fixable}"


def _inked(row: str, count: Count, style: Style) -> str:
    head, code, rest = row.partition(count.code)
    return f"{head}{style.ink(code, INK_OF[count.severity])}{rest}"


SLOWEST = 10
"""Files that are named."""


def table_of_times(timings: Stopwatch) -> str:
    """The phases, the dearest first and adding up to the whole, then the files that took longest, in wall time."""
    rest = timings.whole - sum(timings.phases.values())
    phases = sorted([*timings.phases.items(), ("everything else", max(rest, 0.0))], key=lambda each: -each[1])
    files = sorted(timings.files.items(), key=lambda each: (-each[1], each[0]))[:SLOWEST]
    whole = timings.whole or 1.0
    lines = [f"{timings.whole:.2f} s in one process, without the cache"]
    lines += aligned([(f"{seconds:8.3f} s", f"{seconds / whole:4.0%}", name) for name, seconds in phases])
    if files:
        lines.append(f"the slowest of {len(timings.files)} files")
        lines += [f"{seconds:8.3f} s  {printable(path)}" for path, seconds in files]
    return "".join(f"{line}\n" for line in lines)
