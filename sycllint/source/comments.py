"""The comments of a C++ text, and none of the strings that look like comments; no syntax beyond that."""

import re
from collections.abc import Iterator
from functools import cache

from sycllint.record import NamedTuple
from sycllint.source.span import Span

# A number comes before a character: the apostrophes of 1'000'000 open nothing. Nor does a quote after a backslash, so
# that a string without an end is looked for once.
_TOKEN = rb"""
      (?P<line>   //(?:[^\\\n]|\\(?:\r?\n)?)*)
    | (?P<block>  /\*.*?(?:\*/|\Z))
    | (?:\b(?:u8|[uUL])?R)"(?P<mark>[^()\\\s"]{0,16})\(.*?(?:\)(?P=mark)"|\Z)
    | (?<!\\)"(?:[^"\\\n]|\\.)*+"
    | (?:\b\d|\.\d)(?:'?[\w.])*
    | (?<!\\)'(?:[^'\\\n]|\\.)*+'
    """

_SUPPRESSION = re.compile(rb"sycllint\s*:|NOLINT\w{0,20}\([^()\n]*sycllint-")


class Comment(NamedTuple):
    """One comment: where it stands, its delimiters included, and the span of what it says."""

    span: Span
    text: Span


def comments(content: bytes) -> Iterator[Comment]:
    """Every comment, in order."""
    for match in _token().finditer(content):
        start, end = match.span()
        if match["line"] is not None:
            stop = end - 1 if content.endswith(b"\r", start, end) else end
            yield Comment(Span(start, stop), Span(start + 2, stop))
        elif match["block"] is not None:
            closed = content.endswith(b"*/", start + 2, end)
            yield Comment(Span(start, end), Span(start + 2, end - 2 if closed else end))


def blanked(content: bytes) -> bytes:
    """``content`` with its comments and the insides of its strings as spaces: offsets and lines stay what they were."""
    return _token().sub(_blank, content)


def may_suppress(content: bytes) -> bool:
    """Whether a comment that silences findings may be among those of ``content``: a quick no for most files."""
    return b"sycllint" in content and _SUPPRESSION.search(content) is not None


@cache
def _token() -> "re.Pattern[bytes]":
    return re.compile(_TOKEN, re.VERBOSE | re.DOTALL)


def _blank(match: "re.Match[bytes]") -> bytes:
    text = match[0]
    if text[:1].isdigit() or text[:1] == b".":
        return text
    return re.sub(rb"[^\r\n]", b" ", text)
