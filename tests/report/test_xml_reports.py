"""The XML formats, checkstyle and JUnit: what each says of a finding, and text that XML cannot hold."""

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from sycllint.diagnostic import Severity
from sycllint.pipeline import Result
from sycllint.report import render
from tests.report.sample import SWEEP, Sources, at, exceeds, files, finding, result


def document(format: str, found: Result, sources: Sources) -> ET.Element:  # noqa: A002
    text = render(format, found, color=True, width=80, hyperlinks=True, sources=sources)
    assert text.isascii()
    return ET.fromstring(text)


def of_each_severity() -> Result:
    found = [finding(at("a.cpp", SWEEP, "R"), each.label, severity=each) for each in Severity]
    return replace(result(*found), linted=frozenset({"a.cpp", "clean.cpp"}))


def test_checkstyle_has_an_error_for_each_finding_in_its_file() -> None:
    root = document("checkstyle", result(exceeds()), files(a_cpp=SWEEP))
    assert (root.tag, [file.attrib for file in root]) == ("checkstyle", [{"name": "a.cpp"}])
    [error] = root.iter("error")
    assert error.attrib == {
        "line": "6",
        "column": "51",
        "severity": "error",
        "message": "work-group 1x5x128 = 640 exceeds max 512 on tgl",
        "source": "sycllint.SYC101",
    }


def test_checkstyle_calls_a_note_info() -> None:
    root = document("checkstyle", of_each_severity(), files(a_cpp=SWEEP))
    assert [error.get("severity") for error in root.iter("error")] == ["info", "warning", "error"]


def test_junit_counts_errors_and_warnings_as_failures_and_clean_files_as_passed() -> None:
    root = document("junit", of_each_severity(), files(a_cpp=SWEEP))
    assert root.attrib == {"name": "sycllint", "tests": "4", "failures": "2", "errors": "0"}
    assert [(suite.get("name"), suite.get("tests"), suite.get("failures")) for suite in root] == [
        ("a.cpp", "3", "2"),
        ("clean.cpp", "1", "0"),
    ]
    assert [each.get("type") for each in root.iter("failure")] == ["warning", "error"]
    assert [each.text for each in root.iter("system-out")] == ["a.cpp:3:15: note[SYC101] note"]


def test_junit_has_an_error_where_not_everything_was_linted() -> None:
    root = document("junit", result(notices=["b.cpp: not read"], complete=False), files())
    assert (root.get("errors"), [each.text for each in root.iter("error")]) == ("1", ["b.cpp: not read"])


@pytest.mark.parametrize("format", ["checkstyle", "junit"])
def test_what_xml_cannot_hold_is_replaced(format: str) -> None:  # noqa: A002
    hard = finding(at("a.cpp", SWEEP, "R"), 'é <&> " \x1b[31m \x00 \ufffe \udcff')
    root = document(format, result(hard), files(a_cpp=SWEEP))
    [message] = [each.get("message") for each in root.iter() if each.get("message")]
    assert message == 'é <&> " ␛[31m ␀ \ufffd \ufffd'
