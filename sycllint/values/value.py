"""The four things that can be said of a number in the source, each with where it comes from."""

from collections.abc import Collection, Iterator
from math import gcd

from sycllint.record import field, record, replace
from sycllint.source.span import Location

DEVICE_PROPERTY = "a device property"
"""The name of parameters that come from a device query."""


@record
class Step:
    """One named stop on the way to a number: ``name`` stood for ``value`` at ``location``."""

    name: str
    value: int | None
    location: Location
    is_unset: bool = field(default=False, compare=False)
    """A data member that its object does not have that number in when it is set up."""

    @property
    def message(self) -> str:
        """For a related location: ``R is 5 here``."""
        return f"{self.name} is {self.value} here" if self.value is not None else f"{self.name} is declared here"


@record
class Known:
    """Exactly this number."""

    value: int
    because: tuple[Step, ...] = ()


@record
class OneOf:
    """One of these numbers; ``open`` when others are possible. At least two values, ascending, distinct."""

    values: tuple[Known, ...]
    open: bool = False


@record
class Parameter:
    """A number without a value: a variable, the result of a call, a quotient.

    Two parameters are the same number when their keys are equal.
    """

    key: str
    text: str = field(compare=False)
    reason: str = field(compare=False)
    location: Location | None = field(default=None, compare=False)
    multiple_of: int = field(default=1, compare=False)
    minimum: int | None = field(default=None, compare=False)
    maximum: int | None = field(default=None, compare=False)
    roots: tuple[str, ...] = field(default=(), compare=False)
    """The parameters it is computed from; empty when it is one itself."""
    dividend: "tuple[Term, ...]" = field(default=(), compare=False)
    """Of a quotient by a number, rounded towards zero; empty when it is none."""
    divisor: int = field(default=1, compare=False)
    division: "Division | None" = field(default=None, compare=False)
    """What it is the remainder of, or the quotient of where the divisor is not a number."""
    asked: str = field(default="", compare=False)
    """The name in ``sycl::info::device`` of the property that it is; empty when it is none."""
    extremum: str = field(default="", compare=False)
    """``min`` or ``max`` when it is that of ``operands``."""
    operands: "tuple[tuple[Term, ...], ...]" = field(default=(), compare=False)
    is_guarded: bool = field(default=False, compare=False)
    """``maximum`` is what a comparison lets pass: more than that it is not, whether or not it is ever as much."""
    among: tuple[int, ...] = field(default=(), compare=False)
    """The numbers of which it is one, least first, where they are all of a kind, as powers of two: too many to list."""


@record
class Term:
    """``factor`` times the product of ``atoms``."""

    atoms: tuple[Parameter, ...]
    factor: int


@record
class Division:
    """A division of integers that does not come out as a polynomial."""

    dividend: tuple[Term, ...]
    divisor: tuple[Term, ...]
    is_rest: bool
    """The remainder is meant, and not the quotient."""


@record
class Symbolic:
    """Not a number yet, but something is known: a multiple, or bounds (inclusive, ``None`` when unbounded).

    ``terms`` is the polynomial; made by ``sycllint.values.symbolic``.
    """

    text: str
    parameters: tuple[str, ...]
    multiple_of: int = 1
    minimum: int | None = None
    maximum: int | None = None
    because: tuple[Step, ...] = ()
    terms: tuple[Term, ...] = ()

    @property
    def asks_device(self) -> bool:
        """Whether it comes from a device query, so that the program adapts to the device by itself."""
        return DEVICE_PROPERTY in self.parameters

    @property
    def is_guarded(self) -> bool:
        """Whether ``maximum`` rests on a comparison that a number has to pass."""
        return any(atom.is_guarded for term in self.terms for atom in term.atoms)


@record
class Unknown:
    """Nothing is known, and why."""

    reason: str
    location: Location | None = None
    terms: tuple[Term, ...] = field(default=(), compare=False)
    """What it is in terms of properties of the device, when it is that."""


Value = Known | OneOf | Symbolic | Unknown


def possible(value: Value) -> Iterator[Known]:
    """The numbers ``value`` may be, when they can be listed; nothing otherwise."""
    match value:
        case Known():
            yield value
        case OneOf(values=values):
            yield from values
        case _:
            return


def set_up(value: Value) -> Value:
    """``value`` without a 0 that it is only as long as an object is not set up."""
    if not isinstance(value, OneOf):
        return value
    numbers = tuple(each for each in value.values if not is_unset(each))
    if len(numbers) > 1 or value.open:
        return replace(value, values=numbers)
    return numbers[0] if numbers else value


def is_unset(number: Value) -> bool:
    """Whether a number is 0, and that of a member of an object that is not set up."""
    return isinstance(number, Known) and number.value == 0 and any(step.is_unset for step in number.because)


def known(value: Value | None) -> int | None:
    """The number, if it is exactly known."""
    return value.value if isinstance(value, Known) else None


def all_known(values: Collection[Value | None]) -> tuple[int, ...] | None:
    """The numbers that ``values`` are; ``None`` where one of them is not exactly known."""
    numbers = tuple([each.value for each in values if isinstance(each, Known)])
    return numbers if len(numbers) == len(values) else None


def most(value: Value | None) -> int | None:
    """The greatest number that ``value`` may be; ``None`` where nothing limits it."""
    match value:
        case Known(value=number):
            return number
        case OneOf(values=values, open=False):
            return max(each.value for each in values)
        case Symbolic(maximum=number):
            return number
        case _:
            return None


def steps(*values: Value) -> tuple[Step, ...]:
    """The steps of all ``values``, each once, in order."""
    seen: dict[Step, None] = {}
    for value in values:
        if isinstance(value, Known | Symbolic) and value.because:
            seen.update(dict.fromkeys(value.because))
    return tuple(seen)


def multiple_of(value: Value) -> int:
    """A number that surely divides ``value``: itself when known, 1 when nothing better is known (0 divides only 0)."""
    match value:
        case Known(value=number):
            return abs(number)
        case OneOf(values=values, open=False):
            return gcd(*(each.value for each in values))
        case Symbolic(multiple_of=number):
            return number
        case _:
            return 1
