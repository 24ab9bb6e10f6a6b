"""Runs that end badly: after each, files are whole and the next run is right. ``make kill`` has a thousand of them."""

import os
import random
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.root import needs_root

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="runs are copies of the process, as Linux makes them")

if sys.platform == "linux":
    from benchmarks.kill import WAYS, Project, Trials

    @pytest.fixture
    def trials(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trials:
        """Trials in a project of their own."""
        monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
        return Trials(Project(tmp_path, processes=False), random.Random(6))

    @pytest.mark.parametrize("way", sorted(set(WAYS)))
    def test_what_a_run_leaves_that_ends_badly_is_right(trials: Trials, way: str) -> None:
        for _ in range(2):
            trials.project.change(trials.chance)
            assert getattr(trials, way)()

    @needs_root
    def test_a_cache_of_another_user_is_read_and_left_as_it_is() -> None:
        with TemporaryDirectory() as folder:
            Path(folder).chmod(0o755)
            project = Project(Path(folder), processes=False)
            Trials(project, random.Random(6))  # which loads what a run imports, as the user nobody may not
            warm = project.said()
            files = {path: path.stat().st_mtime_ns for path in project.cache.rglob("*")}
            assert files
            assert b"640" in warm
            as_nobody = project.started("check", "-f", "json", before=_become_nobody)
            assert as_nobody.said() == warm
            project.write(0, 3)
            changed = project.started("check", "-f", "json", before=_become_nobody).said()
            assert b"960" in changed
            assert {path: path.stat().st_mtime_ns for path in project.cache.rglob("*")} == files
            assert project.said() == changed


def _become_nobody() -> None:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
