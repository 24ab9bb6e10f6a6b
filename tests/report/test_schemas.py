"""The JSON that ``check`` and ``kernels`` write for every fixture is what their published schemas say, and no more."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from sycllint.cli import main
from sycllint.report.schemas import published

TARGETS = "tgl,pvc,gfx90a,sm_90"
REPORTS = ("check", "kernels")


def validator(report: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(published(report)), format_checker=FormatChecker())


def errors(report: str, document: object) -> list[str]:
    return [f"{each.json_path}: {each.message}" for each in validator(report).iter_errors(document)]


def nodes(schema: object) -> Iterator[dict[str, Any]]:
    """Every object of a schema that may be a schema itself."""
    if isinstance(schema, dict):
        yield schema
        for each in schema.values():
            yield from nodes(each)
    elif isinstance(schema, list):
        for each in schema:
            yield from nodes(each)


def written(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main([*arguments, "-f", "json", "-q"]) in (0, 1)
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def planted(tmp_path: Path, planted_error: str) -> Path:
    path = tmp_path / "planted.cpp"
    path.write_text(planted_error)
    return path


@pytest.mark.parametrize("report", REPORTS)
def test_a_schema_is_one_of_draft_2020_12(report: str) -> None:
    schema = json.loads(published(report))
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("report", REPORTS)
def test_every_field_is_described_and_no_other_is_allowed(report: str) -> None:
    for each in nodes(json.loads(published(report))):
        fields = each.get("properties")
        if isinstance(fields, dict) and each.get("type") == "object":
            assert each["additionalProperties"] is False
            assert [name for name, field in fields.items() if not field.get("description")] == []
            assert set(fields) - set(each["required"]) <= {"device_occupancy", "compiled", "kernel_info"}


@pytest.mark.parametrize("report", REPORTS)
def test_the_command_prints_its_schema(report: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([report, "--schema"]) == 0
    assert capsys.readouterr().out == published(report)
    assert main([report, "--help"]) == 0
    assert "--schema" in capsys.readouterr().out


def test_the_findings_in_all_fixtures_are_valid(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fixtures = str(repository / "fixtures")
    found = written(capsys, "check", fixtures, "--isolated", "--select", "ALL", "--target", TARGETS)
    assert errors("check", found) == []
    assert found["hidden"]["suppressed"] > 0
    assert {each["severity"] for each in found["diagnostics"]} == {"error", "warning", "note"}
    assert any(edit["text"] for each in found["diagnostics"] if each["fix"] for edit in each["fix"]["edits"])


def test_the_launches_in_all_fixtures_are_valid(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = written(capsys, "kernels", str(repository / "fixtures"), "--isolated", "--target", TARGETS)
    assert errors("kernels", found) == []
    launches = found["launches"]
    kinds = {each["work_group_size"]["kind"] for each in launches if each["work_group_size"]}
    assert kinds == {"known", "one_of", "symbolic", "unknown"}
    assert {each["kind"] for each in launches} >= {"nd_range", "range", "single_task", "omp_target"}
    assert any(each["device_occupancy"]["tgl"] for each in launches if "device_occupancy" in each)


def test_what_compilers_report_is_valid(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fixture = repository / "fixtures/SYC205/large_thread_groups"
    report = ("--kernel-info", str(fixture.with_suffix(".log")))
    found = written(capsys, "kernels", str(fixture.with_suffix(".cpp")), "--isolated", "--target", "gfx900", *report)
    assert any("compiled" in each for each in found["launches"])
    assert errors("kernels", found) == []


def test_the_report_of_a_shard_and_merged_reports_are_valid(
    planted: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = []
    for shard in ("1/2", "2/2"):
        found = written(capsys, "check", str(planted.parent), "--isolated", "--shard", shard)
        assert (found["shard"], errors("check", found)) == (shard, [])
        parts.append(tmp_path / f"{shard[0]}.json")
        parts[-1].write_text(json.dumps(found))
    assert main(["merge", *map(str, parts)]) == 0
    assert errors("check", json.loads(capsys.readouterr().out)) == []


def test_a_line_of_jsonl_is_a_diagnostic_of_the_schema(planted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(planted), "--isolated", "--target", "tgl", "-f", "jsonl", "-q"]) == 1
    schema = json.loads(published("check"))
    line = Draft202012Validator({"$ref": "#/$defs/diagnostic", "$defs": schema["$defs"]})
    assert [list(line.iter_errors(json.loads(each))) for each in capsys.readouterr().out.splitlines()] == [[]]


def test_a_field_that_the_schema_does_not_know_is_an_error(planted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = written(capsys, "check", str(planted), "--isolated", "--target", "tgl")
    found["diagnostics"][0]["colour"] = "red"
    assert len(errors("check", found)) == 1


def test_a_finding_has_the_address_of_its_rule_where_one_is_configured(
    planted: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sycllint.report.address._own", lambda: {"documentation": "https://docs.example/"})
    found = written(capsys, "check", str(planted), "--isolated", "--target", "tgl")
    (finding,) = found["diagnostics"]
    assert finding["url"] == "https://docs.example/rules/SYC101-work-group-exceeds-max/"
    assert errors("check", found) == []
    monkeypatch.setattr("sycllint.report.address._own", dict)
    (finding,) = written(capsys, "check", str(planted), "--isolated", "--target", "tgl")["diagnostics"]
    assert finding["url"] is None
