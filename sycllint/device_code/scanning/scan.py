"""What was seen of a kernel: barriers, operations of sub-groups, loops, arrays, and how certain they are."""

from collections.abc import Iterable

from sycllint.cpp.expression import Expr, Type
from sycllint.device_code.group_functions import GroupFunction
from sycllint.record import field, mutable, record, replace
from sycllint.source.span import Location
from sycllint.values.arithmetic import join
from sycllint.values.certainty import truth
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Frame, Point
from sycllint.values.value import Known, Value


@record
class Sized:
    """An array or a local allocation made in a kernel, and where its type was read, to be measured again."""

    name: str
    element: str
    bytes: Value
    location: Location
    type: Type | None
    """``None`` when the size cannot be read off a type."""
    point: Point
    frame: Frame | None
    """The calls inside the kernel that lead there."""
    is_open: bool = False
    """Its size depends on the call path to the kernel."""
    optional: bool = False
    """It is made in some builds, or in one of several functions that may be called."""

    def measured(self, evaluator: Evaluator, frame: Frame | None) -> "Sized":
        """The same for a kernel that is reached by ``frame``."""
        if self.type is None or not self.is_open:
            return self
        inner = evaluator.frames.rooted(self.frame, frame)
        size = evaluator.under(inner, evaluator.sizes.of_type, self.type, self.point)
        return replace(self, bytes=join([Known(0), size]) if self.optional else size)


@mutable
class Scan:
    """What was seen; filled while walking."""

    body_found: bool = True
    barriers: list[Location] = field(default_factory=list)
    group_functions: dict[Location, GroupFunction] = field(default_factory=dict)
    """Those among the barriers that hand values around, by where they are called."""
    sub_group_operations: list[Location] = field(default_factory=list)
    loops: list[Location] = field(default_factory=list)
    statements: int = 0
    calls_unknown: bool = False
    """Code that may hold a barrier is not visible, or is there only in some builds."""
    barriers_unknown: bool = False
    """A barrier is there only in some builds, or what is handed an item is not visible from the kernel alone."""
    questions: list[tuple[Expr, Point, Frame | None]] = field(default_factory=list)
    """Conditions on template arguments that decide whether a barrier is there, and the calls that lead to them."""
    arrays: list[Sized] = field(default_factory=list)
    local: list[Sized] = field(default_factory=list)
    """Local memory made inside the kernel."""

    def reach(self, barriers: Iterable[Location]) -> None:
        """These barriers are passed, once more or for the first time."""
        self.barriers += [each for each in barriers if each not in self.barriers]

    def answers(self, evaluator: Evaluator, frame: Frame | None) -> tuple[bool | None, ...]:
        """The answers to ``questions`` in a kernel that is reached by ``frame``."""
        rooted, under = evaluator.frames.rooted, evaluator.under
        return tuple(
            under(rooted(inner, frame), truth, evaluator, condition, point)
            for condition, point, inner in self.questions
        )

    def measured(self, evaluator: Evaluator, frame: Frame | None) -> "Scan":
        """The same for a kernel that is reached by ``frame``, as far as sizes go."""
        return replace(
            self,
            arrays=[each.measured(evaluator, frame) for each in self.arrays],
            local=[each.measured(evaluator, frame) for each in self.local],
        )


class Ways:
    """Ways of which one is taken, as a scan follows one after the other."""

    def __init__(self, scan: Scan, *, count: int = 1, is_complete: bool = True) -> None:
        self.barriers: list[list[Location]] = []
        """Those of each way so far."""
        self._scan = scan
        self._before = scan.barriers
        self._is_complete = is_complete
        """One of the ways is surely taken."""
        self._is_choice = count > 1 or not is_complete
        self._made = len(scan.arrays), len(scan.local)

    def part(self) -> None:
        """The next way begins."""
        self._scan.barriers = []
        self.barriers.append(self._scan.barriers)

    def meet(self, taken: bool | None) -> None:
        """Behind the two branches of an ``if``: a barrier of one that is surely not taken is none."""
        self._scan.barriers = self._before
        for found, branch in zip(self.barriers, (True, False), strict=False):
            if taken is None or taken is branch:
                self._scan.reach(found)

    def join(self) -> None:
        """Behind all ways: there is a barrier where each of them has one, and what some allocate is not sure."""
        scan = self._scan
        scan.barriers = self._before
        if self._is_choice:
            arrays, local = self._made
            scan.arrays[arrays:] = map(_optional, scan.arrays[arrays:])
            scan.local[local:] = map(_optional, scan.local[local:])
        if self._is_complete and all(self.barriers):
            scan.reach(each for found in self.barriers for each in found)
        elif any(self.barriers):
            scan.calls_unknown = scan.barriers_unknown = True


def _optional(sized: Sized) -> Sized:
    return replace(sized, bytes=join([Known(0), sized.bytes]), optional=True)
