"""Which folders are a program and a project: by the build files and the repository above a file.

A *program* is what one build file beside or above the sources builds, as a benchmark with its makefile. A *project* is
all that is developed together: the repository, or else the outermost folder with a build file. It holds its programs.
"""

import os

from sycllint.source.disk import Disk
from sycllint.source.files import shown

MAKEFILES = ("Makefile", "makefile", "GNUmakefile")
REPOSITORY = ".git"
BUILD_FILES = (*MAKEFILES, "CMakeLists.txt", "compile_commands.json", "meson.build")
LEVELS = 6
"""Folders upwards in which a mark is looked for, from a file, and from one mark to the next."""


def program_folder(folder: str, disk: Disk) -> str:
    """The nearest folder upwards that a build file or a repository marks; else ``folder`` itself."""
    return disk.once(("program folder", folder), lambda: _nearest_mark(folder, disk))


def project_folder(folder: str, disk: Disk) -> str:
    """The folder of the repository that ``folder`` is in; without one, the outermost with a build file; else itself.

    A home directory is never a project: it contains too many unrelated files.
    """
    return disk.once(("project folder", folder), lambda: _outermost(folder, disk))


def is_marked(folder: str, disk: Disk) -> bool:
    """Whether a build file or a repository says that a folder is a program or a project; never of a home directory."""
    return not _is_home(os.path.abspath(folder or ".")) and _has_mark(folder, disk)


def same_place(folder: str, absolute: str) -> str:
    """``absolute`` as ``folder`` is written: from the working directory, ``""``, or from the root."""
    if os.path.isabs(folder):
        return absolute
    path = shown(absolute)
    return "" if path == "." else path


def _nearest_mark(folder: str, disk: Disk) -> str:
    current = os.path.abspath(folder or ".")
    for level in range(LEVELS):
        # The folder itself is asked for as it is written, so that what is asked is the same for every reader.
        here = folder if level == 0 else same_place(folder, current)
        if _has_mark(here, disk):
            return here
        parent = os.path.dirname(current)
        if parent == current:
            break
        current = parent
    return folder


def _outermost(folder: str, disk: Disk) -> str:
    current = os.path.abspath(folder or ".")
    found = folder
    unmarked = 0
    while unmarked < LEVELS and not _is_home(current) and current != os.path.dirname(current):
        here = same_place(folder, current)
        if disk.exists(os.path.join(here, REPOSITORY)):
            return here
        if any(disk.exists(os.path.join(here, mark)) for mark in BUILD_FILES):
            found, unmarked = here, 0
        else:
            unmarked += 1
        current = os.path.dirname(current)
    return found


def _has_mark(folder: str, disk: Disk) -> bool:
    return any(disk.exists(os.path.join(folder, mark)) for mark in (*BUILD_FILES, REPOSITORY))


def _is_home(absolute: str) -> bool:
    return absolute == os.path.expanduser("~")
