"""Sizes that reach a launch through what applications put between: functions as values, set-up objects, hierarchies."""

import pytest

from tests.launch.snippet import launches
from tests.launch.test_ways import local

KERNEL = "[=](sycl::nd_item<1> it) { p[it.get_global_id(0)] = 1; }"
LAUNCH = f"q.parallel_for(sycl::nd_range<1>(n * @, @), {KERNEL});"


def sizes(code: str) -> list[str]:
    """The local ranges of all launches of ``code``, in which ``LAUNCH(w)`` launches work-groups of ``w``."""
    whole = code
    while "LAUNCH(" in whole:
        before, _, rest = whole.partition("LAUNCH(")
        size, _, behind = rest.partition(");")
        whole = before + LAUNCH.replace("@", size) + behind
    return sorted(local(each) for each in launches(f"#include <sycl/sycl.hpp>\n{whole}"))


RUN = "void run(sycl::queue &q, int *p, int n, int w) { LAUNCH(w); }"


@pytest.mark.parametrize(
    ("helper", "use"),
    [
        ("template <class F, class... A> void call(F f, A... a) { f(a...); }", "call(run, q, p, n, 256);"),
        ("template <class F, class... A> void call(F f, A... a) { f(a...); }", "call(&run, q, p, n, 256);"),
        (
            "template <class F, class... A> void call(F &&f, A &&...a) { std::forward<F>(f)(std::forward<A>(a)...); }",
            "call(run, q, p, n, 256);",
        ),
        ("void call(void (*f)(sycl::queue &, int *, int, int), sycl::queue &q, int *p) { (*f)(q, p, 4, 256); }",
         "call(run, q, p);"),
        ("", "auto f = &run; f(q, p, n, 256);"),
        ("", "std::invoke(run, q, p, n, 256);"),
        ("template <class F> void timed(F &&f) { f(); }", "timed([&] { run(q, p, n, 256); });"),
        ("template <class F, class... A> void call(F &&f, A &&...a) { std::invoke(f, a...); }",
         "call([&](int w) { run(q, p, n, w); }, 256);"),
    ],
)  # fmt: skip
def test_a_function_that_is_handed_on_is_given_what_its_caller_gives(helper: str, use: str) -> None:
    assert sizes(f"{RUN} {helper} void f(sycl::queue &q, int *p, int n) {{ {use} }}") == ["256"]


def test_a_variable_may_have_the_name_of_a_function() -> None:
    code = f"{RUN} void call(int run); void f(sycl::queue &q, int *p, int n) {{ int run = 3; call(run); }}"
    assert sizes(code) == ["?"]


@pytest.mark.parametrize(
    ("types", "size", "found"),
    [
        ("struct S {}; struct L {}; constexpr int wg(S) { return 32; } constexpr int wg(L) { return 128; }",
         "wg(T{})", ["128", "32"]),
        ("struct S {}; struct L {}; constexpr int wg(S) { return 32; } constexpr int wg(L) { return 128; }",
         "wg(t)", ["128", "32"]),
        ("using S = std::true_type; using L = std::false_type;", "(T::value ? 32 : 128)", ["128", "32"]),
        ("using S = std::true_type; using L = std::false_type;", "(t ? 32 : 128)", ["128", "32"]),
        ("using S = std::true_type; using L = std::false_type;", "(decltype(t)::value ? 32 : 128)", ["128", "32"]),
    ],
)  # fmt: skip
def test_a_type_chooses_a_size(types: str, size: str, found: list[str]) -> None:
    run = f"template <class T> void run(T t, sycl::queue &q, int *p, int n) {{ const int w = {size}; LAUNCH(w); }}"
    assert (
        sizes(f"{types} {run} void f(sycl::queue &q, int *p, int n) {{ run(S{{}}, q, p, n); run(L{{}}, q, p, n); }}")
        == found
    )


@pytest.mark.parametrize(
    ("cases", "found"),
    [
        ("case Mode::fast: return 64; case Mode::slow: return 256;", ["256", "64"]),
        ("case Mode::slow: return 256; default: return 64;", ["256", "64"]),
        ("case Mode::fast: { return 64; } case Mode::slow: { return 256; }", ["256", "64"]),
        ("case Mode::fast: break; case Mode::slow: return 256;", ["1", "256"]),
        ("case Mode::fast: if (m == Mode::slow) break; return 64; case Mode::slow: return 256;", ["1 | 64", "256"]),
        ("case Mode::fast: case Mode::slow: return 256;", ["256", "256"]),
    ],
)
def test_what_follows_a_switch_that_returns_never_runs(cases: str, found: list[str]) -> None:
    function = f"enum class Mode {{ fast, slow }}; constexpr int wg(Mode m) {{ switch (m) {{ {cases} }} return 1; }}"
    run = "template <Mode M> void run(sycl::queue &q, int *p, int n) { constexpr int w = wg(M); LAUNCH(w); }"
    use = "void f(sycl::queue &q, int *p, int n) { run<Mode::fast>(q, p, n); run<Mode::slow>(q, p, n); }"
    assert sizes(f"{function} {run} {use}") == found


@pytest.mark.parametrize(
    "members",
    [
        "struct { int block = 64; int items; } tile;",
        "struct { int block; int items; } tile = {64, 4};",
        "struct { int block, items; } tile{64, 4}, other{8, 8};",
        "struct Tile { int block = 64; } tile;",
    ],
)
def test_a_class_without_a_name_has_members(members: str) -> None:
    code = f"struct Plan {{ {members} }}; void f(sycl::queue &q, int *p, int n) {{ Plan a; LAUNCH(a.tile.block); }}"
    assert sizes(code) == ["64"]


@pytest.mark.parametrize(
    ("constructors", "made", "found"),
    [
        ("C() : C(96) {} C(int w) : w_(w) {}", "C c;", "96"),
        ("C() : C(96) { w_ *= 2; } C(int w) : w_(w) {}", "C c;", "192"),
        ("C(int a, int b) : C(a * b) {} C(int w) : w_(w) {}", "C c(8, 16);", "128"),
        ("C() : C(1, 2) {} C(int a, int b) : C(a + b) {} C(int w) : w_(w) {}", "C c;", "3"),
        ("C(int w) : C(w) {}", "C c(8);", "?"),
    ],
)
def test_a_constructor_may_leave_its_work_to_another(constructors: str, made: str, found: str) -> None:
    code = f"class C {{ int w_; public: {constructors} int w() const {{ return w_; }} }};"
    assert sizes(f"{code} void f(sycl::queue &q, int *p, int n) {{ {made} LAUNCH(c.w()); }}") == [found]


ARRAY = "class C {{ std::array<int, 2> v_{{32, 4}}; public: int w() const {{ return v_[0]; }} {} }};"


@pytest.mark.parametrize(
    ("methods", "use", "found"),
    [
        ("", "C c;", "32"),
        ("C &set(int a, int b) { v_ = {a, b}; return *this; }", "C c;", "32"),
        ("C &set(int a, int b) { v_ = {a, b}; return *this; }", "C c; c.set(8, 8);", "8"),
        ("void set(int a) { v_[0] = a; }", "C c; c.set(16);", "16"),
        ("int count() const { return v_.size(); }", "C c;", "32"),
        ("void set(int a) { v_.fill(a); }", "C c;", "?"),
        ("void sort() { std::sort(v_.begin(), v_.end()); }", "C c; c.sort();", "?"),
        ("std::array<int, 2> &all() { return v_; }", "C c; c.all()[0] = 8;", "?"),
        ("int *data() { return v_.data(); }", "C c; c.data()[0] = 8;", "?"),
    ],
)
def test_an_array_of_the_library_that_is_a_member(methods: str, use: str, found: str) -> None:
    code = ARRAY.format(methods)
    assert sizes(f"{code} void f(sycl::queue &q, int *p, int n) {{ {use} LAUNCH(c.w()); }}") == [found]


TUNED = "class L { int w_ = 64; public: void set(int w) { w_ = w; } int w() const { return w_; } };"
OWNER = "class C { L a; public: C(int k) { a.set(32); } @ void go(sycl::queue &q, int *p, int n) { LAUNCH(a.w()); } };"


@pytest.mark.parametrize(
    ("more", "rest", "found"),
    [
        ("", "", "32"),
        ("int twice() const { return a.w() * 2; }", "", "32"),
        ("void again(int k) { if (k) again(k - 1); }", "", "32"),
        ("C &operator=(const C &) = delete; C(const C &) = delete;", "", "32"),
        ("", "int main() { sycl::queue q; C c(1); c.go(q, nullptr, 4); }", "32"),
        ("void wide() { a.set(128); }", "", "?"),
        ("void wide() { a.set(128); }", "int main() { sycl::queue q; C c(1); c.wide(); c.go(q, nullptr, 4); }", "128"),
        ("L &tuned() { return a; }", "", "?"),
        ("friend void tune(C &);", "", "?"),
        ("void wide() { auto set = [&] { a.set(128); }; set(); }", "", "?"),
        ("void wide(C &o) { std::swap(a, o.a); }", "", "?"),
        ("void wide() { a = L{}; }", "", "?"),
    ],
)
def test_a_member_that_constructors_alone_set_up(more: str, rest: str, found: str) -> None:
    assert sizes(f"{TUNED} {OWNER.replace('@', more)} {rest}") == [found]


def test_what_constructors_are_given_is_not_what_a_member_always_is() -> None:
    owner = OWNER.replace("@", "").replace("a.set(32)", "a.set(k)")
    assert sizes(f"{TUNED} {owner}") == ["?"]
    assert sizes(f"{TUNED} {owner} int main() {{ sycl::queue q; C c(16); c.go(q, nullptr, 4); }}") == ["16"]


STAGE = """class Stage { public: virtual ~Stage() = default; virtual void go(sycl::queue &q, int *p, int n) = 0;
  protected: Stage(size_t w) : w_(w) {} SET void set(size_t w) { w_ = w; } size_t w() const { return w_; }
  private: size_t w_; };"""
FLY = "class Fly : public Stage { public: @ void go(sycl::queue &q, int *p, int n) override { LAUNCH(w()); } };"


@pytest.mark.parametrize(
    ("members", "rest", "found"),
    [
        ("Fly() : Stage(64) {}", "", "64"),
        ("Fly() : Stage(64) { set(192); }", "", "192"),
        ("Fly() : Stage(64) {}", "class Other : public Stage { public: Other() : Stage(8) { set(16); } };", "64"),
        ("static constexpr size_t kW = 96; Fly();", "Fly::Fly() : Stage(kW) {}", "96"),
        ("Fly() : Stage(64) {} Fly(const Fly &) = delete; Fly &operator=(const Fly &) = delete;", "", "64"),
        ("Fly() : Stage(64) {} Fly(int) : Stage(32) {}", "", "32 | 64"),
        ("Fly() : Stage(64) {} void tune() { set(8); }", "", "?"),
        ("Fly() : Stage(64) {}", "class Fast : public Fly { public: Fast() { set(16); } };", "?"),
    ],
)
def test_a_member_of_a_base_that_only_derived_classes_set(members: str, rest: str, found: str) -> None:
    assert sizes(f"{STAGE.replace('SET', '')} {FLY.replace('@', members)} {rest}") == [found]


def test_what_everybody_may_set_is_not_what_it_was() -> None:
    assert sizes(f"{STAGE.replace('SET', 'public:')} {FLY.replace('@', 'Fly() : Stage(64) {}')}") == ["?"]


@pytest.mark.parametrize(
    ("call", "found"),
    [
        ("Grid g{64}; q.parallel_for(g(n), @);", "64"),
        ("const Grid g{64}; auto r = g(n); q.parallel_for(r, @);", "64"),
    ],
)
def test_an_object_that_is_called_gives_a_range(call: str, found: str) -> None:
    grid = """struct Grid { int b; sycl::nd_range<1> operator()(int n) const {
      return sycl::nd_range<1>(sycl::range<1>((n + b - 1) / b * b), sycl::range<1>(b)); } };"""
    assert sizes(f"{grid} void f(sycl::queue &q, int *p, int n) {{ {call.replace('@', KERNEL)} }}") == [found]


@pytest.mark.parametrize(
    "loop",
    ["while (2 * w <= limit && w < 4096) w *= 2;", "while (w < limit / 2) w *= 2;", "for (; w * 2 <= limit;) w *= 2;"],
)
def test_a_size_that_a_device_limits_is_not_each_it_may_be(loop: str) -> None:
    limit = "const size_t limit = q.get_device().get_info<sycl::info::device::max_work_group_size>();"
    assert sizes(f"void f(sycl::queue &q, int *p, int n) {{ {limit} size_t w = 8; {loop} LAUNCH(w); }}") == ["?"]


@pytest.mark.parametrize(
    ("classes", "made", "found"),
    [
        ("struct B { int w; B(int v) : w(v) {} }; struct C : B { using B::B; };", "C c(72);", ["72"]),
        ("struct B { int w; B(int v) : w(v) {} }; struct C : B { using B::B; int x = 8; };", "C c{72};", ["72"]),
        ("struct B { int w = 1; }; struct C : B { C() { w = 16; } };", "C c;", ["16"]),
    ],
)
def test_a_class_may_inherit_constructors(classes: str, made: str, found: list[str]) -> None:
    run = "void go(sycl::queue &q, int *p, int n) { LAUNCH(w); } };"
    code = f"{classes.removesuffix('};')} {run} void f(sycl::queue &q, int *p, int n) {{ {made} c.go(q, p, n); }}"
    assert sizes(code) == found


@pytest.mark.parametrize(("derived", "found"), [("final : Base", "64"), (": Base", "?"), (": Base /* final */", "?")])
def test_what_a_final_class_overrides_is_not_overridden_again(derived: str, found: str) -> None:
    base = "struct Base { virtual int w() const { return 32; } };"
    code = f"struct Fast {derived} {{ int w() const override {{ return 64; }}"
    run = "void go(sycl::queue &q, int *p, int n) { const int size = w(); LAUNCH(size); } };"
    assert sizes(f"{base} {code} {run}") == [found]


@pytest.mark.parametrize(
    ("listed", "found"),
    [("{{64}, {128}}", "64 | 128"), ("{{64, 1}, {128, 2}}", "64 | 128"), ("{{64}}", "?"), ("{first, last}", "?")],
)
def test_a_vector_of_objects_is_run_through(listed: str, found: str) -> None:
    code = "struct Step { int w; int n; }; void f(sycl::queue &q, int *p, int n, Step *first, Step *last) {"
    assert sizes(f"{code} const std::vector<Step> all{listed}; for (const auto &each : all) LAUNCH(each.w); }}") == [
        found
    ]
