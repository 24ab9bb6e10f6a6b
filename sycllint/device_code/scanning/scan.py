"""What was seen of a kernel: barriers, operations of sub-groups, loops, arrays, and how certain they are."""

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
    """Its size hangs on how the kernel is reached."""
    optional: bool = False
    """It is made in some builds, or in one of several functions that may be called."""

    def measured(self, evaluator: Evaluator, frame: Frame | None) -> "Sized":
        """The same for a kernel that is reached by ``frame``."""
        if self.type is None or not self.is_open:
            return self
        outer, evaluator.frame = evaluator.frame, evaluator.frames.rooted(self.frame, frame)
        size = evaluator.sizes.of_type(self.type, self.point)
        evaluator.frame = outer
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
    """Something that may hold a barrier is not in sight, or is there only in some builds."""
    questions: list[tuple[Expr, Point, Frame | None]] = field(default_factory=list)
    """Conditions on template arguments that decide whether a barrier is there, and the calls that lead to them."""
    arrays: list[Sized] = field(default_factory=list)
    local: list[Sized] = field(default_factory=list)
    """Local memory made inside the kernel."""

    def answers(self, evaluator: Evaluator, frame: Frame | None) -> tuple[bool | None, ...]:
        """The answers to ``questions`` in a kernel that is reached by ``frame``."""
        outer = evaluator.frame
        found: list[bool | None] = []
        for condition, point, inner in self.questions:
            evaluator.frame = evaluator.frames.rooted(inner, frame)
            found.append(truth(evaluator, condition, point))
        evaluator.frame = outer
        return tuple(found)

    def measured(self, evaluator: Evaluator, frame: Frame | None) -> "Scan":
        """The same for a kernel that is reached by ``frame``, as far as sizes go."""
        return replace(
            self,
            arrays=[each.measured(evaluator, frame) for each in self.arrays],
            local=[each.measured(evaluator, frame) for each in self.local],
        )
