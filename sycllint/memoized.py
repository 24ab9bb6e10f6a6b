"""Methods and functions that work out each answer once."""

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

Asker = TypeVar("Asker")
Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")


def asked_once(work: Callable[[], Answer]) -> Callable[[], Answer]:
    """A function that does ``work`` when it is first called; ``functools.cache`` takes longer to make than most run."""
    kept: list[Answer] = []

    def answer() -> Answer:
        if not kept:
            kept.append(work())
        return kept[0]

    return answer


def memoized(work: Callable[Concatenate[Asker, Asked], Answer]) -> Callable[Concatenate[Asker, Asked], Answer]:
    """A method whose answers its object keeps, by the arguments, which are given by position and can be hashed.

    The answers are a dictionary of the object, which so does not lead back to itself, as it would with
    ``functools.cache``.
    """
    name = f"_{work.__name__}_answers"

    def answer(self: Any, /, *asked: Any) -> Any:
        try:
            return self.__dict__[name][asked]
        except KeyError:
            pass
        found = work(self, *asked)  # type: ignore[call-arg]
        self.__dict__.setdefault(name, {})[asked] = found
        return found

    return answer  # type: ignore[return-value]
