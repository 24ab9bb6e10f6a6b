"""How rules on the language of device code say where something stands, and how it is reached."""

from sycllint.device_code.checks.restrictions import Forbidden
from sycllint.diagnostic import Related
from sycllint.launch.kernel import KernelLaunch


def standing(seen: Forbidden) -> str:
    """In the kernel, or in a function that it calls."""
    return "in a kernel" if seen.function is None else f"in `{seen.function}`, which a kernel calls"


def entered(launch: KernelLaunch, seen: Forbidden) -> tuple[Related, ...]:
    """The launch, for what stands in another function."""
    return () if seen.function is None else (Related("reached from this kernel", launch.location),)
