"""The analyses of a file's host code, and what they are given.

An analysis is a function from ``HostCode`` to records: frozen, hashable dataclasses with locations and values in them,
which a rule finds with ``unit.seen.of(...)``. It declares the kinds of records that it makes, is run where a rule
judges one of them, and is loaded for the first file that can show what it looks for.
"""

from collections.abc import Iterable

from sycllint.facts.file import FileFacts
from sycllint.host.code import HostCode
from sycllint.observation import Analysis, Observations, Wanted, makes, observed

__all__ = ["ANALYSES", "HostCode", "observe"]


@makes(
    "BufferInLoop",
    "Deadlock",
    "DyingMemory",
    "EarlyUse",
    "ForeignMemory",
    "FreedHostData",
    "HostAccessOfDevice",
    "HostMemoryInKernel",
    "MiscountedAllocation",
    "MiscountedCopy",
    "OutlivedHostData",
    "PlaceholderOnHost",
    "QueueInLoop",
    "StaleHostData",
    "SwappedCopy",
    "TwoHostAccessors",
    "UninitialisedReduction",
    "Unordered",
    "UsedAfterFree",
    "WrongFree",
)
def _hazards(code: HostCode) -> Iterable[object]:
    from sycllint.host.checks.hazards import hazards

    return hazards(code)


@makes("CapturedByReference", "CapturedObject")
def _captures(code: HostCode) -> Iterable[object]:
    if not code.facts.submissions and b"[&" not in code.facts.content and b"[=" not in code.facts.content:
        return ()
    from sycllint.host.checks.captures import captures

    return captures(code)


@makes("WideAccessor")
def _accessors(code: HostCode) -> Iterable[object]:
    if b"accessor" not in code.facts.content and b"get_access" not in code.facts.content:
        return ()
    from sycllint.host.checks.accessors import accessors

    return accessors(code)


@makes("DeviceMaximum")
def _device_maxima(code: HostCode) -> Iterable[object]:
    if not code.launches:
        return ()
    from sycllint.host.checks.device_maximum import device_maxima

    return device_maxima(code)


@makes("WaitingLoop")
def _waiting_loops(code: HostCode) -> Iterable[object]:
    if b"wait" not in code.facts.content or not code.launches:
        return ()
    from sycllint.host.checks.waiting import waiting_loops

    return waiting_loops(code)


ANALYSES: tuple[Analysis[HostCode], ...] = (_hazards, _captures, _accessors, _device_maxima, _waiting_loops)


def may_see(facts: FileFacts) -> bool:
    """Whether the analyses may see something in a file that launches nothing, or only what is written in it."""
    from sycllint.host.checks.hazards import may_act

    return bool(facts.submissions) or may_act(facts)


def may_show(content: bytes) -> bool:
    """Whether that may be so, by the bytes of the file; launches apart."""
    from sycllint.host.checks.hazards import may_be_written

    return may_be_written(content)


def observe(code: HostCode, wanted: Wanted) -> Observations:
    """What the analyses of records that are wanted see in one file."""
    return observed(ANALYSES, code, wanted)
