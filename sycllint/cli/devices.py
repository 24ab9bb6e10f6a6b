"""List the devices, or one device's numbers with the document each comes from."""

import argparse
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import fields

from sycllint.cli.parser import CommandParser
from sycllint.cli.terminal import width_of, write
from sycllint.hardware.device import Device, RegisterLimit, RegisterMode
from sycllint.hardware.profiles import device, devices
from sycllint.report.display import aligned

_BYTES = frozenset({"local_memory_per_core", "max_local_memory_per_group", "local_memory_steps", "register_bytes"})
_NO_NUMBERS = frozenset({"name", "title", "vendor", "sources", "conflicts", "aliases", "pci_ids"})
_HEADER = ("name", "cores", "threads/core", "work-group", "sub-groups", "local memory", "device")


def add_arguments(parser: CommandParser) -> None:
    """The arguments of ``sycllint devices``."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="a short name, DPC++ target, product name or PCI id")


def run(arguments: argparse.Namespace) -> int:
    """Print the list or the one device."""
    if arguments.name is None:
        write(table(devices()))
    else:
        write(profile(device(arguments.name), width_of(sys.stdout)))
    return 0


def table(known: Sequence[Device]) -> str:
    """One line per device; ``?`` where no public document gives the number."""
    lines = aligned([_HEADER, *(_row(each) for each in known)])
    return "\n".join([*lines, "", "`sycllint devices NAME` prints a device's numbers and their sources.", ""])


def profile(known: Device, width: int) -> str:
    """Every number of one device, its source under it, and what other sources say."""
    lines = [f"{known.name}: {known.title}"]
    if known.aliases:
        lines += textwrap.wrap(f"also: {', '.join(known.aliases)}", width, break_on_hyphens=False)
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
        str(known.max_work_group_size),
        ", ".join(map(str, known.sub_group_sizes)),
        _shown("local_memory_per_core", known.local_memory_per_core),
        known.title,
    )


def _origin(known: Device, field: str, width: int) -> Iterator[str]:
    for word, texts in (("source", known.sources), ("conflict", known.conflicts)):
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
        case int() if field in _BYTES:
            return f"{value // 1024} KiB" if value % 1024 == 0 else f"{value} bytes"
        case tuple():
            return ", ".join(_shown(field, each) for each in value) or "none"
        case RegisterMode(registers=registers, threads_per_engine=threads):
            return f"{registers} registers for {threads} threads per engine"
        case RegisterLimit(sub_group_size=sub_group, work_group_size=limit):
            return f"{limit} work-items with {sub_group} per sub-group"
        case _:
            return str(value)
