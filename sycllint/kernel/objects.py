"""Objects of the project's classes in device code: a variable for each data member, found by its name in a method."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sycllint.cpp.expression import Assign, Brace, Expr, Increment, Member, Name
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, Loop, RangeLoop, Struct, Variable
from sycllint.domains.meaning import fields
from sycllint.facts.file import Declared
from sycllint.kernel.walk_state import Element, Names, Object, Slot, State, Thing, lose
from sycllint.symbols.arity import accepts
from sycllint.values.evaluate import Evaluator

if TYPE_CHECKING:
    from sycllint.kernel.accesses import Walk

MAX_MEMBERS = 32


class Objects:
    """Those of one walk."""

    def __init__(self, evaluator: Evaluator, state: State, walk: Walk) -> None:
        self._evaluator = evaluator
        self._facts = evaluator.facts
        self._state = state
        self._walk = walk
        self._methods: dict[int, frozenset[str]] = {}

    def made(self, struct: Declared[Struct], arguments: tuple[Expr, ...], names: Names) -> Thing:
        """An object made from ``arguments``; ``None`` when its class does something else than to keep them."""
        declared = tuple(fields(struct.node))
        if not declared or len(declared) > MAX_MEMBERS or struct.node.bases or struct.node.keyword == "union":
            return None
        if len(arguments) == 1 and isinstance(arguments[0], Brace) and arguments[0].type is None:
            arguments = arguments[0].elements
        members: dict[str, Slot | Element] = {}
        for each in declared:
            self._declare(members, each.name, None)
        constructors = self._constructors(struct)
        if not constructors:
            for variable, argument in zip(declared, arguments, strict=False):
                self._keep(members, variable, argument, names)
            return Object(struct, members)
        fitting = [each for each in constructors if accepts(each.node, len(arguments))]
        if len(fitting) != 1 or not arguments:
            return None
        return self._constructed(struct, fitting[0], arguments, members, names)

    def member(self, made: Object, name: str) -> Slot | Element | None:
        """A data member; of an object that the kernel was given, a number that all its work-items share."""
        found = made.members.get(name)
        if found is None and made.given is not None:
            declared = next((each for each in fields(made.struct.node) if each.name == name), None)
            if declared is not None:
                found = made.members[name] = Slot(self._given(made.given, declared))
        return found

    def _given(self, given: tuple[Expr, Place], declared: Variable) -> Thing:
        kind = declared.type
        if kind.pointers or kind.reference or kind.extents:
            return None
        written, place = given
        part = Member(written, declared.name, None, written.start, written.end)
        return self._walk.given.part(part, self._evaluator.types.kind(kind.name), place)

    def every(self, made: Object) -> dict[str, Slot | Element]:
        """All data members, by their names."""
        if made.given is not None:
            for each in fields(made.struct.node):
                self.member(made, each.name)
        return made.members

    def _keep(self, members: dict[str, Slot | Element], variable: Variable, written: Expr, names: Names) -> None:
        """Initialise one member; a reference is what it is bound to."""
        thing = self._walk.expressions.thing(written, names)
        slot = self._walk.expressions.slot(written, names)
        if variable.type.reference and (isinstance(thing, Element) or slot is not None):
            members[variable.name] = thing if isinstance(thing, Element) else slot or Slot()
            return
        kind = self._evaluator.types.kind(variable.type.name)
        if isinstance(thing, Element) and not (variable.type.pointers or kind.is_number):
            # An alias may be one of a reference.
            lose(thing)
            thing = None
        self._declare(members, variable.name, self._walk.initial(variable, thing, written))

    def _declare(self, members: dict[str, Slot | Element], name: str, thing: Thing) -> None:
        inner: Names = {}
        self._state.declare(inner, name, thing)
        slot = inner[name]
        assert isinstance(slot, Slot)
        members[name] = slot

    def _constructors(self, struct: Declared[Struct]) -> list[Declared[Function]]:
        symbols = self._evaluator.symbols
        scope = symbols.scope_of(struct)
        return [each for each in symbols.methods(scope.name, scope) if symbols.is_constructor(each)]

    def _constructed(
        self,
        struct: Declared[Struct],
        constructor: Declared[Function],
        arguments: tuple[Expr, ...],
        members: dict[str, Slot | Element],
        names: Names,
    ) -> Thing:
        """The members as the constructor's initialisers leave them; one with a body of its own is not followed."""
        function = constructor.node
        if function.body is None or function.body.statements or function.damaged:
            return None
        inner: Names = {}
        for parameter, argument in zip(function.parameters, arguments, strict=False):
            thing = self._walk.expressions.thing(argument, names)
            self._walk.calls.followed.bind(inner, parameter, thing, argument, names)
        kinds = {each.name: each for each in fields(struct.node)}
        for name, written in function.initializers:
            if name not in kinds or len(written) != 1:
                continue
            self._keep(members, kinds[name], written[0], inner)
        return Object(struct, members)

    def copied(self, made: Object) -> Object:
        """Another object with the same members."""
        members: dict[str, Slot | Element] = {}
        for name, each in made.members.items():
            if isinstance(each, Slot):
                self._declare(members, name, self.copied(each.value) if isinstance(each.value, Object) else each.value)
            else:
                members[name] = each
        return Object(made.struct, members, made.given)

    def changed(self, made: Object, loop: Loop | RangeLoop) -> list[Slot]:
        """The members that iterations of ``loop``, or methods of the class, may assign to."""
        struct = made.struct.node
        names = self._methods.get(id(struct))
        if names is None:
            names = self._methods[id(struct)] = frozenset(_assigned(struct))
        names = names | frozenset(_assigned(loop))
        return [slot for name, slot in self.every(made).items() if name in names and isinstance(slot, Slot)]


def _assigned(node: Node) -> list[str]:
    """The last names of what is assigned to inside."""
    found: list[str] = []
    for each in walk(node):
        match each:
            case Assign(left=Name(text=name) | Member(name=name)):
                found.append(name)
            case Increment(operand=Name(text=name) | Member(name=name)):
                found.append(name)
            case _:
                pass
    return found
