"""What registers cost: the most that a work-item may have for one, two, three work-groups on a core.

The registers of a kernel are the compiler's choice and not in the source, so a linter can only say what each choice
would leave: *2 groups up to 32 VGPRs (80%), then 1 up to 64 (40%)*.
"""

from collections.abc import Iterable, Sequence
from itertools import chain

from sycllint.errors import SycllintError
from sycllint.hardware.device import AmdDevice, Device, IntelDevice, NvidiaDevice
from sycllint.occupancy.estimate import estimate_occupancy
from sycllint.record import record


@record
class RegisterStep:
    """With up to ``registers`` a core holds ``groups_per_core`` work-groups, ``ratio`` (0 to 1) of its threads."""

    registers: int
    """Per work-item (AMD: VGPRs; NVIDIA) or hardware thread (Intel)."""
    groups_per_core: int
    ratio: float
    word: str
    """What the vendor calls them."""

    def __str__(self) -> str:
        """``2 groups up to 32 VGPRs (80%)``."""
        noun = "group" if self.groups_per_core == 1 else "groups"
        return f"{self.groups_per_core} {noun} up to {self.registers} {self.word} ({share(self.ratio)})"


def register_steps(
    device: Device, work_group: int, sub_group: int | None = None, *, local_memory: int = 0, barrier: bool = False
) -> tuple[RegisterStep, ...]:
    """One step per number of groups that some register count gives, most groups first.

    Arguments and errors as in ``estimate_occupancy``; empty when the launch cannot run with any registers.
    """
    steps: dict[int, RegisterStep] = {}
    word = register_word(device)
    for registers in _choices(device):
        found = estimate_occupancy(
            device, work_group, sub_group, local_memory=local_memory, barrier=barrier, registers=registers
        )
        if found.groups_per_core:
            steps[found.groups_per_core] = RegisterStep(registers, found.groups_per_core, found.ratio, word)
    return tuple(steps.values())


def staircase(steps: Sequence[RegisterStep]) -> str:
    """``2 groups up to 32 VGPRs (80%), then 1 up to 64 (40%)``; empty without steps."""
    if not steps:
        return ""
    first, *others = steps
    middle, last = others[:-1], others[-1:]
    return ", ".join(
        [
            str(first),
            *(f"{each.groups_per_core} up to {each.registers} ({share(each.ratio)})" for each in middle),
            *(f"then {each.groups_per_core} up to {each.registers} ({share(each.ratio)})" for each in last),
        ]
    )


def around(steps: Sequence[RegisterStep], registers: int | None) -> Sequence[RegisterStep]:
    """Two neighbouring steps: the one that so many registers are on and the one above; the first two for ``None``."""
    here = next((index for index, each in enumerate(steps) if registers is None or registers <= each.registers), 0)
    above = max(here - 1, 0)
    return steps[above : above + 2]


def register_word(device: Device) -> str:
    """What the vendor calls them, in the plural."""
    return "VGPRs" if isinstance(device, AmdDevice) else "registers"


def share(fraction: float) -> str:
    """Three digits, without zeros at the end, so that a published share is found as it is printed: ``37.5%``."""
    return f"{100 * fraction:.3g}%"


def _choices(device: Device) -> Iterable[int]:
    """The register counts between which nothing changes, ascending."""
    match device:
        case IntelDevice():
            return (mode.registers for mode in device.register_modes)
        case AmdDevice():
            return _multiples(device.vector_register_granule, device.max_vector_registers)
        case NvidiaDevice():
            return _multiples(device.register_granule // device.sub_group_sizes[0], device.max_registers)
        case _:
            raise SycllintError(f"no occupancy model for {device.name} ({device.vendor})")


def _multiples(granule: int, most: int) -> Iterable[int]:
    return chain(range(granule, most, granule), (most,))
