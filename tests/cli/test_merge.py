"""Reports and baselines of several runs as one; the command lines of CI matrices."""

import json
from pathlib import Path
from typing import Any

import pytest

from sycllint.cli import main
from tests.pipeline.test_shards import program

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "sycllint.toml").write_text('targets = ["tgl"]\n')
    for number in range(5):
        program(tmp_path / f"program{number}", 640)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lint(name: str, *arguments: str) -> Any:
    """The report that a run writes into the file ``name``."""
    assert main(["check", "-q", "--no-cache", "-f", f"json:{name}", *arguments]) in (0, 1)
    return json.loads(Path(name).read_text())


class TestReports:
    def test_shards_make_the_report_of_the_whole(self, project: Path) -> None:
        whole = lint("whole.json")
        names = [f"part{number}.json" for number in (2, 1, 3)]
        parts = [lint(name, "--shard", f"{name[4]}/3") for name in names]
        assert [each["shard"] for each in parts] == ["2/3", "1/3", "3/3"]
        assert main(["merge", *names, "-o", "merged.json"]) == 0
        assert json.loads(Path("merged.json").read_text()) == whole
        assert len(whole["diagnostics"]) == 5

    def test_a_missing_shard_is_said(self, project: Path, capsys: Capture) -> None:
        lint("one.json", "--shard", "1/3")
        assert main(["merge", "one.json"]) == 3
        captured = capsys.readouterr()
        assert json.loads(captured.out)["complete"] is False
        assert captured.err == "notice: not merged: shard 2/3, shard 3/3\n"

    def test_what_two_runs_found_is_there_once(self, project: Path, capsys: Capture) -> None:
        lint("all.json")
        lint("some.json", "program1")
        assert main(["merge", "all.json", "some.json"]) == 0
        assert len(json.loads(capsys.readouterr().out)["diagnostics"]) == 5

    @pytest.mark.parametrize(("level", "code"), [("error", 1), ("note", 1), ("never", 0)])
    def test_findings_decide_the_exit_code_when_asked(
        self, project: Path, capsys: Capture, level: str, code: int
    ) -> None:
        lint("all.json")
        assert main(["merge", "all.json", "--fail-on", level]) == code

    def test_reports_that_do_not_fit_are_refused(self, project: Path, capsys: Capture) -> None:
        one = lint("one.json", "--shard", "1/2")
        Path("again.json").write_text(json.dumps(one))
        Path("other.json").write_text(json.dumps({**one, "shard": "1/3"}))
        Path("older.json").write_text(json.dumps({**one, "version": "0.0.1", "shard": "2/2"}))
        Path("foreign.json").write_text("[]")
        odd = {**one["diagnostics"][0], "message": {"text": "m"}}
        Path("odd.json").write_text(json.dumps({**one, "shard": "2/2", "diagnostics": [odd]}))
        Path("many.json").write_text(json.dumps({**one, "shard": f"1/{10**12}"}))
        Path("none.json").write_text(json.dumps({**one, "shard": "a half"}))
        for name, said in (
            ("many.json", "many.json has no shard such as 1/4: '1/1000000000000'"),
            ("none.json", "none.json has no shard such as 1/4: 'a half'"),
            ("again.json", "again.json is shard 1/2, as one.json is"),
            ("other.json", "reports come from runs with 2 and 3 shards"),
            ("older.json", "older.json was written by sycllint 0.0.1"),
            ("foreign.json", "foreign.json: this is no report of -f json"),
            ("odd.json", "odd.json: this is no report of -f json"),
            ("nowhere.json", "nowhere.json: not read"),
        ):
            assert main(["merge", "one.json", name]) == 2
            assert said in capsys.readouterr().err


class TestBaselines:
    def test_shards_make_the_baseline_of_the_whole(self, project: Path) -> None:
        assert main(["baseline", "create", "--baseline", "whole.json"]) == 0
        for part in "12":
            assert main(["baseline", "create", "--shard", f"{part}/2", "--baseline", f"part{part}.json"]) == 0
        assert main(["merge", "part1.json", "part2.json", "-o", "merged.json"]) == 0
        assert Path("merged.json").read_text() == Path("whole.json").read_text()
        assert main(["check", "--baseline", "merged.json"]) == 0

    def test_equal_findings_of_one_file_stay_several(self, project: Path) -> None:
        source = project / "program0" / "part0.cpp"
        lines = source.read_text().splitlines()
        source.write_text("\n".join([*lines[:-1], lines[-2], lines[-1], ""]))
        assert main(["baseline", "create", "--baseline", "whole.json"]) == 0
        assert main(["merge", "whole.json", "whole.json", "-o", "merged.json"]) == 0
        assert Path("merged.json").read_text() == Path("whole.json").read_text()
        assert len(json.loads(Path("whole.json").read_text())["findings"]) == 6

    def test_what_is_neither_is_refused(self, project: Path, capsys: Capture) -> None:
        Path("other.json").write_text("{}")
        assert main(["merge", "other.json"]) == 2
        assert "this is not a baseline" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["0/3", "4/3", "1", "1/", "a/b", "-1/3", "1/0", "1/10001", "1/1" + "0" * 5000])
def test_a_shard_is_a_part_of_a_whole(text: str, capsys: Capture) -> None:
    assert main(["check", f"--shard={text}"]) == 2
    assert f"--shard: {text} is not a part of a whole" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--fix", "--diff", "--add-ignore=reason"])
def test_a_shard_changes_no_files(option: str, project: Path, capsys: Capture) -> None:
    assert main(["check", "--shard", "1/2", option]) == 2
    assert "--shard" in capsys.readouterr().err


def test_the_summary_names_the_shard(project: Path, capsys: Capture) -> None:
    assert main(["check", "--shard", "1/2", "--no-cache"]) == 1
    assert capsys.readouterr().out.splitlines()[-1].startswith("shard 1/2: ")


def test_lists_that_hold_other_things_than_words_are_merged(project: Path, capsys: Capture) -> None:
    """As in a report that another program wrote."""
    report = lint("one.json", "--shard", "1/2")
    for name, shard in (("one.json", "1/2"), ("two.json", "2/2")):
        (project / name).write_text(json.dumps({**report, "shard": shard, "notices": [{"a": []}, ["b"], "c"]}))
    assert main(["merge", "one.json", "two.json"]) in (0, 3)
    assert json.loads(capsys.readouterr().out)["notices"] == [{"a": []}, ["b"], "c"]
