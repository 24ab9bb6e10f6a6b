"""Functions that a kernel may run, which may read memory of the device: by their names, every doubt for the kernel."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sycllint.cpp.expression import Lambda
from sycllint.cpp.node import walk
from sycllint.cpp.statement import Function
from sycllint.domains.vocabulary import ITEM_TYPES
from sycllint.facts.called import called_in
from sycllint.facts.file import Declared, FileFacts
from sycllint.host.vocabulary import LAUNCHES, OPERATIONS
from sycllint.symbols.unit import Unit

_OPERATOR = "operator"
_MARKED = re.compile(rb"\bSYCL_EXTERNAL\b[^;{}]*\Z")
_MOST_BEFORE = 200
"""Bytes before a function's name in which its marks stand."""


class KernelCallees:
    """Answers for the functions of one unit."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._called: frozenset[str] | None = None

    def __contains__(self, declared: Declared[Function]) -> bool:
        function, facts = declared.node, self._unit.file_at(declared.place)
        if self._called is None:
            self._called = self._closure()
        return function.name.rpartition("::")[2] in self._called or _is_for_device(facts, function)

    def _closure(self) -> frozenset[str]:
        """The names that code of the device may call, and that such functions may."""
        found = set[str]()
        pending = {name for facts in self._unit.files for name in facts.once(_called_on_device)}
        while pending:
            name = pending.pop()
            found.add(name)
            for each in self._unit.functions.get(name):
                facts = self._unit.file_at(each.place)
                if each.node.body is not None and not _submits(facts, each.node):
                    pending |= called_in(facts.content, each.node.start, each.node.extent_end) - found
        return frozenset(found)


def _called_on_device(facts: FileFacts) -> frozenset[str]:
    """What the kernels of a file, and functions that only kernels can call, may call."""
    spans = {(span.start, span.end) for name in LAUNCHES for span in facts.calls.get(name, ())}
    functions = [each.node for found in facts.functions.values() for each in found if each.node.body is not None]
    for each in functions:
        if _is_for_device(facts, each):
            spans.add((each.start, each.extent_end))
        elif b"[=" in facts.content[each.start : each.extent_end]:
            spans.update(_copying(each))
    return frozenset().union(*(called_in(facts.content, *each) for each in spans))


def _copying(function: Function) -> Iterator[tuple[int, int]]:
    """The lambdas that copy what they name, as kernels do."""
    assert function.body is not None
    for each in walk(function.body):
        if isinstance(each, Lambda) and each.default == "=":
            yield each.start, each.end


def _is_for_device(facts: FileFacts, function: Function) -> bool:
    """Whether a function is given what only kernels have, is marked as one of the device, or is an operator.

    Those are called without their names.
    """
    if any(each.type.name.last in ITEM_TYPES for each in function.parameters):
        return True
    if _MARKED.search(facts.content, max(function.start - _MOST_BEFORE, 0), function.start):
        return True
    return function.name.rpartition("::")[2].startswith(_OPERATOR) and not _submits(facts, function)


def _submits(facts: FileFacts, function: Function) -> bool:
    """Whether a function has commands for a queue."""
    return any(
        function.start <= span.start < function.extent_end
        and facts.content[span.start : span.end].partition(name.encode())[0].rstrip().endswith((b".", b"->"))
        for name in OPERATIONS
        for span in facts.calls.get(name, ())
    )
