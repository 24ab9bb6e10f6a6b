"""Changed lines by file, from a unified diff.

Format: GNU diffutils manual, "Detailed Description of Unified Format"; git's additions (quoted paths, renames,
``/dev/null``): git-diff documentation, "Generating patch text with -p".
"""

import os
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from sycllint.errors import SycllintError
from sycllint.record import field, record

_HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ESCAPES = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b'"': b'"', b"\\": b"\\", b"a": b"\a", b"b": b"\b", b"f": b"\f",
            b"v": b"\v"}  # fmt: skip


@record
class Changes:
    """Changed lines by absolute path."""

    lines: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """Sorted, from 1, as the file is after the change; lines beside which something was removed are among them."""
    new: frozenset[str] = frozenset()
    """Files of which every line is new."""

    def touch(self, path: str, first: int, last: int) -> bool:
        """Whether a line from ``first`` to ``last`` of the file changed."""
        place = os.path.realpath(path)
        if place in self.new:
            return True
        lines = self.lines.get(place, ())
        index = bisect_left(lines, first)
        return index < len(lines) and lines[index] <= last


def read_diff(diff: bytes, *, name: str, roots: Sequence[str]) -> Changes:
    """The changes that ``diff`` makes; its paths are relative to the first of ``roots`` in which they exist.

    Raises ``SycllintError`` for a text without a single file header; an empty one changes nothing.
    """
    changed: dict[str, set[int]] = {}
    for path, lines in _files(diff):
        changed.setdefault(_resolved(path, roots), set()).update(lines)
    if not changed and diff.strip() and not _says_nothing(diff):
        raise SycllintError(f"{name}: not a unified diff; `git diff` and `diff -u` write one")
    return Changes({path: sorted(lines) for path, lines in changed.items()})


def _says_nothing(diff: bytes) -> bool:
    """A diff of removals, renames and binary files only."""
    return re.search(rb"^(?:diff --git |\+\+\+ |Binary files )", diff, re.MULTILINE) is not None


def _files(diff: bytes) -> Iterator[tuple[str, set[int]]]:
    """Each file that is there after the change, as named, and its changed lines."""
    path: str | None = None
    lines: set[int] = set()
    reader = iter(diff.split(b"\n"))
    for line in reader:
        if line.startswith(b"+++ "):
            if path is not None:
                yield path, lines
            path, lines = _path(line[4:]), set()
        elif (hunk := _HUNK.match(line)) is not None:
            changed = _hunk(reader, int(hunk[1] or 1), int(hunk[2]), int(hunk[3] or 1))
            lines.update(changed)
    if path is not None:
        yield path, lines


def _hunk(reader: Iterator[bytes], old: int, number: int, new: int) -> Iterator[int]:
    """The lines that one hunk changes: it holds ``old`` old lines and ``new`` new ones, from line ``number`` on."""
    if new == 0:  # then the number is that of the line before
        number += 1
    removed = False
    while old > 0 or new > 0:
        line = next(reader, None)
        if line is None:
            return
        match line[:1]:
            case b"-":
                removed, old = True, old - 1
            case b"+":
                removed = False
                yield number
                number, new = number + 1, new - 1
            case b"\\":
                continue
            case _:
                if removed:
                    yield from _around(number)
                removed, number, new, old = False, number + 1, new - 1, old - 1
    if removed:
        yield from _around(number)


def _around(number: int) -> Iterator[int]:
    """The lines beside the place before line ``number``."""
    if number > 1:
        yield number - 1
    yield number


def _path(text: bytes) -> str | None:
    """The path of a ``+++`` line; ``None`` when the file is removed, or when no file can be called so."""
    text = text.rstrip(b"\r")
    if text.startswith(b'"'):
        name = _unquoted(text[1:].partition(b'"\t')[0].rstrip(b'"'))
    else:
        name = text.partition(b"\t")[0]
    if name == b"/dev/null" or b"\0" in name:
        return None
    return os.fsdecode(name)


def _unquoted(text: bytes) -> bytes:
    return re.sub(
        rb'\\([0-7]{3}|[ntrabfv"\\])',
        lambda match: _ESCAPES.get(match[1]) or bytes([int(match[1], 8) & 255]),
        text,
    )


def _resolved(path: str, roots: Sequence[str]) -> str:
    """The file a path of a diff means. ``a/x`` and ``b/x`` are ``x``, unless there is a folder of that name."""
    shorter = path.partition("/")[2] if path.startswith(("a/", "b/", "i/", "w/", "c/", "o/")) else path
    for name in dict.fromkeys((shorter, path)):
        for root in roots:
            place = os.path.realpath(os.path.join(root, name))
            if os.path.exists(place):
                return place
    return os.path.realpath(os.path.join(roots[0], shorter))
