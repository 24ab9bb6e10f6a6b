"""Conditions under which a program looks for its own errors: what is done there is not done in what is delivered."""

from sycllint.cpp.expression import Expr, Member, Name
from sycllint.cpp.statement import Arm

_DEBUG = "DEBUG"
"""In the name of a macro or a variable that is not set in the program that is delivered."""


def compiled_for_debugging(arm: Arm) -> str:
    """The condition of a branch that is compiled only to look for errors; else empty."""
    condition = arm.condition.strip()
    is_debug = _DEBUG in condition.upper() and arm.keyword in ("ifdef", "if")
    return condition if is_debug and "NDEBUG" not in condition and "!" not in condition else ""


def asks_for_debugging(condition: Expr | None) -> str:
    """A variable's name that is a condition, when it says that errors are looked for; else empty."""
    name = condition.name if isinstance(condition, Member) else getattr(condition, "text", "")
    is_variable = isinstance(condition, Name | Member)
    return name if is_variable and _DEBUG in name.upper() and "NDEBUG" not in name.upper() else ""
