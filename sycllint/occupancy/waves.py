"""Rounds of dispatch: how often the device fills up, and how little the last round leaves on it.

Intel's calculator calls a round a wave, as the public fields do; on AMD a wave is a sub-group, so texts say round.

Work-groups with a barrier or local memory are *pinned*: each lives on one core, so a core takes whole groups only.
On Intel GPUs others may be dispatched in part (oneAPI GPU Optimization Guide, "SYCL Thread Mapping and GPU Occupancy":
threads of any group to any Xe-core), so the device takes threads until every context is busy.
"""

from sycllint.occupancy.occupancy import Occupancy
from sycllint.record import record


@record
class Waves:
    """A launch of ``groups`` work-groups, cut into rounds that each fill the device, all taken to last equally long."""

    groups: int
    groups_per_wave: int
    """Whole groups that the full device holds."""
    full_waves: int
    last_groups: int
    """Groups, or begun groups, of the round after the full ones; 0 when they come out even."""
    full_occupancy: float
    """Share of the device's thread contexts in a full round, 0 to 1."""
    last_occupancy: float
    """The occupancy in the round after the full ones; 0 when there is none."""
    efficiency: float
    """Work done over the work that as many full rounds would do, 0 to 1."""

    @property
    def rounds(self) -> int:
        """Full rounds and the begun one."""
        return self.full_waves + (self.last_groups > 0)

    @property
    def first_occupancy(self) -> float:
        """Share of the thread contexts in the first round, 0 to 1."""
        return self.full_occupancy if self.full_waves else self.last_occupancy

    @property
    def average(self) -> float:
        """Share of the thread contexts over all rounds, the begun one taken to last as long as a full one."""
        return (self.full_waves * self.full_occupancy + self.last_occupancy) / self.rounds


def waves_of_threads(threads: int, contexts: int) -> Waves:
    """The rounds of so many hardware threads, each for itself, on a device with so many thread contexts."""
    full, rest = divmod(threads, contexts)
    efficiency = threads / (contexts * (full + (rest > 0)))
    return Waves(threads, contexts, full, rest, 1.0, rest / contexts, efficiency)


def waves(occupancy: Occupancy, groups: int, cores: int, *, pinned: bool) -> Waves | None:
    """The rounds of ``groups`` work-groups on ``cores`` cores; ``None`` when nothing fits or nothing is launched."""
    threads = occupancy.threads_per_group
    per_core = occupancy.threads_resident if pinned or occupancy.whole_groups else occupancy.usable_threads_per_core
    if occupancy.groups_per_core < 1 or groups < 1 or cores < 1:
        return None
    capacity = cores * per_core
    full, rest = divmod(groups * threads, capacity)
    contexts = cores * occupancy.threads_per_core
    return Waves(
        groups=groups,
        groups_per_wave=capacity // threads,
        full_waves=full,
        last_groups=-(-rest // threads),
        full_occupancy=capacity / contexts,
        last_occupancy=rest / contexts,
        efficiency=groups * threads / (capacity * (full + (rest > 0))),
    )
