"""Putting a changed file in the place of the old one."""

import os
import stat
from contextlib import suppress

from sycllint.source.regular import TooLargeError, regular_content


def replace_file(path: str, old: bytes, new: bytes) -> str:
    """Write ``new`` where ``old`` was read; the sentence that says why not, or ``""``.

    The file is replaced atomically: nobody sees half of it, and a crash leaves the old one. A link stays a link;
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


def _replaced(real: str, was: os.stat_result, new: bytes) -> bool:
    """Put a new file in place of ``real``; ``False``, with nothing changed, when it cannot be its equal."""
    from tempfile import mkstemp

    try:
        descriptor, temporary = mkstemp(dir=os.path.dirname(real), prefix=".sycllint-")
    except PermissionError:  # a folder that others may not write, with a file that they may
        return False
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(new)
        if not _given(temporary, was):
            os.unlink(temporary)
            return False
        os.chmod(temporary, stat.S_IMODE(was.st_mode))
        os.replace(temporary, real)
    except OSError:
        with suppress(OSError):
            os.unlink(temporary)
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
