"""A profile: what a TOML file states of devices, number by number; a number without a source is refused.

A profile is an architecture's own device, ``[[parts]]`` that differ from it in a few numbers, and ``[[modes]]`` in
which its devices can be used. ``base`` names the device whose numbers apply where a file or a part has none. Each
number is a table of its own::

    [max_work_group_size]
    value = 512                 # or: kib = 64, or: unknown = true
    source = "…"
    conflict = "…"              # optional: what others say, and why this one
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import TypeGuard

from sycllint.errors import SycllintError
from sycllint.hardware.device import AmdDevice, Device, IntelDevice, NvidiaDevice, Vendor
from sycllint.record import NamedTuple, field_names

KIB = 1024

BYTES = frozenset(
    {
        "local_memory_per_core",
        "max_local_memory_per_group",
        "local_memory_steps",
        "local_memory_granule",
        "local_memory_reserved",
        "local_memory_carve_outs",
        "register_bytes",
    }
)
"""Fields that count bytes."""

TOTALS = frozenset({"total_threads", "total_lanes"})
"""Products of other fields. A profile states one where a document prints it, for the source; it has to agree."""

_WORDS = frozenset({"name", "title", "vendor", "aliases", "base", "parts", "modes"})
_OF_ONE_PART = TOTALS | {"pci_ids"}
_SMALLEST = {"cores": "smallest_cores", "compute_units": "smallest_compute_units"}
"""What counts the cores of a part, and of the smallest part of its architecture."""
NOT_STATED = frozenset({"name", "title", "vendor", "aliases", "sources", "conflicts"})
"""Fields that are no numbers."""
CLASSES: Mapping[Vendor, type[Device]] = {
    Vendor.INTEL: IntelDevice,
    Vendor.AMD: AmdDevice,
    Vendor.NVIDIA: NvidiaDevice,
}

Numbers = int | tuple[int, ...] | tuple[tuple[int, ...], ...] | None


@cache
def stated_fields(vendor: Vendor) -> frozenset[str]:
    """The fields that a profile states for devices of ``vendor``: those of the class that are numbers.

    AMD's documents count compute units, and cores follow from them.
    """
    names = {*field_names(CLASSES[vendor])} - NOT_STATED | TOTALS
    if vendor is Vendor.AMD:
        names = names - {"cores", "smallest_cores", "threads_per_core"} | {"smallest_compute_units"}
    return frozenset(names)


class Fact(NamedTuple):
    """A number, or a list of them, or ``None`` for a number known to be unknown; and the document that says so."""

    value: Numbers
    source: str
    conflict: str | None = None


class Section(NamedTuple):
    """The table of a device, for errors that name file and line."""

    path: str
    line: int
    lines: Mapping[str, int]
    """Line of each key; the section's own for the others."""

    def error(self, message: str, key: str = "") -> SycllintError:
        """``message`` at the line of ``key``."""
        return SycllintError(message, path=self.path, line=self.lines.get(key, self.line))


class Entry(NamedTuple):
    """One device as its file states it, with what it takes over from its base."""

    name: str
    title: str
    vendor: Vendor
    aliases: tuple[str, ...]
    facts: Mapping[str, Fact]
    modes: Mapping[str, Mapping[str, Fact]]
    """What differs when the device is used in a mode, by the mode's name."""
    section: Section

    def in_mode(self, mode: str) -> "Entry":
        """The device as ``name:mode``."""
        if mode not in self.modes:
            known = ", ".join(f"{self.name}:{each}" for each in self.modes)
            raise SycllintError(f"{self.name} has no mode '{mode}'" + (f"; there is {known}" if known else ""))
        facts = {**self.facts, **self.modes[mode]}
        return self._replace(name=f"{self.name}:{mode}", aliases=(), facts=facts)


Bases = Callable[[str], Entry]
"""The entry that ``base`` names; raises ``SycllintError`` when there is none."""


def read_profile(text: str, path: str, bases: Bases | None = None) -> tuple[Entry, ...]:
    """The devices of one profile, the architecture's own first.

    ``bases`` finds devices of other files. Raises ``SycllintError`` with ``path`` and line when the text is not TOML, a
    field is misspelt or of the wrong type, or a number has no source.
    """
    table = _read(text, path)
    sections = _sections(text, path)
    own = _own(table, sections["", 1], bases)
    for number, each in enumerate(_tables(table, "modes", sections["", 1]), 1):
        section = sections["modes", number]
        name = each.get("name")
        if not isinstance(name, str):
            raise section.error("name is missing", "name")
        facts = _facts({key: value for key, value in each.items() if key != "name"}, own.vendor, section)
        own = own._replace(modes={**own.modes, name: facts})
    entries = {own.name: own}
    for number, each in enumerate(_tables(table, "parts", sections["", 1]), 1):
        section = sections["parts", number]
        base = entries.get(str(each.get("base", own.name)))
        if base is None:
            raise section.error(f"base {each['base']} is not stated before", "base")
        part = derived(each, section, base)
        entries[part.name] = part
    return tuple(entries.values())


def _read(text: str, path: str) -> Mapping[str, object]:
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at line (\d+)", str(error))
        raise SycllintError(f"not TOML: {error}", path=path, line=int(place[1]) if place else None) from None


def derived(table: Mapping[str, object], section: Section, base: Entry) -> Entry:
    """The device of ``table``: that of ``base`` but for what the table says.

    PCI ids and totals are one part's and not taken over. A table that counts its cores is of one part, and so of the
    smallest that goes by its name.
    """
    inherited = {key: fact for key, fact in base.facts.items() if key not in _OF_ONE_PART}
    found = _entry(table, section, base.vendor, inherited, base.modes)
    exact = {least: found.facts[own] for own, least in _SMALLEST.items() if own in table and least not in table}
    return found._replace(facts={**found.facts, **exact}) if exact else found


def fact_of(key: str, table: object, section: Section) -> Fact:
    """The number that ``table`` states, with its source."""
    if not isinstance(table, dict) or not table.get("source") or not isinstance(table["source"], str):
        raise section.error(f"{key} has no source", key)
    given = table.keys() & {"value", "kib", "unknown"}
    if len(given) != 1 or table.keys() - {"source", "conflict"} != given:
        raise section.error(f"{key} needs one of value, kib and unknown, a source, and at most a conflict", key)
    conflict = table.get("conflict")
    if conflict is not None and not isinstance(conflict, str):
        raise section.error(f"{key}: conflict is not a text", key)
    if "unknown" in table:
        return Fact(None, table["source"], conflict)
    numbers = _numbers(table["kib" if "kib" in table else "value"], KIB if "kib" in table else 1)
    if numbers is None:
        raise section.error(f"{key} is neither a whole number nor a list of them", key)
    return Fact(numbers, table["source"], conflict)


def _own(table: Mapping[str, object], section: Section, bases: Bases | None) -> Entry:
    """The architecture's own device."""
    if "base" in table and bases is not None:
        return derived(table, section, bases(str(table["base"])))
    try:
        vendor = Vendor(str(table.get("vendor")))
    except ValueError:
        raise section.error(f"vendor is none of {', '.join(Vendor)}", "vendor") from None
    return _entry(table, section, vendor, {}, {})


def _entry(
    table: Mapping[str, object],
    section: Section,
    vendor: Vendor,
    facts: Mapping[str, Fact],
    modes: Mapping[str, Mapping[str, Fact]],
) -> Entry:
    for key in ("name", "title"):
        if not isinstance(table.get(key), str) or not table[key]:
            raise section.error(f"{key} is missing", key)
    aliases = table.get("aliases", [])
    if not isinstance(aliases, list) or not all(isinstance(each, str) for each in aliases):
        raise section.error("aliases is not a list of names", "aliases")
    own = _facts({key: value for key, value in table.items() if key not in _WORDS}, vendor, section)
    return Entry(str(table["name"]), str(table["title"]), vendor, tuple(aliases), {**facts, **own}, modes, section)


def _facts(table: Mapping[str, object], vendor: Vendor, section: Section) -> Mapping[str, Fact]:
    known = stated_fields(vendor)
    for key in table:
        if key not in known:
            raise section.error(f"unknown field {key}", key)
    return {key: fact_of(key, value, section) for key, value in table.items()}


def _tables(table: Mapping[str, object], key: str, section: Section) -> list[Mapping[str, object]]:
    found = table.get(key, [])
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise section.error(f"{key} is not a list of tables", key)
    return found


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _numbers(value: object, unit: int) -> Numbers:
    """``value`` times ``unit``; ``None`` when it holds anything but whole numbers."""
    if _is_whole(value):
        return value * unit
    if not isinstance(value, list):
        return None
    if all(_is_whole(each) for each in value):
        return tuple(each * unit for each in value)
    if all(isinstance(row, list) and all(_is_whole(each) for each in row) for row in value):
        return tuple(tuple(row) for row in value)
    return None


def _sections(text: str, path: str) -> Mapping[tuple[str, int], Section]:
    """The top of the file, then each ``[[parts]]`` and ``[[modes]]``, by kind and number."""
    found: dict[tuple[str, int], Section] = {}
    kind, start, lines = "", 1, dict[str, int]()

    def close() -> None:
        number = 1 + sum(1 for each, _ in found if each == kind)
        found[kind, number] = Section(path, start, lines)

    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[\[(\w+)\]\]", line):
            close()
            kind, start, lines = header[1], number, {}
        elif key := re.match(r"\s*\[?(\w+)\s*[\]=]", line):
            lines.setdefault(key[1], number)
    close()
    return found
