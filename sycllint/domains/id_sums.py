"""Sums with the ids of work-items in them: which ids, which cancel, and what follows for comparisons."""

from __future__ import annotations

import re
from operator import eq, ge, gt, le, lt, ne

from sycllint.values.congruence import without_remainders
from sycllint.values.symbolic import add, divide, multiply, subtract, sum_of
from sycllint.values.value import Parameter, Symbolic, Term, Value

LOCAL, GLOBAL, GROUP = "local", "global", "group"
"""The kinds of ids of a work-item."""
_COMPARISONS = {"==": eq, "!=": ne, "<": lt, ">": gt, "<=": le, ">=": ge}
TRIPS = "trips of "
"""What the keys of parameters begin with that count the turns of a loop."""
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
"""Comparisons with their sides exchanged."""
_ID = re.compile(r"\b(local|global|group|sub-group|lane)!")


def moves_in_loop(value: Value) -> bool:
    """Whether a polynomial is another one in each turn of a loop."""
    return isinstance(value, Symbolic) and any(each.startswith(TRIPS) for each in value.parameters)


def only_id(value: Value) -> Parameter | None:
    """The one id in a polynomial that counts ones of it."""
    if not isinstance(value, Symbolic):
        return None
    terms = [term for term in value.terms if any(kinds_of(atom) for atom in term.atoms)]
    if len(terms) != 1 or terms[0].factor != 1 or len(terms[0].atoms) != 1:
        return None
    return terms[0].atoms[0] if terms[0].atoms[0].key.count("!") == 1 else None


def without_places(terms: tuple[Term, ...]) -> tuple[Term, ...]:
    """A sum without what it has of ``global_id - local_id``, which is the place where the group begins."""
    if not any(atom.key.startswith(f"{GLOBAL}!") for term in terms for atom in term.atoms):
        return terms
    for dimension in range(3):
        terms = cancelled(terms, f"{GLOBAL}!{dimension}", f"{LOCAL}!{dimension}")
    return terms


def cancelled(terms: tuple[Term, ...], one: str, other: str) -> tuple[Term, ...]:
    """A sum without what it has of ``one - other``; as it is where more of one is in it than of the other."""
    shares: dict[tuple[str, ...], int] = {}
    rest = []
    for term in terms:
        own = [atom for atom in term.atoms if atom.key in (one, other)]
        if len(own) != 1:
            rest.append(term)
            continue
        others = tuple(sorted(atom.key for atom in term.atoms if atom is not own[0]))
        shares[others] = shares.get(others, 0) + term.factor
    of_ids = any(_ID.search(key) for others in shares for key in others)
    return terms if of_ids or any(shares.values()) else tuple(rest)


def without_rests(value: Symbolic) -> Symbolic:
    """A bound from above: ``n / 256 * 256`` as ``n``, where sizes of launches are divided, which are not negative."""
    for term in value.terms:
        whole = _most(term)
        if whole is not None:
            value = add(subtract(value, sum_of((term,))), whole)
    return value


def _most(term: Term) -> Symbolic | None:
    """What a term with a quotient or a remainder in it is at most; ``None`` for others."""
    for position, atom in enumerate(term.atoms):
        others = (*term.atoms[:position], *term.atoms[position + 1 :])
        if atom.dividend and term.factor > 0 and term.factor % atom.divisor == 0 and not others:
            return sum_of(atom.dividend, term.factor // atom.divisor)
        division = atom.division
        if division is None:
            continue
        if division.is_rest and term.factor < 0:
            return sum_of(())
        if not division.is_rest and term.factor > 0 and division.divisor == (Term(others, 1),):
            return sum_of(division.dividend, term.factor)
    return None


def divides(stride: Symbolic, base: Symbolic) -> bool:
    """Whether ``base`` is ``stride`` times something."""
    replaced = without_remainders(base.terms)
    whole = base if replaced is None else sum_of(replaced)
    quotient = divide(whole, stride)
    return quotient is not None and multiply(quotient, stride).terms == whole.terms


def in_groups(terms: list[Term], size: Symbolic, whole: Symbolic, groups: Symbolic) -> Symbolic | None:
    """A sum over the ``size`` of a group; ``None`` where it is not surely that of whole groups.

    The extent of the launch, ``whole``, is that of as many ``groups`` as there are.
    """
    found = sum_of(())
    for term in terms:
        summand = sum_of((term,))
        share = _over(summand, size)
        if share is None:
            turns = _over(summand, whole)
            share = multiply(turns, groups) if turns is not None else None
        if share is None:
            return None
        found = add(found, share)
    return found


def _over(value: Symbolic, by: Symbolic) -> Symbolic | None:
    """``value / by`` where nothing is left over."""
    quotient = divide(value, by)
    return quotient if quotient is not None and multiply(quotient, by).terms == value.terms else None


def kinds_of(atom: Parameter) -> list[str]:
    """The kinds of ids that a parameter is, or is computed from."""
    return _ID.findall(atom.key)


def parted(value: Symbolic) -> tuple[list[Term], list[Term]]:
    """The terms with an id that differs in a group, and the others."""
    ids: list[Term] = []
    rest: list[Term] = []
    for term in value.terms:
        varies = any(kind != GROUP for atom in term.atoms for kind in kinds_of(atom))
        (ids if varies else rest).append(term)
    return ids, rest


def samples(size: int, offset: int) -> list[int]:
    """Ids that show both outcomes if there are two: the ends, and those around the turning point."""
    turn = abs(offset)
    return [each for each in (0, size - 1, turn - 1, turn, turn + 1) if 0 <= each < size]


def holds(operator: str, difference: int) -> bool:
    """A comparison of a number with zero."""
    return bool(_COMPARISONS[operator](difference, 0))


def verdict(operator: str, low: int | None, high: int | None) -> bool | None:
    """A comparison with zero of a number between ``low`` and ``high``."""
    below, above = high is not None and high < 0, low is not None and low > 0
    not_above, not_below = high is not None and high <= 0, low is not None and low >= 0
    zero = low == high == 0
    yes, no = {
        "<": (below, not_below),
        "<=": (not_above, above),
        ">": (above, not_above),
        ">=": (not_below, below),
        "==": (zero, below or above),
        "!=": (below or above, zero),
    }[operator]
    return True if yes else False if no else None


def rounded_up(extent: Symbolic, bound: Symbolic) -> bool:
    """Whether ``extent`` is ``bound`` rounded up: ``(n + 255) / 256 * 256`` or ``((n - 1) / 256 + 1) * 256``."""
    keys = {atom.key for term in bound.terms for atom in term.atoms}
    if not keys or extent.terms == bound.terms:
        return False
    raised = any(not term.atoms and term.factor > 0 for term in extent.terms)
    for term in extent.terms:
        for atom in term.atoms:
            numerator, slash, _ = atom.text.rpartition("/")
            of_bound = keys <= set(atom.key.split("|"))
            if slash and of_bound and (" + " in numerator or raised):
                return True
    return False
