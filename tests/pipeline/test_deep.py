"""``--deep``: what the front end adds, that it takes nothing away, and what happens without it."""

import json
import sys
from pathlib import Path

import pytest

from sycllint.config import Config, Deep
from sycllint.launch.kernel import LaunchKind
from sycllint.pipeline import check, kernels
from sycllint.pipeline.cache import Cache
from sycllint.semantics.library import load
from sycllint.values.value import Known, Value, known

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"

HEADER = """\
#pragma once
#include <array>
#include <type_traits>
namespace cfg {
template <class T> struct traits { static constexpr int block = std::is_convertible_v<T *, double *> ? 640 : 64; };
}
"""
SOURCE = """\
#include <sycl/sycl.hpp>
#include "traits.h"

struct Shape { virtual ~Shape(); double radius; };
struct Ball : Shape { char colour; };

template <class T> void smooth(sycl::queue &q, T *y) {
  q.parallel_for(sycl::nd_range<1>(640 * 64, cfg::traits<T>::block), [=](sycl::nd_item<1> it) { y[0] = 1; });
}

void f(sycl::queue &q, float *y, double *z) {
  float coefficient[600];
  q.parallel_for(sycl::range<1>(4096), [=](sycl::id<1> i) { y[i] *= coefficient[i % 600]; });
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<Ball, 1> t(64, h);
    h.parallel_for(sycl::nd_range<1>(1 << 16, std::tuple_size_v<std::array<char, 128>>), [=](sycl::nd_item<1> it) {
      t[it.get_local_id(0) & 63].radius = y[it.get_global_id(0)];
    });
  });
  smooth(q, z);
}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "traits.h").write_text(HEADER)
    (tmp_path / "a.cpp").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def config(use: str, **others: str) -> Config:
    return Config(targets=("tgl",), deep=Deep(use, **others))


def test_constants_sizes_and_captures_are_known_with_a_front_end(project: Path) -> None:
    pytest.importorskip("clang.cindex")
    before, after = kernels(["a.cpp"], config("off")), kernels(["a.cpp"], config("on"), raise_errors=True)
    assert [known(each.launch.work_group_size) for each in before.launches] == [None, None, None]
    # The call decides the size of the template's launch, so that is where it is listed.
    assert [known(each.launch.work_group_size) for each in after.launches] == [None, 128, 640]
    assert known(after.launches[1].launch.local_memory.total) == 64 * 24
    assert after.notices == ()


def test_a_kernel_that_captures_too_much_is_reported(project: Path) -> None:
    pytest.importorskip("clang.cindex")
    assert not [each for each in check(["a.cpp"], config("off")).diagnostics if each.code == "SYC110"]
    (found,) = [each for each in check(["a.cpp"], config("on")).diagnostics if each.code == "SYC110"]
    assert found.message == "kernel arguments of 2408 B exceed the maximum of 2048 B on tgl"
    assert found.help == "`coefficient` (`float[600]`) takes 2400 B; pass a pointer instead."


def test_a_number_that_may_depend_on_the_build_is_not_taken_from_a_guess(project: Path) -> None:
    pytest.importorskip("clang.cindex")
    (project / "a.cpp").write_text("#ifdef WIDE\n#endif\n" + SOURCE)
    found = kernels(["a.cpp"], config("on")).launches
    assert [known(each.launch.work_group_size) for each in found] == [None, None, None]
    entry = {"directory": str(project), "file": "a.cpp", "command": "c++ -c a.cpp"}
    (project / "compile_commands.json").write_text(json.dumps([entry]))
    found = kernels(["a.cpp"], config("on")).launches
    assert [known(each.launch.work_group_size) for each in found] == [None, 128, 640]


MEMBERS = """\
#include <sycl/sycl.hpp>
#include "base.h"
struct Field : Base {
  float own;
  void named(sycl::queue &q, float *y) {
    q.parallel_for(sycl::range<1>(64), [=](sycl::id<1> i) { y[i] *= factor + own; });
  }
  void copied(sycl::queue &q, float *y) {
    q.parallel_for(sycl::range<1>(64), [=, *this](sycl::id<1> i) { y[i] *= factor; });
    q.parallel_for(sycl::range<1>(64), [=, factor = factor](sycl::id<1> i) { y[i] *= factor; });
  }
};
"""


def test_an_inherited_member_is_captured_through_this(project: Path) -> None:
    pytest.importorskip("clang.cindex")
    (project / "base.h").write_text("struct Base { float factor; };\n")
    (project / "a.cpp").write_text(MEMBERS)
    found = [each for each in check(["a.cpp"], config("on")).diagnostics if each.code == "SYC1006"]
    assert [each.message.split("`")[1].rpartition("::")[2] for each in found] == ["factor", "own"]
    alone = [each for each in check(["a.cpp"], config("off")).diagnostics if each.code == "SYC1006"]
    assert {each.message for each in alone} <= {each.message for each in found}


TEMPLATE = """\
#include <sycl/sycl.hpp>
template <class T> void pack(sycl::queue &q, T *y) {
  using U = typename std::make_unsigned<T>::type;
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<U, 1> t(64, h);
    h.parallel_for(sycl::nd_range<1>(4096, std::numeric_limits<T>::digits), [=](sycl::nd_item<1> it) { t[0] = y[0]; });
  });
}
void f(sycl::queue &q, int *y, char *z) {
  pack(q, y);
  pack(q, z);
}
"""


BY_THIS = """\
#include <sycl/sycl.hpp>
struct Pair { float first, second; };
template <class T> struct Base { T inherited; };
template <class T> struct Field : Base<T> {
  T own;
  Pair pair;
  void named(sycl::queue &q, T *y) {
    q.parallel_for(sycl::range<1>(64), [=](sycl::id<1> i) { y[i] *= this->own + this->inherited + own + pair.first; });
  }
};
void f(sycl::queue &q, Field<float> &a, float *y) { a.named(q, y); }
"""


def test_members_of_a_dependent_base_are_also_reported_and_each_member_once(project: Path) -> None:
    pytest.importorskip("clang.cindex")
    (project / "a.cpp").write_text(BY_THIS)
    alone, found = (
        [
            each.message.split("`")[1].rpartition("::")[2]
            for each in check(["a.cpp"], config(use)).diagnostics
            if each.code == "SYC1006"
        ]
        for use in ("off", "on")
    )
    assert alone == ["own", "pair"]
    assert found == ["own", "inherited", "pair"]


def test_each_instantiation_that_a_call_names_is_looked_at(project: Path) -> None:
    pytest.importorskip("clang.cindex")
    (project / "a.cpp").write_text(TEMPLATE)
    found = [each.launch for each in kernels(["a.cpp"], config("on"), raise_errors=True).launches]
    sizes = [(known(each.work_group_size), known(each.local_memory.total)) for each in found]
    assert sizes == [(31, 256), (7, 64)]


def test_an_explicit_instantiation_is_not_taken_for_the_one_that_is_called(project: Path) -> None:
    pytest.importorskip("clang.cindex")
    called_once = TEMPLATE.replace("  pack(q, z);\n", "")
    (project / "a.cpp").write_text(called_once + "template void pack<char>(sycl::queue &, char *);\n")
    found = [each.launch for each in kernels(["a.cpp"], config("on"), raise_errors=True).launches]
    assert [known(each.work_group_size) for each in found] == [None, 31]


IN_HEADER = """\
#pragma once
template <class T> struct traits { static constexpr int block = std::is_convertible_v<T *, double *> ? 640 : 64; };
template <class T> void smooth(sycl::queue &q, T *y) {
  T coefficient[600];
  q.parallel_for(sycl::nd_range<1>(640 * 64, traits<T>::block), [=](sycl::nd_item<1> it) {
    float kept[traits<T>::block];
    y[0] = coefficient[it.get_local_id(0)] + kept[0];
  });
}
template <class T> void twice(sycl::queue &q, T x) { smooth(q, &x); }
template <class T> struct Weighted {
  T weights[600];
  T *y;
  void operator()(sycl::nd_item<1> it) const { y[0] = weights[it.get_local_id(0)]; }
};
"""
INCLUDES = """\
#include <sycl/sycl.hpp>
#include "smooth.h"
void f(sycl::queue &q) {
  twice(q, 1.0);
  Weighted<float> weighted{};
  q.parallel_for(sycl::nd_range<1>(4096, 64), weighted);
}
"""


def test_a_template_of_a_header_is_known_where_a_call_leads_to_it(project: Path) -> None:
    pytest.importorskip("clang.cindex")
    (project / "smooth.h").write_text(IN_HEADER)
    (project / "a.cpp").write_text(INCLUDES)
    (alone,), (launch,) = (
        [each.launch for each in kernels(["smooth.h"], config(use), raise_errors=True).launches]
        for use in ("off", "on")
    )
    assert known(alone.work_group_size) is None
    assert known(launch.work_group_size) == 640
    assert known(launch.private_memory.total) == 640 * 4


def test_kernels_of_templates_and_function_objects_are_held_against_the_limit_of_arguments(project: Path) -> None:
    pytest.importorskip("clang.cindex")
    (project / "smooth.h").write_text(IN_HEADER)
    (project / "a.cpp").write_text(INCLUDES)
    found = [each for each in check(["smooth.h", "a.cpp"], config("on")).diagnostics if each.code == "SYC110"]
    assert [(each.location.path, each.message.partition(" exceed")[0]) for each in found] == [
        ("a.cpp", "kernel arguments of 2408 B"),
        ("smooth.h", "kernel arguments of 4808 B"),
    ]


RECEIVERS = """\
#include <sycl/sycl.hpp>
struct Device { sycl::queue main; sycl::queue *where() { return &main; } };
struct Own { template <class F> void single_task(F f) { f(); } };
int size(int n) { return n > 8 ? 64 : 128; }
int size(float) { return 640; }
void run(sycl::queue &q, int n, float *y) {
  q.parallel_for(sycl::nd_range<1>(64 * 640, n), [=](sycl::nd_item<1> it) { y[0] = 1; });
}
void run(sycl::queue &q, float n, float *y) {
  q.parallel_for(sycl::nd_range<1>(64 * 640, 32), [=](sycl::nd_item<1> it) { y[0] = n; });
}
void f(Device &d, Own &own, float *y) {
  d.main.single_task([=] { y[0] = 1; });
  d.where()->parallel_for(64, [=](auto i) { y[i] = 1; });
  own.single_task([=] { y[0] = 1; });
  run(d.main, 640, y);
  run(d.main, 1.0f, y);
  d.main.parallel_for(sycl::nd_range<1>(64 * 640, size(1.f)), [=](sycl::nd_item<1> it) { y[0] = 1; });
}
"""


def test_overloads_and_receivers_are_known_with_a_front_end(project: Path) -> None:
    pytest.importorskip("clang.cindex")
    (project / "a.cpp").write_text(RECEIVERS)
    alone, found = (
        [each.launch for each in kernels(["a.cpp"], config(use), raise_errors=True).launches] for use in ("off", "on")
    )
    assert [known(each.work_group_size) for each in alone if each.local_range] == [None, 32, None]
    assert [known(each.work_group_size) for each in found if each.local_range] == [32, 640, 640]
    assert [each.kind for each in found if not each.local_range] == [LaunchKind.SINGLE_TASK, LaunchKind.RANGE]
    assert len(alone) == 3


def test_what_clang_answered_is_kept_until_a_header_it_read_changes(project: Path) -> None:
    pytest.importorskip("clang.cindex")
    (project / "outside").mkdir()
    (project / "outside" / "traits.h").write_text(HEADER)
    (project / "traits.h").unlink()
    entry = {"directory": str(project), "file": "a.cpp", "command": "c++ -isystem outside -c a.cpp"}
    (project / "compile_commands.json").write_text(json.dumps([entry]))

    def excess() -> list[str]:
        found = check(["a.cpp"], config("on"), cache=Cache(str(project / "cache"))).diagnostics
        return [each.message for each in found if each.code == "SYC101"]

    first = excess()
    assert first == ["work-group 640 exceeds max 512 on tgl"]
    assert excess() == first
    (project / "outside" / "traits.h").write_text(HEADER.replace("640", "320"))
    assert excess() == []


def test_auto_is_for_files_of_a_compilation_database(project: Path) -> None:
    pytest.importorskip("clang.cindex")
    assert known(kernels(["a.cpp"], config("auto")).launches[2].launch.work_group_size) is None
    entry = {"directory": str(project), "file": "a.cpp", "arguments": ["icpx", "-fsycl", "-c", "a.cpp"]}
    (project / "compile_commands.json").write_text(json.dumps([entry]))
    assert known(kernels(["a.cpp"], config("auto")).launches[1].launch.work_group_size) == 128


def test_a_file_that_clang_does_not_understand_is_linted_as_without(project: Path) -> None:
    pytest.importorskip("clang.cindex")
    (project / "a.cpp").write_text('#include "gone.h"\n' + SOURCE)
    result = check(["a.cpp"], config("on"))
    reason = "headers that are not found: gone.h (its folder in `include`, or a compile command)"
    assert result.notices == (f"a.cpp: {reason}; not linted with --deep, but as without it",)
    assert result.complete
    assert [known(each.launch.work_group_size) for each in kernels(["a.cpp"], config("on")).launches] == [None] * 3


def test_without_libclang_there_is_one_notice(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "b.cpp").write_text(SOURCE)
    load.cache_clear()
    monkeypatch.setitem(sys.modules, "clang", None)
    result = check(["."], config("on"))
    assert result.notices == ("--deep needs libclang (pip install 'sycllint[deep]'); linted without",)
    assert result.complete


def _contradicted(fast: Value | None, deep: Value | None) -> bool:
    return isinstance(fast, Known) and fast.value != known(deep)


def test_both_tiers_agree_on_every_fixture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("clang.cindex")
    monkeypatch.chdir(FIXTURES.parent)
    paths = [f"fixtures/{name}" for name in ("SYC101", "SYC102", "SYC206", "SYC601", "values", "launch")]
    fast, deep = kernels(paths, config("off")).launches, kernels(paths, config("on"), raise_errors=True).launches
    assert len(fast) == len(deep) > 100
    for before, after in zip(fast, deep, strict=True):
        assert before.launch.location == after.launch.location
        for name in ("global_range", "local_range"):
            old, new = getattr(before.launch, name), getattr(after.launch, name)
            assert (old is None) == (new is None)
            for one, other in zip(old.extents if old else (), new.extents if new else (), strict=True):
                assert not _contradicted(one, other), before.launch.location
        assert not _contradicted(before.launch.local_memory.total, after.launch.local_memory.total)
        assert not _contradicted(before.launch.private_memory.total, after.launch.private_memory.total)
