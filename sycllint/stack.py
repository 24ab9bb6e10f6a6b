"""Room on the interpreter's stack.

CPython keeps the frames of Python code in pieces of 16 KB, and hands a piece back to the system when the first frame in
it ends. Where a loop runs near the end of a piece, each of its calls gets a new one: without room, analyses ask the
system for memory tens of thousands of times. A frame that is larger than a piece gets a piece of its own, twice its
size; the frames of what it calls have the rest.
"""

from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")

_SLOTS = 1 << 16
"""As many slots of eight bytes as all frames need that the recursion limit allows. Memory not used is never there."""


def with_room(run: Callable[[], Result]) -> Result:
    """What ``run`` gives, from a frame with room above it."""
    return run()


with_room.__code__ = with_room.__code__.replace(co_stacksize=_SLOTS)
