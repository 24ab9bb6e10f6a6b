"""Every device sycllint knows, by short name, alias, PCI id or group; read from ``profiles/*.toml`` when asked for."""

import os
from collections.abc import Iterable, Mapping
from functools import cache

from sycllint.errors import SycllintError, mistyped
from sycllint.hardware.assemble import assemble
from sycllint.hardware.device import Device, Vendor
from sycllint.hardware.profile import Entry, read_profile

SHORT_NAMES: Mapping[Vendor, tuple[str, ...]] = {
    Vendor.INTEL: (
        "gen9", "gen11", "tgl", "dg1", "dg2", "ats-m", "mtl", "pvc", "lnl", "bmg", "ptl", "cri", "nvl-p",
    ),
    Vendor.AMD: (
        "gfx600", "gfx700", "gfx803", "gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950",
        "gfx1010", "gfx1030", "gfx1100", "gfx1102", "gfx1151", "gfx1200",
    ),
    Vendor.NVIDIA: (
        "sm_60", "sm_61", "sm_62", "sm_70", "sm_75", "sm_80", "sm_86", "sm_87", "sm_89",
        "sm_90", "sm_100", "sm_103", "sm_110", "sm_120", "sm_121",
    ),
}  # fmt: skip
"""The architectures of each vendor, oldest first; each is a file of that name, and the vendor is a group of them."""


class UnknownDeviceError(SycllintError):
    """A name that no device has; says which names look like it."""

    def __init__(self, name: str, candidates: Iterable[str]) -> None:
        from sycllint.nearest import near

        self.candidates = tuple(candidates)
        close = near(_spelling(name), self.candidates, most=3)
        hint = f"; close: {', '.join(close)}" if close else ""
        super().__init__(f"unknown device '{name}'{hint}; 'sycllint devices' lists all")


def device(name: str, own: Mapping[str, Device] | None = None) -> Device:
    """The device called ``name``; ``own`` are those that a configuration describes, by name.

    A short name (``tgl``, ``gfx1100``, ``sm_90``), a DPC++ target (``intel_gpu_tgllp``), a product (``arc-a770``), a
    calculator code (``xe_hpc_pvc``) or a PCI id (``0x9a49``), in any case, ``_`` and ``-`` alike; a mode after a colon
    (``gfx1100:cu``, ``gfx1100:cu:wave64``). An unknown name raises ``SycllintError`` with the names that look like it.
    """
    if not isinstance(name, str):
        raise mistyped("the name of a device", "a string, as 'tgl'", name)
    if own and name in own:
        return own[name]
    if _spelling(name) in _FILES:
        return _device(_spelling(name))
    try:
        return assemble(entry(name))
    except UnknownDeviceError as error:
        raise UnknownDeviceError(name, (*error.candidates, *(own or ()))) from None


def entry(name: str) -> Entry:
    """What is stated of the device called ``name``; names and errors as in ``device``."""
    spelling, *modes = _spelling(name).split(":")
    found = _profile(spelling)[0] if spelling in _FILES else _by_other_name(name, spelling)
    for mode in modes:
        found = found.in_mode(mode)
    return found


def is_known(name: str) -> bool:
    """Whether ``name`` is one of a device or a group."""
    spelling = _spelling(name)
    return spelling in _FILES or _group(spelling) is not None or spelling in _index()


def devices() -> tuple[Device, ...]:
    """One device per architecture, vendor by vendor, oldest first."""
    return resolve(SHORT_NAMES)


def parts(name: str) -> tuple[Device, ...]:
    """The other parts of the architecture with the short name ``name``: fewer cores, another carve-out."""
    return tuple(map(assemble, _profile(_spelling(name))[1:]))


def architecture(name: str) -> str:
    """The short name of the architecture of which the device called ``name`` is a part; its own name for others."""
    return _architectures().get(name, name)


def intel_devices() -> tuple[Device, ...]:
    """One device per Intel architecture, oldest first."""
    return resolve([Vendor.INTEL])


def resolve(names: Iterable[str], own: Mapping[str, Device] | None = None) -> tuple[Device, ...]:
    """The devices that ``names`` stand for, in their order, each once. A vendor's name stands for its architectures.

    ``own``: devices that the user's configuration describes, by name.
    """
    found: dict[str, Device] = {}
    for name in names:
        group = _group(name)
        for each in SHORT_NAMES[group] if group else (name,):
            known = device(each, own)
            found.setdefault(known.name, known)
    return tuple(found.values())


def spellings_of(stated: Entry) -> tuple[str, ...]:
    """All spellings of one device in lower case with dashes: its name, its aliases, its PCI ids."""
    pci = stated.facts["pci_ids"].value if "pci_ids" in stated.facts else ()
    ids = [number for number in pci if isinstance(number, int)] if isinstance(pci, tuple) else []
    return (*map(_spelling, (stated.name, *stated.aliases)), *(f"0x{number:04x}" for number in ids))


def _group(name: str) -> Vendor | None:
    spelling = _spelling(name)
    return next((vendor for vendor in SHORT_NAMES if vendor == spelling), None)


def _spelling(name: str) -> str:
    return name.strip().lower().replace("_", "-")


_FILES: Mapping[str, str] = {_spelling(name): name for names in SHORT_NAMES.values() for name in names}
"""File of each short name."""


def _by_other_name(name: str, spelling: str) -> Entry:
    if _group(spelling):
        raise SycllintError(f"'{name}' is a group of devices, not one; 'sycllint devices' lists all")
    found = _index().get(spelling) or _index().get("0x" + spelling) or _run_together().get(_joined(spelling))
    if found is None:
        raise UnknownDeviceError(name, (*_index(), *SHORT_NAMES))
    return found


@cache
def _device(spelling: str) -> Device:
    return assemble(_profile(spelling)[0])


@cache
def _profile(spelling: str) -> tuple[Entry, ...]:
    path = f"profiles/{_FILES[spelling]}.toml"
    with open(os.path.join(os.path.dirname(__file__), path), encoding="utf-8") as stream:
        return read_profile(stream.read(), path, entry)


@cache
def _architectures() -> Mapping[str, str]:
    """Short name of the architecture of each part."""
    return {each.name: name for name in _FILES.values() for each in _profile(_spelling(name))}


@cache
def _index() -> Mapping[str, Entry]:
    """Every name and PCI id (``0x9a49``) of every device."""
    index: dict[str, Entry] = {}
    for name in _FILES:
        for each in _profile(name):
            for spelling in spellings_of(each):
                if spelling in index:
                    raise SycllintError(f"{spelling} names both {index[spelling].name} and {each.name}")
                index[spelling] = each
    return index


@cache
def _run_together() -> Mapping[str, Entry]:
    """The names without dashes and spaces: people write ``RX 7900 XTX`` and ``arcA770``."""
    return {_joined(spelling): found for spelling, found in _index().items()}


def _joined(spelling: str) -> str:
    return spelling.replace("-", "").replace(" ", "")
