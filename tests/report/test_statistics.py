"""Counts by rule, in the terminal and as a page of Markdown."""

from dataclasses import replace

from sycllint.diagnostic import Diagnostic, Severity
from sycllint.report import render
from sycllint.report.formats.markdown import SHOWN
from sycllint.report.terminal.statistics import table
from sycllint.report.terminal.style import Style
from sycllint.source.edit import Applicability, Edit, Fix
from tests.report.sample import at, files, finding, result


def tail_wave(path: str, severity: Severity = Severity.NOTE, fix: Applicability | None = None) -> Diagnostic:
    place = at(path, "R", "R")
    note = finding(place, "a | b", code="SYC203", name="tail-wave", severity=severity)
    return note if fix is None else replace(note, fix=Fix("s", (Edit(place, "S"),), fix))


def test_the_rule_that_spoke_most_is_first_with_its_gravest_severity() -> None:
    many = [tail_wave("a.cpp")] * 9 + [tail_wave("b.cpp", Severity.WARNING)]
    assert table([finding(at("a.cpp", "R", "R")), *many], Style()) == (
        "10  SYC203  warning  tail-wave               in 2 files\n"
        " 1  SYC101  error    work-group-exceeds-max  in 1 file\n"
    )


def test_safe_fixes_are_counted() -> None:
    safe, unsafe = Applicability.SAFE, Applicability.UNSAFE
    assert "--fix updates 1\n" in table([tail_wave("a.cpp", fix=safe), tail_wave("a.cpp", fix=unsafe)], Style())
    assert "--fix updates all\n" in table([tail_wave("a.cpp", fix=safe)], Style())


def test_nothing_found_is_no_table() -> None:
    assert table([], Style()) == ""


def page(*diagnostics: Diagnostic) -> str:
    sources = files(a_cpp="R", b_cpp="R")
    return render("markdown", result(*diagnostics), color=True, width=80, hyperlinks=True, sources=sources)


def test_the_page_has_the_summary_the_rules_and_the_gravest_findings_first() -> None:
    assert page(tail_wave("a.cpp"), finding(at("b.cpp", "R", "R"), "640 exceeds 512")) == (
        "## sycllint\n"
        "\n"
        "1 file checked, 2 findings (1 error, 1 note).\n"
        "\n"
        "| findings | files | rule | severity |\n"
        "|---:|---:|---|---|\n"
        "| 1 | 1 | SYC101 work-group-exceeds-max | error |\n"
        "| 1 | 1 | SYC203 tail-wave | note |\n"
        "\n"
        "| place | rule | finding |\n"
        "|---|---|---|\n"
        "| b.cpp:1 | error SYC101 | 640 exceeds 512 |\n"
        "| a.cpp:1 | note SYC203 | a \\| b |\n"
    )


def test_a_long_page_says_what_it_leaves_out() -> None:
    assert page(*(tail_wave("a.cpp") for _ in range(SHOWN + 1))).endswith("… and 1 finding more, none more severe.\n")
