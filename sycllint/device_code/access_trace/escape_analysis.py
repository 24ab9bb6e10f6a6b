"""Variables and memory that escape from the walk through device code.

Code that gets a reference or an address may change what it leads to, once or at any time from then on: a function of
the C++ library, an object of a class that is not visible, a lambda that is kept, a macro whose text is not visible.
"""

from __future__ import annotations

from collections.abc import Iterable

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Call,
    Conditional,
    Expr,
    Increment,
    Index,
    Lambda,
    Member,
    Name,
    Unary,
)
from sycllint.cpp.node import Node, walk
from sycllint.device_code.access_trace.abstract_values import (
    AbstractValue,
    DeviceClosure,
    Environment,
    MemoryElement,
    Object,
    Slot,
    lose,
)
from sycllint.device_code.access_trace.interpreter import Interpreter, Transfers
from sycllint.domains.meaning import Role
from sycllint.values.side_effects.library import KEEPERS, SETTERS
from sycllint.values.side_effects.lvalues import address, named

_PLACES = frozenset({Conditional, Index, Lambda, Member, Name})
"""Arguments that a reference may be bound to, or that change something later."""
_ACTING = frozenset({Assign, Call, Increment})


class EscapeAnalysis(Transfers):
    """Those of one walk."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self._mutations = interpreter.evaluator.mutations

    def discard(self, expression: Expr, names: Environment) -> None:
        """``expression`` for what it does; its value goes nowhere, or where it is not followed."""
        thing = self._interpreter.thing(expression, names)
        if isinstance(thing, MemoryElement):
            self._state.read(thing, expression)
        else:
            self.thing(thing)

    def changed(self, target: Expr, names: Environment) -> None:
        """Something writes to ``target``, and it is not followed what."""
        if isinstance(target, Conditional):
            self._place(target.then, names)
            self._place(target.otherwise, names)
        self.forgotten(named(target), names)

    def forgotten(self, changed: Iterable[str], names: Environment) -> None:
        """What these variables hold is not known any more."""
        for text in changed:
            self._forget(names.get(text.lstrip("&*")))

    def kept(self, written: Expr, names: Environment) -> None:
        """``written`` escapes by reference, and may change at any time from here on."""
        if type(written) not in _PLACES or any(type(each) in _ACTING for each in walk(written)):
            return
        self._place(written, names)
        for text in named(written):
            self._share(names.get(text))

    def given_to(self, function: str, arguments: tuple[Expr, ...], names: Environment) -> None:
        """What a function of the C++ library takes by reference to change it, or to keep it."""
        if function in KEEPERS:
            for each in arguments:
                self.kept(each, names)
        elif function in SETTERS:
            for each in arguments:
                self._place(each, names)
                self.changed(each, names)

    def streamed(self, expression: Binary, names: Environment) -> None:
        """``in >> a >> b;``: as a statement it is there for what it does."""
        current: Expr = expression
        while isinstance(current, Binary) and current.operator == ">>":
            self._place(current.right, names)
            self.changed(current.right, names)
            current = current.left

    def lambda_(self, kept: DeviceClosure) -> None:
        """A lambda goes where it may be run at any time: what it changes, and the memory that it names."""
        for name in self._mutations.of(kept.function):
            self._share(kept.names.get(name.lstrip("&*")))
        for each in walk(kept.function.body):
            if isinstance(each, Name):
                found = kept.names.get(each.text)
                thing = self._interpreter.held(found) if found is not None else self._given.thing(each, kept.place)
                lose(thing)

    def inside(self, node: Node, names: Environment) -> None:
        """Assembly writes to its operands."""
        for each in walk(node):
            if isinstance(each, Name):
                self._forget(names.get(each.text))

    def _place(self, written: Expr, names: Environment) -> None:
        """The memory that ``written`` is an element of; what is met on the way was met before."""
        target = address(written) or written
        if isinstance(target, Unary) or any(type(each) in _ACTING for each in walk(target)):
            return
        with self._state.collecting():
            thing = self._interpreter.thing(target, names)
        self.thing(thing)

    def thing(self, thing: AbstractValue) -> None:
        """``thing`` goes where it is not followed."""
        if isinstance(thing, DeviceClosure):
            self.lambda_(thing)
        else:
            lose(thing)

    def _forget(self, slot: object) -> None:
        if (
            isinstance(slot, Slot)
            and not slot.fixed
            and not isinstance(slot.value, Role | DeviceClosure | MemoryElement | Object)
        ):
            lose(slot.value)
            self._state.put(slot, None)

    def _share(self, slot: object) -> None:
        if isinstance(slot, Slot) and not slot.fixed:
            self._forget(slot)
            slot.shared = True
