"""How rules come in, and which of them a configuration turns on."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import sycllint_rules
from sycllint.config import Config, Origin
from sycllint.diagnostic import Severity
from sycllint.errors import SycllintError
from sycllint.heads import AnyRule
from sycllint.launch.kernel import KernelLaunch
from sycllint.packs import pack_names
from sycllint.registry import all_rules, chosen_rules, collect, find_rule, rules_of
from sycllint.rule import Finding, rule
from sycllint.target import Target


def made(code: str, name: str) -> AnyRule:
    def check(launch: KernelLaunch, target: Target) -> Iterator[Finding]:
        yield from ()

    check.__name__ = name
    return rule(code, Severity.WARNING, on=KernelLaunch)(check)


def chosen(*, select: tuple[str, ...] = (), ignore: tuple[str, ...] = ()) -> list[str]:
    return [rule.code for rule in chosen_rules(Config(select=select, ignore=ignore))]


def family(start: str) -> list[str]:
    """The codes of a family's rules, which are all on by default."""
    return [rule.code for rule in all_rules() if rule.code.startswith(start) and len(rule.code) == len(start) + 2]


class TestPacks:
    def test_our_own_pack_comes_in_by_its_entry_point(self) -> None:
        rules = rules_of(sycllint_rules)
        assert {"SYC101", "SYC401"} <= {rule.code for rule in rules}
        assert {rule.code for rule in rules} == {rule.code for rule in all_rules() if rule.code.startswith("SYC")}

    def test_rules_are_in_numeric_order(self) -> None:
        codes = [rule.code for rule in collect({"pack": [made("ACME1001", "c"), made("ACME201", "b")]})]
        assert codes == ["ACME201", "ACME1001"]

    def test_entry_points_are_read_from_installed_distributions(self, tmp_path: Path) -> None:
        info = tmp_path / "acme_rules-1.0.dist-info"
        info.mkdir()
        (info / "entry_points.txt").write_text(
            "[console_scripts]\nacme = acme.cli:main\n\n[sycllint.rules]\n# ours\nacme = acme_rules\n\n[other]\nx = y\n"
        )
        assert pack_names([str(tmp_path), str(tmp_path / "missing")]) == ("sycllint_rules", "acme_rules")

    def test_one_code_for_two_rules_is_refused_naming_both_modules(self) -> None:
        first, second = made("ACME101", "a"), made("ACME101", "b")
        with pytest.raises(SycllintError, match=rf"^ACME101 is claimed by two rules, in {__name__} and in {__name__}$"):
            collect({"pack": [first], "other": [second]})

    def test_our_letters_are_reserved(self) -> None:
        with pytest.raises(SycllintError, match=r"^acme uses the code SYC999: codes in SYC are sycllint's own$"):
            collect({"acme": [made("SYC999", "a")]})


class TestChoice:
    def test_without_configuration_the_rules_enabled_by_default_run(self) -> None:
        assert chosen() == [rule.code for rule in all_rules() if rule.enabled]

    @pytest.mark.parametrize("word", ["SYC101", "syc101", "work-group-exceeds-max", "work_group_exceeds_max"])
    def test_code_and_name_mean_the_same(self, word: str) -> None:
        assert chosen(select=(word,)) == ["SYC101"]

    @pytest.mark.parametrize("word", ["SYC3", "SYC3xx"])
    def test_a_family_stands_for_its_rules(self, word: str) -> None:
        assert chosen(select=(word,)) == family("SYC3")

    def test_the_letters_and_all_stand_for_everything(self) -> None:
        assert chosen(select=("SYC",)) == chosen(select=("ALL",)) == [rule.code for rule in all_rules()]

    def test_the_more_specific_word_wins(self) -> None:
        assert chosen(select=("SYC301",), ignore=("SYC3",)) == ["SYC301"]
        assert chosen(select=("SYC3",), ignore=("SYC301",)) == family("SYC3")[1:]

    def test_between_equals_ignore_wins(self) -> None:
        assert chosen(select=("SYC3",), ignore=("SYC3",)) == []

    def test_part_of_a_code_is_no_word(self) -> None:
        with pytest.raises(SycllintError, match=r"^select: unknown rule 'SYC30'; did you mean 'SYC30\d'"):
            chosen(select=("SYC30",))

    def test_an_unknown_word_is_reported_with_its_line(self) -> None:
        config = Config(
            ignore=("global-not-divisable",),
            origins={("ignore", "global-not-divisable"): Origin("sycllint.toml", 7)},
        )
        with pytest.raises(
            SycllintError, match=r"^sycllint\.toml:7: unknown rule .* did you mean 'global-not-divisible'\?$"
        ):
            chosen_rules(config)


def test_a_rule_is_found_by_code_or_name() -> None:
    assert find_rule("syc101") is find_rule("Work-Group-Exceeds-Max")


def test_a_misspelt_rule_is_answered_with_the_closest() -> None:
    with pytest.raises(SycllintError, match=r"^unknown rule 'SYC1O1'; did you mean 'SYC101'"):
        find_rule("SYC1O1")
