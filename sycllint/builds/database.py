"""Compilation databases: ``compile_commands.json``, as CMake, Meson and Bear write it, and CMake's File API."""

import os
from collections.abc import Iterator, Mapping

from sycllint.builds.file_api import CompileCommand, entries_of, is_reply, reply_in
from sycllint.builds.settings import BuildSettings, alternatives
from sycllint.builds.words import read_json, settings_of, split, unfolded
from sycllint.grouping import grouped
from sycllint.record import replace
from sycllint.source.disk import Disk
from sycllint.source.files import shown
from sycllint.source.includes import FOREIGN

DATABASE = "compile_commands.json"
_PLACES = (DATABASE, os.path.join("build", DATABASE))
"""Beside the sources, and where CMake writes it by default."""
_SYCL = (os.path.join("sycl", "sycl.hpp"), os.path.join("CL", "sycl.hpp"))
MAX_DATABASE = 64_000_000
"""Characters that are read of a compilation database."""


def database_of(folder: str, disk: Disk | None = None, given: str | None = None) -> str | None:
    """The compilation database ``given``, or in the folder given; else the nearest one from ``folder`` upwards.

    Where CMake has left a reply of its File API in a build folder, it is that reply's index. The search ends at the
    root of the repository.
    """
    disk = disk or Disk()
    if given is not None:
        return given if given.endswith(".json") else reply_in(given, disk) or os.path.join(given, DATABASE)
    current = os.path.abspath(folder or ".")
    while True:
        for place in _PLACES:
            path = os.path.join(current, place)
            reply = reply_in(os.path.dirname(path), disk)
            if reply is not None or disk.is_file(path):
                return reply or path
        parent = os.path.dirname(current)
        if parent == current or disk.exists(os.path.join(current, ".git")):
            return None
        current = parent


def entries(path: str, disk: Disk) -> Iterator[CompileCommand]:
    """The entries of a database, with their response files read; nothing of a file that is none."""
    if is_reply(path):
        yield from entries_of(path, disk)
        return
    listed = read_json(path, disk, MAX_DATABASE)
    for each in listed if isinstance(listed, list) else ():
        if isinstance(each, dict):
            folder = os.path.join(os.path.dirname(os.path.abspath(path)), str(each.get("directory", "")))
            source = os.path.normpath(os.path.join(folder, str(each.get("file", ""))))
            yield CompileCommand(source, folder, tuple(unfolded(_arguments(each), folder, disk)))


def by_source(path: str, disk: Disk) -> Mapping[str, tuple[CompileCommand, ...]]:
    """Every entry of each source; read once for each database."""

    def gathered() -> Mapping[str, tuple[CompileCommand, ...]]:
        found = grouped((entry.source, entry) for entry in entries(path, disk))
        return {source: tuple(each) for source, each in found.items()}

    return disk.once(("entries of", path), gathered)


def listed_settings(every: tuple[CompileCommand, ...], disk: Disk) -> BuildSettings:
    """The settings of a source that has these entries: alternatives, where they differ."""
    settings = [_settings(each, disk) for each in every]
    if len(settings) == 1:
        return settings[0]
    return alternatives(settings, f"{DATABASE} compiles this file in {len(settings)} ways")


def shared_settings(folder: str, listed: Mapping[str, tuple[CompileCommand, ...]], disk: Disk) -> BuildSettings:
    """The settings of a header: those of the listed sources in ``folder``, or of all where none of them is there."""
    below = os.path.join(os.path.abspath(folder), "")
    near = [each for path, every in listed.items() if path.startswith(below) for each in every]
    every = near or [each for entries_ in listed.values() for each in entries_]
    settings = [_settings(each, disk) for each in every]
    alike = all(each.defines == settings[0].defines for each in settings)
    return replace(alternatives(settings, f"sources of {DATABASE} are compiled differently"), known=alike)


def _settings(entry: CompileCommand, disk: Disk) -> BuildSettings:
    """The settings of one entry of a database, its folders as every output writes them.

    A folder with an implementation of SYCL is left out: its classes would be taken for the project's.
    """
    settings = settings_of(entry.words, entry.folder, known=True)
    own = (each for each in settings.folders if not any(disk.is_file(os.path.join(each, name)) for name in _SYCL))
    return replace(settings, folders=tuple(each if each.startswith(FOREIGN) else shown(each) for each in own))


def _arguments(entry: Mapping[str, object]) -> list[str]:
    arguments = entry.get("arguments")
    if isinstance(arguments, list):
        return [str(each) for each in arguments]
    return split(str(entry.get("command", "")))
