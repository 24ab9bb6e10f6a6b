"""``docs/documents.md``: each command of its tables says what the table says it does."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from sycllint.cli import main

PAGE = Path(__file__).parent.parent / "docs" / "documents.md"
DOCUMENTS = 5
_ROW = re.compile(r"^\| (?P<what>.*?) \| (?P<command>.*?) \| (?P<says>.*?) \|$", re.MULTILINE)


class Row(NamedTuple):
    """One row of a table: what the document says, and the command that says it or why there is none."""

    what: str
    command: str
    """Without backticks; empty where no command says it."""
    says: tuple[str, ...]
    """Parts of the output; of a row without a command, nothing."""
    why: str


def rows(text: str) -> Iterator[Row]:
    """The rows of all tables but their heads; what is in comments is none."""
    for found in _ROW.finditer(re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)):
        what, command, says = found["what"], found["command"], found["says"]
        if command in ("command", "---") or set(what) <= {"-", ":"}:
            continue
        runs = command.startswith("`sycllint ")
        parts = tuple(re.findall(r"`([^`]+)`", says)) if runs else ()
        yield Row(what, command.strip("`").removeprefix("sycllint ") if runs else "", parts, "" if runs else says)


ROWS = tuple(rows(PAGE.read_text(encoding="utf-8")))
RUN = tuple(each for each in ROWS if each.command)


@pytest.fixture(scope="module")
def printed() -> dict[str, str]:
    """Output by command, so that each is run once."""
    return {}


@pytest.mark.parametrize("row", RUN, ids=lambda row: row.what[:60])
def test_a_command_says_what_the_document_says(
    row: Row,
    printed: dict[str, str],
    repository: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if row.command not in printed:
        monkeypatch.chdir(repository)
        monkeypatch.setenv("NO_COLOR", "1")
        main(shlex.split(row.command))
        printed[row.command] = " ".join("".join(capsys.readouterr()).split())
    assert row.says
    for part in row.says:
        assert part in printed[row.command]


def test_a_row_without_a_command_says_why() -> None:
    assert [each.what for each in ROWS if not each.command and not each.why.strip(" -")] == []


def test_each_document_has_rows() -> None:
    text = PAGE.read_text(encoding="utf-8")
    chapters = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    assert len(chapters) == DOCUMENTS
    assert all(any(row.command for row in rows(chapter)) for chapter in chapters)
    assert len(RUN) > len(ROWS) / 2
