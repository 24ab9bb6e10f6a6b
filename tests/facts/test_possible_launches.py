"""Which files may hold a launch that other files of their unit take part in, by their bytes."""

import pytest

from sycllint.facts.possible_launches import launch_marks, may_launch, may_launch_alone

TOGETHER: dict[str, tuple[bytes, ...]] = {
    "a method of a handler": (b"void f(R r, K k) { h.parallel_for(r, k); }",),
    "through a pointer": (b"q->parallel_for_work_group(r, k);",),
    "with template": (b"h.template parallel_for<Name>(r, k);",),
    "on the next line": (b"cgh.  // the group\n  // of commands\n  parallel_for(r, k);",),
    "behind a comment": (b"cgh./* here */parallel_for(r, k);",),
    "behind an address": (b'say("http://a.b"), h.parallel_for(r, k);',),
    "behind an address, on the next line": (b'say("http://a.b"), h.\n  parallel_for(r, k);',),
    "a continued line": (b"h. \\\n  parallel_for(r, k);",),
    "a single task that is given its kernel": (b"q.single_task(kernel);",),
    "a single task with properties": (b"q.single_task<Name>(props, [=] {});",),
    "a function of SYCL's": (b"sycl::ext::oneapi::experimental::parallel_for(q, r, k);",),
    "a function of an alias": (
        b"syclex::single_task(q, k);",
        b"namespace syclex =\n  sycl::ext::oneapi::experimental;",
    ),
    "nd_launch, which needs no qualifier": (b"nd_launch(q, r, k);",),
    "a function of SYCLcompat's": (b"syclcompat::launch<kernel>(grid, blocks);",),
    "an opened namespace of SYCLcompat's": (b"launch<kernel>(grid, blocks);", b"using namespace syclcompat;"),
    "a launcher of the migration tool's": (b"kernel_launcher::launch(f, g, b, 0, q);", b"using namespace dpct;"),
    "an opened namespace of an extension": (
        b"parallel_for(q, r, k);",
        b"using namespace sycl::ext::oneapi::experimental;",
    ),
    "an opened namespace with another name": (
        b"using namespace ex; single_task(q, k);",
        b"namespace ex =\n  sycl::ext::oneapi::experimental;",
    ),
    "an extension": (b"sycl::khr::launch(q, r, k);",),
    "the text of a macro": (b"#define RUN(f) q.single_task([=] { f(); })",),
    "a continued macro": (b"#define RUN(f) \\\n  if (on) \\\n    parallel_for(f)",),
    "another name": (b"#define EACH parallel_for",),
    "a name that a macro is given": (b"LAUNCH(q, parallel_for, r)", b"#define LAUNCH(q, f, r) q.f(r, K())"),
    "a pasted name": (b"#define RUN(q, what) q.parallel_##what(r, k)",),
    "pieces from another file": (b"RUN(q, parallel, _for)", b"#define RUN(q, a, b) q.a##b(r, k)"),
}
ALONE: dict[str, tuple[bytes, ...]] = {
    "nothing": (b"int x;",),
    "a function of the project's": (b"parallel_for(n, f); Kokkos::parallel_for(n, f); tbb::parallel_for(r, f);",),
    "a definition": (b"template <class F> void parallel_for(int n, F f) { for (;;) f(); }",),
    "a longer name": (b"q.my_parallel_for(n, f); q.parallel_for_each(n, f);",),
    "a single task with its kernel": (b"q.single_task([=] {}); q.single_task<Name>( [&]() {});",),
    "a qualified name, and a library's namespace that is named": (b"Kokkos::parallel_for(n, f); syclcompat::dim3 d;",),
    "a namespace of the project's called so": (
        b"parallel_for(n, f);",
        b"using namespace Kokkos::Experimental; namespace hpx_ = hpx::execution::experimental;",
    ),
    "a launch of another kind": (b"rocket.launch(); launch(rocket); std::launch::async;",),
    "tokens pasted to other names": (b"#define F(a) a##_kernel", b"parallel = 2; single(x);"),
    "a comment beside a call": (b"// Of all of them.\nparallel_for(n, f);",),
}


@pytest.mark.parametrize("contents", TOGETHER.values(), ids=TOGETHER)
def test_a_launch_may_have_parts_in_several_files(contents: tuple[bytes, ...]) -> None:
    assert may_launch(map(launch_marks, contents))


@pytest.mark.parametrize("contents", ALONE.values(), ids=ALONE)
def test_no_other_file_takes_part_in(contents: tuple[bytes, ...]) -> None:
    assert not may_launch(map(launch_marks, contents))


@pytest.mark.parametrize(
    ("content", "is_together", "may"),
    [
        (b"q.single_task([=] {});", True, True),
        (b"Kokkos::parallel_for(n, f);", True, False),
        (b"Kokkos::parallel_for(n, f);", False, True),
        (b"q.parallel_for_each(n, f);", False, False),
    ],
)
def test_a_launch_of_one_file_alone(content: bytes, is_together: bool, may: bool) -> None:
    assert may_launch_alone(launch_marks(content), is_together=is_together) is may
