"""The analyses of a kernel's body: for each, which records it makes, and what a kernel must have for it to be loaded.

An analysis is a function from ``KernelCode`` to records: frozen, hashable dataclasses with locations and values in
them, which a rule finds with ``launch.kernel.seen.of(...)``. It declares the kinds of records that it makes, and is run
where a rule judges one of them. Most kernels have no barrier, no local memory and no private array: an analysis is
loaded for the first kernel that can show what it looks for.
"""

from collections.abc import Iterable

from sycllint.device_code.code import KernelCode
from sycllint.observation import Analysis, Observations, Wanted, makes, observed


@makes("MissedBarrier")
def _missed_barriers(code: KernelCode) -> Iterable[object]:
    # Of calls that only the way to the kernel explains, the scan knows nothing: it is one for all of them.
    by_the_way = code.scan.calls_unknown and code.evaluator.frame is not None
    if not (code.scan.barriers or code.scan.sub_group_operations or by_the_way):
        return ()
    from sycllint.device_code.checks.missed_barriers import missed_barriers

    return missed_barriers(code)


@makes("AssumedWidth")
def _assumed_widths(code: KernelCode) -> Iterable[object]:
    if not code.scan.sub_group_operations:
        return ()
    from sycllint.device_code.checks.assumed_widths import assumed_widths

    return assumed_widths(code)


@makes("KernelParameter")
def _kernel_parameter(code: KernelCode) -> Iterable[object]:
    from sycllint.device_code.checks.dimensions import kernel_parameter

    return kernel_parameter(code)


@makes("Reducer")
def _reducers(code: KernelCode) -> Iterable[object]:
    if len(code.function.parameters) < 2:
        return ()
    from sycllint.device_code.checks.dimensions import reducers

    return reducers(code)


@makes("OutOfDimensions")
def _out_of_dimensions(code: KernelCode) -> Iterable[object]:
    from sycllint.device_code.checks.dimensions import out_of_dimensions

    return out_of_dimensions(code)


@makes("IdleBarrier")
def _idle_barriers(code: KernelCode) -> Iterable[object]:
    if not code.scan.barriers:
        return ()
    from sycllint.device_code.checks.idle_barriers import idle_barriers

    return idle_barriers(code)


@makes("SpinWait")
def _spin_waits(code: KernelCode) -> Iterable[object]:
    if not code.scan.loops:
        return ()
    from sycllint.device_code.checks.spin_waits import spin_waits

    return spin_waits(code)


@makes("Forbidden")
def _restrictions(code: KernelCode) -> Iterable[object]:
    from sycllint.device_code.checks.restrictions import restrictions

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
    from sycllint.device_code.checks.shared_memory import shared_memory

    return shared_memory(code)


@makes("RowExchange", "RowLeader")
def _row_leaders(code: KernelCode) -> Iterable[object]:
    if (code.geometry.dims or 0) < 2 or not code.mentions(b"sub_group"):
        return ()
    from sycllint.device_code.checks.rows import row_leaders

    return row_leaders(code)


@makes("SmallState")
def _small_states(code: KernelCode) -> Iterable[object]:
    if code.geometry.registers is None:
        return ()
    from sycllint.device_code.checks.small_state import small_states

    return small_states(code)


@makes("DoubleLiteral")
def _double_literals(code: KernelCode) -> Iterable[object]:
    from sycllint.device_code.checks.literals import double_literals

    return double_literals(code)


@makes("PrivateState", "RunTimeIndex")
def _private_state(code: KernelCode) -> Iterable[object]:
    if not code.scan.arrays:
        return ()
    from sycllint.device_code.checks.registers import private_state

    return private_state(code)


@makes("VolatilePrivate")
def _volatile_objects(code: KernelCode) -> Iterable[object]:
    if not code.mentions(b"volatile"):
        return ()
    from sycllint.device_code.checks.registers import volatile_objects

    return volatile_objects(code)


@makes("UnguardedAccess")
def _unguarded_accesses(code: KernelCode) -> Iterable[object]:
    from sycllint.device_code.checks.bounds import unguarded_accesses

    return unguarded_accesses(code)


@makes("LateBound")
def _late_bounds(code: KernelCode) -> Iterable[object]:
    from sycllint.device_code.checks.bounds import late_bounds

    return late_bounds(code)


@makes("ChunkedAccess", "GroupOffset", "SlowFirst")
def _traffic(code: KernelCode) -> Iterable[object]:
    if not code.geometry.dims:
        return ()
    from sycllint.device_code.checks.traffic import traffic

    return traffic(code)


@makes("DroppedRemainder")
def _dropped_remainders(code: KernelCode) -> Iterable[object]:
    if not code.geometry.dims:
        return ()
    from sycllint.device_code.checks.remainders import dropped_remainders

    return dropped_remainders(code)


@makes("ContendedAtomic", "StrongAtomic")
def _atomics(code: KernelCode) -> Iterable[object]:
    if not code.mentions(b"atomic"):
        return ()
    from sycllint.device_code.checks.atomics import atomics

    return atomics(code)


@makes("SmallPower", "StandardMath")
def _mathematics(code: KernelCode) -> Iterable[object]:
    from sycllint.device_code.checks.mathematics import mathematics

    return mathematics(code)


@makes("SerialLoop")
def _serial_loops(code: KernelCode) -> Iterable[object]:
    if not code.scan.loops:
        return ()
    from sycllint.device_code.checks.serial_loops import serial_loops

    return serial_loops(code)


@makes("UnrolledLoop")
def _unrolled_loops(code: KernelCode) -> Iterable[object]:
    if not code.mentions(b"unroll"):
        return ()
    from sycllint.device_code.checks.serial_loops import unrolled_loops

    return unrolled_loops(code)


@makes("VectorArray", "WideArray")
def _private_arrays(code: KernelCode) -> Iterable[object]:
    if not code.scan.arrays:
        return ()
    from sycllint.device_code.checks.private_arrays import private_arrays

    return private_arrays(code)


@makes("Stream")
def _streams(code: KernelCode) -> Iterable[object]:
    scan = code.scan
    if code.geometry.dims != 1 or scan.barriers or scan.local or scan.arrays or scan.sub_group_operations:
        return ()
    from sycllint.device_code.checks.streams import streams

    return streams(code)


@makes("Stencil")
def _stencils(code: KernelCode) -> Iterable[object]:
    if not code.geometry.local or code.local or code.scan.local:
        return ()
    from sycllint.device_code.checks.stencils import stencils

    return stencils(code)


@makes("DivergentBranch")
def _divergent_branches(code: KernelCode) -> Iterable[object]:
    if not code.geometry.local:
        return ()
    from sycllint.device_code.checks.divergent_branches import divergent_branches

    return divergent_branches(code)


@makes("PastEnd")
def _past_ends(code: KernelCode) -> Iterable[object]:
    if not (code.geometry.local and code.geometry.whole):
        return ()
    from sycllint.device_code.checks.past_ends import past_ends

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
