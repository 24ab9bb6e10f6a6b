"""Whether two kernels that share an array may use the same elements of it, judged by their indices.

An index is a sum. Some of its terms differ from work-item to work-item; the others say where a kernel's part begins:
``a[i]`` and ``a[i + n]`` are apart, as are ``a[2 * i]`` and ``a[2 * i + 1]``. An index in a function object that a
kernel calls is one of what the kernel hands to it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from math import gcd
from typing import TypeAlias

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Call,
    Cast,
    Expr,
    Increment,
    Index,
    Member,
    Name,
    Number,
    Type,
    Unary,
)
from sycllint.cpp.node import Node, children, walk
from sycllint.cpp.spelling import spelled
from sycllint.cpp.statement import Evaluate, Function, FunctionParameter, Variable
from sycllint.host.scopes.things import BoundKernel, Kind, Thing
from sycllint.host.written import WrittenNames, names_in
from sycllint.record import NamedTuple
from sycllint.values.arithmetic import Scalar, literal
from sycllint.values.value import known

MAX_STEPS = 4
"""How many variables of a kernel are looked through for one index."""
_OWN = frozenset({"get_global_id", "get_global_linear_id", "get_id", "get_linear_id"})

_Term: TypeAlias = "tuple[bool, str, frozenset[object]]"
"""Whether it is taken away, how it is written, and what its names mean."""


class _Part(NamedTuple):
    """What an index says of the elements that a kernel uses."""

    moving: bool
    begins: frozenset[_Term]
    """Terms that are the same for all work-items, without literals."""
    stride: int
    """What moves steps over so many elements at least; 0 when that is a number which is not written out."""
    steps: frozenset[str]
    """Such numbers: what the terms that move are multiplied with."""
    rest: int
    """The sum of the literals."""


_FIRST = _Part(moving=False, begins=frozenset(), stride=0, steps=frozenset(), rest=0)


class _Names:
    """The names of one kernel, or of the code around it: then all work-items have the same values of them."""

    def __init__(self, kernel: BoundKernel, written: WrittenNames) -> None:
        self.kernel = kernel
        self._written = written
        self.local: Collection[str] = ()
        self.values: Mapping[str, tuple[Expr, _Names]] = {}

    def meaning(self, term: Expr) -> frozenset[object]:
        """What the names of a term that does not move mean: two that are the same have one value."""
        kernel = self.kernel
        around = next((each for each in kernel.place.chain() if isinstance(each, Function)), None)
        changed = self._written.changed(around) if around is not None else ()

        def meant(name: str) -> object:
            if name in kernel.names and name not in changed:
                return kernel.names[name]
            is_same = kernel.home is not None and name not in changed
            return (name, kernel.home) if is_same else object()

        return frozenset(map(meant, names_in(term)))

    def terms(self, index: Expr, sign: int, steps: int = MAX_STEPS) -> Iterator[tuple[int, Expr, _Names]]:
        """The terms of a sum, each with its sign and whose names it has."""
        match index:
            case Binary(operator="+" | "-" as operator, left=left, right=right):
                yield from self.terms(left, sign, steps)
                yield from self.terms(right, sign if operator == "+" else -sign, steps)
            case Cast(operand=operand) | Unary(operator="+", operand=operand):
                yield from self.terms(operand, sign, steps)
            case Name(text=text) if steps and text in self.values:
                value, names = self.values[text]
                yield from names.terms(value, sign, steps - 1)
            case _:
                yield sign, index, self

    def factor(self, term: Expr) -> int | str | None:
        """What an id or a counter is multiplied with, as a number or as written; ``None`` when it is neither."""
        match term:
            case Name(text=text) if text in self.values and self.values[text][1] is not self:
                value, names = self.values[text]
                return names.factor(value)
            case Name() | Call(function=Member(object=Name())):
                return 1
            case Index(object=Name() | Call() as ids, indices=(Number(),)):
                return self.factor(ids)
            case Binary(operator="*", left=left, right=right):
                for one, other in ((left, right), (right, left)):
                    if names_in(one).isdisjoint(self.local) and self.factor(other) == 1:
                        number = _literal(one)
                        return spelled(one) if number is None else number
                return None
            case Cast(operand=operand) | Unary(operator="+", operand=operand):
                return self.factor(operand)
            case _:
                return None

    def is_own(self, index: Expr, steps: int = MAX_STEPS) -> bool:
        """Whether an index is the work-item's id."""
        match index:
            case Name(text=text):
                if steps and text in self.values:
                    value, names = self.values[text]
                    return names.is_own(value, steps - 1)
                return self._is_id(text)
            case Index(object=Name(text=text), indices=(Number(text="0"),)):
                return self._is_id(text)
            case Call(function=Member(object=Name(text=text), name=method), arguments=() | (Number(text="0"),)):
                return self._is_id(text) and method in _OWN
            case Index(object=Call(arguments=()) as call, indices=(Number(text="0"),)):
                return self.is_own(call)
            case Cast(operand=operand):
                return self.is_own(operand, steps)
            case _:
                return False

    def _is_id(self, name: str) -> bool:
        return False


class _UsedPart(NamedTuple):
    """A use of an array by one kernel."""

    part: _Part | None
    may_change: bool
    """It is not only read."""


class _Frame(_Names):
    """One kernel, or a function object that ``caller`` calls with ``given``."""

    def __init__(
        self, kernel: BoundKernel, written: WrittenNames, caller: _Frame | None = None, given: tuple[Expr, ...] = ()
    ) -> None:
        super().__init__(kernel, written)
        function = kernel.function
        declared = [each for each in walk(function) if isinstance(each, Variable | FunctionParameter)]
        names = [each.name for each in declared]
        self._own = frozenset(each.name for each in function.parameters) if caller is None else frozenset()
        self.local = frozenset(each.name for each in function.parameters).union(names)
        around = _Names(kernel, written)
        values: dict[str, tuple[Expr, _Names]] = {name: (value, around) for name, value in kernel.values.items()}
        for each in declared:
            if isinstance(each, Variable) and len(each.arguments) == 1 and names.count(each.name) == 1:
                values[each.name] = (each.arguments[0], self)
        if caller is not None:
            values |= {each.name: (value, caller) for each, value in zip(function.parameters, given, strict=False)}
        self.values = values

    def parts(self, memory: Thing) -> list[_UsedPart] | None:
        """The parts of an array that are used, ``None`` for one not understood; for all, when one use is no index."""
        found: list[_UsedPart] = []
        paths = self._paths(memory)
        body = self.kernel.function.body
        pending: list[Node] = [body] if body is not None else []
        changed = {id(each) for each in _changed(body)} if body is not None else frozenset[int]()
        while pending:
            match pending.pop():
                case Index(object=inner, indices=(index,)) as element if _path(inner) in paths:
                    found.append(_UsedPart(self._part(index), id(element) in changed))
                    pending.append(index)
                case Unary(operator="*", operand=inner) as element if _path(inner) in paths:
                    found.append(_UsedPart(_FIRST, id(element) in changed))
                case Binary(operator="+" | "-", left=left, right=right) if {_path(left), _path(right)} & paths:
                    # A pointer into the array.
                    found.append(_UsedPart(None, True))
                    pending += [each for each in (left, right) if _path(each) not in paths]
                case Call(function=function, arguments=arguments) if called := self._called(function, arguments):
                    for each in called:
                        inside = each.parts(memory)
                        if inside is None:
                            return None
                        found += inside
                    pending += [each for each in arguments if _path(each) not in paths]
                case Name() | Member() as named if _path(named) in paths:
                    return None
                case Name() as named if any(_path(named) == path for path, _ in self.kernel.called):
                    # Who it is handed to may call it with any index.
                    found.append(_UsedPart(None, True))
                case node:
                    pending += children(node)
        return found

    def _paths(self, memory: Thing) -> set[tuple[str, ...] | None]:
        return {path for path, ref in self.kernel.memory.items() if ref.thing is memory}

    def _called(self, function: Expr, arguments: tuple[Expr, ...]) -> list[_Frame]:
        """The function objects that a call may run."""
        called = self.kernel.called
        path = _path(function) if called else None
        return [_Frame(each, self._written, self, arguments) for at, each in called if at == path]

    def _part(self, index: Expr) -> _Part | None:
        factors: list[int] = []
        begins, steps, rest, down = set[_Term](), set[str](), 0, False
        for sign, term, names in self.terms(index, 1):
            number = _literal(term)
            if number is not None:
                rest += sign * number
            elif names_in(term).isdisjoint(names.local):
                begins.add((sign < 0, spelled(term), names.meaning(term)))
            else:
                factor, down = names.factor(term), down or sign < 0
                if factor is None:
                    return None
                if isinstance(factor, str):
                    steps.add(factor)
                else:
                    factors.append(factor)
        if down:
            # ``n - 1 - i`` ends where ``i`` begins.
            begins, rest = set(), 0
        return _Part(bool(factors or steps), frozenset(begins), gcd(*factors), frozenset(steps), rest)

    def sets_its_own(self, memory: Thing) -> bool:
        """Whether every work-item sets the element of its own id, whatever else it does."""
        paths, body = self._paths(memory), self.kernel.function.body
        for each in body.statements if body is not None else ():
            match each:
                case Evaluate(expression=Assign(left=Index(object=inner, indices=(index,)))) if _path(inner) in paths:
                    if self.is_own(index):
                        return True
                case Evaluate(expression=Call(function=function, arguments=arguments)):
                    if any(called.sets_its_own(memory) for called in self._called(function, arguments)):
                        return True
        return False

    def _is_id(self, name: str) -> bool:
        return name in self._own

    def updates(self, memory: Thing) -> Iterator[bool]:
        """For each assignment to an element of an array, whether the new value depends on what the array has."""
        paths = self._paths(memory)
        for each in walk(self.kernel.function.body) if self.kernel.function.body is not None else ():
            match each:
                case Assign(operator=operator, left=Index(object=inner), right=right) if _path(inner) in paths:
                    yield operator != "=" or any(
                        isinstance(part, Index) and _path(part.object) in paths for part in walk(right)
                    )
                case Increment(operand=Index(object=inner)) if _path(inner) in paths:
                    yield True
                case Call(function=function, arguments=arguments):
                    for called in self._called(function, arguments):
                        yield from called.updates(memory)


def meet(first: BoundKernel, second: BoundKernel, memory: Thing, written: WrittenNames) -> bool:
    """Whether one kernel surely changes elements of ``memory`` that the other uses, judged by its indices.

    A reduction has none.
    """
    here, there = (_Frame(each, written).parts(memory) for each in (first, second))
    if not here or not there:
        return True
    pairs = ((one, other) for one in here for other in there if one.may_change or other.may_change)
    return any(_share(one.part, other.part) for one, other in pairs)


def sets_own(kernel: BoundKernel, memory: Thing, written: WrittenNames) -> bool:
    """Whether every work-item of a kernel sets the element of its own id."""
    return _Frame(kernel, written).sets_its_own(memory)


def accumulates(kernel: BoundKernel, memory: Thing, written: WrittenNames) -> bool:
    """Whether a kernel sets elements only to what depends on what they are."""
    found = list(_Frame(kernel, written).updates(memory))
    return bool(found) and all(found)


def alike(first: BoundKernel, second: BoundKernel, written: WrittenNames) -> bool:
    """Whether two kernels are one lambda, and what it names around it has surely the same values for both."""
    if first.function is not second.function or None in (first.home, second.home):
        return False
    around = next((each for each in first.place.chain() if isinstance(each, Function)), None)
    changed = written.changed(around) if around is not None else frozenset()
    called = {path[0] for path, _ in first.called}
    mentioned = frozenset().union(*(names_in(each) for each in (first.function, *first.values.values())))
    for name in mentioned - called:
        thing = first.names.get(name)
        if second.names.get(name) is not thing:
            return False
        is_outside = thing is not None and (thing.owner is not None or not thing.block) and not thing.constant
        if (is_outside or name in changed) and (thing is None or thing.kind is not Kind.POINTER):
            return False
    inside = zip(first.called, second.called, strict=False)
    return len(first.called) == len(second.called) and all(
        alike(one, other, written) for (_, one), (_, other) in inside
    )


def _changed(body: Node) -> Iterator[Expr]:
    """The elements in device code that are assigned to, or that what they are handed to may change."""
    for each in walk(body):
        match each:
            case Assign(left=target) | Increment(operand=target) | Unary(operator="&", operand=target):
                yield _element(target)
            case Call(function=function, arguments=arguments):
                yield from map(_element, (function, *arguments))
            case Variable(type=Type(reference=True), arguments=arguments):
                yield from map(_element, arguments)


def _element(expression: Expr) -> Expr:
    """The element whose member, or which itself, an expression is."""
    while isinstance(expression, Member):
        expression = expression.object
    return expression


def _share(one: _Part | None, other: _Part | None) -> bool:
    """Whether two parts have elements in common, given work-items enough."""
    if one is None or other is None or one.begins != other.begins:
        return False
    apart = one.rest - other.rest
    if 1 in (one.stride, other.stride) or not apart:
        return True
    if one.steps or other.steps:
        return False
    stride = gcd(one.stride, other.stride)
    return bool(stride) and apart % stride == 0


def _literal(term: Expr) -> int | None:
    """The number that literals make."""
    match term:
        case Number(text=text):
            number = literal(text)
            return known(number.value) if isinstance(number, Scalar) else None
        case Binary(operator="+" | "-" | "*" as operator, left=left, right=right):
            first, second = _literal(left), _literal(right)
            if first is None or second is None:
                return None
            return first * second if operator == "*" else first + second if operator == "+" else first - second
        case Cast(operand=operand) | Unary(operator="+", operand=operand):
            return _literal(operand)
        case _:
            return None


def _path(expression: Expr) -> tuple[str, ...] | None:
    """A name and members after it, by which memory is known; those of ``this`` are names."""
    match expression:
        case Name(text=text):
            return (text,)
        case Member(object=Name(text="this"), name=name):
            return (name,)
        case Member(object=inner, name=name):
            path = _path(inner)
            return (*path, name) if path is not None else None
        case _:
            return None
