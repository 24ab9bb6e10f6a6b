"""Numbers of the host as they may be written inside a kernel: constants, and variables that its lambda captures."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Binary, Expr, Lambda, Name, Number
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import CONST, CONSTEXPR, FunctionParameter, Struct, Variable
from sycllint.values.arithmetic import Scalar
from sycllint.values.objects import Point
from sycllint.values.value import known

if TYPE_CHECKING:
    from sycllint.device_code.code import KernelCode


def text_inside(code: "KernelCode", expression: Expr, place: Place) -> str:
    """``expression``, which stands at ``place``, as it may be written in the kernel; empty where that is not sure."""
    function, evaluator = code.function, code.evaluator
    content = evaluator.facts.content_at(place)
    if content is None or not isinstance(function, Lambda) or not _is_arithmetic(expression):
        return ""
    there, here = (evaluator.evaluate(expression, each) for each in (Point(place, expression.start), _outside(code)))
    if not isinstance(there, Scalar) or not isinstance(here, Scalar) or known(there.value) is None:
        return ""
    if known(there.value) != known(here.value):
        return ""
    hidden = {each.name for each in walk(function) if isinstance(each, Variable | FunctionParameter)}
    for name in _names(expression):
        if name.text in hidden or not _reaches(code, function, name, place):
            return ""
    return content[expression.start : expression.end].decode(errors="replace")


def _outside(code: "KernelCode") -> Point:
    """Where the kernel's lambda captures."""
    return Point(code.place, code.function.start)


def _is_arithmetic(expression: Expr) -> bool:
    if isinstance(expression, Binary):
        return _is_arithmetic(expression.left) and _is_arithmetic(expression.right)
    return isinstance(expression, Number | Name)


def _names(expression: Expr) -> Iterator[Name]:
    return (each for each in walk(expression) if isinstance(each, Name))


def _reaches(code: "KernelCode", function: Lambda, name: Name, place: Place) -> bool:
    """Whether ``name`` stands for the same number in the kernel as it does at ``place``."""
    declarations, facts = code.evaluator.declarations, code.evaluator.facts
    there = declarations.nearest(name.text, Point(place, name.start))
    here = declarations.nearest(name.text, _outside(code))
    if there is not None and here is not None:
        declared = there[0]
        return (
            declared is here[0] and isinstance(declared, Variable | FunctionParameter) and _is_taken(function, declared)
        )
    if there is not None or here is not None:
        return False
    if name.text in facts.macros:
        return True
    outside = facts.variables.get(name.last)
    if len(outside) != 1 or any(isinstance(each, Struct) for each in outside[0].place.chain()):
        return False
    return bool(outside[0].node.flags & (CONST | CONSTEXPR))


def _is_taken(function: Lambda, declared: Variable | FunctionParameter) -> bool:
    """Whether the lambda captures a variable by value, or need not: a constant."""
    if isinstance(declared, Variable) and declared.flags & CONSTEXPR:
        return True
    if isinstance(declared, Variable) and declared.style == "[":
        # C++17 captures no structured bindings.
        return False
    return function.default == "=" and not declared.type.reference and not declared.type.pointers
