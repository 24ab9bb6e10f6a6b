"""Device binaries inside binaries: sections of ELF files, members of ar archives, and which device they are for.

A program compiled ahead of time holds its device binaries in sections of its own; each is an ELF file with a section
``.ze_info``. Source: System V ABI, "Object Files"; the section types and notes of zebin as ocloc of
intel-compute-runtime 22.43.24595 writes them.
"""

import struct
from collections.abc import Iterator

from sycllint.record import NamedTuple

ELF = b"\x7fELF"
_ARCHIVE = b"!<arch>\n"
_DEPTH = 5

_PRODUCTS = {18: "gen9", 26: "gen11", 29: "tgl", 1210: "dg1", 1270: "dg2", 1271: "pvc"}
"""Product families in ``.note.intelgt.compat``: what ocloc writes for skl, icllp, tgllp, dg1, acm-g10 and pvc."""
_PRODUCT_NOTE = 1


class DeviceBinary(NamedTuple):
    """The zeinfo of one device binary."""

    zeinfo: str
    device: str | None


def device_binaries(content: bytes, depth: int = _DEPTH) -> Iterator[DeviceBinary]:
    """Those that are found in an ELF file or an archive; broken parts are passed over."""
    if content.startswith(_ARCHIVE):
        parts = list(_members(content))
    elif content.startswith(ELF):
        sections = dict(_sections(content))
        if ".ze_info" in sections:
            text = sections[".ze_info"].rstrip(b"\0").decode("utf-8", "replace")
            yield DeviceBinary(text, _device(sections.get(".note.intelgt.compat", b"")))
            return
        parts = [each for _, each in _sections(content)]
    else:
        return
    for part in parts if depth else ():
        yield from device_binaries(part[_start(part) :], depth - 1)


def _start(part: bytes) -> int:
    """Where an ELF file or an archive begins in a section; a bundle may put a header before it."""
    if part.startswith((ELF, _ARCHIVE)):
        return 0
    found = [at for at in (part.find(ELF), part.find(_ARCHIVE)) if at >= 0]
    return min(found, default=0)


def _sections(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Names and contents of the sections of a 64-bit little-endian ELF file."""
    if len(content) < 64 or content[4:6] != b"\x02\x01":
        return
    (table,) = struct.unpack_from("<Q", content, 0x28)
    size, count, names = struct.unpack_from("<HHH", content, 0x3A)
    if size < 64 or table + size * count > len(content) or names >= count:
        return
    headers = [struct.unpack_from("<IIQQQQ", content, table + size * each) for each in range(count)]
    strings = content[headers[names][4] : headers[names][4] + headers[names][5]]
    for header in headers:
        end = strings.find(b"\0", header[0])
        name = strings[header[0] : end].decode("ascii", "replace")
        if header[1] != _NO_CONTENT:
            yield name, content[header[4] : header[4] + header[5]]


_NO_CONTENT = 8
"""The section type SHT_NOBITS."""


def _members(content: bytes) -> Iterator[bytes]:
    at = len(_ARCHIVE)
    while at + 60 <= len(content):
        size = content[at + 48 : at + 58].strip()
        if not size.isdigit():
            return
        yield content[at + 60 : at + 60 + int(size)]
        at += 60 + int(size) + int(size) % 2


def _device(notes: bytes) -> str | None:
    at = 0
    while at + 12 <= len(notes):
        name, size, kind = struct.unpack_from("<III", notes, at)
        start = at + 12 + -(-name // 4) * 4
        if kind == _PRODUCT_NOTE and size >= 4 and start + 4 <= len(notes):
            (product,) = struct.unpack_from("<I", notes, start)
            return _PRODUCTS.get(product)
        at = start + -(-size // 4) * 4
    return None
