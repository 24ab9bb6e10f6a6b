"""An environment variable that a script sets for a program."""

from sycllint.record import record
from sycllint.source.span import Location


@record
class Setting:
    """One variable set to a number."""

    name: str
    value: int
    location: Location
