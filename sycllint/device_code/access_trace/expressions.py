"""Expressions of device code: what they stand for, and which elements they read and write on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Brace,
    Call,
    Cast,
    Character,
    Conditional,
    Expr,
    Increment,
    Index,
    Lambda,
    Member,
    Name,
    New,
    Number,
    Opaque,
    SizeOf,
    Text,
    Type,
    Unary,
)
from sycllint.cpp.node import Node, children
from sycllint.device_code.access_trace.abstract_values import (
    LOADED,
    PLACES,
    AbstractValue,
    AtomicRef,
    Condition,
    Data,
    DeviceClosure,
    Environment,
    MemoryElement,
    Object,
    Pointer,
    Slot,
    lose,
    member_tag,
    part,
)
from sycllint.device_code.access_trace.calls import DeviceCalls
from sycllint.device_code.access_trace.conditions import calculated, chosen, combined, guards_of, unless, when
from sycllint.device_code.access_trace.escape_analysis import EscapeAnalysis
from sycllint.device_code.access_trace.id_queries import Ids
from sycllint.device_code.access_trace.initial_values import InitialValues, narrowed
from sycllint.device_code.access_trace.interpreter import Interpreter, Transfers
from sycllint.device_code.access_trace.signedness import (
    COMPARISONS,
    OF_VALUES,
    held_as,
    integer_type,
    may_be_negative,
    operation_type,
)
from sycllint.device_code.access_trace.state import NotFollowedError
from sycllint.device_code.access_trace.terms import (
    BINARY_OPERATORS,
    READ,
    TERM,
    UNARY_OPERATORS,
    Atom,
    AtomKind,
    Operation,
    Term,
    operation,
    varies,
)
from sycllint.device_code.access_trace.trace import AccessMode, Guard, MemoryObject, SyncScope
from sycllint.domains.meaning import Role
from sycllint.domains.vocabulary import may_synchronise
from sycllint.values.objects import Point
from sycllint.values.types import plain_type

ACTING = frozenset({Assign, Call, Increment})
"""Expressions that are statements for what they do."""
_LOGIC = frozenset({",", "&&", "||"})
_DIGITS = 10
"""Numbers with fewer fit every type."""


class ExpressionTransfer(Transfers):
    """Expressions for one walk."""

    def __init__(
        self, interpreter: Interpreter, escapes: EscapeAnalysis, calls: DeviceCalls, bindings: InitialValues
    ) -> None:
        super().__init__(interpreter)
        self._escapes = escapes
        self._calls = calls
        self._bindings = bindings
        self._queries = interpreter.queries
        self._literals: dict[str, Term | None] = {}

    def transfers(self) -> dict[type[Node], Callable[..., AbstractValue]]:
        """The transfer functions of expressions, by their kinds."""
        return {
            Assign: self._assign,
            Binary: self._binary,
            Brace: self._sequence,
            Call: self._calls.call,
            Cast: self._cast,
            Character: self._constant,
            Conditional: self._conditional,
            Increment: self._increment,
            Index: self._index,
            Lambda: self._lambda,
            Member: self._member,
            Name: self._name,
            New: self._parts,
            Number: self._number,
            Opaque: self._sequence,
            SizeOf: self._constant,
            Text: self._nothing,
            Type: self._nothing,
            Unary: self._unary,
        }

    def effect(self, expression: Expr, names: Environment) -> None:
        """``expression`` as a statement: an undeclared name is a macro that is not visible, which may do anything."""
        thing = self._interpreter.thing(expression, names)
        if type(expression) in ACTING:
            lose(thing)
            return
        if isinstance(thing, MemoryElement):
            self._state.read(thing, expression)
        if isinstance(expression, Binary) and expression.operator not in _LOGIC:
            first = expression.left
            while isinstance(first, Binary):
                first = first.left
            if self._calls.may_operate(expression.operator, first, names):
                self._state.sync(SyncScope.WORK_GROUP, expression, seen=False)
            self._escapes.streamed(expression, names)
            return
        if isinstance(expression, Unary) and self._calls.may_operate(expression.operator, expression.operand, names):
            self._state.sync(SyncScope.WORK_GROUP, expression, seen=False)
        for each in _bare(expression):
            if each.text in names or self._interpreter.macro(each, each.start) is not None:
                continue
            if not self._given.is_declared(each, self._interpreter.function):
                if not may_synchronise(each.text, shouted=False):
                    raise NotFollowedError
                self._state.sync(SyncScope.WORK_GROUP, expression, seen=False)

    def refuse_macro(self, name: Name) -> None:
        """Raise for ``NEXT(2);`` and ``AT(i) = 2;`` by a macro that is not visible, unless its name implies a wait."""
        text, facts = name.text, self._evaluator.facts
        is_visible = any(text in known for known in (facts.functions, facts.macros, facts.structs))
        is_visible = is_visible or self._given.is_declared(name, self._interpreter.function)
        if not is_visible and not may_synchronise(text, shouted=False):
            raise NotFollowedError

    def _name(self, node: Name, names: Environment) -> AbstractValue:
        found = names.get(node.text)
        if found is not None:
            return self._interpreter.held(found)
        macro = self._interpreter.macro(node, node.start)
        if macro is not None:
            return self._calls.followed.macro(macro, node, (), names)
        return self._given.thing(node, self._interpreter.function)

    def _number(self, node: Number, names: Environment) -> AbstractValue:
        known = self._literals.get(node.text)
        if known is None:
            known = self._literals[node.text] = self._literal(node)
        return known

    def _literal(self, node: Number) -> Term | None:
        text = node.text.lower()
        if text.isdecimal() and len(text) < _DIGITS and (text[0] != "0" or text == "0"):
            return int(text)
        if not text.startswith("0x") and ("." in text or "e" in text or text.endswith("f")):
            return Atom(AtomKind.GIVEN, text, text)
        return self._given.number(node, self._interpreter.function)

    def _constant(self, node: SizeOf | Character, names: Environment) -> AbstractValue:
        return self._given.number(node, self._interpreter.function)

    def _nothing(self, node: Expr, names: Environment) -> AbstractValue:
        return None

    def _parts(self, node: New, names: Environment) -> AbstractValue:
        for child in children(node):
            if isinstance(child, Expr):
                self._escapes.discard(child, names)
        return None

    def _lambda(self, node: Lambda, names: Environment) -> AbstractValue:
        inner = dict(names)
        for capture in node.captures:
            if capture.value is not None:
                self._state.declare(inner, capture.name, self._interpreter.thing(capture.value, names))
        return DeviceClosure(node, self._interpreter.function, inner)

    def _member(self, node: Member, names: Environment) -> AbstractValue:
        if isinstance(node.object, Name) and node.object.text == "this":
            own = names.get("this")
            if isinstance(own, Slot) and isinstance(own.value, Object):
                return self._of_object(own.value, node.name)
            return self._given.thing(Name(node.name, None, None, node.start, node.end), self._interpreter.function)
        base = self._interpreter.thing(node.object, names)
        if isinstance(base, Object):
            return self._of_object(base, node.name)
        if isinstance(base, MemoryElement):
            # A member of an element: elements with other members do not meet.
            return MemoryElement(base.memory, (*base.indices, member_tag(node.name)), base.view)
        if isinstance(base, Pointer):
            return MemoryElement(base.memory, (*base.indices, member_tag(node.name)), base.view)
        return part(base) if isinstance(base, Data) else None

    def _of_object(self, made: Object, name: str) -> AbstractValue:
        member = self._interpreter.objects.member(made, name)
        return member.value if isinstance(member, Slot) else member

    def _index(self, node: Index, names: Environment) -> AbstractValue:
        base = self._interpreter.thing(node.object, names)
        indices = [self._interpreter.thing(each, names) for each in node.indices]
        for each, written in zip(indices, node.indices, strict=True):
            if isinstance(each, PLACES):
                indices[indices.index(each)] = self._interpreter.value(each, written)
        return self.element(base, indices, node, names)

    def element(
        self, base: AbstractValue, indices: list[AbstractValue], written: Index, names: Environment
    ) -> AbstractValue:
        """``base[indices]``."""
        if isinstance(base, Object):
            use = Call(written.object, written.indices, written.start, written.end)
            return self._calls.followed.method(use, "operator[]", base, indices, names)
        if len(indices) != 1:
            lose(base)
            return None
        index = indices[0]
        if isinstance(base, Ids):
            return base.at(_plain(index))
        if base in (Role.ITEM, Role.WORK_GROUP) and isinstance(base, Role):
            ids = self._queries.ids("global id" if base is Role.ITEM else "group id")
            return ids.at(_plain(index)) if ids is not None else None
        match base:
            case MemoryElement(memory=memory, indices=before, view=view):
                added = index.terms if isinstance(index, Ids) else (self._subscript(index),)
                return MemoryElement(memory, (*before, *added), view)
            case Pointer(memory=memory, indices=(), view=view) if index == 0:
                return MemoryElement(memory, (), view)
            case Pointer(memory=memory, indices=before, view=view) if before:
                return MemoryElement(memory, (*before[:-1], operation("+", before[-1], self._subscript(index))), view)
            case Atom(kind=AtomKind.GIVEN, text=text) if text.isidentifier():
                return MemoryElement(self._unseen(text, written), (_plain(index),))
            case Data():
                return part(base)
            case _:
                lose(base)
                return None

    def _unseen(self, text: str, use: Expr) -> MemoryObject:
        """What a captured object of a class that is not visible leads to."""
        start = getattr(use, "start", 0)
        return self._given.memory(Name(text, None, None, start, start), None, self._interpreter.function)

    def _subscript(self, thing: AbstractValue) -> Term | None:
        """``thing`` as an index: one that was read may be 0."""
        if not isinstance(thing, Data):
            return _plain(thing)
        self._state.by_data = True
        return operation("+", READ, thing.like)

    def _cast(self, node: Cast, names: Environment) -> AbstractValue:
        inner = self._interpreter.thing(node.operand, names)
        if node.type.name.text in names:
            # ``(L) + (y)`` is no cast, and the operators around it were read wrong too.
            lose(inner)
            return None
        if isinstance(inner, MemoryElement) and node.type.pointers and (not inner.indices or _is_row(inner)):
            inner = Pointer(inner.memory, (*inner.indices, 0), inner.view)
        if isinstance(inner, Pointer):
            if node.type.pointers == 1:
                return self._given.views.cast(inner, node.type, Point(self._interpreter.function, node.start))
            lose(inner)
            return None
        if isinstance(inner, MemoryElement):
            if node.type.reference or node.type.pointers:
                lose(inner)
                return None
            inner = self._state.read(inner, node.operand)
        if isinstance(inner, Ids):
            inner = self._interpreter.number(inner, node)
        if isinstance(inner, TERM) and not node.type.pointers:
            return narrowed(inner, self._evaluator.types.kind(node.type.name).integer)
        return inner if not isinstance(inner, DeviceClosure) else None

    def _sequence(self, node: Brace | Opaque, names: Environment) -> AbstractValue:
        parts = node.elements if isinstance(node, Brace) else node.parts
        if isinstance(node, Opaque) and "asm" in node.kind:
            self._state.sync(SyncScope.WORK_GROUP, node, seen=False)
            self._escapes.inside(node, names)
        if isinstance(node, Brace):
            kind = node.type
            name = kind.last if isinstance(kind, Name) else ""
            if isinstance(kind, Name) and "atomic_ref" in (name, self._interpreter.kind(kind).sycl):
                return self._calls.shared.atomic(kind, parts, names)
            if kind is None or name in ("id", "range"):
                return Ids(tuple(self._interpreter.term(each, names) for each in parts))
            if isinstance(kind, Name):
                return self._object(node, kind, names)
        if isinstance(node, Opaque) and len(parts) == 1 and "paren" in node.kind:
            return self._interpreter.thing(parts[0], names)
        return self._discarded(parts, names)

    def _object(self, node: Brace, kind: Name, names: Environment) -> AbstractValue:
        """``Team{item}``: a temporary object; one that is handed the item may wait in any of its methods."""
        struct = self._evaluator.types.kind(kind).struct
        made = self._bindings.made(struct, node.elements, names) if struct is not None else None
        if made is not None:
            return made
        if self._interpreter.synchronisation.making(plain_type(kind), self._interpreter.function) or any(
            self._interpreter.thing(each, names) in (Role.ITEM, Role.WORK_GROUP)
            for each in node.elements
            if isinstance(each, Name)
        ):
            self._state.sync(SyncScope.WORK_GROUP, node, seen=False)
        return self._discarded(node.elements, names)

    def _discarded(self, parts: tuple[Expr, ...], names: Environment) -> AbstractValue:
        for each in parts:
            self._escapes.discard(each, names)
        return None

    # ------------------------------------------------------------- operators

    def _unary(self, node: Unary, names: Environment) -> AbstractValue:
        match node.operator:
            case "*":
                inner = self._interpreter.thing(node.operand, names)
                if isinstance(inner, Pointer):
                    return MemoryElement(inner.memory, inner.indices, inner.view)
                if isinstance(inner, Object) and "operator*" in self._evaluator.facts.functions:
                    self._interpreter.operated(inner, "*", node)
                    return None
                if isinstance(inner, Atom) and inner.kind is AtomKind.GIVEN and inner.text.isidentifier():
                    return MemoryElement(self._unseen(inner.text, node), (0,))
                return inner if isinstance(inner, MemoryElement | Role | Object) else None
            case "&":
                inner = self._interpreter.thing(node.operand, names)
                if isinstance(inner, MemoryElement):
                    return Pointer(inner.memory, inner.indices or (0,), inner.view)
                if isinstance(inner, Object | Role):
                    return inner
                self._escapes.kept(node.operand, names)
                return None
            case operator if operator in UNARY_OPERATORS:
                thing = self._interpreter.thing(node.operand, names)
                if isinstance(thing, Object):
                    self._interpreter.operated(thing, operator, node)
                value = self._interpreter.value(thing, node.operand)
                if isinstance(value, Data):
                    return Data(like=operation(operator, value.like), memories=value.memories)
                return operation(operator, value)
            case _:
                self._escapes.discard(node.operand, names)
                return None

    def _binary(self, node: Binary, names: Environment) -> AbstractValue:
        operator = node.operator
        if operator == ",":
            self.effect(node.left, names)
            return self._interpreter.thing(node.right, names)
        if operator in ("&&", "||"):
            return self._logic(node, names)
        left, right = self._interpreter.thing(node.left, names), self._interpreter.thing(node.right, names)
        if left is None and right is None:
            return None
        for each in (left, right):
            if isinstance(each, Object):
                self._interpreter.operated(each, operator, node)
        if isinstance(left, PLACES) or isinstance(right, Pointer):
            if isinstance(left, Pointer) and isinstance(right, MemoryElement) and not _is_row(right):
                right = self._interpreter.value(right, node.right)
            moved = self._moved(operator, left, right)
            if moved is not None:
                return moved
        if isinstance(left, Ids) and isinstance(right, Ids) and len(left.terms) == len(right.terms) > 1:
            pairs = zip(left.terms, right.terms, strict=True)
            return Ids(tuple(operation(operator, a, b) if operator in BINARY_OPERATORS else None for a, b in pairs))
        first = left if left is None or isinstance(left, TERM) else self._interpreter.value(left, node.left)
        second = right if right is None or isinstance(right, TERM) else self._interpreter.value(right, node.right)
        if operator not in BINARY_OPERATORS:
            return None
        if first.__class__ is Data or second.__class__ is Data:
            return calculated(operator, first, second)
        if operator in OF_VALUES:
            first, second = self._as_typed(node, names, first, second)  # type: ignore[arg-type]
        return operation(operator, first, second)  # type: ignore[arg-type]

    def _as_typed(
        self, node: Binary, names: Environment, left: Term | None, right: Term | None
    ) -> tuple[Term | None, Term | None]:
        """The operands of an operation on the numbers that a type holds, as it holds them."""
        if left is None or right is None or not (may_be_negative(left) or may_be_negative(right)):
            return left, right
        point = Point(self._interpreter.function, node.start)
        first, second = (integer_type(each, names, self._evaluator, point) for each in (node.left, node.right))
        kind = operation_type(node.operator, first, second)
        if kind is None and node.operator in COMPARISONS:
            return left, right
        return held_as(kind, left), held_as(kind, right)

    def _moved(self, operator: str, left: AbstractValue, right: AbstractValue) -> AbstractValue:
        """``pointer + n``."""
        pointer, other = (left, right) if isinstance(left, Pointer) else (right, left)
        if isinstance(pointer, MemoryElement) and isinstance(left, MemoryElement) and _is_row(left):
            pointer, other = Pointer(left.memory, (*left.indices, 0), left.view), right
        if not isinstance(pointer, Pointer) or not pointer.indices or operator not in ("+", "-"):
            return None
        if isinstance(other, PLACES):
            return None
        by = operation(operator, 0, self._subscript(other))
        return Pointer(pointer.memory, (*pointer.indices[:-1], operation("+", pointer.indices[-1], by)), pointer.view)

    def _logic(self, node: Binary, names: Environment) -> AbstractValue:
        """The right side is looked at only where the left one does not decide."""
        left = self._interpreter.condition(node.left, names)
        both = node.operator == "&&"
        if isinstance(left, int) and bool(left) is not both:
            return int(bool(left))
        outer = self._state.guards
        self._state.under(when(left) if both else unless(left))
        right = self._interpreter.condition(node.right, names)
        self._state.guards = outer
        return combined(node.operator, left, right)

    def _conditional(self, node: Conditional, names: Environment) -> AbstractValue:
        condition = self._interpreter.condition(node.condition, names)
        if isinstance(condition, int):
            return self._interpreter.thing(node.then if condition else node.otherwise, names)
        then, otherwise = guards_of(condition)
        first = self._read_under(then, node.then, names)
        second = self._read_under(otherwise, node.otherwise, names)
        if first == second:
            return first
        if isinstance(first, Pointer) or isinstance(second, Pointer):
            lose(first)
            lose(second)
            return None
        return chosen(
            condition, self._interpreter.value(first, node.then), self._interpreter.value(second, node.otherwise)
        )

    def _read_under(self, guard: Guard, node: Expr, names: Environment) -> AbstractValue:
        outer = self._state.guards
        self._state.under(guard)
        thing = _decayed(self._interpreter.thing(node, names))
        found = self._state.read(thing, node) if isinstance(thing, MemoryElement) else thing
        self._state.guards = outer
        return found

    def _assign(self, node: Assign, names: Environment) -> AbstractValue:
        value = _decayed(self._interpreter.thing(node.right, names))
        if isinstance(value, MemoryElement):
            value = self._state.read(value, node.right)
        return self.store(node.left, node.operator.removesuffix("="), value, names)

    def store(self, target: Expr, operator: str, value: AbstractValue, names: Environment) -> AbstractValue:
        """``target operator= value``."""
        slot = self._interpreter.slot(target, names)
        held = slot.value if slot is not None else None
        if isinstance(held, Object) and (operator or not isinstance(value, Object)):
            self._interpreter.operated(held, f"{operator}=", target)
            lose(value)
            return None
        if isinstance(held, AtomicRef):
            self._set_atomically(held, operator, target)
            return None
        if slot is not None:
            if operator:
                before = slot.value
                moved = self._moved(operator, before, value) if isinstance(before, Pointer) else None
                if isinstance(before, TERM) and operator in OF_VALUES:
                    before = held_as(slot.integer, before)
                value = moved if moved is not None else calculated(operator, _known(before), _known(value))
            if slot.integer is not None:
                value = narrowed(value, slot.integer)
            self._state.put(slot, value)
            if value is not None:
                slot.kind = None
            return value
        place = self._interpreter.thing(target, names)
        if isinstance(place, AtomicRef):
            self._set_atomically(place, operator, target)
        if isinstance(place, MemoryElement):
            if operator:
                self._state.read(place, target, update=True)
            number = _plain(value)
            written = None if operator else number
            read = value if isinstance(value, Data) else LOADED
            update = bool(operator) or (id(place.memory), place.indices) in read.elements
            counts = operator in ("+", "-") and number is not None and not varies(number)
            self._state.access(
                place, AccessMode.WRITE, target, update=update, value=written, counts=counts, read_by=read.read_by
            )
            lose(value)
            return number
        if not isinstance(target, Name):
            self._escapes.changed(target, names)
        lose(value)
        return None

    def _set_atomically(self, reference: AtomicRef, operator: str, target: Expr) -> None:
        if reference.element is not None:
            mode = AccessMode.ATOMIC if operator else AccessMode.STORE
            self._state.access(reference.element, mode, target, update=bool(operator), scope=reference.scope)

    def _increment(self, node: Increment, names: Environment) -> AbstractValue:
        slot = self._interpreter.slot(node.operand, names)
        before = slot.value if slot is not None else None
        if isinstance(before, Object):
            self._interpreter.operated(before, node.operator, node)
            return None
        of_class = isinstance(node.operand, Name) if slot is None else slot.kind is not None
        if of_class and self._calls.may_operate(node.operator, node.operand, names):
            self._state.sync(SyncScope.WORK_GROUP, node, seen=False)
        after = self.store(node.operand, node.operator[0], 1, names)
        return after if node.prefix or slot is None else before


def _plain(thing: AbstractValue) -> Term | None:
    match thing:
        case int() | Atom() | Operation():
            return thing
        case Ids(terms=(only,)):
            return only
        case _:
            return None


def _known(thing: AbstractValue) -> Condition:
    return thing if isinstance(thing, Data) else _plain(thing)


def _bare(expression: Expr) -> Iterator[Name]:
    """The names in an expression whose values are discarded."""
    match expression:
        case Name():
            yield expression
        case Binary(operator=",", right=right):
            yield from _bare(right)
        case Conditional(then=then, otherwise=otherwise):
            yield from _bare(then)
            yield from _bare(otherwise)
        case Cast(operand=operand):
            yield from _bare(operand)
        case Opaque(parts=(only,)):
            yield from _bare(only)
        case _:
            pass


def _decayed(thing: AbstractValue) -> AbstractValue:
    """A row of elements as the pointer to the first of them."""
    if isinstance(thing, MemoryElement) and _is_row(thing):
        return Pointer(thing.memory, (*thing.indices, 0), thing.view)
    return thing


def _is_row(element: MemoryElement) -> bool:
    return element.memory.has_row(element.indices)
