"""What a variable, a parameter or an object of a class holds that is made from something, by its type."""

from __future__ import annotations

from sycllint.cpp.expression import Expr, Name
from sycllint.cpp.statement import FunctionParameter, Struct, Variable
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
from sycllint.device_code.access_trace.interpreter import Interpreter, Transfers
from sycllint.device_code.access_trace.signedness import bounds_by_ids, integer_type
from sycllint.device_code.access_trace.terms import (
    TERM,
    TRUTHS,
    Operation,
    Term,
    operation,
    varies,
)
from sycllint.device_code.access_trace.trace import MemoryObject, Space
from sycllint.device_code.limits import FULL
from sycllint.facts.file import Declared
from sycllint.symbols.initialization import initialization
from sycllint.values.arithmetic import BOOL, IntegerType
from sycllint.values.objects import Point

MAX_MEMBERS = 32


class InitialValues(Transfers):
    """Those of one walk."""

    def __init__(self, interpreter: Interpreter, escapes: EscapeAnalysis) -> None:
        super().__init__(interpreter)
        self._escapes = escapes

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
        if not isinstance(thing, TERM) or kind.pointers:
            self._state.declare(inner, parameter.name, thing)
            return
        integer = self._evaluator.types.kind(kind.name).integer
        self._state.declare(inner, parameter.name, narrowed(thing, integer))
        slot = inner[parameter.name]
        if isinstance(slot, Slot):
            point = Point(self._interpreter.function, written.start)
            slot.integer = integer or integer_type(written, names, self._evaluator, point)

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

    def made(self, struct: Declared[Struct], arguments: tuple[Expr, ...], names: Environment) -> AbstractValue:
        """An object made from ``arguments``; ``None`` when its class does something else than to keep them."""
        declared = {each.name: each for each in struct.node.variables}
        if not declared or len(declared) > MAX_MEMBERS or struct.node.bases or struct.node.keyword == "union":
            return None
        made = initialization(self._evaluator.symbols, struct, arguments)
        if made is None:
            return None
        inner = names
        if made.constructor is not None:
            function = made.constructor.node
            if not made.arguments or function.body is None or function.body.statements or function.damaged:
                # One with a body of its own is not followed.
                return None
            inner = {}
            for parameter, argument in zip(function.parameters, made.arguments, strict=False):
                thing = self._interpreter.thing(argument, names)
                self.bind(inner, parameter, thing, argument, names)
        members: dict[str, Slot | MemoryElement] = {}
        for name in declared:
            self._interpreter.objects.declare(members, name, None)
        for name, written in made.members:
            if name in declared:
                self._keep(members, declared[name], written, inner)
        return Object(struct, members)

    def _keep(
        self, members: dict[str, Slot | MemoryElement], variable: Variable, written: Expr, names: Environment
    ) -> None:
        """Initialise one member; a reference is what it is bound to."""
        thing = self._interpreter.thing(written, names)
        slot = self._interpreter.slot(written, names)
        if variable.type.reference and (isinstance(thing, MemoryElement) or slot is not None):
            members[variable.name] = thing if isinstance(thing, MemoryElement) else slot or Slot()
            return
        kind = self._evaluator.types.kind(variable.type.name)
        if isinstance(thing, MemoryElement) and not (variable.type.pointers or kind.is_number):
            # An alias may be one of a reference.
            lose(thing)
            thing = None
        self._interpreter.objects.declare(members, variable.name, self.initial(variable, thing, written))


def narrowed(thing: AbstractValue, kind: IntegerType | None) -> AbstractValue:
    """What a variable of an integer type holds that is given ``thing``."""
    if kind is None or kind.bits >= FULL or not isinstance(thing, TERM):
        return thing
    return _truth(thing) if kind == BOOL else _cut(thing, kind)


def _truth(term: Term) -> Term | None:
    if isinstance(term, Operation) and term.operator in TRUTHS:
        return term
    return operation("!=", term, 0)


def _cut(term: Term, kind: IntegerType) -> Term | None:
    size = 1 << kind.bits
    lowest = -size // 2 if kind.signed else 0
    reached = bounds_by_ids(term)
    if reached is not None and lowest <= reached[0] and reached[1] < lowest + size:
        return term
    rest = operation("&", operation("-", term, lowest), size - 1)
    return operation("+", rest, lowest)
