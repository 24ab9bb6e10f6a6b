"""Which files can matter at all: a search for a few words, so that the others are never parsed."""

import re
from collections.abc import Iterable

from sycllint.cpp.names import LAUNCHING

_LAUNCHING = tuple(name.encode() for name in sorted(LAUNCHING))
_MARKS = (rb"sycl", rb"SYCL/", rb"DPCT", rb"#\s*pragma\s+omp\s+target")
"""Signs of SYCL or OpenMP offload other than launches: host code, markers of the migration tool."""
_RELEVANT = re.compile(b"|".join([*map(re.escape, _LAUNCHING), *_MARKS]))


def can_matter(content: bytes, helpers: Iterable[str] = ()) -> bool:
    """Whether a file may launch a kernel, also by one of ``helpers``, or holds code that other rules check."""
    if _RELEVANT.search(content) is not None:
        return True
    return any(name.rpartition("::")[2].encode() in content for name in helpers)


def can_launch(content: bytes) -> bool:
    """Whether a file may itself launch a kernel under a name of SYCL's, or offload a region."""
    return any(name in content for name in _LAUNCHING) or _can_launch_freely(content) or can_offload(content)


def holds_sycl(content: bytes) -> bool:
    """Whether a file may launch a kernel, or names SYCL at all."""
    return can_launch(content) or names_sycl(content)


def names_sycl(content: bytes) -> bool:
    """Whether SYCL is named."""
    return b"sycl" in content.lower()


def _can_launch_freely(content: bytes) -> bool:
    """Whether a file may launch by a free function of SYCLcompat or of SYCL's extension."""
    return b"launch" in content and (b"compat" in content or b"khr" in content)


def can_offload(content: bytes) -> bool:
    """Whether a file may hold a target region of OpenMP."""
    return b"target" in content and b"pragma" in content
