"""Which calls may launch a kernel, wherever they stand and however they are spelled."""

import pytest

from sycllint.cpp.place import span_of
from sycllint.facts.collect import file_facts
from sycllint.facts.relevance import can_matter
from sycllint.facts.submissions import Submission
from tests import written

KERNEL = "[=](sycl::nd_item<1> it) { work(it); }"


def submissions(text: str) -> tuple[Submission, ...]:
    return file_facts("a.cpp", text.encode(), {}).submissions


@pytest.mark.parametrize(
    ("call", "method", "receiver", "name"),
    [
        (f"q.parallel_for(sycl::nd_range<1>(g, l), {KERNEL})", "parallel_for", "q", ""),
        (f"q.parallel_for(nd_range<1>{{g, l}}, {KERNEL})", "parallel_for", "q", ""),
        (f"q.parallel_for(sycl::nd_range(sycl::range(g), sycl::range(l)), {KERNEL})", "parallel_for", "q", ""),
        (f"q.parallel_for({{{{g}}, {{l}}}}, {KERNEL})", "parallel_for", "q", ""),
        (f"q.parallel_for(r, events, sycl::reduction(s, sycl::plus<>()), {KERNEL})", "parallel_for", "q", ""),
        (f"cgh.parallel_for<class base>(r, {KERNEL})", "parallel_for", "cgh", "base"),
        (f"cgh.parallel_for<class dot<T>>(r, {KERNEL})", "parallel_for", "cgh", "dot<T>"),
        (f"cgh.template parallel_for<K>(r, {KERNEL})", "parallel_for", "cgh", "K"),
        (f"q->parallel_for(r, {KERNEL})", "parallel_for", "q", ""),
        (f"(*q).parallel_for(r, {KERNEL})", "parallel_for", "(*q)", ""),
        (f"q[0].parallel_for(r, {KERNEL})", "parallel_for", "q[0]", ""),
        (f"dpct::get_in_order_queue().parallel_for(r, {KERNEL})", "parallel_for", "dpct::get_in_order_queue()", ""),
        (f"this->state.stream->parallel_for(r, {KERNEL})", "parallel_for", "this.state.stream", ""),
        ("q.parallel_for(r, functor)", "parallel_for", "q", ""),
        ("q.parallel_for(r, Functor{a, b})", "parallel_for", "q", ""),
        ("q.parallel_for(512, [](auto i) {})", "parallel_for", "q", ""),
        ("q.single_task([=] {})", "single_task", "q", ""),
        ("h.parallel_for_work_group(g, l, [=](sycl::group<1> group) {})", "parallel_for_work_group", "h", ""),
        ("sycl::ext::oneapi::experimental::nd_launch(q, r, functor)", "nd_launch", "∅", ""),
        ("syclex::nd_launch<K>(q, r, functor)", "nd_launch", "∅", "K"),
        ("parallel_for(r, functor)", "parallel_for", "∅", ""),
    ],
)
def test_every_spelling_of_a_launch_is_found(call: str, method: str, receiver: str, name: str) -> None:
    (each,) = submissions(f"void f() {{ {call}; }}")
    template = ", ".join(written.expression(argument) for argument in each.template_arguments)
    assert (each.method, written.expression(each.receiver), template) == (method, receiver, name)
    assert not each.damaged


def test_a_launch_is_found_by_its_name_alone() -> None:
    (each,) = submissions("void f() { tbb::parallel_for(blocked_range(0, n), body); }")
    assert each.method == "parallel_for"


@pytest.mark.parametrize(
    "text",
    [
        "void f() { q.parallel_for_each(r, k); }",
        "void f() { auto p = &queue::parallel_for; }",
        "// q.parallel_for(r, k);",
        'auto s = "q.parallel_for(r, k)";',
        "void parallel_for(range<1> r, K k);",
        "#define parallel_for(r, k) other(r, k)\n",
    ],
)
def test_what_only_mentions_a_launch_is_none(text: str) -> None:
    assert submissions(text) == ()


@pytest.mark.parametrize(
    "around",
    [
        "void f() { CALL; }",
        "void f() { q.submit([&](sycl::handler &h) { CALL; }); }",
        "void f() { auto group = [&](sycl::handler &h) { CALL; }; q.submit(group); }",
        "void f() { auto event = CALL; }",
        "void f() { return CALL; }",
        "void f() { CALL.wait(); }",
        "void f() { if (a) CALL; else b(); }",
        "void f() { if (a) b(); else CALL; }",
        "void f() { for (int i = 0; i < n; ++i) CALL; }",
        "void f() { switch (a) { case 1: CALL; } }",
        "void f() { try { CALL; } catch (...) {} }",
        "struct S { void f() { CALL; } };",
        "template <typename T> struct S { template <int N> void f() { CALL; } };",
        "namespace a::b { namespace { void f() { CALL; } } }",
        'extern "C" { void f() { CALL; } }',
        "S::S() : a(1) { CALL; }",
        "auto g = [] { CALL; };",
        "event e = CALL;",
        "int main() try { CALL; } catch (...) {}",
        'TEST_CASE("x") { CALL; }',
        "void f() {\n#if A\n b();\n#else\n CALL;\n#endif\n}",
        "#ifdef A\nvoid f() { CALL; }\n#endif",
        "void f() {\n#if A\n if (a) {\n#else\n if (b) {\n#endif\n CALL; } }",
        "void f() { int a = ; CALL; }",
        "void f() { CALL; ",
        "} void f() { CALL; }",
        "void f() MACRO_ATTRIBUTE { CALL; }",
        "int f( { CALL; }",
    ],
)
def test_a_launch_is_found_wherever_it_stands(around: str) -> None:
    call = f"q.parallel_for(sycl::nd_range<1>(g, l), {KERNEL})"
    text = around.replace("CALL", call)
    (each,) = submissions(text)
    assert text[each.start : each.end] == "parallel_for"
    assert not each.damaged


def test_a_launch_in_a_long_chain_of_else_if_is_found() -> None:
    chain = " else ".join(f"if (n == {size}) q.parallel_for(range<1>({size}), k);" for size in range(50))
    assert len(submissions(f"void f(int n) {{ {chain} }}")) == 50


def test_both_branches_of_a_conditional_launch() -> None:
    found = submissions("void f() {\n#if A\nq.single_task(a);\n#else\nq.single_task(b);\n#endif\n}")
    assert [written.expression(each.call.arguments[0]) for each in found] == ["a", "b"]


def test_a_launch_whose_own_text_does_not_parse_is_damaged() -> None:
    (each,) = submissions("void f() { q.parallel_for(r, [=](id<1> i) { int x = ; int ) }); }")
    assert each.damaged


def test_a_conditional_in_the_argument_list_is_settled() -> None:
    text = (
        "void f() { h.parallel_for(r,\n#if A\nred(a),\n#else\nred(b, c),\n#endif\n[=](id<1> i, auto &s) { s += i; }); }"
    )
    (each,) = submissions(text)
    assert not each.damaged
    assert [written.expression(argument) for argument in each.call.arguments[:2]] == ["r", "red(a)"]


def test_launches_come_in_the_order_of_the_source() -> None:
    found = submissions("void f() { q.single_task(a); q.parallel_for(r, b); q.single_task(c); }")
    assert [each.start for each in found] == sorted(each.start for each in found)
    assert [each.method for each in found] == ["single_task", "parallel_for", "single_task"]


LAUNCH = "#define LAUNCH(n) \\\n  { q.parallel_for(sycl::nd_range<1>(g, n), k); }\n"


def uses(text: str) -> list[tuple[str, str]]:
    """For each launch in a macro: the use as written, and the range as written in the macro."""
    found = []
    for each in submissions(text):
        assert each.use is not None
        start, end = span_of(each.use.node)
        found.append((text[start:end], written.expression(each.call.arguments[0])))
    return sorted(found)


@pytest.mark.parametrize(
    "body",
    [
        "{ q.parallel_for(sycl::nd_range<1>(g, n), k); }",
        "q.parallel_for(sycl::nd_range<1>(g, n), k);",
        "q.parallel_for(sycl::nd_range<1>(g, n), k)",
        "do { q.parallel_for(sycl::nd_range<1>(g, n), k); } while (0)",
        "q.submit([&](sycl::handler &h) { \\\n h.parallel_for(sycl::nd_range<1>(g, n), k); \\\n});",
        "({ q.parallel_for(sycl::nd_range<1>(g, n), k); })",
    ],
)
def test_a_launch_in_a_macro_counts_once_for_each_use(body: str) -> None:
    text = f"#define LAUNCH(n) {body}\nvoid f() {{ LAUNCH(1); if (a) LAUNCH(2); }}"
    launch = "sycl::nd_range<1>(g, n)"
    assert uses(text) == [("LAUNCH(1)", launch), ("LAUNCH(2)", launch)]


def test_an_unused_macro_launches_nothing() -> None:
    assert submissions(LAUNCH) == ()


def test_a_use_means_the_definition_before_it() -> None:
    again = LAUNCH.replace("g, n", "g, 2 * n")
    text = f"{LAUNCH}void f() {{ LAUNCH(1); }}\n#undef LAUNCH\n{again}void h() {{ LAUNCH(2); }}"
    assert uses(text) == [("LAUNCH(1)", "sycl::nd_range<1>(g, n)"), ("LAUNCH(2)", "sycl::nd_range<1>(g, (2 * n))")]


def test_a_use_may_mean_any_of_the_conditional_definitions() -> None:
    text = f"#if A\n{LAUNCH}#else\n{LAUNCH.replace('g, n', '2 * g, n')}#endif\nvoid f() {{ LAUNCH(1); }}"
    assert uses(text) == [("LAUNCH(1)", "sycl::nd_range<1>((2 * g), n)"), ("LAUNCH(1)", "sycl::nd_range<1>(g, n)")]


def test_a_use_in_the_same_branch_means_the_definition_there() -> None:
    text = f"{LAUNCH}#if A\n#undef LAUNCH\n{LAUNCH.replace('g, n', '2 * g, n')}void f() {{ LAUNCH(1); }}\n#endif\n"
    assert uses(text) == [("LAUNCH(1)", "sycl::nd_range<1>((2 * g), n)")]


@pytest.mark.parametrize("name", ["parallel_for", "single_task", "parallel_for_work_group", "nd_launch"])
def test_a_file_with_the_word_can_matter(name: str) -> None:
    assert can_matter(f"q . {name} (".encode())


def test_a_file_of_host_code_can_matter() -> None:
    assert can_matter(b"q.submit([&](sycl::handler &h) { h.copy(a, b); });")


def test_a_file_without_a_word_of_sycl_cannot_matter() -> None:
    assert not can_matter(b"int main() { return launch(1024); }")
