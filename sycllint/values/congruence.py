"""What a polynomial is surely a multiple of, also where its remainders cancel: ``n - n % 32`` is a multiple of 32."""

from __future__ import annotations

from math import gcd, lcm

from sycllint.values.value import Division, Parameter, Term

MAX_STEPS = 8
"""Remainders that are replaced in one polynomial."""
MAX_TERMS = 24


def common_divisor(terms: tuple[Term, ...]) -> int:
    """The greatest number, 1 or more, that is known to divide the sum of ``terms``."""
    plain = gcd(*map(_divisor, terms))
    if not any(atom.division is not None for term in terms for atom in term.atoms):
        return max(plain, 1)
    replaced = without_remainders(terms)
    return max(plain if replaced is None else lcm(plain, gcd(*map(_divisor, replaced))), 1)


def without_remainders(terms: tuple[Term, ...]) -> tuple[Term, ...] | None:
    """The sum with ``n - k * (n / k)`` for each ``n % k``; ``None`` where it has no remainder, or too many."""
    given = terms
    for _ in range(MAX_STEPS):
        found = next(((term, atom) for term in terms for atom in term.atoms if _is_rest(atom)), None)
        if found is None:
            return None if terms is given else terms
        term, rest = found
        division = rest.division
        assert division is not None
        others = list(term.atoms)
        others.remove(rest)
        whole = quotient_of(rest, division)
        parts = [Term((*others, *each.atoms), term.factor * each.factor) for each in division.dividend]
        parts += [Term((*others, whole, *each.atoms), -term.factor * each.factor) for each in division.divisor]
        terms = _together((*(each for each in terms if each is not term), *parts))
        if len(terms) > MAX_TERMS:
            return None
    return None


def quotient_of(rest: Parameter, division: Division) -> Parameter:
    """The quotient of the division of which ``rest`` is what remains."""
    division = Division(division.dividend, division.divisor, is_rest=False)
    return Parameter(f"whole {rest.key}", "", rest.reason, division=division)


def _is_rest(atom: Parameter) -> bool:
    return atom.division is not None and atom.division.is_rest


def _together(terms: tuple[Term, ...]) -> tuple[Term, ...]:
    grouped: dict[tuple[Parameter, ...], int] = {}
    for term in terms:
        atoms = tuple(sorted(term.atoms, key=lambda atom: atom.key))
        grouped[atoms] = grouped.get(atoms, 0) + term.factor
    return tuple(Term(atoms, factor) for atoms, factor in grouped.items() if factor)


def _divisor(term: Term) -> int:
    product = abs(term.factor)
    for atom in term.atoms:
        product *= atom.multiple_of
    return product
