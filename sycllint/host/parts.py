"""Whether two kernels that share an array may use the same elements of it, judged by their indices.

An index is a sum. Some of its terms differ from work-item to work-item; the others say where a kernel's part begins:
``a[i]`` and ``a[i + n]`` are apart, as are ``a[2 * i]`` and ``a[2 * i + 1]``.
"""

from collections.abc import Iterator
from math import gcd

from sycllint.cpp.expression import Assign, Binary, Call, Cast, Expr, Index, Lambda, Member, Name, Number, Unary
from sycllint.cpp.node import Node, children, walk
from sycllint.cpp.spelling import spelled
from sycllint.cpp.statement import Evaluate, Function, FunctionParameter, Variable
from sycllint.host.written import names_in
from sycllint.record import NamedTuple
from sycllint.values.arithmetic import Scalar, literal
from sycllint.values.value import known

MAX_STEPS = 4
"""How many variables of a kernel are looked through for one index."""
_OWN = frozenset({"get_global_id", "get_global_linear_id", "get_id", "get_linear_id"})


class _Part(NamedTuple):
    """What an index says of the elements that a kernel uses."""

    moving: bool
    begins: frozenset[str]
    """Terms that are the same for all work-items, without literals; a minus before those that are taken away."""
    stride: int
    """What moves steps over so many elements at least; 0 when that is a number which is not written out."""
    steps: frozenset[str]
    """Such numbers: what the terms that move are multiplied with."""
    rest: int
    """The sum of the literals."""


_FIRST = _Part(moving=False, begins=frozenset(), stride=0, steps=frozenset(), rest=0)


class _Kernel:
    """The variables of one kernel."""

    def __init__(self, kernel: Lambda | Function) -> None:
        self.kernel = kernel
        self._own = frozenset(each.name for each in kernel.parameters)
        declared = [each for each in walk(kernel) if isinstance(each, Variable | FunctionParameter)]
        self._local = self._own | {each.name for each in declared}
        names = [each.name for each in declared]
        self._values = {
            each.name: each.arguments[0]
            for each in declared
            if isinstance(each, Variable) and len(each.arguments) == 1 and names.count(each.name) == 1
        }

    def parts(self, name: str) -> list[_Part | None] | None:
        """The parts of an array that are used, ``None`` for one not understood; for all, when one use is no index."""
        found: list[_Part | None] = []
        pending: list[Node] = [self.kernel.body] if self.kernel.body is not None else []
        while pending:
            match pending.pop():
                case Index(object=Name(text=text), indices=(index,)) if text == name:
                    found.append(self._part(index))
                    pending.append(index)
                case Unary(operator="*", operand=Name(text=text)) if text == name:
                    found.append(_FIRST)
                case Binary(operator="+" | "-", left=left, right=right) if name in _names(left, right):
                    # A pointer into the array.
                    found.append(None)
                    pending += [each for each in (left, right) if name not in _names(each)]
                case Name(text=text) if text == name:
                    return None
                case node:
                    pending += children(node)
        return found

    def _part(self, index: Expr) -> _Part | None:
        factors: list[int] = []
        begins, steps, rest, down = set[str](), set[str](), 0, False
        for sign, term in self._terms(index, 1, MAX_STEPS):
            number = _literal(term)
            if number is not None:
                rest += sign * number
            elif not names_in(term) & self._local:
                begins.add(("-" if sign < 0 else "") + spelled(term))
            else:
                factor, down = self._factor(term), down or sign < 0
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

    def _terms(self, index: Expr, sign: int, steps: int) -> Iterator[tuple[int, Expr]]:
        match index:
            case Binary(operator="+" | "-" as operator, left=left, right=right):
                yield from self._terms(left, sign, steps)
                yield from self._terms(right, sign if operator == "+" else -sign, steps)
            case Cast(operand=operand) | Unary(operator="+", operand=operand):
                yield from self._terms(operand, sign, steps)
            case Name(text=text) if steps and text in self._values:
                yield from self._terms(self._values[text], sign, steps - 1)
            case _:
                yield sign, index

    def _factor(self, term: Expr) -> int | str | None:
        """What an id or a counter is multiplied with, as a number or as written; ``None`` when it is neither."""
        match term:
            case Name() | Call(function=Member(object=Name())):
                return 1
            case Index(object=Name() | Call() as ids, indices=(Number(),)):
                return self._factor(ids)
            case Binary(operator="*", left=left, right=right):
                for one, other in ((left, right), (right, left)):
                    if not names_in(one) & self._local and self._factor(other) == 1:
                        number = _literal(one)
                        return spelled(one) if number is None else number
                return None
            case Cast(operand=operand) | Unary(operator="+", operand=operand):
                return self._factor(operand)
            case _:
                return None

    def sets_its_own(self, name: str) -> bool:
        """Whether every work-item sets the element of its own id, whatever else it does."""
        return any(
            isinstance(each, Evaluate)
            and isinstance(each.expression, Assign)
            and isinstance(target := each.expression.left, Index)
            and isinstance(target.object, Name)
            and target.object.text == name
            and self._is_own(target.indices)
            for each in (self.kernel.body.statements if self.kernel.body is not None else ())
        )

    def _is_own(self, indices: tuple[Expr, ...], steps: int = MAX_STEPS) -> bool:
        match indices:
            case (Name(text=text),):
                if steps and text in self._values:
                    return self._is_own((self._values[text],), steps - 1)
                return text in self._own
            case (Index(object=Name(text=text), indices=(Number(text="0"),)),):
                return text in self._own
            case (Call(function=Member(object=Name(text=text), name=method), arguments=() | (Number(text="0"),)),):
                return text in self._own and method in _OWN
            case (Index(object=Call(arguments=()) as call, indices=(Number(text="0"),)),):
                return self._is_own((call,))
            case _:
                return False


def meet(first: Lambda, second: Lambda, name: str) -> bool:
    """Whether two kernels surely use the same elements of ``name``, judged by its indices; a reduction has none."""
    here, there = _Kernel(first).parts(name), _Kernel(second).parts(name)
    return not here or not there or any(_share(one, other) for one in here for other in there)


def sets_own(kernel: Lambda | Function, name: str) -> bool:
    """Whether every work-item of a kernel sets the element of its own id."""
    return _Kernel(kernel).sets_its_own(name)


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


def _names(*sides: Expr) -> set[str]:
    """The sides of a sum that are names by themselves."""
    return {each.text for each in sides if isinstance(each, Name)}
