"""Launches behind a project's own layers: each is a row at the outermost call that decides its work-group size."""

from collections.abc import Callable
from pathlib import Path

import pytest

from sycllint.config import Config, Configs
from sycllint.cpp.expression import Call
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function
from sycllint.facts.file import Declared
from sycllint.facts.submissions import Submission
from sycllint.launch.call_sites import CallSites, point_of
from sycllint.launch.submission.callable import KernelFunction
from sycllint.launch.submission.recognition import is_launcher
from sycllint.pipeline import check, kernels
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point
from sycllint.values.value import known, possible

HELPER = """\
#pragma once
#include <sycl/sycl.hpp>
template <class Kernel> void launch(sycl::queue &q, size_t items, size_t group, Kernel kernel) {
  q.submit([&](sycl::handler &h) { h.parallel_for(sycl::nd_range<1>(items, group), kernel); });
}
template <int Group> void scale(sycl::queue &q, float *y) {
  launch(q, Group * 8, Group, [=](sycl::nd_item<1> it) { y[it.get_global_id(0)] *= 2; });
}
inline void fixed(sycl::queue &q, size_t items, float *y) {
  q.parallel_for(sycl::nd_range<1>(items, 32), [=](sycl::nd_item<1> it) { y[it.get_global_id(0)] *= 3; });
}
"""
USER = """\
#include "helper.hpp"
void run(sycl::queue &q, float *y) {
  launch(q, 4096, 256, [=](sycl::nd_item<1> it) { y[it.get_global_id(0)] = 1; });
  launch(q, 4096, 1024, [=](sycl::nd_item<1> it) { y[it.get_global_id(0)] = 2; });
  scale<64>(q, y);
  fixed(q, 4096, y);
}
"""
MACRO = """\
#pragma once
#include <sycl/sycl.hpp>
#define HOST(name, kernel) \\
  template <class... Rest> \\
  void name(sycl::range<2> groups, sycl::range<2> group, sycl::queue *q, Rest... rest) { \\
    q->parallel_for(sycl::nd_range<2>(groups * group, group), [=](sycl::nd_item<2> it) { kernel(rest..., it); }); \\
  }
#define BOTH(name) HOST(name, name##_kernel)
"""
MACRO_USER = """\
#include "host.hpp"
namespace app::detail {
void clear_kernel(float *y, sycl::nd_item<2> it) { y[it.get_global_linear_id()] = 0; }
BOTH(clear)
}
void run(sycl::queue *q, float *y) {
  app::detail::clear(sycl::range<2>(4, 4), sycl::range<2>(8, 16), q, y);
}
"""
OBJECTS = """\
#pragma once
#include <sycl/sycl.hpp>
template <class Body> void launch(sycl::queue &q, int n, int w, Body body) {
  q.parallel_for(sycl::nd_range<1>(n, w), [=](sycl::nd_item<1> it) { body(it.get_global_id(0)); });
}
template <int B> struct Runner {
  static void run(sycl::queue &q, float *y) { launch(q, 4096, B, [=](int i) { y[i] = 1; }); }
};
template <int B> struct Submitter {
  void operator()(sycl::queue &q, float *y) const { launch(q, 4096, B, [=](int i) { y[i] = 2; }); }
};
struct Task {
  int w;
  float *y;
  void operator()(sycl::handler &h) const {
    auto p = y;
    h.parallel_for(sycl::nd_range<1>(4096, w), [=](sycl::nd_item<1> it) { p[it.get_global_id(0)] = 3; });
  }
};
struct Filled {
  Filled(sycl::queue &q, int w, float *y) { launch(q, 4096, w, [=](int i) { y[i] = 4; }); }
};
#define LAUNCH(kernel, q, w, ...) launch(q, 4096, w, [=](int i) { kernel(i, __VA_ARGS__); })
#define NARROW(kernel, q, ...) do { LAUNCH(kernel, q, 64, __VA_ARGS__); } while (0)
"""
OBJECTS_USER = """\
#include "objects.hpp"
void set(int i, float *y) { y[i] = 0; }
void run(sycl::queue &q, float *y) {
  LAUNCH(set, q, 32, y);
  NARROW(set, q, y);
  Runner<128>::run(q, y);
  Submitter<256>()(q, y);
  Submitter<512>{}(q, y);
  q.submit(Task{16, y});
  Task t{8, y};
  q.submit(t);
  Filled filled(q, 48, y);
}
"""
ARMS = """\
#pragma once
#ifdef USE_SYCL
#include <sycl/sycl.hpp>
template <class Kernel> void start(sycl::queue &q, int groups, int group, Kernel kernel) {
  q.parallel_for(sycl::nd_range<1>(groups * group, group), kernel);
}
#else
template <class Kernel> void start(stream_t &s, int groups, int group, Kernel &&kernel);
template <class Kernel> void start(stream_t &s, int groups, int group, Kernel &&kernel) {
  call<<<groups, group>>>(kernel);
}
#endif
"""
ARMS_USER = """\
#include "start.hpp"
void run(sycl::queue &q, float *y) {
  start(q, 12, 64, [=](auto it) { y[0] = 1; });
}
"""

PACKS = """\
#pragma once
#include <sycl/sycl.hpp>
namespace dev {
struct stream_t { sycl::queue q; };
template <class T> void fill(T *y, sycl::nd_item<1> it) { y[it.get_global_id(0)] = 0; }
template <class T> void fill(stream_t &s, int groups, int group, T *y) {
  s.q.parallel_for(sycl::nd_range<1>(groups * group, group), [=](sycl::nd_item<1> it) { fill(y, it); });
}
}
template <class... Types> struct list {};
namespace user {
template <class... Args> void chosen(list<>, Args &&...args);
template <class First, class... Rest, class... Args> void chosen(list<First, Rest...>, Args &&...args) {
  if (sizeof(First) > 4) fill<First>(std::forward<Args>(args)...);
  else chosen(list<Rest...>(), std::forward<Args>(args)...);
}
template <class... Args> void start(Args... args) { chosen(list<float, double>(), args...); }
template <class... Args> void narrow(dev::stream_t &s, Args... args) { dev::fill<float>(s, args...); }
template <class... Args> void between(dev::stream_t &s, float *y, Args... args) { dev::fill(s, args..., y); }
template <class Size, class... Args> void led(dev::stream_t &s, Size &&size, Args &&...args) {
  dev::fill<float>(s, 4, size, args...);
}
template <class... Args> void twice(dev::stream_t &s, Args... args) { dev::fill<float>(s, (args * 2)...); }
}
"""
PACKS_USER = """\
#include "packs.hpp"
void run(dev::stream_t &s, float *y, double *z) {
  user::start(s, 4, 128, z);
  user::narrow(s, 4, 32, y);
  user::between(s, y, 4, 16);
  user::twice(s, 4, 8, y);
  int width = 512;
  user::led(s, width, y);
}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rows(**files: str) -> list[tuple[str, int, list[int | None], list[tuple[str, str]]]]:
    """Path, line, local range, and the places and functions down to the launch."""
    for name, text in files.items():
        Path(name.replace("_dot_", ".")).write_text(text)
    found = []
    for report in kernels(["."], Configs(Config(targets=("tgl",)))).launches:
        launch = report.launch
        assert launch.local_range is not None
        line = Path(launch.row.path).read_text()[: launch.row.span.start].count("\n") + 1
        local = [known(each) for each in launch.local_range.extents]
        found.append((launch.row.path, line, local, [(each.location.path, each.name) for each in launch.via]))
    return found


def test_a_call_that_decides_the_size_is_a_row_in_its_own_file(project: Path) -> None:
    assert rows(helper_dot_hpp=HELPER, user_dot_cpp=USER) == [
        ("helper.hpp", 10, [32], []),
        ("user.cpp", 3, [256], [("helper.hpp", "launch")]),
        ("user.cpp", 4, [1024], [("helper.hpp", "launch")]),
        ("user.cpp", 5, [64], [("helper.hpp", "scale"), ("helper.hpp", "launch")]),
    ]


KERNEL = "[=](sycl::nd_item<1> it) { y[it.get_global_id(0)] += 1; }"
PLANE = "[=](sycl::nd_item<2> it) { y[it.get_global_linear_id()] = 0; }"


@pytest.mark.parametrize(
    ("body", "locals_"),
    [
        (
            (
                f"q.parallel_for(sycl::nd_range<1>(n, w), {KERNEL});"
                f" q.parallel_for(sycl::nd_range<1>(n, 2 * w), {KERNEL});"
            ),
            [[64], [128]],
        ),
        (
            (
                f"q.parallel_for(sycl::nd_range<2>({{n, n}}, {{1, w}}), {PLANE});"
                f" q.parallel_for(sycl::nd_range<1>(n, w), {KERNEL});"
            ),
            [[1, 64], [64]],
        ),
        (
            (
                f"q.submit([&](sycl::handler &h) {{ h.parallel_for(sycl::nd_range<1>(n, w), {KERNEL}); }});"
                f" if (n > 64) q.parallel_for(sycl::nd_range<1>(n, w / 2), {KERNEL});"
            ),
            [[64], [32]],
        ),
    ],
)
def test_each_launch_of_a_function_is_a_row_at_the_call_that_decides_them_all(
    project: Path, body: str, locals_: list[list[int]]
) -> None:
    helper = f"#include <sycl/sycl.hpp>\nstatic void both(sycl::queue &q, size_t n, size_t w, float *y) {{ {body} }}\n"
    found = rows(a_dot_cpp=helper + "void run(sycl::queue &q, float *y) {\n  both(q, 4096, 64, y);\n}\n")
    assert [(path, line, local) for path, line, local, _ in found] == [("a.cpp", 4, each) for each in locals_]


def test_the_call_that_is_handed_a_size_is_the_row_of_all_instances_of_the_template_around_it(project: Path) -> None:
    kernel = "[=](sycl::nd_item<1> it) { y[it.get_global_id(0)] = 1; }"
    user = (
        '#include "helper.hpp"\n'
        "template <int Group> void sized(sycl::queue &q, float *y) {\n"
        f"  launch(q, Group * 8, Group, {kernel});\n"
        "}\n"
        "template <int Group> void handed(sycl::queue &q, size_t items, float *y) {\n"
        f"  launch(q, items * Group, items, {kernel});\n"
        "}\n"
        "void run(sycl::queue &q, float *y, bool wide) {\n"
        "  if (wide) sized<128>(q, y); else sized<64>(q, y);\n"
        "  handed<8>(q, 32, y);\n"
        "}\n"
    )
    assert rows(helper_dot_hpp=HELPER, user_dot_cpp=user)[-2:] == [
        ("user.cpp", 3, [None], [("helper.hpp", "launch")]),
        ("user.cpp", 10, [32], [("user.cpp", "handed"), ("helper.hpp", "launch")]),
    ]
    (launch,) = [each.launch for each in kernels(["user.cpp"], Configs(Config(targets=("tgl",)))).launches][:1]
    assert launch.local_range is not None
    assert [each.value for each in possible(launch.local_range.extents[0])] == [64, 128]


def test_a_finding_stands_at_the_call_and_leads_to_the_launch(project: Path) -> None:
    (project / "helper.hpp").write_text(HELPER)
    (project / "user.cpp").write_text(USER)
    (found,) = [each for each in check(["."], Configs(Config(targets=("tgl",)))).diagnostics if each.code == "SYC101"]
    assert found.location.path == "user.cpp"
    assert USER[found.location.span.start :].startswith("launch(q, 4096, 1024")
    assert [each.message for each in found.related if each.location.path == "helper.hpp"] == [
        "the kernel is launched here"
    ]


def test_a_function_that_a_macro_defines_is_followed(project: Path) -> None:
    assert rows(host_dot_hpp=MACRO, user_dot_cpp=MACRO_USER) == [
        ("user.cpp", 7, [8, 16], [("user.cpp", "app::detail::clear")])
    ]


DEFINING = """\
#include <sycl/sycl.hpp>
#define KERNEL_AND_HOST(name) \\
  inline void name(float *y, sycl::nd_item<1> it) { y[it.get_global_id(0)] = 0; } \\
  inline void name(sycl::range<1> groups, sycl::range<1> group, sycl::queue *q, float *y) { \\
    q->parallel_for(sycl::nd_range<1>(groups * group, group), [=](sycl::nd_item<1> it) { name(y, it); }); \\
  }
"""


@pytest.mark.parametrize(
    "uses",
    [
        # With a semicolon, and without: the next line is no part of the statement.
        "KERNEL_AND_HOST(clear);\n\n",
        "\n\nKERNEL_AND_HOST(clear)\n",
        "\nKERNEL_AND_HOST(clear)\n\n",
        "KERNEL_AND_HOST(clear)\n#define NEXT\n\n",
        "static int before;\nKERNEL_AND_HOST(clear)\nstatic int after;\n",
        "namespace app {\nKERNEL_AND_HOST(clear)\n} using app::clear;\n",
    ],
)
def test_a_macro_that_defines_kernel_and_host_function_is_no_row_of_its_own(project: Path, uses: str) -> None:
    call = "void run(sycl::queue *q, float *y) {\n  clear(sycl::range<1>(4), sycl::range<1>(128), q, y);\n}\n"
    ((path, line, local, _),) = rows(user_dot_cpp=DEFINING + uses + call)
    assert (path, line, local) == ("user.cpp", (DEFINING + uses).count("\n") + 2, [128])


def test_each_use_of_a_macro_defines_a_function(project: Path) -> None:
    code = """\
KERNEL_AND_HOST(clear)
KERNEL_AND_HOST(fill)
void run(sycl::queue *q, float *y) {
  fill(sycl::range<1>(4), sycl::range<1>(64), q, y);
  clear(sycl::range<1>(4), sycl::range<1>(32), q, y);
}
"""
    assert [each[1:3] for each in rows(user_dot_cpp=DEFINING + code)] == [(10, [64]), (11, [32])]


FILL = """\
#include <sycl/sycl.hpp>
#define FILL(name, T, group) \\
  void name(sycl::queue &q, T *y) { \\
    q.parallel_for(sycl::nd_range<1>(4096, group), [=](sycl::nd_item<1> it) { y[it.get_global_id(0)] = 0; }); \\
  }
template <class T, int Group> void fill(sycl::queue &q, T *y) {
  q.parallel_for(sycl::nd_range<1>(4096, Group), [=](sycl::nd_item<1> it) { y[it.get_global_id(0)] = 0; });
}
#define INSTANCE(name, T, group) template void fill<T, group>(sycl::queue &, T *);
"""


@pytest.mark.parametrize("given", ["FILL", "INSTANCE"])
@pytest.mark.parametrize(
    "uses",
    [
        "@(clear, float, 64)\n@(reset, int, 16)\n",
        "#define ALL(X) X(clear, float, 64) X(reset, int, 16)\nALL(@)\n",
        "#define ONE(X) X(clear, float, 64)\n#define ALL(X) ONE(X) X(reset, int, 16)\nALL(@);\n",
    ],
)
def test_a_macro_that_is_given_one_writes_its_functions_or_instances(project: Path, given: str, uses: str) -> None:
    (project / "user.cpp").write_text(FILL + uses.replace("@", given))
    found = [each.launch.local_range for each in kernels(["."], Configs(Config(targets=("tgl",)))).launches]
    assert {each.value for local in found if local is not None for each in possible(local.extents[0])} == {16, 64}


def test_what_a_pack_hands_on_decides_a_size(project: Path) -> None:
    down = [("packs.hpp", "dev::fill")]
    assert [each for each in rows(packs_dot_hpp=PACKS, user_dot_cpp=PACKS_USER) if each[0] == "user.cpp"] == [
        ("user.cpp", 3, [128], [("packs.hpp", name) for name in ("user::start", "chosen", "fill")]),
        ("user.cpp", 4, [32], [("packs.hpp", "user::narrow"), *down]),
        ("user.cpp", 5, [16], [("packs.hpp", "user::between"), *down]),
        ("user.cpp", 8, [512], [("packs.hpp", "user::led"), *down]),
    ]


def test_an_arm_of_a_conditional_that_launches_is_followed_where_another_may_be_compiled(project: Path) -> None:
    assert rows(start_dot_hpp=ARMS, user_dot_cpp=ARMS_USER) == [("user.cpp", 3, [64], [("start.hpp", "start")])]


def test_what_objects_and_macros_of_a_header_launch_is_a_row_where_they_are_used(project: Path) -> None:
    found = rows(objects_dot_hpp=OBJECTS, user_dot_cpp=OBJECTS_USER)
    sizes = {4: [32], 5: [64], 6: [128], 7: [256], 8: [512], 9: [16], 11: [8], 12: [48]}
    assert {line: local for path, line, local, _ in found if path == "user.cpp"} == sizes
    assert len(found) == len(sizes)


LINKED = {
    "run_dot_hpp": """\
#pragma once
#include <sycl/sycl.hpp>
void run(sycl::queue &q, size_t n, size_t group, float *y);
""",
    "run_dot_cpp": f"""\
#include "run.hpp"
void run(sycl::queue &q, size_t n, size_t group, float *y) {{
  q.parallel_for(sycl::nd_range<1>(n, group), {KERNEL});
}}
""",
    "main_dot_cpp": f"""\
#include "run.hpp"
int main() {{
  sycl::queue q;
  float *y = sycl::malloc_device<float>(4096, q);
  run(q, 4096, 2048, y);
  q.parallel_for(sycl::nd_range<1>(4096, 64), {KERNEL}).wait();
  sycl::free(y, q);
}}
""",
}


def test_a_launch_in_one_source_that_a_call_in_another_decides_is_a_row_there(project: Path) -> None:
    """The unit of ``main.cpp`` does not hold ``run.cpp``: only the program does."""
    assert rows(**LINKED) == [
        ("main.cpp", 5, [2048], [("run.cpp", "run")]),
        ("main.cpp", 6, [64], []),
    ]


def test_a_size_that_a_call_in_another_source_decides_is_judged_with_the_source_that_launches(project: Path) -> None:
    rows(**LINKED)
    config = Configs(Config(targets=("tgl",), select=("SYC101",)))
    found = [
        [(each.code, each.location.path) for each in check([path], config).diagnostics] for path in (".", "run.cpp")
    ]
    assert found == [[("SYC101", "main.cpp")]] * 2
    assert check(["main.cpp"], config).diagnostics == ()


def test_a_kernel_passed_to_an_unknown_function_is_reported_with_the_line_that_makes_it_a_launch(project: Path) -> None:
    (project / "a.cpp").write_text(
        "#include <lib/run.hpp>\n"
        "void f(sycl::queue &q, float *y) {\n"
        "  lib::run(q, sycl::range<1>(64), sycl::range<1>(8), [=](sycl::nd_item<1> it) { y[0] = 1; });\n"
        "  mine([&](int i) { y[i] = 1; });\n"
        "}\n"
    )
    coverage = kernels(["."], Configs(Config(targets=("tgl",)))).coverage
    assert [(each.function, each.setting) for each in coverage.not_followed] == [
        ("lib::run", '"lib::run" = { global = 1, local = 2, kernel = 3 }')
    ]


def test_files_that_do_not_parse_are_named_where_they_hold_sycl(project: Path) -> None:
    broken = "void broken( { int a = ; }\n"
    (project / "a.cpp").write_text(f"#include <sycl/sycl.hpp>\nvoid f(sycl::queue &q) {{ q.wait(); }}\n{broken}")
    (project / "b.cpp").write_text(f"void __syncthreads();\nvoid g() {{ __syncthreads(); barrier(0); }}\n{broken}")
    found = check(["."], Configs(Config(targets=("tgl",))))
    assert found.not_parsed == ("a.cpp",)
    assert [each for each in found.notices if "not parse" in each] == [
        "a.cpp: 1 place does not parse, and what stands there is not analysed"
    ]


@pytest.mark.parametrize("call", ["g.parallel_for_work_item(", "group.parallel_for_work_item(sycl::range<1>(8), "])
def test_work_items_of_a_work_group_are_no_launch_that_was_not_followed(project: Path, call: str) -> None:
    name = call.partition(".")[0]
    Path("a.cpp").write_text(
        "#include <sycl/sycl.hpp>\nvoid f(sycl::queue &q, float *y) { q.submit([&](sycl::handler &h) {\n"
        f"h.parallel_for_work_group(sycl::range<1>(8), sycl::range<1>(8), [=](sycl::group<1> {name}) {{\n"
        f"{call}[&](sycl::h_item<1> it) {{ y[it.get_global_id(0)] = 1; }}); }}); }}); }}\n"
    )
    assert kernels(["."], Configs(Config(targets=("tgl",)))).coverage.not_followed == ()


SIZED = """\
#pragma once
#include <sycl/sycl.hpp>
template <class Body> void launch(sycl::queue &q, int n, int group, Body body) {
  q.parallel_for(sycl::nd_range<1>(n, group), [=](sycl::nd_item<1> it) { body(it.get_global_id(0)); });
}
template <int Group, class Body> void launch(sycl::queue &q, int n, Body body) {
  q.parallel_for(sycl::nd_range<1>(n, Group), [=](sycl::nd_item<1> it) { body(it.get_global_id(0)); });
}
"""
BODY = "[=](int i) { y[i] = 0; }"


@pytest.mark.parametrize(
    ("middle", "call", "sizes"),
    [
        (f"inline void fill(sycl::queue &q, int n, float *y) {{ launch(q, n, 256, {BODY}); }}", "fill(q, m, y);", []),
        (f"inline void fill(sycl::queue &q, int n, float *y) {{ launch<256>(q, n, {BODY}); }}", "fill(q, m, y);", []),
        (
            (
                "constexpr int WIDTH = 64; inline void fill(sycl::queue &q, int n, float *y) {"
                f" const int group = 2 * WIDTH; launch(q, n, group, {BODY}); }}"
            ),
            "fill(q, m, y);",
            [],
        ),
        (
            "template <class Body> void each(sycl::queue &q, int n, Body body) { launch(q, n, 256, body); }",
            f"each(q, m, {BODY});",
            [],
        ),
        (
            (
                f"inline void fill(sycl::queue &q, int n, int group, float *y) {{ launch(q, n, group, {BODY}); }}"
                " inline void all(sycl::queue &q, int n, float *y) { fill(q, n, 64, y); }"
            ),
            "all(q, m, y);",
            [],
        ),
        ("", f"launch(q, m, 64, {BODY});", [64]),
        ("", f"launch<64>(q, m, {BODY});", [64]),
        (
            f"inline void fill(sycl::queue &q, int n, int group, float *y) {{ launch(q, n, group, {BODY}); }}",
            "fill(q, m, 64, y);",
            [64],
        ),
        (
            (
                "inline void fill(sycl::queue &q, int n, int group, float *y) {"
                f" int half = group / 2; launch(q, n, half, {BODY}); }}"
            ),
            "fill(q, m, 64, y);",
            [32],
        ),
        (
            f"template <int Group> void fill(sycl::queue &q, int n, float *y) {{ launch<2 * Group>(q, n, {BODY}); }}",
            "fill<64>(q, m, y);",
            [128],
        ),
        (
            (
                "template <int Group> void fill(sycl::queue &q, int n, float *y) {"
                f" launch(q, n, Group > 32 ? 32 : Group, {BODY}); }}"
            ),
            "fill<64>(q, m, y);",
            [32],
        ),
        (
            (
                "struct Filler { int group; void run(sycl::queue &q, int n, float *y) {"
                f" launch(q, n, group, {BODY}); }} }};"
            ),
            "Filler filler{64}; filler.run(q, m, y);",
            [64],
        ),
        (
            (
                "template <int Group> struct Filler { static void run(sycl::queue &q, int n, float *y) {"
                f" launch(q, n, Group, {BODY}); }} }};"
            ),
            "Filler<64>::run(q, m, y);",
            [64],
        ),
        (
            (
                "inline void fill(sycl::queue &q, int n, int group, float *y) {"
                f" auto go = [&](int width) {{ launch(q, n, width, {BODY}); }}; go(group); }}"
            ),
            "fill(q, m, 64, y);",
            [64],
        ),
        (
            (
                "inline void fill(sycl::queue &q, int n, int group, float *y) {"
                f" if (n < 100) launch(q, n, 32, {BODY}); else launch(q, n, group, {BODY}); }}"
            ),
            "fill(q, m, 64, y);",
            [64],
        ),
        (
            f"#define FILL(q, n, group, y) launch(q, n, group, {BODY})",
            "FILL(q, m, 64, y);",
            [64],
        ),
    ],
)
def test_a_launch_is_a_row_of_the_file_whose_call_decides_its_size_through_any_callers(
    project: Path, middle: str, call: str, sizes: list[int]
) -> None:
    user = f'#include "middle.hpp"\nvoid run(sycl::queue &q, int m, float *y) {{ {call} }}\n'
    found = rows(sized_dot_hpp=SIZED, middle_dot_hpp=f'#include "sized.hpp"\n{middle}\n', user_dot_cpp=user)
    assert [local for path, _, local, _ in found if path == "user.cpp"] == [[each] for each in sizes]


def test_one_call_is_resolved_where_each_call_in_a_header_decides_the_size(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolved: list[str] = []
    callees = CallSites.callees

    def counted(sites: CallSites, site: Place) -> list[Declared[Function]]:
        assert isinstance(site.node, Call)
        resolved.append(getattr(site.node.function, "text", ""))
        return callees(sites, site)

    monkeypatch.setattr(CallSites, "callees", counted)
    middle = f"inline void fill(sycl::queue &q, int n, float *y) {{ launch(q, n, 256, {BODY}); }}"
    calls = "fill(q, m, y); " * 20
    user = f'#include "middle.hpp"\nvoid run(sycl::queue &q, int m, float *y) {{ {calls} }}\n'
    Path("sized.hpp").write_text(SIZED)
    Path("middle.hpp").write_text(f'#include "sized.hpp"\n{middle}\n')
    Path("user.cpp").write_text(user)
    kernels(["user.cpp"], Configs(Config(targets=("tgl",))))
    assert resolved == ["fill"]


def test_what_a_call_gives_for_a_size_is_evaluated_once_for_all_files_of_a_unit(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[int] = []

    def counted(site: Place, call: Call) -> Point:
        looked.append(id(call))
        return point_of(site, call)

    monkeypatch.setattr("sycllint.launch.open_sizes.point_of", counted)
    launched = f"const int size = group; launch(q, n, size, {BODY});"
    fill = f"inline void fill(sycl::queue &q, int n, int group, float *y) {{ {launched} }}"
    found = rows(
        sized_dot_hpp=SIZED,
        middle_dot_hpp=f'#include "sized.hpp"\n{fill}\n',
        small_dot_hpp='#include "middle.hpp"\ninline void a(sycl::queue &q, int m, float *y) { fill(q, m, 64, y); }\n',
        wide_dot_hpp='#include "middle.hpp"\ninline void b(sycl::queue &q, int m, float *y) { fill(q, m, 128, y); }\n',
        user_dot_cpp='#include "small.hpp"\n#include "wide.hpp"\n'
        "void run(sycl::queue &q, int m, float *y) { a(q, m, y); b(q, m, y); }\n",
    )
    assert {(path, *local) for path, _, local, _ in found} >= {("small.hpp", 64), ("wide.hpp", 128)}
    assert looked
    assert len(looked) == len(set(looked))


def test_a_method_that_is_named_like_a_launch_is_looked_at_once_for_all_files_of_a_unit(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[tuple[str, int]] = []

    def counted(
        evaluator: Evaluator, submission: Submission, kernel: Callable[[], KernelFunction | None], point: Point
    ) -> bool:
        looked.append((evaluator.facts.file_at(point.place).path, submission.start))
        return is_launcher(evaluator, submission, kernel, point)

    monkeypatch.setattr("sycllint.launch.build.is_launcher", counted)
    pool = (
        "#pragma once\n#include <sycl/sycl.hpp>\n"
        "struct Pool { template <class F> void parallel_for(int n, F f) { for (int i = 0; i < n; ++i) f(i); } };\n"
        "template <class F> void each(Pool &pool, int n, F f) { pool.parallel_for(n, f); }\n"
    )
    user = "void run{0}(Pool &pool, float *y) {{ each(pool, {0}, [=](int i) {{ y[i] = {0}; }}); }}\n"
    assert not rows(
        pool_dot_hpp=pool,
        small_dot_hpp='#include "pool.hpp"\ninline ' + user.format(1),
        wide_dot_hpp='#include "pool.hpp"\ninline ' + user.format(2),
        user_dot_cpp='#include "small.hpp"\n#include "wide.hpp"\n' + user.format(3),
    )
    # Once where it is written, and once for the three files that call the function around it.
    assert len(looked) == 2


@pytest.mark.parametrize(
    ("size", "header", "one", "two", "wide"),
    [
        ("group()", "inline int group() { return GROUP; }", ("#define GROUP 64", ""), ("#define GROUP 128", ""), 128),
        (
            "Of<int>::size",
            "template <class T> struct Of { static constexpr int size = 64; };",
            ("", ""),
            ("", "template <> struct Of<int> { static constexpr int size = 128; };"),
            128,
        ),
        (
            "group_of(1)",
            "inline int group_of(long) { return 64; }",
            ("", ""),
            ("inline int group_of(int) { return 128; }", ""),
            None,
        ),
        (
            "size",
            "namespace wide { constexpr int size = 128; } namespace narrow { constexpr int size = 64; }",
            ("", "using namespace narrow;"),
            ("", "using namespace wide;"),
            128,
        ),
    ],
)
@pytest.mark.parametrize("names", [("a", "b"), ("b", "a")])
def test_what_a_source_changes_of_a_name_counts_in_its_own_unit_only(
    project: Path,
    size: str,
    header: str,
    one: tuple[str, str],
    two: tuple[str, str],
    wide: int | None,
    names: tuple[str, str],
) -> None:
    fill = f"inline void fill(sycl::queue &q, int n, int group, float *y) {{ launch(q, n, group, {BODY}); }}"
    run = f"void run(sycl::queue &q, int m, float *y) {{ fill(q, m, {size}, y); }}"
    files = {
        f"{name}_dot_cpp": f'{before}\n#include "middle.hpp"\n{after}\n{run}\n'
        for name, (before, after) in zip(names, (one, two), strict=True)
    }
    found = rows(sized_dot_hpp=SIZED, middle_dot_hpp=f'#include "sized.hpp"\n{header}\n{fill}\n', **files)
    in_sources = {path: local for path, _, local, _ in found if path.endswith(".cpp")}
    assert in_sources == {f"{names[0]}.cpp": [64], f"{names[1]}.cpp": [wide]}
