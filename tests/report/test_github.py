"""Workflow commands; the forms are those of GitHub's documentation, "Workflow commands for GitHub Actions"."""

from sycllint.diagnostic import Diagnostic, Severity
from sycllint.report import render
from tests.report.sample import SWEEP, Sources, at, exceeds, files, finding, result


def lines(*diagnostics: Diagnostic, sources: Sources) -> list[str]:
    output = render("github", result(*diagnostics), color=False, width=80, hyperlinks=False, sources=sources)
    return output.splitlines()


def test_a_finding_is_an_annotation_on_its_columns() -> None:
    assert lines(exceeds(), sources=files(a_cpp=SWEEP)) == [
        (
            "::error title=sycllint (SYC101),file=a.cpp,line=6,col=51,endLine=6,endColumn=62"
            "::work-group 1x5x128 = 640 exceeds max 512 on tgl%0AThe largest R that fits is 4."
        )
    ]


def test_percent_signs_and_separators_are_escaped() -> None:
    sources = files(**{"a,b:c_cpp": "f();"})
    found = finding(at("a,b:c.cpp", "f();", "f"), "leaves 43% idle, see: here", severity=Severity.NOTE)
    assert lines(found, sources=sources) == [
        (
            "::notice title=sycllint (SYC101),file=a%2Cb%3Ac.cpp,line=1,col=1,endLine=1,endColumn=2"
            "::leaves 43%25 idle, see: here"
        )
    ]


def test_a_span_over_lines_has_no_columns() -> None:
    content = "f(\n1);\n"
    assert lines(finding(at("a.cpp", content, "(\n1)"), "m"), sources=files(a_cpp=content)) == [
        "::error title=sycllint (SYC101),file=a.cpp,line=1,endLine=2::m"
    ]


def test_ten_of_a_level_are_annotated_the_most_severe_first_and_the_rest_is_listed() -> None:
    content = "".join(f"call{number:02};\n" for number in range(12))
    warnings = [
        finding(at("a.cpp", content, f"call{number:02}"), "w", severity=Severity.WARNING) for number in range(12)
    ]
    error = finding(at("a.cpp", content, "call05"), "e", code="SYC102")
    output = lines(*warnings, error, sources=files(a_cpp=content))
    assert output[0].startswith("::error ")
    assert [line.partition(" ")[0] for line in output[1:11]] == ["::warning"] * 10
    assert output[11:] == [
        "… 2 more, without annotation:",
        "- a.cpp:11:1: warning[SYC101] w",
        "- a.cpp:12:1: warning[SYC101] w",
    ]


def test_a_rule_annotates_a_line_once() -> None:
    content = "f(); f();\n"
    both = [finding(at("a.cpp", content, "f", nth), "m") for nth in range(2)]
    output = lines(*both, sources=files(a_cpp=content))
    assert output[1:] == ["… 1 more, without annotation:", "- a.cpp:1:6: error[SYC101] m"]


def test_a_message_cannot_start_a_command_of_its_own() -> None:
    found = finding(at("a.cpp", SWEEP, "R = 5"), "x\n::set-output name=a::b")
    assert len(lines(found, sources=files(a_cpp=SWEEP))) == 1
