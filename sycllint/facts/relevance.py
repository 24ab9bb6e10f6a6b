"""Which files can matter at all: a search for a few words, so that the others are never parsed."""

import re

from sycllint.cpp.names import LAUNCHING

_MARKS = (rb"sycl", rb"SYCL/", rb"DPCT", rb"#\s*pragma\s+omp\s+target")
"""What speaks of SYCL or OpenMP offload without launching anything: host code, markers of the migration tool."""
_RELEVANT = re.compile(b"|".join([*(re.escape(name.encode()) for name in sorted(LAUNCHING)), *_MARKS]))


def can_matter(content: bytes) -> bool:
    """Whether a file may launch a kernel, or holds code that rules on host code and spelling speak of."""
    return _RELEVANT.search(content) is not None
