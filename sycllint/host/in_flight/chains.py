"""Where the calls that lead to two places part."""

from collections.abc import Sequence

from sycllint.host.scopes.things import Command
from sycllint.source.span import Location


def common(one: Sequence[Location], other: Sequence[Location]) -> int:
    """How many calls lead to both of two places."""
    pairs = zip(one, other, strict=False)
    return next((depth for depth, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def reached(chain: Sequence[Location], command: Command) -> Location:
    """A command, or the call that leads to it, in the function in which the calls ``chain`` part from its own."""
    depth = common(chain, command.chain)
    return command.chain[depth] if len(command.chain) > depth else command.location
