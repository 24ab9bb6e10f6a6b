"""Conditions of ``if`` and ``while``, for one way of the run (CMake, command ``if``)."""

import re
from collections.abc import Callable, Container, Sequence

from sycllint.builds.cmake.expansion import FALSE, TRUE, expanded, is_false
from sycllint.builds.cmake.script import CMakeArgument, Quoting
from sycllint.builds.cmake.state import UNKNOWN, Read
from sycllint.record import NamedTuple

_COMPARED: dict[str, Callable[[int], bool]] = {
    "EQUAL": lambda order: order == 0,
    "LESS": lambda order: order < 0,
    "GREATER": lambda order: order > 0,
    "LESS_EQUAL": lambda order: order <= 0,
    "GREATER_EQUAL": lambda order: order >= 0,
}
_BINARY = frozenset(
    {"MATCHES", "IN_LIST", "IS_NEWER_THAN", "PATH_EQUAL"}
    | {prefix + each for prefix in ("", "STR", "VERSION_") for each in _COMPARED}
)
_UNARY = frozenset({"DEFINED", "TARGET", "COMMAND", "POLICY", "TEST", "EXISTS", "IS_DIRECTORY", "IS_ABSOLUTE"})
_OR, _AND, _NOT, _OPENING, _CLOSING = (frozenset({each}) for each in ("OR", "AND", "NOT", "(", ")"))
_NUMBER = re.compile(r"[+-]?\d+")


class ConditionWord(NamedTuple):
    """One word of a condition; quoted words are no operators and name no variables."""

    text: str
    quoted: bool


def condition_words(arguments: Sequence[CMakeArgument], read: Read) -> list[ConditionWord]:
    """The words of a condition, with references put in."""
    found: list[ConditionWord] = []
    for each in arguments:
        if each.quoting is not Quoting.NONE:
            text = each.text if each.quoting is Quoting.BRACKET else expanded(each.text, read)
            found.append(ConditionWord(text, quoted=True))
        else:
            text = expanded(each.text, read)
            parts = text.split(";") if ";" in text else (text,)
            found += [ConditionWord(part, quoted=False) for part in parts if part]
    return found


def decided(words: Sequence[ConditionWord], read: Read, is_target: Callable[[str], bool | None]) -> bool | None:
    """Whether a condition holds; ``None`` where that rests on what is not known."""
    parser = _Parser(list(words), read, is_target)
    answer = parser.either()
    return answer if parser.is_done() else None


class _Parser:
    def __init__(self, words: list[ConditionWord], read: Read, is_target: Callable[[str], bool | None]) -> None:
        self._words = words
        self._read = read
        self._is_target = is_target
        self._at = 0

    def is_done(self) -> bool:
        """Whether all words are read."""
        return self._at == len(self._words)

    def _operator(self, names: Container[str]) -> str | None:
        """The operator that stands here, which is read."""
        if self._at == len(self._words):
            return None
        word = self._words[self._at]
        if word.text not in names or word.quoted:
            return None
        self._at += 1
        return word.text

    def either(self) -> bool | None:
        answer = self._both()
        while self._operator(_OR):
            other = self._both()
            answer = True if True in (answer, other) else None if None in (answer, other) else False
        return answer

    def _both(self) -> bool | None:
        answer = self._negated()
        while self._operator(_AND):
            other = self._negated()
            answer = False if False in (answer, other) else None if None in (answer, other) else True
        return answer

    def _negated(self) -> bool | None:
        if self._operator(_NOT):
            answer = self._negated()
            return None if answer is None else not answer
        return self._basic()

    def _basic(self) -> bool | None:
        if self._operator(_OPENING):
            answer = self.either()
            return answer if self._operator(_CLOSING) else None
        unary = self._operator(_UNARY)
        if unary is not None:
            return self._asked(unary)
        if self.is_done():
            return None
        word = self._words[self._at]
        self._at += 1
        binary = self._operator(_BINARY)
        if binary is None:
            return self._truth(word)
        if self.is_done():
            return None
        other = self._words[self._at]
        self._at += 1
        return self._compared(binary, word, other)

    def _asked(self, operator: str) -> bool | None:
        if self.is_done():
            return None
        name = self._words[self._at].text
        self._at += 1
        if operator == "DEFINED" and not name.startswith("ENV{"):
            value = self._read(name.removeprefix("CACHE{").rstrip("}"))
            return None if value == UNKNOWN else value is not None
        if operator == "TARGET":
            return self._is_target(name)
        return None

    def _truth(self, word: ConditionWord) -> bool | None:
        text = word.text
        if UNKNOWN in text:
            return None
        if text.upper() in TRUE or (_NUMBER.fullmatch(text) and int(text) != 0):
            return True
        if is_false(text) or _NUMBER.fullmatch(text):
            return False
        if word.quoted:
            return False
        value = self._read(text)
        if value is None:
            return False
        return None if UNKNOWN in value else not is_false(value) and value.upper() not in FALSE

    def _value(self, word: ConditionWord) -> str:
        """The value of a side of a comparison: for the name of a variable its value."""
        if word.quoted or UNKNOWN in word.text:
            return word.text
        value = self._read(word.text)
        return word.text if value is None else value

    def _compared(self, operator: str, word: ConditionWord, other: ConditionWord) -> bool | None:
        left = self._value(word)
        if operator == "IN_LIST":
            listed = self._read(other.text) or ""
            return None if UNKNOWN in left + listed else left in listed.split(";")
        if operator == "MATCHES":
            return _matches(left, other.text)
        right = self._value(other)
        if UNKNOWN in left + right or operator in ("IS_NEWER_THAN", "PATH_EQUAL"):
            return None
        if operator.startswith("STR"):
            return _COMPARED[operator.removeprefix("STR")]((left > right) - (left < right))
        if operator.startswith("VERSION_"):
            first, second = _version(left), _version(right)
            return _COMPARED[operator.removeprefix("VERSION_")]((first > second) - (first < second))
        if not (_NUMBER.fullmatch(left) and _NUMBER.fullmatch(right)):
            return False
        return _COMPARED[operator]((int(left) > int(right)) - (int(left) < int(right)))


def _version(text: str) -> tuple[int, ...]:
    numbers = [int(each) for each in re.findall(r"\d+", text)]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def _matches(text: str, pattern: str) -> bool | None:
    """CMake's regular expressions are a part of Python's, but for what is escaped in brackets."""
    if UNKNOWN in text + pattern or "\\" in pattern or len(text) > 400:
        return None
    try:
        return re.search(pattern, text) is not None
    except re.error:
        return None
