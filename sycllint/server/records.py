"""Results of open documents: those of this session in memory, while they are valid, and the cache on the disk."""

from collections.abc import Iterable, Mapping

from sycllint.config import Config
from sycllint.launch.kernel import KernelLaunch
from sycllint.launch.merge import merged
from sycllint.pipeline.cache import Cache
from sycllint.pipeline.linted import Linted
from sycllint.pipeline.parts import Meaning
from sycllint.pipeline.run import FileAnalysis
from sycllint.pipeline.store import Store
from sycllint.pipeline.unnamed import EXAMPLE_TARGET, UNNAMED
from sycllint.record import NamedTuple
from sycllint.source.disk import Asked, Disk
from sycllint.source.text import BYTE_ORDER_MARK


class Launches(NamedTuple):
    """The launches of one file, all call paths to one merged, and the devices they are shown for."""

    found: tuple[KernelLaunch, ...]
    devices: tuple[str, ...]
    config: Config


class _KeptRecord(NamedTuple):
    config: Config
    linted: Linted
    asked: Asked
    launches: Launches


class Remembered:
    """Records of a session, by path as shown."""

    takes_texts = True

    def __init__(self) -> None:
        self.stored: Cache | None = None
        """The cache on the disk, for a run in which nothing is unsaved."""
        self.relint: frozenset[str] = frozenset()
        """Paths that the cache on the disk must not answer for, since their launches are needed, too."""
        self.launches: dict[str, Launches] = {}
        """Launches of the run by path, without those of files that the cache on the disk answered for."""
        self._taken: dict[str, tuple[KernelLaunch, ...]] = {}
        self._kept: dict[str, _KeptRecord] = {}
        self._meanings: list[tuple[Config, Meaning]] = []

    @property
    def store(self) -> Store | None:
        """The store for facts of files and for evaluated build files; ``None`` without a cache."""
        return None if self.stored is None else self.stored.store

    def begin(self, stored: Cache | None, relint: Iterable[str]) -> None:
        """A run begins."""
        self.stored, self.relint = stored, frozenset(relint)
        self.launches, self._taken = {}, {}

    def end(self, paths: Iterable[str]) -> None:
        """A run is over; records of other files than these are dropped."""
        kept = set(paths)
        self._kept = {path: each for path, each in self._kept.items() if path in kept}
        self.stored, self._taken = None, {}

    def take(self, file: FileAnalysis) -> None:
        """Take the launches of a file that was analysed."""
        self._taken[file.source.path] = tuple(merged(file.launches))

    def find(self, path: str, config: Config, disk: Disk) -> Linted | None:
        """The record of a file, if it is still valid."""
        known = self._kept.get(path)
        if known is not None and known.config == config and disk.confirms(known.asked):
            self.launches[path] = known.launches
            return known.linted
        self._kept.pop(path, None)
        if self.stored is None or path in self.relint:
            return None
        return self.stored.find(path, config, disk)

    def changed(self, path: str) -> int:
        """0: the time of the last change is of no use for so few files."""
        return 0

    def expect(self, files: Iterable[tuple[str, Config]]) -> None:
        """Announce files that are going to be linted."""
        if self.stored is not None:
            self.stored.expect(files)

    def keep(self, config: Config, linted: Linted, asked: Asked | None) -> None:
        """Keep the record of an expected file."""
        shown = (EXAMPLE_TARGET,) if linted.devices == UNNAMED else linted.devices
        launches = Launches(self._taken.pop(linted.path, ()), shown, config)
        self.launches[linted.path] = launches
        if asked is not None and linted.complete:
            self._kept[linted.path] = _KeptRecord(config, linted, asked, launches)
        if self.stored is not None:
            self.stored.keep(config, linted, asked)

    def write(self) -> None:
        """Write new records to the cache on the disk."""
        if self.stored is not None:
            self.stored.write()

    def meaning(self, config: Config) -> Meaning | None:
        """The rules and devices of these settings, if they are remembered."""
        return next((meaning for known, meaning in self._meanings if known == config), None)

    def keep_meaning(self, config: Config, meaning: Meaning) -> None:
        """Remember the rules and devices of these settings; the last eight are kept."""
        self._meanings = [(config, meaning), *self._meanings[:7]]


def unsaved(texts: Mapping[str, bytes], disk: Disk) -> dict[str, bytes]:
    """The ``texts`` (by path) that differ from the files on the disk; editors leave out a byte-order mark."""
    found: dict[str, bytes] = {}
    for path, text in texts.items():
        source = disk.source(path)
        if source is None or source.content not in (text, BYTE_ORDER_MARK + text):
            found[path] = text
    return found
