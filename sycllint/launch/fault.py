"""What is wrong with a launch that one fix corrects as a whole, and that fix."""

from enum import Enum

from sycllint.record import record
from sycllint.source.edit import Fix


class Fault(Enum):
    """What is wrong with a launch, by the rule that says so."""

    UNEVEN = "SYC102"
    EXCEEDS = "SYC103"
    UNGUARDED = "SYC802"
    PARTED = "SYC502"


@record
class Repair:
    """One fix for all that is wrong with a launch."""

    faults: frozenset[Fault]
    fix: Fix
