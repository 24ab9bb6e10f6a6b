"""The grouped format: a heading for each file, then its findings in columns."""

from sycllint.diagnostic import Severity
from sycllint.report import render
from tests.report.sample import at, files, finding, result


def test_findings_stand_under_their_file_in_columns() -> None:
    content = "R\n\n\n\n\n\n\n\n\n   S\n"
    output = render(
        "grouped",
        result(
            finding(at("a.cpp", content, "R"), "one"),
            finding(at("a.cpp", content, "S"), "two", code="SYC1101", severity=Severity.NOTE),
            finding(at("b.cpp", "R", "R"), "three"),
            notices=["c.cpp: not read"],
        ),
        color=False,
        width=80,
        hyperlinks=False,
        sources=files(a_cpp=content, b_cpp="R"),
    )
    assert output == (
        "a.cpp\n"
        "  1:1   error[SYC101]  one\n"
        "  10:4  note[SYC1101]  two\n"
        "\n"
        "b.cpp\n"
        "  1:1  error[SYC101]  three\n"
        "\n"
        "notice: c.cpp: not read\n"
        "\n"
        "1 file checked, 3 findings (2 errors, 1 note)\n"
    )
