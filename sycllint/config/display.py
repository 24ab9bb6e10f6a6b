"""Settings as text: each with its value as TOML has it, and where it was written."""

import re
from collections.abc import Iterator, Sequence

from sycllint.config.settings import LISTS, Config, Deep, Key, Origin, field_of
from sycllint.config.table import HELPER_KEYS
from sycllint.launch.helpers import LaunchHelper
from sycllint.record import NamedTuple, field_names


class DisplayedSetting(NamedTuple):
    """One setting in force."""

    key: str
    text: str
    """The value in TOML."""
    origins: tuple[Origin, ...]
    """Empty: the default."""


def settings(config: Config) -> Iterator[DisplayedSetting]:
    """Every setting, tables key by key."""
    for key in LISTS:
        values: tuple[str, ...] = getattr(config, field_of(key))
        yield DisplayedSetting(key, array(values), _of_values(config, key, values))
    switch = "true" if config.respect_gitignore else "false"
    yield DisplayedSetting("respect-gitignore", switch, _of(config, ("respect-gitignore",)))
    for rule, severity in config.severity.items():
        yield _entry(config, "severity", rule, _string(severity.label))
    for name, text in config.defines.items():
        yield _entry(config, "defines", name, _string(text))
    for name, overloads in config.launch_helpers.items():
        every = ", ".join(map(_helper, overloads))
        yield _entry(config, "launch-helpers", name, every if len(overloads) == 1 else f"[{every}]")
    for key in field_names(Deep):
        chosen: str | None = getattr(config.deep, key)
        if chosen is not None:
            yield DisplayedSetting(f"deep.{key}", _string(chosen), _of(config, ("deep", key)))
    for name, device in config.devices.items():
        yield _entry(config, "devices", name, _string(device.title))
    for each in config.per_path:
        for setting in settings(each.settings):
            if setting.origins:
                yield setting._replace(key=f"per-path.{_name(each.pattern)}.{setting.key}")


def _helper(helper: LaunchHelper) -> str:
    numbers = zip(HELPER_KEYS, (getattr(helper, each) for each in field_names(LaunchHelper)), strict=True)
    return f"{{ {', '.join(f'{each} = {number}' for each, number in numbers if number is not None)} }}"


def _entry(config: Config, table: str, key: str, text: str) -> DisplayedSetting:
    return DisplayedSetting(f"{table}.{_name(key)}", text, _of(config, (table, key), (table,)))


def _of(config: Config, *keys: Key) -> tuple[Origin, ...]:
    """The origin under the first of ``keys`` that has one."""
    return next(((config.origins[key],) for key in keys if key in config.origins), ())


def _of_values(config: Config, key: str, values: Sequence[str]) -> tuple[Origin, ...]:
    """The origins of a list: its values may have been added in several places."""
    found = [config.origins[key, each] for each in values if (key, each) in config.origins]
    return tuple(dict.fromkeys(found)) or _of(config, (key,))


def array(values: Sequence[str]) -> str:
    """Strings as TOML has a list of them."""
    return f"[{', '.join(map(_string, values))}]"


def _name(key: str) -> str:
    return key if re.fullmatch(r"[\w-]+", key, re.ASCII) else _string(key)


def _string(text: str) -> str:
    """A basic string of TOML: what JSON writes is one."""
    import json

    return json.dumps(text, ensure_ascii=False)
