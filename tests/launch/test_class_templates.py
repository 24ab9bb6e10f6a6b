"""Launches in member functions of class templates and of function objects: by which instance or object they are run."""

import pytest

from tests.launch.snippet import extents, launches
from tests.launch.test_ways import LAUNCH, PARAMETERS, local

ARGUMENTS = "q, x, n, k"


def sizes(classes: str, body: str) -> list[str]:
    """The local ranges of the launches that ``body`` leads to; ``@LAUNCH`` is a launch of ``B`` work-items a group."""
    text = f"{classes} void f(@PARAMETERS) {{ {body} }}"
    for name, written in {"LAUNCH": LAUNCH.format("B"), "PARAMETERS": PARAMETERS, "ARGUMENTS": ARGUMENTS}.items():
        text = text.replace(f"@{name}", written)
    return [local(each) for each in launches(f"#include <sycl/sycl.hpp>\n{text}")]


RUNNER = "template <int B> struct Runner { static void run(@PARAMETERS) { @LAUNCH } };"
BEHIND = (
    "void go(@PARAMETERS, int B) { @LAUNCH }template <int W> struct L { void run(@PARAMETERS) { go(@ARGUMENTS, W); } };"
)
SPECIAL = (
    "template <int D> struct Runner;"
    "template <> struct Runner<1> { static void run(@PARAMETERS, int B = 256) { @LAUNCH } };"
    "template <> struct Runner<2> { static void run(@PARAMETERS, int B = 64) { @LAUNCH } };"
)
SUBMITTER = "template <int B, int E = 1> struct Submitter { void operator()(@PARAMETERS) const { @LAUNCH } };"

SHAPES = (
    "template <int T> struct Shape"
    " { static constexpr int t = T; static auto of(int n) { return sycl::nd_range<1>(n * t, t); } };"
    "using Wide = Shape<128>;"
)


@pytest.mark.parametrize(
    ("classes", "body", "found"),
    [
        (RUNNER, "Runner<256>::run(@ARGUMENTS);", ["256"]),
        (RUNNER, "using R = Runner<64>; R::run(@ARGUMENTS);", ["64"]),
        (RUNNER, "if (k) Runner<64>::run(@ARGUMENTS); else Runner<128>::run(@ARGUMENTS);", ["64", "128"]),
        (f"{RUNNER} template <int W> void go(@PARAMETERS) {{ Runner<W * 2>::run(@ARGUMENTS); }}",
         "go<16>(@ARGUMENTS); go<32>(@ARGUMENTS);", ["32", "64"]),
        (f"{RUNNER} template <class R> void go(@PARAMETERS) {{ R::run(@ARGUMENTS); }}",
         "go<Runner<32>>(@ARGUMENTS);", ["32"]),
        (SUBMITTER, "Submitter<128, 2>()(@ARGUMENTS);", ["128"]),
        (SUBMITTER, "Submitter<128>{}(@ARGUMENTS);", ["128"]),
        (SUBMITTER, "Submitter<128> s; s(@ARGUMENTS);", ["128"]),
        (SUBMITTER, "auto s = Submitter<128>{}; s(@ARGUMENTS);", ["128"]),
        (f"{SUBMITTER} auto made() {{ return Submitter<32>(); }}", "made()(@ARGUMENTS);", ["32"]),
        (f"{SUBMITTER} template <int W> Submitter<W> made() {{ return Submitter<W>(); }}",
         "auto s = made<8>(); s(@ARGUMENTS);", ["8"]),
        (f"{SUBMITTER} struct Fixed : Submitter<64> {{}};", "Fixed()(@ARGUMENTS);", ["64"]),
        (BEHIND, "L<32>().run(@ARGUMENTS); L<64>{}.run(@ARGUMENTS);",
         ["32", "64"]),
        # A function that is called like a class of SYCL.
        ("template <int B> struct K { static auto range(int n) { return sycl::nd_range<1>(n, B); } };",
         "q.parallel_for(K<128>::range(1024), [=](sycl::nd_item<1> it) {});", ["128"]),
        # By an alias, also where the function names a constant of its class.
        (SHAPES, "using S = Wide; q.parallel_for(S::of(n), [=](sycl::nd_item<1> it) {});", ["128"]),
        (SHAPES, "q.parallel_for(Wide::of(n), [=](sycl::nd_item<1> it) {});", ["128"]),
        ("template <int W> struct L { void go(@PARAMETERS) { constexpr int B = W * 2; @LAUNCH } };",
         "L<32>().go(@ARGUMENTS); L<64>{}.go(@ARGUMENTS);", ["64", "128"]),
    ],
)  # fmt: skip
def test_the_instance_is_that_of_the_object_or_of_the_qualifier(classes: str, body: str, found: list[str]) -> None:
    assert sizes(classes, body) == found


POLICY = "template <int N> struct P { struct Shape { static constexpr int count = N; }; using Next = P<N * 2>; };"


@pytest.mark.parametrize(
    ("size", "found"),
    [
        ("constexpr int B = T::Shape::count;", "32"),
        ("using S = typename T::Shape; constexpr int B = S::count;", "32"),
        ("constexpr int B = T::Next::Shape::count;", "64"),
        ("using N = typename T::Next; using S = typename N::Shape; constexpr int B = S::count;", "64"),
    ],
)
def test_a_member_of_a_template_parameter_is_that_of_the_type_it_is_given(size: str, found: str) -> None:
    go = f"template <class T> void go(@PARAMETERS) {{ {size} @LAUNCH }}"
    of_class = f"template <class T> struct K {{ void run(@PARAMETERS) {{ {size} @LAUNCH }} }};"
    assert sizes(POLICY + go, "go<P<32>>(@ARGUMENTS);") == [found]
    assert sizes(POLICY + of_class, "K<P<32>>().run(@ARGUMENTS);") == [found]


OBJECT = "template <int B = 256> struct S { void run(@PARAMETERS) const { @LAUNCH } };"
CALLS = "s.run(@ARGUMENTS);"


@pytest.mark.parametrize(
    ("classes", "body", "found"),
    [
        ("", "S<> s; @CALLS", "256"),
        ("", "S s; @CALLS", "256"),
        ("", "S s{}; @CALLS", "256"),
        ("", "S<>{}.run(@ARGUMENTS);", "256"),
        ("", "auto s = S<>(); @CALLS", "256"),
        ("", "std::unique_ptr<S<128>> s(new S<128>); s->run(@ARGUMENTS);", "128"),
        ("", "auto s = std::make_unique<S<128>>(); s->run(@ARGUMENTS);", "128"),
        ("", "auto s = std::make_shared<S<>>(); s->run(@ARGUMENTS);", "256"),
        ("", "std::optional<S<128>> s; s.emplace(); s->run(@ARGUMENTS);", "128"),
        ("", "std::vector<S<128>> v(2); for (const auto &s : v) @CALLS", "128"),
        ("", "S<128> v[2]; for (auto &s : v) @CALLS", "128"),
        ("", "auto go = [&](const auto &s) { @CALLS }; go(S<128>{});", "128"),
        ("template <class T> using For = S<512 / sizeof(T)>;", "For<int> s; @CALLS", "128"),
        ("struct A { S<128> s; void go(@PARAMETERS) { this->@CALLS } };", "A a; a.go(@ARGUMENTS);", "128"),
        ("struct A { S<128> s; };", "A a; a.@CALLS", "128"),
        ("struct A : S<128> {}; struct C { A a; };", "C c; c.a.run(@ARGUMENTS);", "128"),
        ("struct A { S<128> s; const S<128> &get() const { return s; } };", "A a; a.get().run(@ARGUMENTS);", "128"),
        ("template <class L> void go(const L &s, @PARAMETERS) { @CALLS }", "go(S<128>{}, @ARGUMENTS);", "128"),
        ("template <class L> void go(@PARAMETERS) { L s; @CALLS }", "go<S<128>>(@ARGUMENTS);", "128"),
        ("void go(const auto &s, @PARAMETERS) { @CALLS }", "go(S<128>{}, @ARGUMENTS);", "128"),
        ("template <class L> struct R { L s; void go(@PARAMETERS) { @CALLS } };",
         "R<S<128>> r; r.go(@ARGUMENTS);", "128"),
    ],
)  # fmt: skip
def test_the_type_of_an_object_is_found_where_it_is_held(classes: str, body: str, found: str) -> None:
    text = [each.replace("@CALLS", CALLS) for each in (OBJECT + classes, body)]
    assert sizes(*text) == [found]


@pytest.mark.parametrize(
    ("parameters", "members"),
    [
        ("class T = float, int B = 64", "T x; S(T v) : x(v) {}"),
        ("class T = float, int B = sizeof(T)", "T x;"),
        ("int A, int B = A", ""),
    ],
)
def test_what_may_be_deduced_is_not_taken_from_defaults(parameters: str, members: str) -> None:
    text = f"template <{parameters}> struct S {{ {members} void run(@PARAMETERS) const {{ @LAUNCH }} }};"
    assert sizes(text, f"S s{{1.0}}; {CALLS}") == ["?"]


GROUP = "void operator()(sycl::handler &h) const { h.parallel_for(sycl::nd_range<1>(1024, @SIZE), @KERNEL); }"


@pytest.mark.parametrize(
    ("function", "body", "found"),
    [
        ("", "Runner<1>::run(@ARGUMENTS);", ["256"]),
        ("template <int D> void go(@PARAMETERS) { Runner<D>::run(@ARGUMENTS); }", "go<2>(@ARGUMENTS);", ["64"]),
        ("template <class R> void go(R r, @PARAMETERS) { r.run(@ARGUMENTS); }", "go(Runner<2>{}, @ARGUMENTS);", ["64"]),
        ("template <class R> void go(@PARAMETERS) { R::run(@ARGUMENTS); }", "go<Runner<1>>(@ARGUMENTS);", ["256"]),
        ("template <class R> void go(@PARAMETERS) { R::run(@ARGUMENTS); }", "", []),
    ],
)
def test_a_way_says_of_which_specialisation_a_function_is(function: str, body: str, found: list[str]) -> None:
    assert [each for each in sizes(SPECIAL + function, body) if each != "?"] == found


PACKED = "template <class... A> struct T { int w; T(int v, A... a) : w(v) {} @GROUP };"
TWICE = "struct T { int w; T(int v) : w(v) {} T(int v, int u) : w(u) {} @GROUP };"
KERNEL = "[=](sycl::nd_item<1> it) {}"


@pytest.mark.parametrize(
    ("classes", "body", "found"),
    [
        ("struct T { int w; @GROUP };", "q.submit(T{64});", ["64"]),
        ("struct T { int w; @GROUP };", "T t{64}; q.submit(t);", ["64"]),
        ("struct T { int w; T(int v) : w(v * 2) {} @GROUP };", "q.submit(T(64)); q.submit(T(16));", ["128", "32"]),
        ("struct T { int w; @GROUP }; T made(int v) { return T{v}; }", "q.submit(made(32));", ["32"]),
        ("template <int w> struct T { @GROUP };", "q.submit(T<32>{}); T<64> t; q.submit(t);", ["32", "64"]),
        (f"{PACKED} template <class... A> auto made(int v, A... a) {{ return T<A...>(v, a...); }}",
         "q.submit(made(16, x, n));", ["16"]),
        ("struct T { int w; void set(int v) { w = v; } @GROUP };", "T t{64}; t.set(k); q.submit(t);", ["?"]),
        ("struct T { int w; @GROUP }; void tune(T &);", "T t{64}; tune(t); q.submit(t);", ["?"]),
        (f"{TWICE} template <class... A> auto made(A... a) {{ return T(a...); }}", "q.submit(made(16, 8));", ["?"]),
    ],
)  # fmt: skip
def test_an_object_that_a_queue_is_handed_is_a_command_group(classes: str, body: str, found: list[str]) -> None:
    group = GROUP.replace("@SIZE", "w").replace("@KERNEL", KERNEL)
    assert sizes(classes.replace("@GROUP", group), body) == found


@pytest.mark.parametrize("given", ["sycl::range<2>(8, 16)", "l", "sycl::range<2>{8, 16}"])
def test_a_number_is_no_range_whose_dimensions_are_deduced(given: str) -> None:
    helpers = (
        "template <class K> void go(int64_t g, int64_t l, sycl::queue q, K k) {"
        " q.parallel_for(sycl::nd_range<1>(g, l), k); }"
        "template <class K, int D> void go(sycl::range<D> g, sycl::range<D> l, sycl::queue q, K k) {"
        " q.parallel_for(sycl::nd_range<D>(g, l), k); }"
    )
    body = f"""const int64_t w = 128; go((n + w - 1) / w * w, w, q, [=](sycl::nd_item<1> it) {{}});
        sycl::range<2> g(n, n), l(8, 16); go(g, {given}, q, [=](sycl::nd_item<2> it) {{}});"""
    assert sizes(helpers, body) == ["128", "8"]


@pytest.mark.parametrize("head", ["struct Wrapped {", "template <int D> struct Wrapped {"])
def test_a_method_of_the_project_that_is_called_like_one_of_sycl_is_followed(head: str) -> None:
    wrapped = f"""{head} sycl::handler &h; template <class F> void parallel_for(int n, int w, F f) {{
        h.parallel_for(sycl::nd_range<1>(n, w), [=](sycl::nd_item<1> it) {{ f(it); }}); }} }};"""
    kind = "Wrapped<1>" if "template" in head else "Wrapped"
    body = f"""q.submit([&](sycl::handler &h) {{
        {kind} w{{h}}; w.parallel_for(n, 64, [=](sycl::nd_item<1> it) {{ x[0] = 1; }}); }});"""
    assert sizes(wrapped, body) == ["64"]


TEMPLATE = "template <int B> void go(@PARAMETERS) { @LAUNCH }"


@pytest.mark.parametrize(
    ("before", "body", "found"),
    [
        ("using F = void (*)(@PARAMETERS); static const F all[] = {&go<32>, &go<64>};",
         "all[k](@ARGUMENTS);", ["32", "64"]),
        ("", "void (*run)(@PARAMETERS) = k ? go<32> : go<64>; run(@ARGUMENTS);", ["32", "64"]),
        ("template <class F> void with(F f, @PARAMETERS) { f(@ARGUMENTS); }", "with(go<16>, @ARGUMENTS);", ["16"]),
        ("namespace other { template <int B> void go() {} } void (*unlike)() = other::go<8>;",
         "go<16>(@ARGUMENTS);", ["16"]),
    ],
)  # fmt: skip
def test_an_instance_whose_address_is_taken_may_run(before: str, body: str, found: list[str]) -> None:
    assert sizes(f"{TEMPLATE} {before}", body) == found


@pytest.mark.parametrize("call", ["start(q, n)", "this->start(q, n)"])
@pytest.mark.parametrize(
    ("between", "second"),
    [("", "r.run(q, 2048)"), ("void twice(sycl::queue &q, int n) { run(q, 2 * n); }", "r.twice(q, 1024)")],
)
def test_a_call_between_members_is_one_of_the_object_that_the_call_path_to_it_starts_from(
    call: str, between: str, second: str
) -> None:
    found = launches(
        "template <int B> struct Runner {"
        " void start(sycl::queue &q, int n) {"
        " q.parallel_for(sycl::nd_range<1>(n, B), [=](sycl::nd_item<1> it) { work(it); }); }"
        f" void run(sycl::queue &q, int n) {{ {call}; }} {between} }};\n"
        "void f(sycl::queue &q) { Runner<64> r; r.run(q, 1024); }\n"
        f"void g(sycl::queue &q) {{ Runner<128> r; {second}; }}"
    )
    assert sorted((extents(each.global_range), extents(each.local_range)) for each in found) == [
        ("1024", "64"),
        ("2048", "128"),
    ]


PAIR = "template <class T, int W> struct Pair {}; template <int... N> struct List; template <class P> struct R;"
PAIRS = "template <class T, int B> struct R<Pair<T, B>> { static void run(@PARAMETERS) { @LAUNCH } };"
LISTS = "template <int B, int... N> struct R<List<B, N...>> { static void run(@PARAMETERS) { @LAUNCH } };"
SIZES = """
template <class A, class B = int> struct Size { static constexpr int n = 32; };
template <class A> struct Size<A, A> { static constexpr int n = 64; };
template <class A> struct Size<A *, int> { static constexpr int n = 8; };
template <class T> void go(@PARAMETERS) { constexpr int B = Size<T>::n; @LAUNCH }
"""
LOOP = """
template <class E, class Tag = void> struct Policy {
  size_t width = 64;
  Policy(int) {}
  Policy &wide(size_t w) { width = w; return *this; }
};
template <class F, class P> class For;
template <class F, class E, class G> class For<F, Policy<E, G>> {
  const F f_;
  const Policy<E, G> p_;
 public:
  For(const F &f, const Policy<E, G> &p) : f_(f), p_(p) {}
  void run(@PARAMETERS) const { size_t B = p_.width; @LAUNCH }
};
template <class P, class F> void each(@PARAMETERS, const P &p, const F &f) { For<F, P> c(f, p); c.run(@ARGUMENTS); }
"""
ANOTHER = """
struct Plain {};
template <class F> struct For<F, Plain> {
  For(const F &, const Plain &) {}
  void run(@PARAMETERS) { size_t B = 8; @LAUNCH }
};
"""


DERIVED = """
template <class D> struct Derived {
  D &derived() { return static_cast<D &>(*this); }
  const D &derived() const { return static_cast<const D &>(*this); }
};
template <class D> struct Tuned : Derived<D> {
  void run(@PARAMETERS) const { const auto &it = this->derived(); const int B = it.width(); @LAUNCH }
};
struct Thin : Tuned<Thin> { int width() const { return 32; } };
struct Thick : Tuned<Thick> { static constexpr int w = 128; int width() const { return w; } };
"""


def test_a_base_asks_the_class_that_is_derived_from_it() -> None:
    assert sizes(DERIVED, "Thin().run(@ARGUMENTS); Thick thick; thick.run(@ARGUMENTS);") == ["32", "128"]


@pytest.mark.parametrize(
    ("classes", "body", "found"),
    [
        (PAIR + PAIRS, "R<Pair<float, 32>>::run(@ARGUMENTS); using P = Pair<int, 64>; R<P>::run(@ARGUMENTS);",
         ["32", "64"]),
        (PAIR + PAIRS + LISTS, "R<Pair<float, 32>>::run(@ARGUMENTS); R<List<16, 4>>::run(@ARGUMENTS);", ["32", "16"]),
        (SIZES, "go<float>(@ARGUMENTS); go<int>(@ARGUMENTS);", ["32", "64"]),
        # An alias may be one of a pointer.
        (SIZES, "using P = float *; go<P>(@ARGUMENTS);", ["?"]),
        # The object is made of what the function is called with.
        (LOOP, "each(@ARGUMENTS, Policy<int>(1), k);", ["64"]),
        (LOOP + ANOTHER, "each(@ARGUMENTS, Policy<int>(1).wide(128), k); each(@ARGUMENTS, Plain{}, k);", ["128", "8"]),
    ],
)  # fmt: skip
def test_a_partial_specialisation_has_what_its_pattern_deduces(classes: str, body: str, found: list[str]) -> None:
    assert sizes(classes, body) == found
