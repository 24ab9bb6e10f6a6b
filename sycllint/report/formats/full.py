"""The format for people: notes, warnings, then errors, each finding with its source, marked; then a summary.

A terminal shows the end of what was written, so what weighs most stands last.
"""

from collections.abc import Iterator, Sequence

from sycllint.diagnostic import Diagnostic, Severity
from sycllint.pipeline import Result
from sycllint.report.place import SourceRange, Sources, place_of
from sycllint.report.terminal.display import printable
from sycllint.report.terminal.folding import alike, folded, tallied
from sycllint.report.terminal.snippet import PRIMARY, SECONDARY, CodeFrame, Mark, gutter_width, marks
from sycllint.report.terminal.style import INK_OF, Ink, Style
from sycllint.report.terminal.summary import listed, notice_lines, summary
from sycllint.source.edit import Applicability

PLACES_SHOWN = 8
"""Places of findings that say the same as the one that is shown."""


def render(
    result: Result, sources: Sources, *, color: bool, width: int, hyperlinks: bool, fold_notes: bool = False
) -> str:
    """Findings separated by blank lines, the notices, the summary.

    Findings of one rule that say the same are one, with the places of the others. ``fold_notes``: the notes of a rule
    are one line.
    """
    style = Style(color=color, hyperlinks=hyperlinks)
    shown = sorted(tallied(result.diagnostics), key=lambda each: each.severity)
    lines: list[str] = []
    if fold_notes:
        notes = [each for each in result.diagnostics if each.severity is Severity.NOTE]
        shown = [each for each in shown if each.severity is not Severity.NOTE]
        if notes:
            lines.extend([*folded(notes, sources, style), ""])
    for diagnostic, others in alike(shown):
        lines.extend(finding(diagnostic, others, sources, style, width))
        lines.append("")
    if notices := notice_lines(result.notices, style):
        lines.extend([*notices, ""])
    lines.append(summary(result))
    return "\n".join(lines) + "\n"


def finding(
    diagnostic: Diagnostic, others: Sequence[Diagnostic], sources: Sources, style: Style, width: int
) -> Iterator[str]:
    """One finding with its source; ``others`` say the same elsewhere."""
    ink = INK_OF[diagnostic.severity]
    place = place_of(diagnostic.location, sources)
    frames = _frames(diagnostic, place, sources, ink)
    gutter = max(gutter_width(each) for _, each in frames)
    head = style.ink(f"{diagnostic.severity.label}[{_code(diagnostic, style)}]", ink)
    yield head + style.ink(f": {printable(diagnostic.message)}", Ink.STRONG)
    for at, found in frames:
        if at is not place:
            yield style.ink(" " * (gutter + 1) + "|", Ink.GUTTER)
        arrow = "-->" if at is place else ":::"
        yield f"{' ' * gutter}{style.ink(arrow, Ink.GUTTER)} {_place(at, style)}"
        yield from CodeFrame(sources(at.path), style, gutter, width).lines(found)
    if others:
        yield _footer(gutter, "also", Ink.QUIET, printable(_places(others, sources)), style)
    if diagnostic.help:
        yield _footer(gutter, "help", Ink.HELP, printable(diagnostic.help), style)
    if diagnostic.fix is not None:
        how = "--fix" if diagnostic.fix.applicability is Applicability.SAFE else "unsafe: --fix --unsafe-fixes"
        yield _footer(gutter, "fix", Ink.HELP, printable(f"{diagnostic.fix.description} ({how})"), style)
    rule = style.ink(f"{diagnostic.name} (sycllint rule {diagnostic.code})", Ink.QUIET)
    yield _footer(gutter, "rule", Ink.QUIET, rule, style)


def _places(others: Sequence[Diagnostic], sources: Sources) -> str:
    """``src/a.cpp:12:3, 40:3, src/b.cpp:7:1 and 14 more``."""
    listing: list[str] = []
    path = ""
    for each in others:
        place = place_of(each.location, sources)
        at = f"{place.line}:{place.column}"
        listing.append(at if place.path == path else f"{place.path}:{at}")
        path = place.path
    return listed(listing, PLACES_SHOWN)


def _code(diagnostic: Diagnostic, style: Style) -> str:
    """The code, as a link to the rule's page where that has an address."""
    if not style.hyperlinks:
        return diagnostic.code
    from sycllint.report.address import rule_page

    page = rule_page(diagnostic.code, diagnostic.name)
    return style.link(diagnostic.code, page) if page else diagnostic.code


def _frames(
    diagnostic: Diagnostic, place: SourceRange, sources: Sources, ink: Ink
) -> list[tuple[SourceRange, list[Mark]]]:
    """The finding's own file first, then one frame for each other file; each with the place that names it."""
    others = dict.fromkeys(each for each in diagnostic.related if each.location != diagnostic.location)
    label = ", ".join(dict.fromkeys(each.message for each in diagnostic.related if each not in others))
    own = list(marks(place, sources(place.path), symbol=PRIMARY, ink=ink, label=label))
    frames = {place.path: (place, own)}
    for related in others:
        at = place_of(related.location, sources)
        _, found = frames.setdefault(at.path, (at, []))
        found.extend(marks(at, sources(at.path), symbol=SECONDARY, ink=Ink.SECONDARY, label=related.message))
    return list(frames.values())


def _place(place: SourceRange, style: Style) -> str:
    text = f"{printable(place.path)}:{place.line}:{place.column}"
    if not style.hyperlinks:
        return text
    from sycllint.report.uri import file_uri

    return style.link(text, file_uri(place.path))


def _footer(gutter: int, word: str, ink: Ink, text: str, style: Style) -> str:
    return f"{' ' * gutter} {style.ink('=', Ink.GUTTER)} {style.ink(f'{word}:', ink)} {text}"
