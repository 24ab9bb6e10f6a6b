"""Methods that work out each answer once for their object."""

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

Asker = TypeVar("Asker")
Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")

_NONE = object()


def memoized(work: Callable[Concatenate[Asker, Asked], Answer]) -> Callable[Concatenate[Asker, Asked], Answer]:
    """A method whose answers its object keeps, by the arguments, which are given by position and can be hashed.

    The answers are a dictionary of the object, which so does not lead back to itself, as it would with
    ``functools.cache``.
    """
    name = f"_{work.__name__}_answers"

    def answer(self: Any, /, *asked: Any) -> Any:
        known = vars(self).get(name)
        if known is None:
            known = vars(self)[name] = {}
        found = known.get(asked, _NONE)
        if found is _NONE:
            found = known[asked] = work(self, *asked)  # type: ignore[call-arg]
        return found

    return answer  # type: ignore[return-value]
