"""Compressed device images: frames of zstd, as ``--offload-compress`` makes them, and compressed bundles of clang.

Source: RFC 8878 (zstd frames); clang, "Clang Offload Bundler", "Compressed bundle file layout"; intel/llvm,
sycl/doc/design/CompressedDeviceImages: an image of its own is a bare frame.
"""

import sys
import zlib
from collections.abc import Callable
from importlib import import_module
from typing import Protocol, cast

from sycllint.compiled.window import Window
from sycllint.record import NamedTuple

ZSTD = b"\x28\xb5\x2f\xfd"
BUNDLE = b"CCOB"
COMPRESSED = (ZSTD, BUNDLE)
"""The first bytes of what is compressed."""
NEEDS_LIBRARY = "is compressed with zstd, which needs Python 3.14 or `pip install 'sycllint[zstd]'`"
_ZLIB, _ZSTD_METHOD = 0, 1
_HEADERS = {1: (20, ""), 2: (24, "<I"), 3: (32, "<Q")}
"""The header of a compressed bundle, by version: its bytes, and the format of the total size, at offset 8."""
_CHUNK = 1 << 20
_MOST = 1 << 30
"""Bytes beyond which nothing is decompressed."""


class Unpacked(NamedTuple):
    """A frame's content, and of how many bytes of the file it was made, from the first of its header."""

    content: bytes
    size: int


class Unreadable(NamedTuple):
    """Why a frame is not decompressed; ``size`` is 0 where nothing says where it ends."""

    reason: str
    size: int


class _Decompressor(Protocol):
    """What the objects of ``zlib`` and of ``compression.zstd`` have in common."""

    @property
    def eof(self) -> bool:
        """Whether the end of the frame was reached."""

    @property
    def unused_data(self) -> bytes:
        """What follows the frame."""

    def decompress(self, data: bytes, max_length: int = ...) -> bytes:
        """What ``data`` adds."""


def unpacked(content: Window) -> Unpacked | Unreadable | None:
    """The frame that starts here; ``None`` when these are not its first bytes."""
    if content.begins(ZSTD):
        return _frame(content, _zstd())
    if not content.begins(BUNDLE):
        return None
    version, method = content.numbers("<HH", 4) or (0, 0)
    if version not in _HEADERS or method not in {_ZLIB, _ZSTD_METHOD}:
        return None
    header, form = _HEADERS[version]
    whole = content.numbers(form, 8) if form else ()
    size = whole[0] if whole else content.size
    found = _frame(content.part(header, size - header), _zstd() if method == _ZSTD_METHOD else zlib.decompressobj)
    return found._replace(size=whole[0] if whole else found.size and found.size + header)


def _frame(content: Window, maker: Callable[[], _Decompressor] | None) -> Unpacked | Unreadable:
    if maker is None:
        return Unreadable(NEEDS_LIBRARY, 0)
    decompressor = maker()
    parts, at, most = [], 0, _MOST
    try:
        while not decompressor.eof and at < content.size and most > 0:
            parts.append(decompressor.decompress(content.part(at, _CHUNK).copy(), most))
            most -= len(parts[-1])
            at = min(at + _CHUNK, content.size)
    except _failures() as error:
        return Unreadable(f"is damaged: {error}", 0)
    if not decompressor.eof:
        return Unreadable("is damaged: its compressed content breaks off", 0)
    return Unpacked(b"".join(parts), at - len(decompressor.unused_data))


def _zstd() -> Callable[[], _Decompressor] | None:
    """The decompressor of the standard library, or of the package that brings it to older versions."""
    name = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    try:
        return cast("Callable[[], _Decompressor]", import_module(name).ZstdDecompressor)
    except ImportError:
        return None


def _failures() -> tuple[type[Exception], ...]:
    """What the decompressors raise."""
    maker = _zstd()
    return (zlib.error,) if maker is None else (zlib.error, sys.modules[maker.__module__].ZstdError)
