"""The table of a pack: rules that are known before they are loaded."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import sycllint_rules
from sycllint import device
from sycllint.cli import main
from sycllint.heads import TABLE, read_table, written_table
from sycllint.host.unit import SourceUnit
from sycllint.launch.kernel import KernelLaunch
from sycllint.observation import EVERYTHING
from sycllint.pipeline.project import Project
from sycllint.registry import imported, listed_rules, module_names, rules_of, rules_on
from sycllint.source.text import SourceFile
from sycllint.target import Target

FIXTURES = Path(__file__).parent.parent / "fixtures"
OURS = Path(sycllint_rules.__path__[0])
HEAD = ("code", "name", "severity", "fact", "enabled", "muted_in_tests", "module", "seen", "reads", "family", "page")
ALONE = """
import sys
from sycllint.registry import all_rules
assert len(all_rules()) > 80
print(*(each for each in sys.modules if each.startswith("sycllint_rules.")))
"""
RULE = '''"""A rule that is always silent."""

from sycllint.diagnostic import Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import rule


@rule("ACME{number}", Severity.NOTE, on=KernelLaunch)
def {name}(launch, target):
    """Yield nothing."""
    yield from ()
'''


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package with one rule."""
    folder = tmp_path / "listed_rules"
    folder.mkdir()
    (folder / "__init__.py").write_text('"""Rules of ours."""\n')
    (folder / "first.py").write_text(RULE.format(number=101, name="first"))
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder
    for name in [each for each in sys.modules if each.startswith("listed_rules")]:
        del sys.modules[name]


def test_our_table_says_what_our_rules_say() -> None:
    """``make docs`` writes it."""
    written = written_table(module_names(sycllint_rules), rules_of(sycllint_rules))
    assert (OURS / TABLE).read_text(encoding="utf-8") == written


def test_the_list_of_all_rules_loads_none() -> None:
    loaded = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True, check=True)
    assert loaded.stdout.split() == []


def test_a_rule_of_the_table_is_the_one_in_its_module() -> None:
    listed = {rule.code: rule for rule in listed_rules(sycllint_rules)}
    for loaded in rules_of(sycllint_rules):
        head = listed.pop(loaded.code)
        assert [getattr(head, each) for each in HEAD] == [getattr(loaded, each) for each in HEAD]
    assert listed == {}


def test_a_module_that_the_table_does_not_know_is_loaded(pack: Path) -> None:
    package = imported("listed_rules")
    (pack / TABLE).write_text(written_table(module_names(package), rules_of(package)))
    (pack / "second.py").write_text(RULE.format(number=102, name="second"))
    assert [rule.code for rule in listed_rules(package)] == ["ACME101", "ACME102"]


def test_the_command_writes_the_table(pack: Path) -> None:
    assert main(["rules", "--table", "listed_rules"]) == 0
    assert (pack / TABLE).read_text().splitlines() == [
        "listed_rules",
        "listed_rules.first\tfirst\tACME101\tNOTE\tlaunch\t\t\t",
    ]


def test_there_is_no_table_for_what_is_no_pack(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--table", "string"]) == 2
    assert (
        capsys.readouterr().err == "sycllint: --table string: a module has no folder for a table, only a package has\n"
    )


def test_a_module_that_is_gone_has_no_rule(pack: Path) -> None:
    package = imported("listed_rules")
    (pack / TABLE).write_text(written_table(module_names(package), rules_of(package)))
    (pack / "first.py").unlink()
    assert listed_rules(package) == ()


def test_a_module_with_two_rules_is_not_in_the_table(pack: Path) -> None:
    (pack / "first.py").write_text(RULE.format(number=101, name="one") + RULE.format(number=102, name="two"))
    package = imported("listed_rules")
    assert written_table(module_names(package), rules_of(package)) == "listed_rules\n"


def test_a_pack_without_a_table_has_none(pack: Path) -> None:
    assert read_table(str(pack)) is None


def test_a_rule_is_silent_on_a_fact_without_what_it_judges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over all fixtures: what a rule declares as ``seen`` is all that makes it speak."""
    monkeypatch.chdir(tmp_path)  # each is a project by itself
    rules = [each for each in rules_of(sycllint_rules) if each.seen]
    target = Target(device("tgl"))
    spoke: set[str] = set()
    for path in FIXTURES.rglob("*.cpp"):
        found = Project({}).analyze(SourceFile(path.name, path.read_bytes()), EVERYTHING)
        unit = SourceUnit(path.name, found.seen)
        for rule in rules:
            for on_launch in rules_on(KernelLaunch, [rule]):
                facts = [each for each in found.launches if not rule.concerns(each.kernel.seen.kinds)]
                spoke |= {rule.code for each in facts if list(on_launch.check(each, target))}
            for on_unit in rules_on(SourceUnit, [rule]):
                if not rule.concerns(unit.seen.kinds) and list(on_unit.check(unit, target)):
                    spoke.add(rule.code)
    assert spoke == set()


def test_a_rule_in_a_line_of_another_version_is_found_in_its_module(pack: Path) -> None:
    package = imported("listed_rules")
    (pack / TABLE).write_text("listed_rules\nlisted_rules.first\tfirst\tACME101\tNOTE\tlaunch\t\n")
    assert [rule.code for rule in listed_rules(package)] == ["ACME101"]
