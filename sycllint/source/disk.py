"""The disk as one run sees it: files and folders, each looked at once, and a record of what was asked of them.

What an analysis answers rests on what it asked here. An answer can be taken again as long as all of that still holds;
so analyses read the disk through this module and by no other way.
"""

import os
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from stat import S_ISLNK, S_ISREG
from typing import TypeVar, cast

from sycllint.record import NamedTuple
from sycllint.source.files import EXTENSIONS, Candidate, Refusal, Refused, read_source
from sycllint.source.includes import Directive, directives
from sycllint.source.text import SourceFile

Answer = TypeVar("Answer")

KEPT_FILES = 1200
"""Files whose bytes are kept; what is looked at again after that is read again."""

SETTLED = 2_000_000_000
"""Nanoseconds. A file that changed less than this before it was read may change again and keep its stamp: file systems
count time in steps of up to two seconds (FAT; Linux kernel documentation, "VFAT")."""

SCRIPTS = (".sh", ".bash", ".cmake", ".yml", ".yaml", ".sbatch", ".slurm", ".pbs")
SCRIPT_NAMES = frozenset({"CMakeLists.txt", "Dockerfile", "Makefile", "makefile", "GNUmakefile"})


_KEEPS_CHANGES = os.name == "posix"
"""There is a time of change that nobody can set: unlike the time of modification, which copies and archives keep."""


class Stamp(NamedTuple):
    """What changes when a file does: size in bytes, time of change in nanoseconds, number on its file system."""

    size: int
    changed: int
    number: int


NOTHING = Stamp(-1, -1, -1)
"""Of what is not there."""


class Read(NamedTuple):
    """A file that was read: its stamp before that, and the digest of its bytes.

    ``""`` when it could not be read, ``refused`` when it is none to be linted.
    """

    stamp: Stamp
    digest: str


class Skimmed(NamedTuple):
    """A file of which only the outline was looked at."""

    stamp: Stamp
    digest: str
    outline: str


class Entered(NamedTuple):
    """A folder that was listed."""

    stamp: Stamp
    listing: str


class Outline(NamedTuple):
    """What a file tells of its program: whom it includes, and whether it seems to have a ``main``."""

    includes: tuple[Directive, ...] = ()
    has_main: bool = False

    @property
    def digest(self) -> str:
        """The same for outlines that differ only in where on the file their includes stand."""
        return digest_of(repr(([each[:2] for each in self.includes], self.has_main)).encode(errors="surrogateescape"))


class Listing(NamedTuple):
    """The C++ files and scripts in a folder, and its folders; both sorted, without hidden ones."""

    files: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """The same for equal listings."""
        return digest_of("\0".join([*self.files, "", *self.folders]).encode(errors="surrogateescape"))


class Asked:
    """What was asked of the disk on the way to one answer, and what the disk said."""

    def __init__(self) -> None:
        self.contents: dict[str, Read] = {}
        self.outlines: dict[str, Skimmed] = {}
        self.listings: dict[str, Entered] = {}
        self.states: dict[str, tuple[Stamp, dict[str, str]]] = {}
        """By folder: its stamp, and by name what is there (see ``Disk.state``)."""
        self.below: dict[int, Asked] = {}
        """What was asked for answers that this one rests on and others do too, by identity."""


class Disk:
    """Files and folders of one run. ``texts`` stand in for the contents of files, by path."""

    def __init__(self, texts: Mapping[str, bytes] | None = None) -> None:
        self._texts = {os.path.normpath(path): SourceFile(path, text) for path, text in (texts or {}).items()}
        self._asked = [Asked()]
        self._stamps: dict[str, Stamp] = {}
        self._states: dict[str, str] = {}
        self._reads: dict[str, Read | None] = {}
        self._sources: OrderedDict[str, SourceFile | Refused] = OrderedDict()
        self._outlines: dict[str, Outline] = {}
        self._listings: dict[str, Listing] = {}
        self._answers: dict[object, tuple[object, Asked]] = {}

    # --------------------------------------------------------------- asking

    @contextmanager
    def asking(self) -> Iterator[Asked]:
        """All that is asked inside, which is not counted to what goes on around it."""
        asked = Asked()
        self._asked.append(asked)
        try:
            yield asked
        finally:
            self._asked.pop()

    def rest_on(self, asked: Asked) -> None:
        """The answer in the making rests on all of ``asked``."""
        self._asked[-1].below[id(asked)] = asked

    def once(self, key: object, work: Callable[[], Answer]) -> Answer:
        """What ``work`` answers, worked out when first asked for; every answer made with it rests on what it asked."""
        if key not in self._answers:
            with self.asking() as asked:
                self._answers[key] = (work(), asked)
        answer, asked = self._answers[key]
        self.rest_on(asked)
        return cast("Answer", answer)

    def sure_of(self, asked: Asked) -> bool:
        """Whether no file changed between two looks at it."""
        paths = (*asked.contents, *asked.outlines)
        return all(self._reads[path] is not None for path in paths) and all(map(self.sure_of, asked.below.values()))

    # ---------------------------------------------------------------- files

    def read(self, candidate: Candidate) -> SourceFile | Refused:
        """The file's bytes, or why it is not linted."""
        path = os.path.normpath(candidate.path)
        if path in self._texts:
            return self._texts[path]
        found = self._sources.get(path)
        if found is None:
            stamp = self.stamp(path)
            found = read_source(candidate)
            self._note_read(path, stamp, _digest_of(found))
            self._sources[path] = found
            while len(self._sources) > KEPT_FILES:
                self._sources.popitem(last=False)
        self._asked[-1].contents[path] = self._reads[path] or Read(NOTHING, "")
        return found

    def source(self, path: str) -> SourceFile | None:
        """The file, if it is one that can be read as source."""
        found = self.read(Candidate(path, named=True))
        return found if isinstance(found, SourceFile) else None

    def outline(self, path: str) -> Outline:
        """The outline of a file; an empty one of what cannot be read."""
        path = os.path.normpath(path)
        if path not in self._outlines:
            with self.asking():
                source = self.source(path)
            self._outlines[path] = Outline() if source is None else outlined(source.content)
        outline = self._outlines[path]
        if path not in self._texts:
            self._asked[-1].outlines[path] = Skimmed(*(self._reads[path] or Read(NOTHING, "")), outline.digest)
        return outline

    def content(self, path: str) -> bytes | None:
        """The bytes of any file, as of a script; ``None`` when it cannot be read."""
        stamp = self.stamp(path)
        try:
            with open(path, "rb") as stream:
                content = stream.read()
        except OSError:
            content = None
        self._note_read(path, stamp, "" if content is None else digest_of(content))
        self._asked[-1].contents[path] = self._reads[path] or Read(NOTHING, "")
        return content

    def _note_read(self, path: str, stamp: Stamp, digest: str) -> None:
        read = Read(stamp, digest)
        known = self._reads.setdefault(path, read)
        if known is not None and known.digest != read.digest:
            self._reads[path] = None

    # -------------------------------------------------------------- folders

    def is_file(self, path: str) -> bool:
        """Whether there is a regular file."""
        return self.state(path).endswith("file")

    def exists(self, path: str) -> bool:
        """Whether there is anything."""
        return not self.state(path).endswith("nothing")

    def state(self, path: str) -> str:
        """``file``, ``other`` or ``nothing``; with ``link to`` before it where a link leads there."""
        folder, name = os.path.split(path)
        asked = self._asked[-1].states.get(folder)
        if asked is None:
            asked = self._asked[-1].states[folder] = (self.stamp(folder or "."), {})
        state = asked[1].get(name)
        if state is None:
            if path not in self._states:
                self._states[path] = state_of(path)
            state = asked[1][name] = self._states[path]
        return state

    def listing(self, folder: str) -> Listing:
        """The files and folders in ``folder``; none when it cannot be read."""
        stamp = self.stamp(folder or ".")
        if folder not in self._listings:
            self._listings[folder] = listed(folder)
        listing = self._listings[folder]
        self._asked[-1].listings[folder] = Entered(stamp, listing.digest)
        return listing

    def stamp(self, path: str) -> Stamp:
        """The stamp of a file or folder as it was when first asked for."""
        stamp = self._stamps.get(path)
        if stamp is None:
            stamp = self._stamps[path] = stamp_of(path)
        return stamp


def stamp_of(path: str) -> Stamp:
    """The stamp of a file or folder as it is now."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return NOTHING
    return Stamp(status.st_size, status.st_ctime_ns if _KEEPS_CHANGES else status.st_mtime_ns, status.st_ino)


def state_of(path: str) -> str:
    """What is at a path now, in the words of ``Disk.state``."""
    try:
        mode = os.lstat(path).st_mode
    except (OSError, ValueError):
        return "nothing"
    if not S_ISLNK(mode):
        return "file" if S_ISREG(mode) else "other"
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return "link to nothing"
    return "link to file" if S_ISREG(mode) else "link to other"


def listed(folder: str) -> Listing:
    """The files and folders in a folder now."""
    files: list[str] = []
    folders: list[str] = []
    try:
        with os.scandir(folder or ".") as entries:
            for entry in entries:
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.name)
                elif entry.name in SCRIPT_NAMES or entry.name.lower().endswith((*EXTENSIONS, *SCRIPTS)):
                    files.append(entry.name)
    except OSError:
        return Listing()
    return Listing(tuple(sorted(files)), tuple(sorted(folders)))


def outlined(content: bytes) -> Outline:
    """The outline of a file's bytes."""
    has_main = b"main" in content and b"int main" in content.replace(b"\n", b" ")
    return Outline(tuple(directives(content)), has_main)


def _digest_of(found: SourceFile | Refused) -> str:
    if isinstance(found, SourceFile):
        return digest_of(found.content)
    return "" if found.reason is Refusal.UNREADABLE else "refused"


def digest_of(content: bytes) -> str:
    """A digest that nobody can aim at: 160 bits of BLAKE2b, in hexadecimal."""
    # `hashlib` loads OpenSSL first, which takes as long as a third of the interpreter's start.
    from _blake2 import blake2b

    return blake2b(content, digest_size=20).hexdigest()
