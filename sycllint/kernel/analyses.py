"""The analyses of a kernel's body, and what they are given.

An analysis is a function from ``KernelCode`` to records: frozen, hashable dataclasses with locations and values in
them, which a rule finds with ``launch.kernel.seen.of(...)``. It returns at once where the kernel cannot show what it
looks for: most kernels have no barrier, no local memory and no private array.
"""

from collections.abc import Callable, Iterable

from sycllint.cpp.expression import Lambda
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function
from sycllint.kernel.atomics import atomics
from sycllint.kernel.barriers import missed_barriers
from sycllint.kernel.bounds import late_bounds, unguarded_accesses
from sycllint.kernel.dimensions import kernel_parameter, out_of_dimensions
from sycllint.kernel.idle_barriers import idle_barriers
from sycllint.kernel.lanes import assumed_widths
from sycllint.kernel.literals import double_literals
from sycllint.kernel.mathematics import mathematics
from sycllint.kernel.reading import Body, Reading, reading
from sycllint.kernel.registers import private_state, volatile_objects
from sycllint.kernel.restrictions import restrictions
from sycllint.kernel.rows import row_leaders
from sycllint.kernel.scan import Scan
from sycllint.kernel.serial import serial_loops, unrolled_loops
from sycllint.kernel.shared_memory import shared_memory
from sycllint.kernel.spins import spin_waits
from sycllint.kernel.state import small_states
from sycllint.kernel.traffic import traffic
from sycllint.observation import Observations
from sycllint.record import record
from sycllint.source.span import Location
from sycllint.values.evaluate import Evaluator
from sycllint.values.value import Value


@record
class Geometry:
    """The index space of the launch, as far as it is known; extents slowest dimension first."""

    dims: int | None
    whole: tuple[Value, ...] | None
    """Global extents; ``None`` when there are none."""
    local: tuple[Value, ...] | None
    """Local extents; ``None`` when the runtime chooses."""
    sub_group_size: Value | None
    """The required size; ``None`` when the compiler chooses."""
    registers: Value | None = None
    """Per thread, where the source demands a number of them."""


@record
class LocalArray:
    """Local memory that the launch hands to its kernel: one local accessor."""

    name: str
    count: Value
    """Elements."""
    bytes: Value
    location: Location
    extents: tuple[Value, ...] = ()
    """Slowest dimension first; empty when the range is not in sight."""


@record
class KernelCode:
    """One kernel in one launch: its function in sight, and the values that hold there."""

    evaluator: Evaluator
    function: Lambda | Function
    """The lambda, or the call operator or function that is the kernel."""
    place: Place
    """Where ``function`` stands."""
    geometry: Geometry
    scan: Scan
    """What one walk over the body, and what it calls, has seen: barriers, sub-group operations, arrays."""
    local: tuple[LocalArray, ...] = ()
    """The local accessors of the launch's command group; those made in the kernel are in ``scan``."""

    @property
    def reading(self) -> Reading:
        """The nodes of the functions of the file's kernels, by kind."""
        return reading(self.evaluator)

    @property
    def bodies(self) -> tuple[Body, ...]:
        """The kernel, and the functions of the project that it surely calls."""
        return self.reading.bodies(self.function, self.place)


Analysis = Callable[[KernelCode], Iterable[object]]

ANALYSES: tuple[Analysis, ...] = (
    missed_barriers,
    assumed_widths,
    kernel_parameter,
    out_of_dimensions,
    idle_barriers,
    spin_waits,
    restrictions,
    shared_memory,
    row_leaders,
    small_states,
    double_literals,
    private_state,
    volatile_objects,
    unguarded_accesses,
    late_bounds,
    traffic,
    atomics,
    mathematics,
    serial_loops,
    unrolled_loops,
)


def observe(code: KernelCode) -> Observations:
    """What all analyses see in one kernel.

    They ask beside the question at hand: the parameters they ask for are no reason to look at more ways to the launch.
    """
    evaluator = code.evaluator
    free, evaluator.free = evaluator.free, {}
    work, evaluator.work = evaluator.work, 0
    seen = Observations.gathered(*(analysis(code) for analysis in ANALYSES))
    evaluator.free, evaluator.work = free, work
    return seen
