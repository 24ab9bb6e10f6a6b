"""The program as a process of its own: what it loads, pipes that close, Ctrl-C, and bugs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sycllint.cli import main
from sycllint.registry import all_rules

SLOW_TO_IMPORT = {"rich", "pathspec", "importlib.metadata", "concurrent.futures", "subprocess", "asyncio", "logging"}

INTERRUPTING_RULE = '''\
"""The user presses Ctrl-C while the second file is linted."""

from sycllint.diagnostic import Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import rule


@rule("ACME101", Severity.NOTE, on=KernelLaunch)
def interrupted(launch, target):
    if launch.location.path == "later.cpp":
        raise KeyboardInterrupt
    yield from ()
'''


def sycllint(*arguments: str, cwd: Path, stdout: int = subprocess.PIPE) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "sycllint", *arguments]
    root = str(Path(__file__).resolve().parents[2])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([root, f"{root}/rules"])}
    return subprocess.Popen(command, cwd=cwd, env=environment, text=True, stdout=stdout, stderr=subprocess.PIPE)


@pytest.fixture
def project(tmp_path: Path, planted_error: str) -> Path:
    pytest.importorskip("sycllint.launch.build")
    (tmp_path / "bad.cpp").write_text(planted_error)
    return tmp_path


def loaded(code: str, cwd: Path) -> set[str]:
    """The modules that a fresh interpreter has loaded after running ``code``."""
    root = str(Path(__file__).resolve().parents[2])
    script = f"import sys; sys.path[:0] = [{root!r}, {root + '/rules'!r}]\n{code}\nprint(*sys.modules, file=sys.stderr)"
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=cwd, capture_output=True, text=True, check=True, timeout=60
    )
    return set(run.stderr.split())


def test_linting_one_file_loads_nothing_slow(project: Path) -> None:
    modules = loaded("from sycllint.cli import main\nmain(['bad.cpp', '-q', '--target', 'tgl'])", project)
    assert "tree_sitter" in modules
    assert modules & SLOW_TO_IMPORT == set()


def test_the_version_loads_neither_parser_nor_rules(tmp_path: Path) -> None:
    modules = loaded("from sycllint.cli import main\nmain(['--version'])", tmp_path)
    assert (
        modules & (SLOW_TO_IMPORT | {"tree_sitter", "sycllint_rules", "sycllint.pipeline", "tomllib", "json"}) == set()
    )


def test_a_reader_that_goes_away_is_no_error(project: Path) -> None:
    read, written = os.pipe()
    os.close(read)
    try:
        with sycllint("bad.cpp", "--fail-on", "note", cwd=project, stdout=written) as run:
            _, err = run.communicate(timeout=60)
    finally:
        os.close(written)
    assert run.returncode == 1
    assert err == ""


def test_ctrl_c_ends_with_what_was_found(
    project: Path, planted_error: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "later.cpp").write_text(planted_error)
    (project / "later_still.cpp").write_text(planted_error)
    site = project / ".site"
    (site / "acme.dist-info").mkdir(parents=True)
    (site / "acme.dist-info" / "entry_points.txt").write_text("[sycllint.rules]\nacme = acme_interrupt\n")
    (site / "acme_interrupt.py").write_text(INTERRUPTING_RULE)
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.chdir(project)
    all_rules.cache_clear()
    try:
        assert main([".", "-f", "concise", "--select", "ALL", "--target", "tgl"]) == 130
    finally:
        all_rules.cache_clear()
    out, err = capsys.readouterr()
    assert out.startswith("bad.cpp:4:")
    assert "later" not in out
    assert "interrupted" in err


def test_a_bug_is_one_line_and_exit_code_3(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project)
    monkeypatch.setattr("sys.stdout", None)  # printing the result then fails in an unforeseen way
    assert main(["bad.cpp"]) == 3
    err = capsys.readouterr().err
    assert err.startswith("sycllint: internal error: AttributeError: ")
    assert err.count("\n") == 1
