"""What kernels capture that the device cannot read: references, and the object around a member function."""

import re
from collections.abc import Iterable, Iterator

from sycllint.cpp.expression import Assign, Increment, Lambda, Member, Name
from sycllint.cpp.names import LAUNCHING
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place, around
from sycllint.cpp.statement import CONST, CONSTEXPR, STATIC, Function, Macro, Struct, Variable
from sycllint.domains.vocabulary import ITEM_TYPES
from sycllint.host.checks.launched_lambdas import is_launched, is_surely_sycl
from sycllint.host.code import HostCode
from sycllint.host.records import CapturedByReference, CapturedObject
from sycllint.host.vocabulary import CONTAINERS
from sycllint.host.written import names_in
from sycllint.source.span import Location, Span
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point

_MAY_CAPTURE = re.compile(rb"\[\s*(?:=|&|[^][\n]*&\s*\w)[^][\n]*\]\s*(?:[{]|(?:mutable\b|\((?![^)]*\bhandler\b)))")
"""The head of a lambda, not of a command group, that captures by reference or may capture ``this``."""
_LAUNCHING = tuple(each.encode() for each in LAUNCHING)


def captures(code: HostCode) -> Iterable[object]:
    """The kernels of one file that are lambdas, and the lambdas that these call, by what they capture."""
    evaluator, facts = code.evaluator, code.facts
    launched = {launch.location.span.start for launch in code.launches}
    direct: set[int] = set()
    for submission in facts.submissions:
        kernel = submission.call.arguments[-1] if submission.call.arguments else None
        if isinstance(kernel, Lambda):
            direct.add(kernel.start)
            is_launch = submission.use is None and submission.start in launched and not kernel.damaged
            if is_launch and is_surely_sycl(evaluator, submission, kernel):
                yield from _of_kernel(code, kernel, Point(submission.place, submission.start))
    others = {each.start() for each in _MAY_CAPTURE.finditer(facts.content)} - direct
    for place in around(facts.unit, others) if others and any(map(evaluator.facts.spells, _LAUNCHING)) else ():
        function, outer = place.node, place.outer
        if (
            not isinstance(function, Lambda)
            or function.start not in others
            or outer is None
            or _is_inside_kernel(outer)
        ):
            continue
        point = Point(outer, function.start)
        found = list(_of_kernel(code, function, point)) if _may_capture_host(evaluator, function, point) else []
        if found and is_launched(evaluator, place):
            yield from found


def _of_kernel(code: HostCode, kernel: Lambda, point: Point) -> Iterator[object]:
    evaluator, path = code.evaluator, code.facts.path
    names = tuple(each.name for each in kernel.captures if each.by_reference)
    if kernel.default == "&" or names:
        location = Location(path, Span(kernel.start, kernel.body.start))
        plain = kernel.default == "&" and not kernel.captures and _may_be_copied(evaluator, kernel, point)
        yield CapturedByReference(names, location, fixable=plain)
    elif kernel.default == "=" and not any(each.name == "this" for each in kernel.captures):
        yield from _members(evaluator, point.place, kernel, path)


def _may_capture_host(evaluator: Evaluator, kernel: Lambda, point: Point) -> bool:
    """Whether a lambda has a variable of a function by reference for sure, or no reference but maybe ``this``."""
    if kernel.damaged or any(isinstance(each, Macro) for each in point.place.chain()):
        return False
    if kernel.default != "&":
        return True
    own = frozenset(name for each in walk(kernel) for name in _names(each))
    named = {each.text: each for each in walk(kernel.body) if isinstance(each, Name) and each.text not in own}
    return any(_is_captured(evaluator, name, point) for name in named)


def _is_captured(evaluator: Evaluator, name: str, point: Point) -> bool:
    """Whether a name is that of a variable of a function; a constant may be a number in the lambda."""
    found = evaluator.declarations.nearest(name, point)
    if found is None or not any(isinstance(each, Function | Lambda) for each in found[1].chain()):
        return False
    declared = found[0]
    if not isinstance(declared, Variable):
        return True
    is_fixed = declared.flags & (CONST | CONSTEXPR) or declared.type.constant
    return not declared.flags & STATIC and (not is_fixed or declared.type.reference)


def _is_inside_kernel(place: Place) -> bool:
    """Whether code stands in a function that is given an item."""
    functions = (each for each in place.chain() if isinstance(each, Function | Lambda))
    return any(each.type.name.last in ITEM_TYPES for function in functions for each in function.parameters)


def _may_be_copied(evaluator: Evaluator, kernel: Lambda, point: Point) -> bool:
    """Whether the kernel could as well have copies of all it names: it sets none, and none is a container."""
    if any(isinstance(each, Assign | Increment) and isinstance(_target(each), Name) for each in walk(kernel.body)):
        return False
    for name in names_in(kernel.body):
        declared = evaluator.declarations.type_of(Name(name, None, None, 0, 0), point)
        is_object = declared is not None and not declared.pointers and not declared.extents
        if (
            declared is not None
            and is_object
            and evaluator.types.kind(declared.name, point.place).name.last in CONTAINERS
        ):
            return False
    return True


def _target(node: Assign | Increment) -> Node:
    return node.left if isinstance(node, Assign) else node.operand


def _members(evaluator: Evaluator, place: Place, kernel: Lambda, path: str) -> Iterator[CapturedObject]:
    """Data members of the class around that the kernel names without having them as locals."""
    function = place.innermost(Function)
    struct = _class_around(evaluator, place)
    if function is None or struct is None:
        return
    fields = {each.name: each for each in _data(struct)}
    used = {
        each.text: each for each in reversed([*walk(kernel.body)]) if isinstance(each, Name) and each.text in fields
    }
    for each in reversed([*walk(kernel.body)]):
        if isinstance(each, Member) and isinstance(each.object, Name) and each.object.text == "this":
            used[each.name] = each.object
    if not used:
        return
    local = {name for each in walk(function) for name in _names(each)}
    for text, name in sorted(used.items(), key=lambda pair: pair[1].start):
        if text in fields and (text not in local or name.text == "this"):
            yield CapturedObject(text, struct.name, Location(path, Span(name.start, name.end)))


def _class_around(evaluator: Evaluator, place: Place) -> Struct | None:
    inside = place.innermost(Struct)
    if inside is not None:
        return inside
    found = evaluator.symbols.definition(evaluator.symbols.class_around(place))
    return found.node if found is not None else None


def _data(struct: Struct) -> Iterator[Variable]:
    """The members that every object has; constants of the class are none."""
    return (each for each in struct.variables if not each.flags & (STATIC | CONST | CONSTEXPR))


def _names(node: Node) -> Iterator[str]:
    match node:
        case Variable(name=name):
            yield name
        case Function(parameters=parameters) | Lambda(parameters=parameters):
            yield from (each.name for each in parameters)
            if isinstance(node, Lambda):
                yield from (each.name for each in node.captures)
