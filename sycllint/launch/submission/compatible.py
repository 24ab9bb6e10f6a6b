"""Launches by SYCLcompat's ``launch<kernel>``: the function that is the kernel, its local memory, its properties.

The kernel is a template argument, alone or beside a sub-group size. A policy, an nd_range, or a grid and its blocks say
how large the launch is; bytes of local memory may follow, a queue, and the kernel's arguments. Of local memory the
kernel takes a pointer as its last parameter (headers ``syclcompat/launch.hpp``, ``launch_experimental.hpp`` and
``launch_policy.hpp`` of DPC++).
"""

from collections.abc import Iterator

from sycllint.cpp.expression import Brace, Call, Expr, Name, Type, Unary
from sycllint.cpp.statement import Function, Variable
from sycllint.facts.file import Declared
from sycllint.facts.submissions import Submission
from sycllint.launch.memory import LocalAllocation
from sycllint.launch.submission.accessors import not_counted
from sycllint.launch.submission.callable import KernelFunction
from sycllint.launch.submission.policies import Policy, is_policy, policy
from sycllint.source.span import Location, Span
from sycllint.values.arithmetic import Scalar
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import NdRangeObject, Point
from sycllint.values.value import Value

_LOCAL_POINTERS = frozenset({"local_ptr", "multi_ptr", "raw_local_ptr", "decorated_local_ptr"})


def kernel(evaluator: Evaluator, submission: Submission, point: Point) -> KernelFunction | None:
    """The function that is launched; ``None`` when it is not visible, or may be one of several."""
    for argument in submission.template_arguments:
        name = _function_name(argument)
        if name is None:
            continue
        meant = evaluator.symbols.functions(name, point.place).declared
        found = [each for each in meant if each.node.body is not None]
        if len(found) > 1:
            found = [each for each in found if _takes(evaluator, submission, each, point)]
        if len(found) == 1:
            (function,) = found
            frame = evaluator.frames.made(function.node, (), name.arguments or (), point, None, evaluator.frame)
            return KernelFunction(name.text, None, operator=function, frame=frame)
    return None


def demanded(evaluator: Evaluator, submission: Submission, point: Point) -> tuple[Expr, ...]:
    """What may hold properties of the kernel: those of a policy, and the width that is a template argument."""
    first = submission.call.arguments[:1]
    found = policy(evaluator, first[0], point) if first else None
    given = found.arguments if found is not None else ()
    templates = submission.template_arguments
    width = next((each for each in templates if _function_name(each) is None), None) if len(templates) > 1 else None
    if width is None and len(templates) == 2:
        # Both may be names: that of a number is a variable's, or a template parameter's.
        named = [each for each in templates if isinstance(evaluator.evaluate(each, point), Scalar)]
        width = named[0] if len(named) == 1 else None
    if width is None:
        return given
    return (*given, Name("sub_group_size", (width,), None, width.start, width.end))


def local_memory(
    evaluator: Evaluator, submission: Submission, kernel: KernelFunction | None, point: Point
) -> Iterator[LocalAllocation]:
    """What the launch allocates for each work-group."""
    arguments = submission.call.arguments
    if not arguments:
        return
    if is_policy(evaluator, arguments[0], point):
        yield from _of_policy(evaluator, policy(evaluator, arguments[0], point), arguments[0], point)
        return
    ranges = 1 if isinstance(evaluator.evaluate(arguments[0], point), NdRangeObject) else 2
    rest = arguments[ranges:]
    function = kernel.operator.node if kernel is not None and kernel.operator is not None else None
    if not rest or (function is not None and not _takes_memory(function)):
        return
    size = evaluator.evaluate(rest[0], point)
    takes_number = function is not None and len(function.parameters) > 1 and not function.parameters[0].type.pointers
    if function is None or takes_number or not isinstance(size, Scalar):
        if function is not None and (evaluator.static_types.of(rest[0], point) is None or takes_number):
            yield _hidden(evaluator, "an argument that may be bytes of local memory", rest[0], point)
        elif function is None and isinstance(size, Scalar):
            yield _hidden(evaluator, "the kernel, which may take local memory, was not found", rest[0], point)
        return
    yield _allocated(evaluator, rest[0], size.value, point)


def wrapped_memory(evaluator: Evaluator, submission: Submission, point: Point) -> LocalAllocation:
    """The local memory of a launch whose kernel is in a wrapper function: the wrapper allocates what it likes."""
    reason = "the kernel, which may take local memory, is in a wrapper function"
    return _hidden(evaluator, reason, submission.call.arguments[0], point)


def _function_name(argument: Expr) -> Name | None:
    match argument:
        case Name():
            return argument
        case Type(name=name, pointers=0, extents=()):
            return name
        case Unary(operator="&", operand=Name() as name):
            return name
        case _:
            return None


def _takes(evaluator: Evaluator, submission: Submission, function: Declared[Function], point: Point) -> bool:
    """Whether a kernel takes the arguments of a launch, among which may be a queue and bytes."""
    arguments = submission.call.arguments
    if not arguments:
        return False
    is_one = is_policy(evaluator, arguments[0], point)
    is_one = is_one or isinstance(evaluator.evaluate(arguments[0], point), NdRangeObject)
    given = len(arguments) - (1 if is_one else 2)
    count = len(function.node.parameters)
    return count - 1 <= given <= count + 1


def _takes_memory(function: Function) -> bool:
    """Whether the last parameter may be a pointer to local memory."""
    if not function.parameters:
        return False
    kind = function.parameters[-1].type
    return bool(kind.pointers) or kind.name.last in _LOCAL_POINTERS or kind.name.last == "auto"


def _of_policy(evaluator: Evaluator, found: Policy | None, written: Expr, point: Point) -> Iterator[LocalAllocation]:
    if found is None:
        yield _hidden(evaluator, "a launch policy that is not visible may ask for local memory", written, point)
        return
    for argument in found.arguments[1:]:
        match argument:
            case Call(function=Name() as name, arguments=given) | Brace(type=Name() as name, elements=given):
                there = found.point
            case Name():
                variable = evaluator.declarations.variable(argument.text, found.point)
                if variable is None:
                    continue
                (made, there) = variable
                name, given = _written(made)
            case _:
                continue
        if name.last == "local_mem_size" and len(given) == 1:
            yield _allocated(evaluator, given[0], evaluator.value(given[0], there), there)


def _written(variable: Variable) -> tuple[Name, tuple[Expr, ...]]:
    """The class of a variable, and what it is made from."""
    match variable.arguments:
        case (Call(function=Name() as name, arguments=given) | Brace(type=Name() as name, elements=given),):
            return name, given
        case _:
            return variable.type.name, variable.arguments


def _allocated(evaluator: Evaluator, written: Expr, size: Value, point: Point) -> LocalAllocation:
    location = Location(evaluator.facts.file_at(point.place).path, Span(written.start, written.end))
    return LocalAllocation("", "char", size, size, location, extents=(size,), is_accessor=False)


def _hidden(evaluator: Evaluator, reason: str, written: Expr, point: Point) -> LocalAllocation:
    return not_counted(evaluator, reason, "", Span(written.start, written.end), point.place)
