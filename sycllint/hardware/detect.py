"""Which GPUs this machine has, from what the kernel writes under ``/sys``; nothing is run.

Intel: the PCI id (``bus/pci/devices/*/{vendor,device,class}``). AMD: the architecture that the compute driver names
(``class/kfd/kfd/topology/nodes/*/properties``, ``gfx_target_version``). NVIDIA writes no compute capability there.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from sycllint.hardware.device import Device, Vendor
from sycllint.hardware.profiles import device, is_known
from sycllint.record import record

_VENDORS = {0x8086: Vendor.INTEL, 0x1002: Vendor.AMD, 0x10DE: Vendor.NVIDIA}
_DISPLAY, _ACCELERATOR = 0x03, 0x12
"""Base classes of PCI devices (PCI Code and ID Assignment Specification)."""


@record
class Detected:
    """A GPU in this machine."""

    address: str
    """The address on the bus: ``0000:03:00.0``."""
    vendor: Vendor
    pci_id: int
    device: Device | None
    """The known device that it is; ``None`` when nothing says."""


def detected(root: Path = Path("/sys")) -> tuple[Detected, ...]:
    """The GPUs under ``root``, by address."""
    architectures = dict(_architectures(root))
    return tuple(_gpus(root, architectures))


def _gpus(root: Path, architectures: dict[int, str]) -> Iterator[Detected]:
    for folder in sorted((root / "bus" / "pci" / "devices").glob("*")):
        kind, vendor, number = (_number(folder / name) for name in ("class", "vendor", "device"))
        if kind is None or number is None or kind >> 16 not in {_DISPLAY, _ACCELERATOR} or vendor not in _VENDORS:
            continue
        maker = _VENDORS[vendor]
        name = f"0x{number:04x}" if maker is Vendor.INTEL else ""
        if maker is Vendor.AMD:
            name = architectures.get(_location(folder.name), "")
        yield Detected(folder.name, maker, number, device(name) if is_known(name) else None)


def _architectures(root: Path) -> Iterator[tuple[int, str]]:
    """Location on the bus and architecture of each GPU that the compute driver lists."""
    for path in (root / "class" / "kfd" / "kfd" / "topology" / "nodes").glob("*/properties"):
        found = dict(re.findall(r"^(\w+) (\d+)$", _text(path), re.MULTILINE))
        version = int(found.get("gfx_target_version", 0))
        if version and "location_id" in found:
            domain = int(found.get("domain", 0))
            yield domain << 16 | int(found["location_id"]), _gfx(version)


def _gfx(version: int) -> str:
    """``90402`` as ``gfx942``, ``90010`` as ``gfx90a``: two decimal digits each for minor version and stepping."""
    major, minor, stepping = version // 10000, version // 100 % 100, version % 100
    return f"gfx{major}{minor:x}{stepping:x}"


def _location(address: str) -> int:
    """``0000:c1:00.0`` as the compute driver counts: bus, device and function in one number, the domain above."""
    found = re.fullmatch(r"([0-9a-f]+):([0-9a-f]+):([0-9a-f]+)\.([0-7])", address)
    if found is None:
        return -1
    domain, bus, slot, function = (int(part, 16) for part in found.groups())
    return domain << 16 | bus << 8 | slot << 3 | function


def _number(path: Path) -> int | None:
    try:
        return int(_text(path), 16)
    except ValueError:
        return None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
