"""The relevance slice of host code: what is passed over, since it can change nothing that a walk follows.

Loops that fill arrays, the sizes of a launch, what is printed: such code reads and writes plain memory. Whether that is
all is decided once for each statement and expression, by its form and by what the functions are that it calls. It
gives the kinds of variables that may be named there; what the names stand for decides at each visit. Code is passed
over where each of them is a variable of such a kind, and no command, buffer or allocation on a device is reached by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

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
    Unary,
)
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import STATIC, Block, Declaration, Evaluate, If, Jump, Loop, RangeLoop, Variable
from sycllint.host.scopes.memory import MemoryReferences
from sycllint.host.scopes.things import Allocator, Command, Kind, Thing
from sycllint.host.scopes.walk_context import WalkContext
from sycllint.host.vocabulary import CONTAINER_QUIET, OUTGOING, QUIET, RANGES, WAITS
from sycllint.memoized import memoized
from sycllint.symbols.overloads import CallTargets
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point, TypeKind
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
_LIBRARIES = frozenset({"std", "sycl", "cl"})

Kinds: TypeAlias = "tuple[Kind, ...]"
Mentions: TypeAlias = Mapping[str, Kinds]
"""Names of code, and the kinds that each may be of; a function is called that is no variable."""


class CodeIndex:
    """What is decided once for each piece of code of a unit, however often it is walked."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._mentions: dict[Node, Mentions | None] = {}
        self._targets: dict[Call, CallTargets] = {}
        self._types: dict[Variable, TypeKind] = {}

    def mentions(self, node: Node, place: Place) -> Mentions | None:
        """What is named in code, which stands at ``place``; ``None`` where it may do more than use plain memory."""
        if node not in self._mentions:
            found: dict[str, Kinds] = {}
            is_plain = _Form(self._evaluator, place, found, self._mentions).is_plain(node)
            self._mentions[node] = found if is_plain else None
        return self._mentions[node]

    def targets(self, call: Call, function: Name, scope: WalkContext) -> CallTargets:
        """The functions that a call may run by name, chosen by the kinds of its arguments."""
        known = self._targets.get(call) if scope.site is None else None
        if known is None:
            overloads = self._evaluator.overloads
            kinds = overloads.kinds(call.arguments, scope.place, call.start)
            known = overloads.of_name(function, kinds, scope.place)
            if scope.site is None:
                self._targets[call] = known
        return known

    def type_of(self, variable: Variable, scope: WalkContext) -> TypeKind:
        """What the type of a variable is, as it is written."""
        if scope.site is not None:
            return self._evaluator.types.kind(variable.type.name, scope.place)
        known = self._types.get(variable)
        if known is None:
            known = self._types[variable] = self._evaluator.types.kind(variable.type.name, scope.place)
        return known


class _Form:
    """One statement or expression."""

    def __init__(
        self, evaluator: Evaluator, place: Place, found: dict[str, Kinds], known: dict[Node, Mentions | None]
    ) -> None:
        self._evaluator = evaluator
        self._place = place
        self._found = found
        self._known = known
        self._loops = 0

    def _mentioned(self, text: str, kinds: Kinds) -> bool:
        known = self._found.get(text)
        self._found[text] = kinds if known is None else tuple(each for each in known if each in kinds)
        return text != "this"

    def _all(self, *nodes: Node | None) -> bool:
        """Whether each is plain; of one that is not it is known from here on."""
        for each in nodes:
            if each is not None and (self._known.get(each, self._found) is None or not self.is_plain(each)):
                self._known[each] = None
                return False
        return True

    def is_plain(self, node: Node) -> bool:
        """Whether ``node`` reads and writes memory and does nothing else, apart from what its names stand for."""
        match node:
            case Number() | Text() | Character() | SizeOf():
                return True
            case Name():
                return self._name(node)
            case Binary(left=left, right=right):
                return self._all(left, right)
            case Conditional(condition=condition, then=then, otherwise=otherwise):
                return self._all(condition, then, otherwise)
            case Index(object=inner, indices=indices):
                return self._all(inner, *indices)
            case Unary(operator=operator, operand=operand):
                return operator != "&" and self._all(operand)
            case Member(object=inner) | Cast(operand=inner):
                return self._all(inner)
            case Brace(elements=elements):
                return self._all(*elements)
            case Assign(left=left, right=right):
                return self._stored(left) and self._all(right)
            case Increment(operand=operand):
                return self._stored(operand)
            case Call():
                return self._call(node)
            case _:
                return self._statement(node)

    def _name(self, name: Name) -> bool:
        if name.text in self._evaluator.facts.macros:
            macro = self._evaluator.macros.macro(name, Point(self._place, name.start))
            value = macro.value if macro is not None and macro.parameters is None else None
            if value is None or any(isinstance(each, Name) for each in walk(value)) or not self.is_plain(value):
                return False
        return self._mentioned(name.text, _READ)

    def _stored(self, target: Expr) -> bool:
        match target:
            case Name(text=text) if text not in self._evaluator.facts.macros:
                return self._mentioned(text, _ASSIGNED)
            case Index(object=inner, indices=indices):
                return self._has_elements(inner) and self._all(*indices)
            case Unary(operator="*", operand=operand):
                return self._has_elements(operand)
            case _:
                return False

    def _has_elements(self, owner: Expr) -> bool:
        """Whether what a variable has elements of, or points to, leads nowhere."""
        match owner:
            case Name():
                return self._name(owner) and self._mentioned(owner.text, _HAVING_ELEMENTS)
            case Index(object=inner, indices=indices):
                return self._has_elements(inner) and self._all(*indices)
            case _:
                return False

    def _call(self, call: Call) -> bool:
        match call.function:
            case Member(object=Name() as owner, name=name) if name in CONTAINER_QUIET:
                return self._mentioned(owner.text, _CONTAINER) and self._name(owner) and self._all(*call.arguments)
            case Name() as function:
                return self._is_of_library(call, function) and self._all(*call.arguments)
            case _:
                return False

    def _is_of_library(self, call: Call, function: Name) -> bool:
        """Whether a function of a library only reads and writes what it is given."""
        evaluator, last = self._evaluator, function.last
        first = function.qualifier.removeprefix("::").partition("::")[0]
        first = evaluator.facts.namespaces.get(first, first).removeprefix("::").partition("::")[0]
        if last in _FOLLOWED or not (first in _LIBRARIES or (last in QUIET | RANGES and not first)):
            return False
        if first in ("sycl", "cl") and WAITS.search(last):
            return False
        if last in evaluator.facts.functions or function.text in evaluator.facts.macros:
            return False
        if evaluator.symbols.functions(function, self._place).declared:
            return False
        return self._mentioned(function.text, ()) and not evaluator.endings.never_returns(call, self._place)

    # ------------------------------------------------------------ statements

    def _statement(self, node: Node) -> bool:
        match node:
            case Evaluate(expression=expression):
                return not isinstance(expression, Name) and self._all(expression)
            case Declaration(variables=variables):
                return all(map(self._declared, variables))
            case Block(statements=statements):
                return self._all(*statements)
            case If(initializer=initializer, condition=condition, then=then, otherwise=otherwise):
                return self._all(initializer, condition, then, otherwise)
            case Loop(initializer=initializer, condition=condition, update=update, body=body):
                return self._all(initializer, condition, update) and self._repeated(body)
            case RangeLoop(variable=variable, range=Name() as whole, body=body):
                return self._declared(variable) and self._name(whole) and self._repeated(body)
            case Jump(keyword="break" | "continue"):
                return self._loops > 0
            case _:
                return False

    def _repeated(self, body: Block) -> bool:
        self._loops += 1
        is_plain = self._all(body)
        self._loops -= 1
        return is_plain

    def _declared(self, variable: Variable) -> bool:
        """A variable that is gone with the code is plain memory."""
        written = variable.type
        known = self._evaluator.types.kind(written.name, self._place)
        is_number = known.is_number or known.automatic or written.name.last == "bool"
        return is_number and not variable.flags & STATIC and self._all(*variable.arguments)


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
        mentions = self._code.mentions(node, scope.place)
        if mentions is None:
            return False
        things = scope.state.things
        holders: set[Thing] | None = None
        for text, kinds in mentions.items():
            found = things.get(text)
            if found is None:
                found = scope.outside_function(text)
            if found is None:
                if kinds == _CONTAINER:
                    return False
                continue
            if holders is None:
                holders = self._holders()
            if not self._is_apart(found, kinds, holders):
                return False
        return True

    def _holders(self) -> set[Thing]:
        """Variables with parts that lead somewhere."""
        outer = self._scope.state.outer
        return {key[0] for key, each in outer.items() if type(key) is tuple and each.kind is not Kind.OBJECT}

    def _is_apart(self, thing: Thing, kinds: Kinds, holders: set[Thing]) -> bool:
        """Whether neither a variable nor the memory it leads to is of the device, or used by a command or a buffer."""
        state, memory = self._scope.state, self._memory
        for _ in range(MAX_STEPS):
            if thing.kind not in kinds or thing.holds_queue or thing.origin is Allocator.DEVICE or thing in holders:
                return False
            if thing in state.keeping or any(thing in self._used(command) for command in state.flights):
                return False
            if any(buffer.target is not None and buffer.target.thing is thing for buffer, _ in state.stale):
                return False
            itself = memory.is_used_itself(thing) if thing.kind is Kind.POINTER else None
            if itself is not None and any(itself in self._used(command) for command in state.flights):
                return False
            if thing.target is None:
                return True
            thing, kinds = thing.target.thing, _READ
        return False

    @memoized
    def _used(self, command: Command) -> frozenset[Thing]:
        """The variables that a command uses, or the queue is a part of that it was given to."""
        used: Iterable[Thing] = (ref.thing for ref in (*command.writes, *command.reads))
        queue = (command.queue,) if command.queue is not None else ()
        return frozenset(part for thing in (*used, *queue) for part in thing.owners())
