"""What names and expressions of device code stand for, as far as groups are concerned."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TypeAlias

from sycllint.cpp.expression import Brace, Call, Cast, Conditional, Expr, Index, Lambda, Member, Name, Type, Unary
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import STATIC, FunctionParameter, Struct, Variable
from sycllint.domains.vocabulary import (
    GROUP_HANDLES,
    ITEM_TYPES,
    PART_MAKERS,
    PART_TYPES,
    SUB_GROUP_MAKERS,
    SUB_GROUP_TYPES,
    WORK_GROUP_MAKERS,
)
from sycllint.facts.file import Declared
from sycllint.record import NamedTuple
from sycllint.symbols.candidates import Kinds
from sycllint.symbols.conversions import ITEM, ArgumentKind, TypeClass
from sycllint.symbols.overloads import OUT_OF_SIGHT, CallTargets
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point

MAX_NESTING = 3
"""How deep classes that hold classes are looked into."""
_ARRAYS = frozenset({"array", "marray"})
"""The C++ library's and SYCL's classes for arrays; vectors are no more than 16 elements."""
_COPIED = (Call, Conditional, Index, Member, Name, Unary)
"""Expressions that an object may be a copy of: of what memory holds, not all need be read."""
_MEANING = frozenset({Brace, Call, Cast, Member, Name, Unary})
"""Expressions that may stand for a group, an item or an object."""


class Role(Enum):
    """An item or a group, or surely neither."""

    ITEM = "item"
    WORK_GROUP = "work-group"
    SUB_GROUP = "sub-group"
    PART = "part of a sub-group"
    OTHER = "other"


LANES = (Role.SUB_GROUP, Role.PART)
"""Groups whose barriers order lanes of one sub-group."""


class ClassObject(NamedTuple):
    """An object of a class: ``struct`` is ``None`` when that is not in sight."""

    struct: Declared[Struct] | None
    holds: bool
    """It was made from an item or a group."""


class KnownLambda(NamedTuple):
    """A lambda that runs when it is called, or handed to something."""

    function: Lambda
    place: Place
    scope: Scope


class Renamed(NamedTuple):
    """A function by another name."""

    function: Name


class Pack(NamedTuple):
    """The arguments that a parameter pack stands for."""

    arguments: tuple[Meaning | None, ...]


Meaning: TypeAlias = Role | ClassObject | KnownLambda | Renamed | Pack
_KINDS: dict[object, ArgumentKind] = {
    Role.ITEM: ArgumentKind(TypeClass.LIBRARY, library=ITEM),
    Role.WORK_GROUP: ArgumentKind(TypeClass.LIBRARY, library="group"),
    Role.SUB_GROUP: ArgumentKind(TypeClass.LIBRARY, library="sub_group"),
}
Scope: TypeAlias = dict[str, Meaning]


def kind_of(meaning: Meaning | None) -> ArgumentKind | None:
    """The kind of an argument of which this is known."""
    return _KINDS.get(meaning) if isinstance(meaning, Role) else None


class Meanings:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._types: dict[str, Role | None] = {}
        self._members: dict[int, Scope] = {}

    def of_type(self, name: Name) -> Role | None:
        """The group or item that a type is; ``None`` for other types."""
        if name.text in self._types:
            return self._types[name.text]
        last = self._evaluator.types.kind(name).sycl or name.last
        role = None
        if last in SUB_GROUP_TYPES:
            role = Role.PART if last in PART_TYPES else Role.SUB_GROUP
        elif last == "group":
            role = Role.WORK_GROUP
        elif last in ITEM_TYPES:
            role = Role.ITEM
        self._types[name.text] = role
        return role

    def called(self, function: Name, call: Call, passed: tuple[Meaning | None, ...], place: Place) -> CallTargets:
        """What ``function(…)`` may run, with the arguments of ``call``, of which ``passed`` is known."""
        overloads = self._evaluator.overloads
        if not overloads.is_defined(function.last):
            return OUT_OF_SIGHT
        return overloads.of_name(function, self._kinds(call, passed, place), place)

    def class_of_object(self, name: Name, place: Place) -> Declared[Struct] | None:
        """The class of a variable around, or of a member of the class around, where the code at ``place`` names one.

        Parameters of templates are what they are for the frame that is in force.
        """
        if name.scope is not None or "::" in name.text:
            return None
        point = Point(place, name.start)
        declared = declared_type(self._evaluator, name, point)
        if declared is None or declared.pointers or declared.extents:
            return None
        return self._evaluator.kind(declared.name, point).struct

    def called_on(
        self, struct: Declared[Struct] | None, name: str, call: Call, passed: tuple[Meaning | None, ...], place: Place
    ) -> CallTargets:
        """What a call of the method ``name`` may run: of any class where ``struct`` is not known."""
        overloads = self._evaluator.overloads
        if not overloads.is_defined(name):
            return OUT_OF_SIGHT
        scope = self._evaluator.symbols.scope_of(struct) if struct is not None else None
        return overloads.of_method(name, scope, self._kinds(call, passed, place))

    def _kinds(self, call: Call, passed: tuple[Meaning | None, ...], place: Place) -> Kinds:
        known = tuple(map(kind_of, passed))
        if len(passed) != len(call.arguments):
            # A pack stands for more arguments than are written.
            return known
        return self._evaluator.overloads.kinds(call.arguments, place, call.start, known)

    def parameters(self, parameters: tuple[FunctionParameter, ...], *, kernel: bool = False) -> Scope:
        """What parameters stand for by their types; the first one of a ``kernel`` is an item whatever it says."""
        scope: Scope = {}
        for position, parameter in enumerate(parameters):
            role = self.of_type(parameter.type.name)
            if role is None and kernel and position == 0 and self._evaluator.types.kind(parameter.type.name).automatic:
                role = Role.ITEM
            if role is not None:
                scope[parameter.name] = role
        return scope

    def bound(self, parameters: tuple[FunctionParameter, ...], passed: tuple[Meaning | None, ...]) -> Scope:
        """What parameters stand for by their arguments, or else by their types."""
        scope = self.parameters(parameters)
        for parameter, meaning in zip(parameters, passed, strict=False):
            if parameter.pack:
                break
            if meaning is not None:
                scope[parameter.name] = meaning
        if parameters and parameters[-1].pack:
            scope[parameters[-1].name] = Pack(passed[len(parameters) - 1 :])
        return scope

    def expanded(self, pack: Expr, scope: Scope) -> tuple[Meaning | None, ...]:
        """What the arguments stand for that ``pack...`` or ``f(pack)...`` is."""
        for node in walk(pack):
            found = scope.get(node.text) if isinstance(node, Name) else None
            if isinstance(found, Pack):
                return found.arguments
        return (None,)

    def members(self, struct: Declared[Struct], depth: int = 0) -> Scope:
        """What the data members of a class stand for."""
        known = self._members.get(id(struct.node))
        if known is None:
            known = self._members[id(struct.node)] = {}
            for variable in struct.node.variables:
                meaning: Meaning | None = self.of_type(variable.type.name)
                if meaning is None and depth < MAX_NESTING:
                    inner = self._evaluator.types.kind(variable.type.name).struct
                    if inner is not None and self.members(inner, depth + 1):
                        meaning = ClassObject(inner, True)
                if meaning is not None:
                    known[variable.name] = meaning
        return known

    def of(self, expression: Expr, scope: Scope) -> Meaning | None:
        """What an expression stands for; ``None`` when that is not known to matter."""
        if type(expression) not in _MEANING:
            return None
        match expression:
            case Name(text=text):
                return scope.get(text)
            case Unary(operator="*" | "&", operand=operand):
                return self.of(operand, scope)
            case Member(object=inner, name=name):
                outer = self.of(inner, scope)
                if isinstance(outer, ClassObject) and outer.struct is not None:
                    return self.members(outer.struct).get(name)
                return scope.get(name) if isinstance(inner, Name) and inner.text == "this" else None
            case Call(function=Member(name=name), arguments=arguments):
                return maker(name, arguments)
            case Call(function=Name(last=last), arguments=(group, *_)) if last in GROUP_HANDLES:
                return self.of(group, scope)
            case Call(function=Name() as function, arguments=arguments):
                made = maker(function.last, arguments)
                return made if made is not None else self._made(function, arguments, scope)
            case Brace(type=Name() as kind, elements=elements):
                thing = self._made(kind, elements, scope)
                return thing if thing is not None or not self.any_held(elements, scope) else ClassObject(None, True)
            case Brace(type=None, elements=elements):
                return ClassObject(None, True) if self.any_held(elements, scope) else None
            case Cast(type=Type(name=kind), operand=operand):
                role = self.of_type(kind)
                return role if role is not None else self.of(operand, scope)
            case _:
                return None

    def _made(self, kind: Name, arguments: tuple[Expr, ...], scope: Scope) -> Meaning | None:
        """An object made from its arguments."""
        role = self.of_type(kind)
        if role is not None:
            return role
        struct = self._evaluator.types.kind(kind).struct
        if struct is not None:
            return ClassObject(struct, self.any_held(arguments, scope))
        return None

    def any_held(self, expressions: tuple[Expr, ...], scope: Scope) -> bool:
        """Whether one of these hands on an item or a work-group."""
        return any(hands_on(self.of(each, scope)) for each in expressions)


def declared_type(evaluator: Evaluator, name: Name, point: Point) -> Type | None:
    """The type that a name is declared with around ``point``, or as a member of the class around."""
    declared = evaluator.declarations.type_of(name, point)
    if declared is None:
        struct = next((each for each in point.place.chain() if isinstance(each, Struct)), None)
        members = struct.variables if struct is not None else ()
        declared = next((each.type for each in members if each.name == name.text), None)
    return declared


def hands_on(meaning: Meaning | None) -> bool:
    """Whether it is an item, a work-group, or an object that was made from one."""
    return meaning in (Role.ITEM, Role.WORK_GROUP) or (isinstance(meaning, ClassObject) and meaning.holds)


def is_array(variable: Variable, evaluator: Evaluator, place: Place) -> bool:
    """Whether a variable is an array, or an object with an array in it that is made where it is declared."""
    kind, given = variable.type, variable.arguments
    if kind.extents or kind.reference:
        return not kind.reference
    return not (len(given) == 1 and isinstance(given[0], _COPIED)) and _holds_array(kind, evaluator, place, 0)


def _holds_array(kind: Type, evaluator: Evaluator, place: Place, depth: int) -> bool:
    if kind.extents or kind.pointers or kind.reference:
        return bool(kind.extents)
    struct = evaluator.types.kind(kind.name, place).struct
    if struct is None:
        return kind.name.last in _ARRAYS and len(kind.name.arguments or ()) == 2
    own = (each for each in struct.node.variables if not each.flags & STATIC)
    return depth < MAX_NESTING and any(_holds_array(each.type, evaluator, struct.place, depth + 1) for each in own)


def lanes_made(name: str) -> Role:
    """What a function gives that makes a sub-group, or a part of one."""
    return Role.PART if name in PART_MAKERS else Role.SUB_GROUP


def maker(name: str, arguments: Sequence[object]) -> Role | None:
    """The group that a function or method of this name gives; ``None`` for other functions."""
    if name in SUB_GROUP_MAKERS:
        return lanes_made(name)
    # get_group(0) is a number.
    return Role.WORK_GROUP if name in WORK_GROUP_MAKERS and not (name == "get_group" and arguments) else None
