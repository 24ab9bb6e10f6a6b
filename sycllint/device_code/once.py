"""Answers that are the same for every way to reach a kernel: worked out once per function, and lambdas it is handed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from sycllint.cpp.expression import Lambda
from sycllint.cpp.statement import Function
from sycllint.device_code.bodies.reading import DeviceFunction
from sycllint.device_code.code import KernelCode
from sycllint.values.memory import Answers

Record = TypeVar("Record")
Kept = TypeVar("Kept")


def kept_per_function(question: Callable[[KernelCode], Kept]) -> Callable[[KernelCode], Kept]:
    """``question``, which looks at the text of a kernel and not at its launch, with its answers kept."""
    answers: Answers[Lambda | Function | DeviceFunction, Kept] = Answers()

    def kept(code: KernelCode) -> Kept:
        return answers.of(code.evaluator, code.instance, lambda: question(code))

    return kept


def once_per_function(analysis: Callable[[KernelCode], Iterable[Record]]) -> Callable[[KernelCode], tuple[Record, ...]]:
    """An analysis that does so, with its records kept."""
    return kept_per_function(lambda code: tuple(analysis(code)))
