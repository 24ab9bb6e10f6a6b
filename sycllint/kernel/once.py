"""Analyses whose answer is the same for every way to reach a kernel: worked out once per function."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

from sycllint.values.memory import Memory

if TYPE_CHECKING:
    from sycllint.kernel.analyses import KernelCode

Record = TypeVar("Record")


def once_per_function(analysis: Callable[[KernelCode], Iterable[Record]]) -> Callable[[KernelCode], tuple[Record, ...]]:
    """``analysis``, which looks at the text of a kernel and not at its launch, with its answers kept."""
    answers: Memory[dict[int, tuple[Record, ...]]] = Memory(lambda _: {})

    def kept(code: KernelCode) -> tuple[Record, ...]:
        known = answers.of(code.evaluator)
        found = known.get(id(code.function))
        if found is None:
            found = known[id(code.function)] = tuple(analysis(code))
        return found

    return kept
