"""The index of a folder's C++ files, from their bytes alone: the files, and the graph of their includes.

There is one for each program and one for each project (see ``projects``), made on first use. It depends only on the
files below its folder, so a result that depends on it needs only its digest.
"""

import itertools
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache

from sycllint.grouping import grouped
from sycllint.memoized import memoized
from sycllint.source.disk import Disk, DiskQuestion
from sycllint.source.files import EXTENSIONS
from sycllint.source.glance import digest_of
from sycllint.source.includes import SYCL_HEADERS, IncludeDirective, is_foreign
from sycllint.source.names import Mentions
from sycllint.source.projects import BUILD_FILES, is_marked, same_place

MOST = 100_000
"""Files of one index, and folders. Those nearest to the top come first, so that a tree of more loses its depths."""
MOST_UNMARKED = 2_000
"""The same where nothing says that the folder is a project: it may be anything, as ``/tmp``."""

_SKIPPED = frozenset({"build", "CMakeFiles", "node_modules"})
_BUILD_FILES = frozenset(BUILD_FILES)
KEPT_GRAPHS = 4


class SourceIndex:
    """The C++ files below ``folder``, hidden folders and build folders left out.

    Paths are written as ``folder`` is: from the working directory, or from the root.
    """

    def __init__(self, folder: str, disk: Disk) -> None:
        self.folder = folder
        self._disk = disk
        self._graphs: dict[tuple[str, ...], Graph] = {}
        self._nearby: dict[tuple[str, str], str] = {}
        self._has_main: dict[str, bool] = {}

    # ---------------------------------------------------------------- files

    @cached_property
    def _walked(self) -> tuple[tuple[str, ...], frozenset[str]]:
        """The files, and the folders with a build file."""
        files: list[str] = []
        marked: set[str] = set()
        most = MOST if is_marked(self.folder, self._disk) else MOST_UNMARKED
        waiting = [os.path.abspath(self.folder or ".")]
        for current in itertools.islice(waiting, most):
            here = same_place(self.folder, current)
            listing = self._disk.listing(here)
            if not _BUILD_FILES.isdisjoint(listing.files):
                marked.add(here)
            files += (os.path.normpath(os.path.join(here, each)) for each in listing.files if is_cpp(each))
            waiting += (os.path.join(current, each) for each in listing.folders if each not in _SKIPPED)
            if len(files) >= most:
                break
        return tuple(sorted(files)), frozenset(marked)

    @property
    def files(self) -> tuple[str, ...]:
        """Sorted."""
        return self._walked[0]

    @cached_property
    def held(self) -> frozenset[str]:
        """The files as a set."""
        return frozenset(self.files)

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        return grouped((os.path.basename(each), each) for each in self.files)

    def named(self, name: str) -> Sequence[str]:
        """The files of this name, without folders."""
        return self._by_name.get(name, ())

    @cached_property
    def digest(self) -> str:
        """A digest of the names of files and build files, and of their outlines."""
        files, marked = self._walked
        said = [*files, "", *(self._disk.outline_digest(each) for each in files), "", *sorted(marked)]
        return digest_of("\0".join(said).encode(errors="surrogateescape"))

    # ------------------------------------------------------------- programs

    def program_of(self, path: str) -> str:
        """The nearest folder of the index above a file that has a build file; else the index's own."""
        folder = os.path.dirname(path)
        while folder not in self._walked[1] and folder != self.folder:
            above = os.path.dirname(folder)
            if above == folder:
                return self.folder
            folder = above
        return folder

    @cached_property
    def _programs(self) -> dict[str, list[str]]:
        return grouped((self.program_of(each), each) for each in self.files)

    def _is_another_program_s(self, path: str, folder: str) -> bool:
        """Whether a file belongs to a program with a ``main`` of its own that ``folder`` is no part of."""
        program = self.program_of(path)
        if program == self.folder or _is_within(folder, program):
            return False
        if program not in self._has_main:
            inside = self._programs[program]
            self._has_main[program] = any(self._disk.outline(each).has_main for each in inside)
        return self._has_main[program]

    # ---------------------------------------------------------------- names

    @cached_property
    def mentions(self) -> Mentions:
        """The names that the files use and define."""

        def content(path: str) -> bytes | None:
            source = self._disk.source(path)
            return source.content if source is not None else None

        return Mentions(self.files, content, self._disk.names)

    @cached_property
    def contents_digest(self) -> str:
        """A digest of the files with their contents."""
        said = [word for each in self.files for word in (each, self._disk.content_digest(each))]
        return digest_of("\0".join(said).encode(errors="surrogateescape"))

    # ------------------------------------------------------------- includes

    def nearby(self, folder: str, written: str) -> str:
        """The file that an include in ``folder`` means when no include path leads to it; ``""`` where that is open.

        That is the one found from a folder above, or in an ``include`` there; else the only file of the index whose
        path ends in ``written``, or among several the one with the most leading folders in common. Headers of another
        program, which has its own ``main``, are not looked at.
        """
        key = (folder, written)
        if key not in self._nearby:
            self._nearby[key] = self._found_nearby(folder, os.path.normpath(written))
        return self._nearby[key]

    def _found_nearby(self, folder: str, written: str) -> str:
        candidates = [each for each in self.named(os.path.basename(written)) if f"/{each}".endswith(f"/{written}")]
        if not candidates:
            return ""
        for place in self._folders_above(folder):
            for above in (place, os.path.join(place, "include")):
                path = os.path.normpath(os.path.join(above, written))
                if path in candidates:
                    return path
        own = [each for each in candidates if not self._is_another_program_s(each, folder)]
        ranked = nearest(own, folder)
        if not ranked or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
            return ""
        return ranked[0][1]

    @memoized
    def _folders_above(self, folder: str) -> tuple[str, ...]:
        """``folder`` and those above it, as far as the index's own."""
        current, last = os.path.abspath(folder or "."), os.path.abspath(self.folder or ".")
        found: list[str] = []
        while _is_within(current, last):
            found.append(same_place(self.folder, current))
            current = os.path.dirname(current)
        return tuple(found)

    @cached_property
    def _including(self) -> dict[str, list[tuple[str, IncludeDirective]]]:
        return grouped(
            (os.path.basename(directive.path), (each, directive))
            for each in self.files
            for directive in self._disk.outline(each).includes
        )

    def including(self, name: str) -> Sequence[tuple[str, IncludeDirective]]:
        """The include directives for a file of this name, in any folder, each with the file that it is in."""
        return self._including.get(name, ())

    def graph(self, folders: tuple[str, ...]) -> "Graph":
        """The graph of includes with ``folders`` as the include path; the last few are kept."""
        graph = self._graphs.pop(folders, None) or Graph(self, folders, self._disk)
        self._graphs[folders] = graph
        if len(self._graphs) > KEPT_GRAPHS:
            del self._graphs[next(iter(self._graphs))]
        return graph


class Graph:
    """The graph of includes among the files of an index."""

    def __init__(self, index: SourceIndex, folders: Sequence[str], disk: Disk) -> None:
        self._index = index
        self._folders = folders
        self._disk = disk
        self._users: dict[str, tuple[str, ...]] = {}
        self._targets: dict[tuple[str, str, bool], str] = {}
        self._last: tuple[str, frozenset[str]] = ("", frozenset())
        """The last file whose ancestors were computed, with these: its roots and their digests are needed next."""

    def users(self, path: str) -> tuple[str, ...]:
        """The files that include ``path`` themselves."""
        found = self._users.get(path)
        if found is None:
            including = self._index.including(os.path.basename(path))
            users = (each for each, directive in including if each != path and self._target(directive, each) == path)
            found = self._users[path] = tuple(dict.fromkeys(users))
        return found

    def ancestors(self, path: str) -> frozenset[str]:
        """The files that include ``path``, directly or not; not itself."""
        if self._last[0] == path:
            return self._last[1]
        found: set[str] = set()
        waiting = [path]
        while waiting:
            users = [each for each in self.users(waiting.pop()) if each not in found and each != path]
            found.update(users)
            waiting += users
        self._last = (path, frozenset(found))
        return self._last[1]

    def roots(self, path: str) -> tuple[str, ...]:
        """The ancestors of ``path`` that no file includes, sorted."""
        return tuple(sorted(each for each in self.ancestors(path) if not self.users(each)))

    @cached_property
    def mains(self) -> tuple[str, ...]:
        """The files with a ``main`` that no file includes."""
        mains = (each for each in self._index.files if self._disk.outline(each).has_main)
        return tuple(each for each in mains if not self.users(each))

    def _target(self, directive: IncludeDirective, includer: str) -> str:
        folder = os.path.dirname(includer)
        key = (directive.path, folder, directive.quoted)
        found = self._targets.get(key)
        if found is None:
            found = self._targets[key] = self._resolved(directive, folder, includer)
        return found

    def _resolved(self, directive: IncludeDirective, folder: str, includer: str) -> str:
        index = self._index
        if directive.path in SYCL_HEADERS:
            return ""
        tried = (*self._folders, *own_folders(index.program_of(includer)))
        for each in (folder, *tried) if directive.quoted else tried:
            path = os.path.normpath(os.path.join(each, directive.path))
            if path in index.held:
                return path
        return "" if is_foreign(directive.path) else index.nearby(folder, directive.path)


@lru_cache(maxsize=256)
def own_folders(program: str) -> tuple[str, ...]:
    """The include folders of a program whose build files name none."""
    return (program, os.path.join(program, "include"), os.path.join(program, "src"))


def is_cpp(name: str) -> bool:
    """Whether a file is C++ by its name."""
    return name.lower().endswith(EXTENSIONS)


def _is_within(folder: str, other: str) -> bool:
    """Whether a folder is ``other`` or below it."""
    inner, outer = os.path.abspath(folder or "."), os.path.abspath(other or ".")
    return inner == outer or inner.startswith(os.path.join(outer, ""))


def nearest(paths: Iterable[str], folder: str) -> list[tuple[int, str]]:
    """Files, those with the most leading folders in common with ``folder`` first, each after that number's negative."""
    shared: dict[str, int] = {}
    ranked: list[tuple[int, str]] = []
    own = _above(folder)
    for each in paths:
        around = os.path.dirname(each)
        if around not in shared:
            shared[around] = _in_common(_above(around), own)
        ranked.append((-shared[around], each))
    ranked.sort()
    return ranked


def _above(folder: str) -> list[str]:
    """The names of the folders that lead to a folder, its own the last."""
    return os.path.abspath(folder or ".").split(os.sep)


def _in_common(first: Sequence[str], second: Sequence[str]) -> int:
    """The number of leading folders that two folders share."""
    return next((at for at, (one, other) in enumerate(zip(first, second, strict=False)) if one != other), len(second))


# ------------------------------------------------------------------ questions


def index_of(folder: str, disk: Disk) -> SourceIndex:
    """The index of a folder, made once; what rests on it is to be noted with one of the questions below."""
    return disk.shared(("index", folder), lambda: SourceIndex(folder, disk))


def nearby(folder: str, includer: str, written: str, disk: Disk) -> str | None:
    """As ``SourceIndex.nearby``, with its question noted; ``None`` where it is open."""
    place = os.path.dirname(includer)
    disk.note(DiskQuestion(nearby_file, folder, (place, written)))
    found = disk.apart(lambda: index_of(folder, disk).nearby(place, written))
    return found if found and found != includer else None


def users_of(folder: str, path: str, folders: tuple[str, ...], disk: Disk) -> tuple[frozenset[str], tuple[str, ...]]:
    """Ancestors and roots of a file (see ``Graph``) with their question noted."""
    disk.note(DiskQuestion(users_digest, folder, (path, *folders), index_digest))
    graph = index_of(folder, disk).graph(folders)
    return disk.apart(lambda: (graph.ancestors(path), graph.roots(path)))


def mains_of(folder: str, folders: tuple[str, ...], disk: Disk) -> tuple[str, ...]:
    """The files with a ``main`` that no file includes; notes the question in ``disk``."""
    disk.note(DiskQuestion(mains_digest, folder, folders, index_digest))
    return disk.apart(lambda: index_of(folder, disk).graph(folders).mains)


def leading_in(folder: str, path: str, launching: Iterable[str], disk: Disk) -> frozenset[str]:
    """Which of the names that a file uses may lead to a use of ``launching``; with the question noted.

    A filter: a name that is not among these leads to none, as far as calls by name go (see ``names``).
    """
    words = tuple(sorted(launching))
    disk.note(DiskQuestion(leading_digest, folder, (path, *words), contents_digest))
    return disk.apart(lambda: index_of(folder, disk).mentions.leading_in(path, words))


def nearby_file(disk: Disk, folder: str, *arguments: str) -> str:
    """The answer to ``nearby`` is its own digest."""
    place, written = arguments
    return index_of(folder, disk).nearby(place, written)


def users_digest(disk: Disk, folder: str, *arguments: str) -> str:
    """A digest of the files that include a file."""
    path, *folders = arguments
    graph = index_of(folder, disk).graph(tuple(folders))
    said = [*sorted(graph.ancestors(path)), "", *graph.roots(path)]
    return digest_of("\0".join(said).encode(errors="surrogateescape"))


def mains_digest(disk: Disk, folder: str, *folders: str) -> str:
    """A digest of which files have a ``main``."""
    return digest_of("\0".join(index_of(folder, disk).graph(folders).mains).encode(errors="surrogateescape"))


def leading_digest(disk: Disk, folder: str, *arguments: str) -> str:
    """A digest of which names of a file lead to a launch."""
    path, *words = arguments
    found = index_of(folder, disk).mentions.leading_in(path, tuple(words))
    return digest_of("\0".join(sorted(found)).encode(errors="surrogateescape"))


def contents_digest(disk: Disk, folder: str) -> str:
    """All that the names of an index follow from."""
    return index_of(folder, disk).contents_digest


def index_digest(disk: Disk, folder: str) -> str:
    """All that an index says."""
    return index_of(folder, disk).digest


QUESTIONS: Mapping[str, Callable[..., str]] = {
    each.__name__: each for each in (nearby_file, users_digest, mains_digest, leading_digest)
}
"""By the names under which they are kept."""
PREMISES: Mapping[str, Callable[[Disk, str], str]] = {each.__name__: each for each in (index_digest, contents_digest)}
