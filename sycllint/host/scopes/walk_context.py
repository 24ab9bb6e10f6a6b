"""Where a walk over host code stands: its state, the place, the macros and calls around it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from sycllint.cpp.expression import Call, Expr, Lambda, Member, Name
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function
from sycllint.host.scopes.extents import Extents
from sycllint.host.scopes.kinds import Kinds
from sycllint.host.scopes.things import Command, Found, Kind, Part, Thing, WalkState, WrittenNumber
from sycllint.host.written import WrittenNames
from sycllint.source.span import Location
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Frame, Point

_LEADING = (Kind.QUEUE, Kind.EVENT, Kind.EVENTS, Kind.HANDLER)
"""Variables by which commands can be waited for."""
SET_ANEW = (Kind.EVENT, Kind.POINTER, Kind.OWNER, Kind.OTHER)
"""Members that lead elsewhere after an assignment."""


class WalkContext(ABC):
    """The context of one function while it is walked. What names stand for in it, its scope says."""

    def __init__(
        self, evaluator: Evaluator, place: Place, names: WrittenNames, kinds: Kinds, locations: dict[Node, Location]
    ) -> None:
        self.evaluator = evaluator
        self.facts = evaluator.facts
        self.state = WalkState()
        self.names = names
        self.kinds = kinds
        self.kind = kinds.of
        """What a variable of a type is."""
        self.place = place
        """What is around the statement being looked at."""
        self.chain: tuple[Location, ...] = ()
        """The calls that lead into the function being looked at, outermost first."""
        self.site: Place | None = None
        """The outermost use of a macro around the code being looked at."""
        self.block = 0
        """The innermost block; 0 outside all."""
        self.again = False
        """A loop's body is walked a second time."""
        self.loops = 0
        self.loops_around: list[int] = []
        """How many loops are around each of the calls ``chain``, in the function in which it stands."""
        self.arguments: list[dict[str, Expr]] = []
        """What the parameters stand for of the macros around, outermost first."""
        self.extents = Extents(evaluator)
        self.frame: Frame | None = None
        """How the function being looked at is reached."""
        self.callers: list[tuple[dict[str, Thing], Thing | None, Frame | None]] = []
        """The names, the object and the frame of each function that called the next; the innermost last."""
        self.found: Found = []
        """What has been named for the first time, on one way or another."""
        self.submitted: dict[Call, Command] = {}
        """The command whose event a call gave when it was walked last."""
        self.unsettling: list[Callable[[], None]] = []
        """What may have set members again."""
        self._locations = locations
        self.this: Thing | None = None
        """The object whose method is walked; ``None`` when that is the function that the walk began with."""

    @abstractmethod
    def thing(self, expression: Expr) -> Thing | None:
        """The variable that an expression is; pointers to queues and events are followed."""

    @abstractmethod
    def outside_function(self, text: str) -> Thing | None:
        """A variable of a namespace, or a member of the class around."""

    @abstractmethod
    def member_of(self, owner: Thing, name: str) -> Thing | None:
        """The member ``name`` of an object, where it is followed."""

    def location(self, node: Node) -> Location:
        """Where ``node`` stands; for code of a macro, where that is used."""
        shown, place = (node, self.place) if self.site is None else (self.site.node, self.site)
        found = self._locations.get(shown)
        if found is None:
            found = self._locations[shown] = self.facts.location(shown, place)
        return found

    def number(self, expression: Expr, *, in_bytes: bool = False) -> WrittenNumber:
        """A number that is written here."""
        return WrittenNumber(expression, self.point(expression), self.frame, self.again, in_bytes)

    def point(self, node: Node) -> Point:
        """Where a node stands in the statement being looked at."""
        return Point(self.place, getattr(node, "start", 0))

    def frame_of(self, function: Function | Lambda, arguments: tuple[Expr, ...], call: Call | None = None) -> Frame:
        """That of a function that is given ``arguments`` here."""
        named = call.function if call is not None else None
        templates = (named.arguments if isinstance(named, Name | Member) else None) or ()
        point = Point(self.place, getattr(call or self.place.node, "start", 0))
        return self.evaluator.frames.made(function, arguments, templates, point, call, self.frame)

    @contextmanager
    def expanding(self, use: Node, parameters: dict[str, Expr]) -> Iterator[None]:
        """Inside the text of a macro."""
        outer = self.site
        self.site = outer if outer is not None else Place(use, self.place)
        self.arguments.append(parameters)
        try:
            yield
        finally:
            self.arguments.pop()
            self.site = outer

    def argument(self, text: str) -> Expr | None:
        """What a macro's parameter stands for."""
        return self.arguments[-1].get(text) if self.arguments else None

    @contextmanager
    def as_written_outside(self) -> Iterator[None]:
        """For the argument of a macro: names are those of the macro's use."""
        saved = self.arguments.pop()
        try:
            yield
        finally:
            self.arguments.append(saved)

    @contextmanager
    def where_made(self, held: Thing) -> Iterator[None]:
        """The place of a lambda that a variable holds, and the names it has: those of the function it stands in."""
        place = self.place
        if held.closure_place is not None:
            self.place = held.closure_place
        if held.closure_depth >= len(self.callers):
            try:
                yield
            finally:
                self.place = place
            return
        around, outer, reached = self.callers[held.closure_depth]
        own, this, frame = self.state.things, self.this, self.frame
        self.state.things, self.this, self.frame = dict(around), outer, reached
        try:
            yield
        finally:
            changed = [name for name, thing in around.items() if self.state.things.get(name) is not thing]
            # How often it was called, and on which ways, is not followed.
            around.update({name: around[name].with_unknown_value() for name in changed})
            self.state.things, self.this, self.frame, self.place = own, this, frame, place

    def remember(self, key: str | Part, made: Thing) -> Thing:
        """A variable that no block of the function declares, or a member, is named for the first time."""
        self.state.outer[key] = made
        self.found.append((key, made))
        return made

    def unsettled(self, owner: Thing | None = None) -> None:
        """Pointers and events that are members, of ``owner`` if it is given, may have been set again."""
        self.unsettling.append(partial(self.unsettled, owner))
        outer = self.state.outer
        parts = [key for key, each in outer.items() if each.owner is not None and _may_be_another(each)]
        for key in parts:
            if owner is None or outer[key].is_part_of(owner):
                del outer[key]

    def keep(self, holder: Thing) -> None:
        """``holder`` has an event from now on."""
        if not holder.holds_queue and holder.name in self.state.things:
            self.state.things[holder.name] = holder.again(holds_queue=True)

    def mentions_queue(self, node: Node) -> bool:
        """Whether a queue, an event, or what holds one, is named in ``node``."""
        for text in self.names.of(node):
            found = self.state.things.get(text) or self.state.outer.get(text)
            if found is None:
                continue
            if found.holds_queue or found.kind in _LEADING:
                return True
            if self.state.keeping and not self.state.keeping.isdisjoint((found, found.memory)):
                return True
        return False


def _may_be_another(part: Thing) -> bool:
    """Whether a member leads elsewhere after an assignment that is not seen, or what it is reached through does."""
    thing: Thing | None = part
    while thing is not None and thing.kind not in SET_ANEW:
        thing = thing.owner
    return thing is not None
