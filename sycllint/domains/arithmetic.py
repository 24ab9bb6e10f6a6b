"""Operators on what is known of values: the level, the number and the memory of what they give."""

from __future__ import annotations

from sycllint.cpp.expression import Expr, Number, Type
from sycllint.domains.indices import Indices
from sycllint.domains.levels import UNKNOWN, Content, Level, constant, exact_of, scalar_of
from sycllint.domains.rounding import WHOLE, made_by
from sycllint.values.arithmetic import LONG, Scalar, convert
from sycllint.values.evaluate import Evaluator
from sycllint.values.symbolic import highest, lowest, negate, parameter, symbolic
from sycllint.values.value import Known, Symbolic, Value, known

COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})


class Arithmetic:
    """Operators for one launch; what two numbers give is remembered."""

    def __init__(self, evaluator: Evaluator, indices: Indices) -> None:
        self._evaluator = evaluator
        self._unnamed = 0
        """Products with a number that is not known."""
        self._indices = indices
        self._combined: dict[tuple[str, int, int], tuple[Scalar, Scalar, Scalar | None, Level | None]] = {}
        """By operator and identities of the sides, which are kept with it: the result, and the level that it has."""
        self._outcomes: dict[tuple[str, int, int, Level], tuple[Scalar, Scalar, Content]] = {}
        """The same for comparisons, whose sides are of the level."""
        self._runs: dict[tuple[str, int, int, Level], tuple[Scalar, Scalar, Level]] = {}
        """The same for quotients, of whose left sides that is the level: their level."""

    def typed(self, content: Content, kind: Type) -> Content:
        """A value as a variable of its type holds it."""
        if kind.pointers or kind.extents:
            return content
        resolved = self._evaluator.types.kind(kind.name)
        if resolved.floating or resolved.struct is not None:
            return Content(content.level, parts=content.parts)
        if resolved.integer is None:
            # A template's type: where numbers are followed, it is an integer.
            return content
        number = convert(content.number, resolved.integer) if content.number is not None else None
        return Content(content.level, number, made=content.made)

    def arithmetic(self, operator: str, left: Content, right: Content, node: Expr) -> Content:
        """``left operator right``: its level, its number, and the memory that a pointer stays in."""
        level = max(left.level, right.level)
        memory = left.memory or right.memory
        if memory is not None and operator in ("+", "-"):
            pointed = left if left.memory is not None else right
            if pointed.number is None:
                return Content(level, memory=memory)
        first, second = left.number, right.number
        if operator in COMPARISONS:
            return self._comparison(operator, left, right, level)
        number, made = None, made_by(operator, left.made, right.made, node)
        if first is not None and second is not None:
            number, lowered = self._combination(operator, first, second, node)
            if lowered is not None:
                return Content(min(level, lowered), number, made=made)
        elif operator == "*" and level is Level.GRID:
            number = self._times(exact_of(left) or exact_of(right))
        if operator in ("/", ">>", "&") and left.level in (Level.ITEM, Level.SPLIT) and right.level <= Level.GROUP:
            level = self._divided(operator, left, right)
        return Content(level, number, made=made)

    def _times(self, factor: int | None) -> Scalar | None:
        """A number of which nothing is known, times ``factor``; the next one that is not known is another one."""
        if factor is None or factor < 2:
            return None
        self._unnamed += 1
        key = f"unnamed {self._unnamed}"
        return Scalar(parameter(key, key, "", multiple_of=factor), LONG)

    def _combination(
        self, operator: str, first: Scalar, second: Scalar, node: Expr
    ) -> tuple[Scalar | None, Level | None]:
        """The number of ``first operator second``, and the level that it says by itself."""
        key = (operator, id(first), id(second))
        found = self._combined.get(key)
        if found is None:
            number = self._indices.quotient(operator, first.value, second.value)
            if number is None:
                number = scalar_of(self._evaluator.combine(operator, first, second, node))
            lowered = self._indices.level_of(number.value) if number is not None else None
            found = self._combined[key] = (first, second, number, lowered)
        return found[2:]

    def _divided(self, operator: str, left: Content, right: Content) -> Level:
        """The level of what is the same in runs of work-items: ``local_id / 32``."""
        first, second = left.number, right.number
        if first is None or second is None:
            return self._in_runs(operator, left, right)
        key = (operator, id(first), id(second), left.level)
        found = self._runs.get(key)
        if found is None:
            found = self._runs[key] = (first, second, self._in_runs(operator, left, right))
        return found[2]

    def _in_runs(self, operator: str, left: Content, right: Content) -> Level:
        by = self._divisor(operator, right)
        if by is None and operator == "&":
            return left.level
        divisor = known(by)
        if left.number is None:
            return Level.SPLIT
        if by is not None and self._indices.is_of_group(left.number.value, by):
            return Level.GROUP
        if divisor is not None and self._indices.may_be_of_group(left.number.value, divisor):
            return Level.UNKNOWN
        if not self._indices.runs_along(left.number.value):
            return Level.SPLIT
        if right.number is not None and self._indices.is_sub_group_size(right.number.value):
            return Level.SUB_GROUP
        return self._indices.by_blocks(divisor) if divisor is not None else Level.SPLIT

    def _divisor(self, operator: str, right: Content) -> Value | None:
        """The length of the runs that ``x / n``, ``x >> n`` and ``x & -n`` are the same in."""
        exact = exact_of(right)
        match operator:
            case ">>":
                return Known(1 << exact) if exact is not None and 0 <= exact < 32 else None
            case "&":
                negative = symbolic(right.number.value) if right.number is not None else None
                if negative is None or (exact is not None and (exact >= 0 or exact & (exact - 1) != exact * 2)):
                    return None
                return Known(-exact) if exact is not None else negate(negative)
            case _:
                return right.number.value if right.number is not None else None

    def _comparison(self, operator: str, left: Content, right: Content, level: Level) -> Content:
        first, second = left.number, right.number
        if level.diverges and perhaps_aligned(left, right):
            return UNKNOWN
        if first is None or second is None:
            return Content(level)
        key = (operator, id(first), id(second), level)
        found = self._outcomes.get(key)
        if found is None:
            found = self._outcomes[key] = (first, second, self._outcome(operator, first, second, level))
        return found[2]

    def _outcome(self, operator: str, first: Scalar, second: Scalar, level: Level) -> Content:
        """What the comparison of two numbers gives, of which the one that differs more is of ``level``."""
        operator, left, right = self._indices.undivided(operator, first.value, second.value)
        first, second = Scalar(left, LONG), Scalar(right, LONG)
        decided = self._indices.decided(operator, first.value, second.value)
        if decided is not None:
            return Content(Level.GRID, constant(int(decided)))
        difference = scalar_of(self._evaluator.combine("-", first, second, Number("0", 0, 0)))
        lowered = self._indices.level_of(difference.value) if difference is not None else None
        if lowered is not None:
            return Content(min(level, lowered))
        if self._indices.is_rounded_down(first.value, second.value):
            return UNKNOWN
        if operator not in ("==", "!="):
            aligned = self._indices.aligned(operator, first.value, second.value)
            if aligned is not None:
                return Content(min(level, aligned))
        if level is Level.ITEM and operator not in ("==", "!="):
            for lane, bound in ((first, known(second.value)), (second, known(first.value))):
                if bound is not None and self._indices.is_lane(lane.value):
                    return Content(self._edge(operator, bound, lane, plain=lane is first))
        return Content(level)

    def _edge(self, operator: str, bound: int, lane: Scalar, *, plain: bool) -> Level:
        """The level of ``local_id < bound``: at a multiple of the width, whole sub-groups go one way."""
        if not self._indices.runs_along(lane.value):
            return Level.SPLIT
        inclusive = operator in (("<=", ">") if plain else ("<", ">="))
        return self._indices.by_blocks(bound + 1 if inclusive else bound)

    def extremum(self, last: str, values: list[Content]) -> Scalar | None:
        """The number of ``min`` or ``max`` of two that are the same in a whole group."""
        if last not in ("min", "max") or len(values) != 2:
            return None
        first, second = exact_of(values[0]), exact_of(values[1])
        if first is not None and second is not None:
            return constant(min(first, second) if last == "min" else max(first, second))
        left, right = (each.number for each in values)
        if left is None or right is None or any(each.level > Level.GROUP for each in values):
            return None
        one, other = symbolic(left.value), symbolic(right.value)
        if one is None or other is None:
            return None
        return Scalar((lowest if last == "min" else highest)(one, other), LONG)


def perhaps_alike(left: Content, right: Content) -> bool:
    """Whether a comparison of ``left`` and ``right`` may end a loop for all work-items at once, for all that we know.

    Pointers may be any distance apart. A bound that was rounded may be a multiple of the step.
    """
    sides = (left, right)
    if any(each.memory is not None and not each.through and each.number is None for each in sides):
        return True
    return any(each.level <= Level.GROUP and each.made == WHOLE and _is_open(each) for each in sides)


def perhaps_aligned(left: Content, right: Content) -> bool:
    """Whether a comparison with a rounded bound may part groups between sub-groups, for all that we know."""
    return any(each.level <= Level.GROUP and each.made == WHOLE and not _is_numbered(each) for each in (left, right))


def _is_numbered(content: Content) -> bool:
    """Whether a rounded number says to a multiple of what."""
    value = content.number.value if content.number is not None else None
    if not isinstance(value, Symbolic):
        return value is not None
    divisions = [atom.division for term in value.terms for atom in term.atoms if atom.division is not None]
    return all(not term.atoms for each in divisions for term in each.divisor)


def _is_open(content: Content) -> bool:
    """Whether we do not know what a number is a multiple of."""
    value = content.number.value if content.number is not None else None
    if not isinstance(value, Symbolic):
        return value is None
    return any("%" in atom.text for term in value.terms for atom in term.atoms)
