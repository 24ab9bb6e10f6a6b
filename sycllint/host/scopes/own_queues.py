"""The queues that a function makes itself, of which it is known how they run commands, until something sets them."""

from __future__ import annotations

from collections.abc import Iterable

from sycllint.cpp.expression import Binary, Call, Expr, Lambda, Member, Name, Type
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Variable
from sycllint.dataflow.overwrites import SHIFTS, Overwrites
from sycllint.host.scopes.things import Kind, QueueOrder, Thing
from sycllint.host.scopes.walk_context import WalkContext
from sycllint.host.vocabulary import ALLOCATORS, CLASSES, HARMLESS, OPERATIONS, ORDERING, QUIET_QUEUE_METHODS, RECORDING
from sycllint.values.evaluate import Evaluator
from sycllint.values.memory import Memo
from sycllint.values.objects import TypeKind
from sycllint.values.side_effects.library import BY_VALUE, KEEPERS, METHODS_BY_VALUE, SETTERS

_LIBRARIES = HARMLESS | {"oneapi", "dpct", "syclcompat"}
"""Namespaces whose functions and classes leave a queue what it is, but for those that hand references on."""
_HANDING_ON = KEEPERS | SETTERS | {"make_unique", "make_shared", "make_from_tuple", "construct_at"}
_OF_MEMORY = frozenset(ALLOCATORS) | {"free"}
_READING = frozenset(ALLOCATORS) | BY_VALUE
_METHODS_READING = METHODS_BY_VALUE | OPERATIONS | ORDERING | QUIET_QUEUE_METHODS | RECORDING.keys()
_COPYING = CLASSES | {"stream", "usm_allocator", "command_graph", "sampled_image", "unsampled_image"}
"""Classes of SYCL, which have a copy of the queue they are made from."""
_OTHER_CLASSES = _COPYING - {"queue"}
_MEMORY = (Kind.POINTER, Kind.ARRAY, Kind.OBJECT, Kind.CONTAINER)


class OwnQueues:
    """The queues at the place where ``scope`` is."""

    def __init__(self, scope: WalkContext, *, are_followed: bool) -> None:
        """Unless they ``are_followed``, functions that are handed one are taken to leave it what it is, as most do.

        Then a walk finds more: commands of different queues are ordered less.
        """
        self._scope = scope
        self._are_followed = are_followed
        self._asked: list[tuple[Node, Place, frozenset[int] | None, frozenset[str]]] = []
        """What may have overwritten one, and the names that they had."""
        self.exist = False
        """One was declared: before that there is nothing to follow."""
        self.matter = False
        """Commands count as finished because two queues differ, which then has to be certain."""

    def may_be_others(self) -> bool:
        """Whether one was handed to what overwrites it, although they are not followed."""
        at = _overwrites.of(self._scope.evaluator).at
        return any(not names.isdisjoint(at(node, place, handed)) for node, place, handed, names in self._asked)

    def handed(self, node: Node, given: Iterable[Expr]) -> None:
        """``node`` is given these: a queue among them that it may overwrite is another queue from here on."""
        if isinstance(node, Binary) and node.operator not in SHIFTS:
            return
        if any(type(each) is not Lambda and self._named_in(each) for each in given) and not self._only_reads(node):
            arguments = node.arguments if type(node) is Call else ()
            positions = frozenset(at for at, each in enumerate(arguments) if not self._is_memory(each))
            self._overwritten_by(node, positions)

    def _only_reads(self, node: Node) -> bool:
        """Whether ``node`` surely leaves queues what they are, as most of what is given one does.

        It allocates or frees memory, or declares a pointer, a reference or a number.
        """
        match node:
            case Call(function=Name(text=text, last=last)) if last in _OF_MEMORY:
                return text not in self._scope.state.things and not self._scope.evaluator.overloads.is_defined(last)
            case Variable(type=written):
                if written.pointers or written.reference:
                    return True
                known = self._scope.evaluator.types.kind(written.name, self._scope.place)
                return known.struct is None and (known.is_number or known.automatic)
            case _:
                return False

    def set_later(self, function: Lambda) -> None:
        """A lambda is made: the queues that it sets may be others at any time from here on."""
        if self._named_in(function):
            self._overwritten_by(function)

    def known(self) -> list[Thing]:
        """Those of the function being walked, and of the functions around its call."""
        around = [self._scope.state.things, *(names for names, _ in self._scope.callers)]
        return [each for names in around for each in names.values() if each.own] if self.exist else []

    def assigned(self, found: Thing | None) -> None:
        """A variable is assigned, under whatever name."""
        if found is not None and found.own:
            self.set_anew(found)

    def set_anew(self, queue: Thing | None = None) -> None:
        """``queue``, or each, may be another from here on, whatever it is called."""
        fresh: dict[Thing, Thing] = {}
        scope = self._scope
        for names in (scope.state.things, *(around for around, _ in scope.callers)):
            for name, each in names.items():
                if each.own and queue in (None, each):
                    names[name] = fresh.setdefault(each, each.again(own=False, order=QueueOrder.UNKNOWN))

    def _named_in(self, node: Node) -> bool:
        things = self._scope.state.things
        if type(node) is Name and node.is_plain:
            return node.text in things and things[node.text].own
        return any(things[name].own for name in self._scope.names.handed(node) & things.keys())

    def _is_memory(self, argument: Expr) -> bool:
        """Whether an argument is a variable that is no queue, and leads to none."""
        found = self._scope.state.things.get(argument.text) if type(argument) is Name else None
        return found is not None and found.kind in _MEMORY and not found.holds_queue

    def _overwritten_by(self, node: Node, handed: frozenset[int] | None = None) -> None:
        scope = self._scope
        if not self._are_followed:
            names = frozenset(name for name, each in scope.state.things.items() if each.own)
            self._asked.append((node, scope.place, handed, names))
            return
        for name in _overwrites.of(scope.evaluator).at(node, scope.place, handed):
            self.assigned(scope.state.things.get(name))


class _Queues:
    """What is known of functions and classes that are given a queue."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._types = evaluator.types

    def may_be(self, kind: Type, place: Place) -> bool:
        """Whether a variable of a type may be a queue, or refer or point to one."""
        known = self._types.kind(kind.name, place)
        if known.extents is not None:
            return self.may_be(known.extents, place)
        is_other = known.is_number or known.struct is not None or known.sycl in _OTHER_CLASSES
        return not is_other and not known.name.qualifier.removeprefix("::").startswith("std")

    def is_overwritten_by(self, callee: Expr) -> bool:
        """Whether a function or method that is not visible may set a queue that it is given."""
        match callee:
            case Name(last=last):
                return last in _HANDING_ON if _is_of_library(callee) else last not in _READING
            case Member(name=name):
                return name not in _METHODS_READING
            case _:
                return True

    def is_overwritten_in(self, made: TypeKind) -> bool:
        """Whether an object of a class that is not visible may set the queue that it is made from."""
        if made.automatic or made.extents is not None or made.is_number or made.sycl in _COPYING:
            return False
        return made.name.last in _HANDING_ON if _is_of_library(made.name) else True


def _is_of_library(name: Name) -> bool:
    return name.qualifier.removeprefix("::").partition("::")[0] in _LIBRARIES


_overwrites = Memo(lambda evaluator: Overwrites(evaluator, _Queues(evaluator)))
