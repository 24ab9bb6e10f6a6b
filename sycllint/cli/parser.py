"""Reading arguments: ``argparse`` with one-line errors; the table beside this module has all arguments."""

import argparse
import os
import re
import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from sycllint.cli.terminal import width_of
from sycllint.config import Configs, Overrides, load_all
from sycllint.errors import SycllintError
from sycllint.nearest import suggestion

if TYPE_CHECKING:
    from sycllint.pipeline.cache import Cache

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
def _table() -> Any:
    """The parts of each command's arguments, and what each part holds, in the words of ``argparse``.

    What follows a slash in the name of a part is its title in the help; without a slash the name is.
    """
    import json

    with open(os.path.join(os.path.dirname(__file__), "parser.json"), encoding="utf-8") as stream:
        return json.load(stream)


@cache
def _width() -> int:
    return width_of(sys.stdout) - 2


class CommandParser(argparse.ArgumentParser):
    """The parser of one command; what is wrong is a ``SycllintError`` instead of a page of usage."""

    def __init__(self, command: str, description: str) -> None:
        super().__init__(
            prog=f"sycllint {command}", description=description, formatter_class=_Formatter, allow_abbrev=False
        )
        titled: dict[str, argparse._ActionsContainer] = {"": self}
        for part in _table()["commands"][command]:
            title = part.rpartition("/")[2]
            if title not in titled:
                titled[title] = self.add_argument_group(title)
            self._add_part(part, titled[title])

    def _add_part(self, part: str, group: argparse._ActionsContainer) -> None:
        """Arguments of the table, under a title of the help; those that stand ``alone`` exclude each other."""
        alone: argparse._MutuallyExclusiveGroup | None = None
        for names, given in _table()[part].items():
            # A text alone is the help of an option that takes no value.
            how: dict[str, Any] = {"action": "store_true", "help": given} if isinstance(given, str) else {**given}
            if how.get("action") == "append":
                how["default"] = []
            if "type" in how:
                module, _, function = how["type"].rpartition(".")
                how["type"] = getattr(import_module(module), function)
            if how.pop("alone", False):
                alone = alone or group.add_mutually_exclusive_group()
                alone.add_argument(*names.split(), **how)
            else:
                group.add_argument(*names.split(), **how)

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
    choice = {each: words(getattr(arguments, each, ())) for each in ("select", "extend_select", "ignore", "severity")}
    overrides = Overrides(
        **choice,
        targets=words(arguments.target),
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


def cache_of(arguments: argparse.Namespace, configs: Configs) -> "Cache | None":
    """The cache, in the root of the project or in the folder that the environment names."""
    if arguments.no_cache:
        return None
    from sycllint.pipeline.cache import Cache
    from sycllint.pipeline.cache_folder import place_of

    return Cache(place_of(configs.project.root))


def processes_of(text: str) -> int:
    """A number of processes as it is written."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number of processes")
    return int(text)
