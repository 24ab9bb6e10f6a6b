"""Fixes: edits of source text, and how they are applied."""

from collections.abc import Iterable, Sequence
from enum import Enum

from sycllint.record import record
from sycllint.source.span import Location


class Applicability(Enum):
    """Whether a fix may be made without asking."""

    SAFE = "safe"
    """The program means what it meant, or what it was written to mean."""
    UNSAFE = "unsafe"
    """The fix may change what the program does."""


@record(guarded=True)
class Edit:
    """``text`` in place of the bytes at ``location``; an empty span inserts."""

    location: Location
    text: str


@record(guarded=True)
class Fix:
    """Edits that belong together, and what they do, in a few words."""

    description: str
    edits: tuple[Edit, ...]
    applicability: Applicability = Applicability.SAFE


def compatible(fixes: Iterable[Fix]) -> tuple[list[Fix], list[Fix]]:
    """The fixes that can be made at once, and those left out: each contradicts an earlier one.

    A fix is made as a whole or not at all. An edit that two fixes have in common is one edit.
    """
    taken: dict[str, dict[Edit, None]] = {}
    kept: list[Fix] = []
    left_out: list[Fix] = []
    for fix in fixes:
        if any(_contradict(edit, other) for edit in fix.edits for other in taken.get(edit.location.path, ())):
            left_out.append(fix)
            continue
        kept.append(fix)
        for edit in fix.edits:
            taken.setdefault(edit.location.path, {})[edit] = None
    return kept, left_out


def applied(content: bytes, edits: Iterable[Edit]) -> bytes:
    """``content`` after ``edits``, which are of this one file and do not contradict each other.

    Everything else stays as it is, byte for byte. A line end in an edit is written as the file writes its own.
    """
    line_end = line_end_of(content)
    pieces: list[bytes] = []
    position = 0
    for edit in sorted(dict.fromkeys(edits), key=lambda each: each.location.span):
        start, end = edit.location.span
        text = edit.text.replace("\n", line_end).encode()
        pieces += [content[position:start], text]
        position = max(position, end)
    return b"".join([*pieces, content[position:]])


def edits_of(fixes: Sequence[Fix], path: str) -> list[Edit]:
    """The edits of ``fixes`` in one file."""
    return [edit for fix in fixes for edit in fix.edits if edit.location.path == path]


def _contradict(one: Edit, other: Edit) -> bool:
    """Whether both change the same bytes, or insert different text at one place."""
    if one == other:
        return False
    (start, end), (from_, to) = one.location.span, other.location.span
    if start == end or from_ == to:
        # An insertion at the edge of a replaced stretch would end up before or after it by chance.
        return start <= to and from_ <= end
    return start < to and from_ < end


def line_end_of(content: bytes) -> str:
    """The line ending of most lines of a file."""
    ends = content.count(b"\n")
    return "\r\n" if ends and 2 * content.count(b"\r\n") > ends else "\n"
