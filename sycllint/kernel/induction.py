"""Variables that each iteration of a loop moves by as much: ``start + trip * step``, whatever the trip.

Work-items that are in one iteration have made as many trips. So where a counter starts at an id, it differs between
them by what it started with, and ``i - local_id < n`` holds for all of a group or for none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sycllint.cpp.expression import Expr, Name
from sycllint.cpp.node import walk as nodes_of
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Loop
from sycllint.kernel.controls import Names
from sycllint.kernel.levels import Content, Level, State, scalar_of
from sycllint.kernel.updates import calls, changes, plain_update
from sycllint.record import replace
from sycllint.values.arithmetic import LONG, Scalar
from sycllint.values.symbolic import parameter

if TYPE_CHECKING:
    from sycllint.kernel.flow import Walk


def steady(
    walk: Walk, node: Loop, apart: dict[str, Content], changed: set[str], place: Place, names: Names
) -> dict[object, Content]:
    """What variables hold in any one iteration of ``node``: of those ``apart``, with what they held before it."""
    found: dict[object, Content] = {}
    for name, content in apart.items():
        if content.number is None or f"&{name}" in changed:
            continue
        update = plain_update(changes(walk.evaluator, node), node, name)
        if update is None or update[0] not in ("+", "-") or _moves(update[1], changed):
            continue
        number = _moved(walk, node, content.number, update, place, names)
        if number is not None:
            found[names.keys.get(name)] = replace(content, number=number)
    return found


def put(state: State | None, steadies: dict[object, Content]) -> None:
    """Let the variables hold, up to the trip, what they hold in each iteration."""
    if state is not None:
        for key, content in steadies.items():
            level = max(content.level, state.contents[key].level) if key in state.contents else content.level
            state.contents[key] = replace(content, level=level)


def _moves(step: Expr, changed: set[str]) -> bool:
    return calls(step) or any(isinstance(each, Name) and each.text in changed for each in nodes_of(step))


def _moved(
    walk: Walk, node: Loop, start: Scalar, update: tuple[str, Expr], place: Place, names: Names
) -> Scalar | None:
    operator, by = update
    step = walk.operands.value(by, place, names)
    key = f"trips of {id(node)}"
    trips = Scalar(parameter(key, key, "", minimum=0), LONG)
    if step.number is not None:
        product = scalar_of(walk.evaluator.combine("*", trips, step.number, by))
    else:
        product = trips if step.level <= Level.GROUP else None
    return scalar_of(walk.evaluator.combine(operator, start, product, by)) if product is not None else None
