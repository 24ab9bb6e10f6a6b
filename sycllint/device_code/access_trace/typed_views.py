"""Memory that is used as elements of another type: which element an address is, counted in those."""

from __future__ import annotations

from sycllint.cpp.expression import Name, Type
from sycllint.device_code.access_trace.abstract_values import Pointer
from sycllint.device_code.access_trace.terms import Term, operation
from sycllint.values.arithmetic import Precision
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point, TypeKind


class TypedViews:
    """Casts of pointers, for one walk."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._sizes: dict[str, int] = {}
        """Bytes of the types that have been cast to, or from."""

    def element(self, name: Name, point: Point) -> str:
        """The type ``name`` by one name wherever it is written; empty when it is not understood."""
        kind = self._evaluator.kind(name, point)
        if kind.extents is not None:
            return ""
        size = _size(kind)
        text = _text(kind)
        if size is not None:
            self._sizes[text] = size
        elif kind.struct is None and not kind.sycl:
            # Another type in every instance of a template.
            return ""
        return text

    def cast(self, pointer: Pointer, kind: Type, point: Point) -> Pointer:
        """The same address, for elements of another type: they are compared with their like only."""
        if kind.name.text == "void":
            return pointer
        memory = pointer.memory
        view = self.element(kind.name, point)
        now = pointer.view or memory.element
        if view and view == now:
            return pointer
        view = view or f"{kind.name.text}@{point.place.node}"
        memory.viewed = memory.viewed or view != memory.element
        start = all(each == 0 for each in pointer.indices)
        indices = (0,) if start else (self._rebased(pointer.indices, now, view),)
        return Pointer(memory, indices, "" if view == memory.element else view)

    def _rebased(self, indices: tuple[Term | None, ...], now: str, view: str) -> Term | None:
        """The index in elements of ``view`` of one in elements of ``now``."""
        before, after = self._sizes.get(now), self._sizes.get(view)
        if before is None or after is None or len(indices) != 1:
            return None
        if before % after == 0:
            return operation("*", indices[0], before // after)
        return operation("/", operation("*", indices[0], before), after)


def _size(kind: TypeKind) -> int | None:
    if kind.integer is not None:
        return max(kind.integer.bits // 8, 1)
    if kind.floating:
        if kind.name.last.endswith("half"):
            return 2
        return 4 if kind.precision is Precision.SINGLE else 8
    return None


def _text(kind: TypeKind) -> str:
    if kind.integer is not None:
        return f"{'int' if kind.integer.signed else 'uint'}{kind.integer.bits}"
    return kind.name.last if kind.floating or kind.sycl else kind.name.text
