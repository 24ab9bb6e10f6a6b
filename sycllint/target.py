"""One device to lint for, and what has been worked out for it."""

from sycllint.hardware.device import Device
from sycllint.launch.kernel import KernelLaunch
from sycllint.occupancy.model import occupancies
from sycllint.occupancy.occupancy import Occupancy


class Target:
    """A device and a memo of the occupancies computed for it."""

    def __init__(self, device: Device, devices: tuple[Device, ...] = ()) -> None:
        """``devices``: all that were requested with ``--target`` or the configuration, this one among them, or none."""
        self._device = device
        self._devices = devices
        self._occupancies: dict[int, tuple[KernelLaunch, tuple[Occupancy, ...]]] = {}
        self.asked = False
        """A rule used the device, or what was computed for it, since this was last set to ``False``."""

    @property
    def device(self) -> Device:
        """The device."""
        self.asked = True
        return self._device

    @property
    def devices(self) -> tuple[Device, ...]:
        """All devices that were requested for the run."""
        self.asked = True
        return self._devices

    @property
    def name(self) -> str:
        """The device's short name."""
        return self.device.name

    def occupancy_of(self, launch: KernelLaunch) -> tuple[Occupancy, ...]:
        """One occupancy per legal sub-group size (one when the size is required); empty when a number is missing."""
        memo = self._occupancies.get(id(launch))
        if memo is None:
            memo = self._occupancies[id(launch)] = (launch, occupancies(self._device, launch))
        self.asked = True
        return memo[1]
