"""The page of every rule: it has its parts, and its examples are what it says they are."""

import os
import re
from pathlib import Path

import pytest

import sycllint_rules
from sycllint.config import Config, Deep
from sycllint.heads import AnyRule
from sycllint.pipeline import check
from sycllint.record import replace
from sycllint.registry import rules_of
from sycllint.report.rule_pages.catalogue import catalogue

RULES = sorted(rules_of(sycllint_rules), key=lambda rule: int(rule.code.removeprefix("SYC")))
DOCS = Path(__file__).parent.parent.parent / "docs" / "rules"
_EXAMPLE = re.compile(
    r"^(?P<kind>Bad|Good)(?:, on (?P<target>[\w-]+))?::\n\n(?P<code>(?:(?: {4}.*)?\n)+)", re.MULTILINE
)
EXAMPLES = [
    pytest.param(
        rule, found["kind"], found["target"] or "tgl", found["code"], id=f"{rule.code}-{found['kind']}-{number}"
    )
    for rule in RULES
    for number, found in enumerate(_EXAMPLE.finditer(rule.page + "\n"))
]


def _name(rule: AnyRule) -> str:
    return rule.code


@pytest.mark.parametrize("rule", RULES, ids=_name)
def test_module_function_and_rule_share_one_name(rule: AnyRule) -> None:
    assert rule.module.rpartition(".")[2].replace("_", "-") == rule.name


@pytest.mark.parametrize("rule", RULES, ids=_name)
def test_a_page_opens_with_one_sentence(rule: AnyRule) -> None:
    first, blank, *_ = rule.page.split("\n")
    assert (first[-1], blank) == (".", "")


@pytest.mark.parametrize("rule", RULES, ids=_name)
@pytest.mark.parametrize("part", [r"^Bad\b.*::$", r"^Good\b.*::$", r"^Silent when", r"^Source: "])
def test_a_page_has_its_parts(rule: AnyRule, part: str) -> None:
    assert re.search(part, rule.page, re.MULTILINE)


# Titles of sections and chapters as the documents have them, by a word of the document's name.
TITLES = {
    "Optimization Guide": (
        "Impact of Local Memory Within Work-group",
        "Impact of Work-item Synchronization Within Work-group",
        "Mapping Work-groups to Xe-cores for Maximum Occupancy",
        "A Detailed Example",
        "Vectorization and Memory Access",
        "Maximizing Memory Bandwidth Utilization",
        "Data Sharing",
        "Sub-Group Size vs. Maximum Sub-Group Size",
        "Sub-Groups and SIMD Vectorization",
        "Registers and Performance",
        "Optimization Techniques",
        "Choosing Smaller Data Types",
        "Small Register Mode vs. Large Register Mode",
        "Shared Local Memory",
        "Considerations for Selecting Work-Group Size",
        "Tuning Kernels with Local and Global Work-group Sizes in OpenMP Offload Mode",
        "OpenMP Offloading Tuning Guide",
        "Executing Multiple Kernels on the Device at the Same Time",
        "Using Libraries for GPU Offload",
        "Doing I/O in the Kernel",
        "Atomic Operations",
        "Buffer Accessor Modes",
        "Avoiding Declaring Buffers in a Loop",
    ),
    "GPUOpen": (
        "Problem: Single thread group per CU",
        "Solution: Two thread groups per CU",
        "When large thread groups should be used",
        "Neighborhood processing",
        "Optimize VGPR Usage",
        "Branches and Loops",
        "16 bit registers",
    ),
}


@pytest.mark.parametrize("rule", RULES, ids=_name)
def test_a_page_names_the_section_it_rests_on(rule: AnyRule) -> None:
    source = " ".join(rule.page.partition("\nSource: ")[2].split())
    for document, titles in TITLES.items():
        assert document not in source or any(f'"{title}"' in source for title in titles)


def test_a_page_says_where_a_guide_advises_otherwise() -> None:
    pages = {rule.code: " ".join(rule.page.split()) for rule in RULES}
    assert "guide gives the opposite advice in general: query the device for its largest work-group" in pages["SYC108"]
    assert "guide transposes a tile of 16 x 16 with a shuffle in a branch" in pages["SYC308"]
    assert "LWS 1024 with 30 teams (GWS 30,720) ran fastest" in pages["SYC1204"]


@pytest.mark.parametrize(("rule", "kind", "target", "code"), EXAMPLES)
def test_the_bad_example_fires_and_the_good_one_does_not(
    rule: AnyRule, kind: str, target: str, code: str, tmp_path: Path
) -> None:
    file = tmp_path / "example.cpp"
    file.write_text("#include <sycl/sycl.hpp>\n\n" + code)
    config = Config(root=os.fspath(tmp_path), targets=(target,), select=() if rule.enabled else ("ALL",))
    if "``--deep``" in rule.page:
        pytest.importorskip("clang.cindex")
        config = replace(config, deep=Deep("on"))
    found = [diagnostic.code for diagnostic in check([os.fspath(file)], config, raise_rule_errors=True).diagnostics]
    if kind == "Bad":
        assert rule.code in found
    else:
        assert found == []


def test_the_folder_of_pages_is_that_of_the_rules() -> None:
    """`sycllint rules --docs docs/rules` makes it."""
    written = {each.name: each.read_text(encoding="utf-8") for each in DOCS.iterdir()}
    assert written == dict(catalogue(RULES))
