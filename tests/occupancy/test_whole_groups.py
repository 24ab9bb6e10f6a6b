"""What holds of every launch on every AMD and NVIDIA device: what is resident fits, and asking for more never helps."""

from hypothesis import given
from hypothesis import strategies as st

from sycllint.hardware.device import AmdDevice, Device, NvidiaDevice
from sycllint.hardware.profiles import device, resolve
from sycllint.occupancy.estimate import estimate_occupancy, limit

MODES = [device(name) for name in ("gfx1010:cu", "gfx1030:wave64", "gfx1100:cu:wave64", "sm_90:no-opt-in")]
DEVICES = st.sampled_from([*resolve(["amd", "nvidia"]), *MODES])
SIZES = st.integers(1, 1024)
REGISTERS = st.none() | st.integers(1, 255)
MEMORY = st.integers(0, 240 * 1024)


@given(DEVICES, SIZES, REGISTERS, MEMORY, st.booleans())
def test_resident_groups_fit_into_a_core(
    found: Device, size: int, registers: int | None, memory: int, barrier: bool
) -> None:
    occupancy = estimate_occupancy(found, size, local_memory=memory, barrier=barrier, registers=registers)
    assert (occupancy.groups_per_core == 0) == bool(occupancy.why)
    if occupancy.groups_per_core:
        assert occupancy.threads_resident <= occupancy.usable_threads_per_core <= occupancy.threads_per_core
        assert occupancy.groups_per_core * occupancy.local_memory_allocated <= found.local_memory_per_core
        assert registers is None or occupancy.threads_resident <= _threads_with_registers(found, registers)
        assert occupancy.limits[0] == (occupancy.limiter, occupancy.groups_per_core)


def _threads_with_registers(found: Device, registers: int) -> int:
    """Whole registers of a core over those of a thread, not looking at granules and partitions."""
    if isinstance(found, AmdDevice):
        return found.vector_registers * found.simds_per_core // registers
    assert isinstance(found, NvidiaDevice)
    return found.registers_per_core // (32 * registers)


@given(DEVICES, SIZES, st.integers(1, 254), MEMORY)
def test_one_register_or_one_byte_more_never_makes_room(found: Device, size: int, registers: int, memory: int) -> None:
    groups = estimate_occupancy(found, size, local_memory=memory, registers=registers).groups_per_core
    assert estimate_occupancy(found, size, local_memory=memory, registers=registers + 1).groups_per_core <= groups
    assert estimate_occupancy(found, size, local_memory=memory + 1, registers=registers).groups_per_core <= groups


@given(DEVICES, SIZES, st.integers(1, 255))
def test_a_group_runs_exactly_when_it_is_within_the_limit(found: Device, size: int, registers: int) -> None:
    runs = estimate_occupancy(found, size, registers=registers).groups_per_core > 0
    assert runs == (size <= limit(found, registers))
