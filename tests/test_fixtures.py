"""Every fixture: exactly the findings its comments expect, and the values they reveal."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from sycllint.compiled.reading import read_kernel_info
from sycllint.config import Config, Configs
from sycllint.diagnostic import Diagnostic
from sycllint.launch.build import analyze_source
from sycllint.launch.kernel import KernelLaunch
from sycllint.pipeline import check
from sycllint.pipeline.fixing import apply_fixes
from sycllint.pipeline.resident import Resident
from sycllint.registry import all_rules
from sycllint.source.text import SourceFile
from tests import expect, reveal

FIXTURES = Path(__file__).parent.parent / "fixtures"
FIXED = ".fixed.cpp"
SPELLING = "SYC9"
LAYOUT = ("SYC405", "SYC406")
RULE_FOLDERS = sorted(each.name for each in FIXTURES.glob("SYC*") if each.is_dir())
FIXED_FILES = sorted(FIXTURES.rglob(f"*{FIXED}"))
FILES = sorted(each for each in FIXTURES.rglob("*.cpp") if not each.name.endswith(FIXED))
"""Each but the text of another after its fixes."""
OFF_BY_DEFAULT = {rule.code for rule in all_rules() if not rule.enabled}
EVERY_LAUNCH_IS_REVEALED = ("launch", "values")
RESIDENT = Resident()
"""The repository around the fixtures is looked at once."""


@dataclass(frozen=True, slots=True)
class Found:
    """A diagnostic where a fixture expects it: by the line of its primary location."""

    line: int
    diagnostic: Diagnostic

    def __str__(self) -> str:
        return f"{self.line}: {self.diagnostic.code} {self.diagnostic.severity.label} {self.diagnostic.message!r}"

    def meets(self, expected: expect.Expectation) -> bool:
        return (
            not expected.related
            and (self.line, self.diagnostic.code) == (expected.line, expected.code)
            and (expected.severity is None or expected.severity == self.diagnostic.severity.label)
            and (expected.part is None or expected.part in self.diagnostic.message)
        )

    def names(self, expected: expect.Expectation, source: SourceFile) -> bool:
        """Whether it names the line as a second place."""
        return self.diagnostic.code == expected.code and any(
            Path(each.location.path).name == Path(source.path).name
            and source.position(each.location.span.start).line == expected.line
            and (expected.part or "") in each.message
            for each in self.diagnostic.related
        )


def _id(path: Path) -> str:
    return path.relative_to(FIXTURES).as_posix()


def _source(path: Path) -> SourceFile:
    return SourceFile(_id(path), path.read_bytes())


@cache
def configured(path: Path) -> tuple[Configs, tuple[Diagnostic, ...]]:
    """The settings under which a fixture is linted, and what is found."""
    targets = expect.read(path.read_text(encoding="utf-8", errors="replace")).targets
    # A rule that is off by default is on in its own folder.
    select = ("ALL",) if path.parent.name in OFF_BY_DEFAULT else ()
    # Old names are as good as new ones where the rule is about something else.
    ignore = () if path.relative_to(FIXTURES).parts[0].startswith(SPELLING) else (SPELLING,)
    # And what lies badly in local memory, or is too large, serves as well to show something else.
    ignore = (*ignore, *(code for code in LAYOUT if code not in path.parts))
    configs = Configs(Config(root=os.fspath(FIXTURES), targets=targets, select=select, ignore=ignore))
    report = path.with_suffix(".log")
    if report.exists():
        configs.kernel_info = read_kernel_info([os.fspath(report)])
    return configs, tuple(check([os.fspath(path)], configs, raise_rule_errors=True, resident=RESIDENT).diagnostics)


def _findings(path: Path, source: SourceFile) -> Iterator[Found]:
    for diagnostic in configured(path)[1]:
        yield Found(source.position(diagnostic.location.span.start).line, diagnostic)


def _launches(source: SourceFile) -> dict[int, list[KernelLaunch]]:
    lines: dict[int, list[KernelLaunch]] = {}
    for launch in analyze_source(source, {}).launches:
        lines.setdefault(source.position(launch.location.span.start).line, []).append(launch)
    return lines


@pytest.mark.parametrize("path", FILES, ids=_id)
def test_a_fixture_has_the_findings_it_expects_and_no_others(path: Path) -> None:
    source = _source(path)
    expected = expect.read(path.read_text(encoding="utf-8", errors="replace"))
    unexpected = list(_findings(path, source))
    found = tuple(unexpected)
    related = [each for each in expected.expectations if each.related]
    missing = [each for each in related if not any(one.names(each, source) for one in found)]
    # The most particular first, so that a bare `SYC101` leaves the message it does not ask for to another.
    findings = [each for each in expected.expectations if not each.related]
    for each in sorted(findings, key=lambda one: (one.part is None) + (one.severity is None)):
        met = next((one for one in unexpected if one.meets(each)), None)
        if met is None:
            missing.append(each)
        else:
            unexpected.remove(met)
    assert (sorted(map(str, missing)), sorted(map(str, unexpected))) == ([], [])


@pytest.mark.parametrize("path", FILES, ids=_id)
def test_a_fixture_has_the_values_it_reveals(path: Path) -> None:
    source = _source(path)
    launches = _launches(source)
    wrong = {}
    for each in expect.read(path.read_text(encoding="utf-8", errors="replace")).reveals:
        here = launches.get(each.line, [])
        if not reveal.holds(here, each.key, each.value):
            wrong[f"{each.line}: {each.key} = {each.value}"] = " or ".join(reveal.ways(here, each.key))
    assert wrong == {}


@pytest.mark.parametrize("path", [each for each in FILES if each.parent.name in EVERY_LAUNCH_IS_REVEALED], ids=_id)
def test_nothing_is_taken_for_a_launch_that_the_fixture_does_not_call_one(path: Path) -> None:
    revealed = {each.line for each in expect.read(path.read_text(encoding="utf-8", errors="replace")).reveals}
    assert set(_launches(_source(path))) <= revealed


@pytest.mark.parametrize("path", FIXED_FILES, ids=_id)
def test_a_fixture_after_its_safe_fixes(path: Path) -> None:
    before = path.with_name(path.name.removesuffix(FIXED) + ".cpp")
    assert mended(before).decode() == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", FIXED_FILES, ids=_id)
def test_twice_the_fix_is_once_the_fix(path: Path) -> None:
    assert mended(path) == path.read_bytes()


def mended(path: Path) -> bytes:
    """The file after all safe fixes of the rules of its folder."""
    targets = expect.read(path.read_text(encoding="utf-8")).targets
    config = Config(root=os.fspath(FIXTURES), targets=targets, select=(path.parent.name,))
    files = apply_fixes([os.fspath(path)], config, resident=RESIDENT).files
    return files[0].after if files else path.read_bytes()


@pytest.mark.parametrize("folder", RULE_FOLDERS)
def test_a_rule_has_loud_fixtures_and_as_many_silent_functions(folder: str) -> None:
    loud = silent = 0
    for path in sorted(each for each in FILES if folder in each.parts):
        source = _source(path)
        expected = {each.line for each in expect.read(path.read_text(encoding="utf-8")).expectations}
        for function, lines in _functions(source):
            if expected.intersection(lines):
                loud += 1
            elif function:
                silent += 1
    assert loud > 0
    assert silent >= loud


def _functions(source: SourceFile) -> Iterator[tuple[str, range]]:
    """Definitions at the left margin, `void name(...) {` to `}`, as fixtures write them."""
    start, name = 0, ""
    for number in range(1, source.line_count + 1):
        text = source.line_text(number)
        if text[:1].isalpha() and text.rstrip().endswith("{") and "(" in text and not start:
            start, name = number, text.partition("(")[0].split()[-1]
        elif text.startswith("}") and start:
            yield name, range(start, number + 1)
            start = 0
