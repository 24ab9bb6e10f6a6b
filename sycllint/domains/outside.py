"""What a kernel was given: names from outside a function, as numbers and as memory."""

from __future__ import annotations

from sycllint.cpp.expression import Name, Number, Type
from sycllint.cpp.place import Place
from sycllint.domains.activation import UniformityRun
from sycllint.domains.levels import UNKNOWN, Content, Level, Memory
from sycllint.domains.meaning import declared_type
from sycllint.domains.rounding import given_by
from sycllint.symbols.templates import template_parameter
from sycllint.values.arithmetic import Scalar
from sycllint.values.objects import Point
from sycllint.values.value import Symbolic, Unknown

_CONSTANTS = frozenset({"true", "false", "nullptr", "NULL"})


def from_outside(run: UniformityRun, node: Name, around: Place, scope: object) -> Content:
    """An argument, a capture, a constant; the same throughout ``scope``."""
    key = (node.text, scope)
    found = run.outer.get(key)
    if found is None:
        found = run.outer[key] = _given(run, node, Point(around, node.start))
    return found


def _given(run: UniformityRun, node: Name, point: Point) -> Content:
    declared = declared_type(run.evaluator, node, point)
    # A pointer has no number: what it points to is identified by its name.
    is_number = declared is None or not declared.pointers
    result = run.evaluator.evaluate(node, point) if is_number else None
    number = result if isinstance(result, Scalar) and not isinstance(result.value, Unknown) else None
    if declared is None and node.last in run.facts.enumerators:
        return Content(Level.GRID, number)
    is_seen = is_visible(node, point, declared)
    if not is_seen and number is not None and isinstance(number.value, Symbolic) and number.value.text == node.text:
        number = None  # but for its name nothing is known of it
    level = Level.GRID if number is not None or is_seen else Level.UNKNOWN
    memory = _memory(run, node, declared)
    through = memory is not None and memory.is_local and _has_no_dimensions(run, node, point)
    if level is Level.UNKNOWN and memory is None:
        return UNKNOWN
    return Content(level, number, memory, through, made=given_by(number))


def is_visible(node: Name, point: Point, declared: Type | None) -> bool:
    """Whether it is known what a name from outside the kernel is, if not which number.

    A constant or a macro that is not visible may be any number: a guard by it may let every work-item pass.
    """
    if node.text in _CONSTANTS or declared is not None:
        return True
    return template_parameter(node.text, point.place) is not None


def _memory(run: UniformityRun, node: Name, declared: Type | None) -> Memory | None:
    """The memory behind a name from outside the kernel: none behind numbers."""
    if declared is None:
        return None if node.text in _CONSTANTS else Memory(node.text, False)
    kind = run.evaluator.types.kind(declared.name)
    if kind.is_number and not declared.pointers and not declared.extents:
        return None
    arguments = kind.name.arguments or ()
    is_target = len(arguments) > 3 and isinstance(arguments[3], Name) and arguments[3].last == "local"
    return Memory(node.text, kind.name.last == "local_accessor" or is_target)


def _has_no_dimensions(run: UniformityRun, node: Name, point: Point) -> bool:
    """Whether an accessor stands for its only element."""
    declared = run.evaluator.declarations.type_of(node, point)
    arguments = run.evaluator.types.kind(declared.name).name.arguments if declared is not None else None
    return bool(arguments and len(arguments) > 1 and isinstance(arguments[1], Number) and arguments[1].text == "0")
