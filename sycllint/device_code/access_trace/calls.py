"""Calls in device code: queries of ids, barriers, ways to pointers, atomics, mathematics; and what is followed."""

from __future__ import annotations

import re

from sycllint.cpp.expression import Brace, Call, Expr, Lambda, Member, Name, Type, Unary
from sycllint.device_code.access_trace.abstract_values import (
    LOADED,
    PLACES,
    AbstractValue,
    AtomicRef,
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
from sycllint.device_code.access_trace.conditions import calculated
from sycllint.device_code.access_trace.escape_analysis import EscapeAnalysis
from sycllint.device_code.access_trace.followed_calls import FollowedCalls
from sycllint.device_code.access_trace.id_queries import Ids
from sycllint.device_code.access_trace.interpreter import Interpreter, Transfers
from sycllint.device_code.access_trace.memory_calls import MemoryCalls
from sycllint.device_code.access_trace.terms import Term
from sycllint.device_code.access_trace.trace import AccessMode, Space, SyncScope
from sycllint.domains.meaning import LANES, Role, maker
from sycllint.domains.results import is_group_function, is_plain_function
from sycllint.domains.vocabulary import (
    FENCES,
    ITEM_MAKERS,
    LOCAL_ALLOCATORS,
    SUB_GROUP_FUNCTIONS,
    SUB_GROUP_MEMBERS,
    may_synchronise,
)
from sycllint.values.side_effects.lvalues import COMPONENT
from sycllint.values.types import plain_type

_TO_POINTER = frozenset({"get_pointer", "get_multi_ptr", "get", "get_raw", "get_decorated", "begin", "data"})
_POINTER_TYPES = frozenset(
    {"local_ptr", "raw_local_ptr", "decorated_local_ptr", "multi_ptr", "address_space_cast", "to_raw_pointer"}
)
"""What makes a pointer of another kind to the same element (SYCL 2020, class ``multi_ptr``)."""
_SCANS = re.compile(r"scan|shift|permute|select|load|store|sort|joint_matrix")
"""Group functions whose result is each work-item's own."""
_GROUPS = re.compile(r"(work_)?group_(?!ballot)|joint_")
"""What else an extension has for whole groups."""
_CALLERS = re.compile(r"invoke|apply|visit|for_each|transform|call|bind")
"""Functions of the C++ library that are handed a function to call it."""
_ATOMIC = re.compile(r"atomic", re.IGNORECASE)
_PRODUCTS = {"mul24": 2, "mad24": 3}
"""Integer functions that multiply, and add (SYCL 2020, section "Integer functions"); with their arguments."""
_CONVERSIONS = frozenset(
    {"int", "size_t", "unsigned", "uint", "long", "unsigned int", "uint32_t", "int32_t", "index_t"}
)


class DeviceCalls(Transfers):
    """Calls for one walk."""

    def __init__(
        self, interpreter: Interpreter, escapes: EscapeAnalysis, shared: MemoryCalls, followed: FollowedCalls
    ) -> None:
        super().__init__(interpreter)
        self._escapes = escapes
        self._queries = interpreter.queries
        self._synchronisation = interpreter.synchronisation
        self.shared = shared
        self.followed = followed
        self.statement: Expr | None = None
        """The expression that is a statement by itself: its value is discarded."""

    def call(self, node: Call, names: Environment) -> AbstractValue:
        """What ``node`` gives, and does."""
        self._state.step()
        match node.function:
            case Member() as function:
                return self._method(node, function, names)
            case Name() as function:
                return self._function(node, function, names)
            case Lambda() as function:
                kept = self._interpreter.thing(function, names)
                return self.followed.kept(kept, node, names) if isinstance(kept, DeviceClosure) else None
            case other:
                thing = self._interpreter.thing(other, names)
                if isinstance(thing, DeviceClosure):
                    return self.followed.kept(thing, node, names)
                if isinstance(thing, Object):
                    return self.followed.method(node, "operator()", thing, self._arguments(node, names), names)
                made = other.function if isinstance(other, Call) else other.type if isinstance(other, Brace) else None
                return self._called(node, plain_type(made) if isinstance(made, Name) else None, names)

    def _arguments(self, node: Call, names: Environment) -> list[AbstractValue]:
        return [self._interpreter.thing(each, names) for each in node.arguments]

    def _values(self, node: Call, names: Environment) -> list[Term | None]:
        """The arguments as numbers: elements among them are read."""
        return [self._interpreter.term(each, names) for each in node.arguments]

    def _method(self, node: Call, function: Member, names: Environment) -> AbstractValue:
        name = function.name
        receiver = self._interpreter.thing(function.object, names)
        if isinstance(receiver, Role):
            return self._of_group(node, name, receiver, names)
        if isinstance(receiver, Ids):
            return self._of_ids(node, name, receiver, names)
        if isinstance(receiver, AtomicRef):
            self._values(node, names)
            self.shared.through(receiver, function, node.arguments)
            return None
        if isinstance(receiver, PLACES):
            return self._of_memory(node, function, receiver, names)
        if isinstance(receiver, Data):
            if COMPONENT.fullmatch(name) and not node.arguments:
                return part(receiver)
            self._escapes.changed(function.object, names)
        arguments = self._arguments(node, names)
        if isinstance(receiver, Object):
            return self.followed.method(node, name, receiver, arguments, names)
        self._escapes.thing(receiver)
        if name in ("max_size", "size", "length") and not arguments:
            return None
        if isinstance(function.object, Name) and function.object.text == "this":
            may_wait = self._synchronisation.own_method(name, node.arguments, self._interpreter.function)
        else:
            may_wait = self._may_wait(node, name, self._kind(function.object, names))
        return self.followed.unseen(node, arguments, names, synchronises=may_wait)

    def _called(self, node: Call, kind: Type | None, names: Environment) -> AbstractValue:
        """The call operator of an object declared with the type ``kind``."""
        arguments = self._arguments(node, names)
        may_wait = self._may_wait(node, "operator()", kind)
        if not may_wait and self._interpreter.is_open(kind) and node is not self.statement:
            # Arithmetic that a template is given: it takes values.
            arguments = [self._interpreter.value(a, b) for a, b in zip(arguments, node.arguments, strict=True)]
        return self.followed.unseen(node, arguments, names, synchronises=may_wait)

    def _may_wait(self, node: Call, name: str, kind: Type | None) -> bool:
        """Whether a method may wait, of an object declared with the type ``kind``."""
        if self._interpreter.is_open(kind):
            return self._synchronisation.open_method(name, node.arguments, used=node is not self.statement)
        return self._synchronisation.method(name, kind, self._interpreter.function)

    def may_iterate(self, range_: Expr, names: Environment) -> bool:
        """Whether to go on from element to element of what a loop runs over may wait."""
        kind = self._kind(range_, names)
        if kind is None or kind.extents:
            return False
        place, asked = self._interpreter.function, self._synchronisation
        return asked.making(kind, place) or any(asked.method(each, kind, place) for each in ("begin", "operator++"))

    def may_operate(self, operator: str, operand: Expr, names: Environment) -> bool:
        """Whether an operator that is there for what it does is one of a class, and may wait."""
        kind = self._kind(operand, names)
        if kind is None or kind.pointers or self._interpreter.is_open(kind):
            return False
        return self._synchronisation.method(f"operator{operator}", kind, self._interpreter.function)

    def _kind(self, receiver: Expr, names: Environment) -> Type | None:
        """The type with which an object is declared."""
        if not isinstance(receiver, Name):
            return None
        slot = names.get(receiver.text)
        if slot is not None:
            return slot.kind if isinstance(slot, Slot) else None
        return self._given.kind(receiver, self._interpreter.function)

    def _of_group(self, node: Call, name: str, role: Role, names: Environment) -> AbstractValue:
        if name == "barrier":
            self.shared.barrier(node, SyncScope.SUB_GROUP if role in LANES else SyncScope.WORK_GROUP)
            return None
        made = maker(name, node.arguments)
        if made is not None:
            return made
        if role in LANES and name in SUB_GROUP_MEMBERS:
            for each in self._arguments(node, names):
                lose(each)
            self._state.sync(SyncScope.SUB_GROUP, node)
            return LOADED if name == "load" else None
        answer = self._queries.answer(role, name)
        if isinstance(answer, Ids) and node.arguments:
            return answer.at(self._interpreter.term(node.arguments[0], names))
        if answer is not None:
            return answer
        if name.startswith(("get_", "leader")):
            return None
        if name in FENCES:
            self._values(node, names)
            self.shared.fence(node, name)
            return None
        return self.followed.unseen(node, self._arguments(node, names), names, synchronises=True)

    def _of_ids(self, node: Call, name: str, ids: Ids, names: Environment) -> AbstractValue:
        if name in ("get", "at") and node.arguments:
            return ids.at(self._interpreter.term(node.arguments[0], names))
        if name == "size" or (name == "get" and len(ids.terms) == 1):
            return ids.product
        self._values(node, names)
        return None

    def _of_memory(
        self, node: Call, function: Member, receiver: Pointer | MemoryElement, names: Environment
    ) -> AbstractValue:
        name = function.name
        whole = isinstance(receiver, MemoryElement) and not receiver.indices
        if whole and receiver.memory.array and name in _TO_POINTER:
            return Pointer(receiver.memory, (), receiver.view)
        if name in _TO_POINTER and not node.arguments:
            return Pointer(receiver.memory, receiver.indices or (0,), receiver.view)
        if whole and name in ("size", "get_range", "byte_size", "get_size", "get_count"):
            if name not in ("size", "get_count") or receiver.memory.space is not Space.GLOBAL:
                return None
            value = self._given.value(node, self._interpreter.function)
            return self._given.term(value, f"{receiver.memory.name}.size()")
        if isinstance(receiver, MemoryElement) and COMPONENT.fullmatch(name) and not node.arguments:
            return MemoryElement(receiver.memory, (*receiver.indices, member_tag(name)), receiver.view)
        if isinstance(receiver, MemoryElement) and _ATOMIC.search(name) is not None:
            self._values(node, names)
            self._state.access(receiver, AccessMode.ATOMIC, function.object)
            return None
        lose(receiver)
        may_wait = not whole and self._synchronisation.method(name, None, self._interpreter.function)
        return self.followed.unseen(node, self._arguments(node, names), names, synchronises=may_wait)

    def _function(self, node: Call, function: Name, names: Environment) -> AbstractValue:
        last, qualifier = function.last, function.qualifier
        found = names.get(function.text)
        held = self._interpreter.held(found) if found is not None else None
        if isinstance(held, DeviceClosure | Object):
            return self._run(held, node, names)
        if found is not None and held is None:
            return self._called(node, found.kind if isinstance(found, Slot) else None, names)
        macro = self._interpreter.macro(function, node.start)
        if macro is not None:
            return self.followed.macro(macro, node, node.arguments, names)
        if function.text in self._facts.macros:
            return self.followed.unseen(node, self._arguments(node, names), names, synchronises=True)
        library = self._is_library(function)
        if last in LOCAL_ALLOCATORS and function.arguments:
            self._arguments(node, names)
            return self.shared.allocate(node, function.arguments[0], last, initialised=last == "group_local_memory")
        if is_group_function(function, self._facts.namespaces):
            return self._group_function(node, last, names)
        if last in ITEM_MAKERS:
            return Role.ITEM
        made = maker(last, node.arguments)
        if made is not None:
            return made
        if _ATOMIC.search(last) is not None and "fence" not in last:
            if last == "atomic_ref" or self._interpreter.kind(function).sycl == "atomic_ref":
                return self.shared.atomic(function, node.arguments, names)
            return self.shared.atomically(node, last, names)
        if last in _POINTER_TYPES and len(node.arguments) == 1:
            return self._same_pointer(node.arguments[0], names)
        if last in ("id", "range") and (library or not qualifier):
            return Ids(tuple(self._values(node, names)))
        if last in ("min", "max") and len(node.arguments) == 2:
            left, right = (self._interpreter.condition(each, names) for each in node.arguments)
            return calculated(last, left, right)
        if last == "clamp" and len(node.arguments) == 3:
            value, least, most = (self._interpreter.condition(each, names) for each in node.arguments)
            return calculated("min", calculated("max", value, least), most)
        if last in _PRODUCTS and len(node.arguments) == _PRODUCTS[last]:
            first, *others = (self._interpreter.condition(each, names) for each in node.arguments)
            return calculated("+", calculated("*", first, others[0]), others[1] if len(others) > 1 else 0)
        if last in _CONVERSIONS and len(node.arguments) == 1:
            return self._interpreter.condition(node.arguments[0], names)
        if "fence" in last:
            self._values(node, names)
            self.shared.fence(node, last)
            return None
        if library:
            return self._library(node, last, names)
        given = self._given.thing(function, self._interpreter.function)
        if isinstance(given, DeviceClosure | Object):
            return self._run(given, node, names)
        return self.followed.function(node, function, names)

    def _run(self, held: DeviceClosure | Object, node: Call, names: Environment) -> AbstractValue:
        """A call of what a variable holds."""
        if isinstance(held, DeviceClosure):
            return self.followed.kept(held, node, names)
        return self.followed.method(node, "operator()", held, self._arguments(node, names), names)

    def _is_library(self, function: Name) -> bool:
        qualifier = function.qualifier
        if not qualifier:
            return is_plain_function(function, {}) and function.text not in self._facts.functions
        return is_plain_function(function, self._facts.namespaces)

    def _same_pointer(self, argument: Expr, names: Environment) -> AbstractValue:
        thing = self._interpreter.thing(argument, names)
        if isinstance(thing, MemoryElement):
            return Pointer(thing.memory, thing.indices or (0,), thing.view)
        return thing if isinstance(thing, Pointer) else None

    def _library(self, node: Call, last: str, names: Environment) -> AbstractValue:
        """A function of the libraries reads its arguments; what it is given a pointer to is not followed."""
        arguments = self._arguments(node, names)
        calls = _CALLERS.match(last) is not None
        if any(
            self._may_run(thing, written, named=calls) for thing, written in zip(arguments, node.arguments, strict=True)
        ):
            self._state.sync(SyncScope.WORK_GROUP, node, seen=False)
        for each in arguments:
            if isinstance(each, DeviceClosure):
                self._escapes.lambda_(each)
        if last in ("move", "forward", "as_const") and len(arguments) == 1:
            return arguments[0]
        if last == "swap" and self._swapped(arguments, node):
            return None
        self._escapes.given_to(last, node.arguments, names)
        whole = [
            each
            for each in arguments
            if isinstance(each, Pointer) or (isinstance(each, MemoryElement) and not each.indices)
        ]
        if last == "swap" or whole:
            for each in arguments:
                lose(each)
            return None
        numbers = [self._interpreter.value(a, b) for a, b in zip(arguments, node.arguments, strict=True)]
        handed = {each for each in arguments if isinstance(each, Role)}
        if last in SUB_GROUP_FUNCTIONS and handed and handed.issubset(LANES):
            self._state.sync(SyncScope.SUB_GROUP, node)
            return None
        if handed or may_synchronise(last, shouted=False) or _GROUPS.match(last):
            self._state.sync(SyncScope.WORK_GROUP, node, seen=False)
        return self.followed.made_of(numbers, last)

    def _swapped(self, arguments: list[AbstractValue], node: Call) -> bool:
        """Whether two elements have changed places: each is read, and then written."""
        elements = [
            each for each in arguments if isinstance(each, MemoryElement) and len(each.indices) == each.memory.rank
        ]
        if len(elements) != 2 or len(arguments) != 2:
            return False
        for each, written in zip(elements, node.arguments, strict=True):
            self._state.read(each, written)
        for each, written in zip(elements, node.arguments, strict=True):
            self._state.access(each, AccessMode.WRITE, written)
        return True

    def _may_run(self, thing: AbstractValue, written: Expr, *, named: bool) -> bool:
        """Whether an argument is a lambda, or where functions are wanted the name of one, that may wait when called."""
        if isinstance(thing, DeviceClosure):
            return self._synchronisation.closure(thing.function, thing.place)
        if isinstance(written, Unary) and written.operator == "&":
            written = written.operand
        return (
            named
            and isinstance(written, Name)
            and not self._is_library(written)
            and self._synchronisation.function(written, self._interpreter.function)
        )

    def _group_function(self, node: Call, last: str, names: Environment) -> AbstractValue:
        arguments = self._arguments(node, names)
        for each, written in zip(arguments[1:], node.arguments[1:], strict=False):
            if isinstance(each, MemoryElement) and each.indices and not last.endswith("load"):
                self._state.read(each, written)
            else:
                lose(each)
        role = arguments[0] if arguments else None
        if role in LANES or last.startswith("joint_matrix"):
            self._state.sync(SyncScope.SUB_GROUP, node)
            return None
        self._state.sync(SyncScope.WORK_GROUP, node, seen=role is Role.WORK_GROUP)
        if role is Role.WORK_GROUP and last == "group_barrier" and len(node.arguments) > 1:
            self.shared.within_scope(node)
        if role is not Role.WORK_GROUP or _SCANS.search(last) is not None:
            return None
        return self._state.fresh(last)
