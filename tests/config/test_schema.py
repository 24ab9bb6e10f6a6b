"""The JSON schema and the loader say the same of a configuration; a wrong one is answered with one clear message."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from sycllint.config import Overrides, load, load_all, target_devices
from sycllint.config.display import settings
from sycllint.config.settings import LISTS
from sycllint.config.table import LEVELS, PER_PATH, SETTINGS
from sycllint.errors import SycllintError
from sycllint.hardware.profiles import devices
from sycllint.registry import all_rules, chosen_rules, severities
from sycllint.report.schema import schema

SCHEMA = json.loads(schema(all_rules(), devices()))
VALIDATOR = Draft7Validator(SCHEMA)

WORDS = st.sampled_from(
    ["SYC101", "SYC2", "occupancy", "tgl", "ALL", "", " ", "a b", "*", "!", "[", "../x", "é", "WG=1"]
)
SCALARS = st.one_of(WORDS, st.integers(-3, 300), st.booleans(), st.just(1.5))
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(WORDS, inner, max_size=3)),
    max_leaves=6,
)
NAMES = st.lists(WORDS, max_size=3)
ENTRIES = st.dictionaries(
    st.sampled_from(["global", "local", "kernel", "dims", "arguments", "width"]), st.integers(-1, 4), max_size=4
)
HELPERS = st.dictionaries(
    st.sampled_from(["submit", "my::submit", "3x", ""]),
    st.one_of(ENTRIES, st.lists(ENTRIES, max_size=3)),
    max_size=2,
)
TABLES = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys((key for key in LISTS if key != "include"), st.one_of(NAMES, VALUES)),
        "severity": st.one_of(st.dictionaries(WORDS, st.sampled_from([*LEVELS, "loud"]), max_size=2), VALUES),
        "defines": st.one_of(st.dictionaries(st.sampled_from(["WG", "3", ""]), SCALARS, max_size=2), NAMES, VALUES),
        "respect-gitignore": st.one_of(st.booleans(), VALUES),
        "launch-helpers": st.one_of(HELPERS, VALUES),
        "per-path": st.one_of(
            st.dictionaries(
                st.sampled_from(["tests/", "*.cpp", "a.cpp"]),
                st.dictionaries(st.sampled_from([*PER_PATH, "exclude"]), st.one_of(NAMES, VALUES), max_size=2),
                max_size=2,
            ),
            VALUES,
        ),
        "targts": VALUES,
    },
)

_ONLY_THE_LOADER = ("not a pattern", "names one argument twice", "several entries", "is not among")
"""What a schema cannot say."""


def toml(value: object) -> str:
    match value:
        case dict():
            return f"{{ {', '.join(f'{json.dumps(key)} = {toml(each)}' for key, each in value.items())} }}"
        case list():
            return f"[{', '.join(map(toml, value))}]"
        case _:
            return json.dumps(value)


def answered(work: Callable[[], object]) -> SycllintError | None:
    """The mistake that ``work`` finds in a configuration; whatever else it raises fails the test."""
    try:
        work()
    except SycllintError as error:
        return error
    return None


@pytest.fixture(scope="module")
def complaint(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """What the loader says of a text; `""` when it takes it."""
    folder = tmp_path_factory.mktemp("project")
    path = folder / "sycllint.toml"

    def reported(text: str) -> str:
        path.write_text(text, encoding="utf-8")
        try:
            load(file=str(path))
        except SycllintError as error:
            return str(error)
        return ""

    return reported


def test_the_schema_is_one() -> None:
    Draft7Validator.check_schema(SCHEMA)


def test_the_schema_knows_every_setting_and_no_other() -> None:
    assert set(SCHEMA["properties"]) == set(SETTINGS)
    assert set(SCHEMA["properties"]["per-path"]["additionalProperties"]["properties"]) == set(PER_PATH)


def test_the_schema_has_no_relative_id() -> None:
    # Taplo takes `$id` for the address of the schema and refuses one that is not absolute.
    assert "$id" not in SCHEMA


def test_editors_are_offered_every_rule_and_device() -> None:
    offered = {name: set(SCHEMA["definitions"][name]["anyOf"][0]["enum"]) for name in ("rule", "device")}
    rules = all_rules()
    assert {each for rule in rules for each in (rule.code, rule.name, rule.family)} < offered["rule"]
    assert {device.name for device in devices()} < offered["device"]
    assert {rule.code for rule in rules} == set(SCHEMA["definitions"]["severity"]["properties"])


def test_each_offered_word_is_taken(tmp_path: Path) -> None:
    definitions = SCHEMA["definitions"]
    rules, targets = (definitions[name]["anyOf"][0]["enum"] for name in ("rule", "device"))
    (tmp_path / "sycllint.toml").write_text(f"select = {json.dumps(rules)}\ntargets = {json.dumps(targets)}\n")
    config = load(file=str(tmp_path / "sycllint.toml"))
    assert chosen_rules(config)
    assert target_devices(config)


@pytest.mark.skipif("TAPLO" not in os.environ, reason="TAPLO names no taplo")
@pytest.mark.parametrize(
    ("text", "fits"), [('targets = ["tgl"]\nselect = ["SYC101"]\n', True), ('targts = ["tgl"]\n', False)]
)
def test_taplo_reads_the_schema(repository: Path, tmp_path: Path, text: str, fits: bool) -> None:
    (tmp_path / "sycllint.toml").write_text(f"#:schema {repository / 'docs/sycllint.schema.json'}\n{text}")
    ran = subprocess.run([os.environ["TAPLO"], "lint", "sycllint.toml"], cwd=tmp_path, capture_output=True, check=False)
    assert (ran.returncode == 0) == fits, ran.stderr


@given(TABLES)
def test_schema_and_loader_agree(complaint: Callable[[str], str], table: dict[str, object]) -> None:
    said = complaint("".join(f"{json.dumps(key)} = {toml(value)}\n" for key, value in table.items()))
    if not any(each in said for each in _ONLY_THE_LOADER):
        assert VALIDATOR.is_valid(table) == (not said), said


@given(TABLES, st.data())
def test_any_table_is_taken_or_answered_with_one_sentence_that_names_the_line(
    tmp_path_factory: pytest.TempPathFactory, table: dict[str, object], data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("project")
    path = folder / "sycllint.toml"
    path.write_text("".join(f"{json.dumps(key)} = {toml(value)}\n" for key, value in table.items()), encoding="utf-8")
    file = data.draw(st.sampled_from(["a.cpp", "tests/b.cpp"]))

    def use() -> None:
        config = load_all(["."], file=str(path)).of(file)
        chosen_rules(config)
        severities(config)
        assert list(settings(config))

    said = answered(use)
    if said is not None:
        assert (said.path is None, said.line is None, "\n" in str(said)) == (False, False, False)


@given(st.text(alphabet="targets.=[]\"'{}#\n,1é\\ \0", max_size=40))
def test_any_setting_of_the_command_line_is_taken_or_answered(text: str) -> None:
    said = answered(lambda: load_all(["."], Overrides(settings=(text,)), isolated=True))
    assert said is None or str(said).startswith("--config ")


@given(st.binary(max_size=60))
def test_any_bytes_are_taken_or_answered(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path: Path = tmp_path_factory.mktemp("project") / "sycllint.toml"
    path.write_bytes(content)
    said = answered(lambda: load(file=str(path)))
    assert said is None or said.line is not None
