"""How occupancies are written: shares of a core, what several sub-group sizes have in common, and JSON."""

from collections.abc import Iterable

from sycllint.grouping import grouped
from sycllint.occupancy.occupancy import Occupancy
from sycllint.report.json import Json


def share_text(occupancy: Occupancy) -> str:
    """``57.1%``, ``100%``, ``cannot run``."""
    if occupancy.groups_per_core == 0:
        return "cannot run"
    return percent(occupancy.ratio)


def percent(ratio: float) -> str:
    """``57.1%``; ``100%`` for all of it and nothing less."""
    return "100%" if ratio >= 1 else f"{ratio:.1%}"


def occupancy_json(occupancy: Occupancy) -> dict[str, Json]:
    """The object that every command has for an occupancy; shares as fractions, to four places."""
    return {
        "sub_group_size": occupancy.sub_group_size,
        "threads_per_group": occupancy.threads_per_group,
        "groups_per_core": occupancy.groups_per_core,
        "ratio": rounded(occupancy.ratio),
        "limiter": occupancy.limiter.value,
        "peak": rounded(occupancy.peak),
        "average": rounded(occupancy.average),
        "waves": rounded(occupancy.waves),
    }


def rounded(number: float | None) -> float | None:
    """To the four places of the JSON formats."""
    return None if number is None else round(number, 4)


def by_sub_group(texts: Iterable[tuple[int, str]]) -> str:
    """``57.1%`` when all sizes agree on the text; else ``8: 85.7%, 16|32: 100%``."""
    sizes = grouped((text, str(size)) for size, text in texts)
    if len(sizes) == 1:
        return next(iter(sizes))
    return ", ".join(f"{'|'.join(alike)}: {text}" for text, alike in sizes.items())
