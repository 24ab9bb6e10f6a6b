"""What a run is about: lists of files, stdin, the index, changed lines; and suppressions written into files."""

import io
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sycllint.cli import main

KERNEL = """\
void {name}(sycl::queue &q, float *data) {{
  q.parallel_for(sycl::nd_range<1>(76800, {local}), [=](sycl::nd_item<1> item) {{
    data[item.get_global_id(0)] *= 2.0f;
  }});
}}
"""

OLD = KERNEL.format(name="old", local=640)
NEW = KERNEL.format(name="fresh", local=768)
GOOD = KERNEL.format(name="good", local=256)

Reported = Callable[..., list[str]]


def git(*arguments: str) -> None:
    identity = ("-c", "user.name=sycllint", "-c", "user.email=sycllint@example.invalid", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *arguments], check=True, capture_output=True)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one commit, in which `a.cpp` has one finding; it is the working directory."""
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    git("init", "--quiet", "--initial-branch=main")
    (tmp_path / "sycllint.toml").write_text('targets = ["tgl"]\n')
    (tmp_path / "a.cpp").write_text(OLD)
    git("add", "--all")
    git("commit", "--quiet", "--no-verify", "--message", "old")
    return tmp_path


@pytest.fixture
def reported(capsys: pytest.CaptureFixture[str]) -> Reported:
    """Runs `check` and gives the places and codes of its findings."""

    def run(*arguments: str) -> list[str]:
        assert main(["check", "-f", "concise", *arguments]) in (0, 1)
        return [line.partition("]")[0] + "]" for line in capsys.readouterr().out.splitlines()]

    return run


def feed(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))


class TestStaged:
    def test_only_lines_of_the_index_count(self, project: Path, reported: Reported) -> None:
        (project / "a.cpp").write_text(OLD + NEW)
        assert reported("--staged") == []
        git("add", "a.cpp")
        assert reported("--staged") == ["a.cpp:7:43: error[SYC101]"]

    def test_files_are_read_as_they_are_in_the_index(self, project: Path, reported: Reported) -> None:
        (project / "a.cpp").write_text(OLD + NEW)
        git("add", "a.cpp")
        (project / "a.cpp").write_text(GOOD)
        assert reported("--staged", "a.cpp") == ["a.cpp:7:43: error[SYC101]"]

    def test_headers_too(self, project: Path, reported: Reported) -> None:
        (project / "size.hpp").write_text("constexpr int local = 256;\n")
        (project / "b.cpp").write_text('#include "size.hpp"\n' + KERNEL.format(name="f", local="local"))
        git("add", "--all")
        git("commit", "--quiet", "--no-verify", "--message", "b")
        (project / "size.hpp").write_text("constexpr int local = 640;\n")
        git("add", "--all")
        (project / "size.hpp").write_text("constexpr int local = 256;\n")
        # The primary line is in b.cpp and did not change; the line that made it so did.
        assert reported("--staged", "b.cpp") == ["b.cpp:3:43: error[SYC101]"]

    def test_it_says_how_many_it_hides(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["check", "--staged"]) == 0
        assert "no findings; 1 hidden: 1 on unchanged lines" in capsys.readouterr().out

    def test_a_file_below_the_root_is_found(
        self, project: Path, reported: Reported, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (project / "src").mkdir()
        (project / "src" / "ä b.cpp").write_text(NEW)
        git("add", "--all")
        monkeypatch.chdir(project / "src")
        assert reported("--staged") == ["ä b.cpp:2:43: error[SYC101]"]

    def test_outside_of_a_repository_it_is_an_error(
        self,
        tmp_path_factory: pytest.TempPathFactory,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        monkeypatch.chdir(tmp_path_factory.mktemp("bare"))
        assert main(["check", "--staged"]) == 2
        assert capsys.readouterr().err == "sycllint: .: not in a git work tree\n"


class TestDiffBase:
    def test_lines_since_a_commit_count_committed_or_not(self, project: Path, reported: Reported) -> None:
        git("checkout", "--quiet", "-b", "work")
        (project / "a.cpp").write_text(OLD + NEW)
        git("commit", "--quiet", "--no-verify", "--all", "--message", "new")
        (project / "b.cpp").write_text(NEW)
        assert reported("--diff-base", "main") == ["a.cpp:7:43: error[SYC101]", "b.cpp:2:43: error[SYC101]"]

    def test_what_others_did_meanwhile_does_not(self, project: Path, reported: Reported) -> None:
        git("checkout", "--quiet", "-b", "work")
        git("commit", "--quiet", "--no-verify", "--allow-empty", "--message", "nothing")
        git("checkout", "--quiet", "main")
        (project / "a.cpp").write_text(GOOD)
        git("commit", "--quiet", "--no-verify", "--all", "--message", "mended")
        git("checkout", "--quiet", "work")
        assert reported("--diff-base", "main") == []

    def test_a_file_with_a_new_name_is_not_new(self, project: Path, reported: Reported) -> None:
        git("mv", "a.cpp", "b.cpp")
        assert reported("--diff-base", "HEAD") == []

    @pytest.mark.parametrize("reference", ["nowhere", "--help"])
    def test_an_unknown_commit_is_named(
        self, project: Path, reference: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["check", f"--diff-base={reference}"]) == 2
        assert capsys.readouterr().err.startswith(f"sycllint: --diff-base {reference}: no")

    def test_no_program_that_the_repository_names_is_run(self, project: Path, reported: Reported) -> None:
        git("config", "diff.external", "touch ran")
        git("config", "core.fsmonitor", "touch ran")
        (project / ".gitattributes").write_text("*.cpp diff=own\n")
        git("config", "diff.own.textconv", "touch ran")
        git("config", "diff.own.command", "touch ran")
        (project / "a.cpp").write_text(OLD + NEW)
        assert reported("--diff-base", "HEAD") == ["a.cpp:7:43: error[SYC101]"]
        assert not (project / "ran").exists()


class TestDiffFile:
    DIFF = b"--- a/a.cpp\n+++ b/a.cpp\n@@ -2 +2 @@\n-x\n+y\n"

    def test_lines_of_the_diff_count(self, project: Path, reported: Reported) -> None:
        (project / "my.diff").write_bytes(self.DIFF)
        assert reported("--diff-file", "my.diff") == ["a.cpp:2:43: error[SYC101]"]
        (project / "my.diff").write_bytes(self.DIFF.replace(b"@@ -2 +2 @@", b"@@ -4 +4 @@"))
        assert reported("--diff-file", "my.diff") == []

    def test_it_may_come_on_stdin(self, project: Path, reported: Reported, monkeypatch: pytest.MonkeyPatch) -> None:
        feed(monkeypatch, self.DIFF)
        assert reported("--diff-file", "-") == ["a.cpp:2:43: error[SYC101]"]


class TestStdin:
    def test_is_linted_under_the_name_it_is_given(
        self, project: Path, reported: Reported, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        feed(monkeypatch, NEW.encode())
        assert reported("-", "--stdin-filename", "src/new.cpp") == ["src/new.cpp:2:43: error[SYC101]"]

    def test_has_the_settings_of_that_name(
        self, project: Path, reported: Reported, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (project / "sycllint.toml").write_text('targets = ["tgl"]\nexclude = ["gen/"]\n')
        feed(monkeypatch, NEW.encode())
        assert reported("-", "--stdin-filename", "gen/new.cpp") == []

    def test_stands_in_for_the_file_on_the_disk(
        self, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        feed(monkeypatch, NEW.encode())
        assert main(["check", "-", "--stdin-filename", "a.cpp"]) == 1
        assert "2 |   q.parallel_for(sycl::nd_range<1>(76800, 768)" in capsys.readouterr().out

    def test_is_fixed_as_a_diff(
        self, project: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
    ) -> None:
        feed(monkeypatch, b"// sycllint: ignore[SYC101] old\n" + GOOD.encode())
        main(["check", "-", "--diff", "-q"])
        assert b"-// sycllint: ignore[SYC101] old" in capfdbinary.readouterr().out


class TestFilesFrom:
    @pytest.mark.parametrize("listing", ["a.cpp\nb c.cpp\n", "a.cpp\0b c.cpp\0", "a.cpp\r\nb c.cpp"])
    def test_names_are_lines_or_ended_by_nul(self, project: Path, reported: Reported, listing: str) -> None:
        (project / "b c.cpp").write_text(NEW)
        (project / "other.cpp").write_text(NEW)
        (project / "list").write_bytes(listing.encode())
        assert [each.split(":")[0] for each in reported("--files-from", "list")] == ["a.cpp", "b c.cpp"]

    def test_an_empty_list_is_not_everything(self, project: Path, reported: Reported) -> None:
        (project / "list").touch()
        assert reported("--files-from", "list") == []


class TestWrongUsage:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["-", "--files-from", "-"], "PATH - and --files-from - cannot both be read from stdin"),
            (["--stdin-filename", "a.cpp"], "--stdin-filename names the text on stdin; give the path - for it"),
            (["-", "--stdin-filename", "."], "--stdin-filename .: a directory, not a file"),
            (["--files-from", "nowhere"], "--files-from nowhere: not read: No such file or directory"),
            (["--diff-file", "a.cpp"], "a.cpp: not a unified diff"),
            (["--staged", "--fix"], "--fix changes whole files; --staged, --diff-base and --diff-file are about lines"),
            (["-", "--fix"], "--fix changes files; --diff prints what it would change in the text on stdin"),
            (["--add-ignore", "--fix"], "--fix and --add-ignore exclude each other"),
        ],
        ids=lambda value: " ".join(value) if isinstance(value, list) else "",
    )
    def test_is_answered_in_one_line(
        self, project: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["check", *arguments]) == 2
        assert capsys.readouterr().err.startswith(f"sycllint: {message}")


class TestAddIgnore:
    def test_writes_a_comment_before_each_line(self, project: Path, reported: Reported) -> None:
        assert reported("--add-ignore=old code") == []
        assert "  // sycllint: ignore[SYC101] old code\n  q.parallel_for" in (project / "a.cpp").read_text()
        assert reported() == []

    def test_needs_no_reason(self, project: Path, reported: Reported) -> None:
        assert reported("--add-ignore", "--quiet") == []
        assert "  // sycllint: ignore[SYC101]\n" in (project / "a.cpp").read_text()

    def test_twice_is_once(self, project: Path, reported: Reported) -> None:
        reported("--add-ignore=old code")
        once = (project / "a.cpp").read_bytes()
        reported("--add-ignore=old code")
        assert (project / "a.cpp").read_bytes() == once

    def test_keeps_line_ends_and_a_byte_order_mark(self, project: Path, reported: Reported) -> None:
        flat = " ".join(OLD.split("\n")).strip()
        (project / "a.cpp").write_bytes(b"\xef\xbb\xbf" + flat.encode() + b"\r\n")
        reported("--add-ignore=why")
        assert (project / "a.cpp").read_bytes() == (
            b"\xef\xbb\xbf// sycllint: ignore[SYC101] why\r\n" + flat.encode() + b"\r\n"
        )

    def test_a_line_of_a_macro_is_left_alone(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        spliced = OLD.replace("{\n  q.", "{ \\\n  q.")
        (project / "a.cpp").write_text(spliced)
        assert main(["check", "--add-ignore=why"]) == 1
        assert (project / "a.cpp").read_text() == spliced
        assert "a.cpp:2: no suppression added: the line goes on from the one before it" in capsys.readouterr().out
