"""Findings that are only counted: one line for people, each of them for programs."""

from dataclasses import replace

from sycllint.diagnostic import Diagnostic, Severity
from sycllint.report import render
from sycllint.report.terminal.folding import tallied
from sycllint.source.edit import Edit, Fix
from tests.report.sample import at, files, finding, result

CONTENT = "cl::sycl::queue q;\ncl::sycl::range<1> r(1);\nsycl::atomic<int> a;\n"


def uses() -> list[Diagnostic]:
    places = [at("a.cpp", CONTENT, "cl::sycl", nth) for nth in range(2)]
    named = [
        replace(finding(place, "cl::sycl is outdated", code="SYC902", severity=Severity.NOTE), tally="cl::sycl")
        for place in places
    ]
    fixed = [
        replace(each, fix=Fix("write sycl", (Edit(place, "sycl"),))) for each, place in zip(named, places, strict=True)
    ]
    atomic = finding(at("a.cpp", CONTENT, "atomic"), "sycl::atomic is outdated", code="SYC902", severity=Severity.NOTE)
    return [*fixed, replace(atomic, tally="sycl::atomic")]


def test_are_counted_by_what_they_are() -> None:
    (line,) = tallied(uses())
    assert line.message == "3 outdated names in this file: 2 `cl::sycl`, 1 `sycl::atomic`; `--fix` updates 2"
    assert line.location == uses()[0].location


def test_one_alone_is_reported_as_it_is() -> None:
    assert [*tallied(uses()[:1])] == uses()[:1]


def test_other_files_and_rules_are_counted_apart() -> None:
    elsewhere = replace(uses()[0], location=at("b.cpp", CONTENT, "cl::sycl"))
    other = replace(uses()[0], code="SYC901")
    assert len([*tallied([*uses(), elsewhere, other])]) == 3


def test_programs_get_each_finding() -> None:
    for form, count in [("concise", 1), ("github", 1), ("json", 3), ("sarif", 3)]:
        text = render(form, result(*uses()), color=False, width=80, hyperlinks=False, sources=files(a_cpp=CONTENT))
        assert text.count("is outdated") + text.count("in this file") == count
