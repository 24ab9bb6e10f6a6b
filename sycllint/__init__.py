"""A linter for SYCL C++ that knows what a GPU can hold."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sycllint.hardware.profiles import device
    from sycllint.occupancy.estimate import estimate_occupancy
    from sycllint.pipeline import analyze

__version__ = "0.1.0"

__all__ = ["__version__", "analyze", "device", "estimate_occupancy"]


def __getattr__(name: str) -> object:
    """Load the Python interface when it is first used: the command line starts without it."""
    if name == "device":
        from sycllint.hardware.profiles import device

        return device
    if name == "estimate_occupancy":
        from sycllint.occupancy.estimate import estimate_occupancy

        return estimate_occupancy
    if name == "analyze":
        from sycllint.pipeline import analyze

        return analyze
    raise AttributeError(f"module 'sycllint' has no attribute '{name}'")
