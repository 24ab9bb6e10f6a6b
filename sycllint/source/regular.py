"""Reading a file that anybody may have put there: never a pipe or a device, and never more than is wanted."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from io import FileIO

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOCTTY", 0)

_FURTHER = 1 << 16
"""Bytes that are read at once behind the size that a file says it has: mostly there are none."""


class TooLargeError(OSError):
    """A file has more bytes than are read."""

    def __init__(self, path: str, size: int, most: int) -> None:
        self.size = size
        """Bytes, as far as they are known."""
        super().__init__(errno.EFBIG, f"{size / 1e6:.0f} MB is over the limit of {most / 1e6:.0f} MB", path)


@contextmanager
def opened(path: str) -> Iterator[FileIO]:
    """A regular file, open for reading as long as the context lasts. Errors as in ``regular_content``."""
    _require_regular(os.stat(path), path)
    descriptor = os.open(path, _FLAGS)
    with os.fdopen(descriptor, "rb", buffering=0) as stream:
        _require_regular(os.fstat(descriptor), path)
        yield stream


def regular_content(path: str, most: int) -> bytes:
    """The bytes of a regular file, which are at most ``most``, also while it grows; a link is followed.

    Raises ``OSError`` for what cannot be read, is no regular file, or has more (``TooLargeError``). It never waits: for
    a writer of a named pipe as little as for a device, which is not even opened.
    """
    with opened(path) as stream:
        size = os.fstat(stream.fileno()).st_size
        if size > most:
            raise TooLargeError(path, size, most)
        parts: list[bytes] = []
        left, expected = most + 1, size + 1
        while left and (part := _read(stream.read(min(left, expected)), path)):
            parts.append(part)
            left -= len(part)
            expected = _FURTHER
    if not left:
        raise TooLargeError(path, most + 1, most)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _require_regular(status: os.stat_result, path: str) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", path)


def _read(part: bytes | None, path: str) -> bytes:
    """What a read gave; files of the kernel that call themselves regular may have nothing yet."""
    if part is None:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN), path)
    return part
