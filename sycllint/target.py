"""One device to lint for, and what has been worked out for it."""

from sycllint.hardware.device import Device
from sycllint.launch.kernel import KernelLaunch
from sycllint.occupancy.model import occupancies
from sycllint.occupancy.occupancy import Occupancy
from sycllint.record import field, record


@record
class Target:
    """A device and a memo of the occupancies computed for it."""

    device: Device
    devices: tuple[Device, ...] = ()
    """All devices of the run, this one among them; empty when it is looked at by itself."""
    _occupancies: dict[int, tuple[KernelLaunch, tuple[Occupancy, ...]]] = field(default_factory=dict, repr=False)

    @property
    def name(self) -> str:
        """The device's short name."""
        return self.device.name

    def occupancy_of(self, launch: KernelLaunch) -> tuple[Occupancy, ...]:
        """One occupancy per legal sub-group size (one when the size is required); empty when a number is missing."""
        memo = self._occupancies.get(id(launch))
        if memo is None:
            memo = self._occupancies[id(launch)] = (launch, occupancies(self.device, launch))
        return memo[1]
