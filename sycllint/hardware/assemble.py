"""Devices from what their files state: for each field of the class the number of its name, in the form of its type."""

from collections.abc import Mapping
from functools import cache
from types import NoneType
from typing import Any, get_args, get_type_hints

from sycllint.hardware.device import Device, RegisterLimit, RegisterMode, Vendor
from sycllint.hardware.profile import CLASSES, NOT_STATED, Entry, Fact
from sycllint.record import field_names

_PAIRS = (RegisterLimit, RegisterMode)


def assemble(entry: Entry) -> Device:
    """The device of ``entry``.

    Raises ``SycllintError`` with file and line when a number is missing or none, or a stated total is not the product.
    """
    facts = {**entry.facts, **_derived_from_units(entry)}
    made = CLASSES[entry.vendor]
    numbers: dict[str, Any] = {
        name: _number(entry, facts, name, get_args(kind) or (kind,))
        for name, kind in _stated(entry.vendor)
        if name in facts or name != "pci_ids"
    }
    device = made(
        name=entry.name,
        title=entry.title,
        vendor=entry.vendor,
        aliases=entry.aliases,
        sources={key: fact.source for key, fact in facts.items()},
        conflicts={key: fact.conflict for key, fact in facts.items() if fact.conflict},
        **numbers,
    )
    for key, total in (("total_threads", device.total_threads), ("total_lanes", device.total_lanes)):
        if key in facts and facts[key].value != total:
            raise entry.section.error(f"{key} is not {total}, the product of the other numbers", key)
    return device


@cache
def _stated(vendor: Vendor) -> tuple[tuple[str, object], ...]:
    """The fields of a device that are numbers, with their types."""
    made = CLASSES[vendor]
    kinds = get_type_hints(made)
    return tuple((name, kinds[name]) for name in field_names(made) if name not in NOT_STATED)


def _number(entry: Entry, facts: Mapping[str, Fact], key: str, kinds: tuple[object, ...]) -> object:
    """The number ``key`` for a field whose type is one of ``kinds``; where ``...`` is among them, a list."""
    if key not in facts:
        raise entry.section.error(f"{key} is missing", key)
    value = facts[key].value
    pair: Any = next((each for each in _PAIRS if each in kinds), None)
    if pair is not None:
        rows = value if isinstance(value, tuple) else (value,)
        if not all(isinstance(row, tuple) and len(row) == 2 for row in rows):
            raise entry.section.error(f"{key} is not a list of pairs", key)
        return tuple(pair(*row) for row in rows if isinstance(row, tuple))
    if ... in kinds:
        if not isinstance(value, tuple) or not all(isinstance(each, int) for each in value):
            raise entry.section.error(f"{key} is not a list", key)
    elif value is None and NoneType not in kinds:
        raise entry.section.error(f"{key} must be known", key)
    elif isinstance(value, tuple):
        raise entry.section.error(f"{key} is not a whole number", key)
    return value


def _derived_from_units(entry: Entry) -> Mapping[str, Fact]:
    """The numbers that no document states: AMD's count compute units, and per SIMD."""
    if entry.vendor is not Vendor.AMD:
        return {}

    def number(key: str, *kinds: object) -> Any:
        return _number(entry, entry.facts, key, (int, *kinds))

    per_core, found = number("compute_units_per_core"), {}
    for key, of in (("cores", "compute_units"), ("smallest_cores", "smallest_compute_units")):
        units, source = number(of, NoneType), f"{of} / compute_units_per_core; {entry.facts[of].source}"
        found[key] = Fact(None if units is None else units // per_core, source)
    waves = Fact(number("simds_per_core") * number("waves_per_simd"), "simds_per_core x waves_per_simd")
    return {**found, "threads_per_core": waves}
