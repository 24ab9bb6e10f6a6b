"""Offsets in files, one object for equal numbers.

Each node has two of them, of 32 bytes each, and a run keeps a million nodes of files most of which are short.
"""

SHARED = 1 << 17
"""Offsets from here on are few, and each its own object."""


class _Offsets(dict[int, int]):
    """From a number to the same number."""

    def __missing__(self, offset: int) -> int:
        if offset < SHARED:
            self[offset] = offset
        return offset


OFFSETS = _Offsets()
"""The offsets of all files of the process."""
