"""What functions of libraries do with the memory, the queues and the events that they are given, by their names."""

from __future__ import annotations

from sycllint.cpp.expression import Call, Expr, Lambda, Name, Text
from sycllint.host.in_flight.handing import Handing
from sycllint.host.in_flight.walking import Result
from sycllint.host.in_flight.watch import Watch
from sycllint.host.records import Use
from sycllint.host.scopes.scope import FunctionScope
from sycllint.host.scopes.things import Kind, Moved, Ref, Sum, Thing, between
from sycllint.host.vocabulary import (
    ALGORITHMS,
    ALLOCATORS,
    BY_BYTES,
    C_READERS,
    C_WRITERS,
    CHECKS,
    DPCT_QUIET,
    FILLERS,
    HARMLESS,
    OUTGOING,
    QUIET,
    RANGES,
    REPORTS,
    TEST_MACROS,
    WAITS,
)
from sycllint.host.written import names_in

_WAITING = frozenset({"wait", "wait_and_throw"})
_MOVING = frozenset({"move", "forward", "swap", "exchange"})
_STREAMS = frozenset({"ofstream", "fstream", "ostream", "ostringstream", "stringstream"})


class Libraries:
    """Calls of functions that are not visible."""

    def __init__(self, handing: Handing, scope: FunctionScope, watch: Watch) -> None:
        self._handing = handing
        self._scope = scope
        self._watch = watch

    def called(self, call: Call, function: Name, results: list[Result]) -> None:
        """A function that is not visible is called."""
        watch, last, arguments = self._watch, function.last, call.arguments
        first = self._namespace(function.qualifier)
        if last in ALLOCATORS:
            self._watch.allocated(call, function)
            return
        if last in ("make_reduction", "reduction") and first != "std":
            return
        if (last in QUIET or last in RANGES or first == "std") and last not in OUTGOING:
            self._handing.values_read(arguments)
        if (last in C_WRITERS or last in C_READERS) and first in ("", "std"):
            to, source = C_WRITERS.get(last, (None, None))
            bytes_ = (self._scope.number(arguments[-1], in_bytes=True),) if last in BY_BYTES and arguments else None
            if bytes_ and last in C_WRITERS:
                refs = [self._scope.memory(each) for each in arguments[:2]]
                moved = Moved(bytes_[0], arguments[:2], tuple(each for each in refs if each is not None))
                watch.moved_by(function.text, moved, self._scope.location(call))
            for position in (to, source, *C_READERS.get(last, ())):
                if position is not None and position < len(arguments):
                    ref = self._scope.memory(arguments[position])
                    self._memory_used(ref.of(bytes_) if ref is not None else None, call, position == to)
            return
        if last in ALGORITHMS and first == "std" and not self._is_given_policy(call):
            for ref in self._ranges(arguments, counted=last.endswith("_n")):
                if ref is not None and ref.thing.kind is not Kind.OBJECT:
                    self._memory_used(ref, call, last in FILLERS)
        if last in _MOVING:
            watch.moved(found for each in arguments if (found := self._scope.thing(each)) is not None)
        if last == "swap":
            self._swapped(arguments)
            return
        is_wait = last in _WAITING and first in ("sycl", "cl")
        listed = self._scope.events.given(arguments) if is_wait and len(arguments) == 1 else None
        if listed is not None:
            for command in listed:
                watch.waited_for(command, call)
            return
        self._handing.kept(call, results)
        if first == "dpct" and last not in DPCT_QUIET:
            watch.waited_for_all()
        elif first in HARMLESS or last in QUIET or TEST_MACROS.fullmatch(last):
            if WAITS.search(last) and first in ("sycl", "cl"):
                watch.waited_for_all()
        else:
            scope = self._scope
            apart = bool(scope.state.flights) and (bool(first) or not scope.classes.may_inherit(scope.place))
            self._handing.unknown(last, by_name=True, apart=apart)

    def _namespace(self, qualifier: str) -> str:
        """The outermost namespace that a name is qualified with; empty where it is not."""
        if not qualifier:
            return ""
        first = qualifier.removeprefix("::").partition("::")[0]
        return self._scope.facts.namespaces.get(first, first).removeprefix("::").partition("::")[0]

    def written_to_stream(self, call: Call, stream: Expr) -> None:
        """``stream.write(pointer, count)``; other classes may keep the pointer until later."""
        written = self._scope.receivers.type_of(stream)
        is_stream = isinstance(stream, Name) and stream.text in ("std::cout", "std::cerr")
        if is_stream or (written is not None and written.name.last in _STREAMS):
            self._memory_used(self._scope.memory(call.arguments[0]), call, False)

    def _is_given_policy(self, call: Call) -> bool:
        """Whether an algorithm is given an execution policy, which may be a device's.

        The first of two iterators leads where the second does, unless it is none of them.
        """
        if any("execution" in text or "polic" in text.lower() for text in names_in(call)):
            return True
        first, second = (*map(self._scope.memory, call.arguments[:2]), None, None)[:2]
        return first is None and second is not None

    def _swapped(self, arguments: tuple[Expr, ...]) -> None:
        scope = self._scope
        things = [found for each in arguments if (found := scope.thing(each)) is not None]
        if len(things) == len(arguments) == 2:
            one, other = things
            # A parameter that is a reference is not called what it refers to.
            names = [
                each.text if isinstance(each, Name) else thing.name
                for each, thing in zip(arguments, things, strict=True)
            ]
            scope.rebind(names[0], _renamed(other, one))
            scope.rebind(names[1], _renamed(one, other))

    def _ranges(self, arguments: tuple[Expr, ...], *, counted: bool) -> list[Ref | None]:
        """The memory that the iterators of an algorithm lead to: of as many elements as lie between the first two."""
        first, second, *others = refs = [*map(self._scope.memory, arguments), None, None]
        if counted and len(arguments) > 1:
            count: Sum | None = (self._scope.number(arguments[1]),)
        elif first is None or second is None or first.thing is not second.thing:
            return refs
        else:
            count = between(first, second)
        return [each.of(count) if each is not None else None for each in (first, *others)]

    def _memory_used(self, ref: Ref | None, call: Call, is_set: bool) -> None:
        if ref is not None:
            self._watch.used(ref, call, Use.WRITTEN if is_set else Use.READ)


def is_check(name: str, arguments: tuple[Expr, ...], results: list[Result]) -> bool:
    """Whether a function or macro that is not visible, by its name, checks the result of what its arguments do."""
    if not CHECKS.search(name) or WAITS.search(name) or all(isinstance(each, Name | Text) for each in arguments):
        return False
    return not any(isinstance(each, Thing) for each in results) and not any(
        isinstance(each, Lambda) for each in arguments
    )


def is_report(name: str, arguments: tuple[Expr, ...], scope: FunctionScope) -> bool:
    """Whether a macro that is not visible, by its name, prints its arguments, and none is a queue or an event."""
    return bool(REPORTS.search(name)) and not WAITS.search(name) and not any(map(scope.mentions_queue, arguments))


def _renamed(value: Thing, name: Thing) -> Thing:
    """What another variable stood for; the memory stays the same."""
    if value.kind is Kind.POINTER and value.target is None:
        return name.again(
            target=Ref(value), command=None, origin=name.origin if name.origin is value.origin else value.origin
        )
    return name.again(target=value.target, command=value.command)
