"""How a scan enters what a call in a kernel runs: functions, methods, constructors, lambdas, macros."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sycllint.cpp.expression import Call, Expr, Member, Name
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, Macro, Struct, Variable
from sycllint.device_code.scanning.reached_barriers import ReachedBarriers, holds_item
from sycllint.device_code.scanning.scan import Scan
from sycllint.device_code.scanning.traversal import Traversal
from sycllint.domains.meaning import ClassObject, KnownLambda, Meaning, Meanings, Pack, Renamed, Role, Scope
from sycllint.facts.file import Declared
from sycllint.source.span import Location
from sycllint.symbols.overloads import OUT_OF_SIGHT, CallTargets
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point

MAX_CALLS = 12
"""How deep calls are followed."""


class Entering:
    """Enters for the scan of one kernel; ``traversal`` walks the bodies."""

    def __init__(
        self, evaluator: Evaluator, meanings: Meanings, scan: Scan, reached: ReachedBarriers, traversal: Traversal
    ) -> None:
        self._evaluator = evaluator
        self._meanings = meanings
        self._scan = scan
        self._reached = reached
        self._traversal = traversal
        self._seen: dict[object, tuple[Location, ...]] = {}
        """The barriers of each function already entered, by what it was handed."""

    def own_members(self, declared: Declared[Function]) -> Scope:
        """What the members of the class around a method mean in it."""
        symbols = self._evaluator.symbols
        struct = symbols.definition(symbols.class_of(declared))
        return dict(self._meanings.members(struct)) if struct is not None else {}

    def targets(
        self, targets: CallTargets, call: Call, passed: tuple[Meaning | None, ...], place: Place, depth: int
    ) -> None:
        """What a call may run; more than one are ways of which one is taken."""
        if not targets.sure or not targets.found:
            self._reached.unseen(passed)
        if len(targets.found) == 1 and targets.sure:
            self._function(targets.found[0], call, passed, place, depth)
            return
        walks: list[Callable[[], None]] = [
            partial(self._function, each, call, passed, place, depth) for each in targets.found
        ]
        self._reached.alternatives(walks, complete=targets.sure)

    def method(
        self, call: Call, name: str, thing: ClassObject, passed: tuple[Meaning | None, ...], place: Place, depth: int
    ) -> None:
        """A method of a class of the project, or one that is not in sight."""
        meant = self._meanings.called_on(thing.struct, name, call, passed, place)
        targets = meant if thing.struct is not None else OUT_OF_SIGHT
        if not targets.found:
            self._scan.calls_unknown = True
        self.targets(targets, call, passed, place, depth)

    def called_object(
        self,
        call: Call,
        thing: Meaning | None,
        passed: tuple[Meaning | None, ...],
        place: Place,
        scope: Scope,
        depth: int,
    ) -> None:
        """``object(it)``: the call operator of its class."""
        if isinstance(thing, ClassObject) and thing.struct is not None:
            if thing.holds or any(holds_item(each) for each in passed):
                self.method(call, "operator()", thing, passed, place, depth)
        else:
            self._reached.unseen(passed)

    def construct(
        self,
        struct: Declared[Struct],
        node: Variable | Call,
        arguments: tuple[Expr, ...],
        place: Place,
        scope: Scope,
        depth: int,
    ) -> None:
        """An object is made from the item: its constructors see it."""
        passed = tuple(self._meanings.of(each, scope) for each in arguments)
        call = Call(
            Name(struct.node.name, None, None, struct.node.start, struct.node.end), arguments, node.start, node.end
        )
        targets = self._meanings.called_on(struct, struct.node.name, call, passed, place)
        if targets.found:
            self.targets(targets, call, passed, Place(call, place.outer), depth)

    def _function(
        self, declared: Declared[Function], call: Call, passed: tuple[Meaning | None, ...], place: Place, depth: int
    ) -> None:
        node = declared.node
        templates = (call.function.arguments if isinstance(call.function, Name | Member) else None) or ()
        key = (id(node), tuple(map(_key, passed)))

        def walk() -> None:
            if node.body is None:
                return
            if node.damaged:
                self._scan.calls_unknown = True
            inner = self.own_members(declared) | self._meanings.bound(node.parameters, passed)
            evaluator = self._evaluator
            around = place.outer if place.outer is not None else place
            outer = evaluator.frame
            point = Point(around, call.start)
            evaluator.frame = evaluator.frames.made(node, call.arguments, templates, point, call, outer)
            self._traversal.body(node.body, declared.place, inner, depth + 1)
            evaluator.frame = outer

        self._entered(key, depth, walk)

    def kept(self, kept: KnownLambda, passed: tuple[Meaning | None, ...], depth: int) -> None:
        """A lambda, with the names it keeps."""
        function = kept.function
        key = (id(function), tuple(map(_key, passed)))

        def walk() -> None:
            inner = kept.scope | self._meanings.parameters(function.parameters)
            for parameter, meaning in zip(function.parameters, passed, strict=False):
                inner[parameter.name] = meaning if meaning is not None else Role.OTHER
            if function.parameters and function.parameters[-1].pack:
                inner[function.parameters[-1].name] = Pack(passed[len(function.parameters) - 1 :])
            self._traversal.body(function.body, kept.place, inner, depth + 1)

        self._entered(key, depth, walk)

    def macro(self, macro: Macro, use: Call | Name, place: Place, scope: Scope, depth: int) -> None:
        """A macro's body sees the names of the place where it is used, and its own arguments."""
        body: Node | None = macro.body if macro.body is not None else macro.value
        arguments = use.arguments if isinstance(use, Call) else ()
        if body is None or not macro.fits(arguments):
            self._scan.calls_unknown = self._scan.calls_unknown or bool(macro.text)
            return
        if self._traversal.is_idle(body):
            return
        passed = tuple(self._meanings.of(each, scope) for each in arguments)
        handed = zip(macro.parameters or (), passed, strict=False)
        inner = scope | {parameter: meaning for parameter, meaning in handed if meaning is not None}
        before, self._scan.barriers = self._scan.barriers, []

        def walk() -> None:
            self._traversal.macro(macro, body, place, inner, depth + 1)

        self._entered((id(macro), tuple(map(_key, passed))), depth, walk)
        found, self._scan.barriers = self._scan.barriers, before
        if found:
            # A barrier is where the macro is used: that is the line its author sees.
            self._reached.barrier(use, place)

    def _entered(self, key: object, depth: int, walk: Callable[[], None]) -> None:
        """Walk once for each ``key``; the barriers count each time."""
        known = self._seen.get(key)
        if known is not None:
            self._reached.reach(known)
            return
        if depth >= MAX_CALLS:
            self._scan.calls_unknown = True
            return
        self._seen[key] = ()
        before, self._scan.barriers = self._scan.barriers, []
        walk()
        self._seen[key] = found = tuple(self._scan.barriers)
        self._scan.barriers = before
        self._reached.reach(found)


def _key(meaning: Meaning | None) -> object:
    match meaning:
        case KnownLambda(function=function) | Renamed(function=function):
            return id(function)
        case ClassObject(holds=holds):
            return holds
        case Pack(arguments=arguments):
            return tuple(map(_key, arguments))
        case _:
            return meaning
