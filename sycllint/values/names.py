"""Names outside functions: constants of namespaces and classes, enumerators, members of templates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from sycllint.cpp.expression import Name, Type
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    CONST,
    STATIC,
    Alias,
    Block,
    Declaration,
    Enum,
    Enumerator,
    Namespace,
    Struct,
    Variable,
)
from sycllint.facts.file import Declared, FileFacts
from sycllint.memoized import memoized
from sycllint.symbols.templates import template_parameter
from sycllint.values.arithmetic import BOOL, INT, Scalar, binary, convert
from sycllint.values.deduction.instances import MAX_ALIASES
from sycllint.values.deduction.traits import trait
from sycllint.values.objects import BoundClass, Desugared, Frame, Instance, Point, Result
from sycllint.values.types import as_type
from sycllint.values.value import Known, Unknown

if TYPE_CHECKING:
    from sycllint.values.whole import Whole

_CONSTANTS = frozenset({"std::integral_constant", "std::bool_constant"})
_TRUTHS = {"std::true_type": 1, "std::false_type": 0}
"""Types that stand for one number."""
_DECLTYPE = "decltype("


class GlobalNames:
    """Global names of one unit."""

    def __init__(self, evaluator: Whole) -> None:
        self._evaluator = evaluator
        self._facts = evaluator.facts
        self._globals: dict[int, Result] = {}

    def value(self, name: Name, point: Point) -> Result:
        """A constant of a namespace, class or enumeration."""
        if name.arguments is not None:
            said = trait(self._evaluator, name, point) or self._instance(name, point)
            return said or self._evaluator.unknown(f"{name.text} is a variable template", name)
        found = self._evaluator.symbols.variables(name, point.place).declared
        if not found:
            return self._outside(name, point)
        instance = self._of_instance(found, name, point)
        if instance is not None:
            return instance
        if len(found) > 1:
            found = tuple(each for each in found if not isinstance(each.node, Variable) or each.node.arguments) or found
        return self._evaluator.joined([self._global_value(each) for each in found], name)

    def _instance(self, name: Name, point: Point) -> Result | None:
        """The constant ``block<float>``, a member of its name of what stands for the template."""
        is_visible = self._evaluator.symbols.classes(name, point.place).sure or name.around is not None
        bound = self._evaluator.instances.of(name, point) if is_visible else None
        return self.constant(bound, name) if bound is not None else None

    def _of_instance(self, found: Sequence[Declared[Any]], name: Name, point: Point) -> Result | None:
        """A member of a class template, for the instance that a qualifier names or a class around inherits from."""
        symbols = self._evaluator.symbols
        scope = name.around
        if scope is not None:
            if not any(isinstance(each, Struct) and each.template_parameters for each in found[0].place.chain()):
                return None
            bound = self._evaluator.instances.of(scope, point)
            return self.constant(bound, name) if bound is not None else None
        home = symbols.class_of(found[0])
        if home is None or symbols.scopes.at(point.place).is_in(home):
            return None
        return self._inherited_around(name, point.place)

    def _global_value(self, declared: Declared[Variable | Enumerator]) -> Result:
        if any(isinstance(each, Struct) and each.template_parameters for each in declared.place.chain()):
            # A member of a class template has a value for each of its instances.
            return self._declared_value(declared)
        key = id(declared.node)
        found = self._globals.get(key)
        if found is None:
            evaluator = self._evaluator
            self._globals[key] = evaluator.unknown(f"{declared.node.name} is defined by itself", None)
            found = self._globals[key] = evaluator.under(None, self._declared_value, declared)
        return found

    def _declared_value(self, declared: Declared[Variable | Enumerator]) -> Result:
        evaluator = self._evaluator
        here, evaluator.here = evaluator.here, declared.place
        if isinstance(declared.node, Enumerator):
            found = self.enumerator(declared.node, declared.place)
        else:
            found = self._global_variable(declared.node, declared.place)
        evaluator.here = here
        return found

    def enumerator(self, node: Enumerator, place: Place) -> Result:
        """The value of one name of an enumeration."""
        outer = place.outer
        if outer is None or not isinstance(outer.node, Enum):
            return self._evaluator.unknown("an enumerator", None)
        enum = outer.node
        result = self._counted(enum, node, outer)
        if enum.underlying is not None:
            kind = self._evaluator.kind(enum.underlying.name, Point(outer, node.start))
            number = self._evaluator.scalar(result)
            if kind.integer is None or isinstance(number, Unknown):
                return number if isinstance(number, Unknown) else self._evaluator.unknown("an enumerator", None)
            return convert(number, kind.integer)
        return result

    def _counted(self, enum: Enum, node: Enumerator, outer: Place) -> Result:
        inner = Point(outer, node.start)
        if node.value is not None:
            result = self._evaluator.evaluate(node.value, inner)
            return self._evaluator.named(node.name, result, node.start, node.end)
        before, distance = self._anchors(enum)[node]
        if before is None:
            return self._evaluator.named(node.name, Scalar(Known(distance), INT), node.start, node.end)
        anchor = self._evaluator.scalar(self._global_value(Declared(before, Place(before, outer))))
        if isinstance(anchor, Scalar):
            bare = Scalar(Known(anchor.value.value), anchor.type) if isinstance(anchor.value, Known) else anchor
            result = binary("+", bare, Scalar(Known(distance), INT))
            return self._evaluator.named(node.name, result, node.start, node.end)
        return anchor

    @memoized
    def _anchors(self, enum: Enum) -> dict[Enumerator, tuple[Enumerator | None, int]]:
        """The enumerator with a value of its own before each, and how many steps from it; ``None`` for 0."""
        found: dict[Enumerator, tuple[Enumerator | None, int]] = {}
        before, distance = None, 0
        for each in enum.enumerators:
            if each.value is not None:
                before, distance = each, 0
            found[each] = (before, distance)
            distance += 1
        return found

    def _global_variable(self, node: Variable, place: Place) -> Result:
        evaluator = self._evaluator
        outer = place.outer if place.outer is not None else place
        surroundings = list(outer.chain())
        member = next((each for each in surroundings if isinstance(each, Struct)), None)
        constant = bool(node.flags & CONST) and not node.type.pointers
        if not constant:
            if member is not None and not node.flags & STATIC:
                return evaluator.unknown(f"{node.name} is a member of {member.name}", node)
            private = node.flags & STATIC or any(isinstance(each, Namespace) and not each.name for each in surroundings)
            if not private and not self._facts.whole_program:
                return evaluator.unknown(f"{node.name} is a global variable, which other files may change", node)
            if self._is_changed_anywhere(node.name):
                return evaluator.unknown(f"{node.name} is a global variable that is assigned again", node)
        if not node.arguments and node.style != "{":
            outside = self._defined_outside(node, member) if member is not None and constant else None
            if outside is not None:
                return self._global_variable(outside.node, outside.place)
            return evaluator.unknown(f"{node.name} is defined in another file", node)
        if member is not None and not node.flags & STATIC and self._is_given(node.name, member):
            return evaluator.unknown(f"{node.name} of {member.name} is set where an object is made", node)
        result = evaluator.initial(node, Point(outer, node.start))
        if isinstance(result, Instance) and not constant:
            return evaluator.unknown(f"{node.name} is an object whose methods may change it", node)
        return evaluator.named(node.name, result, node.start, node.arguments[-1].end if node.arguments else node.end)

    def _defined_outside(self, node: Variable, struct: Struct) -> Declared[Variable] | None:
        """``const int Policy::size = 64;``, the one definition of a member that its class only declares."""
        wanted = f"{struct.name}::{node.name}"
        found = [each for each in self._facts.variables.get(node.name) if f"::{each.node.name}".endswith(f"::{wanted}")]
        return found[0] if len(found) == 1 and found[0].node.arguments else None

    def _is_given(self, name: str, struct: Struct) -> bool:
        """Whether a constructor, or a list where there is none, may give a member another value than its own."""
        constructors = [each.node for each in self._facts.functions.get(struct.name)]
        return not constructors or any(member == name for each in constructors for member, _ in each.initializers)

    @memoized
    def _is_changed_anywhere(self, name: str) -> bool:
        """Whether a function, or an initialiser outside all functions, may change what is called so outside it."""
        evaluator = self._evaluator
        is_changed = evaluator.mutations.may_change((name,), self._mentioning(name))
        return is_changed or evaluator.lookup.macro_statements.exist

    def _mentioning(self, name: str) -> Iterator[Block | Declaration]:
        """Bodies of functions, and declarations outside them, in whose text a name may stand."""
        word = b"" if name in self._facts.macro_words else name.encode()
        for facts in self._facts.files:
            content = facts.content
            nodes: tuple[Block | Declaration, ...] = (*_bodies(facts), *_declarations(facts))
            for node in nodes:
                if content.find(word, node.start, node.end) >= 0:
                    yield node

    @memoized
    def changed_by_several(self, text: str) -> bool:
        """Whether more than one function changes a name that it does not declare."""
        bodies = (each for each in self._mentioning(text) if isinstance(each, Block))
        changing = (each for each in bodies if text in self._evaluator.mutations.of(each))
        return len(list(islice(changing, 2))) > 1

    # --------------------------------------------------------------- members

    def _outside(self, name: Name, point: Point) -> Result:
        """A qualified name whose qualifier is a class that inherits it, an alias or a template parameter."""
        scope = name.around
        if scope is not None:
            bound = self._evaluator.instances.of(scope, point)
            found = self.constant(bound, name) if bound is not None else self._of_library(scope, name, point)
            if found is not None:
                return found
        return self._evaluator.unknown(f"{name.text} is not declared in this file", name)

    def _of_library(self, scope: Name, name: Name, point: Point) -> Result | None:
        """``value`` of a ``std::integral_constant``, of a type trait."""
        if name.text.rpartition("::")[2] != "value":
            return None
        return trait(self._evaluator, scope, point) or self.integral_constant(scope, point)

    def integral_constant(self, kind: Name, point: Point) -> Result | None:
        """The number that the type ``kind`` stands for; ``None`` when it is no ``std::integral_constant``."""
        used = self._evaluator.instances.used(kind, point)
        if used is not None and used.name.text in _TRUTHS:
            return Scalar(Known(_TRUTHS[used.name.text]), BOOL)
        if used is None or used.name.text not in _CONSTANTS:
            return None
        arguments = used.name.arguments or ()
        written = as_type(arguments[0]) if len(arguments) == 2 else None
        value = arguments[1] if written is not None else arguments[0] if len(arguments) == 1 else None
        if value is None or (used.name.text == "std::integral_constant") is not (written is not None):
            return None
        under = self._evaluator.under
        result = under(used.frame, self._evaluator.evaluate, value, used.point)
        if written is None:
            return result
        return under(used.frame, self._evaluator.cast, written, result, value, used.point)

    def type_named(self, name: Name, point: Point) -> Desugared:
        """The type a name stands for after aliases and bound template parameters, and where that is written."""
        frame = self._evaluator.frame
        for _ in range(MAX_ALIASES):
            if not name.is_plain:
                break
            step = self.stands_for(name, point, frame)
            if isinstance(step, Desugared):
                return step
            whole, point, frame = step
            if whole.pointers or whole.reference or whole.extents:
                return Desugared(whole.name, point, frame, whole)
            name = whole.name
        return Desugared(name, point, frame)

    def stands_for(self, name: Name, point: Point, frame: Frame | None) -> tuple[Type, Point, Frame | None] | Desugared:
        """The type that a plain name is an alias of, or that binds it, and where that is written.

        The name itself where it is neither, or is one of several.
        """
        if name.text.startswith(_DECLTYPE):
            return self._type_of(name, point, frame) or Desugared(name, point, frame, unbound=True)
        given = self._evaluator.macros.type_given(name.text, point)
        if given is not None:
            return *given, frame
        # In a function of a namespace of which no block declares a type, only what the unit knows can be an alias.
        scope = self._evaluator.symbols.scopes.at(point.place)
        may_be_alias = not scope.is_namespace or name.text in self._facts.aliases
        alias = self._local_alias(name.text, point) if may_be_alias else None
        if alias is not None:
            node, place = alias
            return node.type, Point(place, node.start), frame
        template = template_parameter(name.text, point.place)
        if template is not None:
            bound = self._evaluator.bindings.type_given(*template, point.place, frame)
            return bound or Desugared(name, point, frame, unbound=True)
        found = self.aliases(name, point) if may_be_alias else []
        aliases = [each for each in found if each.node.type.name.text != name.text]
        if len(aliases) != 1:
            return Desugared(name, point, frame, others=tuple(aliases))
        return aliases[0].node.type, standing(aliases[0]), frame

    def _type_of(self, name: Name, point: Point, frame: Frame | None) -> tuple[Type, Point, Frame | None] | None:
        """What ``decltype(variable)`` stands for."""
        variable = Name(name.text[len(_DECLTYPE) : -1].strip(), None, None, name.start, name.end)
        if not variable.text.isidentifier():
            return None
        typed = self._evaluator.under(frame, self._evaluator.static_types.of, variable, point)
        return None if typed is None else (typed.type, typed.point, typed.frame)

    def _local_alias(self, text: str, point: Point) -> tuple[Alias, Place] | None:
        """An alias declared in the function around ``point``, or before it in what is around that."""
        for place in point.place.within():
            for alias in self._aliases_of(place.node).get(text, ()) if type(place.node) is Block else ():
                if alias.start < point.offset:
                    return alias, place
        return None

    @memoized
    def _aliases_of(self, block: Block) -> dict[str, list[Alias]]:
        """The aliases that a block declares, by name."""
        found: dict[str, list[Alias]] = {}
        for statement in block.statements:
            if type(statement) is Alias:
                found.setdefault(statement.name, []).append(statement)
        return found

    def aliases(self, name: Name, point: Point) -> list[Declared[Alias]]:
        """The aliases that ``name`` may mean at ``point``."""
        if name.scope is not None:
            return []
        return list(self._evaluator.symbols.aliases(name, point.place).declared)

    def member(self, scope: Name, name: Name, point: Point) -> Result:
        """``scope::name`` where ``scope`` is a class: a constant of it, its template parameters bound."""
        evaluator = self._evaluator
        bound = evaluator.instances.of(scope, point)
        if bound is not None and name.qualifier:
            bound = evaluator.instances.inside(bound, name.qualifier.split("::"))
        if bound is None:
            found = self._of_library(scope, name, point)
            if found is not None:
                return found
            return evaluator.unknown(f"a member of {scope.text}, which is not visible or is ambiguous", name)
        result = self.constant(bound, name)
        return evaluator.unknown(f"{name.last} is not a constant of {scope.text}", name) if result is None else result

    def constant(self, bound: BoundClass, name: Name) -> Result | None:
        """The static constant or enumerator that a class declares or inherits; ``None`` when it has none."""
        evaluator = self._evaluator
        outer, evaluator.frame = evaluator.frame, bound.frame
        here, evaluator.here = evaluator.here, bound.struct.place
        try:
            found = self._struct_member(bound.struct, name)
            return self.inherited(bound.struct.node, bound.struct.place, name) if found is None else found
        finally:
            evaluator.frame, evaluator.here = outer, here

    def inherited(self, struct: Struct, place: Place, name: Name) -> Result | None:
        """The constant that a class has from one of its bases."""
        for base in struct.bases:
            here = Point(place, struct.start)
            bound = self._evaluator.instances.of(base, here)
            if bound is None:
                found = self._of_library(base, name, here)
            else:
                found = self.constant(bound, name) if bound.struct.node is not struct else None
            if found is not None:
                return found
        return None

    def _inherited_around(self, name: Name, place: Place) -> Result | None:
        """The constant that a class around ``place`` has from one of its bases, the innermost class first."""
        classes = ((each.node, each) for each in place.within())
        found = (self.inherited(node, around, name) for node, around in classes if isinstance(node, Struct))
        return next((each for each in found if each is not None), None)

    def _struct_member(self, struct: Declared[Struct], name: Name) -> Result | None:
        evaluator = self._evaluator
        place = Place(struct.node.members, struct.place)
        for statement in struct.node.members.statements:
            match statement:
                case Declaration(variables=variables):
                    for variable in variables:
                        if variable.name == name.last and variable.flags & (CONST | STATIC) and variable.arguments:
                            if not variable.flags & CONST:
                                break
                            # A constant that leads to itself takes twice as many of the interpreter's frames a round.
                            evaluator.depth += 1
                            result = evaluator.initial(variable, Point(place, variable.start))
                            evaluator.depth -= 1
                            return evaluator.named(name.last, result, variable.start, variable.end)
                case Enum(enumerators=enumerators):
                    inner = Place(statement, place)
                    for enumerator in enumerators:
                        if enumerator.name == name.last:
                            return self.enumerator(enumerator, Place(enumerator, inner))
                case _:
                    pass
        return None


def _bodies(facts: FileFacts) -> Iterator[Block]:
    """The bodies of the functions of one file."""
    return (each.node.body for found in facts.functions.values() for each in found if each.node.body is not None)


def _declarations(facts: FileFacts) -> Iterator[Declaration]:
    """The declarations of one file that stand outside functions."""
    for found in facts.variables.values():
        for each in found:
            if each.place.outer is not None and isinstance(each.place.outer.node, Declaration):
                yield each.place.outer.node


def standing(declared: Declared[Alias]) -> Point:
    """Where the type of an alias is written."""
    outer = declared.place.outer
    return Point(outer if outer is not None else declared.place, declared.node.start)
