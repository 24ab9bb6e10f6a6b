"""Answers about code, shared by all the ways to it that agree in what an answer depends on.

    template <typename T> void run(sycl::queue &q, int n) { helper(q, n, 256); }

What ``helper`` makes of its third parameter is the same for each ``T`` and each ``n``. So while a question is answered,
``Frames`` notes the owners whose bindings are looked for. Two frames of which the bindings of these owners agree, from
the inside outwards, have the same answer: evaluation takes the same course under both. A binding that was found in a
frame which the evaluation itself put on, as for a function that it followed, is the same under all.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Generic, ParamSpec, TypeAlias, TypeVar

from sycllint.record import NamedTuple
from sycllint.values.arithmetic import Real, Scalar
from sycllint.values.frame import WHOLE, Representatives, Sought
from sycllint.values.objects import Asked, BoundClass, Frame, NdRangeObject, PackChoice, RangeObject
from sycllint.values.value import Unknown

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

Found = TypeVar("Found")
Asking = ParamSpec("Asking")

_WITHOUT_FRAMES = frozenset({bool, type(None), Scalar, Real, Unknown, RangeObject, NdRangeObject})
"""Kinds of results that do not lead back to the frame under which they were found."""
_BY_ALL: frozenset[object] = frozenset({WHOLE})
_Key: TypeAlias = tuple[frozenset[object], frozenset[object]]
_NOTHING_FREE: dict[int, Asked] = {}


class KnownAnswer(NamedTuple, Generic[Found]):
    """An answer, whose parameters it asks for that nothing binds, and what of the frame it depends on."""

    result: Found
    free: dict[int, Asked]
    bound: frozenset[object]
    """Owners that the frame binds."""
    unbound: frozenset[object]
    """See ``Sought``."""


class _Answers(NamedTuple, Generic[Found]):
    """Answers to one question that depend on the same of their frames."""

    bound: frozenset[object]
    """Owners that each of these frames binds."""
    representatives: Representatives
    by_frame: dict[Frame | None, KnownAnswer[Found]]


class FrameAnswers(Generic[Found]):
    """The answers of one evaluator to one kind of questions."""

    def __init__(self, evaluator: Evaluation) -> None:
        self._evaluator = evaluator
        self._known: dict[Hashable, dict[_Key, _Answers[Found]]] = {}

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
        owners = evaluator.frames.owners[frame]
        for bound, representatives, answers in by_owners.values():
            found = answers.get(representatives[frame]) if bound <= owners else None
            if found is not None:
                if found.free:
                    evaluator.free.update(found.free)
                sought = evaluator.frames.sought
                sought.bound |= found.bound
                sought.unbound |= found.unbound
                return found
        return None

    def asked(
        self, question: Hashable, ask: Callable[Asking, Found], *asked: Asking.args, **more: Asking.kwargs
    ) -> Found:
        """What ``ask`` answers, which is remembered."""
        evaluator, frames = self._evaluator, self._evaluator.frames
        free, evaluator.free = evaluator.free, {}
        around, frames.sought = frames.sought, Sought()
        result = ask(*asked, **more)
        sought, frames.sought = frames.sought, around
        bound = frames.owners[evaluator.frame] & sought.bound
        known = KnownAnswer(result, evaluator.free or _NOTHING_FREE, bound, frozenset(sought.unbound))
        evaluator.free = free
        free.update(known.free)
        around.bound |= bound
        around.unbound |= known.unbound
        is_shared = _is_distinguished_by_them(known)
        key = (bound, known.unbound if is_shared else _BY_ALL)
        by_owners = self._known.setdefault(question, {})
        found = by_owners.get(key)
        if found is None:
            representatives = frames.representatives(bound | known.unbound if is_shared else _BY_ALL)
            found = by_owners[key] = _Answers(bound, representatives, {})
        found.by_frame[found.representatives[evaluator.frame]] = known
        return result


def _is_distinguished_by_them(known: KnownAnswer[Found]) -> bool:
    """Whether the bindings of the owners that were looked for tell answers apart: the result leads to no frame."""
    result = known.result
    if type(result) not in _WITHOUT_FRAMES and not (isinstance(result, BoundClass) and result.frame is None):
        return False
    return not known.free or all(type(each) is not PackChoice for each in known.free.values())
