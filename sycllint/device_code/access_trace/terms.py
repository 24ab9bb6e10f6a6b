"""Integers of device code as functions of the work-item: what an index or a condition is made of.

A term is a number, an atom (a local id, an extent, a number the kernel was given), or an operation on terms. Terms are
evaluated for single work-items under sampled numbers, which decides questions about strides, masks and shifts that
no algebra of ours would.
"""

from __future__ import annotations

import operator as plain
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import repeat
from typing import TypeAlias

from sycllint.record import field, unique


class AtomKind(Enum):
    """What an atom stands for."""

    LOCAL = "local id"
    GROUP = "group id"
    LOCAL_RANGE = "local range"
    GROUP_RANGE = "group range"
    WIDTH = "sub-group size"
    GIVEN = "a number the kernel is given"
    FRESH = "a number that all work-items of a group agree on"
    COUNTER = "iterations of a loop before this one"
    DATA = "what a work-item has read, which may be 0"

    __hash__ = object.__hash__  # that of Enum is a function in Python


@unique
class Atom:
    """One such number; ``key`` is the dimension, the loop, or what distinguishes one given number from another.

    Atoms are looked up a million times: their hash is made once.
    """

    kind: AtomKind
    key: object = None
    text: str = ""
    local: bool = field(init=False, repr=False, default=False)
    """Whether work-items of a group differ in it."""
    _hash: int = field(init=False, repr=False, default=0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.kind._value_, self.key)))
        object.__setattr__(self, "local", self.kind is AtomKind.LOCAL or self.kind is AtomKind.DATA)

    @property
    def atoms(self) -> frozenset[Atom]:
        """Itself alone."""
        return frozenset((self,))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Atom) and self.kind is other.kind and self.key == other.key


@unique
class Operation:
    """``operator`` applied to ``operands``; comparisons and logic give 0 or 1. Its hash is made once too."""

    operator: str
    operands: tuple[Term, ...]
    atoms: frozenset[Atom]
    local: bool
    """Whether work-items of a group may differ in it."""
    key: int
    """The hash."""

    def __hash__(self) -> int:
        return self.key

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Operation) or self.key != other.key:
            return False
        return self.operator == other.operator and self.operands == other.operands


Term: TypeAlias = int | Atom | Operation
READ = Atom(AtomKind.DATA)
"""An index that was read from memory."""
TERM = (int, Atom, Operation)
"""The same for ``isinstance``, which would make a union again at each call."""

MAX_ATOMS = 24
_NO_ATOMS: frozenset[Atom] = frozenset()
MAX_SHIFT = 63
AtomValues: TypeAlias = Mapping[Atom, int]


class UndefinedError(ArithmeticError):
    """The operation has no result: division by zero, a shift by a negative number."""


def _divided(left: int, right: int) -> int:
    if right == 0:
        raise UndefinedError
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def _remainder(left: int, right: int) -> int:
    return left - right * _divided(left, right)


def _shifted(left: int, right: int) -> int:
    if not 0 <= right <= MAX_SHIFT:
        raise UndefinedError
    return left << right


def _lowered(left: int, right: int) -> int:
    if not 0 <= right <= MAX_SHIFT:
        raise UndefinedError
    return left >> right


def _power(left: int, right: int) -> int:
    if not 0 <= right <= MAX_SHIFT:
        raise UndefinedError
    return int(left**right)


_BINARY: dict[str, Callable[[int, int], int]] = {
    "+": plain.add,
    "-": plain.sub,
    "*": plain.mul,
    "/": _divided,
    "%": _remainder,
    "<<": _shifted,
    ">>": _lowered,
    "&": plain.and_,
    "|": plain.or_,
    "^": plain.xor,
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "min": min,
    "max": max,
    "power": _power,
    "&&": lambda a, b: int(bool(a) and bool(b)),
    "||": lambda a, b: int(bool(a) or bool(b)),
}
_UNARY: dict[str, Callable[[int], int]] = {
    "-": plain.neg,
    "+": plain.pos,
    "~": plain.inv,
    "!": lambda a: int(not a),
}
_COMPUTE: dict[int, Mapping[str, Callable[..., int]]] = {
    1: _UNARY,
    2: _BINARY,
    3: {"?": lambda condition, then, otherwise: then if condition else otherwise},
}
"""By the number of operands."""
BINARY_OPERATORS = frozenset(_BINARY)
UNARY_OPERATORS = frozenset(_UNARY)
TRUTHS = frozenset({"<", "<=", ">", ">=", "==", "!=", "!", "&&", "||"})
"""Operators that give 0 or 1."""


def atoms(term: Term) -> frozenset[Atom]:
    """The atoms a term is made of."""
    return _NO_ATOMS if isinstance(term, int) else term.atoms


def varies(term: Term) -> bool:
    """Whether it may differ between the work-items of a group."""
    return not isinstance(term, int) and term.local


def operation(operator: str, *operands: Term | None) -> Term | None:
    """``operator`` applied to ``operands``; ``None`` when one of them is not known, or has no result."""
    plain = True
    for each in operands:
        if each is None:
            return None
        if not isinstance(each, int):
            plain = False
    known: tuple[Term, ...] = operands  # type: ignore[assignment]
    if plain:
        try:
            return _COMPUTE[len(known)][operator](*known)
        except UndefinedError:
            return None
    simple = _simplified(operator, known)
    if simple is not None:
        return simple
    inside, local = _NO_ATOMS, False
    for part in known:
        if not isinstance(part, int):
            inside = inside | part.atoms if inside else part.atoms
            local = local or part.local
    if len(inside) > MAX_ATOMS:
        return None
    return Operation(operator, known, inside, local, hash((operator, known)))


def _simplified(operator: str, operands: tuple[Term, ...]) -> Term | None:
    if len(operands) == 3:
        condition, then, otherwise = operands
        if isinstance(condition, int):
            return then if condition else otherwise
        return then if then == otherwise else None
    if len(operands) == 1:
        inner = operands[0]
        if operator == "!" and isinstance(inner, Operation) and inner.operator == "!":
            return operation("!=", inner.operands[0], 0)
        return None
    left, right = operands
    if (operator in ("+", "|", "^") and right == 0) or (operator in ("-", "<<", ">>") and right == 0):
        return left
    if operator in ("+", "|", "^") and left == 0:
        return right
    if operator in ("*", "/") and right == 1:
        return left
    if operator == "*" and left == 1:
        return right
    if operator in ("*", "&") and 0 in (left, right):
        return 0
    if operator == "-" and left == right:
        return 0
    return None


def conjuncts(term: Term) -> Iterator[Term]:
    """The conditions that all hold where ``term`` is not 0."""
    match term:
        case Operation(operator="!=", operands=(inner, 0)):
            yield from conjuncts(inner)
        case Operation(operator="!", operands=(Operation(operator="!=", operands=(inner, 0)),)):
            denied = operation("!", inner)
            yield from conjuncts(denied) if denied is not None else (term,)
        case Operation(operator="&&", operands=operands):
            for each in operands:
                yield from conjuncts(each)
        case Operation(operator="!", operands=(Operation(operator="||", operands=operands),)):
            for each in operands:
                denied = operation("!", each)
                yield from conjuncts(denied) if denied is not None else (term,)
        case int() if term:
            return
        case _:
            yield term


def below(condition: Term) -> tuple[Term, Term] | None:
    """Both sides of ``left < right`` or ``left <= right``, however it is written; ``None`` for other conditions."""
    match condition:
        case Operation(operator="!", operands=(Operation(operator="<" | "<=" | ">" | ">=" as denied, operands=sides),)):
            left, right = sides if ">" in denied else reversed(sides)
        case Operation(operator="<" | "<=" | ">" | ">=" as operator, operands=sides):
            left, right = sides if "<" in operator else reversed(sides)
        case _:
            return None
    return left, right


def replaced(term: Term, own: Atom, number: int) -> Term | None:
    """``term`` where ``own`` is ``number``; ``None`` when that has no result."""
    if isinstance(term, int) or own not in term.atoms:
        return term
    if isinstance(term, Atom):
        return number
    return operation(term.operator, *(replaced(each, own, number) for each in term.operands))


def evaluate(term: Term, numbers: AtomValues) -> int:
    """The number ``term`` is. Raises ``UndefinedError``; every atom must be in ``numbers``."""
    if isinstance(term, int):
        return term
    if isinstance(term, Atom):
        return numbers[term]
    operator, operands = term.operator, term.operands
    first = operands[0]
    # Half of all operands are atoms: those are looked up here, without a call.
    left = numbers[first] if isinstance(first, Atom) else evaluate(first, numbers)
    if len(operands) == 1:
        return _UNARY[operator](left)
    if len(operands) == 3:
        return evaluate(operands[1 if left else 2], numbers)
    if operator == "&&":
        return int(bool(left) and bool(evaluate(operands[1], numbers)))
    if operator == "||":
        return int(bool(left) or bool(evaluate(operands[1], numbers)))
    second = operands[1]
    return _BINARY[operator](left, second if isinstance(second, int) else evaluate(second, numbers))


Column: TypeAlias = Sequence[int]
"""One number for each of several work-items."""


LocalIds: TypeAlias = Sequence[int | Column]
"""The local ids of several work-items by dimension; one number where all have the same."""


def column(term: Term, numbers: AtomValues, ids: LocalIds) -> int | Column:
    """``term`` for several work-items at once, whose local ids are ``ids``; one number when all have the same.

    Raises ``UndefinedError`` when a part of it has no result for one of them, even if that one does not ask for it.
    """
    if isinstance(term, int):
        return term
    if isinstance(term, Atom):
        return ids[term.key] if term.kind is AtomKind.LOCAL else numbers[term]  # type: ignore[call-overload]
    if not term.local:
        return evaluate(term, numbers)
    operator, operands = term.operator, term.operands
    first = column(operands[0], numbers, ids)
    if len(operands) == 3 and isinstance(first, int):
        return column(operands[1 if first else 2], numbers, ids)
    compute = _COMPUTE[len(operands)][operator]
    if len(operands) == 2:
        return along(compute, (first, column(operands[1], numbers, ids)))
    return along(compute, (first, *(column(each, numbers, ids) for each in operands[1:])))


def along(compute: Callable[..., int], values: Sequence[int | Column]) -> int | Column:
    """``compute`` with the numbers of each work-item; one number when all have the same."""
    for each in values:
        if not isinstance(each, int):
            return list(map(compute, *(repeat(each) if isinstance(each, int) else each for each in values)))
    return compute(*values)


def every(*conditions: int) -> int:
    """Whether all of them hold; for ``along``."""
    return int(all(conditions))


def slope(term: Term, own: Atom) -> int | None:
    """What ``term`` grows by when ``own`` does by one; ``None`` when that changes, or is no plain number."""
    if not isinstance(term, Operation):
        return int(term == own)
    if own not in term.atoms:
        return 0
    if len(term.operands) != 2 or term.operator not in ("+", "-", "*"):
        return None
    left, right = term.operands
    if term.operator == "*":
        number, factor = (left, right) if isinstance(left, int) else (right, left)
        inner = slope(factor, own)
        return None if inner is None or not isinstance(number, int) else inner * number
    first, second = slope(left, own), slope(right, own)
    if first is None or second is None:
        return None
    return first + second if term.operator == "+" else first - second


Bounds: TypeAlias = tuple[int, int]
"""The least and the greatest number that is possible."""


def bounds(term: Term, known: Mapping[Atom, Bounds]) -> Bounds | None:
    """The bounds of ``term`` when its atoms lie in ``known``; ``None`` where they cannot be derived."""
    if isinstance(term, int):
        return term, term
    if isinstance(term, Atom):
        return known.get(term)
    if len(term.operands) != 2:
        return None
    left, right = (bounds(each, known) for each in term.operands)
    if left is None or right is None:
        return None
    match term.operator:
        case "+":
            return left[0] + right[0], left[1] + right[1]
        case "-":
            return left[0] - right[1], left[1] - right[0]
        case "*" | "/" | "%" | "&" | ">>" if left[0] < 0 or right[0] < 0:
            return None
        case "*":
            return left[0] * right[0], left[1] * right[1]
        case "/" if right[0] > 0:
            return left[0] // right[1], left[1] // right[0]
        case "%" if right[0] > 0:
            return 0, min(left[1], right[1] - 1)
        case "&":
            return 0, min(left[1], right[1])
        case ">>" if right[1] <= MAX_SHIFT:
            return left[0] >> right[1], left[1] >> right[0]
        case _:
            return None
