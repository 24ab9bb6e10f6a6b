"""What a local name was written from: initialisers, assignments before a place and their conditions, arguments."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from sycllint.cpp.expression import Assign, Expr, Lambda, Member, Name
from sycllint.cpp.node import children, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    Block,
    Declaration,
    Function,
    FunctionParameter,
    If,
    Loop,
    RangeLoop,
    Return,
    Statement,
    Struct,
    Switch,
    Variable,
)
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point
from sycllint.values.side_effects.lvalues import root, spelled

MAX_STEPS = 4
"""How many variables are followed."""


def written(evaluator: Evaluator, name: str, point: Point) -> Iterator[tuple[Expr, Point]]:
    """The right sides that ``name`` may have got its value from, and where each stands."""
    for statement, place in _before(evaluator, name, point):
        if isinstance(statement, Declaration):
            for variable in statement.variables:
                if variable.name == name:
                    yield from ((each, Point(place, variable.start)) for each in variable.arguments)
                    return
        elif name in evaluator.mutations.of(statement):
            for node in walk(statement):
                if isinstance(node, Assign) and target(node.left) == name:
                    yield node.right, Point(place, statement.start)
    for place in point.place.within():
        node = place.node
        if isinstance(node, RangeLoop) and node.variable.name == name and place.outer is not None:
            yield node.range, Point(place.outer, node.start)
            return
    yield from _handed(evaluator, name, point)


def written_member(evaluator: Evaluator, member: Member, point: Point) -> Iterator[tuple[Expr, Point]]:
    """The right sides that a member of a local object was assigned, as ``config.size = …``, and where each stands."""
    text, name = spelled(member), root(member)
    if text is None or name is None or name == "this":
        return
    for statement, place in _before(evaluator, name, point):
        if name in evaluator.mutations.of(statement):
            for node in walk(statement):
                if isinstance(node, Assign) and spelled(node.left) == text:
                    yield node.right, Point(place, statement.start)


def comes_from(evaluator: Evaluator, expression: Expr, names: AbstractSet[str], point: Point, steps: int = 0) -> bool:
    """Whether ``expression`` is made of one of the local ``names``, at once or by other variables."""
    for node in walk(expression):
        if not isinstance(node, Name) or "::" in node.text:
            continue
        if node.text in names:
            return True
        if steps < MAX_STEPS and any(
            comes_from(evaluator, each, names, there, steps + 1) for each, there in written(evaluator, node.text, point)
        ):
            return True
    return False


def is_followed(evaluator: Evaluator, name: str, point: Point) -> bool:
    """Whether ``written`` gives all that a variable or a bound parameter may have got its value from."""
    found = evaluator.declarations.nearest(name, point)
    if found is None:
        return False
    declared, _ = found
    if isinstance(declared, FunctionParameter):
        return any(True for _ in _handed(evaluator, name, point))
    if not isinstance(declared, Variable) or not declared.arguments or declared.type.reference or declared.style == "[":
        return False
    for statement, _ in _before(evaluator, name, point):
        changed = evaluator.mutations.of(statement)
        if f"&{name}" in changed:
            return False
        if name in changed and not any(
            isinstance(node, Assign) and target(node.left) == name for node in walk(statement)
        ):
            return False
    return True


def _handed(evaluator: Evaluator, name: str, point: Point) -> Iterator[tuple[Expr, Point]]:
    """What the call by which the function around ``point`` is reached hands to its parameter ``name``."""
    owner = point.place.innermost(Function)
    frame = evaluator.frame.of(owner) if owner is not None and evaluator.frame is not None else None
    if owner is None or frame is None:
        return
    for parameter, argument in zip(owner.parameters, frame.arguments, strict=False):
        if parameter.name == name:
            yield argument, frame.point


def conditions(evaluator: Evaluator, name: str, point: Point) -> Iterator[tuple[Expr, Point]]:
    """The conditions under which ``name`` is assigned."""
    for statement, place in _before(evaluator, name, point):
        if isinstance(statement, Declaration):
            if any(variable.name == name for variable in statement.variables):
                return
        elif name in evaluator.mutations.of(statement):
            for node in walk(statement):
                if not isinstance(node, If | Loop | Switch) or node.condition is None:
                    continue
                if name in evaluator.mutations.of(node):
                    yield node.condition, Point(place, statement.start)


def _before(evaluator: Evaluator, name: str, point: Point) -> Iterator[tuple[Statement, Place]]:
    """The statements before ``point`` that may matter to ``name``, in the blocks around it, nearest first."""
    place: Place | None = point.place
    while place is not None and not isinstance(place.node, Function):
        if isinstance(place.node, Block):
            for statement in evaluator.effects.before(place.node.statements, name, place, point.offset):
                yield statement, place
        place = place.outer


def target(expression: Expr) -> str:
    """The name of the variable or member that is assigned to."""
    match expression:
        case Name(text=name) | Member(name=name):
            return name
        case _:
            return ""


def owner(place: Place) -> str | None:
    """The class whose members are in scope at ``place``."""
    for node in place.chain():
        if isinstance(node, Struct):
            return node.name
        if isinstance(node, Function) and "::" in node.name:
            return node.name.split("::")[-2].partition("<")[0]
    return None


def choosing(body: Place) -> Iterator[tuple[Expr, Point]]:
    """The conditions that decide what a function gives back: those of what has a ``return`` in it, and where."""
    stack = [body]
    while stack:
        place = stack.pop()
        node = place.node
        condition = node.condition if isinstance(node, If | Loop | Switch) else None
        if condition is not None and any(True for _ in returned(place)):
            yield condition, Point(place.outer or place, condition.start)
        if not isinstance(node, Lambda | Function | Struct):
            stack += [Place(child, place) for child in children(node)]


def returned(body: Place) -> Iterator[tuple[Expr, Point]]:
    """What a function gives back, and where."""
    stack = [body]
    while stack:
        place = stack.pop()
        node = place.node
        if isinstance(node, Return):
            if node.value is not None:
                yield node.value, Point(place, node.start)
        elif not isinstance(node, Lambda | Function | Struct):
            stack += [Place(child, place) for child in children(node)]
