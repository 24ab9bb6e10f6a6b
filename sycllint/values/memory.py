"""What those who ask an evaluator keep between their questions: it is forgotten with the evaluator."""

from collections.abc import Callable
from typing import Generic, TypeVar, cast

from sycllint.values.evaluate import Evaluator

Kept = TypeVar("Kept")


class Memory(Generic[Kept]):
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
