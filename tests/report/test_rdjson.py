"""Reviewdog's format: places in bytes, and safe fixes as suggestions."""

import json
from dataclasses import replace
from typing import Any

import pytest

from sycllint.diagnostic import Diagnostic
from sycllint.report import render
from sycllint.source.edit import Applicability, Edit, Fix
from tests.report.sample import SWEEP, at, exceeds, files, finding, result


def diagnostic_of(diagnostic: Diagnostic, **contents: str | bytes) -> Any:
    output = json.loads(
        render("rdjson", result(diagnostic), color=True, width=80, hyperlinks=True, sources=files(**contents))
    )
    assert output["source"] == {"name": "sycllint"}
    [found] = output["diagnostics"]
    return found


def span(line: int, column: int, end_line: int, end_column: int) -> Any:
    return {"start": {"line": line, "column": column}, "end": {"line": end_line, "column": end_column}}


def test_a_finding_its_rule_and_where_its_number_comes_from() -> None:
    assert diagnostic_of(exceeds(), a_cpp=SWEEP) == {
        "message": "work-group 1x5x128 = 640 exceeds max 512 on tgl\nThe largest R that fits is 4.",
        "severity": "ERROR",
        "code": {"value": "SYC101"},
        "location": {"path": "a.cpp", "range": span(6, 51, 6, 62)},
        "related_locations": [
            {"message": "R is 5 here", "location": {"path": "a.cpp", "range": span(3, 15, 3, 20)}},
        ],
    }


@pytest.mark.parametrize(
    ("content", "column"),
    [("a\U00010400R".encode(), 6), (b"/* \xe9 */R", 8), (b"\xef\xbb\xbfR", 4), (b"x\r\n\tR\r\n", 2)],
    ids=["outside the first plane", "no UTF-8", "byte-order mark", "tab"],
)
def test_columns_count_bytes(content: bytes, column: int) -> None:
    [start, _] = diagnostic_of(finding(at("a.cpp", content, "R")), a_cpp=content)["location"]["range"].values()
    assert start["column"] == column


def test_the_edits_of_a_safe_fix_are_one_suggestion_with_the_text_between_them() -> None:
    content = "f(R, é);\n"
    edits = (Edit(at("a.cpp", content, ")"), "]"), Edit(at("a.cpp", content, "("), "["))
    found = diagnostic_of(replace(finding(at("a.cpp", content, "R")), fix=Fix("index", edits)), a_cpp=content)
    assert found["suggestions"] == [{"range": span(1, 2, 1, 9), "text": "[R, é]"}]


def test_an_unsafe_fix_and_one_of_another_file_are_not_suggested() -> None:
    here, there = Edit(at("a.cpp", "R", "R"), "S"), Edit(at("b.cpp", "R", "R"), "S")
    for fix in (Fix("s", (here,), Applicability.UNSAFE), Fix("s", (here, there))):
        assert "suggestions" not in diagnostic_of(replace(finding(here.location), fix=fix), a_cpp="R", b_cpp="R")
