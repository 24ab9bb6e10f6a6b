"""The findings of each file under its name, one line each, then a summary."""

from collections.abc import Sequence
from itertools import groupby

from sycllint.diagnostic import Diagnostic
from sycllint.pipeline import Result
from sycllint.report.place import Sources, place_of
from sycllint.report.terminal.display import aligned, printable
from sycllint.report.terminal.folding import tallied
from sycllint.report.terminal.style import INK_OF, Ink, Style
from sycllint.report.terminal.summary import notice_lines, summary


def render(result: Result, sources: Sources, *, color: bool) -> str:
    """Files separated by blank lines, the notices, the summary."""
    style = Style(color=color)
    lines: list[str] = []
    for path, group in groupby(tallied(result.diagnostics), key=lambda each: each.location.path):
        lines += [style.ink(printable(path), Ink.STRONG), *_table(list(group), sources, style), ""]
    if notices := notice_lines(result.notices, style):
        lines += [*notices, ""]
    return "\n".join([*lines, summary(result)]) + "\n"


def _table(group: Sequence[Diagnostic], sources: Sources, style: Style) -> list[str]:
    """``12:27  error[SYC101]  message``, the columns of one width within the file."""
    places = [place_of(each.location, sources) for each in group]
    heads = aligned(
        [
            (f"{place.line}:{place.column}", f"{each.severity.label}[{each.code}]")
            for place, each in zip(places, group, strict=True)
        ],
    )
    width = max(map(len, heads))
    return [
        f"  {style.ink(head.ljust(width), INK_OF[each.severity])}  {printable(each.message)}"
        for head, each in zip(heads, group, strict=True)
    ]
