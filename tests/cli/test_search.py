"""A reader finds each thing by the name that her document has for it."""

import json
from itertools import pairwise

import pytest

from sycllint.cli import main
from sycllint.cli.search import search
from sycllint.registry import all_rules

# What the documents call a thing: codes that are among the first so many rules found for it, one more than are named.
FOUND = [
    ("SLM", ["SYC206", "SYC401", "SYC406", "SYC408", "SYC409"]),
    ("shared local memory", ["SYC206", "SYC401", "SYC406", "SYC408", "SYC409"]),
    ("LDS", ["SYC206", "SYC401", "SYC406", "SYC408", "SYC409"]),
    ("Xe-core", ["SYC201", "SYC205", "SYC206"]),
    ("sub-slice", ["SYC201", "SYC205", "SYC206"]),
    ("SubSlice", ["SYC201", "SYC205", "SYC206"]),
    ("EU", ["SYC201", "SYC202"]),
    ("XVE", ["SYC201", "SYC202"]),
    ("VE", ["SYC201", "SYC202"]),
    ("SIMD", ["SYC301", "SYC302"]),
    ("wave", ["SYC208", "SYC301", "SYC302"]),
    ("wavefront", ["SYC301", "SYC302"]),
    ("warp", ["SYC301", "SYC303", "SYC306"]),
    ("VGPR", ["SYC601", "SYC207"]),
    ("VGPRs", ["SYC601", "SYC207"]),
    ("SGPR", ["SYC601", "SYC207"]),
    ("GRF", ["SYC107", "SYC207"]),
    ("spill", ["SYC601", "SYC602", "SYC207"]),
    ("register pressure", ["SYC601", "SYC602", "SYC207"]),
    ("occupancy", ["SYC201", "SYC202", "SYC204", "SYC205", "SYC206"]),
    ("LWS", ["SYC1206", "SYC1201"]),
    ("GWS", ["SYC1206", "SYC1204"]),
    ("OMP_THREAD_LIMIT", ["SYC1201", "SYC1206"]),
    ("OMP_NUM_TEAMS", ["SYC1206", "SYC1204"]),
    ("partial sub-group", ["SYC302", "SYC304"]),
    ("coalescing", ["SYC701", "SYC702"]),
]


@pytest.mark.parametrize(("word", "codes"), FOUND)
def test_a_word_of_the_documents_finds_its_rules(word: str, codes: list[str]) -> None:
    first = [rule.code for rule in search(word, all_rules())][: 2 * len(codes) + 1]
    assert set(codes) <= set(first)


@pytest.mark.parametrize("word", [word for word, _ in FOUND])
def test_no_word_finds_everything(word: str) -> None:
    assert len(search(word, all_rules())) < len(all_rules()) / 4


def test_capitals_and_dashes_make_no_difference() -> None:
    rules = all_rules()
    for one, other in [("slm", "SLM"), ("xe core", "Xe-core"), ("omp thread limit", "OMP_THREAD_LIMIT")]:
        assert search(one, rules) == search(other, rules)


def test_short_words_are_whole_words() -> None:
    # "queue" and "value" have these letters.
    codes = {rule.code for rule in search("EU", all_rules())}
    assert "SYC1102" not in codes


def test_rules_lists_what_a_word_is_about_the_closest_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "register", "pressure"]) == 0
    first, *rest = capsys.readouterr().out.splitlines()
    assert first.split()[:2] == ["SYC601", "private-array-exceeds-registers"]
    assert rest[-1] == "`sycllint rule CODE` prints a rule's page."


def test_a_family_is_listed_by_number_or_name(capsys: pytest.CaptureFixture[str]) -> None:
    for word in ("SYC12", "openmp"):
        assert main(["rules", word]) == 0
        codes = [line.split()[0] for line in capsys.readouterr().out.splitlines()[:4]]
        assert all(code.startswith("SYC12") for code in codes)


def test_the_list_as_json_is_of_the_same_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "coalescing", "--json"]) == 0
    codes = [each["code"] for each in json.loads(capsys.readouterr().out)["rules"]]
    assert codes == [rule.code for rule in search("coalescing", all_rules())]


def test_rule_prints_the_page_where_one_rule_is_about_the_word(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rule", "DPCT1065"]) == 0
    assert capsys.readouterr().out.startswith("SYC910 unresolved-dpct-marker (note)\n=====")


def test_rule_lists_where_several_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rule", "LDS"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(line.startswith("SYC") for line in lines[: lines.index("")])


def test_a_word_of_no_rule_is_answered_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("rule", "rules"):
        assert main([command, "xyzzy"]) == 2
        assert capsys.readouterr().err == "sycllint: unknown rule 'xyzzy'; `sycllint rules` lists them\n"


def test_pages_are_written_for_all_rules_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "LDS", "--docs", "elsewhere"]) == 2
    assert capsys.readouterr().err == "sycllint: LDS: --docs and --table write all rules\n"


def test_all_pages_are_printed_one_after_the_other(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rule", "--all"]) == 0
    lines = capsys.readouterr().out.splitlines()
    titles = [title for title, line in pairwise(lines) if title and line == "=" * len(title)]
    assert [title.partition(" ")[0] for title in titles] == [rule.code for rule in all_rules()]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "which rule? `sycllint rules` lists them, --all prints every page"),
        (("LDS", "--all"), "LDS: --all prints the pages of all rules"),
    ],
)
def test_rule_is_asked_for_a_word_or_for_all(
    words: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rule", *words]) == 2
    assert capsys.readouterr().err == f"sycllint: {message}\n"
