"""The settings of one file in the build files: compilation database, makefile, ``CMakeLists.txt``."""

import os

from sycllint.builds.cmake.project import cmake_devices, cmake_settings
from sycllint.builds.database import by_source, database_of, listed_settings, shared_settings
from sycllint.builds.makefile import makefile_settings
from sycllint.builds.settings import BuildSettings
from sycllint.source.disk import Disk
from sycllint.source.files import HEADERS


def build_settings(
    folder: str, file: str | None = None, disk: Disk | None = None, database: str | None = None
) -> BuildSettings:
    """The settings for the sources in ``folder``; for ``file`` when a compilation database lists it.

    A header, which no database lists, has what the listed sources in ``folder`` have in common. ``database`` is the
    one to read, or its folder; without it, the nearest.
    """
    disk = disk or Disk()
    place = disk.once(("database of", folder, database), lambda: database_of(folder, disk, database))
    if file is not None and place is not None:
        listed = by_source(place, disk)
        found = listed.get(os.path.abspath(file))
        if found is not None:
            return listed_settings(found, disk)
        if listed and file.lower().endswith(HEADERS):
            return disk.once(("shared settings", folder, place), lambda: shared_settings(folder, listed, disk))
    made = disk.once(("makefile", folder), lambda: makefile_settings(folder, disk))
    return made or cmake_settings(folder, file, disk) or BuildSettings()


def cmake_targets(folder: str, file: str, disk: Disk) -> tuple[str, ...]:
    """The devices that CMake compiles ``file`` for: of one that it builds, and no makefile in ``folder``."""
    made = disk.once(("makefile", folder), lambda: makefile_settings(folder, disk))
    return () if made else cmake_devices(file, disk)
