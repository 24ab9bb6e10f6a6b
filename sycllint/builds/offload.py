"""Which devices a build compiles for: the names in ``-fsycl-targets=`` and in what goes with it.

Options: DPC++ users manual, "Generic options" and "Target toolchain options". A name of a device stands by itself; a
triple says only whose backend it is, and the device stands in an option for that backend. ``spir64`` is compiled for
its device when the program runs, and names none.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from sycllint.builds.database import entries
from sycllint.source.disk import Disk

_NAMED = ("intel_gpu_", "nvidia_gpu_", "amd_gpu_")
_ARCHITECTURE = r"--(?:offload-arch|cuda-gpu-arch)=([\w:+,-]+)"
_OCLOC_DEVICE = r"(?:^|\s)-device\s+([\w.,-]+)"


def compiled_for(database: str, disk: Disk | None = None) -> Mapping[str, tuple[str, ...]]:
    """Absolute paths of the sources in ``database`` that are compiled for SYCL devices, and the names of those."""
    found: dict[str, tuple[str, ...]] = {}
    for entry in entries(database, disk or Disk()):
        names = tuple(dict.fromkeys(device_names(entry.words)))
        if names:
            found[entry.source] = tuple(dict.fromkeys((*found.get(entry.source, ()), *names)))
    return found


def devices_in(text: str) -> tuple[str, ...]:
    """The names of devices in the compiler options that a build file holds, whatever else it says."""
    return tuple(dict.fromkeys(device_names(re.split(r"[\s\"';()]+", text))))


def device_names(words: Sequence[str]) -> Iterator[str]:
    """The names of devices in the arguments of a compiler, as often as they stand there."""
    given = [name for word in words if word.startswith("-fsycl-targets=") for name in word.partition("=")[2].split(",")]
    yield from (name for name in given if name.startswith(_NAMED))
    if any(name.startswith(("nvptx64", "amdgcn")) for name in given):
        for word in words:
            yield from (name for match in re.finditer(_ARCHITECTURE, word) for name in match[1].split(","))
    if any(name.startswith("spir64_gen") for name in given):
        for match in re.finditer(_OCLOC_DEVICE, " ".join(words)):
            yield from match[1].split(",")
