"""Putting a changed file in the place of the old one."""

import os
import stat
from contextlib import suppress


def replace_file(path: str, old: bytes, new: bytes) -> str:
    """Write ``new`` where ``old`` was read; the sentence that says why not, or ``""``.

    The file is replaced in one step, so that nobody sees half of it and a crash leaves the old one. A link stays a
    link, permissions are kept, and a file that is no longer ``old`` is left alone.
    """
    from tempfile import mkstemp

    real = os.path.realpath(path)
    temporary = ""
    try:
        with open(real, "rb") as stream:
            if stream.read() != old:
                return f"{path}: not changed: it was edited since it was read"
        mode = stat.S_IMODE(os.stat(real).st_mode)
        if not mode & stat.S_IWUSR:
            return f"{path}: not changed: it is read-only"
        descriptor, temporary = mkstemp(dir=os.path.dirname(real), prefix=".sycllint-")
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(new)
        os.chmod(temporary, mode)
        os.replace(temporary, real)
    except OSError as error:
        if temporary:
            with suppress(OSError):
                os.unlink(temporary)
        return f"{path}: not changed: {error.strerror or error}"
    return ""
