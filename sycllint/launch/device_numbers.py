"""Numbers of a launch that a device answers for: what they are on one of the devices that are known.

A program that asks the device for ``max_work_group_size`` fits itself to whatever it runs on. What comes of that on a
configured target is worked out here, for people and programs that list launches; a limit that the device itself gave is
nothing to report.
"""

from sycllint.hardware.device import Device, IntelDevice
from sycllint.launch.assign import filled
from sycllint.launch.circumstances import Answers
from sycllint.launch.kernel import KernelLaunch
from sycllint.values.symbolic import number_with
from sycllint.values.value import Known, Parameter, Symbolic, Unknown, Value


def on_device(launch: KernelLaunch, device: Device) -> KernelLaunch | None:
    """``launch`` with the numbers that depend on properties of ``device`` alone; ``None`` if there are none."""
    changed = False

    def fill(value: Value) -> Value:
        nonlocal changed
        if not isinstance(value, Symbolic | Unknown):
            return value
        number = number_with(value, answers(device))
        if number is None:
            return value
        changed = True
        return Known(number)

    found = filled(launch, fill)
    return found if changed else None


def answers(device: Device) -> Answers:
    """What a device says of a property of ``sycl::info::device`` (SYCL 2020, "Device information descriptors").

    ``None`` where it is not documented, and for other parameters.
    """

    def ask(parameter: Parameter) -> int | None:
        match parameter.asked:
            case "max_work_group_size":
                return device.max_work_group_size
            case "local_mem_size":
                return device.max_local_memory_per_group
            case "max_num_sub_groups":
                return device.max_work_group_size // device.sub_group_sizes[0]
            case "max_compute_units":
                return _compute_units(device)
            case "sub_group_sizes[0]":
                return device.sub_group_sizes[0]
            case "sub_group_sizes[-1]":
                return device.sub_group_sizes[-1]
            case _:
                return None

    return ask


def _compute_units(device: Device) -> int | None:
    """What ``max_compute_units`` is: vector engines on Intel (intel/llvm, issue 6313), else cores.

    ROCclr counts work-group processors where kernels run on these, compute units elsewhere, as profiles do.
    """
    if not isinstance(device, IntelDevice) or device.cores is None:
        return device.cores
    return None if device.engines_per_core is None else device.cores * device.engines_per_core
