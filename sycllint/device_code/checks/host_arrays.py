"""Arrays in global memory that the host makes for a kernel, and how their extents may be written inside it."""

from sycllint.cpp.expression import Binary, Expr, Lambda, Name, Number
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import CONST, CONSTEXPR, FunctionParameter, Struct, Variable
from sycllint.device_code.bodies.reading import DeviceFunction
from sycllint.device_code.code import KernelCode
from sycllint.values.arithmetic import Scalar
from sycllint.values.objects import Allocation, Point, Result
from sycllint.values.value import known


def allocation(code: KernelCode, body: DeviceFunction, array: Expr, place: Place) -> Allocation | None:
    """What the host allocates for a pointer or an accessor that ``body`` names; ``None`` when that is not visible."""
    found = given_value(code, body, array, place)
    return found if type(found) is Allocation else None


def given_value(code: KernelCode, body: DeviceFunction, given: Expr, place: Place) -> Result:
    """What an expression in ``body`` stands for."""
    evaluator = code.evaluator
    evaluator.work = 0
    offset = max(getattr(given, "start", 0), getattr(place.node, "start", 0))
    return evaluator.under(body.frame(evaluator.frame), evaluator.evaluate, given, Point(place, offset))


def text_inside(code: KernelCode, expression: Expr, place: Place) -> str:
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
    for name in (each for each in walk(expression) if isinstance(each, Name)):
        if name.text in hidden or not _reaches(code, function, name, place):
            return ""
    return content[expression.start : expression.end].decode(errors="replace")


def _outside(code: KernelCode) -> Point:
    """Where the kernel's lambda captures."""
    return Point(code.place, code.function.start)


def _is_arithmetic(expression: Expr) -> bool:
    if isinstance(expression, Binary):
        return _is_arithmetic(expression.left) and _is_arithmetic(expression.right)
    return isinstance(expression, Number | Name)


def _reaches(code: KernelCode, function: Lambda, name: Name, place: Place) -> bool:
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
