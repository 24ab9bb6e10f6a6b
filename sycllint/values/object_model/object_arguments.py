"""Data members that a method names: those of the object it is called on, which its call binds as any argument."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sycllint.cpp.expression import Brace, Call, Expr, Member, Name
from sycllint.cpp.place import Place
from sycllint.cpp.statement import STATIC, Block, Function, Loop, Struct
from sycllint.facts.file import Declared
from sycllint.record import NamedTuple
from sycllint.values.arithmetic import Scalar
from sycllint.values.deduction.instances import Instances
from sycllint.values.object_model.fields import Classes, function_around, named_last
from sycllint.values.object_model.invariants import Invariants
from sycllint.values.object_model.making import Making
from sycllint.values.object_model.methods import THIS, Methods
from sycllint.values.object_model.pointees import Pointees
from sycllint.values.object_model.stores import Stores
from sycllint.values.objects import Frame, Instance, ObjectArgument, Owner, Point, Result
from sycllint.values.value import Known, Unknown

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation


class _Caller(NamedTuple):
    """A method that calls another one of its object, and the frame of that call."""

    owner: Function
    frame: Frame


class ObjectArguments:
    """Answers for one evaluator."""

    def __init__(
        self,
        evaluator: Evaluation,
        instances: Instances,
        methods: Methods,
        classes: Classes,
        making: Making,
        stores: Stores,
    ) -> None:
        self._evaluator = evaluator
        self._instances = instances
        self._classes = classes
        self._methods = methods
        self._making = making
        self._asked: dict[Function, ObjectArgument] = {}
        self.pointees = Pointees(evaluator, methods)
        self._invariants = Invariants(evaluator, classes, methods, making)
        self.stores = stores

    def member(self, text: str, owner: Function, place: Place) -> Result | None:
        """What the data member ``text`` is when the method ``owner``, which stands at ``place``, begins to run.

        ``None`` when ``owner`` is no method of a class with such a member, or its value is not evident. Its object
        is noted as free when no frame binds the method.
        """
        struct = self._classes.of_method(owner, place)
        if struct is None:
            return None
        evaluator = self._evaluator
        frame = evaluator.frames.binding(struct.node, evaluator.frame)
        if frame is not None and frame.instance is not None:
            caller = self._caller(owner, struct)
            while caller is not None:
                if not self._methods.keeps(caller.owner, struct, text):
                    return self._given(text, caller.frame)
                caller = self._caller(caller.owner, struct)
            if frame.instance.is_bare and evaluator.frames.binding(owner, evaluator.frame) is None:
                made = self._making.made_by(owner, frame.instance, text)
                if made is not None:
                    return made
            return evaluator.members.value(frame.instance, text)
        if owner.flags & STATIC or not self._has(struct, text):
            return None
        always = self._invariants.of(struct, text)
        if isinstance(always, Scalar) and isinstance(always.value, Known):
            return always
        frame = evaluator.frames.binding(owner, evaluator.frame)
        if frame is None:
            asked = self._asked.setdefault(owner, ObjectArgument(owner))
            evaluator.free[id(asked)] = asked
            return always or self.stores.of(struct, text)
        if _last(owner) == named_last(struct):
            bound = evaluator.frames.binding(struct.node, evaluator.frame)
            made = Instance(struct, frame.arguments, frame.point, frame.outer, bound, is_bare=True)
            return evaluator.members.value(made, text)
        found = self._given(text, frame) if self._methods.follows(owner, struct, text) else None
        return always or self.stores.of(struct, text) if found is None or isinstance(found, Unknown) else found

    def _caller(self, owner: Function, struct: Declared[Struct]) -> _Caller | None:
        """The method or constructor that calls the method ``owner`` of the same object of a class."""
        frame = self._evaluator.frames.binding(owner, self._evaluator.frame)
        written = _object(frame) if frame is not None else None
        if frame is None or not isinstance(written, Name) or written.text != "this":
            return None
        around = function_around(frame.point.place)
        if around is None or frame.outer is None:
            return None
        home = self._classes.of_method(around.node, around.place)
        is_own = home is not None and home.node is struct.node and frame.outer.of(around.node) is not None
        return _Caller(around.node, frame) if is_own else None

    def of_this(self, text: str, point: Point) -> Result | None:
        """``this->text`` at ``point``; ``None`` when it is not known, or a variable of the method is called so."""
        if self._classes.is_local(text, point) or not self.is_settled(text, point):
            return None
        return self._evaluator.lookup.search(text, point.place, point.offset)

    def itself(self, point: Point) -> Instance | None:
        """``*this`` in a method that only reads its object; ``None`` where that is not known."""
        around = function_around(point.place)
        struct = self._classes.of_method(around.node, around.place) if around is not None else None
        if around is None or struct is None or not self._methods.only_reads(around.node, struct):
            return None
        frame = self._evaluator.frames.binding(struct.node, self._evaluator.frame)
        made = frame.instance if frame is not None else None
        return made if made is not None and not made.is_bare and self._caller(around.node, struct) is None else None

    def is_object(self, text: str, place: Place) -> bool:
        """Whether the class of the method around ``place`` has a data member ``text`` of a class that is visible."""
        around = function_around(place)
        struct = self._classes.of_method(around.node, around.place) if around is not None else None
        return struct is not None and self._classes.class_of(struct, text) is not None

    def behind(self, pointer: Name, member: str, point: Point) -> Instance | None:
        """The object that ``pointer`` leads to, where nothing may set its ``member``; else ``None``."""
        return self.pointees.of(pointer, member, point)

    def is_settled(self, text: str, point: Point) -> bool:
        """Whether ``text`` is no data member, or one that the method around ``point`` sets where that is followed."""
        method = point.place.around(Function)
        return method is None or self.follows(text, method) is not False or self._classes.is_local(text, point)

    def left_before(self, text: str, point: Point) -> Result | None:
        """The data member ``text`` at ``point``, in a constructor or method that calls others of its object before."""
        around = function_around(point.place)
        if around is None or point.place.outer is not around.place:
            return None
        struct = self._classes.of_method(around.node, around.place)
        if struct is None or self._classes.is_local(text, point) or not self.stays_within(around.place):
            return None
        left = self._making.left(around, text, struct, point.offset)
        return self.member(text, around.node, around.place) if left is None else left

    def left_by_calls(self, text: str, body: Place, method: Place, offset: int) -> Result | None:
        """A data member before ``offset`` in the body of a method that calls others of its object, which may set it.

        ``None`` where they do not, and nothing before ``offset`` does.
        """
        name, owner = text.removeprefix(THIS), method.node
        if not isinstance(owner, Function) or not isinstance(body.node, Block):
            return None
        calls = self._methods.own_calls(body.node)
        if not any(each.end <= offset for each in calls) or self.follows(name, method) is not False:
            return None
        if self._classes.is_local(name, Point(body, offset)):
            return None
        if not self.stays_within(method):
            return Unknown(f"{name} is a member that another method may set", self._evaluator.line(offset))
        struct = self._classes.of_method(owner, method)
        return None if struct is None else self._making.left(Declared(owner, method), name, struct, offset)

    def stays_within(self, method: Place) -> bool:
        """Whether what a method calls changes data members only where that is followed."""
        owner = method.node
        struct = (
            self._classes.of_method(owner, method) if isinstance(owner, Function) and owner.body is not None else None
        )
        return struct is not None and isinstance(owner, Function) and self._methods.stays_within(owner, struct)

    def follows(self, text: str, method: Place) -> bool | None:
        """Whether it is known what a method makes of a data member; ``None`` when ``text`` names none in it."""
        owner = method.node
        struct = self._classes.of_method(owner, method) if isinstance(owner, Function) else None
        if struct is None or not isinstance(owner, Function) or not self._has(struct, text):
            return None
        return self._methods.follows(owner, struct, text)

    def _has(self, struct: Declared[Struct], text: str) -> bool:
        """Whether objects of a class have a data member of this name, of their own or from a base."""
        fields = self._classes.fields(struct)
        if fields is None or text in fields.variables:
            return fields is not None
        instances, point = self._instances, Point(fields.place, struct.node.start)
        bases = (instances.of(each, point) for each in struct.node.bases)
        return any(each.struct.node is not struct.node and self._has(each.struct, text) for each in bases if each)

    def _given(self, text: str, frame: Frame) -> Result | None:
        """The member of the object that the call of ``frame`` is for."""
        written = _object(frame)
        return None if written is None else self._evaluator.under(frame.outer, self._of, written, text, frame.point)

    def _of(self, written: Expr, text: str, point: Point) -> Result | None:
        """The member of the object that is ``written`` at ``point``."""
        if isinstance(written, Name) and written.text == "this":
            return self.of_this(text, point)
        members = self._evaluator.members
        whole = members.object(written, point)
        if not isinstance(whole, Instance) and isinstance(written, Name):
            whole = self.pointees.of(written, text, point)
        return members.value(whole, text) if isinstance(whole, Instance) else None


def _object(frame: Frame) -> Expr | None:
    """The object whose method the call of ``frame`` runs; ``this`` where none is written."""
    match frame.call:
        case Call(function=Member(object=written)):
            return written
        case Call(function=Name() | Call() | Brace() as made) if _is_call_operator(frame.owner):
            return made
        case Call(function=Name(text=text) as function) if "::" not in text:
            return Name("this", None, None, function.start, function.start)
        case _:
            return None


def _is_call_operator(owner: Owner | Loop) -> bool:
    return isinstance(owner, Function) and _last(owner) == "operator()"


def _last(owner: Function) -> str:
    return owner.name.rpartition("::")[2]
