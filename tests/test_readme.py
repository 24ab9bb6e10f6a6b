"""What README.md shows is what sycllint prints, and its tables and those of docs/targets.md list what there is."""

import re
from pathlib import Path

import pytest

from sycllint.cli import main
from sycllint.hardware.profiles import devices
from sycllint.registry import all_rules

LINES = 250
"""Longer tables and texts have pages of their own in docs/."""


@pytest.fixture
def readme(repository: Path) -> str:
    return (repository / "README.md").read_text(encoding="utf-8")


def test_the_picture_is_what_the_command_prints(
    readme: str, repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = re.search(r"```console\n\$ sycllint (check [^\n]+)\n(.*?)```", readme, re.DOTALL)
    assert picture is not None
    monkeypatch.chdir(repository)
    monkeypatch.setenv("NO_COLOR", "1")
    assert main(picture[1].split()) == 1
    assert capsys.readouterr().out.strip() == picture[2].strip()


@pytest.mark.parametrize("page", ["README.md", "docs/occupancy.md"])
def test_each_picture_of_the_calculator_is_what_it_prints(
    page: str, repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (repository / page).read_text(encoding="utf-8")
    pictures = re.findall(r"```console\n\$ sycllint (occupancy [^\n]+)\n(.*?)```", text, re.DOTALL)
    assert pictures
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.delenv("COLUMNS", raising=False)
    for command, shown in pictures:
        assert main(command.split()) == 0
        assert capsys.readouterr().out == shown


def test_the_target_table_lists_every_device(repository: Path) -> None:
    page = (repository / "docs/targets.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `([\w-]+)` \|", page, re.MULTILINE) == [device.name for device in devices()]


def test_the_short_table_names_every_device(readme: str) -> None:
    rows = re.findall(r"^\| (?:Intel|AMD|NVIDIA) \| [^|]+ \| ([^|]+) \|", readme, re.MULTILINE)
    assert re.findall(r"`([\w-]+)`", " ".join(rows)) == [device.name for device in devices()]


def test_it_is_read_in_one_go(readme: str) -> None:
    assert len(readme.splitlines()) <= LINES


def test_the_table_of_families_has_that_of_every_rule(readme: str) -> None:
    families = dict(re.findall(r"^\| SYC(\d+)xx \| ([\w-]+) \|", readme, re.MULTILINE))
    for rule in all_rules():
        assert families[rule.code.removeprefix("SYC")[:-2]] == rule.family


def test_the_python_example_runs(readme: str) -> None:
    [example] = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    names: dict[str, object] = {}
    exec(example, names)
    assert "occupancy" in names
