"""Checks whose text is not in sight: macros and functions that end a test, throw or return, by their names."""

import re

from sycllint.cpp.expression import Binary, Call, Expr, Name, Unary
from sycllint.cpp.node import Node, walk
from sycllint.cpp.statement import Evaluate, Statement
from sycllint.values.library import BY_VALUE
from sycllint.values.unit import Unit

_ENDING = re.compile(
    "skip|fail|abort|exit|die|error|throw|terminat|shutdown|fatal|panic|raise|quit|bail|unsupported", re.IGNORECASE
)
_CHECKING = re.compile(
    "check|require|ensure|assert|expect|verify|valid|enforce|throw_?if|skip|fail|return_?if", re.IGNORECASE
)
_COMPARISONS = frozenset({"<", ">", "<=", ">=", "==", "!="})


def is_out_of_sight(unit: Unit, name: Name) -> bool:
    """Whether what a function or macro of this name does is not seen, and is none of the C and C++ libraries'."""
    if name.qualifier in ("std", "::std") or name.last in BY_VALUE or name.text in unit.macros:
        return False
    return not unit.defines(name.last)


def may_end(unit: Unit, branch: Statement) -> bool:
    """Whether a branch uses something out of sight that is called as what does not come back: ``SKIP("…")``."""
    return any(_ENDING.search(name.last) and is_out_of_sight(unit, name) for name in _used(branch))


def is_check(unit: Unit, call: Call) -> bool:
    """Whether a statement hands a condition to something out of sight that may stop where it does not hold.

    Either its name says so, or it is shouted, as macros are, and given a comparison.
    """
    function = call.function
    if not isinstance(function, Name) or not is_out_of_sight(unit, function):
        return False
    return bool(_CHECKING.search(function.last)) or (function.last.isupper() and any(map(_compares, call.arguments)))


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


def _compares(expression: Expr) -> bool:
    for each in walk(expression):
        match each:
            case Binary(operator=operator) if operator in _COMPARISONS:
                return True
            case Unary(operator="!"):
                return True
            case _:
                pass
    return False
