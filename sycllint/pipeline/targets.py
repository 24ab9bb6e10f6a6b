"""The devices that a file is checked against: those configured, else those it is compiled for, else Intel's GPUs."""

import os
from collections.abc import Iterable, Mapping
from functools import cache

from sycllint.config import Config, target_devices
from sycllint.errors import SycllintError
from sycllint.hardware.device import Device
from sycllint.pipeline.unnamed import CURRENT, EXAMPLE_TARGET, UNNAMED
from sycllint.record import NamedTuple
from sycllint.source.disk import Disk


class FileTargets(NamedTuple):
    """The devices for one file."""

    devices: tuple[Device, ...]
    decisive: frozenset[str] = frozenset()
    """Where no devices were named: those on all of which a finding has to hold to be more than a note."""

    @property
    def assumed(self) -> bool:
        """Whether they were not named: what depends on them is not proved."""
        return bool(self.decisive)

    @property
    def examples(self) -> tuple[Device, ...]:
        """Those that a table has columns for: one example where none was named."""
        from sycllint.hardware.profiles import device

        return (device(EXAMPLE_TARGET),) if self == _assumed() else self.devices


class Targets:
    """The choices of one run, file by file."""

    def __init__(self, config: Config, disk: Disk | None = None) -> None:
        self._disk = disk or Disk()
        self._seen: dict[str, Device] = {}
        self._examples: dict[str, Device] = {}
        self._assumed_only = True
        self._database = config.deep.database
        self._configured: FileTargets | None = None
        if config.targets:
            self._configured = self._noted(FileTargets(target_devices(config)))

    @property
    def devices(self) -> tuple[Device, ...]:
        """All that were chosen so far; before the first file, those that would be."""
        return tuple(self._seen.values()) or _assumed().devices

    @property
    def examples(self) -> tuple[Device, ...]:
        """Those of them that tables have columns for."""
        return tuple(self._examples.values()) or _assumed().examples

    @property
    def assumed(self) -> bool:
        """Whether no file's devices were named by anyone."""
        return self._assumed_only

    def of(self, path: str) -> FileTargets:
        """The devices for the file ``path``.

        A file that its compilation database does not list, as a header, is checked against what every listed source
        is compiled for; where the sources differ, against all of it, as a guess. Without a database, the options in
        ``CMakeLists.txt`` count that every build has.
        """
        if self._configured is not None:
            return self._configured
        choices = self._built_for(os.path.dirname(path))
        if choices is None:
            return self._noted(self._made_for(path) or _assumed())
        return self._noted(choices.get(os.path.abspath(path)) or _shared(choices.values()) or _assumed())

    def _made_for(self, path: str) -> FileTargets | None:
        """The devices that CMake's commands name for a file."""
        from sycllint.builds.reading import cmake_targets
        from sycllint.source.projects import program_folder

        program = program_folder(os.path.dirname(path), self._disk)
        return _choices({path: cmake_targets(program or ".", path, self._disk)}).get(path)

    def _built_for(self, folder: str) -> Mapping[str, FileTargets] | None:
        """The devices of each source that the folder's compilation database lists; ``None`` without a database."""
        from sycllint.builds.database import database_of
        from sycllint.builds.offload import compiled_for

        given = self._database
        database = self._disk.once(("database of", folder, given), lambda: database_of(folder, self._disk, given))
        if database is None:
            return None
        return self._disk.once(("choices", database), lambda: _choices(compiled_for(database, self._disk)))

    def _noted(self, choice: FileTargets) -> FileTargets:
        self._seen.update((device.name, device) for device in choice.devices)
        self._examples.update((device.name, device) for device in choice.examples)
        self._assumed_only &= choice.assumed
        return choice


def _choices(names: Mapping[str, tuple[str, ...]]) -> Mapping[str, FileTargets]:
    """The devices of each source; without those whose names we do not know."""
    from sycllint.hardware.profiles import resolve

    found: dict[str, FileTargets] = {}
    for path, named in names.items():
        devices: dict[str, Device] = {}
        for name in named:
            try:
                devices.update((each.name, each) for each in resolve([name]))
            except SycllintError:
                continue
        if devices:
            found[path] = FileTargets(tuple(devices.values()))
    return found


def _shared(choices: Iterable[FileTargets]) -> FileTargets | None:
    """What all of ``choices`` have, or all that they have as a guess; ``None`` when there is none."""
    every = list(choices)
    if not every:
        return None
    devices = {device.name: device for choice in every for device in choice.devices}
    everywhere = tuple(device for device in devices.values() if all(device in choice.devices for choice in every))
    return FileTargets(everywhere) if everywhere else FileTargets(tuple(devices.values()), frozenset(devices))


@cache
def _assumed() -> FileTargets:
    from sycllint.hardware.profiles import resolve

    return FileTargets(resolve(UNNAMED), frozenset(CURRENT))
