"""What the first look at a function finds out about names that its callers know."""

from sycllint.record import NamedTuple


class InFlightMemory(NamedTuple):
    """Memory of a command that may be in flight."""

    writes: frozenset[str]
    names: frozenset[str]
    """All of it."""
    held: frozenset[str]
    """What would have to outlive the command, were it an automatic object."""


class FunctionOutline(NamedTuple):
    """What a function does with its parameters, and with variables outside functions."""

    suspicious: bool = False
    flying: tuple[InFlightMemory, ...] = ()
    """Memory of commands that may be in flight at its end."""
    kernels: frozenset[str] = frozenset()
    """Pointers that kernels may use."""
    used: frozenset[str] = frozenset()
    """Named outside commands."""
    read: frozenset[str] = frozenset()
    """Read or written through, outside commands."""
    copies: tuple[tuple[frozenset[str], frozenset[str], bool], ...] = ()
    """Destinations and sources of copies, and whether nothing wrote the source before."""
    freed: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    """By the C or C++ library; by SYCL."""
    waits: bool = False
    """All that was in flight before is done at its end."""
    collides: bool = False
    """Two of its commands share memory and may be in flight together."""


NOTHING = FunctionOutline()
OPAQUE = FunctionOutline(suspicious=True)
"""Of a function that is not followed by its words: it has to be walked, and so have its callers."""


class OpaqueError(Exception):
    """A function cannot be followed by its words."""
