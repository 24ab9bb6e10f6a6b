"""What the object is that a method is called on: an ``nd_item``, a ``sub_group``, a ``buffer``."""

from sycllint.cpp.expression import Call, Capture, Expr, Member, Name, Unary
from sycllint.cpp.place import Place
from sycllint.cpp.statement import FunctionParameter, Struct, Variable
from sycllint.domains.vocabulary import SUB_GROUP_MAKERS
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point

_DEPTH = 6


def sycl_type(expression: Expr, place: Place, offset: int, evaluator: Evaluator, depth: int = _DEPTH) -> str:
    """The unqualified name of the SYCL class that ``expression`` is an object of, where that is plain to see.

    Empty for everything else. A parameter declared ``auto`` of a lambda handed to ``parallel_for`` is an ``nd_item``:
    of the things it may be, only that has a barrier.
    """
    if depth == 0:
        return ""
    match expression:
        case Call(function=Member(name=name) | Name(text=name), arguments=arguments):
            return _made_by(name.rpartition("::")[2], arguments)
        case Unary(operator="*", operand=operand):
            return sycl_type(operand, place, offset, evaluator, depth - 1)
        case Name(text=text, scope=None) if "::" not in text:
            found = _declared(text, place, offset, evaluator)
        case Member(object=Name(text="this"), name=name):
            found = _field(name, _enclosing(place))
        case Member(object=Name(text=text), name=name):
            found = _field(name, _struct_of(_declared(text, place, offset, evaluator), evaluator))
        case _:
            return ""
    if found is None:
        return ""
    node, around = found
    kind = evaluator.types.kind(node.type.name, around)
    if not kind.automatic:
        return kind.sycl
    if isinstance(node, FunctionParameter):
        return "nd_item" if _is_kernels(around) else ""
    if len(node.arguments) == 1:
        return sycl_type(node.arguments[0], around, node.start, evaluator, depth - 1)
    return ""


_Found = tuple[FunctionParameter | Variable, Place]


def _made_by(name: str, arguments: tuple[Expr, ...]) -> str:
    if name in SUB_GROUP_MAKERS:
        return "sub_group"
    if name in ("get_nd_item", "this_nd_item"):
        return "nd_item"
    return "group" if name == "get_group" and not arguments else ""


def _declared(text: str, place: Place, offset: int, evaluator: Evaluator) -> _Found | None:
    """The nearest parameter or variable of that name, outwards; at last the member of the class around."""
    found = evaluator.declarations.nearest(text, Point(place, offset))
    if found is None:
        return _field(text, _enclosing(place))
    node, around = found
    return None if isinstance(node, Capture) else (node, around)


def _enclosing(place: Place) -> Place | None:
    around: Place | None = place
    while around is not None and not isinstance(around.node, Struct):
        around = around.outer
    return around


def _struct_of(found: _Found | None, evaluator: Evaluator) -> Place | None:
    if found is None:
        return None
    struct = evaluator.types.kind(found[0].type.name, found[1]).struct
    return None if struct is None else struct.place


def _field(name: str, place: Place | None) -> _Found | None:
    if place is None or not isinstance(place.node, Struct):
        return None
    return next(((each, place) for each in place.node.variables if each.name == name), None)


def _is_kernels(place: Place) -> bool:
    """Whether the lambda at ``place`` is an argument of ``parallel_for``."""
    call = place.outer.node if place.outer is not None else None
    if not isinstance(call, Call):
        return False
    function = call.function
    name = function.name if isinstance(function, Member) else getattr(function, "last", "")
    return name == "parallel_for"
