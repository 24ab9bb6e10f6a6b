"""Unsigned arithmetic: terms are whole numbers, and what is less than zero is a large one in an unsigned type.

Sums, products and masks of terms are right whatever their type is, as the bits below are. What is not is done to the
number that the type holds: quotients, remainders, shifts to the right and comparisons.
"""

from __future__ import annotations

from sycllint.cpp.expression import Binary, Call, Cast, Conditional, Expr, Index, Member, Name, Number, Unary
from sycllint.device_code.access_trace.abstract_values import Deferred, Environment, Slot
from sycllint.device_code.access_trace.terms import TRUTHS, Atom, AtomKind, Bounds, Term, atoms, bounds, operation
from sycllint.device_code.limits import LARGEST
from sycllint.domains.vocabulary import ID_QUERIES, RANGES
from sycllint.values.arithmetic import INT, ULONG, IntegerType, Scalar, common, literal, promoted
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point

COMPARISONS = frozenset({"<", ">", "<=", ">="})
OF_VALUES = COMPARISONS | {"/", "%", ">>"}
"""What gives something else for negative numbers than for what an unsigned type holds of them."""
_IDS = (0, LARGEST - 1)


def bounds_by_ids(term: Term) -> Bounds | None:
    """The bounds of a term that nothing but local ids decides, in work-groups of any size."""
    return bounds(term, {each: _IDS for each in atoms(term) if each.kind is AtomKind.LOCAL})


def held_as(kind: IntegerType | None, term: Term | None) -> Term | None:
    """The number that a variable of a type holds of a term; ``None`` where the type may matter and is not known."""
    if term is None or not may_be_negative(term):
        return term
    if kind is None:
        return None
    return term if kind.signed else operation("&", term, (1 << kind.bits) - 1)


def operation_type(operator: str, left: IntegerType | None, right: IntegerType | None) -> IntegerType | None:
    """The type in which the operands of ``operator`` meet; ``None`` where that is not evident."""
    if left is None or right is None:
        return None
    return promoted(left) if operator in (">>", "<<") else common(left, right)


def may_be_negative(term: Term) -> bool:
    """Whether a term may be less than zero; numbers that are not known are taken for none that are."""
    if isinstance(term, int):
        return term < 0
    if isinstance(term, Atom):
        return False
    operator, operands = term.operator, term.operands
    if operator in TRUTHS:
        return False
    if operator == "~":
        return True
    if operator == "-":
        reached = bounds_by_ids(term)
        return reached is None or reached[0] < 0
    if operator == "&":
        return all(map(may_be_negative, operands))
    return any(map(may_be_negative, operands[1:] if len(operands) == 3 else operands))


def integer_type(node: Expr, names: Environment, evaluator: Evaluator, point: Point) -> IntegerType | None:
    """The integer type of an expression of device code; ``None`` where it is not evident."""

    def of(each: Expr) -> IntegerType | None:
        return integer_type(each, names, evaluator, point)

    match node:
        case Name(text=text) if text in names:
            held = names[text]
            if isinstance(held, Deferred):
                return integer_type(held.expression, held.names, evaluator, point._replace(place=held.place))
            return held.integer if isinstance(held, Slot) else None
        case Number(text=text):
            number = literal(text)
            return number.type if isinstance(number, Scalar) else None
        case Cast(type=kind):
            return evaluator.types.kind(kind.name).integer if not kind.pointers else None
        case Unary(operator="!") | Binary(operator="&&" | "||" | "==" | "!=" | "<" | "<=" | ">" | ">="):
            return INT
        case Unary(operator="-" | "+" | "~", operand=operand):
            inner = of(operand)
            return promoted(inner) if inner is not None else None
        case Binary(operator=operator, left=left, right=right):
            return operation_type(operator, of(left), of(right))
        case Conditional(then=left, otherwise=right):
            return operation_type("?", of(left), of(right))
        case Call(function=Name() as name, arguments=arguments):
            macro = evaluator.macros.macro(name, point)
            if macro is None or macro.value is None or not macro.fits(arguments):
                return None
            given = {each: Deferred(argument, names, point.place) for each, argument in macro.handed(arguments)}
            return integer_type(macro.value, names | given, evaluator, point)
        case Call(function=Member(name=name)) | Index(object=Call(function=Member(name=name))):
            return ULONG if name in ID_QUERIES or name in RANGES else None
        case Name():
            typed = evaluator.static_types.of(node, point)
            if typed is None or typed.type.pointers or typed.type.extents:
                return None
            return evaluator.types.kind(typed.type.name).integer
        case _:
            return None
