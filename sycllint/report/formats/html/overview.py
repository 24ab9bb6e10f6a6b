"""The numbers of the first view: what was found and looked at, what is not known, and the devices side by side."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from sycllint.diagnostic import Diagnostic, Severity
from sycllint.grouping import grouped
from sycllint.hardware.device import Device, Vendor
from sycllint.launch.kernel import KernelLaunch, LaunchKind
from sycllint.launch.unresolved import by_reason
from sycllint.pipeline import Result
from sycllint.report.formats.html.launches import Judged
from sycllint.report.place import Sources, line_text
from sycllint.report.terminal.statistics import counts
from sycllint.report.terminal.summary import summary
from sycllint.report.value import bytes_text
from sycllint.values.value import known

BANDS = ("100%", "75–99%", "50–74%", "25–49%", "below 25%", "cannot run", "unknown")
"""Bands of occupancy, best first."""


def overview(
    result: Result, launches: Sequence[Judged], devices: Sequence[Device], sources: Sources
) -> Mapping[str, object]:
    """The first view of one run, for its templates; findings, files, rules and gaps with the most to say first."""
    found = Counter(each.severity for each in result.diagnostics)
    common = [each for each in launches if each.verdicts and all(one.least is not None for one in each.verdicts)]
    return {
        "sentence": summary(result),
        "severities": [(each.label, found[each]) for each in sorted(Severity, reverse=True)],
        "rules": counts(result.diagnostics),
        "files": _files(result.diagnostics),
        "launches": len(launches),
        "sized": sum(_is_sized(each.report.launch) for each in launches),
        "placed": sum(any(one.least is not None for one in each.verdicts) for each in launches),
        "gaps": _gaps(launches, sources),
        "devices": [_device(device, number, launches, common) for number, device in enumerate(devices)],
        "compared": len(common),
        # There the number of registers is the compiler's choice.
        "unregistered": [each.name for each in devices if each.vendor is not Vendor.INTEL],
    }


def _files(diagnostics: Iterable[Diagnostic]) -> list[dict[str, object]]:
    by_path = grouped((each.location.path, each.severity) for each in diagnostics)
    numbers = {path: [-found.count(each) for each in sorted(Severity, reverse=True)] for path, found in by_path.items()}
    return [
        {"path": path, "findings": len(by_path[path])}
        | {f"{each.label}s": by_path[path].count(each) for each in Severity}
        for path in sorted(by_path, key=lambda path: (numbers[path], path))
    ]


def _is_sized(launch: KernelLaunch) -> bool:
    ranges = [each for each in (launch.global_range, launch.local_range) if each is not None]
    return all(known(extent) is not None for each in ranges for extent in each.extents)


def _gaps(launches: Sequence[Judged], sources: Sources) -> list[dict[str, object]]:
    """By reason how many launches it concerns, and one of the places."""
    groups = by_reason(each for launch in launches for each in launch.unknown)
    return [
        {
            "reason": reason,
            "launches": len({each.launch for each in found}),
            "where": line_text(found[0].location, sources),
        }
        for reason, found in groups.items()
    ]


def _device(device: Device, number: int, launches: Sequence[Judged], common: Sequence[Judged]) -> dict[str, object]:
    """The occupancy of the launches on one device, by band and on the mean; of several sub-group sizes the least."""
    parallel = [each for each in launches if each.report.launch.kind is not LaunchKind.SINGLE_TASK]
    bands = Counter(_band(each.verdicts[number].least) for each in parallel)
    shares = [each.verdicts[number].least or 0.0 for each in common]
    return {
        "device": device,
        "bands": [bands[each] for each in range(len(BANDS))],
        "known": len(parallel) - bands[BANDS.index("unknown")],
        "mean": sum(shares) / len(shares) if shares else None,
        "facts": [
            ("cores", _number(device.cores)),
            ("threads per core", _number(device.threads_per_core)),
            ("sub-group sizes", ", ".join(map(str, device.sub_group_sizes))),
            ("largest work-group", str(device.max_work_group_size)),
            ("local memory per core", bytes_text(device.local_memory_per_core)),
            ("local memory per work-group", bytes_text(device.max_local_memory_per_group)),
        ],
    }


def _band(ratio: float | None) -> int:
    """The number of the band in ``BANDS``."""
    if ratio is None:
        return BANDS.index("unknown")
    if ratio <= 0:
        return BANDS.index("cannot run")
    return 0 if ratio >= 1 else 4 - min(int(ratio * 4), 3)


def _number(number: int | None) -> str:
    return "unknown" if number is None else str(number)
