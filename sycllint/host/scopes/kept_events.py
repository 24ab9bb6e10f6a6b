"""Events that are kept: in lists, of which the elements are followed as far as they are counted, and in members."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sycllint.cpp.expression import Brace, Call, Cast, Expr, Index, Member, Name, Number, Unary
from sycllint.host.scopes.things import Command, Kind, Thing
from sycllint.host.scopes.walk_context import WalkContext
from sycllint.host.vocabulary import CONTAINER_QUIET
from sycllint.record import replace

_COUNT = "[]"
"""The part of a list that says how many elements it has: all that are known, unless ways of other lengths met."""
_APPENDING = frozenset({"push_back", "emplace_back"})
_QUIET = CONTAINER_QUIET | {"reserve"}


class KeptEvents:
    """The lists of events of one walk."""

    def __init__(self, scope: WalkContext) -> None:
        self._scope = scope

    def given(self, arguments: Iterable[Expr]) -> tuple[Command, ...] | None:
        """The commands whose events are given, one by one or in lists; ``None`` unless all are known."""
        found: list[Command] = []
        for argument in arguments:
            thing = self._scope.thing(argument)
            listed: Sequence[Command] | None = None
            if isinstance(argument, Brace) and argument.type is None:
                listed = self.given(argument.elements)
            elif thing is not None and thing.kind is Kind.EVENTS:
                listed = self.listed(thing)
            elif thing is not None and thing.command is not None:
                listed = (thing.command,)
            elif isinstance(argument, Call) and argument in self._scope.submitted:
                listed = (self._scope.submitted[argument],)
            elif self._is_done(argument):
                listed = ()
            if listed is None:
                return None
            found += listed
        return tuple(found)

    def _is_done(self, argument: Expr) -> bool:
        """Whether an event is that of no command: ``sycl::event{}``."""
        match argument:
            case Call(function=Name() as kind, arguments=()) | Brace(type=Name() as kind, elements=()):
                return self._scope.evaluator.types.is_sycl(kind, "event")
            case _:
                return False

    def has(self, made: Thing, commands: Iterable[Command]) -> None:
        """A list is made of the events of these."""
        self._counted(made)
        for each in commands:
            self._append(made, each)

    def element(self, owner: Thing, index: Expr) -> Thing:
        """``owner[index]``; one that may be any is not remembered."""
        if not isinstance(index, Number) or not index.text.isdigit():
            return self._event(owner, "", None)
        name = f"[{int(index.text)}]"
        found = self._scope.state.outer.get((owner, name))
        if found is None:
            found = self._scope.state.outer[owner, name] = self._event(owner, name, None)
        return found

    def method(
        self, method: Member, events: Thing, arguments: tuple[Expr, ...], given: list[Command | None]
    ) -> Thing | None:
        """A method of a list is called with ``arguments``, which are the events of ``given``; none waits for any."""
        name = method.name
        if name in ("front", "back"):
            return self._end(events, name)
        if name == "at" and len(arguments) == 1:
            return self.element(events, arguments[0])
        if name in _APPENDING and len(given) == 1:
            self._append(events, given[0])
        elif name not in _QUIET:
            self._scope.unsettled(events)
        for each in given:
            self.kept(method.object, each)
        return None

    def _end(self, owner: Thing, name: str) -> Thing | None:
        """``owner.front()`` or ``owner.back()``."""
        count = self._count(owner)
        if not count:
            return None
        return self._scope.state.outer.get((owner, f"[{0 if name == 'front' else count - 1}]"))

    def _append(self, owner: Thing, command: Command | None) -> None:
        """``owner.push_back(…)``."""
        count = self._count(owner)
        if count is None:
            self._scope.unsettled(owner)
            return
        name = f"[{count}]"
        self._scope.state.outer[owner, name] = self._event(owner, name, command)
        self._counted(owner)

    def set(self, owner: Thing, part: Thing, command: Command | None) -> None:
        """``owner[…] = command``."""
        if part.name == owner.name:
            self._scope.unsettled(owner)
        else:
            self._scope.state.outer[owner, part.name.removeprefix(owner.name)] = part.again(command=command)

    def listed(self, owner: Thing) -> list[Command] | None:
        """The commands whose events a list has; ``None`` unless all are known."""
        count = self._count(owner)
        if count is None:
            return None
        outer = self._scope.state.outer
        found = [outer.get((owner, f"[{number}]")) for number in range(count)]
        commands = [each.command for each in found if each is not None and each.command is not None]
        return commands if len(commands) == count else None

    def _event(self, owner: Thing, name: str, command: Command | None) -> Thing:
        return Thing(f"{owner.name}{name}", Kind.EVENT, owner.location, owner=owner, command=command)

    def _counted(self, owner: Thing) -> None:
        """A new thing each time: where ways of other lengths meet, it is none of them."""
        made = Thing(owner.name, Kind.EVENT, owner.location, constant=True, owner=owner)
        self._scope.state.outer[owner, _COUNT] = made

    def _count(self, owner: Thing) -> int | None:
        outer = self._scope.state.outer
        count = outer.get((owner, _COUNT))
        if count is None or not count.constant:
            return None
        return sum(isinstance(key, tuple) and key[0] is owner for key in outer) - 1

    # ------------------------------------------------------------ who has it

    def kept(self, target: Expr, command: Command | None) -> None:
        """An event is put where ``target`` says: who is handed what that belongs to may wait for the command."""
        if command is None:
            return
        scope = self._scope
        holder = root(target, scope)
        is_shared = holder is None or _is_shared(holder)
        if holder is not None and (is_shared or not isinstance(target, Name)):
            scope.state.keeping |= frozenset(holder.owners())
        if is_shared:
            flight = scope.state.flights.get(command)
            if flight is not None:
                scope.state.flights[command] = replace(flight, kept=True)


def root(target: Expr, scope: WalkContext) -> Thing | None:
    """The variable that an element, a member, or what a pointer points to, belongs to."""
    match target:
        case Name() | Member(object=Name(text="this")):
            return scope.thing(target)
        case Index(object=inner) | Member(object=inner) | Cast(operand=inner) | Unary(operand=inner):
            return root(inner, scope)
        case Call(function=Member(object=inner)):
            return root(inner, scope)
        case _:
            return None


def command_of(value: Thing | Command | None) -> Command | None:
    """The command whose event a value is."""
    return value.command if isinstance(value, Thing) else value


def _is_shared(holder: Thing) -> bool:
    """Whether others know of a variable without being handed it."""
    written = holder.written
    leads = written is None or written.reference or bool(written.pointers) or holder.kind is Kind.POINTER
    return not holder.block or leads
