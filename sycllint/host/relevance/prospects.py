"""Whether walking a function can show anything, from its text: names in commands, and their use before a wait.

The walk of ``course`` knows what each pointer points to and which way leads where; most functions wait before they look
at anything, which their words show at a fraction of the cost. Every doubt is settled in favour of the walk.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Name
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function
from sycllint.facts.file import Declared, FileFacts
from sycllint.host.relevance.commanded import MemoryNames
from sycllint.host.relevance.flow import Entered, Flow
from sycllint.host.relevance.outline import NOTHING, OPAQUE, FunctionOutline, InFlightMemory, OpaqueError
from sycllint.host.relevance.passage import WAITS, Event, Passage
from sycllint.host.relevance.predicates import Those
from sycllint.host.relevance.variables import Variables, members, pointing, queue_fields, together
from sycllint.host.relevance.wording import (
    allocated,
    arguments,
    freed,
    handed,
    is_plain,
    made_by,
    members_misused,
    read_through,
    used_after_mkl,
    uses_members,
    without_sizes,
    words_in,
)
from sycllint.host.vocabulary import ALLOCATORS, MKL_DOMAINS, OPERATIONS
from sycllint.memoized import memoized
from sycllint.symbols.arity import accepts
from sycllint.symbols.symbols import Symbols
from sycllint.symbols.unit import Unit

if TYPE_CHECKING:
    from sycllint.host.relevance.allocated import Allocated

Names = frozenset[str]

_RECEIVER = re.compile(r"(?<![\w.>\])])(\w+)\s*(?:\.|->)$")
_QUALIFIER = re.compile(r"(?:(?:\b\w+)?\s*::\s*)*$")
"""What qualifies the name behind it, if anything does."""
_SPACE = re.compile(r"\s+")
_MOST_METHODS = 3
"""Methods of one name in more classes than this are not followed."""
_ACTING = re.compile(rf"\b(?:{'|'.join(sorted(OPERATIONS | WAITS | set(ALLOCATORS)))}|free|malloc|new|delete|queue)\b")
"""In a macro's text: what makes its use an act."""


def takes_buffer(declared: Declared[Function]) -> bool:
    """A function that is given a buffer may make accessors without calling anything."""
    return any(each.type.name.last == "buffer" for each in declared.node.parameters)


class Prospects:
    """Answers for the functions of one unit; ``concerned`` are those that submit, wait or allocate."""

    def __init__(self, unit: Unit, concerned: Sequence[Function], allocated: Allocated | None = None) -> None:
        self._unit = unit
        self._symbols = Symbols(unit, lambda _: None)
        self._device = allocated.names if allocated is not None else frozenset[str]()
        """What is set to memory of the device anywhere."""
        self._allocated = allocated
        self._makers = allocated.makers if allocated is not None else frozenset[str]()
        """Functions that give memory of the device."""
        self._concerned = frozenset(map(id, concerned))
        self._defined = Those(unit.defines)
        """Functions that the walk may follow."""
        self._called = frozenset(each.name.rpartition("::")[2] for each in concerned)
        self._plain = Those(lambda name: name not in self._called and name in self._defined)
        """Functions that neither submit nor wait, of which no outline is drawn."""
        self._queues: Names = frozenset[str]().union(*(each.once(queue_fields) for each in unit.files))
        """Data members that are queues."""
        self._events: dict[int, list[Event]] = {}
        self._outlines: dict[int, FunctionOutline] = {}
        self._acting = Those(lambda name: any(_ACTING.search(each.node.text) for each in unit.macros.get(name)))
        """Macros whose use is an act."""

    @memoized
    def _outside(self, name: str) -> int | None:
        """What is known of the variables outside functions that have a name: see ``pointing``."""
        kinds = [pointing(each.node.type, self._unit) for each in self._unit.variables.get(name)]
        return together(kinds) if kinds else None

    def concerns(self, declared: Declared[Function]) -> bool:
        """Whether a function does anything with queues or buffers."""
        return id(declared.node) in self._concerned or takes_buffer(declared)

    def may_show(self, declared: Declared[Function]) -> bool:
        """Whether walking a function may leave a record."""
        return self.outline(declared).suspicious

    def outline(self, declared: Declared[Function]) -> FunctionOutline:
        """What a function does; nothing while it is being looked at: the walk does not enter it twice."""
        key = id(declared.node)
        found = self._outlines.get(key)
        if found is None:
            self._outlines[key] = NOTHING
            found = self._outlines[key] = self._drawn(declared)
        return found

    def _drawn(self, declared: Declared[Function]) -> FunctionOutline:
        function, facts = declared.node, self._unit.file_at(declared.place)
        passage = Passage(facts, function, self._events_in(facts, function.start, function.extent_end))
        try:
            own = members(declared, self._unit)
            variables = Variables(
                function, lambda name: own[name] if name in own else self._outside(name), passage, self._unit
            )
            return self._followed(declared, facts, passage, variables)
        except OpaqueError:
            return OPAQUE

    def _followed(
        self, declared: Declared[Function], facts: FileFacts, passage: Passage, variables: Variables
    ) -> FunctionOutline:
        function = declared.node
        body = function.body
        assert body is not None
        outside = without_sizes(passage.outside(variables.hidden)).replace("this->", "")
        words = words_in(outside)
        if words & self._acting or (words & MKL_DOMAINS and used_after_mkl(outside)):
            raise OpaqueError
        fields = self._queues & words_in(passage.text)
        variables.unordered |= bool(fields)
        if len(fields | variables.queues) > 1 and passage.has_events(passage.start, passage.end):
            raise OpaqueError
        variables.join(outside)
        memory = _memory(outside, words, variables, self._makers)
        is_called = self._unit.calls(function.name)
        read: Names = frozenset()
        apart = words & self._device
        if apart:
            apart &= variables.outside
        members_named = self._allocated.members(words) if self._allocated is not None else frozenset[str]()
        if memory.device or is_called or apart or members_named:
            read = variables.alike(read_through(outside, words, variables.beside))
        by_library, by_sycl = freed(outside, words)
        suspicious = variables.suspicious or bool(
            memory.device & read or apart & (read | by_library) or by_library & memory.usm or by_sycl & memory.plain
        )
        suspicious = suspicious or members_misused(outside, words)
        suspicious = suspicious or bool(members_named and uses_members(outside, members_named, read))
        suspicious = suspicious or bool(memory.device and memory.device & handed(outside, self._plain))
        if suspicious and not is_called:
            return OPAQUE
        flow = Flow(
            passage,
            variables,
            memory,
            self._defined,
            lambda event: self._entered(event, passage, facts, declared.place, variables),
            is_called=is_called,
        )
        flow.run(body)
        suspicious |= flow.suspicious
        if not is_called:
            return OPAQUE if suspicious else NOTHING

        visible = variables.visible

        def shown(names: Iterable[str]) -> Names:
            return frozenset(names) & visible

        used = words - ((words & variables.surely_pointers) - read - by_library - by_sycl)
        return FunctionOutline(
            suspicious=suspicious,
            flying=tuple(InFlightMemory(*map(shown, each)) for each in flow.ends if any(each)),
            kernels=shown(flow.commanded.kernels),
            used=shown(variables.alike(used)),
            read=shown(read),
            copies=tuple((shown(to), shown(of), fresh) for to, of, fresh in flow.commanded.copies),
            freed=(shown(by_library), shown(by_sycl)),
            waits=flow.waits,
            collides=flow.collides,
        )

    # ----------------------------------------------------------------- calls

    def _entered(
        self, event: Event, passage: Passage, facts: FileFacts, place: Place, variables: Variables
    ) -> Sequence[Entered]:
        """What a call of ``event`` may enter."""
        if event.name not in self._called:
            return ()
        head, rest = passage.head(event)
        given = arguments(rest)
        named = self._named(event, head, place)
        bodies = (each for each in named if each.node.body is not None and not each.node.damaged)
        fitting = [each for each in bodies if accepts(each.node, len(given))]
        if head.endswith((".", "->")):
            methods = _methods(self._symbols, fitting, head, variables)
            is_sure = len(methods) == 1
            return [self._call(each, event, given, facts, is_sure=is_sure) for each in methods if self._acts(each)]
        if len(fitting) != 1 and any(map(_is_torn, given)):
            # Commas between template arguments count too.
            raise OpaqueError
        if len(fitting) > 1:
            # The walk enters none of several.
            return (Entered(event, (), given, NOTHING, elsewhere=False),)
        return [self._call(each, event, given, facts, is_sure=True) for each in fitting if self._acts(each)]

    def _acts(self, declared: Declared[Function]) -> bool:
        return id(declared.node) in self._concerned

    def _call(
        self, declared: Declared[Function], event: Event, given: list[str], facts: FileFacts, *, is_sure: bool
    ) -> Entered:
        return Entered(
            event,
            tuple(each.name for each in declared.node.parameters),
            given,
            self.outline(declared),
            self._unit.file_at(declared.place) is not facts,
            is_sure,
        )

    def _named(self, event: Event, head: str, place: Place) -> Sequence[Declared[Function]]:
        """The functions that the name in a call means: those of all classes where that of an object is not known."""
        qualifier = _QUALIFIER.search(head)
        if head.endswith((".", "->", ">::")) or qualifier is None:
            pool = self._symbols.scopes.functions
            return [each for each, _ in self._symbols.scopes.named(pool, event.name)]
        text = _SPACE.sub("", qualifier[0]) + event.name
        return self._symbols.functions(Name(text, None, None, event.start, event.start), place).declared

    def _events_in(self, facts: FileFacts, start: int, end: int) -> list[Event]:
        """The calls that matter in a part of a file, outer before inner."""
        found = self._events.get(id(facts))
        if found is None:
            names = OPERATIONS | WAITS | self._called
            spans = (Event(*span, name) for name in names for span in facts.calls.get(name, ()))
            found = self._events[id(facts)] = sorted(spans, key=lambda each: (each.start, -each.end))
        return found[bisect_left(found, (start,)) : bisect_left(found, (end,))]


def _methods(
    symbols: Symbols, fitting: Iterable[Declared[Function]], head: str, variables: Variables
) -> Sequence[Declared[Function]]:
    """Those of several methods that may be called on what stands before their name; none of very many."""
    owned = [(each, owner.name) for each in fitting if (owner := symbols.class_of(each)) is not None]
    receiver = _RECEIVER.search(head)
    kind = variables.classes.get(receiver[1]) if receiver is not None else None
    methods = [each for each, owner in owned if owner == kind] or [each for each, _ in owned]
    return methods if len(methods) <= _MOST_METHODS else ()


def _is_torn(argument: str) -> bool:
    """Whether an argument may be a part of one, with the other half of its template arguments in the next."""
    return argument.count("<") != argument.replace("->", "").count(">")


def _memory(text: str, words: Names, variables: Variables, makers: Names) -> MemoryNames:
    """Memory that a function allocates."""
    plain, device, usm = set[str](), set[str](), set[str]()
    for allocator, names in allocated(text, words):
        (plain if is_plain(allocator) else usm).update(names)
        if ALLOCATORS.get(allocator) == "device":
            device.update(names)
    for names in made_by(text, words & makers):
        usm.update(names)
        device.update(names)
    return MemoryNames(variables.alike(plain), variables.alike(device), variables.alike(usm))
