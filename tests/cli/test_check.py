"""``sycllint check``: what is printed where, and the exit code."""

import json
import os
from pathlib import Path

import pytest

from sycllint.cli import main

pytest.importorskip("sycllint.launch.build")

CLEAN = "int answer() { return 42; }\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, planted_error: str) -> Path:
    """A repository configured for tgl with one planted error in bad.cpp; it is the working directory."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "sycllint.toml").write_text('targets = ["tgl"]\n')
    (tmp_path / "bad.cpp").write_text(planted_error)
    monkeypatch.chdir(tmp_path)
    return tmp_path


class TestExitCode:
    @pytest.mark.usefixtures("project")
    def test_is_1_for_a_finding(self) -> None:
        assert main(["check", "bad.cpp"]) == 1

    def test_is_0_for_none(self, project: Path) -> None:
        (project / "good.cpp").write_text(CLEAN)
        assert main(["check", "good.cpp"]) == 0

    @pytest.mark.usefixtures("project")
    @pytest.mark.parametrize(("level", "code"), [("error", 1), ("warning", 1), ("note", 1), ("never", 0)])
    def test_follows_the_level_asked_for(self, level: str, code: int) -> None:
        assert main(["check", "bad.cpp", "--fail-on", level]) == code

    @pytest.mark.usefixtures("project")
    def test_is_0_for_findings_below_the_level(self) -> None:
        # Without configuration there is no target, and the error is a note.
        assert main(["check", "bad.cpp", "--isolated", "--fail-on", "error"]) == 0

    def test_is_0_for_a_directory_without_sources(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (project / "empty").mkdir()
        assert main(["check", "empty"]) == 0
        assert "no C++ files found" in capsys.readouterr().out


class TestOutput:
    @pytest.mark.usefixtures("project")
    def test_a_path_alone_is_linted(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["bad.cpp"]) == 1
        out = capsys.readouterr().out
        assert out.startswith("error[SYC101]: work-group 640 exceeds max 512 on tgl\n --> bad.cpp:4:")
        assert out.endswith("1 file checked, 1 finding (1 error)\n")

    @pytest.mark.usefixtures("project")
    def test_the_working_directory_is_linted_when_nothing_is_named(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["check"]) == 1
        assert " --> bad.cpp:4:" in capsys.readouterr().out

    @pytest.mark.usefixtures("project")
    def test_an_assumed_target_is_said_once(self, capsys: pytest.CaptureFixture[str]) -> None:
        main(["bad.cpp", "--isolated"])
        assert capsys.readouterr().out.count("no target configured: judged for all Intel GPUs") == 1

    @pytest.mark.usefixtures("project")
    def test_formats_for_programs_leave_the_summary_to_stderr(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["bad.cpp", "-f", "json"]) == 1
        out, err = capsys.readouterr()
        assert json.loads(out)["diagnostics"][0]["code"] == "SYC101"
        assert err == "1 file checked, 1 finding (1 error)\n"

    @pytest.mark.usefixtures("project")
    @pytest.mark.parametrize("form", ["full", "concise"])
    def test_a_quiet_run_prints_findings_only(self, form: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["bad.cpp", "-q", "-f", form]) == 1
        out, err = capsys.readouterr()
        assert "640 exceeds max 512" in out
        assert "checked" not in out + err

    def test_a_quiet_run_says_why_it_is_incomplete(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (project / "gone.cpp").symlink_to("nowhere")
        assert main(["gone.cpp", "-q", "-f", "concise"]) == 3
        assert capsys.readouterr().err == "notice: gone.cpp: not read: No such file or directory\n"

    def test_findings_go_to_a_file_when_asked(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["bad.cpp", "-f", "sarif", "-o", "out.sarif", "--color", "always"]) == 1
        assert json.loads((project / "out.sarif").read_text())["version"] == "2.1.0"
        assert capsys.readouterr().out == ""

    @pytest.mark.usefixtures("project")
    def test_a_file_that_cannot_be_written_is_said_before_the_work(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["bad.cpp", "-o", "missing/out.txt"]) == 2
        assert capsys.readouterr().err == "sycllint: -o missing/out.txt: there is no such directory\n"


class TestSeveralOutputs:
    def test_each_format_with_a_file_goes_there_and_the_other_to_stdout(
        self, project: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["bad.cpp", "-f", "concise", "-f", "sarif:out.sarif", "-f", "jsonl:out.jsonl"]) == 1
        out, err = capsys.readouterr()
        assert out.startswith("bad.cpp:4:")
        assert err == "1 file checked, 1 finding (1 error)\n"
        assert json.loads((project / "out.sarif").read_text())["version"] == "2.1.0"
        assert json.loads((project / "out.jsonl").read_text())["code"] == "SYC101"

    def test_files_alone_leave_stdout_empty(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["bad.cpp", "-f", "full:out.txt"]) == 1
        out, err = capsys.readouterr()
        assert (out, err) == ("", "1 file checked, 1 finding (1 error)\n")
        assert (project / "out.txt").read_text().startswith("error[SYC101]: ")

    @pytest.mark.usefixtures("project")
    @pytest.mark.parametrize(
        ("arguments", "complaint"),
        [
            ("-f json -f sarif", "-f json and -f sarif both go to stdout; -f sarif:FILE names a file"),
            ("-f json:a -f sarif:a", "two formats go to the file "),
            ("-f json:a -o b", "-o b: every format has its file"),
            ("-f json:missing/a.json", "-f json:missing/a.json: there is no such directory"),
            ("-f json:.", "-f json:.: a directory, not a file"),
            ("-f json:", "-f/--format: json: names no file after the colon"),
            ("-f xml", "-f/--format: unknown format 'xml'; the formats are full, concise, "),
        ],
    )
    def test_what_cannot_be_written_is_refused(
        self, arguments: str, complaint: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["bad.cpp", *arguments.split()]) == 2
        assert capsys.readouterr().err.startswith(f"sycllint: {complaint}")


class TestCounts:
    @pytest.mark.usefixtures("project")
    def test_statistics_stand_in_for_the_findings_on_stdout(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["bad.cpp", "--statistics"]) == 1
        out, err = capsys.readouterr()
        assert out == "1  SYC101  error  work-group-exceeds-max  in 1 file\n"
        assert err == "1 file checked, 1 finding (1 error)\n"

    @pytest.mark.usefixtures("project")
    def test_statistics_leave_a_format_for_programs_alone(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["bad.cpp", "--statistics", "-f", "jsonl"]) == 1
        out, err = capsys.readouterr()
        assert json.loads(out)["code"] == "SYC101"
        assert err.startswith("1  SYC101  error")

    def test_the_summary_is_appended_to_the_file_of_the_job(
        self, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        page = project / "summary.md"
        page.write_text("# build\n")
        monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(page))
        assert main(["bad.cpp", "--summary", "-f", "concise"]) == 1
        assert page.read_text().startswith("# build\n## sycllint\n\n1 file checked, 1 finding (1 error).\n")
        assert "##" not in "".join(capsys.readouterr())

    @pytest.mark.usefixtures("project")
    def test_the_summary_is_on_stderr_outside_a_job(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
        assert main(["bad.cpp", "--summary", "-f", "concise"]) == 1
        assert capsys.readouterr().err.startswith("## sycllint\n")


class TestTimings:
    @pytest.mark.parametrize("other", ["--fix", "--watch"])
    def test_are_of_a_run_that_only_reports(self, other: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["check", "--timings", other]) == 2
        assert capsys.readouterr().err.endswith(f"it does not go with {other}\n")

    def test_name_the_phases_of_a_run_and_its_files(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["bad.cpp", "--timings", "-f", "json"]) == 1
        out, err = capsys.readouterr()
        assert json.loads(out)["files"]["checked"] == 1
        phases = ("finding files", "parsing and facts", "launches and kernels", "host code", "rules", "writing")
        assert all(f"%  {phase}\n" in err for phase in phases)
        assert err.endswith(" s  bad.cpp\n")
        assert not (project / ".sycllint_cache").exists()


class TestColor:
    @pytest.fixture(autouse=True)
    def plain(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("NO_COLOR", "FORCE_COLOR"):
            monkeypatch.delenv(name, raising=False)

    def test_is_off_where_no_terminal_is(self, capsys: pytest.CaptureFixture[str]) -> None:
        main(["bad.cpp"])
        assert "\x1b" not in capsys.readouterr().out

    def test_is_on_when_asked_for(self, capsys: pytest.CaptureFixture[str]) -> None:
        main(["bad.cpp", "--color", "always"])
        assert "\x1b[" in capsys.readouterr().out

    def test_is_on_with_force_color(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("FORCE_COLOR", "1")
        main(["bad.cpp"])
        assert "\x1b[" in capsys.readouterr().out

    def test_no_color_wins_over_force_color(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setenv("NO_COLOR", "1")
        main(["bad.cpp"])
        assert "\x1b" not in capsys.readouterr().out


class TestBadInput:
    """One bad file: a clear line, the right exit code, and the others are linted all the same."""

    def seen(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
        code = main([*arguments, "-f", "concise"])
        out, err = capsys.readouterr()
        return code, out, err

    def test_an_empty_file(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (project / "a.cpp").touch()
        code, out, err = self.seen(capsys, ".")
        assert code == 1
        assert "bad.cpp:4:" in out
        assert err == "2 files checked, 1 finding (1 error)\n"

    def test_a_binary_file(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (project / "a.cpp").write_bytes(bytes(range(256)))
        code, out, err = self.seen(capsys, "a.cpp", "bad.cpp")
        assert code == 1
        assert "bad.cpp:4:" in out
        assert err.splitlines()[0] == "notice: a.cpp: skipped: a binary file"

    def test_a_file_of_50_megabytes(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        with (project / "a.cpp").open("wb") as stream:
            stream.truncate(50_000_000)
        code, out, err = self.seen(capsys, ".")
        assert code == 1
        assert "bad.cpp:4:" in out
        assert err.startswith("notice: a.cpp: skipped: 50 MB is over the limit of 10 MB for one file\n")

    @pytest.mark.parametrize(("opening", "closing"), ["()", "{}", "[]", ("if (x) ", ";"), ("a(", ")"), ("T<", ">")])
    def test_nesting_10_000_deep(
        self, project: Path, capsys: pytest.CaptureFixture[str], planted_error: str, opening: str, closing: str
    ) -> None:
        deep = f"void f() {{ int x = 0; x = {opening * 10_000}1{closing * 10_000}; }}\n"
        (project / "a.cpp").write_text(planted_error + deep)
        code, out, err = self.seen(capsys, ".")
        assert code in (1, 3)
        assert "bad.cpp:4:" in out
        assert "Traceback" not in err

    def test_an_unreadable_file(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (project / "a.cpp").symlink_to("nowhere.cpp")
        code, out, err = self.seen(capsys, ".")
        assert code == 3
        assert "bad.cpp:4:" in out
        assert err.startswith("notice: a.cpp: not read: No such file or directory\n")

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may read anything")
    def test_a_file_without_permission(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (project / "a.cpp").touch(mode=0)
        code, out, err = self.seen(capsys, ".")
        assert code == 3
        assert "bad.cpp:4:" in out
        assert err.startswith("notice: a.cpp: not read: Permission denied\n")

    def test_a_directory_named_like_a_source(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (project / "a.cpp").mkdir()
        code, out, _ = self.seen(capsys, ".")
        assert code == 1
        assert "bad.cpp:4:" in out

    def test_a_loop_of_directories(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (project / "loop").symlink_to(project, target_is_directory=True)
        code, out, _ = self.seen(capsys, ".")
        assert code == 1
        assert out.count("SYC101") == 1

    @pytest.mark.usefixtures("project")
    def test_a_path_that_does_not_exist(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert self.seen(capsys, "bad.cpp", "no.cpp") == (2, "", "sycllint: no.cpp: no such file or directory\n")

    @pytest.mark.usefixtures("project")
    def test_an_unknown_target(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, out, err = self.seen(capsys, "bad.cpp", "--target", "tgl,tgk")
        assert (code, out) == (2, "")
        assert err.startswith("sycllint: --target: unknown device 'tgk'; close: tgl")

    @pytest.mark.usefixtures("project")
    def test_an_unknown_rule(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, out, err = self.seen(capsys, "bad.cpp", "--ignore", "SYC1O1")
        assert (code, out) == (2, "")
        assert err.startswith("sycllint: --ignore: unknown rule 'SYC1O1'; did you mean 'SYC101'")

    def test_broken_toml(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (project / "sycllint.toml").write_text('targets = ["tgl"]\nselect = [\n')
        code, out, err = self.seen(capsys, "bad.cpp")
        assert (code, out) == (2, "")
        assert err.startswith("sycllint: sycllint.toml:3: this is not TOML: ")

    def test_a_name_that_is_no_utf8(
        self, project: Path, capsys: pytest.CaptureFixture[str], planted_error: str
    ) -> None:
        name = os.fsencode(project) + b"/caf\xe9.cpp"
        try:
            with open(name, "w") as stream:
                stream.write(planted_error)
        except OSError:
            pytest.skip("the file system wants UTF-8 names")
        code, out, _ = self.seen(capsys, ".")
        assert code == 1
        assert out.count("SYC101") == 2


class TestFixing:
    OLD = "#include <sycl/sycl.hpp>\nvoid f(sycl::nd_item<1> it) { it.barrier(); }\n"
    NEW = "#include <sycl/sycl.hpp>\nvoid f(sycl::nd_item<1> it) { sycl::group_barrier(it.get_group()); }\n"

    def test_a_diff_is_printed_and_nothing_written(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (project / "old.cpp").write_text(self.OLD)
        assert main(["check", "old.cpp", "--diff"]) == 1
        out, err = capsys.readouterr()
        assert "\n-void f(sycl::nd_item<1> it) { it.barrier(); }\n+void f" in out
        assert err == "1 fix to make in 1 file\n"
        assert (project / "old.cpp").read_text() == self.OLD

    def test_a_diff_of_nothing_is_empty_and_0(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (project / "new.cpp").write_text(self.NEW)
        assert main(["check", "new.cpp", "--diff", "-q"]) == 0
        assert capsys.readouterr() == ("", "")

    def test_what_is_left_after_fixing_is_reported(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (project / "old.cpp").write_text(self.OLD)
        assert main(["check", ".", "--fix", "-f", "concise"]) == 1
        out, err = capsys.readouterr()
        assert (project / "old.cpp").read_text() == self.NEW
        assert [line.split(": ")[1] for line in out.splitlines()] == [
            "error[SYC101] work-group 640 exceeds max 512 on tgl"
        ]
        assert err.endswith("1 fix made in 1 file\n")

    @pytest.mark.usefixtures("project")
    @pytest.mark.parametrize("flags", [["--unsafe-fixes"], ["--fix", "--add-ignore"]])
    def test_contradicting_flags_are_refused(self, flags: list[str], capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["check", "bad.cpp", *flags]) == 2
        assert "fix" in capsys.readouterr().err


WARNS = """#include <sycl/sycl.hpp>
void f(sycl::queue &q, float *p) {
  q.parallel_for(sycl::nd_range<1>(7, 7), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {
    p[it.get_global_id(0)] = 1.0f;
  });
}
"""
"""One warning (SYC302)."""


class TestWhatIsReported:
    @pytest.fixture
    def warning(self, project: Path) -> Path:
        (project / "bad.cpp").write_text(WARNS)
        return project

    @pytest.mark.usefixtures("warning")
    @pytest.mark.parametrize(
        ("options", "code"),
        [
            ([], 1),
            (["--exit-zero"], 0),
            (["--max-warnings", "0"], 1),
            (["--max-warnings", "1"], 0),
            (["--min-severity", "warning"], 1),
            (["--min-severity", "error"], 0),
            (["--min-severity", "error", "--fail-on", "note"], 0),
        ],
    )
    def test_one_warning_ends_with(self, options: list[str], code: int) -> None:
        assert main(["check", "bad.cpp", *options]) == code

    @pytest.mark.usefixtures("project")
    def test_an_error_is_more_than_any_number_of_warnings(self) -> None:
        assert main(["check", "bad.cpp", "--max-warnings", "99"]) == 1

    @pytest.mark.usefixtures("project")
    @pytest.mark.parametrize("number", ["-1", "many"])
    def test_a_number_of_warnings_is_one(self, number: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["check", "bad.cpp", f"--max-warnings={number}"]) == 2
        assert "not a number of warnings: write 0 or more" in capsys.readouterr().err

    @pytest.mark.usefixtures("project")
    @pytest.mark.parametrize("other", ["--exit-zero", "--fail-on=error", "--fail-on=warning"])
    def test_what_contradicts_itself_is_refused(self, other: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["check", "bad.cpp", "--max-warnings=1", other]) == 2
        option = other.partition("=")[0]
        assert capsys.readouterr().err == f"sycllint: --max-warnings and {option} exclude each other\n"

    @pytest.mark.usefixtures("warning")
    def test_what_is_below_the_severity_asked_for_is_in_no_format(self, capsys: pytest.CaptureFixture[str]) -> None:
        main(["check", "bad.cpp", "--min-severity", "error", "-f", "json"])
        assert json.loads(capsys.readouterr().out)["diagnostics"] == []

    @pytest.mark.usefixtures("warning")
    def test_in_a_job_of_github_findings_are_annotations(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("GITHUB_ACTIONS", "true")
        main(["check", "bad.cpp"])
        assert capsys.readouterr().out.startswith("::warning title=sycllint (SYC302),file=bad.cpp,")
        main(["check", "bad.cpp", "-f", "full"])
        assert "warning[SYC302]" in capsys.readouterr().out

    def test_a_file_that_does_not_parse_in_places_is_named(
        self, project: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (project / "torn.cpp").write_text(WARNS + "void g(sycl::queue &q) { q.wait(; }\n")
        main(["check", "torn.cpp", "-f", "json"])
        assert json.loads(capsys.readouterr().out)["notices"] == [
            "torn.cpp: 1 place does not parse, and what stands there is not analysed"
        ]

    def test_diff_after_fix_prints_and_changes_nothing(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        old = TestFixing.OLD
        (project / "old.cpp").write_text(old)
        assert main(["check", "old.cpp", "--fix", "--diff"]) == 1
        assert capsys.readouterr().out.startswith("--- ")
        assert (project / "old.cpp").read_text() == old


def test_help_of_a_command_is_what_the_command_says_of_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "devices"]) == 0
    helped = capsys.readouterr().out
    assert main(["devices", "--help"]) == 0
    assert capsys.readouterr().out == helped


def test_help_of_what_is_no_command_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "kernel"]) == 2
    assert capsys.readouterr().err == "sycllint: help kernel: no such command; did you mean 'kernels'?\n"
