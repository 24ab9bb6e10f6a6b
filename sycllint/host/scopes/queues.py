"""What the arguments that a queue is made from say: whether it is a copy of another, and its order of commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from sycllint.cpp.expression import Brace, Call, Expr, Index, Lambda, Member, Name, Number, Type
from sycllint.cpp.statement import Variable
from sycllint.host.scopes.things import Kind, QueueOrder
from sycllint.host.scopes.walk_context import WalkContext
from sycllint.host.written import names_in
from sycllint.record import NamedTuple

_DEVICE_TYPES = frozenset({"device", "context", "exception_list"})
_LIST = "property_list"
_SELECTORS = frozenset({"cpu_selector", "gpu_selector", "accelerator_selector"})
_MAX_STEPS = 3
"""Variables that lie between a queue and the device that it is made for."""
_PARTS = frozenset({"get_device", "get_context"})


_IN_CONTEXT = 2
"""Arguments of a queue that is given its context and its device, and no more."""


TypeOf: TypeAlias = Callable[[Expr], Type | None]
"""The static type of an expression by its declarations; ``None`` when it is not known."""


class NameLookup(NamedTuple):
    """What is known of names where a queue is made."""

    type_of: TypeOf
    listed: Callable[[Name], QueueOrder]
    """The order that a variable asks for which is a list of properties."""


def known_in(scope: WalkContext, type_of: TypeOf) -> NameLookup:
    """What a walk knows."""

    def listed(name: Name) -> QueueOrder:
        found = scope.thing(name)
        return found.order if found is not None and found.type_name == _LIST else QueueOrder.UNKNOWN

    return NameLookup(type_of, listed)


def made_from(variable: Variable, scope: WalkContext, type_of: TypeOf) -> tuple[Expr, ...] | None:
    """What a queue is made from; ``None`` when it may be a copy."""
    arguments = variable.arguments
    only = arguments[0] if len(arguments) == 1 else None
    match only:
        case Call(function=Name() as kind, arguments=inner) | Brace(type=Name() as kind, elements=inner):
            if scope.evaluator.types.is_sycl(kind, "queue"):
                return inner
    if variable.style == "=" and only is not None:
        return None
    return arguments if len(arguments) != 1 or _makes_a_queue(arguments[0], scope, type_of) else None


def _makes_a_queue(argument: Expr, scope: WalkContext, type_of: TypeOf) -> bool:
    """Whether the only argument is surely none that a copy is made from."""
    match argument:
        case Name():
            found = scope.thing(argument)
            return found is None or found.kind is not Kind.QUEUE
        case Call(function=Member(name=name)) if name in _PARTS:
            return True
        case Brace() | Lambda():
            return True
        case Call(function=Name() as function):
            return "queue" not in function.last
        case _:
            return _is_device(type_of(argument))


def order(variable: Variable, scope: WalkContext, type_of: TypeOf) -> QueueOrder:
    """In which order a queue runs its commands, as far as its declaration says."""
    arguments = made_from(variable, scope, type_of)
    return QueueOrder.UNKNOWN if arguments is None else order_by(arguments, known_in(scope, type_of))


def order_of_list(variable: Variable, scope: WalkContext, type_of: TypeOf) -> QueueOrder:
    """The order that a queue has which is given a list of properties; ``UNKNOWN`` of a variable that is none."""
    arguments = variable.arguments
    match arguments:
        case (Call(function=Name() as kind, arguments=inner) | Brace(type=Name() as kind, elements=inner),):
            if kind.last == _LIST:
                return order_by(inner, known_in(scope, type_of))
    is_list = variable.type.name.last == _LIST and not variable.type.pointers
    return order_by(arguments, known_in(scope, type_of)) if is_list else QueueOrder.UNKNOWN


def device_of(arguments: tuple[Expr, ...], scope: WalkContext) -> str:
    """The device that a queue without a context of the program's is made for, where it is surely another than others.

    That is so of the kinds that selectors choose, and of devices of one list at numbers that are written.
    """
    first = arguments[0] if arguments else None
    for _ in range(_MAX_STEPS):
        match first:
            case Call(function=Name() as kind, arguments=()) | Brace(type=Name() as kind, elements=()):
                return _selected(kind)
            case Name():
                if _selected(first):
                    return _selected(first)
                found = scope.evaluator.declarations.variable(first.text, scope.point(first))
                is_device = found is not None and found[0].type.name.last in ("device", "auto")
                if found is None or not is_device or len(found[0].arguments) != 1:
                    return ""
                first = found[0].arguments[0]
            case (
                Call(function=Name(last="device"), arguments=(inner,))
                | Brace(type=Name(last="device"), elements=(inner,))
            ):
                first = inner
            case Index(object=Name(text=text), indices=(Number() as number,)):
                found = scope.evaluator.declarations.variable(text, scope.point(first))
                given = found[0].arguments if found is not None else ()
                is_list = any("get_devices" in names_in(each) or _asks_for_devices(each) for each in given)
                return f"{text}[{number.text}]" if is_list else ""
            case _:
                return ""
    return ""


def _selected(kind: Name) -> str:
    name = kind.last.removesuffix("_v")
    return name if name in _SELECTORS else ""


def _asks_for_devices(value: Expr) -> bool:
    return isinstance(value, Call) and isinstance(value.function, Member) and value.function.name == "get_devices"


def order_by(arguments: Iterable[Expr], known: NameLookup) -> QueueOrder:
    """The order that the arguments of a queue, or the properties of a list, ask for."""
    given = tuple(arguments)
    found = {_asked(each, known) for each in given}
    if len(given) == _IN_CONTEXT and _is_context(given[0], known):
        # Behind a context stands a device, or what chooses one.
        second = _asked(given[1], known)
        is_device = second is QueueOrder.UNKNOWN and isinstance(given[1], Call)
        found = {_asked(given[0], known), QueueOrder.OUT_OF_ORDER if is_device else second}
    if QueueOrder.IN_ORDER in found:
        return QueueOrder.IN_ORDER
    return QueueOrder.UNKNOWN if QueueOrder.UNKNOWN in found else QueueOrder.OUT_OF_ORDER


def _asked(argument: Expr, known: NameLookup) -> QueueOrder:
    """What one argument says: out of order where it surely is no property, or none of that."""
    if "in_order" in names_in(argument):
        return QueueOrder.IN_ORDER
    match argument:
        case Lambda():
            return QueueOrder.OUT_OF_ORDER
        case Name() if "selector" in argument.last:
            return QueueOrder.OUT_OF_ORDER
        case Call(function=Member(name=name)) if name in _PARTS:
            return QueueOrder.OUT_OF_ORDER
        case Call(function=Name() as function, arguments=()) | Brace(type=Name() as function, elements=()):
            plain = "selector" in function.last or function.last in (*_DEVICE_TYPES, "enable_profiling", _LIST)
            return QueueOrder.OUT_OF_ORDER if plain else QueueOrder.UNKNOWN
        case Call(function=Name() as function, arguments=inner) | Brace(type=Name() as function, elements=inner):
            if function.last in ("device", "context"):
                return QueueOrder.OUT_OF_ORDER
            return order_by(inner, known) if function.last == _LIST else QueueOrder.UNKNOWN
        case Brace(type=None, elements=inner):
            return order_by(inner, known)
    if _is_device(known.type_of(argument)):
        return QueueOrder.OUT_OF_ORDER
    return known.listed(argument) if isinstance(argument, Name) else QueueOrder.UNKNOWN


def _is_context(argument: Expr, known: NameLookup) -> bool:
    match argument:
        case Call(function=Member(name="get_context")):
            return True
        case Call(function=Name() as function) | Brace(type=Name() as function):
            return function.last == "context"
    kind = known.type_of(argument)
    return _is_device(kind) and kind is not None and kind.name.last == "context"


def _is_device(kind: Type | None) -> bool:
    return kind is not None and not kind.pointers and not kind.extents and kind.name.last in _DEVICE_TYPES
