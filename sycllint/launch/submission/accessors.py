"""Local accessors: which types are or hold them, and how many bytes a declaration of one takes."""

from collections.abc import Iterator

from sycllint.cpp.expression import Brace, Call, Expr, Name, Type
from sycllint.cpp.place import Place
from sycllint.cpp.statement import STATIC, Block, Declaration, FunctionParameter, Struct, Variable, Variants
from sycllint.launch.memory import LocalAllocation
from sycllint.launch.submission.shape import product
from sycllint.source.span import Location, Span
from sycllint.values.arithmetic import ULONG, Scalar, binary
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import ListObject, Point, RangeObject, TypeKind
from sycllint.values.value import Known, Unknown, Value

MAX_NESTING = 3
"""How deep classes that hold classes are looked into."""
_TARGET = 3
"""Position of the target among the template arguments of ``sycl::accessor``."""


def is_local(evaluator: Evaluator, kind: TypeKind) -> bool | None:
    """Whether a type is a local accessor; ``None`` for an accessor whose target is a name not understood."""
    if kind.sycl == "local_accessor":
        return True
    if kind.sycl != "accessor" and kind.name.last != "accessor":
        return False
    arguments = kind.name.arguments or ()
    if len(arguments) <= _TARGET:
        return False
    return _is_local_target(evaluator, arguments[_TARGET])


def _is_local_target(evaluator: Evaluator, target: Expr) -> bool | None:
    if not isinstance(target, Name):
        return None
    if target.qualifier.rpartition("::")[2] == "target":
        return target.last == "local"
    found = evaluator.facts.variables.get(target.last)
    if len(found) == 1 and len(found[0].node.arguments) == 1:
        value = found[0].node.arguments[0]
        return None if isinstance(value, Name) and value.text == target.text else _is_local_target(evaluator, value)
    return None


def held(evaluator: Evaluator, name: Name, depth: int = 0) -> int:
    """How many local accessors an object of this type may hold: itself, in its members, as a template's argument."""
    kind = evaluator.types.kind(name)
    if is_local(evaluator, kind) is not False:
        return 1
    if depth >= MAX_NESTING:
        return 0
    count = 0
    for argument in kind.name.arguments or ():
        inner = argument.name if isinstance(argument, Type) else argument
        if isinstance(inner, Name):
            count += held(evaluator, inner, depth + 1)
    if kind.struct is not None:
        count += sum(held(evaluator, each.type.name, depth + 1) for each in members(kind.struct.node))
        count += sum(held(evaluator, each, depth + 1) for each in kind.struct.node.bases if each.text != name.text)
    return count


def members(struct: Struct) -> Iterator[Variable]:
    """The data members of a class, whichever branch of a conditional they stand in; not static ones."""
    stack: list[Block] = [struct.members]
    while stack:
        for statement in stack.pop().statements:
            if isinstance(statement, Declaration):
                yield from (each for each in statement.variables if not each.flags & STATIC)
            elif isinstance(statement, Variants):
                stack += [arm.body for arm in statement.arms]


def construction(expression: Expr) -> tuple[Name, tuple[Expr, ...]] | None:
    """``T(arguments)`` or ``T{arguments}``: the type, which may be a function, and the arguments."""
    match expression:
        case Call(function=Name() as made, arguments=arguments) | Brace(type=Name() as made, elements=arguments):
            return made, arguments
        case _:
            return None


def made(evaluator: Evaluator, expression: Expr, name: str, place: Place) -> LocalAllocation | None:
    """What ``local_accessor<float, 1>(range, handler)`` takes; ``None`` when the expression is none."""
    built = construction(expression)
    kind = evaluator.types.kind(built[0], place) if built is not None else None
    if built is None or kind is None or is_local(evaluator, kind) is False:
        return None
    return sized(evaluator, kind, built[1], name, Span(expression.start, expression.end), place)


def sized(
    evaluator: Evaluator, kind: TypeKind, arguments: tuple[Expr, ...], name: str, span: Span, place: Place
) -> LocalAllocation:
    """A local accessor of this type, made from ``arguments`` at ``place``."""
    point = Point(place, span.start)
    template = kind.name.arguments or ()
    element = template[0] if template else None
    if not isinstance(element, Name | Type) or is_local(evaluator, kind) is None:
        return not_counted(evaluator, "the type of a local accessor", name, span, place)
    full = element if isinstance(element, Type) else Type(element, 0, False, False, (), element.start, element.end)
    extents = _extents(evaluator, arguments, _dimensions(evaluator, template, point), point)
    count = product(extents) if len(extents) != 1 else extents[0]
    size = evaluator.sizes.of_type(full, point)
    total = binary("*", Scalar(size, ULONG), Scalar(count, ULONG))
    taken = total.value if isinstance(total, Scalar) else Unknown("not a number")
    return LocalAllocation(name, _spelling(full), count, taken, _location(evaluator, span, place), extents=extents)


def not_counted(
    evaluator: Evaluator, reason: str, name: str, span: Span, place: Place, *, is_accessor: bool = False
) -> LocalAllocation:
    """Local memory of which it is only known that it may be there; ``is_accessor`` when it surely is."""
    location = _location(evaluator, span, place)
    unknown = Unknown(reason, location)
    return LocalAllocation(name, "", unknown, unknown, location, is_accessor=is_accessor)


def declares_one(evaluator: Evaluator, variable: Variable | FunctionParameter) -> bool:
    """Whether the variable is one local accessor, or a reference to one."""
    kind = variable.type
    return is_local(evaluator, evaluator.types.kind(kind.name)) is True and not kind.pointers and not kind.extents


def _location(evaluator: Evaluator, span: Span, place: Place) -> Location:
    return Location(evaluator.facts.file_at(place).path, span)


def _dimensions(evaluator: Evaluator, template: tuple[Expr, ...], point: Point) -> int | None:
    if len(template) < 2:
        return 1
    value = evaluator.value(template[1], point)
    return value.value if isinstance(value, Known) else None


def _extents(evaluator: Evaluator, arguments: tuple[Expr, ...], dims: int | None, point: Point) -> tuple[Value, ...]:
    """Elements in each dimension, from the accessor's constructor arguments."""
    if dims == 0:
        return (Known(1),)
    if not arguments:
        return (Unknown("a local accessor without a range", evaluator.line(point.offset)),)
    result = evaluator.evaluate(arguments[0], point)
    if isinstance(result, ListObject):
        result = evaluator.as_range(arguments[0], point, None)
    return tuple(result.extents) if isinstance(result, RangeObject) else (evaluator.size(result),)


def _spelling(kind: Type) -> str:
    text = kind.name.text
    if kind.name.arguments:
        text += "<…>"
    text += "*" * kind.pointers
    for extent in kind.extents:
        text += f"[{getattr(extent, 'text', '…')}]"
    return text
