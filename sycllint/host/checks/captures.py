"""What kernels capture that the device cannot read: references, and the object around a member function."""

from collections.abc import Iterable, Iterator

from sycllint.cpp.expression import Assign, Increment, Lambda, Member, Name
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import CONST, CONSTEXPR, STATIC, Function, Struct, Variable
from sycllint.facts.submissions import Submission
from sycllint.host.code import HostCode
from sycllint.host.records import CapturedByReference, CapturedObject
from sycllint.host.vocabulary import CONTAINERS
from sycllint.host.written import names_in
from sycllint.source.span import Location, Span
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point

_ITEMS = frozenset({"nd_item", "item", "id", "group", "kernel_handler"})


def captures(code: HostCode) -> Iterable[object]:
    """The kernels of one file that are lambdas, by what they capture."""
    launched = {launch.location.span.start for launch in code.launches}
    for submission in code.facts.submissions:
        kernel = submission.call.arguments[-1] if submission.call.arguments else None
        if submission.use is None and submission.start in launched and isinstance(kernel, Lambda):
            yield from _of_kernel(code, submission, kernel)


def _of_kernel(code: HostCode, submission: Submission, kernel: Lambda) -> Iterator[object]:
    evaluator, path = code.evaluator, code.facts.path
    if kernel.damaged or not _is_surely_sycl(evaluator, submission, kernel):
        return
    names = tuple(each.name for each in kernel.captures if each.by_reference)
    if kernel.default == "&" or names:
        location = Location(path, Span(kernel.start, kernel.body.start))
        plain = kernel.default == "&" and not kernel.captures and _may_be_copied(evaluator, submission, kernel)
        yield CapturedByReference(names, location, mends=plain)
    elif kernel.default == "=" and not any(each.name == "this" for each in kernel.captures):
        yield from _members(evaluator, submission.place, kernel, path)


def _may_be_copied(evaluator: Evaluator, submission: Submission, kernel: Lambda) -> bool:
    """Whether the kernel could as well have copies of all it names: it sets none, and none is a container."""
    if any(isinstance(each, Assign | Increment) and isinstance(_target(each), Name) for each in walk(kernel.body)):
        return False
    point = Point(submission.place, submission.start)
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


def _is_surely_sycl(evaluator: Evaluator, submission: Submission, kernel: Lambda) -> bool:
    """Whether the kernel's parameter, or the receiver's declared type, is SYCL's."""
    if kernel.parameters and evaluator.types.kind(kernel.parameters[0].type.name, submission.place).sycl in _ITEMS:
        return True
    receiver = submission.receiver
    if not isinstance(receiver, Name):
        return False
    declared = evaluator.declarations.type_of(receiver, Point(submission.place, submission.start))
    return declared is not None and evaluator.types.kind(declared.name, submission.place).sycl in ("queue", "handler")


def _members(evaluator: Evaluator, place: Place, kernel: Lambda, path: str) -> Iterator[CapturedObject]:
    """Data members of the class around that the kernel names without having them as locals."""
    function = next((each for each in place.chain() if isinstance(each, Function)), None)
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
    inside = next((each for each in place.chain() if isinstance(each, Struct)), None)
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
