"""What a kernel is given: the variables that its lambda captures, by value."""

from sycllint.record import record
from sycllint.source.span import Location


@record
class Captured:
    """One variable, and its bytes."""

    name: str
    type: str
    bytes: int


@record
class ReachedMember:
    """A data member that a kernel names, and so reaches through ``this``, an address of the host."""

    name: str
    owner: str
    location: Location


@record
class KernelArguments:
    """At least what a kernel is given: its captures, without objects of classes of SYCL."""

    parts: tuple[Captured, ...]
    """The largest first."""
    bytes: int
    location: Location
    """Of the lambda's introducer."""
    members: tuple[ReachedMember, ...] = ()
    """What it reaches through the object around it, of which it holds the address."""
