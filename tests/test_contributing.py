"""The rule that CONTRIBUTING.md walks through is a rule: it loads, and its fixture says what it finds."""

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from sycllint.hardware.profiles import device
from sycllint.launch.build import analyze_source
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Rule
from sycllint.source.text import SourceFile
from sycllint.target import Target


def code_block(repository: Path, language: str) -> str:
    [block] = re.findall(rf"```{language}\n(.*?)```", (repository / "CONTRIBUTING.md").read_text(), re.DOTALL)
    return str(block)


@pytest.fixture
def walked_through(repository: Path, monkeypatch: pytest.MonkeyPatch) -> Rule[KernelLaunch]:
    module = ModuleType("walked_through")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(code_block(repository, "python"), module.__dict__)
    [rule] = [value for value in vars(module).values() if isinstance(value, Rule)]
    return rule


def test_its_page_is_its_docstring(walked_through: Rule[KernelLaunch]) -> None:
    assert walked_through.name == "empty-local-accessor"
    assert walked_through.summary == "A local accessor without elements."


def test_it_finds_what_its_fixture_expects(repository: Path, walked_through: Rule[KernelLaunch]) -> None:
    source = SourceFile("fixture.cpp", code_block(repository, "cpp").encode())
    target = Target(device("tgl"))
    found = [
        (source.position(finding.location.span.start).line, f"{finding.subject} {finding.verdict}")
        for launch in analyze_source(source, {}).launches
        for finding in walked_through.check(launch, target)
    ]
    [expected] = [number for number in range(1, source.line_count + 1) if "expect: SYC499" in source.line_text(number)]
    assert found == [(expected, "local accessor border has no elements")]
