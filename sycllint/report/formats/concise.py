"""One line for each finding: ``path:line:column: error[SYC101] message``, or as GCC writes its own.

Vim's quickfix list, Emacs' compilation mode, CLion, Jenkins and the problem matcher ``$gcc`` of VS Code read GCC's.
"""

from sycllint.diagnostic import Diagnostic
from sycllint.pipeline import Result
from sycllint.report.place import Sources, place_of
from sycllint.report.terminal.display import printable
from sycllint.report.terminal.folding import tallied
from sycllint.report.terminal.style import INK_OF, Style


def render(result: Result, sources: Sources, *, color: bool) -> str:
    """The findings and nothing else."""
    style = Style(color=color)
    return "".join(f"{line(diagnostic, sources, style)}\n" for diagnostic in tallied(result.diagnostics))


def render_as_gcc(result: Result, sources: Sources) -> str:
    """``path:line:column: warning: message [SYC101]``, the findings of every severity; columns count characters."""
    return "".join(
        f"{_at(each, sources)}: {each.severity.label}: {printable(each.message)} [{each.code}]\n"
        for each in result.diagnostics
    )


def line(diagnostic: Diagnostic, sources: Sources, style: Style) -> str:
    """One finding on one line."""
    head = style.ink(f"{diagnostic.severity.label}[{diagnostic.code}]", INK_OF[diagnostic.severity])
    return f"{_at(diagnostic, sources)}: {head} {printable(diagnostic.message)}"


def _at(diagnostic: Diagnostic, sources: Sources) -> str:
    place = place_of(diagnostic.location, sources)
    return f"{printable(place.path)}:{place.line}:{place.column}"
