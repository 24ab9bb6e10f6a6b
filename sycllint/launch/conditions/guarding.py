"""Launches and the circumstances under which they are reached, for the rules that weigh what they say by them."""

from collections.abc import Callable

from sycllint.builds.settings import WIDE_IDS
from sycllint.cpp.expression import Expr
from sycllint.launch.circumstances import Answers, Circumstance, Circumstances
from sycllint.launch.conditions.guards import OF_MEMORY, Guards
from sycllint.launch.conditions.whereabouts import Callers
from sycllint.launch.kernel import KernelLaunch, Range
from sycllint.record import NamedTuple, replace
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Frame, Point
from sycllint.values.value import OneOf, Parameter, Symbolic, Unknown, Value, known


class WrittenLaunch(NamedTuple):
    """Where a launch stands, and what its sizes are written as."""

    point: Point
    sizes: tuple[Expr, ...]
    """Of the local range."""
    ranges: tuple[Expr, ...]
    """The first of what the launch is given."""


class Guarding:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluator, callers: Callers) -> None:
        """``callers`` finds the calls of a function."""
        self._evaluator = evaluator
        self._guards = Guards(evaluator, callers, of_memory=False)
        asks_memory = any(evaluator.facts.spells(each.encode()) for each in OF_MEMORY)
        self._any_guards = Guards(evaluator, callers, of_memory=True) if asks_memory else self._guards

    def on(self, launch: KernelLaunch, written: WrittenLaunch, frame: Frame | None) -> KernelLaunch:
        """``launch`` with the circumstances under which it is reached by ``frame``."""
        (place, offset), sizes, ranges = written
        circumstances = self._circumstances(launch, written, frame)
        self._evaluator.frame = frame
        several = _has_several(launch) and self._guards.is_narrowed(place, offset, (*sizes, *ranges))
        self._evaluator.frame = None
        return replace(_without_several(launch) if several else launch, circumstances=circumstances)

    def _circumstances(self, launch: KernelLaunch, written: WrittenLaunch, frame: Frame | None) -> Circumstances:
        evaluator, guards = self._evaluator, self._guards
        (place, offset), sizes, _ = written

        def ask(known: Circumstances, which: Circumstance, device: Answers | None) -> bool:
            match which:
                case Circumstance.DEVICE_CHECKED:
                    asked_of = sizes if _may_break_a_limit(launch.work_group_size) else ()
                    if known.hold(Circumstance.ELSEWHERE) or self._any_guards.chosen(place, offset, asked_of):
                        return True
                    if guards.device_checked(place, offset, varies=bool(asked_of), device=device):
                        return True
                    return guards.is_asked_about(place, offset, _sizes(launch))
                case Circumstance.MEMORY_CHECKED:
                    return self._any_guards.device_checked(place, offset, varies=False, device=device)
                case Circumstance.ELSEWHERE:
                    return guards.is_elsewhere(place, offset)
                case Circumstance.SELECTED:
                    return guards.selected(place, offset, _sizes(launch))
                case Circumstance.MAY_BE_DISCARDED:
                    return guards.may_be_discarded(place, offset)
                case Circumstance.WIDE_IDS:
                    option = evaluator.facts.choices.get(WIDE_IDS)
                    return option is not None and not option.undefined
                case Circumstance.EXPLICIT_SIMD:
                    return evaluator.facts.spells(b"esimd") or evaluator.facts.spells(b"sycl_explicit_simd")

        def aside(question: Callable[[], bool]) -> bool:
            before = evaluator.frame, evaluator.free, evaluator.work
            evaluator.frame, evaluator.free, evaluator.work = frame, {}, 0
            answer = question()
            evaluator.frame, evaluator.free, evaluator.work = before
            return answer

        on_each_device: list[bool] = []
        """Whether the launch is kept out, once that was seen to rest on nothing that devices answer."""

        def keep_out(device: Answers) -> bool:
            asked: list[str] = []

            def noted(parameter: Parameter) -> int | None:
                asked.append(parameter.asked)
                return device(parameter)

            if on_each_device:
                return on_each_device[0]
            answer = aside(lambda: self._any_guards.keeps_out(place, offset, noted))
            if not any(asked):
                on_each_device.append(answer)
            return answer

        return Circumstances(lambda known, which, device: aside(lambda: ask(known, which, device)), keep_out)


def _may_break_a_limit(size: Value | None) -> bool:
    """Whether something is known of a size that is not one number, so that a limit may be held against it."""
    if isinstance(size, Symbolic):
        return size.minimum is not None or size.maximum is not None
    return isinstance(size, OneOf)


def _has_several(launch: KernelLaunch) -> bool:
    ranges = [each for each in (launch.global_range, launch.local_range) if each is not None]
    return any(isinstance(extent, OneOf) for each in ranges for extent in each.extents)


def _without_several(launch: KernelLaunch) -> KernelLaunch:
    """``launch`` with sets of numbers made unknown, as not all of them need to reach the launch."""
    size = launch.work_group_size
    return replace(
        launch,
        global_range=_narrowed_range(launch.global_range),
        local_range=_narrowed_range(launch.local_range),
        work_group_size=_narrowed(size) if size is not None else None,
    )


def _narrowed_range(of: Range | None) -> Range | None:
    if of is None or not any(isinstance(each, OneOf) for each in of.extents):
        return of
    return replace(of, extents=tuple(_narrowed(each) for each in of.extents), ways=())


def _narrowed(value: Value) -> Value:
    return (
        Unknown("one of several numbers, of which a condition lets some through") if isinstance(value, OneOf) else value
    )


def _sizes(launch: KernelLaunch) -> frozenset[int]:
    """The numbers of a launch that devices set limits to: not the extent of a dimension that it does not use."""
    ranges = [of for of in (launch.local_range, launch.required_work_group) if of is not None]
    extents = [each for of in ranges for each in of.extents if known(each) != 1]
    if launch.work_group_size is not None:
        extents.append(launch.work_group_size)
    if launch.sub_group_size is not None:
        extents.append(launch.sub_group_size.value)
    return frozenset(number for each in extents if (number := known(each)) is not None)
