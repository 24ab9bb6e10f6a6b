"""Which calls by the name of a launch are launches of SYCL kernels."""

from collections.abc import Callable

from sycllint.cpp.expression import Brace, Call, Expr, Index, Lambda, Member, Name, Type, Unary
from sycllint.cpp.names import LAUNCHING_FREELY, MEMBERS
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, Struct
from sycllint.facts.submissions import Submission
from sycllint.launch.submission.callable import KernelFunction
from sycllint.symbols.unit import sycl_names
from sycllint.values.evaluate import Evaluator
from sycllint.values.object_model.dim3 import LIBRARIES, outermost
from sycllint.values.objects import NdRangeObject, Point, RangeObject
from sycllint.values.types import qualifier_is_sycl, unaliased

_QUEUE_TYPES = frozenset({"queue", "handler", "group"})
_KERNEL_PARAMETERS = frozenset({"nd_item", "item", "id", "group", "h_item", "kernel_handler"})
_REDUCTIONS = frozenset({"reduction", "Reduction", "make_reduction", "properties"})
_QUEUE_NAMES = frozenset({"q", "h", "cgh", "hdl", "handler", "s", "stream"})
_QUEUE_PARTS = ("queue", "cgh", "handler", "stream")


COMPATIBLE = "launch"
"""The method of a launch by SYCLcompat's ``launch<kernel>(…)``."""
WRAPPED = "kernel_launcher::launch"
"""The method of a launch by a library's ``kernel_launcher::launch(wrapper, grid, blocks, …)``."""
GROUPED = "launch_grouped"
"""The method of a launch that is given the global and the local range one after the other."""
_KHRONOS = {
    "launch": "parallel_for",
    "launch_reduce": "parallel_for",
    "launch_grouped": GROUPED,
    "launch_grouped_reduce": GROUPED,
    "launch_task": "single_task",
}
"""What the functions of sycl_khr_free_function_commands do, in the words of SYCL 2020."""


def free_launch(evaluator: Evaluator, submission: Submission) -> str | None:
    """How a free function launches: the name of the method that does the same; ``None`` when it is none of SYCL's.

    ``syclex::nd_launch(q, range, kernel)`` and its kin, ``syclcompat::launch<kernel>(grid, blocks, …)``;
    ``tbb::parallel_for`` is none of ours.
    """
    function = submission.call.function
    if not isinstance(function, Name):
        return None
    if submission.method == "nd_launch":
        is_meant = len(submission.call.arguments) >= 3 and not evaluator.facts.functions.get("nd_launch")
        return submission.method if is_meant else None
    namespaces = evaluator.facts.namespaces
    is_sycl = bool(function.qualifier) and qualifier_is_sycl(function.qualifier, namespaces)
    is_sycl = is_sycl or _is_made_visible(evaluator, submission, function)
    if submission.method == COMPATIBLE and _is_wrapped(evaluator, submission, function):
        return WRAPPED
    if submission.method not in LAUNCHING_FREELY:
        return submission.method if is_sycl else None
    if is_sycl:
        is_khronos = "khr" in unaliased(function.qualifier, namespaces).split("::")
        return _KHRONOS[submission.method] if is_khronos else None
    return COMPATIBLE if submission.method == COMPATIBLE and _is_compatible(evaluator, submission, function) else None


def _is_made_visible(evaluator: Evaluator, submission: Submission, function: Name) -> bool:
    """Whether ``parallel_for(q, …)`` is the one of sycl_ext_oneapi_enqueue_functions, by a using directive."""
    arguments = submission.call.arguments
    if function.qualifier or submission.method not in MEMBERS or not arguments:
        return False
    if "" not in evaluator.facts.once(sycl_names):
        return False
    queue, point = arguments[0], Point(submission.place, submission.start)
    declared = evaluator.declarations.type_of(queue, point) if isinstance(queue, Name) else None
    return (
        declared is not None
        and evaluator.types.kind(declared.name, submission.place).sycl in ("queue", "handler")
        and not evaluator.symbols.functions(function, submission.place).declared
    )


def _is_compatible(evaluator: Evaluator, submission: Submission, function: Name) -> bool:
    """Whether ``function`` is SYCLcompat's, which is not visible: a project's own of its name is followed."""
    if not submission.template_arguments or not submission.call.arguments:
        return False
    facts, qualifier = evaluator.facts, function.qualifier
    spaces = [unaliased(qualifier, facts.namespaces)] if qualifier else facts.using
    if not any(outermost(each) in LIBRARIES for each in spaces):
        return False
    found = evaluator.symbols.functions(function, submission.place)
    return not (found.sure and any(each.node.body is not None for each in found.declared))


def _is_wrapped(evaluator: Evaluator, submission: Submission, function: Name) -> bool:
    """Whether ``function`` is a library's ``kernel_launcher::launch``, whose class may be visible.

    It sets what the wrapper function reads as its nd_range, so there is no way to follow it. Every overload has a
    function, a grid, its blocks, and at least two arguments more (headers ``dpct/kernel.hpp`` and
    ``syclcompat/kernel.hpp``).
    """
    scope, _, last = unaliased(function.qualifier.removeprefix("::"), evaluator.facts.namespaces).rpartition("::")
    if last != "kernel_launcher" or len(submission.call.arguments) < 5:
        return False
    if scope:
        return outermost(scope) in LIBRARIES
    return any(outermost(each) in LIBRARIES for each in evaluator.facts.using)


def is_launcher(
    evaluator: Evaluator,
    submission: Submission,
    kernel: Callable[[], KernelFunction | None],
    point: Point,
) -> bool:
    """Whether the receiver is a queue or a handler, or everything else about the call says so.

    A declared type outweighs a name: only where no type is visible is a receiver that is called ``queue`` one.
    """
    receiver, arguments = submission.receiver, submission.call.arguments
    declared = evaluator.declarations.type_of(receiver, point) if isinstance(receiver, Name) else None
    if declared is not None and _is_queue(evaluator, declared.name, point.place):
        return True
    if _is_own(evaluator, submission):
        return False
    function = kernel()
    item = function.item if function is not None else None
    if item is not None and evaluator.types.kind(item.name).sycl in _KERNEL_PARAMETERS:
        return True
    sized = submission.method != "single_task" and bool(arguments)
    if sized and isinstance(evaluator.evaluate(arguments[0], point), RangeObject | NdRangeObject):
        return True
    if declared is not None and not _is_open_type(evaluator, declared.name, point):
        return _is_known_queue(evaluator, receiver, point)
    if declared is not None:
        named = _is_command_group_parameter(receiver, point) or _mentions_queue(receiver)
    else:
        named = any(_is_reduction(each) for each in arguments) or _mentions_queue(receiver)
    return named or _is_known_queue(evaluator, receiver, point)


def _is_own(evaluator: Evaluator, submission: Submission) -> bool:
    """Whether the receiver is an object of a class of the project that has such a method, which is followed."""
    if not isinstance(submission.call.function, Member):
        return False
    found = evaluator.overloads.of(submission.call, submission.place)
    return found.sure and bool(found.found)


def _is_known_queue(evaluator: Evaluator, receiver: Expr | None, point: Point) -> bool:
    """Whether a C++ front end says that a receiver is a queue or a handler, whatever it is called."""
    name = evaluator.class_of(receiver, point) if receiver is not None else None
    scope, _, last = (name or "").rpartition("::")
    return last in _QUEUE_TYPES and qualifier_is_sycl(scope, evaluator.facts.namespaces)


def _is_queue(evaluator: Evaluator, name: Name, place: Place) -> bool:
    """Whether a declared type is a queue or a handler, holds one, or is a class not visible that is called so."""
    kind = evaluator.types.kind(name, place)
    if kind.sycl in _QUEUE_TYPES:
        return True
    if kind.struct is not None:
        return any(each.last in _QUEUE_TYPES for each in kind.struct.node.bases)
    for argument in kind.name.arguments or ():
        inner = argument.name if isinstance(argument, Type) else argument
        if isinstance(inner, Name) and _is_queue(evaluator, inner, place):
            return True
    return any(part in kind.name.last.lower() for part in _QUEUE_PARTS)


def _is_open_type(evaluator: Evaluator, name: Name, point: Point) -> bool:
    """Whether a declaration leaves the type to its initialiser or to a template's argument."""
    if evaluator.types.kind(name, point.place).automatic:
        return True
    return any(
        parameter.name == name.text and parameter.type is None
        for node in point.place.chain()
        if isinstance(node, Function | Lambda | Struct)
        for parameter in node.template_parameters
    )


def _is_command_group_parameter(receiver: Expr | None, point: Point) -> bool:
    """``[&](auto &h) { h.parallel_for(…) }`` handed to something called submit."""
    if not isinstance(receiver, Name):
        return False
    place: Place | None = point.place
    while place is not None:
        node = place.node
        if isinstance(node, Lambda) and any(each.name == receiver.text for each in node.parameters):
            outer = place.outer
            if outer is None or not isinstance(outer.node, Call):
                return True
            match outer.node.function:
                case Member(name=name):
                    return "submit" in name
                case Name() as function:
                    return "submit" in function.last
                case _:
                    return False
        place = place.outer
    return False


def _mentions_queue(receiver: Expr | None) -> bool:
    """Nothing is known of the receiver: a name that refers to a queue or handler is taken at its word."""
    match receiver:
        case Name():
            return _looks_like_queue(receiver.last)
        case Member(name=name) | Call(function=Member(name=name)):
            return _looks_like_queue(name)
        case Call(function=Name() as function) | Brace(type=Name() as function):
            return _looks_like_queue(function.last)
        case Index(object=inner) | Unary(operand=inner):
            return _mentions_queue(inner)
        case _:
            return False


def _looks_like_queue(name: str) -> bool:
    bare = name.lower().strip("_")
    return bare in _QUEUE_NAMES or any(part in bare for part in _QUEUE_PARTS)


def _is_reduction(expression: Expr) -> bool:
    return (
        isinstance(expression, Call)
        and isinstance(expression.function, Name)
        and expression.function.last in _REDUCTIONS
    )
