"""One line for each finding: ``path:line:column: error[SYC101] message``."""

from sycllint.diagnostic import Diagnostic
from sycllint.pipeline import Result
from sycllint.report.place import Sources, place_of
from sycllint.report.terminal.display import printable
from sycllint.report.terminal.style import INK_OF, Style
from sycllint.report.terminal.tally import tallied


def render(result: Result, sources: Sources, *, color: bool) -> str:
    """The findings and nothing else."""
    style = Style(color=color)
    return "".join(f"{line(diagnostic, sources, style)}\n" for diagnostic in tallied(result.diagnostics))


def line(diagnostic: Diagnostic, sources: Sources, style: Style) -> str:
    """One finding on one line."""
    place = place_of(diagnostic.location, sources)
    head = style.ink(f"{diagnostic.severity.label}[{diagnostic.code}]", INK_OF[diagnostic.severity])
    return f"{printable(place.path)}:{place.line}:{place.column}: {head} {printable(diagnostic.message)}"
