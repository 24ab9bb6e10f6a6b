"""The acts of one function as they are read: what its names are, and the conditions on what is being read.

The function's own names have bits by themselves, one for each declaration; others have theirs by their token.
"""

from __future__ import annotations

from collections.abc import Iterable

from sycllint.cpp.expression import Binary, Lambda, Name, Type
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, Parameter
from sycllint.kernel.outline import OBJECT, SHARED, Division, Kind, Outline, Stretch, Token
from sycllint.kernel.vocabulary import GROUP_HANDLES, ITEM_TYPES, SUB_GROUP_TYPES

HANDLE_TYPES = ITEM_TYPES | SUB_GROUP_TYPES | GROUP_HANDLES
"""Types of items and groups."""
OWN_OBJECT = 1 << SHARED.index(OBJECT)
"""The bit of the object that a method is called on."""


class Ledger:
    """What has been read of one function."""

    def __init__(self, function: Lambda | Function, place: Place) -> None:
        self._function = function
        self._place = place
        self._tokens: dict[Token, int] = {token: 1 << position for position, token in enumerate(SHARED)}
        self._bits = len(SHARED)
        """Bits given to names so far."""
        self._scope: dict[str, int] = {}
        """What the function declares, as far as it is visible here."""
        self._from_outside = (1 << self._bits) - 1
        """The names that it does not declare."""
        self._pointers = 0
        self._fixed = 0
        """Items and groups: they are what they are, whomever they are handed to."""
        self._closures: dict[str, tuple[list[tuple[Parameter, int]], range]] = {}
        """Lambdas by the names of their variables: their parameters and their acts."""
        self._kinds: list[Kind] = []
        self._sources: list[int] = []
        self._into: list[int] = []
        self._carries: list[tuple[int, int]] = []
        self._called: dict[int, str] = {}
        """The functions that acts call."""
        self._stretches: list[Stretch] = []
        self._loops: list[Stretch] = []
        self._divisions: list[Division] = []
        self._handles: set[int] = set()
        self._handle_names = {each.name for each in function.parameters}
        self._outside: dict[str, Name] = {}
        self._force = 0
        """What the conditions come from under which the code here runs."""
        self._returns = 0
        """Likewise of the returns so far: they skip what comes after them, or is the loop around them."""
        self._breaks = 0
        self._continues = 0

    def made(self, parameters: list[int]) -> Outline:
        """The outline of what was read; ``parameters`` are the function's."""
        kinds, sources, into = self._kinds, self._sources, self._into
        made = Outline(plain_name(self._function), kinds, sources, into, self._tokens)
        for act, name in self._called.items():
            made.calling.setdefault(name, []).append(act)
        written = 0
        for act, (kind, came, went) in enumerate(zip(kinds, sources, into, strict=True)):
            if went:
                made.writes.append((went, came, act))
                written |= went
                if kind is Kind.FLOW and came:
                    made.flows.append((came, went))
            elif kind is Kind.BARRIER:
                made.barriers.append(act)
            elif kind is Kind.WIDTH:
                made.widths.append(act)
            elif kind is Kind.UNSEEN:
                made.unseen.append(act)
            elif kind is Kind.LEAP:
                made.leaps.append(act)
        made.writes.reverse()
        made.carries = self._carries
        made.targets = written
        made.written = tuple(made.known(written, self._tokens))
        made.stretches, made.loops, made.divisions = self._stretches, self._loops, self._divisions
        made.handles, made.parameters = self._handles, tuple(parameters)
        made.outside = tuple(self._outside.values())
        return made

    def _declare(self, name: str, kind: Type | None = None) -> int:
        """A bit for something the function declares."""
        bit = self._scope[name] = self._fresh()
        self._closures.pop(name, None)
        if kind is not None:
            if kind.pointers:
                self._pointers |= bit
            elif kind.name.last in HANDLE_TYPES:
                self._fixed |= bit
        return bit

    def _fresh(self) -> int:
        """A bit that nothing has yet."""
        self._bits += 1
        return 1 << self._bits - 1

    def _shared(self, token: Token) -> int:
        """The bit of what other functions know, too."""
        bit = self._tokens.get(token)
        if bit is None:
            bit = self._tokens[token] = self._fresh()
        return bit

    def _named(self, name: str) -> int:
        """The bit of what a name stands for here."""
        bit = self._scope.get(name)
        if bit is None:
            bit = self._shared(name)
            self._from_outside |= bit
        return bit

    def _act(self, kind: Kind, sources: int = 0, into: int = 0) -> None:
        self._kinds.append(kind)
        self._sources.append(sources | self._force | self._returns | self._breaks | self._continues)
        self._into.append(into)

    def _flow(self, into: int, sources: int) -> None:
        if into:
            # Written out, as by far the most acts are flows.
            self._kinds.append(Kind.FLOW)
            self._sources.append(sources | self._force | self._returns | self._breaks | self._continues)
            self._into.append(into)

    def _store(self, into: int, sources: int) -> None:
        if into:
            self._act(Kind.STORE, sources, into)

    def _carry(self, into: int, number: int) -> None:
        """A number goes into a variable."""
        if into and number:
            self._carries.append((number, into))

    def _calls(self, name: str) -> None:
        """A function of the project may run here."""
        self._called[len(self._kinds)] = name
        self._act(Kind.CALL)

    def _divides(self, node: Binary, left: int, both: int) -> None:
        """Something is divided, whatever decides whether it is."""
        self._divisions.append(Division(len(self._kinds), node, left, self._place))
        self._kinds.append(Kind.DIVISION)
        self._sources.append(both)
        self._into.append(0)

    def _reaches(self, into: int, sources: int) -> None:
        """What is written through a pointer or reference goes into what it leads to."""
        outside = into & self._from_outside
        if outside != into:
            self._flow(into & ~outside, sources)
        if outside:
            self._store(outside, sources)

    def _bound(self, parameters: list[tuple[Parameter, int]], given: Iterable[tuple[int, int]]) -> None:
        """What a lambda is called with: what each argument comes from, and whose number it has."""
        for (parameter, bit), (sources, number) in zip(parameters, given, strict=False):
            self._flow(bit, sources)
            self._carry(bit, number)
            if parameter.type.reference or parameter.type.pointers:
                self._store(sources & ~OWN_OBJECT, bit)
                self._carry(number, bit)

    def _again(self, closure: range) -> None:
        """A lambda runs here: what it does is under the conditions of this place too."""
        for act in closure:
            kind = self._kinds[act]
            if kind in (Kind.RETURN, Kind.BREAK, Kind.CONTINUE):
                continue
            if kind is Kind.CALL:
                self._called[len(self._kinds)] = self._called[act]
            self._act(Kind.STORE if self._into[act] else kind, self._sources[act], self._into[act])


def argument_of(name: str, position: int) -> Token:
    """What is handed to a function, by its name alone: overloads are one."""
    return (name, position)


def result_of(name: str, position: int) -> Token:
    """What a function gives (-1), or leaves in what it was handed."""
    return (name, position, "after")


def plain_name(function: Lambda | Function) -> str:
    """The name by which a function is called; empty for lambdas."""
    return function.name.rpartition("::")[2] if isinstance(function, Function) else ""
