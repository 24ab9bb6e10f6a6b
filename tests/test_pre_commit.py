"""Another repository can run sycllint as a pre-commit hook, straight from a clone of this one."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml

from sycllint.source.files import EXTENSIONS

IDENTITY = ("-c", "user.name=sycllint", "-c", "user.email=sycllint@example.invalid", "-c", "commit.gpgsign=false")


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
    (user / "sycllint.toml").write_text('targets = ["tgl"]\n')
    return committed(user)


def test_try_repo_finds_a_planted_error(hook_repository: Path, user_repository: Path, tmp_path: Path) -> None:
    tried = subprocess.run(
        [sys.executable, "-m", "pre_commit", "try-repo", str(hook_repository), "sycllint", "--all-files"],
        cwd=user_repository,
        env=environment(tmp_path / "store"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "work-group 640 exceeds max 512 on tgl" in tried.stdout, tried.stdout + tried.stderr
    assert "scale.cpp:4" in tried.stdout
    assert tried.returncode == 1


@pytest.mark.parametrize("suffix", EXTENSIONS)
def test_the_hook_takes_every_suffix_that_a_folder_is_searched_for(repository: Path, suffix: str) -> None:
    [hook] = yaml.safe_load((repository / ".pre-commit-hooks.yaml").read_text())
    assert re.search(hook["files"], f"kernel{suffix}")


@pytest.mark.parametrize("name", ["a.py", "a.cpp.md", "h", "a.ch"])
def test_the_hook_leaves_other_files_alone(repository: Path, name: str) -> None:
    [hook] = yaml.safe_load((repository / ".pre-commit-hooks.yaml").read_text())
    assert not re.search(hook["files"], name)
