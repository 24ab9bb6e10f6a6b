"""The code in ``docs/extending.md`` does what the page says."""

import re
from pathlib import Path
from typing import Any

import pytest

from sycllint.facts.collect import file_facts
from sycllint.ir.bodies import bodies
from sycllint.symbols.unit import Unit
from sycllint.values.evaluate import Evaluator
from tests.device_code.body import kernel


@pytest.fixture(scope="module")
def page(repository: Path) -> dict[str, Any]:
    """What the examples of the page define; the excerpt from a table of another module is left out."""
    text = (repository / "docs" / "extending.md").read_text(encoding="utf-8")
    defined: dict[str, Any] = {"__name__": "page"}
    for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        if "import" in block.partition("\n")[0]:
            exec(block, defined)
    return defined


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ('for (int i = 0; i < n; i++) sycl::ext::oneapi::experimental::printf("%d", i);', 1),
        ('while (n) { if (n > 2) { printf("a"); } printf("b"); }', 2),
        ('for (int i = 0; i < n; i++) y[i] = 0; printf("done");', 0),
        ('if (n) printf("once");', 0),
    ],
)
def test_the_check_finds_what_it_says(page: dict[str, Any], body: str, found: int) -> None:
    assert len(list(page["prints_in_loops"](kernel(body)))) == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("enter(); leave();", [True]),
        ("leave(); enter(); leave();", [False, True]),
        ("if (n) enter(); leave();", [False]),
        ("if (n) enter(); else { enter(); n = 2; } leave();", [True]),
        ("if (n) return; else enter(); leave();", [True]),
        ("enter(); for (int i = 0; i < n; i++) { g(); } leave();", [True]),
        ("for (int i = 0; i < n; i++) { enter(); } leave();", [False]),
    ],
)
def test_the_domain_knows_what_both_ways_know(page: dict[str, Any], body: str, found: list[bool]) -> None:
    facts = file_facts("file.cpp", f"int f(int n) {{ {body} return n; }}".encode(), {})
    (function,) = facts.functions["f"]
    lowered = bodies.of(Evaluator(Unit((facts,)), {})).of(function.node, function.place)
    assert page["surely_entered"](lowered) == found
