"""What people are shown first: what weighs most stands last, notes are counted, equal findings are one."""

from sycllint.diagnostic import Diagnostic, Severity
from sycllint.report import render
from tests.report.sample import SWEEP, at, exceeds, files, finding, result


def shown(*found: Diagnostic, fold_notes: bool = True) -> str:
    sources = files(a_cpp=SWEEP, b_cpp=SWEEP)
    return render(
        "full", result(*found), color=False, width=100, hyperlinks=False, sources=sources, fold_notes=fold_notes
    )


def note(path: str = "a.cpp", text: str = "R = 5", code: str = "SYC203", name: str = "tail-wave") -> Diagnostic:
    return finding(at(path, SWEEP, text), f"a note on {text}", code=code, name=name, severity=Severity.NOTE)


def warning(path: str = "a.cpp", text: str = "R = 5", nth: int = 0) -> Diagnostic:
    where = at(path, SWEEP, text, nth)
    return finding(where, "said of each", code="SYC302", name="partial", severity=Severity.WARNING)


def test_errors_stand_after_warnings_wherever_they_are_found() -> None:
    text = shown(exceeds(), warning("b.cpp"))
    assert text.index("warning[SYC302]") < text.index("error[SYC101]")


def test_the_notes_of_a_rule_are_one_line() -> None:
    text = shown(note(), note("b.cpp"), note("b.cpp", "{1, R, 128}", "SYC505", "redundant-barrier"), exceeds())
    assert text.startswith(
        "3 notes of 2 rules (`--show notes` shows each in full)\n"
        "  SYC203  tail-wave          2  first a.cpp:3:15, 2 files\n"
        "  SYC505  redundant-barrier  1  b.cpp:6:51\n\n"
        "error[SYC101]"
    )
    assert "a note on" not in text


def test_each_note_is_shown_where_that_is_asked_for() -> None:
    text = shown(note(), note("b.cpp"), fold_notes=False)
    assert text.count("note[SYC203]") + text.count("also: b.cpp:3:15") == 2


def test_findings_that_say_the_same_are_one_with_the_places_of_the_others() -> None:
    text = shown(warning(), warning("a.cpp", "it", 0), warning("b.cpp"))
    assert text.count("warning[SYC302]: said of each") == 1
    assert "= also: " in text
    assert "b.cpp:3:15" in text


def test_findings_with_another_cause_are_separate() -> None:
    text = shown(exceeds(), finding(at("b.cpp", SWEEP, "{1, R, 128}"), help="The largest R that fits is 4."))
    assert text.count("error[SYC101]") == 2


def test_more_places_than_one_reads_are_counted() -> None:
    code = "\n".join(["R"] * 20)
    found = [finding(at("a.cpp", code, "R", nth), "same") for nth in range(20)]
    text = render("full", result(*found), color=False, width=99, hyperlinks=False, sources=files(a_cpp=code))
    assert "also: a.cpp:2:1, 3:1, 4:1, 5:1, 6:1, 7:1, 8:1, 9:1 and 11 more" in text
