"""Comments that the migration tool left where it was not sure, and what is known of the code they stand at."""

import re
from collections.abc import Iterator

from sycllint.launch.kernel import KernelLaunch
from sycllint.source.span import Span
from sycllint.spelling.owners import is_raw_migration
from sycllint.spelling.record import Marker
from sycllint.spelling.words import comments
from sycllint.spelling.written import SpellingUnit

_MARKER = re.compile(rb"\bDPCT(?P<number>1\d{3}):\d+:")
_REACH = 4_000
"""Bytes after a comment in which the statement it is about ends."""


def markers(written: SpellingUnit) -> Iterator[Marker]:
    """The markers of one file; none where the tool's output is kept as it came."""
    content = written.content
    if b"DPCT1" not in content or is_raw_migration(written.facts.path):
        return
    for span in comments(content):
        found = [*_MARKER.finditer(content, span.start, span.end)]
        whole = _with_its_line(content, span) if len(found) == 1 and _opens(content, span, found[0].start()) else None
        for match in found:
            yield Marker(
                written.at(match.start(), match.end() - 1),
                int(match["number"]),
                written.at(*whole) if whole is not None else None,
                _launches_after(written, span.end),
                _statement_after(content, span.end),
            )


def _opens(content: bytes, comment: Span, start: int) -> bool:
    """Whether the marker is the first thing in its block comment, which then is the tool's."""
    opening = content[comment.start : start]
    return opening.startswith(b"/*") and not opening[2:].strip()


def _with_its_line(content: bytes, span: Span) -> Span:
    """A comment with the indentation before and the line end after it, where its lines hold nothing else."""
    start = content.rfind(b"\n", 0, span.start) + 1
    end = content.find(b"\n", span.end) + 1 or len(content)
    alone = not content[start : span.start].strip() and not content[span.end : end].strip()
    return Span(start, end) if alone else span


def _statement_after(content: bytes, offset: int) -> str:
    """The text up to the next semicolon; empty where that is far."""
    return content[offset : content.find(b";", offset, offset + _REACH) + 1].decode(errors="replace").strip()


def _launches_after(written: SpellingUnit, offset: int) -> tuple[KernelLaunch, ...]:
    """The launches of the first place after ``offset`` that launches, when it is in the statement that begins there."""
    after = [each for each in written.launches if each.location.span.start >= offset]
    if not after:
        return ()
    first = min(each.location.span.start for each in after)
    if first - offset > _REACH or not _one_statement(written.content[offset:first]):
        return ()
    return tuple(each for each in after if each.location.span.start == first)


def _one_statement(text: bytes) -> bool:
    """Whether no statement ends in ``text``, and it does not leave the block it begins in."""
    depth = 0
    for match in re.finditer(rb"//[^\n]*|/\*.*?(?:\*/|\Z)|\"(?:\\.|[^\"\\\n])*\"|[(){};]", text, re.DOTALL):
        mark = match.group()
        if mark in (b"(", b"{"):
            depth += 1
        elif mark in (b")", b"}"):
            depth -= 1
        if depth < 0 or (mark == b";" and depth == 0):
            return False
    return True
