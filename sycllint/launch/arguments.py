"""What a kernel is given: the variables that its lambda captures by value, the members of its function object."""

from typing import TYPE_CHECKING

from sycllint.cpp.expression import Expr, Lambda
from sycllint.record import record
from sycllint.source.span import Location, Span

if TYPE_CHECKING:
    from sycllint.semantics.answers import Held, HeldVariable


@record
class ReachedMember:
    """A data member that a kernel names, and so reaches through ``this``, an address of the host."""

    name: str
    owner: str
    location: Location


@record
class KernelArguments:
    """At least what a kernel is given: what it holds, without objects of classes of SYCL."""

    parts: "tuple[HeldVariable, ...]"
    """The largest first."""
    bytes: int
    location: Location
    """Of the lambda's introducer, or of the expression for the function object."""
    members: tuple[ReachedMember, ...] = ()
    """What it reaches through the object around it, of which it holds the address."""


def kernel_arguments(written: Expr, held: "Held", path: str) -> KernelArguments:
    """What a front end says of a kernel that is ``written`` in the file ``path``."""
    is_lambda = isinstance(written, Lambda)
    copied = not isinstance(written, Lambda) or (
        written.default != "=" or any("this" in each.name for each in written.captures)
    )
    return KernelArguments(
        held.parts,
        held.bytes,
        Location(path, Span(written.start, written.start + 1 if is_lambda else written.end)),
        tuple(
            ReachedMember(each.name, each.owner, Location(path, Span(each.start, each.end)))
            for each in (() if copied else held.members)
        ),
    )
