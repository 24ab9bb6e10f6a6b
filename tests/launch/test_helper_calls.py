"""Calls of launching functions that only the configuration knows."""

import pytest

from sycllint.facts.collect import file_facts
from sycllint.launch.build import analyze_unit
from sycllint.launch.helpers import LaunchHelper
from sycllint.launch.kernel import KernelLaunch, LaunchKind
from sycllint.source.text import SourceFile
from sycllint.symbols.unit import Unit
from sycllint.values.evaluate import Evaluator
from tests.launch.snippet import extents
from tests.values.program import spelled

SUBMIT = LaunchHelper(global_=0, local=1, kernel=3)
ITEM = "[=](sycl::nd_item<1> it) {}"


def launches(code: str, name: str = "submit_kernel", *overloads: LaunchHelper) -> tuple[KernelLaunch, ...]:
    source = SourceFile("snippet.cpp", code.encode())
    facts = file_facts(source.path, source.content, {})
    return analyze_unit(source, facts, Evaluator(Unit((facts,)), {}), helpers={name: overloads or (SUBMIT,)}).launches


def only(call: str, before: str = "", name: str = "submit_kernel", helper: LaunchHelper = SUBMIT) -> KernelLaunch:
    (launch,) = launches(f"{before}\nvoid f(sycl::queue &q, int n) {{ {call}; }}", name, helper)
    return launch


@pytest.mark.parametrize(
    ("call", "helper", "whole", "local"),
    [
        (f"submit_kernel(sycl::range<1>(1024), sycl::range<1>(64), q, {ITEM})", SUBMIT, "1024", "64"),
        (f"submit_kernel(1024, 64, q, {ITEM})", SUBMIT, "1024", "64"),
        (f"submit_kernel(n, 2 * 32, q, {ITEM})", SUBMIT, "?", "64"),
        (f"at::xpu::submit_kernel(1024, 64, q, {ITEM})", SUBMIT, "1024", "64"),
        (f"this->submit_kernel(1024, 64, q, {ITEM})", SUBMIT, "1024", "64"),
        (f"submit_kernel<class Name>(1024, 64, q, {ITEM})", SUBMIT, "1024", "64"),
        ("submit_kernel(sycl::range<2>(64, 64), sycl::range<2>(4, 32), q, k)", SUBMIT, "64x64", "4x32"),
        ("submit_kernel({64, 64}, {4, 32}, q, [=](sycl::nd_item<2> it) {})", SUBMIT, "64x64", "4x32"),
        (f"submit_kernel(q, sycl::nd_range<1>(512, 32), {ITEM})", LaunchHelper(1, None, 2), "512", "32"),
        ("submit_kernel(q, sycl::range<1>(512), [=](sycl::id<1> i) {})", LaunchHelper(1, None, 2), "512", "none"),
        (f"submit_kernel(q, 96, {ITEM})", LaunchHelper(None, 1, 2), "?", "96"),
        ("submit_kernel(grid, block, q, k)", LaunchHelper(0, 1, 3, dims=3), "?x?x?", "?x?x?"),
        ("submit_kernel(whole, q)", LaunchHelper(0, None, None, dims=3), "?x?x?", "none"),
    ],
)
def test_the_configuration_says_which_argument_is_what(call: str, helper: LaunchHelper, whole: str, local: str) -> None:
    launch = only(call, helper=helper)
    assert (extents(launch.global_range), extents(launch.local_range)) == (whole, local)


def test_the_launch_is_at_the_name_in_the_call() -> None:
    code = f"void f(sycl::queue &q) {{ submit_kernel(1024, 64, q, {ITEM}); }}"
    (launch,) = launches(code)
    span = launch.location.span
    assert (code[span.start : span.end], launch.function, launch.kind) == ("submit_kernel", "f", LaunchKind.ND_RANGE)


def test_the_kernel_is_looked_into() -> None:
    body = "[=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] { sycl::group_barrier(it.get_group()); }"
    launch = only(f"submit_kernel(1024, 64, q, {body})")
    assert launch.barrier is True
    assert launch.sub_group_size is not None
    assert spelled(launch.sub_group_size.value) == "16"


def test_sizes_come_from_the_callers() -> None:
    code = f"""static void run(sycl::queue &q, int wg) {{ submit_kernel(1024, wg, q, {ITEM}); }}
int main() {{ sycl::queue q; run(q, 32); run(q, 64); }}"""
    assert [extents(each.local_range) for each in launches(code)] == ["32", "64"]


def test_a_helper_with_a_visible_definition_is_not_listed_twice() -> None:
    code = f"""template <typename K> static void submit_kernel(int global, int local, sycl::queue &q, K kernel) {{
  q.parallel_for(sycl::nd_range<1>(global, local), kernel);
}}
int main() {{ sycl::queue q; submit_kernel(1024, 64, q, {ITEM}); }}"""
    (launch,) = launches(code)
    assert extents(launch.local_range) == "64"


OVERLOADS = """
template <typename K> static void submit_kernel(int whole, int part, sycl::queue &q, K kernel) {
  q.parallel_for(sycl::nd_range<1>(whole, 8), kernel);
}
template <typename K> static void submit_kernel(long whole, long part, sycl::queue &q, K kernel, int times) {
  submit_kernel(int(whole), int(part), q, kernel);
}
static void submit_kernel(sycl::queue &q) { q.single_task([=]() {}); }
"""


@pytest.mark.parametrize("call", [f"submit_kernel(1024, 64, q, {ITEM})", f"submit_kernel(1024, 64, q, {ITEM}, 3)"])
def test_the_configuration_outweighs_a_visible_definition(call: str) -> None:
    found = launches(f"{OVERLOADS}\nvoid f(sycl::queue &q) {{ {call}; }}")
    assert [extents(each.local_range) for each in found] == ["none", "64"]


def test_overloads_with_fewer_arguments_are_followed() -> None:
    (launch,) = launches(f"{OVERLOADS}\nvoid f(sycl::queue &q) {{ submit_kernel(q); }}")
    assert launch.kind is LaunchKind.SINGLE_TASK


def test_a_prototype_is_no_definition_of_the_helper() -> None:
    assert (
        extents(only("submit_kernel(8, 4, q, k)", "void submit_kernel(int, int, sycl::queue &, K);").local_range) == "4"
    )


@pytest.mark.parametrize(
    "call", ["submit_kernel(1024, 64)", "other(1024, 64, q, k)", "std::submit_kernel(1024, 64, q, k)", "submit_kernel"]
)
def test_other_calls_are_not_launches(call: str) -> None:
    assert launches(f"void f(sycl::queue &q) {{ {call}; }}", "at::submit_kernel") == ()


def test_a_call_that_is_not_compiled_is_no_launch() -> None:
    assert launches(f"void f(sycl::queue &q) {{\n#if 0\nsubmit_kernel(1024, 64, q, {ITEM});\n#endif\n}}") == ()


@pytest.mark.parametrize(
    ("kernel", "local_memory"),
    [
        (ITEM, "0"),
        ("[=](sycl::nd_item<1> it, float *shared) {}", "unknown"),
        ("Plain{1}", "0"),
        ("Tiled{1}", "unknown"),
        ("unseen", "unknown"),
    ],
)
def test_local_memory_that_a_helper_may_make_is_not_counted_as_none(kernel: str, local_memory: str) -> None:
    before = """struct Plain { int x; void operator()(sycl::nd_item<1> it) const {} };
struct Tiled { int x; sycl::local_accessor<float, 1> tile; void operator()(sycl::nd_item<1> it) const {} };"""
    assert spelled(only(f"submit_kernel(1024, 64, q, {kernel})", before).local_memory.total) == local_memory


COUNTED = (
    LaunchHelper(global_=0, local=1, kernel=2, arguments=3),
    LaunchHelper(global_=1, local=2, kernel=3, arguments=4),
    LaunchHelper(global_=2, kernel=4),
)


@pytest.mark.parametrize(
    ("call", "sizes"),
    [
        (f"run(1024, 64, {ITEM})", [("1024", "64")]),
        (f"run(q, 512, 32, {ITEM})", [("512", "32")]),
        ("run(q, n, 96, 8, [=](sycl::id<1> i) {})", [("96", "none")]),
        ("run(q, n, sycl::nd_range<1>(96, 8), 0, k, n)", [("96", "8")]),
        ("run(1024, 64)", []),
    ],
)
def test_overloads_are_distinguished_by_the_number_of_arguments(call: str, sizes: list[tuple[str, str]]) -> None:
    found = launches(f"void f(sycl::queue &q, int n) {{ {call}; }}", "run", *COUNTED)
    assert [(extents(each.global_range), extents(each.local_range)) for each in found] == sizes


ONE = "template <class F> void run(sycl::queue &q, int n, F f) { q.parallel_for(sycl::nd_range<1>(n, 128), f); }"
OTHER = "template <class F> void run(sycl::queue &q, F f) { q.parallel_for(sycl::nd_range<1>(512, 16), f); }"


def test_an_overload_that_is_not_declared_is_read() -> None:
    helper = LaunchHelper(None, 1, 2, arguments=3)
    code = f"{ONE} {OTHER} void f(sycl::queue &q) {{ run(q, 8, {ITEM}); run(q, {ITEM}); }}"
    assert sorted(extents(each.local_range) for each in launches(code, "run", helper)) == ["16", "8"]


@pytest.mark.parametrize(
    ("parameters", "is_helper"),
    [
        ("sycl::queue &q, int n, F f", True),
        ("sycl::queue &q, int n, F f, int more = 0", True),
        ("sycl::queue &q, int n, F f, int more", False),
        ("sycl::queue &q, F... f", True),
    ],
)
def test_the_body_of_a_declared_overload_launches_nothing(parameters: str, is_helper: bool) -> None:
    helper = LaunchHelper(None, 1, 2, arguments=3)
    code = f"template <class F> void run({parameters}) {{ q.parallel_for(sycl::nd_range<1>(512, 16), k); }}"
    assert bool(launches(code, "run", helper)) is not is_helper
