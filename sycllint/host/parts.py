"""Whether two kernels that share an array use the same elements of it, as far as their indices tell.

An index is a sum. What moves from work-item to work-item stands in some of its terms; the others say where a kernel's
part begins: ``a[i]`` and ``a[i + n]`` are apart, as are ``a[2 * i]`` and ``a[2 * i + 1]``.
"""

from collections.abc import Iterator

from sycllint.cpp.expression import Assign, Binary, Call, Expr, Index, Lambda, Member, Name, Number, Unary
from sycllint.cpp.node import Node, children, walk
from sycllint.cpp.spelling import spelled
from sycllint.cpp.statement import Evaluate, Parameter, Variable
from sycllint.host.touches import names_in
from sycllint.record import NamedTuple

MAX_STEPS = 4
"""How many variables of a kernel are looked through for one index."""
_OWN = frozenset({"get_global_id", "get_global_linear_id", "get_id", "get_linear_id"})


class _Part(NamedTuple):
    """What an index says of the elements that a kernel uses."""

    moving: bool
    begins: frozenset[str]
    """Terms that are the same for all work-items, without literals."""
    stride: str
    """The literal that what moves is multiplied with; empty when there is none."""
    rest: frozenset[str]
    """Literals."""


class _Kernel:
    """The variables of one kernel."""

    def __init__(self, kernel: Lambda) -> None:
        self.kernel = kernel
        self._own = frozenset(each.name for each in kernel.parameters)
        declared = [each for each in walk(kernel) if isinstance(each, Variable | Parameter)]
        self._local = self._own | {each.name for each in declared}
        names = [each.name for each in declared]
        self._values = {
            each.name: each.arguments[0]
            for each in declared
            if isinstance(each, Variable) and len(each.arguments) == 1 and names.count(each.name) == 1
        }

    def parts(self, name: str) -> list[_Part] | None:
        """The parts of an array that are used; ``None`` when one use is no index."""
        found: list[_Part] = []
        pending: list[Node] = [self.kernel.body]
        while pending:
            match pending.pop():
                case Index(object=Name(text=text), indices=(index,)) if text == name:
                    found.append(self._part(index))
                    pending.append(index)
                case Unary(operator="*", operand=Name(text=text)) if text == name:
                    found.append(_Part(False, frozenset(), "", frozenset({"0"})))
                case Name(text=text) if text == name:
                    return None
                case node:
                    pending += children(node)
        return found

    def _part(self, index: Expr) -> _Part:
        moving, stride = False, ""
        begins, rest = set[str](), set[str]()
        for term in self._terms(index, MAX_STEPS):
            if isinstance(term, Number):
                rest.add(term.text)
            elif names_in(term) & self._local:
                moving, stride = True, _factor(term)
            else:
                begins.add(spelled(term))
        return _Part(moving, frozenset(begins), stride, frozenset(rest - {"0"}))

    def _terms(self, index: Expr, steps: int) -> Iterator[Expr]:
        match index:
            case Binary(operator="+", left=left, right=right):
                yield from self._terms(left, steps)
                yield from self._terms(right, steps)
            case Name(text=text) if steps and text in self._values:
                yield from self._terms(self._values[text], steps - 1)
            case _:
                yield index

    def sets_its_own(self, name: str) -> bool:
        """Whether every work-item sets the element of its own id, whatever else it does."""
        return any(
            isinstance(each, Evaluate)
            and isinstance(each.expression, Assign)
            and isinstance(target := each.expression.left, Index)
            and isinstance(target.object, Name)
            and target.object.text == name
            and self._is_own(target.indices)
            for each in self.kernel.body.statements
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
            case _:
                return False


def meet(first: Lambda, second: Lambda, name: str) -> bool:
    """Whether no index says that two kernels use different elements of ``name``; a reduction has none."""
    here, there = _Kernel(first).parts(name), _Kernel(second).parts(name)
    return not here or not there or any(not _apart(one, other) for one in here for other in there)


def sets_own(kernel: Lambda, name: str) -> bool:
    """Whether every work-item of a kernel sets the element of its own id."""
    return _Kernel(kernel).sets_its_own(name)


def _apart(one: _Part, other: _Part) -> bool:
    if one.begins != other.begins:
        return True
    if not one.moving and not other.moving:
        return one.rest != other.rest
    return one.moving and other.moving and bool(one.stride) and one.stride == other.stride and one.rest != other.rest


def _factor(term: Expr) -> str:
    match term:
        case Binary(operator="*", left=Number(text=text)) | Binary(operator="*", right=Number(text=text)):
            return text
        case _:
            return ""
