"""What a variable or a parameter holds that is made from something, by its type."""

from __future__ import annotations

from sycllint.cpp.expression import Expr, Name
from sycllint.cpp.statement import FunctionParameter, Variable
from sycllint.device_code.access_trace.abstract_values import (
    AbstractValue,
    Environment,
    MemoryElement,
    Object,
    Pointer,
    Slot,
    lose,
)
from sycllint.device_code.access_trace.escape_analysis import EscapeAnalysis
from sycllint.device_code.access_trace.interpreter import Interpreter
from sycllint.device_code.access_trace.narrowing import narrowed
from sycllint.device_code.access_trace.terms import TERM, varies
from sycllint.device_code.access_trace.trace import MemoryObject, Space


class InitialValues:
    """Those of one walk."""

    def __init__(self, interpreter: Interpreter, escapes: EscapeAnalysis) -> None:
        self._interpreter = interpreter
        self._escapes = escapes
        self._evaluator = interpreter.evaluator
        self._state = interpreter.state

    def bind(
        self, inner: Environment, parameter: FunctionParameter, thing: AbstractValue, written: Expr, names: Environment
    ) -> None:
        """One parameter and its argument."""
        kind = parameter.type
        if kind.reference:
            slot = names.get(written.text) if isinstance(written, Name) else None
            if isinstance(slot, Slot) and not isinstance(thing, MemoryElement):
                inner[parameter.name] = slot
                return
            if isinstance(thing, Object):
                inner[parameter.name] = Slot(thing)
                return
            if isinstance(thing, MemoryElement):
                inner[parameter.name] = thing
                return
        if isinstance(thing, Object) and not kind.pointers:
            thing = self._interpreter.objects.copied(thing)
        if isinstance(thing, MemoryElement):
            rank = thing.memory.rank
            if kind.pointers or kind.extents or self._evaluator.types.kind(kind.name).extents is not None:
                thing = Pointer(thing.memory, (*thing.indices, 0) if thing.indices or rank else (0,), thing.view)
            elif not thing.indices or thing.memory.has_row(thing.indices):
                inner[parameter.name] = thing
                return
            else:
                thing = self._interpreter.value(thing, written)
        if isinstance(thing, Pointer) and kind.pointers and thing.memory.space is Space.LOCAL:
            thing = Pointer(thing.memory, thing.indices or (0,), thing.view)
        if isinstance(thing, TERM) and not kind.pointers:
            thing = narrowed(thing, self._evaluator.types.kind(kind.name).integer)
        self._state.declare(inner, parameter.name, thing)

    def initial(self, variable: Variable, thing: AbstractValue, written: Expr) -> AbstractValue:
        """What a variable holds once it is made from ``thing``."""
        kind = variable.type
        if isinstance(thing, Object) and isinstance(written, Name) and not kind.pointers:
            return self._interpreter.objects.copied(thing)
        if isinstance(thing, MemoryElement):
            known_kind = self._evaluator.types.kind(kind.name)
            is_number = not kind.pointers and known_kind.is_number
            if not is_number and (not thing.indices or thing.memory.has_row(thing.indices)):
                # A copy of an accessor, or a row of it.
                return Pointer(thing.memory, (*thing.indices, 0), thing.view) if kind.pointers else thing
            if kind.pointers and self._may_convert(thing.memory):
                # What the class's conversion function leads to; it reads no element.
                self._escapes.thing(thing)
                return None
            return self._state.read(thing, written)
        if isinstance(thing, Pointer):
            if kind.pointers or self._evaluator.types.kind(kind.name).automatic or kind.name.last.endswith("ptr"):
                return thing
            lose(thing)
            return None
        resolved = self._evaluator.types.kind(kind.name)
        if resolved.floating and isinstance(thing, TERM):
            return thing if not varies(thing) else None
        if kind.extents:
            return None
        return thing if kind.pointers else narrowed(thing, resolved.integer)

    def _may_convert(self, memory: MemoryObject) -> bool:
        """Whether an element may be an object of a class, which is a pointer only by a conversion function."""
        return not memory.element or bool(self._evaluator.facts.structs.get(memory.element.partition("<")[0]))
