"""What a process that lints again and again keeps from one run to the next."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from sycllint.pipeline.kept_facts import KeptFacts
from sycllint.record import field, mutable
from sycllint.source.disk import DiskCache

if TYPE_CHECKING:
    from sycllint.pipeline.run import FileAnalysis


def _nobody(file: "FileAnalysis") -> None:
    """Takes nothing."""


@mutable
class Resident:
    """Contents and facts of files, each used again while it holds: it makes runs faster and changes no answer."""

    memory: DiskCache = field(default_factory=DiskCache)
    facts: KeptFacts = field(default_factory=KeptFacts)
    take: "Callable[[FileAnalysis], None]" = _nobody
    """Called with each file that was analysed, before its launches are released."""
