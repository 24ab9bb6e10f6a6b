"""The JSON of ``check``: exactly the fields of the published interface."""

import json
from dataclasses import replace

import sycllint
from sycllint.diagnostic import Diagnostic
from sycllint.report import render
from sycllint.source.edit import Applicability, Edit, Fix
from tests.report.sample import SWEEP, Sources, at, exceeds, files, finding, result


def test_every_field_of_the_interface_and_no_other() -> None:
    found = result(exceeds(), notices=["b.cpp:210: kernel not analysed"] * 2, skipped=1, with_parse_errors=1)
    output = json.loads(
        render("json", found, color=True, width=80, hyperlinks=True, sources=files(a_cpp=SWEEP)),
    )
    fingerprint = output["diagnostics"][0].pop("fingerprint")
    assert len(fingerprint) == 64
    assert output == {
        "version": sycllint.__version__,
        "targets": ["tgl"],
        "shard": None,
        "complete": True,
        "diagnostics": [
            {
                "code": "SYC101",
                "name": "work-group-exceeds-max",
                "url": None,
                "severity": "error",
                "evidence": "proved",
                "message": "work-group 1x5x128 = 640 exceeds max 512 on tgl",
                "help": "The largest R that fits is 4.",
                "targets": ["tgl"],
                "path": "a.cpp",
                "line": 6,
                "column": 51,
                "end_line": 6,
                "end_column": 62,
                "related": [
                    {
                        "message": "R is 5 here",
                        "path": "a.cpp",
                        "line": 3,
                        "column": 15,
                        "end_line": 3,
                        "end_column": 20,
                    }
                ],
                "fix": None,
            }
        ],
        "files": {"checked": 1, "skipped": 1, "with_parse_errors": 1, "not_parsed": []},
        "hidden": {"suppressed": 0, "baseline": 0, "unchanged": 0},
        "notices": ["b.cpp:210: kernel not analysed"],
    }


def test_a_fix_is_its_edits() -> None:
    content = "f(R);\n"
    fix = Fix("write S", (Edit(at("a.cpp", content, "R"), "S"),), Applicability.UNSAFE)
    [found] = findings(replace(finding(at("a.cpp", content, "f(R)")), fix=fix), sources=files(a_cpp=content))
    assert found["fix"] == {
        "applicability": "unsafe",
        "description": "write S",
        "edits": [{"path": "a.cpp", "start": {"line": 1, "column": 3}, "end": {"line": 1, "column": 4}, "text": "S"}],
    }


def test_columns_count_characters() -> None:
    content = "\t/* é𝛼漢 */ f(R);\r\n"
    [found] = findings(finding(at("a.cpp", content, "R")), sources=files(a_cpp=content))
    assert (found["line"], found["column"], found["end_column"]) == (1, 14, 15)


def test_output_is_ascii() -> None:
    content = "f(R);\n"
    found = result(finding(at("é.cpp", content, "R")))
    text = render("json", found, color=False, width=80, hyperlinks=False, sources=files(é_cpp=content))
    assert text.isascii()
    assert json.loads(text)["diagnostics"][0]["path"] == "é.cpp"


def test_a_fingerprint_stays_when_lines_move_and_are_indented_again() -> None:
    old, new = "f(R, 1);\n", "// above\n\nif (x)\n\tf(R,  1);\n"
    assert fingerprint_of(old, "R") == fingerprint_of(new, "R")


def test_a_fingerprint_changes_with_the_line() -> None:
    assert fingerprint_of("f(R, 1);\n", "R") != fingerprint_of("f(R, 2);\n", "R")


def test_equal_lines_of_a_file_have_different_fingerprints() -> None:
    content = "f(R);\nf(R);\n"
    found = [finding(at("a.cpp", content, "R", nth)) for nth in range(2)]
    first, second = findings(*found, sources=files(a_cpp=content))
    assert first["fingerprint"] != second["fingerprint"]


def findings(*diagnostics: Diagnostic, sources: Sources) -> list[dict[str, object]]:
    text = render("json", result(*diagnostics), color=False, width=80, hyperlinks=False, sources=sources)
    found: list[dict[str, object]] = json.loads(text)["diagnostics"]
    return found


def fingerprint_of(content: str, text: str) -> object:
    return findings(finding(at("a.cpp", content, text)), sources=files(a_cpp=content))[0]["fingerprint"]


def test_json_lines_have_the_same_objects_one_on_a_line() -> None:
    found = result(exceeds(), exceeds())
    sources = files(a_cpp=SWEEP)
    lines = render("jsonl", found, color=True, width=80, hyperlinks=True, sources=sources).splitlines()
    whole = json.loads(render("json", found, color=True, width=80, hyperlinks=True, sources=sources))
    assert [json.loads(line) for line in lines] == whole["diagnostics"]
