"""The arguments of the Python interface as a run takes them: paths as strings, settings as one configuration."""

import os
from collections.abc import Iterable
from typing import TypeAlias

from sycllint.config import Config, Configs
from sycllint.errors import SycllintError, mistyped
from sycllint.record import replace

Path: TypeAlias = str | os.PathLike[str]
Paths: TypeAlias = Path | Iterable[Path]
"""A file, a folder, or several."""

_A_PATH = "a path or several paths"


def names_of(paths: object) -> list[str]:
    """A path or several as strings; ``TypeError`` for what is none."""
    if isinstance(paths, str | os.PathLike):
        return [_name(paths)]
    if isinstance(paths, bytes) or not isinstance(paths, Iterable):
        raise mistyped("paths", _A_PATH, paths)
    return [_name(each) for each in paths]


def settings_of(config: Config | Configs | None, targets: str | Iterable[str] | None) -> Config | Configs:
    """The configuration with ``targets`` in place of its own; ``TypeError`` for arguments of another type."""
    if not (config is None or isinstance(config, Config | Configs)):
        raise mistyped("config", "a sycllint.Config", config)
    if isinstance(config, Config):
        _check_names("Config.targets", config.targets)
    if targets is None:
        return Config() if config is None else config
    if isinstance(config, Configs):
        raise SycllintError("targets stand in the configurations of the folders; give one Config with targets instead")
    names = (targets,) if isinstance(targets, str) else targets
    if not isinstance(names, Iterable):
        raise mistyped("targets", "names of devices", targets)
    names = tuple(names)
    _check_names("targets", names)
    return replace(config or Config(), targets=names)


def _name(path: object) -> str:
    if not isinstance(path, str | os.PathLike):
        raise mistyped("a path", "a string or a pathlib.Path", path)
    name = os.fspath(path)
    if not isinstance(name, str):
        raise mistyped("a path", "a string or a pathlib.Path", path)
    return name


def _check_names(argument: str, names: object) -> None:
    if isinstance(names, str) or not isinstance(names, tuple | list):
        raise mistyped(argument, "names of devices, as ('tgl', 'pvc')", names)
    for each in names:
        if not isinstance(each, str):
            raise mistyped(f"each of {argument}", "the name of a device, as 'tgl'", each)
