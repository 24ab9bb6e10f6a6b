"""Which functions are SYCL's."""

import pytest

from sycllint.cpp.expression import Name
from sycllint.domains.results import is_group_function, is_plain_function

ALIASES = {"syclex": "sycl::ext::oneapi::experimental", "s": "sycl"}


def named(text: str) -> Name:
    return Name(text, None, None, 0, 0)


@pytest.mark.parametrize(
    "text",
    ["group_barrier", "sycl::group_barrier", "s::any_of", "sycl::ext::oneapi::reduce", "syclex::joint_reduce"],
)
def test_a_group_function_is_sycls(text: str) -> None:
    assert is_group_function(named(text), ALIASES)


@pytest.mark.parametrize("text", ["any_of", "std::any_of", "std::reduce", "mine::group_barrier", "sycl::sqrt"])
def test_a_function_of_that_name_is_not_always_one(text: str) -> None:
    assert not is_group_function(named(text), ALIASES)


def test_functions_of_the_libraries_are_plain() -> None:
    plain = {
        text
        for text in ("std::any_of", "sycl::sqrt", "s::sqrt", "sqrt", "mine::sqrt", "sort")
        if is_plain_function(named(text), ALIASES)
    }
    assert plain == {"std::any_of", "sycl::sqrt", "s::sqrt", "sqrt"}
