"""Chunks that a division leaves too small: whether what it leaves over is processed anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Binary, Conditional, Name
from sycllint.cpp.node import Node, children, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, If, Loop, Variable
from sycllint.device_code.affine.indexing import Axis, Of
from sycllint.device_code.affine.subscripts import Subscript
from sycllint.record import record
from sycllint.source.span import Location
from sycllint.values.value import Division, Parameter, Symbolic, Term, Value, known

if TYPE_CHECKING:
    from sycllint.device_code.code import KernelCode


@record
class DroppedRemainder:
    """Chunks of a quotient: what the division leaves over belongs to nobody."""

    location: Location
    chunk: str
    divisor: str
    """The number of chunks, as a number or by its name."""


def dropped_remainder(
    code: KernelCode, access: Subscript, chunk: Value, axis: Axis, location: Location
) -> DroppedRemainder | None:
    """The quotient and its divisor, when as many chunks as it divides by are processed and nothing else is."""
    if not isinstance(chunk, Symbolic) or len(chunk.terms) != 1 or chunk.terms[0].factor != 1:
        return None
    atoms = chunk.terms[0].atoms
    divided = _divided(code, atoms[0], axis, access.spot.place) if len(atoms) == 1 else None
    if divided is None:
        return None
    dividend, divisor = divided
    if any(not term.atoms for term in dividend):
        return None
    names = {each.text for term in dividend for each in term.atoms}
    for body in code.bodies:
        tested = (
            *(spot.node.condition for spot in body.of(Loop)),
            *(spot.node.condition for spot in body.of(If)),
            *(spot.node.condition for spot in body.of(Conditional)),
            *(spot.node for spot in body.of(Binary) if spot.node.operator != "/"),
        )
        if any(each is not None and names.intersection(_plain_names(each)) for each in tested):
            return None
    return None if _host_knows(access.spot.place, names) else DroppedRemainder(location, chunk.text, divisor)


def _divided(code: KernelCode, quotient: Parameter, axis: Axis, place: Place) -> tuple[tuple[Term, ...], str] | None:
    """What is divided, and by what in words, when that is the number of workers."""
    if quotient.dividend:
        return (quotient.dividend, str(quotient.divisor)) if _workers(code, axis) == quotient.divisor else None
    division = quotient.division
    match division:
        case Division(divisor=(Term(atoms=(Parameter(text=text),), factor=1),), is_rest=False):
            alike = _are_workers(code, axis, division.divisor) and not _covers_rest(place, text)
            return (division.dividend, text) if alike else None
        case _:
            return None


def _are_workers(code: KernelCode, axis: Axis, divisor: tuple[Term, ...]) -> bool:
    """Whether there are as many ids as ``divisor`` says, which is no number."""
    dimension, whole, local = axis.dimension, code.geometry.whole or (), code.geometry.local or ()
    if dimension is None or dimension >= len(whole) or axis.of not in (Of.GLOBAL, Of.GROUP):
        return False
    extent = whole[dimension]
    if not isinstance(extent, Symbolic) or len(extent.terms) != 1:
        return False
    size = known(local[dimension]) if axis.of is Of.GROUP and dimension < len(local) else 1
    return extent.terms[0].atoms == divisor[0].atoms and extent.terms[0].factor == size


def _covers_rest(place: Place, divisor: str) -> bool:
    """Whether the function around the kernel multiplies again what it divided, or there is none in sight."""
    functions = [node for node in place.chain() if isinstance(node, Function)]
    if not functions or functions[-1].body is None or functions[-1].name.startswith("operator"):
        return True
    variables = [each for each in walk(functions[-1].body) if isinstance(each, Variable)]
    quotients = {each.name for each in variables if any(map(_has_quotient, each.arguments))}
    products = (each for each in walk(functions[-1].body) if isinstance(each, Binary) and each.operator == "*")
    return any(
        divisor in {name for side in (each.left, each.right) for name in _plain_names(side)}
        and quotients & set(_plain_names(each))
        for each in products
    )


def _has_quotient(value: Node) -> bool:
    return any(isinstance(each, Binary) and each.operator == "/" for each in walk(value))


def _plain_names(expression: Node) -> Iterator[str]:
    """The names in an expression outside divisions."""
    stack: list[Node] = [expression]
    while stack:
        node = stack.pop()
        if isinstance(node, Name):
            yield node.text
        elif not (isinstance(node, Binary) and node.operator == "/"):
            stack.extend(children(node))


def _host_knows(place: Place, names: set[str]) -> bool:
    """Whether the function around the kernel asks for the remainder."""
    functions = [node for node in place.chain() if isinstance(node, Function)]
    if not functions or functions[-1].body is None:
        return True
    for node in walk(functions[-1].body):
        if isinstance(node, Binary) and node.operator == "%" and names.intersection(_plain_names(node)):
            return True
    return False


def _workers(code: KernelCode, axis: Axis) -> int | None:
    """How many ids there are."""
    dimension = axis.dimension
    whole, local = code.geometry.whole, code.geometry.local
    if dimension is None or whole is None or dimension >= len(whole):
        return None
    items = known(whole[dimension])
    size = known(local[dimension]) if local is not None and dimension < len(local) else None
    if axis.of is Of.GLOBAL:
        return items
    if axis.of is Of.LOCAL:
        return size
    return items // size if axis.of is Of.GROUP and items and size else None
