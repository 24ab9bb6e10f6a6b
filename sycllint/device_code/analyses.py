"""The analyses of a kernel's body: for each, which records it makes, and what a kernel must have for it to be loaded.

An analysis is a function from ``KernelCode`` to records: frozen, hashable dataclasses with locations and values in
them, which a rule finds with ``launch.kernel.seen.of(...)``. It declares the kinds of records that it makes, and is run
where a rule judges one of them. Most kernels have no barrier, no local memory and no private array: an analysis is
loaded for the first kernel that can show what it looks for.
"""

from collections.abc import Callable

from sycllint.device_code.code import KernelCode
from sycllint.observation import Analysis, Observations, Wanted, loaded, observed


def _may_miss_barriers(code: KernelCode) -> bool:
    # Of calls that only the way to the kernel explains, the scan knows nothing: it is one for all of them.
    by_the_way = code.scan.barriers_unknown and code.evaluator.frame is not None
    return bool(code.scan.barriers or code.scan.sub_group_operations or by_the_way)


def _may_stream(code: KernelCode) -> bool:
    scan = code.scan
    return code.geometry.dims == 1 and not (scan.barriers or scan.local or scan.arrays or scan.sub_group_operations)


def _may_have_rows(code: KernelCode) -> bool:
    return (code.geometry.dims or 0) >= 2 and code.mentions(b"sub_group")


def _may_discard(code: KernelCode) -> bool:
    return any(map(code.mentions, (b"no_init", b"noinit", b"discard_")))


def _check(name: str, *kinds: str, where: Callable[[KernelCode], object] | None = None) -> Analysis[KernelCode]:
    return loaded(f"sycllint.device_code.checks.{name}", *kinds, where=where)


_SHARED = (
    *(
        "Captured",
        "Collapse",
        "Conflict",
        "GroupOverwrite",
        "IdleBarrier",
        "InPlace",
        "NarrowAtomic",
        "OutOfRange",
        "Reach",
    ),
    *("ReadBeforeWrite", "SharedSum", "Stride", "UsedPrivately", "WeakFence", "WithinSubGroup"),
)

ANALYSES: tuple[Analysis[KernelCode], ...] = (
    _check("missed_barriers.missed_barriers", "MissedBarrier", where=_may_miss_barriers),
    _check("assumed_widths.assumed_widths", "AssumedWidth", where=lambda code: code.scan.sub_group_operations),
    _check("dimensions.kernel_parameter", "KernelParameter"),
    _check("dimensions.reducers", "Reducer", where=lambda code: len(code.function.parameters) >= 2),
    _check("dimensions.out_of_dimensions", "OutOfDimensions"),
    _check("idle_barriers.idle_barriers", "IdleBarrier", where=lambda code: code.scan.barriers),
    _check("spin_waits.spin_waits", "SpinWait", where=lambda code: code.scan.loops),
    _check("restrictions.restrictions", "Forbidden"),
    _check("shared_memory.shared_memory", *_SHARED),
    _check("rows.row_leaders", "RowExchange", "RowLeader", where=_may_have_rows),
    _check("small_state.small_states", "SmallState", where=lambda code: code.geometry.registers is not None),
    _check("literals.double_literals", "DoubleLiteral"),
    _check("registers.private_state", "PrivateState", "RunTimeIndex", where=lambda code: code.scan.arrays),
    _check("registers.volatile_objects", "VolatilePrivate", where=lambda code: code.mentions(b"volatile")),
    _check("bounds.unguarded_accesses", "UnguardedAccess"),
    _check("bounds.late_bounds", "LateBound"),
    _check("traffic.traffic", "ChunkedAccess", "GroupOffset", "SlowFirst", where=lambda code: code.geometry.dims),
    _check("remainders.dropped_remainders", "DroppedRemainder", where=lambda code: code.geometry.dims),
    _check("atomics.atomics", "ContendedAtomic", "StrongAtomic", where=lambda code: code.mentions(b"atomic")),
    _check("mathematics.mathematics", "SmallPower", "StandardMath"),
    _check("serial_loops.serial_loops", "SerialLoop", where=lambda code: code.scan.loops),
    _check("serial_loops.unrolled_loops", "UnrolledLoop", where=lambda code: code.mentions(b"unroll")),
    _check("private_arrays.private_arrays", "VectorArray", "WideArray", where=lambda code: code.scan.arrays),
    _check("streams.streams", "Stream", where=_may_stream),
    _check(
        "stencils.stencils",
        "Stencil",
        where=lambda code: code.geometry.local and not (code.local or code.scan.local),
    ),
    _check("divergent_branches.divergent_branches", "DivergentBranch", where=lambda code: code.geometry.local),
    _check("past_ends.past_ends", "PastEnd", where=lambda code: code.geometry.whole),
    _check("discarded_contents.discarded_reads", "DiscardedRead", where=_may_discard),
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
