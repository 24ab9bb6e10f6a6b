"""What docs/configuration.md shows is what sycllint takes."""

import re
from pathlib import Path

import pytest

from sycllint.config import load_all
from sycllint.config.table import SETTINGS
from sycllint.registry import chosen_rules, severities
from sycllint.version import __version__


@pytest.fixture
def page(repository: Path) -> str:
    return (repository / "docs" / "configuration.md").read_text(encoding="utf-8")


def test_the_example_is_a_configuration(page: str, tmp_path: Path) -> None:
    [example] = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    (tmp_path / "project").mkdir()
    (tmp_path / "shared").mkdir()
    (tmp_path / "sycllint.toml").touch()
    path = tmp_path / "project" / "sycllint.toml"
    path.write_text(example.replace(">=0.1,<0.3", f"~={__version__}"))
    config = load_all([str(path)], file=str(path)).of("benchmarks/a.cpp")
    assert config.targets == ("pvc",)
    assert chosen_rules(config)
    assert severities(config)


def test_every_setting_is_in_the_table(page: str) -> None:
    rows = re.findall(r"^\| ((?:`[a-z][\w-]*`(?:, )?)+) \|", page, re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"`([\w-]+)`", row)} == set(SETTINGS)
