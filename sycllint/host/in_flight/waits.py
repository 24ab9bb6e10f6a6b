"""Which waits are missing where memory is used, or ends, while commands use it; commands as messages show them."""

from collections.abc import Iterable, Sequence

from sycllint.host.in_flight.conflicts import is_within
from sycllint.host.records import Submitted
from sycllint.host.scopes.things import Command, QueueOrder, Thing
from sycllint.record import replace
from sycllint.source.span import Location


def shown(command: Command, writes: bool) -> Submitted:
    """``command`` for a message about memory that it ``writes`` or reads."""
    return Submitted(command.what, command.is_kernel, command.location, writes, command.waitable)


def using(command: Command, thing: Thing) -> Submitted:
    """``command`` for a message about ``thing``, or about a member of it."""
    return shown(command, any(ref.thing is thing or is_within(ref.thing, thing) for ref in command.writes))


def missing(commands: Sequence[Command], thing: Thing) -> tuple[Submitted, ...]:
    """Those of ``commands``, in the order of their submission, whose ends are the end of all."""
    return tuple(using(each, thing) for each in _last(commands))


def withheld(waits: tuple[Submitted, ...]) -> tuple[Submitted, ...]:
    """The same waits, which no fix shall write: they would be taken for those of other commands."""
    return tuple(replace(each, waitable=False) for each in waits)


def seems_to_settle(commands: Iterable[Command], unfixed: Iterable[Command], order: Sequence[Command]) -> bool:
    """Whether a wait for ``commands`` may be taken for one that also waits for some command of ``unfixed``.

    That is so for earlier commands of a queue which may be in order. ``order`` is that of their submission.
    """
    return any(
        before.queue is each.queue
        and not (each.queue is not None and each.queue.own and each.queue.order is QueueOrder.OUT_OF_ORDER)
        and order.index(before) < order.index(each)
        for each in commands
        for before in unfixed
    )


def _last(commands: Sequence[Command]) -> list[Command]:
    """``commands`` without those that an in-order queue finishes before another of them."""
    return [
        each
        for number, each in enumerate(commands)
        if each.queue is None
        or each.queue.order is not QueueOrder.IN_ORDER
        or not any(later.queue is each.queue for later in commands[number + 1 :])
    ]


def common(one: Sequence[Location], other: Sequence[Location]) -> int:
    """How many calls lead to both of two places."""
    pairs = zip(one, other, strict=False)
    return next((depth for depth, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def reached(chain: Sequence[Location], command: Command) -> Location:
    """A command, or the call that leads to it, in the function in which the calls ``chain`` part from its own."""
    depth = common(chain, command.chain)
    return command.chain[depth] if len(command.chain) > depth else command.location
