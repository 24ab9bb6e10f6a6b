"""A profile that is wrong is refused, with file and line."""

from pathlib import Path

import pytest

import sycllint
from sycllint.errors import SycllintError
from sycllint.hardware.assemble import assemble
from sycllint.hardware.device import Device
from sycllint.hardware.profile import read_profile

TEXT = (Path(sycllint.__file__).parent / "hardware" / "profiles" / "dg1.toml").read_text(encoding="utf-8")
LINES = TEXT.splitlines()
WORK_GROUP = LINES.index("[max_work_group_size]") + 1
"""1-based line of the table."""


def read(text: str) -> tuple[Device, ...]:
    return tuple(map(assemble, read_profile(text, "my/gpu.toml")))


def refusal(text: str) -> str:
    with pytest.raises(SycllintError) as caught:
        read(text)
    return str(caught.value)


def changed(line: int, text: str | None) -> str:
    """The profile with one line, counted from 1, replaced or (``None``) left out."""
    return "\n".join([*LINES[: line - 1], *([] if text is None else [text]), *LINES[line:]])


def test_an_unchanged_profile_is_read() -> None:
    assert [each.name for each in read(TEXT)] == ["dg1", "dg1-80eu"]


def test_a_number_without_a_source_is_refused() -> None:
    at = f"my/gpu.toml:{WORK_GROUP}: max_work_group_size has no source"
    assert refusal(changed(WORK_GROUP + 2, None)) == at
    assert refusal(changed(WORK_GROUP + 2, 'source = ""')) == at


def test_a_bare_number_is_refused() -> None:
    line = LINES.index("[[parts]]") + 1
    part = [*LINES[:line], 'name = "x"', 'title = "X"', "cores = 5"]
    assert refusal("\n".join(part)) == f"my/gpu.toml:{line + 3}: cores has no source"


def test_a_misspelt_field_is_refused() -> None:
    assert refusal(changed(WORK_GROUP, "[max_work_grup_size]")) == (
        f"my/gpu.toml:{WORK_GROUP}: unknown field max_work_grup_size"
    )


def test_a_missing_field_is_refused() -> None:
    gone = "\n".join([*LINES[: WORK_GROUP - 1], *LINES[WORK_GROUP + 3 :]])
    assert "max_work_group_size is missing" in refusal(gone)


@pytest.mark.parametrize("value", ['"512"', "512.5", "true", '["a"]'])
def test_a_value_that_is_no_whole_number_is_refused(value: str) -> None:
    assert refusal(changed(WORK_GROUP + 1, f"value = {value}")) == (
        f"my/gpu.toml:{WORK_GROUP}: max_work_group_size is neither a whole number nor a list of them"
    )


def test_a_list_where_one_number_belongs_is_refused() -> None:
    assert refusal(changed(WORK_GROUP + 1, "value = [512]")).endswith("max_work_group_size is not a whole number")


def test_a_number_that_every_model_needs_must_be_known() -> None:
    assert refusal(changed(WORK_GROUP + 1, "unknown = true")).endswith("max_work_group_size must be known")


def test_a_value_and_a_second_one_are_refused() -> None:
    assert "needs one of value, kib and unknown" in refusal(changed(WORK_GROUP + 1, "value = 512\nkib = 1"))


def test_an_unknown_vendor_is_refused() -> None:
    assert refusal(changed(3, 'vendor = "matrox"')) == "my/gpu.toml:3: vendor is none of intel, amd, nvidia"


def test_a_name_is_needed() -> None:
    assert "name is missing" in refusal(changed(1, None))


def test_text_that_is_not_toml_is_refused_at_its_line() -> None:
    assert refusal(changed(WORK_GROUP, "[max_work_group_size")).startswith(f"my/gpu.toml:{WORK_GROUP}: not TOML: ")


def test_a_part_has_its_own_source_and_leaves_the_rest_to_the_architecture() -> None:
    own, part = read(TEXT)
    assert (own.cores, part.cores) == (6, 5)
    assert own.sources["cores"] != part.sources["cores"]
    assert part.max_work_group_size == own.max_work_group_size


def test_fields_of_another_vendor_are_refused() -> None:
    line = next(number for number, text in enumerate(LINES, 1) if text.startswith("["))
    assert refusal(changed(3, 'vendor = "amd"')) == f"my/gpu.toml:{line}: unknown field cores"


MODES = """
[[modes]]
name = "small"
max_work_group_size = { value = 64, source = "a test" }
"""


def test_a_mode_changes_a_few_numbers_of_the_architecture_and_of_its_parts() -> None:
    own, part = read_profile(TEXT + MODES, "my/gpu.toml")
    for entry in (own, part):
        small = assemble(entry.in_mode("small"))
        assert (small.name, small.max_work_group_size) == (f"{entry.name}:small", 64)
        assert (small.cores, small.sources["max_work_group_size"]) == (assemble(entry).cores, "a test")
    with pytest.raises(SycllintError, match="dg1 has no mode 'big'; there is dg1:small"):
        own.in_mode("big")


def test_a_number_of_a_mode_needs_a_source_too() -> None:
    bare = MODES.replace(', source = "a test"', "")
    line = len(TEXT.splitlines()) + 4
    assert refusal(TEXT + bare) == f"my/gpu.toml:{line}: max_work_group_size has no source"


def test_a_part_may_stand_on_another_part_stated_before() -> None:
    more = """
[[parts]]
name = "smaller"
title = "Smaller"
base = "dg1-80eu"
max_work_group_size = { value = 64, source = "a test" }
"""
    *_, part, smaller = read(TEXT + more)
    assert (smaller.cores, smaller.max_work_group_size) == (part.cores, 64)
    line = len(TEXT.splitlines()) + 5
    assert refusal(TEXT + more.replace("dg1-80eu", "dg3")) == f"my/gpu.toml:{line}: base dg3 is not stated before"
