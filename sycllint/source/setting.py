"""An environment variable that a script sets for a program."""

from dataclasses import dataclass

from sycllint.source.span import Location


@dataclass(frozen=True, slots=True)
class Setting:
    """One variable set to a number."""

    name: str
    value: int
    location: Location
