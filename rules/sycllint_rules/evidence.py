"""What a number, or a set of possible numbers, proves: the step from "is wrong" to how surely."""

from collections.abc import Callable, Iterable, Iterator

from sycllint.diagnostic import Evidence
from sycllint.launch.device_numbers import answers
from sycllint.launch.kernel import KernelLaunch
from sycllint.record import record
from sycllint.rule import Finding
from sycllint.target import Target
from sycllint.values.value import Known, OneOf, Value


@record
class Witness:
    """A number for which something is wrong, and whether it is the only thing that can happen."""

    number: Known
    evidence: Evidence


@record
class Pair:
    """Two numbers that are wrong together, and how surely."""

    first: Known
    second: Known
    evidence: Evidence


def case(value: Value, wrong: Callable[[int], bool]) -> Witness | None:
    """The smallest number ``value`` may be for which ``wrong`` holds.

    Proved when no other outcome is possible; derived when other, right numbers are possible too; ``None`` when nothing
    that is known of ``value`` is wrong.
    """
    match value:
        case Known(value=number):
            return Witness(value, Evidence.PROVED) if wrong(number) else None
        case OneOf(values=values, open=others):
            bad = [each for each in values if wrong(each.value)]
            if not bad:
                return None
            certain = len(bad) == len(values) and not others
            return Witness(bad[0], Evidence.PROVED if certain else Evidence.DERIVED)
        case _:
            return None


def pair(first: Value, second: Value, wrong: Callable[[int, int], bool]) -> Pair | None:
    """Two numbers that ``wrong`` holds for.

    When both have several possible values, the combinations that occur are not known (one may be computed from the
    other), so only a fault in every combination counts.
    """
    match first, second:
        case Known(), Known() | OneOf():
            found = case(second, lambda number: wrong(first.value, number))
            return Pair(first, found.number, found.evidence) if found else None
        case OneOf(), Known():
            found = case(first, lambda number: wrong(number, second.value))
            return Pair(found.number, second, found.evidence) if found else None
        case OneOf(), OneOf():
            always = all(wrong(a.value, b.value) for a in first.values for b in second.values)
            if first.open or second.open or not always:
                return None
            return Pair(first.values[0], second.values[0], Evidence.PROVED)
        case _:
            return None


def certainly(value: Value, wrong: Callable[[int], bool]) -> Known | None:
    """The smallest number of ``value`` when ``wrong`` holds for every number it may be."""
    found = case(value, wrong)
    return found.number if found and found.evidence is Evidence.PROVED else None


def reached(launch: KernelLaunch, target: Target, evidence: Evidence) -> Evidence:
    """The evidence for a launch over a limit of the device: code that is not visible may never choose it.

    Nor may the program after a comparison of an amount of memory that does not tell for the device, or any
    instantiation of the template around it, where an ``if constexpr`` decides.
    """
    if evidence is not Evidence.PROVED:
        return evidence
    is_open = launch.memory_checked_on(answers(target.device)) or launch.selected or launch.may_be_discarded
    return Evidence.DERIVED if is_open else evidence


def unless_checked(launch: KernelLaunch, target: Target, findings: Iterable[Finding]) -> Iterator[Finding]:
    """``findings`` on the sizes of ``launch``, unless it queries the limits of the device before.

    A query counts whose answer by the device is not known, or does not decide.

    That is computed only where there are findings, since it costs more than they do.
    """
    found = tuple(findings)
    if found and not launch.device_checked_on(answers(target.device)):
        yield from found


def unless_memory_checked(launch: KernelLaunch, target: Target, findings: Iterable[Finding]) -> Iterator[Finding]:
    """``findings`` on the local memory of ``launch``, unless it compares the amount with the device's before."""
    found = tuple(findings)
    if found and not launch.memory_checked_on(answers(target.device)):
        yield from found
