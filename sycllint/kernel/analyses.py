"""The analyses of a kernel's body, and what they are given.

An analysis is a function from ``KernelCode`` to records: frozen, hashable dataclasses with locations and values in
them, which a rule finds with ``launch.kernel.seen.of(...)``. It declares the kinds of records that it makes, and is run
where a rule judges one of them. Most kernels have no barrier, no local memory and no private array: an analysis is
loaded for the first kernel that can show what it looks for.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Lambda
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function
from sycllint.kernel.scan import Scan
from sycllint.observation import Analysis, Observations, Wanted, makes, observed
from sycllint.record import record
from sycllint.source.span import Location
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Frame
from sycllint.values.value import Value

if TYPE_CHECKING:
    from sycllint.ir import body as ir
    from sycllint.ir.callgraph import CallGraph
    from sycllint.kernel.reading import Body, Reading


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
    """Local memory that the launch hands, or may hand, to its kernel."""

    name: str
    count: Value
    """Elements."""
    bytes: Value
    location: Location
    extents: tuple[Value, ...] = ()
    """Slowest dimension first; empty when the range is not in sight."""
    is_accessor: bool = True
    """``name`` is surely that of a local accessor."""


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
    frame: Frame | None = None
    """How the kernel is reached: the evaluator's while the analyses run."""

    @property
    def reading(self) -> "Reading":
        """The nodes of the functions of the file's kernels, by kind."""
        from sycllint.kernel.reading import reading

        return reading(self.evaluator)

    @property
    def bodies(self) -> "tuple[Body, ...]":
        """The kernel, and the functions of the project that it surely calls."""
        return self.reading.bodies(self.function, self.place)

    @property
    def graph(self) -> "CallGraph":
        """The calls between the bodies of the file."""
        return self.reading.graph

    @property
    def lowered(self) -> "tuple[ir.Body, ...]":
        """The same as instructions, lambdas in them each by itself; none of functions that do not parse."""
        parts = (part for each in self.bodies if not each.function.damaged for part in each.lowered.whole())
        return tuple(dict.fromkeys(parts))

    def location(self, body: "ir.Body", position: int) -> Location:
        """Where an instruction is written; of a macro's text, where the macro is used."""
        node, place = body.written(position)
        start = getattr(node, "start", 0)
        return self.evaluator.facts.file_at(place).location(start, getattr(node, "end", start))

    def mentions(self, word: bytes) -> bool:
        """Whether the word stands anywhere in the unit: what it never spells, no analysis finds."""
        evaluator = self.evaluator
        return evaluator.facts.spells(word) or any(word in value.encode() for value in evaluator.defines.values())


@makes("MissedBarrier")
def _missed_barriers(code: KernelCode) -> Iterable[object]:
    if not (code.scan.barriers or code.scan.sub_group_operations):
        return ()
    from sycllint.kernel.barriers import missed_barriers

    return missed_barriers(code)


@makes("AssumedWidth")
def _assumed_widths(code: KernelCode) -> Iterable[object]:
    if not code.scan.sub_group_operations:
        return ()
    from sycllint.kernel.lanes import assumed_widths

    return assumed_widths(code)


@makes("KernelParameter")
def _kernel_parameter(code: KernelCode) -> Iterable[object]:
    from sycllint.kernel.dimensions import kernel_parameter

    return kernel_parameter(code)


@makes("Reducer")
def _reducers(code: KernelCode) -> Iterable[object]:
    if len(code.function.parameters) < 2:
        return ()
    from sycllint.kernel.dimensions import reducers

    return reducers(code)


@makes("OutOfDimensions")
def _out_of_dimensions(code: KernelCode) -> Iterable[object]:
    from sycllint.kernel.dimensions import out_of_dimensions

    return out_of_dimensions(code)


@makes("IdleBarrier")
def _idle_barriers(code: KernelCode) -> Iterable[object]:
    if not code.scan.barriers:
        return ()
    from sycllint.kernel.idle_barriers import idle_barriers

    return idle_barriers(code)


@makes("SpinWait")
def _spin_waits(code: KernelCode) -> Iterable[object]:
    if not code.scan.loops:
        return ()
    from sycllint.kernel.spins import spin_waits

    return spin_waits(code)


@makes("Forbidden")
def _restrictions(code: KernelCode) -> Iterable[object]:
    from sycllint.kernel.restrictions import restrictions

    return restrictions(code)


@makes(
    "Captured",
    "Collapse",
    "Conflict",
    "GroupOverwrite",
    "IdleBarrier",
    "OutOfRange",
    "Reach",
    "ReadBeforeWrite",
    "SharedSum",
    "Stride",
    "UsedPrivately",
    "WeakFence",
    "WithinSubGroup",
)
def _shared_memory(code: KernelCode) -> Iterable[object]:
    from sycllint.kernel.shared_memory import shared_memory

    return shared_memory(code)


@makes("RowExchange", "RowLeader")
def _row_leaders(code: KernelCode) -> Iterable[object]:
    if (code.geometry.dims or 0) < 2 or not code.mentions(b"sub_group"):
        return ()
    from sycllint.kernel.rows import row_leaders

    return row_leaders(code)


@makes("SmallState")
def _small_states(code: KernelCode) -> Iterable[object]:
    if code.geometry.registers is None:
        return ()
    from sycllint.kernel.state import small_states

    return small_states(code)


@makes("DoubleLiteral")
def _double_literals(code: KernelCode) -> Iterable[object]:
    from sycllint.kernel.literals import double_literals

    return double_literals(code)


@makes("PrivateState", "RunTimeIndex")
def _private_state(code: KernelCode) -> Iterable[object]:
    if not code.scan.arrays:
        return ()
    from sycllint.kernel.registers import private_state

    return private_state(code)


@makes("VolatilePrivate")
def _volatile_objects(code: KernelCode) -> Iterable[object]:
    if not code.mentions(b"volatile"):
        return ()
    from sycllint.kernel.registers import volatile_objects

    return volatile_objects(code)


@makes("UnguardedAccess")
def _unguarded_accesses(code: KernelCode) -> Iterable[object]:
    from sycllint.kernel.bounds import unguarded_accesses

    return unguarded_accesses(code)


@makes("LateBound")
def _late_bounds(code: KernelCode) -> Iterable[object]:
    from sycllint.kernel.bounds import late_bounds

    return late_bounds(code)


@makes("ChunkedAccess", "GroupOffset", "SlowFirst")
def _traffic(code: KernelCode) -> Iterable[object]:
    if not code.geometry.dims:
        return ()
    from sycllint.kernel.traffic import traffic

    return traffic(code)


@makes("DroppedRemainder")
def _dropped_remainders(code: KernelCode) -> Iterable[object]:
    if not code.geometry.dims:
        return ()
    from sycllint.kernel.remainders import dropped_remainders

    return dropped_remainders(code)


@makes("ContendedAtomic", "StrongAtomic")
def _atomics(code: KernelCode) -> Iterable[object]:
    if not code.mentions(b"atomic"):
        return ()
    from sycllint.kernel.atomics import atomics

    return atomics(code)


@makes("SmallPower", "StandardMath")
def _mathematics(code: KernelCode) -> Iterable[object]:
    from sycllint.kernel.mathematics import mathematics

    return mathematics(code)


@makes("SerialLoop")
def _serial_loops(code: KernelCode) -> Iterable[object]:
    if not code.scan.loops:
        return ()
    from sycllint.kernel.serial import serial_loops

    return serial_loops(code)


@makes("UnrolledLoop")
def _unrolled_loops(code: KernelCode) -> Iterable[object]:
    if not code.mentions(b"unroll"):
        return ()
    from sycllint.kernel.serial import unrolled_loops

    return unrolled_loops(code)


@makes("VectorArray", "WideArray")
def _private_arrays(code: KernelCode) -> Iterable[object]:
    if not code.scan.arrays:
        return ()
    from sycllint.kernel.private_arrays import private_arrays

    return private_arrays(code)


@makes("Stream")
def _streams(code: KernelCode) -> Iterable[object]:
    scan = code.scan
    if code.geometry.dims != 1 or scan.barriers or scan.local or scan.arrays or scan.sub_group_operations:
        return ()
    from sycllint.kernel.streams import streams

    return streams(code)


@makes("Stencil")
def _stencils(code: KernelCode) -> Iterable[object]:
    if not code.geometry.local or code.local or code.scan.local:
        return ()
    from sycllint.kernel.stencils import stencils

    return stencils(code)


@makes("DivergentBranch")
def _divergent_branches(code: KernelCode) -> Iterable[object]:
    if not code.geometry.local:
        return ()
    from sycllint.kernel.divergent_branches import divergent_branches

    return divergent_branches(code)


@makes("PastEnd")
def _past_ends(code: KernelCode) -> Iterable[object]:
    if not (code.geometry.local and code.geometry.whole):
        return ()
    from sycllint.kernel.past_ends import past_ends

    return past_ends(code)


ANALYSES: tuple[Analysis[KernelCode], ...] = (
    _missed_barriers,
    _assumed_widths,
    _kernel_parameter,
    _reducers,
    _out_of_dimensions,
    _idle_barriers,
    _spin_waits,
    _restrictions,
    _shared_memory,
    _row_leaders,
    _small_states,
    _double_literals,
    _private_state,
    _volatile_objects,
    _unguarded_accesses,
    _late_bounds,
    _traffic,
    _dropped_remainders,
    _atomics,
    _mathematics,
    _serial_loops,
    _unrolled_loops,
    _private_arrays,
    _streams,
    _stencils,
    _divergent_branches,
    _past_ends,
)


def observe(code: KernelCode, wanted: Wanted) -> Observations:
    """What the analyses of records that are wanted see in one kernel.

    They ask beside the question at hand: the parameters they ask for are no reason to look at more ways to the launch.
    """
    evaluator = code.evaluator
    free, evaluator.free = evaluator.free, {}
    work, evaluator.work = evaluator.work, 0
    seen = observed(ANALYSES, code, wanted)
    evaluator.free, evaluator.work = free, work
    return seen
