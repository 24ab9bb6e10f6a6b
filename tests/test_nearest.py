"""Near spellings are suggested, words that are far from every known one are not."""

import pytest

from sycllint.cli import COMMANDS
from sycllint.config.table import SETTINGS
from sycllint.hardware.profiles import SHORT_NAMES
from sycllint.nearest import near, suggestion
from sycllint.registry import all_rules

CODES = tuple(rule.code for rule in all_rules())
DEVICES = tuple(name for names in SHORT_NAMES.values() for name in names)


@pytest.mark.parametrize(
    ("word", "known", "meant"),
    [
        ("targts", SETTINGS, "targets"),
        ("extned-select", SETTINGS, "extend-select"),
        ("chekc", COMMANDS, "check"),
        ("SYC1O1", CODES, "SYC101"),
        ("sm90", DEVICES, "sm_90"),
        ("tlg", DEVICES, "tgl"),
    ],
)
def test_one_edit_for_four_letters_is_near(word: str, known: tuple[str, ...], meant: str) -> None:
    assert near(word, known) == (meant,)


@pytest.mark.parametrize(
    ("word", "known"),
    [
        ("foo", DEVICES),
        ("banana", SETTINGS),
        ("SYC9999", CODES),
        ("--frobnicate", ("--format", "--fail-on", "--no-cache")),
        ("rm", COMMANDS),
        ("--x", ("--fix",)),
        ("", COMMANDS),
    ],
)
def test_other_words_are_not(word: str, known: tuple[str, ...]) -> None:
    assert near(word, known, most=3) == ()
    assert suggestion(word, known, "`sycllint x` lists them") == "`sycllint x` lists them"


def test_the_nearest_comes_first_and_of_equals_the_one_with_more_positions_in_common() -> None:
    assert near("kernel", ["kennels", "kernels"], most=2) == ("kernels",)
    assert near("SYC30", ["SYC130", "SYC301", "SYC302"], most=2) == ("SYC301", "SYC302")
