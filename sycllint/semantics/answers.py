"""Answers of a front end, as records that outlive its trees, and the call path of a question."""

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
    """The value of an expression, as far as clang evaluates it."""

    constant: Constant | None
    """``None`` when it is no integer constant, or is another from one instantiation to the next."""
    hangs: bool
    """The value is a constant only in some instantiations of the template around it, so the call path decides."""


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
    """The captures of a lambda, or the members of a function object."""

    bytes: int
    """The sum of its parts: a lower bound of the bytes of the kernel's arguments."""
    parts: tuple[HeldVariable, ...]
    """The largest first."""
    members: tuple[ThisMember, ...] = ()
    """Members that it accesses through ``this``, each once, at its first access."""


class Definition(NamedTuple):
    """The place of the definition of a called function."""

    path: str
    start: int
    """The offset of its name."""
