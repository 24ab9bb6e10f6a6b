"""What a kernel does, followed through the functions and macros of its file: barriers, collectives, loops, arrays."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from sycllint.cpp.expression import Brace, Call, Cast, Character, Expr, Lambda, Member, Name, Number, Text, Type
from sycllint.cpp.node import Node, children
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    CONST,
    STATIC,
    Block,
    Declaration,
    Function,
    Include,
    Loop,
    Macro,
    Parameter,
    RangeLoop,
    Struct,
    Variable,
)
from sycllint.facts.file import Declared
from sycllint.kernel.vocabulary import (
    GROUP_FUNCTIONS,
    ITEM_TYPES,
    LOCAL_ALLOCATORS,
    OLD_GROUP_FUNCTIONS,
    STATIC_LOCAL,
    SUB_GROUP_MAKERS,
    SUB_GROUP_MEMBERS,
    SUB_GROUP_TYPES,
    WORK_GROUP_MAKERS,
)
from sycllint.source.span import Location, Span
from sycllint.values.bindings import accepts
from sycllint.values.evaluate import Evaluator
from sycllint.values.frame import Frame
from sycllint.values.objects import Closure, Point
from sycllint.values.types import qualifier_is_sycl
from sycllint.values.value import Value

MAX_OVERLOADS = 6
_LEAVES = (Name, Number, Text, Character, Type)
"""Nodes that do nothing; most of a body's nodes are these."""
MAX_CALLS = 12
"""How deep calls are followed."""


class Role(Enum):
    """What a name in device code stands for, as far as groups are concerned."""

    ITEM = "item"
    WORK_GROUP = "work-group"
    SUB_GROUP = "sub-group"
    OTHER = "other"


@dataclass(slots=True)
class Scan:
    """What was seen; filled while walking."""

    body_found: bool = True
    barriers: list[Location] = field(default_factory=list)
    sub_group_operations: list[Location] = field(default_factory=list)
    loops: list[Location] = field(default_factory=list)
    statements: int = 0
    calls_unknown: bool = False
    arrays: list[tuple[str, Value, Location]] = field(default_factory=list)
    local: list[tuple[str, str, Value, Location]] = field(default_factory=list)
    """Local memory made inside the kernel: name, element type, bytes, place."""


class Scanner:
    """One walk over one kernel."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._facts = evaluator.facts
        self._seen: set[tuple[int, tuple[Role | None, ...]]] = set()
        self._overloads: dict[tuple[str, int], list[Declared[Function]]] = {}
        self.scan = Scan()

    def closure(self, function: Lambda, place: Place) -> Scan:
        """The kernel is a lambda at ``place``."""
        if function.damaged:
            self.scan.body_found = False
        roles = self._parameters(function.parameters)
        self._walk(function.body, Place(function.body, place), roles, 0)
        return self.scan

    def function(self, declared: Declared[Function]) -> Scan:
        """The kernel is a function, or the call operator of a function object."""
        node = declared.node
        if node.body is None or node.damaged:
            self.scan.body_found = False
        if node.body is not None:
            self._walk(node.body, Place(node.body, declared.place), self._parameters(node.parameters), 0)
        return self.scan

    def _location(self, place: Place) -> Location:
        start = getattr(place.node, "start", 0)
        return Location(self._facts.file_at(place).path, Span(start, getattr(place.node, "end", start)))

    def _parameters(self, parameters: tuple[Parameter, ...]) -> dict[str, Role]:
        roles: dict[str, Role] = {}
        for position, parameter in enumerate(parameters):
            role = self._role_of_type(parameter.type)
            if role is None and position == 0 and self._evaluator.types.kind(parameter.type.name).automatic:
                role = Role.ITEM
            if role is not None:
                roles[parameter.name] = role
        return roles

    def _role_of_type(self, kind: Type) -> Role | None:
        last = self._evaluator.types.kind(kind.name).sycl or kind.name.last
        if last in SUB_GROUP_TYPES:
            return Role.SUB_GROUP
        if last == "group":
            return Role.WORK_GROUP
        return Role.ITEM if last in ITEM_TYPES else None

    def _walk(self, node: Node, place: Place, roles: dict[str, Role], depth: int) -> None:
        """Visit ``node``; ``roles`` is extended by what its declarations name."""
        match node:
            case Block(statements=statements):
                inner = dict(roles)
                for statement in statements:
                    self.scan.statements += 1
                    self._walk(statement, Place(statement, place), inner, depth)
                return
            case Struct() | Function() | Macro():
                return
            case Include():
                self._include(node, place, roles, depth)
                return
            case Declaration(variables=variables):
                for variable in variables:
                    self._variable(variable, place, roles)
            case Loop() | RangeLoop():
                self.scan.loops.append(self._location(place))
                for child in children(node):
                    self._walk(child, Place(child, place), roles, depth)
                return
            case Lambda(parameters=parameters, body=body):
                inner = roles | self._parameters(parameters) if parameters else dict(roles)
                self._walk(body, Place(body, place), inner, depth)
                return
            case Call():
                self._call(node, place, roles, depth)
            case _:
                pass
        for child in children(node):
            if not isinstance(child, _LEAVES):
                self._walk(child, Place(child, place), roles, depth)

    def _include(self, node: Include, place: Place, roles: dict[str, Role], depth: int) -> None:
        """The text of a kernel in another file: read in its place, or it may hold anything."""
        found = self._facts.included(node)
        if found is None or depth >= MAX_CALLS:
            self.scan.calls_unknown = True
            return
        if found.damaged:
            self.scan.calls_unknown = True
        for statement in found.unit.statements:
            self.scan.statements += 1
            self._walk(statement, Place(statement, Place(found.unit, place)), roles, depth + 1)

    # ---------------------------------------------------------- declarations

    def _variable(self, variable: Variable, place: Place, roles: dict[str, Role]) -> None:
        kind = variable.type
        role = self._role_of_type(kind)
        if role is None and len(variable.arguments) == 1:
            role = self._role(variable.arguments[0], roles)
        roles[variable.name] = role if role is not None else Role.OTHER
        if kind.extents and not kind.pointers and not kind.reference and not variable.flags & STATIC:
            constant_table = bool(variable.flags & CONST)
            if not constant_table:
                size = self._evaluator.sizes.of_type(kind, Point(place, variable.start))
                self.scan.arrays.append((variable.name, size, self._location(Place(variable, place))))
        name = kind.name
        if name.last in STATIC_LOCAL and name.arguments:
            self._local(variable.name, name.arguments[0], Place(variable, place))

    def _local(self, name: str, element: Expr, place: Place) -> None:
        kind = element if isinstance(element, Type) else None
        if isinstance(element, Name):
            kind = Type(element, 0, False, False, (), element.start, element.end)
        if kind is None:
            size: Value = self._evaluator.unknown("the size of a local allocation", None)
            text = ""
        else:
            size = self._evaluator.sizes.of_type(kind, Point(place, kind.start))
            text = kind.name.text
        self.scan.local.append((name, text, size, self._location(place)))

    # ----------------------------------------------------------------- calls

    def _role(self, expression: Expr, roles: Mapping[str, Role]) -> Role | None:
        """Which group an expression is; ``None`` when it is not known to be one."""
        match expression:
            case Name(text=text):
                return roles.get(text)
            case Call(function=Member(name=name)):
                return _maker(name)
            case Call(function=Name() as function):
                made = _maker(function.last)
                return made if made is not None else self._role_of_type(_bare(function))
            case Brace(type=Name() as kind) | Cast(type=Type(name=kind)):
                return self._role_of_type(_bare(kind))
            case _:
                return None

    def _call(self, call: Call, place: Place, roles: Mapping[str, Role], depth: int) -> None:
        match call.function:
            case Member(object=receiver, name=name):
                self._member_call(place, receiver, name, roles, depth)
            case Name() as function:
                self._free_call(call, function, place, roles, depth)
            case _:
                pass

    def _member_call(self, place: Place, receiver: Expr, name: str, roles: Mapping[str, Role], depth: int) -> None:
        call = place.node
        if not isinstance(call, Call):
            return
        role = self._role(receiver, roles)
        if name == "barrier":
            if role is Role.SUB_GROUP:
                self.scan.sub_group_operations.append(self._location(place))
            elif role in (Role.ITEM, Role.WORK_GROUP):
                self.scan.barriers.append(self._location(place))
            else:
                self.scan.calls_unknown = True
        elif role is Role.SUB_GROUP and name in SUB_GROUP_MEMBERS:
            self.scan.sub_group_operations.append(self._location(place))
        elif name in ("parallel_for_work_item", "wait_for", "async_work_group_copy"):
            self.scan.barriers.append(self._location(place))
        elif role is None and self._passes_item(call, roles):
            self._follow_method(place, name, roles, depth)

    def _follow_method(self, place: Place, name: str, roles: Mapping[str, Role], depth: int) -> None:
        candidates = [each for each in self._facts.functions.get(name) if each.node.body is not None]
        if not candidates:
            self.scan.calls_unknown = True
        for candidate in candidates:
            self._enter(candidate, place, roles, depth)

    def _candidates(self, name: str, count: int) -> list[Declared[Function]]:
        """Functions with a body that a call may mean: those its number of arguments fits, else all of that name."""
        found = self._overloads.get((name, count))
        if found is None:
            bodies = [each for each in self._facts.functions.get(name) if each.node.body is not None]
            found = [each for each in bodies if accepts(each.node, count)] or bodies
            self._overloads[name, count] = found
        return found

    def _passes_item(self, call: Call, roles: Mapping[str, Role]) -> bool:
        return any(self._role(each, roles) in (Role.ITEM, Role.WORK_GROUP) for each in call.arguments)

    def _free_call(self, call: Call, function: Name, place: Place, roles: Mapping[str, Role], depth: int) -> None:
        last = function.last
        sycl = function.qualifier == "" or self._is_sycl(function.qualifier)
        if last in LOCAL_ALLOCATORS and function.arguments:
            self._local(last, function.arguments[0], place)
            return
        if sycl and last in GROUP_FUNCTIONS and (last not in OLD_GROUP_FUNCTIONS or function.qualifier):
            self._group_function(place, call, last, roles)
            return
        point = Point(place.outer if place.outer is not None else place, call.start)
        macro = self._evaluator.macros.macro(function, point)
        if macro is not None:
            self._enter_macro(macro, call, place, roles, depth)
            return
        if function.qualifier and (sycl or function.qualifier.startswith("std")):
            return
        candidates = self._candidates(last, len(call.arguments))
        if len(candidates) > MAX_OVERLOADS and not self._passes_item(call, roles):
            # Arithmetic of many types: none of these synchronises anything.
            return
        for candidate in candidates:
            self._enter(candidate, place, roles, depth)
        if candidates:
            return
        kept = self._evaluator.lookup.name(function, point) if function.qualifier == "" else None
        if isinstance(kept, Closure):
            self._enter_closure(kept, call, roles, depth)
        elif last in self._facts.macros:
            # Several definitions, and it is not known which is in force.
            self.scan.calls_unknown = True
        elif self._passes_item(call, roles) and last not in self._facts.structs and roles.get(last) is None:
            self.scan.calls_unknown = True

    def _is_sycl(self, qualifier: str) -> bool:
        if qualifier_is_sycl(qualifier, self._facts.namespaces):
            return True
        return any(
            part in ("sycl", "intel", "ONEAPI", "oneapi", "syclcompat", "syclex") for part in qualifier.split("::")
        )

    def _group_function(self, place: Place, call: Call, last: str, roles: Mapping[str, Role]) -> None:
        role = self._role(call.arguments[0], roles) if call.arguments else None
        if role is Role.WORK_GROUP:
            self.scan.barriers.append(self._location(place))
        elif role is Role.SUB_GROUP or last.startswith(("joint_matrix", "shift_", "permute_", "select_")):
            self.scan.sub_group_operations.append(self._location(place))
        else:
            self.scan.calls_unknown = True

    def _enter(self, declared: Declared[Function], place: Place, roles: Mapping[str, Role], depth: int) -> None:
        node, call = declared.node, place.node
        if node.body is None or not isinstance(call, Call):
            return
        passed = tuple(self._role(each, roles) for each in call.arguments)
        key = (id(node), passed)
        if key in self._seen:
            return
        self._seen.add(key)
        if depth >= MAX_CALLS:
            self.scan.calls_unknown = True
            return
        if node.damaged:
            self.scan.calls_unknown = True
        inner = self._parameters(node.parameters)
        for parameter, role in zip(node.parameters, passed, strict=False):
            if role is not None:
                inner[parameter.name] = role
            elif inner.get(parameter.name) is Role.ITEM and self._evaluator.types.kind(parameter.type.name).automatic:
                del inner[parameter.name]
        evaluator = self._evaluator
        templates = call.function.arguments if isinstance(call.function, Name | Member) else None
        around = place.outer if place.outer is not None else place
        outer = evaluator.frame
        evaluator.frame = Frame(node, call.arguments, templates or (), Point(around, call.start), call, outer)
        self._walk(node.body, Place(node.body, declared.place), inner, depth + 1)
        evaluator.frame = outer

    def _enter_closure(self, closure: Closure, call: Call, roles: Mapping[str, Role], depth: int) -> None:
        passed = tuple(self._role(each, roles) for each in call.arguments)
        key = (id(closure.function), passed)
        if key in self._seen or depth >= MAX_CALLS:
            return
        self._seen.add(key)
        inner = dict(roles)
        for parameter, role in zip(closure.function.parameters, passed, strict=False):
            inner[parameter.name] = role if role is not None else Role.OTHER
        body = closure.function.body
        self._walk(body, Place(body, closure.place), inner, depth + 1)

    def _enter_macro(self, macro: Macro, call: Call, place: Place, roles: Mapping[str, Role], depth: int) -> None:
        """A macro's body sees the names of the place where it is used, and its own arguments."""
        key = (id(macro), ())
        if key in self._seen or depth >= MAX_CALLS:
            return
        self._seen.add(key)
        inner = dict(roles)
        for parameter, argument in zip(macro.parameters or (), call.arguments, strict=False):
            role = self._role(argument, roles)
            if role is not None:
                inner[parameter] = role
        before = len(self.scan.barriers)
        body: Node | None = macro.body if macro.body is not None else macro.value
        if body is None:
            self.scan.calls_unknown = self.scan.calls_unknown or bool(macro.text)
            return
        self._walk(body, Place(body, Place(macro, Place(call, place))), inner, depth + 1)
        # A barrier is where the macro is used: that is the line its author sees.
        for index in range(before, len(self.scan.barriers)):
            self.scan.barriers[index] = self._location(place)


def _maker(name: str) -> Role | None:
    if name in SUB_GROUP_MAKERS:
        return Role.SUB_GROUP
    return Role.WORK_GROUP if name in WORK_GROUP_MAKERS else None


def _bare(name: Name) -> Type:
    return Type(name, 0, False, False, (), name.start, name.end)
