"""What those who ask an evaluator keep between their questions: it is forgotten with the evaluator."""

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar, cast

from sycllint.values.evaluate import Evaluator

Kept = TypeVar("Kept")
Asked = TypeVar("Asked", bound=Hashable)


class Memo(Generic[Kept]):
    """One thing per evaluator, made when it is first asked for.

    A weak dictionary by evaluator would do the same, if what is kept did not itself know the evaluator: then neither
    would ever go.
    """

    def __init__(self, make: Callable[[Evaluator], Kept]) -> None:
        self._make = make

    def of(self, evaluator: Evaluator) -> Kept:
        """What is kept for this evaluator."""
        found = evaluator.kept.get(self)
        if found is None:
            found = evaluator.kept[self] = self._make(evaluator)
        return cast(Kept, found)


class Answers(Generic[Asked, Kept]):
    """Answers to questions about different things, each worked out once per evaluator; ``None`` is no answer.

    With ``latest``, only the answer about what was asked about last: where the same is asked again and again before
    the next.
    """

    def __init__(self, *, latest: bool = False) -> None:
        self._known: Memo[dict[Asked, Kept]] = Memo(lambda _: {})
        self._latest = latest

    def of(self, evaluator: Evaluator, asked: Asked, work: Callable[[], Kept]) -> Kept:
        """The answer about ``asked``, which ``work`` finds."""
        known = self._known.of(evaluator)
        found = known.get(asked)
        if found is None:
            found = work()
            if self._latest:
                known.clear()
            known[asked] = found
        return found
