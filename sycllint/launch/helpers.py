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
    """Dimensions of the ranges, 1 to 3; ``None`` when the arguments tell."""
