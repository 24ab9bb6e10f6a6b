"""What names and expressions of device code stand for, as far as groups are concerned."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import TypeAlias

from sycllint.cpp.expression import Brace, Call, Cast, Conditional, Index, Member, Name, Type, Unary
from sycllint.cpp.place import Place
from sycllint.cpp.statement import STATIC, FunctionParameter, Struct, Variable
from sycllint.domains.vocabulary import (
    GROUP_HANDLES,
    ITEM_MAKERS,
    ITEM_TYPES,
    PART_MAKERS,
    PART_TYPES,
    SUB_GROUP_MAKERS,
    SUB_GROUP_TYPES,
    WORK_GROUP_MAKERS,
)
from sycllint.facts.file import Declared
from sycllint.ir import ops
from sycllint.ir.body import Body, Local
from sycllint.record import NamedTuple
from sycllint.symbols.candidates import Kinds
from sycllint.symbols.conversions import ITEM, ArgumentKind, TypeClass
from sycllint.symbols.overloads import OUT_OF_SIGHT, CallTargets
from sycllint.values.evaluate import Evaluator
from sycllint.values.memory import Memo
from sycllint.values.objects import Point

MAX_NESTING = 3
"""How deep classes that hold classes are looked into."""
_ARRAYS = frozenset({"array", "marray"})
"""The C++ library's and SYCL's classes for arrays; vectors are no more than 16 elements."""
_COPIED = (Call, Conditional, Index, Member, Name, Unary)
"""Expressions that an object may be a copy of: of what memory holds, not all need be read."""
_SAME = frozenset({ops.READ, ops.ADDR, ops.DEREF})
"""Instructions that give what stands for the same as their operand."""


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
    """An object of a class: ``struct`` is ``None`` when the class is not visible."""

    struct: Declared[Struct] | None
    holds: bool
    """It was made from an item or a group."""


class KnownLambda(NamedTuple):
    """A lambda that runs when it is called, or handed to something."""

    body: Body
    around: Roles | None
    """What is known in the function whose variables it captures."""


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
        self._called: dict[object, CallTargets] = {}

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

    def class_of(self, name: Name) -> Declared[Struct] | None:
        """The visible class that a type names, if any."""
        return self._evaluator.types.kind(name).struct

    def called(self, function: Name, call: Call, passed: tuple[Meaning | None, ...], place: Place) -> CallTargets:
        """What ``function(…)`` may run, with the arguments of ``call``, of which ``passed`` is known."""
        overloads = self._evaluator.overloads
        if not overloads.is_defined(function.last):
            return OUT_OF_SIGHT
        known = tuple(map(kind_of, passed))
        key = (call, place, function.text, known)
        found = self._called.get(key)
        if found is None:
            if len(known) == len(call.arguments):
                found = overloads.of_call(function, call, place, known)
            else:  # a pack stands for more arguments than are written
                found = overloads.of_name(function, known, place)
            self._called[key] = found
        return found

    def may_be_object(self, function: Name, place: Place, start: int) -> bool:
        """Whether what is called by a name at ``place`` may be a lambda or an object, of which values say more."""
        evaluator = self._evaluator
        if function.text in evaluator.facts.macros or function.text in evaluator.defines:
            return True
        is_variable = evaluator.declarations.type_of(function, Point(place, start)) is not None
        return is_variable or any(isinstance(each, Struct) for each in place.chain())

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
        return overloads.of_method(name, scope, self._kinds(call, tuple(map(kind_of, passed)), place))

    def _kinds(self, call: Call, known: Kinds, place: Place) -> Kinds:
        if len(known) != len(call.arguments):
            # A pack stands for more arguments than are written.
            return known
        return self._evaluator.overloads.kinds(call.arguments, place, call.start, known)

    def parameters(self, parameters: Sequence[FunctionParameter], *, kernel: bool = False) -> Scope:
        """What parameters stand for by their types; the first one of a ``kernel`` is an item whatever it says."""
        scope: Scope = {}
        for position, parameter in enumerate(parameters):
            role = self.of_type(parameter.type.name)
            if role is None and kernel and position == 0 and self._evaluator.types.kind(parameter.type.name).automatic:
                role = Role.ITEM
            if role is not None:
                scope[parameter.name] = role
        return scope

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


class Roles:
    """What is known of the values of one function or lambda, of one call of it."""

    def __init__(self, meanings: Meanings, body: Body, around: Roles | None = None) -> None:
        self.meanings = meanings
        self.body = body
        self.around = around
        """Of a lambda, what is known in the function whose variables it captures."""
        self.slots: dict[int, Meaning] = {}
        """By slot, the item, group or object that a variable is."""
        self.members: Scope = {}
        """What the members of the object stand for that the function is called on."""
        self._made: dict[int, Meaning | None] = {}
        """By position, the item, group or object that a call or a construction gives."""

    def bind(
        self, parameters: Sequence[FunctionParameter], passed: Sequence[Meaning | None], *, kernel: bool = False
    ) -> None:
        """Let parameters stand for what they are given, or else for what their types say."""
        by_type = self.meanings.parameters(parameters, kernel=kernel)
        for slot, parameter in enumerate(parameters):
            meaning = passed[slot] if slot < len(passed) else None
            if parameter.pack and not kernel:
                meaning = Pack(tuple(passed[slot:]))
            elif meaning is None:
                meaning = by_type.get(parameter.name)
            if meaning is not None:
                self.slots[slot] = meaning

    def of(self, position: int) -> Meaning | None:
        """What a value or a place stands for; ``None`` when that is not known to matter."""
        body = self.body
        members: list[str] = []
        while position != ops.NONE:
            code = body.op[position]
            if code in _SAME:
                position = body.a[position]
            elif code == ops.CAST:
                node = body.node[position]
                made = self.meanings.of_type(node.type.name) if isinstance(node, Cast) else None
                if made is not None:
                    return self._part(made, members)
                position = body.a[position]
            elif code == ops.FIELD:
                members.append(body.name(position))
                position = body.a[position]
            elif code == ops.LOAD and not members:
                return self.slots.get(body.a[position])
            else:
                break
        return self._part(self._named(position, members), members)

    def _named(self, position: int, members: list[str]) -> Meaning | None:
        """What stands at the root of a chain of ``members``; a member of the object itself is taken from them."""
        body = self.body
        code = body.op[position] if position != ops.NONE else ops.CONST
        if code in (ops.LOAD, ops.ADDR_LOCAL):
            return self.slots.get(body.a[position])
        if code == ops.CAPTURE:
            found = self.captured(body.name(position))
            if found is not None:
                return found[0].slots.get(found[1])
        if code in (ops.CAPTURE, ops.GLOBAL):
            return self.own(body.name(position))
        if code == ops.THIS and members:
            return self.own(members.pop())
        return self._made.get(position)

    def captured(self, name: str) -> tuple[Roles, int] | None:
        """The function that declares a variable around this lambda, and its slot there; ``None`` for one outside."""
        local, around = self.body.around.get(name), self.around
        while local is not None and around is not None:
            slot = slot_of(around.body, local)
            if slot != ops.NONE:
                return around, slot
            around = around.around
        return None

    def own(self, name: str) -> Meaning | None:
        """A member of the object that the function, or the one around a lambda, is called on."""
        current: Roles | None = self
        while current is not None:
            if name in current.members:
                return current.members[name]
            current = current.around
        return None

    def _part(self, whole: Meaning | None, members: Sequence[str]) -> Meaning | None:
        for name in reversed(members):
            if not isinstance(whole, ClassObject) or whole.struct is None:
                return None
            whole = self.meanings.members(whole.struct).get(name)
        return whole

    def is_held(self, values: Iterable[int]) -> bool:
        """Whether one of these values hands on an item or a work-group."""
        return any(hands_on(self.of(each)) for each in values)

    def of_variable(self, kind: Type, arguments: Sequence[int]) -> Meaning:
        """What a variable stands for by its type, or by what it is made from."""
        found: Meaning | None = self.meanings.of_type(kind.name)
        if found is None:
            struct = self.meanings.class_of(kind.name)
            if struct is not None:
                return ClassObject(struct, self.is_held(arguments))
            found = self.of(arguments[0]) if len(arguments) == 1 else None
        return found if found is not None else Role.OTHER

    def note(self, position: int) -> None:
        """Note what a declaration, a call or a construction gives; instructions come in their order."""
        body = self.body
        if body.op[position] != ops.DECL:
            self.make(position)
        elif (kind := body.locals[body.a[position]].type) is not None:
            self.slots[body.a[position]] = self.of_variable(kind, body.initial(position))

    def make(self, position: int) -> None:
        """Note what a call or a construction gives, as far as its name or its type says."""
        if position not in self._made:
            made = self._constructed if self.body.op[position] == ops.CONSTRUCT else self._called
            self._made[position] = made(position, self.body.list(position))

    def _called(self, position: int, values: Sequence[int]) -> Meaning | None:
        body = self.body
        name, callee = body.called(position), body.callee(position)
        if isinstance(callee, Member):
            return maker(name, values)
        if not isinstance(callee, Name):
            return None
        if name in ITEM_MAKERS:
            return Role.ITEM
        if name in GROUP_HANDLES and values:
            return self.of(values[0])
        return maker(name, values) or self._object(callee, values)

    def _constructed(self, position: int, values: Sequence[int]) -> Meaning | None:
        node = self.body.node[position]
        if not isinstance(node, Brace):
            return None
        if isinstance(node.type, Name):
            found = self._object(node.type, values)
            if found is not None:
                return found
        elif node.type is not None:
            return None
        return ClassObject(None, True) if self.is_held(values) else None

    def _object(self, kind: Name, values: Sequence[int]) -> Meaning | None:
        """An object made from its arguments."""
        found = self.meanings.of_type(kind)
        if found is not None:
            return found
        struct = self.meanings.class_of(kind)
        return ClassObject(struct, self.is_held(values)) if struct is not None else None


def slot_of(body: Body, local: Local) -> int:
    """The slot of a variable in the body that declares it; ``NONE`` in another one."""
    return next((slot for slot, each in enumerate(body.locals) if each is local), ops.NONE)


def declared_type(evaluator: Evaluator, name: Name, point: Point) -> Type | None:
    """The type that a name is declared with around ``point``, or as a member of the class around."""
    declared = evaluator.declarations.type_of(name, point)
    if declared is None:
        struct = point.place.innermost(Struct)
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


meanings = Memo(Meanings)
"""Those of an evaluator."""
