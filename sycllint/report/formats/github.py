"""Workflow commands that GitHub Actions turns into annotations, the most severe first, within its budget.

A step shows ten errors, ten warnings and ten notices and drops the rest without a word (actions/toolkit issue 734), so
what is over the budget is written to the log in plain lines.
"""

from collections import Counter

from sycllint.diagnostic import Diagnostic, Severity
from sycllint.pipeline import Result
from sycllint.report.formats.concise import line
from sycllint.report.place import Sources, place_of
from sycllint.report.terminal.display import printable
from sycllint.report.terminal.folding import tallied
from sycllint.report.terminal.style import Style

BUDGET = 10
"""Annotations of one level that GitHub shows for one step."""

_COMMAND = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(result: Result, sources: Sources) -> str:
    """One command for each rule and line up to the budget, then what was left out."""
    spent: Counter[Severity] = Counter()
    annotated: set[tuple[str, str, int]] = set()
    commands: list[str] = []
    left_out: list[str] = []
    for diagnostic in sorted(tallied(result.diagnostics), key=lambda each: -each.severity):
        place = place_of(diagnostic.location, sources)
        key = (diagnostic.code, place.path, place.line)
        if key in annotated or spent[diagnostic.severity] == BUDGET:
            left_out.append(f"- {line(diagnostic, sources, Style())}")
            continue
        annotated.add(key)
        spent[diagnostic.severity] += 1
        commands.append(_command(diagnostic, sources))
    if left_out:
        commands.append(f"… {len(left_out)} more, without annotation:")
    return "".join(f"{each}\n" for each in [*commands, *left_out])


def _command(diagnostic: Diagnostic, sources: Sources) -> str:
    place = place_of(diagnostic.location, sources)
    properties: dict[str, str | int] = {
        "title": f"sycllint ({diagnostic.code})",
        "file": printable(place.path),
        "line": place.line,
    }
    if place.line == place.end_line:
        properties |= {"col": place.column, "endLine": place.end_line, "endColumn": place.end_column}
    else:
        properties["endLine"] = place.end_line
    message = "\n".join(printable(text) for text in (diagnostic.message, diagnostic.help) if text)
    written = [
        f"{name}={_data(str(value)).replace(':', '%3A').replace(',', '%2C')}" for name, value in properties.items()
    ]
    return f"::{_COMMAND[diagnostic.severity]} {','.join(written)}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
