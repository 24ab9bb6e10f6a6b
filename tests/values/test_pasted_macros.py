"""Macros that paste tokens: which word they write, for words and numbers and the parameters of macros around them."""

import pytest

from sycllint.values.value import Known
from tests.values.program import returned

MACROS = """
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define WG_float 48
#define WG_2 32
#define WG(T) WG_##T
#define TWICE(T) (WG_##T * 2)
#define WIDE(T) (PASTE(WG_, T) + 1)
constexpr int size_sum = 96;
"""


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("WG(float)", 48),
        ("WG(2)", 32),
        ("WG(2) * 2 + 1", 65),
        ("PASTE(WG_, float)", 48),
        ("PASTE(size_, sum)", 96),
        ("PASTE_(size_, sum)", 96),
        ("PASTE(1, 6)", 16),
        ("TWICE(float)", 96),
        ("WIDE(float)", 49),
        ("block<WG(2)>()", 64),
        # Nothing is called so, and an argument that is more than a word.
        ("WG(double)", None),
        ("WG(n + 1)", None),
        ("PASTE(n, n)", None),
    ],
)
def test_a_macro_that_pastes_tokens_is_what_the_word_is(expression: str, found: int | None) -> None:
    code = (
        f"{MACROS} template <int B> constexpr int block() {{ return B * 2; }} long f(int n) {{ return {expression}; }}"
    )
    value = returned(code)
    assert (value.value if isinstance(value, Known) else None) == found
