"""Examples of numbers that are not known: what several values are, if the parameters they are made of are so and so."""

from collections.abc import Iterable, Iterator, Mapping

from sycllint.values.value import Division, Known, Parameter, Symbolic, Term, Value

MAX_ROOTS = 4
MUCH = 1000
LITTLE = (0, 1)


class Example:
    """Numbers for some parameters, and all that is computed from these."""

    def __init__(self, given: Mapping[str, int] | None = None, texts: Iterable[str] = ()) -> None:
        """``given``: numbers by the keys of parameters, whose ``texts`` are as people read them."""
        self._given = given or {}
        self.read = tuple(zip(texts, self._given.values(), strict=False))
        """What the parameters are called, and are."""

    def number(self, value: Value | None) -> int | None:
        """What a value is; ``None`` where that is made of anything else."""
        match value:
            case Known(value=number):
                return number
            case Symbolic(terms=terms) if terms:
                return self._sum(terms)
            case _:
                return None

    def parameter(self, parameter: Parameter) -> int | None:
        """What one parameter is."""
        if parameter.key in self._given:
            return self._given[parameter.key]
        if parameter.dividend:
            return self._divided(Division(parameter.dividend, (Term((), parameter.divisor),), is_rest=False))
        if parameter.division is not None:
            return self._divided(parameter.division)
        operands = [self._sum(each) for each in parameter.operands]
        numbers = [each for each in operands if each is not None]
        if not numbers or len(numbers) < len(operands):
            return None
        return min(numbers) if parameter.extremum == "min" else max(numbers)

    def _sum(self, terms: Iterable[Term]) -> int | None:
        total = 0
        for term in terms:
            part = term.factor
            for atom in term.atoms:
                number = self.parameter(atom)
                if number is None:
                    return None
                part *= number
            total += part
        return total

    def _divided(self, division: Division) -> int | None:
        dividend, divisor = self._sum(division.dividend), self._sum(division.divisor)
        if dividend is None or divisor is None or dividend < 0 or divisor <= 0:
            return None
        return dividend % divisor if division.is_rest else dividend // divisor


def examples(values: Iterable[Value], usual: int, step: int) -> Iterator[Example]:
    """Numbers for the parameters of some values: ``usual`` and ``step`` more for each; each in turn far more, 0 or 1.

    One without any where all is known; none where the parameters are too many, or one is computed in a way not known.
    """
    roots = {each.key: each for value in values if isinstance(value, Symbolic) for each in _roots(value.terms)}
    near = {key: usual + step * place for place, key in enumerate(roots)}
    if len(roots) > MAX_ROOTS or not all(_may_be(roots[key], number) for key, number in near.items()):
        return
    texts = [each.text for each in roots.values()]
    for given in (near, *({**near, key: other} for key in roots for other in (usual + MUCH * step, *LITTLE))):
        if all(_may_be(roots[key], number) for key, number in given.items()):
            yield Example(given, texts)


def _roots(terms: Iterable[Term]) -> Iterator[Parameter]:
    for term in terms:
        for atom in term.atoms:
            inner = [*atom.operands, atom.dividend]
            if atom.division is not None:
                inner += [atom.division.dividend, atom.division.divisor]
            if any(inner):
                for each in inner:
                    yield from _roots(each)
            else:
                yield atom


def _may_be(parameter: Parameter, number: int) -> bool:
    if parameter.roots:
        return False
    least, most = parameter.minimum, parameter.maximum
    is_between = (least is None or least <= number) and (most is None or number <= most)
    return is_between and number % parameter.multiple_of == 0 and (not parameter.among or number in parameter.among)
