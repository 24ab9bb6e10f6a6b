"""The abstract interpreter of device code: where it stands, and which transfer function runs for a node of a kind.

It knows no transfer function itself: those for expressions and statements are in tables that are handed to it, and ask
it in their turn what the parts of their node stand for. So a module of transfer functions imports this one, and never
the reverse.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sycllint.cpp.expression import Expr, Member, Name, Type
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    Alias,
    Block,
    Enum,
    Function,
    Macro,
    Pragma,
    Statement,
    Struct,
    UsingName,
    UsingNamespace,
    Variable,
)
from sycllint.device_code.access_trace.abstract_values import (
    AbstractValue,
    AtomicRef,
    Condition,
    Data,
    Deferred,
    Environment,
    MemoryElement,
    Object,
    Pointer,
    Slot,
    holds_group,
    lose,
)
from sycllint.device_code.access_trace.conditions import conjunction, unless
from sycllint.device_code.access_trace.id_queries import IdQueries, Ids
from sycllint.device_code.access_trace.objects import DeviceObjects
from sycllint.device_code.access_trace.outer_scope import OuterScope
from sycllint.device_code.access_trace.state import NotFollowedError, TraceState
from sycllint.device_code.access_trace.terms import TERM, Term
from sycllint.device_code.access_trace.trace import AccessMode, SyncScope
from sycllint.device_code.code import KernelCode
from sycllint.device_code.synchronisation import synchronisation
from sycllint.garbage import dissolve
from sycllint.symbols.templates import template_parameter
from sycllint.values.objects import Point, TypeKind

_ASIDE = frozenset({Enum, Function, Macro, Pragma, Struct, UsingName, UsingNamespace})
"""Statements that do nothing when they are reached."""
NOTHING_LIVES: tuple[Variable, ...] = ()


class Interpreter:
    """One walk through one kernel and what it calls."""

    def __init__(self, code: KernelCode) -> None:
        self.evaluator = code.evaluator
        self.facts = code.evaluator.facts
        self.state = TraceState(code.evaluator.facts.file_at(code.place))
        self.queries = IdQueries(code.geometry)
        self.given = OuterScope(code)
        self.objects = DeviceObjects(code.evaluator, self.state, self.given)
        self.synchronisation = synchronisation.of(code.evaluator)
        self.function: Place = code.place
        """The function being walked."""
        self.returned: list[AbstractValue] = []
        """What it has returned so far."""
        self.following: tuple[Statement, ...] = ()
        """What stands behind the statement that is walked, in its block."""
        self.aliases: Mapping[str, Type] = {}
        """The types that the function names itself, as far as they are in scope."""
        self.living = NOTHING_LIVES
        """Variables that may wait when the block ends that is being walked."""
        self._expressions: dict[type[Node], Callable[..., AbstractValue]] = {}
        self._statements: dict[type[Node], Callable[..., bool]] = {}

    def extend(
        self,
        expressions: dict[type[Node], Callable[..., AbstractValue]] | None = None,
        statements: dict[type[Node], Callable[..., bool]] | None = None,
    ) -> None:
        """From now on these transfer functions run: each is given a node of its kind and the names in scope.

        One for an expression gives what it stands for, one for a statement whether its end can be reached.
        """
        self._expressions |= expressions or {}
        self._statements |= statements or {}

    def release(self) -> None:
        """Forget the transfer functions, which know the interpreter."""
        dissolve(self._expressions, self._statements)

    # ------------------------------------------------------------ statements

    def block(self, block: Block, names: Environment) -> bool:
        """The statements of ``block``; whether its end can be reached."""
        aliases = self.aliases
        reached = self.statements(block, dict(names))
        self.aliases = aliases
        return reached

    def statements(self, block: Block, names: Environment) -> bool:
        """The same, in the names' own scope. A way out makes what follows conditional."""
        state = self.state
        before = state.guards
        living, self.living = self.living, NOTHING_LIVES
        reached = True
        for position, statement in enumerate(block.statements):
            if type(statement) in _ASIDE:
                continue
            if isinstance(statement, Alias):
                self.aliases = {**self.aliases, statement.name: statement.type}
                continue
            state.step()
            self.following = block.statements[position + 1 :]
            known, depth = len(state.exits), len(state.guards)
            visit = self._statements.get(type(statement))
            if visit is None:
                raise NotFollowedError
            reached = visit(statement, names)
            if not reached:
                break
            for exit_ in state.exits[known:]:
                left = conjunction(exit_.guards[depth:])
                state.under(unless(left))
        state.guards = before
        for each in self.living:
            self.may_wait(each)
        self.living = living
        return reached

    def single(self, statement: Statement, names: Environment) -> None:
        """A statement that is no block's, as the first part of a ``for``."""
        visit = self._statements.get(type(statement))
        if visit is not None:
            visit(statement, names)

    def once(self, block: Block, names: Environment) -> bool:
        """A block that ``break`` and ``continue`` lead out of, and that is run once."""
        exits = len(self.state.exits)
        self.block(block, names)
        self.state.exits[exits:] = [each for each in self.state.exits[exits:] if each.keyword == "return"]
        return True

    def may_wait(self, node: Node) -> None:
        """The work-items of the group may wait for each other at ``node``."""
        self.state.sync(SyncScope.WORK_GROUP, node, seen=False)

    def kind(self, name: Name) -> TypeKind:
        """What a type is, also one that the function walked gives a name of its own."""
        alias = self.aliases.get(name.text)
        return self.evaluator.types.kind(name if alias is None or alias.pointers else alias.name)

    # ----------------------------------------------------------- expressions

    def thing(self, expression: Expr, names: Environment) -> AbstractValue:
        """What ``expression`` stands for. What it does on the way is met."""
        if isinstance(expression, Name):
            # Two of five expressions are names, and most of those are variables.
            slot = names.get(expression.text)
            if isinstance(slot, Slot):
                if slot.waits:
                    self.may_wait(expression)
                return slot.value
        return self._expressions[type(expression)](expression, names)

    def term(self, expression: Expr, names: Environment) -> Term | None:
        """``expression`` as a number."""
        return self.number(self.thing(expression, names), expression)

    def condition(self, expression: Expr, names: Environment) -> Condition:
        """``expression`` where it decides something."""
        return self.value(self.thing(expression, names), expression)

    def number(self, thing: AbstractValue, node: Expr) -> Term | None:
        """``thing`` where a number is wanted: an element is read."""
        if thing is None or isinstance(thing, TERM):
            return thing
        value = self.value(thing, node)
        return None if isinstance(value, Data) else value

    def value(self, thing: AbstractValue, node: Expr) -> Condition:
        """The same, also where it is known only to have been read."""
        if thing is None or isinstance(thing, TERM):
            return thing
        match thing:
            case Data():
                return thing
            case Ids(terms=(only,)):
                return only
            case MemoryElement():
                return self.state.read(thing, node)
            case AtomicRef(element=element) if element is not None:
                self.state.access(element, AccessMode.ATOMIC, node)
                return None
            case Pointer():
                lose(thing)
                return None
            case Object():
                self.operated(thing, "", node)
                return None
            case _:
                return None

    def operated(self, thing: AbstractValue, symbol: str, node: Node) -> None:
        """``a + b`` and ``--a`` call functions when they are objects, and so does ``if (a)``."""
        if isinstance(thing, Object):
            lose(thing)
            if self.synchronisation.operator(symbol, thing.struct, holds=holds_group(thing)):
                self.may_wait(node)

    # ----------------------------------------------------------------- names

    def held(self, found: Slot | MemoryElement | Deferred) -> AbstractValue:
        """What a name holds."""
        match found:
            case Slot():
                return found.value
            case Deferred(expression=expression, names=names, place=place):
                before, self.function = self.function, place
                result = self.thing(expression, names)
                self.function = before
                return result
            case MemoryElement():
                return found

    def slot(self, target: Expr, names: Environment) -> Slot | None:
        """The variable that ``target`` is, also when it is a member of one."""
        found: object = None
        if isinstance(target, Name):
            found = names.get(target.text)
            if isinstance(found, Deferred):
                return self.slot(found.expression, found.names)
        elif isinstance(target, Member):
            base = names.get(target.object.text) if isinstance(target.object, Name) else None
            if isinstance(base, Slot) and isinstance(base.value, Object):
                found = self.objects.member(base.value, target.name)
        return found if isinstance(found, Slot) else None

    def macro(self, name: Name, start: int) -> Macro | None:
        """The macro that ``name``, used at ``start``, is; ``None`` for all but a few."""
        text = name.text
        if text not in self.facts.macros and text not in self.evaluator.defines:
            return None
        return self.evaluator.macros.macro(name, Point(self.function, start))

    def is_open(self, kind: Type | None, place: Place | None = None) -> bool:
        """Whether a type is a parameter of a template around."""
        if kind is None or kind.pointers or kind.name.qualifier:
            return False
        return template_parameter(kind.name.text, place or self.function) is not None


class Transfers:
    """Transfer functions of one walk, and what they ask the interpreter for."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self._evaluator = interpreter.evaluator
        self._facts = interpreter.facts
        self._state = interpreter.state
        self._given = interpreter.given
