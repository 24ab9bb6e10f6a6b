"""The frames of one evaluator, each made once, and what lies on each other of them."""

from __future__ import annotations

from sycllint.cpp.expression import Brace, Call, Expr, Opaque
from sycllint.cpp.statement import Function, Loop
from sycllint.memoized import memoized
from sycllint.values.objects import Frame, Instance, Owner, Point

MAX_FRAMES = 8
"""How deep calls are followed."""
DEPTH = "depth"
"""Stands among what an answer depends on for how many frames lie on each other."""
WHOLE = "whole"
"""Stands there for all of the frame."""
_WITHHELD = Opaque("withheld", (), 0, 0)
"""An argument that is not to be looked at."""


class FrameNumbers(dict[Frame, int]):
    """By frame a number, which frames share that bind the same, whatever lies around them."""

    def __init__(self) -> None:
        super().__init__()
        self._numbers: dict[tuple[object, ...], int] = {}

    def __missing__(self, frame: Frame) -> int:
        binding = (frame.owner, frame.arguments, frame.templates, frame.point, frame.call, frame.element)
        numbers = self._numbers
        number = self[frame] = numbers.setdefault((*binding, frame.instance, frame.instantiates), len(numbers))
        return number


class FrameOwners(dict[Frame | None, frozenset[object]]):
    """By frame the owners that it and the frames around it bind."""

    def __missing__(self, frame: Frame | None) -> frozenset[object]:
        owners = self[frame] = frozenset() if frame is None else self[frame.outer] | {frame.owner}
        return owners


class Representatives(dict[Frame | None, Frame | None]):
    """For each frame one of those that agree with it in the bindings of a set of owners."""

    def __init__(self, owners: frozenset[object], numbers: FrameNumbers) -> None:
        super().__init__({None: None})
        self._owners = owners
        self._numbers = numbers
        self._is_whole = WHOLE in owners
        self._is_deep = DEPTH in owners
        self._first: dict[tuple[object, Frame | None], Frame] = {}

    def __missing__(self, frame: Frame | None) -> Frame | None:
        if frame is None or self._is_whole:
            self[frame] = frame
            return frame
        found = self[frame.outer]
        if frame.owner in self._owners:
            found = self._first.setdefault((self._numbers[frame], found), frame)
        elif self._is_deep:
            found = self._first.setdefault((frame.instantiates, found), frame)
        self[frame] = found
        return found


class Sought:
    """What an answer depends on of the frame under which it is asked for."""

    __slots__ = ("bound", "unbound")

    def __init__(self) -> None:
        self.bound: set[object] = set()
        """Owners of which a binding was looked for and found, perhaps in a frame that the answer itself puts on."""
        self.unbound: set[object] = set()
        """Owners of which none was found, and the two above."""

    def add(self, other: Sought) -> None:
        """Depend on what another answer depends on, too."""
        self.bound |= other.bound
        self.unbound |= other.unbound


class Frames:
    """The frames of one evaluator, each made once: what is remembered under one is then found again."""

    def __init__(self) -> None:
        self._made: dict[tuple[object, ...], Frame] = {}
        self._instances: dict[Frame, Frame] = {}
        self.numbers = FrameNumbers()
        self.owners = FrameOwners()
        self.sought = Sought()
        """What the answer at hand depends on."""

    @memoized
    def representatives(self, owners: frozenset[object]) -> Representatives:
        """For each frame one of those that agree with it in the bindings of ``owners``."""
        return Representatives(owners, self.numbers)

    def binding(self, owner: Owner | Loop, frame: Frame | None) -> Frame | None:
        """The nearest frame from ``frame`` outwards that binds ``owner``."""
        found = None if frame is None else frame.of(owner)
        (self.sought.unbound if found is None else self.sought.bound).add(owner)
        return found

    def instantiated(self, owner: Owner, frame: Frame | None) -> Frame | None:
        """The binding of ``owner`` of which ``frame`` has the template arguments alone."""
        found = None if frame is None else frame.instance_of(owner)
        (self.sought.unbound if found is None else self.sought.bound).add(owner)
        return found

    def is_deepest(self, frame: Frame | None) -> bool:
        """Whether calls are not followed further than ``frame``."""
        self.sought.unbound.add(DEPTH)
        return frame is not None and frame.depth >= MAX_FRAMES

    def made(
        self,
        owner: Owner | Loop,
        arguments: tuple[Expr, ...],
        templates: tuple[Expr, ...],
        point: Point,
        call: Call | None,
        outer: Frame | None,
        instance: Instance | None = None,
        element: int | None = None,
    ) -> Frame:
        """The frame with these fields."""
        key = (owner, arguments, templates, point, call, outer, instance, element)
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = Frame(*key)
        return found

    def rooted(self, frame: Frame | None, root: Frame | None) -> Frame | None:
        """``frame`` with ``root`` on its outer end."""
        return frame or root if frame is None or root is None else self._rooted(frame, root)

    @memoized
    def _rooted(self, frame: Frame, root: Frame) -> Frame:
        return self._on(frame, self.rooted(frame.outer, root))

    def inner(self, frame: Frame | None, count: int) -> Frame | None:
        """The innermost ``count`` bindings of ``frame``, without what lies around them."""
        if frame is None or count == 0:
            return None
        return self._on(frame, self.inner(frame.outer, count - 1))

    def given_within(self, frame: Frame | None, count: int) -> Frame | None:
        """``frame`` of which only the innermost ``count`` bindings have more than what gives template arguments."""
        if frame is None:
            return None
        outer = self.given_within(frame.outer, count - 1)
        if count > 0:
            return self._on(frame, outer)
        owner, arguments = frame.owner, _telling(frame)
        return self.made(owner, arguments, frame.templates, frame.point, frame.call, outer, None, frame.element)

    def about(self, frame: Frame, choice: Frame, element: int) -> Frame:
        """``frame``, in which ``choice``, a part of it, is about one element of its packs."""
        if frame is choice:
            owner, point, call = frame.owner, frame.point, frame.call
            return self.made(owner, frame.arguments, frame.templates, point, call, frame.outer, frame.instance, element)
        return self._on(frame, self.about(frame.outer, choice, element) if frame.outer is not None else None)

    def within(self, frame: Frame | None, root: Frame | None) -> Frame | None:
        """``frame`` without ``root``, on which it was put: ``rooted`` the other way round."""
        if frame is None or frame is root:
            return None
        return self._on(frame, self.within(frame.outer, root))

    def instance(self, frame: Frame) -> Frame:
        """A frame that has the template arguments of ``frame``, and nothing else of it."""
        if frame not in self._instances:
            alone = Frame(frame.owner, (), (), frame.point, None, None, instantiates=frame)
            self._instances[frame] = alone
        return self._instances[frame]

    def standing_on(self, frame: Frame | None, instance: Frame, root: Frame) -> Frame | None:
        """``frame`` with ``root`` in the place of ``instance``; ``None`` where that is not what it stands on."""
        if frame is None or frame is instance:
            return None if frame is None else root
        outer = self.standing_on(frame.outer, instance, root)
        return None if outer is None or frame.instance is not None else self._on(frame, outer)

    def _on(self, frame: Frame, outer: Frame | None) -> Frame:
        """``frame`` with another frame around it."""
        arguments, templates, instance = frame.arguments, frame.templates, frame.instance
        return self.made(frame.owner, arguments, templates, frame.point, frame.call, outer, instance, frame.element)


def _telling(frame: Frame) -> tuple[Expr, ...]:
    """The arguments of ``frame`` without those that are more than a type: of a list of types or values, or unnamed."""
    owner = frame.owner
    if not isinstance(owner, Function) or not owner.template_parameters:
        return ()
    kept = [
        each if _is_type_only(each) or not parameter.name or parameter.type.is_list else _WITHHELD
        for each, parameter in zip(frame.arguments, owner.parameters, strict=False)
    ]
    while kept and kept[-1] is _WITHHELD:
        kept.pop()
    return tuple(kept)


def _is_type_only(argument: Expr) -> bool:
    """Whether an argument is an object made of nothing: ``sizes()``."""
    match argument:
        case Call(arguments=()) | Brace(elements=()):
            return True
        case _:
            return False
