"""What the value of an expression comes from, and what it does: names, macros, assignments, calls.

The expressions of one function as they are read into its ledger. What is met on the way that is no expression is read
by ``visits``, which the reader of the statements fills.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from operator import or_
from typing import ClassVar

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Brace,
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
    Opaque,
    SizeOf,
    Text,
    Type,
    Unary,
)
from sycllint.cpp.node import Node, children, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, Parameter, Struct
from sycllint.kernel.calls import ADDRESS_MEMBERS, is_atomic, is_plain_function
from sycllint.kernel.ledger import OWN_OBJECT, Ledger, argument_of, plain_name, result_of
from sycllint.kernel.operands import root_of
from sycllint.kernel.outline import ITEM, LANE, OBJECT, SHARED, Kind
from sycllint.kernel.vocabulary import (
    GROUP_FUNCTIONS,
    SUB_GROUP_FUNCTIONS,
    SUB_GROUP_MAKERS,
    SUB_GROUP_MEMBERS,
    WORK_GROUP_MAKERS,
    may_synchronise,
)
from sycllint.symbols.unit import Unit
from sycllint.values.library import KEEPERS, SETTERS

MAX_NODES = 20_000
"""Nodes of one function but names and literals, with the macros in it; beyond it the outline is open."""
MAX_MACROS = 6
"""How deep macros in macros are read."""

_OF_ITEM = 1 << SHARED.index(ITEM)
_OF_LANE = _OF_ITEM | 1 << SHARED.index(LANE)
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
_VALUES = _UNIFORM | _IDS | SUB_GROUP_MAKERS | WORK_GROUP_MAKERS
"""Members of items and groups that give what has no part in them."""
_DIVISIONS = frozenset({"%", "/", "&", ">>"})
_CHOICES = frozenset({"&&", "||", "and", "or"})
_OTHER_NUMBERS = _CHOICES | {"<", "<=", ">", ">=", "==", "!=", "<=>", "<<", "|", "^"}
"""Operators whose result is no id, give or take a constant."""
_CARRYING = frozenset({"mul24"})
"""Functions of the library whose result has one."""
_TAKING = SETTERS | KEEPERS
"""Functions of the library that change what they are handed, or whose result refers to it."""
_LEAVES = frozenset({Number, Text, Character, SizeOf, Type, Function, Struct})


class TooMuchError(Exception):
    """The function is not worth reading to its end."""


class Expressions(Ledger):
    """The expressions of one function. Each visit gives what the value of its node comes from."""

    visits: ClassVar[dict[type[Node], Callable[..., int]]] = {}

    def __init__(self, unit: Unit, function: Lambda | Function, place: Place) -> None:
        super().__init__(function, place)
        self._functions = unit.functions
        self._unit_macros = unit.macros
        self._parameters: dict[int, list[tuple[Parameter, int]]] = {}
        """Of the lambdas read so far, by identity."""
        self._result = self._shared(result_of(plain_name(function), -1))
        """Where a returned value goes."""
        self._texts: dict[int, int] = {}
        """Whose numbers the macros used so far and the lambdas give, by the identity of the use."""
        self._nodes = 0
        self._expanding = 0

    def _visit(self, node: Node) -> int:
        kind = type(node)
        if kind is Name:
            # The type checker does not learn from ``kind`` what ``node`` is.
            return self._name(node)  # type: ignore[arg-type]
        if kind in _LEAVES:
            return 0
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise TooMuchError
        visit = self.visits.get(kind)
        return visit(self, node) if visit is not None else self._all(children(node))

    def _all(self, nodes: Iterable[Node]) -> int:
        found = 0
        for each in nodes:
            found |= self._visit(each)
        return found

    def _name(self, node: Name) -> int:
        text = node.text
        if node.scope is not None or node.arguments:
            text = node.last
        bit = self._scope.get(text)
        if bit is None:
            if text in self._unit_macros:
                return self._macro(text, node, ())
            # A name from outside may be a member of the object that the function is called on.
            return self._named(text) | OWN_OBJECT
        closure = self._closures.get(text)
        if closure is not None:
            self._again(closure[1])
        return bit

    def _macro(self, name: str, use: Expr, arguments: tuple[Expr, ...]) -> int:
        if self._expanding >= MAX_MACROS:
            raise TooMuchError
        self._expanding += 1
        given = [self._visit(each) for each in arguments]
        numbers = [self._number(each) for each in arguments]
        found, number = reduce(or_, given, 0), 0
        before, self._scope = self._scope, dict(self._scope)
        for declared in self._unit_macros.get(name):
            macro = declared.node
            bits = {parameter: self._declare(parameter) for parameter in macro.parameters or ()}
            for position, (parameter, _) in enumerate(macro.handed(arguments)):
                bit, sources = bits[parameter], given[position]
                self._flow(bit, sources)
                self._flow(sources & ~OWN_OBJECT, bit)
                self._carry(bit, numbers[position])
                self._carry(numbers[position], bit)
            body = macro.body if macro.body is not None else macro.value
            if body is None and macro.text:
                self._act(Kind.UNSEEN)
            elif body is None:
                continue
            elif not (isinstance(body, Name) and body.text == name):
                value = self._visit(body)
                given.append(value)
                found |= value
                number |= self._number(body)
        self._texts[id(use)] = number
        self._scope = before
        self._expanding -= 1
        return found

    def _cast(self, node: Cast) -> int:
        return self._visit(node.operand)

    def _unary(self, node: Unary) -> int:
        found = self._visit(node.operand)
        if node.operator == "&":
            self._handed_on((node,), found)
        return found

    def _brace(self, node: Brace) -> int:
        found = self._all(node.elements)
        if isinstance(node.type, Name):
            # An object of a class may keep references to what it is made from, and change it.
            self._handed_on(node.elements, found)
        return found

    def _opaque(self, node: Opaque) -> int:
        found = self._all(children(node))
        if "asm" in node.kind:
            self._handed_on([each for each in walk(node) if isinstance(each, Name)], found)
        return found

    def _index(self, node: Index) -> int:
        return self._visit(node.object) | self._all(node.indices)

    def _assign(self, node: Assign) -> int:
        left = node.left
        sources = self._visit(node.right)
        self._written(left, sources | self._visit(left))
        if type(left) is Name:
            self._carry(self._scope.get(left.text, 0), self._number(node.right))
        if type(left) is Name and (bit := self._scope.get(left.text, 0)) & self._pointers:
            self._store(self._pointed(node.right), bit)
        return sources

    def _increment(self, node: Increment) -> int:
        sources = self._visit(node.operand)
        self._written(node.operand, sources)
        return sources

    def _written(self, left: Expr, sources: int) -> None:
        root = left.text if type(left) is Name else root_of(left)[0]
        if root is None:
            self._store(sources & ~OWN_OBJECT, sources)
        elif type(left) is Name or root in self._scope:
            self._flow(self._named(root), sources)
        else:
            self._store(self._named(root), sources)

    def _binary(self, node: Binary) -> int:
        left = self._visit(node.left)
        if node.operator in _CHOICES:
            return left | self._under(left, node.right)
        both = left | self._visit(node.right)
        if node.operator in _DIVISIONS:
            self._divides(node, self._number(node.left), both)
        return both

    def _conditional(self, node: Conditional) -> int:
        condition = self._visit(node.condition)
        return condition | self._under(condition, node.then, node.otherwise)

    def _under(self, condition: int, *parts: Node | None) -> int:
        """Read what runs, or does not, by a condition."""
        before = self._force
        self._force |= condition
        found = self._all(each for each in parts if each is not None)
        self._force = before
        return found

    def _lambda(self, node: Lambda) -> int:
        before, self._scope = self._scope, dict(self._scope)
        self._parameters[id(node)] = [(each, self._declare(each.name, each.type)) for each in node.parameters]
        self._handle_names.update(each.name for each in node.parameters)
        around = self._returns, self._breaks, self._continues, self._result
        result = self._result = self._fresh()
        self._visit(node.body)
        self._returns, self._breaks, self._continues, self._result = around
        self._scope = before
        self._texts[id(node)] = result
        return result

    def _call(self, node: Call) -> int:
        function = node.function
        if type(function) is Name:
            return self._free_call(node, function)
        if type(function) is Member:
            return self._member_call(node, function)
        if type(function) is Lambda:
            found = self._visit(function)
            given = [(self._visit(each), self._number(each)) for each in node.arguments]
            self._bound(self._parameters.pop(id(function)), given)
            return found
        found = self._all(children(node))
        self._handed_on(node.arguments, found)
        return found

    def _member_call(self, node: Call, function: Member) -> int:
        name = function.name
        owner = self._visit(function.object)
        given = [self._visit(each) for each in node.arguments]
        found = reduce(or_, given, 0)
        if name == "get_max_local_range" or (name == "get_local_range" and not given):
            self._act(Kind.WIDTH)
        if name in _UNIFORM:
            return found
        if name in _MEETINGS:
            self._act(Kind.BARRIER)
        elif may_synchronise(name, shouted=False):
            self._act(Kind.UNSEEN)
        atomic = is_atomic(name)
        if atomic:
            self._handed_on((function.object,), found)
        if name in _IDS or name in _MEETINGS or atomic:
            found |= _OF_LANE if name in _LOCAL_IDS else _OF_ITEM
        if name in self._functions:
            found |= self._handed(name, node, given)
            self._flow(self._shared(OBJECT), owner)
        elif given:
            self._handed_on(node.arguments, found)
        return found | owner

    def _free_call(self, node: Call, function: Name) -> int:
        last = function.last
        if last not in self._scope and last in self._unit_macros:
            return self._macro(last, node, node.arguments)
        given = [self._visit(each) for each in node.arguments]
        found = reduce(or_, given, 0)
        closure = self._closures.get(last)
        if closure is not None:
            self._bound(closure[0], zip(given, map(self._number, node.arguments), strict=True))
            self._again(closure[1])
        atomic = is_atomic(last)
        if last in _COLLECTIVES:
            self._act(Kind.BARRIER)
        if last in _COLLECTIVES or atomic:
            found |= _OF_ITEM
        if last in self._functions:
            return found | self._handed(last, node, given)
        plain = is_plain_function(function, {})
        if closure is None:
            if last in self._scope or (not plain and may_synchronise(last)):
                self._act(Kind.UNSEEN)
            elif not function.qualifier and not plain:
                self._outside.setdefault(last, function)
        by_value = plain and last not in _TAKING and not atomic
        self._handed_on([each for each in node.arguments if not by_value or isinstance(each, Unary)], found)
        return found | self._named(last)

    def _handed_on(self, arguments: Iterable[Expr], sources: int) -> None:
        """What a function that is not in sight is handed, which it may write to."""
        roots = 0
        for each in arguments:
            root = _handed_root(each)
            if root is not None:
                roots |= self._named(root)
        self._store(roots & ~self._fixed, sources)

    def _handed(self, name: str, node: Call, given: list[int]) -> int:
        """A call of a function of the project; what it gives."""
        if any(isinstance(each, Lambda) for each in node.arguments):
            raise TooMuchError
        self._calls(name)
        for position, (argument, sources) in enumerate(zip(node.arguments, given, strict=True)):
            handed = self._shared(argument_of(name, position))
            self._flow(handed, sources)
            self._carry(handed, self._number(argument))
            root = _handed_root(argument)
            if root is not None:
                after = self._shared(result_of(name, position))
                self._reaches(self._named(root) & ~self._fixed, after)
                self._carry(self._scope.get(root, 0), after)
        return self._shared(result_of(name, -1))

    def _pointed(self, expression: Expr | None) -> int:
        """What the memory is reached by that a pointer or reference of this value leads to."""
        name = _pointed(expression)
        return self._named(name) if name is not None else 0

    def _number(self, expression: Node) -> int:
        """Whose number an expression that was just read may have, as it is or with something added."""
        match expression:
            case Name(text=text):
                own = self._scope.get(text)
                return own if own is not None else self._texts.get(id(expression), 0)
            case Binary(operator=operator, left=left, right=right):
                return 0 if operator in _OTHER_NUMBERS else self._number(left) | self._number(right)
            case Call():
                return self._number_of_call(expression)
            case Conditional(then=then, otherwise=otherwise):
                return self._number(then) | self._number(otherwise)
            case Cast(operand=inner) | Increment(operand=inner) | Index(object=inner):
                return self._number(inner)
            case Unary(operator="+" | "-", operand=inner):
                return self._number(inner)
            case Assign(left=left, right=right):
                return self._number(left) | self._number(right)
            case Lambda():
                return self._texts.get(id(expression), 0)
            case _:
                return 0

    def _number_of_call(self, node: Call) -> int:
        match node.function:
            case Member(object=inner, name=name):
                if name in _LOCAL_IDS:
                    return _OF_LANE
                own = self._number(inner) if name == "get" else 0
                return own | self._shared(result_of(name, -1)) if name in self._functions else own
            case Name(text=text, last=last):
                number = self._texts.get(id(node)) or self._scope.get(text, 0)
                if last in self._functions:
                    return number | self._shared(result_of(last, -1))
                if last in _CARRYING or last.endswith("_cast"):
                    number |= reduce(or_, map(self._number, node.arguments), 0)
                return number
            case Lambda() as function:
                return self._number(function)
            case _:
                return 0


def _handed_root(argument: Expr) -> str | None:
    """The variable that a function may write to, or to a part of it, or to what it leads to, which is handed this."""
    if isinstance(argument, Unary) and argument.operator == "&":
        argument = argument.operand
    match argument:
        case Call(function=Member(name=name)) if name in _VALUES:
            return None
        case _:
            return root_of(argument)[0]


def _pointed(expression: Expr | None) -> str | None:
    """The variable by which the memory is reached that a pointer or reference of this value leads to."""
    match expression:
        case Name(text=text):
            return text
        case Unary(operator="&" | "*", operand=operand) | Cast(operand=operand):
            return _pointed(operand)
        case Binary(operator="+" | "-", left=left):
            return _pointed(left)
        case Index() | Member():
            return root_of(expression)[0]
        case Call(function=Member(object=inner, name=name)) if name in ADDRESS_MEMBERS:
            return _pointed(inner)
        case Call(function=Name(last=last), arguments=(only, *_)) if last.endswith("_cast"):
            return _pointed(only)
        case _:
            return None


Expressions.visits |= {
    Assign: Expressions._assign,
    Binary: Expressions._binary,
    Brace: Expressions._brace,
    Call: Expressions._call,
    Cast: Expressions._cast,
    Conditional: Expressions._conditional,
    Increment: Expressions._increment,
    Index: Expressions._index,
    Lambda: Expressions._lambda,
    Opaque: Expressions._opaque,
    Unary: Expressions._unary,
}
