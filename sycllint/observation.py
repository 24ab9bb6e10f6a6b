"""What analyses saw in the code, kept by kind for the rules that judge it."""

from collections.abc import Iterable
from typing import TypeVar

from sycllint.record import record

Seen = TypeVar("Seen")


@record
class Observations:
    """Frozen records of any kinds, in the order in which they were seen."""

    records: tuple[object, ...] = ()

    def of(self, kind: type[Seen]) -> tuple[Seen, ...]:
        """The records of one kind."""
        return tuple([each for each in self.records if isinstance(each, kind)]) if self.records else ()

    @property
    def kinds(self) -> frozenset[str]:
        """The names of the classes of the records."""
        return frozenset([type(each).__name__ for each in self.records])

    @classmethod
    def gathered(cls, *sources: Iterable[object]) -> "Observations":
        """What several analyses saw; what two of them saw alike counts once."""
        return cls(tuple(dict.fromkeys(each for source in sources for each in source)))


NOTHING = Observations()
