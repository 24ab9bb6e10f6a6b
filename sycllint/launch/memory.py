"""Memory of a launch: local (per work-group) and private (per work-item), in bytes."""

from dataclasses import dataclass

from sycllint.source.span import Location
from sycllint.values.value import Value


@dataclass(frozen=True, slots=True)
class LocalAllocation:
    """One local accessor or in-kernel allocation. ``element`` is the type as written."""

    name: str
    element: str
    count: Value
    bytes: Value
    location: Location


@dataclass(frozen=True, slots=True)
class LocalMemory:
    """All local memory of a work-group. ``total`` is in bytes, known 0 when there is none."""

    allocations: tuple[LocalAllocation, ...]
    total: Value
    at_least: int
    """Bytes of the allocations whose size is known."""


@dataclass(frozen=True, slots=True)
class PrivateArray:
    """An array that each work-item has for itself."""

    name: str
    bytes: Value
    location: Location


@dataclass(frozen=True, slots=True)
class PrivateMemory:
    """Private arrays of one work-item. ``total`` is in bytes."""

    arrays: tuple[PrivateArray, ...]
    total: Value
