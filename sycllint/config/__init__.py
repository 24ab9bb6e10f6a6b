"""The configuration of a run: ``sycllint.toml`` or ``[tool.sycllint]``, and options of the command line."""

from sycllint.config.discovery import FILE_NAMES, Configs, load, load_all
from sycllint.config.settings import Config, Deep, Origin, Overrides, PathSettings
from sycllint.config.table import assignment
from sycllint.errors import SycllintError
from sycllint.hardware.device import Device

__all__ = [
    "FILE_NAMES",
    "Config",
    "Configs",
    "Deep",
    "Origin",
    "Overrides",
    "PathSettings",
    "assignment",
    "load",
    "load_all",
    "target_devices",
]


def target_devices(config: Config) -> tuple[Device, ...]:
    """The devices of ``config.targets``, each once, in the order configured; a group stands for all its devices."""
    from sycllint.hardware.profiles import resolve

    found: dict[str, Device] = {}
    for name in config.targets:
        try:
            found.update((device.name, device) for device in resolve([name], config.devices))
        except SycllintError as error:
            if error.path is not None:  # a profile is broken, not the name
                raise
            raise config.mistake("targets", name, error.message) from None
    return tuple(found.values())
