"""Reading arguments: ``argparse`` with one-line errors, and the arguments that several commands share."""

import argparse
import os
import re
import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any, NoReturn

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


@cache
def _blocks() -> dict[str, list[dict[str, Any]]]:
    """The arguments of each command, and those that several share, as ``argparse`` takes them."""
    import json

    with open(os.path.join(os.path.dirname(__file__), "options.json"), encoding="utf-8") as stream:
        found: dict[str, list[dict[str, Any]]] = json.load(stream)
    return found


class CommandParser(argparse.ArgumentParser):
    """The parser of one command; what is wrong is a ``SycllintError`` instead of a page of usage."""

    def __init__(self, name: str, description: str) -> None:
        """``name`` is the command's, under which ``options.json`` has what it takes."""
        prog = f"sycllint {name}"
        super().__init__(prog=prog, description=description, formatter_class=_Formatter, allow_abbrev=False)
        self._places: dict[tuple[str | None, str | None], argparse._ActionsContainer] = {(None, None): self}
        self._take(name)

    def _take(self, block: str, around: str | None = None) -> None:
        """Take the arguments of a block; those without a title of their own stand under ``around``."""
        for each in _blocks()[block]:
            argument = dict(each)
            title = argument.pop("group", around)
            if "include" in argument:
                self._take(argument["include"], title)
                continue
            if "type" in argument:
                module, _, function = argument["type"].partition(".")
                argument["type"] = getattr(import_module(f"sycllint.cli.{module}"), function)
            place = self._place(title, argument.pop("exclusive", None))
            place.add_argument(*argument.pop("names"), **argument)

    def _place(self, title: str | None, exclusive: str | None) -> argparse._ActionsContainer:
        """The arguments under a title; of those, the ones that exclude each other."""
        key = title, exclusive
        if key not in self._places:
            around = self.add_argument_group(title) if exclusive is None else self._place(title, None)
            self._places[key] = around if exclusive is None else around.add_mutually_exclusive_group()
        return self._places[key]

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
