"""Statements at which nothing happens that a walk remembers, told by their words.

Most statements of host code fill arrays, compute references and print: as long as they name no queue, no device memory
and nothing that a command in flight uses, evaluating them leaves everything as it was.
"""

import re
from collections.abc import Collection, Iterable
from string import ascii_letters, digits

from sycllint.cpp.expression import Name
from sycllint.cpp.statement import Block, Evaluate, If, Loop, RangeLoop, Statement
from sycllint.host.scopes.scope import FunctionScope
from sycllint.host.scopes.things import Allocator, Kind, Thing, settled
from sycllint.host.vocabulary import ALLOCATORS, C_ALLOCATORS, CONTAINER_QUIET, DPCT_QUEUES, OPERATIONS, ORDERING
from sycllint.memoized import memoized
from sycllint.record import NamedTuple
from sycllint.symbols.unit import Unit
from sycllint.values.side_effects.library import BY_VALUE, ENDS, READERS, TRANSIENT

_KINDS = frozenset({Evaluate, If, Loop, RangeLoop, Block})
"""Statements that declare nothing outside themselves."""
_LEAVING = ENDS | {"return", "goto", "throw", "co_await", "co_return", "co_yield", "asm", "__asm__"}
_JUMPS = frozenset({"break", "continue"})
"""What leaves a statement that is no loop."""
_OWNING = C_ALLOCATORS | {"free", "delete", "new", "swap", "exchange", "move", "forward", "release"}
"""What gives memory to somebody, or takes it."""
_ACTS = _LEAVING | _OWNING | OPERATIONS | ORDERING | DPCT_QUEUES | ALLOCATORS.keys()
_CLASSES = frozenset(
    {"queue", "event", "buffer", "handler", "accessor", "host_accessor", "get_access", "get_host_access"}
)
_SET = re.compile(r"\b(\w++)\s*(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|--)|(?:\+\+|--|&|>>)[\s*(]*(\w+)")
"""Names that a text may set: assigned, stepped, read from a stream, or with their address taken."""
_CALLED = re.compile(r"(\b\w++|\]|\)(?=\s*\(\s*\))|\(\s*\*[\w.>-]+\s*\))\s*\(")
"""What is called: a name, an element, what a call gives, or what a pointer points to."""
_BARE = re.compile(r"(?:^|[;{})]|\belse\b|\bdo\b)\s*([A-Za-z_]\w*)\s*;")
"""A name alone is a statement only where it is a macro."""
_HARMLESS = (
    BY_VALUE
    | READERS
    | TRANSIENT
    | CONTAINER_QUIET
    | {"if", "for", "while", "switch", "sizeof", "int", "float", "double", "static_cast", "reinterpret_cast"}
)
"""What stands before a bracket and waits for nothing."""
_FOLLOWED = frozenset(
    {Kind.QUEUE, Kind.EVENT, Kind.EVENTS, Kind.HANDLER, Kind.BUFFER, Kind.HOST_ACCESSOR, Kind.ACCESSOR, Kind.LAMBDA}
)
"""Variables whose every use has to be looked at."""
_MOVED = frozenset({Kind.POINTER, Kind.OWNER})
_BLANKED = bytes(each if each in f"{ascii_letters}{digits}_".encode() else ord(" ") for each in range(256))
"""For each byte itself where it is of a word, or a blank."""


class _Wording(NamedTuple):
    """What one statement says."""

    names: tuple[str, ...]
    changed: frozenset[str]
    called: frozenset[str]


class Idle:
    """Answers for the functions of one unit; ``acting`` are the names of those that submit, wait or allocate."""

    def __init__(self, unit: Unit, acting: Iterable[str]) -> None:
        self._unit = unit
        self._acts = _ACTS | _CLASSES | frozenset(acting)
        self._known: dict[int, _Wording | None] = {}

    def at(self, statement: Statement, scope: FunctionScope) -> bool:
        """Whether ``statement``, where ``scope`` is now, changes nothing."""
        state = scope.state
        if type(statement) not in _KINDS or state.stale or state.locks or scope.site is not None:
            return False
        wording = self._wording(statement, scope)
        if wording is None:
            return False
        refs = (each for command in state.flights for each in (*command.writes, *command.reads))
        used = {id(thing) for each in refs for thing in each.thing.owners()}
        parts = [each for each in state.outer.values() if _of_device(each)]
        used.update(id(each) for part in parts for each in part.owners())
        used.update(id(each.owner) for each in state.outer.values() if each.owner is not None and each.kind in _MOVED)
        if (state.flights or parts) and any(each not in _HARMLESS or each in scope.outside for each in wording.called):
            return False
        for name in wording.names:
            thing = state.things.get(name)
            if thing is None and name in scope.outside:
                thing = scope.thing(Name(name, None, None, 0, 0))
            if thing is not None and _matters(thing, name in wording.changed, used):
                return False
        return True

    def _wording(self, statement: Statement, scope: FunctionScope) -> _Wording | None:
        """What a statement says; ``None`` when that may be an act."""
        key = id(statement)
        if key not in self._known:
            content = self._unit.file_at(scope.place).content
            wording = self._read(content[statement.start : statement.end].decode("latin-1"))
            is_loop = isinstance(statement, Loop | RangeLoop)
            self._known[key] = wording if is_loop or wording is None or _JUMPS.isdisjoint(wording.names) else None
        return self._known[key]

    def _read(self, text: str) -> _Wording | None:
        words = self._with_macros(_words_in(text))
        if words & self._acts or any(each not in _JUMPS for each in _BARE.findall(text)):
            return None
        changed = frozenset(each for pair in _SET.findall(text) for each in pair)
        return _Wording(tuple(words), changed, frozenset(_CALLED.findall(text)))

    def _with_macros(self, words: frozenset[str]) -> frozenset[str]:
        """Words, with those of the macros that they name."""
        seen: frozenset[str] = frozenset()
        while new := words - seen:
            seen = words
            words = words.union(*map(self._of_macro, new))
        return words

    @memoized
    def _of_macro(self, name: str) -> frozenset[str]:
        """The words in the text of a macro, if that is one."""
        return frozenset().union(*(_words_in(each.node.text) for each in self._unit.macros.get(name)))


def _of_device(thing: Thing) -> bool:
    """Whether a variable is memory of the device, or a pointer to it."""
    if thing.kind is not Kind.POINTER or thing.target is None:
        return thing.origin is Allocator.DEVICE
    return settled(thing.target).thing.origin is Allocator.DEVICE


def _matters(thing: Thing, changed: bool, used: Collection[int]) -> bool:
    """Whether naming a variable may be an act, or its change has to be followed."""
    if thing.kind in _FOLLOWED or thing.holds_queue or (changed and thing.kind in _MOVED):
        return True
    memory = settled(thing.target).thing if thing.target is not None else thing
    return (
        memory.origin is Allocator.DEVICE or thing.origin is Allocator.DEVICE or id(memory) in used or id(thing) in used
    )


def _words_in(text: str) -> frozenset[str]:
    """Everything in ``text`` that may be a name, in one pass: twice as quick as a pattern.

    Passages of a file have one character for each byte; the text of a macro may have any, which count as blanks.
    """
    return frozenset(text.encode("latin-1", "replace").translate(_BLANKED).decode("ascii").split())
