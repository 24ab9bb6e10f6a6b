"""Where a launch may be written that other files take part in, by the bytes of each file: a filter, and cheap.

A file that launches nothing itself may decide the size of a launch in a file that it includes, write the kernel of one,
or use a macro that writes one. Then one of the files of its unit

- calls a launching function as a member, ``h.parallel_for(…)``, or with a qualifier that names ``sycl``;
  ``ns::parallel_for(…)``, an unqualified ``parallel_for(…)`` and the free functions of SYCLcompat and of extensions are
  SYCL's only where a namespace of theirs has another name or is opened;
- names a launching function in a macro, or hands its name to one;
- or pastes such a name from pieces, which are split at an underscore.

A ``single_task`` whose kernel is a lambda in the call has no size and no other kernel: no other file takes part in it.
"""

import re
from collections.abc import Iterable

from sycllint.cpp.names import LAUNCHING, LAUNCHING_FREELY, MEMBERS

_OPEN = 1
"""A launch that other files may take part in."""
_BY_NAME = 2
"""The call of a function that may be a launching one where a namespace has another name."""
_RENAMED = 4
"""A namespace of SYCL or of a library with another name, or one of a library that is opened."""
_PASTED = 8
"""A macro pastes tokens."""
_PIECE = 16
"""A piece of a launching function's name."""
_UNQUALIFIED = 32
"""The unqualified call of a function that SYCL has as a member, and an extension of it as a free function."""
_EXTENSION = 64
"""The namespace of that extension with another name, or opened."""
_OWN = 128
"""A launch that no other file takes part in."""
_LAUNCHES = (_OPEN, _BY_NAME | _RENAMED, _PASTED | _PIECE, _UNQUALIFIED | _EXTENSION)
"""Marks that may be a launch where the files of a unit have all of them."""


def _any_of(words: Iterable[str]) -> bytes:
    return "|".join(sorted(words, key=lambda each: (-len(each), each))).encode()


_LAUNCHING = frozenset(name.encode() for name in LAUNCHING)
_MEMBERS = frozenset(name.encode() for name in MEMBERS)
_STEMS = ("single_task", "parallel_for", "nd_launch", "launch")
"""With one of these each launching function's name begins."""
_NAMES = {
    stem.encode(): re.compile(
        rb"(?:%s)(?!\w)" % _any_of(each for each in LAUNCHING | LAUNCHING_FREELY if each.startswith(stem))
    )
    for stem in _STEMS
}
_PIECES = {
    piece
    for name in LAUNCHING
    for at, letter in enumerate(name)
    if letter == "_"
    for piece in (name[: at + 1], name[at:])
}
# The underscore stands first: the search leaps from one to the next.
_A_PIECE = re.compile(
    rb"_(?:(?<!\w_)(?:%s)(?!\w)|(?!\w)(?:%s))"
    % (
        _any_of(each[1:] for each in _PIECES if each.startswith("_")),
        b"|".join(rb"(?<=\b%s)" % each.encode() for each in sorted(_PIECES) if each.endswith("_")),
    )
)
_OWN_KERNEL = re.compile(rb"\s*(?:<[^;(){}\[\]]*>\s*)?\(\s*\[")
_RENAMING = re.compile(
    rb"\bnamespace\b[^;{}=]*=[^;{}]*?(?:sycl|compat|dpct)|\busing\b[^;{}=()]*\bnamespace\b[^;{}=]*?(?:compat|dpct)"
)
_ENQUEUE = re.compile(rb"\bnamespace\b[^;{}]*\boneapi\s*::\s*experimental\b")
_SYCL = re.compile(rb"sycl|compat|dpct")
_BEFORE_MEMBER = (b".", b"->", b"template", b"*/")
"""The end of what stands before a member's name; a comment may hide one."""
_BLANKS = b" \t\r\n\\"
_LONGEST_QUALIFIER = 200
"""Bytes before a name in which its qualifier is looked for."""


def launch_marks(content: bytes) -> int:
    """What one file contributes to the launches of the units that hold it."""
    marks = _PASTED if b"##" in content else 0
    if _A_PIECE.search(content) is not None:
        marks |= _PIECE
    if b"namespace" in content and _RENAMING.search(content) is not None:
        marks |= _RENAMED
    if b"oneapi" in content and _ENQUEUE.search(content) is not None:
        marks |= _EXTENSION
    for stem, names in _NAMES.items():
        if stem in content:
            for found in names.finditer(content):
                marks |= _mark_of(content, found)
                if marks & _OPEN:
                    return marks
    return marks


def may_launch(marks: Iterable[int]) -> bool:
    """Whether the files of a unit, by their marks, may hold a launch that several of them take part in."""
    united = 0
    for each in marks:
        united |= each
    return any(united & needed == needed for needed in _LAUNCHES)


def may_launch_alone(marks: int, *, is_together: bool) -> bool:
    """Whether a file may launch what no other file takes part in; ``is_together``: what others do was looked for."""
    return bool(marks & (_OWN if is_together else _OWN | _OPEN | _BY_NAME | _UNQUALIFIED))


def _mark_of(content: bytes, found: re.Match[bytes]) -> int:
    """What one name of a launching function in a file may be."""
    start, end = found.span()
    if content[start - 1 : start].isalnum() or content[start - 1 : start] == b"_":
        return 0
    before = _before(content, start)
    after = content[end : end + 80].lstrip(_BLANKS)[:1]
    is_of_sycl = found.group() in _LAUNCHING
    named = _OPEN if is_of_sycl else _BY_NAME
    if _is_in_directive(content, start) or (before.endswith((b"(", b",")) and after in (b",", b")")):
        return named
    if before.endswith(b"::"):
        is_sycl = _SYCL.search(content, max(0, start - _LONGEST_QUALIFIER), start) is not None
        return _OPEN if is_sycl else _BY_NAME
    if not is_of_sycl:
        return _BY_NAME if after == b"<" else 0
    if found.group() in _MEMBERS and not before.endswith(_BEFORE_MEMBER):
        return _UNQUALIFIED
    return _OWN if found.group() == b"single_task" and _OWN_KERNEL.match(content, end) is not None else _OPEN


def _before(content: bytes, end: int) -> bytes:
    """The code of a line before an offset; of the last line that has some, where none is before it on its own."""
    line = content.rfind(b"\n", 0, end) + 1
    text = content[line:end].rstrip(_BLANKS)
    while line and not text:
        end = line - 1
        line = content.rfind(b"\n", 0, end) + 1
        text = content[line:end].rstrip(_BLANKS)
        if not (b'"' in text and text.endswith(_BEFORE_MEMBER)):  # in a string, // is none
            text = text.partition(b"//")[0].rstrip(_BLANKS)
    return text


def _is_in_directive(content: bytes, offset: int) -> bool:
    """Whether an offset is in a directive of the preprocessor, as the text of a macro is."""
    start = content.rfind(b"\n", 0, offset) + 1
    while start and content[max(0, start - 3) : start].rstrip(b"\r\n").endswith(b"\\"):
        start = content.rfind(b"\n", 0, start - 1) + 1
    return content[start:offset].lstrip().startswith(b"#")
