"""One table of settings to a ``Config``: every mistake in it is an error that names file and line."""

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from sycllint.config.settings import LISTS, REPLACED, TABLES, Config, Deep, Key, Origin, PathSettings, field_of
from sycllint.config.toml import TomlTable
from sycllint.diagnostic import Severity
from sycllint.errors import SycllintError
from sycllint.hardware.device import Device
from sycllint.launch.helpers import LaunchHelper, Overloads
from sycllint.nearest import suggestion
from sycllint.record import NamedTuple, field_names, replace
from sycllint.source.files import shown

SETTINGS = (*REPLACED, *TABLES, "deep", "per-path", "extend", "required-version")

PER_PATH = ("targets", "select", "extend-select", "ignore", "severity", "defines")
"""Settings that some of the files may have for themselves."""

LEVELS = {severity.label: severity for severity in Severity}

_LISTING = "`sycllint config --schema` describes all settings"

_USES = ("on", "auto", "off")
_DEEP_KEYS = field_names(Deep)
HELPER_KEYS = tuple(each.removesuffix("_") for each in field_names(LaunchHelper))
"""The meanings of arguments that a launch helper states."""


def read_table(document: TomlTable) -> Config:
    """The settings of a document; ``extend`` and ``required-version`` are for others to follow."""
    return _Table(document).config()


class _Table(NamedTuple):
    """A table on its way to a ``Config``; ``prefix`` is where it stands in the document."""

    document: TomlTable
    prefix: Key = ()

    def config(self) -> Config:
        table = self.document.table
        if not isinstance(table, dict):
            raise self._wrong("tool.sycllint is not a table", self._line())
        for key in table:
            if key not in SETTINGS:
                raise self._unknown(str(key))
        config = self._common(table, LISTS)
        deep = list(given) if isinstance(given := table.get("deep"), dict) else []
        directory = os.path.dirname(os.path.abspath(self.document.path))
        gitignore = table.get("respect-gitignore", True)
        if not isinstance(gitignore, bool):
            right = "write respect-gitignore = true or respect-gitignore = false"
            raise self._wrong(f"respect-gitignore is {_kind(gitignore)}; {right}", self._line("respect-gitignore"))
        return replace(
            config,
            root=directory,
            file=self.document.path,
            include=tuple(self._folder(each, directory) for each in config.include),
            respect_gitignore=gitignore,
            launch_helpers=self._helpers(table.get("launch-helpers", {})),
            devices=self._devices(table["devices"]) if "devices" in table else {},
            per_path=self._per_path(table.get("per-path", {})),
            deep=self._deep(table.get("deep", {}), directory),
            origins={**config.origins, **{("deep", each): self._origin(self._line("deep", each)) for each in deep}},
        )

    def _deep(self, value: object, directory: str) -> Deep:
        found: dict[str, str] = {}
        for key, text in self._dict(value, "deep", 'write [deep] and use = "auto"', self._line("deep")).items():
            line = self._line("deep", key)
            if key not in _DEEP_KEYS:
                raise self._wrong(f"deep: unknown key {key!r}; {_suggestion(key, _DEEP_KEYS)}", line)
            if not isinstance(text, str) or not text.strip():
                what = "an empty string" if isinstance(text, str) else _kind(text)
                raise self._wrong(f"deep: {key} is {what}, not {'a word' if key == 'use' else 'a path'}", line)
            if key == "use" and text not in _USES:
                raise self._wrong(f"deep: use is {text!r}; it is {', '.join(_USES)}", line)
            if key == "library" and self.document.numbered:
                option = f"--config 'deep.library=\"{text}\"'"
                raise self._wrong(f"deep: library is code that is loaded, so no file may name it; use {option}", line)
            path = os.path.join(directory, text)
            if key != "use" and not os.path.exists(path):
                raise self._wrong(f"deep: {key}: {text}: no such file or directory", line)
            found[key] = text if key == "use" else path
        return Deep(**found)

    def _common(self, table: Mapping[str, object], lists: Iterable[str]) -> Config:
        """The settings that a file's table and a ``per-path`` table share."""
        found = {key: self._list(key, table[key]) for key in lists if key in table}
        defines = self._defines(table["defines"]) if "defines" in table else {}
        levels = self._severity(table["severity"]) if "severity" in table else {}
        for pattern in found.get("exclude", ()):
            if reason := broken_pattern(pattern):
                raise self._wrong(reason, self._string("exclude", pattern))
        origins = {(*self.prefix, key): self._origin(self._line(key)) for key in table}
        for key, values in found.items():
            origins |= {(*self.prefix, key, each): self._origin(self._string(key, each)) for each in values}
        for key, names in (("defines", defines), ("severity", levels)):
            origins |= {(*self.prefix, key, each): self._origin(self._line(key, each)) for each in names}
        fields: dict[str, Any] = {field_of(key): values for key, values in found.items()}
        return replace(Config(severity=levels, defines=defines, origins=origins), **fields)

    def _per_path(self, value: object) -> tuple[PathSettings, ...]:
        right = 'write [per-path."tests/"] and ignore = ["SYC2"]'
        found = []
        for pattern, given in self._dict(value, "per-path", right, self._line("per-path")).items():
            inner = _Table(self.document, ("per-path", pattern))
            table = self._dict(given, f"per-path of {pattern!r}", right, inner._line())
            for key in table:
                if key not in PER_PATH:
                    hint = f"is a setting of the whole project, not of {pattern!r}" if key in SETTINGS else ""
                    message = f"{key!r} {hint}" if hint else f"unknown setting {key!r}; {_suggestion(key, PER_PATH)}"
                    raise self._wrong(message, inner._line(key))
            if reason := broken_pattern(pattern):
                raise self._wrong(reason, inner._line())
            settings = inner._common(table, (key for key in LISTS if key in PER_PATH))
            own = {key[2:]: origin for key, origin in settings.origins.items()}
            found.append(PathSettings(pattern, replace(settings, origins=own)))
        return tuple(found)

    def _unknown(self, key: str) -> SycllintError:
        if key == "tool":
            return self._wrong("in this file settings are at the top level, without [tool.sycllint]", self._line(key))
        return self._wrong(f"unknown setting {key!r}; {suggestion(key, SETTINGS, _LISTING)}", self._line(key))

    def _dict(self, value: object, what: str, right: str, line: int) -> Mapping[str, object]:
        if not isinstance(value, dict):
            raise self._wrong(f"{what} is {_kind(value)}; {right}", line)
        return value

    def _list(self, key: str, value: object) -> tuple[str, ...]:
        right = f'write {key} = ["{LISTS[key]}"]'
        if not isinstance(value, list):
            raise self._wrong(f"{key} is {_kind(value)}, not a list of strings; {right}", self._line(key))
        for each in value:
            if not isinstance(each, str) or not each.strip():
                found = "an empty string" if isinstance(each, str) else _kind(each)
                raise self._wrong(f"{key} holds {found} where a name belongs; {right}", self._line(key))
        return tuple(value)

    def _severity(self, value: object) -> dict[str, Severity]:
        table = self._dict(value, "severity", 'write [severity] and SYC204 = "error"', self._line("severity"))
        for rule, level in table.items():
            if not isinstance(level, str) or level not in LEVELS:
                what = repr(level) if isinstance(level, str) else _kind(level)
                raise self._wrong(f"{rule} is {what}; a severity is {', '.join(LEVELS)}", self._line("severity", rule))
        return {rule: LEVELS[str(level)] for rule, level in table.items()}

    def _defines(self, value: object) -> dict[str, str]:
        match value:
            case dict():
                return dict(self._defined(str(name), text) for name, text in value.items())
            case list():
                return dict(self._assigned(each) for each in value)
            case _:
                raise self._wrong(
                    f'defines is {_kind(value)}; write defines = {{ WG = "256" }} or defines = ["WG=256"]',
                    self._line("defines"),
                )

    def _defined(self, name: str, value: object) -> tuple[str, str]:
        line = self._line("defines", name)
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise self._wrong(f'{name} is {_kind(value)}; write {name} = "256", the text after #define', line)
        if not _is_identifier(name):
            raise self._wrong(f"{name!r} is not a name that a macro can have", line)
        return name, _digits(value)

    def _assigned(self, value: object) -> tuple[str, str]:
        if not isinstance(value, str):
            raise self._wrong(f'defines holds {_kind(value)} where "NAME=VALUE" belongs', self._line("defines"))
        try:
            return assignment(value)
        except SycllintError as error:
            raise self._wrong(error.message, self._string("defines", value)) from None

    def _folder(self, folder: str, directory: str) -> str:
        path = os.path.join(directory, folder)
        if "\0" in folder or not os.path.isdir(path):
            raise self._wrong(f"include: {folder}: no such directory", self._string("include", folder))
        return shown(path)

    def _devices(self, value: object) -> dict[str, Device]:
        from sycllint.hardware.custom import custom_device
        from sycllint.hardware.profile import Section

        found = {}
        right = 'write [devices.{}] and base = "tgl"'
        for name, given in self._dict(value, "devices", right.format("mine"), self._line("devices")).items():
            line = self._line("devices", name)
            table = self._dict(given, name, right.format(name), line)
            lines = {key: self._line("devices", name, key) for key in table}
            found[name] = custom_device(name, table, Section(self.document.path, line, lines))
        return found

    def _helpers(self, value: object) -> dict[str, Overloads]:
        right = "write [launch-helpers] and submit = { global = 0, local = 1 }"
        table = self._dict(value, "launch-helpers", right, self._line("launch-helpers"))
        return {name: self._overloads(name, given) for name, given in table.items()}

    def _overloads(self, name: str, given: object) -> Overloads:
        """Functions of one name: one entry, or a list of them."""
        line = self._line("launch-helpers", name)
        if not all(map(_is_identifier, name.split("::"))):
            raise self._wrong(f"{name!r} is not the name of a function", line)
        found = tuple(self._helper(name, each) for each in (given if isinstance(given, list) else [given]))
        if not found:
            raise self._wrong(f"{name} is an empty list; write {name} = {{ global = 0, local = 1, kernel = 2 }}", line)
        counts = [each.arguments for each in found]
        if counts.count(None) > 1:
            raise self._wrong(f"{name}: several entries without `arguments`, which distinguishes overloads", line)
        twice = next((each for each in counts if counts.count(each) > 1), None)
        if twice is not None:
            raise self._wrong(f"{name}: several entries with arguments = {twice}", line)
        return found

    def _helper(self, name: str, arguments: object) -> LaunchHelper:
        line = self._line("launch-helpers", name)
        right = f"write {name} = {{ global = 0, local = 1, kernel = 2 }}, arguments counted from 0"
        table = self._dict(arguments, name, right, line)
        numbers = {key: self._argument(name, key, each) for key, each in table.items()}
        helper = LaunchHelper(*(numbers.get(key) for key in HELPER_KEYS))
        taken = helper.positions
        if helper.global_ is None and helper.local is None:
            raise self._wrong(f"{name} names neither its global nor its local argument", line)
        if len(set(taken)) < len(taken):
            raise self._wrong(f"{name} names one argument twice", line)
        if helper.arguments is not None and helper.arguments <= max(taken):
            raise self._wrong(
                f"{name}: argument {max(taken)}, counted from 0, is not among {helper.arguments} arguments", line
            )
        return helper

    def _argument(self, name: str, key: str, value: object) -> int:
        line = self._line("launch-helpers", name, key)
        if key not in HELPER_KEYS:
            raise self._wrong(f"{name}: unknown key {key!r}; {_suggestion(key, HELPER_KEYS)}", line)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self._wrong(f"{name}: {key} is {_kind(value)}, not a number", line)
        if key == "dims" and value not in {1, 2, 3}:
            raise self._wrong(f"{name}: dims is {_digits(value)}; a range has 1, 2 or 3 dimensions", line)
        if value < 0:
            raise self._wrong(f"{name}: {key} is {_digits(value)}; arguments are counted from 0", line)
        return value

    def _line(self, *names: str) -> int:
        return self.document.places.key(*self.prefix, *names)

    def _string(self, key: str, value: str) -> int:
        return self.document.places.string((*self.prefix, key), value)

    def _origin(self, line: int) -> Origin:
        return self.document.origin(line)

    def _wrong(self, message: str, line: int) -> SycllintError:
        return self.document.wrong(message, line)


def assignment(text: str) -> tuple[str, str]:
    """``NAME=VALUE`` as with a compiler's ``-D``: ``NAME`` alone stands for 1."""
    name, equals, value = text.partition("=")
    if not _is_identifier(name.strip()):
        raise SycllintError(f"{text!r} is not NAME=VALUE")
    if any("\ud800" <= each <= "\udfff" for each in value):  # bytes of the command line that are no UTF-8
        raise SycllintError(f"{text!r} is not text")
    return name.strip(), value.strip() if equals else "1"


def level(text: str) -> tuple[str, Severity]:
    """``RULE=LEVEL`` as rule and severity."""
    rule, _, word = text.partition("=")
    if not rule.strip() or word.strip() not in LEVELS:
        raise SycllintError(f"{text!r} is not RULE=LEVEL, as SYC204=error; a severity is {', '.join(LEVELS)}")
    return rule.strip(), LEVELS[word.strip()]


def _suggestion(word: str, known: Sequence[str]) -> str:
    """The suggestion for a wrong ``word``, of a few known words."""
    return suggestion(word, known, f"known are {', '.join(known)}")


def broken_pattern(pattern: str) -> str | None:
    """Why a pattern is not one as in ``.gitignore``; ``None`` when it is."""
    from sycllint.source.patterns import spec_of

    try:
        spec_of([pattern])
    except ValueError as error:
        return f"{pattern!r} is not a pattern as in .gitignore: {error}"
    return None


def matcher(patterns: Sequence[str]) -> Callable[[str], bool]:
    """Whether a path relative to the root, a directory's with a slash at its end, matches one of ``patterns``."""
    if not patterns:
        return lambda path: False
    from sycllint.source.patterns import spec_of

    return spec_of(patterns).match_file


def _digits(value: str | int) -> str:
    try:
        return str(value)
    except ValueError:  # Python writes no integers of more than 4300 digits
        return hex(value) if isinstance(value, int) else value


def _is_identifier(name: str) -> bool:
    return re.fullmatch(r"[A-Za-z_]\w*", name) is not None


def _kind(value: object) -> str:
    names: Mapping[type, str] = {
        bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "a list", dict: "a table",
    }  # fmt: skip
    return names.get(type(value), "a date")
