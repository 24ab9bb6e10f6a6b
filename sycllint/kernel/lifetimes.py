"""Variables whose classes may make work-items wait: while they are made, and when their block ends."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Brace, Call, Expr, Lambda, Member, Name, Text
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, Struct, Variable
from sycllint.domains.meaning import Role
from sycllint.domains.vocabulary import WORK_GROUP_MAKERS, may_synchronise
from sycllint.kernel.trace import Scope
from sycllint.kernel.walk_state import Names, Slot, State
from sycllint.values.evaluate import Evaluator

if TYPE_CHECKING:
    from sycllint.kernel.accesses import Walk

NOTHING_LIVES: tuple[Variable, ...] = ()


class Lifetimes:
    """Those of one walk."""

    def __init__(self, evaluator: Evaluator, state: State, walk: Walk) -> None:
        self._facts = evaluator.facts
        self._types = evaluator.types
        self._state = state
        self._walk = walk
        self.numbers: set[str] = set()
        """Types that are known to be numbers."""
        self.living = NOTHING_LIVES
        """Variables that may wait when the block ends that is being walked."""

    def variable(self, variable: Variable, names: Names) -> None:
        """A declaration of one variable."""
        kind = variable.type
        resolved = self._types.kind(kind.name)
        if resolved.is_number:
            self.numbers.add(kind.name.text)
            self._walk.variable(variable, names)
            return
        if kind.pointers or kind.reference or (kind.extents and variable.style != "="):
            self._walk.variable(variable, names)
            return
        if resolved.automatic:
            self._of_call(variable, names)
        elif self._is_statement(variable, names):
            self._may_wait(variable)
            self._walk.variable(variable, names)
        else:
            self._object(variable, names)
        slot = names.get(variable.name)
        if isinstance(slot, Slot) and slot.value is None:
            slot.kind = kind

    def _of_call(self, variable: Variable, names: Names) -> None:
        """``auto phase = enter();``: what a function out of sight gives may wait in the end."""
        known = self._state.unseen
        self._walk.variable(variable, names)
        if self._state.unseen > known and not self._is_named(variable):
            self.living += (variable,)

    def _object(self, variable: Variable, names: Names) -> None:
        """``Phase phase;``.

        A variable of a class out of sight that nothing names is there for what it does; others may be plain numbers.
        """
        kind, synchronisation = variable.type, self._walk.calls.synchronisation
        handed = any(_is_group(each, names) for each in variable.arguments)
        self._walk.variable(variable, names)
        place = self._walk.expressions.function
        making = synchronisation.making(kind, place)
        if not making or self._is_parameter(kind.name.text):
            return
        struct = self._types.kind(kind.name, place).struct
        if struct is None:
            self._out_of_sight(variable, names, waits=handed)
        acting = handed or struct is not None or not self._is_named(variable)
        if acting or variable.style in ("(", "{"):
            self._may_wait(variable)
        if acting and synchronisation.ending(kind, place):
            self.living += (variable,)

    def _out_of_sight(self, variable: Variable, names: Names, *, waits: bool) -> None:
        """An object of a class that nobody sees may keep references to what it is made from."""
        if variable.style in ("(", "{"):
            for each in variable.arguments:
                self._walk.expressions.escapes.kept(each, names)
        slot = names.get(variable.name)
        if isinstance(slot, Slot) and (slot.value is None or isinstance(slot.value, Role)):
            slot.value, slot.waits = None, waits

    def end(self) -> None:
        """A block ends, and with it its variables."""
        for each in self.living:
            self._may_wait(each)

    def _may_wait(self, variable: Variable) -> None:
        self._state.sync(Scope.WORK_GROUP, variable, seen=False)

    def _is_statement(self, variable: Variable, names: Names) -> bool:
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
        place = self._walk.expressions.function
        body = place.node.body if isinstance(place.node, Function | Lambda) else None
        content = self._facts.content_at(Place(body, place)) if body is not None else None
        if body is None or content is None:
            return True
        word = re.compile(rb"\b%s\b" % re.escape(variable.name.encode()))
        return word.search(content, variable.end, body.end) is not None

    def _is_parameter(self, text: str) -> bool:
        """Whether a type is a parameter of a template around: a number, as a rule."""
        return any(
            parameter.name == text
            for node in self._walk.expressions.function.chain()
            if isinstance(node, Function | Lambda | Struct)
            for parameter in node.template_parameters
        )


def _is_group(written: Expr, names: Names) -> bool:
    match written:
        case Name(text=text):
            slot = names.get(text)
            return isinstance(slot, Slot) and isinstance(slot.value, Role)
        case Call(function=Member(object=inner, name=name), arguments=()):
            return name in WORK_GROUP_MAKERS and _is_group(inner, names)
        case _:
            return False
