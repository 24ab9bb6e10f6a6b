"""Occupancies of launches on devices, as compact JSON: each distinct answer and each distinct curve once."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import prod

from sycllint.errors import SycllintError
from sycllint.hardware.device import Device
from sycllint.launch.kernel import KernelLaunch, LaunchKind, Range
from sycllint.occupancy.calculator import Answer, Curve, Question, answer, best, by_local_memory, by_work_group
from sycllint.occupancy.model import as_compiled, demands_of
from sycllint.occupancy.sweep import Sweep, sweep
from sycllint.occupancy.waves import Waves
from sycllint.record import record, replace
from sycllint.report.formats.html.pool import Interned
from sycllint.report.json import Json
from sycllint.report.occupancy.page import rounds_text
from sycllint.values.value import known

_THOUSANDTHS = 1000
_UNCERTAIN_BARRIER = "the answer depends on whether the kernel reaches a barrier, which is not known"


@record
class Verdict:
    """The occupancies of one launch on one device; everything empty where a number that matters is not known."""

    answers: tuple[Answer, ...] = ()
    """One for each sub-group size at which the launch can run."""
    refusals: tuple[str, ...] = ()
    """Why it cannot, at the others."""
    curve: int = -1
    """The curve over the work-group sizes that the runtime may choose; -1 where it does not choose."""
    sweep: int = -1
    """The sweep over the parameter that the work-group size depends on; -1 where there is none."""

    @property
    def least(self) -> float | None:
        """The least occupancy over the sub-group sizes, 0 to 1; 0 where the launch cannot run, ``None`` if unknown."""
        if self.answers:
            return min(each.occupancy.ratio for each in self.answers)
        return 0.0 if self.refusals else None


class DeviceAnswers:
    """The answers of one report's devices, as ``sycllint occupancy`` works them out."""

    def __init__(self, texts: Interned) -> None:
        self.texts = texts
        self.answers = Interned()
        self.curves = Interned()
        self.sweeps = Interned()
        self._answered: dict[tuple[str, Question], Answer | str] = {}
        self._rows: dict[tuple[str, Question], int] = {}
        self._drawn: dict[tuple[str, str, Question], int] = {}

    def of(self, launch: KernelLaunch, device: Device) -> Verdict:
        """The occupancy of ``launch`` on ``device``, at every sub-group size that the compiler may choose."""
        compiled = as_compiled(device, launch)
        found = list(_questions(device, compiled))
        if not found:
            return Verdict(curve=self._open_curve(device, compiled), sweep=self._sweep(device, launch))
        answers: list[Answer] = []
        refused: dict[str, list[int]] = {}
        for question in found:
            answer = self._sure_answer(device, question, barrier_known=launch.barrier is not None)
            if isinstance(answer, Answer):
                answers.append(answer)
            else:
                refused.setdefault(answer, []).append(question.sub_group or 0)
        everywhere = not answers and len(refused) == 1
        refusals = tuple(
            why if everywhere else f"sub-group {', '.join(map(str, at))}: {why}" for why, at in refused.items()
        )
        return Verdict(tuple(answers), refusals)

    def row(self, found: Answer) -> int:
        """The number of an answer's row in the page."""
        key = found.device.name, found.question
        if key not in self._rows:
            self._rows[key] = self.answers.of(self._row(found))
        return self._rows[key]

    def _row(self, found: Answer) -> Json:
        occupancy, on_core = found.occupancy, replace(found.question, global_range=None)
        return {
            "sub": occupancy.sub_group_size,
            "size": found.question.size,
            "memory": found.question.local_memory,
            "allocated": occupancy.local_memory_allocated,
            "threads": occupancy.threads_per_group,
            "groups": occupancy.groups_per_core,
            "slots": occupancy.threads_per_core,
            "ratio": _share(occupancy.ratio),
            "limiter": self.texts.of(occupancy.limiter.value),
            "limits": [[self.texts.of(limiter.value), groups] for limiter, groups in occupancy.limits],
            "registers": occupancy.registers,
            "waves": None if occupancy.waves is None else round(occupancy.waves, 2),
            "peak": _share(occupancy.peak),
            "average": _share(occupancy.average),
            "rounds": self._rounds(found.rounds),
            "split": self._rounds(found.split_rounds),
            "cores": found.cores,
            "best": [
                [self.texts.of(each.size), each.suggestion.groups, _share(each.suggestion.ratio)]
                for each in best(found)
            ],
            "bySize": self._curve(found.device, "size", on_core),
            "byMemory": self._curve(found.device, "memory", on_core),
        }

    def _sure_answer(self, device: Device, question: Question, *, barrier_known: bool) -> Answer | str:
        """The answer, or the reason why there is none, also where the unknown barrier would change it."""
        found = self._answer(device, question)
        if barrier_known or isinstance(found, str):
            return found
        waiting = self._answer(device, replace(question, barrier=True))
        if isinstance(waiting, str) or waiting.occupancy.groups_per_core != found.occupancy.groups_per_core:
            return _UNCERTAIN_BARRIER
        return found

    def _answer(self, device: Device, question: Question) -> Answer | str:
        key = device.name, question
        if key not in self._answered:
            try:
                self._answered[key] = answer(device, question)
            except SycllintError as error:
                self._answered[key] = str(error)
        return self._answered[key]

    def _rounds(self, rounds: Waves | None) -> Json:
        if rounds is None:
            return None
        return [
            rounds.full_waves,
            _share(rounds.full_occupancy),
            rounds.last_groups,
            _share(rounds.last_occupancy),
            rounds.groups_per_wave,
            self.texts.of(rounds_text(rounds)),
        ]

    def _curve(self, device: Device, over: str, question: Question) -> int:
        """The number of a curve: over the work-group sizes at its local memory, or the other way round."""
        neutral = replace(question, work_group=(question.sub_group or 1,)) if over == "size" else None
        asked = neutral or replace(question, local_memory=0)
        key = device.name, over, asked
        if key not in self._drawn:
            found = self._answer(device, asked)
            drawn: Callable[[Answer], Curve] = by_work_group if over == "size" else by_local_memory
            row = _curve_row(drawn(found), steps=over == "memory") if isinstance(found, Answer) else None
            self._drawn[key] = -1 if row is None else self.curves.of(row)
        return self._drawn[key]

    def _open_curve(self, device: Device, launch: KernelLaunch) -> int:
        """The curve over the sizes that the runtime may choose, where all else is known and there is no barrier."""
        demands, memory = demands_of(device, launch), known(launch.local_memory.total)
        chooses = launch.kind is LaunchKind.RANGE and launch.work_group_size is None
        if not chooses or demands is None or memory is None or launch.barrier is None or not demands.sub_group_sizes:
            return -1
        width = demands.sub_group_sizes[0]
        return self._curve(device, "size", Question((width,), width, memory, launch.barrier, demands.registers))

    def _sweep(self, device: Device, launch: KernelLaunch) -> int:
        found = sweep(device, launch)
        return -1 if found is None else self.sweeps.of(self._sweep_row(found))

    def _sweep_row(self, found: Sweep) -> Json:
        """``[name, legal values, values, least, most, last]``.

        Of evenly spaced values the first of each stretch that agrees, and ``last``; of others all, and -1.
        """
        points = [
            (each.value, _thousandths(min(ratios)), _thousandths(max(ratios)))
            for each in found.points
            if (ratios := [one.ratio for one in each.occupancies])
        ]
        last = points[-1][0] if points and _evenly_spaced([value for value, *_ in points]) else -1
        if last >= 0:
            points = [
                each
                for before, each in zip([None, *points], points, strict=False)
                if not before or before[1:] != each[1:]
            ]
        columns = [list(column) for column in zip(*points, strict=True)] or [[], [], []]
        return [self.texts.of(found.name), self.texts.of(f"{found.name} {found.legal}"), *columns, last]


def _questions(device: Device, launch: KernelLaunch) -> Iterator[Question]:
    """The questions to the calculator, one per sub-group size; none where a number that matters is not known."""
    demands = demands_of(device, launch)
    size, memory = known(launch.work_group_size), known(launch.local_memory.total)
    if demands is None or size is None or size < 1 or memory is None or memory < 0:
        return
    work_group, whole = _ranges(launch, size)
    for width in demands.sub_group_sizes:
        yield Question(work_group, width, memory, launch.barrier is True, demands.registers, whole)


def _ranges(launch: KernelLaunch, size: int) -> tuple[tuple[int, ...], tuple[int, ...] | None]:
    """The local range and the global one; without the global one unless it is known and of whole work-groups."""
    local, whole = _extents(launch.local_range), _extents(launch.global_range)
    if local is None or prod(local) != size:
        local = (size,)
        whole = None if whole is None else (prod(whole),)
    fits = whole is not None and len(whole) == len(local) and not any(map(int.__mod__, whole, local))
    return local, whole if fits else None


def _extents(extents: Range | None) -> tuple[int, ...] | None:
    numbers = extents.numbers if extents is not None else None
    return numbers if numbers and min(numbers) > 0 else None


def _curve_row(curve: Curve, *, steps: bool) -> Json:
    """``[values, groups, shares]``; of ``steps``, which only fall, the points where they do, and the last."""
    points: Sequence[tuple[int, int, int]] = [
        (each.value, each.groups_per_core, _thousandths(each.ratio)) for each in curve.points
    ]
    if steps:
        last = len(points) - 1
        points = [each for number, each in enumerate(points) if number in (0, last) or each[1] != points[number - 1][1]]
    return [list(column) for column in zip(*points, strict=True)]


def _share(ratio: float | None) -> int | None:
    return None if ratio is None else _thousandths(ratio)


def _thousandths(ratio: float) -> int:
    return round(ratio * _THOUSANDTHS)


def _evenly_spaced(values: Sequence[int]) -> bool:
    return len({after - before for before, after in pairwise(values)}) <= 1
