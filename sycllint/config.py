"""The configuration: what a run is told by ``sycllint.toml`` or ``[tool.sycllint]``, and by the command line.

The nearest file above the first path (else above the working directory) counts, up to the root of the repository; files
are not merged. Every mistake in it is an error that names file and line.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sycllint.errors import SycllintError
from sycllint.hardware.device import Device
from sycllint.launch.helpers import LaunchHelper
from sycllint.source.files import shown

FILE_NAMES = ("sycllint.toml", ".sycllint.toml", "pyproject.toml")
"""In order of preference within one directory."""

_OPTIONS = {"targets": "--target", "select": "--select", "ignore": "--ignore", "exclude": "--exclude", "defines": "-D"}
"""Settings that the command line has too."""

_LISTS = {"targets": "tgl", "select": "SYC101", "ignore": "SYC101", "exclude": "third_party/", "include": "../shared"}
"""Settings that are lists of strings, and an example for each."""

_SETTINGS = (*_LISTS, "defines", "launch-helpers", "devices")

_HELPER_KEYS = ("global", "local", "kernel", "dims")


@dataclass(frozen=True, slots=True)
class Config:
    """Settings of one run. The default is a run without configuration in the working directory."""

    root: str = "."
    """Directory that ``exclude`` and the names of test trees are relative to."""
    targets: tuple[str, ...] = ()
    """Names of devices or groups of devices; empty: none configured."""
    select: tuple[str, ...] = ()
    """Rules to run, by code, name or family; empty: those enabled by default."""
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    """Patterns as in ``.gitignore``."""
    defines: Mapping[str, str] = field(default_factory=dict)
    """Preprocessor names and their text, as with ``-D``."""
    include: tuple[str, ...] = ()
    """Folders in which included headers are looked for, as with ``-I``; from the working directory."""
    launch_helpers: Mapping[str, LaunchHelper] = field(default_factory=dict)
    """The project's own functions that launch a kernel they are given, by name."""
    devices: Mapping[str, Device] = field(default_factory=dict)
    """Devices that the file describes, by name."""
    file: str | None = None
    """The file the settings come from."""
    lines: Mapping[tuple[str, str], int] = field(default_factory=dict, repr=False)
    """Line in ``file`` of each setting: key and value. What the command line says has none."""

    def mistake(self, key: str, value: str, message: str) -> SycllintError:
        """The error for ``value`` of setting ``key``, with the place where the user wrote it."""
        line = self.lines.get((key, value))
        if line is not None:
            return SycllintError(message, path=self.file, line=line)
        return SycllintError(f"{_OPTIONS[key]}: {message}")


@dataclass(frozen=True, slots=True)
class Overrides:
    """What the command line says. ``targets`` and ``select`` replace the file's, the others add to them."""

    targets: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    """Starts afresh: the file's ``ignore`` no longer holds either."""
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    """``NAME=VALUE``, or ``NAME`` for ``NAME=1``."""


def load(
    paths: Sequence[str] = (), overrides: Overrides | None = None, *, file: str | None = None, isolated: bool = False
) -> Config:
    """The settings of a run over ``paths``: those of ``file`` or else of the nearest file, then ``overrides``.

    ``isolated``: no file is read. Raises ``SycllintError`` for whatever is wrong in the file.
    """
    if isolated:
        config = Config(root=_repository(os.getcwd()))
    elif file is not None:
        config = replace(_read(file, named=True) or Config(file=shown(file)), root=_repository(os.getcwd()))
    else:
        config = _nearest(paths)
    return _overridden(config, overrides or Overrides())


def target_devices(config: Config) -> tuple[Device, ...]:
    """The devices of ``config.targets``, each once, in the order configured; a group stands for all its devices."""
    from sycllint.hardware.profiles import resolve

    found: dict[str, Device] = {}
    for name in config.targets:
        try:
            found.update((device.name, device) for device in resolve([name], config.devices))
        except SycllintError as error:
            if error.path is not None:  # a profile is broken, not the name
                raise
            raise config.mistake("targets", name, error.message) from None
    return tuple(found.values())


def _nearest(paths: Sequence[str]) -> Config:
    here = os.getcwd()
    starts = [here]
    if paths:
        first = os.path.abspath(paths[0])
        starts.insert(0, first if os.path.isdir(first) else os.path.dirname(first))
    for start in starts:
        for directory in _upward(start):
            for name in FILE_NAMES:
                config = _read(os.path.join(directory, name), named=False)
                if config is not None:
                    return config
    return Config(root=_repository(here))


def _upward(directory: str) -> Iterator[str]:
    """``directory`` and those above it, up to the root of the repository or of the file system."""
    while True:
        yield directory
        parent = os.path.dirname(directory)
        if parent == directory or os.path.exists(os.path.join(directory, ".git")):
            return
        directory = parent


def _repository(directory: str) -> str:
    """The root of the repository around ``directory``; ``directory`` itself outside of any."""
    for each in _upward(directory):
        if os.path.exists(os.path.join(each, ".git")):
            return each
    return directory


def _read(path: str, *, named: bool) -> Config | None:
    """The settings in ``path``; ``None`` when it has none for us. A file that was ``named`` must be there."""
    try:
        with open(path, "rb") as stream:
            content = stream.read()
    except FileNotFoundError:
        if named:
            raise SycllintError(f"{shown(path)}: no such configuration file") from None
        return None
    except OSError as error:
        if not named and os.path.isdir(path):
            return None
        raise SycllintError(f"not read: {error.strerror}", path=shown(path)) from None
    shared = os.path.basename(path) == "pyproject.toml"
    if shared and b"sycllint" not in content:  # another tool's file, whatever state it is in
        return None
    return _parsed(shown(path), content, shared=shared)


def _parsed(path: str, content: bytes, *, shared: bool) -> Config | None:
    import tomllib

    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SycllintError("this is not UTF-8, as TOML must be", path=path, line=line) from None
    try:
        document: dict[str, object] = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        place = re.search(r" \(at line (\d+), column \d+\)", str(error))
        line = int(place[1]) if place else text.count("\n") + 1
        reason = str(error).partition(" (at ")[0]
        raise SycllintError(f"this is not TOML: {reason}", path=path, line=line) from None
    header = ("tool", "sycllint") if shared else ()
    table: object = document
    for name in header:
        table = table.get(name) if isinstance(table, dict) else None
    if table is None:
        return None
    return _Settings(path, _Places(text, header)).config(table)


class _Places:
    """The lines on which keys and strings stand in a TOML text, for the keys below ``header``.

    Found by reading it line by line, because the standard parser keeps no places.
    """

    _TABLE = r"\s*\[+([^\[\]]+)\]+\s*(?:#.*)?$"
    _NAME = r"""(?:[\w-]+|"[^"]*"|'[^']*')"""
    _KEY = rf"\s*({_NAME}(?:\s*\.\s*{_NAME})*)\s*="
    _TOKEN = r"""#.*|"((?:\\.|[^"\\])*)"|'([^']*)'"""

    def __init__(self, text: str, header: tuple[str, ...]) -> None:
        self._header = header
        self._keys: dict[tuple[str, ...], int] = {}
        self._strings: dict[tuple[tuple[str, ...], str], int] = {}
        table: tuple[str, ...] = ()
        here: tuple[str, ...] = ()
        for number, line in enumerate(text.splitlines(), 1):
            if header_line := re.match(self._TABLE, line):
                table = here = _dotted(header_line[1])
                self._keys.setdefault(here, number)
                continue
            key = re.match(self._KEY, line)
            if key is not None:
                here = (*table, *_dotted(key[1]))
                self._keys.setdefault(here, number)
            for token in re.finditer(self._TOKEN, line if key is None else line[key.end() :]):
                if not token[0].startswith("#"):
                    self._strings.setdefault((here, token[1] or token[2] or ""), number)

    def key(self, *names: str) -> int:
        """The line of a key, or of the nearest table around it."""
        path = (*self._header, *names)
        while path and path not in self._keys:
            path = path[:-1]
        return self._keys.get(path, 1)

    def string(self, key: str, value: str) -> int:
        """The line of a string in the value of ``key``."""
        return self._strings.get(((*self._header, key), value), self.key(key))


def _dotted(key: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in key.split("."))


@dataclass(frozen=True, slots=True)
class _Settings:
    """The table of one file on its way to a ``Config``."""

    path: str
    places: _Places

    def config(self, table: object) -> Config:
        if not isinstance(table, dict):
            raise self._wrong("tool.sycllint is not a table", self.places.key())
        for key in table:
            if key not in _SETTINGS:
                raise self._unknown(key)
        lists = {key: self._list(key, table[key]) for key in _LISTS if key in table}
        defines = self._defines(table["defines"]) if "defines" in table else {}
        helpers = self._helpers(table["launch-helpers"]) if "launch-helpers" in table else {}
        devices = self._devices(table["devices"]) if "devices" in table else {}
        lines = {(key, value): self.places.string(key, value) for key, values in lists.items() for value in values}
        self._check_patterns(lists.get("exclude", ()))
        directory = os.path.dirname(os.path.abspath(self.path))
        folders = tuple(self._folder(each, directory) for each in lists.pop("include", ()))
        return Config(
            root=directory,
            file=self.path,
            lines=lines,
            defines=defines,
            include=folders,
            launch_helpers=helpers,
            devices=devices,
            **lists,
        )

    def _unknown(self, key: str) -> SycllintError:
        line = self.places.key(key)
        if key == "tool":
            return self._wrong("in this file the settings stand at the top, without [tool.sycllint]", line)
        return self._wrong(f"unknown setting {key!r}; {suggestion(key, _SETTINGS)}", line)

    def _list(self, key: str, value: object) -> tuple[str, ...]:
        right = f'write {key} = ["{_LISTS[key]}"]'
        if not isinstance(value, list):
            raise self._wrong(f"{key} is {_kind(value)}, not a list of strings; {right}", self.places.key(key))
        for each in value:
            if not isinstance(each, str) or not each.strip():
                found = "an empty string" if isinstance(each, str) else _kind(each)
                raise self._wrong(f"{key} holds {found} where a name belongs; {right}", self.places.key(key))
        return tuple(value)

    def _defines(self, value: object) -> dict[str, str]:
        match value:
            case dict():
                return dict(self._defined(str(name), text) for name, text in value.items())
            case list():
                return dict(self._assigned(each) for each in value)
            case _:
                raise self._wrong(
                    f'defines is {_kind(value)}; write defines = {{ WG = "256" }} or defines = ["WG=256"]',
                    self.places.key("defines"),
                )

    def _defined(self, name: str, value: object) -> tuple[str, str]:
        line = self.places.key("defines", name)
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise self._wrong(f'{name} is {_kind(value)}; write {name} = "256", the text after #define', line)
        if not _is_identifier(name):
            raise self._wrong(f"{name!r} is not a name that a macro can have", line)
        return name, str(value)

    def _assigned(self, value: object) -> tuple[str, str]:
        if not isinstance(value, str):
            found = f'defines holds {_kind(value)} where "NAME=VALUE" belongs'
            raise self._wrong(found, self.places.key("defines"))
        try:
            return assignment(value)
        except SycllintError as error:
            raise self._wrong(error.message, self.places.string("defines", value)) from None

    def _folder(self, folder: str, directory: str) -> str:
        path = os.path.join(directory, folder)
        if not os.path.isdir(path):
            raise self._wrong(f"include: {folder}: no such directory", self.places.string("include", folder))
        return shown(path)

    def _devices(self, value: object) -> dict[str, Device]:
        from sycllint.hardware.custom import custom_device
        from sycllint.hardware.profile import Section

        if not isinstance(value, dict):
            raise self._wrong(
                f'devices is {_kind(value)}; write [devices.mine] and base = "tgl"', self.places.key("devices")
            )
        found = {}
        for name, table in value.items():
            line = self.places.key("devices", name)
            if not isinstance(table, dict):
                raise self._wrong(f'{name} is {_kind(table)}; write [devices.{name}] and base = "tgl"', line)
            lines = {key: self.places.key("devices", name, key) for key in table}
            found[name] = custom_device(name, table, Section(self.path, line, lines))
        return found

    def _helpers(self, value: object) -> dict[str, LaunchHelper]:
        if not isinstance(value, dict):
            raise self._wrong(
                f"launch-helpers is {_kind(value)}; write [launch-helpers] and submit = {{ global = 0, local = 1 }}",
                self.places.key("launch-helpers"),
            )
        return {str(name): self._helper(str(name), arguments) for name, arguments in value.items()}

    def _helper(self, name: str, arguments: object) -> LaunchHelper:
        line = self.places.key("launch-helpers", name)
        if not all(map(_is_identifier, name.split("::"))):
            raise self._wrong(f"{name!r} is not the name of a function", line)
        if not isinstance(arguments, dict):
            raise self._wrong(
                f"{name} is {_kind(arguments)}; write {name} = {{ global = 0, local = 1, kernel = 2 }}, "
                "arguments counted from 0",
                line,
            )
        numbers = {key: self._argument(name, str(key), each) for key, each in arguments.items()}
        helper = LaunchHelper(*(numbers.get(key) for key in _HELPER_KEYS))
        taken = [each for each in (helper.global_, helper.local, helper.kernel) if each is not None]
        if helper.global_ is None and helper.local is None:
            raise self._wrong(f"{name} names neither its global nor its local argument", line)
        if len(set(taken)) < len(taken):
            raise self._wrong(f"{name} names one argument twice", line)
        return helper

    def _argument(self, name: str, key: str, value: object) -> int:
        line = self.places.key("launch-helpers", name, key)
        if key not in _HELPER_KEYS:
            raise self._wrong(f"{name}: unknown key {key!r}; {suggestion(key, _HELPER_KEYS)}", line)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self._wrong(f"{name}: {key} is {_kind(value)}, not a number", line)
        if key == "dims" and value not in {1, 2, 3}:
            raise self._wrong(f"{name}: dims is {value}; a range has 1, 2 or 3 dimensions", line)
        if value < 0:
            raise self._wrong(f"{name}: {key} is {value}; arguments are counted from 0", line)
        return value

    def _check_patterns(self, patterns: Sequence[str]) -> None:
        for pattern in patterns:
            if reason := _broken_pattern(pattern):
                raise self._wrong(reason, self.places.string("exclude", pattern))

    def _wrong(self, message: str, line: int) -> SycllintError:
        return SycllintError(message, path=self.path, line=line)


def assignment(text: str) -> tuple[str, str]:
    """``NAME=VALUE`` as with a compiler's ``-D``: ``NAME`` alone stands for 1."""
    name, equals, value = text.partition("=")
    if not _is_identifier(name.strip()):
        raise SycllintError(f"{text!r} is not NAME=VALUE")
    return name.strip(), value.strip() if equals else "1"


def suggestion(word: str, known: Mapping[str, object] | Sequence[str]) -> str:
    """What would be right instead of ``word``: the closest of ``known``, or all of them."""
    from difflib import SequenceMatcher, get_close_matches

    close = get_close_matches(word, list(known), n=20, cutoff=0.6)
    if not close:
        return f"known are {', '.join(known)}"
    # Codes are as close to many others by their letters: of those, the one that agrees with it in most places.
    likeness = {each: SequenceMatcher(None, each, word).ratio() for each in close}
    best = min(close, key=lambda each: (-likeness[each], sum(map(str.__ne__, each, word)), each))
    return f"did you mean {best!r}?"


def _overridden(config: Config, overrides: Overrides) -> Config:
    for pattern in overrides.exclude:
        if reason := _broken_pattern(pattern):
            raise SycllintError(f"--exclude: {reason}")
    try:
        defines = dict(assignment(text) for text in overrides.defines)
    except SycllintError as error:
        raise SycllintError(f"-D: {error.message}") from None
    return replace(
        config,
        targets=overrides.targets or config.targets,
        select=overrides.select or config.select,
        ignore=(*(() if overrides.select else config.ignore), *overrides.ignore),
        exclude=(*config.exclude, *overrides.exclude),
        defines={**config.defines, **defines},
    )


def _broken_pattern(pattern: str) -> str | None:
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([pattern])
    except ValueError as error:
        return f"{pattern!r} is not a pattern as in .gitignore: {error}"
    return None


def _is_identifier(name: str) -> bool:
    return re.fullmatch(r"[A-Za-z_]\w*", name) is not None


def _kind(value: object) -> str:
    names: Mapping[type, str] = {
        bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "a list", dict: "a table",
    }  # fmt: skip
    return names.get(type(value), "a date")
