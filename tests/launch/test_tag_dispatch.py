"""Overloads that the class of an argument chooses, where that is a template's argument: ``forall_impl(P{}, n)``."""

import pytest

from tests.launch.test_class_templates import sizes

TAGS = "struct seq {}; template <int B> struct gpu {}; template <int B> using fast = gpu<B * 2>;"
IMPL = "template <int B> void impl(gpu<B>, @PARAMETERS) { @LAUNCH } inline void impl(seq, @PARAMETERS) {}"
ALL = f"{TAGS} {IMPL} template <class P> void all(@PARAMETERS) {{ impl(P{{}}, @ARGUMENTS); }}"


@pytest.mark.parametrize(
    ("before", "body", "found"),
    [
        ("", "all<gpu<64>>(@ARGUMENTS);", ["64"]),
        ("", "all<gpu<64>>(@ARGUMENTS); all<fast<16>>(@ARGUMENTS);", ["64", "32"]),
        ("using policy = gpu<128>;", "all<policy>(@ARGUMENTS); all<seq>(@ARGUMENTS);", ["128"]),
        (
            "template <class P> void more(P p, @PARAMETERS) { impl(p, @ARGUMENTS); }",
            "more(gpu<8>{}, @ARGUMENTS);",
            ["8"],
        ),
    ],
)
def test_the_class_of_an_argument_chooses_the_overload(before: str, body: str, found: list[str]) -> None:
    assert sizes(f"{ALL} {before}", body) == found
