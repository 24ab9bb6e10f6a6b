"""Whether a launch is reached only where the device was asked first."""

import pytest

from tests.launch.snippet import in_queue, launches

ASK = "q.get_device().get_info<sycl::info::device::max_work_group_size>()"
LAUNCH = "q.parallel_for(sycl::nd_range<1>(4096, 1024), [=](sycl::nd_item<1> it) {});"


@pytest.mark.parametrize(
    "statements",
    [
        f"if ({ASK} >= 1024) {LAUNCH}",
        f"if ({ASK} >= 1024) {{ {LAUNCH} }} else {{ other(); }}",
        f"if ({ASK} < 1024) {{ other(); }} else {{ {LAUNCH} }}",
        f"if ({ASK} < 1024) return; {LAUNCH}",
        f"if ({ASK} < 1024) throw 1; {LAUNCH}",
        f"if ({ASK} < 1024) {{ log(); std::exit(1); }} {LAUNCH}",
        f"auto most = {ASK}; if (most >= 1024) {LAUNCH}",
        f"const size_t most = {ASK}; if (wide && most >= 1024) {{ {LAUNCH} }}",
        f"size_t most = {ASK}; size_t half = most / 2; if (half < 512) return; {LAUNCH}",
        f"if (q.get_device().has(sycl::aspect::fp64)) {LAUNCH}",
        f"if (wide) {{ if ({ASK} >= 1024) {{ {LAUNCH} }} }}",
        f"if ({ASK} >= 1024) {{ for (int i = 0; i < n; ++i) {{ {LAUNCH} }} }}",
        (
            f"if ({ASK} >= 1024) q.submit([&](sycl::handler &h) {{ h.parallel_for(sycl::nd_range<1>(4096, 1024),"
            " [=](sycl::nd_item<1> it) {}); });"
        ),
        f"switch ({ASK}) {{ case 1024: {LAUNCH} }}",
        f"bool fits = {ASK} >= 1024; if (fits) {LAUNCH}",
        f"bool fits = wide && {ASK} >= 1024; if (!fits) return; {LAUNCH}",
        f"auto most = {ASK}; while (most >= 1024) {{ {LAUNCH} break; }}",
        f"auto most = {ASK}; assert(most >= 1024); {LAUNCH}",
        f"auto most = {ASK}; most >= 1024 && ({LAUNCH.rstrip(';')}, true);",
        f"if (wide) {{ if ({ASK} < 1024) return; }} {LAUNCH}",
        f"if (q.get_device().is_cpu()) {LAUNCH}",
        f"if (!q.get_device().is_gpu()) {{ {LAUNCH} }}",
    ],
)
def test_a_question_to_the_device_guards_a_launch(statements: str) -> None:
    assert in_queue(statements).device_checked


@pytest.mark.parametrize(
    "statements",
    [
        LAUNCH,
        f"if (wide) {LAUNCH}",
        f"if (n < 1024) return; {LAUNCH}",
        f"auto most = {ASK}; {LAUNCH}",
        f"{LAUNCH} if ({ASK} < 1024) return;",
        f"if ({ASK} < 1024) log(); {LAUNCH}",
        f"if (wide) {{ log(); }} {LAUNCH}",
        f"for (;;) {{ if ({ASK} < 1024) break; }} {LAUNCH}",
    ],
)
def test_no_question_no_guard(statements: str) -> None:
    assert not in_queue(statements).device_checked


def test_a_question_in_a_function_guards() -> None:
    before = f"bool fits(sycl::queue &q) {{ return {ASK} >= 1024; }}"
    assert in_queue(f"if (!fits(q)) return; {LAUNCH}", before).device_checked


def test_a_question_in_the_constructor_guards_a_method() -> None:
    (launch,) = launches(
        f"struct S {{ sycl::queue q; size_t most; S() {{ most = {ASK}; }}"
        f" void run() {{ if (most < 1024) return; {LAUNCH} }} }};"
    )
    assert launch.device_checked


@pytest.mark.parametrize(
    "choice",
    [
        f"auto most = {ASK}; int size = most >= 1024 ? 1024 : 256;",
        f"auto most = {ASK}; int size = 256; if (most >= 1024) size = 1024;",
        f"auto most = {ASK}; int size = 256; switch (most) {{ case 1024: size = 1024; break; }}",
        "int size = 256; if (q.get_device().is_cpu()) size = 4096;",
    ],
)
def test_a_size_that_was_chosen_by_the_device_is_guarded(choice: str) -> None:
    launch = in_queue(f"{choice} q.parallel_for(sycl::nd_range<1>(4096, size), [=](sycl::nd_item<1> it) {{}});")
    assert launch.device_checked


@pytest.mark.parametrize(
    "statements",
    [
        f"if (fits(q)) {LAUNCH}",
        f"switch (vendor_of(q.get_device())) {{ case 1: {LAUNCH} }}",
        f"if (gpu.warp_size == 64) {LAUNCH}",
        f"if (maxThreadsPerBlock < 1024) return; {LAUNCH}",
        f"if (!use_cuda) return; {LAUNCH}",
    ],
)
def test_a_query_without_a_visible_definition_guards_as_its_name_says(statements: str) -> None:
    assert in_queue(
        statements, "struct Gpu { int warp_size; }; extern Gpu gpu; bool fits(sycl::queue &);"
    ).device_checked


@pytest.mark.parametrize(
    "statements",
    [
        f"for (int i = 0; i < num_gpus; ++i) {LAUNCH}",
        f"auto gpus = sycl::platform(sycl::gpu_selector_v).get_devices(); if (gpus.size() < 2) return; {LAUNCH}",
        f"constexpr int warp = 32; if (warp == 32) {LAUNCH}",
        f"if (ready(n)) {LAUNCH}",
    ],
)
def test_counts_and_known_numbers_ask_nothing(statements: str) -> None:
    assert not in_queue(statements).device_checked


def test_a_size_that_is_compared_with_what_is_not_known_is_a_choice() -> None:
    assert in_queue(f"switch (n) {{ case 1024: {LAUNCH} }}").selected
    assert in_queue(f"if (n == 1024) {LAUNCH}").selected
    assert not in_queue(f"if (n == 512) {LAUNCH}").selected
    assert not in_queue(f"if (n != 1024) {{}} else if (n > 1024) {LAUNCH}").selected
    assert not in_queue(f"constexpr int m = 1024; if (m == 1024) {LAUNCH}").selected


def test_what_is_not_known_may_discard_a_launch() -> None:
    def under(condition: str) -> bool:
        (launch,) = launches(f"template <typename T, int N> void run(sycl::queue &q) {{ if {condition} {LAUNCH} }}")
        return launch.may_be_discarded

    assert under("constexpr (std::is_same_v<T, float>)")
    assert not under("(std::is_same_v<T, float>)")
    assert not under("constexpr (sizeof(int) == 4)")
