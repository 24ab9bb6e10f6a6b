"""References to variables in arguments, lists, and generator expressions, for one way of the run."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from sycllint.builds.cmake.script import CMakeArgument, Quoting
from sycllint.builds.cmake.state import UNKNOWN, Read
from sycllint.record import NamedTuple

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_OUTSIDE = re.compile(r"\$(?:ENV|CACHE)?\{|\\.", re.DOTALL)
_INSIDE = re.compile(r"\$(?:ENV|CACHE)?\{|\\.|\}", re.DOTALL)
FALSE = frozenset({"", "0", "OFF", "NO", "FALSE", "N", "IGNORE", "NOTFOUND"})
TRUE = frozenset({"1", "ON", "YES", "TRUE", "Y"})


def words(arguments: Iterable[CMakeArgument], read: Read) -> tuple[str, ...]:
    """The arguments of a command, with variables put in and lists taken apart."""
    found: list[str] = []
    for argument in arguments:
        text = argument.text if argument.quoting is Quoting.BRACKET else expanded(argument.text, read)
        if argument.quoting is not Quoting.NONE:
            found.append(text)
        elif ";" in text:
            found += elements(text)
        elif text:
            found.append(text)
    return tuple(found)


def elements(text: str) -> list[str]:
    """The elements of a list; a semicolon inside a generator expression separates none."""
    if "$<" not in text:
        return [each for each in text.split(";") if each]
    found, depth = [""], 0
    for index, letter in enumerate(text):
        depth += (letter == "<" and text[index - 1 : index] == "$") - (letter == ">" and depth > 0)
        if letter == ";" and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return [each for each in found if each]


def expanded(text: str, read: Read) -> str:
    """``text`` with what its references stand for."""
    return _joined(_parts(text), read) if "$" in text or "\\" in text else text


def surely_read(arguments: Iterable[CMakeArgument]) -> Iterator[str]:
    """The variables that ``words`` reads first, in order, whatever they are set to."""
    for argument in arguments:
        for part in _parts(argument.text) if argument.quoting is not Quoting.BRACKET else ():
            if isinstance(part, _Reference):
                if len(part.name) != 1 or not isinstance(part.name[0], str):
                    return  # what is read from here on depends on what it is set to
                yield part.name[0]


class _Reference(NamedTuple):
    """A reference to a variable, whose name may hold others."""

    name: "tuple[str | _Reference, ...]"


def _joined(parts: "Iterable[str | _Reference]", read: Read) -> str:
    return "".join([each if isinstance(each, str) else read(_joined(each.name, read)) or "" for each in parts])


@lru_cache(maxsize=4096)
def _parts(text: str) -> "tuple[str | _Reference, ...]":
    """A text taken apart, which each run of a routine expands again."""
    return _CMakeText(text).until("")


class _CMakeText:
    """A text being read once, from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def until(self, end: str) -> "tuple[str | _Reference, ...]":
        """The text before ``end``; ``end`` is consumed, too."""
        text = self._text
        special = _INSIDE if end else _OUTSIDE
        made: list[str | _Reference] = []
        literal = ""
        while (found := special.search(text, self._at)) is not None:
            literal += text[self._at : found.start()]
            self._at = found.end()
            match found[0]:
                case "}":
                    break
                case "${" | "$CACHE{":
                    made += (literal, _Reference(self.until("}")))
                    literal = ""
                case "$ENV{":
                    self.until("}")
                    literal += UNKNOWN
                case escaped:
                    letter = escaped[1]
                    literal += "\\;" if letter == ";" else _ESCAPES.get(letter, letter)
        else:
            literal += text[self._at :]
            self._at = len(text)
        return tuple(each for each in (*made, literal) if each)


# --------------------------------------------------------------------------------------------- generator expressions


@lru_cache(maxsize=4096)
def generated(text: str) -> tuple[str, ...]:
    """The possible values of a text with generator expressions, for C++ sources in the build tree."""
    start = text.find("$<")
    if start < 0:
        return (text,)
    end = _closing(text, start)
    if end is None:
        return (UNKNOWN,)
    inner, rest = _outcomes(text[start + 2 : end]), generated(text[end + 1 :])
    return tuple(dict.fromkeys(text[:start] + middle + after for middle in inner for after in rest))


def _closing(text: str, start: int) -> int | None:
    depth = 0
    index = start
    while index < len(text):
        if text.startswith("$<", index):
            depth += 1
            index += 1
        elif text[index] == ">":
            depth -= 1
            if depth == 0:
                return index
        index += 1
    return None


def _outcomes(text: str) -> tuple[str, ...]:
    """The possible values of ``$<text>``."""
    head, colon, rest = _split(text)
    if not colon:
        return ("",) if head in ("COMMA", "SEMICOLON") else (UNKNOWN,)
    heads = generated(head)
    return tuple(dict.fromkeys(made for each in heads for made in _applied(each, rest)))


def _split(text: str) -> tuple[str, str, str]:
    """The text before the colon, the colon, and the rest; a colon inside an expression does not count."""
    depth = 0
    for index, letter in enumerate(text):
        if text.startswith("$<", index):
            depth += 1
        elif letter == ">" and depth:
            depth -= 1
        elif letter == ":" and depth == 0:
            return text[:index], ":", text[index + 1 :]
    return text, "", ""


def _applied(head: str, rest: str) -> Iterator[str]:
    match head.upper():
        case "0" | "INSTALL_INTERFACE":
            yield ""
        case "1" | "BUILD_INTERFACE" | "BUILD_LOCAL_INTERFACE":
            yield from generated(rest)
        case "COMPILE_LANGUAGE":
            yield _bit("CXX" in rest.split(","))
        case "BOOL" | "NOT" | "AND" | "OR" | "STREQUAL" | "EQUAL" | "IF":
            for text in generated(rest):
                yield from _logic(head.upper(), text.split(","))
        case _ if head.strip(UNKNOWN) and head.upper() not in _UNDECIDED:
            yield UNKNOWN
        case _ if head.upper() in _UNDECIDED:
            yield from ("1", "0")
        case _:
            # A condition that is not known.
            yield from ("", *generated(rest))


_UNDECIDED = frozenset(
    {
        "CONFIG", "PLATFORM_ID", "CXX_COMPILER_ID", "CXX_COMPILER_VERSION", "C_COMPILER_ID", "COMPILE_LANG_AND_ID",
        "TARGET_EXISTS", "VERSION_LESS", "VERSION_GREATER", "VERSION_GREATER_EQUAL", "VERSION_EQUAL",
        "VERSION_LESS_EQUAL", "IN_LIST", "LINK_LANGUAGE", "COMPILE_FEATURES",
    }
)  # fmt: skip
"""Conditions on the compiler, the platform or the configuration."""


def _logic(name: str, given: list[str]) -> Iterator[str]:
    if name == "IF" and len(given) == 3:
        if given[0] in ("0", "1"):
            yield given[1] if given[0] == "1" else given[2]
        else:
            yield from given[1:]
    elif any(UNKNOWN in each for each in given):
        yield from ("1", "0")
    elif name == "BOOL":
        yield _bit(not is_false(",".join(given)))
    elif name == "NOT":
        yield _bit(given == ["0"])
    elif name in ("AND", "OR"):
        yield _bit((all if name == "AND" else any)(each == "1" for each in given))
    else:
        yield _bit(len(given) == 2 and given[0] == given[1])


def is_false(text: str) -> bool:
    """Whether a value counts as false (CMake, command ``if``, "Basic Expressions")."""
    return text.upper() in FALSE or text.upper().endswith("-NOTFOUND")


def _bit(truth: object) -> str:
    return "1" if truth else "0"
