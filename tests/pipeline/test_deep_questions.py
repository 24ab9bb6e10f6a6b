"""Which files start libclang under ``--deep``: those in which it may decide something."""

import subprocess
import sys
from pathlib import Path

import pytest

from sycllint.config import Config, Deep
from sycllint.pipeline import check
from sycllint.pipeline.front_end import FrontEnd

PRELUDE = """\
#include <sycl/sycl.hpp>
#include <cstdlib>
#include <vector>
"""

CLOSED = {
    "sizes of the command line": """
        void f(sycl::queue &q, float *y, int argc, char **argv) {
          const int n = atoi(argv[1]);
          q.parallel_for(sycl::nd_range<1>(n * argc, std::max(n, 4)), [=](sycl::nd_item<1> it) { y[0] = n; });
        }""",
    "sizes of containers and devices": """
        void f(sycl::queue &q, float *y, std::vector<int> v) {
          auto most = q.get_device().get_info<sycl::info::device::max_work_group_size>();
          q.parallel_for(sycl::nd_range<1>(v.size() * most, most), [=](sycl::nd_item<1> it) { y[0] = 1; });
        }""",
    "a member that is set while the program runs": """
        struct Options { int block; float scale; };
        void f(sycl::queue &q, float *y, Options given) {
          q.parallel_for(sycl::nd_range<1>(4096, given.block), [=](sycl::nd_item<1> it) { y[0] = given.scale; });
        }""",
    "a template that calls bind": """
        template <class T, int N> void sum(sycl::queue &q, T *y) {
          q.submit([&](sycl::handler &h) {
            sycl::local_accessor<T, 1> tile(N, h);
            h.parallel_for(sycl::nd_range<1>(4096, N), [=](sycl::nd_item<1> it) { tile[0] = y[0]; });
          });
        }
        void f(sycl::queue &q, float *y, double *z) { sum<float, 64>(q, y); sum<double, 32>(q, z); }""",
    "a few captures": """
        struct Shape { float size[3]; int kind; };
        float scale(float x) { return 2 * x; }
        void f(sycl::queue &q, sycl::buffer<float> b, Shape shape) {
          const float4 *table = nullptr;
          int row[16] = {};
          auto factor = scale(3);
          auto twice = [=](float x) { return factor * x; };
          q.submit([&](sycl::handler &h) {
            auto a = b.get_access<sycl::access::mode::read_write>(h);
            sycl::accessor c(b, h);
            h.parallel_for(sycl::range<1>(64), [=](sycl::id<1> i) {
              a[i] = twice(c[i]) + row[0] + shape.size[1] + table[0].x();
            });
          });
        }""",
    "a member function of a visible class": """
        struct Field {
          float own[4096];
          void run(sycl::queue &q, float *y) {
            q.parallel_for(sycl::range<1>(64), [=](sycl::id<1> i) { y[i] = 2; });
          }
        };""",
    "a function object of pointers": """
        struct Add {
          sycl::accessor<float, 1> a;
          const float *b; int n;
          void operator()(sycl::id<1> i) const { a[i] += b[i]; }
        };
        void f(sycl::queue &q, Add add) { q.parallel_for(sycl::range<1>(64), add); }""",
}
"""By what the file has, and a front end cannot know better."""

OPEN = {
    "a constant of a header that is not there": """
        #include <vendor/tuning.h>
        void f(sycl::queue &q, float *y) {
          q.parallel_for(sycl::nd_range<1>(4096, vendor::block), [=](sycl::nd_item<1> it) { y[0] = 1; });
        }""",
    "a constant that the standard library computes": """
        void f(sycl::queue &q, float *y) {
          constexpr auto block = std::tuple_size_v<std::array<char, 128>>;
          q.parallel_for(sycl::nd_range<1>(4096, block), [=](sycl::nd_item<1> it) { y[0] = 1; });
        }""",
    "overloads": """
        constexpr int block(int) { return 64; }
        constexpr int block(double) { return 128; }
        void f(sycl::queue &q, float *y) {
          q.parallel_for(sycl::nd_range<1>(4096, block(1.0)), [=](sycl::nd_item<1> it) { y[0] = 1; });
        }""",
    "the size of a class with a base": """
        struct Base { virtual ~Base(); double d; };
        struct Node : Base { char c; };
        void f(sycl::queue &q, float *y) {
          q.submit([&](sycl::handler &h) {
            sycl::local_accessor<Node, 1> tile(64, h);
            h.parallel_for(sycl::nd_range<1>(4096, 64), [=](sycl::nd_item<1> it) { y[0] = tile[0].d; });
          });
        }""",
    "an array of some size": """
        void f(sycl::queue &q, float *y) {
          float coefficient[300];
          q.parallel_for(sycl::range<1>(64), [=](sycl::id<1> i) { y[i] *= coefficient[i]; });
        }""",
    "an array that a macro names": """
        #define WEIGHT(i) coefficient[(i) % 300]
        void f(sycl::queue &q, float *y) {
          float coefficient[300];
          q.parallel_for(sycl::range<1>(64), [=](sycl::id<1> i) { y[i] *= WEIGHT(i); });
        }""",
    "an object of a class that is not there": """
        #include <vendor/state.h>
        void f(sycl::queue &q, float *y, vendor::State state) {
          q.parallel_for(sycl::range<1>(64), [=](sycl::id<1> i) { y[i] *= state.scale; });
        }""",
    "an array of the standard library": """
        void f(sycl::queue &q, float *y) {
          std::array<double, 200> table{};
          q.parallel_for(sycl::range<1>(64), [=](sycl::id<1> i) { y[i] *= table[i]; });
        }""",
    "a lambda that holds much": """
        void f(sycl::queue &q, float *y) {
          float coefficient[300];
          auto weight = [=](int i) { return coefficient[i]; };
          q.parallel_for(sycl::range<1>(64), [=](sycl::id<1> i) { y[i] *= weight(i); });
        }""",
    "a member function of a class that inherits": """
        #include <vendor/base.h>
        struct Field : vendor::Base {
          void run(sycl::queue &q, float *y) {
            q.parallel_for(sycl::range<1>(64), [=](sycl::id<1> i) { y[i] = factor; });
          }
        };""",
    "a function object with a large member": """
        struct Filter {
          float weights[300], *y;
          void operator()(sycl::id<1> i) const { y[i] *= weights[0]; }
        };
        void f(sycl::queue &q, Filter filter) { q.parallel_for(sycl::range<1>(64), filter); }""",
}
"""By what the file leaves open."""


@pytest.fixture
def questions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files for which libclang would be started."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    asked: list[str] = []

    def parsed(_self: FrontEnd, _unit: object, root: str, _command: object) -> None:
        asked.append(root)

    monkeypatch.setattr(FrontEnd, "parsed", parsed)
    return asked


def lint(text: str) -> None:
    Path("a.cpp").write_text(PRELUDE + text)
    check(["a.cpp"], Config(targets=("tgl",), deep=Deep("on")))


@pytest.mark.parametrize("what", CLOSED)
def test_nothing_is_asked_where_what_runs_decides(what: str, questions: list[str]) -> None:
    lint(CLOSED[what])
    assert questions == []


@pytest.mark.parametrize("what", OPEN)
def test_a_front_end_is_asked_where_it_may_know(what: str, questions: list[str]) -> None:
    lint(OPEN[what])
    assert set(questions) == {"a.cpp"}


def test_libclang_is_not_imported_where_nothing_is_open(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text(PRELUDE + CLOSED["a few captures"])
    program = (
        "import sys; from sycllint.config import Config, Deep; from sycllint.pipeline import check\n"
        "check(['a.cpp'], Config(targets=('tgl',), deep=Deep('on')))\n"
        "print([each for each in sys.modules if each.split('.')[0] == 'clang'])"
    )
    run = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
