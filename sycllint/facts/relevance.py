"""Which files can matter at all: a search for a few words, so that the others are never parsed."""

import re

from sycllint.cpp.names import LAUNCHING

_RELEVANT = re.compile(b"|".join(re.escape(name.encode()) for name in sorted(LAUNCHING)))


def can_matter(content: bytes) -> bool:
    """Whether a file may launch a kernel."""
    return _RELEVANT.search(content) is not None
