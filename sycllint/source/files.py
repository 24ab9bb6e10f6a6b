"""Which files to lint: those named, and the C++ files of the directories named, without what is excluded."""

import os
import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from sycllint.errors import SycllintError
from sycllint.source.text import SourceFile

EXTENSIONS = (
    ".cpp", ".cc", ".cxx", ".c++", ".cp", ".sycl", ".c",
    ".h", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".inl", ".inc", ".tpp", ".txx",
    ".ixx", ".cppm",
)  # fmt: skip
"""What a C++ file is called, in any case. A file named as an argument is linted whatever it is called."""

SIZE_LIMIT = 10_000_000
"""Bytes. Above it a file is data in C++ clothing: parsing it takes seconds and hundreds of megabytes."""

SKIPPED_DIRECTORIES = frozenset({"CMakeFiles", "__pycache__", "node_modules"})
"""Never entered, as no directory whose name starts with a dot is; a directory named as an argument always is."""

_BINARY_PROBE = 1024
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Candidate:
    """One file to lint. ``path`` is as shown to the user; ``named``: an argument, not found in a directory."""

    path: str
    named: bool


class Refusal(Enum):
    """Why a file is not linted."""

    UNREADABLE = "unreadable"
    BINARY = "binary"
    ENCODING = "encoding"
    TOO_LARGE = "too large"


@dataclass(frozen=True, slots=True)
class Refused:
    """A file that is not linted, with the sentence that says why."""

    reason: Refusal
    notice: str


@dataclass(frozen=True, slots=True)
class FileList:
    """The files to lint, each once, and what went wrong while looking for them.

    Arguments come in the order given, the files of a directory sorted by name.
    """

    files: tuple[Candidate, ...]
    notices: tuple[str, ...]
    complete: bool
    """False when a directory could not be read."""


def find_files(paths: Sequence[str], *, root: str, exclude: Sequence[str] = ()) -> FileList:
    """The files that ``paths`` stand for. ``exclude`` holds patterns as in ``.gitignore``, relative to ``root``.

    Raises ``SycllintError`` for a path that does not exist. Directory links are followed, each directory once.
    """
    walk = _Walk(_excluder(exclude, root))
    for path in paths:
        if not os.path.lexists(path):
            raise SycllintError(f"{shown(path)}: no such file or directory")
    for path in paths:
        walk.argument(path)
    return FileList(tuple(walk.found.values()), tuple(walk.notices), walk.complete)


def read_source(candidate: Candidate) -> SourceFile | Refused:
    """The file's bytes, or why it is not linted."""
    try:
        content = _content(candidate.path)
    except OSError as error:
        return Refused(Refusal.UNREADABLE, f"{candidate.path}: not read: {error.strerror or error}")
    if isinstance(content, Refused):
        return content
    if content.startswith(_UTF16_MARKS):
        return Refused(Refusal.ENCODING, f"{candidate.path}: skipped: UTF-16 text; sycllint reads UTF-8")
    if b"\0" in content[:_BINARY_PROBE]:
        return Refused(Refusal.BINARY, f"{candidate.path}: skipped: a binary file")
    return SourceFile(candidate.path, content)


def shown(path: str, directory: str = ".") -> str:
    """``path`` as every output writes it: relative to ``directory``, the working directory; forward slashes."""
    try:
        relative = os.path.relpath(path, directory)
    except ValueError:  # another drive on Windows
        relative = os.path.abspath(path)
    return relative.replace(os.sep, "/")


def _content(path: str) -> bytes | Refused:
    # Non-blocking, so that a named pipe without a writer is refused by its kind instead of waited for.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(descriptor, "rb") as stream:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return Refused(Refusal.UNREADABLE, f"{path}: not read: not a regular file")
        if status.st_size > SIZE_LIMIT:
            megabytes = status.st_size / 1_000_000
            limit = SIZE_LIMIT // 1_000_000
            sentence = f"{path}: skipped: {megabytes:.0f} MB is over the limit of {limit} MB for one file"
            return Refused(Refusal.TOO_LARGE, sentence)
        return stream.read()


class _Walk:
    """A walk over arguments and directories; files and directories are known by their real paths."""

    def __init__(self, excluded: Callable[[str, bool], bool]) -> None:
        self.excluded = excluded
        self.found: dict[str, Candidate] = {}
        self.entered: set[str] = set()
        self.notices: list[str] = []
        self.complete = True

    def argument(self, path: str) -> None:
        """Takes what one argument stands for."""
        if not os.path.isdir(path):
            self._file(shown(path), _named_place(path), os.path.realpath(path), named=True)
        elif not self.excluded(_named_place(path), True):
            self._directory(shown(path), os.path.realpath(path))

    def _file(self, path: str, place: str, real: str, *, named: bool) -> None:
        if real not in self.found and not self.excluded(place, False):
            self.found[real] = Candidate(path, named)

    def _directory(self, path: str, real: str) -> None:
        links: list[tuple[str, str]] = []
        waiting = [(path, real)]
        while waiting:
            here, real = waiting.pop()
            if real not in self.entered:
                self.entered.add(real)
                waiting.extend(reversed(self._enter(here, real, links)))
            if not waiting:
                # Links come last, so that a file reached both ways is shown under its own name.
                waiting.extend(reversed(links))
                links.clear()

    def _enter(self, here: str, real: str, links: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """Takes the files of one directory; returns its sub-directories, as shown and as they really are."""
        try:
            with os.scandir(real) as entries:
                listing = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            self.notices.append(f"{here}: not read: {error.strerror or error}")
            self.complete = False
            return []
        below = []
        for entry in listing:
            name, place = entry.name, entry.path
            path = name if here == "." else f"{here}/{name}"
            if _is_directory(entry):
                if name.startswith(".") or name in SKIPPED_DIRECTORIES or self.excluded(place, True):
                    continue
                if entry.is_symlink():
                    links.append((path, os.path.realpath(place)))
                else:
                    below.append((path, place))
            elif _is_cpp(name):
                self._file(path, place, os.path.realpath(place) if entry.is_symlink() else place, named=False)
        return below


def _is_directory(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself
        return False


def _is_cpp(name: str) -> bool:
    # Editors lock a file with a dangling link `.#a.cpp`, and macOS keeps attributes in `._a.cpp`.
    return name.lower().endswith(EXTENSIONS) and not name.startswith((".#", "._"))


def _named_place(path: str) -> str:
    """Where an argument lies: its directory resolved, its own name kept, for a link is excluded by its own name."""
    parent, name = os.path.split(os.path.abspath(path))
    return os.path.join(os.path.realpath(parent), name)


def _excluder(patterns: Sequence[str], root: str) -> Callable[[str, bool], bool]:
    """Whether an absolute path, of a directory or of a file, is excluded; outside ``root`` nothing is."""
    if not patterns:
        return lambda place, directory: False
    from pathspec import GitIgnoreSpec

    spec = GitIgnoreSpec.from_lines(patterns)
    inside = os.path.join(os.path.realpath(root), "")

    def excluded(place: str, directory: bool) -> bool:
        if not place.startswith(inside):
            return False
        relative = place[len(inside) :].replace(os.sep, "/")
        return spec.match_file(relative + "/" if directory else relative)

    return excluded
