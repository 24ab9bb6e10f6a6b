"""How occupancies are written: shares of a core, and what several sub-group sizes have in common."""

from collections.abc import Iterable

from sycllint.occupancy.occupancy import Occupancy


def share_text(occupancy: Occupancy) -> str:
    """``57.1%``, ``100%``, ``cannot run``."""
    if occupancy.groups_per_core == 0:
        return "cannot run"
    return "100%" if occupancy.ratio >= 1 else f"{occupancy.ratio:.1%}"


def by_sub_group(texts: Iterable[tuple[int, str]]) -> str:
    """``57.1%`` when all sizes agree on the text; else ``8: 85.7%, 16|32: 100%``."""
    sizes: dict[str, list[str]] = {}
    for size, text in texts:
        sizes.setdefault(text, []).append(str(size))
    if len(sizes) == 1:
        return next(iter(sizes))
    return ", ".join(f"{'|'.join(alike)}: {text}" for text, alike in sizes.items())
