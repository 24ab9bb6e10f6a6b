"""The comments in fixtures: what they mean, and that a slip in one is an error."""

import pytest

from tests.expect import Expectation, Fixture, MisspeltError, Reveal, read


def test_a_comment_behind_code_is_about_its_line() -> None:
    assert read("int a;\nint b; // expect: SYC101\n").expectations == (Expectation(2, "SYC101"),)


def test_comments_on_their_own_lines_are_about_the_next_line_of_code() -> None:
    text = "// expect: SYC101\n// expect: SYC102\n\n// a remark\nlaunch();\n"
    assert read(text).expectations == (Expectation(5, "SYC101"), Expectation(5, "SYC102"))


def test_an_expectation_may_name_severity_and_a_part_of_the_message() -> None:
    (found,) = read('x(); // expect: SYC201 note "43% of Xe-core"\n').expectations
    assert (found.severity, found.part) == ("note", "43% of Xe-core")


def test_the_first_line_names_the_targets() -> None:
    assert read("// target: tgl, ats-m\nint a;\n").targets == ("tgl", "ats-m")


def test_without_a_target_line_it_is_tgl() -> None:
    assert read("int a;\n") == Fixture(("tgl",), (), ())


def test_a_reveal_names_a_fact_and_its_value() -> None:
    assert read("go(); // reveal: global = 64x?\n").reveals == (Reveal(1, "global", "64x?"),)


def test_plain_comments_mean_nothing() -> None:
    assert read("// The kernel waits for its neighbours.\nint a; // bytes\n").expectations == ()


@pytest.mark.parametrize(
    "slip",
    [
        "// expect SYC101",
        "// expect:SYC101",
        "// expct: SYC101",
        "// Expect: SYC101",
        "// expects: SYC101",
        "// expect: syc101",
        "// expect: SYC101 fatal",
        "// expect: SYC101 '640'",
        "// expect: SYC101, SYC102",
        "// reveal: work_group.size 512",
        "// reveal: work_group_size = 512",
        "// reveal: occupancy.tgl.simd8 = 57%",
        "// targets: tgl",
        "// target: tgl; pvc",
    ],
)
def test_a_slip_is_an_error(slip: str) -> None:
    with pytest.raises(MisspeltError):
        read(f"{slip}\nint a;\n")


def test_an_expectation_about_nothing_is_an_error() -> None:
    with pytest.raises(MisspeltError, match="no line of code follows"):
        read("int a;\n// expect: SYC101\n")


def test_a_target_below_the_first_line_is_an_error() -> None:
    with pytest.raises(MisspeltError, match="first line"):
        read("int a;\n// target: tgl\n")
