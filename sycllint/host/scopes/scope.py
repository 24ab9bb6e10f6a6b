"""Names of host code at one point: what each stands for, and which memory an expression gives access to."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sycllint.cpp.expression import (
    Call,
    Cast,
    Expr,
    Index,
    Member,
    Name,
    Unary,
)
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Variable
from sycllint.host.scopes.code_index import CodeIndex
from sycllint.host.scopes.declarations import HostDeclarations
from sycllint.host.scopes.elements import Elements
from sycllint.host.scopes.kept_events import KeptEvents
from sycllint.host.scopes.member_queues import member_queues
from sycllint.host.scopes.memory import MemoryReferences
from sycllint.host.scopes.modes import Modes
from sycllint.host.scopes.objects import HostObjects
from sycllint.host.scopes.outside import outside_names
from sycllint.host.scopes.own_queues import OwnQueues
from sycllint.host.scopes.queues import order
from sycllint.host.scopes.receivers import Receivers, spelled
from sycllint.host.scopes.things import DYING, WITH_MEMBERS, Allocator, Command, Kind, QueueOrder, Ref, Thing, settled
from sycllint.host.scopes.walk_context import SET_ANEW, WalkContext
from sycllint.host.vocabulary import DPCT_QUEUES, DPCT_UNORDERED
from sycllint.values.objects import Point

if TYPE_CHECKING:
    from sycllint.host.scopes.allocated import Allocated

_MEMBERS = (*DYING, Kind.QUEUE, Kind.EVENT, Kind.EVENTS, Kind.POINTER, Kind.OTHER)
"""Members of objects that are followed."""


class FunctionScope(WalkContext):
    """The names of one function while it is walked."""

    def __init__(
        self, code: CodeIndex, place: Place, allocated: Allocated | None, *, follows_queues: bool = True
    ) -> None:
        evaluator = code.evaluator
        super().__init__(evaluator, place, code.names, code.kinds, code.locations)
        self._allocated = allocated
        self._absent: set[str] = set()
        """Qualified names for which no variable is visible."""
        self.outside = outside_names.of(evaluator)
        self.modes = Modes(evaluator)
        self.classes = code.classes
        self.receivers = Receivers(self, code.classes)
        self.events = KeptEvents(self)
        self.memory = MemoryReferences(self, self.receivers, code)
        self.elements = Elements(self)
        self.queues = OwnQueues(self, followed=follows_queues)
        self.code = code
        self.declarations = HostDeclarations(self, code, self.receivers, self.memory, self.events, self.queues)
        self.objects = HostObjects(self, self.receivers, self.memory, self.declarations, self.events)

    def thing(self, expression: Expr) -> Thing | None:
        """The variable that an expression is; pointers to queues and events are followed."""
        match expression:
            case Name(text=text):
                argument = self.argument(text) if self.arguments else None
                if argument is not None:
                    with self.as_written_outside():
                        return self.thing(argument)
                found = self.state.things.get(text)
                return found if found is not None else self.outside_function(text)
            case Unary(operator="*" | "&", operand=operand):
                inner = self.thing(operand)
                return inner if inner is not None and inner.kind in (Kind.QUEUE, Kind.EVENT) else None
            case Member(object=Name(text="this"), name=name):
                return self.outside_function(name)
            case Member(object=inner, name=name):
                return self._part(inner, name)
            case Index(object=inner, indices=(index,)):
                owner = self.thing(inner)
                if owner is None:
                    return None
                listed = owner.kind is Kind.EVENTS
                return self.events.element(owner, index) if listed else self.elements.of(owner, index)
            case Call(function=Name(last="forward" | "move", qualifier="std"), arguments=(operand,)):
                return self.thing(operand)
            case Call():
                return self.queue_given(expression)
            case Cast(operand=operand):
                return self.thing(operand)
            case _:
                return None

    def is_undeclared(self, name: Name) -> bool:
        """Whether no visible declaration has this name."""
        facts = self.facts
        if self.argument(name.text) is not None or name.text in facts.macros or facts.variables.get(name.last):
            return False
        point = Point(self.place, name.start)
        return self.thing(name) is None and self.evaluator.declarations.type_of(name, point) is None

    def _part(self, inner: Expr, name: str) -> Thing | None:
        """The member ``name`` of a variable, of what a pointer points to, or of such a member."""
        owner = self.thing(inner)
        if owner is not None and owner.kind is Kind.POINTER:
            ref = settled(Ref(owner))
            owner = ref.thing if ref.whole else None
        return self.member_of(owner, name) if owner is not None and owner.kind in WITH_MEMBERS else None

    def member_of(self, owner: Thing, name: str) -> Thing | None:
        """The member ``name`` of an object, where it is followed."""
        found = self.state.outer.get((owner, name))
        if found is not None:
            return found
        field = self.classes.field(owner.written, name)
        kind = self.kind(field.type) if field is not None else Kind.OTHER
        if field is None or kind not in _MEMBERS:
            return None
        inside = owner.automatic and owner.kind is Kind.OBJECT and not field.type.reference
        made = Thing(
            f"{owner.name}.{name}",
            kind,
            self.location(field),
            block=owner.block if kind in DYING else 0,
            automatic=inside and self.kinds.ends_with_block(field.type, kind),
            leaves=inside and kind is Kind.POINTER,
            constant=field.type.constant,
            type_name=field.type.name.last,
            written=field.type,
            owner=owner,
        )
        if kind is Kind.POINTER:
            made = self._allocated_elsewhere(made, name)
        return self.remember((owner, name), made)

    def _allocated_elsewhere(self, made: Thing, name: str) -> Thing:
        """A pointer member, as whichever method sets it leaves it; the memory it points to counts as written."""
        where = self._allocated.on_device(name) if self._allocated is not None else None
        if where is None:
            return made
        made = made.again(origin=Allocator.DEVICE, allocated=where)
        self.state.written |= {made}
        return made

    def queue_given(self, call: Call) -> Thing | None:
        """The queue that a function gives, when its declaration says so."""
        function = call.function
        if isinstance(function, Name):
            name = function.last
        elif isinstance(function, Member):
            name = function.name
        else:
            return None
        if name not in DPCT_QUEUES and not (self.code.gives_queue(name) and self.receivers.is_queue(call)):
            return None
        shown = spelled(call) or name
        found = self.state.outer.get(shown)
        if found is None:
            owner = self.thing(function.object) if isinstance(function, Member) else None
            is_unordered = name in DPCT_UNORDERED
            asked = QueueOrder.OUT_OF_ORDER if is_unordered else QueueOrder.UNKNOWN
            made = Thing(shown, Kind.QUEUE, self.location(call), owner=owner, given=True, order=asked)
            found = self.remember(shown, made)
        return found

    def reset(self, target: Member, part: Thing, right: Expr | None, command: Command | None) -> None:
        """A member is assigned: one that leads to memory, a queue or a command leads elsewhere."""
        if part.kind in (Kind.OBJECT, Kind.ARRAY, Kind.CONTAINER):
            self.unsettled(part)
            return
        key = (part.owner, target.name) if part.owner is not None else target.name
        self.state.outer.pop(key, None)
        given = self.thing(right) if right is not None else None
        if part.kind is Kind.EVENT:
            self.state.outer[key] = part.again(command=command)
        elif part.kind is Kind.QUEUE and given is not None and given.kind is Kind.QUEUE:
            self.state.outer[key] = given
        elif part.kind is Kind.POINTER and right is not None:
            self.state.outer[key] = self.declarations.pointing(part.with_unknown_value(), right)

    def has_queue(self, thing: Thing) -> bool:
        """Whether a member of an object is a queue of which it is known who made it."""
        return any(each.kind is Kind.QUEUE and each.own and key[0] is thing for key, each in self.state.outer.items())

    def unsettled_members(self, body: Node | None) -> None:
        """A method of the class around, which is not walked, may have set members that it names."""
        self.unsettling.append(partial(self.unsettled_members, body))
        named = self.names.of(body) if body is not None else None
        for key, each in list(self.state.outer.items()):
            if isinstance(key, str) and each.kind in SET_ANEW and (named is None or key in named) and self.member(key):
                del self.state.outer[key]

    def outside_function(self, text: str) -> Thing | None:
        """A variable of a namespace, or a member of the class around."""
        if "::" in text:
            return self._of_namespace(text)
        if text not in self.outside:
            return None
        if self.this is not None and self.member(text) is not None:
            return self.member_of(self.this, text)
        if text in self.state.outer:
            return self.state.outer[text]
        variable = self.member(text)
        if variable is None:
            variable = self._in_namespace(text)
        return self._taken_for_function(text) if variable is None else self._made_outside(text, variable)

    def _made_outside(self, text: str, variable: Variable) -> Thing:
        kind = self.kind(variable.type)
        made = Thing(
            variable.name, kind, self.location(variable), type_name=variable.type.name.last, written=variable.type
        )
        if kind is Kind.QUEUE and self.member(text):
            made = self._queue_of_object(made, text)
        elif kind is Kind.QUEUE and variable.arguments:
            made = made.again(order=order(variable, self, self.receivers.type_of))
        elif kind is Kind.POINTER and self._allocated is not None:
            made = self._allocated_elsewhere(made, text) if self.member(text) else made
        return self.remember(text, made)

    def _queue_of_object(self, made: Thing, name: str) -> Thing:
        """A queue that is a member of the class around: where no other has it, how it runs commands is known."""
        known = member_queues.of(self.evaluator)
        asked = known.order(self.evaluator.symbols.scopes.at(self.place), name)
        return made.again(own=True, order=asked) if asked is not None else made

    def _of_namespace(self, text: str) -> Thing | None:
        """The one variable that ``scope::name`` means."""
        if text in self._absent:
            return None
        if text in self.state.outer:
            return self.state.outer[text]
        variable = self._in_namespace(text)
        if variable is not None:
            return self._made_outside(text, variable)
        self._absent.add(text)
        return None

    def _in_namespace(self, text: str) -> Variable | None:
        """The one variable outside functions that a name means here."""
        meant = self.evaluator.symbols.variables(Name(text, None, None, 0, 0), self.place).declared
        only = meant[0].node if len(meant) == 1 else None
        return only if isinstance(only, Variable) else None

    def _taken_for_function(self, text: str) -> Thing | None:
        """A queue outside functions that is made from one name, which is spelled like the declaration of a function."""
        declared = self.evaluator.symbols.functions(Name(text, None, None, 0, 0), self.place).declared
        given = [each.node.returns if each.node.body is None else None for each in declared]
        if not given or any(each is None or self.kind(each) is not Kind.QUEUE for each in given):
            return None
        return self.remember(text, Thing(text, Kind.QUEUE, self.location(declared[0].node)))

    def member(self, text: str) -> Variable | None:
        """The data member of that name of a class around."""
        for struct in self.classes.around(self.place) if text in self.outside.members else ():
            found = self.classes.own_field(struct, text)
            if found is not None:
                return found
        return None

    def has_pointers(self, thing: Thing) -> bool:
        """Whether a variable, or what it points to, has members that are pointers or not followed."""
        has_pointers, memory = self.classes.has_pointers, thing.memory
        if thing.kind in WITH_MEMBERS and has_pointers(thing.written):
            return True
        return memory is not thing and memory.kind in WITH_MEMBERS and has_pointers(memory.written)

    def is_member(self, thing: Thing) -> bool:
        """Whether a variable is a data member, of a class around or of some object."""
        return thing.owner is not None or (not thing.block and self.member(thing.name) is not None)

    def rebind(self, name: str, thing: Thing, *, is_itself: bool = False) -> None:
        """From now on ``name`` stands for ``thing``, or for a copy of it that a member is."""
        if thing.owner is not None and thing.owner.kind is Kind.EVENTS:
            self.unsettled(thing.owner)
        elif thing.name.endswith("]"):
            self.elements.set(thing, None)
        elif thing.owner is not None:
            self.state.outer.pop((thing.owner, thing.name.rpartition(".")[2]), None)
        elif name in self.state.things:
            self.state.things[name] = thing
        elif self.this is not None and self.member(name) is not None:
            self.state.outer[self.this, name] = thing if is_itself else thing.again(owner=self.this)
        else:
            self.state.outer[name] = thing
