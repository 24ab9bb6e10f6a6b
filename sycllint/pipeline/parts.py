"""The parts of a run: files with the same settings, and what follows from those: rules, severities, devices."""

import os
import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Protocol

from sycllint.config import Config, target_devices
from sycllint.diagnostic import Severity
from sycllint.hardware.device import Device
from sycllint.heads import AnyRule
from sycllint.memoized import memoized
from sycllint.observation import Wanted
from sycllint.packs import left_out
from sycllint.pipeline.targets import Targets
from sycllint.pipeline.unnamed import UNNAMED
from sycllint.record import NamedTuple, replace
from sycllint.rule import KernelDemand
from sycllint.source.disk import Disk
from sycllint.source.files import shown

MADE_FROM = {
    "CapturedObject": frozenset({"KernelArguments"}),
    "Repair": frozenset({"MissedBarrier", "UnguardedAccess"}),
}
"""Kinds of records that are made from records of other kinds: ``launch/repair.py``, ``pipeline/project.py``."""

LEAST_LIMIT = 256
"""Work-items per group that every known device takes."""

_TEST_DIRECTORY = re.compile(r"(?:unit|stress|conformance)?[_-]?tests?|testing|stress|conformance")
_TEST_FILE = re.compile(r"test_.*|.*_tests?")


class Meaning(NamedTuple):
    """What settings come to, in words: it can be written without loading a rule or a device."""

    codes: tuple[str, ...]
    """Of the rules that are on, in the order of all rules."""
    muted: frozenset[str]
    """Of those that do not apply to tests."""
    devices: tuple[str, ...]
    """Those that are configured."""


class MeaningStore(Protocol):
    """Where meanings are kept from one run to the next."""

    def meaning(self, config: Config, /) -> Meaning | None:
        """What settings are known to come to."""

    def keep_meaning(self, config: Config, meaning: Meaning, /) -> None:
        """Take what they come to."""


class ResolvedSettings:
    """One set of settings, read. A mistake in them is raised at once, unless ``meaning`` vouches that there is none."""

    def __init__(self, config: Config, meaning: Meaning | None = None, disk: Disk | None = None) -> None:
        self.config = config
        self.disk = disk or Disk()
        self.meaning = meaning or self._read()

    @cached_property
    def rules(self) -> "tuple[AnyRule, ...]":
        """The rules that are on."""
        from sycllint.registry import chosen_rules

        return chosen_rules(self.config)

    @cached_property
    def severities(self) -> Mapping[str, Severity]:
        """By code, what findings weigh instead of what their rule says."""
        from sycllint.registry import severities

        return severities(self.config)

    @cached_property
    def targets(self) -> "Targets":
        """The devices, file by file."""
        from sycllint.pipeline.targets import Targets

        return Targets(self.config, self.disk)

    def audible(self, path: str) -> "tuple[AnyRule, ...]":
        """The rules that apply to a file."""
        codes = self.codes(path)
        return tuple(rule for rule in self.rules if rule.code in codes)

    def codes(self, path: str) -> frozenset[str]:
        """The codes of the rules that apply to a file."""
        folder, name = os.path.split(path)
        return self._heard[self._is_in_tests(folder) or _is_test_name(name)]

    @memoized
    def _is_in_tests(self, folder: str) -> bool:
        return in_test_tree(os.path.join(folder, "_"), self.config.root)

    def wanted(self, path: str) -> Wanted:
        """The kinds of records that the rules for a file judge."""
        return self._wanted_by(self.codes(path))

    @memoized
    def _wanted_by(self, codes: frozenset[str]) -> Wanted:
        rules = [rule for rule in self.rules if rule.code in codes]
        return replace(wanted_by(rules), kernels_above=self._kernels_above({rule.kernels for rule in rules}))

    def _kernels_above(self, asked: set[KernelDemand]) -> int | None:
        if asked <= {KernelDemand.NONE}:
            return None
        return 0 if KernelDemand.ALL in asked else self._least_limit

    @cached_property
    def _least_limit(self) -> int:
        """Work-items per group that every device takes, at any width: a user's own may take few."""
        from sycllint.occupancy.estimate import limit

        devices = target_devices(self.config) if self.config.targets else ()
        limits = (limit(each, None, width) for each in devices for width in (None, *each.sub_group_sizes))
        return min(limits, default=LEAST_LIMIT)

    @cached_property
    def _heard(self) -> tuple[frozenset[str], frozenset[str]]:
        """The codes of the rules that apply to other files than tests, and to tests."""
        codes = frozenset(self.meaning.codes)
        return codes, codes - self.meaning.muted

    def _read(self) -> Meaning:
        devices = target_devices(self.config) if self.config.targets else ()
        rules, _ = self.rules, self.severities  # both are read here for the mistakes in them
        return Meaning(
            tuple(rule.code for rule in rules),
            frozenset(rule.code for rule in rules if rule.muted_in_tests),
            tuple(device.name for device in devices),
        )


class Parts:
    """The parts of one run; a mistake in any of its settings is raised before the first file is read."""

    def __init__(
        self,
        project: Config,
        configs: Iterable[Config],
        *,
        cache: "MeaningStore | None" = None,
        disk: Disk | None = None,
    ) -> None:
        """``cache`` has what settings came to before, and takes what they come to now."""

        def part(config: Config) -> ResolvedSettings:
            known = cache.meaning(config) if cache is not None else None
            found = ResolvedSettings(config, known, disk)
            if cache is not None and known is None and not left_out():
                cache.keep_meaning(config, found.meaning)
            return found

        self._parts = {id(config): part(config) for config in {id(each): each for each in configs}.values()}
        # A run without files still has targets and rules to report.
        self._all = tuple(self._parts.values()) or (part(project),)

    def of(self, config: Config) -> ResolvedSettings:
        """The part of a file's settings."""
        return self._parts[id(config)]

    @property
    def each(self) -> tuple[ResolvedSettings, ...]:
        """All of them, in the order of their first files."""
        return self._all

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the rules that run anywhere, in order."""
        if len(self._all) == 1:
            return self._all[0].meaning.codes
        found = {code for part in self._all for code in part.meaning.codes}
        return tuple(sorted(found, key=lambda code: (len(code), code)))

    def rules(self) -> "tuple[AnyRule, ...]":
        """The rules that run anywhere, in order."""
        found = {rule.code: rule for part in self._all for rule in part.rules}
        return tuple(found[code] for code in self.codes)

    @property
    def devices(self) -> "tuple[Device, ...]":
        """Those that any file was checked against so far, in this process."""
        return tuple({device.name: device for part in self._all for device in part.targets.devices}.values())

    @property
    def examples(self) -> "tuple[Device, ...]":
        """Those of them that tables have columns for."""
        return tuple({device.name: device for part in self._all for device in part.targets.examples}.values())

    @property
    def assumed(self) -> bool:
        """Whether none of them was named."""
        return all(part.targets.assumed for part in self._all)

    def targets(self, checked: "Iterable[tuple[Config, Iterable[str], bool]]") -> tuple[tuple[str, ...], bool]:
        """The names of the devices of a run, and whether none was named.

        ``checked``: of each file its settings, the names of its devices, and whether those were assumed.
        """
        names: dict[int, dict[str, None]] = {id(part): dict.fromkeys(part.meaning.devices) for part in self._all}
        assumed = not any(part.meaning.devices for part in self._all)
        for config, devices, guessed in checked:
            names[id(self.of(config))].update(dict.fromkeys(devices))
            assumed &= guessed
        found = dict.fromkeys(name for of_part in names.values() for name in of_part or UNNAMED)
        return tuple(found), assumed


def wanted_by(rules: "Iterable[AnyRule]") -> Wanted:
    """The kinds of records that ``rules`` judge, and those from which these are made."""
    kinds = frozenset(kind for rule in rules for kind in rule.kinds)
    return Wanted(kinds.union(*(MADE_FROM[kind] for kind in kinds & MADE_FROM.keys())))


def in_test_tree(path: str, root: str) -> bool:
    """Whether a file is a test by its name or by that of a directory between ``root`` and it.

    Odd sizes are deliberate there, and rules on waste stay silent (``Rule.muted_in_tests``).
    """
    *directories, name = shown(path, root).lower().split("/")
    return any(map(_TEST_DIRECTORY.fullmatch, directories)) or _is_test_name(name)


def _is_test_name(name: str) -> bool:
    return _TEST_FILE.fullmatch(name.lower().partition(".")[0]) is not None
