"""Which GPU a device image is for, by the short names that we have: from its notes, else from its name in an archive.

The note of the IP version says it best: architecture, release and revision in one number, as in ``intel_gpu_20_1_4``.
Source: intel-compute-runtime, product_config and the notes IntelGT of zebin (1 product family, 6 product
configuration); intel/gmmlib, igfxfmid.h, for the families.
"""

import re
from collections.abc import Iterator
from functools import cache

from sycllint.compiled import elf
from sycllint.compiled.window import Window
from sycllint.hardware.device import Device
from sycllint.record import NamedTuple

_OWNER = b"IntelGT"
_FAMILY_NOTE, _VERSION_NOTE = 1, 6
_FAMILIES = {
    18: "gen9", 19: "gen9", 20: "gen9", 22: "apl", 23: "glk", 26: "gen11", 28: "ehl", 29: "tgl", 30: "intel_gpu_rkl",
    31: "intel_gpu_adl_s", 32: "tgl", 33: "intel_gpu_adl_n", 1210: "dg1", 1270: "dg2", 1271: "pvc", 1272: "mtl",
    1273: "intel_gpu_arl_h", 1274: "bmg", 1275: "lnl", 1300: "ptl", 1340: "intel_gpu_nvl_s", 1360: "nvl-p",
    1380: "cri",
}  # fmt: skip
"""The family of each number in the note; where it has several parts, its first."""
_ALIAS = re.compile(r"intel_gpu_(\d+)_(\d+)_(\d+)")
_MEMBER = re.compile(r"(?:32\.|64\.)?(?:(\d+)\.(\d+)\.(\d+)|([\w-]+))$")
"""``64.20.1.0`` or ``64.bmg``: pointers, then an IP version or a name."""


class IpVersion(NamedTuple):
    """A GPU's graphics IP: what it can execute is decided by architecture and release."""

    architecture: int
    release: int
    revision: int


def device_of(image: Window, member: str) -> str | None:
    """The short name of the device that a zebin is for; ``None`` when neither notes nor name say one we know."""
    numbers: dict[int, int] = {}
    for section in elf.sections(image):
        if section.name == ".note.intelgt.compat":
            found = [each for each in elf.notes(section.content) if each.name == _OWNER and len(each.content) >= 4]
            numbers |= {each.kind: int.from_bytes(each.content[:4], "little") for each in found}
    if _VERSION_NOTE in numbers:
        version = numbers[_VERSION_NOTE]
        known = _by_version(IpVersion(version >> 22, version >> 14 & 0xFF, version & 0x3F))
        if known is not None:
            return known
    return _by_member(member) or _named(_FAMILIES.get(numbers.get(_FAMILY_NOTE, 0)))


def _by_member(member: str) -> str | None:
    found = _MEMBER.match(member)
    if found is None:
        return None
    if found[4] is not None:
        return _named(found[4])
    return _by_version(IpVersion(*map(int, found.groups()[:3])))


def _by_version(version: IpVersion) -> str | None:
    """The device of this architecture and release, whatever its revision."""
    return _versions().get(version[:2])


def _named(name: str | None) -> str | None:
    return None if name is None else _names().get(name.lower().replace("_", "-"))


@cache
def _versions() -> dict[tuple[int, int], str]:
    """The device of each architecture and release that one of our names says."""
    found: dict[tuple[int, int], str] = {}
    for device in _devices():
        for alias in device.aliases:
            if version := _ALIAS.fullmatch(alias):
                found.setdefault((int(version[1]), int(version[2])), device.name)
    return found


@cache
def _names() -> dict[str, str]:
    """The device of each name in lower case with dashes."""
    return {
        name.lower().replace("_", "-"): device.name for device in _devices() for name in (device.name, *device.aliases)
    }


def _devices() -> Iterator[Device]:
    """Intel's GPUs, each architecture before its parts."""
    from sycllint.hardware.profiles import intel_devices, parts

    for whole in intel_devices():
        yield whole
        yield from parts(whole.name)
