"""Whether two kernels that share an array may use the same elements of it, judged by their indices.

An index is a sum. Some of its terms differ from work-item to work-item; the others say where a kernel's part begins:
``a[i]`` and ``a[i + n]`` are apart, as are ``a[2 * i]`` and ``a[2 * i + 1]``. An index in a function object that a
kernel calls is one of what the kernel hands to it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from math import gcd
from typing import TypeAlias

from sycllint.cpp.conditions import entailed
from sycllint.cpp.expression import (
    Assign,
    Binary,
    Call,
    Cast,
    Expr,
    Increment,
    Index,
    Lambda,
    Member,
    Name,
    Number,
    Type,
    Unary,
)
from sycllint.cpp.node import Node, children, walk
from sycllint.cpp.place import Place
from sycllint.cpp.spelling import spelled
from sycllint.cpp.statement import Block, Evaluate, FunctionParameter, If, Return, Variable
from sycllint.dataflow.mod_ref import mod_refs
from sycllint.domains.id_sums import MIRRORED
from sycllint.host.scopes.extents import ONE, ZERO, ElementSpan, Extents, meet, parameters
from sycllint.host.scopes.things import BoundKernel, Command, Kind, Ref, Thing, WrittenNumber
from sycllint.host.written import changed_in, names_in
from sycllint.record import NamedTuple, replace
from sycllint.values.symbolic import add, constant, multiply, subtract, sum_of
from sycllint.values.value import Symbolic, Term

MAX_STEPS = 4
"""How many variables of a kernel are looked through for one index."""
_OTHERWISE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "!=": "=="}
_OWN = frozenset({"get_global_id", "get_global_linear_id", "get_id", "get_linear_id"})


class _Names:
    """The names of one kernel, or of the code around it: then all work-items have the same values of them."""

    def __init__(self, kernel: BoundKernel, extents: Extents) -> None:
        self.kernel = kernel
        self._extents = extents
        self.local: Collection[str] = ()
        self.values: Mapping[str, tuple[Expr, _Names]] = {}

    def value(self, term: Expr) -> Symbolic | None:
        """A number that does not move, as it was where the kernel was made."""
        return self._extents.value(replace(self.kernel.made, expression=term))

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

    def factor(self, term: Expr) -> tuple[int | str, Expr] | None:
        """An id or a counter, and what it is multiplied with, as a number or as written."""
        match term:
            case Name(text=text) if text in self.values and self.values[text][1] is not self:
                value, names = self.values[text]
                outside = names.factor(value)
                return (outside[0], term) if outside is not None else None
            case Name() | Call(function=Member(object=Name())):
                return 1, term
            case Index(object=Name() | Call() as ids, indices=(Number(),)):
                return (1, term) if self.factor(ids) is not None else None
            case Binary(operator="*", left=left, right=right):
                for one, other in ((left, right), (right, left)):
                    inner = self.factor(other) if names_in(one).isdisjoint(self.local) else None
                    if inner is not None and inner[0] == 1:
                        made = self.value(one)
                        number = constant(made) if made is not None else None
                        return spelled(one) if number is None else number, inner[1]
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


class _Use(NamedTuple):
    """A use of an array by one kernel."""

    span: ElementSpan | None
    may_change: bool
    """It is not only read."""


_Guard: TypeAlias = "tuple[_Frame, Expr]"
"""A condition under which code runs, and whose names it has."""


class _Frame(_Names):
    """A kernel, launched with work-items for a ``space``, or a function object that ``caller`` calls with ``given``."""

    def __init__(
        self,
        kernel: BoundKernel,
        extents: Extents,
        space: WrittenNumber | None = None,
        caller: _Frame | None = None,
        given: tuple[Expr, ...] = (),
    ) -> None:
        super().__init__(kernel, extents)
        self._space = space
        self._depth: int = caller._depth + 1 if caller is not None else 0
        function = kernel.function
        declared = [each for each in walk(function) if isinstance(each, Variable | FunctionParameter)]
        names = [each.name for each in declared]
        self._own = frozenset(each.name for each in function.parameters) if caller is None else frozenset()
        self.local = frozenset(each.name for each in function.parameters).union(names)
        around = _Names(kernel, extents)
        values: dict[str, tuple[Expr, _Names]] = {name: (value, around) for name, value in kernel.values.items()}
        for each in declared:
            if isinstance(each, Variable) and len(each.arguments) == 1 and self._set_in_body.count(each.name) == 1:
                values[each.name] = (each.arguments[0], self)
        if caller is not None:
            values |= {each.name: (value, caller) for each, value in zip(function.parameters, given, strict=False)}
        self.values = values

    def value(self, term: Expr) -> Symbolic | None:
        """The same; ``None`` where it has a name that means something else in the kernel than around it."""
        is_around = self.kernel.home is not None and names_in(term).isdisjoint(self.values)
        return super().value(term) if is_around or isinstance(term, Number) else None

    def uses(self, memory: Thing, reached: tuple[_Guard, ...] = ()) -> list[_Use] | None:
        """The uses of an array by work-items that have ``reached`` the function; ``None`` where one is no index."""
        found: list[_Use] = []
        paths = self._paths(memory)
        body = self.kernel.function.body
        pending: list[tuple[Node, tuple[_Guard, ...]]] = [(body, reached)] if body is not None else []
        changed = {id(each) for each in _changed(body)} if body is not None else frozenset[int]()
        while pending:
            node, guards = pending.pop()
            inside: Iterable[Node] = ()
            match node:
                case Block(statements=statements):
                    for each in statements:
                        pending.append((each, guards))
                        guards = (*guards, *((self, guard) for guard in _let_pass(each)))
                case If(condition=condition, then=then) if condition is not None:
                    pending.append(
                        (then, (*guards, *((self, each) for each, is_so in entailed(condition, holds=True) if is_so)))
                    )
                    inside = [each for each in children(node) if each is not then]
                case Index(object=inner, indices=(index,)) as element if (path := _path(inner)) in paths:
                    found.append(_Use(self._span(index, paths[path], guards), id(element) in changed))
                    inside = (index,)
                case Unary(operator="*", operand=inner) as element if (path := _path(inner)) in paths:
                    first = Number("0", element.start, element.start)
                    found.append(_Use(self._span(first, paths[path], guards), id(element) in changed))
                case Binary(operator="+" | "-", left=left, right=right) if {_path(left), _path(right)} & paths.keys():
                    # A pointer into the array.
                    found.append(_Use(None, True))
                    inside = [each for each in (left, right) if _path(each) not in paths]
                case Call() | Index() as element if called := self._called(element):
                    for frame in called:
                        uses = frame.uses(memory, guards)
                        if uses is None:
                            return None
                        is_set = id(element) in changed
                        found += [_Use(each.span, True) for each in uses] if is_set else uses
                    given = element.arguments if isinstance(element, Call) else element.indices
                    inside = [each for each in given if _path(each) not in paths and self._handed(each) is None]
                case Variable(name=name, arguments=(only,)) if (name,) in paths and _path(only) in paths:
                    pass
                case Name() | Member() as named if _path(named) in paths:
                    return None
                case Name() as named if any(_path(named) == path for path, _ in self.kernel.called):
                    # Who it is handed to may call it with any index.
                    found.append(_Use(None, True))
                case _:
                    inside = children(node)
            pending += [(each, guards) for each in inside]
        return found

    @cached_property
    def _set_in_body(self) -> list[str]:
        body = self.kernel.function.body
        return [*changed_in(body)] if body is not None else []

    def _paths(self, memory: Thing) -> dict[tuple[str, ...] | None, Ref]:
        """The names by which an array is known, those of pointers among them that are declared with one and not set."""
        found: dict[tuple[str, ...] | None, Ref] = {
            path: ref for path, ref in self.kernel.memory.items() if ref.thing is memory
        }
        for name, (value, names) in self.values.items() if found else ():
            path = _path(value) if names is self else None
            if path in found and self._set_in_body.count(name) == 1:
                found[name,] = found[path]
        return found

    def _called(self, call: Call | Index) -> list[_Frame]:
        """The function objects that a call may run, or what it runs that is handed some of the memory."""
        given = call.arguments if isinstance(call, Call) else call.indices
        called = self.kernel.called if isinstance(call, Call) else ()
        path = _path(call.function) if isinstance(call, Call) and called else None
        found = [each for at, each in called if at == path]
        if not found and self._depth < MAX_STEPS:
            found = self._methods(call) or self._functions(call)
        return [_Frame(each, self._extents, self._space, self, given) for each in found]

    def _methods(self, call: Call | Index) -> list[BoundKernel]:
        """The method that a call or an operator runs, with the memory that the members of its object lead to."""
        match call:
            case Call(function=Name()):
                whole: tuple[str, ...] | None = ()
            case Call(function=Member(object=inner)) | Index(object=inner):
                whole = () if isinstance(inner, Name) and inner.text == "this" else _path(inner)
            case _:
                return []
        kernel, depth = self.kernel, len(whole) if whole is not None else 0
        memory = {path[depth:]: ref for path, ref in kernel.memory.items() if path[:depth] == whole and path[depth:]}
        if whole is None or not memory or (not whole and isinstance(kernel.function, Lambda)):
            return []
        place = Place(kernel.function.body or kernel.function, Place(kernel.function, kernel.place))
        method = mod_refs.of(self._extents.evaluator).method_of(call, place)
        if method is None:
            return []
        function = method.body.function
        return [
            replace(kernel, function=function, place=method.body.place, memory=memory, home=None, values={}, called=())
        ]

    def _functions(self, call: Call | Index) -> list[BoundKernel]:
        """The free function that a call surely runs, with the memory that it is handed."""
        kernel = self.kernel
        given = call.arguments if isinstance(call, Call) and isinstance(call.function, Name) else ()
        handed = {at: ref for at, each in enumerate(given) if (ref := self._handed(each)) is not None}
        if not handed or not isinstance(call, Call):
            return []
        place = Place(kernel.function.body or kernel.function, Place(kernel.function, kernel.place))
        target = mod_refs.of(self._extents.evaluator).function_of(call, place)
        parameters = target.function.parameters if target is not None else ()
        if target is None or len(parameters) < len(given) or any(each.pack for each in parameters):
            return []
        memory: dict[tuple[str, ...], Ref] = {(parameters[at].name,): ref for at, ref in handed.items()}
        function = target.function
        return [replace(kernel, function=function, place=target.place, memory=memory, home=None, values={}, called=())]

    def _handed(self, argument: Expr) -> Ref | None:
        """The memory that an argument leads to, from a known element on."""
        path = _path(argument)
        ref = self.kernel.memory.get(path) if path is not None else None
        match argument:
            case Binary(operator="+", left=left, right=right) if (inner := self._handed(left)) is not None:
                value = self.value(right) if names_in(right).isdisjoint(self.local) else None
                number = constant(value) if value is not None else None
                return inner.at((number,), whole=False) if number is not None else None
            case _:
                return ref

    def _span(self, index: Expr, ref: Ref, guards: tuple[_Guard, ...]) -> ElementSpan | None:
        """The elements that the work-items use which get past ``guards``."""
        extents = self._extents
        rest = extents.total(ref.begins, ref) if ref.begins is not None else None
        moving: list[tuple[int, Expr, _Names]] = []
        for sign, term, names in self.terms(index, 1):
            if names_in(term).isdisjoint(names.local):
                value = names.value(term)
                rest = (add if sign > 0 else subtract)(rest, value) if rest is not None and value is not None else None
            else:
                moving.append((sign, term, names))
        factors = [names.factor(term) for _, term, names in moving]
        if rest is None or None in factors:
            return None
        numbers = [each[0] for each in factors if each is not None and isinstance(each[0], int)]
        stride = gcd(*numbers) if numbers or not moving else None
        if not moving:
            return ElementSpan(rest, (add(rest, ONE),), 0)
        is_down = any(sign < 0 for sign, *_ in moving)
        past = extents.value(self._space) if self._space is not None else None
        sign, _, names = moving[0]
        if len(moving) > 1 or not numbers or past is None or factors[0] is None or not names.is_own(factors[0][1]):
            # ``n - 1 - i`` ends where ``i`` begins.
            return ElementSpan(ZERO if is_down else rest, (), stride)
        first, pasts = _ids(guards, past)
        scale = sum_of((Term((), sign * numbers[0]),))
        near, far = (add(rest, multiply(scale, first)), [add(rest, multiply(scale, subtract(p, ONE))) for p in pasts])
        sizes = parameters(past)
        if is_down:
            return ElementSpan(far[-1], (add(near, ONE),), stride, sizes)
        return ElementSpan(near, tuple(add(each, ONE) for each in far), stride, sizes)

    def sets_its_own(self, memory: Thing) -> bool:
        """Whether every work-item sets the element of its own id, whatever else it does."""
        paths, body = self._paths(memory), self.kernel.function.body
        for each in body.statements if body is not None else ():
            match each:
                case Evaluate(expression=Assign(left=Index(object=inner, indices=(index,)))) if _path(inner) in paths:
                    if self.is_own(index):
                        return True
                case Evaluate(expression=Call() as call):
                    if any(called.sets_its_own(memory) for called in self._called(call)):
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
                case Call():
                    for called in self._called(each):
                        yield from called.updates(memory)


def overlap(first: Command, second: Command, memory: Thing, extents: Extents) -> bool:
    """Whether one of two kernels surely changes elements of ``memory`` that the other uses, judged by their indices.

    A reduction has none.
    """
    here, there = (_uses(each, memory, extents) for each in (first, second))
    if not here or not there:
        return True
    pairs = ((one, other) for one in here for other in there if one.may_change or other.may_change)
    return any(meet(one.span, other.span) for one, other in pairs)


def spans(command: Command, memory: Thing, extents: Extents, *, changed: bool) -> list[ElementSpan | None]:
    """The elements of ``memory`` that a command's kernel uses, or (``changed``) only those that it may change."""
    uses = _uses(command, memory, extents)
    return [each.span for each in uses or () if each.may_change or not changed] or [None]


def _uses(command: Command, memory: Thing, extents: Extents) -> list[_Use] | None:
    return _Frame(command.kernel, extents, command.space).uses(memory) if command.kernel is not None else None


def sets_own(kernel: BoundKernel, memory: Thing, extents: Extents) -> bool:
    """Whether every work-item of a kernel sets the element of its own id."""
    return _Frame(kernel, extents).sets_its_own(memory)


def accumulates(kernel: BoundKernel, memory: Thing, extents: Extents) -> bool:
    """Whether a kernel sets elements only to what depends on what they are."""
    found = list(_Frame(kernel, extents).updates(memory))
    return bool(found) and all(found)


def alike(first: BoundKernel, second: BoundKernel, extents: Extents) -> bool:
    """Whether two kernels are one lambda, and what it names around it has surely the same values for both."""
    if first.function is not second.function or None in (first.home, second.home):
        return False
    changed = extents.set_around(first.made.point.place)
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
        alike(one, other, extents) for (_, one), (_, other) in inside
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


def _ids(guards: Iterable[_Guard], past: Symbolic) -> tuple[Symbolic, list[Symbolic]]:
    """The least id of work-items that get past ``guards``, and numbers that no id is as great as."""
    first, pasts = ZERO, [past]
    for frame, each in guards:
        match each:
            case Binary(operator=operator, left=left, right=right) if operator in MIRRORED:
                if frame.is_own(right):
                    left, right, operator = right, left, MIRRORED[operator]
                is_limit = frame.is_own(left) and names_in(right).isdisjoint(frame.local)
                number = frame.value(right) if is_limit else None
                if number is not None and operator in ("<", "<=", "=="):
                    pasts.append(number if operator == "<" else add(number, ONE))
                if number is not None and operator in (">", ">=", "=="):
                    first = add(number, ONE) if operator == ">" else number
    return first, pasts


def _let_pass(statement: Node) -> Iterator[Expr]:
    """What holds behind ``if (i >= n) return;``."""
    match statement:
        case If(
            condition=Binary(operator="<" | "<=" | ">" | ">=" | "!=" as operator) as left_by,
            then=Block(statements=(Return(),)),
            otherwise=None,
        ):
            yield replace(left_by, operator=_OTHERWISE[operator])


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
