"""The parts of a run: files with the same settings, and what follows from those: rules, severities, devices."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from sycllint.config import Config
from sycllint.diagnostic import Severity
from sycllint.hardware.device import Device
from sycllint.pipeline.targets import Targets
from sycllint.registry import AnyRule, chosen_rules, severities
from sycllint.source.files import shown

_TEST_DIRECTORY = re.compile(r"tests?|testing|unittests?")
_TEST_FILE = re.compile(r"test_.*|.*_tests?")


class Part(NamedTuple):
    """One set of settings, read."""

    config: Config
    rules: tuple[AnyRule, ...]
    severities: Mapping[str, Severity]
    targets: Targets

    def audible(self, path: str) -> tuple[AnyRule, ...]:
        """The rules that speak of a file."""
        if not in_test_tree(path, self.config.root):
            return self.rules
        return tuple(rule for rule in self.rules if not rule.muted_in_tests)


class Parts:
    """The parts of one run; a mistake in any of its settings is raised before the first file is read."""

    def __init__(self, project: Config, configs: Iterable[Config]) -> None:
        self._parts = {id(config): _part(config) for config in {id(each): each for each in configs}.values()}
        # A run without files still has targets and rules to tell of.
        self._all = tuple(self._parts.values()) or (_part(project),)

    def of(self, config: Config) -> Part:
        """The part of a file's settings."""
        return self._parts[id(config)]

    @property
    def rules(self) -> tuple[AnyRule, ...]:
        """Those that run anywhere, by code."""
        found = {rule.code: rule for part in self._all for rule in part.rules}
        return tuple(found.values()) if len(self._all) == 1 else tuple(_sorted(found))

    @property
    def devices(self) -> tuple[Device, ...]:
        """Those that any file was checked against."""
        return tuple({device.name: device for part in self._all for device in part.targets.devices}.values())

    @property
    def assumed(self) -> bool:
        """Whether nobody named any of them."""
        return all(part.targets.assumed for part in self._all)


def in_test_tree(path: str, root: str) -> bool:
    """Whether a file is a test by its name or by that of a directory between ``root`` and it.

    Odd sizes are deliberate there, and rules on waste stay silent (``Rule.muted_in_tests``).
    """
    *directories, name = shown(path, root).lower().split("/")
    stem = name.partition(".")[0]
    return any(map(_TEST_DIRECTORY.fullmatch, directories)) or _TEST_FILE.fullmatch(stem) is not None


def _part(config: Config) -> Part:
    return Part(config, chosen_rules(config), severities(config), Targets(config))


def _sorted(rules: Mapping[str, AnyRule]) -> Iterator[AnyRule]:
    yield from sorted(rules.values(), key=lambda rule: (len(rule.code), rule.code))
