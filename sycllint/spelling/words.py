"""Words of C++ text that were names of SYCL 1.2.1: where they stand in code, outside comments, strings and shims.

A shim is text under a preprocessor condition that asks which SYCL there is: it is there to use the old name where
only that exists. Arms that only a compiler of CUDA or HIP compiles are no SYCL code either, nor are those of ``#if 0``.
Comments, strings and conditions are read only in files in which a name was found.
"""

import re
from collections.abc import Iterator

from sycllint.record import record
from sycllint.source.span import Span
from sycllint.spelling.arms import ConditionalDirective, never_compiled
from sycllint.spelling.names import matches

_SKIPPED = (
    rb"//(?:[^\n\\]|\\.|\\\r?\n)*",
    rb"/\*.*?(?:\*/|\Z)",
    rb"R\"(?P<fence>[^()\\\s]{0,16})\(.*?(?:\)(?P=fence)\"|\Z)",
    rb"\"(?:\\.|[^\"\\\n])*\"",
    rb"'(?<![0-9A-Za-z_]')(?:\\.|[^'\\\n])+'",
)
_DIRECTIVE = rb"\n[ \t]*#[ \t]*(?P<directive>if|ifdef|ifndef|elif|else|endif)\b(?P<condition>(?:[^\n\\]|\\.|\\\r?\n)*)"
_TEXT = re.compile(b"|".join([*_SKIPPED, _DIRECTIVE]), re.DOTALL)
"""What is no code: comments, strings and conditions. Each begins with a character of its own, which makes it quick."""
_SHIM = re.compile(
    rb"__has_include|SYCL_LANGUAGE_VERSION|SYCL_VERSION|SYCL_?(?:1_?2_?1|2020)|__INTEL_(?:LLVM|CLANG)_COMPILER"
    rb"|LIBSYCL|SYCL_COMPILER_VERSION|HIPSYCL|ADAPTIVECPP|ACPP|COMPUTECPP|TRISYCL|ONEAPI_VERSION|SYCL_EXT_"
)

_NEVER = re.compile(rb"__(?:CUDA|NVCC|HIP|HCC)|#[ \t]*(?:el)?if[ \t]+[01!(]")


@record
class OldName:
    """One old name in code. ``kind`` is that of the table above."""

    kind: str
    text: str
    span: Span


class Shims:
    """The stretches of one file that are there for an older SYCL, or that no SYCL compiler compiles."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._spans: list[Span] | None = None

    def around(self, offset: int) -> bool:
        """Whether text stands under a condition that asks which SYCL there is, or that never holds."""
        if self._spans is None:
            self._spans = [*_shims(self._content), *never_compiled(_directives(self._content), len(self._content))]
        return any(shim.start <= offset < shim.end for shim in self._spans)


def words(content: bytes, shims: Shims) -> tuple[OldName, ...]:
    """The old names in the code of one file, in its order."""
    candidates = matches(content)
    if not candidates:
        return ()
    skipped = _texts(content)
    stretch = next(skipped, None)
    found: list[OldName] = []
    for match, kind in candidates:
        start, end = match.span()
        while stretch is not None and stretch.end() - 1 <= start:
            stretch = next(skipped, None)
        if (stretch is None or start < stretch.start() - 1) and not shims.around(start):
            found.append(OldName(kind, match.group().decode(errors="replace"), Span(start, end)))
    return tuple(found)


def comments(content: bytes) -> Iterator[Span]:
    """The spans of comments; each line of ``//`` is one comment."""
    for match in _texts(content):
        if match.group().startswith((b"//", b"/*")):
            yield Span(match.start() - 1, match.end() - 1)


def _texts(content: bytes) -> Iterator[re.Match[bytes]]:
    """What is no code. A line before the first makes all conditions begin alike: places are one further on."""
    return _TEXT.finditer(b"\n" + content)


def _shims(content: bytes) -> Iterator[Span]:
    """A condition that is not closed reaches to the end."""
    if _SHIM.search(content) is None:
        return
    open_conditions: list[tuple[int, bool]] = []
    for match in _texts(content):
        directive = match["directive"]
        if directive in (b"if", b"ifdef", b"ifndef"):
            open_conditions.append((match.start(), _SHIM.search(match["condition"]) is not None))
        elif directive == b"endif" and open_conditions:
            start, is_shim = open_conditions.pop()
            if is_shim:
                yield Span(start, match.end() - 1)
        elif directive == b"elif" and open_conditions and _SHIM.search(match["condition"]):
            open_conditions[-1] = (open_conditions[-1][0], True)
    yield from (Span(start, len(content)) for start, is_shim in open_conditions if is_shim)


def _directives(content: bytes) -> Iterator[ConditionalDirective]:
    """The lines of conditional compilation, in a file in which some arm may never be compiled."""
    if _NEVER.search(content) is None:
        return
    for match in _texts(content):
        if match["directive"]:
            yield ConditionalDirective(
                match["directive"].decode(), match["condition"].decode(errors="replace"), match.start()
            )


def has_comment(text: bytes) -> bool:
    """Whether a comment may begin in ``text``."""
    return b"//" in text or b"/*" in text
