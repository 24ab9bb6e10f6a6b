"""Integer polynomials in named parameters: what can be said of a number that is not known.

A ``Symbolic`` is a sum of products of parameters. Its divisor is the greatest common divisor of its terms, its bounds
follow from the parameters' by interval arithmetic. What a polynomial cannot express (a quotient, a minimum) becomes a
parameter of its own, with the divisor and the bounds that are known of it. So ``(n + 255) / 256 * 256`` is a multiple
of 256, and ``min(n, 256)`` is at most 256. Sizes are taken to fit their types: wrapping of unknown numbers is not
modelled.
"""

import re
from collections.abc import Callable, Iterable
from itertools import permutations
from math import gcd, lcm

from sycllint.record import replace
from sycllint.source.span import Location
from sycllint.values.congruence import common_divisor
from sycllint.values.value import Division, Known, OneOf, Parameter, Step, Symbolic, Term, Unknown, Value

MAX_TERMS = 12
MAX_DEGREE = 4
MAX_TEXT = 60

_ONE = (1, 1)
_JOINING = frozenset(" +-*/%&|<>^,…")
_NAME = re.compile(r"[A-Za-z_][\w.:]*")


def parameter(
    text: str,
    key: str,
    reason: str,
    location: Location | None = None,
    *,
    multiple_of: int = 1,
    minimum: int | None = None,
    maximum: int | None = None,
    roots: tuple[str, ...] = (),
    among: tuple[int, ...] = (),
) -> Symbolic:
    """A number of which nothing but a divisor and bounds is known. Equal ``key``, equal number."""
    short = text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"
    atom = Parameter(key, short, reason, location, multiple_of, minimum, maximum, roots, among=among)
    return _made(((Term((atom,), 1)),), ())


def among(value: Value) -> tuple[int, ...]:
    """The numbers of which ``value`` is one, least first, where it is one of a kind; empty where it is not."""
    match value:
        case Symbolic(terms=(Term(atoms=(atom,), factor=1),)):
            return atom.among
        case _:
            return ()


def symbolic(value: Value, key: str = "") -> Symbolic | None:
    """``value`` as a polynomial; ``None`` when nothing at all is known of it."""
    match value:
        case Symbolic():
            return value
        case Known(value=number, because=because):
            return _made((Term((), number),), because)
        case OneOf(values=values, open=is_open):
            numbers = [each.value for each in values]
            if is_open:
                return None
            text = "{" + ", ".join(map(str, numbers)) + "}"
            named = key or text + "".join(f"@{step.location}" for each in values for step in each.because)
            return parameter(
                text,
                named,
                "one of several values",
                multiple_of=gcd(*numbers),
                minimum=min(numbers),
                maximum=max(numbers),
            )
        case Unknown():
            return None


def named_as(value: Symbolic, name: str) -> Symbolic:
    """``value``, called ``name`` when it is the result of a call and nothing else."""
    match value.terms:
        case (Term(atoms=(atom,), factor=1),) if atom.text.endswith("()") and not atom.roots:
            return _made((Term((replace(atom, text=name),), 1),), value.because)
        case _:
            return value


def settled(value: Value, *, keep_names: bool = False) -> Value:
    """``value`` as it is reported: a lone parameter of which nothing is known is ``Unknown``.

    With ``keep_names`` one that a person can name stays what it is.
    """
    if not isinstance(value, Symbolic):
        return value
    if len(value.terms) == 1:
        (term,) = value.terms
        if not term.atoms:
            return Known(term.factor, value.because)
        if term.factor == 1 and len(term.atoms) == 1:
            (atom,) = term.atoms
            if keep_names and _NAME.fullmatch(atom.text):
                return value
            if atom.multiple_of == 1 and atom.maximum is None and atom.minimum in (None, 0):
                return Unknown(atom.reason, atom.location, value.terms if value.asks_device else ())
    return value


def add(left: Symbolic, right: Symbolic) -> Symbolic:
    """``left + right``."""
    return _made((*left.terms, *right.terms), (*left.because, *right.because))


def negate(value: Symbolic) -> Symbolic:
    """``-value``."""
    return _made(_negated(value.terms), value.because)


def subtract(left: Symbolic, right: Symbolic) -> Symbolic:
    """``left - right``."""
    return _made((*left.terms, *_negated(right.terms)), (*left.because, *right.because))


def difference_bounds(left: Symbolic, right: Symbolic) -> tuple[int | None, int | None]:
    """The least and the greatest value of ``left - right``."""
    return _bounds(_grouped((*left.terms, *_negated(right.terms))))


def sum_of(terms: tuple[Term, ...], factor: int = 1) -> Symbolic:
    """The sum of ``terms``, ``factor`` times."""
    scaled = terms if factor == 1 else tuple(Term(each.atoms, each.factor * factor) for each in terms)
    return _made(scaled or (Term((), 0),), ())


def multiply(left: Symbolic, right: Symbolic) -> Symbolic:
    """``left * right``."""
    terms = tuple(
        Term((*first.atoms, *second.atoms), first.factor * second.factor)
        for first in left.terms
        for second in right.terms
    )
    return _made(terms, (*left.because, *right.because))


def divide(left: Symbolic, right: Symbolic) -> Symbolic | None:
    """``left / right`` rounded towards zero, for a known positive divisor or one that cancels."""
    divisor = constant(right)
    if divisor is None:
        return _cancelled(left, right)
    if divisor <= 0:
        return None
    if all(term.factor % divisor == 0 for term in left.terms):
        return _made(tuple(Term(term.atoms, term.factor // divisor) for term in left.terms), left.because)
    exact = left.multiple_of // divisor if left.multiple_of % divisor == 0 else 1
    minimum = None if left.minimum is None else _towards_zero(left.minimum, divisor)
    maximum = None if left.maximum is None else _towards_zero(left.maximum, divisor)
    made = _opaque(f"{_wrapped(left)}/{divisor}", (left, right), exact, minimum, maximum)
    return described(made, dividend=left.terms, divisor=divisor)


def rounded_up(value: Value) -> Symbolic | None:
    """The number that ``value`` is rounded up from: n of ``(n + 255) / 256 * 256`` and ``((n - 1) / w + 1) * w``."""
    if not isinstance(value, Symbolic):
        return None
    products = [term for term in value.terms if len(term.atoms) > 1]
    if products:
        return _rounded_up_to_parameter(value, products[0])
    quotients = [term for term in value.terms if term.atoms]
    rest = sum(term.factor for term in value.terms if not term.atoms)
    if len(quotients) != 1 or len(quotients[0].atoms) != 1:
        return None
    (term,) = quotients
    (atom,) = term.atoms
    added = sum(each.factor for each in atom.dividend if not each.atoms)
    if not atom.dividend or atom.divisor != term.factor or added + rest != term.factor - 1:
        return None
    return _made(tuple(each for each in atom.dividend if each.atoms), value.because)


def _rounded_up_to_parameter(value: Symbolic, product: Term) -> Symbolic | None:
    """The same where the multiple is no number: ``product`` is that times the quotient."""
    for quotient, multiple in permutations(product.atoms, 2):
        division, once = quotient.division, Term((multiple,), 1)
        if division is None or division.is_rest or division.divisor != (once,):
            continue
        # The dividend and what is added to the product are together `n + w - 1`.
        others = tuple(term for term in value.terms if term is not product)
        whole = _made((*division.dividend, *others, Term((multiple,), -1), Term((), 1)), value.because)
        is_rounded = len(product.atoms) == 2 and product.factor == 1 and set(others) <= {once}
        return whole if is_rounded and all(term.atoms and multiple not in term.atoms for term in whole.terms) else None
    return None


def remainder(left: Symbolic, right: Symbolic) -> Value | None:
    """``left % right`` for a known positive divisor."""
    divisor = constant(right)
    if divisor is None or divisor <= 0:
        return None
    if left.multiple_of % divisor == 0:
        return Known(0, left.because)
    minimum = 0 if left.minimum is not None and left.minimum >= 0 else 1 - divisor
    common = gcd(left.multiple_of, divisor)
    made = _opaque(f"{_wrapped(left)}%{divisor}", (left, right), common, minimum, divisor - 1)
    return _as_division(made, left, right, is_rest=True)


def _as_division(made: Symbolic, left: Symbolic, right: Symbolic, *, is_rest: bool) -> Symbolic:
    """``made``, a parameter by itself, with what it is the result of."""
    return described(made, division=Division(left.terms, right.terms, is_rest))


def described(made: Symbolic, **facts: object) -> Symbolic:
    """``made``, a parameter by itself, with further ``facts`` about it, by the fields of ``Parameter``."""
    (term,) = made.terms
    (atom,) = term.atoms
    return replace(made, terms=(Term((replace(atom, **facts),), 1),))  # type: ignore[arg-type]


def lowest(left: Symbolic, right: Symbolic) -> Symbolic:
    """``min(left, right)``."""
    return _extremum("min", left, right)


def highest(left: Symbolic, right: Symbolic) -> Symbolic:
    """``max(left, right)``."""
    return _extremum("max", left, right)


def hull(values: Iterable[Symbolic]) -> Symbolic:
    """A number that is one of ``values``."""
    sides = tuple(values)
    minimums = [each.minimum for each in sides]
    maximums = [each.maximum for each in sides]
    made = _opaque(
        " or ".join(dict.fromkeys(each.text for each in sides)),
        sides,
        gcd(*(each.multiple_of for each in sides)),
        None if None in minimums else min(each for each in minimums if each is not None),
        None if None in maximums else max(each for each in maximums if each is not None),
    )
    kinds = [_kind(each) for each in sides]
    return described(made, among=tuple(sorted(frozenset().union(*kinds)))) if all(kinds) else made


def multiple(value: Symbolic, divisor: int) -> Symbolic:
    """``value`` where it is known to be a multiple of ``divisor``: a parameter by itself stays the same number."""
    if len(value.terms) == 1 and value.terms[0].factor == 1 and len(value.terms[0].atoms) == 1:
        atom = value.terms[0].atoms[0]
        return _made((Term((replace(atom, multiple_of=lcm(atom.multiple_of, divisor)),), 1),), value.because)
    return _opaque(value.text, (value,), divisor, value.minimum, value.maximum)


def within(value: Symbolic, minimum: int | None, maximum: int | None) -> Symbolic:
    """``value`` where it is known to have these bounds: a parameter by itself stays the same number."""
    if len(value.terms) == 1 and value.terms[0].factor == 1 and len(value.terms[0].atoms) == 1:
        atom = value.terms[0].atoms[0]
        fitting = (each for each in atom.among if (minimum or each) <= each and (maximum is None or each <= maximum))
        atom = replace(atom, minimum=minimum, maximum=maximum, among=tuple(fitting))
        return _made((Term((atom,), 1),), value.because)
    return _opaque(value.text, (value,), value.multiple_of, minimum, maximum)


def masked(left: Symbolic, mask: int) -> Symbolic | None:
    """``left & mask`` for a mask that is not negative, and for ``~(2**k - 1)``."""
    if mask < 0:
        step = -mask
        if step & (step - 1):
            return None
        # The number is rounded down to a multiple, in two's complement whatever its sign.
        minimum = None if left.minimum is None else left.minimum // step * step
        common = gcd(step, left.multiple_of) if left.multiple_of % step else left.multiple_of
        return _opaque(f"{_wrapped(left)}&~{step - 1}", (left,), max(common, step), minimum, left.maximum)
    made = _opaque(f"{_wrapped(left)}&{mask}", (left,), mask & -mask if mask else 1, 0, mask)
    modulus = symbolic(Known(mask + 1)) if mask and mask & (mask + 1) == 0 else None
    return made if modulus is None else _as_division(made, left, modulus, is_rest=True)


def open_operation(symbol: str, left: Symbolic, right: Symbolic) -> Symbolic:
    """``left symbol right`` where nothing more is known of it than its sides."""
    text = operation(symbol, left, right)
    made = parameter(text, text, f"{left.text} {symbol} {right.text}, which depends on run-time values")
    return _as_division(made, left, right, is_rest=symbol == "%") if symbol in ("/", "%") else made


def constant(value: Symbolic) -> int | None:
    """The number a polynomial is, when it has no parameters."""
    if all(not term.atoms for term in value.terms):
        return sum(term.factor for term in value.terms)
    return None


def _extremum(which: str, left: Symbolic, right: Symbolic) -> Symbolic:
    pick = min if which == "min" else max
    minimums, maximums = (left.minimum, right.minimum), (left.maximum, right.maximum)
    # The least is as little as either side, the greatest as much.
    near, far = (maximums, minimums) if which == "min" else (minimums, maximums)
    inner = pick((each for each in near if each is not None), default=None)
    outer = None if None in far else pick(each for each in far if each is not None)
    minimum, maximum = (outer, inner) if which == "min" else (inner, outer)
    made = _opaque(
        f"{which}({left.text}, {right.text})", (left, right), gcd(left.multiple_of, right.multiple_of), minimum, maximum
    )
    numbers = {pick(one, other) for one in _kind(left) for other in _kind(right)}
    return described(made, extremum=which, operands=(left.terms, right.terms), among=tuple(sorted(numbers)))


def _kind(value: Symbolic) -> tuple[int, ...]:
    """The numbers that ``value`` is one of, a constant of one; empty where they cannot be listed."""
    number = constant(value)
    return among(value) if number is None else (number,)


def limited(value: Symbolic, ask: Callable[[Parameter], int | None]) -> Symbolic:
    """``value`` where ``ask`` says how large parameters are at most."""
    return _made(_limited(value.terms, ask), value.because)


def _limited(terms: tuple[Term, ...], ask: Callable[[Parameter], int | None]) -> tuple[Term, ...]:
    return tuple(Term(tuple(_limited_atom(atom, ask) for atom in term.atoms), term.factor) for term in terms)


def _limited_atom(atom: Parameter, ask: Callable[[Parameter], int | None]) -> Parameter:
    most = ask(atom)
    if most is None and atom.dividend:
        _, whole = _bounds(_grouped(_limited(atom.dividend, ask)))
        most = None if whole is None else _towards_zero(whole, atom.divisor)
    if most is None or (atom.maximum is not None and atom.maximum <= most):
        return atom
    return replace(atom, maximum=most, is_guarded=True)


def number_with(value: Value, ask: Callable[[Parameter], int | None]) -> int | None:
    """``value`` where ``ask`` answers for parameters; ``None`` when it rests on others too."""
    match value:
        case Known(value=number):
            return number
        case Symbolic(terms=terms) | Unknown(terms=terms) if terms:
            return _sum_with(terms, ask)
        case _:
            return None


def _sum_with(terms: tuple[Term, ...], ask: Callable[[Parameter], int | None]) -> int | None:
    total = 0
    for term in terms:
        product = term.factor
        for atom in term.atoms:
            number = _atom_with(atom, ask)
            if number is None:
                return None
            product *= number
        total += product
    return total


def _atom_with(atom: Parameter, ask: Callable[[Parameter], int | None]) -> int | None:
    number = ask(atom)
    if number is not None:
        return number
    if atom.dividend:
        whole = _sum_with(atom.dividend, ask)
        return None if whole is None else _towards_zero(whole, atom.divisor)
    if atom.extremum:
        sides = [_sum_with(each, ask) for each in atom.operands]
        numbers = [each for each in sides if each is not None]
        if len(numbers) < len(sides):
            return None
        return min(numbers) if atom.extremum == "min" else max(numbers)
    return None


def _cancelled(left: Symbolic, right: Symbolic) -> Symbolic | None:
    """``n * k / n``."""
    if len(right.terms) != 1:
        return None
    (divisor,) = right.terms
    terms: list[Term] = []
    for term in left.terms:
        atoms = list(term.atoms)
        for atom in divisor.atoms:
            if atom not in atoms:
                return None
            atoms.remove(atom)
        if divisor.factor == 0 or term.factor % divisor.factor:
            return None
        terms.append(Term(tuple(atoms), term.factor // divisor.factor))
    return _made(tuple(terms), left.because)


def _opaque(
    text: str, sides: tuple[Symbolic, ...], multiple_of: int, minimum: int | None, maximum: int | None
) -> Symbolic:
    """A parameter that stands for a computation; named by what it is computed from."""
    key = text + "|" + "|".join(atom.key for side in sides for term in side.terms for atom in term.atoms)
    location = next((atom.location for side in sides for term in side.terms for atom in term.atoms), None)
    reason = next((atom.reason for side in sides for term in side.terms for atom in term.atoms), "not a constant")
    roots = tuple(dict.fromkeys(name for side in sides for name in side.parameters))
    made = parameter(
        text, key, reason, location, multiple_of=max(multiple_of, 1), minimum=minimum, maximum=maximum, roots=roots
    )
    return replace(made, because=tuple(dict.fromkeys(step for side in sides for step in side.because)))


def _made(terms: tuple[Term, ...], because: tuple[Step, ...]) -> Symbolic:
    """A polynomial in normal form: like terms together, none with the factor 0."""
    if len(terms) == 1 and not terms[0].atoms:
        number = terms[0].factor
        return Symbolic(str(number), (), abs(number) or 1, number, number, tuple(dict.fromkeys(because)), terms)
    steps = tuple(dict.fromkeys(because))
    if len(terms) == 1 and len(terms[0].atoms) == 1 and terms[0].factor == 1:
        # A parameter by itself, as every other one is: all there is to work out is written on it.
        (atom,) = terms[0].atoms
        names, text = tuple(dict.fromkeys(atom.roots or (atom.text,))), _joined([atom.text])
        return Symbolic(text, names, atom.multiple_of or 1, atom.minimum, atom.maximum, steps, terms)
    kept = _grouped(terms)
    made = Symbolic(
        _text(kept),
        tuple(dict.fromkeys(name for term in kept for atom in term.atoms for name in atom.roots or (atom.text,))),
        common_divisor(kept),
        *_bounds(kept),
        steps,
        kept,
    )
    if len(kept) > MAX_TERMS or any(len(term.atoms) > MAX_DEGREE for term in kept):
        return _opaque(made.text, (made,), made.multiple_of, made.minimum, made.maximum)
    return made


def _negated(terms: tuple[Term, ...]) -> tuple[Term, ...]:
    return tuple([Term(term.atoms, -term.factor) for term in terms])


def _grouped(terms: tuple[Term, ...]) -> tuple[Term, ...]:
    """Like terms together, none with the factor 0; 0 by itself when nothing is left."""
    if len(terms) == 1 and len(terms[0].atoms) < 2 and terms[0].factor:
        return terms
    grouped: dict[tuple[Parameter, ...], int] = {}
    for term in terms:
        atoms = term.atoms if len(term.atoms) < 2 else tuple(sorted(term.atoms, key=lambda atom: atom.key))
        grouped[atoms] = grouped.get(atoms, 0) + term.factor
    return tuple([Term(atoms, factor) for atoms, factor in grouped.items() if factor]) or (Term((), 0),)


def _bounds(terms: tuple[Term, ...]) -> tuple[int | None, int | None]:
    """The least and the greatest value of the sum."""
    least: int | None = 0
    most: int | None = 0
    for term in terms:
        interval: tuple[int | None, int | None] = _ONE
        for atom in term.atoms:
            interval = _product(interval, (atom.minimum, atom.maximum))
        low, high = _product(interval, (term.factor, term.factor))
        least = None if least is None or low is None else least + low
        most = None if most is None or high is None else most + high
    return least, most


def _product(
    left: tuple[int | None, int | None], right: tuple[int | None, int | None]
) -> tuple[int | None, int | None]:
    """Interval product; ``None`` is unbounded. Exact for bounded sides, and for sides that are not negative."""
    if left == _ONE:
        return right
    if right == _ONE:
        return left
    if None not in left and None not in right:
        corners = [a * b for a in left for b in right if a is not None and b is not None]
        return min(corners), max(corners)
    if left == (-1, -1) or (left[0] == left[1] and left[0] is not None and left[0] < 0):
        left, right = right, left
    if right[0] == right[1] and right[0] is not None and right[0] < 0:
        flipped = _product(left, (-right[0], -right[0]))
        return (None if flipped[1] is None else -flipped[1], None if flipped[0] is None else -flipped[0])
    if left[0] is not None and right[0] is not None and left[0] >= 0 and right[0] >= 0:
        high = None if left[1] is None or right[1] is None else left[1] * right[1]
        return left[0] * right[0], high
    for one, other in ((left, right), (right, left)):
        if one[0] == one[1] and one[0] is not None and one[0] >= 0:
            # A factor that is known and not negative keeps each bound that there is.
            factor = one[0]
            low, high = (None if each is None else each * factor for each in other)
            return (0, 0) if factor == 0 else (low, high)
        if one[0] is not None and one[0] >= 0 and one[1] is not None and other[1] is not None:
            return None, max(other[1] * one[0], other[1] * one[1])
    return None, None


def _towards_zero(number: int, divisor: int) -> int:
    return number // divisor if number >= 0 else -(-number // divisor)


def operation(symbol: str, left: Symbolic, right: Symbolic) -> str:
    """``left symbol right`` as text, with the parentheses it needs."""
    return f"{_wrapped(left)}{symbol}{right.text if _is_simple(right.text) else f'({right.text})'}"


def _wrapped(value: Symbolic) -> str:
    """``value`` as the left side of ``*``, ``/`` or ``%``."""
    is_product = len(value.terms) == 1 and (value.terms[0].factor != 1 or len(value.terms[0].atoms) > 1)
    return value.text if is_product or _is_simple(value.text) else f"({value.text})"


def _is_simple(text: str) -> bool:
    """Whether nothing joins two parts of a text but brackets: ``n``, ``a.size()``, ``min(n, 4)``."""
    if text.isidentifier():
        return True
    depth = 0
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 0 and letter in _JOINING:
            return False
    return depth == 0


def _text(terms: tuple[Term, ...]) -> str:
    parts: list[str] = []
    for term in terms:
        alone = len(term.atoms) == 1 and term.factor == 1 and len(terms) == 1
        names = [atom.text if alone or _is_simple(atom.text) else f"({atom.text})" for atom in term.atoms]
        if not names:
            parts.append(str(term.factor))
        elif term.factor == 1:
            parts.append("*".join(names))
        else:
            parts.append("*".join((str(term.factor), *names)))
    return _joined(parts)


def _joined(parts: list[str]) -> str:
    return " + ".join(parts).replace("+ -", "- ")
