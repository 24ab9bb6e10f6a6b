"""FileFacts: what of a file later stages can ask for, and that it depends on that file alone."""

from dataclasses import replace
from pathlib import Path

import pytest

from sycllint.facts.collect import file_facts
from sycllint.facts.defines import configured_macro
from sycllint.facts.encoding import decoded_facts, encoded_facts
from sycllint.facts.file import FileFacts
from tests import written

CODE = b"""\
#include "sizes.h"
#include <sycl/sycl.hpp>
#define BLOCK 256
using namespace sycl;
namespace s = cl::sycl;
namespace mean_shift::gpu {
constexpr int THREADS = 64;
enum Sizes { SMALL = 16, LARGE };
template <int N> struct Config { static constexpr int size = N; using type = float; };
void launch(queue &q, int n);
void launch(queue &q, int n) {
#define ITEMS 4
  struct Kernel { int operator()(int i) const { return i; } };
  q.parallel_for(nd_range<1>(n, THREADS), [=](nd_item<1> it) { work(it); });
}
}  // namespace mean_shift::gpu
#ifdef LARGE_BLOCKS
int blocks = 2;
#else
int blocks = 1;
#endif
"""
DAMAGED = CODE + b"void f() {\n#if A\nif (a) {\n#else\nif (b) {\n#endif\nq.single_task(k); } } }\n"


def facts(content: bytes) -> FileFacts:
    return file_facts("a.cpp", content, {})


def test_declarations_are_found_by_their_unqualified_names() -> None:
    found = facts(CODE)
    assert found.macros.keys() == {"BLOCK", "ITEMS"}
    assert found.functions.keys() == {"launch"}
    assert found.structs.keys() == {"Config", "Kernel"}
    assert found.variables.keys() == {"THREADS", "size", "blocks"}
    assert found.enumerators.keys() == {"SMALL", "LARGE"}
    assert found.aliases.keys() == {"type"}
    assert found.using == {"sycl"}
    assert found.namespaces == {"s": "cl::sycl"}
    assert [each.path for each in found.includes] == ["sizes.h", "sycl/sycl.hpp"]
    assert [(span.start, span.end) for span in found.calls["work"]] == [
        (CODE.index(b"work(it)"), CODE.index(b"work(it)") + 8)
    ]


@pytest.mark.parametrize(
    ("kind", "name", "scope"),
    [
        ("variables", "THREADS", ("mean_shift", "gpu")),
        ("variables", "size", ("mean_shift", "gpu", "Config")),
        ("enumerators", "SMALL", ("mean_shift", "gpu", "Sizes")),
        ("functions", "launch", ("mean_shift", "gpu")),
        ("variables", "blocks", ()),
    ],
)
def test_a_declaration_knows_its_scope(kind: str, name: str, scope: tuple[str, ...]) -> None:
    assert getattr(facts(CODE), kind)[name][0].scope == scope


def test_all_declarations_of_a_name_are_kept_in_the_order_of_the_source() -> None:
    found = facts(CODE)
    assert [each.node.body is None for each in found.functions["launch"]] == [True, False]
    assert [written.expression(each.node.arguments[0]) for each in found.variables["blocks"]] == ["2", "1"]


@pytest.mark.parametrize(
    "content", [CODE, DAMAGED, b"", b"\xff\xfe}{", b"#define L(x) q.single_task(x)\nvoid f() { L(1); }"]
)
def test_encoded_facts_are_the_same_facts(content: bytes) -> None:
    assert whole(again(facts(content))) == whole(facts(content))


@pytest.mark.parametrize(
    ("opening", "closing"), [("if (a) {", "}"), ("f([&] {", "});"), ("while (b) {", "}"), ("g(", ")")]
)
def test_facts_of_deeply_nested_code_are_encoded_too(opening: str, closing: str) -> None:
    found = facts(f"void f() {{ {opening * 40} h(); {closing * 40} }}".encode())
    assert repr(again(found).unit) == repr(found.unit)


def test_the_facts_of_all_fixtures_can_be_encoded(repository: Path) -> None:
    for path in sorted((repository / "fixtures").rglob("*.*pp")):
        found = facts(path.read_bytes())
        known = again(found)
        assert [each.start for each in known.submissions] == [each.start for each in found.submissions]
        assert repr(known.functions.keys()) == repr(found.functions.keys())
        assert (known.damaged, known.unsettled, known.using) == (found.damaged, found.unsettled, found.using)


def again(found: FileFacts) -> FileFacts:
    """The facts as another run would have them."""
    return decoded_facts(encoded_facts(found), found.path, found.content)


def whole(found: FileFacts) -> str:
    """All facts as text, with the bodies and calls that wait to be asked for."""
    return repr(replace(found, calls=dict(found.calls)))


def test_facts_do_not_depend_on_what_was_read_before() -> None:
    alone = whole(facts(CODE))
    facts(DAMAGED)
    facts(b"namespace sycl { constexpr int THREADS = 8; }")
    assert whole(facts(CODE)) == alone


def test_the_damaged_places_of_the_better_reading_are_listed() -> None:
    found = facts(DAMAGED)
    assert all(span.start >= len(CODE) for span in found.damaged)
    assert facts(CODE).damaged == ()


def test_names_of_a_settled_conditional_are_doubtful() -> None:
    text = b"void f() {\n#if A\nn = 1; if (a) {\n#else\nn = 2; {\n#endif\nq.parallel_for(n, k); } }\n"
    found = facts(text)
    assert found.damaged == ()
    assert [sorted(each.names) for each in found.unsettled] == [["if", "n"]]


def test_a_configured_macro_settles_without_doubt() -> None:
    text = b"void f() {\n#ifdef A\nn = 1; if (a) {\n#else\nn = 2; {\n#endif\nq.parallel_for(n, k); } }\n"
    assert file_facts("a.cpp", text, {"A": "1"}).unsettled == ()


def test_macros_keep_the_conditional_around_them_in_a_settled_file() -> None:
    text = b"#if A\n#define N 1\nvoid f() {\n#else\n#define N 2\nvoid f(int) {\n#endif\nq.single_task(k); }\n"
    assert [each.node.text for each in facts(text).macros["N"]] == ["1", "2"]


def test_a_macro_of_the_configuration_is_read_like_a_define() -> None:
    macro = configured_macro("N", "4 * 16")
    assert (macro.name, macro.parameters, written.expression(macro.value)) == ("N", None, "(4 * 16)")


def test_conditionals_that_do_no_harm_stay_what_they_are() -> None:
    found = facts(b"enum Sizes { SMALL, @\n#if A\nMEDIUM,\n#endif\nLARGE };\n")
    assert found.damaged
    assert not found.unsettled
