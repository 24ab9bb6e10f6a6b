"""Under which circumstances a launch is reached, as far as they bear on what may be said of it."""

from collections.abc import Callable, Iterable
from enum import Enum

from sycllint.values.value import Parameter

Answers = Callable[[Parameter], int | None]
"""What a device says of a property; ``None`` where that is not known, and for other parameters."""


class Circumstance(Enum):
    """One of them; ``KernelLaunch`` says what each means."""

    DEVICE_CHECKED = "device checked"
    MEMORY_CHECKED = "memory checked"
    ELSEWHERE = "elsewhere"
    SELECTED = "selected"
    MAY_BE_DISCARDED = "may be discarded"
    WIDE_IDS = "wide ids"
    EXPLICIT_SIMD = "explicit simd"


class Circumstances:
    """Those of one launch, each looked into when it is first asked for: rules have nothing to say of most launches.

    They can be asked for as long as the file of the launch is in hand.
    """

    __slots__ = ("_answers", "_ask", "_keep_out")

    def __init__(self, ask: "Ask", keep_out: Callable[[Answers], bool] = lambda _: False) -> None:
        self._ask = ask
        self._keep_out = keep_out
        self._answers: dict[Circumstance, bool] = {}

    def hold(self, which: Circumstance, device: Answers | None = None) -> bool:
        """Whether this is so; on a ``device``, where conditions that it decides are none that it is checked by."""
        found = self._answers.get(which)
        if found is None:
            found = self._answers[which] = self._ask(self, which, None)
        return found and (device is None or self._ask(self, which, device))

    def keep_out(self, device: Answers) -> bool:
        """Whether the launch is not reached on a device that answers so."""
        return self._keep_out(device)

    @classmethod
    def of_all(cls, each: Iterable["Circumstances"]) -> "Circumstances":
        """What is so on each of several ways to one launch."""
        ways = tuple(each)
        return cls(
            lambda _, which, device: all(way.hold(which, device) for way in ways),
            lambda device: all(way.keep_out(device) for way in ways),
        )


Ask = Callable[[Circumstances, Circumstance, Answers | None], bool]
"""Looks into one of them; it is handed all, as one may depend on another. The device is as for ``hold``."""

ORDINARY = Circumstances(lambda _, __, ___: False)
"""Nothing of the kind."""
