"""Makefiles beside the sources: the variables that hold compiler flags, under the values the file gives its own."""

import os
import re
from collections.abc import Iterator, Sequence

from sycllint.builds.settings import BuildSettings, alternatives
from sycllint.builds.words import read, settings_of, split, unfolded
from sycllint.source.disk import Disk
from sycllint.source.files import EXTENSIONS, HEADERS, SHARED_EXTENSIONS
from sycllint.source.projects import MAKEFILES

_ASSIGNMENT = re.compile(r"^\s*(?:export\s+|override\s+)?([A-Za-z_][\w.-]*)\s*(\+=|\?=|:=|::=|=)\s*(.*)$")
MAX_VALUE = 131_072
"""Characters of a variable: a command can have no longer argument (Linux, MAX_ARG_STRLEN)."""
MAX_WORK = 4_000_000
"""Characters that the values of one makefile are put into, in all; references that are left then stay as written."""
_SOURCES = tuple(each for each in (*EXTENSIONS, *SHARED_EXTENSIONS) if each not in HEADERS)
_REFERENCE = re.compile(r"\$[({]([\w.-]+)[)}]")
_IFEQ = re.compile(r"^\s*(ifeq|ifneq)\s*\(\s*(.*?)\s*,\s*(.*?)\s*\)\s*$")
_IFDEF = re.compile(r"^\s*(ifdef|ifndef)\s+(\S+)\s*$")


class _Variables:
    """The variables of one makefile, and how much may still be put into texts."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self._left = MAX_WORK

    def substituted(self, text: str, depth: int = 6) -> str:
        """``text`` with the values of variables in it; with their names where it would have more than ``MAX_VALUE``."""
        for _ in range(depth if "$" in text else 0):
            size = len(text) + sum(len(self._value(each)) for each in _REFERENCE.finditer(text))
            self._left -= size
            if size > MAX_VALUE or self._left < 0:
                break
            replaced = _REFERENCE.sub(self._value, text)
            if replaced == text:
                break
            text = replaced
        return text

    def _value(self, match: re.Match[str]) -> str:
        return self.values.get(match[1], "")


def makefile_settings(folder: str, disk: Disk) -> BuildSettings | None:
    """The settings in the makefile of ``folder``; ``None`` where there is none."""
    for name in MAKEFILES:
        path = os.path.join(folder, name)
        if disk.is_file(path):
            ways = _commands(read(path, disk))
            every = [settings_of(list(unfolded(words, folder, disk)), folder, known=True) for words in ways]
            return alternatives(every, "the commands of the makefile differ")
    return None


def _commands(text: str) -> list[list[str]]:
    """The ways in which a makefile compiles, each as the compiler, if it is named, and its arguments.

    There are several where commands name macros themselves; the flag variables count for all of them.
    """
    made = _Variables()
    variables = made.values
    flags: list[str] = []
    recipes: list[str] = []
    # One entry per open conditional: taken, and whether it is known at all.
    stack: list[tuple[bool, bool]] = []
    for line in _logical_lines(text):
        if line.startswith("\t"):
            recipes.append(line)
            continue
        bare = line.partition("#")[0].rstrip()
        if not bare:
            continue
        opened = _opened(bare, made) if "if" in bare else None
        if opened is not None:
            stack.append(opened)
            continue
        word = bare.strip()
        if word.startswith("else") and stack:
            taken, sure = stack.pop()
            rest = word[4:].strip()
            nested = _opened(rest, made) if rest else None
            if nested is None:
                stack.append((not taken, sure))
            else:
                stack.append((not taken and nested[0], sure and nested[1]))
            continue
        if word == "endif" and stack:
            stack.pop()
            continue
        if not all(taken and sure for taken, sure in stack):
            continue
        match = _ASSIGNMENT.match(bare)
        if match is None:
            continue
        name, operator, value = match.groups()
        value = made.substituted(value)
        if operator == "?=" and name in variables:
            continue
        known = variables.get(name, "")
        if operator != "+=":
            variables[name] = value
        elif len(known) + len(value) <= MAX_VALUE:
            variables[name] = f"{known} {value}".strip()
        flags.append(name)
    compiler = variables.get("CXX") or variables.get("CC") or ""
    words = split(made.substituted(compiler))[:1]
    for name in dict.fromkeys(flags):
        if "FLAG" in name.upper() or name.upper() in ("DEFINES", "DEFS", "INCLUDES", "INC", "INCS", "OPTS", "OPTIONS"):
            words += split(made.substituted(variables[name]))
    return _with_recipes(words, recipes, made) if any("-D" in each for each in recipes) else [words]


def _with_recipes(words: list[str], recipes: Sequence[str], made: _Variables) -> list[list[str]]:
    """The different commands of ``recipes`` that compile, each with the ``words`` of all before its own."""
    commands = [split(made.substituted(each.strip().lstrip("@-+"))) for each in recipes]
    ways = [(*(words or each[:1]), *each[1:]) for each in commands if _compiles(each)]
    return [*map(list, dict.fromkeys(ways))] or [words]


def _compiles(command: Sequence[str]) -> bool:
    """Whether a command of a recipe is given a source, as ``$<`` or by its name, and not only what links."""
    return any(each in ("-c", "$<") or each.lower().endswith(_SOURCES) for each in command)


def _logical_lines(text: str) -> Iterator[str]:
    yield from text.replace("\\\r\n", " ").replace("\\\n", " ").splitlines()


def _opened(line: str, made: _Variables) -> tuple[bool, bool] | None:
    match = _IFEQ.match(line)
    if match is not None:
        left, right = (made.substituted(each).strip("'\"") for each in (match[2], match[3]))
        sure = "$" not in left + right
        return (left == right) == (match[1] == "ifeq"), sure
    match = _IFDEF.match(line)
    if match is not None:
        return bool(made.values.get(match[2])) == (match[1] == "ifdef"), True
    return None
