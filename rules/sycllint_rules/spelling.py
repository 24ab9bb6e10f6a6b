"""Uses of outdated names as findings: what the rules on spelling share."""

from sycllint.rule import Finding
from sycllint.source.edit import Fix
from sycllint.spelling.record import Outdated


def outdated(use: Outdated, verdict: str) -> Finding:
    """The finding for a use; ``{}`` in the verdict is what SYCL 2020 has in its place."""
    return Finding(
        location=use.location,
        subject=f"`{use.text}`",
        verdict=verdict.format(use.instead) + (f", which {use.differs}" if use.differs else ""),
        fix=Fix(f"write {use.instead.replace('`', '')}", use.edits) if use.edits else None,
        tally=use.text,
    )
