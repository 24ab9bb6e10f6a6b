"""Copies whose source and destination cannot be meant so."""

from __future__ import annotations

from collections.abc import Callable

from sycllint.host.records import CopyFlaw, SwappedCopy
from sycllint.host.scopes.scope import FunctionScope
from sycllint.host.scopes.things import Allocator, Command, Kind, Thing


class Copies:
    """Of one walk. In a loop's second pass nothing is found."""

    def __init__(self, scope: FunctionScope, note: Callable[[object], None]) -> None:
        self._scope = scope
        self._note = note
        self._last: dict[Thing, tuple[Command | None, Command | None]] = {}
        """The last two commands that used memory of the device, in the order of the walk; ``None`` for other uses."""

    def submitted(self, command: Command) -> None:
        """A command is given memory."""
        for thing in command.uses:
            if thing.origin is Allocator.DEVICE:
                self._last[thing] = (self._last.get(thing, (None, None))[1], command)
        if command.is_kernel or self._scope.again or len(command.writes) != 1 or len(command.reads) != 1:
            return
        to, source = command.writes[0].thing, command.reads[0].thing
        if (
            source.origin is Allocator.DEVICE
            and to.origin is not Allocator.DEVICE
            and source not in self._scope.state.written
        ):
            if _is_host(to):
                self._note(SwappedCopy(source.name, to.name, CopyFlaw.UNWRITTEN, command.location, source.allocated))
        elif to.origin.is_plain and source.origin.is_plain:
            self._note(SwappedCopy(source.name, to.name, CopyFlaw.HOST_ONLY, command.location, to.allocated))

    def used(self, thing: Thing) -> None:
        """Memory is used by something else, which may read it."""
        self._last.pop(thing, None)

    def freed(self, thing: Thing) -> None:
        """Memory ends: what a kernel left there was overwritten from the host, and nothing has read either."""
        kernel, copy = self._last.pop(thing, (None, None))
        chain = self._scope.chain
        if kernel is None or copy is None or self._scope.again or not kernel.is_kernel or copy.is_kernel:
            return
        if kernel.chain != chain or copy.chain != chain or len(copy.writes) != 1 or len(copy.reads) != 1:
            return
        to, source = copy.writes[0], copy.reads[0].thing
        is_whole = to.thing is thing and to.whole and not to.begins
        if is_whole and _is_host(source) and any(each.thing is thing for each in kernel.writes):
            self._note(SwappedCopy(source.name, thing.name, CopyFlaw.OVERWRITES, copy.location, kernel.location))


def _is_host(thing: Thing) -> bool:
    return thing.origin.is_plain or thing.kind in (Kind.OBJECT, Kind.ARRAY, Kind.CONTAINER)
