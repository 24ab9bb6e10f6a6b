"""What a front end answers, in records that outlive its trees, and the way by which a question says code is reached."""

from typing import TypeAlias

from sycllint.record import NamedTuple

Way: TypeAlias = tuple[tuple[str, int, int], ...]
"""The calls that lead to a piece of code, outermost first: path, and the byte offsets of the whole call."""


class Constant(NamedTuple):
    """An integer, and the type it has in C++."""

    value: int
    bits: int
    signed: bool


class EvalResult(NamedTuple):
    """What is known of an expression."""

    constant: Constant | None
    """``None`` when it is no integer constant, or is another from one instantiation to the next."""
    hangs: bool
    """It is a constant in some instantiation of the template around it: the way there decides."""


class HeldVariable(NamedTuple):
    """One variable that a kernel holds."""

    name: str
    type: str
    bytes: int


class ThisMember(NamedTuple):
    """A data member that a lambda reaches through the ``this`` of the function around it."""

    name: str
    owner: str
    """The class that declares it."""
    start: int
    end: int


class Held(NamedTuple):
    """What a lambda or a function object holds."""

    bytes: int
    """Of its parts: at least what the kernel is given as arguments."""
    parts: tuple[HeldVariable, ...]
    """The largest first."""
    members: tuple[ThisMember, ...] = ()
    """What it reaches through ``this``, each once, where it does so first."""


class Definition(NamedTuple):
    """Where the function that a call means is written."""

    path: str
    start: int
    """Of its name."""
