"""Objects of the project's classes in device code: a variable for each data member, found by its name in a method."""

from __future__ import annotations

from sycllint.cpp.expression import Assign, Expr, Increment, Member, Name
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Loop, RangeLoop, Variable
from sycllint.device_code.access_trace.abstract_values import AbstractValue, Environment, MemoryElement, Object, Slot
from sycllint.device_code.access_trace.outer_scope import OuterScope
from sycllint.device_code.access_trace.state import TraceState
from sycllint.memoized import memoized
from sycllint.values.evaluate import Evaluator


class DeviceObjects:
    """Those of one walk."""

    def __init__(self, evaluator: Evaluator, state: TraceState, given: OuterScope) -> None:
        self._evaluator = evaluator
        self._state = state
        self._around = given

    def member(self, made: Object, name: str) -> Slot | MemoryElement | None:
        """A data member; of an object that the kernel was given, a number that all its work-items share."""
        found = made.members.get(name)
        if found is None and made.given is not None:
            declared = next((each for each in made.struct.node.variables if each.name == name), None)
            if declared is not None:
                found = made.members[name] = Slot(self._given(made.given, declared))
        return found

    def _given(self, given: tuple[Expr, Place], declared: Variable) -> AbstractValue:
        kind = declared.type
        if kind.pointers or kind.reference or kind.extents:
            return None
        written, place = given
        part = Member(written, declared.name, None, written.start, written.end)
        return self._around.part(part, self._evaluator.types.kind(kind.name), place)

    def every(self, made: Object) -> dict[str, Slot | MemoryElement]:
        """All data members, by their names."""
        if made.given is not None:
            for each in made.struct.node.variables:
                self.member(made, each.name)
        return made.members

    def declare(self, members: dict[str, Slot | MemoryElement], name: str, thing: AbstractValue) -> None:
        """A data member of an object that is made."""
        inner: Environment = {}
        self._state.declare(inner, name, thing)
        slot = inner[name]
        assert isinstance(slot, Slot)
        members[name] = slot

    def copied(self, made: Object) -> Object:
        """Another object with the same members."""
        members: dict[str, Slot | MemoryElement] = {}
        for name, each in made.members.items():
            if isinstance(each, Slot):
                self.declare(members, name, self.copied(each.value) if isinstance(each.value, Object) else each.value)
            else:
                members[name] = each
        return Object(made.struct, members, made.given)

    def changed(self, made: Object, loop: Loop | RangeLoop) -> list[Slot]:
        """The members that iterations of ``loop``, or methods of the class, may assign to."""
        names = self._assigned(made.struct.node) | self._assigned(loop)
        return [slot for name, slot in self.every(made).items() if name in names and isinstance(slot, Slot)]

    @memoized
    def _assigned(self, node: Node) -> frozenset[str]:
        """The last names of what is assigned to inside."""
        targets = [
            each.left if isinstance(each, Assign) else each.operand
            for each in walk(node)
            if isinstance(each, Assign | Increment)
        ]
        return frozenset(
            each.text if isinstance(each, Name) else each.name for each in targets if isinstance(each, Name | Member)
        )
