"""Which instantiation of a template an answer is about: that to which the calls lead."""

from pathlib import Path

import pytest

from sycllint.semantics.answers import Way
from sycllint.semantics.commands import INCLUDE, command_of
from sycllint.semantics.unit import ParsedUnit, parse
from sycllint.source.disk import Disk

pytest.importorskip("clang.cindex")

HEADER = """\
template <class T> struct traits { static constexpr int block = 64; };
template <> struct traits<double> { static constexpr int block = 640; };
template <class T> int inner(T) { using Held = T; return sizeof(Held) + traits<T>::block; }
template <class T> int outer(T x) { return inner(&x) + inner(x); }
template <class T> struct Solver {
  T factor;
  int run() { auto by_this = [=] { return factor; }; return traits<T>::block + by_this(); }
};
inline int size(int) { return 1; }
inline int size(double) { return 2; }
template <class T> int sized(T x) { return size(x); }
"""
SOURCE = """\
#include "inner.h"
namespace sycl { struct queue {}; }
template <class T> int here(T x) { return traits<T>::block + inner(x); }
struct Device { sycl::queue main; sycl::queue *where() { return &main; } } device;
int all() {
  Solver<double> s;
  here(1.0f);
  here(1);
  device.where();
  return outer(1.0f) + outer(2.0) + s.run() + sized(3) + sized(3.0);
}
"""


class Unit:
    """A parsed unit, and where things are in its texts."""

    def __init__(self, folder: Path) -> None:
        (folder / "inner.h").write_text(HEADER)
        (folder / "a.cpp").write_text(SOURCE)
        self.header, self.main = str(folder / "inner.h"), str(folder / "a.cpp")
        command = command_of(
            self.main, database=None, defines={}, folders=(), headers=f"{INCLUDE}/declarations", disk=Disk()
        )
        parsed = parse(self.main, command, {})
        assert parsed is not None
        assert parsed.errors == []
        self.parsed: ParsedUnit = parsed

    def call(self, text: str, source: str = SOURCE) -> tuple[str, int, int]:
        """Where a call stands."""
        start = source.index(text)
        return self.main if source == SOURCE else self.header, start, start + len(text)

    def number(self, path: str, around: str, text: str, way: Way) -> int | None:
        source = SOURCE if path == self.main else HEADER
        start = source.index(text, source.index(around))
        found = self.parsed.number(path, start, start + len(text), way, True).constant
        return None if found is None else found.value


@pytest.fixture(scope="module")
def unit(tmp_path_factory: pytest.TempPathFactory) -> Unit:
    return Unit(tmp_path_factory.mktemp("unit"))


BLOCK = "traits<T>::block"


def test_calls_lead_to_an_instantiation_in_a_header(unit: Unit) -> None:
    for outermost, block in (("outer(1.0f)", 64), ("outer(2.0)", 640)):
        way = (unit.call(outermost), unit.call("inner(x)", HEADER))
        assert unit.number(unit.header, "int inner", BLOCK, way) == block


def test_a_member_function_is_that_of_the_object_it_is_called_on(unit: Unit) -> None:
    assert unit.number(unit.header, "int run", BLOCK, (unit.call("s.run()"),)) == 640


def test_without_a_way_a_template_of_the_main_file_answers_when_all_agree(unit: Unit) -> None:
    assert unit.number(unit.main, "int here", BLOCK, ()) == 64


def test_without_a_way_a_header_does_not_answer_but_says_that_the_way_decides(unit: Unit) -> None:
    start = HEADER.index(BLOCK, HEADER.index("int run"))
    found = unit.parsed.number(unit.header, start, start + len(BLOCK), (), True)
    assert (found.constant, found.hangs) == (None, True)


def test_sizes_of_types_are_those_of_the_instantiation(unit: Unit) -> None:
    offset = HEADER.index("Held)")
    pointer = (unit.call("outer(1.0f)"), unit.call("inner(&x)", HEADER))
    plain = (unit.call("here(1)"), unit.call("inner(x)"))
    assert unit.parsed.layout_of(unit.header, offset, pointer, True) == (8, 8)
    assert unit.parsed.layout_of(unit.header, offset, plain, True) == (4, 4)
    assert unit.parsed.layout_of(unit.header, offset, (), True) is None


def test_members_reached_in_a_class_template_are_named(unit: Unit) -> None:
    held = unit.parsed.held_by_lambda(unit.header, HEADER.index("[=]"), (unit.call("s.run()"),))
    assert held is not None
    assert [(each.name, each.owner) for each in held.members] == [("factor", "Solver")]


def test_an_overload_is_that_of_the_arguments_types(unit: Unit) -> None:
    call = unit.call("size(x)", HEADER)
    by_int, by_double = (unit.parsed.callee(*call, (unit.call(each),)) for each in ("sized(3)", "sized(3.0)"))
    assert by_int is not None
    assert by_double is not None
    assert by_int.start == HEADER.index("size(int)")
    assert by_double.start == HEADER.index("size(double)")
    assert unit.parsed.callee(*call) is None


def test_the_class_of_an_expression_is_looked_through_pointers(unit: Unit) -> None:
    assert unit.parsed.class_of(*unit.call("device.where()")) == "sycl::queue"
    member = SOURCE.index("main; }")
    assert unit.parsed.class_of(unit.main, member, member + len("main")) == "sycl::queue"
