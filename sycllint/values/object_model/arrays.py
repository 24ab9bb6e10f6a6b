"""Lists whose elements are known: arrays, those of the library, constant vectors, pairs and tuples."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Assign, Brace, Call, Expr, Index, Lambda, Member, Name, Number, Opaque
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Block, Function, Struct
from sycllint.memoized import memoized
from sycllint.record import replace
from sycllint.values.arithmetic import MAX_ALTERNATIVES, ULONG, Scalar
from sycllint.values.object_model.containers import MAX_LIST
from sycllint.values.objects import Instance, ListObject, Point, Result, TypeKind
from sycllint.values.types import as_type
from sycllint.values.value import Known, OneOf, Unknown, Value, possible

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

_OF_EQUALS = frozenset({"array", "vector"})
_OF_OTHERS = frozenset({"pair", "tuple"})
_WITHOUT_ARGUMENTS = frozenset({*_OF_EQUALS, *_OF_OTHERS, *(f"std::{each}" for each in (*_OF_EQUALS, *_OF_OTHERS))})
_PLAIN = frozenset({"at", "back", "cbegin", "cend", "empty", "front", "max_size", "size"})
"""Methods that change no element; what ``at``, ``back`` and ``front`` give is assigned to like an element."""
MEMBERS = {"first": 0, "second": 1}
"""The members of a pair."""
_NAMED = {"make_pair": 2, "make_tuple": None}
"""Functions that make a pair or a tuple, and of how many elements."""


class Arrays:
    """Lists for one evaluator."""

    def __init__(self, evaluator: Evaluation) -> None:
        self._evaluator = evaluator
        self._keeping: dict[tuple[int, str], bool] = {}

    # ---------------------------------------------------------------- making

    def is_list(self, kind: TypeKind) -> bool:
        """Whether a type is one of the library's whose elements may be known."""
        name = kind.name
        if name.arguments is None and name.text not in _WITHOUT_ARGUMENTS:
            return False
        if name.last not in _OF_EQUALS and name.last not in _OF_OTHERS:
            return False
        return kind.struct is None and (name.qualifier in ("std", "::std") or "std" in self._evaluator.facts.using)

    def made(self, kind: TypeKind, arguments: tuple[Expr, ...], point: Point) -> ListObject | None:
        """A list of the library's from braces; ``None`` when its elements are not known."""
        if any(isinstance(each, Opaque) for each in arguments) or len(arguments) >= MAX_LIST:
            return None
        frame = self._evaluator.frame
        templates = kind.name.arguments
        if kind.name.last in _OF_OTHERS:
            kinds = None if templates is None else tuple(self._kind(each, point) for each in templates)
            if kinds is not None and len(kinds) != len(arguments):
                return None
            return ListObject(arguments, point, None, frame, len(arguments), kinds)
        if templates is None:
            return ListObject(arguments, point, None, frame, len(arguments)) if arguments else None
        element = self._kind(templates[0], point)
        if kind.name.last == "vector":
            # One list in braces may be another vector as well.
            is_listed = len(arguments) > 1 and all(isinstance(each, Brace) for each in arguments)
            is_known = is_listed if element.struct is not None else element.integer is not None and arguments
            return ListObject(arguments, point, element, frame, len(arguments)) if is_known else None
        count = self._evaluator.value(templates[1], point) if len(templates) == 2 else None
        if not isinstance(count, Known):
            return None
        if len(arguments) == 1 and isinstance(arguments[0], Brace) and arguments[0].type is None:
            if count.value == 1:
                return None
            arguments = arguments[0].elements
        return ListObject(arguments, point, element, frame, count.value) if len(arguments) <= count.value else None

    def bare(self, kind: TypeKind, point: Point) -> ListObject | None:
        """A ``std::array`` whose elements are not initialised; ``None`` for other types."""
        made = self.made(kind, (), point) if kind.name.last == "array" and self.is_list(kind) else None
        return made._replace(is_bare=True) if made is not None else None

    def counted(self, kind: TypeKind, point: Point) -> TypeKind:
        """``kind``, written at ``point``: of an array the number of elements in place of what says it there."""
        arguments = kind.name.arguments or ()
        if kind.name.last != "array" or len(arguments) != 2 or not self.is_list(kind):
            return kind
        count, node = self._evaluator.value(arguments[1], point), arguments[1]
        if not isinstance(count, Known) or isinstance(node, Number):
            return kind
        return kind._replace(
            name=replace(kind.name, arguments=(arguments[0], Number(str(count.value), node.start, node.end)))
        )

    def named(self, name: str, arguments: tuple[Expr, ...], point: Point) -> ListObject | None:
        """``std::make_pair(a, b)``, ``std::make_tuple(a, b, c)``."""
        if name not in _NAMED or _NAMED[name] not in (None, len(arguments)):
            return None
        if any(isinstance(each, Opaque) for each in arguments):
            return None
        return ListObject(arguments, point, None, self._evaluator.frame, len(arguments))

    def _kind(self, argument: Expr, point: Point) -> TypeKind:
        kind = as_type(argument)
        if kind is None or kind.pointers or kind.reference or kind.extents:
            return TypeKind(Name("?", None, None, argument.start, argument.end))
        return self._evaluator.kind(kind.name, point)

    def keeps(self, text: str, place: Place) -> bool:
        """Whether the elements of a list that is not constant, a local one or a member, change by assignments only.

        Those are followed, as for any variable; its methods, iterators and pointers to its elements are not.
        """
        block = place.node
        if place.outer is not None and isinstance(place.outer.node, Struct):
            return not self._is_handed_out(text)
        is_local = any(isinstance(node, Function | Lambda) for node in place.chain())
        if not isinstance(block, Block) or not is_local or text in self._evaluator.facts.macro_words:
            return False
        key = (id(block), text)
        if key not in self._keeping:
            self._keeping[key] = not any(
                (f"*{text}" in self._evaluator.mutations.of(each) and _names_whole(each, text))
                or any(_hands_out(node, text) for node in walk(each))
                for each in self._evaluator.effects.before(block.statements, text, place)
            )
        return self._keeping[key]

    @memoized
    def _is_handed_out(self, member: str) -> bool:
        """Whether the code of the unit calls a method of something of this name by which its elements may change."""
        called = re.compile(
            rb"\b%b\s*(?:\.|->)\s*(?!(?:%b)\b)\w" % (re.escape(member.encode()), "|".join(sorted(_PLAIN)).encode())
        )
        return any(called.search(each.content) for each in self._evaluator.facts.named.spelling(member.encode()))

    # --------------------------------------------------------------- reading

    def element(self, of: ListObject, index: int, node: Expr) -> Result:
        """The element at ``index``."""
        evaluator = self._evaluator
        for position, value in reversed(of.written):
            if position == index:
                return value
        if of.is_bare:
            return evaluator.unknown("an element without a value", node)
        kind = of.kinds[index] if of.kinds is not None and 0 <= index < len(of.kinds) else of.kind
        if not 0 <= index < len(of.elements):
            is_filled = of.length is not None and len(of.elements) <= index < of.length and len(of.elements) < MAX_LIST
            if is_filled and kind is not None and index >= 0 and (kind.integer is not None or kind.struct is not None):
                return evaluator.construction.construct(kind, (), of.point, node, braced=True)
            return evaluator.unknown("an element chosen at run time", node)
        return evaluator.under(of.frame, self._as, kind, of.elements[index], of.point, node)

    def _as(self, kind: TypeKind | None, written: Expr, point: Point, node: Expr) -> Result:
        """An element that is ``written`` at ``point``, as a list of ``kind`` holds it."""
        evaluator = self._evaluator
        element = evaluator.evaluate(written, point)
        if kind is None:
            return element
        if isinstance(element, ListObject):
            if kind.struct is not None:
                return evaluator.construction.construct(kind, element.elements, element.point, node, braced=True)
            return element._replace(kind=kind)
        if isinstance(element, Instance) and kind.struct is not None:
            return element if element.struct.node is kind.struct.node else evaluator.unknown("an object", node)
        return evaluator.converted(element, kind, node)

    def indexed(self, of: ListObject, index: Value, node: Expr) -> Result:
        """The element at an index, or one of several where that is one of several numbers, or not known."""
        if isinstance(index, Known):
            return self.element(of, index.value, node)
        size = self.size(of)
        if size is None or not 0 < size <= MAX_ALTERNATIVES or of.kind is None or of.kind.integer is None:
            return self._evaluator.unknown("an element chosen at run time", node)
        is_listed = isinstance(index, OneOf) and not index.open
        listed = {each.value for each in possible(index)} if is_listed else range(size)
        elements = [self.element(of, each, node) for each in range(size) if each in listed]
        return self._evaluator.joined(elements, node) if elements else Unknown("an element chosen at run time")

    def assigned(self, of: ListObject, index: Value, value: Result, node: Expr) -> ListObject | None:
        """The list once the element at ``index`` has been given a value; ``None`` where its elements are then lost."""
        size = self.size(of)
        if size is None or not isinstance(index, Known) or not 0 <= index.value < size or len(of.written) >= MAX_LIST:
            return None
        if of.kind is None or not of.kind.is_number:
            return None
        return of._replace(written=(*of.written, (index.value, self._evaluator.converted(value, of.kind, node))))

    def after(self, whole: ListObject, index: Value, assign: Assign, here: Point) -> ListObject | None:
        """A list once ``assign`` has set the element at ``index``; ``None`` where that is not followed."""
        evaluator = self._evaluator
        value = evaluator.evaluate(assign.right, here)
        if assign.operator != "=":
            if not isinstance(index, Known):
                return None
            before = self.element(whole, index.value, assign)
            value = evaluator.combine(assign.operator[:-1], before, value, assign)
        return self.assigned(whole, index, value, assign)

    def joined(self, lists: list[ListObject]) -> ListObject | None:
        """One list that may be any of ``lists``, which differ in what was assigned to them; ``None`` for others."""
        fresh = lists[0]._replace(written=())
        if any(each._replace(written=()) != fresh for each in lists):
            return None
        positions = dict.fromkeys(position for each in lists for position, _ in each.written)
        made = Name("", None, None, fresh.point.offset, fresh.point.offset)
        written = [
            (each, self._evaluator.joined([self.element(one, each, made) for one in lists])) for each in positions
        ]
        return fresh._replace(written=tuple(written))

    def without_values(self, kind: TypeKind, count: Value, point: Point) -> ListObject | None:
        """An array of ``count`` numbers that are not initialised; ``None`` where there may be too many."""
        if not kind.is_number or not isinstance(count, Known) or not 0 < count.value < MAX_LIST:
            return None
        return ListObject((), point, kind, self._evaluator.frame, count.value, is_bare=True)

    def size(self, of: ListObject) -> int | None:
        """The number of elements."""
        return of.length if of.length is not None and len(of.elements) < MAX_LIST else None

    def method(self, of: ListObject, name: str, arguments: tuple[Expr, ...], point: Point, node: Expr) -> Result | None:
        """``size()``, ``front()``, ``back()`` or ``at(i)``."""
        size = self.size(of)
        if size is None:
            return None
        match name, arguments:
            case "size", ():
                return Scalar(Known(size), ULONG)
            case "front", ():
                return self.element(of, 0, node)
            case "back", ():
                return self.element(of, size - 1, node)
            case "at", (index,):
                return self.indexed(of, self._evaluator.value(index, point), node)
            case _:
                return None


def _names_whole(statement: Node, text: str) -> bool:
    """Whether a list is named in a statement where it is more than the list that an element or a member is of."""
    inside = tuple(walk(statement))
    parts = {id(each.object) for each in inside if isinstance(each, Index | Member)}
    return any(isinstance(each, Name) and each.text == text and id(each) not in parts for each in inside)


def _hands_out(node: Node, text: str) -> bool:
    """Whether a node calls a method of a list by which its elements may change, now or later."""
    match node:
        case Call(function=Member(object=Name(text=target), name=name)):
            return target == text and name not in _PLAIN
        case _:
            return False
