"""Calls of SYCL's group functions, as far as it matters later what they hand around."""

from sycllint.record import record


@record
class GroupFunction:
    """A call of a function that reduces, scans or broadcasts over the work-group."""

    name: str
    element_bytes: int | None
    """Of the value that each work-item hands in; ``None`` when unknown."""
