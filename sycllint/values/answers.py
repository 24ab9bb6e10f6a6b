"""Answers about code, shared by all the ways to it that agree in what an answer depends on.

    template <typename T> void run(sycl::queue &q, int n) { helper(q, n, 256); }

What ``helper`` makes of its third parameter is the same for each ``T`` and each ``n``. So while a question is answered,
``Frames`` notes the owners whose bindings are looked for. Two frames of which the bindings of these owners agree, from
the inside outwards, have the same answer: evaluation takes the same course under both.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Generic, ParamSpec, TypeVar

from sycllint.record import NamedTuple
from sycllint.values.arithmetic import Real, Scalar
from sycllint.values.frame import DEPTH, WHOLE
from sycllint.values.objects import Asked, BoundClass, Frame, NdRangeObject, PackChoice, RangeObject
from sycllint.values.value import Unknown

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

Found = TypeVar("Found")
Asking = ParamSpec("Asking")

_WITHOUT_FRAMES = frozenset({bool, type(None), Scalar, Real, Unknown, RangeObject, NdRangeObject})
"""Kinds of results that do not lead back to the frame under which they were found."""


class _Dependence:
    """A set of owners, and for each frame a representative of those that agree with it in the bindings of these."""

    def __init__(self, owners: frozenset[object]) -> None:
        self._owners = owners
        self._is_whole = WHOLE in owners
        self._is_deep = DEPTH in owners
        self._first: dict[tuple[object, ...], Frame] = {}
        self._of: dict[Frame, Frame | None] = {}

    def of(self, frame: Frame | None) -> Frame | None:
        """The representative of ``frame``."""
        if frame is None or self._is_whole:
            return frame
        try:
            return self._of[frame]
        except KeyError:
            pass
        found = self.of(frame.outer)
        if frame.owner in self._owners:
            binding = (frame.owner, frame.arguments, frame.templates, frame.point, frame.call, frame.element)
            found = self._first.setdefault((*binding, frame.instance, frame.instantiates, found), frame)
        elif self._is_deep:
            found = self._first.setdefault((frame.instantiates, found), frame)
        self._of[frame] = found
        return found


class KnownAnswer(NamedTuple, Generic[Found]):
    """An answer, whose parameters it asks for that nothing binds, and the owners whose bindings it looked for."""

    result: Found
    free: dict[int, Asked]
    sought: frozenset[object]


class FrameAnswers(Generic[Found]):
    """The answers of one evaluator to one kind of questions."""

    def __init__(self, evaluator: Evaluation) -> None:
        self._evaluator = evaluator
        self._known: dict[Hashable, dict[_Dependence, dict[Frame | None, KnownAnswer[Found]]]] = {}
        self._of_owners: dict[frozenset[object], _Dependence] = {}

    def of(self, question: Hashable, ask: Callable[Asking, Found], *asked: Asking.args, **more: Asking.kwargs) -> Found:
        """What ``ask`` answers on the way; ``question`` names all that it is asked but the frame."""
        known = self.known(question)
        return self.asked(question, ask, *asked, **more) if known is None else known.result

    def known(self, question: Hashable) -> KnownAnswer[Found] | None:
        """The answer that was given before on this way, or on one like it."""
        by_dependence = self._known.get(question)
        if by_dependence is None:
            return None
        evaluator = self._evaluator
        frame = evaluator.frame
        for dependence, answers in by_dependence.items():
            found = answers.get(None if frame is None else dependence.of(frame))
            if found is not None:
                evaluator.free.update(found.free)
                evaluator.frames.sought |= found.sought
                return found
        return None

    def asked(
        self, question: Hashable, ask: Callable[Asking, Found], *asked: Asking.args, **more: Asking.kwargs
    ) -> Found:
        """What ``ask`` answers, which is remembered."""
        evaluator, frames = self._evaluator, self._evaluator.frames
        free, evaluator.free = evaluator.free, {}
        sought, frames.sought = frames.sought, set()
        result = ask(*asked, **more)
        known = KnownAnswer(result, evaluator.free, frozenset(frames.sought))
        evaluator.free, frames.sought = free, sought
        free.update(known.free)
        sought |= known.sought
        dependence = self._dependence(known)
        answers = self._known.setdefault(question, {}).setdefault(dependence, {})
        answers[dependence.of(evaluator.frame)] = known
        return result

    def _dependence(self, known: KnownAnswer[Found]) -> _Dependence:
        owners, result = known.sought, known.result
        is_alone = type(result) in _WITHOUT_FRAMES or (isinstance(result, BoundClass) and result.frame is None)
        if not is_alone or any(type(each) is PackChoice for each in known.free.values()):
            owners = frozenset({WHOLE})
        found = self._of_owners.get(owners)
        if found is None:
            found = self._of_owners[owners] = _Dependence(owners)
        return found
