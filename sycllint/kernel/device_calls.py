"""Calls in device code: queries of ids, barriers, ways to pointers, atomics, and functions that are walked into."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Assign, Binary, Call, Conditional, Expr, Lambda, Member, Name
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Block, Function, Macro, Parameter
from sycllint.facts.file import Declared
from sycllint.kernel.given import Given
from sycllint.kernel.meaning import LANES, Meaning, Meanings, Role, lanes_made
from sycllint.kernel.meaning import Thing as ClassObject
from sycllint.kernel.queries import Ids, Queries
from sycllint.kernel.shared_calls import SharedCalls
from sycllint.kernel.targets import Calls
from sycllint.kernel.terms import TERM, Term, varies
from sycllint.kernel.trace import Mode, Scope, Space
from sycllint.kernel.vocabulary import (
    FENCES,
    GROUP_FUNCTIONS,
    LOCAL_ALLOCATORS,
    OLD_GROUP_FUNCTIONS,
    SUB_GROUP_MAKERS,
    SUB_GROUP_MEMBERS,
    WORK_GROUP_MAKERS,
    may_synchronise,
)
from sycllint.kernel.walk_state import (
    PLACES,
    AtomicRef,
    Data,
    Deferred,
    Element,
    Kept,
    Names,
    NotFollowedError,
    Object,
    Pointer,
    Slot,
    State,
    Thing,
    calculated,
    condition_of,
    lose,
    member_tag,
)
from sycllint.values.evaluate import Evaluator
from sycllint.values.frame import Frame
from sycllint.values.objects import Point
from sycllint.values.types import qualifier_is_sycl

if TYPE_CHECKING:
    from sycllint.kernel.accesses import Walk

MAX_CALLS = 10
"""How deep calls are followed."""
_TO_POINTER = frozenset({"get_pointer", "get_multi_ptr", "get", "get_raw", "get_decorated", "begin", "data"})
_POINTER_TYPES = frozenset(
    {"local_ptr", "raw_local_ptr", "decorated_local_ptr", "multi_ptr", "address_space_cast", "to_raw_pointer"}
)
"""What makes a pointer of another kind to the same element (SYCL 2020, class ``multi_ptr``)."""
_SCANS = re.compile(r"scan|shift|permute|select|load|store|sort|joint_matrix")
"""Group functions whose result is each work-item's own."""
_COMPONENT = re.compile(r"[xyzwrgba]|s[0-9A-Fa-f]|lo|hi|odd|even")
_ATOMIC = re.compile(r"atomic", re.IGNORECASE)
_OPERATIONS = (Binary, Conditional, Assign)
_ITEMS = frozenset({"get_nd_item", "this_nd_item", "this_item"})
_LIBRARIES = frozenset({"sycl", "std", "cl", "native", "intel", "ONEAPI", "dpct", "syclcompat", "ext"})
_PRODUCTS = {"mul24": 2, "mad24": 3}
"""Integer functions that multiply, and add (SYCL 2020, section "Integer functions"); with their arguments."""
_CONVERSIONS = frozenset(
    {"int", "size_t", "unsigned", "uint", "long", "unsigned int", "uint32_t", "int32_t", "index_t"}
)


class DeviceCalls:
    """Calls for one walk."""

    def __init__(self, evaluator: Evaluator, state: State, given: Given, queries: Queries, walk: Walk) -> None:
        self._evaluator = evaluator
        self._facts = evaluator.facts
        self._state = state
        self._given = given
        self._queries = queries
        self._walk = walk
        self._meanings = Meanings(evaluator)
        self._targets = Calls(evaluator, self._meanings)
        self._stack: list[Node] = []
        self.shared = SharedCalls(state, given, walk)

    def call(self, node: Call, names: Names) -> Thing:
        """What ``node`` gives, and does."""
        self._state.step()
        match node.function:
            case Member() as function:
                return self._method(node, function, names)
            case Name() as function:
                return self._function(node, function, names)
            case Lambda() as function:
                kept = self._walk.expressions.thing(function, names)
                return self._enter_kept(kept, node, names) if isinstance(kept, Kept) else None
            case other:
                thing = self._walk.expressions.thing(other, names)
                if isinstance(thing, Kept):
                    return self._enter_kept(thing, node, names)
                return self._unseen(node, self._arguments(node, names), names)

    def _arguments(self, node: Call, names: Names) -> list[Thing]:
        return [self._walk.expressions.thing(each, names) for each in node.arguments]

    def _values(self, node: Call, names: Names) -> list[Term | None]:
        """The arguments as numbers: elements among them are read."""
        return [self._walk.expressions.term(each, names) for each in node.arguments]

    # --------------------------------------------------------------- methods

    def _method(self, node: Call, function: Member, names: Names) -> Thing:
        name = function.name
        receiver = self._walk.expressions.thing(function.object, names)
        if isinstance(receiver, Role):
            return self._of_group(node, name, receiver, names)
        if isinstance(receiver, Ids):
            return self._of_ids(node, name, receiver, names)
        if isinstance(receiver, AtomicRef):
            self._values(node, names)
            self.shared.through(receiver, function)
            return None
        if isinstance(receiver, PLACES):
            return self._of_memory(node, function, receiver, names)
        arguments = self._arguments(node, names)
        if isinstance(receiver, Object):
            return self._of_object(node, name, receiver, arguments, names)
        if name in ("max_size", "size", "length") and not arguments:
            return None
        return self._unseen(node, arguments, names, synchronises=may_synchronise(name, shouted=False))

    def _of_object(self, node: Call, name: str, made: Object, passed: list[Thing], names: Names) -> Thing:
        """A method of a class of the project; one that is not in sight may do anything to the object."""
        targets = self._targets.of_method(name, made.struct, tuple(_meaning(each) for each in passed))
        if len(targets.found) == 1 and targets.sure:
            return self._enter(targets.found[0], node, passed, names, made)
        lose(made)
        holds = any(isinstance(each, Slot) and isinstance(each.value, Role) for each in made.members.values())
        return self._unseen(node, passed, names, synchronises=holds or may_synchronise(name, shouted=False))

    def _of_group(self, node: Call, name: str, role: Role, names: Names) -> Thing:
        if name == "barrier":
            self.shared.barrier(node, Scope.SUB_GROUP if role in LANES else Scope.WORK_GROUP)
            return None
        if name in SUB_GROUP_MAKERS:
            return lanes_made(name)
        if name in WORK_GROUP_MAKERS and not node.arguments:
            return Role.WORK_GROUP
        if role in LANES and name in SUB_GROUP_MEMBERS:
            for each in self._arguments(node, names):
                lose(each)
            self._state.sync(Scope.SUB_GROUP, node)
            return None
        answer = self._queries.answer(role, name)
        if isinstance(answer, Ids) and node.arguments:
            return answer.at(self._walk.expressions.term(node.arguments[0], names))
        if answer is not None:
            return answer
        if name.startswith(("get_", "leader")):
            return None
        if name in FENCES:
            self._values(node, names)
            self.shared.fence(node, name)
            return None
        return self._unseen(node, self._arguments(node, names), names, synchronises=True)

    def _of_ids(self, node: Call, name: str, ids: Ids, names: Names) -> Thing:
        if name in ("get", "at") and node.arguments:
            return ids.at(self._walk.expressions.term(node.arguments[0], names))
        if name == "size" or (name == "get" and len(ids.terms) == 1):
            return ids.product
        self._values(node, names)
        return None

    def _of_memory(self, node: Call, function: Member, receiver: Pointer | Element, names: Names) -> Thing:
        name = function.name
        whole = isinstance(receiver, Element) and not receiver.indices
        if whole and receiver.memory.array and name in _TO_POINTER:
            return Pointer(receiver.memory, (), receiver.view)
        if name in _TO_POINTER and not node.arguments:
            return Pointer(receiver.memory, receiver.indices or (0,), receiver.view)
        if whole and name in ("size", "get_range", "byte_size", "get_size", "get_count"):
            return None
        if isinstance(receiver, Element) and _COMPONENT.fullmatch(name) and not node.arguments:
            return Element(receiver.memory, (*receiver.indices, member_tag(name)), receiver.view)
        if isinstance(receiver, Element) and _ATOMIC.search(name) is not None:
            self._values(node, names)
            self._state.access(receiver, Mode.ATOMIC, function.object)
            return None
        lose(receiver)
        return self._unseen(node, self._arguments(node, names), names, synchronises=False)

    # ------------------------------------------------------------- functions

    def _function(self, node: Call, function: Name, names: Names) -> Thing:
        last, qualifier = function.last, function.qualifier
        found = names.get(function.text)
        held = self._walk.expressions.held(found) if found is not None else None
        if isinstance(held, Kept):
            return self._enter_kept(held, node, names)
        if found is not None and held is None:
            return self._unseen(node, self._arguments(node, names), names)
        macro = self._walk.expressions.macro(function, node.start)
        if macro is not None:
            return self.macro(macro, node, node.arguments, names)
        if function.text in self._facts.macros:
            return self._unseen(node, self._arguments(node, names), names, synchronises=True)
        library = self._is_library(qualifier)
        if last in LOCAL_ALLOCATORS and function.arguments:
            self._arguments(node, names)
            return self.shared.allocate(node, function.arguments[0], last, initialised=last == "group_local_memory")
        if (library or not qualifier) and last in GROUP_FUNCTIONS and (last not in OLD_GROUP_FUNCTIONS or qualifier):
            return self._group_function(node, last, names)
        if last in _ITEMS:
            return Role.ITEM
        if last in SUB_GROUP_MAKERS:
            return lanes_made(last)
        if last in WORK_GROUP_MAKERS:
            return Role.WORK_GROUP
        if last == "atomic_ref":
            return self.shared.atomic(node.arguments, names)
        if _ATOMIC.search(last) is not None and "fence" not in last:
            return self.shared.atomically(node, last, names)
        if last in _POINTER_TYPES and len(node.arguments) == 1:
            return self._same_pointer(node.arguments[0], names)
        if last in ("id", "range") and (library or not qualifier):
            return Ids(tuple(self._values(node, names)))
        if last in ("min", "max") and len(node.arguments) == 2:
            left, right = (self._walk.expressions.condition(each, names) for each in node.arguments)
            return calculated(last, left, right)
        if last in _PRODUCTS and len(node.arguments) == _PRODUCTS[last]:
            first, *others = (self._walk.expressions.condition(each, names) for each in node.arguments)
            return calculated("+", calculated("*", first, others[0]), others[1] if len(others) > 1 else 0)
        if last in _CONVERSIONS and len(node.arguments) == 1:
            return self._walk.expressions.condition(node.arguments[0], names)
        if "fence" in last:
            self._values(node, names)
            self.shared.fence(node, last)
            return None
        if library:
            return self._library(node, last, names)
        return self._called(node, function, names)

    def _is_library(self, qualifier: str) -> bool:
        if not qualifier:
            return False
        if qualifier_is_sycl(qualifier, self._facts.namespaces) or qualifier.removeprefix("::").startswith("std"):
            return True
        return not _LIBRARIES.isdisjoint(qualifier.split("::"))

    def _same_pointer(self, argument: Expr, names: Names) -> Thing:
        thing = self._walk.expressions.thing(argument, names)
        if isinstance(thing, Element):
            return Pointer(thing.memory, thing.indices or (0,), thing.view)
        return thing if isinstance(thing, Pointer) else None

    def _library(self, node: Call, last: str, names: Names) -> Thing:
        """A function of the libraries reads its arguments; what it is given a pointer to is not followed."""
        arguments = self._arguments(node, names)
        if last in ("move", "forward", "as_const") and len(arguments) == 1:
            return arguments[0]
        whole = [
            each for each in arguments if isinstance(each, Pointer) or (isinstance(each, Element) and not each.indices)
        ]
        if last == "swap" or whole:
            for each in arguments:
                lose(each)
            return None
        numbers = [self._walk.expressions.value(a, b) for a, b in zip(arguments, node.arguments, strict=True)]
        if any(isinstance(each, Role) for each in arguments) or may_synchronise(last, shouted=False):
            self._state.sync(Scope.WORK_GROUP, node, seen=False)
        return self._made_of(numbers, last)

    def _made_of(self, passed: Sequence[Thing], name: str = "") -> Thing:
        """What a function that does nothing else gives for ``passed``."""
        if not passed or not all(isinstance(each, Data) or _is_uniform(each) for each in passed):
            return None
        return Data() if any(isinstance(each, Data) for each in passed) else self._state.fresh(name)

    def _group_function(self, node: Call, last: str, names: Names) -> Thing:
        arguments = self._arguments(node, names)
        for each, written in zip(arguments[1:], node.arguments[1:], strict=False):
            if isinstance(each, Element) and each.indices:
                self._state.read(each, written)
            else:
                lose(each)
        role = arguments[0] if arguments else None
        if role in LANES or last.startswith("joint_matrix"):
            self._state.sync(Scope.SUB_GROUP, node)
            return None
        self._state.sync(Scope.WORK_GROUP, node, seen=role is Role.WORK_GROUP)
        if role is not Role.WORK_GROUP or _SCANS.search(last) is not None:
            return None
        return self._state.fresh(last)

    # ----------------------------------------------------------------- enter

    def macro(self, macro: Macro, use: Call | Name, arguments: tuple[Expr, ...], names: Names) -> Thing:
        """A macro's body, its parameters standing for the arguments as written."""
        self._state.step()
        function = self._walk.expressions.function
        parameters = macro.parameters or ()
        if macro.value is None and macro.body is None:
            if macro.text:
                self._unseen(
                    use, [self._walk.expressions.thing(each, names) for each in arguments], names, synchronises=True
                )
            return None
        if macro in self._stack or len(self._stack) >= MAX_CALLS:
            raise NotFollowedError
        inner: Names = {**names}
        for parameter, argument in zip(parameters, arguments, strict=False):
            inner[parameter] = Deferred(argument, names, function)
        before = self._state.use
        self._state.use = before or self._state.location(use)
        self._stack.append(macro)
        try:
            if macro.value is not None and _is_torn(macro, macro.value, arguments):
                self._walk.expressions.discard(macro.value, inner)
                return None
            if macro.value is not None:
                if (
                    parameters == ()
                    and macro.parameters is None
                    and isinstance(macro.value, Name)
                    and isinstance(use, Call)
                ):
                    renamed = Call(macro.value, use.arguments, use.start, use.end)
                    return self.call(renamed, inner)
                return self._walk.expressions.thing(macro.value, inner)
            if macro.body is not None:
                self._walk.block(macro.body, inner)
            return None
        finally:
            self._stack.pop()
            self._state.use = before

    def _called(self, node: Call, function: Name, names: Names) -> Thing:
        """A function of the project; a constructor; or one that is not in sight."""
        passed = [self._walk.expressions.thing(each, names) for each in node.arguments]
        meanings: tuple[Meaning | None, ...] = tuple(_meaning(each) for each in passed)
        targets = self._targets.of_name(function, meanings, self._walk.expressions.function)
        found = self._fitting(targets.found, passed)
        if len(found) == 1 and targets.sure:
            own = names.get("this")
            made = own.value if isinstance(own, Slot) and self._targets.owner(found[0]) is not None else None
            return self._enter(found[0], node, passed, names, made if isinstance(made, Object) else None)
        made = self._made_by(function, node, names)
        if made is not None:
            return made
        if not targets.found and self._evaluator.types.kind(function).integer is not None and len(passed) == 1:
            return self._walk.expressions.number(passed[0], node.arguments[0])
        return self._unseen(node, passed, names, synchronises=may_synchronise(function.last))

    def _fitting(self, found: tuple[Declared[Function], ...], passed: list[Thing]) -> tuple[Declared[Function], ...]:
        """Those of several functions that take pointers to what the arguments lead to."""
        if len(found) < 2 or not any(isinstance(each, Pointer) for each in passed):
            return found
        return tuple(each for each in found if self._takes(each, passed)) or found

    def _takes(self, declared: Declared[Function], passed: list[Thing]) -> bool:
        for parameter, thing in zip(declared.node.parameters, passed, strict=False):
            if isinstance(thing, Pointer) and parameter.type.pointers == 1:
                name = parameter.type.name
                wanted = self._given.views.element(name, Point(declared.place, name.start))
                known = thing.view or thing.memory.element
                if wanted and known and wanted != known:
                    return False
        return True

    def _made_by(self, function: Name, node: Call, names: Names) -> Thing:
        """The object that a constructor called by its class's name gives."""
        kind = self._evaluator.types.kind(function)
        if kind.sycl == "atomic_ref":
            return self.shared.atomic(node.arguments, names)
        return self._walk.objects.made(kind.struct, node.arguments, names) if kind.struct is not None else None

    def _unseen(self, node: Call | Name, passed: list[Thing], names: Names, *, synchronises: bool = False) -> Thing:
        """A function that is not in sight: what it is handed goes out of sight, and with the item it may wait."""
        written = node.arguments if isinstance(node, Call) else ()
        held = False
        for thing, expression in zip(passed, written, strict=False):
            held = held or thing in (Role.ITEM, Role.WORK_GROUP) or isinstance(thing, Kept)
            if isinstance(thing, Element):
                lose(thing)
            else:
                self._walk.expressions.number(thing, expression)
            self._walk.expressions.may_change(expression, names)
        if held or synchronises:
            self._state.sync(Scope.WORK_GROUP, node, seen=False)
        return self._made_of(passed)

    def _enter(
        self, declared: Declared[Function], node: Call, passed: list[Thing], names: Names, made: Object | None = None
    ) -> Thing:
        function = declared.node
        if function.body is None or function.damaged or function in self._stack or len(self._stack) >= MAX_CALLS:
            return self._unseen(node, passed, names, synchronises=True)
        inner: Names = {}
        if made is not None:
            inner = {"this": Slot(made), **made.members}
        for parameter, thing, written in zip(function.parameters, passed, node.arguments, strict=False):
            self.bind(inner, parameter, thing, written, names)
        for parameter in function.parameters[len(passed) :]:
            value = self._walk.expressions.term(parameter.default, {}) if parameter.default is not None else None
            self._state.declare(inner, parameter.name, value)
        evaluator, outer = self._evaluator, self._evaluator.frame
        explicit = (node.function.arguments if isinstance(node.function, Name | Member) else None) or ()
        point = Point(self._walk.expressions.function, node.start)
        evaluator.frame = Frame(function, node.arguments, explicit, point, node, outer)
        result = self._walked(function, function.body, declared.place, inner)
        evaluator.frame = outer
        return result

    def bind(self, inner: Names, parameter: Parameter, thing: Thing, written: Expr, names: Names) -> None:
        """One parameter and its argument."""
        kind = parameter.type
        if kind.reference:
            slot = names.get(written.text) if isinstance(written, Name) else None
            if isinstance(slot, Slot) and not isinstance(thing, Element):
                inner[parameter.name] = slot
                return
            if isinstance(thing, Object):
                inner[parameter.name] = Slot(thing)
                return
        if isinstance(thing, Object) and not kind.pointers:
            thing = self._walk.objects.copied(thing)
            if isinstance(thing, Element):
                inner[parameter.name] = thing
                return
        if isinstance(thing, Element):
            rank = thing.memory.rank
            if kind.pointers or kind.extents or self._evaluator.types.kind(kind.name).extents is not None:
                thing = Pointer(thing.memory, (*thing.indices, 0) if thing.indices or rank else (0,), thing.view)
            elif not thing.indices or (rank is not None and len(thing.indices) < rank):
                inner[parameter.name] = thing
                return
            else:
                thing = self._walk.expressions.value(thing, written)
        if isinstance(thing, Pointer) and kind.pointers and thing.memory.space is Space.LOCAL:
            thing = Pointer(thing.memory, thing.indices or (0,), thing.view)
        self._state.declare(inner, parameter.name, thing)

    def _enter_kept(self, kept: Kept, node: Call, names: Names) -> Thing:
        function = kept.function
        if function in self._stack or len(self._stack) >= MAX_CALLS:
            raise NotFollowedError
        passed = self._arguments(node, names)
        inner: Names = dict(kept.names)
        for parameter, thing, written in zip(function.parameters, passed, node.arguments, strict=False):
            self.bind(inner, parameter, thing, written, names)
        return self._walked(function, function.body, kept.place, inner)

    def _walked(self, function: Function | Lambda, body: Block, place: Place, inner: Names) -> Thing:
        """Walk a body; what it returns, when that is plain."""
        state, expressions = self._state, self._walk.expressions
        outer, returned = expressions.function, self._walk.returned
        file, state.file = state.file, self._facts.file_at(place).path
        use = state.use
        guards, exits = state.guards, state.exits
        state.exits = []
        self._walk.returned = []
        expressions.function = place
        self._stack.append(function)
        self._walk.block(body, inner)
        self._stack.pop()
        results = self._walk.returned
        leaves = state.exits
        expressions.function, self._walk.returned = outer, returned
        state.file, state.use, state.exits, state.guards = file, use, exits, guards
        if len(results) == 1 and all(each.guards == guards for each in leaves):
            return results[0]
        for each in results:
            lose(each)
        added = [condition_of(each) for one in leaves for each in one.guards[len(guards) :]]
        certain = all(isinstance(each, Data) or _is_uniform(each) for each in added)
        if not results or not certain or not all(isinstance(each, Data) or _is_uniform(each) for each in results):
            return None
        return Data() if any(isinstance(each, Data) for each in (*results, *added)) else state.fresh()


def _is_torn(macro: Macro, value: Expr, arguments: tuple[Expr, ...]) -> bool:
    """Whether the text of a macro or of its arguments may be put together otherwise than as it was read."""
    parameters = macro.parameters or ()
    if isinstance(value, _OPERATIONS) and not _is_enclosed(macro.text):
        return True
    for parameter, argument in zip(parameters, arguments, strict=False):
        if isinstance(argument, _OPERATIONS):
            name = re.escape(parameter)
            whole = re.findall(rf"[(,\[]\s*{name}\s*(?=[),\]])", macro.text)
            if len(whole) < len(re.findall(rf"\b{name}\b", macro.text)):
                return True
    return False


def _is_enclosed(text: str) -> bool:
    """Whether one pair of parentheses is around all of it."""
    depth = 0
    for position, each in enumerate(text):
        depth += (each == "(") - (each == ")")
        if depth == 0:
            return position == len(text) - 1 and position > 0
    return False


def _is_uniform(thing: Thing) -> bool:
    """Whether it is a number that all work-items agree on."""
    return isinstance(thing, TERM) and not varies(thing)


def _is_whole(thing: Thing) -> bool:
    """Whether it leads to more than one element."""
    return isinstance(thing, Pointer) or (isinstance(thing, Element) and not thing.indices)


def _meaning(thing: Thing) -> Meaning | None:
    if isinstance(thing, Role):
        return thing
    return ClassObject(None, False) if isinstance(thing, Kept) else None
