"""A baseline hides what was there before, wherever it has moved to."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from sycllint.cli import main
from sycllint.config import Config, Configs
from sycllint.errors import SycllintError
from sycllint.pipeline import Filters, Result, check
from sycllint.pipeline.baseline import entries_of, read_baseline
from sycllint.pipeline.baselines import NAME, Baselines
from sycllint.pipeline.run import Run

CONFIG = Config(targets=("tgl",))

TWO = """\
#include <sycl/sycl.hpp>

void scale(sycl::queue &q, float *data) {
  q.parallel_for(sycl::nd_range<1>(64000, 640), [=](sycl::nd_item<1> item) {
    data[item.get_global_id(0)] *= 2.0f;
  });
}

void shift(sycl::queue &q, float *data) {
  q.parallel_for(sycl::nd_range<1>(64000, 640), [=](sycl::nd_item<1> item) {
    data[item.get_global_id(0)] += 2.0f;
  });
}
"""

THIRD = """
void third(sycl::queue &q, float *data) {
  q.parallel_for(sycl::nd_range<1>(64000, 640), [=](sycl::nd_item<1> item) {
    data[item.get_global_id(0)] -= 2.0f;
  });
}
"""


OTHER = THIRD.replace(" 640", " 640 * 2")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two findings in `src/a.cpp` and a baseline that has them; the working directory."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "sycllint.toml").write_text('targets = ["tgl"]\n')
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cpp").write_text(TWO)
    assert main(["baseline", "create", "-q"]) == 0
    return tmp_path


def run(paths: Sequence[str] = (".",)) -> Result:
    return check(paths, CONFIG, filters=Filters(Baselines()), raise_rule_errors=True)


def lines(result: Result) -> list[int]:
    run_ = Run(Configs(CONFIG))
    return [run_.source(each.location.path).line_of(each.location.span.start) for each in result.diagnostics]


def baselined(project: Path) -> list[tuple[str, str]]:
    findings = json.loads((project / NAME).read_text())["findings"]
    return [(each["path"], each["code"]) for each in findings]


class TestStaysSilent:
    def test_on_the_project_as_it_was(self, project: Path) -> None:
        result = run()
        assert (result.diagnostics, len(result.hidden), result.absent) == ((), 2, ())

    def test_with_a_hundred_lines_above(self, project: Path) -> None:
        (project / "src" / "a.cpp").write_text("// more\n" * 100 + TWO)
        assert (lines(run()), run().absent) == ([], ())

    def test_indented_and_broken_otherwise(self, project: Path) -> None:
        text = TWO.replace("  ", "\t\t").replace("(64000, 640)", "(\n      64000,\n      640)").replace("\n", "\r\n")
        (project / "src" / "a.cpp").write_bytes(text.encode())
        assert (lines(run()), run().absent) == ([], ())

    def test_in_a_file_with_a_new_name(self, project: Path) -> None:
        (project / "lib").mkdir()
        (project / "src" / "a.cpp").rename(project / "lib" / "b.cpp")
        assert (lines(run()), run().absent) == ([], ())

    def test_in_a_file_with_a_new_name_that_was_edited(self, project: Path) -> None:
        text = TWO.replace("  ", "    ").replace("#include <sycl/sycl.hpp>", "// moved\n" * 100)
        (project / "src" / "a.cpp").unlink()
        (project / "src" / "z.cpp").write_text(text)
        assert lines(run()) == []

    def test_with_the_functions_in_another_order(self, project: Path) -> None:
        head, scale, shift = TWO.split("void ")
        (project / "src" / "a.cpp").write_text(f"{head}void {shift}\nvoid {scale}")
        assert lines(run()) == []

    def test_from_any_working_directory(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(project / "src")
        assert run(["a.cpp"]).diagnostics == ()


class TestSpeaks:
    def test_of_a_third_finding_like_the_two(self, project: Path) -> None:
        (project / "src" / "a.cpp").write_text(THIRD + TWO)
        assert lines(run()) == [3]

    def test_of_nothing_while_there_are_no_more_of_one_text_in_a_file_than_there_were(self, project: Path) -> None:
        """The third may have replaced the first, or be the first, edited: the two cannot be distinguished."""
        (project / "src" / "a.cpp").write_text(THIRD + TWO.replace(" 640", " 320", 1))
        assert lines(run()) == []

    def test_of_a_copy_of_the_file(self, project: Path) -> None:
        shutil.copy(project / "src" / "a.cpp", project / "src" / "copy.cpp")
        assert {each.location.path for each in run().diagnostics} == {"src/copy.cpp"}

    def test_of_a_finding_that_weighs_more_than_it_did(self, project: Path) -> None:
        (project / NAME).write_text((project / NAME).read_text().replace('"error"', '"warning"'))
        assert len(run().diagnostics) == 2

    def test_of_everything_when_no_baseline_is_asked_for(self, project: Path) -> None:
        assert len(check(["."], CONFIG).diagnostics) == 2


class TestMended:
    def test_findings_are_counted(self, project: Path) -> None:
        (project / "src" / "a.cpp").write_text(TWO.replace(" 640", " 320", 1))
        assert len(run().absent) == 1

    def test_findings_are_not_those_of_files_that_were_not_looked_at(self, project: Path) -> None:
        (project / "other.cpp").write_text("int a;\n")
        assert run(["other.cpp"]).absent == ()

    def test_findings_are_those_of_files_that_are_gone(self, project: Path) -> None:
        (project / "src" / "a.cpp").unlink()
        assert (len(run().absent), len(run(["src"]).absent)) == (2, 2)

    def test_findings_are_not_those_of_rules_that_did_not_run(self, project: Path) -> None:
        (project / "src" / "a.cpp").write_text("int a;\n")
        result = check(["."], Config(targets=("tgl",), ignore=("SYC101",)), filters=Filters(Baselines()))
        assert result.absent == ()


class TestCommand:
    def test_create_does_not_replace(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["baseline", "create"]) == 2
        assert "`sycllint baseline update` brings it up to date" in capsys.readouterr().err

    def test_prune_only_drops(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (project / "src" / "a.cpp").write_text(OTHER + TWO.replace(" 640", " 320", 1))
        assert main(["baseline", "prune"]) == 0
        assert capsys.readouterr().err == ".sycllint-baseline.json: 1 finding kept, 1 dropped\n"
        assert lines(run()) == [3]

    def test_update_adds_and_drops(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (project / "src" / "a.cpp").write_text(OTHER + TWO.replace(" 640", " 320", 1))
        assert main(["baseline", "update"]) == 0
        assert capsys.readouterr().err == ".sycllint-baseline.json: 2 findings: 1 added, 1 dropped\n"
        assert (lines(run()), run().absent) == ([], ())

    def test_update_follows_a_file_to_its_new_name(self, project: Path) -> None:
        (project / "src" / "a.cpp").rename(project / "src" / "b.cpp")
        assert main(["baseline", "update", "-q"]) == 0
        assert baselined(project) == [("src/b.cpp", "SYC101")] * 2

    def test_update_of_a_part_keeps_the_rest(self, project: Path) -> None:
        (project / "other.cpp").write_text(TWO)
        assert main(["baseline", "update", "-q", "other.cpp"]) == 0
        assert baselined(project) == [("other.cpp", "SYC101")] * 2 + [("src/a.cpp", "SYC101")] * 2

    def test_writing_twice_writes_the_same(self, project: Path) -> None:
        before = (project / NAME).read_bytes()
        assert main(["baseline", "update", "-q"]) == 0
        assert (project / NAME).read_bytes() == before

    def test_an_incomplete_run_leaves_it_as_it_is(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        before = (project / NAME).read_bytes()
        (project / "src" / "lost.cpp").symlink_to("nowhere.cpp")
        assert main(["baseline", "update"]) == 3
        assert (project / NAME).read_bytes() == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "this is not JSON"),
        ("[]", "this is not a baseline of version 1"),
        ('{"version": 2, "findings": []}', "this is not a baseline of version 1"),
        ('{"version": 1, "findings": [{"path": "a.cpp"}]}', "an entry of this baseline is broken"),
        ('{"version": 1}', "an entry of this baseline is broken"),
        ("[" * 100000, "this is not JSON"),
    ],
)
def test_a_broken_baseline_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / NAME
    path.write_text(text)
    with pytest.raises(SycllintError, match=message):
        read_baseline(str(path))


def test_a_baseline_that_is_not_there_is_named(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--baseline", "old.json"]) == 2
    assert capsys.readouterr().err.startswith("sycllint: old.json: no such baseline")


def test_the_text_of_a_finding_is_kept_without_white_space(project: Path) -> None:
    before = entries_of(check(["src/a.cpp"], CONFIG).diagnostics, str(project), Run(Configs(CONFIG)).source)
    (project / "src" / "a.cpp").write_text(TWO.replace("64000, 640", "64000,   640"))
    after = entries_of(check(["src/a.cpp"], CONFIG).diagnostics, str(project), Run(Configs(CONFIG)).source)
    assert [(each.text, each.context) for each in before] == [(each.text, each.context) for each in after]
