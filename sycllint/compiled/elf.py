"""64-bit little-endian ELF files: sections, notes, and where a file ends that others follow.

Source: System V ABI, "Object Files".
"""

from collections.abc import Iterator

from sycllint.compiled.window import Window
from sycllint.record import NamedTuple

MARK = b"\x7fELF\x02\x01"
"""The first bytes: a 64-bit file, least byte first."""
_HEADER = 64
_PROGRAM_HEADER, _SECTION_HEADER = 56, 64
_NO_CONTENT = 8
"""The section type SHT_NOBITS."""
_EXECUTABLE = 4
"""The section flag SHF_EXECINSTR."""
_RESERVED_NAMES = 0xFFFF
"""The index SHN_XINDEX: the number of the section of names is in the first header, as the number of sections may be."""


class ElfSection(NamedTuple):
    """One section with its content."""

    name: str
    kind: int
    executable: bool
    content: Window


class Note(NamedTuple):
    """An entry of a note section: ``name`` says whose ``kind`` it is."""

    name: bytes
    kind: int
    content: bytes


def sections(file: Window) -> tuple[ElfSection, ...]:
    """The sections with content; none where the table is damaged or truncated."""
    found = tuple(_headers(file))
    if not found:
        return ()
    (index,) = file.numbers("<H", 0x3E)
    if index == _RESERVED_NAMES:
        (index,) = file.numbers("<I", file.numbers("<Q", 0x28)[0] + 0x28)
    if index >= len(found):
        return ()
    names = file.part(found[index][4], found[index][5])
    return tuple(
        ElfSection(names.text(header[0]), header[1], bool(header[2] & _EXECUTABLE), file.part(header[4], header[5]))
        for header in found
        if header[1] != _NO_CONTENT
    )


def extent(file: Window) -> int:
    """Bytes from the start of an ELF file to its end, which other data may follow; 0 when it is none."""
    header = file.numbers("<QQIHHHHH", 0x20)
    if not header or not file.begins(MARK):
        return 0
    programs, table, _, _, program_size, program_count, size, count = header
    ends = [_HEADER, table + size * count, programs + program_size * program_count]
    ends += [each[4] + each[5] for each in _headers(file) if each[1] != _NO_CONTENT]
    for number in range(program_count if program_size >= _PROGRAM_HEADER else 0):
        place = file.numbers("<QQQQ", programs + number * program_size + 8)
        ends += [place[0] + place[3]] if place else []
    return max(ends)


def notes(content: Window) -> Iterator[Note]:
    """The entries of a note section, names and contents padded to four bytes."""
    at = 0
    while header := content.numbers("<III", at):
        name, size, kind = header
        start = at + 12 + -(-name // 4) * 4
        if start + size > content.size:
            return
        yield Note(content.part(at + 12, name).copy().rstrip(b"\0"), kind, content.part(start, size).copy())
        at = start + -(-size // 4) * 4


def _headers(file: Window) -> Iterator[tuple[int, ...]]:
    """Name, type, flags, address, offset and size of each section; nothing when one is outside of the file."""
    table = file.numbers("<Q", 0x28)
    shape = file.numbers("<HH", 0x3A)
    if not table or not shape or not file.begins(MARK) or shape[0] < _SECTION_HEADER:
        return
    first = file.numbers("<IIQQQQ", table[0])
    count = shape[1] or (first[5] if first and table[0] else 0)
    if table[0] + shape[0] * count > file.size:
        return
    for number in range(count):
        yield file.numbers("<IIQQQQ", table[0] + number * shape[0])
