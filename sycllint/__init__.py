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
    "AmdDevice": "sycllint.hardware.device",
    "Config": "sycllint.config",
    "Device": "sycllint.hardware.device",
    "Diagnostic": "sycllint.diagnostic",
    "IntelDevice": "sycllint.hardware.device",
    "Launch": "sycllint.report.launches",
    "Limiter": "sycllint.occupancy.occupancy",
    "NvidiaDevice": "sycllint.hardware.device",
    "Occupancy": "sycllint.occupancy.occupancy",
    "SycllintError": "sycllint.errors",
    "analyze": "sycllint.pipeline",
    "device": "sycllint.hardware.profiles",
    "devices": "sycllint.hardware.profiles",
    "estimate_occupancy": "sycllint.occupancy.estimate",
    "launches": "sycllint.report.launches",
    "limit": "sycllint.occupancy.estimate",
    "table": "sycllint.report.launches",
}
"""The module of each name of the Python interface."""

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
    if name not in _MODULES:
        raise AttributeError(f"module 'sycllint' has no attribute '{name}'")
    from importlib import import_module

    found: object = getattr(import_module(_MODULES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """The Python interface."""
    return sorted(__all__)
