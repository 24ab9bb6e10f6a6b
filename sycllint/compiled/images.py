"""Device images in what a build leaves: programs, shared objects, archives, and what is packed into their sections.

The compiler puts device images one behind the other into a section of the program (``__CLANG_OFFLOAD_BUNDLE__``,
``OFFLOAD_DEVICE_CODE``, ``.llvm.offloading``): ELF files, ar archives with an ELF file for each device, SPIR-V, any of
them compressed. Bundles and offload binaries are a table in front of that. So the content of a section is walked from
mark to mark, and what is an ELF file or an archive is taken as a whole: no table has to be believed.

Source: intel/llvm, sycl/doc/design (CompilerAndRuntimeDesign, CompressedDeviceImages); clang, "Clang Offload Bundler",
"Compressed bundle file layout"; llvm, Object/OffloadBinary.h; intel-compute-runtime, sections of its device binaries.
"""

import re
from collections.abc import Iterator
from enum import StrEnum

from sycllint.compiled import elf
from sycllint.compiled.compression import COMPRESSED, Unreadable, unpacked
from sycllint.compiled.window import Window
from sycllint.record import NamedTuple

ARCHIVE = b"!<arch>\n"
_SPIRV = b"\x03\x02\x23\x07"
_MARKS = re.compile(b"|".join(map(re.escape, (elf.MARK, ARCHIVE, _SPIRV, *COMPRESSED))))
_LONGEST = 8
_DEPTH = 8
"""Containers within each other: a damaged one must not nest for ever."""
_MEMBER = 60
_SPIRV_VERSIONS = range(0x00010000, 0x00020000)
"""The versions of SPIR-V, in the word after its magic number."""
_SPIRV_SECTION, _OLD_BINARY_SECTION = 0xFF000009, 0xFF000005
"""Section types of intel-compute-runtime: SPIR-V, and a device binary of the form before zebin."""
_INTEL = 205
"""The ELF machine EM_INTELGT; an image of it without kernels has no ``.ze_info``."""
_MACHINES = {190: "NVIDIA", 224: "AMD"}
"""The ELF machines EM_CUDA and EM_AMDGPU."""


class ImageKind(StrEnum):
    """What an image is."""

    ZEBIN = "zebin"
    OLD = "patch tokens"
    """A device binary of Intel's compilers before zebin."""
    SPIRV = "SPIR-V"
    FOREIGN = "other vendor"
    PACKED = "compressed"
    """Compressed with what this Python cannot read, or damaged."""


class Image(NamedTuple):
    """One device image."""

    form: ImageKind
    content: Window
    member: str
    """The name in the innermost archive; empty outside of archives."""
    detail: str = ""
    """Whose it is (``FOREIGN``), or why it cannot be read (``PACKED``)."""


def images(file: Window) -> Iterator[Image]:
    """The device images of an ELF file, an archive or a bundle, in their order; damaged parts are passed over."""
    yield from _of(file, "", _DEPTH)


def _of(file: Window, member: str, depth: int) -> Iterator[Image]:
    """The images of what starts as one of the containers, or of anything that holds them."""
    if file.begins(elf.MARK) and elf.extent(file) <= file.size:
        yield from _elf(file, member, depth)
    else:
        yield from _walked(file, member, depth)


def _walked(file: Window, member: str, depth: int) -> Iterator[Image]:
    """The images in bytes that are no ELF file: each mark is taken for what it says, and its content passed over."""
    at = file.find(_MARKS, 0, _LONGEST) if depth else -1
    while at >= 0:
        rest = file.part(at, file.size)
        size = 0
        if rest.begins(elf.MARK):
            size = elf.extent(rest)
            if 0 < size <= rest.size:
                yield from _elf(rest.part(0, size), member, depth - 1)
        elif rest.begins(ARCHIVE):
            size = len(ARCHIVE)
            for name, content, end in _members(rest):
                size = end
                yield from _of(content, name, depth - 1) if name is not None else ()
        elif rest.begins(_SPIRV):
            if _is_spirv(rest):
                yield Image(ImageKind.SPIRV, rest, member)
        elif (frame := unpacked(rest)) is not None:
            size = frame.size
            if isinstance(frame, Unreadable):
                yield Image(ImageKind.PACKED, rest, member, frame.reason)
            else:
                yield from _of(Window(frame.content, 0, len(frame.content)), member, depth - 1)
        at = file.find(_MARKS, at + max(size if size <= rest.size else 0, 4), _LONGEST)


def _elf(file: Window, member: str, depth: int) -> Iterator[Image]:
    (machine,) = file.numbers("<H", 0x12) or (0,)
    if machine in _MACHINES:
        yield Image(ImageKind.FOREIGN, file, member, _MACHINES[machine])
        return
    parts = elf.sections(file)
    if machine == _INTEL or any(each.name == ".ze_info" for each in parts):
        yield Image(ImageKind.ZEBIN, file, member)
        return
    for each in parts:
        if each.kind == _OLD_BINARY_SECTION:
            yield Image(ImageKind.OLD, file, member)
        elif each.kind == _SPIRV_SECTION:
            yield Image(ImageKind.SPIRV, each.content, member)
        elif not each.executable:
            yield from _walked(each.content, member, depth)


def _is_spirv(content: Window) -> bool:
    """Whether a version of SPIR-V follows its magic number."""
    version = content.numbers("<I", 4)
    return bool(version) and version[0] in _SPIRV_VERSIONS


def _members(archive: Window) -> Iterator[tuple[str | None, Window, int]]:
    """Names, contents and where each ends; long names are looked up where the archive keeps them (System V, GNU).

    The name is ``None`` for the tables of the archive itself.
    """
    at, names = len(ARCHIVE), archive.part(0, 0)
    while (size := _member_size(archive, at)) is not None:
        content = archive.part(at + _MEMBER, size)
        name = archive.part(at, 16).copy().decode("ascii", "replace").rstrip()
        if name == "//":
            names = content
        at += _MEMBER + size + size % 2
        table = name in {"/", "/SYM64/", "//"}
        yield None if table else _member_name(name, names), content, min(at, archive.size)


def _member_size(archive: Window, at: int) -> int | None:
    """Bytes of the member whose header is at ``at``; ``None`` where there is no header."""
    header = archive.part(at, _MEMBER).copy()
    size = header[48:58].strip()
    if len(header) < _MEMBER or header[58:] != b"`\n" or not size.isdigit():
        return None
    return int(size)


def _member_name(name: str, names: Window) -> str:
    if name.startswith("/") and name[1:].isdecimal():
        long = names.part(int(name[1:]), 4096).copy().partition(b"\n")[0]
        return long.decode("ascii", "replace").rstrip("/")
    return name.removesuffix("/")
