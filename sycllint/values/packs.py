"""Arguments handed on as packs: of ``f(4, std::forward<Args>(args)...)``, those that the function around was given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sycllint.cpp.expression import Call, Cast, Expr, Lambda, Name, Opaque
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, FunctionParameter
from sycllint.record import NamedTuple
from sycllint.values.frame import Frames
from sycllint.values.objects import Frame

SAME = frozenset({"as_const", "forward", "move", "to_underlying"})
"""Functions of ``std`` that give what they are given; of an enumerator, its number."""


class PackArgument(NamedTuple):
    """One argument. It stands at ``frame.point`` and is reached by ``frame.outer``."""

    expression: Expr
    frame: Frame


class Unlisted(NamedTuple):
    """It is not known which arguments there are."""

    owner: Function | Lambda | None
    """What would have to be bound to know; ``None`` where that would not do."""


def is_pack(expression: Expr) -> bool:
    """Whether it stands for any number of arguments."""
    return type(expression) is Opaque and expression.is_pack


def handed_on(expression: Expr, place: Place) -> tuple[Function | Lambda, int] | None:
    """The function or lambda around ``place`` whose pack of parameters this is, and where in its parameters it stands.

    ``None`` where each of the arguments is more than handed on.
    """
    name = _name(expression.parts[0]) if isinstance(expression, Opaque) and len(expression.parts) == 1 else None
    for node in place.chain():
        if isinstance(node, Function | Lambda):
            for index, parameter in enumerate(node.parameters):
                if parameter.name == name:
                    return (node, index) if parameter.pack else None
    return None


def _name(pattern: Expr) -> str | None:
    match pattern:
        case Name(text=text) | Cast(operand=Name(text=text)):
            return text
        case _:
            inner = forwarded(pattern)
            return inner.text if inner is not None else None


def forwarded(call: Expr) -> Name | None:
    """The variable that ``std::forward<T>(x)`` and the like hand on."""
    match call:
        case Call(function=Name() as function, arguments=(Name() as argument,)) if function.last in SAME:
            return argument
        case _:
            return None


def given(frames: Frames, frame: Frame, index: int) -> PackArgument | Unlisted | None:
    """The argument for the parameter at ``index``; ``None`` when there are fewer."""
    arguments = frame.arguments
    if not any(map(is_pack, arguments[: index + 1])):
        return PackArgument(arguments[index], frame) if index < len(arguments) else None
    found = _listed(frames, frame)
    if isinstance(found, Unlisted):
        return found
    return found[index] if index < len(found) else None


def paired(
    frames: Frames, parameters: Sequence[FunctionParameter], frame: Frame
) -> Iterator[tuple[FunctionParameter, PackArgument]]:
    """The parameters and their arguments, as far as it is known which is whose."""
    if not any(map(is_pack, frame.arguments)):
        for parameter, argument in zip(parameters, frame.arguments, strict=False):
            if parameter.pack:
                return
            yield parameter, PackArgument(argument, frame)
        return
    for index, parameter in enumerate(parameters):
        found = given(frames, frame, index)
        if parameter.pack or not isinstance(found, PackArgument):
            return
        yield parameter, found


def _listed(frames: Frames, frame: Frame) -> list[PackArgument] | Unlisted:
    found: list[PackArgument] = []
    for each in frame.arguments:
        if not is_pack(each):
            found.append(PackArgument(each, frame))
            continue
        pack = handed_on(each, frame.point.place)
        if pack is None:
            return Unlisted(None)
        owner, index = pack
        around = frames.binding(owner, frame.outer)
        inner = _listed(frames, around) if around is not None else Unlisted(owner)
        if isinstance(inner, Unlisted):
            return inner
        found += inner[index:]
    return found
