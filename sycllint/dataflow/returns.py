"""Returns: which part of its object, or of an argument, a function gives back and does nothing else.

``float *data() { return memory_; }`` gives the member ``memory_`` of its object, and a function that returns what this
gives does, too. Nothing is said of a function with branches, loops or side effects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import TypeAlias

from sycllint.cpp.expression import Call, Expr, Index, Member, Number, Unary
from sycllint.cpp.statement import VIRTUAL
from sycllint.dataflow.summaries import Summaries
from sycllint.ir import ops
from sycllint.ir.bodies import bodies
from sycllint.ir.body import Body, Storage
from sycllint.record import NamedTuple
from sycllint.values.evaluate import Evaluator
from sycllint.values.memory import Memo


class Field(NamedTuple):
    """The member of this name."""

    name: str


class IndexStep(NamedTuple):
    """The element at these indices: other parts, or literals."""

    indices: tuple[AccessPath | Expr, ...]


class UnseenMethod(NamedTuple):
    """What a method without arguments and without a visible body gives."""

    method: str


class Operator(NamedTuple):
    """The address of something, ``&``, or what a pointer leads to, ``*``."""

    symbol: str


Step: TypeAlias = Field | IndexStep | UnseenMethod | Operator
THIS = -1
"""The root of a part of the object that a method is called on."""
_MAX_STEPS = 6


class AccessPath(NamedTuple):
    """What is reached by ``steps`` from the parameter of this number, or from the object, ``THIS``."""

    root: int
    steps: tuple[Step, ...] = ()

    def then(self, step: Step) -> AccessPath | NoPath:
        """A part of this part."""
        return AccessPath(self.root, (*self.steps, step)) if len(self.steps) < _MAX_STEPS else NoPath.ANYTHING

    def written(self, whole: Expr, arguments: Sequence[Expr], at: Expr) -> Expr | None:
        """As it would be written where the function is called on ``whole``, at the place of the call ``at``."""
        start, end = getattr(at, "start", 0), getattr(at, "end", 0)
        if self.root >= len(arguments):
            return None
        found = whole if self.root == THIS else arguments[self.root]
        for step in self.steps:
            match step:
                case Field(name=name):
                    found = Member(found, name, None, start, end)
                case UnseenMethod(method=name):
                    found = Call(Member(found, name, None, start, end), (), start, end)
                case Operator(symbol=symbol):
                    found = Unary(symbol, found, start, end)
                case IndexStep(indices=indices):
                    written = [
                        each.written(whole, arguments, at) if isinstance(each, AccessPath) else each for each in indices
                    ]
                    known = tuple(each for each in written if each is not None)
                    if len(known) < len(written):
                        return None
                    found = Index(found, known, start, end)
        return found


class NoPath(Enum):
    """What else is said of a function."""

    NOTHING = "it does not return"
    ANYTHING = "it returns something else, or does more"


Returned: TypeAlias = AccessPath | NoPath

_QUIET = frozenset(
    {
        *(ops.CONST, ops.PARAM, ops.GLOBAL, ops.THIS, ops.DECL, ops.LOAD, ops.FIELD, ops.ELEM, ops.DEREF, ops.ADDR),
        *(ops.READ, ops.CAST, ops.CALL, ops.RETURN, ops.SCOPE, ops.END),
    }
)
"""Instructions that have no effect; a call has one unless it, too, gives a part."""


class Returns:
    """The domain: what the functions of one evaluator return."""

    bottom: Returned = NoPath.NOTHING

    def __init__(self, evaluator: Evaluator) -> None:
        self._overloads = evaluator.overloads
        self._symbols = evaluator.symbols
        self._bodies = bodies.of(evaluator)
        self._summaries: Summaries[Returned] = Summaries(self)
        self._called: dict[Body, dict[int, tuple[Body, ...]]] = {}

    def of(self, body: Body) -> AccessPath | None:
        """What a function gives back of its object or an argument, where it does nothing else."""
        found = self._summaries.of(body)
        return found if isinstance(found, AccessPath) else None

    def callees(self, body: Body) -> Iterator[Body]:
        """The functions whose result a body may give back."""
        self._called[body] = {}
        if self._is_quiet(body):
            for position in body.at(ops.CALL):
                found = self._overloads.of(body.call(position), body.around_of(position))
                is_open = not found.sure or any(each.node.flags & VIRTUAL for each in found.found)
                if found.found and not is_open:
                    self._called[body][position] = tuple(self._bodies.of(each.node, each.place) for each in found.found)
                    yield from self._called[body][position]

    def summary(self, body: Body, of: Callable[[Body], Returned]) -> Returned:
        """What ``body`` gives back if its callees do what ``of`` says."""
        if not self._is_quiet(body):
            return NoPath.ANYTHING
        values: list[Returned] = []
        for position, code in enumerate(body.op):
            step = _STEPS.get(code)
            values.append(NoPath.ANYTHING if step is None else step(self, body, position, values))
            if code == ops.CALL:
                values[-1] = self._result(body, position, values, of)
                if values[-1] is NoPath.ANYTHING:
                    return NoPath.ANYTHING
        (position,) = body.at(ops.RETURN)
        return values[body.a[position]]

    @staticmethod
    def _is_quiet(body: Body) -> bool:
        """Whether a function does nothing but return what one expression gives."""
        returns = body.at(ops.RETURN)
        if body.function.damaged or len(returns) != 1 or body.a[returns[0]] == ops.NONE:
            return False
        return _QUIET.issuperset(body.op) and returns[0] == len(body.op) - 1

    # ------------------------------------------------------------ instructions

    def _result(self, body: Body, position: int, values: list[Returned], of: Callable[[Body], Returned]) -> Returned:
        """What a call gives: of visible functions, what all of them give."""
        targets = self._called[body].get(position)
        receiver, arguments = body.a[position], body.list(position)
        if targets is None:
            method = body.called(position)
            is_method = receiver != ops.NONE and method and isinstance(body.callee(position), Member)
            return _then(values[receiver], UnseenMethod(method)) if is_method and not arguments else NoPath.ANYTHING
        given: dict[int, Returned] = dict(enumerate(values[each] for each in arguments))
        given[THIS] = values[receiver] if receiver != ops.NONE else AccessPath(THIS)
        found = {_substituted(of(each), given) for each in targets} - {NoPath.NOTHING}
        return found.pop() if len(found) == 1 else NoPath.ANYTHING if found else NoPath.NOTHING

    def _this(self, _body: Body, _position: int, _values: list[Returned]) -> Returned:
        return AccessPath(THIS)

    def _named(self, body: Body, position: int, _values: list[Returned]) -> Returned:
        """A member of the class around, or of one that it inherits from."""
        around, name = self._symbols.class_around(body.place), body.name(position)
        scopes = self._symbols.scopes
        is_member = around is not None and bool(scopes.inside(scopes.variables, name, around))
        return AccessPath(THIS, (Field(name),)) if is_member else NoPath.ANYTHING

    def _loaded(self, body: Body, position: int, values: list[Returned]) -> Returned:
        slot = body.a[position]
        if body.locals[slot].storage is Storage.PARAMETER:
            return AccessPath(slot)
        declared = next((each for each in body.at(ops.DECL) if body.a[each] == slot), ops.NONE)
        value = body.b[declared] if declared != ops.NONE else ops.NONE
        return values[value] if value != ops.NONE else NoPath.ANYTHING

    def _element(self, body: Body, position: int, values: list[Returned]) -> Returned:
        indices = body.list(position) if body.extra[position] != ops.NONE else (body.b[position],)
        found: list[AccessPath | Expr] = []
        for each in indices:
            value = values[each] if each != ops.NONE else NoPath.ANYTHING
            literal = body.node[each] if each != ops.NONE else None
            if isinstance(value, AccessPath):
                found.append(value)
            elif isinstance(literal, Number):
                found.append(literal)
            else:
                return NoPath.ANYTHING
        return _then(values[body.a[position]], IndexStep(tuple(found)))

    def _same(self, body: Body, position: int, values: list[Returned]) -> Returned:
        return values[body.a[position]]


def _then(whole: Returned, step: Step) -> Returned:
    return whole.then(step) if isinstance(whole, AccessPath) else whole


def _substituted(part: Returned, given: dict[int, Returned]) -> Returned:
    """What a callee returns, in terms of its caller."""
    if not isinstance(part, AccessPath):
        return part
    found = given.get(part.root, NoPath.ANYTHING)
    for step in part.steps:
        if not isinstance(step, IndexStep):
            found = _then(found, step)
            continue
        indices = [_substituted(each, given) if isinstance(each, AccessPath) else each for each in step.indices]
        known = tuple(each for each in indices if not isinstance(each, NoPath))
        found = _then(found, IndexStep(known)) if len(known) == len(indices) else NoPath.ANYTHING
    return found


_STEPS: dict[int, Callable[[Returns, Body, int, list[Returned]], Returned]] = {
    ops.THIS: Returns._this,
    ops.GLOBAL: Returns._named,
    ops.LOAD: Returns._loaded,
    ops.FIELD: lambda _, body, position, values: _then(values[body.a[position]], Field(body.name(position))),
    ops.ELEM: Returns._element,
    ops.DEREF: lambda _, body, position, values: _then(values[body.a[position]], Operator("*")),
    ops.ADDR: lambda _, body, position, values: _then(values[body.a[position]], Operator("&")),
    ops.READ: Returns._same,
    ops.CAST: Returns._same,
}

returns = Memo(Returns)
"""That of an evaluator."""
