"""What the vendors call a core and a thread, for texts about one device."""

from collections.abc import Mapping

from sycllint.hardware.device import AmdDevice, Device, Vendor

_CORE: Mapping[Vendor, str] = {Vendor.INTEL: "Xe-core", Vendor.AMD: "compute unit", Vendor.NVIDIA: "SM"}
_THREAD: Mapping[Vendor, str] = {Vendor.INTEL: "thread", Vendor.AMD: "wave", Vendor.NVIDIA: "warp"}
_WIDTH = {Vendor.INTEL: "SIMD", Vendor.AMD: "wave", Vendor.NVIDIA: "warp "}


def core(device: Device) -> str:
    """What the vendor calls a core: ``Xe-core``; ``WGP`` where AMD pairs two compute units."""
    if isinstance(device, AmdDevice) and device.compute_units_per_core > 1:
        return "WGP"
    return _CORE[device.vendor]


def thread(device: Device) -> str:
    """What the vendor calls what runs one sub-group: ``warp``."""
    return _THREAD[device.vendor]


def width(device: Device, sub_group_size: int) -> str:
    """A sub-group size in the vendor's words: ``SIMD8``."""
    return f"{_WIDTH[device.vendor]}{sub_group_size}"


def all_cores(device: Device) -> str:
    """``2 Xe-cores``; ``the 6 Xe-cores of a full tgl`` for the name of an architecture that has smaller parts.

    Raises ``ValueError`` for a device whose number of cores is not public.
    """
    if device.cores is None:
        raise ValueError(f"the number of cores of {device.name} is not public")
    cores = f"{device.cores} {core(device)}{'s' if device.cores != 1 else ''}"
    return cores if device.smallest_cores == device.cores else f"the {cores} of a full {device.name}"
