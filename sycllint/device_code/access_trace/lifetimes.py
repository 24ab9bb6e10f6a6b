"""Variables whose classes may make work-items wait: while they are made, and when their block ends."""

from __future__ import annotations

import re

from sycllint.cpp.expression import Brace, Call, Expr, Lambda, Member, Name, Text
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Declaration, Function, Struct, Variable
from sycllint.device_code.access_trace.abstract_values import Environment, Slot
from sycllint.device_code.access_trace.declarations import DeclaredVariables
from sycllint.device_code.access_trace.escape_analysis import EscapeAnalysis
from sycllint.device_code.access_trace.interpreter import Interpreter
from sycllint.domains.meaning import Role
from sycllint.domains.vocabulary import WORK_GROUP_MAKERS, may_synchronise
from sycllint.values.memory import Answers

_named: Answers[tuple[Variable, Node], bool] = Answers()
"""Whether a variable is named after its declaration in a body: a macro's are walked at each of its uses."""


class Lifetimes:
    """Those of one walk."""

    def __init__(self, interpreter: Interpreter, escapes: EscapeAnalysis, declarations: DeclaredVariables) -> None:
        self._interpreter = interpreter
        self._escapes = escapes
        self._declarations = declarations
        self._facts = interpreter.facts
        self._types = interpreter.evaluator.types
        self._state = interpreter.state
        self._numbers: set[str] = set()
        """Types that are known to be numbers."""

    def declaration(self, node: Declaration, names: Environment) -> bool:
        """The transfer function of a declaration."""
        for variable in node.variables:
            if variable.type.name.text in self._numbers:
                self._declarations.variable(variable, names)
            else:
                self._variable(variable, names)
        return True

    def _variable(self, variable: Variable, names: Environment) -> None:
        """A declaration of one variable."""
        kind = variable.type
        resolved = self._types.kind(kind.name)
        if resolved.is_number:
            self._numbers.add(kind.name.text)
            self._declarations.variable(variable, names)
            return
        if kind.pointers or kind.reference or (kind.extents and variable.style != "="):
            self._declarations.variable(variable, names)
            return
        if resolved.automatic:
            self._of_call(variable, names)
        elif self._is_statement(variable, names):
            self._interpreter.may_wait(variable)
            self._declarations.variable(variable, names)
        else:
            self._object(variable, names)
        slot = names.get(variable.name)
        if isinstance(slot, Slot) and slot.value is None:
            slot.kind = kind

    def _of_call(self, variable: Variable, names: Environment) -> None:
        """``auto phase = enter();``: what a function out of sight gives may wait in the end."""
        known = self._state.unseen
        self._declarations.variable(variable, names)
        if self._state.unseen > known and not self._is_named(variable):
            self._interpreter.living += (variable,)

    def _object(self, variable: Variable, names: Environment) -> None:
        """``Phase phase;``.

        A variable of a class out of sight that nothing names is there for what it does; others may be plain numbers.
        """
        kind, synchronisation = variable.type, self._interpreter.synchronisation
        handed = any(_is_group(each, names) for each in variable.arguments)
        self._declarations.variable(variable, names)
        place = self._interpreter.function
        making = synchronisation.making(kind, place)
        if not making or self._is_parameter(kind.name.text):
            return
        struct = self._types.kind(kind.name, place).struct
        if struct is None:
            self._out_of_sight(variable, names, waits=handed)
        acting = handed or struct is not None or not self._is_named(variable)
        if acting or variable.style in ("(", "{"):
            self._interpreter.may_wait(variable)
        if acting and synchronisation.ending(kind, place):
            self._interpreter.living += (variable,)

    def _out_of_sight(self, variable: Variable, names: Environment, *, waits: bool) -> None:
        """An object of a class that nobody sees may keep references to what it is made from."""
        if variable.style in ("(", "{"):
            for each in variable.arguments:
                self._escapes.kept(each, names)
        slot = names.get(variable.name)
        if isinstance(slot, Slot) and (slot.value is None or isinstance(slot.value, Role)):
            slot.value, slot.waits = None, waits

    def _is_statement(self, variable: Variable, names: Environment) -> bool:
        """Whether it declares nothing: ``SYNC x = 1;``, by a macro out of sight that needs no semicolon."""
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

    def _is_parameter(self, text: str) -> bool:
        """Whether a type is a parameter of a template around: a number, as a rule."""
        return any(
            parameter.name == text
            for node in self._interpreter.function.chain()
            if isinstance(node, Function | Lambda | Struct)
            for parameter in node.template_parameters
        )


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
