"""Completion scripts: what a shell offers after some words, and that the shells accept the scripts."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sycllint.cli import COMMANDS, main
from sycllint.cli.check import THRESHOLDS
from sycllint.cli.completion import SHELLS
from sycllint.cli.output import SEVERITIES
from sycllint.cli.words import CommandSpec, Option, Values, all_commands
from sycllint.report import FORMATS

needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")

# compopt speaks to a completion in progress, and there is none.
ASK = """
compopt() { :; }
source ./sycllint.bash
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_sycllint
((${#COMPREPLY[@]})) && printf '%s\\n' "${COMPREPLY[@]}"
true
"""

Offered = Callable[..., list[str]]


def script(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


@pytest.fixture
def offered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Offered:
    """What bash offers for the last of some words, in a folder with two files."""
    (tmp_path / "sycllint.bash").write_text(script("bash", capsys))
    (tmp_path / "one file.cpp").touch()
    (tmp_path / "two.cpp").touch()

    def ask(*words: str) -> list[str]:
        ran = subprocess.run(
            ["bash", "--noprofile", "--norc", "-c", ASK, "bash", "sycllint", *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        assert ran.stderr == ""
        return ran.stdout.splitlines()

    return ask


@needs_bash
class TestBash:
    def test_the_first_word_is_a_command_or_a_file(self, offered: Offered) -> None:
        assert sorted(offered("")) == sorted([*COMMANDS, "one file.cpp", "sycllint.bash", "two.cpp"])
        assert offered("che") == ["check"]
        assert offered("--ver") == ["--version"]

    def test_options_are_those_of_the_command(self, offered: Offered) -> None:
        assert offered("check", "--fi") == ["--files-from", "--fix"]
        assert offered("rules", "--") == ["--help", "--json", "--docs", "--table"]

    def test_without_a_command_they_are_those_of_check(self, offered: Offered) -> None:
        assert offered("two.cpp", "--stat") == ["--statistics"]

    def test_an_option_offers_what_it_takes(self, offered: Offered) -> None:
        assert offered("check", "-f", "") == list(FORMATS)
        assert offered("kernels", "--format", "") == ["table", "json"]
        assert offered("check", "--baseline", "tw") == ["two.cpp"]
        assert offered("check", "--exclude", "") == []

    def test_words_that_bash_breaks_are_put_together(self, offered: Offered) -> None:
        assert offered("check", "--color", "=", "al") == ["always"]
        assert offered("check", "--color", "=") == ["auto", "always", "never"]
        assert offered("check", "-f", "sarif", ":", "tw") == ["two.cpp"]

    def test_the_last_of_a_list_with_commas_is_completed(self, offered: Offered) -> None:
        assert offered("check", "--target", "tgl,dg") == ["tgl,dg1", "tgl,dg2"]
        assert offered("check", "--ignore", "SYC101,tail") == ["SYC101,tail-wave"]

    def test_arguments_are_words_files_or_both(self, offered: Offered) -> None:
        assert offered("rule", "work-group-e") == ["work-group-exceeds-max"]
        assert set(offered("baseline", "")) == {"create", "update", "prune", "one file.cpp", "sycllint.bash", "two.cpp"}


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_and_option_is_in_every_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = script(shell, capsys)
    for command in all_commands():
        assert command.name in text
        assert all(_as_written(name, shell) in text for option in command.options for name in option.names)


def _as_written(name: str, shell: str) -> str:
    if shell != "fish":
        return name
    return f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_accepts_its_script(shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    path = tmp_path / "script"
    path.write_text(script(shell, capsys))
    ran = subprocess.run([shell, "-n", str(path)], capture_output=True, text=True, check=False, timeout=60)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_help_cannot_break_out_of_its_quotes() -> None:
    odd = CommandSpec("check", "what's this: [a]", (Option(("--x",), "it's: [b] \\", Values()),), Values(files=True))
    assert "-d 'what'\\''s this: [a]'" in SHELLS["fish"]([odd])
    assert "'*--x=[it'\\''s\\: \\[b\\] \\\\]:value:'" in SHELLS["zsh"]([odd])


def test_the_table_of_arguments_names_all_formats_and_severities() -> None:
    check = all_commands()[0]
    options = {name: each for each in check.options for name in each.names}
    assert options["--fail-on"].values == Values(tuple(THRESHOLDS))
    assert options["--min-severity"].values == Values(tuple(SEVERITIES))
    assert ", ".join(FORMATS[1:]) in options["--format"].help
