"""Rewrites of equal length for a file that does not parse: macros without a visible definition, gaps of the grammar.

But for those that no file which parses can need, they are tried on such files only, and kept where one parses better.
"""

import re
from collections.abc import Callable, Container, Iterable, Iterator

from sycllint.record import NamedTuple
from sycllint.source.span import Span
from sycllint.syntax.normalize import BLANKS, DECORATED, UNROLLED

_SPECIFIERS = frozenset(
    b"static inline constexpr consteval constinit extern virtual explicit friend const volatile mutable typename "
    b"register thread_local noexcept __inline__ __inline __restrict __restrict__ alignas __attribute__".split()
)
_BUILTIN = frozenset(
    b"void bool char short int long float double signed unsigned auto decltype wchar_t char8_t char16_t char32_t "
    b"size_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t ptrdiff_t".split()
)
_RESERVED = frozenset(
    b"return else new delete case goto using typedef operator throw if for while switch do template namespace class "
    b"struct union enum public private protected co_return co_await co_yield sizeof typeid default break continue asm "
    b"not and or xor concept requires try catch static_assert export import module".split()
)
_SHOUTED = re.compile(rb"[A-Z][A-Z0-9_]+")

_FLAT = rb"[^;(){}<>]*+"
_ANGLES = (
    rb"(?><" + _FLAT + rb"(?:<" + _FLAT + rb"(?:<" + _FLAT + rb">" + _FLAT + rb")*+>" + _FLAT + rb")*+>(?:::[\w:]+)*+)"
)
"""Template arguments, at most three deep."""
_ROUND = rb"\((?:[^(){};]|\([^(){};]*\)){0,200}\)"
_HEAD_WORD = rb"[A-Za-z_]\w*+(?:::\w*+)*+(?:" + _ANGLES + rb")?(?:\s*+" + _ROUND + rb")?[*&\s]++"
_NAME = rb"(?:\w+::)*(?:operator\b\s*(?:\(\s*\)|[^\s\w(]{1,3})|~?[A-Za-z_]\w*)"
_BEGINS = rb"(?:^|(?<=[;{}>])|(?<=[^:]:))[ \t]*"
_HEAD = re.compile(_BEGINS + rb"((?:" + _HEAD_WORD + rb"){1,8})(" + _NAME + rb")\s*(?=\()", re.MULTILINE)
"""What stands before the parameters of a function: specifiers, its type, its name, and macros among them."""
_WORD = re.compile(rb"([A-Za-z_][\w:]*)(" + _ANGLES + rb")?\s*(" + _ROUND + rb")?")
_CLASS = re.compile(rb"\b(?:class|struct)\s+([A-Z][A-Z0-9_]+\b(?:\s*" + _ROUND + rb")?)(?=\s+\w+\s*(?:final\s*)?[:{])")
_LOOP = re.compile(
    _BEGINS
    + rb"(_Pragma\s*\([^()\n]*\)|\w*(?:UNROLL|PRAGMA|IVDEP)\w*(?:\s*"
    + _ROUND
    + rb")?)(?=\s+(?:for|while|do)\b)",
    re.MULTILINE,
)
"""What says how a loop is compiled."""
_LOOP_PRAGMA = re.compile(
    rb"^[ \t]*(#[ \t]*pragma[ \t]+(?:clang[ \t]+loop[ \t]+|GCC[ \t]+)?(?:no_?)?(?:unroll|ivdep)\b[^\n\\]*+)(?=\n)",
    re.MULTILINE,
)
"""The same as a directive: one that is a statement inside an expression of many meanings costs the parser its way."""
_NO_POINTER = re.compile(rb"[*&]\s*=\s*(?:nullptr|0)(?=\s*[,>)])")
"""The default of a template's parameter without a name, as in ``std::enable_if_t<…> * = nullptr``."""
_TEMPLATE_METHOD = re.compile(rb"(?:\.|->)\s*(template)(?=\s+\w+\s*\()")
_INSTANTIATED_ELSEWHERE = re.compile(rb"(?m:^)[ \t]*(extern)(?=\s+template\s+[^<\s])")
_USED_PACK = re.compile(rb"\busing\s+[\w:<>, ]+::operator\s*\(\s*\)\s*(\.\.\.)(?=\s*;)")
"""The call operators of all bases, as a visitor of several lambdas has them."""
_RESTRICT = re.compile(rb"[*&]\s*(\w*RESTRICT\w*)(?=\s+\w)")
_UNENDED = re.compile(
    rb"(?m:^)[ \t]*(?:else[ \t]+)?[A-Z][A-Z0-9_]+(?:\s*"
    + _ROUND
    + rb"(?=\s+(?:(?!else\b)[\w}]|\Z))|(?=\s+(?:for|while|do|if|return|switch)\b))"
)
"""A macro that is a statement, without a semicolon."""
_ELSE = re.compile(rb"\b[A-Z][A-Z0-9_]+\s*" + _ROUND + rb"(?=(\s+)else\b(?:\s|(?<=\s\selse)))")
"""A macro that is an ``if`` statement, with what belongs to it."""
_DEFINED = re.compile(rb"#[ \t]*define[ \t]+(\w+)[^\n]*;")
_ACTING = re.compile(rb"sync|barrier|fence|wait", re.IGNORECASE)
_SHOUTED_CALL = re.compile(rb"\b[A-Z][A-Z0-9_]+\s*" + _ROUND)
_TYPE_ARGUMENT = re.compile(rb"[(,]\s*(?:void|bool|char|short|int|long|float|double|unsigned|signed)(?=\s*[,)])")
"""A type of the language among the arguments of a macro, which the grammar takes for a declaration then."""
_STATEMENT_ARGUMENT = re.compile(rb"\)\s*(;)(?=\s*\)\s*;)")
"""The end of a statement that is the last argument of a macro, ``DISPATCH(size, run<SIZE>(q););``."""
_UNSIGNED_OF = re.compile(rb"(?<![\w.])(un)?signed(?=\s*+\()")
"""A conversion that begins with a type of several words, which the grammar takes for a declaration in parentheses."""
_DECLTYPE_CALL = re.compile(rb"\bdecltype(\([\w.:>\-]*\))(?=\s*\()")
_AFTER_ASSIGNMENT = re.compile(rb",\s*0(?=\s*\))")
_LAMBDA = re.compile(
    rb"(?<=[(,=])\s*\b([A-Z][A-Z0-9_]{2,})"
    rb"(?=\s*\([^(){};]*\w(?:>|\b)[\s*&]+\w[^{};]*\)\s*(?:mutable\b\s*)?(?:->[^{};()]{1,99})?\{)"
)
"""What a lambda's captures are written as, ``KERNEL_LAMBDA(sycl::id<1> i) {``: no expression of C++ looks so.

A macro that is only given a type, ``KERNEL(float) {``, is more than the captures.
"""
_WORDS_ONLY = bytes(byte if chr(byte).isalnum() and byte < 128 else ord("_") for byte in range(256))
_GAP = re.compile(rb"[ \t\n]+")
_ENDED_LINE = re.compile(rb"(?<=\))[ \t]*\r?\n")
"""The end of a line after the arguments of a macro."""
_AFTER_STATEMENTS = (b";", b"}", b")", b"{")
_MAX_PARAMETERS = 4000
"""Bytes that are looked through for the end of a function's parameters."""
_NEAR = 400
"""Bytes before and behind an error in which its cause is looked for."""
_MAX_EXPRESSION = 600
"""Bytes that are looked through for the beginning of an expression."""


class _Piece(NamedTuple):
    """One word of a head, with what belongs to it in brackets."""

    start: int
    end: int
    name: bytes
    is_called: bool


def recovered(source: bytes, damaged: Iterable[Span] | None = None) -> bytes:
    """``source`` with all constructs near ``damaged`` rewritten that the grammar is known not to parse."""
    windows = ((0, len(source)),) if damaged is None else tuple(_windows(damaged, len(source)))

    def found(pattern: re.Pattern[bytes], *words: bytes) -> Iterator[re.Match[bytes]]:
        for window in windows:
            if not words or any(source.find(each, *window) >= 0 for each in words):
                yield from pattern.finditer(source, *window)

    text = bytearray(source)
    ends = dict(_ends(source, found(_UNENDED)))
    for start, end in _undefined_words(source, found, ends):
        text[start:end] = text[start:end].translate(BLANKS)
    for match in found(_DECLTYPE_CALL, b"decltype"):
        # The call of a type is read as that of a function with such a name.
        text[match.start(1) : match.end(1)] = match[1].translate(_WORDS_ONLY)
    for match in found(_LAMBDA):
        defined = re.search(rb"#[ \t]*define[ \t]+" + match[1] + rb"\b([(]|[ \t]+\[&\])?", source)
        if defined is None or defined[1] != b"(":
            by_reference = defined is not None and defined[1] is not None
            text[slice(*match.span(1))] = (b"[&]" if by_reference else b"[=]").ljust(len(match[1]))
    for match in found(_UNSIGNED_OF, b"signed"):
        text[slice(*match.span())] = b"uint32_t" if match[1] else b"int   "
    for match in found(_SHOUTED_CALL):
        for kind in _TYPE_ARGUMENT.finditer(source, *match.span()):
            text[kind.end() - 1] = ord("_")
    for match in found(_LOOP, b"_Pragma", b"UNROLL", b"PRAGMA", b"IVDEP"):
        text[match.start(1) : match.end(1)] = UNROLLED.ljust(len(match[1]))
    for match in found(_LOOP_PRAGMA, b"unroll", b"ivdep"):
        text[match.start(1) : match.end(1)] = UNROLLED.ljust(len(match[1]))
    for match in found(_ELSE, b"else"):
        # The condition of what follows is in the text of the macro.
        start, end = match.span(1)
        at = end - (end - start > 1)
        text[at : at + 5] = b"if(_)"
        text[start] = ord(";")
    for position in ends.values():
        if text[position] in b" \t\n":
            text[position] = ord(";")
    return bytes(text)


def undecorated(source: bytes) -> bytes:
    """``source`` without the macros with which lines begin that are neither a function's type nor its specifiers.

    Two names in a row are no C++, so that no file which parses has any: the others need not be parsed twice.
    """
    text: bytearray | None = None
    acting: frozenset[bytes] | None = None
    for line in DECORATED.finditer(source):
        head = _HEAD.match(source, line.start() + 1)
        if head is None or source.endswith((b"\\", b"\\\r"), 0, line.start()):
            continue
        acting = frozenset(_DEFINED.findall(source)) if acting is None else acting
        for start, end in _decorations(source, head, acting):
            if _SHOUTED.fullmatch(source[start:end].rstrip()) and source[end : end + 1] not in b"*&(":
                text = text or bytearray(source)
                text[start:end] = source[start:end].translate(BLANKS)
    return source if text is None else bytes(text)


def _windows(damaged: Iterable[Span], size: int) -> Iterator[tuple[int, int]]:
    """The stretches around what is damaged, which do not overlap; ``damaged`` is in order."""
    start = end = 0
    for each in damaged:
        # What swallows much begins with its cause.
        first, last = max(each.start - _NEAR, 0), min(each.end, each.start + _NEAR) + _NEAR
        if first > end:
            if end:
                yield start, end
            start = first
        end = max(end, min(last, size))
    yield start, end


def _ends(source: bytes, uses: Iterable[re.Match[bytes]]) -> Iterator[tuple[int, int]]:
    """The starts of macro uses that are statements or declarations, each with the place of its missing semicolon."""
    for match in uses:
        start = match.start() + len(match[0]) - len(match[0].lstrip())
        near = source[max(match.start() - _NEAR, 0) : match.start()].rstrip()
        begins = not near or near.rpartition(b"\n")[2].lstrip().startswith((b"#", b"//"))
        gap = _GAP.match(source, match.end())
        if (begins or near.endswith(_AFTER_STATEMENTS)) and gap is not None:
            blank = next((each for each in range(*gap.span()) if source[each] in b" \t"), -1)
            if blank >= 0:
                yield start, blank
            elif gap[0].count(b"\n") > 1 or match[0].endswith(b")"):
                yield start, gap.start()


def _undefined_words(
    source: bytes, found: Callable[..., Iterator[re.Match[bytes]]], uses: Container[int]
) -> Iterator[tuple[int, int]]:
    """What can be left out: not what begins at one of ``uses``, which are statements, when a line ends with it."""
    acting = frozenset(_DEFINED.findall(source))
    for head in found(_HEAD):
        for start, end in _decorations(source, head, acting):
            if start not in uses or not _ENDED_LINE.match(source, end):
                yield start, end
    for pattern, *words in (
        (_CLASS, b"class", b"struct"),
        (_TEMPLATE_METHOD, b"template"),
        (_INSTANTIATED_ELSEWHERE, b"extern"),
        (_USED_PACK, b"operator"),
        (_RESTRICT, b"RESTRICT"),
    ):
        for match in found(pattern, *words):
            yield match.span(1)
    for match in found(_NO_POINTER, b"nullptr", b"0"):
        yield match.span()
    for match in found(_AFTER_ASSIGNMENT, b"0"):
        if _follows_assignment(source, match.start()):
            yield match.span()
    for match in found(_STATEMENT_ARGUMENT):
        yield match.span(1)


# ------------------------------------------------------------------ functions


def _decorations(source: bytes, head: re.Match[bytes], acting: frozenset[bytes]) -> Iterator[tuple[int, int]]:
    """The words before a function's name that are neither specifiers nor its type, nor, as ``acting``, statements."""
    pieces = [
        _Piece(each.start(), each.end(), each[1], each[3] is not None)
        for each in _WORD.finditer(source, head.start(1), head.end(1))
    ]
    if any(each.name in _RESERVED for each in pieces) or head[2] in _RESERVED:
        return
    built_in = any(each.name in _BUILTIN for each in pieces)
    unknown = [each for each in pieces if each.name not in _SPECIFIERS and each.name not in _BUILTIN]
    if not built_in and not _initialises(source, head.end()):
        kept = _type_among(unknown)
        unknown = [each for each in unknown if each is not kept]
    for each in unknown:
        if each.name not in acting and not _ACTING.search(each.name):
            yield each.start, each.end


def _type_among(words: list[_Piece]) -> _Piece | None:
    """The word that is the type: the last one, or the last that is not written as macros are."""
    plain = [each for each in words if not each.is_called]
    spoken = [each for each in plain if not _SHOUTED.fullmatch(each.name)]
    return next(reversed(spoken or plain or words), None)


def _initialises(source: bytes, position: int) -> bool:
    """Whether the parameters that begin at ``position`` are a constructor's: its members' values follow."""
    depth = 0
    for offset in range(position, min(position + _MAX_PARAMETERS, len(source))):
        byte = source[offset]
        depth += (byte == ord("(")) - (byte == ord(")"))
        if depth == 0:
            rest = source[offset + 1 : offset + 40].lstrip()
            return rest[:1] == b":" and rest[:2] != b"::"
    return False


# ---------------------------------------------------------------- expressions


def _follows_assignment(source: bytes, comma: int) -> bool:
    """Whether ``(a = b, 0)`` ends in that comma; the parentheses of a call are none of an expression."""
    depth = 0
    assigned = False
    for offset in range(comma - 1, max(comma - _MAX_EXPRESSION, -1), -1):
        byte = source[offset : offset + 1]
        if byte in (b")", b"]", b"}"):
            depth += 1
        elif byte in (b"(", b"[", b"{"):
            if depth == 0:
                before = source[:offset].rstrip()[-1:]
                return assigned and byte == b"(" and not (before.isalnum() or before in (b"_", b">", b"]"))
            depth -= 1
        elif byte == b";" or (depth == 0 and byte == b","):
            return False
        elif depth == 0 and byte == b"=":
            around = source[offset - 1 : offset] + source[offset + 1 : offset + 2]
            assigned = assigned or not (around[:1] in b"<>=!" or around[1:] == b"=")
    return False
