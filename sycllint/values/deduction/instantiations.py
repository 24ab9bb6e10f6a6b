"""Answers that rest on some of a template's arguments, shared by all ways that agree in these.

    template <typename T, bool Checked> auto kernel(T *data) {
      if constexpr (Checked)
        return [=](sycl::id<1> i) { … };
      else
        return [=](sycl::id<1> i) { … };
    }

Which of the lambdas it gives is the same for each ``T`` and each ``data``. So a question is asked first under a frame
that has no more than the template arguments of the innermost binding. Those that it asks for are noted, with what they
are, as what it rests on; a question that asks for anything else is one for each way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from sycllint.cpp.expression import Expr, Name, Number, Type
from sycllint.cpp.place import Place, Template
from sycllint.cpp.statement import Function, Loop
from sycllint.record import NamedTuple, replace
from sycllint.values.arithmetic import Scalar
from sycllint.values.objects import Frame, InstanceArgument, Point, Result
from sycllint.values.types import as_type
from sycllint.values.value import Known, Symbolic, Unknown

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

_UNBOUND = "unbound"
"""The identity of what no call path determines."""
Shared = TypeVar("Shared")
TypeFound = tuple[Type, Point, Frame | None]


class SharedAnswer(NamedTuple):
    """What came of a question."""

    answer: object
    frame: Frame
    """Under which it was asked."""
    rests_on: tuple[InstanceArgument, ...]


class TypeGiven(NamedTuple):
    """What type a parameter stands for, of which it is known that no caller determines more."""

    type: TypeFound | None


class _Found(NamedTuple):
    """A template argument, and what distinguishes it from others; ``None`` where nothing does."""

    value: Result | None
    type: TypeFound | None
    identity: object


class Instantiations:
    """Shared answers of one evaluator."""

    def __init__(self, evaluator: Evaluation) -> None:
        self._evaluator = evaluator
        self._answers: dict[object, list[SharedAnswer] | None] = {}
        """By question; ``None`` for one that rests on more than template arguments."""
        self._open: set[object] = set()
        """Questions that rest on arguments which nothing tells apart, by whose parameters the way binds, too."""
        self._asks_open = False
        """Whether the question at hand does."""
        self._found: dict[tuple[Frame, int, bool], _Found] = {}
        self._noted: dict[object, InstanceArgument] = {}

    def shared(self, question: object, ask: Callable[[], object]) -> SharedAnswer | None:
        """What ``ask`` answers on the way; ``None`` where it must be asked for this one alone.

        ``question`` names it, and is always asked alike.
        """
        evaluator = self._evaluator
        frame = evaluator.frame
        if frame is None or not _is_instance(frame):
            return None
        key = (question, frame.owner, frame.depth)
        known = self._answers.setdefault(key, [])
        if known is None:
            return None
        for each in known:
            if all(self._agrees(argument, frame) for argument in each.rests_on):
                return each
        alike = (*key, evaluator.frames.owners[frame])
        if alike in self._open:
            return None
        alone = evaluator.frames.instance(frame)
        free, evaluator.free, work = evaluator.free, {}, evaluator.work
        outer, self._asks_open = self._asks_open, False
        answer = evaluator.under(alone, ask)
        is_open, self._asks_open = self._asks_open, outer
        asked, evaluator.free = tuple(evaluator.free.values()), free
        rests_on = tuple([each for each in asked if isinstance(each, InstanceArgument)])
        if len(rests_on) < len(asked):
            evaluator.work = work
            if is_open:
                self._open.add(alike)
            else:
                self._answers[key] = None
            return None
        made = SharedAnswer(answer, alone, rests_on)
        known.append(made)
        return made

    def value(self, owner: Template, index: int, text: str, place: Place) -> Result | None:
        """The number given for a parameter of the instance around; ``None`` where it is not known."""
        instance = self._evaluator.frames.instantiated(owner, self._evaluator.frame)
        found = None if instance is None else self._value(instance, index, text, place)
        if found is None or found.identity is None:
            self._asks_open = self._asks_open or found is not None
            return None
        self._note(InstanceArgument(owner, index, text, place, False, found.identity))
        return found.value

    def type(self, owner: Template, index: int, text: str, place: Place, frame: Frame | None) -> TypeGiven | None:
        """The type given for a parameter of the instance around ``frame``; ``None`` where there is no telling."""
        instance = self._evaluator.frames.instantiated(owner, frame)
        found = None if instance is None else self._type(instance, index, text, place)
        if found is None or found.identity is None:
            self._asks_open = self._asks_open or found is not None
            return None
        self._note(InstanceArgument(owner, index, text, place, True, found.identity))
        return TypeGiven(found.type)

    def _note(self, argument: InstanceArgument) -> None:
        key = (argument.owner, argument.index, argument.is_type, argument.identity)
        noted = self._noted.setdefault(key, argument)
        self._evaluator.free[id(noted)] = noted

    def _agrees(self, argument: InstanceArgument, frame: Frame) -> bool:
        look = self._type if argument.is_type else self._value
        return look(frame, argument.index, argument.text, argument.place).identity == argument.identity

    def _value(self, frame: Frame, index: int, text: str, place: Place) -> _Found:
        key = (frame, index, False)
        if key not in self._found:
            result, is_whole = self._whole(frame, lambda: self._evaluator.bindings.template(text, place))
            self._found[key] = _Found(result, None, _identity(result) if is_whole else None)
        return self._found[key]

    def _type(self, frame: Frame, index: int, text: str, place: Place) -> _Found:
        key, owner = (frame, index, True), frame.owner
        if key not in self._found:

            def look() -> tuple[TypeFound | None, object]:
                assert not isinstance(owner, Loop)
                found = self._evaluator.bindings.type_given(owner, index, place, frame)
                return found, _UNBOUND if found is None else self._identity(*found)

            (found, identity), is_whole = self._whole(frame, look)
            self._found[key] = _Found(None, found, identity if is_whole else None)
        return self._found[key]

    def _whole(self, frame: Frame, ask: Callable[[], Shared]) -> tuple[Shared, bool]:
        """What is answered under ``frame``, and whether that asks for nothing more."""
        evaluator = self._evaluator
        free, evaluator.free = evaluator.free, {}
        answer = evaluator.under(frame, ask)
        is_whole = not evaluator.free
        evaluator.free = free
        return answer, is_whole

    def _identity(self, written: Type, point: Point, frame: Frame | None) -> object:
        """What distinguishes a type from others; ``None`` where it depends on what is not known."""
        evaluator = self._evaluator
        behind = evaluator.under(frame, evaluator.names.type_named, written.name, point)
        kind = evaluator.under(behind.frame, evaluator.kind, behind.name, behind.point)
        declared = [each for each in (written, behind.whole) if each is not None]
        if behind.unbound and behind.whole is None:
            return (_UNBOUND, behind.name.text)
        if behind.unbound or behind.others or kind.extents is not None or any(each.extents for each in declared):
            return None
        declarators = tuple((each.pointers, each.reference, each.constant) for each in declared)
        if kind.is_number:
            return (kind.name.text, declarators)
        if kind.struct is not None:
            return None if kind.struct.node.template_parameters else (kind.struct.node, declarators)
        if not kind.sycl or kind.name.scope is not None:
            return None
        arguments = [self._argument(each, behind.point, behind.frame) for each in kind.name.arguments or ()]
        return None if None in arguments else (kind.sycl, tuple(arguments), declarators)

    def _argument(self, argument: Expr, point: Point, frame: Frame | None) -> object:
        if isinstance(argument, Number):
            return argument.text
        kind = as_type(argument) if isinstance(argument, Name | Type) else None
        return None if kind is None else self._identity(kind, point, frame)


def _identity(result: Result | None) -> object:
    """What distinguishes a number from others, whatever the way to it."""
    value = result.value if isinstance(result, Scalar) else result
    match value:
        case Known(value=number) if isinstance(result, Scalar):
            return (number, result.type)
        case Unknown(terms=()):
            return (_UNBOUND, type(result))
        case Symbolic() if isinstance(result, Scalar):
            return (replace(value, because=()), result.type)
        case _:
            return None


def _is_instance(frame: Frame) -> bool:
    """Whether a frame binds a function template of which each parameter has one argument."""
    owner = frame.owner
    if not isinstance(owner, Function) or _has_own_values(frame) or frame.of(owner) is not frame:
        return False
    return bool(owner.template_parameters) and not any(each.pack for each in owner.template_parameters)


def _has_own_values(frame: Frame) -> bool:
    """Whether names may have values without asking for a parameter: members of an object, what a loop changes."""
    return any(each.instance is not None or isinstance(each.owner, Loop) for each in (frame, *frame.around()))
