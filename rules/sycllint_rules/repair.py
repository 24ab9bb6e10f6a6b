"""The one fix that rules on a launch share: of its range, its guard and its barriers together."""

from sycllint.launch.fault import Fault, Repair
from sycllint.launch.kernel import KernelLaunch
from sycllint.source.edit import Fix


def repair(launch: KernelLaunch, fault: Fault) -> Fix | None:
    """The fix of ``fault`` and of all else that is wrong with the launch; ``None`` where none is safe."""
    return next((each.fix for each in launch.kernel.seen.of(Repair) if fault in each.faults), None)
