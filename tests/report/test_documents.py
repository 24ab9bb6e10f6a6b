"""Sources that a page cites, as links."""

import re

import pytest

import sycllint_rules
from sycllint.registry import rules_of
from sycllint.report.rule_pages.documents import linked

GITHUB = "https://github.com"

WITHOUT_ADDRESS = {"SYC002", "SYC003", "SYC004", "SYC602"}
"""They rest on the comment itself, on the rules installed, or on a measurement of our own."""


@pytest.mark.parametrize(
    ("cited", "expected"),
    [
        ("SYCL-Docs pull request 860", f"[SYCL-Docs pull request 860]({GITHUB}/KhronosGroup/SYCL-Docs/pull/860)"),
        (
            "intel/llvm issues 1251 and 5164",
            f"intel/llvm issues [1251]({GITHUB}/intel/llvm/issues/1251) and [5164]({GITHUB}/intel/llvm/issues/5164)",
        ),
        ("amrex#4952 met it", f"[amrex#4952]({GITHUB}/AMReX-Codes/amrex/issues/4952) met it"),
        ("compute-runtime, a.inl", f"[compute-runtime]({GITHUB}/intel/compute-runtime), a.inl"),
        ("C++ standard, [expr.mul]:", "C++ standard, [expr.mul](https://eel.is/c++draft/expr.mul):"),
        ("in `SYCL 2020`", "in `SYCL 2020`"),
        ("their compute-runtime-2, my/kokkos, SYCL 2021", "their compute-runtime-2, my/kokkos, SYCL 2021"),
        ("a[i] and [0, n)", "a[i] and [0, n)"),
    ],
)
def test_what_is_cited_is_a_link(cited: str, expected: str) -> None:
    assert linked(cited) == expected


def test_the_sources_of_every_rule_have_an_address() -> None:
    for rule in rules_of(sycllint_rules):
        found = re.search(r"^Source: (.*)", rule.page, re.MULTILINE | re.DOTALL)
        assert found is not None
        assert ("](https://" in linked(found[1])) == (rule.code not in WITHOUT_ADDRESS), rule.code
