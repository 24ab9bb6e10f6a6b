"""A device table for the configuration from what ``clinfo`` prints of a machine, for people or with ``--raw``.

OpenCL reports how many units a device has and how large a work-group may be; the rest comes from the known device that
it is: by PCI id or product on Intel, by architecture (``gfx90a``) on AMD, by compute capability on NVIDIA.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from sycllint.beside import beside
from sycllint.errors import SycllintError
from sycllint.hardware.device import AmdDevice, Device, IntelDevice, NvidiaDevice
from sycllint.hardware.profiles import device, is_known

_RAW = re.compile(r"^\s*(?:\[[^\]]*\]\s*)?(CL_DEVICE_\w+)\s+(\S.*?)\s*$")
_HUMAN = re.compile(r"^\s*(?:\[[^\]]*\]\s*)?(\S.*?)\s{2,}(\S.*?)\s*$")
_UNITS = {"B": 1, "KiB": 1024, "MiB": 1024**2, "KB": 1024, "MB": 1024**2}


Described = Mapping[str, str]
"""A GPU as clinfo describes it: its values, as printed, by OpenCL's names."""


def tables(text: str, origin: str) -> str:
    """One ``[devices.…]`` table per GPU in ``text``; ``origin`` is what the text comes from.

    Raises ``SycllintError`` when there is no GPU in it, or none that is known.
    """
    found = list(_gpus(text))
    if not found:
        raise SycllintError(f"{origin}: no GPU in it; `clinfo` or `clinfo --raw` prints what is read here")
    written: dict[str, str] = {}
    unknown: list[str] = []
    for each in found:
        base = _base(each)
        if base is None:
            unknown.append(
                f"{_quoted(each.get('CL_DEVICE_NAME', ''))}: nothing in {origin} says which known device it is"
            )
        else:
            written.setdefault(_name(each, base), _table(each, base, origin))
    if not written:
        raise SycllintError(unknown[0])
    return "\n".join([*written.values(), *(f"# {line}\n" for line in unknown)])


def _gpus(text: str) -> Iterator[Described]:
    values: dict[str, str] = {}
    for line in [*text.splitlines(), "CL_DEVICE_NAME  end"]:
        found = _RAW.match(line) or _HUMAN.match(line)
        if found is None:
            continue
        key = str(beside(__file__).get(found[1], found[1]))
        if key == "CL_DEVICE_NAME":
            if "GPU" in values.get("CL_DEVICE_TYPE", ""):
                yield values
            values = {}
        values.setdefault(key, found[2])


def _base(found: Described) -> Device | None:
    """The known device that this one is."""
    vendor, name = found.get("CL_DEVICE_VENDOR", "").lower(), found.get("CL_DEVICE_NAME", "")
    if "nvidia" in vendor:
        return _first(_nvidia_names(found))
    if "amd" in vendor or "advanced micro" in vendor:
        return _first([name.partition(":")[0], found.get("CL_DEVICE_BOARD_NAME_AMD", "")])
    if "intel" in vendor:
        return _first(_intel_names(found))
    return None


def _first(names: Sequence[str]) -> Device | None:
    return next((device(name) for name in names if is_known(name)), None)


def _nvidia_names(found: Described) -> list[str]:
    major, minor = (_number(found, f"CL_DEVICE_COMPUTE_CAPABILITY_{part}_NV") for part in ("MAJOR", "MINOR"))
    both = f"{major}{minor}" if major is not None and minor is not None else ""
    return [f"sm_{both or found.get('CL_DEVICE_COMPUTE_CAPABILITY_NV', '').replace('.', '')}"]


def _intel_names(found: Described) -> list[str]:
    """By PCI id, which the driver prints or puts in the name, else by product: ``Intel(R) Arc(TM) A770 Graphics``."""
    number = _number(found, "CL_DEVICE_ID_INTEL")
    name = found.get("CL_DEVICE_NAME", "")
    written = re.search(r"\[(0x[0-9a-fA-F]{4})\]", name)
    plain = re.sub(r"\((?:R|TM|C)\)|\bIntel\b|\bGraphics\b|\bData Center GPU\b|\[.*", "", name, flags=re.IGNORECASE)
    return [f"0x{number:04x}" if number else "", written[1] if written else "", "-".join(plain.split())]


def _name(found: Described, base: Device) -> str:
    plain = re.sub(r"\((?:R|TM|C)\)", "", found.get("CL_DEVICE_NAME", ""), flags=re.IGNORECASE)
    slug = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-") or base.name
    return f"this-{slug}" if is_known(slug) else slug


def _table(found: Described, base: Device, origin: str) -> str:
    lines = [
        f"[devices.{_name(found, base)}]",
        f'base = "{base.name}"',
        f'title = "{_quoted(found.get("CL_DEVICE_NAME", ""))}, from {_quoted(origin)}"',
        *(f"{key} = {value}" for key, value in _numbers(found, base)),
    ]
    return "\n".join(lines) + "\n"


def _number(found: Described, key: str) -> int | None:
    """A count, or bytes when the value is printed in KiB."""
    number = re.match(r"(0x[0-9a-fA-F]+|\d+)\s*(B|KiB|MiB|KB|MB)?\b", found.get(key, ""))
    return int(number[1], 0) * _UNITS[number[2] or "B"] if number else None


def _quoted(text: str) -> str:
    return "".join(each for each in text.replace("\\", "/").replace('"', "'") if each.isprintable())


def _numbers(found: Described, base: Device) -> Iterator[tuple[str, str]]:
    """The numbers that OpenCL reports correctly. Units are engines on Intel, SMs on NVIDIA, on AMD what holds a group.

    Not taken are AMD's work-group size, which is what it prefers, and NVIDIA's local memory, which is without opting in
    (units: compute-runtime e37c60bf cl_device_caps.cpp; unified-runtime 578c2a84 adapters/cuda and adapters/hip).
    """
    units = _number(found, "CL_DEVICE_MAX_COMPUTE_UNITS")
    match base:
        case IntelDevice(engines_per_core=int(engines)) if units and units % engines == 0:
            yield "cores", str(units // engines)
        case AmdDevice(compute_units_per_core=per_core) if units:
            yield "compute_units", str(units * per_core)
        case NvidiaDevice() if units:
            yield "cores", str(units)
    size = _number(
        found, "CL_DEVICE_MAX_WORK_GROUP_SIZE_AMD" if isinstance(base, AmdDevice) else "CL_DEVICE_MAX_WORK_GROUP_SIZE"
    )
    if size:
        yield "max_work_group_size", str(size)
    widths = re.findall(r"\d+", found.get("CL_DEVICE_SUB_GROUP_SIZES_INTEL", ""))
    if isinstance(base, IntelDevice) and widths:
        yield "sub_group_sizes", str(sorted(map(int, widths)))
    memory = _number(found, "CL_DEVICE_LOCAL_MEM_SIZE")
    if memory and not isinstance(base, NvidiaDevice):
        kib, rest = divmod(memory, 1024)
        yield "max_local_memory_per_group", f"{{ value = {memory} }}" if rest else f"{{ kib = {kib} }}"
