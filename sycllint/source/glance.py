"""One look at the disk: stamps, listings of folders, outlines of files; nothing is remembered here."""

import os
from stat import S_ISLNK, S_ISREG

from sycllint.record import NamedTuple
from sycllint.source.files import EXTENSIONS
from sycllint.source.includes import IncludeDirective, directives

SCRIPTS = (".sh", ".bash", ".cmake", ".yml", ".yaml", ".sbatch", ".slurm", ".pbs")
_LISTED = (*EXTENSIONS, *SCRIPTS)
SCRIPT_NAMES = frozenset({"CMakeLists.txt", "Dockerfile", "Makefile", "makefile", "GNUmakefile"})

_KEEPS_CHANGES = os.name == "posix"
"""Whether ``st_ctime`` is the time of change, which, unlike that of modification, no copy or archive can set."""


class Stamp(NamedTuple):
    """What changes when a file does: size in bytes, time of change in nanoseconds, number on its file system."""

    size: int
    changed: int
    number: int


NOTHING = Stamp(-1, -1, -1)
"""The stamp of a file that does not exist."""


class Outline(NamedTuple):
    """The includes of a file, and whether it seems to define ``main``."""

    includes: tuple[IncludeDirective, ...] = ()
    has_main: bool = False

    @property
    def digest(self) -> str:
        """A digest that does not depend on the positions of the includes."""
        return digest_of(repr(([each[:2] for each in self.includes], self.has_main)).encode(errors="surrogateescape"))


class Listing(NamedTuple):
    """The C++ files and those of build tools in a folder, and its folders; both sorted, without hidden ones."""

    files: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """A digest of the listing."""
        return digest_of("\0".join([*self.files, "", *self.folders]).encode(errors="surrogateescape"))


def stamp_of(path: str) -> Stamp:
    """The stamp of a file or folder as it is now."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return NOTHING
    return Stamp(status.st_size, status.st_ctime_ns if _KEEPS_CHANGES else status.st_mtime_ns, status.st_ino)


def state_of(path: str) -> str:
    """The kind of file at a path, as in ``Disk.state``."""
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


def is_reply_index(name: str) -> bool:
    """Whether a file of this name in the reply folder of CMake's File API is its index."""
    return name.startswith("index-") and name.endswith(".json")


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
                elif entry.name.lower().endswith(_LISTED) or entry.name in SCRIPT_NAMES or is_reply_index(entry.name):
                    files.append(entry.name)
    except OSError:
        return Listing()
    return Listing(tuple(sorted(files)), tuple(sorted(folders)))


def outlined(content: bytes) -> Outline:
    """The outline of a file's bytes."""
    has_main = b"main" in content and b"int main" in content.replace(b"\n", b" ")
    return Outline(tuple(directives(content)), has_main)


def digest_of(content: bytes) -> str:
    """A collision-resistant digest: 160 bits of BLAKE2b, in hexadecimal."""
    # `hashlib` loads OpenSSL first, which takes as long as a third of the interpreter's start.
    from _blake2 import blake2b

    return blake2b(content, digest_size=20).hexdigest()
