"""Classes of fields: what they share with dataclasses, and where they differ."""

import copy
import dataclasses
import pickle
from typing import Generic, TypeVar

import pytest

from sycllint.record import NamedTuple, field, mutable, record, replace, singular, unique


@record
class Range:
    """Two fields, one of them with a default."""

    first: int
    last: int = 7


@record
class Named(Range):
    """With fields of a base class before its own."""

    name: str = ""
    note: str = field(default="", compare=False, repr=False)
    parts: list[int] = field(default_factory=list, hash=False)


@record(kw_only=True, guarded=True)
class Guarded:
    """Not to be changed by anyone."""

    size: int
    sizes: tuple[int, ...] = ()
    twice: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "twice", 2 * self.size)


Held = TypeVar("Held")


class Pair(NamedTuple, Generic[Held]):
    """A tuple with names."""

    first: Held
    second: int = 2

    @property
    def doubled(self) -> int:
        return 2 * self.second


@unique
class Token:
    """Equal only to itself."""

    text: str


@mutable
class Count:
    """Equal to one with the same number."""

    number: int = 0


@singular
class Counter:
    """Equal only to itself, and changing."""

    number: int = 0


def test_fields_are_given_by_place_or_by_name() -> None:
    assert Range(1) == Range(1, 7) == Range(last=7, first=1)
    assert (Range(1, 2).first, Range(1, 2).last) == (1, 2)


@pytest.mark.parametrize("arguments", [(), (1, 2, 3)])
def test_too_few_or_too_many_values_are_refused(arguments: tuple[int, ...]) -> None:
    with pytest.raises(TypeError, match=r"Range.__init__\(\)"):
        Range(*arguments)


def test_equal_records_have_equal_hashes() -> None:
    assert hash(Range(1, 2)) == hash(Range(1, 2)) != hash(Range(2, 1))
    assert Range(1, 2) != Range(2, 1)
    assert Range(1, 7) != object()


def test_fields_of_a_base_class_come_first() -> None:
    made = Named(1, 2, "three")
    assert (made.first, made.last, made.name) == (1, 2, "three")
    assert Named(1, 7) != Range(1, 7)


def test_fields_may_stay_out_of_comparisons_hashes_and_what_is_shown() -> None:
    assert Named(1, note="a") == Named(1, note="b")
    assert Named(1, parts=[1]) != Named(1, parts=[2])
    assert hash(Named(1, parts=[1])) == hash(Named(1, parts=[2]))
    assert repr(Named(1)) == "Named(first=1, last=7, name='', parts=[])"


def test_each_instance_has_a_default_of_its_own() -> None:
    assert Named(1).parts is not Named(1).parts


def test_there_is_no_room_for_other_attributes() -> None:
    with pytest.raises(AttributeError):
        Count().other = 1  # type: ignore[attr-defined]


def test_a_guarded_record_refuses_changes() -> None:
    made = Guarded(size=4)
    assert made.twice == 8
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'size'"):
        made.size = 5  # type: ignore[misc]


def test_fields_given_by_name_only() -> None:
    with pytest.raises(TypeError):
        Guarded(4)  # type: ignore[call-arg]


def test_identity_is_equality_where_that_is_asked_for() -> None:
    assert Token("a") != Token("a")
    assert Counter() != Counter()
    assert len({Token("a"), Token("a")}) == 2


def test_what_may_change_has_no_hash() -> None:
    count = Count()
    count.number += 3
    assert count == Count(3)
    with pytest.raises(TypeError, match="unhashable"):
        hash(count)


def test_matching_by_place() -> None:
    match Range(1, 2):
        case Range(first, last):
            assert (first, last) == (1, 2)


@pytest.mark.parametrize("made", [Range(1), Named(1, 2, "a", "b", [3]), Guarded(size=3), Count(2)])
def test_copies_and_pickles_are_equal(made: object) -> None:
    assert copy.copy(made) == made
    assert copy.deepcopy(made) == made
    assert pickle.loads(pickle.dumps(made)) == made


def test_replacing_fields_makes_another_record() -> None:
    for work in (replace, dataclasses.replace):
        assert work(Named(1, 2, "a"), last=3) == Named(1, 3, "a")
        assert work(Guarded(size=3), size=5).twice == 10
    with pytest.raises(TypeError):
        replace(Range(1), other=2)  # type: ignore[call-arg]


def test_the_standard_library_takes_records_for_dataclasses() -> None:
    assert dataclasses.is_dataclass(Range)
    assert [each.name for each in dataclasses.fields(Named(1))] == ["first", "last", "name", "note", "parts"]
    assert dataclasses.asdict(Named(1, 2)) == {"first": 1, "last": 2, "name": "", "note": "", "parts": []}
    assert [(each.name, each.type) for each in dataclasses.fields(Range)] == [("first", int), ("last", int)]


def test_a_subclass_without_fields_is_made_like_its_base() -> None:
    class Narrow(Range):
        pass

    assert Narrow(1, 2) == Narrow(1, 2)
    assert Narrow(1, 2) != Range(1, 2)
    assert repr(Range(3)) == "Range(first=3, last=7)"


class TestTuples:
    def test_a_tuple_is_made_by_position_by_name_and_with_defaults(self) -> None:
        assert Pair("a") == Pair("a", 2) == Pair(second=2, first="a") == ("a", 2)

    def test_its_elements_have_names(self) -> None:
        first, second = pair = Pair("a", 3)
        assert (pair.first, pair.second, pair.doubled) == (first, second, 6) == ("a", 3, 6)

    def test_what_is_missing_is_refused(self) -> None:
        with pytest.raises(TypeError, match=r"missing 1 required positional argument: 'first'"):
            Pair()  # type: ignore[call-arg]

    def test_a_copy_may_differ_in_some(self) -> None:
        assert Pair("a")._replace(second=5) == ("a", 5)
        with pytest.raises(TypeError, match=r"Pair has no field third"):
            Pair("a")._replace(third=5)  # type: ignore[call-arg]

    def test_it_shows_its_names(self) -> None:
        assert repr(Pair("a")) == "Pair(first='a', second=2)"

    def test_it_survives_a_pickle(self) -> None:
        copied = pickle.loads(pickle.dumps(Pair("a")))
        assert (type(copied), copied) == (Pair, ("a", 2))

    def test_it_matches_by_position(self) -> None:
        match Pair("a"):
            case Pair(first, second):
                assert (first, second) == ("a", 2)
