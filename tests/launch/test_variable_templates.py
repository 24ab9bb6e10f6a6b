"""Sizes that are constants of variable templates: by their arguments, their specialisations, and in classes."""

import pytest

from tests.launch.test_class_templates import sizes

GO = "template <class T, int N = 4> void go(@PARAMETERS, T *) { constexpr int B = @; @LAUNCH }"
BOTH = "float *y = nullptr; double *z = nullptr; go(@ARGUMENTS, y); go(@ARGUMENTS, z);"


@pytest.mark.parametrize(
    ("before", "size", "found"),
    [
        ("template <class T> constexpr int block = 256;", "block<T>", ["256"]),
        ("template <class T> constexpr int block = 256; template <> constexpr int block<double> = 128;", "block<T>",
         ["256", "128"]),
        ("template <class T> inline constexpr int block = sizeof(T) == 8 ? 64 : 32;", "block<T> * 2", ["64", "128"]),
        ("template <class T> static const int block{512 / sizeof(T)};", "block<T>", ["128", "64"]),
        ("template <class T> constexpr int block = 256; template <class T> constexpr int block<T *> = 8;",
         "block<T>", ["256"]),
        ("template <class T> constexpr int block = 256; template <class T> constexpr int block<T *> = 8;",
         "block<T *>", ["?"]),
        ("template <int A, int B = 2> constexpr int area = A * B;", "area<N> * area<N, 8>", ["256"]),
        ("template <class T> constexpr int half = 16; template <class T> constexpr int block = half<T> * 2;",
         "block<T>", ["32"]),
        ("namespace a { template <class T> constexpr int block = 16; } using namespace a;", "block<T>", ["16"]),
        ("namespace a { template <class T> constexpr int block = 16; }", "a::block<T>", ["16"]),
        ("struct P { template <class T> static constexpr int block = 128 / sizeof(T); };", "P::block<T>", ["32", "16"]),
        ("template <class T> constexpr bool narrow = sizeof(T) < 8;", "narrow<T> ? 64 : 32", ["64", "32"]),
        # One that is changed, one that is only declared, and two of a name.
        ("template <class T> int block = 256;", "block<T>", ["?"]),
        ("template <class T> extern const int block;", "block<T>", ["?"]),
        ("struct P { template <class T> static constexpr int block = 8; }; struct Q { static const int block; };",
         "block<T>", ["?"]),
    ],
)  # fmt: skip
def test_a_variable_template_has_the_value_of_its_instance(before: str, size: str, found: list[str]) -> None:
    assert list(dict.fromkeys(sizes(before + GO.replace("= @;", f"= {size};"), BOTH))) == found


def test_a_member_that_is_defined_outside_its_class_is_none() -> None:
    code = "template <int N> struct S { static const int block; }; template <int N> const int S<N>::block = N * 2;"
    assert sizes(code + GO.replace("= @;", "= S<N>::block;"), "float *y = nullptr; go(@ARGUMENTS, y);") in (
        ["8"],
        ["?"],
    )
