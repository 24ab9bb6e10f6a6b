"""Declarations in device code: what their variables hold from there on, and when making or ending one may wait."""

from __future__ import annotations

import re

from sycllint.cpp.expression import Brace, Call, Expr, Lambda, Member, Name, Text
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Declaration, Function, Variable
from sycllint.device_code.access_trace.abstract_values import AbstractValue, Environment, MemoryElement, Slot
from sycllint.device_code.access_trace.escape_analysis import EscapeAnalysis
from sycllint.device_code.access_trace.id_queries import Ids
from sycllint.device_code.access_trace.initial_values import InitialValues
from sycllint.device_code.access_trace.interpreter import Interpreter, Transfers
from sycllint.device_code.access_trace.memory_calls import MemoryCalls
from sycllint.device_code.access_trace.signedness import integer_type
from sycllint.domains.meaning import Role
from sycllint.domains.vocabulary import STATIC_LOCAL, WORK_GROUP_MAKERS, may_synchronise
from sycllint.symbols.templates import template_parameter
from sycllint.values.arithmetic import IntegerType
from sycllint.values.memory import Answers
from sycllint.values.objects import Point

_named: Answers[tuple[Variable, Node], bool] = Answers()
"""Whether a variable is named after its declaration in a body: a macro's are walked at each of its uses."""


class DeclarationTransfer(Transfers):
    """Those of one walk."""

    def __init__(
        self,
        interpreter: Interpreter,
        escapes: EscapeAnalysis,
        shared: MemoryCalls,
        bindings: InitialValues,
    ) -> None:
        super().__init__(interpreter)
        self._escapes = escapes
        self._shared = shared
        self._bindings = bindings
        self._types = interpreter.evaluator.types
        self._numbers: set[str] = set()
        """Types that are known to be numbers."""

    def _declared(self, variable: Variable, names: Environment) -> None:
        """What a variable holds from its declaration on."""
        kind = variable.type
        arguments = variable.arguments
        last = kind.name.last
        if last in STATIC_LOCAL and kind.name.arguments:
            own = self._shared.allocate(variable, kind.name.arguments[0], variable.name, initialised=False)
            names[variable.name] = MemoryElement(own.memory, ())
            return
        resolved = self._interpreter.kind(kind.name)
        if last == "atomic_ref" or resolved.sycl == "atomic_ref":
            self._state.declare(names, variable.name, self._shared.atomic(kind.name, arguments, names))
            return
        if resolved.struct is not None and variable.style != "=" and not (kind.pointers or kind.reference):
            made = None if kind.extents else self._bindings.made(resolved.struct, arguments, names)
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
        integer = resolved.integer
        if resolved.automatic:
            point = Point(self._interpreter.function, variable.start)
            integer = integer_type(only, names, self._evaluator, point)
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
        self._declare(variable, integer, self._bindings.initial(variable, thing, only), names)

    def _declare(
        self, variable: Variable, integer: IntegerType | None, thing: AbstractValue, names: Environment
    ) -> None:
        """A new variable; by its type it may not change, or not hold every number."""
        self._state.declare(names, variable.name, thing)
        declared = names[variable.name]
        if isinstance(declared, Slot) and not variable.type.pointers:
            declared.fixed = variable.type.constant
            declared.integer = integer

    def declaration(self, node: Declaration, names: Environment) -> bool:
        """The transfer function of a declaration."""
        for variable in node.variables:
            if variable.type.name.text in self._numbers:
                self._declared(variable, names)
            else:
                self._variable(variable, names)
        return True

    def _variable(self, variable: Variable, names: Environment) -> None:
        """A declaration of one variable."""
        kind = variable.type
        resolved = self._types.kind(kind.name)
        if resolved.is_number:
            self._numbers.add(kind.name.text)
            self._declared(variable, names)
            return
        if kind.pointers or kind.reference or (kind.extents and variable.style != "="):
            self._declared(variable, names)
            return
        if resolved.automatic:
            self._of_call(variable, names)
        elif self._is_statement(variable, names):
            self._interpreter.may_wait(variable)
            self._declared(variable, names)
        else:
            self._object(variable, names)
        slot = names.get(variable.name)
        if isinstance(slot, Slot) and slot.value is None:
            slot.kind = kind

    def _of_call(self, variable: Variable, names: Environment) -> None:
        """``auto phase = enter();``: what a function that is not visible returns may wait in the end."""
        known = self._state.unseen
        self._declared(variable, names)
        if self._state.unseen > known and not self._is_named(variable):
            self._interpreter.living += (variable,)

    def _object(self, variable: Variable, names: Environment) -> None:
        """``Phase phase;``.

        A variable of a class that is not visible is there for what it does if nothing names it; others may be numbers.
        """
        kind, synchronisation = variable.type, self._interpreter.synchronisation
        handed = any(_is_group(each, names) for each in variable.arguments)
        self._declared(variable, names)
        place = self._interpreter.function
        making = synchronisation.making(kind, place)
        if not making or template_parameter(kind.name.text, place) is not None:
            return
        struct = self._types.kind(kind.name, place).struct
        if struct is None:
            self._opaque_object(variable, names, waits=handed)
        acting = handed or struct is not None or not self._is_named(variable)
        if acting or variable.style in ("(", "{"):
            self._interpreter.may_wait(variable)
        if acting and synchronisation.ending(kind, place):
            self._interpreter.living += (variable,)

    def _opaque_object(self, variable: Variable, names: Environment, *, waits: bool) -> None:
        """An object of a class that is not visible may keep references to what it is made from."""
        if variable.style in ("(", "{"):
            for each in variable.arguments:
                self._escapes.kept(each, names)
        slot = names.get(variable.name)
        if isinstance(slot, Slot) and (slot.value is None or isinstance(slot.value, Role)):
            slot.value, slot.waits = None, waits

    def _is_statement(self, variable: Variable, names: Environment) -> bool:
        """Whether it declares nothing: ``SYNC x = 1;``, by a macro that is not visible and needs no semicolon."""
        last = variable.type.name.last
        if may_synchronise(last, shouted=False) and self._types.kind(variable.type.name).struct is None:
            return True
        if variable.style != "=":
            return False
        if variable.type.extents:
            return not isinstance(variable.arguments[0], Brace | Text)
        return last.isupper() and variable.name in names

    def _is_named(self, variable: Variable) -> bool:
        """Whether the function that is being walked names a variable after its declaration."""
        place = self._interpreter.function
        body = place.node.body if isinstance(place.node, Function | Lambda) else None
        content = self._facts.content_at(Place(body, place)) if body is not None else None
        if body is None or content is None:
            return True
        end = body.end
        return _named.of(self._interpreter.evaluator, (variable, body), lambda: _stands(variable, content, end))


def _stands(variable: Variable, content: bytes, end: int) -> bool:
    """Whether the name of a variable stands between its declaration and ``end``."""
    word = variable.name.encode()
    first = content.find(word, variable.end, end)
    return first >= 0 and re.compile(rb"\b%s\b" % re.escape(word)).search(content, first, end) is not None


def _is_group(written: Expr, names: Environment) -> bool:
    match written:
        case Name(text=text):
            slot = names.get(text)
            return isinstance(slot, Slot) and isinstance(slot.value, Role)
        case Call(function=Member(object=inner, name=name), arguments=()):
            return name in WORK_GROUP_MAKERS and _is_group(inner, names)
        case _:
            return False
