"""Rewrites of equal length that let the grammar read real code; every byte offset stays what it was."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from sycllint.record import NamedTuple
from sycllint.source.comments import comments

# What all occurrences begin with stands first: the search leaps from one to the next.
_DECORATIONS = (
    (b"SYCL_E", re.compile(rb"SYCL_E(?<!\w.{6})(?<!define .{6})(?:XTERNAL|SIMD_FUNCTION|SIMD_KERNEL)(?!\w)")),
    (b"DPCT_EXPORT", re.compile(rb"DPCT_EXPORT(?<!\w.{11})(?<!define .{11})(?!\w)")),
    (
        b"__",
        re.compile(
            rb"__(?<!\w..)(?<!define ..)(?:dpct_inline__|dpct_noinline__|dpct_align__\(\w+\)|forceinline__|forceinline"
            rb"|restrict__|restrict|host__|device__|global__|inline__|extension__)(?!\w)"
        ),
    ),
)
_SPLIT_ATTRIBUTE = re.compile(rb"\[(\s+)\[(?=\s*(?:sycl|intel|cl|gnu|clang)\s*::)")
EMPTY_LIST = "__"
"""What stands for ``{}`` where the grammar knows no list: as the default of a parameter."""
_EMPTY_DEFAULT = re.compile(rb"(=\s*)(\{\s*\})(?=\s*[,)])")
_NEW_POINTER = (
    rb"new\b(?<=\bnew)\s*(?:\([^(){};]*\)\s*)?(const\s+)?(?:\w+\s+){0,3}(?:\w|::)+(?:<[^;(){}]*>)?\s*"
    rb"(\*[\s*]*(?:const\b\s*)?)(?=[\[({;,)}])"
)
"""A pointer, of which ``new`` makes one or many: the grammar does not know these, nor ``const`` there."""
_ROW = rb"[\s\w.,+\-]*(?:\{[\s\w.,+\-]*\}[\s,]*)?\}"
"""A list after its opening brace; there may be another in it."""
_TABLE = re.compile(
    rb"\{(?=[\s{]{0,99}+[-+.\d])(?:[\s\w.,+\-]{2000,}\}|" + _ROW + rb"(?:\s*,\s*\{" + _ROW + rb"){50,})"
)
"""A long list, or many short ones, of words and numbers: a table."""
_WORD = re.compile(rb"(?<![\w.])[A-Za-z_]")
_NUMBERS = b"__numbers__..."
"""What stands for a table of numbers: a list of which neither the length nor an element is known."""
_DEFINE = re.compile(rb"#[ \t]*define\b(?:[^\n\\]+|\\\r?\n|\\)*")
# What few files need is compiled where it is used: each pattern costs a run a tenth of a millisecond.
_COMMENT_OR_TEXT = rb'"(?:[^"\\\n]|\\.)*"|/\*(?:.*?\*/|.*)'
_TEST = rb'^\w*TEST_CASE\w*\(((?:\w+\s*,)?\s*"(?:[^"\\\n]|\\.)*"[^{};]{0,400}?)\)(?=\s*\{)'
"""A test as Catch2 writes it: ``TEST_CASE("name", "[tag]") {``."""
_CUDA_LAUNCH = rb"(?<=[\w>])(?:\s|\\\n){0,99}<<<(?!<)[^;]{0,999}?>>>(?=(?:\s|\\\n)*\()"
"""What CUDA writes between a kernel's name and its arguments, in files that SYCL and CUDA share."""
_UNNAMED_ENUM = rb"(?<=\benum)\s*:(?!:)[\s\w:]+(?=\{)"
"""What stands between ``enum`` and the enumerators where it has no name, but a type."""
_HAS_INCLUDE = rb"(?<=__has_include)(\s*\(\s*)([<\"][^\n>\"]*[>\"])"
_PUNCTUATION = bytes(byte if chr(byte).isalnum() and byte < 128 else ord("_") for byte in range(256))
_IN_COMMENT = re.compile(rb"(\\\r?\n)|[^\r\n]")
# A word in capitals between parameters and body, where only an attribute can stand. Lines may be continued there.
_ARGUMENTS = rb"\((?:[^(){};]|\([^(){};]*\))*\)"
_CAPITALS = rb"[A-Z_][A-Z0-9_]+\b[\s\\]*(?:" + _ARGUMENTS + rb"[\s\\]*)?"
_SPECIFIERS = rb"(?:(?:const|mutable|noexcept)\b[\s\\]*)*"
_AFTER_PARAMETERS = re.compile(
    rb"\)[\s\\]*+" + _SPECIFIERS + rb"((?:" + _CAPITALS + rb"){1,9}+)" + _SPECIFIERS + rb"(?:->[^{};()]*)?\{"
)
_BEFORE_OPERATOR = rb"(?<!\w)((?:" + _CAPITALS + rb")+)(?:(?:inline|static|constexpr|virtual)\s+)*(?:void|auto)\s+\Z"
_BRACKETS = rb"\[\[(?:[^\[\]]|\[[^\[\]]*\])*\]\]"
"""Attributes in brackets; there may be subscripts in their arguments."""
_APPLIED = rb"(?:" + _BRACKETS + rb"[\s\\]*|" + _CAPITALS + rb")"
_CALL_OPERATOR = re.compile(rb"operator(?<=\boperator)\s*\(\s*\)\s*(" + _APPLIED + rb"*)(?=\()")
# Where the standard has attributes of a lambda, and the grammar has none: these few files pay for their patterns.
_BEFORE_PARAMETERS = rb"[A-Z_][A-Z0-9_]+\b[\s\\]*(?:" + _ARGUMENTS + rb"[\s\\]*(?=[(\[A-Z_]))?"
"""A macro before a parameter list: what is in parentheses behind its name is its own where that list still follows."""
_AFTER_CAPTURES = re.compile(
    rb"\](?=[\s\\]*[\[A-Z_])[\s\\]*((?:" + _BRACKETS + rb"[\s\\]*|" + _BEFORE_PARAMETERS + rb")+)(?=[({])"
)
_BEFORE_SPECIFIERS = rb"\)[\s\\]*((?:" + _BRACKETS + rb"[\s\\]*)+)(?=(?:mutable|const|constexpr|noexcept)\b)"
_TO_BODY = rb"[\s\\]*(?:(?:const|mutable|constexpr|noexcept)\b[\s\\]*|" + _APPLIED + rb")*(?:->[^{};()]*)?\{"
_USING = rb"(?<=\[\[)(\s*using\s+(?:sycl|intel|cl)\s*:)(?!:)"
_TAKES_PARAMETERS = re.compile(rb"(?:\]|\boperator\s*\(\s*\))[\s\\]*\Z")
DECORATED = re.compile(
    rb"\n[ \t]*+(?:(?:static|inline|constexpr|virtual|explicit|friend)[ \t]++)*+"
    rb"[A-Z][A-Z0-9]*+_[A-Z0-9_]*+(?=\s++[A-Za-z_~])"
)
"""A line that begins with a word that is written as macros are, with a word behind it."""
UNROLLED = b"[[u]]"
"""An attribute in the place of a macro that says how a loop is compiled."""
BLANKS = bytes(byte if byte in b"\r\n" else ord(" ") for byte in range(256))
"""Every byte to a blank, but for line ends."""

# Parameter lists and runs of attributes longer than this are not looked for.
_MAX_HEAD = 600


def _without_numbers(table: re.Match[bytes]) -> bytes:
    """A table of plain numbers without its elements: thousands of tree nodes that no analysis needs."""
    text = table[0]
    if _WORD.search(text):
        return text
    if text.count(b"{") > 1:
        return _NUMBERS.ljust(len(text))
    return (b"{" + _NUMBERS).ljust(len(text) - 1) + b"}"


def _spaces(match: re.Match[bytes]) -> bytes:
    return match[0].translate(BLANKS)


def _named(match: re.Match[bytes]) -> bytes:
    """An empty list as a name."""
    return match[1] + EMPTY_LIST.encode() + match[2][len(EMPTY_LIST) :].translate(BLANKS)


def _lines_only(match: re.Match[bytes]) -> bytes:
    """Blanks, and the line ends with what continues them."""
    return _IN_COMMENT.sub(lambda each: each[1] or b" ", match[0])


def _of_plain_type(made: re.Match[bytes]) -> bytes:
    """``new const char *[n]`` as one of ``char``."""
    text, start = bytearray(made[0]), made.start()
    for first, last in (made.span(1), made.span(2)):
        if first >= 0:
            text[first - start : last - start] = text[first - start : last - start].translate(BLANKS)
    return bytes(text)


def _without_arguments(test: re.Match[bytes]) -> bytes:
    """A test as a function without parameters."""
    start, end = test.start(1) - test.start(), test.end(1) - test.start()
    return test[0][:start] + test[1].translate(BLANKS) + test[0][end:]


def _without_comments(define: re.Match[bytes]) -> bytes:
    """A definition without the comments that end in it; the grammar wants them at the end of a line."""
    text = define[0]
    if b"/*" not in text or not _begins_a_line(define.string, define.start()):
        return text
    return re.compile(_COMMENT_OR_TEXT, re.DOTALL).sub(
        lambda match: match[0] if match[0][:1] == b'"' or match[0][-2:] != b"*/" else _lines_only(match),
        text,
    )


def _begins_a_line(source: bytes, position: int) -> bool:
    return not source[source.rfind(b"\n", 0, position) + 1 : position].strip(b" \t")


def decorations_blanked(source: bytes) -> bytes:
    """``source`` without the macros and spellings that the grammar cannot parse."""
    if source.rfind(b"/*") > source.rfind(b"*/"):
        source = _ended(source)
    for beginning, decorations in _DECORATIONS:
        if beginning in source:
            source = decorations.sub(_spaces, source)
    if b"new " in source:
        source = re.compile(_NEW_POINTER).sub(_of_plain_type, source)
    if b"{}" in source and (b"= {}" in source or b"={}" in source):
        source = _EMPTY_DEFAULT.sub(_named, source)
    source = _TABLE.sub(_without_numbers, source)
    if b"/*" in source:
        source = _DEFINE.sub(_without_comments, source)
    if b"TEST_CASE" in source:
        source = re.compile(_TEST, re.MULTILINE).sub(_without_arguments, source)
    if b"<<<" in source:
        source = re.compile(_CUDA_LAUNCH).sub(_lines_only, source)
    if b"enum :" in source or b"enum:" in source:
        source = re.compile(_UNNAMED_ENUM).sub(_spaces, source)
    if b"__has_include" in source:
        source = re.compile(_HAS_INCLUDE).sub(lambda match: match[1] + match[2].translate(_PUNCTUATION), source)
    if b"using" in source and b"[[" in source:
        source = re.compile(_USING).sub(_spaces, source)
    return _SPLIT_ATTRIBUTE.sub(lambda match: match[1] + b"[[", source)


class Applied(NamedTuple):
    """A macro that stands where an attribute does, ``REQUIRE_WIDTH(32)``, or attributes the grammar cannot place."""

    offset: int
    """The offset in the file."""
    text: bytes


def _ended(source: bytes) -> bytes:
    """``source`` without a comment that does not end: the parser would look for its end from each ``/*`` again."""
    for last in comments(source):
        start, end = last.span
        if source.startswith(b"/*", start) and not source.endswith(b"*/", start + 2, end):
            return source[:start] + source[start:].translate(BLANKS)
    return source


def attribute_macros(source: bytes) -> tuple[bytes, Mapping[int, tuple[Applied, ...]]]:
    """``source`` without the macros that stand for attributes of lambdas and call operators, and these macros.

    Attributes in brackets are among them where the grammar has no place for any: between the name of a call operator or
    the captures of a lambda and the parameters, and before ``mutable``.
    They are found again by what they belong to: the offset of the body's brace where they stand after the parameters,
    the offset of ``operator`` where they stand before the function.
    """
    found: dict[int, tuple[Applied, ...]] = {}
    for match in _AFTER_PARAMETERS.finditer(source):
        if _heads_a_body(source, match.start()):
            found[match.end() - 1] = _each(source, *match.span(1))
    for body, span in _misplaced(source):
        found[body] = (*found.get(body, ()), *_each(source, *span))
    if b"operator" in source:
        for match in _CALL_OPERATOR.finditer(source):
            if match[1]:
                found[match.start()] = _each(source, *match.span(1))
            first = max(match.start() - _MAX_HEAD, source.rfind(b"\n#", 0, match.start()))
            before = re.compile(_BEFORE_OPERATOR).search(source, max(first, 0), match.start())
            if before is not None and not _in_directive(source, before.start()):
                found[match.start()] = (*_each(source, *before.span(1)), *found.get(match.start(), ()))
    if not found:
        return source, {}
    text = bytearray(source)
    for macros in found.values():
        for macro in macros:
            end = macro.offset + len(macro.text)
            text[macro.offset : end] = text[macro.offset : end].translate(BLANKS)
    return bytes(text), found


def _each(source: bytes, start: int, end: int) -> tuple[Applied, ...]:
    return tuple(
        Applied(each.start(), each[0].rstrip(b" \t\r\n\\"))
        for each in re.compile(_APPLIED).finditer(source, start, end)
    )


def _misplaced(source: bytes) -> Iterator[tuple[int, tuple[int, int]]]:
    """Attributes of lambdas where the grammar has none: the offset of the body's brace, and where they stand."""
    for match in _AFTER_CAPTURES.finditer(source):
        close = _closing(source, match.end()) if source[match.end() : match.end() + 1] == b"(" else match.end()
        body = re.compile(_TO_BODY).match(source, close, close + _MAX_HEAD)
        if body is not None:
            yield body.end() - 1, match.span(1)
    for match in re.compile(_BEFORE_SPECIFIERS).finditer(source) if b"[[" in source else ():
        body = re.compile(_TO_BODY).match(source, match.end(), match.end() + _MAX_HEAD)
        if body is not None and _heads_a_body(source, match.start()):
            yield body.end() - 1, match.span(1)


def _closing(source: bytes, opening: int) -> int:
    """The offset after the parenthesis that closes the one at ``opening``; that of ``opening`` if none is near."""
    depth = 0
    for position in range(opening, min(opening + _MAX_HEAD, len(source))):
        byte = source[position : position + 1]
        depth += (byte == b"(") - (byte == b")")
        if depth == 0:
            return position + 1
    return opening


def _heads_a_body(source: bytes, close: int) -> bool:
    """Whether the parenthesis that ends at ``close`` holds the parameters of a lambda or a call operator."""
    depth = 0
    for position in range(close, max(close - _MAX_HEAD, -1), -1):
        byte = source[position : position + 1]
        depth += (byte == b")") - (byte == b"(")
        if depth == 0:
            return _TAKES_PARAMETERS.search(source, max(position - _MAX_HEAD, 0), position) is not None
    return False


def _in_directive(source: bytes, position: int) -> bool:
    return source[source.rfind(b"\n", 0, position) + 1 : position].lstrip().startswith(b"#")
