"""Which old names are found in a text, and which stand where they are no code."""

import pytest

from sycllint.spelling.names import NAMES
from sycllint.spelling.words import Shims, words

WRITTEN = {
    "header": b"#include <CL/sycl.hpp>",
    "namespace": b"cl :: sycl::queue q;",
    "outer_namespace": b"using namespace cl;",
    "selector": b"sycl::gpu_selector{}",
    "local_target": b"access::target::local",
    "atomic": b"sycl::atomic<int>",
    "discard": b"access::mode::discard_write",
    "hierarchical": b"h.parallel_for_work_group<K>(r, f);",
    "extension": b"sycl::ONEAPI::plus<>",
    "attribute": b"[[intel::reqd_sub_group_size(16)]]",
}


def kinds(content: bytes) -> list[str]:
    return [each.kind for each in words(content, Shims(content))]


@pytest.mark.parametrize("kind", NAMES)
def test_each_kind_is_found(kind: str) -> None:
    assert kinds(b"int before;\n" + WRITTEN[kind] + b"\n") == [kind]


@pytest.mark.parametrize("kind", NAMES)
def test_a_name_is_found_at_the_start_of_a_file(kind: str) -> None:
    assert kinds(WRITTEN[kind]) == [kind]


@pytest.mark.parametrize("kind", [each for each in NAMES if each != "header"])
@pytest.mark.parametrize("around", [(b"// ", b""), (b"/*\n", b"*/"), (b'auto s = "', b'";'), (b'R"x(', b')x"')])
def test_comments_and_strings_are_no_code(kind: str, around: tuple[bytes, bytes]) -> None:
    before, after = around
    assert kinds(b"int n;\n" + before + WRITTEN[kind] + after + b"\n") == []


def test_a_name_under_a_condition_on_the_compiler_is_a_shim() -> None:
    assert kinds(
        b"#if __has_include(<sycl/sycl.hpp>)\n#else\n#include <CL/sycl.hpp>\n#endif\ncl::sycl::queue q;\n"
    ) == ["namespace"]


@pytest.mark.parametrize("text", [b"my_gpu_selector", b"gpu_selector_v", b"ncl::sycl::queue", b"on_target::local"])
def test_a_part_of_a_word_is_no_name(text: bytes) -> None:
    assert kinds(text) == []


def test_a_separator_of_digits_opens_no_character() -> None:
    assert kinds(b"int n = 1'000; sycl::gpu_selector s; int m = 2'000;") == ["selector"]
