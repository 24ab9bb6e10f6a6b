"""List the devices, or one device's limits with the document each comes from.

`sycllint devices detect` finds the GPUs of this machine, `sycllint devices import FILE` converts the output of clinfo
to a table for sycllint.toml.
"""

import argparse
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import fields

from sycllint.cli.terminal import width_of, write
from sycllint.config import load
from sycllint.errors import SycllintError
from sycllint.hardware.device import AmdDevice, Device, IntelDevice, RegisterLimit, RegisterMode, Vendor
from sycllint.hardware.profile import BYTES
from sycllint.hardware.profiles import SHORT_NAMES, device, devices, resolve
from sycllint.report.terminal.display import aligned

_NO_NUMBERS = frozenset({"name", "title", "vendor", "sources", "conflicts", "aliases", "pci_ids"})
_HEADER = ("name", "cores", "threads/core", "threads", "lanes", "work-group", "sub-groups", "local memory", "device")


def run(arguments: argparse.Namespace) -> int:
    """Print the list, the one device, what is in this machine or the table."""
    name: str | None = arguments.name
    if arguments.file is not None and name != "import":
        raise SycllintError(f"unknown argument {arguments.file}; one device at a time")
    match name:
        case "detect":
            write(_this_machine())
            return 0
        case "import":
            write(_imported(arguments.file))
            return 0
    own = load(file=arguments.config, isolated=arguments.isolated).devices
    if name is None:
        write(table([*devices(), *own.values()]))
    elif name.lower() in SHORT_NAMES:
        write(table(resolve([name])))
    else:
        write(profile(device(name, own), width_of(sys.stdout)))
    return 0


def _this_machine() -> str:
    """One line per GPU, and the targets to configure."""
    from sycllint.hardware.detect import detected

    found = detected()
    if not found:
        return "no GPU found under /sys\n"
    lines = []
    for each in found:
        what = f"{each.device.name}: {each.device.title}" if each.device else _unnamed(each.vendor)
        lines.append(f"{each.address}  {each.vendor} 0x{each.pci_id:04x}  {what}")
    names = list(dict.fromkeys(f'"{each.device.name}"' for each in found if each.device))
    if names:
        lines += ["", f"targets = [{', '.join(names)}]"]
    return "\n".join([*lines, ""])


def _unnamed(vendor: Vendor) -> str:
    match vendor:
        case Vendor.NVIDIA:
            return "the kernel does not say its compute capability; name it as sm_90"
        case Vendor.AMD:
            return "the compute driver does not list its architecture; name it as gfx90a"
        case Vendor.INTEL:
            return "not among the known PCI ids"


def _imported(file: str | None) -> str:
    from sycllint.hardware.clinfo import tables

    if file is None:
        raise SycllintError("import needs a file; `clinfo > clinfo.txt` writes one, - reads stdin")
    if file == "-":
        return tables(sys.stdin.read(), "stdin")
    try:
        with open(file, encoding="utf-8", errors="replace") as stream:
            return tables(stream.read(), file)
    except OSError as error:
        raise SycllintError(f"{file}: not read: {error.strerror}") from None


def table(known: Sequence[Device]) -> str:
    """One line per device; ``?`` where no public document gives the number."""
    lines = aligned([_HEADER, *(_row(each) for each in known)])
    return "\n".join([*lines, "", "`sycllint devices NAME` prints a device's numbers and their sources.", ""])


def profile(known: Device, width: int) -> str:
    """Every number of one device, its source under it, and what other sources say."""
    lines = [f"{known.name}: {known.title}"]
    if known.aliases:
        lines += textwrap.wrap(f"also: {', '.join(known.aliases)}", width, break_on_hyphens=False)
    for name, arithmetic, of in _totals(known):
        lines += ["", f"{name.replace('_', ' ')}: {arithmetic}", *_origin(known, name, width, of)]
    for field in fields(known):
        if field.name not in _NO_NUMBERS:
            shown = _shown(field.name, getattr(known, field.name))
            lines += ["", f"{field.name.replace('_', ' ')}: {shown}", *_origin(known, field.name, width)]
    return "\n".join([*lines, ""])


def _row(known: Device) -> tuple[str, ...]:
    return (
        known.name,
        _shown("cores", known.cores),
        _shown("threads_per_core", known.threads_per_core),
        _count(known.total_threads),
        _count(known.total_lanes),
        str(known.max_work_group_size),
        ", ".join(map(str, known.sub_group_sizes)),
        _shown("local_memory_per_core", known.local_memory_per_core),
        known.title,
    )


def _totals(known: Device) -> Iterator[tuple[str, str, str]]:
    """What the whole device and a whole core have, as documents print it: name, arithmetic, the fields multiplied."""
    if isinstance(known, IntelDevice) and known.cores is not None and known.engines_per_core is not None:
        engines = f"{_count(known.cores * known.engines_per_core)} = {known.cores} cores x {known.engines_per_core}"
        yield "total_engines", engines, "cores x engines_per_core"
    if known.total_threads is not None and known.total_lanes is not None:
        threads = f"{_count(known.total_threads)} = {known.cores} cores x {known.threads_per_core}"
        yield "total_threads", threads, "cores x threads_per_core"
        lanes = f"{_count(known.total_lanes)} = {_count(known.total_threads)} threads x {known.sub_group_sizes[0]}"
        yield "total_lanes", lanes, "total_threads x the smallest of sub_group_sizes"
    if isinstance(known, AmdDevice):
        simds, wave = known.simds_per_core, known.sub_group_sizes[0]
        of = f"{simds} SIMDs x {known.vector_registers} x {wave} lanes"
        yield (
            "vector_registers_per_core",
            f"{_count(known.vector_registers_per_core)} = {of}",
            f"simds_per_core x vector_registers x sub_group_sizes; {known.sources['vector_registers']}",
        )
        if known.scalar_registers is not None:
            yield (
                "scalar_registers_per_core",
                f"{_count(known.scalar_registers_per_core)} = {simds} SIMDs x {known.scalar_registers}",
                f"simds_per_core x scalar_registers; {known.sources['scalar_registers']}",
            )


def _count(number: int | None) -> str:
    """With separators, as the documents print totals: ``5,376``."""
    return "?" if number is None else f"{number:,}"


def _origin(known: Device, field: str, width: int, product: str = "") -> Iterator[str]:
    """Source and conflict of a field; a ``product`` of fields says of which, before the document that prints it."""
    sources = dict(known.sources)
    if product:
        sources[field] = "; ".join(filter(None, (product, known.sources.get(field))))
    for word, texts in (("source", sources), ("conflict", known.conflicts)):
        if field in texts:
            text = f"{word}: {texts[field]}"
            yield from textwrap.wrap(
                text, width, initial_indent="  ", subsequent_indent="    ",
                break_long_words=False, break_on_hyphens=False,
            )  # fmt: skip


def _shown(field: str, value: object) -> str:
    match value:
        case None:
            return "?"
        case int() if field in BYTES:
            return f"{value // 1024} KiB" if value % 1024 == 0 else f"{value} bytes"
        case tuple():
            return ", ".join(_shown(field, each) for each in value) or "none"
        case RegisterMode(registers=registers, threads_per_engine=threads):
            return f"{registers} registers for {threads} threads per engine"
        case RegisterLimit(sub_group_size=sub_group, work_group_size=limit):
            return f"{limit} work-items with {sub_group} per sub-group"
        case _:
            return str(value)
