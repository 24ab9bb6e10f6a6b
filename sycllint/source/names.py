"""Names in the text of C++ files, by a regular expression over the bytes: what each definition uses.

A filter, not an answer: names are unqualified, so that two functions of one name are one here, and text that a parser
would read otherwise (a macro that opens a brace, a raw string with quotes) may be attributed to the wrong definition.
Calls through a parameter or a variable are not followed.
"""

import re
from collections.abc import Mapping

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


class NameUses(NamedTuple):
    """The names of one file."""

    uses: Mapping[bytes, tuple[bytes, ...]]
    """By defined function, class or macro: the names that stand in its text before a parenthesis or an angle bracket.

    Those outside all definitions are under the empty name. Of a macro, every word of its text counts.
    """

    @property
    def used(self) -> frozenset[bytes]:
        """All names that the file uses."""
        return frozenset().union(*self.uses.values())


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
    """The names of many files together."""

    def __init__(self, files: Mapping[str, NameUses]) -> None:
        self._files = files
        self._leading: dict[tuple[str, ...], frozenset[bytes]] = {}
        self._last: tuple[tuple[str, tuple[str, ...]], frozenset[str]] | None = None
        """The last question and its answer, whose digest is needed next."""

    def leading_to(self, words: tuple[str, ...]) -> frozenset[bytes]:
        """``words``, and the defined names in whose text one of these is used: over all files, to the end."""
        if words not in self._leading:
            self._leading[words] = self._led_to(words)
        return self._leading[words]

    def _led_to(self, words: tuple[str, ...]) -> frozenset[bytes]:
        found = {each.encode() for each in words}
        left = [each for names in self._files.values() for each in names.uses.items() if each[0]]
        is_changed = True
        while is_changed:
            others = []
            for name, used in left:
                if name in found or not found.isdisjoint(used):
                    found.add(name)
                else:
                    others.append((name, used))
            is_changed = len(others) < len(left)
            left = others
        return frozenset(found)

    def leading_in(self, path: str, words: tuple[str, ...]) -> frozenset[str]:
        """The ``words``, and the names that lead to them, that one file uses."""
        if self._last is None or self._last[0] != (path, words):
            leading, names = self.leading_to(words), self._files.get(path)
            found = () if names is None else names.used & leading
            self._last = ((path, words), frozenset(each.decode() for each in found))
        return self._last[1]
