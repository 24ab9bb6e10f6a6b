"""Records and containers as bytes and back, each object once.

What is decoded may have been written by anyone: objects of the classes that the reader names are made, and nothing else
is looked up, imported or run.
"""

import zlib
from collections.abc import Callable, Mapping, Sequence
from json import dumps, loads
from operator import attrgetter
from typing import Any, TypeAlias

from sycllint.record import NamedTuple

LARGEST = 200_000_000
"""Bytes that are decoded at most."""

_ATOMS = frozenset({str, int, bool, type(None)})


class Undecodable(Exception):  # noqa: N818 - nothing is wrong: it is only of no use
    """Bytes that were not encoded so."""


class Codec(NamedTuple):
    """How objects of one class are taken apart, and made again of as many parts and then numbers."""

    parts: Callable[[Any], Sequence[object]]
    make: Callable[..., object]
    numbers: Callable[[Any], Sequence[int]] = lambda _: ()
    """Whole numbers, which are written as they are: parts are written once and referred to."""


Codecs: TypeAlias = Mapping[type, Codec]
"""By class. The writer's and the reader's have the same classes in the same order."""


def by_fields(*classes: type) -> Codecs:
    """Codecs of classes whose positional parameters are their fields."""
    return {each: _by_fields(each) for each in classes}


def _by_fields(cls: Any) -> Codec:
    names = [*cls.__match_args__]
    numbers: list[str] = []
    while names and cls.__annotations__.get(names[-1]) in (int, "int"):
        numbers.insert(0, names.pop())
    return Codec(_reader(names), cls, _reader(numbers))


def _reader(names: Sequence[str]) -> Callable[[Any], Sequence[Any]]:
    if len(names) > 1:
        return attrgetter(*names)
    return (lambda made: (getattr(made, names[0]),)) if names else lambda _: ()


_CONTAINERS: Codecs = {
    tuple: Codec(lambda made: made, lambda *parts: parts),
    list: Codec(lambda made: made, lambda *parts: [*parts]),
    frozenset: Codec(list, lambda *parts: frozenset(parts)),
    dict: Codec(lambda made: [*made, *made.values()], lambda *parts: dict(zip(*_halves(parts), strict=True))),
    bytes: Codec(lambda made: (made.decode("latin-1"),), lambda text: text.encode("latin-1")),
}


def _halves(parts: Sequence[object]) -> tuple[Sequence[object], Sequence[object]]:
    half = len(parts) // 2
    return parts[:half], parts[half:]


def encoded(root: object, codecs: Codecs, given: Sequence[object] = ()) -> bytes:
    """``root`` and all that it is made of. ``given``: objects that the reader has, too; they are only named.

    Raises ``KeyError`` for an object of any other class. Nothing may be a part of itself.
    """
    table = _Table(codecs, given)
    table.add(root)
    return zlib.compress(dumps(table.content, separators=(",", ":")).encode("ascii"), 1)


def decoded(data: bytes, codecs: Codecs, given: Sequence[object] = ()) -> Any:
    """The root again. Raises ``Undecodable`` for what ``encoded`` did not write with the same codecs."""
    makers = [each.make for each in _all_of(codecs).values()]
    try:
        unpacking = zlib.decompressobj()
        atoms, rows = loads(unpacking.decompress(data, LARGEST))
        if not unpacking.eof:
            raise Undecodable
        made = [*atoms, *given]
        position = 0
        while position < len(rows):
            parts = position + 3
            numbers = parts + rows[position + 1]
            end = numbers + rows[position + 2]
            made.append(makers[rows[position]](*[made[each] for each in rows[parts:numbers]], *rows[numbers:end]))
            position = end
        return made[-1]
    except (zlib.error, ValueError, TypeError, LookupError, AttributeError, RecursionError, MemoryError):
        raise Undecodable from None


def _all_of(codecs: Codecs) -> Codecs:
    return {**_CONTAINERS, **codecs}


class _Table:
    """Objects as rows: of which codec, how many parts and numbers, where the parts are, and the numbers."""

    def __init__(self, codecs: Codecs, given: Sequence[object]) -> None:
        known = _all_of(codecs)
        self._codecs = {cls: (number, each) for number, (cls, each) in enumerate(known.items())}
        self._atoms: dict[tuple[type, object], int] = {}
        """Places by class and value: ``True`` is not 1 here. They count down from -1."""
        self._places = {id(each): place for place, each in enumerate(given)}
        """The places of encoded objects by identity; of atoms, too, as most equal ones are the same object."""
        self._given = len(given)
        self._rows: list[tuple[int, list[int], Sequence[int]]] = []
        self._alive: list[Sequence[object]] = []
        """Parts that may be made when asked for: as long as they live, no other object has their identity."""

    def add(self, root: object) -> None:
        """Add an object after its parts."""
        places = self._places
        stack = [(root, self._parts(root))]
        while stack:
            made, parts = stack[-1]
            references: list[Any] = list(map(places.get, map(id, parts)))
            if None in references:
                for part in parts:
                    if id(part) in places:
                        continue
                    if type(part) in _ATOMS:
                        places[id(part)] = self._atoms.setdefault((type(part), part), ~len(self._atoms))
                    else:
                        stack.append((part, self._parts(part)))
                continue
            stack.pop()
            if id(made) not in places:
                places[id(made)] = self._given + len(self._rows)
                number, codec = self._codecs[type(made)]
                self._rows.append((number, references, codec.numbers(made)))

    def _parts(self, made: object) -> Sequence[object]:
        parts = self._codecs[type(made)][1].parts(made)
        self._alive.append(parts)
        return parts

    @property
    def content(self) -> list[list[object]]:
        """Atoms, and rows in which objects are counted after them."""
        atoms = len(self._atoms)
        flat: list[object] = []
        for number, references, numbers in self._rows:
            flat += (number, len(references), len(numbers))
            flat += [each + atoms if each >= 0 else ~each for each in references]
            flat += numbers
        return [[value for _, value in self._atoms], flat]
