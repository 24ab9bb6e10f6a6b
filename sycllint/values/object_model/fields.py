"""The data members of classes, and what their initialisers, constructors and methods may do to one another."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from sycllint.cpp.expression import Call, Lambda, Name
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import STATIC, Damaged, Declaration, Function, Struct, Variable, Variants
from sycllint.facts.file import Declared
from sycllint.record import NamedTuple
from sycllint.values.object_model.methods import Methods
from sycllint.values.objects import Point
from sycllint.values.side_effects.lvalues import named

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

_SETTLED = re.compile(rb"=\s*(default|delete)\b")
_PURE = re.compile(rb"[^;{}]*=\s*0\s*;")
_BIT_FIELD = re.compile(rb"\s*:(?!:)")


class Fields(NamedTuple):
    """What the objects of a class consist of, in order, and how they are made."""

    variables: dict[str, Variable]
    constructors: tuple[Function, ...]
    place: Place
    """Inside the class."""
    disturbed: frozenset[str]
    """Those that the initialiser of another member may change."""


def function_around(place: Place) -> Declared[Function] | None:
    """The function that a place is in."""
    found = place.around(Function)
    return None if found is None else Declared(cast("Function", found.node), found)


class Classes:
    """Data members for one evaluator."""

    def __init__(self, evaluator: Evaluation, methods: Methods) -> None:
        self._evaluator = evaluator
        self._methods = methods
        self._fields: dict[int, Fields | None] = {}

    def fields(self, struct: Declared[Struct]) -> Fields | None:
        """The data members of a class; ``None`` when they are not all evident."""
        key = id(struct.node)
        if key not in self._fields:
            self._fields[key] = self._read(struct)
        return self._fields[key]

    def of_method(self, owner: Function, place: Place) -> Declared[Struct] | None:
        """The class whose method ``owner`` is."""
        return self._evaluator.symbols.class_defining(Declared(owner, place))

    def class_of(self, struct: Declared[Struct], member: str) -> Declared[Struct] | None:
        """The class of which a data member of ``struct`` is an object."""
        fields = self.fields(struct)
        variable = fields.variables.get(member) if fields is not None else None
        if fields is None or variable is None or variable.type.pointers or variable.type.reference:
            return None
        if variable.type.extents:
            return None
        return self._evaluator.kind(variable.type.name, Point(fields.place, variable.start)).struct

    def is_local(self, text: str, point: Point) -> bool:
        """Whether ``text`` is declared inside the functions around ``point``."""
        declared = self._evaluator.declarations.nearest(text, point)
        outer = declared[1].outer if declared is not None else None
        return declared is not None and (outer is None or not isinstance(outer.node, Struct))

    def _read(self, struct: Declared[Struct]) -> Fields | None:
        node, place = struct.node, Place(struct.node.members, struct.place)
        last = named_last(struct)
        variables: dict[str, Variable] = {}
        constructors: list[Function] = []
        content = self._evaluator.facts.content_at(place)
        # Constant methods may change what is mutable.
        if node.keyword == "union" or content is None or b"mutable" in content[node.members.start : node.members.end]:
            return None
        for statement in node.members.statements:
            if isinstance(statement, Variants | Damaged) or (isinstance(statement, Struct) and not statement.name):
                return None
            if isinstance(statement, Function):
                if statement.name.startswith("operator->"):
                    return None
                if statement.name in (last, "operator=") and not self.is_settled(statement, place):
                    if _copies(statement, last):
                        return None
                    if statement.name == last:
                        constructors.append(statement)
            for variable in statement.variables if isinstance(statement, Declaration) else ():
                if _BIT_FIELD.match(content, variable.end):
                    return None
                if not variable.flags & STATIC:
                    variables[variable.name] = variable
        return Fields(variables, tuple(constructors), place, self._disturbed(struct, variables, constructors))

    def _disturbed(
        self, struct: Declared[Struct], variables: dict[str, Variable], constructors: list[Function]
    ) -> frozenset[str]:
        """The members that initialisers may change, or let others change."""
        bodies = [self._methods.defined(each, struct) for each in constructors]
        made = [*constructors, *(each.node for each in bodies if each is not None)]
        given = [(variables.get(name), each) for one in made for name, each in one.initializers]
        given += [(each, each.arguments) for each in variables.values()]
        names: set[str] = set()
        for variable, arguments in given:
            if any(self._reaches_all(each, struct) for argument in arguments for each in walk(argument)):
                return frozenset(variables)
            for argument in arguments:
                names |= self._evaluator.mutations.of(argument)
                if variable is not None and (variable.type.reference or variable.type.pointers):
                    names |= named(argument)
        # A number beside ``-`` is no array that becomes a pointer.
        changed = {each.lstrip("&") for each in names}
        return frozenset(name for name, each in variables.items() if name in changed or _is_array(each, changed))

    def _reaches_all(self, node: Node, struct: Declared[Struct]) -> bool:
        """Whether an initialiser has the whole object in its hands: a lambda, ``this``, a method that may write."""
        match node:
            case Lambda() | Name(text="this"):
                return True
            case Call(function=Name(text=name)):
                return not all(self._methods.only_reads(each, struct) for each in self._methods.named(struct, name))
            case _:
                return False

    def is_settled(self, function: Function, place: Place) -> bool:
        """``= default`` or ``= delete``."""
        content = self._evaluator.facts.content_at(place)
        if function.body is not None or content is None:
            return False
        return _SETTLED.search(content, function.start, content.find(b";", function.start) + 1) is not None

    def is_pure(self, function: Function, place: Place) -> bool:
        """``= 0``: classes derived from its own define it."""
        content = self._evaluator.facts.content_at(place)
        return function.body is None and content is not None and _PURE.match(content, function.start) is not None


def named_last(struct: Declared[Struct]) -> str:
    """The name of a class without what it is declared in: that of its constructors."""
    return struct.node.name.rpartition("::")[2]


def _is_array(variable: Variable, changed: set[str]) -> bool:
    return bool(variable.type.extents) and f"*{variable.name}" in changed


def _copies(function: Function, name: str) -> bool:
    """Whether a class's own function makes a copy: who has copied an object is not followed."""
    kind = function.parameters[0].type if function.parameters else None
    return kind is not None and kind.reference and (kind.name.last == name or bool(function.template_parameters))
