"""The walk through a kernel for analyses of its single launches: taken once for all that ask about one, in turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sycllint.kernel.accesses import traced
from sycllint.kernel.trace import Access, Trace, inside
from sycllint.record import singular
from sycllint.values.memory import Memory

if TYPE_CHECKING:
    from sycllint.kernel.code import KernelCode


@singular
class _Latest:
    """The launch that was walked last."""

    code: KernelCode | None = None
    trace: Trace | None = None


_latest: Memory[_Latest] = Memory(lambda _: _Latest())


def walked(code: KernelCode) -> Trace | None:
    """What a kernel does to memory in one launch; ``None`` when it does something that is not followed."""
    latest = _latest.of(code.evaluator)
    if latest.code is not code:
        latest.code, latest.trace = code, traced(code)
    return latest.trace


def accesses_of(trace: Trace) -> list[Access]:
    """All accesses, in the order of the text."""
    return [each for each in inside(trace.events) if isinstance(each, Access)]
