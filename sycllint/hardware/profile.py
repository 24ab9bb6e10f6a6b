"""A profile: one architecture's TOML file, read into devices; a number without a source is refused.

A profile is the architecture's own device, then a list of ``[[parts]]`` that differ from it in a few numbers. Each
number is a table of its own::

    [max_work_group_size]
    value = 512                 # or: kib = 64, or: unknown = true
    source = "…"
    conflict = "…"              # optional: what others say, and why this one
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from sycllint.errors import SycllintError
from sycllint.hardware.device import (
    Bytes,
    Device,
    IntelDevice,
    RegisterLimit,
    RegisterMode,
    Threads,
    Vendor,
    WorkItems,
)

KIB = 1024

_WORDS = frozenset({"name", "title", "vendor", "aliases", "parts"})
_INTEL = frozenset(
    {
        "cores",
        "smallest_cores",
        "engines_per_core",
        "threads_per_engine",
        "threads_per_core",
        "max_work_group_size",
        "max_threads_per_group",
        "sub_group_sizes",
        "local_memory_per_core",
        "max_local_memory_per_group",
        "local_memory_steps",
        "groups_per_core",
        "barriers_per_core",
        "register_bytes",
        "register_modes",
        "register_limits",
        "pci_ids",
    }
)
_FIELDS: Mapping[Vendor, frozenset[str]] = {Vendor.INTEL: _INTEL}

Numbers = int | tuple[int, ...] | tuple[tuple[int, ...], ...] | None


@dataclass(frozen=True, slots=True)
class Fact:
    """A number, or a list of them, or ``None`` for a number known to be unknown; and the document that says so."""

    value: Numbers
    source: str
    conflict: str | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """One device as its file states it: the words, and the facts by field name."""

    words: Mapping[str, str]
    aliases: tuple[str, ...]
    facts: Mapping[str, Fact]


@dataclass(frozen=True, slots=True)
class _Text:
    """A profile's text, for errors that name the line."""

    path: str
    lines: tuple[str, ...]

    def error(self, message: str, key: str, part: int) -> SycllintError:
        """``message`` at the line of ``key``, in the ``part``-th ``[[parts]]`` (0: before the first)."""
        return SycllintError(message, path=self.path, line=self._line(key, part))

    def _line(self, key: str, part: int) -> int:
        start, seen = 0, 0
        for number, line in enumerate(self.lines, 1):
            if line.strip() == "[[parts]]":
                seen += 1
                if seen == part:
                    start = number
                elif seen > part:
                    break
            elif seen == part and re.match(rf"\s*\[?{re.escape(key)}\s*[\]=]", line):
                return number
        return start or 1


def read_profile(text: str, path: str) -> tuple[Device, ...]:
    """The devices of one profile, the architecture's own first.

    Raises ``SycllintError`` with ``path`` and line when the text is not TOML, a field is misspelt, missing or of the
    wrong type, or a number has no source.
    """
    import tomllib

    lines = _Text(path, tuple(text.splitlines()))
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at line (\d+)", str(error))
        raise SycllintError(f"not TOML: {error}", path=path, line=int(place[1]) if place else None) from None
    vendor = _vendor(table, lines)
    parts = table.get("parts", [])
    if not isinstance(parts, list):
        raise lines.error("parts is not a list of tables", "parts", 0)
    own = _part(table, lines, 0, _FIELDS[vendor])
    devices = [_intel(own, own, lines, 0)]
    for number, each in enumerate(parts, 1):
        devices.append(_intel(own, _part(each, lines, number, _FIELDS[vendor]), lines, number))
    return tuple(devices)


def _vendor(table: Mapping[str, object], lines: _Text) -> Vendor:
    try:
        vendor = Vendor(str(table.get("vendor")))
    except ValueError:
        raise lines.error(f"vendor is none of {', '.join(Vendor)}", "vendor", 0) from None
    if vendor not in _FIELDS:
        raise lines.error(f"no model for devices of vendor {vendor}", "vendor", 0)
    return vendor


def _part(table: Mapping[str, object], lines: _Text, number: int, fields: frozenset[str]) -> Part:
    words: dict[str, str] = {}
    facts: dict[str, Fact] = {}
    for key, value in table.items():
        if key in fields:
            facts[key] = _fact(key, value, lines, number)
        elif key not in _WORDS:
            raise lines.error(f"unknown field {key}", key, number)
        elif isinstance(value, str):
            words[key] = value
    aliases = table.get("aliases", [])
    if not isinstance(aliases, list) or not all(isinstance(each, str) for each in aliases):
        raise lines.error("aliases is not a list of names", "aliases", number)
    for key in ("name", "title"):
        if not words.get(key):
            raise lines.error(f"{key} is missing", key, number)
    return Part(words, tuple(aliases), facts)


def _fact(key: str, table: object, lines: _Text, number: int) -> Fact:
    if not isinstance(table, dict) or not table.get("source") or not isinstance(table["source"], str):
        raise lines.error(f"{key} has no source", key, number)
    given = table.keys() & {"value", "kib", "unknown"}
    if len(given) != 1 or table.keys() - {"source", "conflict"} != given:
        raise lines.error(f"{key} needs one of value, kib and unknown, a source, and at most a conflict", key, number)
    conflict = table.get("conflict")
    if conflict is not None and not isinstance(conflict, str):
        raise lines.error(f"{key}: conflict is not a text", key, number)
    if "unknown" in table:
        return Fact(None, table["source"], conflict)
    numbers = _numbers(table["kib" if "kib" in table else "value"], KIB if "kib" in table else 1)
    if numbers is None:
        raise lines.error(f"{key} is neither a whole number nor a list of them", key, number)
    return Fact(numbers, table["source"], conflict)


def _numbers(value: object, unit: int) -> int | tuple[int, ...] | tuple[tuple[int, ...], ...] | None:
    """``value`` times ``unit``; ``None`` when it holds anything but whole numbers."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value * unit
    if not isinstance(value, list):
        return None
    if all(isinstance(each, int) and not isinstance(each, bool) for each in value):
        return tuple(each * unit for each in value)
    if all(isinstance(row, list) and all(isinstance(each, int) for each in row) for row in value):
        return tuple(tuple(row) for row in value)
    return None


@dataclass(frozen=True, slots=True)
class _Fields:
    """The facts of one part over those of its architecture, handed out by type."""

    facts: Mapping[str, Fact]
    lines: _Text
    number: int

    def optional(self, key: str) -> int | None:
        """A whole number, or ``None`` for one that the profile says is unknown."""
        value = self._fact(key).value
        if value is None or isinstance(value, int):
            return value
        raise self.lines.error(f"{key} is not a whole number", key, self.number)

    def number_of(self, key: str) -> int:
        """A whole number that must be known."""
        value = self.optional(key)
        if value is None:
            raise self.lines.error(f"{key} must be known", key, self.number)
        return value

    def row(self, key: str) -> tuple[int, ...]:
        """A list of whole numbers."""
        value = self._fact(key).value
        if not isinstance(value, tuple):
            raise self.lines.error(f"{key} is not a list", key, self.number)
        return tuple(each for each in value if isinstance(each, int))

    def pairs(self, key: str) -> tuple[tuple[int, int], ...]:
        """A list of pairs of whole numbers."""
        value = self._fact(key).value
        if not isinstance(value, tuple) or not all(isinstance(row, tuple) and len(row) == 2 for row in value):
            raise self.lines.error(f"{key} is not a list of pairs", key, self.number)
        return tuple((row[0], row[1]) for row in value if isinstance(row, tuple))

    def _fact(self, key: str) -> Fact:
        if key not in self.facts:
            raise self.lines.error(f"{key} is missing", key, self.number)
        return self.facts[key]


def _intel(own: Part, part: Part, lines: _Text, number: int) -> IntelDevice:
    facts = {**own.facts, **part.facts}
    if part is not own and "pci_ids" not in part.facts:
        facts.pop("pci_ids", None)
    fields = _Fields(facts, lines, number)
    threads = fields.optional("threads_per_core")
    return IntelDevice(
        name=part.words["name"],
        title=part.words["title"],
        vendor=Vendor.INTEL,
        cores=fields.optional("cores"),
        smallest_cores=fields.optional("smallest_cores"),
        max_work_group_size=WorkItems(fields.number_of("max_work_group_size")),
        sub_group_sizes=fields.row("sub_group_sizes"),
        threads_per_core=None if threads is None else Threads(threads),
        local_memory_per_core=Bytes(fields.number_of("local_memory_per_core")),
        max_local_memory_per_group=Bytes(fields.number_of("max_local_memory_per_group")),
        sources={key: fact.source for key, fact in facts.items()},
        conflicts={key: fact.conflict for key, fact in facts.items() if fact.conflict},
        aliases=part.aliases,
        engines_per_core=fields.optional("engines_per_core"),
        threads_per_engine=fields.number_of("threads_per_engine"),
        local_memory_steps=tuple(Bytes(each) for each in fields.row("local_memory_steps")),
        groups_per_core=fields.optional("groups_per_core"),
        barriers_per_core=fields.optional("barriers_per_core"),
        max_threads_per_group=fields.optional("max_threads_per_group"),
        register_bytes=Bytes(fields.number_of("register_bytes")),
        register_modes=tuple(RegisterMode(*pair) for pair in fields.pairs("register_modes")),
        register_limits=tuple(RegisterLimit(size, WorkItems(most)) for size, most in fields.pairs("register_limits")),
        pci_ids=fields.row("pci_ids") if "pci_ids" in facts else (),
    )
