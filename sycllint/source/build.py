"""What a project's build files say of macros and include folders, where they say it plainly.

Read are ``compile_commands.json``, a ``Makefile`` beside the sources and ``CMakeLists.txt``. Nothing is run: variables
that are assigned literally are substituted, conditions on them are decided, the rest is left out.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence

from sycllint.record import field, record, replace
from sycllint.source.disk import Disk
from sycllint.source.files import shown
from sycllint.source.includes import FOREIGN

MAKEFILES = ("Makefile", "makefile", "GNUmakefile")
_ASSIGNMENT = re.compile(r"^\s*(?:export\s+|override\s+)?([A-Za-z_][\w.-]*)\s*(\+=|\?=|:=|::=|=)\s*(.*)$")
_REFERENCE = re.compile(r"\$[({]([\w.-]+)[)}]")
_IFEQ = re.compile(r"^\s*(ifeq|ifneq)\s*\(\s*(.*?)\s*,\s*(.*?)\s*\)\s*$")
_IFDEF = re.compile(r"^\s*(ifdef|ifndef)\s+(\S+)\s*$")
# Most programs have a makefile, so these are compiled where they are used.
_CMAKE_DEFINITIONS = r"^[ \t]*(?:add_compile_definitions|add_definitions|target_compile_definitions)\s*\(([^()]*)\)"
_CMAKE_FOLDERS = r"^[ \t]*(?:include_directories|target_include_directories)\s*\(([^()]*)\)"
_CMAKE_CONDITION = re.compile(r"^[ \t]*(if|endif)\s*\(", re.MULTILINE | re.IGNORECASE)

DATABASE = "compile_commands.json"
_DATABASE_PLACES = (DATABASE, os.path.join("build", DATABASE))
"""Beside the sources, and where CMake writes it unless told otherwise."""

_SYCL = (os.path.join("sycl", "sycl.hpp"), os.path.join("CL", "sycl.hpp"))
HEADERS = (".h", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".inl", ".inc", ".tpp", ".txx")

MAX_VALUE = 131_072
"""Characters of a variable: a command can have no longer argument (Linux, MAX_ARG_STRLEN)."""
MAX_DATABASE = 64_000_000
"""Characters that are read of a compilation database."""


@record
class BuildSettings:
    """Macros (name to value) and include folders. ``known``: a build file was found that says how this is compiled."""

    defines: dict[str, str] = field(default_factory=dict)
    folders: tuple[str, ...] = ()
    known: bool = False


def build_settings(
    folder: str, file: str | None = None, disk: Disk | None = None, database: str | None = None
) -> BuildSettings:
    """The settings for the sources in ``folder``; for ``file`` when a compilation database lists it.

    A header, which no database lists, has what the listed sources in ``folder`` have in common. ``database`` is the
    one to read, or its folder; without it, the nearest.
    """
    disk = disk or Disk()
    place = disk.once(("database of", folder, database), lambda: database_of(folder, disk, database))
    if file is not None and place is not None:
        listed = disk.once(("database", place), lambda: _by_source(place, disk))
        found = listed.get(os.path.abspath(file))
        if found is not None:
            return _from_entry(*found, disk)
        if listed and file.lower().endswith(HEADERS):
            return disk.once(("shared settings", folder, place), lambda: _shared(folder, listed, disk))
    return disk.once(("build files", folder), lambda: _from_files(folder, disk))


def database_of(folder: str, disk: Disk | None = None, given: str | None = None) -> str | None:
    """The compilation database ``given``, or in the folder given; else the nearest one from ``folder`` upwards.

    The search ends at the root of the repository.
    """
    if given is not None:
        return given if given.endswith(".json") else os.path.join(given, DATABASE)
    disk = disk or Disk()
    current = os.path.abspath(folder or ".")
    while True:
        for place in _DATABASE_PLACES:
            path = os.path.join(current, place)
            if disk.is_file(path):
                return path
        parent = os.path.dirname(current)
        if parent == current or disk.exists(os.path.join(current, ".git")):
            return None
        current = parent


def _from_entry(folder: str, entry: Mapping[str, object], disk: Disk) -> BuildSettings:
    """The settings of one entry of a database, its folders as every output writes them.

    A folder with an implementation of SYCL is left out: its classes would be taken for the project's.
    """
    settings = _from_words(_arguments(entry), folder, known=True)
    own = (each for each in settings.folders if not any(disk.is_file(os.path.join(each, name)) for name in _SYCL))
    return replace(settings, folders=tuple(each if each.startswith(FOREIGN) else shown(each) for each in own))


def _shared(folder: str, listed: Mapping[str, tuple[str, Mapping[str, object]]], disk: Disk) -> BuildSettings:
    """What the listed sources in ``folder``, or all where none of them is there, have in common."""
    below = os.path.join(os.path.abspath(folder), "")
    near = [entry for path, entry in listed.items() if path.startswith(below)] or list(listed.values())
    first, *others = (_from_entry(*entry, disk) for entry in near)
    defines = {
        name: text for name, text in first.defines.items() if all(each.defines.get(name) == text for each in others)
    }
    alike = all(each.defines == first.defines for each in others)
    folders = dict.fromkeys(path for each in (first, *others) for path in each.folders)
    return BuildSettings(defines, tuple(folders), known=alike)


def _from_files(folder: str, disk: Disk) -> BuildSettings:
    for name in MAKEFILES:
        path = os.path.join(folder, name)
        if disk.is_file(path):
            return _from_words(_make_words(_read(path, disk)), folder, known=True)
    path = os.path.join(folder, "CMakeLists.txt")
    if disk.is_file(path):
        return _from_cmake(_read(path, disk), folder)
    return BuildSettings()


def _read(path: str, disk: Disk, most: int = 1_000_000) -> str:
    text = (disk.content(path) or b"").decode("utf-8", errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")[:most]


def _from_words(words: Sequence[str], folder: str, *, known: bool) -> BuildSettings:
    """Settings from compiler arguments."""
    defines: dict[str, str] = {}
    folders: list[str] = []
    pending = ""
    for each in words:
        word, pending = pending + each, ""
        if word in ("-I", "-D", "-isystem", "-iquote"):
            pending = "-I" if word.startswith("-i") else word
        elif word.startswith("-I"):
            folders.append(os.path.normpath(os.path.join(folder, word[2:])))
        elif word.startswith("-D"):
            name, _, value = word[2:].partition("=")
            if name.isidentifier() and "$" not in value:
                defines[name] = value if "=" in word else "1"
        elif word.startswith("-U"):
            defines.pop(word[2:], None)
    plain = dict.fromkeys(path for path in folders if "$" not in path)
    return BuildSettings(defines, tuple(plain), known)


def database_words(path: str, disk: Disk) -> Iterator[tuple[str, str, list[str]]]:
    """Each source in a compilation database: its absolute path, its working directory, the compiler's arguments."""
    for file, folder, entry in _entries(path, disk):
        yield file, folder, _arguments(entry)


def _by_source(path: str, disk: Disk) -> Mapping[str, tuple[str, Mapping[str, object]]]:
    """Working directory and entry of each source; of a source with several, the first."""
    found: dict[str, tuple[str, Mapping[str, object]]] = {}
    for file, folder, entry in _entries(path, disk):
        found.setdefault(file, (folder, entry))
    return found


def _entries(path: str, disk: Disk) -> Iterator[tuple[str, str, Mapping[str, object]]]:
    """Source, working directory and the rest of each entry; nothing of a database that is none."""
    import json

    try:
        entries = json.loads(_read(path, disk, MAX_DATABASE))
    except (ValueError, RecursionError):
        return
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict):
            folder = os.path.join(os.path.dirname(os.path.abspath(path)), str(entry.get("directory", "")))
            yield os.path.normpath(os.path.join(folder, str(entry.get("file", "")))), folder, entry


def _arguments(entry: Mapping[str, object]) -> list[str]:
    arguments = entry.get("arguments")
    if isinstance(arguments, list):
        return [str(each) for each in arguments]
    return _split(str(entry.get("command", "")))


def _split(text: str) -> list[str]:
    if not any(each in text for each in "'\"\\"):
        return text.split()
    try:
        import shlex

        return shlex.split(text, comments=False)
    except ValueError:
        return text.split()


def _make_words(text: str) -> list[str]:
    """The words of a makefile's flag variables, under the values it gives its own variables."""
    variables: dict[str, str] = {}
    flags: list[str] = []
    # One entry per open conditional: taken, and whether it is known at all.
    stack: list[tuple[bool, bool]] = []
    for line in _logical_lines(text):
        if line.startswith("\t"):
            continue
        bare = line.partition("#")[0].rstrip()
        if not bare:
            continue
        opened = _opened(bare, variables) if "if" in bare else None
        if opened is not None:
            stack.append(opened)
            continue
        word = bare.strip()
        if word.startswith("else") and stack:
            taken, sure = stack.pop()
            rest = word[4:].strip()
            nested = _opened(rest, variables) if rest else None
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
        value = _substituted(value, variables)
        if operator == "?=" and name in variables:
            continue
        known = variables.get(name, "")
        if operator != "+=":
            variables[name] = value
        elif len(known) + len(value) <= MAX_VALUE:
            variables[name] = f"{known} {value}".strip()
        flags.append(name)
    words: list[str] = []
    for name in dict.fromkeys(flags):
        if "FLAG" in name.upper() or name.upper() in ("DEFINES", "DEFS", "INCLUDES", "INC", "INCS", "OPTS", "OPTIONS"):
            words += _split(_substituted(variables[name], variables))
    return words


def _logical_lines(text: str) -> Iterator[str]:
    yield from text.replace("\\\r\n", " ").replace("\\\n", " ").splitlines()


def _opened(line: str, variables: dict[str, str]) -> tuple[bool, bool] | None:
    match = _IFEQ.match(line)
    if match is not None:
        left, right = (_substituted(each, variables).strip("'\"") for each in (match[2], match[3]))
        sure = "$" not in left + right
        return (left == right) == (match[1] == "ifeq"), sure
    match = _IFDEF.match(line)
    if match is not None:
        return bool(variables.get(match[2])) == (match[1] == "ifdef"), True
    return None


def _substituted(text: str, variables: dict[str, str], depth: int = 6) -> str:
    """``text`` with the values of variables in it; with their names where it would have more than ``MAX_VALUE``."""

    def value(match: re.Match[str]) -> str:
        return variables.get(match[1], "")

    for _ in range(depth if "$" in text else 0):
        if len(text) + sum(len(value(each)) for each in _REFERENCE.finditer(text)) > MAX_VALUE:
            break
        replaced = _REFERENCE.sub(value, text)
        if replaced == text:
            break
        text = replaced
    return text


def _from_cmake(text: str, folder: str) -> BuildSettings:
    """Definitions and folders outside conditions."""
    text = re.sub(r"#[^\n]*", "", text)
    depth = 0
    conditional: list[tuple[int, int]] = []
    start = 0
    for match in _CMAKE_CONDITION.finditer(text):
        if match[1].lower() == "if":
            if depth == 0:
                start = match.start()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                conditional.append((start, match.end()))

    def plain(match: re.Match[str]) -> bool:
        return not any(first <= match.start() < last for first, last in conditional)

    words: list[str] = []
    for match in re.compile(_CMAKE_DEFINITIONS, re.MULTILINE | re.IGNORECASE).finditer(text):
        if plain(match):
            listed = [each.strip('"') for each in match[1].split()]
            words += [f"-D{each.removeprefix('-D')}" for each in listed if "=" in each or each.startswith("-D")]
    for match in re.compile(_CMAKE_FOLDERS, re.MULTILINE | re.IGNORECASE).finditer(text):
        if plain(match):
            for written in match[1].split():
                path = written.strip('"')
                for here in ("${CMAKE_CURRENT_SOURCE_DIR}", "${PROJECT_SOURCE_DIR}"):
                    path = path.replace(here, ".")
                if "$" not in path and ("/" in path or path in (".", "include", "src")):
                    words.append(f"-I{path}")
    return _from_words(words, folder, known=False)
