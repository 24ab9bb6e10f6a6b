"""GitLab's Code Quality report: the fields it documents, and fingerprints as it uses them."""

import json
from typing import Any

from sycllint.diagnostic import Diagnostic, Severity
from sycllint.report import render
from tests.report.sample import SWEEP, at, exceeds, files, finding, result


def report(*diagnostics: Diagnostic, **contents: str) -> Any:
    return json.loads(
        render("gitlab", result(*diagnostics), color=True, width=80, hyperlinks=True, sources=files(**contents))
    )


def test_every_field_that_gitlab_reads() -> None:
    [found] = report(exceeds(), a_cpp=SWEEP)
    assert len(found.pop("fingerprint")) == 64
    assert found == {
        "description": "work-group 1x5x128 = 640 exceeds max 512 on tgl. The largest R that fits is 4.",
        "check_name": "SYC101",
        "severity": "critical",
        "location": {"path": "a.cpp", "lines": {"begin": 6, "end": 6}},
    }


def test_each_severity_is_one_of_gitlabs() -> None:
    levels = [finding(at("a.cpp", SWEEP, "R"), severity=severity) for severity in Severity]
    assert [each["severity"] for each in report(*levels, a_cpp=SWEEP)] == ["info", "major", "critical"]


def test_a_fingerprint_is_unique_though_line_and_message_are_the_same() -> None:
    content = "f(R, R);\n"
    twice = [finding(at("a.cpp", content, "R", nth)) for nth in range(2)]
    elsewhere = finding(at("b.cpp", content, "R"))
    prints = [each["fingerprint"] for each in report(*twice, elsewhere, a_cpp=content, b_cpp=content)]
    assert len(set(prints)) == 3


def test_a_fingerprint_stays_when_lines_are_inserted_above() -> None:
    before, after = "f(R);\n", "// one\n// two\nf(R);\n"
    [old] = report(finding(at("a.cpp", before, "R")), a_cpp=before)
    [new] = report(finding(at("a.cpp", after, "R")), a_cpp=after)
    assert (new["fingerprint"], new["location"]["lines"]["begin"]) == (old["fingerprint"], 3)
