"""Arrays in global memory that the host makes for a kernel, and how their extents may be written inside it."""

from sycllint.cpp.expression import Binary, Brace, Call, Cast, Expr, Lambda, Member, Name, Number, SizeOf
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import CONST, CONSTEXPR, Function, FunctionParameter, Struct, Variable
from sycllint.device_code.bodies.instruction_index import Spot
from sycllint.device_code.bodies.reading import DeviceFunction
from sycllint.device_code.code import KernelCode
from sycllint.record import record
from sycllint.source.span import Location
from sycllint.values.arithmetic import Scalar
from sycllint.values.objects import Point
from sycllint.values.types import pointed
from sycllint.values.value import Value, known


@record
class Allocation:
    """Memory that the host program makes, and its elements."""

    count: Value
    location: Location
    written: Expr
    """What ``count`` is written as, at ``place``."""
    place: Place


def allocation(code: KernelCode, body: DeviceFunction, name: Name, place: Place) -> Allocation | None:
    """What the host allocates for the pointer or accessor ``name``; ``None`` when that is not visible."""
    found = code.evaluator.declarations.nearest(name.text, Point(place, name.start))
    if found is None:
        return None
    node, scope = found
    if isinstance(node, FunctionParameter) and scope.node is body.function and body.call is not None:
        argument = body.handed(node)
        if not isinstance(argument, Name) or body.caller is None:
            return None
        return allocation(code, body.caller, argument, body.call.place)
    if not isinstance(node, Variable) or any(each is body.function for each in scope.chain()):
        return None
    return _made(code, node, scope)


def _made(code: KernelCode, node: Variable, scope: Place) -> Allocation | None:
    if node.type.name.last in ("accessor", "auto") and node.arguments:
        buffer = _buffer(node.arguments)
        if buffer is None:
            return _usm(code, node, scope)
        found = code.evaluator.declarations.nearest(buffer.text, Point(scope, buffer.start))
        if found is None or not isinstance(found[0], Variable) or found[0].type.name.last != "buffer":
            return None
        return _of_buffer(code, found[0], found[1])
    return _usm(code, node, scope)


def _buffer(arguments: tuple[Expr, ...]) -> Name | None:
    """The buffer in ``accessor(buffer, handler)`` or ``buffer.get_access(handler)``."""
    match arguments[0]:
        case Name() as name if len(arguments) > 1:
            return name
        case Call(function=Member(object=Name() as name, name="get_access")):
            return name
        case _:
            return None


_CONTAINERS = frozenset({"vector", "array", "basic_string", "string", "span"})
"""Classes with ``size()`` that a buffer can be made of (SYCL 2020, "Buffer interface")."""


def _of_buffer(code: KernelCode, node: Variable, scope: Place) -> Allocation | None:
    arguments, given = node.arguments, node.type.name.arguments or ()
    is_flat = len(given) < 2 or getattr(given[1], "text", "") == "1"
    if not arguments or len(arguments) > 3 or not is_flat:
        return None
    # Behind a pointer comes the range, behind a container or a range only properties, behind a buffer where its part
    # begins, and then how long that is.
    if len(arguments) == 3 and not _is_memory(code, arguments[0], scope):
        size = arguments[2]
    else:
        size = arguments[min(len(arguments), 2) - 1]
    written = _elements_of(code, size, scope)
    count = code.reading.value(written, scope, code.evaluator.frame)
    return Allocation(count, code.reading.location(Spot(node, scope)), _bare(written), scope)


def _is_memory(code: KernelCode, given: Expr, place: Place) -> bool:
    """Whether what a buffer is made of is plainly no other buffer, of which it would be a part."""
    if not isinstance(given, Name):
        return True
    found = code.evaluator.declarations.nearest(given.text, Point(place, given.start))
    if found is None or not isinstance(found[0], Variable | FunctionParameter):
        return False
    declared = found[0].type
    return bool(declared.pointers or declared.extents) or declared.name.last not in ("auto", "buffer")


def _elements_of(code: KernelCode, size: Expr, place: Place) -> Expr:
    """``v.size()`` of a container ``v``, else ``size``."""
    found = code.evaluator.declarations.nearest(size.text, Point(place, size.start)) if isinstance(size, Name) else None
    if found is None or not isinstance(found[0], Variable | FunctionParameter) or found[0].type.pointers:
        return size
    if found[0].type.name.last not in _CONTAINERS or not isinstance(size, Name):
        return size
    return Call(Member(size, "size", None, size.start, size.end), (), size.start, size.end)


def _bare(size: Expr) -> Expr:
    """``n`` of ``sycl::range<1>(n)``."""
    match size:
        case Call(function=Name() as kind, arguments=(only,)) | Brace(type=Name() as kind, elements=(only,)):
            return only if kind.last == "range" else size
        case _:
            return size


_USM = frozenset({"malloc_device", "malloc_shared", "malloc_host"})


def _usm(code: KernelCode, node: Variable, scope: Place) -> Allocation | None:
    """``T *p = sycl::malloc_device<T>(count, q);`` where nothing assigns ``p`` again, or takes its address."""
    found = _count(node)
    if found is None:
        return None
    around = scope.innermost(Function)
    if around is None or around.body is None:
        return None
    if not {node.name, f"&{node.name}"}.isdisjoint(code.reading.set_in(around)):
        return None
    value = code.reading.value(found, scope, code.evaluator.frame)
    return Allocation(value, code.reading.location(Spot(node, scope)), found, scope)


def _count(node: Variable) -> Expr | None:
    """The number of elements that a pointer is initialised with, also where the allocation is asked for their bytes."""
    written, value = node.type, node.arguments[0] if len(node.arguments) == 1 else None
    while isinstance(value, Cast):
        written, value = value.type if written.name.text == "auto" else written, value.operand
    match value:
        case Call(function=Name() as function, arguments=(count, _, *_)) if function.last in _USM:
            if function.arguments:
                return count
            if written.pointers == 1 and written.name.text not in ("auto", "void"):
                size = SizeOf("sizeof", pointed(written, 0), count.start, count.end)
                return Binary("/", count, size, count.start, count.end)
    return None


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
