"""Checks before a launch: branches that leave, and macros and functions that may, judged by name if not visible."""

import re
from collections.abc import Iterator

from sycllint.cpp.expression import Binary, Call, Expr, Name, Unary
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    Block,
    Evaluate,
    Function,
    If,
    Jump,
    Loop,
    RangeLoop,
    Return,
    Statement,
    Switch,
    Try,
    Variants,
)
from sycllint.facts.file import Declared
from sycllint.symbols.symbols import Meant
from sycllint.symbols.unit import Unit
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point
from sycllint.values.side_effects.library import BY_VALUE

_ENDING = re.compile(
    "skip|fail|abort|exit|die|error|throw|terminat|shutdown|fatal|panic|raise|quit|bail|unsupported", re.IGNORECASE
)
_CHECKING = re.compile(
    "check|require|ensure|assert|expect|verify|valid|enforce|throw_?if|skip|fail|return_?if", re.IGNORECASE
)
_COMPARISONS = frozenset({"<", ">", "<=", ">=", "==", "!="})
_LEAVING = re.compile(r"\b(?:return|throw|exit|abort)\b")


class Checks:
    """What the blocks of one unit have in them that may keep what follows from being reached."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._facts = evaluator.facts
        self._symbols = evaluator.symbols
        self._endings = evaluator.endings
        self._known: dict[int, tuple[tuple[Expr, Point], ...]] = {}
        self._stopped: dict[int, tuple[Meant[Function], bool]] = {}
        """By the identity of what lookup found."""

    def of(self, block: Block, place: Place) -> tuple[tuple[Expr, Point], ...]:
        """The conditions of a block's checks, with where they stand, in order; ``place`` is that of the block."""
        found = self._known.get(id(block))
        if found is None:
            found = self._known[id(block)] = tuple(self._stopping(block, place))
        return found

    def leaves(self, condition: Expr, place: Place) -> bool:
        """Whether ``condition`` is that of a branch right in the block at ``place``, and leaves it where it holds."""
        block = place.node
        return isinstance(block, Block) and any(
            isinstance(each, If)
            and each.condition is condition
            and each.otherwise is None
            and self._endings.leaves(each.then, Place(each, place))
            for each in block.statements
        )

    def _stopping(self, block: Block, place: Place, *, looped: bool = False) -> Iterator[tuple[Expr, Point]]:
        """Branches of a block that leave it, assertions, and calls of what may stop instead: their conditions.

        So are those in the blocks and branches inside it, by which control may have come; what only leaves a loop in
        there (``looped``) comes to the launch all the same.
        """
        for statement in block.statements:
            for condition in self._stops_by(statement, place, looped=looped):
                yield condition, Point(place, statement.start)
            inside = Place(statement, place)
            match statement:
                case Block():
                    yield from self._stopping(statement, inside, looped=looped)
                case If(then=then, otherwise=otherwise):
                    for branch in (then, otherwise):
                        if branch is not None:
                            yield from self._stopping(branch, Place(branch, inside), looped=looped)
                case Loop(body=body) | RangeLoop(body=body) | Switch(body=body):
                    yield from self._stopping(body, Place(body, inside), looped=True)
                case Try(body=body):
                    yield from self._stopping(body, Place(body, inside), looped=looped)
                case Variants(arms=arms):
                    for arm in arms:
                        yield from self._stopping(arm.body, Place(arm.body, Place(arm, inside)), looped=looped)
                case _:
                    pass

    def _stops_by(self, statement: Statement, place: Place, *, looped: bool) -> Iterator[Expr]:
        """The condition by which a statement may keep what follows from being reached."""
        match statement:
            case If(condition=condition, then=then, otherwise=otherwise) if condition is not None:
                arms = (then,) if otherwise is None else (then, otherwise)
                if any(self._may_leave(each, place, looped=looped) for each in arms):
                    yield condition
            case Evaluate(expression=Call(function=Name() as function) as condition):
                stops = "assert" in function.last.lower() or self._stops(function, place)
                if stops or is_check(self._facts, condition):
                    yield condition
            case Evaluate(expression=name) if is_bare_check(name):
                yield name
            case _:
                pass

    def _may_leave(self, branch: Block, place: Place, *, looped: bool) -> bool:
        if may_end(self._facts, branch):
            return True
        return self._endings.leaves(branch, place) and not (looped and _goes_on(branch.statements[-1]))

    def _stops(self, function: Name, place: Place) -> bool:
        """Whether a function throws or ends the program in some branch, or a macro leaves the function around it."""
        if any(_LEAVING.search(each.node.text) for each in self._facts.macros.get(function.text)):
            return True
        meant = self._symbols.functions(function, place)
        known = self._stopped.get(id(meant))
        if known is None:
            known = self._stopped[id(meant)] = (meant, any(map(self._may_stop, meant.declared)))
        return known[1]

    def _may_stop(self, declared: Declared[Function]) -> bool:
        inside = walk(declared.node.body) if declared.node.body is not None else ()
        arms = (arm for each in inside if isinstance(each, If) for arm in (each.then, each.otherwise))
        return any(arm is not None and self._ends(arm, declared.place) for arm in arms)

    def _ends(self, block: Block, place: Place) -> bool:
        """Whether a block ends by an exception, or by the end of the program."""
        last = block.statements[-1] if block.statements else None
        is_over = last is not None and not isinstance(last, Return) and not _goes_on(last)
        return is_over and self._endings.leaves(block, place)


def is_opaque(unit: Unit, name: Name) -> bool:
    """Whether what a function or macro of this name does is not seen, and is none of the C and C++ libraries'."""
    if name.qualifier in ("std", "::std") or name.last in BY_VALUE or name.text in unit.macros:
        return False
    return not unit.defines(name.last)


def may_end(unit: Unit, branch: Statement) -> bool:
    """Whether a branch uses something not visible whose name says that it does not return: ``SKIP("…")``."""
    return any(_ENDING.search(name.last) and is_opaque(unit, name) for name in _used(branch))


def is_check(unit: Unit, call: Call) -> bool:
    """Whether a statement passes a condition to something not visible that may stop where it does not hold.

    Either its name says so, or it is shouted, as macros are, and given a comparison.
    """
    function = call.function
    if not isinstance(function, Name) or not is_opaque(unit, function):
        return False
    return bool(_CHECKING.search(function.last)) or (function.last.isupper() and any(map(compares, call.arguments)))


def is_bare_check(statement: Expr) -> bool:
    """Whether a statement only names something that checks: ``SKIP_UNLESS_SUPPORTED;``."""
    return isinstance(statement, Name) and statement.last.isupper() and bool(_CHECKING.search(statement.last))


def _used(branch: Node) -> list[Name]:
    """The names of what is called, or stands as a statement by itself."""
    found: list[Name] = []
    for node in walk(branch):
        match node:
            case Call(function=Name() as name) | Evaluate(expression=Name() as name):
                found.append(name)
            case _:
                pass
    return found


def compares(expression: Expr) -> bool:
    """Whether a comparison, or a negation, is part of an expression."""
    for each in walk(expression):
        match each:
            case Binary(operator=operator) if operator in _COMPARISONS:
                return True
            case Unary(operator="!"):
                return True
            case _:
                pass
    return False


def _goes_on(last: Statement) -> bool:
    return isinstance(last, Jump) and last.keyword != "throw"
