"""What attributes and kernel properties demand of a launch."""

from collections.abc import Iterable
from dataclasses import dataclass

from sycllint.cpp.expression import Attribute, Brace, Call, Expr, Name
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.launch.kernel import Range, Required
from sycllint.source.span import Location, Span
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point
from sycllint.values.value import Unknown

_SUB_GROUP = frozenset({"reqd_sub_group_size", "intel_reqd_sub_group_size"})
_PREFIXES = ("sycl::", "intel::", "cl::", "INTEL::")


@dataclass(frozen=True, slots=True)
class Demands:
    """Each is ``None`` when nothing demands it."""

    sub_group_size: Required | None = None
    work_group: Range | None = None
    registers: Required | None = None


def demands(
    evaluator: Evaluator, attributes: Iterable[Attribute], properties: Iterable[Expr], place: Place, offset: int
) -> Demands:
    """Read ``attributes`` of the kernel and ``properties`` handed to the launch, both seen from ``place``."""
    point = Point(place, offset)
    facts = evaluator.facts.file_at(place)
    path, unsettled = facts.path, facts.unsettled
    sub_group: Required | None = None
    work_group: Range | None = None
    registers: Required | None = None
    for attribute in attributes:
        name = attribute.name
        for prefix in _PREFIXES:
            name = name.removeprefix(prefix)
        where = Location(path, Span(attribute.start, attribute.end))
        if any(span.start <= attribute.start < span.end for span, _ in unsettled):
            # Of the conditional around it one branch was chosen only to read the file.
            hangs = Unknown("an attribute that hangs on a preprocessor conditional", where)
            sub_group = Required(hangs, where) if name in _SUB_GROUP else sub_group
            continue
        if name in _SUB_GROUP and len(attribute.arguments) == 1:
            sub_group = Required(evaluator.value(attribute.arguments[0], point), where)
        elif name == "reqd_work_group_size" and attribute.arguments:
            work_group = Range(tuple(evaluator.value(each, point) for each in attribute.arguments), where)
    for expression in properties:
        for node in walk(expression):
            made = _property(evaluator, node, point, path)
            match made:
                case ("sub_group_size", Required() as value):
                    sub_group = value
                case ("grf_size", Required() as value):
                    registers = value
                case ("work_group_size", Range() as extents):
                    work_group = extents
    return Demands(sub_group, work_group, registers)


def _property(evaluator: Evaluator, node: Node, point: Point, path: str) -> tuple[str, Required | Range] | None:
    """A compile-time property such as ``sub_group_size<16>``."""
    match node:
        case Name(arguments=arguments) if arguments:
            last = node.last
        case _:
            return None
    where = Location(path, Span(node.start, node.end))
    if last in ("sub_group_size", "grf_size") and len(arguments) == 1:
        return last, Required(evaluator.value(arguments[0], point), where)
    if last == "work_group_size":
        return last, Range(tuple(evaluator.value(each, point) for each in arguments), where)
    return None


def is_property_list(expression: Expr) -> bool:
    """Whether an argument of a launch is spelled as a list of properties."""
    match expression:
        case Brace(type=Name() as kind):
            return kind.last == "properties"
        case Call(function=Name() as function):
            return function.last == "properties"
        case _:
            return False
