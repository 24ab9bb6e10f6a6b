"""What can be typed: every command with its options and arguments, and what each of them takes.

Read from the parsers of the commands, so that it is what they accept.
"""

import argparse
from collections.abc import Iterator

from sycllint.cli import COMMANDS, parser_of
from sycllint.record import NamedTuple


class Values(NamedTuple):
    """The values that an option or argument accepts."""

    words: tuple[str, ...] = ()
    """The known ones, in the order to show them."""
    files: bool = False
    listed: bool = False
    """Several, with commas between them."""


class Option(NamedTuple):
    """One option of a command."""

    names: tuple[str, ...]
    help: str
    values: Values | None
    """``None`` when it takes nothing."""


class CommandSpec(NamedTuple):
    """One command."""

    name: str
    help: str
    options: tuple[Option, ...]
    arguments: Values
    """What its arguments are, whichever."""


def all_commands() -> tuple[CommandSpec, ...]:
    """The commands in the order of ``sycllint --help``."""
    known = _known()
    return tuple(_typed(name, text, known) for name, text in COMMANDS.items())


def _typed(name: str, text: str, known: dict[str, Values]) -> CommandSpec:
    options: list[Option] = []
    words: dict[str, None] = {}
    files = False
    for action in _actions(parser_of(name)[1]):
        values = _values(action, known)
        if action.option_strings:
            takes = None if action.nargs == 0 else values
            options.append(
                Option(tuple(action.option_strings), " ".join((action.help or "").replace("%%", "%").split()), takes)
            )
        else:
            words.update(dict.fromkeys(values.words))
            files |= values.files
    return CommandSpec(name, text, tuple(options), Values(tuple(words), files))


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    yield from parser._actions  # argparse has no public way to its own arguments


def _values(action: argparse.Action, known: dict[str, Values]) -> Values:
    if action.choices is not None:
        return Values(tuple(map(str, action.choices)))
    return known.get(str(action.metavar), Values())


def _known() -> dict[str, Values]:
    """The values of the placeholders in the help."""
    from sycllint.hardware.profiles import devices
    from sycllint.registry import all_rules
    from sycllint.report import FORMATS

    rules = all_rules()
    codes, names = (tuple(getattr(rule, word) for rule in rules) for word in ("code", "name"))
    families = tuple(dict.fromkeys(rule.family for rule in rules))
    targets = tuple(device.name for device in devices())
    files = Values(files=True)
    return {
        "RULE,...": Values(("ALL", *families, *codes, *names), listed=True),
        "RULE=LEVEL": Values(tuple(f"{code}=" for code in codes)),
        "CODE|NAME|WORD": Values((*codes, *names)),
        "WORD": Values(families),
        "NAME,...": Values((*targets, "intel", "amd", "nvidia"), listed=True),
        "NAME": Values(targets),
        "FORMAT[:FILE]": Values(FORMATS),
        **dict.fromkeys(("PATH", "FILE", "DIR", "FILE:LINE", "FILE|KEY=VALUE"), files),
    }
