"""Records are computed for the rules that judge them, and for no others."""

from pathlib import Path

import pytest

from sycllint.config import Config
from sycllint.device_code.checks.missed_barriers import MissedBarrier
from sycllint.diagnostic import Diagnostic
from sycllint.hardware.profiles import devices
from sycllint.observation import LAUNCHES_ALONE, Analysis, Observations, Wanted, loaded, makes, observed
from sycllint.occupancy.estimate import limit
from sycllint.pipeline import check
from sycllint.pipeline.parts import LEAST_LIMIT, ResolvedSettings, wanted_by
from sycllint.registry import all_rules, find_rule
from sycllint.rule import KernelDemand
from tests import expect
from tests.test_fixtures import RESIDENT

FIXTURES = Path(__file__).parent.parent / "fixtures"
ROOM = {rule.code: rule for rule in all_rules() if (FIXTURES / rule.code).is_dir()}
EVERY_RULE = tuple(rule.code for rule in all_rules())


def said(code: str, select: tuple[str, ...]) -> list[Diagnostic]:
    """What a rule says of its own fixtures where ``select`` are turned on."""
    linted_for: dict[tuple[str, ...], list[str]] = {}
    for path in sorted((FIXTURES / code).glob("*.cpp")):
        targets = expect.read(path.read_text(encoding="utf-8")).targets
        linted_for.setdefault(targets, []).append(str(path))
    found: list[Diagnostic] = []
    for targets, paths in linted_for.items():
        config = Config(targets=targets, select=select)
        # What stays resident has kernels for an editor, asked for or not.
        resident = RESIDENT if find_rule(code).kernels is KernelDemand.ALL else None
        found += check(paths, config, raise_rule_errors=True, resident=resident).diagnostics
    return [each for each in found if each.code == code]


@pytest.mark.parametrize("code", [code for code in ROOM if not code.startswith("SYC00")])
def test_a_rule_says_the_same_alone_as_among_all(code: str) -> None:
    """So it names all kinds of records that it asks for, and each analysis all that it makes."""
    alone = said(code, (code,))
    assert alone == said(code, EVERY_RULE)
    assert alone


@makes("A", "B")
def several(_: str) -> list[object]:
    return ["a", "b"]


@makes("C")
def other(_: str) -> list[object]:
    raise AssertionError("no rule names its records")


def test_an_analysis_is_run_where_one_of_its_kinds_is_wanted() -> None:
    assert observed((several, other), "code", Wanted(frozenset({"B"}))).records == ("a", "b")


def test_a_kind_that_no_rule_names_is_no_empty_answer() -> None:
    with pytest.raises(LookupError, match="names MissedBarrier in `seen` or `reads`"):
        Observations(wanted=LAUNCHES_ALONE).of(MissedBarrier)


def test_what_a_record_is_made_from_is_wanted_with_it() -> None:
    """The fix of a range knows of the barriers behind the guard that it adds."""
    rule = find_rule("SYC102")
    assert wanted_by([rule]) == Wanted(frozenset({"Repair", "MissedBarrier", "UnguardedAccess"}))


def test_rules_on_sizes_want_no_look_into_bodies() -> None:
    assert wanted_by([find_rule("SYC101"), find_rule("SYC201")]) == Wanted(frozenset())


def kernels_above(*select: str, targets: tuple[str, ...] = ()) -> int | None:
    return ResolvedSettings(Config(select=select, targets=targets)).wanted("a.cpp").kernels_above


def test_kernels_are_looked_through_of_launches_of_which_a_rule_asks_what_they_do() -> None:
    assert kernels_above("SYC104", "SYC301") is None
    assert kernels_above("SYC101", "SYC104") == LEAST_LIMIT
    assert kernels_above("SYC101", targets=("tgl", "pvc")) == 512
    assert kernels_above("SYC101", "SYC201") == 0


def test_no_known_device_takes_less_than_the_least_limit() -> None:
    assert min(limit(each, None, width) for each in devices() for width in each.sub_group_sizes) == LEAST_LIMIT


def test_an_analysis_is_loaded_for_the_first_code_that_can_show_what_it_looks_for() -> None:
    nowhere: Analysis[str] = loaded("no.such.module.analysis", "A", where=lambda code: code == "loop")
    assert observed((nowhere,), "code", Wanted()).records == ()
    with pytest.raises(ModuleNotFoundError):
        observed((nowhere,), "loop", Wanted())
    assert observed((loaded("builtins.sorted", "A"),), "ba", Wanted()).records == ("a", "b")
