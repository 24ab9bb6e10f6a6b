"""One line for each finding, as GCC writes its own: ``path:line:column: warning: message [SYC101]``.

Vim's quickfix list, Emacs' compilation mode, CLion, Jenkins and the problem matcher ``$gcc`` of VS Code read it.
"""

from sycllint.pipeline import Result
from sycllint.report.place import Sources, place_of
from sycllint.report.terminal.display import printable


def render(result: Result, sources: Sources) -> str:
    """The findings of every severity and nothing else; columns count characters from 1."""
    lines = []
    for each in result.diagnostics:
        place = place_of(each.location, sources)
        at = f"{printable(place.path)}:{place.line}:{place.column}"
        lines.append(f"{at}: {each.severity.label}: {printable(each.message)} [{each.code}]\n")
    return "".join(lines)
