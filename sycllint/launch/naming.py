"""What a compiler may call the kernel of a launch: from its name type, its function object or what is around it."""

from sycllint.cpp.expression import Expr, Name, Type
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, Namespace, Struct
from sycllint.facts.submissions import Submission
from sycllint.launch.callable import KernelFunction
from sycllint.launch.names import Argument, Naming
from sycllint.launch.recognition import COMPATIBLE, WRAPPED
from sycllint.symbols.spelling import components
from sycllint.symbols.templates import template_parameter
from sycllint.values.arithmetic import Scalar
from sycllint.values.evaluate import Evaluator
from sycllint.values.names import Written
from sycllint.values.objects import Frame, Point
from sycllint.values.types import as_type
from sycllint.values.value import known


def naming(evaluator: Evaluator, submission: Submission, kernel: KernelFunction | None, point: Point) -> Naming | None:
    """The kernel's name as the evaluator's frame reaches the launch; ``None`` where it is another in each way.

    Which ways there are to the launch is not for its name to say: what is unknown of the name is asked of no caller.
    """
    free, evaluator.free = evaluator.free, dict(evaluator.free)
    try:
        return _named(evaluator, submission, kernel, point)
    finally:
        evaluator.free = free


def _named(evaluator: Evaluator, submission: Submission, kernel: KernelFunction | None, point: Point) -> Naming | None:
    if submission.method in (COMPATIBLE, WRAPPED):
        # It is made from a class of the library's, by the library's own way.
        return None
    written = _name_type(submission)
    if written is not None:
        found = evaluator.names.type_named(written, point)
        if found.unbound or found.others or found.whole is not None:
            return None
        return _of_type(evaluator, found)
    if kernel is not None and kernel.instance is not None:
        struct, bound = kernel.instance.struct, kernel.instance.bound
        scope = struct.scope
        arguments = None
        if struct.node.template_parameters and bound is not None and bound.templates:
            arguments = tuple(_argument(evaluator, each, bound.point, bound.outer) for each in bound.templates)
        around = _function(struct.place)
        named = () if not struct.node.name else (struct.node.name,)
        return Naming(named, scope, arguments, bool(named), None if around is None else _last(around.name))
    return _local(evaluator, (), point, None)


def _name_type(submission: Submission) -> Name | None:
    for argument in submission.template_arguments:
        name = argument.name if isinstance(argument, Type) else argument
        if isinstance(name, Name) and name.text:
            return name
    return None


def _of_type(evaluator: Evaluator, found: Written) -> Naming:
    name = found.name
    qualified = (name.scope.text.split("::") if name.scope is not None else []) + name.text.split("::")
    if len(qualified) > 1 and qualified[0]:
        # A namespace by another name.
        target = evaluator.facts.namespaces.get(qualified[0])
        qualified = [*(target.split("::") if target is not None else qualified[:1]), *qualified[1:]]
    arguments = None
    if name.arguments is not None:
        arguments = tuple(_argument(evaluator, each, found.point, found.frame) for each in name.arguments)
    return _local(evaluator, tuple(qualified), found.point, arguments)


def _local(
    evaluator: Evaluator, written: tuple[str, ...], point: Point, arguments: tuple[Argument, ...] | None
) -> Naming:
    """A name that is looked up from ``point``, or may be made there."""
    function = _function(point.place)
    return Naming(
        written,
        _scope(point.place),
        arguments,
        function=None if function is None else _last(function.name),
        given=() if function is None else _given(evaluator, function, point),
        using=evaluator.facts.using,
    )


def _function(place: Place) -> Function | None:
    """The outermost function around a place."""
    return next((node for node in reversed([*place.chain()]) if isinstance(node, Function)), None)


def _scope(place: Place) -> tuple[str, ...]:
    """Names of the namespaces and classes around a place, outermost first."""
    names: list[str] = []
    for node in place.chain():
        if isinstance(node, Namespace | Struct) and node.name:
            names.append(node.name)
        elif isinstance(node, Function) and "::" in node.name:
            names.extend(reversed(node.name.split("::")[:-1]))
    return tuple(name for name in reversed(names) if name != "extern")


def _last(name: str) -> str:
    return name.rpartition("::")[2]


def _given(evaluator: Evaluator, function: Function, point: Point) -> tuple[Argument, ...]:
    """What binds the template parameters of a function in the evaluator's frame."""
    frame = evaluator.frame.of(function) if evaluator.frame is not None else None
    if frame is None or not frame.templates:
        return ()
    return tuple(_argument(evaluator, each, frame.point, frame.outer) for each in frame.templates)


def _argument(evaluator: Evaluator, written: Expr, point: Point, frame: Frame | None) -> Argument:
    way, evaluator.frame = evaluator.frame, frame
    try:
        return _evaluated(evaluator, written, point)
    finally:
        evaluator.frame = way


def _evaluated(evaluator: Evaluator, written: Expr, point: Point) -> Argument:
    """A type where it is one, else a number; a name alone may be either, and is a type where it has no value."""
    if isinstance(written, Type):
        return _typed(evaluator, written, point)
    value = evaluator.evaluate(written, point)
    number = known(value.value) if isinstance(value, Scalar) else None
    if number is not None:
        return Argument(number=number)
    kind = as_type(written)
    return _typed(evaluator, kind, point) if kind is not None else Argument()


def _typed(evaluator: Evaluator, written: Type, point: Point) -> Argument:
    found = evaluator.names.type_named(written.name, point)
    if found.unbound or found.others or found.whole is not None or written.pointers or written.extents:
        return Argument()
    name = found.name
    if name.scope is not None or template_parameter(components(name.text)[0], found.point.place) is not None:
        return Argument()
    if name.qualifier and evaluator.symbols.aliases(name, found.point.place).declared:
        return Argument()
    introduced = evaluator.symbols.unit.introduced.get(name.text)
    return Argument(type=name.text, naming=None if introduced else _of_type(evaluator, found))
