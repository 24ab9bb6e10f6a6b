"""The register file of one hardware thread as a launch finds it: its bytes, and the widths that share it."""

from sycllint.hardware.device import AmdDevice, Device, IntelDevice, NvidiaDevice
from sycllint.launch.kernel import KernelLaunch
from sycllint.values.value import known

_DEFAULT = 128
"""Registers of a thread unless a kernel asks for more (Intel oneAPI GPU Optimization Guide, "Small Register Mode vs.
Large Register Mode")."""


def register_bytes(device: IntelDevice, launch: KernelLaunch) -> int | None:
    """Bytes of registers of one hardware thread; ``None`` when the launch asks for an unknown number of them."""
    wanted = _DEFAULT
    if launch.register_count is not None:
        asked = known(launch.register_count.value)
        if asked is None:
            return None
        wanted = asked
    fitting = [each.registers for each in device.register_modes if each.registers >= wanted]
    return min(fitting) * device.register_bytes if fitting else None


def most_registers(device: Device) -> int | None:
    """Registers that one work-item can have on AMD and NVIDIA; ``None`` on Intel."""
    if isinstance(device, AmdDevice):
        return device.max_vector_registers
    return device.max_registers if isinstance(device, NvidiaDevice) else None
