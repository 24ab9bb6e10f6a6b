"""What the analyses of spelling leave behind for the rules."""

from enum import Enum

from sycllint.launch.kernel import KernelLaunch
from sycllint.record import record
from sycllint.source.edit import Edit
from sycllint.source.span import Location


class Old(Enum):
    """What is outdated, in the words of the table of changes."""

    BARRIER = "member barrier"
    HEADER = "header CL/sycl.hpp"
    NAMESPACE = "namespace cl::sycl"
    SELECTOR = "selector class"
    LOCAL_TARGET = "local accessor by target"
    ATOMIC = "class atomic"
    OFFSET = "offset of an index space"
    DISCARD = "discarding access mode"
    HIERARCHICAL = "hierarchical kernel"
    EXTENSION = "extension namespace"
    ATTRIBUTE = "vendor attribute"


@record
class Outdated:
    """One use. ``edits`` are empty where more than the spelling changes."""

    location: Location
    kind: Old
    text: str
    """What is written, shortened to the name."""
    instead: str
    """What SYCL 2020 has in its place, code in backticks."""
    edits: tuple[Edit, ...] = ()
    differs: str = ""
    """How the new form behaves differently; ``""`` where it does not."""


@record
class Marker:
    """One ``DPCT1049:0:`` in a comment."""

    location: Location
    """The marker without its last colon."""
    number: int
    comment: Location | None
    """The comment, with its line where it stands alone; ``None`` when it says more than this marker."""
    launches: tuple[KernelLaunch, ...]
    """The launch in the statement after the comment, once for each way to reach it."""
    statement: str
    """What follows the comment up to the first semicolon."""
