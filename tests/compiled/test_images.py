"""Device images in programs, objects and archives: all of them, whatever they are packed in."""

import struct
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sycllint.compiled import compression
from sycllint.compiled.images import ImageKind, images
from sycllint.compiled.reading import read_kernel_info
from sycllint.compiled.window import Window
from sycllint.errors import SycllintError
from sycllint.launch.compiled import KernelInfo
from tests.compiled.built import archive, compat, elf, ip, zebin

SPIRV = struct.pack("<IIIII", 0x07230203, 0x00010400, 0, 1, 0)
PVC, BMG, G31 = ip(12, 60, 7), ip(20, 1, 4), ip(20, 2)


def fat(name: str) -> bytes:
    """What the compiler makes of one translation unit for three devices, with the fallback that it adds."""
    return archive(
        {
            "pad_0": b" " * 8,
            "64.12.60.7": zebin(name, compat(1271, PVC), 32),
            "64.bmg": zebin(name, compat(1274, BMG)),
            "64.20.2.0": zebin(name, compat(1274, G31)),
            "generic_ir": elf({"SPIRV Object": SPIRV}, kinds={"SPIRV Object": 0xFF000009}),
        }
    )


def found(content: bytes) -> list[ImageKind]:
    return [each.form for each in images(Window(content, 0, len(content)))]


def read(folder: Path, content: bytes, device: str = "") -> KernelInfo:
    (folder / "program").write_bytes(content)
    return read_kernel_info([f"{device}={folder}/program" if device else f"{folder}/program"])


def names(info: KernelInfo) -> list[tuple[str, str | None]]:
    return [(each.name, each.device) for each in info.kernels]


@pytest.mark.parametrize("section", ["__CLANG_OFFLOAD_BUNDLE__sycl-spir64_gen", "OFFLOAD_DEVICE_CODE", ".anything"])
def test_every_image_of_a_section_is_read_for_its_device(section: str, tmp_path: Path) -> None:
    info = read(tmp_path, elf({".text": b"\x90" * 40, section: b"\0" * 8 + fat("one") + b"\0" * 3 + fat("two")}))
    assert names(info) == [(name, device) for name in ("one", "two") for device in ("pvc", "bmg", "bmg-g31")]
    (file,) = info.files
    assert (file.images, file.read, file.kernels, file.unread) == (6, 6, 6, ())
    assert file.devices == ("pvc", "bmg", "bmg-g31")


def test_images_that_stand_one_behind_the_other_are_all_read(tmp_path: Path) -> None:
    content = elf({"OFFLOAD_DEVICE_CODE": zebin("a", compat(29)) + zebin("b", compat(29)) + zebin("c", compat(29))})
    assert names(read(tmp_path, content)) == [("a", "tgl"), ("b", "tgl"), ("c", "tgl")]


def test_a_static_archive_of_objects_is_read(tmp_path: Path) -> None:
    objects = {name: elf({".llvm.offloading": fat(name)}) for name in ("one", "two")}
    assert len(read(tmp_path, archive(objects)).kernels) == 6


def test_an_offload_binary_is_read(tmp_path: Path) -> None:
    image = zebin("k", compat(1274, BMG))
    for version in (1, 2):
        header = struct.pack("<IIQQQ", 0xAD10FF10, version, 40 + 48 + len(image), 40, 48 if version == 1 else 1)
        entry = struct.pack("<HHIQQQQ", 1, 8, 0, 40, 0, 88, len(image))
        assert names(read(tmp_path, elf({".llvm.offloading": header + entry + image}))) == [("k", "bmg")]


def test_a_bundle_is_read(tmp_path: Path) -> None:
    image, triple = zebin("k", compat(1271, PVC)), b"sycl-spir64_gen-unknown-unknown"
    table = struct.pack("<QQQQ", 1, 24 + 32 + len(triple), len(image), len(triple)) + triple
    assert names(read(tmp_path, b"__CLANG_OFFLOAD_BUNDLE__" + table + image)) == [("k", "pvc")]


def bundle(content: bytes, version: int, method: int) -> bytes:
    """A compressed bundle of ``content``, which is compressed already."""
    header = {1: 20, 2: 24, 3: 32}[version]
    size = {1: b"", 2: struct.pack("<I", header + len(content)), 3: struct.pack("<Q", header + len(content))}[version]
    rest = struct.pack("<QQ" if version == 3 else "<IQ", 0, 0)
    return b"CCOB" + struct.pack("<HH", version, method) + size + rest + content


@pytest.mark.parametrize("version", [1, 2, 3])
def test_compressed_bundles_of_all_versions_are_read_to_their_end(version: int, tmp_path: Path) -> None:
    packed = [bundle(zlib.compress(zebin(name, compat(1274, BMG))), version, 0) for name in ("a", "b")]
    assert names(read(tmp_path, elf({"OFFLOAD_DEVICE_CODE": b"".join(packed)}))) == [("a", "bmg"), ("b", "bmg")]


def test_images_compressed_with_zstd_are_read(tmp_path: Path) -> None:
    zstd = pytest.importorskip("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
    packed = b"".join(zstd.compress(fat(name)) for name in ("one", "two"))
    assert len(read(tmp_path, elf({"OFFLOAD_DEVICE_CODE": packed})).kernels) == 6
    inside = bundle(zstd.compress(zebin("k", compat(1274, BMG))), 3, 1)
    assert names(read(tmp_path, elf({"OFFLOAD_DEVICE_CODE": inside}))) == [("k", "bmg")]


def test_without_a_library_for_zstd_it_is_said_what_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "_zstd", lambda: None)
    packed = b"\x28\xb5\x2f\xfd" + b"\1" * 60
    with pytest.raises(SycllintError, match=r"compressed with zstd, which needs Python 3.14 or `pip install"):
        read(tmp_path, elf({"OFFLOAD_DEVICE_CODE": packed}))
    info = read(tmp_path, elf({"OFFLOAD_DEVICE_CODE": zebin("k", compat(29)) + packed}))
    (file,) = info.files
    assert (file.images, file.read, file.unread) == (2, 1, ((compression.NEEDS_LIBRARY, 1),))


def test_a_damaged_frame_is_named(tmp_path: Path) -> None:
    packed = bundle(zlib.compress(fat("k"))[:-9], 2, 0)
    with pytest.raises(SycllintError, match="is damaged"):
        read(tmp_path, elf({"OFFLOAD_DEVICE_CODE": packed}))


def test_of_spirv_alone_it_is_said_which_option_compiles_ahead_of_time(tmp_path: Path) -> None:
    with pytest.raises(SycllintError, match=r"SPIR-V only, .*as with `-fsycl-targets=intel_gpu_pvc`"):
        read(tmp_path, elf({"__CLANG_OFFLOAD_BUNDLE__sycl-spir64": SPIRV}))


def test_device_binaries_without_kernels_are_no_spirv(tmp_path: Path) -> None:
    empty = elf({".note.intelgt.compat": compat(1274, BMG)}, machine=205)
    with pytest.raises(SycllintError, match="its device binaries have no kernels"):
        read(tmp_path, elf({"OFFLOAD_DEVICE_CODE": archive({"64.bmg": empty}) + SPIRV}))


def test_binaries_of_other_vendors_and_old_forms_are_counted_and_named(tmp_path: Path) -> None:
    cubin = elf({".text": b"\0"}, machine=190)
    old = elf({"Intel(R) OpenCL Device Binary": b"CTNI"}, kinds={"Intel(R) OpenCL Device Binary": 0xFF000005})
    info = read(tmp_path, elf({"OFFLOAD_DEVICE_CODE": cubin + old + zebin("k", compat(29))}))
    (file,) = info.files
    assert (file.images, file.read) == (3, 1)
    assert [reason.partition(" GPUs")[0].partition(";")[0] for reason, _ in file.unread] == [
        "binaries for NVIDIA",
        "device binaries of the form before zebin",
    ]


@pytest.mark.parametrize(
    ("notes", "member", "device"),
    [
        (compat(1274, ip(20, 1, 4)), "", "bmg"),
        (compat(1274, ip(20, 2, 0)), "64.bmg", "bmg-g31"),
        (compat(1300, ip(30, 0, 4)), "", "ptl"),
        (compat(1300, ip(30, 1, 1)), "", "ptl-u"),
        (compat(1380, ip(35, 11)), "", "cri"),
        (compat(1360, ip(35, 10)), "", "nvl-p"),
        (compat(1275, ip(20, 4, 4)), "", "lnl"),
        (compat(1271), "", "pvc"),
        (compat(1300), "", "ptl"),
        (b"", "64.acm-g10", "dg2"),
        (b"", "64.30.0.4", "ptl"),
        (compat(9999, ip(99, 9)), "64.bmg", "bmg"),
        (b"", "generic", None),
        (b"", "64.intel", None),
    ],
)
def test_the_device_is_that_of_the_image(notes: bytes, member: str, device: str | None, tmp_path: Path) -> None:
    image = zebin("k", notes)
    assert names(read(tmp_path, archive({member: image}) if member else image)) == [("k", device)]


def test_a_device_that_the_images_contradict_is_an_error(tmp_path: Path) -> None:
    program = elf({"OFFLOAD_DEVICE_CODE": fat("k")})
    with pytest.raises(SycllintError, match="its device binaries are for pvc, bmg, bmg-g31, not for ptl"):
        read(tmp_path, program, "ptl")
    assert names(read(tmp_path, program, "bmg-g31")) == [("k", "bmg-g31")]
    assert names(read(tmp_path, program, "pvc")) == [("k", "pvc")]
    assert names(read(tmp_path, zebin("k", compat(1274, BMG)), "arc-b570")) == [("k", "arc-b570")]


def test_one_kernel_that_cannot_be_read_leaves_the_others(tmp_path: Path) -> None:
    one = "  - name: {}\n    execution_env:\n      simd_size: {}\n"
    zeinfo = "kernels:\n" + one.format("bad", "wide") + one.format("good", 8)
    info = read(tmp_path, elf({".ze_info": zeinfo.encode()}))
    assert names(info) == [("good", None)]
    assert info.files[0].unread == (("simd_size is not a number", 1),)


PROGRAM = elf({"OFFLOAD_DEVICE_CODE": fat("one") + bundle(zlib.compress(fat("two")), 3, 0)})


@given(st.integers(0, len(PROGRAM) - 1), st.integers(0, len(PROGRAM) - 1), st.integers(0, 255))
def test_a_damaged_program_is_read_as_far_as_it_goes(length: int, place: int, byte: int) -> None:
    assert len(found(PROGRAM[:length])) <= 8
    assert len(found(PROGRAM[:place] + bytes([byte]) + PROGRAM[place + 1 :])) <= 16


def test_an_archive_within_itself_ends() -> None:
    content = zebin("k", compat(29))
    for _ in range(40):
        content = archive({"inner": content})
    assert found(content) == []


def test_a_library_of_330_megabytes_takes_less_than_200(tmp_path: Path) -> None:
    large, code = tmp_path / "libkernels.so", fat("k")
    start = elf({"OFFLOAD_DEVICE_CODE": b""})
    size = 330_000_000
    table = len(start) - 3 * 64
    header = bytearray(start[:64])
    struct.pack_into("<Q", header, 0x28, 64 + size + len(start) - 64 - 3 * 64)
    sections = bytearray(start[table:])
    struct.pack_into("<QQ", sections, 64 + 24, 64, size)
    (strings,) = struct.unpack_from("<Q", sections, 128 + 24)
    struct.pack_into("<Q", sections, 128 + 24, strings + size)
    with large.open("wb") as stream:
        stream.write(header)
        stream.seek(64 + size - len(code))
        stream.write(code + start[64:table] + sections)
    # The peak of this program alone: what getrusage reports on Linux begins with that of the process that started it.
    script = (
        "import pathlib, re, resource, sys; from sycllint.compiled.reading import read_kernel_info; "
        "kernels = len(read_kernel_info(sys.argv[1:]).kernels); status = pathlib.Path('/proc/self/status'); "
        "peak = re.search(r'VmHWM:\\s*(\\d+)', status.read_text()) if status.exists() else None; "
        "print(kernels, peak[1] if peak else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    done = subprocess.run([sys.executable, "-c", script, str(large)], capture_output=True, text=True, check=True)
    kernels, most = map(int, done.stdout.split())
    assert kernels == 3
    assert most * (1 if sys.platform == "darwin" else 1024) < 200_000_000
