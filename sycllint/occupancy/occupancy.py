"""The answer of every vendor's calculator: groups per core, the share of thread contexts they fill, and the limiter."""

from enum import StrEnum

from sycllint.record import record


class Limiter(StrEnum):
    """What keeps one more work-group from a core."""

    THREADS = "threads"
    LOCAL_MEMORY = "local memory"
    BARRIERS = "barriers"
    GROUPS = "work-group slots"
    REGISTERS = "registers"
    SCALAR_REGISTERS = "scalar registers"
    WORK_GROUP_SIZE = "work-group size"
    SUB_GROUP_SIZE = "sub-group size"
    """The device has no sub-groups of the size that is asked for."""


@record(guarded=True)
class Occupancy:
    """Residency of one launch on one device at one sub-group size.

    ``ratio``, ``peak`` and ``average`` are fractions of the hardware's thread contexts, 0 to 1. ``waves``, ``peak`` and
    ``average`` describe the whole device with whole work-groups on every core, and are ``None`` without a global size.
    ``groups_per_core == 0`` means the launch cannot run; ``why`` then says so in a sentence.
    """

    sub_group_size: int
    threads_per_group: int
    groups_per_core: int
    """Not capped by the number of groups in the launch."""
    threads_per_core: int
    """Thread contexts of one core, occupied or not."""
    ratio: float
    limiter: Limiter
    limits: tuple[tuple[Limiter, int], ...]
    """Groups per core that each resource would allow by itself, tightest first."""
    local_memory_allocated: int = 0
    """Bytes per work-group after rounding up to an allocation step."""
    waves: float | None = None
    """Rounds in which the device takes all groups, the last one counted by its share."""
    peak: float | None = None
    """While the device is fullest."""
    average: float | None = None
    """Over all rounds, each taken to last equally long."""
    why: str = ""
    usable_threads_per_core: int = 0
    """Thread contexts that the registers leave of ``threads_per_core``."""
    registers: int | None = None
    """Registers per hardware thread (Intel) or work-item (AMD, NVIDIA) that it is computed with; ``None``: unknown, and
    taken not to limit, so that the ratio is the most that the kernel can reach."""
    whole_groups: bool = False
    """A core takes work-groups whole even when nothing ties their work-items together (AMD, NVIDIA)."""

    @property
    def threads_resident(self) -> int:
        """Hardware threads on a core that holds ``groups_per_core`` groups."""
        return self.threads_per_group * self.groups_per_core
