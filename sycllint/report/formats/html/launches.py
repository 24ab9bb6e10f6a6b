"""The launches as compact JSON, each with what every device makes of it."""

from collections.abc import Sequence

from sycllint.launch.kernel import KernelLaunch, LaunchKind, Range
from sycllint.launch.unresolved import Unresolved, unresolved
from sycllint.pipeline import Kernels, LaunchReport
from sycllint.record import record
from sycllint.report.formats.html.answers import DeviceAnswers, Verdict
from sycllint.report.formats.html.findings import Excerpts
from sycllint.report.json import Json
from sycllint.report.value import bytes_text, number_text, shape_text
from sycllint.values.value import known

_BARRIER = {True: "yes", False: "no", None: "unknown"}


@record
class Judged:
    """One launch, what is not known of it, and by device what becomes of it."""

    report: LaunchReport
    unknown: tuple[Unresolved, ...]
    verdicts: tuple[Verdict, ...]
    """In the order of the devices."""


def judged(kernels: Kernels, answers: DeviceAnswers) -> tuple[Judged, ...]:
    """Every launch on every device of the run; on devices that its file is not meant for, nothing is said."""
    return tuple(
        Judged(
            each,
            unresolved(each.launch),
            tuple(
                answers.of(each.launch, device) if device.name in each.occupancies else Verdict()
                for device in kernels.devices
            ),
        )
        for each in kernels.launches
    )


def launches_data(launches: Sequence[Judged], excerpts: Excerpts, answers: DeviceAnswers) -> list[Json]:
    """An object for each launch; numbers of texts and answers, -1 for none."""
    return [_launch(each, excerpts, answers) for each in launches]


def _launch(each: Judged, excerpts: Excerpts, answers: DeviceAnswers) -> Json:
    launch, texts = each.report.launch, answers.texts
    return {
        "place": excerpts.place(launch.row),
        "kernel": texts.optional(launch.kernel.name),
        "kind": texts.of(launch.kind.value),
        "function": texts.optional(launch.function),
        "facts": [[texts.of(name), texts.of(text)] for name, text in _facts(launch)],
        "sizes": texts.of(_sizes(launch)),
        "size": known(launch.work_group_size),
        "memory": known(launch.local_memory.total),
        "unknown": [
            [texts.of(why.number), texts.of(why.reason), *excerpts.point(why.location)] for why in each.unknown
        ],
        "on": [_on(verdict, answers) for verdict in each.verdicts],
    }


def _facts(launch: KernelLaunch) -> list[tuple[str, str]]:
    """The numbers as the table of ``sycllint kernels`` has them."""
    single = launch.kind is LaunchKind.SINGLE_TASK
    facts = [] if single else [("global range", _range(launch.global_range, "unknown"))]
    if not single:
        facts.append(("local range", _range(launch.local_range, "chosen by the runtime")))
    size = launch.work_group_size
    if size is not None and launch.local_range is not None and len(launch.local_range.extents) > 1:
        facts.append(("work-group size", number_text(size)))
    if launch.required_work_group is not None:
        facts.append(("required work-group", _range(launch.required_work_group, "unknown")))
    width, registers = launch.sub_group_size, launch.register_count
    facts.append(("sub-group size", "chosen by the compiler" if width is None else number_text(width.value)))
    facts.append(("local memory", bytes_text(launch.local_memory.total)))
    if known(launch.private_memory.total) != 0:
        facts.append(("private memory", bytes_text(launch.private_memory.total)))
    if registers is not None:
        facts.append(("registers", number_text(registers.value)))
    facts.append(("barrier", _BARRIER[launch.barrier]))
    return facts


def _sizes(launch: KernelLaunch) -> str:
    """``64x64x128 / 1x4x128``; ``single task``."""
    if launch.kind is LaunchKind.SINGLE_TASK:
        return "single task"
    return f"{_range(launch.global_range, '?')} / {_range(launch.local_range, 'auto')}"


def _range(extents: Range | None, absent: str) -> str:
    return absent if extents is None else shape_text(extents.extents) or absent


def _on(verdict: Verdict, answers: DeviceAnswers) -> Json:
    """``[answers, refusals, curve, sweep]``; 0 where there is nothing for the device, to keep the page small."""
    row: list[Json] = [
        [answers.row(each) for each in verdict.answers],
        [answers.texts.of(each) for each in verdict.refusals],
        verdict.curve,
        verdict.sweep,
    ]
    return 0 if row == [[], [], -1, -1] else row
