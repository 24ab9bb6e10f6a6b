"""``sycllint new-rule``: two files that work as they are, in one's own pack or in sycllint's."""

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sycllint.cli import main
from sycllint.registry import all_rules, rules_of
from tests import expect

PROJECT = '[project]\nname = "acme-rules"\n[project.entry-points."sycllint.rules"]\nacme = "acme_rules"\n'


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A project with a rule pack, installed as far as sycllint looks; it is the working directory."""
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    (tmp_path / "src/acme_rules").mkdir(parents=True)
    (tmp_path / "src/acme_rules/__init__.py").write_text('"""Rules of ours."""\n')
    (tmp_path / "src/acme.dist-info").mkdir()
    (tmp_path / "src/acme.dist-info/entry_points.txt").write_text("[sycllint.rules]\nacme = acme_rules\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path / "src"))
    all_rules.cache_clear()
    yield tmp_path
    all_rules.cache_clear()
    for name in [each for each in sys.modules if each.startswith("acme_rules")]:
        del sys.modules[name]


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["new-rule", *arguments]) == 2
    return capsys.readouterr().err.removeprefix("sycllint: ").rstrip("\n")


def test_the_rule_finds_what_its_fixture_expects(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new-rule", "ACME401", "odd-size"]) == 0
    module, fixture, advice = capsys.readouterr().err.splitlines()
    assert module.startswith("src/acme_rules/odd_size.py: ")
    assert fixture.startswith("fixtures/ACME401/odd_size.cpp: ")
    all_rules.cache_clear()
    command = advice.removeprefix("try it: sycllint ").split()
    assert main([*command, "-f", "json", "--isolated", "--fail-on", "note"]) == 1
    found = json.loads(capsys.readouterr().out)["diagnostics"]
    # Only codes of our own are expected in our own fixtures.
    text = (pack / "fixtures/ACME401/odd_size.cpp").read_text().replace("ACME401", "SYC498")
    [expected] = expect.read(text).expectations
    assert [(each["code"], each["line"]) for each in found] == [("ACME401", expected.line)]


def test_it_is_off_until_it_is_asked_for(pack: Path) -> None:
    main(["new-rule", "ACME401", "odd-size"])
    all_rules.cache_clear()
    [rule] = [each for each in all_rules() if each.code == "ACME401"]
    assert (rule.name, rule.enabled, rule.summary) == ("odd-size", False, "A work-group of 224 work-items.")
    assert rules_of(sys.modules["acme_rules"]) == (rule,)


def test_in_sycllints_own_pack_it_goes_to_its_family(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(repository / "pyproject.toml", tmp_path)
    (tmp_path / "rules/sycllint_rules/local_memory").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    assert main(["new-rule", "SYC498", "odd-size"]) == 0
    assert (tmp_path / "rules/sycllint_rules/local_memory/odd_size.py").is_file()
    assert (tmp_path / "fixtures/SYC498/odd_size.cpp").is_file()


def test_a_package_can_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new-rule", "ACME401", "odd-size", "--pack", "checks"]) == 0
    assert (tmp_path / "checks/odd_size.py").is_file()
    assert (tmp_path / "fixtures/ACME401/odd_size.cpp").is_file()


@pytest.mark.usefixtures("pack")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("acme101 odd-size", "acme101 is not a code, as ACME101 is: two to eight letters, three to five digits"),
        ("ACME401 OddSize", "OddSize is not a name, as work-group-exceeds-max is"),
        ("ACME401 class", "class is not a name, as work-group-exceeds-max is"),
        ("ACME401 tail-wave", "tail-wave is the name of SYC203 already"),
        ("SYC101 odd-size", "SYC101 is work-group-exceeds-max already"),
        ("SYC498 odd-size", "SYC498 in acme_rules: codes in SYC are for sycllint's own pack, and for it alone"),
        ("ACME401 odd-size --pack a-b", "--pack a-b: a-b is not the name of a package"),
    ],
)
def test_what_cannot_be_a_rule_is_refused(arguments: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert complaint(capsys, *arguments.split()) == said


def test_a_file_that_is_there_is_left_alone(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (pack / "src/acme_rules/odd_size.py").write_text('"""Mine."""\n')
    assert complaint(capsys, "ACME401", "odd-size") == "src/acme_rules/odd_size.py is there already"
    assert not (pack / "fixtures").exists()


def test_without_a_pack_it_says_what_makes_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert '[project.entry-points."sycllint.rules"] makes it known' in complaint(capsys, "ACME401", "odd-size")
