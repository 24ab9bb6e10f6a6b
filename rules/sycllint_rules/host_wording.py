"""How rules on host code speak of commands, and the fix they share: ``.wait()`` behind the command."""

from sycllint.diagnostic import Evidence
from sycllint.host.records import Submitted
from sycllint.source.edit import Edit, Fix
from sycllint.source.span import Location, Span


def asynchronous(command: Submitted) -> str:
    """What there is to know of a command at its place."""
    return f"`{command.what}` returns before it is done"


def doing(command: Submitted) -> str:
    """What a command does with the memory in question."""
    return "writes" if command.writes else "reads"


def does(command: Submitted) -> str:
    """The same behind "may"."""
    return "write" if command.writes else "read"


def evidence(assumption: str, *, configured: bool = False, in_branch: bool = False, doubt: str = "") -> Evidence:
    """Proved, unless a condition, of the preprocessor or of the program, or what is not in sight decides about it."""
    return Evidence.DERIVED if assumption or configured or in_branch or doubt else Evidence.PROVED


def unless(doubt: str) -> str:
    """What a verdict says of a macro, a function or a method that is not in sight and may wait."""
    return f" unless `{doubt}` waits" if doubt else ""


def waiting(command: Submitted) -> Fix | None:
    """``.wait()`` at the end of the command's call, where that is a statement of its own."""
    if not command.waitable:
        return None
    path, span = command.location
    return Fix(f"wait for {command.what}", (Edit(Location(path, Span(span.end, span.end)), ".wait()"),))
