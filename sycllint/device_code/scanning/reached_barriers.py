"""Barriers that a scan reaches, and what it cannot see: where they are, and whether all ways lead to one."""

from collections.abc import Callable

from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.device_code.scanning.scan import Scan, Sized
from sycllint.domains.meaning import Meaning, Pack, hands_on
from sycllint.record import replace
from sycllint.source.span import Location
from sycllint.values.arithmetic import join
from sycllint.values.certainty import guessed
from sycllint.values.evaluate import Evaluator
from sycllint.values.value import Known


class ReachedBarriers:
    """Writes into the scan of one kernel."""

    def __init__(self, evaluator: Evaluator, scan: Scan) -> None:
        self._facts = evaluator.facts
        self._scan = scan

    def location(self, node: Node, place: Place) -> Location:
        """Where ``node`` is written."""
        start = getattr(node, "start", 0)
        return self._facts.file_at(place).location(start, getattr(node, "end", start))

    def reach(self, barriers: list[Location] | tuple[Location, ...]) -> None:
        """These barriers are passed, once more or for the first time."""
        known = self._scan.barriers
        known += [each for each in barriers if each not in known]

    def barrier(self, node: Node, place: Place) -> None:
        """A barrier of the work-group; one in text that is only guessed is not certain."""
        location = self.location(node, place)
        if guessed(self._facts, place, location.span.start):
            self._scan.calls_unknown = True
        else:
            self.reach([location])

    def alternatives(self, walks: list[Callable[[], None]], *, complete: bool) -> None:
        """Ways of which one is taken; when they are ``complete`` and each has a barrier, there is one."""
        scan = self._scan
        before = scan.barriers
        found: list[list[Location]] = []
        for walk in walks:
            arrays, local = len(scan.arrays), len(scan.local)
            scan.barriers = []
            walk()
            found.append(scan.barriers)
            if len(walks) > 1 or not complete:
                scan.arrays[arrays:] = map(_optional, scan.arrays[arrays:])
                scan.local[local:] = map(_optional, scan.local[local:])
        scan.barriers = before
        if complete and all(found):
            self.reach([each for one in found for each in one])
        elif any(found):
            scan.calls_unknown = True

    def unseen(self, passed: tuple[Meaning | None, ...]) -> None:
        """A function that is not in sight: with the item it can synchronise."""
        if any(holds_item(each) for each in passed):
            self._scan.calls_unknown = True


def _optional(sized: Sized) -> Sized:
    return replace(sized, bytes=join([Known(0), sized.bytes]), optional=True)


def holds_item(meaning: Meaning | None) -> bool:
    """Whether what is handed over can synchronise the work-group."""
    if isinstance(meaning, Pack):
        return any(map(holds_item, meaning.arguments))
    return hands_on(meaning)
