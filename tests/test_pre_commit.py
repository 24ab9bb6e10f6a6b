"""Another repository can run sycllint as a pre-commit hook, straight from a clone of this one."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from sycllint.cli import main
from sycllint.source.files import EXTENSIONS

IDENTITY = ("-c", "user.name=sycllint", "-c", "user.email=sycllint@example.invalid", "-c", "commit.gpgsign=false")


OUTDATED = """\
#include <sycl/sycl.hpp>
void wait(sycl::queue &q) {
  q.parallel_for(sycl::nd_range<1>(64000, 64), [=](sycl::nd_item<1> item) { item.barrier(); });
}
"""


def environment(home: Path) -> dict[str, str]:
    """This environment without a surrounding git's variables, and with pre-commit's store in ``home``."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return clean | {"PRE_COMMIT_HOME": str(home), "NO_COLOR": "1"}


def git(repository: Path, *arguments: str) -> str:
    command: Sequence[str] = ("git", *IDENTITY, *arguments)
    return subprocess.run(
        command, cwd=repository, env=environment(repository), capture_output=True, text=True, check=True
    ).stdout


def committed(folder: Path) -> Path:
    """``folder`` as a repository with one commit of all it holds."""
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--no-verify", "--message", "all")
    return folder


@pytest.fixture
def hook_repository(repository: Path, tmp_path: Path) -> Path:
    """A clone of this repository that also holds what is not committed yet."""
    clone = tmp_path / "hooks"
    for name in git(repository, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0"):
        if name and (repository / name).is_file():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(repository / name, clone / name)
    return committed(clone)


@pytest.fixture
def user_repository(planted_error: str, tmp_path: Path) -> Path:
    user = tmp_path / "user"
    user.mkdir()
    (user / "scale.cpp").write_text(planted_error)
    (user / "barrier.cpp").write_text(OUTDATED)
    (user / "sycllint.toml").write_text('targets = ["tgl"]\n')
    return committed(user)


def test_try_repo_fixes_and_finds_a_planted_error(
    hook_repository: Path, user_repository: Path, hooks: Any, tmp_path: Path
) -> None:
    """All three hooks in one run, in the order of the file, for they share an installation."""
    tried = subprocess.run(
        [sys.executable, "-m", "pre_commit", "try-repo", str(hook_repository), "--all-files", "--verbose"],
        cwd=user_repository,
        env=environment(tmp_path / "store"),
        capture_output=True,
        text=True,
        check=False,
        timeout=500,
    )
    ends = re.findall(r"^- hook id: ([\w-]+)\n(?:- duration: .*\n)?- exit code: (\d+)", tried.stdout, re.MULTILINE)
    assert ends == [("sycllint", "1"), ("sycllint-project", "1")], tried.stdout + tried.stderr
    assert tried.stdout.count("error[SYC101]: work-group 640 exceeds max 512 on tgl") == len(hooks)
    assert "- files were modified by this hook" in tried.stdout
    assert "group_barrier(item.get_group())" in (user_repository / "barrier.cpp").read_text()


@pytest.fixture(scope="module")
def hooks(repository: Path) -> Any:
    found = yaml.safe_load((repository / ".pre-commit-hooks.yaml").read_text())
    return {hook["id"]: hook for hook in found}


@pytest.mark.parametrize("suffix", EXTENSIONS)
def test_each_hook_takes_every_suffix_that_a_folder_is_searched_for(hooks: Any, suffix: str) -> None:
    assert all(re.search(hook["files"], f"src/kernel{suffix}") for hook in hooks.values())


@pytest.mark.parametrize("name", ["a.py", "a.cpp.md", "h", "a.ch", "other.toml"])
def test_the_hooks_leave_other_files_alone(hooks: Any, name: str) -> None:
    assert not any(re.search(hook["files"], name) for hook in hooks.values())


@pytest.mark.parametrize(
    "name", ["sycllint.toml", ".sycllint.toml", "a/pyproject.toml", "Makefile", ".sycllint-baseline.json"]
)
def test_settings_and_build_files_have_the_whole_project_linted(hooks: Any, name: str) -> None:
    assert [hook["id"] for hook in hooks.values() if re.search(hook["files"], name)] == ["sycllint-project"]


def test_every_hook_runs_alone(hooks: Any) -> None:
    assert list(hooks) == ["sycllint", "sycllint-fix", "sycllint-project"]
    assert all(hook["require_serial"] for hook in hooks.values())
    assert not hooks["sycllint-project"]["pass_filenames"]


SHARED = """\
#pragma once
#include <sycl/sycl.hpp>
constexpr int group = 640;  // sycllint: ignore[SYC302] nothing here needs it
inline void launch(sycl::queue &q, float *data, int size) {
  q.parallel_for(sycl::nd_range<1>(size, group), [=](sycl::nd_item<1> item) { data[item.get_global_id(0)] *= 2; });
}
"""

USER = """\
#include "shared.hpp"
void run(sycl::queue &q, float *data) {
  launch(q, data, 64001);
  // sycllint: ignore[SYC102] the last group is guarded
  q.parallel_for(sycl::nd_range<1>(1000, 256), [=](sycl::nd_item<1> item) { data[item.get_global_id(0)] = 1; });
}
"""


@pytest.fixture
def split_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A header with a finding that only its users make, a suppression that one of them needs, and a baseline."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "sycllint.toml").write_text('targets = ["tgl"]\n')
    (tmp_path / "shared.hpp").write_text(SHARED)
    (tmp_path / "one.cpp").write_text(USER)
    (tmp_path / "two.cpp").write_text(USER.replace("64001", "64002").replace("256", "384"))
    (tmp_path / "three.cpp").write_text(USER.replace("64001", "640").replace("// sycllint", "// was"))
    monkeypatch.chdir(tmp_path)
    assert main(["baseline", "create", "three.cpp", "-q"]) == 0
    return ["one.cpp", "shared.hpp", "three.cpp", "two.cpp"]


def test_the_findings_do_not_depend_on_how_the_files_are_split(
    hooks: Any, split_project: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    def found_in(*files: str) -> set[str]:
        capsys.readouterr()
        main([*hooks["sycllint"]["entry"].split()[1:], "-f", "concise", "-q", *files])
        return set(capsys.readouterr().out.splitlines())

    whole = found_in(*split_project)
    assert {line.partition(":")[0] for line in whole} == {"shared.hpp"}
    for cut in range(1, len(split_project)):
        assert found_in(*split_project[:cut]) | found_in(*split_project[cut:]) == whole
    assert set().union(*map(found_in, split_project)) == whole
