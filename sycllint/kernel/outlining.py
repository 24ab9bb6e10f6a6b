"""The reading of a function's text into its outline: what its statements decide over, and what leaves them."""

from __future__ import annotations

from collections.abc import Iterator

from sycllint.cpp.expression import (
    Binary,
    Call,
    Expr,
    Lambda,
    Member,
    Name,
    Unary,
)
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    Arm,
    Block,
    Case,
    Declaration,
    Evaluate,
    Function,
    If,
    Include,
    Jump,
    Loop,
    RangeLoop,
    Return,
    Switch,
    Variable,
)
from sycllint.kernel.expression_flow import Expressions, TooMuchError
from sycllint.kernel.ledger import HANDLE_TYPES, OWN_OBJECT, argument_of, plain_name, result_of
from sycllint.kernel.outline import Kind, Outline, Stretch
from sycllint.kernel.vocabulary import (
    GROUP_HANDLES,
    ITEM_MAKERS,
    SUB_GROUP_MAKERS,
    WORK_GROUP_MAKERS,
)
from sycllint.symbols.unit import Unit

_HANDLE_MAKERS = ITEM_MAKERS | SUB_GROUP_MAKERS | WORK_GROUP_MAKERS | GROUP_HANDLES


def outline(unit: Unit, function: Lambda | Function, place: Place) -> Outline:
    """The outline of one function by itself."""
    return _Reader(unit, function, place).read()


class _Reader(Expressions):
    """One walk over the statements of a function."""

    def read(self) -> Outline:
        """The outline."""
        function = self._function
        name = plain_name(function)
        own = [self._declare(each.name, each.type) for each in function.parameters]
        try:
            if function.body is not None:
                self._visit(function.body)
        except TooMuchError:
            return Outline(open=True)
        for position, (parameter, bit) in enumerate(zip(function.parameters, own, strict=True)):
            given = self._shared(argument_of(name, position))
            self._flow(bit, given)
            self._carry(bit, given)
            if parameter.type.reference or parameter.type.pointers:
                after = self._shared(result_of(name, position))
                self._flow(after, bit)
                self._carry(after, bit)
        return self.made(own)

    def _block(self, node: Block) -> int:
        before, self._scope = self._scope, dict(self._scope)
        self._arm(node)
        self._scope = before
        return 0

    def _arm(self, node: Block | Arm | Case) -> int:
        """Statements; those of an arm share the scope around them."""
        block = node if isinstance(node, Block) else node.body
        acts = self._kinds
        for statement in block.statements:
            start = len(acts)
            self._visit(statement)
            if len(acts) > start:
                self._stretches.append(Stretch(id(statement), start, len(acts)))
        return 0

    def _evaluate(self, node: Evaluate) -> int:
        expression = node.expression
        found = self._visit(expression)
        if isinstance(expression, Name):
            if expression.text not in self._scope and expression.text not in self._unit_macros:
                self._act(Kind.UNSEEN)
        elif isinstance(expression, Binary) and expression.operator == ">>":
            self._handed_on(_read(expression), found)
        return found

    def _declaration(self, node: Declaration) -> int:
        for variable in node.variables:
            self._variable(variable)
            if self._is_handle(variable):
                self._handles.add(id(node))
                self._handle_names.add(variable.name)
        return 0

    def _is_handle(self, variable: Variable) -> bool:
        """Whether a variable may stand for an item, a group or a lambda."""
        if variable.type.name.last in HANDLE_TYPES:
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

    def _variable(self, node: Variable) -> int:
        only = node.arguments[0] if len(node.arguments) == 1 else None
        start = len(self._kinds)
        found = self._all(node.arguments)
        pointed = self._pointed(only)
        bit = self._declare(node.name, node.type)
        if isinstance(only, Lambda):
            self._closures[node.name] = (self._parameters.pop(id(only)), range(start, len(self._kinds)))
        self._flow(bit, found)
        number = self._number(only) if only is not None and not node.type.pointers else 0
        self._carry(bit, number)
        if node.type.reference or node.type.pointers:
            self._reaches(pointed or found & ~OWN_OBJECT, bit)
            self._carry(number, bit)
        elif "atomic" in node.type.name.last or node.style in ("(", "{"):
            self._handed_on(node.arguments, found)
        elif pointed:
            self._store(pointed, bit)
        return found

    def _if(self, node: If) -> int:
        before, self._scope = self._scope, dict(self._scope)
        if node.initializer is not None:
            self._visit(node.initializer)
        condition = self._visit(node.condition) if node.condition is not None else 0
        if node.initializer is not None and node.condition is None:
            condition |= self._names_of(node.initializer)
        self._under(condition, node.then, node.otherwise)
        self._scope = before
        return 0

    def _names_of(self, statement: Node) -> int:
        found = 0
        for each in walk(statement):
            if isinstance(each, Variable):
                found |= self._named(each.name)
        return found

    def _loop(self, node: Loop) -> int:
        before, self._scope = self._scope, dict(self._scope)
        if node.initializer is not None:
            self._visit(node.initializer)
        start = len(self._kinds)
        condition = self._visit(node.condition) if node.condition is not None else 0
        self._repeated(node, start, condition, node.body, node.update)
        self._scope = before
        return 0

    def _range_loop(self, node: RangeLoop) -> int:
        start = len(self._kinds)
        ranged = self._visit(node.range)
        before, self._scope = self._scope, dict(self._scope)
        self._flow(self._declare(node.variable.name, node.variable.type), ranged)
        self._repeated(node, start, ranged, node.body)
        self._scope = before
        return 0

    def _switch(self, node: Switch) -> int:
        condition = self._visit(node.condition) if node.condition is not None else 0
        self._repeated(node, len(self._kinds), condition, node.body)
        return 0

    def _repeated(self, node: Loop | RangeLoop | Switch, start: int, condition: int, *parts: Node | None) -> None:
        """Read what a jump can leave: it decides over everything in it, and over what goes into it."""
        breaks, continues = self._breaks, self._continues
        self._under(condition, *parts)
        deciding = condition | self._returns | self._breaks | self._continues
        if deciding:
            self._sources[start:] = [each | deciding for each in self._sources[start:]]
        self._loops.append(Stretch(id(node), start, len(self._kinds)))
        self._breaks = breaks
        if not isinstance(node, Switch):
            self._continues = continues

    def _return(self, node: Return) -> int:
        found = self._visit(node.value) if node.value is not None else 0
        if found:
            self._flow(self._result, found)
        if node.value is not None:
            self._carry(self._result, self._number(node.value))
        self._returns |= self._force
        self._act(Kind.RETURN)
        return 0

    def _jump(self, node: Jump) -> int:
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
            self._act(Kind.LEAP if node.keyword == "goto" else Kind.RETURN)
        return 0

    def _include(self, node: Include) -> int:
        raise TooMuchError


def _read(expression: Expr) -> Iterator[Expr]:
    """``a`` and ``b`` of ``in >> a >> b``."""
    while isinstance(expression, Binary) and expression.operator == ">>":
        yield expression.right
        expression = expression.left


_Reader.visits = _Reader.visits | {
    Arm: _Reader._arm,
    Block: _Reader._block,
    Case: _Reader._arm,
    Declaration: _Reader._declaration,
    Evaluate: _Reader._evaluate,
    If: _Reader._if,
    Include: _Reader._include,
    Jump: _Reader._jump,
    Loop: _Reader._loop,
    RangeLoop: _Reader._range_loop,
    Return: _Reader._return,
    Switch: _Reader._switch,
    Variable: _Reader._variable,
}
