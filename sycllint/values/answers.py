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
from sycllint.values.frame import DEPTH, WHOLE, FrameNumbers
from sycllint.values.objects import Asked, BoundClass, Frame, NdRangeObject, PackChoice, RangeObject
from sycllint.values.value import Unknown

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

Found = TypeVar("Found")
Asking = ParamSpec("Asking")

_WITHOUT_FRAMES = frozenset({bool, type(None), Scalar, Real, Unknown, RangeObject, NdRangeObject})
"""Kinds of results that do not lead back to the frame under which they were found."""
_BY_ALL: frozenset[object] = frozenset({WHOLE})
_NOTHING_FREE: dict[int, Asked] = {}


class _Representatives(dict["Frame | None", "Frame | None"]):
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


class KnownAnswer(NamedTuple, Generic[Found]):
    """An answer, whose parameters it asks for that nothing binds, and the owners whose bindings it looked for."""

    result: Found
    free: dict[int, Asked]
    sought: frozenset[object]


class _Answers(NamedTuple, Generic[Found]):
    """Answers to one question that rest on the bindings of the same owners."""

    representatives: _Representatives
    by_frame: dict[Frame | None, KnownAnswer[Found]]


class FrameAnswers(Generic[Found]):
    """The answers of one evaluator to one kind of questions."""

    def __init__(self, evaluator: Evaluation) -> None:
        self._evaluator = evaluator
        self._known: dict[Hashable, dict[frozenset[object], _Answers[Found]]] = {}
        self._representatives: dict[frozenset[object], _Representatives] = {}

    def of(self, question: Hashable, ask: Callable[Asking, Found], *asked: Asking.args, **more: Asking.kwargs) -> Found:
        """What ``ask`` answers on the way; ``question`` names all that it is asked but the frame."""
        known = self.known(question)
        return self.asked(question, ask, *asked, **more) if known is None else known.result

    def known(self, question: Hashable) -> KnownAnswer[Found] | None:
        """The answer that was given before on this way, or on one like it."""
        by_owners = self._known.get(question)
        if by_owners is None:
            return None
        evaluator = self._evaluator
        frame = evaluator.frame
        for representatives, answers in by_owners.values():
            found = answers.get(representatives[frame])
            if found is not None:
                if found.free:
                    evaluator.free.update(found.free)
                if found.sought:
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
        known = KnownAnswer(result, evaluator.free or _NOTHING_FREE, frozenset(frames.sought))
        evaluator.free, frames.sought = free, sought
        free.update(known.free)
        sought |= known.sought
        owners = known.sought if _is_distinguished_by_them(known) else _BY_ALL
        by_owners = self._known.setdefault(question, {})
        found = by_owners.get(owners)
        if found is None:
            if owners not in self._representatives:
                self._representatives[owners] = _Representatives(owners, frames.numbers)
            found = by_owners[owners] = _Answers(self._representatives[owners], {})
        found.by_frame[found.representatives[evaluator.frame]] = known
        return result


def _is_distinguished_by_them(known: KnownAnswer[Found]) -> bool:
    """Whether the bindings of the owners that were looked for tell answers apart: the result leads to no frame."""
    result = known.result
    if type(result) not in _WITHOUT_FRAMES and not (isinstance(result, BoundClass) and result.frame is None):
        return False
    return not known.free or all(type(each) is not PackChoice for each in known.free.values())
