"""Compilers' reports as they were read: which kernels were joined with a launch, which were not, and why."""

from collections.abc import Iterator, Sequence

from sycllint.launch.compiled import Joined, ReadReport
from sycllint.report.json import Json
from sycllint.report.terminal.summary import listed, plural

_NAMES = 5
"""Names that a line lists."""


def report_lines(reports: Sequence[ReadReport], joined: Joined) -> Iterator[str]:
    """A line for each file, and one for each outcome of its kernels; long lists of names are shortened."""
    yield "compilers' reports:"
    for each in reports:
        yield f"  {each.path}: {_read(each)}"
        for why, count in each.unread:
            yield f"    not read: {count} × {why}"
    launches = plural(joined.launches, "launch", "launches")
    yield f"  {joined.joined} of {plural(joined.kernels, 'kernel')} joined to {launches}"
    yield from _listed("no visible launch of this name", joined.elsewhere)
    yield from _listed("several launches match", joined.ambiguous)
    yield from _listed("kernels of the SYCL runtime", joined.own)
    yield from _listed("names that cannot be demangled", joined.unreadable)


def reports_json(reports: Sequence[ReadReport], joined: Joined) -> Json:
    """The reports as JSON, with all names."""
    return {
        "files": [
            {
                "path": each.path,
                "images": each.images,
                "images_read": each.read,
                "kernels": each.kernels,
                "targets": list(each.devices),
                "unread": [{"reason": why, "count": count} for why, count in each.unread],
            }
            for each in reports
        ],
        "kernels": joined.kernels,
        "joined": joined.joined,
        "launches": joined.launches,
        "elsewhere": list(joined.elsewhere),
        "ambiguous": list(joined.ambiguous),
        "runtime": list(joined.own),
        "unreadable": list(joined.unreadable),
    }


def _read(report: ReadReport) -> str:
    kernels = plural(report.kernels, "kernel")
    devices = f" for {', '.join(report.devices)}" if report.devices else ""
    if not report.images:
        return f"{kernels}{devices}"
    return f"{report.read} of {plural(report.images, 'device binary', 'device binaries')} read, {kernels}{devices}"


def _listed(what: str, names: Sequence[str]) -> Iterator[str]:
    if names:
        yield f"  {what}: {len(names)} ({listed(names, _NAMES)})"
