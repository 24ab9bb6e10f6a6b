"""Constants that macros write outside all functions."""

import pytest

from sycllint.facts.collect import file_facts
from sycllint.facts.macro_table import MacroTable
from sycllint.facts.postings import FileSet
from sycllint.facts.written_constants import written_constants
from sycllint.launch.build import analyze_unit
from sycllint.source.text import SourceFile
from sycllint.symbols.unit import Unit
from sycllint.values.evaluate import Evaluator
from tests.launch.snippet import extents

RUN = "void run(sycl::queue &q) { q.parallel_for(sycl::nd_range<1>(1024, tile), [=](sycl::nd_item<1> it) {}); }"
SPACES = (
    "#define IN_SPACES(name, ...) namespace a { namespace name { __VA_ARGS__; } } "
    "namespace b { namespace name { __VA_ARGS__; } }"
)
TILE = "#define TILE(n) constexpr int tile = n"


def local(*files: str) -> str:
    """The work-group size of the one launch of the first file, in a unit with the others."""
    named = [(f"file{number}.hpp", text.encode()) for number, text in enumerate(files)]
    facts = [file_facts(path, content, {}) for path, content in named]
    evaluator = Evaluator(Unit([*facts, *written_constants(MacroTable(FileSet(facts)), {})]), {})
    (launch,) = analyze_unit(SourceFile(*named[0]), facts[0], evaluator).launches
    return extents(launch.local_range)


@pytest.mark.parametrize(
    "code",
    [
        f"{TILE}\nTILE(64);\n{RUN}",
        f"{TILE}\nnamespace app {{ TILE(64);\n{RUN} }}",
        f"#define TILE(n) const int tile = n; void apply(int *p)\nTILE(64);\n{RUN}",
        f"#define TILE(n) static constexpr int tile{{n}}\nTILE(64);\n{RUN}",
        f"#define TWICE(n) constexpr int half = n; TILE(2 * n)\n{TILE}\nTWICE(32);\n{RUN}",
        (
            f"#define ALL constexpr int tile = 64; void apply(int *p)\n{SPACES}\nIN_SPACES(blur, ALL);\n"
            f"namespace b {{ namespace blur {{ {RUN} }} }}"
        ),
        (
            f"#define ALL constexpr int tile = 64\n{SPACES}\nIN_SPACES(blur, ALL);\n#undef ALL\n"
            "#define ALL constexpr int tile = 32\nIN_SPACES(sharpen, ALL);\n"
            f"namespace a {{ namespace blur {{ {RUN} }} }}"
        ),
    ],
)
def test_a_constant_that_a_macro_declares_is_known(code: str) -> None:
    assert local(code) == "64"


OP = "#define OP(name, n) struct name##_op { static constexpr int width = n; float operator()(float x) const; };"
TRAIT = (
    "template <class T> struct Trait;\n#define TRAIT(T, n) template <> struct Trait<T> { static const int width = n; };"
)


@pytest.mark.parametrize(
    ("code", "size"),
    [
        (f"{OP}\nOP(relu, 64)\nOP(sum, 32)", "relu_op::width"),
        (f"#define OPS(X) X(sum, 32) X(relu, 64)\n{OP}\nOPS(OP)", "relu_op::width"),
        (f"{TRAIT}\nTRAIT(float, 64)\nTRAIT(int, 32)", "Trait<float>::width"),
    ],
)
def test_a_class_that_a_macro_defines_has_its_constants(code: str, size: str) -> None:
    assert local(f"{code}\n{RUN.replace('tile', size)}") == "64"


def test_each_file_means_its_own_definition() -> None:
    one = f"#define ALL constexpr int tile = 64\nIN_SPACES(one, ALL);\nnamespace a {{ namespace one {{ {RUN} }} }}"
    other = "#define ALL constexpr int tile = 32\nIN_SPACES(other, ALL);\n#undef ALL"
    assert local(one, other, SPACES) == "64"


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(f"{TILE}\n#ifdef WIDE\nTILE(64);\n#else\nTILE(32);\n#endif\n{RUN}", id="arms use it"),
        pytest.param(
            "#ifdef WIDE\n#define ALL() constexpr int tile = 64\n#else\n#define ALL() constexpr int tile = 32\n#endif\n"
            f"ALL();\n{RUN}",
            id="arms define it",
        ),
        pytest.param(f"#define TILE(n) extern const int tile\nTILE(64);\n{RUN}", id="only declared"),
        pytest.param(f"{TILE}\nnamespace other {{ TILE(64); }}\n{RUN}", id="another namespace"),
        pytest.param(f"{TILE}\nTILE(64, 32);\n{RUN}", id="another number of arguments"),
        pytest.param(
            f"{OP}\n#ifdef WIDE\nOP(tile, 64)\n#endif\n{RUN.replace('tile', 'tile_op::width')}", id="one build"
        ),
        pytest.param(f"#define TILE(n) int tile = n\nTILE(64);\n{RUN}", id="may change"),
    ],
)
def test_what_is_not_sure_stays_open(code: str) -> None:
    assert local(code) == "?"


def test_constants_are_the_same_facts_for_every_unit() -> None:
    facts = file_facts("file.hpp", f"{TILE}\nTILE(64);\n{RUN}".encode(), {})
    other = file_facts("other.hpp", b"int width;\n", {})
    (made,) = written_constants(MacroTable(FileSet([facts])), {})
    assert list(made.variables) == ["tile"]
    assert written_constants(MacroTable(FileSet([other, facts])), {}) == [made]
    assert written_constants(MacroTable(FileSet([other, facts])), {})[0] is made
