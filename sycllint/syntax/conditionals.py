"""Preprocessor conditionals, before parsing: include guards, and those that cut a construct in two.

The grammar knows a conditional only around whole statements. A construct of which a conditional holds but a part parses
when of every such conditional one branch alone is left, the first that may be compiled.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from operator import attrgetter

from sycllint.record import NamedTuple
from sycllint.source.span import Span
from sycllint.syntax.normalize import BLANKS

_DIRECTIVE = re.compile(
    rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b((?:[^\n\\]|\\\r?\n|\\)*)", re.MULTILINE
)
_COMMENT = rb"\s++|//[^\n]*+|/\*(?s:.*?)(?:\*/|\Z)"
_GUARD = re.compile(
    rb"(?:" + _COMMENT + rb"|#[ \t]*pragma[ \t]+once\b[^\n]*+)*+"
    rb"(#[ \t]*(?:ifndef[ \t]+|if[ \t]*![ \t]*defined[ \t]*\(?[ \t]*)(\w+)[ \t]*\)?)(?:" + _COMMENT + rb")*+"
    rb"#[ \t]*define[ \t]+\2\b[ \t]*(\d*)[ \t]*(?=\r?\n|/[/*])"
)
"""The beginning of a header that is read once: its first directive, the name, and what that is defined as."""
# What few files need is compiled where it is used.
_OF_HEADERS = rb"(?i)\w*(?:_H|_HH|_HPP|_HXX|_CUH|INCLUDED|GUARD)_*"
"""Names of headers: such a one may be defined as 1, where any other may be a setting."""
_BLANK = re.compile(rb"(?:" + _COMMENT + rb")*+\Z")
_LEFT_OUT = (
    rb"[/\"'\n](?:(?<=/)(?:/[^\n]*+|\*(?s:.*?)(?:\*/|\Z))"
    rb"|(?<=\")(?:[^\"\\\n]++|\\.)*+\"|(?<=')(?<!\w')(?:[^'\\\n]++|\\.)*+'"
    rb"|(?<=\n)[ \t]*+#(?:[^\n\\]++|\\\r?\n|\\)*+)"
)
"""Comments, texts and directives, these with the end of the line before."""
_LETTERS = bytes(byte if byte in b"\r\n" else ord("_") for byte in range(256))
_BRACKETS = re.compile(rb"[][(){}]")
_CLOSING = {b")": b"(", b"]": b"[", b"}": b"{"}
_CONTINUING = rb"(?:else|catch)\b|[^\w{}~(*&:\[+\-!#\"]|&&|\*=|\+=|-=|->|!=|:(?!:)"
"""What begins no statement."""
_WRITTEN = rb"\b([A-Za-z_]\w*+)\s*+(?:=(?!=)|[-+*/%&|^]=|<<=|>>=|\(|\[|\{|;|,|\+\+|--)"
_MAX_GAP = 4000
"""How far before and after a conditional the code around it is looked for."""
_ENDING = (b"", b";", b"{", b"}", b":")
"""What a statement, or the text before one, ends with."""

# Conditionals nested deeper than this are generated; they are left as they stand.
_MAX_NESTING = 64


def guard_blanked(source: bytes) -> bytes:
    """``source`` without the conditional that keeps a header from being read twice; its ``#define`` stays."""
    match = _GUARD.match(source)
    if match is None or (match[3] and re.compile(_OF_HEADERS).fullmatch(match[2]) is None):
        return source
    depth = 0
    last: re.Match[bytes] | None = None
    for last in _directives(source):
        if last[1] == b"endif":
            depth -= 1
            if depth == 0:
                break
        elif last[1].startswith(b"if"):
            depth += 1
        elif depth == 1:
            return source
    if last is None or depth or _BLANK.match(source, last.end()) is None:
        return source
    return b"".join(
        (
            source[: match.start(1)],
            match[1].translate(BLANKS),
            source[match.end(1) : last.start()],
            last[0].translate(BLANKS),
            source[last.end() :],
        )
    )


_ONLY_ATTRIBUTES = (
    rb"(?:" + _COMMENT + rb"|\[\[(?:[^\[\]]++|\[[^\[\]]*+\])*+\]\]"
    rb"|__attribute__\s*+\(\((?:[^()]++|\([^()]*+\))*+\)\))*+"
)
_DEVICE_ONLY = rb"(!\s*)?(?:defined\s*\(?\s*)?__SYCL_DEVICE_ONLY__\s*\)?"
"""Whether code is compiled for a device (SYCL 2020, "Preprocessor directives and macros")."""


def _decided(keyword: bytes, condition: bytes, defines: Mapping[str, str]) -> bool | None:
    """Whether a branch is compiled, as far as its own line and the configured macros decide it."""
    text = condition.split(b"//")[0].strip()
    if keyword in (b"ifdef", b"ifndef", b"elifdef", b"elifndef"):
        if text.decode(errors="replace") in defines:
            return keyword in (b"ifdef", b"elifdef")
        return None
    if text in (b"0", b"false"):
        return False
    if text in (b"1", b"true"):
        return True
    return None


class Settled(NamedTuple):
    """A text with some conditionals settled, and the names whose meaning the choice may have decided."""

    text: bytes
    unsettled: tuple[Unsettled, ...]


class Unsettled(NamedTuple):
    """A conditional of which one branch was chosen without knowing, and the names written in its branches."""

    span: Span
    names: frozenset[str]
    arms: tuple[Span, ...] = ()
    """Branches that are attributes, of which exactly one is compiled. All of them are left in the text."""


def _directives(source: bytes) -> Iterator[re.Match[bytes]]:
    """The directives of conditionals; looked for by their first byte, as most lines begin with none."""
    position = source.find(b"#")
    while position >= 0:
        line = source.rfind(b"\n", 0, position) + 1
        match = None if source[line:position].strip(b" \t") else _DIRECTIVE.match(source, line)
        if match is not None:
            yield match
        position = source.find(b"#", position + 1 if match is None else match.end())


class _Conditional(NamedTuple):
    """One ``#if … #endif``: its directives in order, each with the branch that follows it."""

    directives: tuple[re.Match[bytes], ...]

    @property
    def start(self) -> int:
        return self.directives[0].start()

    @property
    def end(self) -> int:
        return self.directives[-1].end()

    def branch(self, position: int) -> Span:
        return Span(self.directives[position].end(), self.directives[position + 1].start())


def _conditionals(source: bytes) -> Iterator[_Conditional]:
    """Every complete conditional that is not nested too deep, inner ones first."""
    open_ones: list[list[re.Match[bytes]]] = []
    for match in _directives(source):
        if match[1] in (b"if", b"ifdef", b"ifndef"):
            open_ones.append([match])
        elif open_ones:
            open_ones[-1].append(match)
            if match[1] == b"endif":
                conditional = _Conditional(tuple(open_ones.pop()))
                if len(open_ones) < _MAX_NESTING:
                    yield conditional


def settled(source: bytes, defines: Mapping[str, str], damaged: Sequence[Span]) -> Settled | None:
    """``source`` with one branch left of each conditional that cuts a construct: near a damaged span, or in its braces.

    What a bracket that is open at the end of a branch damages may be far away. ``None`` when no conditional does. Which
    branch is compiled is often not known. Names written in any branch of such a conditional are reported, so that no
    value is read off a choice made here.
    """
    text = bytearray(source)
    bare: bytearray | None = None
    unsettled: list[Unsettled] = []
    found = False
    for conditional in _conditionals(source):
        if bare is None:
            bare = _bare(source)
        kept, unsure = _choice(source, conditional, defines)
        branches = _branches(bare, conditional)
        if unsure is not None and not _cuts(bare, conditional, branches):
            continue
        _keep(bare, conditional, kept[:1])
        start, end = conditional.start, conditional.end
        last = bisect_right(damaged, end, key=attrgetter("start"))
        is_near = last > 0 and start <= damaged[last - 1].end
        if not is_near and all(map(_is_balanced, branches)):
            continue
        found = True
        _keep(text, conditional, kept)
        if unsure is not None:
            names = frozenset(_names(source, conditional, unsure))
            arms = tuple(conditional.branch(each) for each in kept) if len(kept) > 1 else ()
            unsettled.append(Unsettled(Span(conditional.start, conditional.end), names, arms))
    return Settled(bytes(text), tuple(unsettled)) if found else None


def _bare(source: bytes) -> bytearray:
    """``source`` without comments and directives; texts are words."""
    bare = re.compile(_LEFT_OUT).sub(
        lambda each: each[0].translate(_LETTERS if each[0][:1] in b"\"'" else BLANKS), b"\n" + source
    )
    return bytearray(bare[1:])


def _branches(bare: bytearray, conditional: _Conditional) -> list[bytes]:
    pairs = pairwise(conditional.directives)
    return [bytes(bare[directive.end() : following.start()]).strip() for directive, following in pairs]


def _cuts(bare: bytearray, conditional: _Conditional, branches: Sequence[bytes]) -> bool:
    """Whether a branch is not a run of whole statements, or what is around the conditional goes on in it."""
    if not any(branches):
        return False
    if any(branch and not _is_whole(branch) for branch in branches):
        return True
    before = bytes(bare[max(conditional.start - _MAX_GAP, 0) : conditional.start]).rstrip()
    after = bytes(bare[conditional.end : conditional.end + _MAX_GAP]).lstrip()
    return before[-1:] not in _ENDING or (bool(after) and re.compile(_CONTINUING).match(after) is not None)


def _is_whole(branch: bytes) -> bool:
    """Whether the text of a branch begins and ends as statements do, with every bracket in its pair."""
    return branch[-1:] in _ENDING and not re.compile(_CONTINUING).match(branch) and _is_balanced(branch)


def _is_balanced(branch: bytes) -> bool:
    opened: list[bytes] = []
    for each in _BRACKETS.findall(branch):
        if each not in _CLOSING:
            opened.append(each)
        elif not opened or opened.pop() != _CLOSING[each]:
            return False
    return not opened


def _choice(source: bytes, conditional: _Conditional, defines: Mapping[str, str]) -> tuple[tuple[int, ...], int | None]:
    """Which branches are left, and the first of those of which none is surely compiled.

    Several are left only of attributes, when exactly one of them is compiled. No such first one (``None``) when the
    branch that is left is surely the one compiled.
    """
    kept: list[int] = []
    complete = False
    unsure: int | None = None
    on_device = _holds_attributes(source, conditional)
    for position, directive in enumerate(conditional.directives[:-1]):
        decided = True if directive[1] == b"else" else _decided(directive[1], directive[2], defines)
        if decided is None and on_device:
            decided = _asks_for_device(directive[1], directive[2])
        if decided is not False and not complete:
            kept.append(position)
            complete = decided is True
            if unsure is None and not complete:
                unsure = position
    return tuple(kept if on_device and complete else kept[:1]), unsure


def _names(source: bytes, conditional: _Conditional, first: int) -> Iterator[str]:
    """The names written in the branches from the ``first`` on."""
    written = re.compile(_WRITTEN)
    for position in range(first, len(conditional.directives) - 1):
        for name in written.findall(source, *conditional.branch(position)):
            yield name.decode()


def _holds_attributes(source: bytes, conditional: _Conditional) -> bool:
    """Whether the branches are attributes and nothing else: they matter where code is compiled for the device."""
    branches = [source[slice(*conditional.branch(each))] for each in range(len(conditional.directives) - 1)]
    return any(b"[[" in each or b"__attribute__" in each for each in branches) and all(
        re.fullmatch(_ONLY_ATTRIBUTES, each) for each in branches
    )


def _asks_for_device(keyword: bytes, condition: bytes) -> bool | None:
    """What a condition is where code is compiled for the device, if it asks for that alone."""
    asked = re.fullmatch(_DEVICE_ONLY, condition.split(b"//")[0].strip())
    if asked is None or (asked[1] and b"def" in keyword):
        return None
    return not asked[1] and not keyword.endswith(b"ndef")


def _keep(text: bytearray, conditional: _Conditional, kept: Sequence[int]) -> None:
    """Blank the directives in ``text``, and every branch but those ``kept``."""
    for position, (directive, following) in enumerate(pairwise(conditional.directives)):
        last = directive.end() if position in kept else following.start()
        text[directive.start() : last] = text[directive.start() : last].translate(BLANKS)
    end = conditional.directives[-1]
    text[end.start() : end.end()] = end[0].translate(BLANKS)
