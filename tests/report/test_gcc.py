"""The format of GCC's own warnings, as the matchers of editors read it."""

import re

from sycllint.diagnostic import Severity
from sycllint.report import render
from tests.report.sample import SWEEP, at, exceeds, files, finding, result

MATCHER = re.compile(r"^(.*?):(\d+):(\d*):?\s+(?:fatal\s+)?(warning|error|note):\s+(.*)$")
"""As `$gcc` of VS Code has it (vscode-cpptools, package.json, problemMatchers)."""


def lines(*found: object) -> list[str]:
    text = render("gcc", result(*found), color=False, width=80, hyperlinks=False, sources=files(a_cpp=SWEEP))  # type: ignore[arg-type]
    return text.splitlines()


def test_a_finding_is_one_line_that_a_matcher_takes_apart() -> None:
    (line,) = lines(exceeds())
    assert line == "a.cpp:6:51: error: work-group 1x5x128 = 640 exceeds max 512 on tgl [SYC101]"
    matched = MATCHER.match(line)
    assert matched is not None
    assert matched.groups()[:4] == ("a.cpp", "6", "51", "error")


def test_every_severity_is_there_in_the_order_of_the_result() -> None:
    note = finding(at("a.cpp", SWEEP, "R = 5"), "a note", code="SYC203", severity=Severity.NOTE)
    assert [each.split(": ")[1] for each in lines(exceeds(), note)] == ["error", "note"]


def test_nothing_in_a_message_can_start_another_line() -> None:
    (line,) = lines(finding(at("a.cpp", SWEEP, "R = 5"), "one\nb.cpp:1:1: error: two"))
    assert line.startswith("a.cpp:3:15: error: one")
