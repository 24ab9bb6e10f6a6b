"""A linter for SYCL C++ that knows what a GPU can hold."""

from typing import TYPE_CHECKING

from sycllint.version import __version__

if TYPE_CHECKING:
    from sycllint.config import Config
    from sycllint.diagnostic import Diagnostic
    from sycllint.errors import SycllintError
    from sycllint.hardware.device import AmdDevice, Device, IntelDevice, NvidiaDevice
    from sycllint.hardware.profiles import device, devices
    from sycllint.occupancy.estimate import estimate_occupancy, limit
    from sycllint.occupancy.occupancy import Limiter, Occupancy
    from sycllint.pipeline import analyze
    from sycllint.report.launches import Launch, launches, table

_MODULES = {
    "sycllint.config": ("Config",),
    "sycllint.diagnostic": ("Diagnostic",),
    "sycllint.errors": ("SycllintError",),
    "sycllint.hardware.device": ("AmdDevice", "Device", "IntelDevice", "NvidiaDevice"),
    "sycllint.hardware.profiles": ("device", "devices"),
    "sycllint.occupancy.estimate": ("estimate_occupancy", "limit"),
    "sycllint.occupancy.occupancy": ("Limiter", "Occupancy"),
    "sycllint.pipeline": ("analyze",),
    "sycllint.report.launches": ("Launch", "launches", "table"),
}
"""The names of the Python interface by their modules."""

__all__ = [
    "AmdDevice",
    "Config",
    "Device",
    "Diagnostic",
    "IntelDevice",
    "Launch",
    "Limiter",
    "NvidiaDevice",
    "Occupancy",
    "SycllintError",
    "__version__",
    "analyze",
    "device",
    "devices",
    "estimate_occupancy",
    "launches",
    "limit",
    "table",
]


def __getattr__(name: str) -> object:
    """Load the Python interface when it is first used: the command line starts without it."""
    module = next((each for each, names in _MODULES.items() if name in names), None)
    if module is None:
        raise AttributeError(f"module 'sycllint' has no attribute '{name}'")
    from importlib import import_module

    found: object = getattr(import_module(module), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """The Python interface."""
    return sorted(__all__)
