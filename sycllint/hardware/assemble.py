"""Devices from what their files state: one constructor per vendor, each number asked for by name and type."""

from collections.abc import Mapping
from typing import TypedDict

from sycllint.hardware.device import (
    AmdDevice,
    Bytes,
    Device,
    IntelDevice,
    NvidiaDevice,
    RegisterLimit,
    RegisterMode,
    Threads,
    Vendor,
    WorkItems,
)
from sycllint.hardware.profile import Entry, Fact
from sycllint.record import NamedTuple


def assemble(entry: Entry) -> Device:
    """The device of ``entry``.

    Raises ``SycllintError`` with file and line when a number is missing or none, or a stated total is not the product.
    """
    match entry.vendor:
        case Vendor.INTEL:
            return _with_its_totals(_intel(entry), entry)
        case Vendor.AMD:
            return _with_its_totals(_amd(entry), entry)
        case Vendor.NVIDIA:
            return _with_its_totals(_nvidia(entry), entry)


def _with_its_totals(device: Device, entry: Entry) -> Device:
    """``device``, whose totals are those that a document prints, where the profile states them."""
    for key, total in (("total_threads", device.total_threads), ("total_lanes", device.total_lanes)):
        if key in entry.facts and entry.facts[key].value != total:
            raise entry.section.error(f"{key} is not {total}, the product of the other numbers", key)
    return device


class _Shared(TypedDict):
    """The fields that every device has, but for those that count cores."""

    name: str
    title: str
    vendor: Vendor
    max_work_group_size: WorkItems
    sub_group_sizes: tuple[int, ...]
    local_memory_per_core: Bytes
    max_local_memory_per_group: Bytes
    sources: Mapping[str, str]
    conflicts: Mapping[str, str]
    aliases: tuple[str, ...]


class _Stated(NamedTuple):
    """The facts of one entry, handed out by type."""

    entry: Entry

    def optional(self, key: str) -> int | None:
        """A whole number, or ``None`` for one that the profile says is unknown."""
        value = self._fact(key).value
        if value is None or isinstance(value, int):
            return value
        raise self.entry.section.error(f"{key} is not a whole number", key)

    def number(self, key: str) -> int:
        """A whole number that must be known."""
        value = self.optional(key)
        if value is None:
            raise self.entry.section.error(f"{key} must be known", key)
        return value

    def size(self, key: str) -> Bytes:
        """Bytes that must be known."""
        return Bytes(self.number(key))

    def row(self, key: str) -> tuple[int, ...]:
        """A list of whole numbers."""
        value = self._fact(key).value
        if not isinstance(value, tuple):
            raise self.entry.section.error(f"{key} is not a list", key)
        return tuple(each for each in value if isinstance(each, int))

    def sizes(self, key: str) -> tuple[Bytes, ...]:
        """A list of bytes."""
        return tuple(map(Bytes, self.row(key)))

    def pairs(self, key: str) -> tuple[tuple[int, int], ...]:
        """A list of pairs of whole numbers."""
        value = self._fact(key).value
        if not isinstance(value, tuple) or not all(isinstance(row, tuple) and len(row) == 2 for row in value):
            raise self.entry.section.error(f"{key} is not a list of pairs", key)
        return tuple((row[0], row[1]) for row in value if isinstance(row, tuple))

    def modes(self, key: str) -> tuple[RegisterMode, ...]:
        """A list of registers and the threads that they leave."""
        return tuple(RegisterMode(*pair) for pair in self.pairs(key))

    def shared(self, facts: Mapping[str, Fact]) -> _Shared:
        """What every device has; ``facts`` are those whose sources it shows."""
        return {
            "name": self.entry.name,
            "title": self.entry.title,
            "vendor": self.entry.vendor,
            "max_work_group_size": WorkItems(self.number("max_work_group_size")),
            "sub_group_sizes": self.row("sub_group_sizes"),
            "local_memory_per_core": self.size("local_memory_per_core"),
            "max_local_memory_per_group": self.size("max_local_memory_per_group"),
            "sources": {key: fact.source for key, fact in facts.items()},
            "conflicts": {key: fact.conflict for key, fact in facts.items() if fact.conflict},
            "aliases": self.entry.aliases,
        }

    def _fact(self, key: str) -> Fact:
        if key not in self.entry.facts:
            raise self.entry.section.error(f"{key} is missing", key)
        return self.entry.facts[key]


def _intel(entry: Entry) -> IntelDevice:
    stated = _Stated(entry)
    return IntelDevice(
        **stated.shared(entry.facts),
        cores=stated.optional("cores"),
        smallest_cores=stated.optional("smallest_cores"),
        threads_per_core=_threads(stated.optional("threads_per_core")),
        engines_per_core=stated.optional("engines_per_core"),
        fused_engines=stated.number("fused_engines"),
        threads_per_engine=stated.number("threads_per_engine"),
        local_memory_steps=stated.sizes("local_memory_steps"),
        groups_per_core=stated.optional("groups_per_core"),
        barriers_per_core=stated.optional("barriers_per_core"),
        max_threads_per_group=stated.optional("max_threads_per_group"),
        register_bytes=stated.size("register_bytes"),
        register_modes=stated.modes("register_modes"),
        register_limits=tuple(RegisterLimit(size, WorkItems(most)) for size, most in stated.pairs("register_limits")),
        pci_ids=stated.row("pci_ids") if "pci_ids" in entry.facts else (),
    )


def _amd(entry: Entry) -> AmdDevice:
    stated = _Stated(entry)
    per_core, simds = stated.number("compute_units_per_core"), stated.number("simds_per_core")
    waves = stated.number("waves_per_simd")
    units, least = stated.optional("compute_units"), stated.optional("smallest_compute_units")
    return AmdDevice(
        **stated.shared({**entry.facts, **_derived_from_units(entry.facts)}),
        cores=units // per_core if units is not None else None,
        smallest_cores=least // per_core if least is not None else None,
        threads_per_core=Threads(simds * waves),
        compute_units=units,
        compute_units_per_core=per_core,
        simds_per_core=simds,
        waves_per_simd=waves,
        vector_registers=stated.number("vector_registers"),
        vector_register_granule=stated.number("vector_register_granule"),
        max_vector_registers=stated.number("max_vector_registers"),
        scalar_registers=stated.optional("scalar_registers"),
        scalar_register_modes=stated.modes("scalar_register_modes"),
        groups_per_core=stated.number("groups_per_core"),
        local_memory_granule=stated.size("local_memory_granule"),
    )


def _derived_from_units(facts: Mapping[str, Fact]) -> Mapping[str, Fact]:
    """The derivations of numbers that no document states."""
    return {
        "cores": Fact(None, f"compute_units / compute_units_per_core; {facts['compute_units'].source}"),
        "smallest_cores": Fact(
            None, f"smallest_compute_units / compute_units_per_core; {facts['smallest_compute_units'].source}"
        ),
        "threads_per_core": Fact(None, "simds_per_core x waves_per_simd"),
    }


def _nvidia(entry: Entry) -> NvidiaDevice:
    stated = _Stated(entry)
    return NvidiaDevice(
        **stated.shared(entry.facts),
        cores=stated.optional("cores"),
        smallest_cores=stated.optional("smallest_cores"),
        threads_per_core=_threads(stated.optional("threads_per_core")),
        groups_per_core=stated.number("groups_per_core"),
        barriers_per_core=stated.optional("barriers_per_core"),
        registers_per_core=stated.number("registers_per_core"),
        registers_per_group=stated.number("registers_per_group"),
        max_registers=stated.number("max_registers"),
        register_granule=stated.number("register_granule"),
        partitions=stated.number("partitions"),
        partitions_to_launch=stated.number("partitions_to_launch"),
        local_memory_granule=stated.size("local_memory_granule"),
        local_memory_reserved=stated.size("local_memory_reserved"),
        local_memory_carve_outs=stated.sizes("local_memory_carve_outs"),
    )


def _threads(count: int | None) -> Threads | None:
    return None if count is None else Threads(count)
