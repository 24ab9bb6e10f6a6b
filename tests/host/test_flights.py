"""Which commands are surely in flight when the host uses their memory."""

from pathlib import Path

import pytest

from sycllint.config import Config
from sycllint.facts.collect import file_facts
from sycllint.host.analyses import HostCode, observe
from sycllint.host.records import EarlyUse
from sycllint.observation import EVERYTHING
from sycllint.pipeline import check
from sycllint.values.evaluate import Evaluator

BEFORE = """
void elsewhere();
void given(sycl::queue &q);
struct Timer { void stop(); };
struct Solver { sycl::queue q; Solver(sycl::queue from); void run(); };
"""
COPY = "q.memcpy(h, d, n);"


def early(statements: str, before: str = "") -> list[str]:
    """The names that are used too early in ``run(sycl::queue &q, float *h, const float *d, int n, bool b)``."""
    code = f"{BEFORE}{before}\nvoid run(sycl::queue &q, float *h, const float *d, int n, bool b) {{ {statements} }}"
    facts = file_facts("host.cpp", code.encode(), {})
    return [each.name for each in observe(HostCode(Evaluator(facts, {}), facts, ()), EVERYTHING).of(EarlyUse)]


@pytest.mark.parametrize(
    "statements",
    [
        f"{COPY} use(h[0]);",
        f"{COPY} float x = *h;",
        f"{COPY} h[3] += 1;",
        f"{COPY} ++h[3];",
        f"{COPY} if (h[0] > 0) return;",
        f"{COPY} for (int i = 0; i < n; ++i) use(h[i]);",
        f"for (int i = 0; i < n; ++i) {{ {COPY} }} use(h[0]);",
        f"for (int i = 0; i < n; ++i) {{ use(h[0]); {COPY} }}",
        f"if (b) {{ {COPY} }} use(h[0]);",
        f"if (b) {{ {COPY} use(h[0]); }} q.wait();",
        f"{COPY} elsewhere(); use(h[0]);",
        f"{COPY} Timer t; use(h[0]);",
        f"{COPY} float *p = h; use(p[1]);",
        f"{COPY} switch (n) {{ case 1: use(h[0]); break; default: break; }}",
        f"try {{ {COPY} use(h[0]); }} catch (...) {{ q.wait(); }}",
        f"{COPY} std::sort(h, h + n);",
        f"{COPY} auto show = [&] {{ use(h[0]); }}; show();",
        f"{COPY} true ? use(h[0]) : use(0);",
        "float x; q.submit([&](sycl::handler &g) { g.memcpy(&x, d, 4); }); use(x + 1);",
        "auto kernel = [=](sycl::id<1> i) { h[i] = 1; }; q.parallel_for(n, kernel); use(h[0]);",
        "sycl::queue *p = &q; p->memcpy(h, d, n); use(h[0]);",
        "(*&q).memcpy(h, d, n); use(h[0]);",
    ],
)
def test_a_use_comes_too_early(statements: str) -> None:
    assert len(early(statements)) == 1


@pytest.mark.parametrize(
    "statements",
    [
        f"{COPY} q.wait(); use(h[0]);",
        f"{COPY} if (b) q.wait(); else q.wait_and_throw(); use(h[0]);",
        f"{COPY} for (int i = 0; i < n; ++i) q.wait(); use(h[0]);",
        f"{COPY} switch (n) {{ case 1: q.wait(); break; default: break; }} use(h[0]);",
        f"{COPY} try {{ q.wait(); }} catch (...) {{}} use(h[0]);",
        f"{COPY} given(q); use(h[0]);",
        f"{COPY} Solver s(q); s.run(); use(h[0]);",
        f"{COPY} auto flush = [&] {{ q.wait(); }}; std::thread t(flush); t.join(); use(h[0]);",
        f"{COPY} MPI_Waitall(n); use(h[0]);",
        f"{COPY} SYNCHRONIZE(); use(h[0]);",
        f"{COPY} use(h);",
        f"{COPY} use(&h[1]);",
        f"{COPY} use(sizeof(h[0]));",
        f"{COPY} h = nullptr; h += n; use(h[0]);",
        f"{COPY} reset(&h); use(h[0]);",
        f"for (int i = 0; i < n; ++i) {{ {COPY} if (i + 1 < n) continue; q.wait(); use(h[0]); }}",
        f"for (int i = 0; i < n; ++i) {{ if (i > 0) {{ q.wait(); use(h[0]); }} {COPY} }}",
        f"if (b) {{ {COPY} }} if (b) q.wait(); use(h[0]);",
        f"if (b) {{ {COPY} }} if (!b) use(h[0]);",
        f"if (b) {{ {COPY} q.wait(); }} use(h[0]);",
        f"{COPY} if (b) return; q.wait(); use(h[0]);",
        f"{COPY} while (!b) {{ q.wait(); break; }} use(h[0]);",
        f"{COPY} goto end; end: use(h[0]);",
        "auto e = q.memcpy(h, d, n); while (e.get_info<status>() != done) {} e.wait(); use(h[0]);",
        "auto e = b ? q.memcpy(h, d, n) : q.memset(h, 0, n); e.wait(); use(h[0]);",
        "std::vector<sycl::event> es; es.push_back(q.memcpy(h, d, n)); for (auto &e : es) e.wait(); use(h[0]);",
        "sycl::event e; e = q.memcpy(h, d, n); sycl::event::wait({e}); use(h[0]);",
        "q.memcpy(h, d, n).wait_and_throw(); use(h[0]);",
        "q.submit([&](sycl::handler &g) { g.memcpy(h, d, n); }).wait(); use(h[0]);",
        "unknown.memcpy(h, d, n); use(h[0]);",
        "std::memcpy(h, d, n); use(h[0]);",
        "q.memcpy(h + n, d, n); use(h[0]);",
        "q.parallel_for(n, [=](sycl::id<1> i) { hidden(h, i); }); use(h[0]);",
        "q.parallel_for(n, [=](sycl::id<1> i) { use(h[i]); }); use(h[0]);",
        "float x = 0; q.parallel_for(n, [=](sycl::id<1> i) mutable { x = 1; }); use(x);",
        "{ sycl::buffer<float> held(n); q.memcpy(h, d, n); } use(h[0]);",
        "std::vector<float *> v(n); q.memcpy(v[0], d, n); use(v[1]);",
        "float *rows[4]; q.memcpy(rows[0], d, n); use(rows[1][0]);",
    ],
)
def test_a_use_may_come_in_time(statements: str) -> None:
    assert early(statements) == []


def test_functions_that_call_themselves_end() -> None:
    before = "void again(sycl::queue &q, float *h, const float *d, int n) { q.memcpy(h, d, n); again(q, h, d, n - 1); }"
    assert early("again(q, h, d, n); use(h[0]);", before) == []


def test_a_macro_that_names_itself_ends() -> None:
    assert early(f"COPY(h); {COPY} use(h[0]);", "#define COPY(x) COPY(x)\n") == ["h"]


def test_a_queue_of_the_class_may_be_waited_for_by_its_methods_without_a_visible_definition() -> None:
    before = (
        "struct Run { sycl::queue q; float *h; void stop(); "
        "void go(const float *d) { q.memcpy(h, d, 4); stop(); use(h[0]); } };"
    )
    assert early("", before) == []


def test_a_queue_of_the_class_may_be_waited_for_by_what_it_inherits() -> None:
    before = (
        "struct Run : Base { sycl::queue q; float *h; "
        "void go(const float *d) { q.memcpy(h, d, 4); stop(); use(h[0]); } };"
    )
    assert early("", before) == []


def test_a_queue_of_the_class_is_followed_otherwise() -> None:
    before = "struct Run { sycl::queue q; float *h; void go(const float *d) { q.memcpy(h, d, 4); x = h[0]; } };"
    assert early("", before) == ["h"]


def test_what_a_macro_of_a_header_does_is_shown_where_it_is_used(tmp_path: Path) -> None:
    (tmp_path / "macros.h").write_text("#define DO(...) __VA_ARGS__\n#define ONE(x) x\n")
    main = tmp_path / "main.cpp"
    main.write_text(
        '#include "macros.h"\n'
        "void run(sycl::queue &q, float *h, const float *d, int n) {\n"
        "  q.memcpy(h, d, n);\n"
        "  DO(use(h[0]));\n"
        "  q.memcpy(h, d, n);\n"
        "  ONE(use(h[0]));\n"
        "}\n"
    )
    found = check([main.as_posix()], Config(root=tmp_path.as_posix(), select=("SYC1102",))).diagnostics
    text = main.read_bytes()
    lines = [(Path(each.location.path).name, text.count(b"\n", 0, each.location.span.start) + 1) for each in found]
    assert lines == [("main.cpp", 4), ("main.cpp", 6)]
