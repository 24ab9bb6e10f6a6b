"""Work grows in proportion to what is written: counted in calls of functions, for a text and for one twice as long."""

import sys
from collections.abc import Callable
from types import FrameType

import pytest

from sycllint.launch.kernel import KernelLaunch
from tests.launch.snippet import extents, launches

KERNEL = "[=](sycl::nd_item<1> it) { work(it); }"


def launch(size: str) -> str:
    return f"q.parallel_for(sycl::nd_range<1>(1024, {size}), {KERNEL});\n"


def calls_of(code: str) -> int:
    """How many functions of ours are called to find the launches of ``code``."""
    count = 0

    def counted(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        launches(code)
    finally:
        sys.setprofile(before)
    return count


def overloads(count: int) -> str:
    types = "".join(f"struct T{i} {{}};\nint size(T{i} t) {{ return {i}; }}\n" for i in range(5 * count))
    return types + "".join(f"void f{i}(sycl::queue &q) {{ {launch(f'size(T{i}())')} }}\n" for i in range(count))


def overloads_that_launch(count: int) -> str:
    functions = "".join(
        f"struct T{i} {{}};\nvoid run(sycl::queue &q, T{i} t, int wg) {{ {launch('wg')} }}\n" for i in range(count)
    )
    return functions + "void all(sycl::queue &q) {" + "".join(f"run(q, T{i}(), 64);\n" for i in range(count)) + "}"


def launches_in_one_function(count: int) -> str:
    return "void f(sycl::queue &q) { int wg = 32;\n" + launch("wg") * count + "}"


def groups_in_one_function(count: int) -> str:
    group = "q.submit([&](sycl::handler &h) { sycl::local_accessor<float, 1> t(wg, h); h."
    return "void f(sycl::queue &q, int wg) {\n" + (group + launch("wg").removeprefix("q.") + "});\n") * count + "}"


def enumerators(count: int) -> str:
    names = ", ".join(f"E{i}" for i in range(20 * count))
    return f"enum E {{ {names} }}; void f(sycl::queue &q) {{ {launch(f'E{20 * count - 1}')} {launch('sizeof(E)')} }}"


def macros(count: int) -> str:
    chain = "#define M0 4\n" + "".join(f"#define M{i} (M{i - 1} + 1)\n" for i in range(1, 20 * count))
    return chain + f"void f(sycl::queue &q) {{ {launch(f'M{20 * count - 1}')} }}"


def conditionals(count: int) -> str:
    chain = "".join(f"#if M{i - 1} > 3\n#define M{i} M{i - 1}\n#endif\n" for i in range(1, 20 * count))
    return chain + f"void f(sycl::queue &q) {{ {launch(f'M{20 * count - 1}')} }}"


def call_sites(count: int) -> str:
    sites = "".join(f"f(q, {i % 3});\n" for i in range(10 * count))
    return f"void f(sycl::queue &q, int wg) {{ {launch('wg')} }}\nint main() {{ sycl::queue q; {sites} }}"


@pytest.mark.parametrize(
    "text",
    [
        overloads,
        overloads_that_launch,
        launches_in_one_function,
        groups_in_one_function,
        enumerators,
        macros,
        conditionals,
        call_sites,
    ],
)
def test_twice_the_text_is_about_twice_the_work(text: Callable[[int], str]) -> None:
    calls_of(text(5))
    once, twice = calls_of(text(100)), calls_of(text(200))
    assert twice < 2.3 * once


def sizes(found: tuple[KernelLaunch, ...]) -> list[str]:
    return [extents(each.local_range) for each in found]


def test_the_last_of_many_enumerators_has_its_number() -> None:
    assert sizes(launches(enumerators(1000))) == ["19999", "4"]


def test_an_assignment_in_a_long_function_is_seen_by_the_launches_after_it() -> None:
    first, second = launch("wg") * 80, launch("wg") * 80
    found = launches(f"void f(sycl::queue &q) {{ int wg = 32;\n{first} wg = 64;\n{second} }}")
    assert sizes(found) == ["32"] * 80 + ["64"] * 80


def test_an_array_in_a_long_function_is_changed_through_a_call() -> None:
    before, after = launch("wg[0]"), launch("wg[0]")
    between = "work();" * 80
    found = launches(
        f"void f(sycl::queue &q) {{ int wg[1] = {{32}};\n{between} {before} fill(wg); {between} {after} }}"
    )
    assert sizes(found) == ["32", "?"]
