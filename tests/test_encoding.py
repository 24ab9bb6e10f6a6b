"""Records as bytes and back: what comes again, and what is refused."""

import json
import zlib

import pytest

from sycllint.encoding import Codec, Undecodable, by_fields, decoded, encoded
from sycllint.record import NamedTuple, record, unique


class Range(NamedTuple):
    """A class of tuples."""

    name: str
    start: int
    end: int


@record
class Pair:
    """A record."""

    first: object
    second: object


@unique
class Leaf:
    """A record that is equal to itself only."""

    text: str


CODECS = by_fields(Range, Pair, Leaf)


@pytest.mark.parametrize(
    "value",
    [
        Pair(1, True),
        Pair(0, False),
        Pair(None, "None"),
        Pair((), frozenset()),
        Pair({"a": 1, ("b", 2): [3]}, b"\xff\0"),
        Range("\udcff\N{SNOWMAN}", -1, 2**70),
        (Range("a", 1, 2), Pair(Range("a", 1, 2), ())),
        "alone",
    ],
)
def test_what_is_decoded_is_what_was_encoded(value: object) -> None:
    found = decoded(encoded((value,), CODECS), CODECS)
    assert repr(found) == repr((value,))


def test_an_object_that_stands_twice_comes_again_as_one() -> None:
    leaf = Leaf("x")
    first, second = decoded(encoded(Pair((leaf,), leaf), CODECS), CODECS).first[0], leaf
    again = decoded(encoded(Pair((leaf,), leaf), CODECS), CODECS)
    assert again.first[0] is again.second
    assert first is not second


def test_code_may_be_nested_deeper_than_the_interpreter_calls() -> None:
    value: object = ()
    for _ in range(5000):
        value = Pair(value, None)
    depth = 0
    found = decoded(encoded(value, CODECS), CODECS)
    while isinstance(found, Pair):
        found, depth = found.first, depth + 1
    assert depth == 5000


def test_what_the_reader_has_is_only_named() -> None:
    content = b"many bytes" * 1000
    data = encoded(Pair(content, 1), CODECS, (content,))
    assert len(data) < 100
    assert decoded(data, CODECS, (b"others",)) == Pair(b"others", 1)


def test_parts_may_be_made_when_asked_for() -> None:
    codecs = {
        **CODECS,
        complex: Codec(lambda each: ((str(each.real), 1), (str(each.imag), 2)), lambda a, b: (a[0], b[0])),
    }
    assert decoded(encoded([2 + 1j, 3 + 2j], codecs), codecs) == [("2.0", "1.0"), ("3.0", "2.0")]


def test_an_object_of_another_class_is_not_encoded() -> None:
    with pytest.raises(KeyError):
        encoded(Pair(1.5, ()), CODECS)


def packed(*content: object) -> bytes:
    return zlib.compress(json.dumps(content).encode())


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not compressed",
        encoded(Pair("a", "b"), CODECS)[:-3],
        encoded(Pair("a", "b"), CODECS)[:10] + b"\0\0" + encoded(Pair("a", "b"), CODECS)[12:],
        packed(),
        packed([], []),
        packed(["a"], [99, 0, 0]),
        packed(["a"], [6, 2, 0, 0, 17]),
        packed(["a"], [6, 1, 0, 0]),
        packed(["a"], [6, 2]),
        packed(["a"], ["sycllint.errors", 0, 0]),
        packed([], {"a": 1}),
        packed([], [1, -1, 0] * 4)[:-1],
    ],
)
def test_what_is_damaged_or_made_up_is_refused(data: bytes) -> None:
    with pytest.raises(Undecodable):
        decoded(data, CODECS)
