"""The folder of a cache on the disk: its files, each written whole and put in its place in one step.

Runs may end or overlap as they like. Nothing in it is ever run, and whatever in it cannot be read, or was not written
by this sycllint, is as if it were not there.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence

from sycllint.source.glance import digest_of, stamp_of
from sycllint.source.regular import regular_content
from sycllint.version import __version__

FOLDER = ".sycllint_cache"
"""In the root of the project."""

VARIABLE = "SYCLLINT_CACHE_DIR"
"""The environment variable that names another place."""

KEPT_DAYS = 30
"""What was not written for this long is dropped."""

RECORDS, FACTS = ".json", ".facts"
"""What the names of its files end in: records as JSON, and what ``encoding`` writes."""

_LARGEST = 500_000_000
"""Bytes of one of its files that are read."""
_DAY = 86_400
_PREFIX = "v1-"
_MARK = "pruned"
"""The file whose age says when what is old was dropped last."""
_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# The cache of sycllint; it may be removed at any time.\n"
"""Source: Cache Directory Tagging Specification 0.6."""


def place_of(root: str) -> str:
    """The folder of the cache for a project."""
    return os.environ.get(VARIABLE) or os.path.join(root, FOLDER)


def clean(place: str) -> int:
    """Remove a cache, and nothing else that may be in its folder; how many files that were."""
    count = 0
    for folder in _generations(place):
        for name in _own_names(folder):
            count += _removed(os.path.join(folder, name))
        _without_errors(os.rmdir, folder)
    if _names(place) and set(_names(place)) <= {".gitignore", "CACHEDIR.TAG"}:
        for name in _names(place):
            _removed(os.path.join(place, name))
        _without_errors(os.rmdir, place)
    return count


class CacheFolder:
    """The files of this sycllint in the folder ``place``. It may travel to other processes of a run."""

    def __init__(self, place: str) -> None:
        self.now = time.time_ns()
        """When the run began, in nanoseconds since 1970."""
        self._home = os.path.join(place, _PREFIX + _fingerprint())
        self._place = place
        self._writes = not (_is_planted(place) or os.path.islink(self._home))

    def path(self, name: str, suffix: str) -> str:
        """The path of one of its files."""
        return os.path.join(self._home, name + suffix)

    def content(self, path: str) -> bytes | None:
        """The bytes of one of its files; ``None`` where there are none to be read."""
        try:
            return regular_content(path, _LARGEST)
        except (OSError, MemoryError):
            return None

    def put(self, path: str, content: bytes) -> None:
        """Write one file whole; a folder that cannot be written to is left alone from then on."""
        if not self._writes:
            return
        temporary = f"{path}.{os.getpid()}.tmp"
        try:
            self._make_folders()
            with open(temporary, "xb") as stream:
                stream.write(content)
            os.replace(temporary, path)
        except (OSError, ValueError):
            self._writes = False
            _removed(temporary)

    def _make_folders(self) -> None:
        if os.path.isdir(self._home):
            return
        new = not os.path.isdir(self._place) or not os.listdir(self._place)
        os.makedirs(self._home, exist_ok=True)
        if new:
            for name, text in ((".gitignore", "*\n"), ("CACHEDIR.TAG", _TAG)):
                with open(os.path.join(self._place, name), "x", encoding="ascii") as stream:
                    stream.write(text)

    def prune(self) -> None:
        """Once a day: what is old, and what other versions left behind."""
        mark = self.path(_MARK, "")
        now = self.now / 1e9
        if not self._writes or not os.path.isdir(self._home) or stamp_of(mark).changed / 1e9 > now - _DAY:
            return
        self.put(mark, b"null")
        for folder in _generations(self._place):
            for name in _own_names(folder):
                path = os.path.join(folder, name)
                days = 1 if name.endswith(".tmp") else KEPT_DAYS
                if stamp_of(path).changed / 1e9 < now - days * _DAY:
                    _removed(path)
            if not _names(folder):
                _without_errors(os.rmdir, folder)


def _fingerprint() -> str:
    """Of the program that made a cache: this version, and the modules of ours and of the rule packs as they are."""
    from sycllint.packs import installed, pack_names

    stamps: list[object] = [__version__, sys.version_info]
    for name in ("sycllint", *pack_names(installed(sys.path, os.getcwd())), "tree_sitter", "tree_sitter_cpp"):
        for folder in _folders_of(name):
            stamps += sorted(_modules(folder))
    return digest_of(repr(stamps).encode(errors="surrogateescape"))[:16]


def _folders_of(package: str) -> Sequence[str]:
    from importlib.util import find_spec

    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        return ()
    return () if spec is None else list(spec.submodule_search_locations or ())


def _modules(folder: str) -> Iterator[tuple[str, int, int]]:
    """Every file of a package, with its size and the time it changed."""
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name == "__pycache__":
                    continue
                if entry.is_dir():
                    yield from _modules(entry.path)
                else:
                    status = entry.stat()
                    yield entry.path, status.st_size, status.st_mtime_ns
    except OSError:
        return


def _generations(place: str) -> list[str]:
    """The folders that versions of sycllint made; a link, which may lead anywhere, is none."""
    found = (os.path.join(place, name) for name in _names(place) if name.startswith(_PREFIX))
    return [each for each in found if not os.path.islink(each)] if not _is_planted(place) else []


def _is_planted(place: str) -> bool:
    """Whether the cache of a tree, where it is unless the environment says otherwise, is a link that came with it."""
    return os.path.basename(place) == FOLDER and os.path.islink(place)


def _own_names(folder: str) -> list[str]:
    """The files in a folder that are named as those of a cache."""
    return [name for name in _names(folder) if name.endswith((RECORDS, FACTS, ".tmp")) or name == _MARK]


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _removed(path: str) -> bool:
    try:
        os.unlink(path)
    except OSError:
        return False
    return True


def _without_errors(work: Callable[[str], None], path: str) -> None:
    try:
        work(path)
    except OSError:
        return
