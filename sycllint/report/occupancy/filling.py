"""How much of a device a launch fills, in words and as JSON: the first round, the begun one after it, the average."""

from collections.abc import Iterable, Sequence

from sycllint.hardware.device import Device
from sycllint.hardware.words import all_cores, thread
from sycllint.occupancy.filling import Filling
from sycllint.occupancy.waves import Waves
from sycllint.report.json import Json
from sycllint.report.occupancy.shares import by_sub_group, rounded

_LISTED = 24
"""Sizes of one launch that a line lists."""


def share(ratio: float) -> str:
    """``9.5%``, ``19%``; ``100%`` for all of it and nothing less, ``<0.1%`` for what rounds to nothing."""
    if ratio >= 1:
        return "100%"
    tenths = round(1000 * ratio)
    if tenths == 0 and ratio > 0:
        return "<0.1%"
    return f"{min(tenths, 999) / 10:.1f}".removesuffix(".0") + "%"


def device_text(found: Waves) -> str:
    """``9.5%``; with a begun round after full ones, and the average over all of them, ``100% then 4.8% (52.4%)``."""
    first = share(found.first_occupancy)
    if not _has_tail(found):
        return first
    return f"{first} then {share(found.last_occupancy)} ({share(found.average)})"


def device_cell(fillings: Sequence[Filling], absent: str) -> str:
    """The text on which all sizes agree; else the least and the most of the first round and of the average."""
    found = [rounds for each in fillings for _, rounds in each.rounds]
    texts = dict.fromkeys(map(device_text, found))
    if len(texts) <= 1:
        return next(iter(texts), absent)
    first = _span(rounds.first_occupancy for rounds in found)
    average = _span(rounds.average for rounds in found)
    return f"{first} ({average})" if any(map(_has_tail, found)) else first


def device_by_width(fillings: Sequence[Filling], absent: str) -> str:
    """The share of the device at each sub-group size: ``8: 38.1%, 16: 19%, 32: 9.5%``."""
    if len(fillings) != 1:
        return device_cell(fillings, absent)
    return by_sub_group((size, device_text(rounds)) for size, rounds in fillings[0].rounds)


def device_by_size(device: str, fillings: Sequence[Filling]) -> str:
    """``of tgl by work-groups: 1 2.4%, 2 4.8%, 44 100% then 4.8% (52.4%)``; empty for a launch of one size."""
    if len(fillings) < 2:
        return ""
    by_groups = len({each.group for each in fillings}) == 1 and fillings[0].group is not None
    ordered = sorted(fillings, key=lambda each: each.items)
    listed = [f"{each.groups if by_groups else each.items} {device_cell([each], '?')}" for each in ordered[:_LISTED]]
    more = f", … {len(ordered) - _LISTED} more" if len(ordered) > _LISTED else ""
    return f"of {device} by {'work-groups' if by_groups else 'work-items'}: {', '.join(listed)}{more}"


def device_sentence(device: Device, found: Waves) -> str:
    """``9.5%: 64 of the 672 threads of the 6 Xe-cores of a full tgl``; of several rounds, how many and the average."""
    contexts = device.total_threads or 0
    whole = f"the {contexts} {thread(device)}s of {all_cores(device)}"
    if found.rounds == 1:
        return f"{share(found.first_occupancy)}: {round(found.first_occupancy * contexts)} of {whole}"
    rounds = f"{found.full_waves} full round{'s' if found.full_waves > 1 else ''}"
    if not _has_tail(found):
        return f"{share(found.first_occupancy)}: {rounds} of {whole}"
    tail = f"{rounds} of {whole}, then {round(found.last_occupancy * contexts)} {thread(device)}s"
    return (
        f"{share(found.first_occupancy)} then {share(found.last_occupancy)}, {share(found.average)} on average: {tail}"
    )


def device_json(fillings: Iterable[Filling]) -> list[Json]:
    """An object for each size and sub-group size; shares as fractions, to four places."""
    return [
        {
            "work_items": each.items,
            "work_groups": each.groups,
            "sub_group_size": size,
            "peak": rounded(found.first_occupancy),
            "last": rounded(found.last_occupancy) if _has_tail(found) else None,
            "average": rounded(found.average),
            "rounds": found.rounds,
        }
        for each in fillings
        for size, found in each.rounds
    ]


def _has_tail(found: Waves) -> bool:
    return found.full_waves > 0 and found.last_occupancy > 0


def _span(ratios: Iterable[float]) -> str:
    """``9.5-38.1%``; one number where the ends read the same."""
    ordered = sorted(ratios)
    least, most = share(ordered[0]), share(ordered[-1])
    return most if least == most else f"{least.removesuffix('%')}-{most}"
