"""Suppressions written into the source: one comment before each line with findings, for a project that begins."""

from collections.abc import Iterable, Mapping, Sequence

from sycllint.config import Config, Configs
from sycllint.diagnostic import Diagnostic
from sycllint.grouping import grouped
from sycllint.pipeline import Filters, Progress, check
from sycllint.pipeline.fixing import FixedFile, FixRun
from sycllint.pipeline.result import Hidden, Hiding
from sycllint.pipeline.suppression import OWN_FAMILY
from sycllint.record import replace
from sycllint.source.edit import Edit, applied
from sycllint.source.files import Candidate, read_source
from sycllint.source.span import Location, Span
from sycllint.source.text import BYTE_ORDER_MARK, SourceFile


def silence(
    paths: Sequence[str],
    config: Config | Configs,
    reason: str = "",
    *,
    filters: Filters | None = None,
    on_progress: Progress | None = None,
) -> FixRun:
    """Lint the files that ``paths`` stand for and write a suppression before each line with a finding, in memory.

    ``fixed`` of the answer counts the findings that are silent now; its result has what is still reported. Findings
    about suppressions are left alone.
    """
    result = check(paths, config, on_progress=on_progress, filters=filters)
    waiting = grouped((each.location.path, each) for each in result.diagnostics if not is_about_suppressions(each))
    files: list[FixedFile] = []
    notices: list[str] = []
    for path, diagnostics in waiting.items():
        source = read_source(Candidate(path, named=True))
        if isinstance(source, SourceFile) and path in result.linted:
            edits, refused = comments_before(source, [(each.location, each.code) for each in diagnostics], reason)
            notices += refused
            if edits:
                files.append(FixedFile(path, source.content, applied(source.content, edits)))
    if not files:
        return FixRun(replace(result, notices=(*result.notices, *notices)), (), 0)
    texts = {each.path: each.after for each in files}
    after = check(paths, config, texts=texts, filters=filters)
    count = _silenced(after.hidden) - _silenced(result.hidden)
    return FixRun(replace(after, notices=(*after.notices, *notices)), tuple(files), count)


def is_about_suppressions(diagnostic: Diagnostic) -> bool:
    """Whether a finding is about suppressions: those are fixed, not suppressed."""
    return diagnostic.code.startswith(OWN_FAMILY)


def _silenced(hidden: Sequence[Hidden]) -> int:
    return sum(each.why is Hiding.SUPPRESSED for each in hidden)


def comments_before(
    source: SourceFile, silenced: Iterable[tuple[Location, str]], reason: str
) -> tuple[list[Edit], list[str]]:
    """The comments to insert, by which rules (by code) are silent at places of ``source``; why one cannot stand."""
    edits: list[Edit] = []
    refused: list[str] = []
    for line, codes in _by_line(source, silenced).items():
        if _continues(source, line):
            sentence = f"{source.path}:{line}: no suppression added: the line goes on from the one before it"
            refused.append(sentence)
            continue
        start = source.line_starts[line - 1]
        start += len(BYTE_ORDER_MARK) if line == 1 and source.content.startswith(BYTE_ORDER_MARK) else 0
        text = source.line_text(line)
        indent = text[: len(text) - len(text.lstrip(" \t"))]
        comment = f"{indent}// sycllint: ignore[{', '.join(codes)}] {reason}".rstrip()
        edits.append(Edit(Location(source.path, Span(start, start)), f"{comment}\n"))
    return edits, refused


def _by_line(source: SourceFile, silenced: Iterable[tuple[Location, str]]) -> Mapping[int, Sequence[str]]:
    found: dict[int, dict[str, None]] = {}
    for location, code in silenced:
        found.setdefault(source.line_of(location.span.start), {})[code] = None
    return {line: sorted(codes) for line, codes in sorted(found.items())}


def _continues(source: SourceFile, line: int) -> bool:
    """Whether a line is spliced to the one before it, as in a macro: a comment between them would end it."""
    return source.line_text(line - 1).rstrip().endswith("\\")
