"""A core's registers and local memory as a budget: what the resident work-groups leave, and what fewer registers bring.

After GPUOpen, "Optimizing GPU occupancy and resource usage with large thread groups", section "Problem: Single thread
group per CU": one group of 1,024 work-items with 40 VGPRs and 32 KiB of LDS leaves 37.5 % of the registers and 50 % of
the LDS of a compute unit unused; a second one fits from 32 VGPRs on.
"""

from sycllint.hardware.device import AmdDevice, Device, IntelDevice, NvidiaDevice
from sycllint.launch.kernel import KernelLaunch
from sycllint.occupancy import amd, nvidia
from sycllint.occupancy.model import as_compiled
from sycllint.occupancy.occupancy import Occupancy
from sycllint.occupancy.registers import RegisterStep, around, register_steps, register_word, share, staircase
from sycllint.record import record
from sycllint.values.value import known


@record
class Unused:
    """Parts of a core that no resident work-group has taken, 0 to 1; ``None`` where the part is not known."""

    registers: float | None
    local_memory: float | None
    word: str
    """What the vendor calls the registers."""

    def __str__(self) -> str:
        """``37.5% of the VGPRs and 50% of the LDS``; empty where nothing is known to be left."""
        parts = [
            f"{share(part)} of the {name}"
            for part, name in ((self.registers, self.word), (self.local_memory, "LDS"))
            if part
        ]
        return " and ".join(parts)


@record
class Budget:
    """What the registers of a kernel decide on one device at one sub-group size."""

    steps: tuple[RegisterStep, ...]
    """Most groups first; empty where the number of registers decides nothing."""
    registers: int | None
    """Registers of the kernel; ``None`` when they are not known."""
    unused: Unused

    @property
    def whole(self) -> str:
        """Every step: ``2 groups up to 32 VGPRs (80%), then 1 up to 64 (40%)``."""
        return staircase(self.steps)

    @property
    def nearby(self) -> str:
        """The step of the kernel and the one above; the first two when its registers are unknown."""
        return staircase(around(self.steps, self.registers))

    @property
    def above(self) -> RegisterStep | None:
        """The next step that a kernel of known registers reaches with fewer of them."""
        if self.registers is None:
            return None
        higher = [each for each in self.steps if each.registers < self.registers]
        return higher[-1] if higher else None


class Budgets:
    """The register budgets of many launches on one device, computed once for equal ones."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self._steps: dict[tuple[int, int, int, bool], tuple[RegisterStep, ...]] = {}

    def of(self, launch: KernelLaunch, occupancy: Occupancy) -> Budget:
        """The budget of ``launch``, which runs with ``occupancy``."""
        registers = occupancy.registers
        return Budget(self._stairs(launch, occupancy), registers, unused(self.device, occupancy))

    def _stairs(self, launch: KernelLaunch, occupancy: Occupancy) -> tuple[RegisterStep, ...]:
        """Empty in Intel's default mode with all contexts: a register count is then no choice that was made."""
        launch = as_compiled(self.device, launch)
        items, local_memory = known(launch.work_group_size), known(launch.local_memory.total)
        if items is None or local_memory is None or not occupancy.groups_per_core:
            return ()
        if isinstance(self.device, IntelDevice) and occupancy.usable_threads_per_core == occupancy.threads_per_core:
            return ()
        key = items, occupancy.sub_group_size, local_memory, launch.barrier is not False
        if key not in self._steps:
            size, width, memory, barrier = key
            steps = register_steps(self.device, size, width, local_memory=memory, barrier=barrier)
            self._steps[key] = steps if len(steps) > 1 else ()
        return self._steps[key]


def budget(device: Device, launch: KernelLaunch, occupancy: Occupancy) -> Budget:
    """The budget of one ``launch`` on ``device``, as ``Budgets.of`` has it."""
    return Budgets(device).of(launch, occupancy)


def unused(device: Device, occupancy: Occupancy) -> Unused:
    """What ``occupancy.groups_per_core`` work-groups leave of a core.

    Nothing is known of it while the registers are not: more of them could keep a group out. On Intel a thread context
    owns its registers whether it runs or not. Local memory is that of AMD's LDS, and of groups that use it: the
    carve-out of an NVIDIA SM follows what its blocks need, and of an Xe-core no profile says what is cache otherwise.
    """
    word, registers, groups = register_word(device), occupancy.registers, occupancy.groups_per_core
    if registers is None or not groups:
        return Unused(None, None, word)
    match device:
        case AmdDevice():
            taken = amd.vector_registers_allocated(device, registers) * occupancy.threads_resident
            memory = occupancy.local_memory_allocated * groups
            left = 1 - memory / device.local_memory_per_core if memory else None
            return Unused(1 - taken / (device.vector_registers * device.simds_per_core), left, word)
        case NvidiaDevice():
            taken = nvidia.registers_per_warp(device, registers) * occupancy.threads_resident
            return Unused(1 - taken / device.registers_per_core, None, word)
        case _:
            return Unused(None, None, word)
