"""Local memory of a command group: the local accessors made beside the launch."""

from dataclasses import replace

from sycllint.cpp.expression import Brace, Call, Expr, Lambda, Name, Type
from sycllint.cpp.node import children
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Arm, Block, Damaged, Declaration, Function, Macro, Statement, Variable
from sycllint.launch.memory import LocalAllocation
from sycllint.source.span import Location, Span
from sycllint.values.arithmetic import ULONG, Scalar, binary, join
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import ListObject, Point, RangeObject
from sycllint.values.types import TypeKind
from sycllint.values.value import Known, Unknown, Value


def local_accessors(evaluator: Evaluator, place: Place) -> list[LocalAllocation]:
    """The local accessors declared in the command group around the launch at ``place``.

    A command group is the nearest lambda or function around the launch that takes a handler; a launch straight on a
    queue has none.
    """
    group = _command_group(evaluator, place)
    if group is None:
        lost = next((node for node in place.chain() if isinstance(node, Damaged)), None)
        return [] if lost is None else [_unseen(evaluator, lost, place)]
    found: list[LocalAllocation] = []
    declarations, damaged = _declarations(group)
    for declaration, around in declarations:
        compiled = evaluator.macros.compiled(around)
        if compiled is False:
            continue
        for variable in declaration.variables:
            allocation = _allocation(evaluator, variable, around)
            if allocation is not None:
                sure = compiled and not evaluator.lookup.is_unsettled(variable.name, around)
                found.append(allocation if sure else _perhaps(allocation))
    if damaged is not None:
        found.append(_unseen(evaluator, damaged, group))
    return found


def _unseen(evaluator: Evaluator, damaged: Damaged, place: Place) -> LocalAllocation:
    """What text that does not parse may allocate."""
    location = Location(evaluator.facts.file_at(place).path, Span(damaged.start, damaged.end))
    unknown = Unknown("the command group does not parse here", location)
    return LocalAllocation("", "", unknown, unknown, location)


def _perhaps(allocation: LocalAllocation) -> LocalAllocation:
    """An accessor inside a preprocessor conditional that cannot be decided: it is there, or it is not."""
    return replace(allocation, bytes=join([Known(0), allocation.bytes]))


def _command_group(evaluator: Evaluator, place: Place) -> Place | None:
    current: Place | None = place
    while current is not None:
        node = current.node
        if isinstance(node, Lambda | Function):
            for parameter in node.parameters:
                kind = evaluator.types.kind(parameter.type.name)
                if kind.sycl == "handler" or (kind.automatic and isinstance(node, Lambda)):
                    return Place(node.body, current) if node.body is not None else None
        if isinstance(node, Function):
            return None
        current = current.outer
    return None


def _declarations(place: Place) -> tuple[list[tuple[Declaration, Place]], Damaged | None]:
    """Declarations of the block at ``place`` and of the blocks in it, but not of lambdas: those are kernels.

    The second part is a piece of it that does not parse, which may hold a declaration that is not seen.
    """
    damaged: Damaged | None = None
    found: list[tuple[Declaration, Place]] = []
    stack: list[Place] = [place]
    while stack:
        current = stack.pop()
        node = current.node
        statements: tuple[Statement, ...] = node.statements if isinstance(node, Block) else ()
        for statement in statements:
            inner = Place(statement, current)
            if isinstance(statement, Damaged):
                damaged = statement
            if isinstance(statement, Declaration):
                found.append((statement, current))
            elif not isinstance(statement, Function | Macro):
                for child in children(statement):
                    if isinstance(child, Block):
                        stack.append(Place(child, inner))
                    elif isinstance(child, Arm):
                        stack.append(Place(child.body, Place(child, inner)))
    return found, damaged


def _allocation(evaluator: Evaluator, variable: Variable, place: Place) -> LocalAllocation | None:
    kind = evaluator.types.kind(variable.type.name)
    made = variable.type.name
    arguments = variable.arguments
    if kind.automatic and len(arguments) == 1:
        # auto tile = sycl::local_accessor<float, 1>(range, handler);
        inner = _construction(arguments[0])
        if inner is None:
            return None
        made, arguments = inner
        kind = evaluator.types.kind(made)
    elif variable.style == "=" and len(arguments) == 1:
        inner = _construction(arguments[0])
        if inner is not None:
            arguments = inner[1]
    if not _is_local(evaluator, kind):
        return None
    point = Point(place, variable.start)
    template = kind.name.arguments or ()
    location = Location(evaluator.facts.file_at(place).path, Span(variable.start, variable.end))
    element = template[0] if template else None
    if not isinstance(element, Name | Type):
        unknown = evaluator.unknown("the element type of a local accessor", variable)
        return LocalAllocation(variable.name, "", unknown, unknown, location)
    full = element if isinstance(element, Type) else Type(element, 0, False, False, (), element.start, element.end)
    dims = _dimensions(evaluator, template, point)
    count = _count(evaluator, arguments, dims, point, variable)
    size = evaluator.sizes.of_type(full, point)
    product = binary("*", Scalar(size, ULONG), Scalar(count, ULONG))
    total = product.value if isinstance(product, Scalar) else Unknown("not a number")
    return LocalAllocation(variable.name, _spelling(full), count, total, location)


def _construction(expression: Expr) -> tuple[Name, tuple[Expr, ...]] | None:
    match expression:
        case Call(function=Name() as made, arguments=arguments) | Brace(type=Name() as made, elements=arguments):
            return made, arguments
        case _:
            return None


def _is_local(evaluator: Evaluator, kind: TypeKind) -> bool:
    if kind.sycl == "local_accessor":
        return True
    if kind.sycl != "accessor" and kind.name.last != "accessor":
        return False
    return any(
        isinstance(argument, Name) and argument.text.endswith(("target::local",))
        for argument in kind.name.arguments or ()
    )


def _dimensions(evaluator: Evaluator, template: tuple[Expr, ...], point: Point) -> int | None:
    if len(template) < 2:
        return 1
    value = evaluator.value(template[1], point)
    return value.value if isinstance(value, Known) else None


def _count(evaluator: Evaluator, arguments: tuple[Expr, ...], dims: int | None, point: Point, node: Variable) -> Value:
    """Number of elements, from the accessor's constructor arguments."""
    if dims == 0:
        return Known(1)
    if not arguments:
        return evaluator.unknown("a local accessor without a range", node)
    result = evaluator.evaluate(arguments[0], point)
    if isinstance(result, ListObject):
        result = evaluator.as_range(arguments[0], point, None)
    if isinstance(result, RangeObject):
        product: Value = Known(1)
        for extent in result.extents:
            step = binary("*", Scalar(product, ULONG), Scalar(extent, ULONG))
            product = step.value if isinstance(step, Scalar) else Unknown("not a number")
        return product
    return evaluator.size(result)


def _spelling(kind: Type) -> str:
    text = kind.name.text
    if kind.name.arguments:
        text += "<…>"
    text += "*" * kind.pointers
    for extent in kind.extents:
        text += f"[{getattr(extent, 'text', '…')}]"
    return text
