"""SARIF 2.1.0: by its schema, and by what GitHub's ingestion asks for beyond it.

The schema in tests/data is the JSON schema of SARIF 2.1.0 as the npm package @microsoft/sarif-multitool-linux 5.7.0
carries it: OASIS's in JSON Schema 2020-12, without OASIS's rule that a region has a line or an offset.
GitHub's rules: GitHub docs, "SARIF support for code scanning".
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import sycllint
from sycllint.diagnostic import Diagnostic, Related, Severity
from sycllint.pipeline import Hidden, Hiding, Result, Shard
from sycllint.report import address, render
from sycllint.report.formats.sarif import MAX_RESULTS, most_severe
from sycllint.source.edit import Edit, Fix
from tests.report.sample import SWEEP, Sources, at, exceeds, files, finding, result, rule_in

RULES = (
    rule_in("tests.report.test_sarif", "SYC101", "work-group-exceeds-max", Severity.ERROR),
    rule_in("tests.report.test_page", "SYC203", "tail-wave", Severity.NOTE),
)


@cache
def validator() -> jsonschema.Draft202012Validator:
    schema = json.loads((Path(__file__).parents[1] / "data/sarif-schema-2.1.0.json").read_text())
    return jsonschema.Draft202012Validator(schema, format_checker=jsonschema.FormatChecker())


def run_of(found: Result, sources: Sources, format: str = "sarif") -> Any:  # noqa: A002
    """The one run of a log that the schema accepts."""
    log = json.loads(render(format, found, color=True, width=80, hyperlinks=True, sources=sources))
    assert [error.message for error in validator().iter_errors(log)] == []
    [run] = log["runs"]
    return run


def result_of(diagnostic: Diagnostic, sources: Sources) -> Any:
    [only] = run_of(result(diagnostic, rules=RULES), sources)["results"]
    return only


def regions(value: Any) -> Iterator[Any]:
    """Every region in a log."""
    if isinstance(value, dict):
        yield from [value["region"]] if "region" in value else regions(list(value.values()))
    elif isinstance(value, list):
        for each in value:
            yield from regions(each)


def test_the_schema_check_sees_columns_uris_and_tags() -> None:
    log = json.loads(
        render("sarif", result(exceeds(), rules=RULES), color=False, width=80, hyperlinks=False,
               sources=files(a_cpp=SWEEP))
    )  # fmt: skip
    physical = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    physical["region"]["startColumn"] = 0
    physical["artifactLocation"]["uri"] = "a b.cpp"
    log["runs"][0]["tool"]["driver"]["rules"][0]["properties"]["tags"] = ["sycl", "sycl"]
    assert len(list(validator().iter_errors(log))) == 3


def test_a_result_names_its_rule_its_place_and_where_its_number_comes_from() -> None:
    found = result_of(exceeds(), files(a_cpp=SWEEP))
    fingerprints = found.pop("partialFingerprints")
    assert set(fingerprints) == {"primaryLocationLineHash", "sycllint/v1"}
    assert found == {
        "ruleId": "SYC101",
        "ruleIndex": 0,
        "level": "error",
        "message": {
            "text": "work-group 1x5x128 = 640 exceeds max 512 on tgl. The largest R that fits is 4. [R is 5 here](1)."
        },
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "a.cpp", "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": 6, "startColumn": 51, "endLine": 6, "endColumn": 62},
                }
            }
        ],
        "properties": {"evidence": "proved", "targets": ["tgl"]},
        "relatedLocations": [
            {
                "id": 1,
                "message": {"text": "R is 5 here"},
                "physicalLocation": {
                    "artifactLocation": {"uri": "a.cpp", "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": 3, "startColumn": 15, "endLine": 3, "endColumn": 20},
                },
            }
        ],
    }


def test_the_line_hash_is_that_of_the_first_line_of_the_finding() -> None:
    content = "Lorem ipsum dolor sit amet.\n" * 10
    found = result_of(finding(at("a.cpp", content, "Lorem", nth=1)), files(a_cpp=content))
    assert found["partialFingerprints"]["primaryLocationLineHash"] == "a7f2ff13bc495cf2:2"


@pytest.mark.parametrize(
    ("content", "column"),
    [
        (b"/* e */ R", 9),
        ("/* é */ R".encode(), 9),
        ("/* 𝛼 */ R".encode(), 10),
        (b"\t/* \xe9 */\tR", 10),
        (b"\xef\xbb\xbfR", 1),
        (b"\r\n\r\nf(R);\r\n", 3),
    ],
    ids=["ascii", "two bytes", "outside the first plane", "tabs and no UTF-8", "byte-order mark", "CR LF"],
)
def test_columns_count_utf16_code_units(content: bytes, column: int) -> None:
    found = result_of(finding(at("a.cpp", content, "R")), files(a_cpp=content))
    [region] = regions(found)
    assert (region["startColumn"], region["endColumn"]) == (column, column + 1)


def test_every_region_has_its_four_numbers_and_no_byte_offset() -> None:
    content = "f(\nR);\n"
    related = Related("here", at("a.cpp", content, "(\nR"))
    found = list(regions(result_of(finding(at("a.cpp", content, "R"), related=(related,)), files(a_cpp=content))))
    assert found == [
        {"startLine": 2, "startColumn": 1, "endLine": 2, "endColumn": 2},
        {"startLine": 1, "startColumn": 2, "endLine": 2, "endColumn": 2},
    ]


def test_paths_become_percent_encoded_references() -> None:
    uris = []
    for path in ("src/ü a#b.cpp", "c:d.cpp", "/abs/a.cpp", "C:/abs/a.cpp", "bad\udcff.cpp"):
        found = result_of(finding(at(path, "R", "R")), files(**{path.replace(".", "_"): "R"}))
        [location] = found["locations"]
        uris.append(location["physicalLocation"]["artifactLocation"])
    assert uris == [
        {"uri": "src/%C3%BC%20a%23b.cpp", "uriBaseId": "%SRCROOT%"},
        {"uri": "c%3Ad.cpp", "uriBaseId": "%SRCROOT%"},
        {"uri": "file:///abs/a.cpp"},
        {"uri": "file:///C:/abs/a.cpp"},
        {"uri": "bad%FF.cpp", "uriBaseId": "%SRCROOT%"},
    ]


def test_the_base_of_relative_uris_is_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run = run_of(result(), files())
    assert run["originalUriBaseIds"] == {"%SRCROOT%": {"uri": f"{tmp_path.as_uri()}/"}}
    assert run["invocations"][0]["workingDirectory"] == {"uri": f"{tmp_path.as_uri()}/"}


def test_all_rules_that_ran_are_declared_with_their_pages() -> None:
    driver = run_of(result(rules=RULES), files())["tool"]["driver"]
    assert (driver["name"], driver["semanticVersion"]) == ("sycllint", sycllint.__version__)
    tail_wave = driver["rules"][1]
    page = tail_wave.pop("help")
    assert page["markdown"].startswith(page["text"])
    assert tail_wave == {
        "id": "SYC203",
        "name": "TailWave",
        "shortDescription": {"text": "A rule's docstring as Markdown."},
        "fullDescription": {"text": "A rule's docstring as Markdown."},
        "defaultConfiguration": {"level": "note"},
        "properties": {"tags": ["sycl", "report"], "precision": "medium", "problem.severity": "recommendation"},
    }


def test_a_link_in_a_message_is_text_and_brackets_in_a_label_are_escaped() -> None:
    content = "int tile[16];\n"
    related = Related("tile[16] here", at("a.cpp", content, "tile"))
    found = finding(at("a.cpp", content, "16"), "tile[0](1) is late", related=(related,))
    assert result_of(found, files(a_cpp=content))["message"]["text"] == (
        "tile[0\\](1) is late. [tile\\[16\\] here](1)."
    )


def test_notices_are_notifications_and_an_incomplete_run_is_no_success() -> None:
    [whole] = run_of(result(notices=["a.cpp:3: kernel not analysed"]), files())["invocations"]
    assert whole["executionSuccessful"]
    assert whole["toolExecutionNotifications"] == [
        {"level": "warning", "message": {"text": "a.cpp:3: kernel not analysed"}}
    ]
    [partial] = run_of(result(notices=["a.cpp: not read"] * 2, complete=False), files())["invocations"]
    assert not partial["executionSuccessful"]
    assert partial["toolExecutionNotifications"] == [{"level": "error", "message": {"text": "a.cpp: not read"}}]


def test_of_too_many_results_the_most_severe_are_kept_and_the_log_says_so() -> None:
    note = finding(at("a.cpp", SWEEP, "R"), severity=Severity.NOTE)
    run = run_of(result(*[note] * MAX_RESULTS, exceeds()), files(a_cpp=SWEEP))
    assert len(run["results"]) == MAX_RESULTS
    assert run["results"][-1]["level"] == "error"
    assert run["invocations"][0]["toolExecutionNotifications"] == [
        {
            "level": "warning",
            "message": {"text": "1 finding left out, the least severe: this log holds 5000 at most."},
        }
    ]


def test_the_most_severe_keep_their_order() -> None:
    found = [finding(at("a.cpp", "R", "R"), str(index), severity=Severity(1 + index % 3)) for index in range(9)]
    assert [each.message for each in most_severe(found, 4)] == ["1", "2", "5", "8"]


def test_a_fix_replaces_regions_of_its_files() -> None:
    content = "f(R);\n"
    fix = Fix("write S", (Edit(at("a.cpp", content, "R"), "S"),))
    found = result_of(replace(finding(at("a.cpp", content, "f(R)")), fix=fix), files(a_cpp=content))
    (offered,) = found["fixes"]
    assert offered["description"] == {"text": "write S"}
    (change,) = offered["artifactChanges"]
    assert change["artifactLocation"] == {"uri": "a.cpp", "uriBaseId": "%SRCROOT%"}
    assert change["replacements"] == [
        {
            "deletedRegion": {"startLine": 1, "startColumn": 3, "endLine": 1, "endColumn": 4},
            "insertedContent": {"text": "S"},
        }
    ]


def test_the_full_log_also_has_what_is_not_reported_and_why() -> None:
    content = "f(R, S, T, U);\n"
    reported, silenced, unexplained, unchanged = (finding(at("a.cpp", content, each)) for each in "RSTU")
    hidden = (
        Hidden(silenced, Hiding.SUPPRESSED, "the new GPU"),
        Hidden(unexplained, Hiding.SUPPRESSED),
        Hidden(unchanged, Hiding.UNCHANGED),
    )
    found = replace(result(reported, rules=RULES), hidden=hidden)
    results = run_of(found, files(a_cpp=content), "sarif-full")["results"]
    assert [each.get("suppressions") for each in results] == [
        None,
        [{"kind": "inSource", "status": "accepted", "justification": "the new GPU"}],
        [{"kind": "inSource", "status": "accepted"}],
        [{"kind": "external", "status": "accepted", "justification": "Not on a changed line."}],
    ]
    assert all("baselineState" not in each for each in results)
    assert run_of(found, files(a_cpp=content))["results"] == [result_of(reported, files(a_cpp=content))]


def test_where_a_baseline_knows_some_findings_the_full_log_says_of_each_whether_it_is_new() -> None:
    content = "f(R, S);\n"
    new, known = (finding(at("a.cpp", content, each)) for each in "SR")
    found = replace(result(new, rules=RULES), hidden=(Hidden(known, Hiding.BASELINE),))
    results = run_of(found, files(a_cpp=content), "sarif-full")["results"]
    assert [each["baselineState"] for each in results] == ["unchanged", "new"]


def test_a_reported_finding_has_one_fingerprint_in_both_logs() -> None:
    content = "f(R, R);\n"
    reported, known = (finding(at("a.cpp", content, "R", nth)) for nth in (1, 0))
    found = replace(result(reported, rules=RULES), hidden=(Hidden(known, Hiding.BASELINE),))
    [short] = run_of(found, files(a_cpp=content))["results"]
    [_, full] = run_of(found, files(a_cpp=content), "sarif-full")["results"]
    assert full["partialFingerprints"] == short["partialFingerprints"]


def test_the_full_log_shows_the_text_of_each_place() -> None:
    [found] = run_of(result(exceeds(), rules=RULES), files(a_cpp=SWEEP), "sarif-full")["results"]
    assert [region["snippet"]["text"] for region in regions(found)] == ["{1, R, 128}", "R = 5"]


def test_each_shard_has_a_category_of_its_own() -> None:
    whole = run_of(result(exceeds(), rules=RULES), files(a_cpp=SWEEP))
    part = run_of(replace(result(exceeds(), rules=RULES), shard=Shard(3, 8)), files(a_cpp=SWEEP))
    assert [each["automationDetails"]["id"] for each in (whole, part)] == ["sycllint/", "sycllint/shard-3-of-8/"]


def test_tool_and_rules_are_at_the_addresses_of_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "_own", lambda: {"documentation": "https://docs.example"})
    driver = run_of(result(exceeds(), rules=RULES), files(a_cpp=SWEEP))["tool"]["driver"]
    assert driver["informationUri"] == "https://docs.example"
    [rule] = [each for each in driver["rules"] if each["id"] == "SYC101"]
    assert rule["helpUri"] == "https://docs.example/rules/SYC101-work-group-exceeds-max/"


def test_without_addresses_there_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "_own", dict)
    driver = run_of(result(exceeds(), rules=RULES), files(a_cpp=SWEEP))["tool"]["driver"]
    assert "informationUri" not in driver
    assert all("helpUri" not in each for each in driver["rules"])
