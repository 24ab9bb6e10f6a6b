"""Print the completion script of a shell.

It holds commands, options, formats, rules and devices as they are today; print it again after an update. Where it goes:
~/.local/share/bash-completion/completions/sycllint, a folder of zsh's $fpath as _sycllint, or
~/.config/fish/completions/sycllint.fish.
"""

import argparse

from sycllint.cli.terminal import write


def run(arguments: argparse.Namespace) -> int:
    """Print it."""
    from sycllint.cli.shells import SHELLS
    from sycllint.cli.words import all_commands

    write(SHELLS[arguments.shell](all_commands()))
    return 0
