"""Which of the pointers it is given a piece of device code reads and writes through."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Brace,
    Call,
    Cast,
    Character,
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
from sycllint.cpp.statement import Block, Declaration, Function, Include, Loop, Struct, Variable, Variants
from sycllint.record import NamedTuple
from sycllint.values.evaluate import Evaluator
from sycllint.values.library import BY_VALUE, METHODS_BY_VALUE, READERS

MAX_CALLS = 6
"""How deep calls are followed."""
_ATOMICS = frozenset({"atomic_ref", "atomic"})
_SILENT = frozenset({Name, Number, Text, Character, Type})
"""What reads nothing, inside or out."""


class Touched(NamedTuple):
    """Names through which is read and written, surely."""

    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()


NOTHING = Touched()


class Touches:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._known: dict[int, Touched] = {}

    def of_lambda(self, function: Lambda) -> Touched:
        """What a kernel does with the names it captures."""
        return self._of(function, (each.name for each in function.parameters), function.body, 0)

    def of_object(self, struct: Struct) -> Touched:
        """What the one call operator of a function object does with the members of its class."""
        operators = [
            each
            for each in struct.members.statements
            if isinstance(each, Function) and each.name.replace(" ", "") == "operator()" and each.body is not None
        ]
        return self._function(operators[0], 0) if len(operators) == 1 else NOTHING

    def _function(self, function: Function, depth: int) -> Touched:
        if function.body is None or function.damaged or depth > MAX_CALLS:
            return NOTHING
        return self._of(function, (), function.body, depth)

    def _of(self, key: Node, hidden: Iterable[str], body: Block, depth: int) -> Touched:
        found = self._known.get(id(key))
        if found is None:
            self._known[id(key)] = NOTHING
            walk_of_body = _Walk(self, set(hidden), depth)
            walk_of_body.visit(body)
            found = self._known[id(key)] = Touched(frozenset(walk_of_body.reads), frozenset(walk_of_body.writes))
        return found

    def callee(self, call: Call, depth: int) -> tuple[Function, Touched] | None:
        """The one function of the project that a call means, and what it does with its parameters."""
        function = call.function
        if not isinstance(function, Name):
            return None
        found = self._evaluator.overloads.of_name(function, (None,) * len(call.arguments), None).found
        if len(found) != 1:
            return None
        return found[0].node, self._function(found[0].node, depth + 1)


class _Walk:
    """One walk over one body."""

    def __init__(self, touches: Touches, hidden: set[str], depth: int) -> None:
        self._touches = touches
        self._hidden = hidden
        self._depth = depth
        self._aliases: dict[str, str] = {}
        self.reads: set[str] = set()
        self.writes: set[str] = set()

    def visit(self, node: Node) -> None:
        """Note what ``node`` reads and writes through."""
        visit = _VISITS.get(type(node))
        if visit is None:
            self._inside(node)
        else:
            visit(self, node)

    def _inside(self, node: Node) -> None:
        for child in children(node):
            if type(child) not in _SILENT:
                self.visit(child)

    def _assign(self, node: Assign) -> None:
        self.visit(node.right)
        self._store(node.left, also_read=node.operator != "=")

    def _increment(self, node: Increment) -> None:
        self._store(node.operand, also_read=True)

    def _index(self, node: Index) -> None:
        self._note(self.reads, node.object)
        self._inside(node)

    def _unary(self, node: Unary) -> None:
        if node.operator == "&":
            self._address(node.operand)
            return
        if node.operator == "*":
            self._note(self.reads, node.operand)
        self._inside(node)

    def _member(self, node: Member) -> None:
        if isinstance(node.object, Name):
            self._note(self.reads, node.object)
        self.visit(node.object)

    def _declaration(self, node: Declaration) -> None:
        for variable in node.variables:
            self._declare(variable)

    def _brace(self, node: Brace) -> None:
        if isinstance(node.type, Name) and node.type.last in _ATOMICS:
            self._atomic(node.elements)
        else:
            self._inside(node)

    def _nothing(self, node: Node) -> None:
        """Operands of ``sizeof`` are not evaluated; which branch is compiled is not known."""

    def _declare(self, variable: Variable) -> None:
        self._hidden.add(variable.name)
        arguments = variable.arguments
        if variable.type.name.last in _ATOMICS:
            self._atomic(arguments)
            return
        if len(arguments) == 1:
            source = self._pointer(arguments[0])
            if source is None and variable.type.reference:
                source = self._element(arguments[0])
            if source is not None:
                self._aliases[variable.name] = source
        for argument in arguments:
            self.visit(argument)

    def _store(self, target: Expr, *, also_read: bool) -> None:
        match target:
            case Index(object=inner, indices=indices):
                self._note(self.writes, inner)
                if also_read:
                    self._note(self.reads, inner)
                if isinstance(inner, Index):
                    self.visit(inner)
                for index in indices:
                    self.visit(index)
            case Unary(operator="*", operand=operand):
                self._note(self.writes, operand)
                if also_read:
                    self._note(self.reads, operand)
            case Member(object=Name() as inner):
                self._note(self.writes, inner)
            case Member(object=inner):
                self._store(inner, also_read=also_read)
            case Call():
                self.visit(target)
            case Name(text=text) if text in self._aliases:
                # A reference to an element; a pointer that is set anew points elsewhere.
                del self._aliases[text]
            case _:
                self._inside(target)

    def _address(self, operand: Expr) -> None:
        """``&a[i]`` reads only its index."""
        match operand:
            case Index(object=inner, indices=indices):
                if not isinstance(inner, Name):
                    self.visit(inner)
                for index in indices:
                    self.visit(index)
            case Name():
                return
            case _:
                self._inside(operand)

    def _atomic(self, arguments: Iterable[Expr]) -> None:
        for argument in arguments:
            source = self._element(argument)
            if source is not None:
                self.writes.add(source)
                self.reads.add(source)
            for inner in children(argument):
                self.visit(inner)

    def _call(self, call: Call) -> None:
        if isinstance(call.function, Name) and call.function.last in _ATOMICS:
            self._atomic(call.arguments)
            return
        found = self._touches.callee(call, self._depth)
        if found is not None:
            function, touched = found
            for parameter, argument in zip(function.parameters, call.arguments, strict=False):
                source = self._pointer(argument)
                if source is None and parameter.type.reference:
                    source = self._element(argument)
                if source is None:
                    continue
                if parameter.name in touched.reads:
                    self.reads.add(source)
                if parameter.name in touched.writes:
                    self.writes.add(source)
        self._inside(call)

    def _note(self, into: set[str], expression: Expr) -> None:
        source = self._pointer(expression)
        if source is not None:
            into.add(source)

    def _element(self, expression: Expr) -> str | None:
        """The pointer whose element ``expression`` is."""
        match expression:
            case Index(object=inner) | Unary(operator="*", operand=inner):
                return self._pointer(inner)
            case Member(object=inner):
                return self._element(inner)
            case _:
                return None

    def _pointer(self, expression: Expr) -> str | None:
        """The name a pointer comes from."""
        match expression:
            case Name(text=text):
                if text in self._aliases:
                    return self._aliases[text]
                return None if text in self._hidden else text
            case Cast(operand=operand):
                return self._pointer(operand)
            case Unary(operator="&", operand=operand):
                return self._element(operand)
            case Binary(operator="+" | "-", left=left):
                return self._pointer(left)
            case Member(object=Name() | Member() as inner, name=name):
                whole = self._pointer(inner)
                return f"{whole}.{name}" if whole is not None else None
            case _:
                return None


_VISITS: dict[type[Node], Callable[[_Walk, Any], None]] = {
    Assign: _Walk._assign,
    Increment: _Walk._increment,
    Index: _Walk._index,
    Unary: _Walk._unary,
    Member: _Walk._member,
    Declaration: _Walk._declaration,
    Call: _Walk._call,
    Brace: _Walk._brace,
    SizeOf: _Walk._nothing,
    Variants: _Walk._nothing,
}
"""By class: bodies of kernels are large, and a chain of cases is asked again for each of their nodes."""


def captured(function: Lambda) -> dict[str, Expr]:
    """The captures of a lambda that have an initialiser: ``[p = q.get()]``."""
    return {each.name: each.value for each in function.captures if each.value is not None}


class Named(NamedTuple):
    """What is written in a node."""

    names: frozenset[str]
    """Unqualified and whole."""
    includes: bool
    """A file is included there, of whose names nothing is known."""


class Names:
    """What is written in nodes, worked out once for each."""

    def __init__(self) -> None:
        self._known: dict[int, Named] = {}
        self._assigned: dict[int, frozenset[str]] = {}
        self._changed: dict[int, frozenset[str]] = {}
        self._calls: dict[int, list[Call]] = {}

    def assigned(self, function: Function) -> frozenset[str]:
        """Names of what a function assigns, or takes the address of."""
        found = self._assigned.get(id(function))
        if found is None:
            nodes = walk(function.body) if function.body is not None else ()
            targets = [_changed(each) for each in nodes if type(each) in _CHANGES]
            names = frozenset(each.text for each in targets if isinstance(each, Name))
            found = self._assigned[id(function)] = names
        return found

    def changed(self, function: Function) -> frozenset[str]:
        """Names of what a function does not leave the value that it was declared with."""
        found = self._changed.get(id(function))
        if found is None:
            names = _may_be_set(function.body) if function.body is not None else ()
            found = self._changed[id(function)] = frozenset(names)
        return found

    def calls(self, function: Lambda) -> list[Call]:
        """The calls in a lambda."""
        found = self._calls.get(id(function))
        if found is None:
            found = self._calls[id(function)] = [each for each in walk(function.body) if type(each) is Call]
        return found

    def of(self, node: Node) -> frozenset[str]:
        """The names in ``node``, which belongs to a tree that outlives this."""
        return self.written(node).names

    def written(self, node: Node) -> Named:
        """The names in ``node``, and whether it includes more."""
        found = self._known.get(id(node))
        if found is None:
            found = self._known[id(node)] = _named(node)
        return found


_CHANGES = (Assign, Unary, Increment)


def _changed(node: Node) -> Node | None:
    """What is assigned, or has its address taken."""
    match node:
        case Assign(left=left):
            return left
        case Unary(operator="&", operand=operand) | Increment(operand=operand):
            return operand
        case _:
            return None


def counters(loop: Loop) -> frozenset[str]:
    """The variables that a loop declares, which it may change between its passes."""
    declared = loop.initializer
    return frozenset(each.name for each in declared.variables) if isinstance(declared, Declaration) else frozenset()


def _may_be_set(body: Block) -> Iterator[str]:
    """Names of what is assigned, has its address taken, or is given to a function that may change it.

    What a loop does to its own counter after each pass is none of these.
    """
    pending: list[tuple[Node, frozenset[str]]] = [(body, frozenset())]
    while pending:
        node, counted = pending.pop()
        match node:
            case Loop(update=update):
                own = counters(node)
                pending += [(each, own if each is update else frozenset()) for each in children(node)]
                continue
            case Lambda(default="=") if not any(each.by_reference for each in node.captures):
                # What it changes are its own copies.
                continue
            case Assign(left=Name(text=text)) | Increment(operand=Name(text=text)):
                if text not in counted:
                    yield text
            case Unary(operator="&", operand=Name(text=text)) | Binary(operator=">>", right=Name(text=text)):
                yield text
            case Call(function=Name(text=text)) if text.rpartition("::")[2] in BY_VALUE | READERS:
                pass
            case Call(function=Member(name=name)) if name in METHODS_BY_VALUE:
                pass
            case Call(arguments=arguments):
                yield from (each.text for each in arguments if isinstance(each, Name))
        pending += [(each, counted) for each in children(node)]


def names_in(node: Node) -> frozenset[str]:
    """Every name written in ``node``, unqualified and whole."""
    return _named(node).names


def _named(node: Node) -> Named:
    found: set[str] = set()
    includes = False
    stack = [node]
    while stack:
        current = stack.pop()
        kind = type(current)
        if kind is Name:
            assert isinstance(current, Name)
            found.add(current.text)
            if current.scope is None and current.arguments is None and "::" not in current.text:
                # Half of all nodes are such names.
                continue
            found.add(current.last)
        elif kind is Member:
            assert isinstance(current, Member)
            found.add(current.name)
        elif kind is Include:
            includes = True
        stack += children(current)
    return Named(frozenset(found), includes)
