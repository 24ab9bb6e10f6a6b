"""The relevance slice of host code: what is passed over, since it can change nothing that a walk follows.

Loops that fill arrays, the sizes of a launch, what is printed: such code reads and writes plain memory. Whether that is
all is decided once for each statement and expression, by its form and by what the functions are that it calls. It
gives the kinds of variables that may be named there; what the names stand for decides at each visit. Code is passed
over where each of them is a variable of such a kind, and no command, buffer or allocation on a device is reached by it.
"""

from __future__ import annotations

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Brace,
    Call,
    Cast,
    Character,
    Conditional,
    Expr,
    Increment,
    Index,
    Member,
    Name,
    Number,
    SizeOf,
    Text,
    Type,
    Unary,
)
from sycllint.cpp.node import Node, children, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    STATIC,
    Block,
    Declaration,
    Evaluate,
    If,
    Jump,
    Loop,
    RangeLoop,
    Variable,
)
from sycllint.host.scopes.code_index import CodeIndex, KindsOfName, Mentions
from sycllint.host.scopes.memory import MemoryReferences
from sycllint.host.scopes.things import Allocator, Command, Kind, Thing
from sycllint.host.scopes.walk_context import WalkContext
from sycllint.host.vocabulary import CONTAINER_QUIET, OUTGOING, QUIET, RANGES, WAITS
from sycllint.memoized import memoized
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point
from sycllint.values.side_effects.library import ENDS, KEEPERS

MAX_STEPS = 8
"""How many pointers and references lead from a variable to the memory."""
_READ = (Kind.OBJECT, Kind.ARRAY, Kind.CONTAINER, Kind.POINTER, Kind.OTHER)
_ASSIGNED = (Kind.OBJECT, Kind.CONTAINER)
"""Variables that lead nowhere, whatever they are set to."""
_HAVING_ELEMENTS = (Kind.ARRAY, Kind.CONTAINER, Kind.POINTER)
"""Variables whose elements lead nowhere."""
_CONTAINER = (Kind.CONTAINER,)
_FOLLOWED = OUTGOING | KEEPERS | ENDS | {"free", "begin_recording", "end_recording"}
"""Functions of libraries that do more than read and write what they are given."""
_SYCL = ("sycl", "cl")
_LIBRARIES = ("std", *_SYCL)
_QUIET = QUIET | RANGES
_PLAIN = frozenset(
    {
        Binary,
        Block,
        Brace,
        Cast,
        Character,
        Conditional,
        Declaration,
        If,
        Index,
        Loop,
        Member,
        Number,
        SizeOf,
        Text,
        Type,
    }
)
"""Code that does nothing but what is in it."""
_LEAVES = frozenset({Character, Number, SizeOf, Text, Type})
"""Such in which nothing is named that is read."""


def mentioned(code: CodeIndex, node: Node, place: Place) -> Mentions | None:
    """What is named in code, which stands at ``place``; ``None`` where it may do more than use plain memory."""
    known = code.mentions
    if node not in known:
        form = _Form(code.evaluator, place, known)
        known[node] = form.mentions if form.is_plain(node) else None
    return known[node]


class _Form:
    """A statement or expression at ``place``, and what is named in it."""

    def __init__(self, evaluator: Evaluator, place: Place, known: dict[Node, Mentions | None]) -> None:
        self._evaluator = evaluator
        self._place = place
        self._known = known
        self.mentions: dict[str, KindsOfName] = {}

    def is_plain(self, node: Node, *, in_loop: bool = False) -> bool:
        """Whether ``node`` reads and writes memory and does nothing else, apart from what its names stand for."""
        if self._known.get(node, self.mentions) is None:
            return False
        kind = type(node)
        if kind in _PLAIN or self._may_stand(node, in_loop):
            if kind is Name or kind is SizeOf:
                return True
            repeats = in_loop or kind is Loop or kind is RangeLoop
            for each in children(node):
                if type(each) not in _LEAVES and not self.is_plain(each, in_loop=repeats):
                    break
            else:
                return True
        self._known[node] = None
        return False

    def _mention(self, text: str, kinds: KindsOfName) -> bool:
        known = self.mentions.get(text, kinds)
        self.mentions[text] = kinds if known is kinds else tuple([each for each in known if each in kinds])
        return text != "this"

    def _may_stand(self, node: Node, in_loop: bool) -> bool:
        match node:
            case Name(text=text):
                return self._mention(text, _READ) and (text not in self._evaluator.facts.macros or self._is_value(node))
            case Unary(operator=operator):
                return operator != "&"
            case Assign(left=target) | Increment(operand=target):
                return self._is_set(target)
            case Call(function=Member(object=Name(text=text), name=name)):
                return name in CONTAINER_QUIET and self._mention(text, _CONTAINER)
            case Call(function=Name() as function):
                return self._is_of_library(function) and self._mention(function.text, ())
            case Evaluate(expression=expression):
                return not isinstance(expression, Name)
            case RangeLoop(range=whole):
                return isinstance(whole, Name)
            case Variable(type=written, flags=flags):
                known = self._evaluator.types.kind(written.name, self._place)
                return not flags & STATIC and (known.is_number or known.automatic or written.name.last == "bool")
            case Jump(keyword=keyword):
                return in_loop and keyword in ("break", "continue")
            case _:
                return False

    def _is_value(self, name: Name) -> bool:
        """Whether a macro is a number or a text."""
        macro = self._evaluator.macros.macro(name, Point(self._place, name.start))
        value = macro.value if macro is not None and macro.parameters is None else None
        return value is not None and all(type(each) in _PLAIN for each in walk(value))

    def _is_set(self, target: Expr) -> bool:
        """Whether what gets a new value leads nowhere: a variable, or an element of one."""
        if isinstance(target, Name):
            return self._mention(target.text, _ASSIGNED)
        while isinstance(target, Index) or (isinstance(target, Unary) and target.operator == "*"):
            target = target.object if isinstance(target, Index) else target.operand
            if isinstance(target, Name):
                return self._mention(target.text, _HAVING_ELEMENTS)
        return False

    def _is_of_library(self, function: Name) -> bool:
        """Whether a function of a library only reads and writes what it is given."""
        evaluator, last = self._evaluator, function.last
        first = function.qualifier.removeprefix("::").partition("::")[0]
        first = evaluator.facts.namespaces.get(first, first).removeprefix("::").partition("::")[0]
        is_quiet = first in _LIBRARIES or (not first and last in _QUIET)
        if not is_quiet or last in _FOLLOWED or (first in _SYCL and WAITS.search(last)):
            return False
        if last in evaluator.facts.functions or function.text in evaluator.facts.macros:
            return False
        return not evaluator.symbols.functions(function, self._place).declared


class Relevance:
    """Whether code has to be walked at the place where ``scope`` is."""

    def __init__(self, scope: WalkContext, memory: MemoryReferences, code: CodeIndex) -> None:
        self._scope = scope
        self._memory = memory
        self._code = code

    def is_plain(self, node: Node) -> bool:
        """Whether ``node`` reads and writes nothing but plain memory that no command uses."""
        scope = self._scope
        if scope.site is not None:
            return False
        mentions = mentioned(self._code, node, scope.place)
        if mentions is None:
            return False
        things = scope.state.things
        busy: set[Thing] | None = None
        for text, kinds in mentions.items():
            found = things.get(text) or scope.outside_function(text)
            if found is None:
                if kinds == _CONTAINER:
                    return False
                continue
            if busy is None:
                used, busy = self._busy()
            if not self._is_apart(found, kinds, used, busy):
                return False
        return True

    def _busy(self) -> tuple[frozenset[Thing], set[Thing]]:
        """What commands use; with that, what buffers and events are kept in, and what has parts that lead somewhere."""
        state = self._scope.state
        used = frozenset[Thing]().union(*map(self._used, state.flights)) if state.flights else frozenset[Thing]()
        busy = {key[0] for key, each in state.outer.items() if type(key) is tuple and each.kind is not Kind.OBJECT}
        busy |= used
        busy |= state.keeping
        busy.update([buffer.target.thing for buffer, _ in state.stale if buffer.target is not None])
        return used, busy

    def _is_apart(self, thing: Thing, kinds: KindsOfName, used: frozenset[Thing], busy: set[Thing]) -> bool:
        """Whether neither a variable nor the memory it leads to is of the device, or used by a command or a buffer."""
        memory = self._memory
        for _ in range(MAX_STEPS):
            if thing.kind not in kinds or thing.holds_queue or thing.origin is Allocator.DEVICE or thing in busy:
                return False
            if used and thing.kind is Kind.POINTER and memory.is_used_itself(thing) in used:
                return False
            if thing.target is None:
                return True
            thing, kinds = thing.target.thing, _READ
        return False

    @memoized
    def _used(self, command: Command) -> frozenset[Thing]:
        """The variables that a command may use, or the queue is a part of that it was given to."""
        queue = (command.queue,) if command.queue is not None else ()
        return frozenset(part for thing in (*command.uses, *queue) for part in thing.owners())
