"""What one walk over a function's text tells of it: which names flow into which, and what decides over its barriers.

An outline knows neither types nor numbers nor the order of statements; it is there to say cheaply, and for all ways to
reach a kernel at once, that nothing differing between work-items can decide over a barrier. What it cannot follow makes
it ``open``: then it says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import TypeAlias

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Call,
    Cast,
    Character,
    Conditional,
    Expr,
    Increment,
    Index,
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
    Arm,
    Block,
    Case,
    Declaration,
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
from sycllint.kernel.calls import ADDRESS_MEMBERS, is_atomic, is_plain_function
from sycllint.kernel.operands import root_of
from sycllint.kernel.vocabulary import (
    GROUP_FUNCTIONS,
    GROUP_HANDLES,
    ITEM_MAKERS,
    ITEM_TYPES,
    SUB_GROUP_FUNCTIONS,
    SUB_GROUP_MAKERS,
    SUB_GROUP_MEMBERS,
    SUB_GROUP_TYPES,
    WORK_GROUP_MAKERS,
    may_synchronise,
)
from sycllint.record import NamedTuple, field, mutable
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


_HANDLE_TYPES = ITEM_TYPES | SUB_GROUP_TYPES | GROUP_HANDLES
_HANDLE_MAKERS = ITEM_MAKERS | SUB_GROUP_MAKERS | WORK_GROUP_MAKERS | GROUP_HANDLES


class Kind(Enum):
    """What an act of a function is."""

    FLOW = "flow"
    """Something goes into a variable, or by a call into another function."""
    STORE = "store"
    """Something may be written through a pointer or accessor; what comes of it is not followed, only that it is so."""
    CALL = "call"
    """A function of the project may run."""
    BARRIER = "barrier"
    """A barrier or collective is met."""
    UNSEEN = "unseen"
    """Something runs that is not in sight and may wait for other work-items, or leave by a ``goto``."""
    RETURN = "return"
    BREAK = "break"
    CONTINUE = "continue"
    DIVISION = "division"
    WIDTH = "width"
    """A sub-group may be asked for its size."""


@mutable
class Act:
    """One act, and what it and the conditions on it come from."""

    kind: Kind
    sources: frozenset[Token]
    into: frozenset[Token] = frozenset()
    """Of flows and stores."""
    called: str = ""
    """Of calls: the function's name."""


class Division(NamedTuple):
    """``left % right`` and the like, which may take a local id apart."""

    act: Act
    node: Binary
    sources: frozenset[Token]
    """What the left side comes from."""
    place: Place
    """The function it stands in."""


class Stretch(NamedTuple):
    """The acts of one statement, by their positions."""

    statement: int
    """Its identity."""
    start: int
    end: int


@mutable
class Outline:
    """One function, lambda or kernel."""

    name: str = ""
    """Empty for lambdas."""
    flows: dict[Token, set[Token]] = field(default_factory=dict)
    """For each name those that its value, or a condition on it, goes into."""
    acts: list[Act] = field(default_factory=list)
    """In the order of the text."""
    writing: dict[Token, list[Act]] = field(default_factory=dict)
    """Those by which something goes into a name."""
    shared: tuple[Token, ...] = ()
    """What is written that other functions may read: all but what the function declares."""
    taken: tuple[Token, ...] = ()
    """What flows into something here and may be written by other functions."""
    calling: dict[str, list[Act]] = field(default_factory=dict)
    """Those that call a function, by its name."""
    barriers: list[Act] = field(default_factory=list)
    widths: list[Act] = field(default_factory=list)
    unseen: list[Act] = field(default_factory=list)
    stretches: list[Stretch] = field(default_factory=list)
    """Of the statements that act, the outer after the inner."""
    loops: list[Stretch] = field(default_factory=list)
    """Of loops and ``switch``, likewise."""
    handles: set[int] = field(default_factory=set)
    """The declarations of items, groups and lambdas, by identity."""
    parameters: tuple[Token, ...] = ()
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


class _Reader:
    """One walk. What the function declares is a token of its own; other names are their text."""

    def __init__(self, unit: Unit, function: Lambda | Function, place: Place) -> None:
        self._unit = unit
        self._function = function
        self._place = place
        self._scope: dict[str, Token] = {}
        """What the function declares, as far as it is visible here."""
        self._declared = 0
        self._pointers: set[Token] = set()
        self._closures: dict[str, tuple[list[tuple[Parameter, Token]], list[Act]]] = {}
        """Lambdas by the names of their variables: their parameters and their acts."""
        self._parameters: dict[int, list[tuple[Parameter, Token]]] = {}
        """Of the lambdas read so far, by identity."""
        self._acts: list[Act] = []
        self._stretches: list[Stretch] = []
        self._loops: list[Stretch] = []
        self._handles: set[int] = set()
        self._handle_names = {each.name for each in function.parameters}
        self._divisions: list[Division] = []
        self._force: frozenset[Token] = _NOTHING
        """What the conditions come from under which the code here runs."""
        self._returns: frozenset[Token] = _NOTHING
        """Likewise of the returns so far: they skip what comes after them, or is the loop around them."""
        self._breaks: frozenset[Token] = _NOTHING
        self._continues: frozenset[Token] = _NOTHING
        self._result: Token = _result(function, -1)
        """Where a returned value goes."""
        self._outside: dict[str, Name] = {}
        self._nodes = 0
        self._macros = 0

    def read(self) -> Outline:
        """The outline."""
        function = self._function
        own = [self._declare(each.name, each.type) for each in function.parameters]
        try:
            if function.body is not None:
                self._visit(function.body)
        except _TooMuchError:
            return Outline(open=True)
        for position, (parameter, token) in enumerate(zip(function.parameters, own, strict=True)):
            self._flow((token,), frozenset({_argument(function, position)}))
            if parameter.type.reference or parameter.type.pointers:
                self._flow((_result(function, position),), frozenset({token}))
        return self._made(own)

    def _made(self, parameters: list[Token]) -> Outline:
        made = Outline(_plain_name(self._function), acts=self._acts, stretches=self._stretches, loops=self._loops)
        made.handles = self._handles
        made.outside = tuple(self._outside.values())
        for act in self._acts:
            kind = act.kind
            if kind is Kind.FLOW:
                for source in act.sources:
                    made.flows.setdefault(source, set()).update(act.into)
            elif kind is Kind.CALL:
                made.calling.setdefault(act.called, []).append(act)
            elif kind is Kind.BARRIER:
                made.barriers.append(act)
            elif kind is Kind.WIDTH:
                made.widths.append(act)
            elif kind is Kind.UNSEEN:
                made.unseen.append(act)
            for token in act.into:
                made.writing.setdefault(token, []).append(act)
        own = id(self._function)
        made.shared = tuple([token for token in made.writing if not (isinstance(token, tuple) and token[0] == own)])
        made.taken = tuple([token for token in made.flows if not (isinstance(token, tuple) and token[0] == own)])
        made.parameters = tuple(parameters)
        made.divisions = self._divisions
        return made

    def _declare(self, name: str, kind: Type | None = None) -> Token:
        """A token for something the function declares."""
        self._declared += 1
        token = self._scope[name] = (id(self._function), name, self._declared)
        self._closures.pop(name, None)
        if kind is not None and kind.pointers:
            self._pointers.add(token)
        return token

    def _token(self, name: str) -> Token:
        return self._scope.get(name, name)

    def _deciding(self) -> frozenset[Token]:
        """What decides whether the code here runs."""
        jumped = self._returns or self._breaks or self._continues
        return self._force | self._returns | self._breaks | self._continues if jumped else self._force

    def _act(self, kind: Kind, sources: frozenset[Token] = _NOTHING, *, called: str = "") -> None:
        self._acts.append(Act(kind, sources | self._deciding(), called=called))

    def _flow(self, into: Iterable[Token], sources: frozenset[Token]) -> None:
        self._acts.append(Act(Kind.FLOW, sources | self._deciding(), frozenset(into)))

    def _store(self, into: Iterable[Token], sources: frozenset[Token]) -> None:
        self._acts.append(Act(Kind.STORE, sources | self._deciding(), frozenset(into)))

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
            return frozenset()
        found = [self._visit(each) for each in children(node)]
        return found[0] if len(found) == 1 else _NOTHING.union(*found)

    def _block(self, node: Block) -> frozenset[Token]:
        before, self._scope = self._scope, dict(self._scope)
        self._statements(node)
        self._scope = before
        return _NOTHING

    def _statements(self, node: Block) -> None:
        for statement in node.statements:
            start = len(self._acts)
            self._visit(statement)
            if len(self._acts) > start:
                self._stretches.append(Stretch(id(statement), start, len(self._acts)))

    def _arm(self, node: Arm | Case) -> frozenset[Token]:
        """Statements that share the scope around them."""
        self._statements(node.body)
        return _NOTHING

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
        token = self._scope.get(text)
        if token is None:
            if text in self._unit.macros:
                return self._macro(text, ())
            # A name from outside may be a member of the object that the function is called on.
            return frozenset({text, OBJECT})
        closure = self._closures.get(text)
        if closure is not None:
            self._again(closure[1])
        return frozenset({token})

    def _macro(self, name: str, arguments: tuple[Expr, ...]) -> frozenset[Token]:
        if self._macros >= MAX_MACROS:
            raise _TooMuchError
        self._macros += 1
        found = [self._visit(each) for each in arguments]
        before, self._scope = self._scope, dict(self._scope)
        for declared in self._unit.macros.get(name):
            macro = declared.node
            for parameter, sources in zip(macro.parameters or (), found, strict=False):
                token = self._declare(parameter)
                self._flow((token,), sources)
                self._flow(sources - {OBJECT}, frozenset({token}))
            body = macro.body if macro.body is not None else macro.value
            if body is None and macro.text:
                self._act(Kind.UNSEEN)
            elif body is None:
                continue
            elif not (isinstance(body, Name) and body.text == name):
                found.append(self._visit(body))
        self._scope = before
        self._macros -= 1
        return _NOTHING.union(*found)

    def _again(self, closure: list[Act]) -> None:
        """A lambda runs here: what it does is under the conditions of this place too."""
        around = self._deciding()
        self._acts += [
            Act(Kind.STORE if each.into else each.kind, each.sources | around, each.into, each.called)
            for each in closure
            if each.kind not in (Kind.RETURN, Kind.BREAK, Kind.CONTINUE)
        ]

    def _declaration(self, node: Declaration) -> frozenset[Token]:
        for variable in node.variables:
            self._variable(variable)
            if self._is_handle(variable):
                self._handles.add(id(node))
                self._handle_names.add(variable.name)
        return _NOTHING

    def _is_handle(self, variable: Variable) -> bool:
        """Whether a variable may stand for an item, a group or a lambda."""
        if variable.type.name.last in _HANDLE_TYPES:
            return True
        only = variable.arguments[0] if len(variable.arguments) == 1 else None
        while isinstance(only, Unary) and only.operator in ("*", "&"):
            only = only.operand
        match only:
            case Lambda():
                return True
            case Name(text=text):
                return text in self._handle_names
            case Call(function=Member(name=name)) | Call(function=Name(last=name)):
                return name in _HANDLE_MAKERS
            case _:
                return False

    def _variable(self, node: Variable) -> frozenset[Token]:
        only = node.arguments[0] if len(node.arguments) == 1 else None
        start = len(self._acts)
        found = _NOTHING.union(*(self._visit(each) for each in node.arguments))
        into = self._pointed(only) or (found - {OBJECT})
        token = self._declare(node.name, node.type)
        if isinstance(only, Lambda):
            self._closures[node.name] = (self._parameters.pop(id(only)), self._acts[start:])
        self._flow((token,), found)
        if node.type.reference or node.type.pointers:
            self._reaches(into, frozenset({token}))
        elif "atomic" in node.type.name.last:
            self._handed_on(node.arguments, found)
        elif only is not None and _pointed(only):
            self._store(into, frozenset({token}))
        return found

    def _pointed(self, expression: Expr | None) -> frozenset[Token]:
        return frozenset(self._token(each) for each in _pointed(expression))

    def _reaches(self, into: frozenset[Token], sources: frozenset[Token]) -> None:
        """What is written through a pointer or reference goes into what it leads to."""
        outside = frozenset(each for each in into if isinstance(each, str))
        if len(outside) < len(into):
            self._flow(into - outside, sources)
        if outside:
            self._store(outside, sources)

    def _lambda(self, node: Lambda) -> frozenset[Token]:
        before, self._scope = self._scope, dict(self._scope)
        self._parameters[id(node)] = [(each, self._declare(each.name, each.type)) for each in node.parameters]
        self._handle_names.update(each.name for each in node.parameters)
        around = self._returns, self._breaks, self._continues, self._result
        token: Token = ("lambda", id(node))
        self._result = token
        self._visit(node.body)
        self._returns, self._breaks, self._continues, self._result = around
        self._scope = before
        return frozenset({token})

    def _assign(self, node: Assign) -> frozenset[Token]:
        sources = self._visit(node.right)
        self._written(node.left, sources | self._visit(node.left))
        left = node.left
        if isinstance(left, Name) and (token := self._token(left.text)) in self._pointers:
            self._store(self._pointed(node.right), frozenset({token}))
        return sources

    def _increment(self, node: Increment) -> frozenset[Token]:
        sources = self._visit(node.operand)
        self._written(node.operand, sources)
        return sources

    def _written(self, left: Expr, sources: frozenset[Token]) -> None:
        root, _ = root_of(left)
        if root is None:
            self._store(sources - {OBJECT}, sources)
        elif isinstance(left, Name) or root in self._scope:
            self._flow((self._token(root),), sources)
        else:
            self._store((root,), sources)

    def _binary(self, node: Binary) -> frozenset[Token]:
        if node.operator in _CHOICES:
            left = self._visit(node.left)
            return left | self._under(left, node.right)
        left, right = self._visit(node.left), self._visit(node.right)
        both = left | right if right else left
        if node.operator in _DIVISIONS:
            act = Act(Kind.DIVISION, both)
            self._divisions.append(Division(act, node, left, self._place))
            self._acts.append(act)
        return both

    def _conditional(self, node: Conditional) -> frozenset[Token]:
        condition = self._visit(node.condition)
        return condition | self._under(condition, node.then, node.otherwise)

    def _if(self, node: If) -> frozenset[Token]:
        before, self._scope = self._scope, dict(self._scope)
        if node.initializer is not None:
            self._visit(node.initializer)
        condition = self._visit(node.condition) if node.condition is not None else _NOTHING
        if node.initializer is not None and node.condition is None:
            condition |= self._names_of(node.initializer)
        self._under(condition, node.then, node.otherwise)
        self._scope = before
        return _NOTHING

    def _names_of(self, statement: Node) -> frozenset[Token]:
        return frozenset(self._token(each.name) for each in walk(statement) if isinstance(each, Variable))

    def _loop(self, node: Loop) -> frozenset[Token]:
        before, self._scope = self._scope, dict(self._scope)
        if node.initializer is not None:
            self._visit(node.initializer)
        start = len(self._acts)
        condition = self._visit(node.condition) if node.condition is not None else _NOTHING
        self._repeated(node, start, condition, node.body, node.update)
        self._scope = before
        return _NOTHING

    def _range_loop(self, node: RangeLoop) -> frozenset[Token]:
        start = len(self._acts)
        ranged = self._visit(node.range)
        before, self._scope = self._scope, dict(self._scope)
        self._flow((self._declare(node.variable.name, node.variable.type),), ranged)
        self._repeated(node, start, ranged, node.body)
        self._scope = before
        return _NOTHING

    def _switch(self, node: Switch) -> frozenset[Token]:
        condition = self._visit(node.condition) if node.condition is not None else _NOTHING
        self._repeated(node, len(self._acts), condition, node.body)
        return _NOTHING

    def _repeated(
        self, node: Loop | RangeLoop | Switch, start: int, condition: frozenset[Token], *parts: Node | None
    ) -> None:
        """Read what a jump can leave: it decides over everything in it, and over what goes into it."""
        breaks, continues = self._breaks, self._continues
        self._under(condition, *parts)
        deciding = condition | self._returns | self._breaks | self._continues
        if deciding:
            for act in self._acts[start:]:
                act.sources |= deciding
        self._loops.append(Stretch(id(node), start, len(self._acts)))
        self._breaks = breaks
        if not isinstance(node, Switch):
            self._continues = continues

    def _return(self, node: Return) -> frozenset[Token]:
        found = self._visit(node.value) if node.value is not None else _NOTHING
        if found:
            self._flow((self._result,), found)
        self._returns |= self._force
        self._act(Kind.RETURN)
        return _NOTHING

    def _jump(self, node: Jump) -> frozenset[Token]:
        if node.value is not None:
            self._visit(node.value)
        if node.keyword == "break":
            self._breaks |= self._force
            self._act(Kind.BREAK)
        elif node.keyword == "continue":
            self._continues |= self._force
            self._act(Kind.CONTINUE)
        else:
            self._returns |= self._force
            self._act(Kind.UNSEEN if node.keyword == "goto" else Kind.RETURN)
        return _NOTHING

    def _call(self, node: Call) -> frozenset[Token]:
        match node.function:
            case Member() as function:
                return self._member_call(node, function)
            case Name() as function:
                return self._free_call(node, function)
            case Lambda() as function:
                found = self._visit(function)
                self._bound(self._parameters.pop(id(function)), [self._visit(each) for each in node.arguments])
                return found
            case _:
                found = _NOTHING.union(*(self._visit(each) for each in children(node)))
                self._handed_on(node.arguments, found)
                return found

    def _bound(self, parameters: list[tuple[Parameter, Token]], given: list[frozenset[Token]]) -> None:
        """What a lambda is called with."""
        for (parameter, token), sources in zip(parameters, given, strict=False):
            self._flow((token,), sources)
            if parameter.type.reference or parameter.type.pointers:
                self._store(sources - {OBJECT}, frozenset({token}))

    def _member_call(self, node: Call, function: Member) -> frozenset[Token]:
        name = function.name
        owner = self._visit(function.object)
        given = [self._visit(each) for each in node.arguments]
        found = _NOTHING.union(*given)
        if name == "get_max_local_range" or (name == "get_local_range" and not given):
            self._act(Kind.WIDTH)
        if name in _UNIFORM:
            return found
        if name in _MEETINGS:
            self._act(Kind.BARRIER)
        elif may_synchronise(name, shouted=False):
            self._act(Kind.UNSEEN)
        if is_atomic(name):
            self._handed_on((function.object,), found)
        if name in _IDS or name in _MEETINGS or is_atomic(name):
            found |= {ITEM, LANE} if name in _LOCAL_IDS else {ITEM}
        if name in self._unit.functions:
            found |= self._handed(name, node, given)
            self._flow((OBJECT,), owner)
        elif given:
            self._handed_on(node.arguments, found)
        return found | owner

    def _free_call(self, node: Call, function: Name) -> frozenset[Token]:
        last = function.last
        if last not in self._scope and last in self._unit.macros:
            return self._macro(last, node.arguments)
        given = [self._visit(each) for each in node.arguments]
        found = _NOTHING.union(*given)
        closure = self._closures.get(last)
        if closure is not None:
            self._bound(closure[0], given)
            self._again(closure[1])
        if last in _COLLECTIVES:
            self._act(Kind.BARRIER)
        if last in _COLLECTIVES or is_atomic(last):
            found |= {ITEM}
        if last in self._unit.functions:
            return found | self._handed(last, node, given)
        plain = is_plain_function(function, {})
        if closure is None:
            if last in self._scope or (not plain and may_synchronise(last)):
                self._act(Kind.UNSEEN)
            elif not function.qualifier and not plain:
                self._outside.setdefault(last, function)
        by_value = plain and last != "swap" and not is_atomic(last)
        self._handed_on([each for each in node.arguments if not by_value or isinstance(each, Unary)], found)
        return found | {self._token(last)}

    def _handed_on(self, arguments: Iterable[Expr], sources: frozenset[Token]) -> None:
        """What a function that is not in sight is handed, which it may write to."""
        roots = {self._token(root) for each in arguments if (root := root_of(_addressed(each))[0]) is not None}
        if roots:
            self._store(roots, sources)

    def _handed(self, name: str, node: Call, given: list[frozenset[Token]]) -> frozenset[Token]:
        """A call of a function of the project; what it gives."""
        if any(isinstance(each, Lambda) for each in node.arguments):
            raise _TooMuchError
        self._act(Kind.CALL, called=name)
        for position, (argument, sources) in enumerate(zip(node.arguments, given, strict=True)):
            self._flow(((name, position),), sources)
            root, _ = root_of(_addressed(argument))
            if root is not None:
                self._reaches(frozenset({self._token(root)}), frozenset({(name, position, "after")}))
        return frozenset({(name, -1, "after")})

    def _include(self, node: Include) -> frozenset[Token]:
        raise _TooMuchError


def _addressed(argument: Expr) -> Expr:
    """The object whose address is handed to a function, or else the argument itself."""
    return argument.operand if isinstance(argument, Unary) and argument.operator == "&" else argument


def _pointed(expression: Expr | None) -> frozenset[str]:
    """The variables by which the memory is reached that a pointer or reference of this value leads to."""
    match expression:
        case Name(text=text):
            return frozenset({text})
        case Unary(operator="&" | "*", operand=operand) | Cast(operand=operand):
            return _pointed(operand)
        case Binary(operator="+" | "-", left=left):
            return _pointed(left)
        case Index() | Member():
            root, _ = root_of(expression)
            return frozenset({root}) if root is not None else frozenset()
        case Call(function=Member(object=inner, name=name)) if name in ADDRESS_MEMBERS:
            return _pointed(inner)
        case Call(function=Name(last=last), arguments=(only, *_)) if last.endswith("_cast"):
            return _pointed(only)
        case _:
            return frozenset()


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
    Arm: _Reader._arm,
    Block: _Reader._block,
    Call: _Reader._call,
    Case: _Reader._arm,
    Conditional: _Reader._conditional,
    Declaration: _Reader._declaration,
    If: _Reader._if,
    Include: _Reader._include,
    Increment: _Reader._increment,
    Jump: _Reader._jump,
    Lambda: _Reader._lambda,
    Loop: _Reader._loop,
    Name: _Reader._name,
    RangeLoop: _Reader._range_loop,
    Return: _Reader._return,
    Switch: _Reader._switch,
    Variable: _Reader._variable,
}
