"""SARIF as independent programs read it, where they are installed.

``SARIF_MULTITOOL`` names the program of the npm package @microsoft/sarif-multitool-linux (5.7.0), ``SARIF_TOOLS`` that
of the package sarif-tools on PyPI (3.0.5). Neither is a dependency of ours: one has 100 MB, one draws in matplotlib.
"""

import json
import os
import subprocess
from pathlib import Path

import pytest

from sycllint.cli import main


@pytest.fixture(params=["sarif", "sarif-full"])
def log(request: pytest.FixtureRequest, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The log of all fixtures, suppressions among them."""
    path = tmp_path / "fixtures.sarif"
    monkeypatch.chdir(repository)
    assert main(["check", "fixtures", "--no-cache", "-q", "--target", "tgl,pvc", "-f", f"{request.param}:{path}"]) == 1
    return path


@pytest.mark.skipif("SARIF_MULTITOOL" not in os.environ, reason="SARIF_MULTITOOL names no program")
def test_githubs_ingestion_rules_find_nothing(log: Path, tmp_path: Path) -> None:
    found = tmp_path / "found.sarif"
    command = [os.environ["SARIF_MULTITOOL"], "validate", str(log), "--rule-kind", "Ghas", "--output", str(found)]
    subprocess.run(command, capture_output=True, check=True, timeout=300)
    # It exits with 0 whatever it finds.
    [run] = json.loads(found.read_text(encoding="utf-8-sig"))["runs"]
    assert [each for each in run["results"] if each.get("level", "warning") in ("error", "warning")] == []


@pytest.mark.skipif("SARIF_TOOLS" not in os.environ, reason="SARIF_TOOLS names no program")
def test_sarif_tools_counts_what_we_count(log: Path) -> None:
    results = json.loads(log.read_text())["runs"][0]["results"]
    ran = subprocess.run(
        [os.environ["SARIF_TOOLS"], "summary", str(log)], capture_output=True, text=True, check=True, timeout=300
    )
    for level in ("error", "warning", "note"):
        assert f"{level}: {sum(each['level'] == level for each in results)}\n" in ran.stdout
