"""Device images as tests build them: ELF files, archives and what surrounds them."""

import struct

RELOCATABLE = 1
INTEL = 205
"""The ELF machine EM_INTELGT."""


def elf(sections: dict[str, bytes], *, machine: int = 0, kinds: dict[str, int] | None = None) -> bytes:
    """A 64-bit little-endian ELF file that holds these sections; of type 1 where ``kinds`` does not say another."""
    names = b"\0" + b"".join(name.encode() + b"\0" for name in sections) + b".shstrtab\0"
    contents = [*sections.values(), names]
    headers, body, at = [struct.pack("<IIQQQQIIQQ", *[0] * 10)], b"", 64
    for name, content in zip([*sections, ".shstrtab"], contents, strict=True):
        place = names.index(b"\0" + name.encode() + b"\0") + 1
        kind = (kinds or {}).get(name, 1)
        headers.append(struct.pack("<IIQQQQIIQQ", place, kind, 0, 0, at, len(content), 0, 0, 1, 0))
        body, at = body + content, at + len(content)
    count = len(headers)
    start = struct.pack(
        "<16sHHIQQQIHHHHHH",
        b"\x7fELF\x02\x01\x01",
        RELOCATABLE,
        machine,
        1,
        0,
        0,
        at,
        0,
        64,
        0,
        0,
        64,
        count,
        count - 1,
    )
    return start + body + b"".join(headers)


def compat(product: int, version: int | None = None) -> bytes:
    """The notes of a zebin: its product family, and its IP version where it has one."""
    notes = {1: product} if version is None else {1: product, 6: version}
    return b"".join(struct.pack("<III8sI", 8, 4, kind, b"IntelGT", number) for kind, number in notes.items())


def ip(architecture: int, release: int, revision: int = 0) -> int:
    """An IP version in one number."""
    return architecture << 22 | release << 14 | revision


def archive(members: dict[str, bytes]) -> bytes:
    """An ar archive, as intel-compute-runtime makes them."""
    found = b"!<arch>\n"
    for name, content in members.items():
        header = f"{name}/".encode().ljust(48) + str(len(content)).encode().ljust(10) + b"`\n"
        found += header + content + b"\n" * (len(content) % 2)
    return found


def zebin(name: str, notes: bytes, width: int = 16) -> bytes:
    """A device binary with one kernel."""
    zeinfo = f"kernels:\n  - name: {name}\n    execution_env:\n      grf_count: 128\n      simd_size: {width}\n"
    return elf({".ze_info": zeinfo.encode(), ".note.intelgt.compat": notes}, machine=INTEL)
