"""Whether two commands, or a command and the host, use the same memory."""

from collections.abc import Sequence

from sycllint.cpp.node import Node
from sycllint.host.records import Use
from sycllint.host.scopes.extents import ElementSpan, Extents, meet
from sycllint.host.scopes.things import Command, Kind, Ref, Thing
from sycllint.host.written import changed_in, names_in

INSIDE = (Kind.OBJECT, Kind.ARRAY)
"""Members that lie in the memory of their object."""


def overlaps(command: Command, ref: Ref, use: Use, extents: Extents) -> bool:
    """Whether a use by the host overlaps what the command does, unless the elements of the two are others."""
    thing, reads = ref.thing, use is Use.READ
    for each in command.writes if reads else (*command.writes, *command.reads):
        if each.thing is thing and (use is Use.FREED or _are_used(command, each, ref, extents, changed=reads)):
            return True
        if each.whole and each.thing.owner and ref.whole and is_within(each.thing, thing):
            return True
    return False


def _are_used(command: Command, part: Ref, used: Ref, extents: Extents, *, changed: bool) -> bool:
    """Whether elements that the host uses are among those of a part: surely, where no command uses the whole."""
    host = extents.used(used, command.point)
    spans = _spans(command, part, extents, changed=changed)
    found = [meet(each, other, surely=not part.whole) for each in spans for other in host]
    return True in found or (part.whole and None in found)


def _spans(command: Command, ref: Ref, extents: Extents, *, changed: bool) -> list[ElementSpan | None]:
    """The elements of ``ref`` that a command uses, or only those that it may change."""
    if command.kernel is None or ref not in command.by_kernel:
        return [extents.of(ref)]
    from sycllint.host.in_flight.parts import spans

    return spans(command, ref.thing, extents, changed=changed)


def is_within(part: Thing, whole: Thing) -> bool:
    """Whether the memory of a member lies in the object."""
    while part.owner is not None and part.kind in INSIDE and part.owner.kind in (Kind.OBJECT, Kind.POINTER):
        part = part.owner
        if part is whole:
            return True
    return False


def conflict(first: Command, second: Command, extents: Extents) -> str | None:
    """Memory that one writes and the other reads, or that both surely write in the same places."""
    pairs = [(a, b) for a in first.writes for b in second.reads] + [(a, b) for a in first.reads for b in second.writes]
    for a, b in pairs:
        if a.thing is b.thing and a.whole and b.whole and _meet(first, second, a, b, extents):
            return a.thing.name
    for a, b in ((a, b) for a in first.writes for b in second.writes):
        if a.thing is b.thing and a.whole and b.whole and _both_set(first, second, a.thing, extents):
            return a.thing.name
    return None


def repeated(first: Command, second: Command, loops: Sequence[Node], extents: Extents) -> str | None:
    """Memory that a command of ``loops`` uses, and a command that stands before it uses the next time.

    What a kernel does may be another matter each time, where it has something that the loops change.
    """
    if first.chain != second.chain:
        return None
    if first.location == second.location:
        mentioned = [list(each.kernel.mentioned()) if each.kernel is not None else None for each in (first, second)]
        # Otherwise a lambda that submits was called with another function.
        is_same = mentioned[0] == mentioned[1]
        return rotated(first, second) or accumulated(first, second, extents) if is_same else None
    if first.location.span.start < second.location.span.start:
        return None
    kernels = [each.kernel for each in (first, second) if each.is_kernel]
    if not loops or None in kernels:
        return None
    changed = frozenset(each for loop in loops for each in changed_in(loop))
    if any(not changed.isdisjoint(names_in(node)) for each in kernels if each for node in each.mentioned()):
        return None
    return conflict(first, second, extents)


def rotated(first: Command, second: Command) -> str | None:
    """Memory that a command of a loop has written, and reads the next time: its pointers have changed places."""
    before = {ref.thing for ref in first.reads}
    reads = {ref.thing for ref in second.reads if ref.whole} - before
    return next((ref.thing.name for ref in first.writes if ref.whole and ref.thing in reads), None)


def accumulated(first: Command, second: Command, extents: Extents) -> str | None:
    """Memory whose elements the kernel of a loop changes each time, by what the time before has left there."""
    writes = {ref.thing for ref in first.writes if ref.whole}
    shared = [ref.thing for ref in second.reads if ref.whole and ref.thing in writes]
    if not shared or first.kernel is None or second.kernel is None:
        return None
    from sycllint.host.in_flight.parts import accumulates, alike

    if not alike(first.kernel, second.kernel, extents):
        return None
    return next((each.name for each in shared if accumulates(second.kernel, each, extents)), None)


def _meet(first: Command, second: Command, a: Ref, b: Ref, extents: Extents) -> bool:
    """Whether two commands may use the same elements; the indices of two kernels may show that they do not."""
    if first.kernel is not None and second.kernel is not None:
        from sycllint.host.in_flight.parts import overlap

        return overlap(first, second, a.thing, extents)
    here, there = (_spans(*each, extents, changed=False) for each in ((first, a), (second, b)))
    return any(meet(one, other) is not False for one in here for other in there)


def _both_set(first: Command, second: Command, memory: Thing, extents: Extents) -> bool:
    """Whether two commands set the same elements: kernels that of their own id, copies and fillings all."""
    kernels = [each.kernel for each in (first, second) if each.is_kernel]
    if not kernels:
        return False
    from sycllint.host.in_flight.parts import sets_own

    return all(each is not None and sets_own(each, memory, extents) for each in kernels)
