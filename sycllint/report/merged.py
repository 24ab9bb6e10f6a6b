"""Reports in the JSON format, of the shards of one run or of several projects, as one report."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from json import dumps
from typing import TypeAlias, TypeGuard

from sycllint.errors import SycllintError
from sycllint.pipeline.shards import Shard
from sycllint.record import NamedTuple
from sycllint.report.json import Json

Report: TypeAlias = Mapping[str, Json]
"""What ``report.json`` writes."""

_PLACE = ("path", "line", "column", "end_line", "end_column", "code", "message")
"""The fields that identify a finding; reports are sorted by the first of them."""


class Merged(NamedTuple):
    """A report made of others."""

    report: Report
    complete: bool
    """Every report is, and no shard is missing."""


def is_report(document: object) -> TypeGuard[Report]:
    """Whether JSON that was read is a report, as far as merging needs it."""
    match document:
        case {"version": str(), "targets": list(), "diagnostics": list(found), "files": dict(), "notices": list()}:
            return all(isinstance(each, dict) and each.keys() >= set(_PLACE) for each in found) and not any(
                isinstance(each[field], dict | list) for each in found for field in _PLACE
            )
        case _:
            return False


def merged(reports: Mapping[str, Report]) -> Merged:
    """The reports, by the names of their files, as one.

    A finding that several have, as in a header, is there once. Raises ``SycllintError`` for reports of different
    versions, or that are the same shard.
    """
    version = _common_version(reports)
    missing = _missing_shards(reports)
    whole = [each.get("complete", True) is True for each in reports.values()]
    found = {tuple(map(each.get, _PLACE)): each for report in reports.values() for each in _objects(report)}
    notices = _each_once(reports, "notices")
    if missing:
        notices.append(f"not merged: {', '.join(missing)}")
    complete = all(whole) and not missing
    report: Report = {
        "version": version,
        "targets": _each_once(reports, "targets"),
        "shard": None,
        "complete": complete,
        "diagnostics": [found[key] for key in sorted(found, key=_in_order)],
        "files": _summed(reports, "files"),
        "hidden": _summed(reports, "hidden"),
        "notices": notices,
    }
    return Merged(report, complete)


def _common_version(reports: Mapping[str, Report]) -> str:
    name, first = next(iter(reports.items()))
    for other, report in reports.items():
        if report["version"] != first["version"]:
            raise SycllintError(f"{other} was written by sycllint {report['version']}, {name} by {first['version']}")
    return str(first["version"])


def _missing_shards(reports: Mapping[str, Report]) -> list[str]:
    """Shards that no report is of, where some are of shards."""
    names: dict[Shard, str] = {}
    for name, report in reports.items():
        written = report.get("shard")
        if written is None:
            continue
        shard = Shard.of(written) if isinstance(written, str) else None
        if shard is None:
            raise SycllintError(f"{name} has no shard such as 1/4: {str(written)[:40]!r}")
        if shard in names:
            raise SycllintError(f"{name} is shard {shard}, as {names[shard]} is")
        names[shard] = name
    counts = sorted({each.count for each in names})
    if len(counts) > 1:
        raise SycllintError(f"reports come from runs with {' and '.join(map(str, counts))} shards")
    wanted = [Shard(number, count) for count in counts for number in range(1, count + 1)]
    return [f"shard {each}" for each in wanted if each not in names]


def _objects(report: Report) -> Iterator[Mapping[str, Json]]:
    found = report["diagnostics"]
    yield from found if isinstance(found, list) else ()


def _in_order(key: Sequence[Json]) -> tuple[str, list[int], list[str]]:
    """The sort key of a finding: path, place and code, as in the report of one run."""
    path, *place, code, message = key
    return str(path), [each if isinstance(each, int) else 0 for each in place], [str(code), str(message)]


def _each_once(reports: Mapping[str, Report], field: str) -> list[Json]:
    lists = (each.get(field) for each in reports.values())
    return list({dumps(each): each for found in lists if isinstance(found, list) for each in found}.values())


def _summed(reports: Mapping[str, Report], field: str) -> Json:
    """Numbers by name, each the sum over the reports; lists joined."""
    total: Counter[str] = Counter()
    lists: dict[str, list[Json]] = {}
    for each in reports.values():
        counts = each.get(field)
        for name, count in counts.items() if isinstance(counts, dict) else ():
            if isinstance(count, list):
                lists[name] = [*dict.fromkeys((*lists.get(name, ()), *map(str, count)))]
            else:
                total[name] += count if isinstance(count, int) else 0
    return {**total, **lists}
