"""A project's own function that launches kernels: which of its arguments is what, as the configuration declares it."""

from sycllint.record import record


@record
class LaunchHelper:
    """Arguments are counted from 0; ``None`` is one that the function does not take."""

    global_: int | None = None
    """The global range, or the whole nd_range when there is no ``local``."""
    local: int | None = None
    """The local range."""
    kernel: int | None = None
    """The function object or lambda."""
    dims: int | None = None
    """Dimensions of the ranges, 1 to 3; ``None`` when the arguments determine them."""
    arguments: int | None = None
    """How many arguments a call of it has; ``None``: any number that reaches those named above."""

    @property
    def positions(self) -> tuple[int, ...]:
        """The arguments that are named."""
        return tuple(each for each in (self.global_, self.local, self.kernel) if each is not None)


Overloads = tuple[LaunchHelper, ...]
"""Functions of one name: no two for the same number of arguments, and at most one for any number."""


def called(overloads: Overloads, count: int) -> LaunchHelper | None:
    """The overload that a call with ``count`` arguments means; one for that number comes before one for any."""
    fitting = [
        each for each in overloads if each.arguments in (count, None) and all(at < count for at in each.positions)
    ]
    return min(fitting, key=lambda each: each.arguments is None, default=None)


def may_be(overloads: Overloads, least: int, most: int | None) -> bool:
    """Whether a function that takes ``least`` to ``most`` arguments (``None``: any number) may be one of them."""
    for each in overloads:
        if each.arguments is not None:
            if least <= each.arguments and (most is None or each.arguments <= most):
                return True
        elif most is None or all(at < most for at in each.positions):
            return True
    return False
