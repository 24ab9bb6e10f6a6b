"""Sizes behind templates of the C++ library that stand for another type."""

import pytest

from tests.launch.snippet import launches
from tests.launch.test_ways import LAUNCH, PARAMETERS, local

CLASSES = "struct Narrow { static constexpr int w = 64; }; struct Wide { static constexpr int w = 256; };"
ENUMERATIONS = "enum class Block : unsigned char { Small = 64, Full = 255 }; enum class Plain { Small = 32 };"
CALLED = "run<float>(q, x, n, k); run<double>(q, x, n, k);"


def sizes(text: str) -> list[str]:
    """The local ranges of the launches in ``text``."""
    return [local(each) for each in launches(f"#include <sycl/sycl.hpp>\n{text}")]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("using C = std::conditional_t<sizeof(T) == 4, Narrow, Wide>; @C::w", ["64", "256"]),
        ("using C = typename std::conditional<(sizeof(T) > 4), Wide, Narrow>::type; @C::w", ["64", "256"]),
        ("@std::conditional_t<std::is_same_v<T, float>, Narrow, Wide>::w", ["64", "256"]),
        ("using C = std::decay_t<const Narrow &>; @C::w", ["64"]),
        ("@static_cast<std::conditional_t<sizeof(T) == 8, long, int>>(32)", ["32"]),
        ("@std::make_unsigned_t<int>(32) * 2", ["64"]),
        ("using C = std::conditional_t<(k > 4), Wide, Narrow>; @C::w", None),
        ("using C = std::conditional_t<Unseen<T>::value, Wide, Narrow>; @C::w", None),
        ("using C = other::conditional_t<sizeof(T) == 4, Narrow, Wide>; @C::w", None),
    ],
)
def test_a_template_of_the_library_stands_for_a_type(body: str, found: list[str] | None) -> None:
    written, _, size = body.partition("@")
    run = f"template <class T> void run({PARAMETERS}) {{ {written} {LAUNCH.format(size)} }}"
    seen = sizes(f"{CLASSES} {run} void f({PARAMETERS}) {{ {CALLED} }}")
    if found is None:
        assert not any(each.isdigit() for each in seen)
    else:
        assert list(dict.fromkeys(seen)) == found


@pytest.mark.parametrize(
    ("size", "found"),
    [
        ("static_cast<std::underlying_type_t<Block>>(Block::Small)", "64"),
        ("static_cast<typename std::underlying_type<Plain>::type>(Plain::Small)", "32"),
        ("std::to_underlying(Block::Small)", "64"),
        ("static_cast<std::underlying_type_t<Block>>(300)", "44"),
        ("std::underlying_type_t<Unseen>(k)", "?"),
    ],
)
def test_an_enumeration_is_the_number_it_is_kept_as(size: str, found: str) -> None:
    (seen,) = sizes(f"{ENUMERATIONS} void f({PARAMETERS}) {{ {LAUNCH.format(size)} }}")
    assert seen == found


def test_an_enumerator_that_is_an_argument_of_a_template_is_its_number() -> None:
    run = "constexpr auto w = static_cast<std::underlying_type_t<Block>>(B); " + LAUNCH.format("w")
    template = f"template <Block B> void run({PARAMETERS}) {{ {run} }}"
    assert sizes(f"{ENUMERATIONS} {template} void f({PARAMETERS}) {{ run<Block::Small>(q, x, n, k); }}") == ["64"]
