"""What the reader of mangled names rests on: its letters, the types it makes, and the text with a place in it.

Source: Itanium C++ ABI, sections 5.1.3 (operator encodings), 5.1.5 (builtin types) and 5.1.10 (compression).
"""

from collections.abc import Mapping

from sycllint.beside import beside
from sycllint.record import NamedTuple


class Beyond(Exception):  # noqa: N818 - an answer of the reader, not a failure
    """A construct that the reader does not know."""


class NamePart(NamedTuple):
    """One of the names that a qualified name consists of."""

    name: str
    """``(lambda)`` for a closure type, ``(anonymous)`` for a namespace without a name."""
    arguments: "tuple[Demangled, ...] | None" = None
    is_function: bool = False
    signature: str = ""
    """The parameters of a lambda."""
    number: int = 0
    """Which of the lambdas with this signature it is in what is around it, from 0."""

    def __str__(self) -> str:
        """``Foo<float>``."""
        if self.arguments is None:
            return self.name
        return f"{self.name}<{', '.join(each.text for each in self.arguments)}>"


class Demangled(NamedTuple):
    """A type, as text that is the same for the same type, and the names it consists of when it is a class."""

    text: str
    parts: tuple[NamePart, ...] = ()
    declarators: str = ""
    """The end of ``text`` that qualifies it or makes a pointer or a reference of it: `` const*``."""

    @property
    def bare(self) -> str:
        """``text`` without its declarators."""
        return self.text.removesuffix(self.declarators)

    @classmethod
    def of(cls, parts: tuple[NamePart, ...]) -> "Demangled":
        """The class or function with these names."""
        return cls("::".join(map(str, parts)), parts)


def named(*names: str) -> Demangled:
    """The class with these names."""
    return Demangled.of(tuple(map(NamePart, names)))


_TABLES = beside(__file__)
BUILTINS: Mapping[str, str] = _TABLES["builtins"]
STANDARD: Mapping[str, str] = _TABLES["standard"]
"""Builtin types of two letters, and the substitutions that are always there."""
OPERATORS: Mapping[str, str] = {**_TABLES["one"], **_TABLES["two"], **_TABLES["other"]}
"""What each operator is called."""
OPERANDS = {**dict.fromkeys(_TABLES["one"], 1), **dict.fromkeys(_TABLES["two"], 2), "qu": 3}
"""How many operands an operator has in an expression."""


class Reader:
    """A text and how far it is read."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    @property
    def at_end(self) -> bool:
        """Whether nothing is left."""
        return self._at >= len(self._text)

    def peek(self) -> str:
        """The next character; empty at the end."""
        return self._text[self._at : self._at + 1]

    def ahead(self, count: int) -> str:
        """The character ``count`` after the next one."""
        return self._text[self._at + count : self._at + count + 1]

    def take(self, count: int = 1) -> str:
        """The next characters, passed over. Raises ``Beyond`` when there are none."""
        found = self._text[self._at : self._at + count]
        if len(found) < count:
            raise Beyond
        self._at += count
        return found

    def took(self, text: str) -> bool:
        """Whether ``text`` follows; it is passed over then."""
        if not self._text.startswith(text, self._at):
            return False
        self._at += len(text)
        return True

    def require(self, text: str) -> None:
        """Pass over ``text``. Raises ``Beyond`` when something else follows."""
        if not self.took(text):
            raise Beyond

    def digits(self) -> str:
        """The digits that follow, perhaps none."""
        start = self._at
        while self.peek().isdigit():
            self._at += 1
        return self._text[start : self._at]

    def source_name(self) -> str:
        """An identifier behind its length."""
        return self.take(int(self.digits() or "0") or self._nothing())

    def _nothing(self) -> int:
        raise Beyond
