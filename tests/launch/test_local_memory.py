"""Local memory of a work-group, in bytes, for each way to make it."""

import pytest

from tests.launch.snippet import extents, in_group, in_queue, launches, with_kernel
from tests.values.program import spelled


@pytest.mark.parametrize(
    ("statements", "total"),
    [
        ("", "0"),
        ("sycl::local_accessor<float, 1> tile(64, h);", "256"),
        ("sycl::local_accessor<float> tile(64, h);", "256"),
        ("sycl::local_accessor<float, 1> tile{64, h};", "256"),
        ("sycl::local_accessor<float, 1> tile(sycl::range<1>(64), h);", "256"),
        ("sycl::local_accessor<float, 1> tile(sycl::range{64}, h);", "256"),
        ("sycl::local_accessor<float, 2> tile({8, 9}, h);", "288"),
        ("sycl::local_accessor<float, 2> tile(sycl::range<2>(8, 9), h);", "288"),
        ("sycl::local_accessor<float, 3> tile({2, 3, 4}, h);", "96"),
        ("sycl::range<2> size(8, 9); sycl::local_accessor<float, 2> tile(size, h);", "288"),
        ("auto tile = sycl::local_accessor<float, 1>(64, h);", "256"),
        ("auto tile = sycl::local_accessor<float, 2>{{8, 9}, h};", "288"),
        ("sycl::local_accessor<int, 0> flag(h);", "4"),
        ("sycl::local_accessor<float[18][18], 0> tile(h);", "1296"),
        ("sycl::local_accessor<float[4], 1> rows(8, h);", "128"),
        ("sycl::local_accessor<double *, 1> pointers(8, h);", "64"),
        ("sycl::local_accessor<sycl::float4, 1> quads(8, h);", "128"),
        ("sycl::local_accessor<sycl::float3, 1> triples(8, h);", "128"),
        ("sycl::local_accessor<sycl::vec<short, 8>, 1> v(8, h);", "128"),
        ("sycl::local_accessor<sycl::half, 1> halves(8, h);", "16"),
        ("sycl::local_accessor<unsigned long long, 1> wide(8, h);", "64"),
        ("sycl::local_accessor<const float, 1> tile(8, h);", "32"),
        ("sycl::local_accessor<float, 1> a(8, h), b(4, h);", "48"),
        ("sycl::local_accessor<float, 1> a(8, h); sycl::local_accessor<char, 1> b(3, h);", "35"),
        (
            (
                "sycl::accessor<int, 1, sycl::access::mode::read_write, sycl::access::target::local>"
                " old(sycl::range<1>(16), h);"
            ),
            "64",
        ),
        ("sycl::accessor<int, 2, sycl::access_mode::read_write, sycl::target::local> old({4, 4}, h);", "64"),
        ("sycl::accessor<int, 1> buffer_accessor(buffer, h); sycl::accessor other(buffer, h, sycl::read_only);", "0"),
        ("sycl::local_accessor<float, 1> tile(n, h);", "multiple of 4 in [None, None]"),
        ("sycl::local_accessor<float, 1> tile(wide ? 16 : 32, h);", "64 | 128"),
        ("sycl::local_accessor<Unseen, 1> tile(8, h);", "unknown"),
        ("int k = 64; sycl::local_accessor<char, 1> tile(sycl::range<1>(k * sizeof(float)), h);", "256"),
        ("int k = 64; sycl::local_accessor<char, 1> tile(k * sizeof(unsigned long), h);", "512"),
        ("int k = 64; float f; sycl::local_accessor<char, 1> tile(k * sizeof(f), h);", "256"),
        ("int k = 64; sycl::local_accessor<char, 1> tile(k * sizeof(char *), h);", "512"),
    ],
)
def test_accessors_of_a_command_group(statements: str, total: str) -> None:
    assert spelled(in_group(statements).local_memory.total) == total


@pytest.mark.parametrize(
    ("before", "declaration", "total"),
    [
        ("using Tile = sycl::local_accessor<float, 1>;", "Tile t(8, h);", "32"),
        ("typedef sycl::local_accessor<float, 2> Tile;", "Tile t({8, 2}, h);", "64"),
        ("template <typename T> using Tile = sycl::local_accessor<T, 1>;", "Tile<double> t(8, h);", "64"),
        ("template <typename T, int D = 1> using Tile = sycl::local_accessor<T, D>;", "Tile<short> t(8, h);", "16"),
        ("using Real = double;", "sycl::local_accessor<Real, 1> t(8, h);", "64"),
        ("struct Pair { char a; double b; };", "sycl::local_accessor<Pair, 1> t(8, h);", "128"),
        ("enum class Color : int { red };", "sycl::local_accessor<float, 1> t(8, h);", "32"),
        ("#define N 16\n#define WIDE (2 * N)", "sycl::local_accessor<float, 2> t({N, WIDE + 1}, h);", "2112"),
        ("using namespace sycl;", "local_accessor<int, 1> t(8, h);", "32"),
        ("namespace s = sycl;", "s::local_accessor<int, 1> t(8, h);", "32"),
        (
            "namespace my { template <class, int> struct local_accessor { local_accessor(int, sycl::handler &); }; }",
            "my::local_accessor<double, 1> t(8, h);",
            "0",
        ),
        ("using Row = float[8];", "sycl::local_accessor<Row, 1> t(4, h);", "128"),
        (
            "constexpr auto where = sycl::access::target::local;",
            "sycl::accessor<int, 1, sycl::access::mode::read_write, where> t(sycl::range<1>(16), h);",
            "64",
        ),
    ],
)
def test_names_around_an_accessor(before: str, declaration: str, total: str) -> None:
    assert spelled(in_group(declaration, before).local_memory.total) == total


def test_the_parameters_of_an_alias_have_its_order() -> None:
    before = "template <int D, typename T> using Tile = sycl::local_accessor<T, D>;"
    assert spelled(in_group("Tile<1, double> t(16, h);", before).local_memory.total) in ("128", "unknown")


@pytest.mark.parametrize(
    ("statements", "before"),
    [
        pytest.param("sycl::local_accessor<float, 1> tile = make_tile(h);", "", id="made by a function"),
        pytest.param(
            "auto tile = make_tile(h);",
            "sycl::local_accessor<float, 1> make_tile(sycl::handler &h);",
            id="made by a function whose type is in its declaration",
        ),
        pytest.param(
            "for (int i = 0; i < n; ++i) { sycl::local_accessor<int, 1> tile(16, h); tiles.push_back(tile); }",
            "",
            id="made in a loop",
        ),
        pytest.param("std::optional<sycl::local_accessor<int, 1>> tile; tile.emplace(16, h);", "", id="in an optional"),
        pytest.param(
            "std::vector<sycl::local_accessor<int, 1>> tiles; tiles.emplace_back(16, h);", "", id="in a vector"
        ),
    ],
)
def test_an_accessor_that_cannot_be_counted_is_never_nothing(statements: str, before: str) -> None:
    assert spelled(in_group(statements, before).local_memory.total) == "unknown"


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(
            "void f(sycl::handler &h, sycl::local_accessor<float, 1> tile) {"
            " h.parallel_for(sycl::nd_range<1>(64, 8), [=](sycl::nd_item<1> it) { tile[0] = 1; }); }",
            id="passed in",
        ),
        pytest.param(
            "struct S { sycl::local_accessor<float, 1> tile; void f(sycl::handler &h) {"
            " h.parallel_for(sycl::nd_range<1>(64, 8), [tile = tile](sycl::nd_item<1> it) { tile[0] = 1; }); } };",
            id="member of the class around the launch",
        ),
        pytest.param(
            "struct K { sycl::local_accessor<float, 1> tile; void operator()(sycl::nd_item<1> it) const {} };"
            "void f(sycl::queue &q) { q.submit([&](sycl::handler &h) {"
            " h.parallel_for(sycl::nd_range<1>(64, 8), K{sycl::local_accessor<float, 1>(64, h)}); }); }",
            id="member of the function object",
        ),
        pytest.param(
            "struct K { sycl::local_accessor<float, 1> tile; K(sycl::handler &h) : tile(64, h) {}"
            " void operator()(sycl::nd_item<1> it) const {} };"
            "void f(sycl::queue &q) { q.submit([&](sycl::handler &h) {"
            " h.parallel_for(sycl::nd_range<1>(64, 8), K(h)); }); }",
            id="made by the constructor of the function object",
        ),
        pytest.param(
            "void f(sycl::queue &q) { q.submit([&](sycl::handler &h) { h.parallel_for(sycl::nd_range<1>(64, 8),"
            " [tile = sycl::local_accessor<float, 1>(64, h)](sycl::nd_item<1> it) { tile[0] = 1; }); }); }",
            id="made in a capture",
        ),
        pytest.param(
            "void f(sycl::queue &q) { q.submit([&](sycl::handler &h) { sycl::local_accessor<float, 1> tile(64, h);"
            " auto go = [&](auto n) { h.parallel_for(sycl::nd_range<1>(64, 8), [=](sycl::nd_item<1> it) {"
            " tile[0] = n; }); }; go(1); }); }",
            id="of the command group around a lambda with a parameter",
        ),
    ],
)
def test_an_accessor_from_elsewhere_is_never_nothing(code: str) -> None:
    (launch,) = launches(f"#include <sycl/sycl.hpp>\n{code}")
    assert spelled(launch.local_memory.total) in ("256", "unknown")


@pytest.mark.parametrize(
    ("body", "total"),
    [
        ("auto &t = *sycl::ext::oneapi::group_local_memory<int[16]>(it.get_group());", "64"),
        ("auto t = sycl::ext::oneapi::group_local_memory_for_overwrite<float[4][8]>(it.get_group());", "128"),
        ("sycl::ext::oneapi::experimental::work_group_static<float[32]> t;", "128"),
        ("sycl::ext::oneapi::experimental::work_group_static<int> t;", "4"),
        ("static_cast<void>(it); float t[32];", "0"),
        ("auto *t = sycl::ext::oneapi::experimental::get_work_group_scratch_memory();", "unknown"),
        ("auto *t = syclcompat::local_mem<float[32]>();", "128"),
    ],
)
def test_local_memory_made_inside_the_kernel(body: str, total: str) -> None:
    assert spelled(with_kernel(body).local_memory.total) == total


def test_local_memory_of_a_helper_counts_once() -> None:
    helper = (
        "void helper(sycl::nd_item<1> it) { auto t = group_local_memory_for_overwrite<float[32]>(it.get_group()); }"
    )
    assert spelled(with_kernel("helper(it); helper(it);", helper).local_memory.total) == "128"


def test_each_command_group_has_its_own_local_memory() -> None:
    kernel = "h.parallel_for(sycl::nd_range<1>(64, 8), [=](sycl::nd_item<1> it) {});"
    found = launches(
        f"""#include <sycl/sycl.hpp>
void f(sycl::queue &q) {{
  q.submit([&](sycl::handler &h) {{ sycl::local_accessor<int, 1> t(16, h); {kernel} }});
  q.submit([&](sycl::handler &h) {{ {kernel} }});
  q.submit([&](sycl::handler &h) {{ sycl::local_accessor<int, 1> t(4, h); {kernel} }});
}}"""
    )
    assert [spelled(each.local_memory.total) for each in found] == ["64", "0", "16"]


def test_each_branch_of_a_command_group_has_its_own_accessor() -> None:
    kernel = "h.parallel_for(sycl::nd_range<1>(64, 8), [=](sycl::nd_item<1> it) { t[0] = 1; });"
    found = launches(
        f"""#include <sycl/sycl.hpp>
void f(sycl::queue &q, bool b) {{
  q.submit([&](sycl::handler &h) {{
    if (b) {{ sycl::local_accessor<float, 1> t(64, h); {kernel} }}
    else {{ sycl::local_accessor<float, 1> t(128, h); {kernel} }}
  }});
}}"""
    )
    assert [spelled(each.local_memory.total) for each in found] == ["256", "512"]


def test_the_known_part_is_kept_beside_an_unknown_one() -> None:
    memory = in_group("sycl::local_accessor<float, 1> a(64, h); sycl::local_accessor<Unseen, 1> b(8, h);").local_memory
    assert (spelled(memory.total), memory.at_least) == ("unknown", 256)


def test_an_accessor_under_an_undecided_macro_is_there_or_not() -> None:
    accessor = "\n#ifdef TILED\nsycl::local_accessor<float, 1> t(64, h);\n#endif\n"
    assert spelled(in_group(accessor).local_memory.total) == "0 | 256"


def test_an_accessor_that_is_not_compiled_is_not_there() -> None:
    accessor = "\n#if TILED\nsycl::local_accessor<float, 1> t(64, h);\n#endif\n"
    assert spelled(in_group(accessor, "#define TILED 0").local_memory.total) == "0"


@pytest.mark.xfail(reason="sizes that depend on one choice are added in every combination")
def test_two_accessors_of_one_size_change_together() -> None:
    statements = "int size = wide ? 16 : 32; sycl::local_accessor<float, 1> a(size, h), b(size, h);"
    assert spelled(in_group(statements).local_memory.total) == "128 | 256"


def test_a_launch_straight_on_a_queue_has_no_accessors() -> None:
    assert spelled(in_queue("q.parallel_for(64, [=](sycl::id<1> i) {});").local_memory.total) == "0"


SOLVER = """template <typename T, int WG = 32> class Solver {
 public:
  void run(sycl::queue &q, int n) {
    q.submit([&](sycl::handler &h) {
      sycl::local_accessor<T, 1> tile(n, h);
      h.parallel_for(sycl::nd_range<1>(1024, WG), [=](sycl::nd_item<1> it) {});
    });
  }
};
"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("Solver<double> a; a.run(q, 10);", [("32", "80")]),
        ("Solver<float, 64> a; Solver<double, 128> b; a.run(q, 10); b.run(q, 20);", [("64", "40"), ("128", "160")]),
        ("using D = Solver<short, 8>; auto b = new D(); b->run(q, 20);", [("8", "40")]),
        ("Solver<float> a; a.run(q, 10); other().run(q, 20);", [("?", "unknown"), ("32", "40")]),
    ],
)
def test_the_parameters_of_a_class_template_are_those_of_the_object(body: str, found: list[tuple[str, str]]) -> None:
    seen = launches(f"#include <sycl/sycl.hpp>\n{SOLVER}int main() {{ sycl::queue q; {body} }}")
    assert [(extents(each.local_range), spelled(each.local_memory.total)) for each in seen] == found


def test_a_member_function_written_outside_its_class_template_has_the_object_s_parameters() -> None:
    (launch,) = launches(
        """template <typename T> struct Solver { void run(sycl::queue &q); };
template <typename T> void Solver<T>::run(sycl::queue &q) {
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<T, 1> tile(16, h);
    h.parallel_for(sycl::nd_range<1>(1024, 64), [=](sycl::nd_item<1> it) {});
  });
}
int main() { sycl::queue q; Solver<double> solver; solver.run(q); }"""
    )
    assert spelled(launch.local_memory.total) == "128"


def test_an_accessor_behind_a_header_s_guard_is_certain() -> None:
    (launch,) = launches(
        """#ifndef _TILES_H
#define _TILES_H
inline void f(sycl::queue &q) {
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<float, 1> tile(16, h);
    h.parallel_for(sycl::nd_range<1>(1024, 64), [=](sycl::nd_item<1> it) {});
  });
}
#endif"""
    )
    assert spelled(launch.local_memory.total) == "64"


def test_a_range_handed_to_an_accessor_keeps_its_value() -> None:
    statements = "sycl::range<2> tile(4, 4); auto t = sycl::local_accessor<float, 2>(tile, h);"
    assert spelled(in_group(statements).local_memory.total) == "64"


def test_the_element_may_be_an_alias_with_two_definitions() -> None:
    alias = "#ifdef SINGLE\ntypedef float real;\n#else\ntypedef double real;\n#endif"
    assert spelled(in_group("sycl::local_accessor<real, 1> t(16, h);", alias).local_memory.total) == "64 | 128"


@pytest.mark.parametrize(
    "header",
    [
        "#ifndef TILES_H\n#define TILES_H\n{}\n#endif\n",
        "#pragma once\n#ifndef TILES_H // once\n#define TILES_H 1\n{}\n#endif // TILES_H\n",
        "{}",
        "#if WIDE\n{}\n#endif\n",
    ],
)
def test_damage_elsewhere_in_a_header_leaves_no_accessor_in_doubt(header: str) -> None:
    group = (
        "q.submit([&](sycl::handler &h) { sycl::local_accessor<float, 1> tile(64, h);"
        " h.parallel_for(sycl::nd_range<1>(n * 64, 64), [=](sycl::nd_item<1> it) {}); });"
    )
    found = launches(header.format(f"void run(sycl::queue &q, int n) {{ {group} }}\nint @;\n"))
    assert [spelled(each.local_memory.total) for each in found] == ["256"]
    assert [spelled(each.global_range.extents[0]) for each in found if each.global_range is not None] == [
        "multiple of 64 in [None, None]"
    ]


BODY = (
    "{ q.submit([&](sycl::handler &h) { sycl::local_accessor<T, 1> tile(8, h);"
    " h.parallel_for(sycl::nd_range<1>(64, 8), [=](sycl::nd_item<1> it) {}); }); }"
)
INSIDE = f"template <typename T> struct Solver {{ sycl::queue q; void body() {BODY} void run() {{ CALL; }} }};"
OUTSIDE = (
    "template <typename T> struct Solver { sycl::queue q; void body(); void run(); };"
    f"template <typename T> void Solver<T>::body() {BODY}"
    "template <typename U> void Solver<U>::run() { CALL; }"
)


@pytest.mark.parametrize("solver", [INSIDE, OUTSIDE])
@pytest.mark.parametrize("call", ["body()", "this->body()"])
@pytest.mark.parametrize(
    ("use", "total"),
    [
        ("template void Solver<double>::body();", "64"),
        ("template void Solver<double>::run();", "64"),
        ("template void Solver<double>::run(); template void Solver<float>::run();", "64 | 32"),
        ("template class Solver<double>;", "64"),
        ("int main() { Solver<double> s; s.run(); }", "64"),
        ("template void Other<double>::run();", "unknown"),
    ],
)
def test_a_member_of_a_class_template_is_what_it_is_instantiated_as(
    solver: str, call: str, use: str, total: str
) -> None:
    found = launches(f"{solver.replace('CALL', call)} {use}")
    assert {spelled(each.local_memory.total) for each in found} - {"unknown"} == set(total.split(" | ")) - {"unknown"}


@pytest.mark.parametrize(
    ("accessors", "total"),
    [
        ("#ifdef A\nTILE a(8, h); TILE b(4, h);\n#endif\n", "0 | 12"),
        ("#ifdef A\nTILE a(8, h);\n#else\nTILE a(4, h);\n#endif\n", "4 | 8"),
        ("#ifdef A\nTILE a(8, h);\n#elif B\nTILE a(4, h); TILE b(2, h);\n#endif\nTILE c(1, h);\n", "1 | 7 | 9"),
        ("#ifdef A\nTILE a(8, h);\n#endif\n#ifdef B\nTILE b(4, h);\n#endif\n", "0 | 4 | 8 | 12"),
        ("#ifdef A\nTILE a(8, h);\n#ifdef B\nTILE b(4, h);\n#endif\n#endif\n", "0 | 8 | 12"),
        (
            "#ifdef A\nTILE a(4 * n, h); TILE b(4, h);\n#else\nTILE a(4 * n, h); TILE b(4, h);\n#endif\n",
            "multiple of 4 in [None, None]",
        ),
    ],
)
def test_what_one_conditional_decides_is_one_choice(accessors: str, total: str) -> None:
    accessors = accessors.replace("TILE", "sycl::local_accessor<char, 1>")
    assert spelled(in_group(f"\n{accessors}").local_memory.total) == total


def test_a_member_whose_class_seems_to_be_the_one_around_it_has_another_and_the_search_ends() -> None:
    members = " ".join(f"typename Reduce{number}::Storage part{number};" for number in range(8))
    storage = f"struct Storage {{ {members} }};"
    assert spelled(in_group("sycl::local_accessor<Storage, 1> t(1, h);", storage).local_memory.total) == "unknown"


def test_arrays_of_a_kernel_with_a_barrier_by_template_argument_are_measured_for_each_instance() -> None:
    found = launches(
        """template <int N, bool B> void run(sycl::queue &q) {
          q.parallel_for(sycl::nd_range<1>(1024, 64), [=](sycl::nd_item<1> it) {
            if constexpr (B) it.barrier();
            float a[N];
          });
        }
        int main() { sycl::queue q; run<8, true>(q); run<16, true>(q); }"""
    )
    assert [spelled(each.private_memory.total) for each in found] == ["32", "64"]


KERNEL = """template <class T> struct Kernel : Convention { static constexpr int size = 32; int count; @
  void operator()(sycl::nd_item<1> it) const {} sycl::local_accessor<T, 1> tile; };"""
SUBMIT = (
    "Kernel<double> k{{}, 16}; q.submit([&](sycl::handler &h) { @ h.parallel_for(sycl::nd_range<1>(1024, 64), k); });"
)


@pytest.mark.parametrize(
    ("method", "statements", "total"),
    [
        ("void init(sycl::handler &h) { tile = sycl::local_accessor<T, 1>(size, h); }", "k.init(h);", "256"),
        ("void init(sycl::handler &c) { this->tile = sycl::local_accessor<T>{size * 2, c}; }", "k.init(h);", "512"),
        ("void init(sycl::handler &h, int n) { tile = sycl::local_accessor<T, 1>(n, h); }", "k.init(h, 8);", "64"),
        # Nobody calls it, it is called in one case only, it is one of two, or what it makes depends on a case.
        ("void init(sycl::handler &h) { tile = sycl::local_accessor<T, 1>(size, h); }", "", "unknown"),
        ("void init(sycl::handler &h) { tile = sycl::local_accessor<T, 1>(size, h); }", "if (n) k.init(h);", "unknown"),
        ("void init(sycl::handler &h) { tile = sycl::local_accessor<T>(8, h); tile = sycl::local_accessor<T>(9, h); }",
         "k.init(h);", "unknown"),
        ("void init(sycl::handler &h) { if (size) tile = sycl::local_accessor<T, 1>(size, h); }", "k.init(h);",
         "unknown"),
    ],
)  # fmt: skip
def test_a_function_object_makes_its_own_accessors(method: str, statements: str, total: str) -> None:
    launch = in_queue(SUBMIT.replace("@", statements), KERNEL.replace("@", method))
    assert spelled(launch.local_memory.total) == total


TILED = (
    "#define TILED(q, T, n) (q).submit([&](sycl::handler &h) { sycl::local_accessor<T, 1> tile(n, h); "
    "h.parallel_for(sycl::nd_range<1>(1024, 64), [=](sycl::nd_item<1> it) {}); })\n"
    "#define AGAIN(q, U) TILED(q, U, 32)\nstruct Pair { double a, b; };"
)


@pytest.mark.parametrize(
    ("use", "total"),
    [
        ("TILED(q, float, 64);", "256"),
        ("TILED(q, Pair, 16);", "256"),
        ("TILED(q, sycl::double2, 16);", "256"),
        ("using T = double; TILED(q, T, 16);", "128"),
        ("AGAIN(q, int);", "128"),
        ("TILED(q, Unseen, 16);", "unknown"),
    ],
)
def test_a_macro_is_given_the_type_of_the_elements(use: str, total: str) -> None:
    assert spelled(in_queue(use, TILED).local_memory.total) == total
