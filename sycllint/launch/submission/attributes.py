"""What attributes and kernel properties demand of a launch."""

from collections.abc import Iterable, Mapping, Sequence

from sycllint.cpp.expression import Attribute, Brace, Call, Expr, Name, Number
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place
from sycllint.facts.defines import attributes_in
from sycllint.launch.kernel import Range, Required
from sycllint.record import field, mutable, record, replace
from sycllint.source.span import Location, Span
from sycllint.values.arithmetic import join
from sycllint.values.certainty import guessed, unsettled_at
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Frame, Point
from sycllint.values.symbolic import settled
from sycllint.values.value import Unknown, Value, known, steps

_SUB_GROUP = frozenset({"reqd_sub_group_size", "intel_reqd_sub_group_size", "sub_group_size"})
"""SYCL 2020, "Kernel attributes"; the others are DPC++'s, as GNU attribute and in the namespace ``intel``."""
_NAMED = "named_sub_group_size"
"""DPC++'s: a size by the name that the device gives it, or the compiler's choice."""
_WIDTH, _SHAPE = "sub-group", "work-group"
PROPERTY_LISTS = frozenset({"properties", "kernel_properties"})
"""Classes: SYCL's, and SYCLcompat's around one of these."""
_PROPERTIES = frozenset({"sub_group_size"})
MAX_MACROS = 8
"""How many macros lie between one in place of an attribute and the attribute."""
_PREFIXES = ("sycl::", "intel::", "cl::", "INTEL::")


@record
class KernelAttributes:
    """Each is ``None`` when nothing demands it."""

    sub_group_size: Required | None = None
    work_group: Range | None = None
    registers: Required | None = None


@record
class Property:
    """A property of a launch, and where it is written; not ``sure`` when it is there only in some builds."""

    expression: Expr
    point: Point
    frame: Frame | None
    sure: bool = True


@mutable
class _FoundAttributes:
    """Every place that demands something; not sure when one may not be compiled."""

    sub_groups: list[Range] = field(default_factory=list)
    work_groups: list[Range] = field(default_factory=list)
    registers: list[Range] = field(default_factory=list)

    def demand(self, demanded: Mapping[str, Sequence[Value]], where: Location, *, sure: bool) -> None:
        for into, values in demanded.items():
            self.note(self.sub_groups if into == _WIDTH else self.work_groups, values, where, sure=sure)

    def note(self, into: list[Range], values: Iterable[Value], where: Location, *, sure: bool) -> None:
        unsure = Unknown("demanded under a preprocessor conditional that cannot be decided", where)
        into.append(Range(tuple(settled(each) if sure else unsure for each in values), where))


def demands(
    evaluator: Evaluator, attributes: Iterable[Attribute], point: Point, properties: Iterable[Property]
) -> KernelAttributes:
    """Read ``attributes`` of the kernel, seen from ``point``, and ``properties`` of the launch."""
    path = evaluator.facts.file_at(point.place).path
    found = _FoundAttributes()
    chosen: dict[Span, dict[Span, dict[str, Sequence[Value]]]] = {}
    for attribute in attributes:
        where = Location(path, Span(attribute.start, attribute.end))
        demanded = _demanded(evaluator, attribute, point, where)
        around = unsettled_at(evaluator.facts, point.place, attribute.start)
        if len(around) == 1 and around[0].arms:
            arms = chosen.setdefault(around[0].span, {arm: {} for arm in around[0].arms})
            next(of for arm, of in arms.items() if arm.start <= attribute.start < arm.end).update(demanded)
        else:
            found.demand(demanded, where, sure=not around)
    for conditional, arms in chosen.items():
        where = Location(path, conditional)
        found.demand(_of_alternatives(list(arms.values()), "a preprocessor conditional", where), where, sure=True)
    kernel = evaluator.frame
    for each in properties:
        evaluator.frame = each.frame
        path = evaluator.facts.file_at(each.point.place).path
        for node in walk(each.expression):
            if isinstance(node, Name):
                where = Location(path, Span(node.start, node.end))
                _property(evaluator, node, each.point, where, found, sure=each.sure)
    evaluator.frame = kernel
    size = _number(found.sub_groups)
    if size is not None:
        size = replace(size, elsewhere=_elsewhere(evaluator, size.value))
    return KernelAttributes(size, _agreed(found.work_groups), _number(found.registers))


def _demanded(
    evaluator: Evaluator, attribute: Attribute, point: Point, where: Location, depth: int = 0
) -> Mapping[str, Sequence[Value]]:
    """What one attribute demands: by ``_WIDTH`` a sub-group size, by ``_SHAPE`` a work-group's extents."""
    name = attribute.name
    for prefix in _PREFIXES:
        name = name.removeprefix(prefix)
    if name == _NAMED:
        return {_WIDTH: [Unknown("a sub-group size that has a name and no number", where)]}
    if name in _SUB_GROUP or name == "reqd_work_group_size":
        values = [evaluator.value(each, point) for each in attribute.arguments]
        if name in _SUB_GROUP:
            return {_WIDTH: values} if len(values) == 1 else {}
        return {_SHAPE: values} if values else {}
    if attribute.name in evaluator.facts.macros or attribute.name in evaluator.defines or _is_spelled_as_macro(name):
        return _of_macro(evaluator, attribute, point, where, depth)
    return {}


def _of_macro(
    evaluator: Evaluator, attribute: Attribute, point: Point, where: Location, depth: int
) -> Mapping[str, Sequence[Value]]:
    """What a macro in place of an attribute demands, by all the definitions it may have."""
    hidden = {_WIDTH: [Unknown(f"the definition of {attribute.name} is not visible", where)]}
    name = Name(attribute.name, None, None, attribute.start, attribute.end)
    macros = evaluator.macros.definitions(name, point)
    if not macros or depth >= MAX_MACROS:
        return hidden
    each_demands: list[dict[str, Sequence[Value]]] = []
    for macro in macros:
        inner = attributes_in(macro)
        if inner is None or len(macro.parameters or ()) != len(attribute.arguments):
            return hidden
        use: Expr = name
        if macro.parameters is not None:
            use = Call(name, attribute.arguments, attribute.start, attribute.end)
        there = Point(Place(macro, Place(use, point.place)), point.offset)
        demanded: dict[str, Sequence[Value]] = {}
        for each in inner:
            demanded |= _demanded(evaluator, each, there, where, depth + 1)
        each_demands.append(demanded)
    return _of_alternatives(each_demands, attribute.name, where)


def _of_alternatives(
    each_demands: Sequence[Mapping[str, Sequence[Value]]], name: str, where: Location
) -> Mapping[str, Sequence[Value]]:
    """What covers the demands of every definition of a macro, or of every arm of a conditional."""
    found: dict[str, Sequence[Value]] = {}
    for into in {into: None for each in each_demands for into in each}:
        present = [each[into] for each in each_demands if into in each]
        if len(present) < len(each_demands) or len({len(each) for each in present}) > 1:
            found[into] = [Unknown(f"{name} demands it in some builds only", where)] * len(present[0])
        else:
            found[into] = [join(list(column)) for column in zip(*present, strict=True)]
    return found


def _is_spelled_as_macro(name: str) -> bool:
    """Whether an attribute's name is one that only macros have."""
    return name.isupper() and "::" not in name


def _property(
    evaluator: Evaluator, node: Name, point: Point, where: Location, found: _FoundAttributes, *, sure: bool
) -> None:
    """A compile-time property such as ``sub_group_size<16>``, or a macro that stands for one."""
    if not node.arguments:
        macros = evaluator.macros.definitions(node, point) if node.text in evaluator.facts.macros else ()
        for macro in macros:
            meant = macro.value if macro.parameters is None else None
            if isinstance(meant, Name) and meant.arguments:
                there = Point(Place(macro, Place(node, point.place)), point.offset)
                _property(evaluator, meant, there, where, found, sure=sure and len(macros) == 1)
        return
    into = {"sub_group_size": found.sub_groups, "grf_size": found.registers, "work_group_size": found.work_groups}
    wanted = into.get(node.last)
    if wanted is not None and (node.last == "work_group_size" or len(node.arguments) == 1):
        sure = sure and not guessed(evaluator.facts, point.place, node.start)
        found.note(wanted, [evaluator.value(each, point) for each in node.arguments], where, sure=sure)


def _number(found: Sequence[Range]) -> Required | None:
    agreed = _agreed(found)
    return None if agreed is None else Required(agreed.extents[0], agreed.location)


def _elsewhere(evaluator: Evaluator, value: Value) -> tuple[int, ...]:
    """The numbers of the definitions that are not in force of a macro that gives ``value``."""
    exact = known(value)
    names = {step.name for step in steps(value) if step.value == exact}
    bodies = [macro.node.value for name in names for macro in evaluator.facts.macros.get(name)]
    numbers = {int(body.text) for body in bodies if isinstance(body, Number) and body.text.isdigit()}
    return tuple(sorted(numbers - {exact}))


def _agreed(found: Sequence[Range]) -> Range | None:
    """The last demand; unknown when an earlier one asks for something else."""
    if not found:
        return None
    last = found[-1]
    if len({tuple(known(extent) for extent in each.extents) for each in found}) == 1:
        return last
    unknown = Unknown("demanded several times, differently", last.location)
    return Range((unknown,) * len(last.extents), last.location)


def is_property_list(expression: Expr) -> bool:
    """Whether an argument of a launch is spelled as a list of properties."""
    match expression:
        case Brace(type=Name() as kind):
            return kind.last in PROPERTY_LISTS
        case Call(function=Name() as function):
            return function.last in PROPERTY_LISTS
        case Name(arguments=(_, *_)):
            return expression.last in _PROPERTIES
        case _:
            return False
