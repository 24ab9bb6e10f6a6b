"""Reports of Intel's offline compiler: recorded ones, and what is wrong with broken ones."""

import struct
from pathlib import Path

import pytest

from sycllint.compiled.elf import device_binaries
from sycllint.compiled.reading import read_kernel_info
from sycllint.compiled.zeinfo import read_zeinfo
from sycllint.errors import SycllintError
from sycllint.launch.compiled import CompiledKernel

RECORDED = Path(__file__).parent.parent / "data" / "compiled"


def recorded(device: str) -> dict[str, CompiledKernel]:
    text = (RECORDED / f"{device}.zeinfo").read_text()
    return {each.name: each for each in read_zeinfo(text, device, device=device, binary=False)}


def elf(sections: dict[str, bytes]) -> bytes:
    """A 64-bit little-endian ELF file that holds these sections."""
    names = b"\0" + b"".join(name.encode() + b"\0" for name in sections) + b".shstrtab\0"
    contents = [*sections.values(), names]
    headers, body, at = [struct.pack("<IIQQQQIIQQ", *[0] * 10)], b"", 64
    for name, content in zip([*sections, ".shstrtab"], contents, strict=True):
        place = names.index(b"\0" + name.encode() + b"\0") + 1
        headers.append(struct.pack("<IIQQQQIIQQ", place, 1, 0, 0, at, len(content), 0, 0, 1, 0))
        body, at = body + content, at + len(content)
    count = len(headers)
    start = struct.pack(
        "<16sHHIQQQIHHHHHH", b"\x7fELF\x02\x01\x01", 1, 0, 1, 0, 0, at, 0, 64, 0, 0, 64, count, count - 1
    )
    return start + body + b"".join(headers)


def compat(product: int) -> bytes:
    return struct.pack("<III8sI", 8, 4, 1, b"IntelGT", product)


@pytest.mark.parametrize("device", ["tgl", "dg2", "pvc"])
def test_width_registers_local_memory_and_barriers_are_read(device: str) -> None:
    tile = recorded(device)["tile_40k"]
    assert (tile.sub_group_size, tile.registers, tile.local_memory, tile.barriers) == (16, 128, 40960, 1)
    assert tile.local_memory_whole


def test_a_local_argument_may_add_to_the_local_memory() -> None:
    assert not recorded("tgl")["lines"].local_memory_whole


def test_private_memory_is_told_per_work_item_however_the_buffer_is_counted() -> None:
    # tgl has a scratch buffer of 16384 B per thread at SIMD16, dg2 a global one of 1024 B per work-item.
    assert recorded("tgl")["bins_256"].private_memory == recorded("dg2")["bins_256"].private_memory == 1024
    assert recorded("tgl")["bins_16"].private_memory == 0


def test_a_device_binary_says_what_it_is_for(tmp_path: Path) -> None:
    zeinfo = (RECORDED / "pvc.zeinfo").read_bytes()
    (tmp_path / "k.bin").write_bytes(elf({".ze_info": zeinfo, ".note.intelgt.compat": compat(1271)}))
    found = {each.name: each for each in read_kernel_info([str(tmp_path)])}
    assert found["tile_1k"].device == "pvc"
    assert found["tile_1k"].line is None


def test_a_device_binary_is_found_inside_a_program() -> None:
    inner = elf({".ze_info": b"kernels:\n", ".note.intelgt.compat": compat(29)})
    archive = b"!<arch>\n" + b"12.0.0/".ljust(48) + str(len(inner)).encode().ljust(10) + b"`\n" + inner
    program = elf({".text": b"\x90" * 40, "__CLANG_OFFLOAD_BUNDLE__sycl-spir64_gen": archive})
    assert [each.device for each in device_binaries(program)] == ["tgl"]


def test_a_truncated_program_holds_nothing() -> None:
    program = elf({".ze_info": b"kernels:\n"})
    assert list(device_binaries(program[:-70])) == []


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ("kernels:\n  - name: k\n    execution_env:\n      simd_size: wide\n", 4, "simd_size is not a number"),
        ("kernels:\n  - name: k\n    execution_env:\n      grf_count: 128\n", 2, "kernel k has no simd_size"),
        ("kernels:\n  - execution_env:\n      simd_size: 8\n", 2, "a kernel without `name`"),
        ("kernels:\n  - name: k\n    nonsense\n", 3, "'nonsense' is not KEY: VALUE"),
        ("kernels:\n  - name: k\n     deep: 1\n", 3, "this line is indented like none before it"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text: str, line: int, sentence: str) -> None:
    with pytest.raises(SycllintError) as error:
        list(read_zeinfo(text, "a.zeinfo", device=None, binary=False))
    assert str(error.value) == f"a.zeinfo:{line}: {sentence}"


def test_a_path_without_a_report_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing of the kind\n")
    with pytest.raises(SycllintError, match="holds no zeinfo"):
        read_kernel_info([str(tmp_path)])
    with pytest.raises(SycllintError, match="no such file"):
        read_kernel_info([str(tmp_path / "gone")])


def test_the_device_may_be_named(tmp_path: Path) -> None:
    found = read_kernel_info([f"acm-g10={RECORDED / 'dg2.zeinfo'}"])
    assert {each.device for each in found} == {"dg2"}
    with pytest.raises(SycllintError, match="nosuchgpu"):
        read_kernel_info([f"nosuchgpu={RECORDED / 'dg2.zeinfo'}"])
