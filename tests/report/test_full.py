"""The format for people; its bytes are the contract, so the expectations are pictures."""

import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from sycllint.diagnostic import Related, Severity
from sycllint.pipeline import Result
from sycllint.report import render
from sycllint.report.terminal.display import cells
from tests.report.sample import SWEEP, Sources, at, exceeds, files, finding, result


def shown(found: Result, sources: Sources, *, width: int = 100, color: bool = False, hyperlinks: bool = False) -> str:
    return render("full", found, color=color, width=width, hyperlinks=hyperlinks, sources=sources)


def picture(content: str | bytes, text: str | bytes, *related: Related, width: int = 100) -> str:
    """The frame of one finding on ``text``: what stands between its place and its footer."""
    output = shown(result(finding(at("a.cpp", content, text), related=related)), files(a_cpp=content), width=width)
    return "\n" + output.partition("\n --> ")[2].partition("\n  = rule:")[0] + "\n"


def test_a_finding_shows_its_source_the_number_it_rests_on_and_the_way_out() -> None:
    assert (
        shown(result(exceeds()), files(a_cpp=SWEEP))
        == """\
error[SYC101]: work-group 1x5x128 = 640 exceeds max 512 on tgl
 --> a.cpp:6:51
  |
3 | constexpr int R = 5;
  |               ----- R is 5 here
...
6 |   q.parallel_for(sycl::nd_range<3>({64, 60, 128}, {1, R, 128}), [=](sycl::nd_item<3> it) {
  |                                                   ^^^^^^^^^^^
  = help: The largest R that fits is 4.
  = rule: work-group-exceeds-max (sycllint rule SYC101)

1 file checked, 1 finding (1 error)
"""
    )


def test_a_related_place_in_another_file_gets_a_frame_of_its_own() -> None:
    main, header = "f(R);\n", "#pragma once\n#define R 5\n"
    related = Related("R is 5 here", at("size.h", header, "R 5"))
    found = finding(at("main.cpp", main, "R"), related=(related,))
    output = shown(result(found), files(main_cpp=main, size_h=header))
    assert (
        output.partition("= rule")[0]
        == """\
error[SYC101]: work-group 1x5x128 = 640 exceeds max 512 on tgl
 --> main.cpp:1:3
  |
1 | f(R);
  |   ^
  |
 ::: size.h:2:9
  |
2 | #define R 5
  |         --- R is 5 here
  """
    )


def test_a_single_line_between_two_marked_ones_is_shown() -> None:
    content = "int R = 5;\n\nf(R);\n"
    assert (
        picture(content, "f(R)", Related("R is 5 here", at("a.cpp", content, "R = 5")))
        == """
a.cpp:3:1
  |
1 | int R = 5;
  |     ----- R is 5 here
2 |
3 | f(R);
  | ^^^^
"""
    )


def test_several_marks_on_a_line_take_a_row_each_once_something_is_written() -> None:
    content = "launch(grid, block, body);\n"
    assert (
        picture(
            content,
            "block",
            Related("16 work-items", at("a.cpp", content, "grid")),
            Related("the kernel", at("a.cpp", content, "body")),
        )
        == """
a.cpp:1:14
  |
1 | launch(grid, block, body);
  |        ---- 16 work-items
  |              ^^^^^  ---- the kernel
"""
    )


def test_what_explains_the_very_place_of_the_finding_is_written_after_its_carets() -> None:
    content = "local_accessor<float> tile(n);\n"
    assert (
        picture(content, "tile", Related("tile takes 800 B", at("a.cpp", content, "tile")))
        == """
a.cpp:1:23
  |
1 | local_accessor<float> tile(n);
  |                       ^^^^ tile takes 800 B
"""
    )


def test_a_span_over_many_lines_shows_the_first_and_the_last() -> None:
    assert (
        picture("h.parallel_for(range(\n  1,\n  2,\n  3), f);\n", "range(\n  1,\n  2,\n  3)")
        == """
a.cpp:1:16
  |
1 | h.parallel_for(range(
  |                ^^^^^^
...
4 |   3), f);
  |   ^^
"""
    )


def test_line_numbers_share_one_gutter() -> None:
    content = "int R = 5;\n" + "\n" * 100 + "f(R);\n"
    output = shown(
        result(finding(at("a.cpp", content, "f(R)"), related=(Related("here", at("a.cpp", content, "R")),))),
        files(a_cpp=content),
    )
    assert "\n   --> a.cpp:102:1\n    |\n  1 | int R = 5;\n" in output
    assert "\n102 | f(R);\n    | ^^^^\n    = rule:" in output


def test_tabs_are_expanded_and_carets_stay_under_the_text() -> None:
    assert (
        picture("\tint\tR = 5;\n", "R")
        == """
a.cpp:1:6
  |
1 |     int R = 5;
  |         ^
"""
    )


def test_wide_characters_take_two_cells_and_combining_ones_none() -> None:
    assert (
        picture("/* 漢字 */ f(R);\n", "R")
        == """
a.cpp:1:12
  |
1 | /* 漢字 */ f(R);
  |              ^
"""
    )
    assert picture("/* e\u0301 */ f(R);\n", "R").splitlines()[-1] == "  |           ^"


def test_a_byte_order_mark_and_crlf_move_nothing() -> None:
    assert (
        picture(b"\xef\xbb\xbff(R);\r\ng();\r\n", "R")
        == """
a.cpp:1:3
  |
1 | f(R);
  |   ^
"""
    )


def test_a_byte_that_is_no_utf8_is_one_character() -> None:
    assert (
        picture(b"/* \xe9 */ f(R);\n", "R")
        == """
a.cpp:1:11
  |
1 | /* \ufffd */ f(R);
  |           ^
"""
    )


def test_escape_sequences_and_reordering_marks_in_the_source_are_shown_not_obeyed() -> None:
    output = picture('f("\x1b[31m\x07", "\u202e");\n', "f")
    assert 'f("␛[31m␇", "\ufffd");' in output


def test_a_long_line_is_cut_around_the_finding() -> None:
    content = "a" * 200 + " R " + "b" * 200 + "\n"
    assert (
        picture(content, "R", width=44)
        == """
a.cpp:1:202
  |
1 | …aaaaaaaaaaaaaaaaa R bbbbbbbbbbbbbbbbbb…
  |                    ^
"""
    )


def test_a_finding_wider_than_the_terminal_is_marked_up_to_the_cut() -> None:
    assert (
        picture("ab(" + "x" * 90 + ");\n", "x" * 90, width=44)
        == """
a.cpp:1:4
  |
1 | ab(xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
  |    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
"""
    )


@given(
    before=st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"])),
    after=st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"])),
    width=st.integers(40, 120),
)
def test_no_source_line_is_wider_than_the_terminal_or_can_drive_it(before: str, after: str, width: int) -> None:
    content = f"{before}MARKED{after}\n"
    line, carets = picture(content, "MARKED", width=width).splitlines()[-2:]
    assert cells(line) <= width
    assert not any(character < " " or "\x7f" <= character < "\xa0" for character in line)
    start = carets.index("^")
    assert carets[start:] == "^^^^^^"
    prefix = line[: line.index("MARKED")]
    assert cells(prefix) == start


def test_a_generated_line_of_a_megabyte_is_shown_in_part() -> None:
    content = "x" * 500_000 + " R " + "x" * 500_000
    assert len(picture(content, "R")) < 300


def test_a_file_that_is_gone_still_has_its_finding_reported() -> None:
    def gone(path: str) -> None:
        raise FileNotFoundError(path)

    output = shown(result(exceeds()), gone)  # type: ignore[arg-type]
    assert output.startswith("error[SYC101]: work-group 1x5x128 = 640 exceeds max 512 on tgl\n --> a.cpp:1:1\n")


def test_colours_follow_severity_and_plain_output_has_no_escape() -> None:
    sources = files(a_cpp=SWEEP)
    warning = finding(at("a.cpp", SWEEP, "R = 5"), severity=Severity.WARNING)
    assert "\x1b" not in shown(result(exceeds(), warning), sources)
    colored = shown(result(exceeds(), warning), sources, color=True)
    assert "\x1b[1;31merror[SYC101]\x1b[0m" in colored
    assert "\x1b[1;33mwarning[SYC101]\x1b[0m" in colored
    assert "\x1b[1;31m^^^^^^^^^^^\x1b[0m" in colored


def test_with_hyperlinks_the_place_links_to_the_file() -> None:
    output = shown(result(exceeds()), files(a_cpp=SWEEP), hyperlinks=True)
    assert "\x1b]8;;file:///" in output
    assert "/a.cpp\x1b\\a.cpp:6:51\x1b]8;;\x1b\\" in output


def test_each_notice_is_printed_once_and_ten_at_most() -> None:
    notices = [f"src/{number}.cpp: not read" for number in range(12)]
    output = shown(result(notices=[*notices, *notices], complete=False), files())
    assert output.count("src/0.cpp: not read") == 1
    assert "notice: src/9.cpp: not read\nnotice: … 2 more (all of them with --format json)\n" in output
    assert output.endswith("1 file checked, no findings; incomplete: not everything could be linted\n")


def test_the_summary_counts_and_says_what_was_assumed() -> None:
    warning = finding(at("a.cpp", SWEEP, "R = 5"), severity=Severity.WARNING)
    found = result(exceeds(), warning, warning, targets_assumed=True, skipped=2, with_parse_errors=1)
    assert shown(found, files(a_cpp=SWEEP)).splitlines()[-1] == (
        "1 file checked, 2 skipped, 1 with parse errors, 3 findings (1 error, 2 warnings); "
        "no target configured: assumed tgl (set targets in sycllint.toml or --target)"
    )


def test_plain_output_needs_no_rich() -> None:
    script = (
        "import sys; from tests.report.sample import *; from sycllint.report import render; "
        "render('full', result(exceeds()), color=True, width=80, hyperlinks=True, sources=files(a_cpp=SWEEP)); "
        "sys.exit('rich' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
