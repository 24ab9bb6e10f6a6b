"""The command line: finds the command, runs it, and turns whatever happens into an exit code."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn, Protocol, cast

from sycllint.cli.parser import CommandParser, ParserExit
from sycllint.cli.terminal import close_output, complain, flushed, settle_in
from sycllint.errors import SycllintError
from sycllint.stack import with_room
from sycllint.version import __version__

COMMANDS = {
    "check": "lint files and directories (the default command)",
    "kernels": "list every kernel launch with its sizes and occupancy",
    "explain": "explain the launch or the findings on a line, and why each rule reported or was silent",
    "baseline": "create, update or prune the list of known findings",
    "merge": "merge reports or baselines of several runs, as of shards",
    "server": "run the language server for an editor, on stdin and stdout",
    "cache": "delete the cache of earlier runs",
    "config": "print the effective settings of a file, and where each is set",
    "doctor": "report which settings, build files, headers and libraries are found, and which are missing",
    "init": "write a configuration for what is found here",
    "rule": "print the page of a rule, or the rules about a word",
    "rules": "list the rules, or those about a word",
    "occupancy": "compute the occupancy of a launch from its sizes",
    "devices": "list the devices, or one device's limits with their sources",
    "new-rule": "write the two files of a new rule",
    "completion": "print the completion script of a shell",
}
"""Each is a module of this package, imported when it is the one asked for."""

USAGE = """\
A linter for SYCL C++ that knows what a GPU can hold.

usage: sycllint PATH ...             lint files and directories
       sycllint COMMAND [ARG ...]

commands:
{commands}

options:
  -h, --help     this text; `sycllint help COMMAND` for a command
  --version      the version

exit codes: 0 nothing to report, 1 findings, 2 wrong usage or configuration, 3 linted in part
"""


class CommandModule(Protocol):
    """What each command's module holds; its docstring opens the command's help."""

    __doc__: str | None

    def run(self, arguments: argparse.Namespace, /) -> int:
        """Do it; the exit code."""


def program() -> NoReturn:
    """Be the program: run a command, and end without clearing away what the system will clear away faster."""
    code = main()
    os._exit(code if flushed() else 3)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; ``argv`` without the program's name. Returns the exit code; no exception leaves."""
    if argv is None:
        settle_in()
    try:
        return with_room(lambda: _run(list(sys.argv[1:] if argv is None else argv)))
    except ParserExit as end:
        return end.code
    except SycllintError as error:
        complain(f"sycllint: {error}")
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        close_output()
        return 0
    except Exception as error:  # no traceback reaches a user who did not ask for one
        if os.environ.get("SYCLLINT_DEBUG"):
            raise
        what = " ".join(f"{type(error).__name__}: {error}".split())
        complain(f"sycllint: internal error: {what}; report this bug with what SYCLLINT_DEBUG=1 prints")
        return 3


def _run(argv: list[str]) -> int:
    if argv[:1] == ["help"] and len(argv) > 1:
        if argv[1] not in COMMANDS:
            from sycllint.nearest import suggestion

            hint = suggestion(argv[1], COMMANDS, "`sycllint help` lists them")
            raise SycllintError(f"help {argv[1]}: no such command; {hint}")
        argv = [argv[1], "--help"]
    if not argv or argv[0] in ("-h", "--help", "help"):
        print(USAGE.format(commands="\n".join(f"  {name:<10} {text}" for name, text in COMMANDS.items())), end="")
        return 0
    if argv[0] in ("-V", "--version"):
        print(f"sycllint {__version__}")
        return 0
    _refuse_misspelt(argv[0])
    name, rest = (argv[0], argv[1:]) if argv[0] in COMMANDS else ("check", argv)
    command, parser = parser_of(name)
    return command.run(parser.parse(rest))


def parser_of(name: str) -> tuple[CommandModule, CommandParser]:
    """One of ``COMMANDS``, and the parser of its arguments."""
    command = cast("CommandModule", import_module(f"sycllint.cli.{name.replace('-', '_')}"))
    return command, CommandParser(name, (command.__doc__ or "").strip())


def _refuse_misspelt(word: str) -> None:
    """Say so when the first word is neither a command nor a path, but nearly a command."""
    if word in COMMANDS or word.startswith("-") or os.path.lexists(word):
        return
    from sycllint.nearest import near

    if close := near(word, COMMANDS):
        raise SycllintError(f"{word}: no such file, directory or command; did you mean {close[0]!r}?")
