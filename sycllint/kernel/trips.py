"""How often loops turn: which variable counts up to which bound, and which bounds may be met by all at once."""

from __future__ import annotations

from sycllint.cpp.expression import Assign, Binary, Expr, Increment, Name
from sycllint.cpp.statement import Loop
from sycllint.kernel.levels import Content, Level
from sycllint.kernel.rounding import WHOLE
from sycllint.values.value import Symbolic


def perhaps_alike(left: Content, right: Content) -> bool:
    """Whether a comparison of ``left`` and ``right`` may end a loop for all work-items at once, for all that we know.

    Pointers may be any distance apart. A bound that was rounded may be a multiple of the step.
    """
    sides = (left, right)
    if any(each.memory is not None and not each.through and each.number is None for each in sides):
        return True
    return any(each.level <= Level.GROUP and each.made == WHOLE and _is_open(each) for each in sides)


def _is_open(content: Content) -> bool:
    """Whether we do not know what a number is a multiple of."""
    value = content.number.value if content.number is not None else None
    if not isinstance(value, Symbolic):
        return value is None
    return any("%" in atom.text for term in value.terms for atom in term.atoms)


def counted(node: Loop) -> tuple[Name, Expr, Expr | None] | None:
    """``for (…; i < bound; i += stride)``: the variable, the bound, the stride (``None`` is 1).

    ``i - first < bound`` is taken as ``i < bound + first``, and ``first + i < bound`` as ``i < bound - first``.
    """
    stride: Expr | None = None
    match node.update:
        case Increment(operator="++", operand=Name() as counter):
            pass
        case Assign(operator="+=", left=Name() as counter, right=stride):
            pass
        case _:
            return None
    condition = node.condition
    if not isinstance(condition, Binary) or condition.operator not in (("<", "!=") if stride is None else ("<",)):
        return None
    bound, start, end = condition.right, condition.start, condition.end
    match condition.left:
        case Name(text=text) as name if text == counter.text:
            return name, bound, stride
        case Binary(operator="-", left=Name(text=text) as name, right=first) if text == counter.text:
            return name, Binary("+", bound, first, start, end), stride
        case Binary(operator="+", left=Name(text=text) as name, right=first) if text == counter.text:
            return name, Binary("-", bound, first, start, end), stride
        case Binary(operator="+", left=first, right=Name(text=text) as name) if text == counter.text:
            return name, Binary("-", bound, first, start, end), stride
        case _:
            return None
