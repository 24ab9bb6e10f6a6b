"""What could not be resolved of the launches of a run, by reason."""

import re
from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap

from sycllint.launch.unresolved import Unresolved, by_reason, unresolved
from sycllint.pipeline import Kernels
from sycllint.report.json import Json
from sycllint.report.place import Sources, line_text, place_of
from sycllint.report.terminal.display import printable
from sycllint.report.terminal.style import Ink, Style
from sycllint.report.terminal.summary import listed, plural

_INDENT = "    "
_PLACES = 3
"""Places and names that a line lists."""


def unknown_lines(kernels: Kernels, sources: Sources, style: Style, width: int) -> list[list[str]]:
    """Blocks for people: each reason with the launches that want it, how to declare macros, and a count."""
    groups = _groups(kernels)
    lines: list[str] = []
    for reason, found in groups.items():
        lines.append(style.ink(printable(reason), Ink.STRONG))
        text = _needed(found, sources)
        lines += wrap(text, width, initial_indent=_INDENT, subsequent_indent=_INDENT, break_on_hyphens=False)
    affected = len({each.launch for found in groups.values() for each in found})
    of_all = f"{affected} of {plural(len(kernels.launches), 'kernel')} with unknown numbers"
    return [lines, wrap(_hint(groups), width), [of_all] if kernels.launches else []]


def unknown_json(kernels: Kernels, sources: Sources) -> list[Json]:
    """The unknown numbers as JSON, with all places of each reason."""
    return [
        {
            "reason": reason,
            "launches": len({each.launch for each in found}),
            "numbers": list(dict.fromkeys(each.number for each in found)),
            "places": [
                {"path": place.path, "line": place.line}
                for place in dict.fromkeys(place_of(each.location, sources) for each in found)
            ],
        }
        for reason, found in _groups(kernels).items()
    ]


def _groups(kernels: Kernels) -> Mapping[str, Sequence[Unresolved]]:
    return by_reason(each for report in kernels.launches for each in unresolved(report.launch))


def _needed(found: Sequence[Unresolved], sources: Sources) -> str:
    """``3 launches: global, local; at a.cpp:12, a.cpp:40, b.cpp:7 and 2 more``."""
    count = len({each.launch for each in found})
    launches = plural(count, "launch", "launches")
    numbers = ", ".join(dict.fromkeys(each.number for each in found))
    places = list(dict.fromkeys(printable(line_text(each.location, sources)) for each in found))
    return f"{launches}: {numbers}; at {listed(places, _PLACES)}"


def _hint(reasons: Iterable[str]) -> str:
    """How to give a value to the names that are declared nowhere."""
    names = [found[1] for reason in reasons if (found := re.match(r"(\w+) is not declared", reason))]
    if not names:
        return ""
    shown = ", ".join(f'{name} = "..."' for name in names[:_PLACES])
    return f"Macros that the build sets can be declared in sycllint.toml: defines = {{ {shown} }}, or with -D."
