"""Files that are written whole or not at all: in the place of an old one, and new."""

import errno
import os
import stat
from contextlib import suppress

from sycllint.source.regular import TooLargeError, regular_content

PREFIX = ".sycllint-"
"""The prefix of temporary files; one that is left over is of a run that was killed."""


def replace_file(path: str, old: bytes, new: bytes) -> str:
    """Write ``new`` where ``old`` was read; the sentence that says why not, or ``""``.

    The file is replaced atomically: no reader sees half of it, and a crash leaves the old one. A link stays a link;
    permissions, owner and group are kept; a file that is no longer ``old`` is left alone. A file whose owner cannot be
    given to another file, or that has several names, is written in place.
    """
    real, edited = os.path.realpath(path), f"{path}: not changed: it was edited since it was read"
    try:
        if regular_content(real, len(old)) != old:
            return edited
        was = os.stat(real)
        if not was.st_mode & stat.S_IWUSR:
            return f"{path}: not changed: it is read-only"
        if was.st_nlink > 1 or not _replaced(real, was, new):
            _write_in_place(real, old, new)
    except TooLargeError:
        return edited
    except OSError as error:
        return f"{path}: not changed: {error.strerror or error}"
    return ""


def write_new(path: str, content: bytes) -> None:
    """Make a file that was not there, whole or not at all. Raises ``OSError``, also when there is one by now."""
    temporary = _beside(path, content)
    try:
        os.chmod(temporary, 0o666 & ~_mask())
        try:
            os.link(temporary, path)
        except PermissionError:  # a file system without links
            if os.path.lexists(path):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path) from None
            os.replace(temporary, path)
            return
        os.unlink(temporary)
    except OSError:
        _removed(temporary)
        raise


def write_over(path: str, content: bytes) -> None:
    """Have ``path`` hold ``content``, whatever it held. Raises ``OSError``, after which it holds what it held.

    The file is replaced atomically, as by ``replace_file``, which says when one is written in place. So is what is no
    regular file, as a pipe, and what is open already, as ``/dev/stdout``.
    """
    real = os.path.realpath(path)
    try:
        was = os.stat(path)
    except FileNotFoundError:
        _write_first(real, content)
        return
    if not stat.S_ISREG(was.st_mode) or os.path.abspath(path).startswith(_OPEN_ALREADY):
        with open(path, "wb") as stream:
            stream.write(content)
        return
    if not os.access(real, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    if was.st_nlink > 1 or not _replaced(real, was, content):
        with open(real, "rb") as stream:
            old = stream.read()
        _write_in_place(real, old, content)


_OPEN_ALREADY = ("/dev/std", "/dev/fd/", "/proc/")
"""Prefixes of paths to open files: a shell continues writing to the open file, not to a new one of that name."""


def _write_first(real: str, content: bytes) -> None:
    """Make the file; one that another process made meanwhile is replaced."""
    temporary = _beside(real, content)
    try:
        os.chmod(temporary, 0o666 & ~_mask())
        os.replace(temporary, real)
    except OSError:
        _removed(temporary)
        raise


def _beside(path: str, content: bytes) -> str:
    """A new file with ``content``, in the folder of ``path``; none when it cannot be written whole."""
    from tempfile import mkstemp

    descriptor, temporary = mkstemp(dir=os.path.dirname(os.path.abspath(path)), prefix=PREFIX)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
            stream.flush()
            _settle(stream.fileno())
    except OSError:
        _removed(temporary)
        raise
    return temporary


def _removed(temporary: str) -> None:
    with suppress(OSError):
        os.unlink(temporary)


def _mask() -> int:
    """The permissions that new files of this process do not have."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _settle(descriptor: int) -> None:
    """Have the bytes of a file on the disk before its name leads to them; not every file system can say so."""
    with suppress(OSError):
        os.fsync(descriptor)


def _replaced(real: str, was: os.stat_result, new: bytes) -> bool:
    """Put a new file in place of ``real``; ``False``, with nothing changed, when it cannot be its equal."""
    try:
        temporary = _beside(real, new)
    except PermissionError:  # a folder that others may not write, with a file that they may
        return False
    try:
        if not _given(temporary, was):
            os.unlink(temporary)
            return False
        os.chmod(temporary, stat.S_IMODE(was.st_mode))
        os.replace(temporary, real)
    except OSError:
        _removed(temporary)
        raise
    return True


def _given(temporary: str, was: os.stat_result) -> bool:
    """Whether ``temporary`` has the owner and the group of ``was`` now."""
    made = os.stat(temporary)
    if (made.st_uid, made.st_gid) == (was.st_uid, was.st_gid):
        return True
    try:
        os.chown(temporary, was.st_uid, was.st_gid)
    except PermissionError:
        return False
    return True


def _write_in_place(real: str, old: bytes, new: bytes) -> None:
    """Write ``new`` over ``old``; what could not be written whole is put back."""
    with open(real, "r+b") as stream:
        try:
            _overwrite(stream.fileno(), new)
        except OSError:
            _overwrite(stream.fileno(), old)
            raise


def _overwrite(descriptor: int, content: bytes) -> None:
    os.lseek(descriptor, 0, os.SEEK_SET)
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
    os.ftruncate(descriptor, len(content))
