"""What linting a file came to, kept on the disk for as long as all that it rests on stays as it was.

A folder of JSON files, one for the files of each folder under the same settings. Nothing in it is ever run, and
whatever in it cannot be read, or was not written by this sycllint, is as if it were not there. Each file is written
whole and put in its place in one step, so that runs may end or overlap as they like.
"""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from json import dumps, loads

from sycllint.config import Config
from sycllint.pipeline.linted import Linted
from sycllint.pipeline.parts import Meaning
from sycllint.pipeline.stored import (
    Json,
    Stale,
    linted_json,
    meaning_json,
    nodes_json,
    outlines_json,
    read_linted,
    read_meaning,
    read_outlines,
)
from sycllint.pipeline.validity import Validity
from sycllint.record import replace
from sycllint.source.disk import Asked, Disk, DiskCache, Kept
from sycllint.source.glance import digest_of, stamp_of
from sycllint.source.regular import regular_content
from sycllint.version import __version__

FOLDER = ".sycllint_cache"
"""In the root of the project."""

VARIABLE = "SYCLLINT_CACHE_DIR"
"""The environment variable that names another place."""

KEPT_DAYS = 30
"""What was not written for this long is dropped."""

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


class _Pack:
    """What is kept of the files of one folder under the same settings."""

    def __init__(self, path: str, nodes: list[Json], files: dict[str, Json]) -> None:
        self.path = path
        self.nodes = nodes
        self.files = files
        self.valid: dict[int, bool] = {}
        """Which nodes hold, as far as that was asked."""
        self.renewed = False
        """Nodes hold though their stamps had changed."""
        self.fresh: list[tuple[str, Linted, Asked]] = []
        self.awaited = 0
        """Files that are being linted."""


class Cache:
    """The cache of one run, in the folder ``place``."""

    takes_texts = False

    def __init__(self, place: str) -> None:
        self._home = os.path.join(place, _PREFIX + _fingerprint())
        self._place = place
        self._here = os.getcwd()
        self._now = time.time_ns()
        self._validity = Validity(self._now, self._known_outlines)
        self._outlines: tuple[DiskCache, dict[str, Kept]] | None = None
        """Of the files of the indices that were asked, and those of them that are on the disk."""
        self._settings: dict[int, tuple[Config, str]] = {}
        self._pack: _Pack | None = None
        self._busy: dict[str, _Pack] = {}
        self._writes = not (_is_planted(place) or os.path.islink(self._home))

    # -------------------------------------------------------------- reading

    def meaning(self, config: Config) -> Meaning | None:
        """What settings are known to come to."""
        try:
            return read_meaning(_loaded(self._meaning_path(config)))
        except Stale:
            return None

    def find(self, path: str, config: Config, disk: Disk | None = None) -> Linted | None:
        """What is known of a file, if all of that still holds; ``disk`` is not asked, but the disk as it is now."""
        folder, name = os.path.split(path)
        pack = self._of(folder, config)
        try:
            kept = pack.files[name]
            if not isinstance(kept, list) or not self._holds(pack, kept[0]):
                return None
            return read_linted(path, kept[1])
        except (Stale, LookupError, RecursionError):
            return None

    def changed(self, path: str) -> int:
        """When a file was changed last, in nanoseconds."""
        return self._validity.stamp(path).changed

    def _holds(self, pack: _Pack, number: Json) -> bool:
        if not isinstance(number, int):
            raise Stale
        holds, renewed = self._validity.holds(pack.nodes, number, pack.valid)
        if renewed and not pack.renewed:
            pack.renewed = True
            self._busy[pack.path] = pack
        return holds

    # -------------------------------------------------------------- writing

    def keep_meaning(self, config: Config, meaning: Meaning) -> None:
        """Take what settings come to."""
        self._put(self._meaning_path(config), meaning_json(meaning))

    def expect(self, files: Iterable[tuple[str, Config]]) -> None:
        """These files are going to be linted."""
        for path, config in files:
            pack = self._of(os.path.dirname(path), config)
            pack.awaited += 1
            self._busy[pack.path] = pack

    def keep(self, config: Config, linted: Linted, asked: Asked | None) -> None:
        """Take what an expected file came to; what was not seen whole is not kept."""
        folder, name = os.path.split(linted.path)
        pack = self._of(folder, config)
        pack.awaited -= 1
        if asked is not None and linted.read and linted.complete:
            pack.fresh.append((name, linted, asked))
        if not pack.awaited:
            self._write(pack)

    def write(self) -> None:
        """Put everything on the disk that is not there yet, and drop what is old."""
        for pack in list(self._busy.values()):
            self._write(pack)
        self._write_outlines()
        self._prune()

    def _write(self, pack: _Pack) -> None:
        self._busy.pop(pack.path, None)
        if not (pack.fresh or pack.renewed):
            return
        fresh = {name for name, _, _ in pack.fresh}
        folder = os.path.dirname(pack.fresh[0][1].path) if pack.fresh else None
        nodes, files = _compacted(pack, fresh, folder)
        numbers: dict[int, int] = {}
        for name, linted, asked in pack.fresh:
            number = nodes_json(asked, self._now, nodes, numbers)
            files[name] = [number, linted_json(linted)]
        self._put(pack.path, {"nodes": nodes, "files": files})
        pack.nodes, pack.files, pack.valid, pack.fresh, pack.renewed = nodes, files, {}, [], False

    def _known_outlines(self) -> DiskCache:
        """The outlines of the files that earlier runs looked at."""
        memory = DiskCache()
        try:
            memory.skimmed.update(read_outlines(_loaded(self._outlines_path())))
        except Stale:
            memory.skimmed.clear()
        self._outlines = (memory, dict(memory.skimmed))
        return memory

    def _write_outlines(self) -> None:
        if self._outlines is not None and self._outlines[0].skimmed != self._outlines[1]:
            self._put(self._outlines_path(), outlines_json(self._outlines[0].skimmed))

    def _outlines_path(self) -> str:
        return self._path("o", self._here)

    def _put(self, path: str, content: Json) -> None:
        """Write one file whole; a folder that cannot be written to is left alone from then on."""
        if not self._writes:
            return
        temporary = f"{path}.{os.getpid()}.tmp"
        try:
            self._make_folders()
            with open(temporary, "x", encoding="ascii") as stream:
                stream.write(dumps(content, separators=(",", ":")))
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

    def _prune(self) -> None:
        """Once a day: what is old, and what other versions left behind."""
        mark = os.path.join(self._home, _MARK)
        now = self._now / 1e9
        if not self._writes or not os.path.isdir(self._home) or stamp_of(mark).changed / 1e9 > now - _DAY:
            return
        self._put(mark, None)
        for folder in _generations(self._place):
            for name in _own_names(folder):
                path = os.path.join(folder, name)
                days = 1 if name.endswith(".tmp") else KEPT_DAYS
                if stamp_of(path).changed / 1e9 < now - days * _DAY:
                    _removed(path)
            if not _names(folder):
                _without_errors(os.rmdir, folder)

    # --------------------------------------------------------------- places

    def _of(self, folder: str, config: Config) -> _Pack:
        """The pack for the files of a folder; the last one and those that are to be written are kept in memory."""
        path = self._path("p", f"{self._here}\0{folder}\0{self._digest(config)}")
        if self._pack is None or self._pack.path != path:
            self._pack = self._busy.get(path) or _read_pack(path)
        return self._pack

    def _meaning_path(self, config: Config) -> str:
        return self._path("s", f"{self._here}\0{self._digest(config)}")

    def _path(self, kind: str, key: str) -> str:
        return os.path.join(self._home, f"{kind}{digest_of(key.encode(errors='surrogateescape'))}.json")

    def _digest(self, config: Config) -> str:
        """Of all settings that bear on what is found in a file."""
        known = self._settings.get(id(config))
        if known is None:
            bare = replace(config, exclude=(), per_path=(), respect_gitignore=True, file=None)
            known = self._settings[id(config)] = (config, digest_of(repr(bare).encode(errors="surrogateescape")))
        return known[1]


def _read_pack(path: str) -> _Pack:
    try:
        content = _loaded(path)
    except Stale:
        return _Pack(path, [], {})
    if isinstance(content, dict):
        nodes, files = content.get("nodes"), content.get("files")
        if isinstance(nodes, list) and isinstance(files, dict):
            return _Pack(path, nodes, files)
    return _Pack(path, [], {})


def _compacted(pack: _Pack, replaced: set[str], folder: str | None) -> tuple[list[Json], dict[str, Json]]:
    """Nodes and files of a pack without those that are replaced or gone, and the nodes only those rest on."""
    nodes: list[Json] = []
    numbers: dict[int, int] = {}

    def moved(number: Json) -> int:
        if not isinstance(number, int) or not 0 <= number < len(pack.nodes):
            raise Stale
        if number not in numbers:
            node = pack.nodes[number]
            if not isinstance(node, list) or not isinstance(node[-1], list):
                raise Stale
            below: list[Json] = [moved(each) for each in node[-1]]
            numbers[number] = len(nodes)
            nodes.append([*node[:-1], below])
        return numbers[number]

    files: dict[str, Json] = {}
    for name, kept in pack.files.items():
        if name in replaced or (folder is not None and not os.path.lexists(os.path.join(folder, name))):
            continue
        try:
            if isinstance(kept, list) and len(kept) == 2:
                files[name] = [moved(kept[0]), kept[1]]
        except (Stale, LookupError, RecursionError):
            continue
    return nodes, files


def _loaded(path: str) -> Json:
    try:
        content: Json = loads(regular_content(path, _LARGEST))
    except (OSError, ValueError, RecursionError, MemoryError):
        raise Stale from None
    return content


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
    return [name for name in _names(folder) if name.endswith((".json", ".tmp")) or name == _MARK]


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
