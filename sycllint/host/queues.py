"""What the declaration of a queue says: whether it is a copy of another, and in which order it runs commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sycllint.cpp.expression import Brace, Call, Expr, Lambda, Member, Name
from sycllint.cpp.statement import Variable
from sycllint.host.things import Kind, Order
from sycllint.host.written import names_in

if TYPE_CHECKING:
    from sycllint.host.scope import Scope

_DEVICE_TYPES = frozenset({"device", "context", "exception_list"})


def made_from(variable: Variable, scope: Scope) -> tuple[Expr, ...] | None:
    """What a queue is made from; ``None`` when it may be a copy."""
    arguments = variable.arguments
    only = arguments[0] if len(arguments) == 1 else None
    match only:
        case Call(function=Name() as kind, arguments=inner) | Brace(type=Name() as kind, elements=inner):
            if scope.evaluator.types.is_sycl(kind, "queue"):
                return inner
    if variable.style == "=" and only is not None:
        return None
    return arguments if all(_makes_a_queue(each, scope) for each in arguments) else None


def _makes_a_queue(argument: Expr, scope: Scope) -> bool:
    """Whether an argument is surely none that a copy is made from."""
    match argument:
        case Name():
            found = scope.thing(argument)
            return found is None or found.kind is not Kind.QUEUE
        case Call(function=Member(name="get_device" | "get_context")) | Brace() | Lambda():
            return True
        case Call(function=Name() as function):
            return "queue" not in function.last
        case _:
            return False


def order(variable: Variable, scope: Scope) -> Order:
    """In which order a queue runs its commands, as far as its declaration says."""
    arguments = made_from(variable, scope)
    if arguments is None:
        return Order.UNKNOWN
    if any("in_order" in names_in(each) for each in arguments):
        return Order.IN_ORDER
    return Order.OUT_OF_ORDER if all(_is_no_property(each, scope) for each in arguments) else Order.UNKNOWN


def _is_no_property(argument: Expr, scope: Scope) -> bool:
    """Whether an argument of a queue's constructor surely does not set its order."""
    match argument:
        case Lambda():
            return True
        case Name():
            if "selector" in argument.last:
                return True
            found = scope.thing(argument)
            return found is not None and found.type_name in _DEVICE_TYPES
        case Call(function=Member(name="get_device" | "get_context")):
            return True
        case Call(function=Name() as function, arguments=()) | Brace(type=Name() as function, elements=()):
            return "selector" in function.last or function.last in (*_DEVICE_TYPES, "enable_profiling")
        case Call(function=Name(text=text), arguments=inner) | Brace(type=Name(text=text), elements=inner):
            if text.rpartition("::")[2] == "device":
                return True
            return text.rpartition("::")[2] == "property_list" and all(_is_no_property(each, scope) for each in inner)
        case Brace(type=None, elements=inner):
            return all(_is_no_property(each, scope) for each in inner)
        case _:
            return False
