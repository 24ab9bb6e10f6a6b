"""Accessors of buffers that ask for more than their kernel does: made to read and write, and only read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
    If,
    Jump,
    Loop,
    RangeLoop,
    Return,
    Switch,
    Variable,
)
from sycllint.facts.submissions import Submission
from sycllint.host.code import HostCode
from sycllint.host.modes import Mode, Modes
from sycllint.record import record
from sycllint.source.span import Location, Span
from sycllint.values.library import BY_VALUE
from sycllint.values.objects import Point

_TRANSPARENT = (Binary, Block, Case, Cast, Conditional, Declaration, Evaluate, If, Jump, Loop, Number, Return, Switch)
"""What only reads the values in it."""
_SIZES = frozenset({"get_range", "get_count", "get_size", "size", "byte_size", "empty", "max_size"})
_COMPONENTS = frozenset("xyzwrgba")
_PARTS = 2
"""Template arguments of an accessor that leaves its mode out: element and dimensions."""


@record
class ReadOnlyAccessor:
    """An accessor without a mode, which therefore reads and writes, of which a kernel only reads elements."""

    name: str
    buffer: str
    location: Location
    """Of the name."""
    kernel: Location
    tag: Location | None
    """Where a mode goes; ``None`` where the accessor's type is spelled out too."""


def accessors(code: HostCode) -> Iterable[ReadOnlyAccessor]:
    """The accessors of one file that are declared beside a kernel which is a lambda."""
    launched = {launch.location.span.start for launch in code.launches}
    for submission in code.facts.submissions:
        kernel = submission.call.arguments[-1] if submission.call.arguments else None
        if submission.use is None and submission.start in launched and isinstance(kernel, Lambda):
            yield from _beside(code, submission, kernel)


def _beside(code: HostCode, submission: Submission, kernel: Lambda) -> Iterator[ReadOnlyAccessor]:
    group = next((each for each in submission.place.chain() if isinstance(each, Lambda)), None)
    if group is None or kernel.damaged or group.damaged or len(group.parameters) != 1:
        return
    for statement in group.body.statements:
        for variable in statement.variables if isinstance(statement, Declaration) else ():
            if _reads_and_writes(code, variable, submission.place, group) and _is_only_read(
                code, variable, group, kernel
            ):
                yield _told(code, variable, submission)


def _told(code: HostCode, variable: Variable, submission: Submission) -> ReadOnlyAccessor:
    path, buffer = code.facts.path, variable.arguments[0]
    last = variable.arguments[-1]
    assert isinstance(buffer, Name)
    assert isinstance(last, Name)
    return ReadOnlyAccessor(
        variable.name,
        buffer.text,
        Location(path, Span(variable.start, variable.end)),
        Location(path, Span(submission.start, submission.end)),
        Location(path, Span(last.end, last.end)) if variable.type.name.arguments is None else None,
    )


def _reads_and_writes(code: HostCode, variable: Variable, place: Place, group: Lambda) -> bool:
    """``sycl::accessor a(buffer, h)``."""
    name, arguments, handler = variable.type.name, variable.arguments, group.parameters[0].name
    if name.last != "accessor" or len(arguments) != 2 or len(name.arguments or ()) > _PARTS:
        return False
    buffer, last = arguments
    named = isinstance(buffer, Name) and isinstance(last, Name) and last.text == handler
    if not named or code.evaluator.types.kind(name, place).sycl != "accessor":
        return False
    return Modes(code.evaluator).declared(variable, Point(place, variable.start), handler) is Mode.WRITES


def _is_only_read(code: HostCode, variable: Variable, group: Lambda, kernel: Lambda) -> bool:
    name = variable.name
    inside = sum(isinstance(each, Name) and each.text == name for each in walk(kernel))
    if sum(isinstance(each, Name) and each.text == name for each in walk(group)) != inside:
        return False
    if any(isinstance(each, Variable) and each.name == name for each in walk(kernel.body)):
        return False
    macros = {each.text for each in walk(kernel.body) if isinstance(each, Name) and each.text in code.facts.macros}
    if any(name in each.node.text for macro in macros for each in code.facts.macros.get(macro, ())):
        return False
    uses = _Uses(name, code)
    uses.visit(kernel.body, _Role.READ)
    return uses.found == {_Role.READ}


class _Role(Enum):
    """What happens to an expression where it stands."""

    READ = "read"
    WRITTEN = "written"
    ELSEWHERE = "out of sight"


class _Uses:
    """What a kernel does with the elements of one accessor."""

    def __init__(self, name: str, code: HostCode) -> None:
        self._name = name
        self._code = code
        self.found: set[_Role] = set()

    def visit(self, node: Node, role: _Role) -> None:
        """Note the uses in ``node``, of which ``role`` is what happens to its value."""
        match node:
            case Name(text=text):
                if text == self._name:
                    self.found.add(_Role.ELSEWHERE)
            case Index(object=inner, indices=indices):
                self._element(inner, role)
                self._all(indices)
            case Assign(left=left, right=right):
                self.visit(left, _Role.WRITTEN)
                self.visit(right, _Role.READ)
            case Increment(operand=operand):
                self.visit(operand, _Role.WRITTEN)
            case Unary(operator=operator, operand=operand):
                self.visit(operand, _Role.ELSEWHERE if operator == "&" else _Role.READ)
            case Member(object=inner):
                self.visit(inner, role)
            case Call():
                self._call(node, role)
            case Variable(arguments=arguments):
                self._all(arguments, _Role.READ if self._copies(node) else _Role.ELSEWHERE)
            case RangeLoop(range=over, body=body):
                self.visit(over, _Role.ELSEWHERE)
                self.visit(body, _Role.READ)
            case _ if isinstance(node, _TRANSPARENT):
                inner_role = role if isinstance(node, Cast | Conditional) else _Role.READ
                for child in children(node):
                    self.visit(child, inner_role)
            case _:
                if any(isinstance(each, Name) and each.text == self._name for each in walk(node)):
                    self.found.add(_Role.ELSEWHERE)

    def _all(self, nodes: Iterable[Expr], role: _Role = _Role.READ) -> None:
        for each in nodes:
            self.visit(each, role)

    def _element(self, inner: Expr, role: _Role) -> None:
        if isinstance(inner, Name) and inner.text == self._name:
            self.found.add(role)
        else:
            self.visit(inner, role)

    def _call(self, call: Call, role: _Role) -> None:
        function = call.function
        if isinstance(function, Member):
            own = isinstance(function.object, Name) and function.object.text == self._name
            if own and function.name in _SIZES:
                return
            component = function.name in _COMPONENTS and not call.arguments
            self.visit(function.object, role if component else _Role.ELSEWHERE)
            self._all(call.arguments, _Role.ELSEWHERE)
            return
        known = isinstance(function, Name) and function.last in BY_VALUE
        known = known and not self._code.facts.functions.get(function.last) if isinstance(function, Name) else False
        self._all(call.arguments, _Role.READ if known else _Role.ELSEWHERE)
        if not isinstance(function, Name):
            self.visit(function, _Role.ELSEWHERE)

    def _copies(self, variable: Variable) -> bool:
        """Whether a variable holds a number of its own, made from its initialiser."""
        kind = variable.type
        if kind.reference or kind.pointers:
            return False
        if kind.name.text == "auto":
            return True
        found = self._code.evaluator.types.kind(kind.name)
        return found.is_number
