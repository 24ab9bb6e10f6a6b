"""Declarations in device code: what their variables hold from there on."""

from __future__ import annotations

from sycllint.cpp.expression import Name
from sycllint.cpp.statement import Variable
from sycllint.device_code.access_trace.abstract_values import AbstractValue, Environment, MemoryElement, Slot
from sycllint.device_code.access_trace.escape_analysis import EscapeAnalysis
from sycllint.device_code.access_trace.id_queries import Ids
from sycllint.device_code.access_trace.initial_values import InitialValues
from sycllint.device_code.access_trace.interpreter import Interpreter
from sycllint.device_code.access_trace.memory_calls import MemoryCalls
from sycllint.device_code.access_trace.object_construction import ObjectConstruction
from sycllint.device_code.limits import FULL
from sycllint.domains.vocabulary import STATIC_LOCAL
from sycllint.values.arithmetic import IntegerType


class DeclaredVariables:
    """Those of one walk."""

    def __init__(
        self,
        interpreter: Interpreter,
        escapes: EscapeAnalysis,
        shared: MemoryCalls,
        bindings: InitialValues,
        construction: ObjectConstruction,
    ) -> None:
        self._interpreter = interpreter
        self._escapes = escapes
        self._shared = shared
        self._bindings = bindings
        self._construction = construction
        self._evaluator = interpreter.evaluator
        self._state = interpreter.state

    def variable(self, variable: Variable, names: Environment) -> None:
        """What a variable holds from its declaration on."""
        kind = variable.type
        arguments = variable.arguments
        last = kind.name.last
        if last in STATIC_LOCAL and kind.name.arguments:
            own = self._shared.allocate(variable, kind.name.arguments[0], variable.name, initialised=False)
            names[variable.name] = MemoryElement(own.memory, ())
            return
        resolved = self._evaluator.types.kind(kind.name)
        if last == "atomic_ref" or resolved.sycl == "atomic_ref":
            self._state.declare(names, variable.name, self._shared.atomic(arguments, names))
            return
        if resolved.struct is not None and variable.style != "=" and not (kind.pointers or kind.reference):
            made = None if kind.extents else self._construction.made(resolved.struct, arguments, names)
            if made is not None:
                self._state.declare(names, variable.name, made)
                return
        if resolved.sycl in ("id", "range") and arguments:
            thing = self._interpreter.thing(arguments[0], names) if len(arguments) == 1 else None
            if thing is None or len(arguments) > 1:
                thing = Ids(tuple(self._interpreter.term(each, names) for each in arguments))
            self._state.declare(names, variable.name, thing)
            return
        if len(arguments) != 1:
            for each in arguments:
                self._escapes.discard(each, names)
            self._declare(variable, resolved.integer, None, names)
            return
        only = arguments[0]
        thing = self._interpreter.thing(only, names)
        if kind.reference:
            slot = names.get(only.text) if isinstance(only, Name) else None
            if isinstance(thing, MemoryElement):
                names[variable.name] = thing
                return
            if isinstance(slot, Slot):
                names[variable.name] = slot
                return
            if not kind.constant:
                self._escapes.kept(only, names)
        self._declare(variable, resolved.integer, self._bindings.initial(variable, thing, only), names)

    def _declare(
        self, variable: Variable, integer: IntegerType | None, thing: AbstractValue, names: Environment
    ) -> None:
        """A new variable; by its type it may not change, or not hold every number."""
        self._state.declare(names, variable.name, thing)
        declared = names[variable.name]
        if isinstance(declared, Slot) and not variable.type.pointers:
            declared.fixed = variable.type.constant
            declared.integer = integer if integer is not None and integer.bits < FULL else None
