"""The value of a name after an assignment to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sycllint.cpp.expression import Assign, Call, Expr, Index, Member, Name
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Statement
from sycllint.values.arithmetic import Real, Scalar, convert
from sycllint.values.object_model.arrays import Arrays
from sycllint.values.object_model.conversions import ObjectConversions
from sycllint.values.object_model.members import Members
from sycllint.values.object_model.methods import THIS
from sycllint.values.objects import Instance, ListObject, Point, RangeObject, Result
from sycllint.values.side_effects.lvalues import root, spelled

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation, Locals


class Assignments:
    """Assignments for one evaluator."""

    def __init__(
        self, evaluator: Evaluation, lookup: Locals, arrays: Arrays, conversions: ObjectConversions, members: Members
    ) -> None:
        self._evaluator = evaluator
        self._arrays = arrays
        self._conversions = conversions
        self._members = members
        self._lookup = lookup

    def value(self, assign: Assign, text: str, place: Place, statement: Statement) -> Result:
        """The value of ``text`` once an assignment that may change it has run."""
        here = Point(place, statement.start)
        if self._evaluator.declarations.is_cut(statement.start, statement.end, place):
            return self._lookup.changes(text, statement)
        match assign.left:
            case Name(text=target) if target == text:
                if text in self._evaluator.mutations.of(assign.right):
                    return self._lookup.changes(text, statement)
                if assign.operator != "=":
                    return self.updated(assign.operator[:-1], assign.right, text, place, statement)
                result = self._evaluator.evaluate(assign, here)
                declared = self._evaluator.declarations.type_of(assign.left, here)
                if isinstance(result, Scalar) and declared is not None and declared.name.text == "auto":
                    # The type of ``auto`` is that of its first value.
                    first = self._lookup.search(text, place, statement.start)
                    result = convert(result, first.type) if isinstance(first, Scalar) else result
                return self._evaluator.named(text, result, assign.start, assign.end)
            case Index(object=Name(text=target), indices=(index,)) if target == text:
                return self._component(text, index, assign, place, statement)
            case Index(object=Member() as member, indices=(index,)) if root(member) == text:
                return self._of_member(text, member, assign, place, statement, index)
            case Call(function=Name(text="std::tie"), arguments=targets) if assign.operator == "=":
                return self._tied(targets, assign, text, place, statement)
            case Member(object=Name(text="this"), name=name) if f"{THIS}{name}" == text:
                return self._of_this(name, assign, text, place, statement)
            case Member() as member if root(member) == text:
                return self._of_member(text, member, assign, place, statement)
            case _:
                return self._lookup.changes(text, statement)

    def _of_member(
        self, text: str, member: Member, assign: Assign, place: Place, statement: Statement, index: Expr | None = None
    ) -> Result:
        """``grid.x = n``, of a class that becomes a range or of a visible one; ``grid.sizes[0] = n``."""
        whole = self._lookup.search(text, place, statement.start)
        path = spelled(member)
        if isinstance(whole, Instance) and path is not None and text not in self._evaluator.mutations.of(assign.right):
            here = Point(place, statement.start)
            made = self._members.assigned(whole.known_by(text, here), path.partition(".")[2], assign, here, index)
            return self._lookup.changes(text, statement) if made is None else made._replace(names=whole.names)
        name = member.name
        if assign.operator != "=" or not isinstance(member.object, Name) or index is not None:
            return self._lookup.changes(text, statement)
        if not isinstance(whole, RangeObject) or name not in whole.members:
            return self._lookup.changes(text, statement)
        extents = list(whole.extents)
        value = self._evaluator.evaluate(assign.right, Point(place, statement.start))
        extents[whole.members.index(name)] = self._evaluator.size(value)
        return RangeObject(tuple(extents), whole.members)

    def _tied(self, targets: tuple[Expr, ...], assign: Assign, text: str, place: Place, statement: Statement) -> Result:
        """``std::tie(whole, part) = sizes(n)``."""
        here = Point(place, statement.start)
        which = [index for index, each in enumerate(targets) if isinstance(each, Name) and each.text == text]
        if len(which) != 1 or text in self._evaluator.mutations.of(assign.right):
            return self._lookup.changes(text, statement)
        whole = self._evaluator.evaluate(assign.right, here)
        declared = self._evaluator.declarations.type_of(Name(text, None, None, statement.start, statement.start), here)
        if not isinstance(whole, ListObject) or self._arrays.size(whole) != len(targets) or declared is None:
            return self._lookup.changes(text, statement)
        element = self._arrays.element(whole, which[0], assign.right)
        kind = self._evaluator.kind(declared.name, here)
        result = self._conversions.implicit(element, kind, assign.right, here)
        return self._evaluator.named(text, result, assign.start, assign.end)

    def _of_this(self, name: str, assign: Assign, text: str, place: Place, statement: Statement) -> Result:
        """``this->name = n``."""
        if text in self._evaluator.mutations.of(assign.right) or assign.operator != "=":
            return self._lookup.changes(name, statement)
        return self._evaluator.evaluate(assign.right, Point(place, statement.start))

    def _component(self, text: str, index: Expr, assign: Assign, place: Place, statement: Statement) -> Result:
        """``r[1] = n``: a range with one extent, or a list with one element, replaced."""
        here = Point(place, statement.start)
        whole = self._lookup.search(text, place, statement.start)
        which = self._evaluator.value(index, here)
        if isinstance(whole, ListObject) and text not in self._evaluator.mutations.of(assign.right):
            return self._arrays.after(whole, which, assign, here) or self._lookup.changes(text, statement)
        if assign.operator != "=":
            return self._lookup.changes(text, statement)
        changed = self._lookup.changes(text, statement)
        if isinstance(whole, RangeObject):
            made = whole.with_extent(which, self._evaluator.value(assign.right, here))
            return made or RangeObject((changed,) * len(whole.extents))
        return changed

    def updated(self, operator: str, right: Expr, text: str, place: Place, statement: Statement) -> Result:
        """``x op= right`` from the value before."""
        before = self._lookup.search(text, place, statement.start)
        if before is None:
            return self._lookup.changes(text, statement)
        here = Point(place, statement.start)
        result = self._evaluator.combine(operator, before, self._evaluator.evaluate(right, here), right)
        declared = self._evaluator.declarations.type_of(Name(text, None, None, statement.start, statement.start), here)
        if isinstance(result, Scalar | Real) and declared is not None:
            kind = self._evaluator.kind(declared.name, here)
            if not kind.automatic:
                return self._evaluator.cast(declared, result, right, here)
        # As above: the type of the first value.
        return convert(result, before.type) if isinstance(result, Scalar) and isinstance(before, Scalar) else result
