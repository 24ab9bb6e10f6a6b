"""Analyses whose answer is the same for every way to reach a kernel: worked out once per function."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

from sycllint.cpp.node import Node
from sycllint.values.memory import Answers

if TYPE_CHECKING:
    from sycllint.device_code.code import KernelCode

Record = TypeVar("Record")


def once_per_function(analysis: Callable[[KernelCode], Iterable[Record]]) -> Callable[[KernelCode], tuple[Record, ...]]:
    """``analysis``, which looks at the text of a kernel and not at its launch, with its answers kept."""
    answers: Answers[Node, tuple[Record, ...]] = Answers()

    def kept(code: KernelCode) -> tuple[Record, ...]:
        return answers.of(code.evaluator, code.function, lambda: tuple(analysis(code)))

    return kept
