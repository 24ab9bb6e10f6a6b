"""The include directives of a file and their targets on disk: text and paths, no C++ beyond the directive."""

import os
import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from sycllint.record import NamedTuple

_INCLUDE = re.compile(rb'#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)')
FOREIGN = ("/usr/", "/opt/", "/lib/")
"""Folders of headers that belong to no project."""


C_HEADERS = frozenset({
    "assert.h", "complex.h", "ctype.h", "errno.h", "fenv.h", "float.h", "inttypes.h", "iso646.h", "limits.h",
    "locale.h", "math.h", "setjmp.h", "signal.h", "stdalign.h", "stdarg.h", "stdatomic.h", "stdbool.h", "stddef.h",
    "stdint.h", "stdio.h", "stdlib.h", "stdnoreturn.h", "string.h", "tgmath.h", "threads.h", "time.h", "uchar.h",
    "wchar.h", "wctype.h",
})  # fmt: skip
"""The headers of the C standard library. Source: ISO/IEC 9899:2018, 7.1.2."""
SYCL_HEADERS = frozenset({"sycl/sycl.hpp", "CL/sycl.hpp"})
"""Source: SYCL 2020 revision 9, section 5.1.1 "Headers and macros"; ``CL`` is the folder of SYCL 1.2.1."""


class IncludeDirective(NamedTuple):
    """One include directive: the path as written, whether in quotes, and the offset of the line's ``#``."""

    path: str
    quoted: bool
    offset: int


def directives(content: bytes) -> Iterator[IncludeDirective]:
    """The include directives of a file, in order, wherever they stand."""
    for match in _INCLUDE.finditer(content):
        line = content.rfind(b"\n", 0, match.start()) + 1
        if not content[line : match.start()].strip(b" \t"):
            quoted = match[1] is not None
            yield IncludeDirective((match[1] or match[2]).decode(errors="replace"), quoted, line)


def is_foreign(written: str) -> bool:
    """Whether an include path names a standard header, of C++ or C: only an include path leads to one; or SYCL's."""
    return "." not in os.path.basename(written) or written in C_HEADERS or written in SYCL_HEADERS


def resolve(
    directive: IncludeDirective, folder: str, folders: tuple[str, ...], is_file: Callable[[str, str], bool]
) -> str | None:
    """The file an include in ``folder`` means: beside the includer when quoted, else in ``folders``.

    ``None`` outside the project. SYCL's own header is outside every project, that of an implementation of SYCL, too:
    what its names mean is the specification's matter. ``is_file`` is asked of a folder and a name in it.
    """
    if directive.path in SYCL_HEADERS:
        return None
    below, name = os.path.split(directive.path)
    for each in _searched((folder, *folders) if directive.quoted else folders, below):
        if is_file(each, name):
            return os.path.join(each, name)
    return None


@lru_cache(maxsize=256)
def _searched(folders: tuple[str, ...], below: str) -> tuple[str, ...]:
    """The folders ``below`` those of an include path, each once: all directives of a file ask for the same few."""
    places = (os.path.normpath(os.path.join(each, below)) for each in folders)
    own = (each for each in places if not os.path.join(each, "").startswith(FOREIGN))
    return tuple(dict.fromkeys("" if each == os.curdir else each for each in own))
