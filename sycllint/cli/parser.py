"""Reading arguments: ``argparse`` with one-line errors, and the arguments that several commands share."""

import argparse
import re
import sys
from collections.abc import Sequence
from functools import cache
from typing import NoReturn

from sycllint.cli.terminal import width_of
from sycllint.config import Configs, Overrides, load_all
from sycllint.errors import SycllintError
from sycllint.nearest import suggestion

_SETTING = re.compile(r"""\s*[\w."'-]+\s*=""")
"""``KEY=VALUE``, as opposed to the name of a file."""


class ParserExit(Exception):  # noqa: N818 - an end, not an error
    """The command is done before it began, as after ``--help``."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """As wide as the terminal; ``argparse``, which makes one per argument, would load ``shutil`` to know how wide."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_width())


@cache
def _width() -> int:
    return width_of(sys.stdout) - 2


class CommandParser(argparse.ArgumentParser):
    """The parser of one command; what is wrong is a ``SycllintError`` instead of a page of usage."""

    def __init__(self, prog: str, description: str) -> None:
        super().__init__(prog=prog, description=description, formatter_class=_Formatter, allow_abbrev=False)

    def parse(self, argv: Sequence[str]) -> argparse.Namespace:
        """The arguments, options and paths in any order."""
        # An option whose value may be left out would take the path after it for one.
        written = ["--deep=on" if each == "--deep" else each for each in argv]
        arguments, unknown = self.parse_known_intermixed_args(written)
        if unknown:
            options = [option for action in self._actions for option in action.option_strings if len(option) > 2]
            listing = f"`{self.prog} --help` lists what there is"
            hint = suggestion(unknown[0].partition("=")[0], options, listing)
            self.error(f"unknown argument {unknown[0]}; {hint}")
        return arguments

    def error(self, message: str) -> NoReturn:
        """Every complaint of argparse comes here."""
        raise SycllintError(re.sub(r"^argument ", "", message))

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """Where ``--help`` ends."""
        raise ParserExit(status)


def add_paths(parser: CommandParser) -> None:
    """Which files, and how they are read: the arguments of commands that search for sources."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files, and directories to search (default: .)")
    add_reading(parser)
    add_reports(parser)


def add_reports(parser: CommandParser) -> None:
    """The option for compilers' reports."""
    parser.add_argument_group("compiled kernels").add_argument(
        "--kernel-info", action="append", default=[], metavar="[DEVICE=]PATH",
        help="compiler output about the kernels: zeinfo, device binaries, logs of ptxas -v, AMD's remarks",
    )  # fmt: skip


def add_reading(parser: CommandParser) -> None:
    """How files are read: what is left out, what the compiler is given, for which devices."""
    files = parser.add_argument_group("files")
    files.add_argument(
        "--exclude", action="append", default=[], metavar="PATTERN",
        help="exclude what matches, as in .gitignore, relative to the project root; adds to the configuration",
    )  # fmt: skip
    files.add_argument(
        "--no-gitignore", dest="gitignore", action="store_const", const=False, default=None,
        help="also search what git ignores",
    )  # fmt: skip
    files.add_argument(
        "-D", dest="defines", action="append", default=[], metavar="NAME[=VALUE]",
        help="define a macro, as for the compiler",
    )  # fmt: skip
    deep = parser.add_argument_group("C++ front end")
    deep.add_argument(
        "--deep", choices=("on", "auto", "off"), default=None, metavar="auto",
        help="evaluate with libclang what sycllint alone cannot; --deep=auto: for files of a compilation database",
    )  # fmt: skip
    deep.add_argument("-p", dest="database", metavar="DIR", help="the folder of compile_commands.json")
    settings = parser.add_argument_group("configuration")
    settings.add_argument(
        "--target", action="append", default=[], metavar="NAME,...",
        help="devices to check against; `sycllint devices` lists them",
    )  # fmt: skip
    settings.add_argument(
        "--config", action="append", default=[], metavar="FILE|KEY=VALUE",
        help="read this file instead of the nearest sycllint.toml; or one setting, written as there",
    )  # fmt: skip
    settings.add_argument("--isolated", action="store_true", help="read no configuration file")


def add_rule_choice(parser: CommandParser) -> None:
    """Which rules run."""
    rules = parser.add_argument_group("rules")
    rules.add_argument(
        "--select", action="append", default=[], metavar="RULE,...",
        help="run only these: codes (SYC101), families (SYC1), names, or ALL; replaces the configuration's choice",
    )  # fmt: skip
    rules.add_argument("--extend-select", action="append", default=[], metavar="RULE,...", help="also run these")
    rules.add_argument("--ignore", action="append", default=[], metavar="RULE,...", help="do not run these")
    rules.add_argument(
        "--severity", action="append", default=[], metavar="RULE=LEVEL",
        help="override a rule's severity: error, warning or note",
    )  # fmt: skip


def add_display(parser: CommandParser) -> None:
    """How the output looks."""
    display = parser.add_argument_group("display")
    add_color(display)
    display.add_argument("-q", "--quiet", action="store_true", help="no summary, notices or progress")


def add_color(group: argparse._ArgumentGroup) -> None:
    """Whether the output has colours."""
    group.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto",
        help="colours; auto also follows NO_COLOR and FORCE_COLOR",
    )  # fmt: skip
    group.add_argument("--no-color", dest="color", action="store_const", const="never", help="same as --color never")


def paths_of(arguments: argparse.Namespace) -> list[str]:
    """The paths given, or the working directory."""
    return list(arguments.paths) or ["."]


def configs_of(arguments: argparse.Namespace, paths: Sequence[str] | None = None) -> Configs:
    """The settings for ``arguments``, file by file; ``paths`` where they are not those of the arguments."""
    files = [each for each in arguments.config if _SETTING.match(each) is None]
    if files and arguments.isolated:
        raise SycllintError("--config and --isolated exclude each other")
    if len(files) > 1:
        raise SycllintError(f"--config {files[1]}: one file is enough, {files[0]}; a setting is KEY=VALUE")
    overrides = Overrides(
        targets=words(arguments.target),
        select=words(getattr(arguments, "select", ())),
        extend_select=words(getattr(arguments, "extend_select", ())),
        ignore=words(getattr(arguments, "ignore", ())),
        severity=words(getattr(arguments, "severity", ())),
        exclude=tuple(arguments.exclude),
        defines=tuple(arguments.defines),
        respect_gitignore=arguments.gitignore,
        settings=tuple(each for each in arguments.config if _SETTING.match(each) is not None),
        deep=arguments.deep,
        database=_database(arguments.database),
    )
    chosen = paths_of(arguments) if paths is None else paths
    configs = load_all(chosen, overrides, file=files[0] if files else None, isolated=arguments.isolated)
    if getattr(arguments, "kernel_info", None):
        from sycllint.compiled.reading import read_kernel_info

        configs.kernel_info = read_kernel_info(arguments.kernel_info)
    return configs


def _database(path: str | None) -> str | None:
    """The folder or file named with ``-p``."""
    import os

    if (
        path is not None
        and not os.path.isfile(path)
        and not os.path.isfile(os.path.join(path, "compile_commands.json"))
        and not os.path.isdir(os.path.join(path, ".cmake", "api", "v1", "reply"))
    ):
        raise SycllintError(f"-p {path}: there is no compile_commands.json, nor a reply of CMake's File API")
    return path


def words(values: Sequence[str]) -> tuple[str, ...]:
    """``["tgl,dg2", "pvc"]`` as ``("tgl", "dg2", "pvc")``."""
    return tuple(word.strip() for value in values for word in value.split(",") if word.strip())
