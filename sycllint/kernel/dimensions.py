"""What a kernel is handed, and which dimensions of it are asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Call, Expr, Index, Lambda, Member, Name, Number, Type
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, Parameter, Variable
from sycllint.kernel.contents import contents
from sycllint.kernel.once import once_per_function
from sycllint.record import record
from sycllint.source.span import Location, Span
from sycllint.values.evaluate import Evaluator
from sycllint.values.memory import Memory
from sycllint.values.objects import Point
from sycllint.values.value import known

if TYPE_CHECKING:
    from sycllint.kernel.analyses import KernelCode

_ITEMS = frozenset({"nd_item", "item", "h_item", "group", "id"})
_ASKING = frozenset(
    {
        "get_global_id",
        "get_local_id",
        "get_group",
        "get_group_id",
        "get_id",
        "get_local_range",
        "get_global_range",
        "get_group_range",
        "get_range",
        "get_logical_local_id",
        "get_physical_local_id",
    }
)
"""Members of items and groups that take a dimension (SYCL 2020, "Expressing parallelism")."""
MAX_FUNCTIONS = 40


@record
class KernelParameter:
    """The first parameter of a kernel: ``kind`` is ``nd_item``, ``item``, ``id`` or ``group``."""

    location: Location
    kind: str
    dims: int | None


@record
class Reducer:
    """What a kernel with reductions is handed behind its item: the group combines it with that of others."""

    name: str


@record
class OutOfDimensions:
    """A dimension is asked for that an item does not have."""

    location: Location
    text: str
    """What is asked: ``get_global_id(2)``."""
    dimension: int
    kind: str
    dims: int


@once_per_function
def reducers(code: KernelCode) -> Iterator[Reducer]:
    """The reducers that a kernel takes, by reference (SYCL 2020, "Reduction kernel example")."""
    yield from (Reducer(each.name) for each in code.function.parameters[1:] if each.type.reference)


@once_per_function
def kernel_parameter(code: KernelCode) -> Iterator[KernelParameter]:
    """The item that a kernel takes; nothing where its type is left to the compiler or is not SYCL's."""
    parameters = code.function.parameters
    if not parameters:
        return
    first = parameters[0]
    kind = code.evaluator.types.kind(first.type.name)
    if kind.sycl not in _ITEMS or first.type.pointers:
        return
    path = code.evaluator.facts.file_at(code.place).path
    dims = code.evaluator.types.dimensions(first.type.name)
    yield KernelParameter(Location(path, Span(first.start, first.end)), kind.sycl, dims)


@once_per_function
def out_of_dimensions(code: KernelCode) -> Iterator[OutOfDimensions]:
    """Ids asked for beyond the dimensions of the item, in the kernel and in functions that are handed it."""
    waiting: list[tuple[Lambda | Function, Place]] = [(code.function, code.place)]
    seen: set[int] = {id(code.function)}
    while waiting and len(seen) <= MAX_FUNCTIONS:
        function, place = waiting.pop()
        reader = _Reader(code.evaluator, function, place)
        if not reader.items:
            continue
        yield from reader.found()
        for name in reader.handed_to:
            for declared in code.evaluator.facts.functions.get(name):
                if declared.node.body is not None and id(declared.node) not in seen:
                    seen.add(id(declared.node))
                    waiting.append((declared.node, declared.place))


_named: Memory[dict[str, tuple[str, int] | None]] = Memory(lambda _: {})
"""Items and their dimensions by types of a plain name."""


class _Reader:
    """One function: its items are those whose name is declared once, with their dimensions written out."""

    def __init__(self, evaluator: Evaluator, function: Lambda | Function, place: Place) -> None:
        self._evaluator = evaluator
        self._place = place
        self._path = evaluator.facts.file_at(place).path
        self.handed_to: dict[str, None] = {}
        self.items: dict[str, tuple[str, int]] = {}
        self._calls: list[Call] = []
        self._indices: list[Index] = []
        self._named = _named.of(evaluator)
        self._own: Collection[str] = ()
        """What the function declares: it hides what is outside, where dimensions are asked for."""
        self._read(function)

    def _read(self, function: Lambda | Function) -> None:
        declared: dict[str, list[Type]] = {}
        for parameter in function.parameters:
            declared.setdefault(parameter.name, []).append(parameter.type)
        body = function.body
        if body is None or not any(self._dims(each.type) for each in function.parameters):
            return
        inside = contents(self._evaluator, function)
        self._calls, self._indices = inside.of(Call), inside.of(Index)
        for variable in inside.of(Variable):
            declared.setdefault(variable.name, []).append(variable.type)
        for parameter in inside.of(Parameter):
            declared.setdefault(parameter.name, []).append(parameter.type)
        self._own = declared.keys()
        for name, types in declared.items():
            dims = self._dims(types[0]) if len(types) == 1 else None
            if dims is not None:
                self.items[name] = dims
        if not self.items:
            return
        for call in self._calls:
            called = call.function
            if isinstance(called, Name):
                for each in call.arguments:
                    if isinstance(each, Name) and each.text in self.items:
                        self.handed_to.setdefault(called.last)
                        break

    def _dims(self, kind: Type) -> tuple[str, int] | None:
        if kind.extents:
            return None
        name = kind.name
        if name.arguments or name.scope is not None:
            return self._item(name)
        if name.text not in self._named:
            self._named[name.text] = self._item(name)
        return self._named[name.text]

    def _item(self, name: Name) -> tuple[str, int] | None:
        resolved = self._evaluator.types.kind(name)
        dims = self._evaluator.types.dimensions(name) if resolved.sycl in _ITEMS else None
        return None if dims is None else (resolved.sycl, dims)

    def found(self) -> Iterator[OutOfDimensions]:
        """Each question for a dimension that is not there."""
        for call in self._calls:
            match call:
                case Call(function=Member(object=Name(text=item), name=name), arguments=(asked,)):
                    if item in self.items and name in _ASKING:
                        yield from self._asked(item, name, asked, call)
        for index in self._indices:
            match index:
                case Index(
                    object=Call(function=Member(object=Name(text=item), name=name), arguments=()), indices=(asked,)
                ):
                    if item in self.items and name in _ASKING:
                        yield from self._asked(item, name, asked, index)
                case Index(object=Name(text=item), indices=(asked,)) if item in self.items:
                    yield from self._asked(item, "operator[]", asked, index)

    def _asked(self, item: str, name: str, asked: Expr, node: Call | Index) -> Iterator[OutOfDimensions]:
        kind, dims = self.items[item]
        if isinstance(asked, Number) and asked.text.isdecimal():
            dimension: int | None = int(asked.text)
        elif any(isinstance(each, Name) and each.text in self._own for each in walk(asked)):
            return
        else:
            dimension = known(self._evaluator.value(asked, Point(self._place, node.start)))
        if dimension is not None and dimension >= dims:
            location = Location(self._path, Span(node.start, node.end))
            yield OutOfDimensions(location, f"{name}({dimension})", dimension, kind, dims)
