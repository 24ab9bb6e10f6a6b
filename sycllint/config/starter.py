"""A configuration to begin with, written for what a project has."""

import os
from collections.abc import Iterator, Sequence

from sycllint.beside import beside
from sycllint.builds.database import database_of
from sycllint.builds.offload import compiled_for, devices_in
from sycllint.config.discovery import upward
from sycllint.config.display import array
from sycllint.errors import SycllintError
from sycllint.hardware.device import Device
from sycllint.record import record
from sycllint.source.disk import LARGEST
from sycllint.source.regular import regular_content
from sycllint.version import __version__

THIRD_PARTY = ("third_party", "third-party", "3rdparty", "thirdparty", "external", "extern", "vendor", "deps", "_deps")
"""Names of folders with third-party code."""

_BUILD_FILES = ("CMakeLists.txt", "Makefile", "makefile", "GNUmakefile", "meson.build", "CMakePresets.json")
_BUILD_ENDINGS = (".cmake", ".mk")
_DEPTH = 3
_MOST = 2000  # folders that are looked into
_BYTES = 1_000_000  # of a build file that are read


@record
class Found:
    """The targets and folders that were found for a new configuration."""

    built_for: tuple[str, ...] = ()
    """Devices that the build names."""
    build_files: tuple[str, ...] = ()
    """The files that name them."""
    in_machine: tuple[str, ...] = ()
    third_party: tuple[str, ...] = ()
    """Folders, from the root, with a slash at their end."""
    pre_commit: bool = False
    github: bool = False
    gitlab: bool = False


def look_around(folder: str, in_machine: Sequence[Device] = ()) -> Found:
    """The targets, third-party folders and CI files of ``folder``; nothing is run."""
    names: dict[str, None] = {}
    files: list[str] = []
    third_party: list[str] = []
    for path, is_folder in _entries(folder):
        relative = os.path.relpath(path, folder).replace(os.sep, "/")
        if is_folder:
            third_party.append(f"{relative}/")
        elif found := _known(devices_in(_text(path))):
            names.update(dict.fromkeys(found))
            files.append(relative)
    database = database_of(folder)
    if database is not None and (listed := _known([each for all_ in compiled_for(database).values() for each in all_])):
        names.update(dict.fromkeys(listed))
        files.append(os.path.relpath(database, folder).replace(os.sep, "/"))
    return Found(
        built_for=tuple(names),
        build_files=tuple(files),
        in_machine=tuple(dict.fromkeys(device.name for device in in_machine)),
        third_party=tuple(third_party),
        pre_commit=_up(folder, ".pre-commit-config.yaml"),
        github=_up(folder, os.path.join(".github", "workflows")),
        gitlab=_up(folder, ".gitlab-ci.yml"),
    )


def starter(found: Found) -> str:
    """The text of a ``sycllint.toml``; what is not known is there as a comment."""
    texts = beside(__file__)
    nothing = not (found.pre_commit or found.github or found.gitlab)
    chosen = (
        (found.pre_commit or nothing, "pre-commit"), (found.github or nothing, "github"), (found.gitlab, "gitlab"),
    )  # fmt: skip
    hooks = "".join(f"\n{texts[each]}" for wanted, each in chosen if wanted)
    targets = "built-for" if found.built_for else "in-machine" if found.in_machine else "targets"
    exclude = f"exclude = {array(found.third_party)}" if found.third_party else '# exclude = ["third_party/"]'
    values = {
        "$version": __version__,
        "$built_for": array(found.built_for),
        "$build_files": ", ".join(found.build_files),
        "$in_machine": array(found.in_machine),
        "$exclude": exclude,
    }
    text: str = texts["settings"].replace("$targets", texts[targets].rstrip()) + hooks
    for name, value in values.items():
        text = text.replace(name, value)
    return text


def _entries(folder: str) -> Iterator[tuple[str, bool]]:
    """Build files, and folders of other people's code, which are not entered; the nearer ones first."""
    waiting = [(folder, 0)]
    entered = 0
    while waiting and entered < _MOST:
        here, depth = waiting.pop(0)
        entered += 1
        try:
            with os.scandir(here) as entries:
                listing = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in listing:
            if entry.is_dir(follow_symlinks=False):
                if entry.name.lower() in THIRD_PARTY:
                    yield entry.path, True
                elif depth < _DEPTH and not entry.name.startswith("."):
                    waiting.append((entry.path, depth + 1))
            elif entry.name in _BUILD_FILES or entry.name.endswith(_BUILD_ENDINGS):
                yield entry.path, False


def _known(names: Sequence[str]) -> list[str]:
    """Short names of the devices that we know by ``names``."""
    from sycllint.hardware.profiles import resolve

    found: dict[str, None] = {}
    for name in names:
        try:
            found.update(dict.fromkeys(device.name for device in resolve([name])))
        except SycllintError:
            continue
    return list(found)


def _up(folder: str, name: str) -> bool:
    return any(os.path.exists(os.path.join(each, name)) for each in upward(os.path.abspath(folder)))


def _text(path: str) -> str:
    try:
        return regular_content(path, LARGEST)[:_BYTES].decode("utf-8", "replace")
    except OSError:
        return ""
