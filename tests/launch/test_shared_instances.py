"""Kernels that functions make: the same for all instances that agree in the template arguments on which they rest."""

from collections.abc import Callable

import pytest

from sycllint.values.deduction.instantiations import Instantiations, SharedAnswer
from sycllint.values.value import known
from tests.launch.snippet import launches

BEFORE = """
#include <sycl/sycl.hpp>
template <bool Wide, int N> auto made() {
  if constexpr (Wide) return [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(32)]] {};
  else return [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {};
}
template <class T> auto of_type() {
  if constexpr (std::is_same_v<T, float>) return [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(32)]] {};
  else return [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {};
}
template <bool Wide, int N> auto sized() {
  return [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(N)]] {};
}
struct A {}; struct B {};
template <class T> struct Box {};
"""


def _program(made: str, calls: str, head: str = "template <class T, bool Wide, int N>") -> str:
    return BEFORE + (
        f"{head} void go(sycl::queue &q, int size) {{ auto kernel = {made};"
        " q.parallel_for(sycl::nd_range<1>(1024, size), kernel); }"
        f" void run(sycl::queue &q) {{ {calls} }}"
    )


def _seen(code: str) -> list[tuple[int | None, int | None]]:
    """Work-group and sub-group size of each launch."""
    found = []
    for each in launches(code):
        assert each.local_range is not None
        width = known(each.sub_group_size.value) if each.sub_group_size is not None else None
        found.append((known(each.local_range.extents[0]), width))
    return found


@pytest.mark.parametrize(
    ("made", "calls", "found"),
    [
        # It rests on one of three arguments.
        (
            "made<Wide, N>()",
            "go<int, true, 8>(q, 64); go<float, true, 16>(q, 128); go<int, false, 8>(q, 256);",
            [(64, 32), (128, 32), (256, 16)],
        ),
        # The lambda is one for all, and what it reads is its own instance's.
        ("sized<Wide, N>()", "go<int, true, 8>(q, 64); go<int, true, 16>(q, 128);", [(64, 8), (128, 16)]),
        ("of_type<T>()", "go<float, true, 8>(q, 64); go<double, true, 8>(q, 128);", [(64, 32), (128, 16)]),
        ("of_type<T>()", "go<A, true, 8>(q, 64); go<B, false, 4>(q, 128);", [(64, 16), (128, 16)]),
        # An alias is what it stands for.
        (
            "of_type<T>()",
            "using real = float; go<real, true, 8>(q, 64); go<int, true, 8>(q, 128);",
            [(64, 32), (128, 16)],
        ),
    ],
)
def test_a_kernel_is_that_of_its_instance(made: str, calls: str, found: list[tuple[int, int]]) -> None:
    assert _seen(_program(made, calls)) == found


def test_what_rests_on_an_argument_of_the_function_is_one_for_each_call() -> None:
    code = BEFORE + (
        "template <bool Wide> auto chosen(int n) {"
        " if (n > 8) return [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(32)]] {};"
        " return [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {}; }"
        "template <bool Wide> void go(sycl::queue &q, int size, int n) { auto kernel = chosen<Wide>(n);"
        " q.parallel_for(sycl::nd_range<1>(1024, size), kernel); }"
        "void run(sycl::queue &q) { go<true>(q, 64, 4); go<true>(q, 128, 9); }"
    )
    assert _seen(code) == [(64, 16), (128, 32)]


def test_a_type_that_is_not_told_apart_is_one_for_each_call() -> None:
    code = _program("of_type<T>()", "go<Box<int>, true, 8>(q, 64); go<float, true, 8>(q, 128);")
    assert _seen(code)[1] == (128, 32)
    assert _seen(code)[0] in {(64, 16), (64, None)}


def test_what_a_caller_of_the_caller_gives_is_followed() -> None:
    code = _program("made<Wide, N>()", "outer<true>(q, 64); outer<false>(q, 128);").replace(
        " void run", " template <bool W> void outer(sycl::queue &q, int size) { go<int, W, 8>(q, size); } void run"
    )
    assert _seen(code) == [(64, 32), (128, 16)]


def test_instances_that_agree_are_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    real = Instantiations.shared

    def shared(self: Instantiations, question: object, ask: Callable[[], object]) -> SharedAnswer | None:
        def counted() -> object:
            asked.append(True)
            return ask()

        return real(self, question, counted)

    monkeypatch.setattr(Instantiations, "shared", shared)
    calls = "".join(f"go<int, {'true' if each % 2 else 'false'}, {each}>(q, {64 + each});" for each in range(20))
    assert len(_seen(_program("made<Wide, N>()", calls))) == 20
    assert len(asked) == 2
