"""Uses of outdated names as findings: what the rules on spelling share."""

from collections.abc import Callable, Iterator

from sycllint.host.unit import SourceUnit
from sycllint.rule import Finding
from sycllint.source.edit import Fix
from sycllint.spelling.record import Outdated


def uses(unit: SourceUnit, chosen: Callable[[Outdated], bool], verdict: str) -> Iterator[Finding]:
    """A finding for each use that is ``chosen``; ``{instead}`` in the verdict is what SYCL 2020 has in its place."""
    for use in unit.seen.of(Outdated):
        if chosen(use):
            yield Finding(
                location=use.location,
                subject=f"`{use.text}`",
                verdict=verdict.format(instead=use.instead) + (f", which {use.differs}" if use.differs else ""),
                device_specific=False,
                fix=Fix(f"write {use.instead.replace('`', '')}", use.edits) if use.edits else None,
                tally=use.text,
            )
