"""What a kernel does with the elements of an accessor."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Increment,
    Index,
    Lambda,
    Member,
    Name,
    Number,
    Unary,
)
from sycllint.cpp.node import Node, children, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    Block,
    Case,
    Declaration,
    Evaluate,
    Function,
    If,
    Jump,
    Loop,
    RangeLoop,
    Return,
    Switch,
    Variable,
)
from sycllint.host.code import HostCode
from sycllint.values.side_effects.library import BY_VALUE

_TRANSPARENT = (Binary, Block, Case, Cast, Conditional, Declaration, Evaluate, If, Jump, Loop, Number, Return, Switch)
"""What only reads the values in it."""
_SIZES = frozenset({"get_range", "get_count", "get_size", "size", "byte_size", "empty", "max_size"})
_COMPONENTS = frozenset("xyzwrgba")


def roles(name: str, code: HostCode, kernel: Lambda | Function, place: Place) -> set[AccessKind]:
    """All that happens to elements of the accessor ``name`` in a kernel, which stands at ``place``."""
    uses = _Uses(name, code, kernel, place)
    assert kernel.body is not None
    uses.visit(kernel.body, AccessKind.READ)
    return uses.found


class AccessKind(Enum):
    """What happens to an expression where it stands."""

    READ = "read"
    WRITTEN = "written"
    """Set, whatever it was."""
    UPDATED = "updated"
    ELSEWHERE = "in code that is not visible"


class _Uses:
    """What a kernel does with the elements of one accessor."""

    def __init__(self, name: str, code: HostCode, kernel: Lambda | Function, place: Place) -> None:
        self._name = name
        self._code = code
        self._kernel = kernel
        self._place = place
        self.found: set[AccessKind] = set()

    def visit(self, node: Node, role: AccessKind) -> None:
        """Note the uses in ``node``, of which ``role`` is what happens to its value."""
        match node:
            case Name(text=text):
                if text == self._name:
                    self.found.add(AccessKind.ELSEWHERE)
            case Index(object=inner, indices=indices):
                self._element(inner, role)
                self._all(indices)
            case Assign(operator=operator, left=left, right=right):
                self.visit(
                    left, AccessKind.WRITTEN if operator == "=" and isinstance(left, Index) else AccessKind.UPDATED
                )
                self.visit(right, AccessKind.READ)
            case Increment(operand=operand):
                self.visit(operand, AccessKind.UPDATED)
            case Unary(operator=operator, operand=operand):
                self.visit(operand, AccessKind.ELSEWHERE if operator == "&" else AccessKind.READ)
            case Member(object=inner):
                self.visit(inner, role)
            case Call():
                self._call(node, role)
            case Variable(arguments=arguments):
                self._all(arguments, AccessKind.READ if self._copies(node) else AccessKind.ELSEWHERE)
            case RangeLoop(range=over, body=body):
                self.visit(over, AccessKind.ELSEWHERE)
                self.visit(body, AccessKind.READ)
            case _ if isinstance(node, _TRANSPARENT):
                inner_role = role if isinstance(node, Cast | Conditional) else AccessKind.READ
                for child in children(node):
                    self.visit(child, inner_role)
            case _:
                if any(isinstance(each, Name) and each.text == self._name for each in walk(node)):
                    self.found.add(AccessKind.ELSEWHERE)

    def _all(self, nodes: Iterable[Expr], role: AccessKind = AccessKind.READ) -> None:
        for each in nodes:
            self.visit(each, role)

    def _element(self, inner: Expr, role: AccessKind) -> None:
        if isinstance(inner, Name) and inner.text == self._name:
            self.found.add(role)
        else:
            self.visit(inner, role)

    def _call(self, call: Call, role: AccessKind) -> None:
        function = call.function
        if isinstance(function, Member):
            own = isinstance(function.object, Name) and function.object.text == self._name
            if own and function.name in _SIZES:
                return
            component = function.name in _COMPONENTS and not call.arguments
            self.visit(function.object, role if component else AccessKind.ELSEWHERE)
            self._all(call.arguments, AccessKind.ELSEWHERE)
            return
        if isinstance(function, Name):
            for position, argument in enumerate(call.arguments):
                self.visit(argument, AccessKind.READ if self._takes_value(function, position) else AccessKind.ELSEWHERE)
            return
        self._all(call.arguments, AccessKind.ELSEWHERE)
        self.visit(function, AccessKind.ELSEWHERE)

    def _takes_value(self, function: Name, position: int) -> bool:
        """Whether a function takes its argument by value: one of SYCL's or C++'s that compute, or a visible one."""
        declared = self._code.evaluator.symbols.functions(function, self._place).declared
        if not declared:
            return function.last in BY_VALUE
        taking = [each.node.parameters[position : position + 1] for each in declared]
        return all(each and not each[0].type.reference and not each[0].type.pointers for each in taking)

    def _copies(self, variable: Variable) -> bool:
        """Whether a variable holds a value of its own, made from its initialiser."""
        kind = variable.type
        if kind.reference or kind.pointers:
            return False
        if kind.name.text == "auto":
            # Of two dimensions, ``auto row = a[i]`` is a row to be indexed.
            return not any(
                isinstance(each, Index) and isinstance(each.object, Name) and each.object.text == variable.name
                for each in walk(self._kernel)
            )
        return variable.style == "=" or self._code.evaluator.types.kind(kind.name, self._place).is_number
