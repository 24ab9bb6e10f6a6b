"""One file as it is spelt: what the analyses of spelling are given."""

from sycllint.facts.file import FileFacts
from sycllint.launch.kernel import KernelLaunch
from sycllint.record import record
from sycllint.source.span import Location, Span
from sycllint.values.evaluate import Evaluator


@record
class SpellingUnit:
    """One file: its bytes and its facts, the names visible in it, and the launches written in it."""

    content: bytes
    facts: FileFacts
    evaluator: Evaluator
    launches: tuple[KernelLaunch, ...]

    def at(self, start: int, end: int) -> Location:
        """A place in this file."""
        return Location(self.facts.path, Span(start, end))
