"""What linting a file came to, kept on the disk for as long as all that it rests on stays as it was.

JSON files, one for the files of each folder under the same settings.
"""

import os
from collections.abc import Iterable
from json import dumps, loads

from sycllint.config import Config
from sycllint.pipeline.cache_folder import RECORDS, CacheFolder
from sycllint.pipeline.linted import Linted
from sycllint.pipeline.parts import Meaning
from sycllint.pipeline.store import Store
from sycllint.pipeline.stored import (
    Json,
    Stale,
    nodes_json,
    outlines_json,
    read_outlines,
    read_record,
    record_json,
)
from sycllint.pipeline.validity import Validity
from sycllint.record import replace
from sycllint.source.disk import Asked, Disk, DiskCache, Kept
from sycllint.source.glance import digest_of


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
        self._place = CacheFolder(place)
        self.store = Store(self._place)
        """What files and build files say, for files that are to be linted."""
        self._here = os.getcwd()
        self._validity = Validity(self._place.now, self._known_outlines)
        self._outlines: tuple[DiskCache, dict[str, Kept]] | None = None
        """Of the files of the indices that were asked, and those of them that are on the disk."""
        self._settings: dict[int, tuple[Config, str]] = {}
        self._pack: _Pack | None = None
        self._busy: dict[str, _Pack] = {}

    # -------------------------------------------------------------- reading

    def meaning(self, config: Config) -> Meaning | None:
        """What settings are known to come to."""
        try:
            return read_record(Meaning, self._loaded(self._meaning_path(config)))
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
            return read_record(Linted, kept[1])._replace(path=path)
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
        self._put(self._meaning_path(config), record_json(meaning))

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
        self._place.prune()

    def _write(self, pack: _Pack) -> None:
        self._busy.pop(pack.path, None)
        if not (pack.fresh or pack.renewed):
            return
        fresh = {name for name, _, _ in pack.fresh}
        folder = os.path.dirname(pack.fresh[0][1].path) if pack.fresh else None
        nodes, files = _compacted(pack, fresh, folder)
        numbers: dict[int, int] = {}
        for name, linted, asked in pack.fresh:
            number = nodes_json(asked, self._place.now, nodes, numbers)
            files[name] = [number, record_json(linted)]
        self._put(pack.path, {"nodes": nodes, "files": files})
        pack.nodes, pack.files, pack.valid, pack.fresh, pack.renewed = nodes, files, {}, [], False

    def _known_outlines(self) -> DiskCache:
        """The outlines of the files that earlier runs looked at."""
        memory = DiskCache()
        try:
            memory.skimmed.update(read_outlines(self._loaded(self._outlines_path())))
        except Stale:
            memory.skimmed.clear()
        self._outlines = (memory, dict(memory.skimmed))
        return memory

    def _write_outlines(self) -> None:
        if self._outlines is not None and self._outlines[0].skimmed != self._outlines[1]:
            self._put(self._outlines_path(), outlines_json(self._outlines[0].skimmed))

    def _outlines_path(self) -> str:
        return self._path("o", self._here)

    # --------------------------------------------------------------- places

    def _of(self, folder: str, config: Config) -> _Pack:
        """The pack for the files of a folder; the last one and those that are to be written are kept in memory."""
        path = self._path("p", f"{self._here}\0{folder}\0{self._digest(config)}")
        if self._pack is None or self._pack.path != path:
            self._pack = self._busy.get(path) or self._read_pack(path)
        return self._pack

    def _read_pack(self, path: str) -> _Pack:
        try:
            content = self._loaded(path)
        except Stale:
            return _Pack(path, [], {})
        if isinstance(content, dict):
            nodes, files = content.get("nodes"), content.get("files")
            if isinstance(nodes, list) and isinstance(files, dict):
                return _Pack(path, nodes, files)
        return _Pack(path, [], {})

    def _loaded(self, path: str) -> Json:
        try:
            content: Json = loads(self._place.content(path) or b"")
        except (ValueError, RecursionError, MemoryError):
            raise Stale from None
        return content

    def _put(self, path: str, content: Json) -> None:
        self._place.put(path, dumps(content, separators=(",", ":")).encode("ascii"))

    def _meaning_path(self, config: Config) -> str:
        return self._path("s", f"{self._here}\0{self._digest(config)}")

    def _path(self, kind: str, key: str) -> str:
        return self._place.path(kind + digest_of(key.encode(errors="surrogateescape")), RECORDS)

    def _digest(self, config: Config) -> str:
        """Of all settings that bear on what is found in a file."""
        known = self._settings.get(id(config))
        if known is None:
            bare = replace(config, exclude=(), per_path=(), respect_gitignore=True, file=None)
            known = self._settings[id(config)] = (config, digest_of(repr(bare).encode(errors="surrogateescape")))
        return known[1]


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
