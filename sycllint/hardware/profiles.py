"""Every device sycllint knows, by short name, alias, PCI id or group; read from ``profiles/*.toml`` when asked for."""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from sycllint.errors import SycllintError
from sycllint.hardware.device import Device, IntelDevice, Vendor
from sycllint.hardware.profile import read_profile

SHORT_NAMES: Mapping[Vendor, tuple[str, ...]] = {
    Vendor.INTEL: (
        "gen9",
        "gen11",
        "tgl",
        "dg1",
        "dg2",
        "ats-m",
        "mtl",
        "pvc",
        "lnl",
        "bmg",
        "ptl",
        "cri",
        "nvl-p",
    ),
}
"""The architectures of each vendor, oldest first; each is a file of that name, and the vendor is a group of them."""

_DIRECTORY = Path(__file__).with_name("profiles")


def device(name: str) -> Device:
    """The device called ``name``.

    A short name (``tgl``), a DPC++ target (``intel_gpu_tgllp``), a product (``arc-a770``), a calculator code
    (``xe_hpc_pvc``) or a PCI id (``0x9a49``), in any case, ``_`` and ``-`` alike. An unknown name raises
    ``SycllintError`` with the names that look like it.
    """
    spelling = _spelling(name)
    if any(spelling in names for names in SHORT_NAMES.values()):
        return _profile(spelling)[0]
    if _group(name):
        raise SycllintError(f"'{name}' is a group of devices, not one; 'sycllint devices' lists all")
    index = _index()
    found = index.get(spelling) or index.get("0x" + spelling)
    if found is None:
        raise SycllintError(_unknown(name, spelling, index))
    return found


def devices() -> tuple[Device, ...]:
    """One device per architecture, vendor by vendor, oldest first."""
    return tuple(_profile(name)[0] for names in SHORT_NAMES.values() for name in names)


def parts(name: str) -> tuple[Device, ...]:
    """The other parts of the architecture with the short name ``name``: fewer cores, another carve-out."""
    return _profile(_spelling(name))[1:]


def intel_devices() -> tuple[Device, ...]:
    """One device per Intel architecture, oldest first."""
    return resolve(["intel"])


def resolve(names: Iterable[str]) -> tuple[Device, ...]:
    """The devices that ``names`` stand for, in their order, each once. A vendor's name stands for its architectures."""
    found: dict[str, Device] = {}
    for name in names:
        group = _group(name)
        for each in SHORT_NAMES[group] if group else (name,):
            known = device(each)
            found.setdefault(known.name, known)
    return tuple(found.values())


def _group(name: str) -> Vendor | None:
    spelling = _spelling(name)
    return next((vendor for vendor in SHORT_NAMES if vendor == spelling), None)


def _spelling(name: str) -> str:
    return name.strip().lower().replace("_", "-")


@cache
def _profile(name: str) -> tuple[Device, ...]:
    path = _DIRECTORY / f"{name}.toml"
    return read_profile(path.read_text(encoding="utf-8"), f"{_DIRECTORY.name}/{path.name}")


@cache
def _index() -> Mapping[str, Device]:
    """Every name and PCI id (``0x9a49``) of every device."""
    index: dict[str, Device] = {}
    for names in SHORT_NAMES.values():
        for name in names:
            for each in _profile(name):
                for spelling in names_of(each):
                    if spelling in index:
                        raise SycllintError(f"{spelling} names both {index[spelling].name} and {each.name}")
                    index[spelling] = each
    return index


def names_of(known: Device) -> tuple[str, ...]:
    """All spellings of one device in lower case with dashes: its name, its aliases, its PCI ids."""
    pci = known.pci_ids if isinstance(known, IntelDevice) else ()
    return (known.name, *map(_spelling, known.aliases), *(f"0x{number:04x}" for number in pci))


def _unknown(name: str, spelling: str, index: Mapping[str, Device]) -> str:
    from difflib import get_close_matches

    candidates = [*index, *SHORT_NAMES]
    close = get_close_matches(spelling, candidates, n=3)
    hint = f"; close: {', '.join(close)}" if close else ""
    return f"unknown device '{name}'{hint}; 'sycllint devices' lists all"
