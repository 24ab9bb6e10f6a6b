"""Words of C++ text that were names of SYCL 1.2.1: where they stand in code, outside comments, strings and shims.

A shim is text under a preprocessor condition that asks which SYCL there is: it is there to use the old name where
only that exists.
"""

import re
from collections.abc import Iterator

from sycllint.record import record
from sycllint.source.span import Span

_NAMES: dict[str, bytes] = {
    "header": rb"^[ \t]*#[ \t]*include[ \t]*[<\"]CL/sycl\.hpp[>\"]",
    "namespace": rb"(?<![\w:>])(?:::[ \t]*)?cl[ \t]*::[ \t]*sycl\b",
    "outer_namespace": rb"\busing[ \t]+namespace[ \t]+cl[ \t]*;|\bnamespace[ \t]+cl[ \t\r\n]*\{",
    "selector": rb"\b(?:default|gpu|cpu|accelerator|host)_selector\b",
    "local_target": rb"\btarget[ \t]*::[ \t]*local\b",
    "atomic": rb"(?<=sycl::)atomic(?=[ \t]*<)|\bmode[ \t]*::[ \t]*atomic\b",
    "discard": rb"\bmode[ \t]*::[ \t]*discard_(?:read_)?write\b",
    "hierarchical": rb"\bparallel_for_work_(?:group|item)\b(?=[ \t]*[<(])",
    "extension": rb"(?<=sycl::)(?:ONEAPI|INTEL|intel)(?=[ \t]*::)",
    "attribute": rb"\b(?:intel|cl)[ \t]*::[ \t]*reqd_sub_group_size\b",
}
"""What each kind of old name looks like: SYCL 2020, chapter "What has changed from previous versions"."""
_HINTS: tuple[bytes, ...] = (
    b"CL/sycl.hpp",
    b"::sycl",
    b":: sycl",
    b"namespace cl",
    b"namespace\tcl",
    b"namespace  cl",
    b"_selector",
    b"target",
    b"sycl::atomic",
    b"mode::",
    b"mode ::",
    b"parallel_for_work_",
    b"reqd_sub_group_size",
    b"sycl::ONEAPI",
    b"sycl::INTEL",
    b"sycl::intel",
    b"__has_include",
    b"SYCL",
    b"INTEL",
    b"ACPP",
    b"ADAPTIVECPP",
    b"COMPUTECPP",
    b"ONEAPI",
)
"""Plain text in every old name and in every shim's condition."""
_SKIPPED = (
    rb"//(?:[^\n\\]|\\.|\\\r?\n)*",
    rb"/\*.*?\*/",
    rb"R\"(?P<fence>[^()\\\s]{0,16})\(.*?\)(?P=fence)\"",
    rb"\"(?:\\.|[^\"\\\n])*\"",
    rb"(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+'",
)
_DIRECTIVE = rb"^[ \t]*#[ \t]*(?P<directive>if|ifdef|ifndef|elif|else|endif)\b(?P<condition>(?:[^\n\\]|\\.|\\\r?\n)*)"
_WORDS = re.compile(
    b"|".join(
        [
            *(b"(?P<%s>%s)" % (kind.encode(), pattern) for kind, pattern in _NAMES.items()),
            b"(?P<skipped>%s)" % b"|".join(_SKIPPED),
            _DIRECTIVE,
        ]
    ),
    re.MULTILINE | re.DOTALL,
)
_SHIM = re.compile(
    rb"__has_include|SYCL_LANGUAGE_VERSION|SYCL_VERSION|SYCL_?(?:1_?2_?1|2020)|__INTEL_(?:LLVM|CLANG)_COMPILER"
    rb"|LIBSYCL|SYCL_COMPILER_VERSION|HIPSYCL|ADAPTIVECPP|ACPP|COMPUTECPP|TRISYCL|ONEAPI_VERSION|SYCL_EXT_"
)


@record
class Word:
    """One old name in code. ``kind`` is that of the table above."""

    kind: str
    text: str
    span: Span


@record
class Words:
    """The old names of one file, and its shims."""

    found: tuple[Word, ...]
    shims: tuple[Span, ...]

    def in_shim(self, offset: int) -> bool:
        """Whether text stands under a condition that asks which SYCL there is."""
        return any(shim.start <= offset < shim.end for shim in self.shims)


def words(content: bytes) -> Words:
    """One pass over the text. A condition that is not closed reaches to the end."""
    if not any(each in content for each in _HINTS):
        return Words((), ())
    found: list[Word] = []
    shims: list[Span] = []
    open_conditions: list[tuple[int, bool]] = []
    for match in _WORDS.finditer(content):
        kind = match.lastgroup
        if kind in _NAMES:
            found.append(Word(kind, match.group().decode(errors="replace"), Span(*match.span())))
        elif match["directive"] is not None:
            _conditional(match, open_conditions, shims)
    shims += [Span(start, len(content)) for start, is_shim in open_conditions if is_shim]
    every = Words(tuple(found), tuple(shims))
    return Words(tuple(each for each in found if not every.in_shim(each.span.start)), every.shims)


def _conditional(match: re.Match[bytes], open_conditions: list[tuple[int, bool]], shims: list[Span]) -> None:
    directive = match["directive"]
    if directive in (b"if", b"ifdef", b"ifndef"):
        open_conditions.append((match.start(), _SHIM.search(match["condition"]) is not None))
    elif directive == b"endif" and open_conditions:
        start, is_shim = open_conditions.pop()
        if is_shim:
            shims.append(Span(start, match.end()))
    elif directive == b"elif" and open_conditions and _SHIM.search(match["condition"]):
        open_conditions[-1] = (open_conditions[-1][0], True)


def comments(content: bytes) -> Iterator[Span]:
    """Where comments stand; lines of ``//`` are one comment each."""
    for match in _COMMENT.finditer(content):
        if match.group().startswith((b"//", b"/*")):
            yield Span(*match.span())


_COMMENT = re.compile(b"|".join(_SKIPPED), re.DOTALL)
