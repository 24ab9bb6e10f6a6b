"""Names in the text of C++ files, by a regular expression over the bytes: what each definition uses.

A filter, not an answer: names are unqualified, so that two functions of one name are one here, and text that a parser
would read otherwise (a macro that opens a brace, a raw string with quotes) may be attributed to the wrong definition.
Calls through a parameter or a variable are not followed.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from sycllint.record import NamedTuple

_TOKEN = re.compile(
    # Passed over in one go: other marks, words that nothing follows, comments, literals.
    rb"(?:[^\w/\"'#{};]++|(?!(?:class|struct|union|namespace|enum)\b)\w++(?![ \t]*+[(<])"
    rb"|//[^\n]*+|/\*.*?(?:\*/|\Z)|/|\"(?:[^\"\\\n]|\\.)*+\"?|'(?:\\.[^'\n]{0,8}|[^'\\\n])'|'"
    rb"|#(?![ \t]*+define[ \t]++\w))*+"
    rb"(?:(\w++)[ \t]*+([(<])"
    rb"|([{};])"
    rb"|(class|struct|union|namespace|enum)\b(?:\s++([A-Za-z_]\w*+))?"
    rb"|\#[ \t]*+define[ \t]++(\w++)((?:[^\\\n]|\\\r?\n|\\.)*+)"
    # The end of the text, without which what is passed over there would be gone through again from each of its bytes.
    rb"|\Z)",
    re.DOTALL,
)
_WORD = re.compile(rb"[A-Za-z_]\w*")
_NO_CALLS = frozenset(
    b"if for while switch catch return sizeof alignof alignas decltype noexcept requires explicit template "
    b"__attribute__ __declspec static_assert typeid defined operator new delete throw co_await co_return "
    b"static_cast const_cast dynamic_cast reinterpret_cast".split()
)
"""Words before a parenthesis or an angle bracket that are no call. Source: ISO/IEC 14882:2020, 5.11, and attributes."""
_CLASSES = frozenset({b"class", b"struct", b"union"})
_MANY = 32
"""Names to look for in the text of a file; with more it is quicker to look it through."""

_Use: TypeAlias = tuple[bytes, tuple[bytes, ...]]
"""The name of a definition, and those that stand in its text."""


class NameUses(NamedTuple):
    """The names of one file."""

    uses: Mapping[bytes, tuple[bytes, ...]]
    """By defined function, class or macro: the names that stand in its text before a parenthesis or an angle bracket.

    Those outside all definitions are under the empty name. Of a macro, every word of its text counts.
    """

    def among(self, names: set[bytes]) -> set[bytes]:
        """Those of ``names`` that the file uses."""
        return set().union(*map(names.intersection, self.uses.values()))


class _OpenBrace(NamedTuple):
    """A brace that is open: the definitions that it belongs to, and whether it is a function's."""

    names: tuple[bytes, ...]
    is_body: bool


def names_of(content: bytes) -> NameUses:
    """The names of a file."""
    uses: dict[bytes, set[bytes]] = {b"": set()}
    scopes = [_OpenBrace((), is_body=False)]
    head: list[bytes] = []
    """Names since the last statement or brace."""
    called = b""
    """The first of them before a parenthesis: that of a function."""
    around: tuple[bytes, bytes] = (b"", b"")
    for name, after, mark, kind, of, macro, text in _TOKEN.findall(content):
        if name:
            if name not in _NO_CALLS:
                head.append(name)
                called = called or (name if after == b"(" else b"")
        elif mark == b"{":
            scopes.append(_opened(scopes[-1], called, around))
            for each in scopes[-1].names:
                uses.setdefault(each, set())
            _attribute(uses, scopes[-1].names, head)
            head, called, around = [], b"", (b"", b"")
        elif mark:
            _attribute(uses, scopes[-1].names, head)
            head, called, around = [], b"", (b"", b"")
            if mark == b"}" and len(scopes) > 1:
                scopes.pop()
        elif kind:
            around = (kind, of) if not head else around
        elif macro:
            uses.setdefault(macro, set()).update(_WORD.findall(text))
    _attribute(uses, scopes[-1].names, head)
    # A tuple takes a third of the memory of a set.
    return NameUses({name: tuple(found) for name, found in uses.items()})


def _opened(outer: _OpenBrace, called: bytes, around: tuple[bytes, bytes]) -> _OpenBrace:
    """The scope that a brace opens after ``called(``, or after the class or namespace ``around``."""
    if outer.is_body:
        return outer
    if called:
        return _OpenBrace((*outer.names, called), is_body=True)
    kind, name = around
    return _OpenBrace((*outer.names, name) if kind in _CLASSES and name else outer.names, is_body=False)


def _attribute(uses: dict[bytes, set[bytes]], names: tuple[bytes, ...], head: list[bytes]) -> None:
    for each in names or (b"",):
        uses[each].update(head)


class Mentions:
    """The names of many files together. A file is looked through for them once one that matters stands in its text."""

    def __init__(
        self,
        files: Sequence[str],
        content: Callable[[str], bytes | None],
        names: Callable[[str], NameUses | None],
    ) -> None:
        """``content`` and ``names`` say of a file what is in it; ``None`` where it cannot be read."""
        self._files = files
        self._content = content
        self._names = names
        self._leading: dict[tuple[str, ...], Mapping[str, frozenset[str]]] = {}
        """By words and file, its names that lead to them: few, where all names of a project take much memory."""

    def leading_in(self, path: str, words: tuple[str, ...]) -> frozenset[str]:
        """The ``words``, and the names in whose text one of these is used, over all files, that one file uses."""
        if words not in self._leading:
            self._leading[words] = self._led_to({each.encode() for each in words})
        return self._leading[words].get(path, frozenset())

    def _led_to(self, found: set[bytes]) -> Mapping[str, frozenset[str]]:
        """By file the names that lead to ``found``; to these all others are added that lead there."""
        new, others = set(found), [*self._files]
        left: list[_Use] = []
        known: dict[str, NameUses] = {}
        while new:
            near = {each for each in others if len(new) > _MANY or self._holds(each, new)}
            others = [each for each in others if each not in near]
            read = {each: names for each in near if (names := self._names(each)) is not None}
            known |= read
            left += [use for names in read.values() for use in names.uses.items() if use[0]]
            before = frozenset(found)
            left = _without_users(left, found)
            new = found - before
        return {path: frozenset(each.decode() for each in names.among(found)) for path, names in known.items()}

    def _holds(self, path: str, words: Iterable[bytes]) -> bool:
        content = self._content(path)
        return content is not None and any(each in content for each in words)


def _without_users(uses: list[_Use], found: set[bytes]) -> list[_Use]:
    """``uses`` without those of ``found`` and of what is found with them, which is added there."""
    is_changed = True
    while is_changed:
        left: list[_Use] = []
        for name, used in uses:
            if name in found or not found.isdisjoint(used):
                found.add(name)
            else:
                left.append((name, used))
        is_changed = len(left) < len(uses)
        uses = left
    return uses
