"""Local memory that Intel's compiler adds for group functions of a work-group, which no source shows.

Measured with ocloc 22.43.24595 (IGC 1.0.12504): docs/compiled.md, "Local memory of group functions", and the test
beside its record. It is an assumption: another version of the compiler may add another amount.
"""

from sycllint.device_code.group_functions import GroupFunction
from sycllint.hardware.device import Device
from sycllint.launch.kernel import KernelLaunch
from sycllint.record import NamedTuple
from sycllint.values.value import known

_FOR_FOUR_BYTES = {
    "gen9": 1792, "gen11": 1792, "tgl": 1792, "dg1": 1792,
    "dg2": 4096, "ats-m": 4096, "pvc": 4096,
}  # fmt: skip
"""Bytes per work-group for a reduction or a scan of elements of up to 4 bytes; those of 8 bytes take twice as much.

ats-m has the chips of dg2.
"""
_FOR_OTHERS = 32
"""For a broadcast, and for whether any or all of the work-items say so."""
_COMBINING = ("reduce", "exclusive_scan", "inclusive_scan")


class Added(NamedTuple):
    """What the compiler is taken to add."""

    bytes: int
    """Per work-group: all group functions of a kernel share it."""
    function: str
    """The group function that takes the most."""

    @property
    def text(self) -> str:
        """The assumption, in a sentence without its end."""
        return f"assumes {self.bytes:,} B that the compiler adds for `{self.function}`"


def added_local_memory(device: Device, launch: KernelLaunch) -> Added | None:
    """Local memory that the compiler for ``device`` is assumed to add to a launch without a compiler's report.

    ``None`` where no group function of the work-group is found in the kernel, where the device was not measured, and
    where the group would not fit with it: only a compiler can report that.
    """
    measured = _FOR_FOUR_BYTES.get(device.name)
    if measured is None or not launch.kernel.group_functions or launch.compiled_for(device) is not None:
        return None
    taken, function = max((_bytes(each, measured), each.name) for each in launch.kernel.group_functions)
    total = known(launch.local_memory.total)
    if total is None or total - launch.local_memory.added + taken > device.max_local_memory_per_group:
        return None
    return Added(taken, function)


def _bytes(function: GroupFunction, measured: int) -> int:
    """The bytes for the element; for one of unknown size a lower bound."""
    if not function.name.startswith(_COMBINING):
        return _FOR_OTHERS
    return 2 * measured if function.element_bytes is not None and function.element_bytes > 4 else measured
