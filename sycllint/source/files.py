"""Which files to lint: those named, and the C++ files of the directories named, without what is excluded."""

import os
import re
from collections.abc import Callable, Collection, Sequence
from enum import Enum

from sycllint.errors import SycllintError
from sycllint.record import record
from sycllint.source.ignore import Ignored
from sycllint.source.regular import TooLargeError, regular_content
from sycllint.source.text import SourceFile

EXTENSIONS = (
    ".cpp", ".cc", ".cxx", ".c++", ".cp", ".sycl", ".c",
    ".h", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".inl", ".inc", ".tpp", ".txx",
    ".ixx", ".cppm",
)  # fmt: skip
"""What a C++ file is called, in any case. A file named as an argument is linted whatever it is called."""

SHARED_EXTENSIONS = (".cu", ".cuh")
"""Extensions of CUDA files, and of SYCL files in projects that are compiled as either. In a directory they are linted
when they mention SYCL."""

HEADERS = (".h", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".inl", ".inc", ".tpp", ".txx")
"""Extensions of files that no build file lists: they are compiled with the files that include them."""

SIZE_LIMIT = 10_000_000
"""Bytes. Above it a file is data in C++ clothing: parsing it takes seconds and hundreds of megabytes."""

SKIPPED_DIRECTORIES = frozenset({"CMakeFiles", "__pycache__", "node_modules"})
"""Never entered, as no directory whose name starts with a dot is; a directory named as an argument always is."""

_BINARY_PROBE = 1024
_SYCL = re.compile(rb"(?i)\bsycl(?:compat)?(?:::|\.hpp\b|/)|\bCL/sycl\.hpp")
"""A name of SYCL's, or its header: a macro whose name has the word may as well switch SYCL off."""
_NO_FILES = (".#", "._")
"""Editors lock a file with a dangling link ``.#a.cpp``, and macOS keeps attributes in ``._a.cpp``."""
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def nothing(place: str, directory: bool) -> bool:
    """Leaves nothing out."""
    return False


@record
class Candidate:
    """One file to lint. ``path`` is as shown to the user; ``named``: an argument, not found in a directory."""

    path: str
    named: bool


class SkipReason(Enum):
    """Why a file is not linted."""

    UNREADABLE = "unreadable"
    BINARY = "binary"
    ENCODING = "encoding"
    TOO_LARGE = "too large"


@record
class Refused:
    """A file that is not linted, with the sentence that says why."""

    reason: SkipReason
    notice: str


@record
class FileList:
    """The files to lint, each once, and what went wrong while looking for them.

    Arguments come in the order given, the files of a directory sorted by name.
    """

    files: tuple[Candidate, ...]
    notices: tuple[str, ...]
    complete: bool
    """False when a directory could not be read."""


def find_files(
    paths: Sequence[str],
    *,
    excluded: Callable[[str, bool], bool] = nothing,
    gitignore: bool = True,
    texts: Collection[str] = (),
) -> FileList:
    """The files that ``paths`` stand for.

    ``excluded`` says of an absolute path, and whether it is a directory's, that it is left out, named or not. Files
    that ``gitignore`` files leave out are not found in directories, and can be named. A path among ``texts`` is a file
    whether or not it is on the disk. Directory links are followed, each directory once.

    Raises ``SycllintError`` for a path that does not exist.
    """
    walk = _Walk(excluded, gitignore=gitignore, texts=frozenset(texts))
    for path in paths:
        if "\0" in path or not (os.path.lexists(path) or shown(path) in texts):
            raise SycllintError(f"{shown(path)}: no such file or directory")
    for path in paths:
        walk.argument(path)
    return FileList(tuple(walk.found.values()), tuple(walk.notices), walk.complete)


def read_source(candidate: Candidate) -> SourceFile | Refused:
    """The file's bytes, or why it is not linted."""
    try:
        content = regular_content(candidate.path, SIZE_LIMIT)
    except TooLargeError as error:
        return Refused(SkipReason.TOO_LARGE, f"{candidate.path}: skipped: {error.strerror} for one file")
    except OSError as error:
        return Refused(SkipReason.UNREADABLE, f"{candidate.path}: not read: {error.strerror or error}")
    if content.startswith(_UTF16_MARKS):
        return Refused(SkipReason.ENCODING, f"{candidate.path}: skipped: UTF-16 text; sycllint reads UTF-8")
    if b"\0" in content[:_BINARY_PROBE]:
        return Refused(SkipReason.BINARY, f"{candidate.path}: skipped: a binary file")
    return SourceFile(candidate.path, content)


def shown(path: str, directory: str = ".") -> str:
    """``path`` as every output writes it: relative to ``directory``, the working directory; forward slashes."""
    try:
        relative = os.path.relpath(path, directory)
    except ValueError:  # another drive on Windows
        relative = os.path.abspath(path)
    return relative.replace(os.sep, "/")


class _Walk:
    """A walk over arguments and directories; files and directories are known by their real paths."""

    def __init__(self, excluded: Callable[[str, bool], bool], *, gitignore: bool, texts: Collection[str]) -> None:
        self.excluded = excluded
        self.gitignore = gitignore
        self.texts = texts
        self.ignored: Callable[[str, bool], bool] = nothing
        self.parents: dict[str, str] = {}
        """Directories of named files, and their real paths."""
        self.found: dict[str, Candidate] = {}
        self.entered: set[str] = set()
        self.notices: list[str] = []
        self.complete = True

    def argument(self, path: str) -> None:
        """Takes what one argument stands for."""
        name, place = shown(path), self._named_place(path)
        if name in self.texts or not os.path.isdir(path):
            is_plain = ".." not in path and not os.path.islink(place)
            self._file(name, place, place if is_plain else os.path.realpath(path), named=True)
        elif not self.excluded(place, True):
            real = os.path.realpath(path)
            self.ignored = Ignored(real) if self.gitignore else nothing
            self._directory(name, real)

    def _named_place(self, path: str) -> str:
        """The path of an argument: its directory resolved, its own name kept, as patterns match the name of a link."""
        parent, name = os.path.split(os.path.abspath(path))
        real = self.parents.get(parent)
        if real is None:
            real = self.parents[parent] = os.path.realpath(parent)
        return os.path.join(real, name)

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
                if name.startswith(".") or name in SKIPPED_DIRECTORIES or self._left_out(place, True):
                    continue
                if entry.is_symlink():
                    links.append((path, os.path.realpath(place)))
                else:
                    below.append((path, place))
            elif (_is_cpp(name) or _holds_sycl(name, place)) and not self.ignored(place, False):
                self._file(path, place, os.path.realpath(place) if entry.is_symlink() else place, named=False)
        return below

    def _left_out(self, place: str, directory: bool) -> bool:
        return self.excluded(place, directory) or self.ignored(place, directory)


def _is_directory(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself
        return False


def _is_cpp(name: str) -> bool:
    return name.lower().endswith(EXTENSIONS) and not name.startswith(_NO_FILES)


def _holds_sycl(name: str, place: str) -> bool:
    """Whether a file with an extension of CUDA mentions SYCL."""
    if not name.lower().endswith(SHARED_EXTENSIONS) or name.startswith(_NO_FILES):
        return False
    try:
        content = regular_content(place, SIZE_LIMIT)
    except (OSError, TooLargeError):
        return False
    return _SYCL.search(content) is not None
