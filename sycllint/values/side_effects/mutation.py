"""Which names a piece of code may change, as far as one file shows.

A name handed to a function counts as changed when the function takes it by reference to non-const, or when the function
is written elsewhere and is not one of the C++ library's. Lambdas that capture by copy change nothing outside.

Besides names, the sets hold ``*name`` for code that may change the elements of ``name`` if that is an array,
``&name`` for code after which something else may change ``name`` at any time: a reference, a pointer that is kept, a
lambda that is kept; ``.name`` for code that calls a method of ``name``, and ``this.name`` for code that writes a member
through ``this``.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Brace,
    Call,
    Character,
    Expr,
    Increment,
    Lambda,
    Member,
    Name,
    New,
    Number,
    SizeOf,
    Text,
    Type,
    Unary,
)
from sycllint.cpp.node import Node, children, walk
from sycllint.cpp.statement import (
    Block,
    Declaration,
    Evaluate,
    Function,
    If,
    Loop,
    Macro,
    RangeLoop,
    Return,
    Struct,
    TemplateParameter,
    Variable,
)
from sycllint.symbols.unit import Unit
from sycllint.values.side_effects.callees import SCALARS, Callees, set_by_name
from sycllint.values.side_effects.library import COLLECTORS
from sycllint.values.side_effects.lvalues import address, decayed, kept_lambdas, lasting, named, read, reads_stream

_NOTHING: frozenset[str] = frozenset()
_INERT = frozenset({Number, Text, Character, Macro, Function, TemplateParameter, SizeOf})
_LOGICAL = frozenset({"&&", "||"})
_DECAYING = frozenset({"+", "-", ","})
"""Operators beside which the name of an array is a pointer to its elements, which is handed on."""
_ASSIGNED = re.compile(r"\b([A-Za-z_]\w*)\s*(?:=(?!=)|[-+*/%&|^]=|<<=|>>=|\+\+|--)|(?:\+\+|--|&)\s*([A-Za-z_]\w*)")


class Mutations:
    """Answers, remembered per node, for one file."""

    def __init__(self, facts: Unit) -> None:
        self._facts = facts
        self._callees = Callees(facts, self.of)
        self._memo: dict[int, frozenset[str]] = {}
        self._bare: set[str] = set()
        """Names met that no macro has."""
        self._expanding: set[str] = set()
        self._separate: list[Node] = []
        """Bodies met that have no part in what is around them: they may still change what has static storage."""

    def of(self, node: Node) -> frozenset[str]:
        """Names of the surroundings that ``node`` may change; names it declares itself are left out."""
        kind = type(node)
        if kind in _INERT or (type(node) is Name and node.text in self._bare):
            return _NOTHING
        found = self._memo.get(id(node))
        if found is None:
            found = self._memo[id(node)] = _OF_KIND.get(kind, Mutations._within)(self, node)
        return found

    def condition(self, node: Expr) -> frozenset[str]:
        """Names that ``node`` may change where a truth value is wanted: there ``in >> n`` reads a stream."""
        return self.of(node) | read(node)

    def may_change(self, names: Iterable[str], nodes: Iterable[Node]) -> bool:
        """Whether ``nodes`` may change what is called so, of static storage: also lambdas and classes in them."""
        wanted = frozenset(names)
        if not all(wanted.isdisjoint(self.of(node)) for node in nodes):
            return True
        # Answers are remembered, so a body set aside for one question counts for every later one.
        for body in self._separate:  # which grows
            inside = (each.body if isinstance(each, Function) else each for each in children(body))
            if not all(each is None or wanted.isdisjoint(self.of(each)) for each in inside):
                return True
        return False

    def _inside(self, node: Node) -> set[str]:
        names: set[str] = set()
        for child in children(node):
            names |= self.of(child)
        return names

    def _within(self, node: Node) -> frozenset[str]:
        names = self._inside(node)
        return frozenset(names) if names else _NOTHING

    # ----------------------------------------------------------- expressions

    def _name(self, node: Name) -> frozenset[str]:
        if node.text in self._facts.macros:
            return self._object_macro(node.text)
        self._bare.add(node.text)
        return _NOTHING

    def _assign(self, node: Assign) -> frozenset[str]:
        return frozenset(self._inside(node) | self._written(node.left) | self._kept(node.right) | decayed(node.right))

    def _increment(self, node: Increment) -> frozenset[str]:
        return frozenset(self._inside(node) | self._written(node.operand))

    def _written(self, target: Expr) -> set[str]:
        """The variable that an assignment writes, also where a macro stands for its name."""
        names = named(target)
        for name in tuple(names):
            for declared in self._facts.macros.get(name) if name in self._facts.macros else ():
                if declared.node.parameters is None and declared.node.value is not None:
                    names |= named(declared.node.value)
        return names

    def _brace(self, node: Brace) -> frozenset[str]:
        if not isinstance(node.type, Name):
            # ``{"size", size}`` is what an option is made from, in a list of them.
            return frozenset(self._inside(node) | set_by_name(node.elements))
        return frozenset(self._inside(node) | self._callees.constructed(node.type, node.elements))

    def _new(self, node: New) -> frozenset[str]:
        return frozenset(self._inside(node) | self._callees.constructed(node.type.name, node.arguments))

    def _unary(self, node: Unary) -> frozenset[str]:
        match node.operator:
            case "&":
                target_names = named(node.operand)
                return frozenset(self._inside(node) | target_names | lasting(target_names))
            case "!":
                return self.condition(node.operand)
            case _:
                return self.of(node.operand)

    def _binary(self, node: Binary) -> frozenset[str]:
        left, right, operator = node.left, node.right, node.operator
        if operator in _LOGICAL:
            return self.condition(left) | self.condition(right)
        names = self.of(left) | self.of(right)
        if operator in _DECAYING and (isinstance(left, Name) or isinstance(right, Name)):
            return names | decayed(left) | decayed(right)
        if operator == ">>" and reads_stream(node):
            return names | read(node)
        return names

    # ------------------------------------------------------------ statements

    def _evaluate(self, node: Evaluate) -> frozenset[str]:
        return self.condition(node.expression)

    def _struct(self, node: Struct) -> frozenset[str]:
        self._separate.append(node.members)
        return _NOTHING

    def _block(self, node: Block) -> frozenset[str]:
        names: set[str] = set()
        declared: set[str] = set()
        for statement in node.statements:
            names |= self.of(statement) - declared
            if isinstance(statement, Declaration):
                declared |= _declared(statement.variables)
        return frozenset(names)

    def _declaration(self, node: Declaration) -> frozenset[str]:
        names = self._inside(node)
        for variable in node.variables:
            kind, arguments = variable.type, variable.arguments
            if kind.reference and not kind.constant:
                for argument in arguments:
                    target_names = named(argument)
                    names |= target_names | lasting(target_names)
            if kind.name.text in SCALARS and not kind.pointers:
                continue
            for argument in arguments:
                names |= self._kept(argument)
                if not kind.constant and (kind.pointers or kind.name.text == "auto"):
                    names |= decayed(argument)
            if variable.style in ("(", "{", "=") and not kind.pointers:
                names |= self._callees.constructed(kind.name, arguments)
        return frozenset(names)

    def _headed(self, node: If | Loop) -> frozenset[str]:
        names = self._inside(node)
        if node.condition is not None:
            names |= read(node.condition)
        if isinstance(node.initializer, Declaration):
            names -= _declared(node.initializer.variables)
        return frozenset(names)

    def _range_loop(self, node: RangeLoop) -> frozenset[str]:
        names = self._inside(node) - _declared((node.variable,))
        if node.variable.type.reference and not node.variable.type.constant:
            names |= named(node.range)
        return frozenset(names)

    # --------------------------------------------------------------- lambdas

    def _lambda(self, node: Lambda) -> frozenset[str]:
        referred = {
            capture.name: named(capture.value) if capture.value is not None else {capture.name}
            for capture in node.captures
            if capture.by_reference
        }
        names: set[str] = set()
        for capture in node.captures:
            if capture.value is not None:
                names |= self.of(capture.value)
        if node.default != "&" and not referred:
            self._separate.append(node.body)
            return frozenset(names)
        inside = self.of(node.body) - {parameter.name for parameter in node.parameters}
        if node.returns is not None and _refers(node.returns):
            # ``size() = 256``: who calls it may set what it gives.
            inside |= {name for each in walk(node.body) if isinstance(each, Return) for name in _given_back(each)}
        copied = {capture.name for capture in node.captures if not capture.by_reference}
        for name in inside:
            bare = name.lstrip("&*.")
            if bare in referred:
                names |= {name.removesuffix(bare) + each for each in referred[bare]}
            elif node.default == "&" and bare not in copied:
                names.add(name)
        if node.default != "&":
            self._separate.append(node.body)
        return frozenset(names)

    def _kept(self, expression: Expr) -> set[str]:
        """What lambdas in ``expression`` change, which may happen at any time from now on."""
        names: set[str] = set()
        for each in kept_lambdas(expression):
            names |= lasting(self.of(each))
        return names

    # ---------------------------------------------------------------- macros

    def _object_macro(self, text: str) -> frozenset[str]:
        names: set[str] = set()
        for declared in self._facts.macros.get(text):
            if declared.node.parameters is None:
                names |= self._macro(declared.node, ())
        return frozenset(names)

    def _macro(self, macro: Macro, arguments: tuple[Expr, ...]) -> set[str]:
        """Names that the text of a macro may change where it is used."""
        if macro.name in self._expanding:
            return set()
        self._expanding.add(macro.name)
        try:
            inside = self._macro_text(macro)
        finally:
            self._expanding.discard(macro.name)
        names: set[str] = set()
        for name in inside:
            bare = name.lstrip("&*.")
            if bare in (macro.parameters or ()):
                given = [argument for parameter, argument in macro.handed(arguments) if parameter == bare]
                names.update(name.removesuffix(bare) + each for argument in given for each in named(argument))
            else:
                names.add(name)
        return names

    def _macro_text(self, macro: Macro) -> frozenset[str]:
        if macro.value is not None:
            return self.of(macro.value)
        if macro.body is None:
            return frozenset(first or second for first, second in _ASSIGNED.findall(macro.text))
        here = [each for each in macro.body.statements if isinstance(each, Declaration)]
        # A macro that declares a name hides the one of the surroundings.
        return self.of(macro.body) | frozenset(name for each in here for name in _declared(each.variables))

    # ----------------------------------------------------------------- calls

    def _call(self, node: Call) -> frozenset[str]:
        names = set(self.of(node.function))
        for index, argument in enumerate(node.arguments):
            target = address(argument)
            if target is not None and self._callees.is_transient(node, index):
                names |= self.of(target) | named(target)
            else:
                names |= self.of(argument)
        function = node.function
        if isinstance(function, Name) and function.text in self._facts.macros:
            for declared in self._facts.macros.get(function.text):
                if declared.node.parameters is not None:
                    names |= self._macro(declared.node, node.arguments)
            return frozenset(names)
        if isinstance(function, Member):
            if isinstance(function.object, Name) and function.name in self._facts.functions:
                names.add(f".{function.object.text}")
            for argument in node.arguments if function.name in COLLECTORS else ():
                names |= self._kept(argument)
        return frozenset(names | self._callees.arguments(node))


_OF_KIND: Mapping[type[Node], Callable[[Mutations, Any], frozenset[str]]] = {
    Assign: Mutations._assign,
    Binary: Mutations._binary,
    Block: Mutations._block,
    Brace: Mutations._brace,
    Call: Mutations._call,
    Declaration: Mutations._declaration,
    Evaluate: Mutations._evaluate,
    If: Mutations._headed,
    Increment: Mutations._increment,
    Lambda: Mutations._lambda,
    Loop: Mutations._headed,
    Name: Mutations._name,
    New: Mutations._new,
    RangeLoop: Mutations._range_loop,
    Struct: Mutations._struct,
    Unary: Mutations._unary,
}
"""What a node of each kind may change; of the others, what is inside."""


def _refers(returned: Type) -> bool:
    return (returned.reference or returned.name.text == "decltype(auto)") and not returned.constant


def _given_back(statement: Return) -> set[str]:
    names = named(statement.value) if statement.value is not None else set()
    return names | lasting(names)


def _declared(variables: Iterable[Variable]) -> set[str]:
    names = {variable.name for variable in variables}
    return names | {prefix + name for name in names for prefix in ("*", "&", "&*", ".")}
