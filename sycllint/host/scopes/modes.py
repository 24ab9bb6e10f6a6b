"""What an accessor may do to its buffer: its access mode, however that is written.

A mode is a template argument or a tag (SYCL 2020, tables "access_mode" and "Access tags"), and comes by itself, by a
constant, a macro or an alias of the program. One that is not visible may be any.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import Enum

from sycllint.cpp.expression import Call, Expr, Member, Name, Type
from sycllint.cpp.node import walk
from sycllint.cpp.statement import Variable
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point

_READING = frozenset({"read", "read_only", "read_only_host_task", "read_constant"})
_WRITING = frozenset(
    {
        *("write", "read_write", "discard_write", "discard_read_write", "atomic"),
        *("write_only", "write_only_host_task", "read_write_host_task", "no_init", "noinit"),
    }
)
"""The property ``no_init`` is one of accessors that write."""
_NO_MODES = frozenset({"handler", "range", "id", "nd_range", "property_list", "buffer"})
"""Classes of what else an accessor is made from."""
_MODE = 2
"""Where the mode stands among the template arguments of an accessor."""
_WORD = re.compile(r"[A-Za-z_]\w*")
MAX_STEPS = 4
"""How many constants, macros and aliases lie between an accessor and its mode."""


class Mode(Enum):
    """What is known of an accessor's mode."""

    READS = "reads"
    WRITES = "writes"
    UNKNOWN = "unknown"


class Modes:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._facts = evaluator.facts

    def declared(self, accessor: Variable, point: Point, handler: str = "") -> Mode:
        """Of ``accessor a(buffer, handler, tag)``, ``host_accessor`` and their like; the first argument is the buffer.

        Without any mode, elements that are constant are read, and others read and written.
        """
        types = tuple(self._types(accessor.type.name))
        mode = self._first(mode for each in types for mode in self._in_type(each, point))
        mode = mode or self._first(self._of(each, point) for each in _others(accessor.arguments[1:], handler))
        if mode is not None:
            return mode
        elements = (each.arguments[0] for each in types if each.arguments)
        return Mode.READS if any(isinstance(each, Type) and each.constant for each in elements) else Mode.WRITES

    def asked(self, call: Call, point: Point, handler: str = "") -> Mode:
        """Of ``buffer.get_access<mode>(handler)`` and ``buffer.get_host_access(tag)``."""
        templates = call.function.arguments if isinstance(call.function, Name | Member) else None
        given = (*(templates or ()), *_others(call.arguments, handler))
        return self._first(self._of(each, point) for each in given) or Mode.WRITES

    def _types(self, name: Name) -> Iterator[Name]:
        """A type as it is written, and what its aliases stand for."""
        for _ in range(MAX_STEPS):
            yield name
            alias = self._evaluator.types.alias(name)
            if alias is None:
                return
            name = alias.node.type.name

    def _in_type(self, name: Name, point: Point) -> Iterator[Mode | None]:
        """The modes that template arguments may give; the first two are the element and the dimensions."""
        for position, each in enumerate(name.arguments or ()):
            if position < _MODE:
                yield _of_word(each.last) if isinstance(each, Name) else None
            else:
                yield self._of(each, point)

    @staticmethod
    def _first(modes: Iterable[Mode | None]) -> Mode | None:
        """The first known mode; ``UNKNOWN`` when there are only unknown ones, ``None`` when there is none."""
        found = [each for each in modes if each is not None]
        return next((each for each in found if each is not Mode.UNKNOWN), Mode.UNKNOWN if found else None)

    def _of(self, expression: Expr, point: Point, steps: int = 0) -> Mode | None:
        """The mode that a part of an accessor gives; ``None`` for a part that does not bear on it."""
        match expression:
            case Member():
                return Mode.UNKNOWN
            case Name(arguments=None):
                return self._of_name(expression, point, steps)
            case Call(function=Name(arguments=None)):
                return Mode.UNKNOWN if self._is_open(expression) else None
            case _:
                names = (each for each in walk(expression) if isinstance(each, Name) and each is not expression)
                return self._first(_of_word(each.last) for each in names)

    def _is_open(self, call: Call) -> bool:
        """Whether a function, which may give a tag, is called: anything but one of SYCL's classes."""
        function = call.function
        return isinstance(function, Name) and self._evaluator.types.kind(function).sycl not in _NO_MODES

    def _of_name(self, name: Name, point: Point, steps: int) -> Mode | None:
        mode = _of_word(name.last)
        if mode is not None or steps >= MAX_STEPS:
            return mode or Mode.UNKNOWN
        macros = self._facts.macros.get(name.text)
        if macros:
            return self._first(_of_word(word) for each in macros for word in _WORD.findall(each.node.text))
        if self._is_type(name):
            return None
        here = self._evaluator.declarations.variable(name.text, point) if "::" not in name.text else None
        if here is not None:
            return self._of_variable(*here, steps)
        declared = self._evaluator.declarations.type_of(name, point)
        if declared is not None:
            return None if self._is_no_mode(declared) else Mode.UNKNOWN
        found = self._facts.variables.get(name.last)
        modes = [self._of_variable(each.node, Point(each.place, each.node.start), steps) for each in found]
        return modes[0] if modes and len({*modes}) == 1 else Mode.UNKNOWN

    def _is_type(self, name: Name) -> bool:
        """Whether a template argument is the type of an element."""
        known = self._evaluator.types.kind(name)
        return known.is_number or known.struct is not None

    def _of_variable(self, variable: Variable, point: Point, steps: int) -> Mode | None:
        parts: tuple[Expr, ...] = (*variable.arguments, *(variable.type.name.arguments or ()))
        mode = self._first(self._of(each, point, steps + 1) for each in parts)
        if mode in (Mode.READS, Mode.WRITES):
            return mode
        return None if self._is_no_mode(variable.type) else Mode.UNKNOWN

    def _is_no_mode(self, written: Type) -> bool:
        known = self._evaluator.types.kind(written.name)
        return known.is_number or known.sycl in _NO_MODES or bool(written.pointers)


def _of_word(word: str) -> Mode | None:
    return Mode.READS if word in _READING else Mode.WRITES if word in _WRITING else None


def _others(arguments: Iterable[Expr], handler: str) -> Iterator[Expr]:
    """The arguments without the handler of the command group."""
    return (each for each in arguments if not (handler and isinstance(each, Name) and each.text == handler))
