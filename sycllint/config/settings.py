"""The settings of a run as values: what is in force for a file, and where each of it was written."""

from collections.abc import Mapping
from typing import Any

from sycllint.diagnostic import Severity
from sycllint.errors import SycllintError
from sycllint.hardware.device import Device
from sycllint.launch.helpers import Overloads
from sycllint.launch.kernel import Reports
from sycllint.record import NamedTuple, field, record, replace

LISTS = {
    "targets": "tgl",
    "select": "SYC101",
    "extend-select": "SYC210",
    "ignore": "SYC101",
    "exclude": "third_party/",
    "include": "../shared",
}
"""Settings that are lists of strings, and an example for each."""
REPLACED = (*LISTS, "respect-gitignore")
"""Settings of which the one that is nearest holds."""
TABLES = ("severity", "defines", "launch-helpers", "devices")
"""Settings that are merged key by key."""

Key = tuple[str, ...]
"""A setting, as ``("severity", "SYC204")``, or one string of its value, as ``("select", "SYC1")``."""


class Origin(NamedTuple):
    """The origin of a setting: a line of a file, or an option of the command line."""

    source: str
    line: int | None = None

    def __str__(self) -> str:
        return self.source if self.line is None else f"{self.source}:{self.line}"


@record(guarded=True)
class Deep:
    """How a C++ front end, libclang, is used."""

    use: str = "off"
    """``on``; ``auto``: for files that a compilation database has; or ``off``."""
    database: str | None = None
    """The folder of the compilation database, or its file; else it is looked for upwards."""
    library: str | None = None
    """The file of libclang; else that of its Python package."""
    headers: str | None = None
    """The folder with ``sycl/sycl.hpp``; else it is looked for."""


@record(guarded=True)
class Config:
    """The settings for a file. The default is a run without configuration in the working directory."""

    root: str = "."
    """Directory that patterns and the names of test trees are relative to."""
    targets: tuple[str, ...] = ()
    """Names of devices or groups of devices; empty: none configured."""
    select: tuple[str, ...] = ()
    """Rules to run, by code, name or family; empty: those enabled by default."""
    extend_select: tuple[str, ...] = ()
    """Rules to run in addition."""
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, Severity] = field(default_factory=dict)
    """By code, name or family: what findings weigh instead of what their rule says."""
    exclude: tuple[str, ...] = ()
    """Patterns as in ``.gitignore``."""
    respect_gitignore: bool = True
    """A search of directories leaves out what git ignores."""
    defines: Mapping[str, str] = field(default_factory=dict)
    """Preprocessor names and their text, as with ``-D``."""
    include: tuple[str, ...] = ()
    """Folders in which included headers are looked for, as with ``-I``; from the working directory."""
    launch_helpers: Mapping[str, Overloads] = field(default_factory=dict)
    """The project's own functions that launch a kernel they are given, by name."""
    devices: Mapping[str, Device] = field(default_factory=dict)
    """Devices that the file describes, by name."""
    per_path: "tuple[PathSettings, ...]" = ()
    """Settings for some of the files; later ones go before earlier ones."""
    compiled: Reports = field(default_factory=dict)
    """Compilers' reports of launches in the file."""
    deep: Deep = Deep()
    narrowed: bool = False
    """The command line asks for other targets than the project's own."""
    file: str | None = None
    """The file the settings come from."""
    origins: Mapping[Key, Origin] = field(default_factory=dict, repr=False, compare=False)
    """The origin of each setting; a setting without one has its default."""

    def mistake(self, key: str, value: str, message: str) -> SycllintError:
        """The error for ``value`` of setting ``key``, with the place where the user wrote it."""
        origin = self.origins.get((key, value)) or self.origins.get((key,))
        if origin is None:
            return SycllintError(f"{key}: {message}")
        if origin.line is None:
            return SycllintError(f"{origin.source}: {message}")
        return SycllintError(message, path=origin.source, line=origin.line)


class PathSettings(NamedTuple):
    """Settings for the files that a pattern matches, which is as in ``.gitignore``."""

    pattern: str
    settings: Config
    """Only what is in its ``origins`` is set."""


@record
class Overrides:
    """Settings of the command line. ``targets`` and ``select`` replace the file's, the others add to them."""

    targets: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    """Starts afresh: the file's ``extend-select`` and ``ignore`` no longer hold either."""
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: tuple[str, ...] = ()
    """``RULE=LEVEL``."""
    exclude: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    """``NAME=VALUE``, or ``NAME`` for ``NAME=1``."""
    respect_gitignore: bool | None = None
    settings: tuple[str, ...] = ()
    """``KEY=VALUE``, each a line of a configuration file."""
    deep: str | None = None
    """``on``, ``auto`` or ``off``."""
    database: str | None = None


def merged(below: Config, above: Config) -> Config:
    """``below`` with what ``above`` sets: lists and single values replaced, tables key by key."""
    deep: dict[str, Any] = {
        key[1]: getattr(above.deep, key[1]) for key in above.origins if len(key) == 2 and key[0] == "deep"
    }
    set_here: dict[str, Any] = {
        field_of(key): getattr(above, field_of(key)) for key in REPLACED if (key,) in above.origins
    }
    for key in map(field_of, TABLES):
        set_here[key] = {**getattr(below, key), **getattr(above, key)}
    return replace(
        below,
        **set_here,
        deep=replace(below.deep, **deep),
        per_path=(*below.per_path, *above.per_path),
        origins={**below.origins, **above.origins},
    )


def field_of(key: str) -> str:
    """The field of ``Config`` for a setting."""
    return key.replace("-", "_")


def with_path_settings(config: Config, settings: Config) -> Config:
    """``config`` as one of its tables for some files has it: what is turned off or on there adds to the rest."""
    return replace(
        merged(config, settings),
        extend_select=(*config.extend_select, *settings.extend_select),
        ignore=(*config.ignore, *settings.ignore),
    )
