"""The numbers of the first view: what was found and looked at, what is not known, and the devices side by side."""

from collections import Counter
from collections.abc import Iterable, Sequence

from sycllint.diagnostic import Diagnostic, Severity
from sycllint.hardware.device import Device, Vendor
from sycllint.launch.kernel import KernelLaunch, LaunchKind
from sycllint.launch.unresolved import by_reason
from sycllint.pipeline import Result
from sycllint.record import record
from sycllint.report.formats.html.launches import Judged
from sycllint.report.place import Sources, line_text
from sycllint.report.terminal.statistics import Count, counts
from sycllint.report.terminal.summary import summary
from sycllint.report.value import bytes_text
from sycllint.values.value import known

BANDS = ("100%", "75–99%", "50–74%", "25–49%", "below 25%", "cannot run", "unknown")
"""Bands of occupancy, best first."""


@record
class FileCount:
    """The findings of one file, by severity."""

    path: str
    errors: int
    warnings: int
    notes: int

    @property
    def findings(self) -> int:
        """All of them."""
        return self.errors + self.warnings + self.notes


@record
class Gap:
    """One reason for which numbers are not known."""

    reason: str
    launches: int
    where: str
    """One of the places, ``path:line``."""


@record
class DeviceRow:
    """One device and the occupancy of the launches on it; of several sub-group sizes the least counts."""

    device: Device
    bands: tuple[int, ...]
    """Launches in each of ``BANDS``."""
    mean: float | None
    """Over the launches that are known on every device, 0 to 1; ``None`` without any."""

    @property
    def known(self) -> int:
        """Launches of which the occupancy is known here, 0 where they cannot run."""
        return sum(self.bands[:-1])

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """What one core and one work-group may hold."""
        device = self.device
        return (
            ("cores", _number(device.cores)),
            ("threads per core", _number(device.threads_per_core)),
            ("sub-group sizes", ", ".join(map(str, device.sub_group_sizes))),
            ("largest work-group", str(device.max_work_group_size)),
            ("local memory per core", bytes_text(device.local_memory_per_core)),
            ("local memory per work-group", bytes_text(device.max_local_memory_per_group)),
        )


@record
class Overview:
    """The first view."""

    sentence: str
    severities: tuple[tuple[str, int], ...]
    """``error``, ``warning`` and ``note``, each with its findings."""
    rules: tuple[Count, ...]
    """The most frequent first."""
    files: tuple[FileCount, ...]
    """The files with most findings, errors first."""
    launches: int
    sized: int
    """Launches of which all ranges are known, or chosen by the runtime."""
    placed: int
    """Launches with a known occupancy on at least one device."""
    gaps: tuple[Gap, ...]
    devices: tuple[DeviceRow, ...]
    compared: int
    """Launches that the means of ``devices`` are taken over."""

    @property
    def unregistered(self) -> tuple[str, ...]:
        """Devices on which the number of registers is the compiler's choice."""
        return tuple(each.device.name for each in self.devices if each.device.vendor is not Vendor.INTEL)


def overview(result: Result, launches: Sequence[Judged], devices: Sequence[Device], sources: Sources) -> Overview:
    """The first view of one run."""
    found = Counter(each.severity for each in result.diagnostics)
    common = [each for each in launches if each.verdicts and all(one.least is not None for one in each.verdicts)]
    return Overview(
        sentence=summary(result),
        severities=tuple((each.label, found[each]) for each in sorted(Severity, reverse=True)),
        rules=tuple(counts(result.diagnostics)),
        files=tuple(_files(result.diagnostics)),
        launches=len(launches),
        sized=sum(_is_sized(each.report.launch) for each in launches),
        placed=sum(any(one.least is not None for one in each.verdicts) for each in launches),
        gaps=tuple(_gaps(launches, sources)),
        devices=tuple(_device(device, number, launches, common) for number, device in enumerate(devices)),
        compared=len(common),
    )


def _files(diagnostics: Iterable[Diagnostic]) -> list[FileCount]:
    by_path: dict[str, Counter[Severity]] = {}
    for each in diagnostics:
        by_path.setdefault(each.location.path, Counter())[each.severity] += 1
    files = [
        FileCount(path, found[Severity.ERROR], found[Severity.WARNING], found[Severity.NOTE])
        for path, found in by_path.items()
    ]
    return sorted(files, key=lambda each: (-each.errors, -each.warnings, -each.notes, each.path))


def _is_sized(launch: KernelLaunch) -> bool:
    ranges = [each for each in (launch.global_range, launch.local_range) if each is not None]
    return all(known(extent) is not None for each in ranges for extent in each.extents)


def _gaps(launches: Sequence[Judged], sources: Sources) -> list[Gap]:
    """By reason how many launches it concerns, the commonest first."""
    groups = by_reason(each for launch in launches for each in launch.unknown)
    return [
        Gap(reason, len({each.launch for each in found}), line_text(found[0].location, sources))
        for reason, found in groups.items()
    ]


def _device(device: Device, number: int, launches: Sequence[Judged], common: Sequence[Judged]) -> DeviceRow:
    parallel = [each for each in launches if each.report.launch.kind is not LaunchKind.SINGLE_TASK]
    bands = Counter(_band(each.verdicts[number].least) for each in parallel)
    shares = [each.verdicts[number].least or 0.0 for each in common]
    return DeviceRow(
        device,
        tuple(bands[each] for each in range(len(BANDS))),
        sum(shares) / len(shares) if shares else None,
    )


def _band(ratio: float | None) -> int:
    """The number of the band in ``BANDS``."""
    if ratio is None:
        return BANDS.index("unknown")
    if ratio <= 0:
        return BANDS.index("cannot run")
    return 0 if ratio >= 1 else 4 - min(int(ratio * 4), 3)


def _number(number: int | None) -> str:
    return "unknown" if number is None else str(number)
