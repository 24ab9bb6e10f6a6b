"""Kind, dimensions and ranges of a launch, from its arguments and its kernel's parameter."""

from sycllint.cpp.expression import Binary, Brace, Call, Conditional, Expr, Lambda, Member, Name, Opaque
from sycllint.cpp.statement import Variable
from sycllint.launch.kernel import LaunchKind, Range
from sycllint.launch.submission.callable import KernelFunction
from sycllint.launch.submission.helper_calls import HelperCall
from sycllint.launch.submission.policies import is_policy
from sycllint.launch.submission.recognition import GROUPED
from sycllint.record import record, replace
from sycllint.source.span import Location, Span
from sycllint.values.arithmetic import ULONG, Scalar, binary
from sycllint.values.evaluate import Evaluator
from sycllint.values.object_model.dim3 import padded, scaled
from sycllint.values.objects import ListObject, NdRangeObject, Point, RangeObject, Result
from sycllint.values.value import Known, Symbolic, Unknown, Value, is_unset, set_up

_ITEMS = frozenset({"item", "id", "h_item"})
_RANGES = frozenset({"range", "id"})
"""What a launch without work-groups hands its kernel, and is given."""
_NUMBERS = frozenset({"size", "length", "get_count", "byte_size", "get_range"})
"""Methods that give a number or a range, of whatever class."""


@record
class Shape:
    """Kind, dimensions and ranges of a launch."""

    kind: LaunchKind
    dims: int | None
    whole: Range | None
    local: Range | None
    sizes: tuple[Expr, ...] = ()
    """What the local range is written as; all of the range when its parts stand elsewhere."""
    has_offset: bool = False
    """Global ids need not begin at zero."""


class Shapes:
    """Shapes of the launches of one file."""

    def __init__(self, evaluator: Evaluator, path: str, use: Location | None = None) -> None:
        """``use``: of the macro of another file that writes the launch; there the sizes are then said to stand."""
        self._evaluator = evaluator
        self._path = path
        self._use = use

    def of(self, method: str, arguments: tuple[Expr, ...], kernel: KernelFunction | None, point: Point) -> Shape:
        """The shape of ``method(arguments)``: one extent per dimension, each of them known or not."""
        item = kernel.item.name if kernel is not None and kernel.item is not None else None
        wanted = self._evaluator.types.kind(item).sycl if item is not None else ""
        dims = self._evaluator.types.dimensions(item) if item is not None else None
        if method == "single_task":
            return Shape(LaunchKind.SINGLE_TASK, 0, None, None)
        if not arguments:
            return Shape(LaunchKind.RANGE, dims, None, None)
        first = arguments[0]
        if isinstance(first, Opaque) and first.is_pack:
            return self._handed_on(first, self._evaluator.unknown("arguments handed on as a pack", first), None)
        if method == "parallel_for_work_group":
            return self._work_group(arguments, dims, point)
        if method == GROUPED and len(arguments) > 1:
            whole, local = (self._evaluator.as_range(each, point, dims) for each in arguments[:2])
            return self._nd_range(first, NdRangeObject(whole, local), dims, arguments)
        result = self._evaluator.evaluate(first, point)
        if isinstance(result, NdRangeObject):
            return self._nd_range(first, result, dims, _parts(first))
        if wanted == "nd_item":
            if isinstance(result, ListObject) and len(result.elements) in (2, 3):
                parts = result.elements
                whole = self._evaluator.as_range(parts[0], result.point, dims)
                local = self._evaluator.as_range(parts[1], result.point, dims)
                return self._nd_range(first, NdRangeObject(whole, local, len(parts) > 2), dims, parts)
            if isinstance(result, RangeObject):
                # Not what the kernel takes: it does not compile.
                return self._flat(first, result, None, point)
            return self._unknown(first, result, dims)
        made = _made(first)
        if (made is not None and made.last == "nd_range") or self._is_nd_range(first, point):
            return self._unknown(first, result, dims or self._declared_dimensions(first, point))
        unknown = result.value if isinstance(result, Scalar) else result
        if isinstance(unknown, Unknown | Symbolic) and not self._is_flat(first, item, point):
            return self._handed_on(first, unknown, dims)
        return self._flat(first, result, dims, point)

    def begins_at_id(self, arguments: tuple[Expr, ...], point: Point) -> bool:
        """Whether the one argument between the range and the kernel is the id at which a launch begins."""
        if len(arguments) != 3:
            return False
        begin = arguments[1]
        typed = self._evaluator.static_types.of(begin, point)
        if typed is not None:
            return self._is_flat_type(typed.type.name, typed.point, _RANGES)
        return isinstance(self._evaluator.evaluate(begin, point), RangeObject | Scalar)

    def local_alone(self, first: Expr, point: Point) -> Range | None:
        """The local range of an nd_range that is written with both parts; the global one is not looked at."""
        name = _made(first)
        parts = _parts(first) or ()
        if name is None or len(parts) not in (2, 3) or name.text in self._evaluator.facts.macros:
            return None
        kind = self._evaluator.kind(name, point)
        if kind.sycl != "nd_range":
            return None
        local = self._evaluator.as_range(parts[1], point, self._evaluator.types.dimensions(kind.name))
        return self._range(local, parts[1], local.ways)

    def compatible(self, arguments: tuple[Expr, ...], point: Point, *, has_blocks: bool = False) -> Shape:
        """The shape of ``launch<kernel>``: by a policy, an nd_range, or a grid and its blocks.

        ``has_blocks`` is set where only the last of these can be.
        """
        evaluator, first = self._evaluator, arguments[0]
        dim3 = evaluator.construction.dim3
        made = evaluator.evaluate(first, point)
        if is_policy(evaluator, first, point):
            if isinstance(made, NdRangeObject):
                return self._nd_range(first, made, None, None)
            if isinstance(made, RangeObject):
                return self._flat(first, made, None, point)
            unknown = made if isinstance(made, Unknown) else evaluator.unknown("a launch policy", first)
            return self._handed_on(first, unknown, None)
        if isinstance(made, NdRangeObject):
            # It is launched as one of three dimensions.
            made = made._replace(global_range=padded(made.global_range), local_range=padded(made.local_range))
            return self._nd_range(first, made, 3, _parts(first))
        sides = [dim3.converted(each, point) for each in arguments[:2]]
        unknown = made if isinstance(made, Unknown) else evaluator.unknown("a grid", first)
        if len(sides) < 2 or (sides == [None, None] and not has_blocks):
            return self._handed_on(first, unknown, 3)
        open_ = RangeObject((unknown,) * 3)
        grid, block = (each or open_ for each in sides)
        return self._nd_range(first, NdRangeObject(scaled(grid, block), block), 3, arguments)

    def helped(self, call: HelperCall, kernel: KernelFunction | None, point: Point) -> Shape:
        """The shape of a launch by a helper without a visible definition."""
        whole, local = call.argument(call.helper.global_), call.argument(call.helper.local)
        if whole is not None and local is None:
            shape = self.of("parallel_for", (whole,), kernel, point)
            if shape.kind is LaunchKind.UNKNOWN:
                # The configuration says that it is a range.
                shape = replace(shape, kind=LaunchKind.RANGE, local=None, sizes=())
            return shape if call.helper.dims in (None, shape.dims) else self._redimensioned(shape, call.helper.dims)
        item = kernel.item.name if kernel is not None and kernel.item is not None else None
        dims = call.helper.dims or (self._evaluator.types.dimensions(item) if item is not None else None)
        parts = tuple(each for each in (whole, local) if each is not None)
        dims = dims or next((found for each in parts if (found := self._declared_dimensions(each, point))), None)
        sides = [self._evaluator.as_range(each, point, dims) for each in parts]
        if len(sides) == 1:
            unknown = self._evaluator.unknown("a global range that the launching function works out", parts[0])
            sides.insert(0, RangeObject((unknown,) * len(sides[0].extents)))
            parts = (parts[0], parts[0])
        return self._nd_range(parts[0], NdRangeObject(sides[0], sides[1]), dims, parts)

    def _redimensioned(self, shape: Shape, dims: int | None) -> Shape:
        """``shape`` with the dimensions it is declared to have, where its extents are not known to be as many."""
        if dims is None or shape.whole is None:
            return shape
        unknown = Unknown("a range of other dimensions than declared", shape.whole.location)
        whole = Range((unknown,) * dims, shape.whole.location)
        return replace(shape, dims=dims, whole=whole, local=whole if shape.local is not None else None)

    def _location(self, expression: Expr) -> Location:
        return self._use or Location(self._path, Span(expression.start, expression.end))

    def _unknown(self, first: Expr, result: Result, dims: int | None) -> Shape:
        """An nd_range of which nothing is known but that it is one."""
        unknown = result if isinstance(result, Unknown) else self._evaluator.unknown("an nd_range", first)
        extents = Range((unknown,) * (dims or 1), self._location(first))
        return Shape(LaunchKind.ND_RANGE, dims, extents, extents, (first,))

    def _handed_on(self, first: Expr, unknown: Unknown | Symbolic, dims: int | None) -> Shape:
        """A range or an nd_range, as the caller wishes."""
        if isinstance(unknown, Symbolic):
            unknown = self._evaluator.unknown("a range or an nd_range", first)
        extents = Range((unknown,) * (dims or 1), self._location(first))
        return Shape(LaunchKind.UNKNOWN, dims, extents, extents, (first,))

    def _is_flat(self, first: Expr, item: Name | None, point: Point) -> bool:
        """Whether what nothing is known of is surely no nd_range, by what the kernel takes or by its own type."""
        if item is not None and self._is_flat_type(item, point, _ITEMS):
            return True
        match first:
            case Binary():
                # An nd_range has no arithmetic.
                return True
            case Call(function=Member(name=name)) if name in _NUMBERS:
                return True
            case Conditional(then=then, otherwise=otherwise):
                return self._is_flat(then, None, point) and self._is_flat(otherwise, None, point)
            case _:
                typed = self._evaluator.static_types.of(first, point)
                if typed is not None:
                    return self._is_flat_type(typed.type.name, typed.point, _RANGES)
                found = self._evaluator.declarations.nearest(first.text, point) if isinstance(first, Name) else None
                if found is None or not isinstance(found[0], Variable) or len(found[0].arguments) != 1:
                    return False
                return self._is_flat(found[0].arguments[0], None, Point(found[1], found[0].start))

    def _is_flat_type(self, name: Name, point: Point, classes: frozenset[str]) -> bool:
        kind = self._evaluator.kind(name, point)
        return kind.is_number or kind.sycl in classes

    def _nd_range(self, first: Expr, result: NdRangeObject, dims: int | None, parts: tuple[Expr, ...] | None) -> Shape:
        whole, local = (parts[0], parts[1]) if parts is not None and len(parts) >= 2 else (first, first)
        most = max(len(result.local_range.extents), len(result.global_range.extents))
        return Shape(
            LaunchKind.ND_RANGE,
            most if dims is None else dims,
            self._range(result.global_range, whole),
            self._range(result.local_range, local, result.local_range.ways),
            (local,),
            result.has_offset,
        )

    def _range(self, made: RangeObject, written: Expr, ways: tuple[tuple[Value, ...], ...] = ()) -> Range:
        """A range as objects that are set up have it: no others are meant to be launched with."""
        kept = tuple(way for way in ways if not any(map(is_unset, way)))
        return Range(tuple(map(set_up, made.extents)), self._location(written), kept)

    def _flat(self, first: Expr, result: Result, dims: int | None, point: Point) -> Shape:
        if isinstance(result, ListObject):
            whole = self._evaluator.as_range(first, point, dims)
        else:
            whole = self._as_range(result, dims)
        if dims is None:
            # A plain number converts to range<1>; so does whatever else is handed over without a range around it.
            is_range = isinstance(result, RangeObject | ListObject)
            dims = len(whole.extents) if is_range else self._declared_dimensions(first, point) or 1
        return Shape(LaunchKind.RANGE, dims, self._range(whole, first), None)

    def _work_group(self, arguments: tuple[Expr, ...], dims: int | None, point: Point) -> Shape:
        """``parallel_for_work_group(groups, local, kernel)``: the global range is their product."""
        first = arguments[0]
        groups = self._as_range(self._evaluator.evaluate(first, point), dims)
        dims = dims or len(groups.extents)
        if len(arguments) < 3 or isinstance(arguments[1], Lambda):
            return Shape(LaunchKind.WORK_GROUP, dims, None, None)
        second = arguments[1]
        local = self._as_range(self._evaluator.evaluate(second, point), dims)
        extents = tuple(product((a, b)) for a, b in zip(groups.extents, local.extents, strict=False))
        whole = Range(extents, self._location(first))
        return Shape(
            LaunchKind.WORK_GROUP, dims, whole, Range(local.extents, self._location(second), local.ways), (second,)
        )

    def _is_nd_range(self, first: Expr, point: Point) -> bool:
        if not isinstance(first, Name):
            return False
        declared = self._evaluator.declarations.type_of(first, point)
        return declared is not None and self._evaluator.types.is_sycl(declared.name, "nd_range")

    def _declared_dimensions(self, expression: Expr, point: Point) -> int | None:
        types, name = self._evaluator.types, _made(expression)
        if isinstance(expression, Name):
            declared = self._evaluator.declarations.type_of(expression, point)
            name = declared.name if declared is not None else None
        return types.dimensions(name) if name is not None else None

    def _as_range(self, result: Result, dims: int | None) -> RangeObject:
        match result:
            case RangeObject():
                return result
            case ListObject(elements=elements, point=point):
                return RangeObject(tuple(self._evaluator.size(self._evaluator.evaluate(e, point)) for e in elements))
            case _ if dims in (None, 1):
                return RangeObject((self._evaluator.size(result),))
            case _:
                unknown = result if isinstance(result, Unknown) else Unknown("not a range")
                return RangeObject((unknown,) * (dims or 1))


def product(extents: tuple[Value, ...]) -> Value:
    """The extents multiplied: how many work-items they are."""
    items: Value = Known(1)
    for extent in extents:
        step = binary("*", Scalar(items, ULONG), Scalar(extent, ULONG))
        items = step.value if isinstance(step, Scalar) else Unknown("not a number")
    return items


def _made(expression: Expr) -> Name | None:
    """The class of which an object is made, or the function that is called."""
    match expression:
        case Call(function=Name() as name) | Brace(type=Name() as name):
            return name
        case _:
            return None


def _parts(expression: Expr) -> tuple[Expr, ...] | None:
    match expression:
        case Call(arguments=(Brace(elements=inner),)) | Brace(elements=(Brace(elements=inner),)):
            return inner
        case Call(arguments=inner) | Brace(elements=inner):
            return inner
        case _:
            return None
