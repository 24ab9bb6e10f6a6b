"""Facts and values to launches: every submission of a file as a KernelLaunch."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from sycllint.cpp.expression import Brace, Call, Expr, Lambda, Member, Name, Type
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Arm, Block, Function, Macro, Struct
from sycllint.facts.collect import file_facts
from sycllint.facts.file import Declared, FileFacts
from sycllint.facts.submissions import Submission
from sycllint.kernel.scan import Scan, Scanner
from sycllint.launch.attributes import Demands, demands, is_property_list
from sycllint.launch.command_group import local_accessors
from sycllint.launch.contexts import Contexts, reached
from sycllint.launch.guards import device_checked
from sycllint.launch.kernel import Kernel, KernelLaunch, LaunchKind, Range, Required
from sycllint.launch.memory import LocalAllocation, LocalMemory, PrivateArray, PrivateMemory
from sycllint.source.span import Location, Span
from sycllint.source.text import SourceFile
from sycllint.values.arithmetic import ULONG, Scalar, binary
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Closure, Instance, ListObject, NdRangeObject, Point, RangeObject, Result
from sycllint.values.symbolic import settled
from sycllint.values.types import qualifier_is_sycl
from sycllint.values.unit import Unit
from sycllint.values.value import Known, OneOf, Symbolic, Unknown, Value

_QUEUE_TYPES = frozenset({"queue", "handler", "group"})
_KERNEL_PARAMETERS = {"nd_item": LaunchKind.ND_RANGE, "item": LaunchKind.RANGE, "id": LaunchKind.RANGE}
_NOT_KERNELS = frozenset({"reduction", "Reduction", "make_reduction", "properties"})


@dataclass(frozen=True, slots=True)
class UnitAnalysis:
    """All launches of one file, in source order."""

    launches: tuple[KernelLaunch, ...]
    notices: tuple[str, ...]
    """What was not analysed, and why, as ``path:line: sentence``."""
    parse_errors: int
    """Places of the file that do not parse."""


def analyze_source(source: SourceFile, defines: Mapping[str, str]) -> UnitAnalysis:
    """The launches of one file by itself, under the macros ``defines``."""
    facts = file_facts(source.path, source.content, defines)
    return analyze_unit(source, facts, Unit((facts,)), defines)


def analyze_unit(source: SourceFile, facts: FileFacts, unit: Unit, defines: Mapping[str, str]) -> UnitAnalysis:
    """The launches written in one file of a translation unit: one for each way that is found to reach it."""
    builder = Builder(unit, facts, defines)
    launches: list[KernelLaunch] = []
    notices: list[str] = []
    for submission in facts.submissions:
        found = builder.launches(submission)
        if found and submission.damaged:
            line = source.position(submission.start).line
            notices.append(f"{source.path}:{line}: kernel not analysed: the source does not parse here")
        launches.extend(found)
    return UnitAnalysis(tuple(launches), tuple(notices), len(facts.damaged))


@dataclass(frozen=True, slots=True)
class KernelFunction:
    """The callable of a launch: its parameters, attributes and body, wherever they are written."""

    name: str | None
    item: Type | None
    """Type of the first parameter."""
    closure: Closure | None = None
    operator: Declared[Function] | None = None
    properties: tuple[Expr, ...] = ()


class Builder:
    """Launches of one file."""

    def __init__(self, unit: Unit, facts: FileFacts, defines: Mapping[str, str]) -> None:
        self._facts = unit
        self._path = facts.path
        self._evaluator = Evaluator(unit, defines)
        self._contexts = Contexts(self._evaluator)
        self._scans: dict[Lambda | Function, tuple[Scan, dict[int, Function | Struct | Lambda]]] = {}

    def launches(self, submission: Submission) -> list[KernelLaunch]:
        """The launches a submission makes: none when it is not SYCL's, one for each way to reach it otherwise."""
        submission = _in_place(submission)
        if _never_compiled(submission.place):
            return []
        found: dict[tuple[object, ...], KernelLaunch] = {}
        for launch, frame, is_open in self._contexts.each(lambda: self._launch(submission)):
            way = reached(frame, self._evaluator.facts)
            found.setdefault(_shape_key(launch), replace(launch, reached=way, open=is_open))
        return list(found.values())

    def _launch(self, submission: Submission) -> KernelLaunch | None:
        point = Point(submission.place, submission.start)
        arguments = submission.call.arguments
        if submission.method == "nd_launch" or (submission.receiver is None and submission.method != "single_task"):
            if submission.receiver is None and not self._free_launch(submission):
                return None
            if submission.receiver is None:
                arguments = arguments[1:]
        elif submission.receiver is None:
            return None
        kernel = self._callable(arguments, point)
        if submission.receiver is not None and not self._is_launcher(submission, kernel, arguments, point):
            return None
        shape = self._shape(submission.method, arguments, kernel, point)
        return self._build(submission, kernel, shape, arguments, point)

    # ---------------------------------------------------------- recognition

    def _free_launch(self, submission: Submission) -> bool:
        """``syclex::nd_launch(q, range, kernel)`` and its kin; ``tbb::parallel_for`` is none of ours."""
        function = submission.call.function
        if not isinstance(function, Name):
            return False
        if submission.method == "nd_launch":
            return len(submission.call.arguments) >= 3
        return bool(function.qualifier) and qualifier_is_sycl(function.qualifier, self._facts.namespaces)

    def _is_launcher(
        self, submission: Submission, kernel: "KernelFunction | None", arguments: tuple[Expr, ...], point: Point
    ) -> bool:
        """Whether the receiver is a queue or a handler, or everything else about the call says so."""
        receiver = submission.receiver
        declared = self._evaluator.lookup.declaration(receiver, point) if isinstance(receiver, Name) else None
        if declared is not None:
            kind = self._evaluator.types.kind(declared.name)
            if kind.sycl in _QUEUE_TYPES:
                return True
            if kind.struct is not None and not _looks_like_queue(declared.name.last):
                return False
        if kernel is not None and kernel.item is not None:
            last = self._evaluator.types.kind(kernel.item.name).sycl
            if last in _KERNEL_PARAMETERS or last in ("group", "h_item", "kernel_handler"):
                return True
        if submission.method == "single_task":
            return kernel is not None or declared is not None
        if arguments and isinstance(self._evaluator.evaluate(arguments[0], point), RangeObject | NdRangeObject):
            return True
        if declared is not None and self._evaluator.types.kind(declared.name).automatic:
            return self._is_command_group_parameter(receiver, point) or self._mentions_queue(receiver)
        if any(_is_reduction(each) for each in arguments):
            return True
        return isinstance(receiver, Name | Member | Call) and self._mentions_queue(receiver)

    def _is_command_group_parameter(self, receiver: Expr | None, point: Point) -> bool:
        """``[&](auto &h) { h.parallel_for(…) }`` handed to something called submit."""
        if not isinstance(receiver, Name):
            return False
        place: Place | None = point.place
        while place is not None:
            node = place.node
            if isinstance(node, Lambda) and any(each.name == receiver.text for each in node.parameters):
                outer = place.outer
                if outer is None or not isinstance(outer.node, Call):
                    return True
                function = outer.node.function
                name = (
                    function.name
                    if isinstance(function, Member)
                    else function.last
                    if isinstance(function, Name)
                    else ""
                )
                return "submit" in name
            place = place.outer
        return False

    def _mentions_queue(self, receiver: Expr | None) -> bool:
        """Nothing is known of the receiver: a name that speaks of a queue or handler is taken at its word."""
        match receiver:
            case Name():
                return _looks_like_queue(receiver.last)
            case Member(name=name):
                return _looks_like_queue(name)
            case Call(function=Name() as function):
                return _looks_like_queue(function.last)
            case Call(function=Member(name=name)):
                return _looks_like_queue(name)
            case _:
                inner = getattr(receiver, "object", None) or getattr(receiver, "operand", None)
                return inner is not None and self._mentions_queue(inner)

    # --------------------------------------------------------------- callable

    def _callable(self, arguments: tuple[Expr, ...], point: Point) -> "KernelFunction | None":
        """The kernel among a launch's arguments: the last that is a function."""
        for argument in reversed(arguments):
            match argument:
                case Lambda():
                    closure = Closure(argument, Place(argument, point.place))
                    return KernelFunction(None, _first(argument), closure)
                case Name() | Call() | Brace():
                    result = self._evaluator.evaluate(argument, point)
                    match result:
                        case Closure(function=function):
                            name = argument.text if isinstance(argument, Name) else None
                            return KernelFunction(name, _first(function), result)
                        case Instance(struct=struct):
                            return self._function_object(struct)
                        case _:
                            continue
        return None

    def _function_object(self, struct: Declared[Struct]) -> "KernelFunction":
        inner = Place(struct.node.members, struct.place)
        properties: tuple[Expr, ...] = ()
        found: Declared[Function] | None = None
        for member in struct.node.members.statements:
            if isinstance(member, Function):
                if member.name.replace(" ", "") == "operator()":
                    found = Declared(member, Place(member, inner))
                elif member.name == "get" and member.body is not None:
                    properties = (*properties, *_returned(member.body))
        if found is not None and found.node.body is None:
            for each in self._facts.functions.get("operator()"):
                if each.node.body is not None and each.node.name.startswith(f"{struct.node.name}::"):
                    found = Declared(
                        replace(each.node, attributes=found.node.attributes + each.node.attributes), each.place
                    )
        item = found.node.parameters[0].type if found is not None and found.node.parameters else None
        return KernelFunction(struct.node.name, item, None, found, properties)

    # ------------------------------------------------------------------ shape

    def _shape(
        self, method: str, arguments: tuple[Expr, ...], kernel: "KernelFunction | None", point: Point
    ) -> "Shape":
        """Kind, dimensions and ranges."""
        item = kernel.item if kernel is not None else None
        wanted = self._evaluator.types.kind(item.name) if item is not None else None
        dims = self._evaluator.types.dimensions(item.name) if item is not None else None
        if method == "single_task":
            return Shape(LaunchKind.SINGLE_TASK, 0, None, None)
        if not arguments:
            return Shape(LaunchKind.RANGE, dims, None, None)
        first = arguments[0]
        if method == "parallel_for_work_group":
            return self._work_group(arguments, kernel, point)
        result = self._evaluator.evaluate(first, point)
        listed = isinstance(result, ListObject)
        if isinstance(result, NdRangeObject):
            return self._nd_shape(first, result, dims)
        if wanted is not None and wanted.sycl == "nd_item":
            if isinstance(result, ListObject) and len(result.elements) in (2, 3):
                parts = result.elements
                whole = self._evaluator.as_range(parts[0], result.point, dims)
                local = self._evaluator.as_range(parts[1], result.point, dims)
                return self._nd_shape(first, NdRangeObject(whole, local), dims, parts)
            unknown = result if isinstance(result, Unknown) else self._evaluator.unknown("an nd_range", first)
            extents = (unknown,) * (dims or 1)
            where = Location(self._path, Span(first.start, first.end))
            return Shape(LaunchKind.ND_RANGE, dims, Range(extents, where), Range(extents, where))
        if _spelled_nd_range(first) or self._is_nd_range(first, point):
            unknown = result if isinstance(result, Unknown) else self._evaluator.unknown("an nd_range", first)
            named = _declared_dimensions(self._evaluator, first, point)
            dims = dims or named
            extents = (unknown,) * (dims or 1)
            where = Location(self._path, Span(first.start, first.end))
            return Shape(LaunchKind.ND_RANGE, dims, Range(extents, where), Range(extents, where))
        whole = self._evaluator.as_range(first, point, dims) if listed else _as_range(self._evaluator, result, dims)
        if dims is None:
            dims = self._range_dimensions(first, result, whole, point)
        where = Location(self._path, Span(first.start, first.end))
        return Shape(LaunchKind.RANGE, dims, Range(whole.extents, where), None)

    def _range_dimensions(self, first: Expr, result: Result, whole: RangeObject, point: Point) -> int | None:
        if isinstance(result, RangeObject | ListObject):
            return len(whole.extents)
        declared = _declared_dimensions(self._evaluator, first, point)
        if declared is not None:
            return declared
        # A plain number converts to range<1>; so does whatever else is handed over without a range around it.
        return 1

    def _is_nd_range(self, first: Expr, point: Point) -> bool:
        if not isinstance(first, Name):
            return False
        declared = self._evaluator.lookup.declaration(first, point)
        return declared is not None and self._evaluator.types.is_sycl(declared.name, "nd_range")

    def _nd_shape(
        self, first: Expr, result: NdRangeObject, dims: int | None, parts: tuple[Expr, ...] | None = None
    ) -> "Shape":
        path = self._path
        if parts is None:
            parts = _parts(first)
        whole, local = (parts[0], parts[1]) if parts is not None and len(parts) >= 2 else (first, first)
        return Shape(
            LaunchKind.ND_RANGE,
            max(len(result.local_range.extents), len(result.global_range.extents)) if dims is None else dims,
            Range(result.global_range.extents, Location(path, Span(whole.start, whole.end))),
            Range(result.local_range.extents, Location(path, Span(local.start, local.end))),
        )

    def _work_group(self, arguments: tuple[Expr, ...], kernel: "KernelFunction | None", point: Point) -> "Shape":
        """``parallel_for_work_group(groups, local, kernel)``: the global range is their product."""
        first = arguments[0]
        item = kernel.item if kernel is not None else None
        dims = self._evaluator.types.dimensions(item.name) if item is not None else None
        groups = _as_range(self._evaluator, self._evaluator.evaluate(first, point), dims)
        where = Location(self._path, Span(first.start, first.end))
        if len(arguments) < 3 or isinstance(arguments[1], Lambda):
            return Shape(LaunchKind.WORK_GROUP, dims or len(groups.extents), None, None)
        second = arguments[1]
        local = _as_range(self._evaluator, self._evaluator.evaluate(second, point), dims)
        extents = tuple(_product((a, b)) for a, b in zip(groups.extents, local.extents, strict=False))
        local_where = Location(self._path, Span(second.start, second.end))
        dims = dims or len(groups.extents)
        return Shape(LaunchKind.WORK_GROUP, dims, Range(extents, where), Range(local.extents, local_where))

    # ------------------------------------------------------------------ build

    def _build(
        self,
        submission: Submission,
        kernel: "KernelFunction | None",
        shape: "Shape",
        arguments: tuple[Expr, ...],
        point: Point,
    ) -> KernelLaunch:
        scan, wanted = self._body(submission, kernel, arguments, point)
        local_range = _settled(shape.local)
        return KernelLaunch(
            location=self._name_location(submission),
            kind=shape.kind,
            dims=shape.dims,
            function=_function_name(submission.place),
            kernel=Kernel(
                name=_kernel_name(submission, kernel, scan_target(kernel, self._evaluator)),
                body_found=scan.body_found,
                barriers=tuple(scan.barriers),
                sub_group_operations=tuple(scan.sub_group_operations),
                loops=tuple(scan.loops),
                statements=scan.statements,
                calls_unknown=scan.calls_unknown,
            ),
            global_range=_settled(shape.whole),
            local_range=local_range,
            work_group_size=settled(_product(shape.local.extents)) if shape.local is not None else None,
            sub_group_size=wanted.sub_group_size,
            required_work_group=wanted.work_group,
            register_count=wanted.registers,
            local_memory=self._local_memory(scan, point, scan.body_found),
            private_memory=_private(scan),
            device_checked=device_checked(self._evaluator, point.place, point.offset),
        )

    def _name_location(self, submission: Submission) -> Location:
        """The launching name; for a launch inside a macro, the name of the macro where it is used."""
        if submission.use is not None:
            use = submission.use.node
            if isinstance(use, Call):
                return Location(self._path, Span(use.function.start, use.function.end))
        return Location(self._path, Span(submission.start, submission.end))

    def _body(
        self, submission: Submission, kernel: "KernelFunction | None", arguments: tuple[Expr, ...], point: Point
    ) -> tuple[Scan, Demands]:
        properties = [each for each in arguments if is_property_list(each)]
        for each in arguments:
            if isinstance(each, Name):
                properties.extend(self._named_properties(each, point))
        if kernel is None:
            wanted = demands(self._evaluator, (), properties, point.place, point.offset)
            if wanted.sub_group_size is None and submission.method != "single_task":
                location = self._name_location(submission)
                hidden = Unknown("an attribute of the kernel, which was not found", location)
                wanted = replace(wanted, sub_group_size=Required(hidden, location))
            return Scan(body_found=False), wanted
        properties.extend(kernel.properties)
        if kernel.closure is not None:
            closure = kernel.closure
            scan = self._scanned(closure.function, lambda scanner: scanner.closure(closure.function, closure.place))
            attributes = closure.function.attributes
            wanted = demands(self._evaluator, attributes, properties, point.place, point.offset)
        elif kernel.operator is not None:
            operator = kernel.operator
            scan = self._scanned(operator.node, lambda scanner: scanner.function(operator))
            place = kernel.operator.place
            attributes = kernel.operator.node.attributes
            wanted = demands(self._evaluator, attributes, properties, place, kernel.operator.node.start)
        else:
            return Scan(body_found=False), demands(self._evaluator, (), properties, point.place, point.offset)
        if submission.damaged:
            scan = replace(scan, body_found=False)
        return scan, wanted

    def _scanned(self, kernel: Lambda | Function, scan: Callable[[Scanner], Scan]) -> Scan:
        """What a kernel does; looked at anew for each way to reach it only when its sizes depend on that."""
        evaluator = self._evaluator
        known = self._scans.get(kernel)
        if known is None:
            outer, evaluator.frame = evaluator.frame, None
            free, evaluator.free = evaluator.free, {}
            made = scan(Scanner(evaluator))
            sizes = (*(size for _, size, _ in made.arrays), *(size for _, _, size, _ in made.local))
            open_sizes = any(not isinstance(size, Known) for size in sizes)
            known = self._scans[kernel] = (made, dict(evaluator.free) if open_sizes else {})
            evaluator.frame, evaluator.free = outer, free
        found, asked = known
        if not asked or evaluator.frame is None:
            evaluator.free.update(asked)
            return found
        return scan(Scanner(evaluator))

    def _named_properties(self, name: Name, point: Point) -> Iterator[Expr]:
        """``properties p{…}; q.parallel_for(range, p, kernel)``."""
        for node in point.place.chain():
            if not isinstance(node, Block):
                continue
            for statement in node.statements:
                for variable in getattr(statement, "variables", ()):
                    if variable.name == name.text and statement.start < point.offset:
                        if variable.type.name.last == "properties" or any(
                            is_property_list(a) for a in variable.arguments
                        ):
                            yield from variable.arguments
                        return

    def _local_memory(self, scan: Scan, point: Point, body_found: bool) -> LocalMemory:
        found = local_accessors(self._evaluator, point.place)
        for name, element, size, location in scan.local:
            found.append(LocalAllocation(name, element, Known(1), size, location))
        total: Value = Known(0)
        for each in found:
            total = _sum(total, each.bytes)
        known = sum(each.bytes.value for each in found if isinstance(each.bytes, Known))
        return LocalMemory(tuple(found), settled(total), known)


@dataclass(frozen=True, slots=True)
class Shape:
    """Kind, dimensions and ranges of a launch."""

    kind: LaunchKind
    dims: int | None
    whole: Range | None
    local: Range | None


def _in_place(submission: Submission) -> Submission:
    """A launch inside a macro, put where the macro is used: its names are then those of that place."""
    if submission.use is None:
        return submission
    nodes = []
    place: Place | None = submission.place
    while place is not None:
        nodes.append(place.node)
        if isinstance(place.node, Macro):
            break
        place = place.outer
    built = submission.use
    for node in reversed(nodes):
        built = Place(node, built)
    return submission._replace(place=built)


def _never_compiled(place: Place) -> bool:
    """Whether the code stands in ``#if 0``. What hangs on macros may still be compiled under other settings."""
    return any(
        isinstance(node, Arm) and node.keyword == "if" and node.condition in ("0", "false") for node in place.chain()
    )


def _shape_key(launch: KernelLaunch) -> tuple[object, ...]:
    """What two launches of one submission must differ in to be worth telling apart."""
    return (
        _plain_range(launch.global_range),
        _plain_range(launch.local_range),
        _plain(launch.sub_group_size.value) if launch.sub_group_size is not None else None,
        _plain_range(launch.required_work_group),
        _plain(launch.register_count.value) if launch.register_count is not None else None,
        _plain(launch.local_memory.total),
        _plain(launch.private_memory.total),
    )


def _plain_range(range_: Range | None) -> tuple[object, ...] | None:
    return None if range_ is None else tuple(_plain(each) for each in range_.extents)


def _plain(value: Value) -> object:
    """A value without the way to it."""
    match value:
        case Known(value=number):
            return number
        case OneOf(values=values, open=is_open):
            return (tuple(each.value for each in values), is_open)
        case Symbolic(terms=terms):
            return terms
        case Unknown():
            return None


def _settled(range_: Range | None) -> Range | None:
    return None if range_ is None else Range(tuple(settled(each) for each in range_.extents), range_.location)


def _first(function: Lambda) -> Type | None:
    return function.parameters[0].type if function.parameters else None


def _returned(body: Block) -> Iterator[Expr]:
    for statement in body.statements:
        value = getattr(statement, "value", None)
        if value is not None:
            yield value


def _looks_like_queue(name: str) -> bool:
    bare = name.lower().strip("_")
    return bare in ("q", "h", "cgh", "hdl", "handler", "s", "stream") or any(
        part in bare for part in ("queue", "cgh", "handler", "stream")
    )


def _is_reduction(expression: Expr) -> bool:
    return (
        isinstance(expression, Call)
        and isinstance(expression.function, Name)
        and expression.function.last in _NOT_KERNELS
    )


def _spelled_nd_range(expression: Expr) -> bool:
    match expression:
        case Call(function=Name() as name) | Brace(type=Name() as name):
            return name.last == "nd_range"
        case _:
            return False


def _parts(expression: Expr) -> tuple[Expr, ...] | None:
    match expression:
        case Call(arguments=arguments):
            inner = arguments
        case Brace(elements=elements):
            inner = elements
        case _:
            return None
    if len(inner) == 1 and isinstance(inner[0], Brace):
        return inner[0].elements
    return inner


def _declared_dimensions(evaluator: Evaluator, expression: Expr, point: Point) -> int | None:
    match expression:
        case Name():
            declared = evaluator.lookup.declaration(expression, point)
            return evaluator.types.dimensions(declared.name) if declared is not None else None
        case Call(function=Name() as name) | Brace(type=Name() as name):
            return evaluator.types.dimensions(name)
        case _:
            return None


def _as_range(evaluator: Evaluator, result: Result, dims: int | None) -> RangeObject:
    match result:
        case RangeObject():
            return result
        case ListObject(elements=elements, point=point):
            return RangeObject(tuple(evaluator.size(evaluator.evaluate(each, point)) for each in elements))
        case _:
            return RangeObject(
                (evaluator.size(result),) * (dims or 1) if dims in (None, 1) else (_unsized(result),) * (dims or 1)
            )


def _unsized(result: Result) -> Unknown:
    return result if isinstance(result, Unknown) else Unknown("not a range")


def _product(extents: tuple[Value, ...]) -> Value:
    product: Value = Known(1)
    for extent in extents:
        step = binary("*", Scalar(product, ULONG), Scalar(extent, ULONG))
        product = step.value if isinstance(step, Scalar) else Unknown("not a number")
    return product


def _sum(left: Value, right: Value) -> Value:
    step = binary("+", Scalar(left, ULONG), Scalar(right, ULONG))
    return step.value if isinstance(step, Scalar) else Unknown("not a number")


def _private(scan: Scan) -> PrivateMemory:
    arrays = tuple(PrivateArray(name, size, location) for name, size, location in scan.arrays)
    total: Value = Known(0)
    for array in arrays:
        total = _sum(total, array.bytes)
    return PrivateMemory(arrays, settled(total))


def _function_name(place: Place) -> str | None:
    for node in place.chain():
        if isinstance(node, Function):
            return node.name
    return None


def _kernel_name(submission: Submission, kernel: KernelFunction | None, target: str | None) -> str | None:
    for argument in submission.template_arguments:
        name = argument.name if isinstance(argument, Type) else argument
        if isinstance(name, Name) and name.text:
            return name.text
    if kernel is not None and kernel.name is not None:
        return kernel.name
    return target


def scan_target(kernel: KernelFunction | None, evaluator: Evaluator) -> str | None:
    """The free function that a kernel lambda does nothing but call."""
    if kernel is None or kernel.closure is None:
        return None
    statements = kernel.closure.function.body.statements
    if len(statements) != 1:
        return None
    expression = getattr(statements[0], "expression", None)
    if isinstance(expression, Call) and isinstance(expression.function, Name):
        return expression.function.text
    return None
