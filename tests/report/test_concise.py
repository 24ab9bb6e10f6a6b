"""One finding a line, for editors and scripts."""

from sycllint.report import render
from tests.report.sample import SWEEP, at, exceeds, files, finding, result


def test_one_finding_is_one_line_and_there_is_no_summary() -> None:
    warned = finding(at("a.cpp", SWEEP, "R = 5"), "two\nlines")
    output = render(
        "concise", result(exceeds(), warned), color=False, width=80, hyperlinks=False, sources=files(a_cpp=SWEEP)
    )
    assert output == (
        "a.cpp:6:51: error[SYC101] work-group 1x5x128 = 640 exceeds max 512 on tgl\n"
        "a.cpp:3:15: error[SYC101] two␊lines\n"
    )


def test_nothing_found_is_no_output() -> None:
    assert render("concise", result(), color=False, width=80, hyperlinks=False, sources=files()) == ""
