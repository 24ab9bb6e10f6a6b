"""The properties handed to a launch, in place or by a name."""

from collections.abc import Iterator

from sycllint.cpp.expression import Expr, Name
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Block, Declaration, Variable, Variants
from sycllint.launch.submission.attributes import PROPERTY_LISTS, Property, is_property_list
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point


def properties(evaluator: Evaluator, arguments: tuple[Expr, ...], point: Point) -> Iterator[Property]:
    """``parallel_for(range, properties{…}, kernel)``, and ``properties p{…}; parallel_for(range, p, kernel)``."""
    for argument in arguments:
        if is_property_list(argument):
            yield Property(argument, point, evaluator.frame)
        elif isinstance(argument, Name):
            yield from _named(evaluator, argument, point)


def _named(evaluator: Evaluator, name: Name, point: Point) -> Iterator[Property]:
    place: Place | None = point.place
    while place is not None:
        for variable, sure in _declared(evaluator, name.text, place, point.offset):
            if variable.type.name.last in PROPERTY_LISTS or any(is_property_list(each) for each in variable.arguments):
                yield from (Property(each, point, evaluator.frame, sure) for each in variable.arguments)
            if sure:
                return
        place = place.outer


def _declared(evaluator: Evaluator, name: str, place: Place, offset: int) -> Iterator[tuple[Variable, bool]]:
    """The variables called ``name`` of the block at ``place``, and whether each is surely compiled."""
    for statement in place.node.statements if isinstance(place.node, Block) else ():
        if isinstance(statement, Declaration):
            for variable in statement.variables:
                if variable.name == name and statement.start < offset:
                    yield variable, bool(evaluator.macros.compiled(place))
        elif isinstance(statement, Variants):
            inner = Place(statement, place)
            for arm in statement.arms:
                if evaluator.macros.arm(arm, inner) is not False:
                    yield from _declared(evaluator, name, Place(arm.body, Place(arm, inner)), offset)
