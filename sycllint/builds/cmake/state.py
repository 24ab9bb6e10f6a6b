"""The abstract state at one point of a CMake run: variables, and facts about folders and targets so far.

Every fact is a ``Choice`` under a key, so that two branches are joined by joining their facts.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import prod
from typing import TypeVar

from sycllint.builds.settings import Choice, one_of

Made = TypeVar("Made")
Key = tuple[str | int, ...]
"""``("variable", depth, name)``, ``("cache", name)``, or what a folder or target has: see ``Facts``."""

UNKNOWN = "\0"
"""Stands in a text for a part of it that is not known."""
ABSENT = Choice(undefined=True)
SAID = Choice(("1",))
"""That a command says something which is either said or not."""
MAX_WAYS = 24
"""Combinations of values that the variables of one command or condition may have, at most."""


class CMakeScopes:
    """The scopes that are open in a run, by the number of those around each."""

    def __init__(self) -> None:
        self.names: defaultdict[int, set[str]] = defaultdict(set)
        """The variables that were set in it on any way."""
        self.parameters: dict[int, Mapping[str, str]] = {}
        """Those of the function whose scope it is, which hold until they are set."""

    def leave(self, depth: int) -> None:
        """Close the scopes inside more than ``depth`` others."""
        for known in (self.names, self.parameters):
            for inner in [each for each in known if each > depth]:
                del known[inner]


class CMakeState:
    """The facts at one point. A branch that may run has a state of its own, which stands on that of the point before.

    As long as a branch runs, the state that it stands on does not change.
    """

    def __init__(
        self, default: Callable[[str], Choice], scopes: CMakeScopes, below: "CMakeState | None" = None
    ) -> None:
        """``default``: what a variable is that no command has set."""
        self._default = default
        self._scopes = scopes
        self._below = below
        self._own: dict[Key, Choice | None] = {}
        """The facts since the fork; ``None`` for those that were removed."""

    def fork(self) -> "CMakeState":
        """The state of a branch that begins here."""
        return CMakeState(self._default, self._scopes, self)

    def kept(self, base: "CMakeState") -> "CMakeState":
        """A copy that stands on ``base`` and on nothing between: for a branch that is joined there later."""
        made = CMakeState(self._default, self._scopes, base)
        made._own = self._since(base)
        return made

    def _since(self, before: "CMakeState | None") -> dict[Key, Choice | None]:
        """What was noted since ``before``, on which this one stands; of ``None``, all."""
        layers: list[dict[Key, Choice | None]] = []
        state: CMakeState | None = self
        while state is not None and state is not before:
            layers.append(state._own)
            state = state._below
        noted: dict[Key, Choice | None] = {}
        for layer in reversed(layers):
            noted.update(layer)
        return noted

    def fact(self, key: Key) -> Choice | None:
        """The fact under ``key``."""
        state: CMakeState | None = self
        while state is not None:
            if key in state._own:
                return state._own[key]
            state = state._below
        return None

    @property
    def noted(self) -> dict[Key, Choice]:
        """The facts since the fork."""
        return {key: value for key, value in self._own.items() if value is not None}

    def facts(self) -> dict[Key, Choice]:
        """All that was noted."""
        return {key: value for key, value in self._since(None).items() if value is not None}

    def note(self, key: Key, value: Choice) -> None:
        """Let ``value`` be the fact under ``key``."""
        self._own[key] = value

    def forget(self, keys: Iterable[Key]) -> None:
        """Drop facts: those of a scope that ends."""
        for key in keys:
            self._own[key] = None

    def variable(self, name: str, depth: int) -> Choice:
        """The value of a variable in a scope inside ``depth`` others."""
        names, parameters = self._scopes.names, self._scopes.parameters
        for scope in range(depth, -1, -1):
            found = self.fact(("variable", scope, name)) if name in names[scope] else None
            if found is not None:
                return found
            if scope in parameters and name in parameters[scope]:
                return value_of(parameters[scope][name])
        return self.fact(("cache", name)) or self._default(name)

    def _visible(self, key: Key, found: Choice | None) -> Choice:
        """The visible fact under a key whose own fact is ``found``."""
        if found is None and key[0] == "variable":
            return self.variable(str(key[2]), int(key[1]))
        if found is None and key[0] == "cache":
            return self._default(str(key[1]))
        return found or ABSENT

    def join(self, branches: Sequence["CMakeState"], reason: str) -> None:
        """Become what holds after one of ``branches``, which began here; ``reason``: what decides among them."""
        if len(branches) == 1:
            self._own.update(branches[0]._since(self))
            return
        noted: dict[Key, Choice | None] = {}
        for key in dict.fromkeys(key for each in branches for key in each._since(self)):
            found = [each.fact(key) for each in branches]
            first = found[0]
            if all(each is first for each in found):
                noted[key] = first
            else:
                values = [each._visible(key, value) for each, value in zip(branches, found, strict=True)]
                noted[key] = one_of(values, reason)
        self._own.update(noted)


class _UndecidedError(Exception):
    """More than one text is possible: each is to be tried."""

    def __init__(self, name: str, texts: Sequence[str | None]) -> None:
        super().__init__(name)
        self.name = name
        self.texts = texts


Read = Callable[[str], str | None]
"""The value of a variable in one combination: ``None`` when it is not set."""


def ways(
    variable: Callable[[str], Choice], work: Callable[[Read], Made], surely_read: Iterable[str] = ()
) -> list[tuple[Mapping[str, str | None], Made]] | None:
    """The results of ``work`` for each combination of the variables that it reads; ``None`` when there are too many.

    ``surely_read``: variables that it reads first, whatever they are.
    """
    known: dict[str, tuple[str | None, ...]] = {}

    def texts_of_variable(name: str) -> tuple[str | None, ...]:
        if name not in known:
            known[name] = texts_of(variable(name))
        return known[name]

    several = {name: texts for name in surely_read if len(texts := texts_of_variable(name)) > 1}
    if prod(map(len, several.values())) > MAX_WAYS:
        return None
    waiting = [dict(zip(several, each, strict=True)) for each in product(*several.values())][::-1]
    found: list[tuple[Mapping[str, str | None], Made]] = []
    while waiting:
        chosen = waiting.pop()

        def read(name: str, chosen: Mapping[str, str | None] = chosen) -> str | None:
            if name in chosen:
                return chosen[name]
            texts = texts_of_variable(name)
            if len(texts) > 1:
                raise _UndecidedError(name, texts)
            return texts[0]

        try:
            found.append((chosen, work(read)))
        except _UndecidedError as fork:
            waiting += [{**chosen, fork.name: text} for text in reversed(fork.texts)]
        if len(found) + len(waiting) > MAX_WAYS:
            return None
    return found


def texts_of(value: Choice) -> tuple[str | None, ...]:
    """Every text that a variable may have: ``None`` where it may not be set, ``UNKNOWN`` for those not known."""
    absent = (None,) if value.undefined else ()
    return (*value.texts, *absent, *((UNKNOWN,) if value.open or not (value.texts or absent) else ()))


@lru_cache(maxsize=4096)
def value_of(text: str) -> Choice:
    """The value of a variable that is set to ``text``, of which parts may not be known."""
    if text and not text.strip(UNKNOWN):
        return Choice(open=True, reason="a value that the build files do not say")
    return Choice((text,))
