"""Print the completion script of a shell.

It holds commands, options, formats, rules and devices as they are today; print it again after an update. Where it goes:
~/.local/share/bash-completion/completions/sycllint, a folder of zsh's $fpath as _sycllint, or
~/.config/fish/completions/sycllint.fish.
"""

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from sycllint.beside import beside
from sycllint.cli.terminal import write
from sycllint.cli.words import CommandSpec, Option, Values, all_commands

DEFAULT = "check"
"""The command that runs when none is named."""


def bash(commands: Sequence[CommandSpec]) -> str:
    """For bash 4 and newer; words that a colon or an equals sign breaks, as bash does, are put together again."""
    return _script("bash", commands, (line for each in commands for line in _bash_command(each)))


def zsh(commands: Sequence[CommandSpec]) -> str:
    """For zsh's own completion system: a function to be found in ``$fpath``."""
    return _script("zsh", commands, (line for each in commands for line in _zsh_command(each)))


def fish(commands: Sequence[CommandSpec]) -> str:
    """For fish 3 and newer."""
    names = _names(commands)
    lines = []
    for each in commands:
        seen = f"__fish_seen_subcommand_from {each.name}"
        when = f"{seen}; or not __fish_seen_subcommand_from {names}" if each.name == DEFAULT else seen
        lines += [f"complete -c sycllint -n {_quoted(when)} {line}" for line in _fish_command(each)]
    first = f"complete -c sycllint -n 'not __fish_seen_subcommand_from {names}'"
    described = [f"{first} -a {each.name} -d {_quoted(each.help)}" for each in commands]
    return _script("fish", commands, [*described, f"{first} -l version -d 'the version'", *lines])


SHELLS: Mapping[str, Callable[[Sequence[CommandSpec]], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
"""Each shell, and how its script is made."""


def _script(shell: str, commands: Sequence[CommandSpec], lines: Iterable[str]) -> str:
    """The script of a shell with ``lines`` in their place, indented as that is."""
    text: str = beside(__file__)[shell]
    described = (_quoted(f"{each.name}:{each.help}") for each in commands)
    for place, found in (("@commands@", lines), ("@described@", described)):
        indent = text.partition(place)[0].rpartition("\n")[2]
        text = text.replace(place, f"\n{indent}".join(found))
    names = _names(commands)
    return text.replace("@default@", DEFAULT).replace("@names@", names).replace("@or@", names.replace(" ", "|"))


def _names(commands: Sequence[CommandSpec]) -> str:
    return " ".join(each.name for each in commands)


def _bash_command(command: CommandSpec) -> Iterator[str]:
    names = " ".join(name for option in command.options for name in option.names)
    arguments = command.arguments
    yield f"{command.name})"
    yield f'    options="$options {names}"'
    if arguments.words:
        yield f'    words="$words {" ".join(arguments.words)}"'
    if arguments.files:
        yield "    files=yes"
    yield "    case $before in"
    for option in command.options:
        if option.values is not None:
            yield f"        {'|'.join(option.names)}) {_bash_values(option.values)} ;;"
    yield "    esac"
    yield "    ;;"


def _bash_values(values: Values) -> str:
    listed = "yes" if values.listed else ""
    files = "yes" if values.files else ""
    return f"words='{' '.join(values.words)}' files='{files}' listed='{listed}'"


def _zsh_command(command: CommandSpec) -> Iterator[str]:
    yield f"{command.name})"
    yield "    _arguments -s \\"
    for option in command.options:
        for name in option.names:
            yield f"        {_quoted(_zsh_option(name, option))} \\"
    yield f"        {_quoted('*:argument:' + _zsh_values(command.arguments))}"
    yield "    ;;"


def _zsh_option(name: str, option: Option) -> str:
    text = "".join(f"\\{each}" if each in "[]:\\" else each for each in option.help)
    if option.values is None:
        return f"*{name}[{text}]"
    glue = "=" if name.startswith("--") else ""
    return f"*{name}{glue}[{text}]:value:{_zsh_values(option.values)}"


def _zsh_values(values: Values) -> str:
    """The action of a specification: words, a list of words with commas, files, or nothing known."""
    words = " ".join(word.replace(":", "\\:") for word in values.words)
    if values.listed:
        return f"_values -s , value {words}"
    if values.files:
        # After a blank, _arguments does not hand on options of its own, which _alternative does not take.
        return f" _alternative 'words:word:({words})' 'files:file:_files'" if words else "_files"
    return f"({words})" if words else ""


def _fish_command(command: CommandSpec) -> Iterator[str]:
    for option in command.options:
        names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
        yield f"{names} -d {_quoted(option.help)}{_fish_values(option.values)}"
    if command.arguments.words:
        yield f"-a {_quoted(' '.join(command.arguments.words))}"
    if command.arguments.files:
        yield "-F"


def _fish_values(values: Values | None) -> str:
    if values is None:
        return ""
    if values.listed:
        return f" -x -a {_quoted('(__fish_append , ' + ' '.join(values.words) + ')')}"
    if values.files:
        return " -r -F"
    return f" -x -a {_quoted(' '.join(values.words))}" if values.words else " -x"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def run(arguments: argparse.Namespace) -> int:
    """Print it."""
    write(SHELLS[arguments.shell](all_commands()))
    return 0
