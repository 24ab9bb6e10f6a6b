"""How rules on host code speak of commands, and the fix they share: ``.wait()`` behind the command."""

from sycllint.diagnostic import Evidence
from sycllint.host.records import Submitted
from sycllint.source.edit import Edit, Fix
from sycllint.source.span import Location, Span


def asynchronous(command: Submitted) -> str:
    """What there is to know of a command at its place."""
    return f"{command.what} returns before it is done"


def doing(command: Submitted) -> str:
    """What a command does with the memory in question."""
    return "writes" if command.writes else "reads"


def evidence(assumption: str, *, configured: bool = False) -> Evidence:
    """Proved, unless a wait is there under a condition of the preprocessor, or the code may never run."""
    return Evidence.DERIVED if assumption or configured else Evidence.PROVED


def waiting(command: Submitted) -> Fix | None:
    """``.wait()`` at the end of the command's call, where that is a statement of its own."""
    if not command.waitable:
        return None
    path, span = command.location
    return Fix(f"wait for {command.what}", (Edit(Location(path, Span(span.end, span.end)), ".wait()"),))
