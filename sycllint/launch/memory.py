"""Memory of a launch: local (per work-group) and private (per work-item), in bytes."""

from sycllint.record import record, replace
from sycllint.source.span import Location
from sycllint.values.value import Known, Value, known


@record
class PreprocessorBranch:
    """The branch of a preprocessor conditional in which an allocation is made."""

    conditional: int
    """Offset of the conditional."""
    branch: int
    complete: bool
    """One of the branches is surely compiled."""
    bytes: Value
    """What the allocation takes where it is compiled."""


@record
class LocalAllocation:
    """One local accessor or in-kernel allocation. ``element`` is the type as written."""

    name: str
    element: str
    count: Value
    bytes: Value
    location: Location
    choice: PreprocessorBranch | None = None
    """Set when it is there or not, as a conditional decides: 0 is then among ``bytes``."""
    extents: tuple[Value, ...] = ()
    """Of a local accessor whose range is visible, slowest dimension first; ``count`` is their product."""
    is_accessor: bool = True
    """``name`` is surely that of a local accessor: not of an object that holds one, or of what a function that is not
    visible makes with the handler."""


@record
class LocalMemory:
    """All local memory of a work-group. ``total`` is in bytes, known 0 when there is none."""

    allocations: tuple[LocalAllocation, ...]
    total: Value
    at_least: int
    """Bytes of the allocations whose size is known."""

    added: int = 0
    """Bytes of the total that a compiler is taken to add: no allocation stands for them."""

    def with_more(self, count: int) -> "LocalMemory":
        """The same with ``count`` bytes that a compiler adds, where the total is known."""
        total = known(self.total)
        if total is None:
            return self
        return replace(self, total=Known(total + count), at_least=self.at_least + count, added=count)


@record
class PrivateArray:
    """An array that each work-item has for itself."""

    name: str
    bytes: Value
    location: Location


@record
class PrivateMemory:
    """Private arrays of one work-item. ``total`` is in bytes."""

    arrays: tuple[PrivateArray, ...]
    total: Value
