"""One kernel in one launch, as its analyses are given it: the function, the values that hold there, the index space."""

from functools import cache
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Expr, Lambda
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function
from sycllint.device_code.scanning.scan import Scan
from sycllint.record import field, record
from sycllint.source.span import Location
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Frame
from sycllint.values.value import Value, all_known

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sycllint.device_code.bodies.reading import DeviceFunction, DeviceFunctions
    from sycllint.ir import body as ir
    from sycllint.ir.callgraph import CallGraph


@cache
def _reading() -> "Callable[[Evaluator], DeviceFunctions]":
    from sycllint.device_code.bodies.reading import readings

    return readings.of


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
    has_offset: bool = False
    """Global ids need not begin at zero."""

    @property
    def last_group(self) -> tuple[int, ...] | None:
        """The ids of the last work-group; ``None`` when it is not known how many there are."""
        whole, local = all_known(self.whole or ()), all_known(self.local or ())
        if not whole or not local or len(whole) != len(local) or 0 in local:
            return None
        return tuple([items // size - 1 for items, size in zip(whole, local, strict=True)])


@record
class LocalArray:
    """Local memory that the launch hands, or may hand, to its kernel."""

    name: str
    count: Value
    """Elements."""
    bytes: Value
    location: Location
    extents: tuple[Value, ...] = ()
    """Slowest dimension first; empty when the range is not visible."""
    is_accessor: bool = True
    """``name`` is surely that of a local accessor."""


@record
class KernelCode:
    """One kernel in one launch: its visible function, and the values that hold there."""

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
    submitted: Place | None = None
    """Where the launch is written."""
    on_ways: "Callable[[Expr, Place], Sequence[Value]]" = field(default=lambda *_: (), compare=False, repr=False)
    """The value of an expression in host code, once for each path of visible calls to it."""

    @property
    def reading(self) -> "DeviceFunctions":
        """The nodes of the functions of the file's kernels, by kind."""
        return _reading()(self.evaluator)

    @property
    def bodies(self) -> "tuple[DeviceFunction, ...]":
        """The kernel, and the functions of the project that it surely calls."""
        return self.reading.bodies(self.function, self.place)

    @property
    def instance(self) -> "Lambda | Function | DeviceFunction":
        """The kernel with the lambdas that it is handed: the same on all ways to it on which these are."""
        return self.reading.instance(self.function, self.place)

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
        return self.evaluator.facts.location(*body.written(position))

    def mentions(self, word: bytes) -> bool:
        """Whether the word stands anywhere in the unit: what it never spells, no analysis finds."""
        evaluator = self.evaluator
        return evaluator.facts.spells(word) or any(word in value.encode() for value in evaluator.defines.values())
