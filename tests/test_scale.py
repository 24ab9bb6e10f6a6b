"""The example of docs/scale.md: what one of its tasks does, without the engine that hands them out."""

import json
import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
import yaml

EXAMPLE = "integrations/dask/lint_repositories.py"


@pytest.fixture
def lint(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], str]:
    """The function that a worker runs, with this sycllint on its path."""
    programs = tmp_path / "bin"
    programs.mkdir()
    program = programs / "sycllint"
    paths = f"{repository}:{repository / 'rules'}"
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{paths}" exec "{sys.executable}" -m sycllint "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(programs), prepend=":")
    return cast("Callable[[str, str], str]", runpy.run_path(str(repository / EXAMPLE))["lint"])


@pytest.fixture
def address(tmp_path: Path, planted_error: str) -> str:
    """A repository with one commit."""
    place = tmp_path / "repository"
    place.mkdir()
    (place / "scale.cpp").write_text(planted_error)
    for command in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message=one"]):
        identity = ["-c", "user.name=sycllint", "-c", "user.email=sycllint@example.invalid"]
        subprocess.run(["git", *identity, *command], cwd=place, check=True, capture_output=True)
    return place.as_uri()


def test_a_task_keeps_one_report_for_each_commit(lint: Callable[[str, str], str], address: str, tmp_path: Path) -> None:
    reports = tmp_path / "reports"
    reports.mkdir()
    assert [lint(address, str(reports)) for _ in range(2)] == ["linted", "known"]
    [report] = reports.iterdir()
    assert [each["code"] for each in json.loads(report.read_text())["diagnostics"]] == ["SYC101"]


def test_a_repository_that_is_not_there_is_an_error(lint: Callable[[str, str], str], tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        lint((tmp_path / "nowhere").as_uri(), str(tmp_path))


def test_the_page_shows_the_example(repository: Path) -> None:
    example = (repository / EXAMPLE).read_text(encoding="utf-8")
    assert len(example.splitlines()) <= 40
    assert f"```python\n{example}```" in (repository / "docs/scale.md").read_text(encoding="utf-8")


def test_the_matrix_gives_the_action_inputs_it_has(repository: Path) -> None:
    [block] = re.findall(r"```yaml\n(.*?)```", (repository / "docs/scale.md").read_text(encoding="utf-8"), re.DOTALL)
    [job] = yaml.safe_load(block)["jobs"].values()
    [step] = [each for each in job["steps"] if "/sycllint@" in each["uses"]]
    action = yaml.safe_load((repository / "action.yml").read_text())
    assert set(step["with"]) <= set(action["inputs"])
    assert step["with"]["args"] == f"--shard ${{{{ matrix.shard }}}}/{len(job['strategy']['matrix']['shard'])}"
