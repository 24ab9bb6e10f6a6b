"""Arrays and local memory that a kernel makes, with their sizes."""

from sycllint.cpp.expression import Expr, Name, Type
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Variable
from sycllint.device_code.scanning.scan import Scan, Sized
from sycllint.source.span import Location
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point
from sycllint.values.value import Unknown


class Allocations:
    """Writes into the scan of one kernel."""

    def __init__(self, evaluator: Evaluator, scan: Scan) -> None:
        self._evaluator = evaluator
        self._scan = scan
        self._way = evaluator.frame
        """The call path to the kernel, where it is scanned for one: then it does not show what depends on the path."""

    def array(self, variable: Variable, point: Point, where: Location) -> None:
        """An array that each work-item has for itself."""
        entry = self._sized(variable.name, "", variable.type, point, where)
        if not any(each.location == entry.location and each.bytes == entry.bytes for each in self._scan.arrays):
            self._scan.arrays.append(entry)

    def local(self, name: str, element: Expr, place: Place, where: Location) -> None:
        """Local memory for an object of the type ``element``, which is written at ``place``."""
        kind = element if isinstance(element, Type) else None
        if isinstance(element, Name):
            kind = Type(element, 0, False, False, (), element.start, element.end)
        if kind is None:
            unknown = self._evaluator.unknown("the size of a local allocation", None)
            self.of_unknown_size(name, unknown, Point(place, where.span.start), where)
        else:
            self._scan.local.append(self._sized(name, kind.name.text, kind, Point(place, kind.start), where))

    def of_unknown_size(self, name: str, size: Unknown, point: Point, where: Location) -> None:
        """Local memory whose size is not read off a type."""
        self._scan.local.append(Sized(name, "", size, where, None, point, self._evaluator.frame))

    def _sized(self, name: str, element: str, kind: Type, point: Point, where: Location) -> Sized:
        evaluator = self._evaluator
        asked, evaluator.free = evaluator.free, {}
        size = evaluator.sizes.of_type(kind, point)
        is_open = self._way is not None or bool(evaluator.free)
        evaluator.free = asked | evaluator.free
        calls = evaluator.frames.within(evaluator.frame, self._way)
        return Sized(name, element, size, where, kind, point, calls, is_open)
