"""What one walk over a function's text tells of it: which names flow into which, and what decides over its barriers.

An outline knows neither types nor numbers nor the order of statements; it is there to say cheaply, and for all ways to
reach a kernel at once, that nothing differing between work-items can decide over a barrier. What it cannot follow makes
it ``open``: then it says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Call,
    Character,
    Conditional,
    Expr,
    Increment,
    Lambda,
    Member,
    Name,
    Number,
    SizeOf,
    Text,
    Type,
    Unary,
)
from sycllint.cpp.node import Node, children, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    Function,
    If,
    Include,
    Jump,
    Loop,
    Parameter,
    RangeLoop,
    Return,
    Struct,
    Switch,
    Variable,
)
from sycllint.kernel.calls import is_atomic, is_plain_function
from sycllint.kernel.operands import root_of
from sycllint.kernel.vocabulary import GROUP_FUNCTIONS, SUB_GROUP_FUNCTIONS, SUB_GROUP_MEMBERS
from sycllint.record import field, mutable
from sycllint.values.unit import Unit

MAX_NODES = 20_000
"""Nodes of one function, with the macros in it; beyond it the outline is open."""
MAX_MACROS = 6
"""How deep macros in macros are read."""

Token: TypeAlias = object
"""A name as a value comes from it or goes to it: ``(function, name)`` for what a function declares itself."""
ITEM: Token = "an id of the work-item"
LANE: Token = "an id of the work-item in its group"
OBJECT: Token = "the object a method is called on"

_UNIFORM = frozenset(
    {"get_group", "get_sub_group", "get_local_range", "get_global_range", "get_group_range", "get_range", "get_offset"}
    | {"get_local_linear_range", "get_group_linear_range", "get_max_local_range"}
)
"""Members of items and groups that give what is the same in the group (SYCL 2020, "Expressing parallelism")."""
_LOCAL_IDS = frozenset({"get_local_id", "get_local_linear_id"})
_IDS = _LOCAL_IDS | {"get_global_id", "get_global_linear_id", "get_linear_id", "get_id", "get_group_id", "leader"}
_IDS |= {"get_group_linear_id"}
"""Members that give an id; that of a sub-group differs in the group, so ids of groups are taken for one."""
_MEETINGS = SUB_GROUP_MEMBERS | {"async_work_group_copy", "wait_for"}
_COLLECTIVES = GROUP_FUNCTIONS | SUB_GROUP_FUNCTIONS
_DIVISIONS = frozenset({"%", "/", "&", ">>"})
_CHOICES = frozenset({"&&", "||", "and", "or"})
_LEAVES = frozenset({Number, Text, Character, SizeOf, Type, Function, Struct})
_NOTHING: frozenset[Token] = frozenset()


class Division(NamedTuple):
    """``left % right`` and the like, which may take a local id apart."""

    node: Binary
    sources: frozenset[Token]
    """What the left side comes from."""
    place: Place
    """The function it stands in."""


@mutable
class Outline:
    """One function, lambda or kernel."""

    name: str = ""
    """Empty for lambdas."""
    flows: dict[Token, set[Token]] = field(default_factory=dict)
    """For each name those that its value, or a condition on it, goes into."""
    barriers: list[frozenset[Token]] = field(default_factory=list)
    """For each barrier or collective what the conditions come from that decide over it."""
    calls: list[tuple[str, frozenset[Token]]] = field(default_factory=list)
    """The functions of the project it may call, and likewise the conditions of each call."""
    divisions: list[Division] = field(default_factory=list)
    outside: tuple[Name, ...] = ()
    """What is called by a name that is no function of the project."""
    open: bool = False
    """It holds something that cannot be followed."""


def outline(unit: Unit, function: Lambda | Function, place: Place) -> Outline:
    """The outline of one function by itself."""
    return _Reader(unit, function, place).read()


class _TooMuchError(Exception):
    """The function is not worth reading to its end."""


@mutable
class _Entry:
    """A flow (``into``), a call (``called``) or a barrier, while the function is still being read."""

    sources: frozenset[Token]
    into: frozenset[Token] = frozenset()
    called: str = ""


class _Reader:
    """One walk. A name is its text until it is known which of them are the function's own."""

    def __init__(self, unit: Unit, function: Lambda | Function, place: Place) -> None:
        self._unit = unit
        self._function = function
        self._place = place
        self._own: set[str] = set()
        self._closures: dict[str, list[_Entry]] = {}
        self._entries: list[_Entry] = []
        self._divisions: list[tuple[Binary, frozenset[Token]]] = []
        self._force: frozenset[Token] = _NOTHING
        """What the conditions come from under which the code here runs."""
        self._jumps: frozenset[Token] = _NOTHING
        """Likewise of the jumps so far: what they skip comes after them, or is the loop around them."""
        self._outside: dict[str, Name] = {}
        self._nodes = 0
        self._macros = 0

    def read(self) -> Outline:
        """The outline."""
        function = self._function
        self._declare(function.parameters)
        try:
            if function.body is not None:
                self._visit(function.body)
        except _TooMuchError:
            return Outline(open=True)
        for position, parameter in enumerate(function.parameters):
            self._flow((_argument(function, position),), frozenset({parameter.name}))
            if parameter.type.reference or parameter.type.pointers:
                self._flow({parameter.name}, frozenset({_result(function, position)}))
        return self._made()

    def _made(self) -> Outline:
        made = Outline(_plain_name(self._function), outside=tuple(self._outside.values()))
        for entry in self._entries:
            sources = self._resolved(entry.sources, source=True)
            if entry.called:
                made.calls.append((entry.called, sources))
            elif entry.into:
                into = self._resolved(entry.into, source=False)
                for source in sources:
                    made.flows.setdefault(source, set()).update(into)
            else:
                made.barriers.append(sources)
        made.divisions = [
            Division(node, self._resolved(sources, source=True), self._place) for node, sources in self._divisions
        ]
        return made

    def _resolved(self, tokens: frozenset[Token], *, source: bool) -> frozenset[Token]:
        found: set[Token] = set()
        for token in tokens:
            if token in self._own:
                found.add((id(self._function), token))
                continue
            found.add(token)
            if source and isinstance(token, str):
                # A name from outside may be a member of the object that the function is called on.
                found.add(OBJECT)
        return frozenset(found)

    def _declare(self, parameters: Iterable[Parameter]) -> None:
        self._own.update(each.name for each in parameters)

    def _flow(self, into: Iterable[Token], sources: frozenset[Token]) -> None:
        self._entries.append(_Entry(sources | self._force | self._jumps, frozenset(into)))

    def _visit(self, node: Node) -> frozenset[Token]:
        """Read a node; what its value comes from."""
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise _TooMuchError
        kind = type(node)
        visit = _VISITS.get(kind)
        if visit is not None:
            return visit(self, node)
        if kind in _LEAVES:
            return _NOTHING
        found = [self._visit(each) for each in children(node)]
        return found[0] if len(found) == 1 else _NOTHING.union(*found)

    def _under(self, condition: frozenset[Token], *parts: Node | None) -> frozenset[Token]:
        """Read what runs, or does not, by a condition."""
        before, self._force = self._force, self._force | condition
        found = _NOTHING.union(*(self._visit(each) for each in parts if each is not None))
        self._force = before
        return found

    def _name(self, node: Name) -> frozenset[Token]:
        text = node.text
        if node.scope is not None or node.arguments:
            text = node.last
        if text not in self._own and text in self._unit.macros:
            return self._macro(text, ())
        closure = self._closures.get(text)
        if closure is not None:
            self._again(closure)
        return frozenset({text})

    def _macro(self, name: str, arguments: tuple[Expr, ...]) -> frozenset[Token]:
        if self._macros >= MAX_MACROS:
            raise _TooMuchError
        self._macros += 1
        found = [self._visit(each) for each in arguments]
        for declared in self._unit.macros.get(name):
            macro = declared.node
            for parameter, sources in zip(macro.parameters or (), found, strict=False):
                self._own.add(parameter)
                self._flow((parameter,), sources)
                self._flow(sources, frozenset({parameter}))
            body = macro.body if macro.body is not None else macro.value
            if body is not None and not (isinstance(body, Name) and body.text == name):
                found.append(self._visit(body))
        self._macros -= 1
        return _NOTHING.union(*found)

    def _again(self, closure: list[_Entry]) -> None:
        """A lambda runs here: its barriers and calls are under the conditions of this place too."""
        around = self._force | self._jumps
        self._entries += [_Entry(each.sources | around, _NOTHING, each.called) for each in closure]

    def _variable(self, node: Variable) -> frozenset[Token]:
        self._own.add(node.name)
        only = node.arguments[0] if len(node.arguments) == 1 else None
        start = len(self._entries)
        found = _NOTHING.union(*(self._visit(each) for each in node.arguments))
        if isinstance(only, Lambda):
            self._closures[node.name] = [each for each in self._entries[start:] if not each.into]
            self._declare(only.parameters)
        self._flow((node.name,), found)
        if node.type.reference or node.type.pointers:
            self._flow(found, frozenset({node.name}))
        return found

    def _lambda(self, node: Lambda) -> frozenset[Token]:
        self._declare(node.parameters)
        jumps = self._jumps
        self._visit(node.body)
        self._jumps = jumps
        return _NOTHING

    def _assign(self, node: Assign) -> frozenset[Token]:
        sources = self._visit(node.right)
        self._written(node.left, sources | self._visit(node.left))
        return sources

    def _increment(self, node: Increment) -> frozenset[Token]:
        sources = self._visit(node.operand)
        self._written(node.operand, sources)
        return sources

    def _written(self, left: Expr, sources: frozenset[Token]) -> None:
        root, _ = root_of(left)
        if root is None:
            return
        if isinstance(left, Name) or root in self._own:
            self._flow((root,), sources)

    def _binary(self, node: Binary) -> frozenset[Token]:
        if node.operator in _CHOICES:
            left = self._visit(node.left)
            return left | self._under(left, node.right)
        left, right = self._visit(node.left), self._visit(node.right)
        if node.operator in _DIVISIONS:
            self._divisions.append((node, left))
        return left | right if right else left

    def _conditional(self, node: Conditional) -> frozenset[Token]:
        condition = self._visit(node.condition)
        return condition | self._under(condition, node.then, node.otherwise)

    def _if(self, node: If) -> frozenset[Token]:
        if node.initializer is not None:
            self._visit(node.initializer)
        condition = self._visit(node.condition) if node.condition is not None else _NOTHING
        if node.initializer is not None and node.condition is None:
            condition |= self._names_of(node.initializer)
        self._under(condition, node.then, node.otherwise)
        return _NOTHING

    def _names_of(self, statement: Node) -> frozenset[Token]:
        return frozenset(each.name for each in walk(statement) if isinstance(each, Variable))

    def _loop(self, node: Loop) -> frozenset[Token]:
        if node.initializer is not None:
            self._visit(node.initializer)
        start = len(self._entries)
        condition = self._visit(node.condition) if node.condition is not None else _NOTHING
        self._repeated(start, condition, node.body, node.update)
        return _NOTHING

    def _range_loop(self, node: RangeLoop) -> frozenset[Token]:
        start = len(self._entries)
        ranged = self._visit(node.range)
        self._own.add(node.variable.name)
        self._flow((node.variable.name,), ranged)
        self._repeated(start, ranged, node.body)
        return _NOTHING

    def _switch(self, node: Switch) -> frozenset[Token]:
        condition = self._visit(node.condition) if node.condition is not None else _NOTHING
        self._repeated(len(self._entries), condition, node.body)
        return _NOTHING

    def _repeated(self, start: int, condition: frozenset[Token], *parts: Node | None) -> None:
        """Read what a jump can leave: it decides over everything in it, and over what goes into it."""
        self._under(condition, *parts)
        deciding = condition | self._jumps
        if deciding:
            for entry in self._entries[start:]:
                entry.sources |= deciding

    def _jump(self, node: Return | Jump) -> frozenset[Token]:
        found = self._visit(node.value) if node.value is not None else _NOTHING
        self._jumps |= self._force
        if isinstance(node, Return) and found:
            self._flow((_result(self._function, -1),), found)
        return _NOTHING

    def _call(self, node: Call) -> frozenset[Token]:
        match node.function:
            case Member() as function:
                return self._member_call(node, function)
            case Name() as function:
                return self._free_call(node, function)
            case _:
                return _NOTHING.union(*(self._visit(each) for each in children(node)))

    def _member_call(self, node: Call, function: Member) -> frozenset[Token]:
        name = function.name
        owner = self._visit(function.object)
        given = [self._visit(each) for each in node.arguments]
        found = _NOTHING.union(*given)
        if name in _UNIFORM:
            return found
        if name in _MEETINGS:
            self._barrier()
        if name in _IDS or name in _MEETINGS or is_atomic(name):
            found |= {ITEM, LANE} if name in _LOCAL_IDS else {ITEM}
        if name in self._unit.functions:
            found |= self._handed(name, node, given)
            self._flow((OBJECT,), owner)
        return found | owner

    def _free_call(self, node: Call, function: Name) -> frozenset[Token]:
        last = function.last
        if last not in self._own and last in self._unit.macros:
            return self._macro(last, node.arguments)
        given = [self._visit(each) for each in node.arguments]
        found = _NOTHING.union(*given)
        closure = self._closures.get(last)
        if closure is not None:
            self._again(closure)
        if last in _COLLECTIVES:
            self._barrier()
        if last in _COLLECTIVES or is_atomic(last):
            found |= {ITEM}
        if last in self._unit.functions:
            return found | self._handed(last, node, given)
        if closure is None and last not in self._own and not function.qualifier and not is_plain_function(function, {}):
            self._outside.setdefault(last, function)
        return found | {last}

    def _barrier(self) -> None:
        self._entries.append(_Entry(self._force | self._jumps))

    def _handed(self, name: str, node: Call, given: list[frozenset[Token]]) -> frozenset[Token]:
        """A call of a function of the project; what it gives."""
        if any(isinstance(each, Lambda) for each in node.arguments):
            raise _TooMuchError
        self._entries.append(_Entry(self._force | self._jumps, _NOTHING, name))
        for position, (argument, sources) in enumerate(zip(node.arguments, given, strict=True)):
            self._flow(((name, position),), sources)
            target = argument.operand if isinstance(argument, Unary) and argument.operator == "&" else argument
            root, _ = root_of(target)
            if root in self._own:
                self._flow((root,), frozenset({(name, position, "after")}))
        return frozenset({(name, -1, "after")})

    def _include(self, node: Include) -> frozenset[Token]:
        raise _TooMuchError


def _argument(function: Lambda | Function, position: int) -> Token:
    """What is handed to a function, by its name alone: overloads are one."""
    return (_plain_name(function), position)


def _result(function: Lambda | Function, position: int) -> Token:
    """What a function gives (-1), or leaves in what it was handed."""
    return (_plain_name(function), position, "after")


def _plain_name(function: Lambda | Function) -> str:
    return function.name.rpartition("::")[2] if isinstance(function, Function) else ""


_VISITS: dict[type[Node], Callable[..., frozenset[Token]]] = {
    Assign: _Reader._assign,
    Binary: _Reader._binary,
    Call: _Reader._call,
    Conditional: _Reader._conditional,
    If: _Reader._if,
    Include: _Reader._include,
    Increment: _Reader._increment,
    Jump: _Reader._jump,
    Lambda: _Reader._lambda,
    Loop: _Reader._loop,
    Name: _Reader._name,
    RangeLoop: _Reader._range_loop,
    Return: _Reader._jump,
    Switch: _Reader._switch,
    Variable: _Reader._variable,
}
