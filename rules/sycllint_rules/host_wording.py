"""Wording that rules on host code share, and their fix: ``.wait()`` behind the command."""

from collections.abc import Sequence

from sycllint.diagnostic import Evidence, Related
from sycllint.host.records import Submitted
from sycllint.source.edit import Edit, Fix
from sycllint.source.span import Location, Span
from sycllint_rules.wording import listed


def asynchronous(command: Submitted) -> str:
    """What there is to know of a command at its place."""
    return f"`{command.what}` returns before it is done"


def doing(command: Submitted) -> str:
    """What a command does with the memory in question."""
    return "writes" if command.writes else "reads"


def does(command: Submitted) -> str:
    """The verb of a command after "may"."""
    return "write" if command.writes else "read"


def evidence(assumption: str, *, configured: bool = False, in_branch: bool = False, doubt: str = "") -> Evidence:
    """Proved, unless it depends on a condition of the preprocessor or the program, or on code that is not visible."""
    return Evidence.DERIVED if assumption or configured or in_branch or doubt else Evidence.PROVED


def unless(doubt: str) -> str:
    """The end of a verdict that names a macro, a function or a method that is not visible and may wait."""
    return f" unless `{doubt}` waits" if doubt else ""


def others(missing: Sequence[Submitted], command: Submitted) -> tuple[Related, ...]:
    """The commands that must be waited for like ``command``, at their places."""
    return tuple(Related(asynchronous(each), each.location) for each in missing if each.location != command.location)


def waiting(missing: Sequence[Submitted]) -> Fix | None:
    """``.wait()`` at the end of each command's call, if all of these are statements of their own."""
    if not all(each.waitable for each in missing):
        return None
    ends = dict.fromkeys(Location(path, Span(span.end, span.end)) for path, span in (each.location for each in missing))
    commands = listed(dict.fromkeys(each.what for each in missing))
    return Fix(f"wait for {commands}", tuple(Edit(end, ".wait()") for end in ends))
