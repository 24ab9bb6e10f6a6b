"""The local and private memory of a kernel, added up."""

from collections.abc import Sequence

from sycllint.device_code.scanning.scan import Scan
from sycllint.launch.memory import LocalAllocation, LocalMemory, PrivateArray, PrivateMemory
from sycllint.values.arithmetic import ULONG, Scalar, binary, join
from sycllint.values.symbolic import settled
from sycllint.values.value import Known, Unknown, Value


def local_memory(scan: Scan, accessors: Sequence[LocalAllocation]) -> LocalMemory:
    """That of the accessors of a launch, and what its kernel makes itself."""
    made = [LocalAllocation(each.name, each.element, Known(1), each.bytes, each.location) for each in scan.local]
    found = (*accessors, *made)
    known = sum(each.bytes.value for each in found if isinstance(each.bytes, Known))
    return LocalMemory(found, _total(_chosen(found)), known)


def _chosen(allocations: Sequence[LocalAllocation]) -> list[Value]:
    """The sizes to be added up: what one conditional decides is one choice among its branches."""
    sizes = [each.bytes for each in allocations if each.choice is None]
    branches: dict[int, dict[int, list[Value]]] = {}
    complete: dict[int, bool] = {}
    for choice in (each.choice for each in allocations if each.choice is not None):
        branches.setdefault(choice.conditional, {}).setdefault(choice.branch, []).append(choice.bytes)
        complete[choice.conditional] = choice.complete
    for conditional, taken in branches.items():
        sums = [_total(each) for each in taken.values()]
        if not complete[conditional]:
            sums.append(Known(0))
        sizes.append(sums[0] if all(each == sums[0] for each in sums) else join(sums))
    return sizes


def private_memory(scan: Scan) -> PrivateMemory:
    """The arrays of a work-item."""
    arrays = tuple(PrivateArray(each.name, each.bytes, each.location) for each in scan.arrays)
    return PrivateMemory(arrays, _total([each.bytes for each in arrays]))


def _total(sizes: list[Value]) -> Value:
    total: Value = Known(0)
    for size in sizes:
        step = binary("+", Scalar(total, ULONG), Scalar(size, ULONG))
        total = step.value if isinstance(step, Scalar) else Unknown("not a number")
    return settled(total)
