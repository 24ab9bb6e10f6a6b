"""Calls in a kernel, for its scan: functions of SYCL that synchronise or allocate, and what may be entered."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Brace, Call, Expr, Member, Name
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Struct
from sycllint.device_code.group_functions import GroupFunction
from sycllint.device_code.scanning.allocations import Allocations
from sycllint.device_code.scanning.entering import Entering
from sycllint.device_code.scanning.reached_barriers import ReachedBarriers, holds_item
from sycllint.device_code.scanning.scan import Scan
from sycllint.domains.library import is_part
from sycllint.domains.meaning import LANES, ClassObject, KnownLambda, Meaning, Meanings, Renamed, Role, Scope
from sycllint.domains.results import is_group_function, is_of_sycl
from sycllint.domains.vocabulary import (
    EXCHANGING,
    LOCAL_ALLOCATORS,
    LOCAL_SCRATCH,
    SUB_GROUP_FUNCTIONS,
    SUB_GROUP_MEMBERS,
    may_synchronise,
)
from sycllint.facts.file import Declared
from sycllint.symbols.templates import template_parameter
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Closure, Instance, Point
from sycllint.values.value import known

if TYPE_CHECKING:
    from sycllint.device_code.synchronisation import Synchronisation

MAX_OVERLOADS = 6


class ScanCalls:
    """Calls for the scan of one kernel."""

    def __init__(
        self,
        evaluator: Evaluator,
        meanings: Meanings,
        scan: Scan,
        reached: ReachedBarriers,
        allocations: Allocations,
        entering: Entering,
        synchronisation: Callable[[], Synchronisation],
    ) -> None:
        self._evaluator = evaluator
        self._facts = evaluator.facts
        self._meanings = meanings
        self._scan = scan
        self._reached = reached
        self._allocations = allocations
        self._entering = entering
        self._synchronisation = synchronisation

    def made(self, made: Call | Brace, place: Place, scope: Scope) -> Meaning | None:
        """What an object that is made to be called stands for; its class may be known here alone."""
        meaning = self._meanings.of(made, scope)
        kind = made.function if isinstance(made, Call) else made.type
        if meaning is not None or not isinstance(kind, Name):
            return meaning
        arguments = made.arguments if isinstance(made, Call) else made.elements
        struct = self._evaluator.kind(kind, Point(place, made.start)).struct
        return ClassObject(struct, self._meanings.any_held(arguments, scope)) if struct is not None else None

    def member(
        self, call: Call, function: Member, passed: tuple[Meaning | None, ...], place: Place, scope: Scope, depth: int
    ) -> None:
        """``object.name(…)``."""
        name, inner = function.name, function.object
        if isinstance(inner, Call | Brace):
            receiver = self.made(inner, place, scope)
        else:
            receiver = self._meanings.of(inner, scope)
        if (
            name in ("barrier", "wait", "wait_for")
            and name in self._facts.functions
            and isinstance(receiver, ClassObject)
        ):
            self._entering.method(call, name, receiver, passed, place, depth)
        elif name == "barrier":
            if receiver in LANES:
                self._scan.sub_group_operations.append(self._reached.location(call, place))
            elif receiver in (Role.ITEM, Role.WORK_GROUP):
                self._reached.barrier(call, place)
            else:
                self._scan.calls_unknown = True
        elif receiver in LANES and name in SUB_GROUP_MEMBERS:
            self._scan.sub_group_operations.append(self._reached.location(call, place))
        elif name in ("parallel_for_work_item", "wait_for", "async_work_group_copy"):
            self._reached.barrier(call, place)
        elif isinstance(receiver, ClassObject) and (receiver.holds or any(holds_item(each) for each in passed)):
            self._entering.method(call, name, receiver, passed, place, depth)
        elif isinstance(function.object, Name) and function.object.text == "this":
            targets = self._meanings.called_on(None, name, call, passed, place)
            around = self._meanings.called(Name(name, None, None, 0, 0), call, passed, place)
            self._entering.targets(around if around.found else targets, call, passed, place, depth)
        elif any(holds_item(each) for each in passed):
            targets = self._meanings.called_on(self._class(function.object, place), name, call, passed, place)
            self._entering.targets(targets, call, passed, place, depth)
        elif name in self._facts.macros or self._may_wait(function, place):
            self._scan.calls_unknown = True

    def _may_wait(self, function: Member, place: Place) -> bool:
        """Whether a method is one of an object that is declared with a class out of sight."""
        receiver = function.object
        if not isinstance(receiver, Name) or is_part(function.name):
            return False
        point = Point(place, receiver.start)
        declared = self._evaluator.declarations.type_of(receiver, point)
        if declared is None:
            return False
        kind = self._evaluator.types.kind(declared.name, place)
        if kind.struct is not None or kind.automatic or template_parameter(declared.name.text, place):
            return False
        return self._synchronisation().method(function.name, declared, place)

    def _class(self, receiver: Expr, place: Place) -> Declared[Struct] | None:
        if not isinstance(receiver, Name):
            return None
        declared = self._evaluator.declarations.type_of(receiver, Point(place, receiver.start))
        return self._evaluator.types.kind(declared.name, place).struct if declared is not None else None

    def _comes_back(self, function: Name, point: Point) -> bool:
        """Whether a macro is a name for a macro that, perhaps by others, is a name for it."""
        seen: set[str] = set()
        while function.text not in seen:
            seen.add(function.text)
            macro = self._evaluator.macros.macro(function, point)
            if macro is None or macro.parameters is not None or not isinstance(macro.value, Name):
                return False
            function = macro.value
        return True

    def free(
        self, call: Call, function: Name, passed: tuple[Meaning | None, ...], place: Place, scope: Scope, depth: int
    ) -> None:
        """``name(…)``: of SYCL, kept under a name, a macro, or of the project."""
        qualifier, _, last = function.text.rpartition("::")
        qualified = bool(qualifier)
        sycl = not qualified or is_of_sycl(qualifier, self._facts.namespaces)
        if last in LOCAL_ALLOCATORS and function.arguments and sycl:
            self._allocations.local(last, function.arguments[0], call, place)
            return
        if last in LOCAL_SCRATCH:
            size = self._evaluator.unknown("scratch memory of a size given at launch", call)
            self._allocations.of_unknown_size(last, size, call, place)
            return
        if is_group_function(function, self._facts.namespaces):
            self._group_function(call, last, passed, place)
            return
        if last in SUB_GROUP_FUNCTIONS and passed and passed[0] in LANES and last not in self._facts.functions:
            self._scan.sub_group_operations.append(self._reached.location(call, place))
            return
        kept = scope.get(last) if not qualified else None
        if isinstance(kept, KnownLambda):
            self._entering.kept(kept, passed, depth)
            return
        if isinstance(kept, ClassObject):
            self._entering.called_object(call, kept, passed, place, scope, depth)
            return
        if isinstance(kept, Renamed):
            function, last = kept.function, kept.function.last
        point = Point(place.outer if place.outer is not None else place, call.start)
        macro = self._evaluator.macros.macro(function, point)
        if macro is not None:
            if isinstance(macro.value, Name) and macro.parameters is None and not self._comes_back(function, point):
                renamed = Call(macro.value, call.arguments, call.start, call.end)
                self.free(renamed, macro.value, passed, Place(renamed, place.outer), scope, depth)
            else:
                self._entering.macro(macro, call, place, scope, depth)
            return
        if qualified and (sycl or function.qualifier.startswith("std")):
            self._scan.calls_unknown = self._scan.calls_unknown or may_synchronise(last, shouted=False)
            return
        self._called(call, function, passed, place, scope, depth)

    def _called(
        self, call: Call, function: Name, passed: tuple[Meaning | None, ...], place: Place, scope: Scope, depth: int
    ) -> None:
        """A function of the project, a constructor, a lambda or function object from around the kernel, or neither."""
        last = function.last
        targets = self._meanings.called(function, call, passed, place)
        if targets.found:
            # Arithmetic of many types synchronises nothing.
            if len(targets.found) <= MAX_OVERLOADS or any(holds_item(each) for each in passed):
                self._entering.targets(targets, call, passed, place, depth)
            return
        struct = self._evaluator.types.kind(function, place).struct
        if struct is not None:
            if any(holds_item(each) for each in passed):
                self._entering.construct(struct, call, call.arguments, place, scope, depth)
            return
        point = Point(place.outer if place.outer is not None else place, call.start)
        result = self._evaluator.lookup.name(function, point) if not function.qualifier and last not in scope else None
        if isinstance(result, Closure):
            self._entering.kept(KnownLambda(result.function, result.place, dict(scope)), passed, depth)
        elif isinstance(result, Instance):
            self._entering.called_object(call, ClassObject(result.struct, False), passed, place, scope, depth)
        elif (made := self._meanings.class_of_object(function, place)) is not None:
            self._entering.called_object(call, ClassObject(made, False), passed, place, scope, depth)
        elif last in self._facts.macros or self._synchronisation().call(function, call.arguments, place):
            self._scan.calls_unknown = True
        elif self._meanings.of_type(function) is None:
            self._reached.unseen(passed)

    def _group_function(self, call: Call, last: str, passed: tuple[Meaning | None, ...], place: Place) -> None:
        role = passed[0] if passed else None
        if role is Role.WORK_GROUP:
            self._reached.barrier(call, place)
            if last in EXCHANGING:
                found = GroupFunction(last, self._element_bytes(call, place))
                self._scan.group_functions[self._reached.location(call, place)] = found
        elif role in LANES or last.startswith(("joint_matrix", "shift_", "permute_", "select_")):
            self._scan.sub_group_operations.append(self._reached.location(call, place))
        else:
            self._scan.calls_unknown = True

    def _element_bytes(self, call: Call, place: Place) -> int | None:
        """Bytes of the value that a group function is handed."""
        if len(call.arguments) < 2:
            return None
        found = self._evaluator.static_types.of(call.arguments[1], Point(place, call.start))
        return known(self._evaluator.sizes.of_type(found.type, found.point)) if found is not None else None
