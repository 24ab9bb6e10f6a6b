"""Expr and a point to a value: what is known of an expression where it stands, before the program runs."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Brace,
    Call,
    Cast,
    Character,
    Conditional,
    Expr,
    Index,
    Lambda,
    Member,
    Name,
    Number,
    Opaque,
    SizeOf,
    Type,
    Unary,
)
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, Variable
from sycllint.facts.file import FileFacts
from sycllint.garbage import dissolve
from sycllint.source.span import Location
from sycllint.symbols.overloads import Overloads
from sycllint.symbols.symbols import Symbols
from sycllint.symbols.unit import Unit
from sycllint.values import refinement
from sycllint.values.answers import FrameAnswers
from sycllint.values.arithmetic import (
    CHAR,
    INTEGER_TYPES,
    LONG,
    ULONG,
    IntegerType,
    Real,
    Scalar,
    alike,
    as_real,
    binary,
    convert,
    join,
    literal,
    unary,
)
from sycllint.values.bindings import Bindings
from sycllint.values.declarations import Declarations
from sycllint.values.deduction.argument_kinds import ArgumentKinds
from sycllint.values.deduction.instances import Instances
from sycllint.values.deduction.instantiations import Instantiations
from sycllint.values.deduction.library_types import library_type
from sycllint.values.deduction.static_types import StaticTypes
from sycllint.values.deduction.template_arguments import TemplateArguments
from sycllint.values.folds import folded, length
from sycllint.values.frame import WHOLE, Frames
from sycllint.values.functions import Functions, element_asked
from sycllint.values.local_names.lookup import ASIDE, Lookup
from sycllint.values.names import GlobalNames
from sycllint.values.object_model.arrays import Arrays
from sycllint.values.object_model.construction import Construction
from sycllint.values.object_model.conversions import ObjectConversions
from sycllint.values.object_model.dim3 import Dim3
from sycllint.values.object_model.members import Members
from sycllint.values.objects import (
    Allocation,
    Answer,
    Asked,
    Asking,
    Closure,
    Frame,
    Instance,
    ListObject,
    Point,
    RangeObject,
    Result,
    TypeKind,
)
from sycllint.values.preprocessor.expansion import OPERATORS, Expansion
from sycllint.values.preprocessor.macros import Macros
from sycllint.values.reach import DeadCode
from sycllint.values.side_effects.effects import Effects
from sycllint.values.side_effects.endings import Endings
from sycllint.values.side_effects.mutation import Mutations
from sycllint.values.side_effects.order import feeds_itself
from sycllint.values.sizes import Sizes
from sycllint.values.symbolic import named_as, parameter
from sycllint.values.types import KEYWORDS, Types
from sycllint.values.value import Known, OneOf, Step, Symbolic, Unknown, Value, known, steps

if TYPE_CHECKING:
    from sycllint.semantics.answers import Held

MAX_DEPTH = 140
MAX_WORK = 5_000

_DECISIVE = {"||": True, "&&": False}
"""What one operand has to be for the other not to matter."""
_CHARACTERS = {"\\0": 0, "\\n": 10, "\\t": 9, "\\\\": 92, "\\'": 39}


class Evaluator:
    """Answers about one file, under the macros given from outside."""

    def __init__(self, unit: Unit | FileFacts, defines: Mapping[str, str]) -> None:
        facts = unit if isinstance(unit, Unit) else Unit((unit,))
        self.facts = facts
        self.here: Place | None = None
        """What is around the code being looked at: it decides which file reasons and steps refer to."""
        self.defines = defines
        self.mutations = Mutations(facts)
        self.effects = Effects(facts, self.mutations, ASIDE)
        self.frames = Frames()
        self.macros = Macros(self)
        self.symbols = Symbols(facts, self.macros.compiled)
        self.declarations = Declarations(facts, self.symbols, self.mutations)
        self.types = Types(self.symbols)
        self.endings = Endings(self.symbols)
        self.sizes = Sizes(self, self.macros)
        self.expansion = Expansion(self, self.macros)
        self.static_types = StaticTypes(self)
        self.argument_kinds = ArgumentKinds(self, self.macros, self.static_types)
        self.overloads = Overloads(self.symbols, self.argument_kinds)
        self.instances = Instances(self, self.macros.compiled)
        self.instantiations = Instantiations(self)
        self.template_arguments = TemplateArguments(self, self.static_types, self.instances)
        self.arrays = Arrays(self)
        dim3 = Dim3(self, self.static_types)
        self.conversions = ObjectConversions(self, self.arrays, dim3)
        self.construction = Construction(self, self.arrays, self.conversions, dim3)
        self.members = Members(self, self.arrays, self.conversions, self.instances, self.static_types)
        self.lookup = Lookup(self, self.macros, self.arrays, self.conversions, self.construction, self.members)
        self.names = GlobalNames(self)
        self.reach = DeadCode(self)
        self.bindings = Bindings(self)
        self.functions = Functions(self)
        self.frame: Frame | None = None
        """How the code being looked at is reached."""
        self.free: dict[int, Asked] = {}
        """What was asked for and the call path does not determine: parameters of functions and templates, choices."""
        self.decided: FrameAnswers[bool | None] = FrameAnswers(self)
        """Conditions looked at before."""
        self._calls: FrameAnswers[Result] = FrameAnswers(self)
        self._initials: FrameAnswers[Result] = FrameAnswers(self)
        self.kept: dict[object, object] = {}
        """What those who ask keep between their questions, by whose it is."""
        self.depth = 0
        """Expressions and names being looked at inside one another; each takes some of the interpreter's frames."""
        self.work = 0
        """Expressions looked at since the last question; a question that takes too many ends in ``Unknown``."""

    def release(self) -> None:
        """Forget everything: its parts know one another, and would wait long for the garbage collector."""
        dissolve(self.lookup, self.mutations, *self.kept.values(), self)

    @property
    def is_exhausted(self) -> bool:
        """Whether the question asks for more than is followed."""
        return self.depth > MAX_DEPTH or self.work > MAX_WORK

    # -------------------------------------------------------------- reasons

    def line(self, offset: int) -> Location:
        """A place of this file, for reasons and steps."""
        return self.location(offset, offset)

    def location(self, start: int, end: int) -> Location:
        """A span of the file being looked at."""
        return self.facts.file_at(self.here).location(start, end)

    def unknown(self, reason: str, node: Expr | Variable | None = None) -> Unknown:
        """``Unknown`` at ``node``."""
        if node is None:
            return Unknown(reason)
        return Unknown(reason, self.location(node.start, node.end))

    def symbol(self, text: str, reason: str, start: int, kind: IntegerType = LONG) -> Scalar:
        """A number without a value, called ``text``, that arises at ``start``."""
        location = self.line(start)
        minimum = None if kind.signed else 0
        key = f"{text}@{location.path}:{start}"
        return Scalar(parameter(text, key, reason, location, minimum=minimum), kind)

    def scope_key(self, text: str, place: Place) -> str:
        """The key of a number called ``text`` whose declaration is not visible: one for each function that names it."""
        around = place.innermost(Function)
        return f"{text}@{self.facts.file_at(place).path}:{around.start if around is not None else ''}"

    # ----------------------------------------------------------- expression

    def evaluate(self, expression: Expr, point: Point) -> Result:
        """What ``expression`` stands for at ``point``. Never raises; never executes anything."""
        self.depth += 1
        outer, self.here = self.here, point.place
        try:
            self.work += 1
            if self.is_exhausted:
                self.frames.sought.unbound.add(WHOLE)
                return self.unknown("too much would have to be followed", expression)
            return self._evaluate(expression, point)
        finally:
            self.depth -= 1
            self.here = outer

    def _evaluate(self, expression: Expr, point: Point) -> Result:
        match expression:
            case Number(text=text):
                return literal(text)
            case Name():
                return self.lookup.name(expression, point)
            case Binary() | Conditional() if feeds_itself(expression, self.mutations):
                return self.unknown("changed in the expression that reads it", expression)
            case Binary(operator=operator, left=left, right=right):
                if operator == ",":
                    return self.evaluate(right, point)
                if operator in OPERATORS and self.expansion.needed(expression, point):
                    return self.expansion.value(expression, point)
                first, second = self.evaluate(left, point), self.evaluate(right, point)
                if isinstance(first, Instance) or isinstance(second, Instance):
                    called = self.construction.by_operator(expression, first, second, point)
                    if called is not None:
                        return called
                return self.combine(operator, first, second, expression)
            case Call():
                return self._called(expression, point)
            case Brace(type=None, elements=elements):
                return ListObject(elements, point, None, self.frame)
            case Brace(type=kind, elements=elements) if isinstance(kind, Name):
                constant = self.construction.of_constant(kind, elements, point)
                if constant is not None:
                    return constant
                return self.construction.construct(self.kind(kind, point), elements, point, expression, braced=True)
            case Cast(type=kind, operand=operand):
                if self.expansion.needed(expression, point):
                    return self.expansion.value(expression, point)
                return self.cast(kind, self.evaluate(operand, point), expression, point)
            case Index(object=inner, indices=indices):
                return self.index(inner, indices, point, expression)
            case Member(object=inner, name=name):
                return self.members.read(inner, name, point, expression)
            case Conditional():
                return self._conditional(expression, point)
            case Unary(operator="*", operand=Name(text="this")):
                itself = self.members.object_arguments.itself(point)
                return self.unknown("the object of a method", expression) if itself is None else itself
            case Unary(operator=operator, operand=operand):
                if operator in ("*", "&"):
                    return self.unknown("read through a pointer", expression)
                if self.expansion.needed(expression, point):
                    return self.expansion.value(expression, point)
                result = self.scalar(self.evaluate(operand, point))
                return result if isinstance(result, Unknown) else unary(operator, result)
            case SizeOf():
                return self._sizeof(expression, point)
            case Lambda():
                return Closure(expression, Place(expression, point.place), self.frame)
            case Character(text=text):
                return self._character(text, expression)
            case Assign():
                return self._assignment(expression, point)
            case Opaque(kind="fold_expression"):
                return folded(self, expression, point) or self.unknown("a fold over an unknown pack", expression)
            case Opaque(kind="user_defined_literal", parts=(Number() as number, suffix)):
                return self.functions.of_literal(number, suffix, point)
            case _:
                return self.unknown("not an expression that can be evaluated", expression)

    def _called(self, call: Call, point: Point) -> Result:
        """What a call gives, which ways that agree in what it depends on share."""
        question = (call, point.place.occurrence, point.offset)
        return self._calls.of(question, self.functions.call, call, point)

    def under(
        self, frame: Frame | None, ask: Callable[Asking, Answer], *asked: Asking.args, **more: Asking.kwargs
    ) -> Answer:
        """What ``ask`` answers where the code is reached by ``frame``."""
        outer, self.frame = self.frame, frame
        try:
            return ask(*asked, **more)
        finally:
            self.frame = outer

    def value(self, expression: Expr, point: Point) -> Value:
        """``expression`` as an integer."""
        return self.size(self.evaluate(expression, point))

    def size(self, result: Result) -> Value:
        """``result`` as an extent, a ``size_t``; a negative number stays negative, so that it can be reported."""
        scalar = self.scalar(result)
        if isinstance(scalar, Unknown):
            return scalar
        return convert(scalar, ULONG).value if isinstance(scalar, Real) else scalar.value

    def scalar(self, result: Result) -> Scalar | Real | Unknown:
        """``result`` as a number: one-dimensional ranges convert, as in SYCL."""
        match result:
            case Scalar() | Real() | Unknown():
                return result
            case RangeObject(extents=(extent,)):
                return Scalar(extent, ULONG)
            case ListObject(elements=(element,), point=point):
                return self.scalar(self.evaluate(element, point))
            case Instance():
                number = self.conversions.number(result)
                return number if isinstance(number, Scalar | Real | Unknown) else Unknown("not a number")
            case _:
                return Unknown("not a number")

    def combine(self, operator: str, left: Result, right: Result, node: Expr) -> Result:
        """``left operator right``, for numbers and for ranges."""
        if isinstance(left, RangeObject) or isinstance(right, RangeObject):
            left = self.conversions.extents(left) if isinstance(left, Instance) else left
            right = self.conversions.extents(right) if isinstance(right, Instance) else right
            ranges = self._range_arithmetic(operator, left, right)
            if ranges is not None:
                return ranges
        first, second = self.scalar(left), self.scalar(right)
        for side in (first, second) if operator in _DECISIVE else ():
            number = known(side.value) if isinstance(side, Scalar) else None
            if number is not None and bool(number) is _DECISIVE[operator] and isinstance(side, Scalar):
                return binary("||", side, side)
        if isinstance(first, Unknown):
            return first
        if isinstance(second, Unknown):
            return second
        result = binary(operator, first, second)
        if isinstance(result, Scalar) and isinstance(result.value, Unknown) and result.value.location is None:
            location = self.location(node.start, node.end)
            return Scalar(Unknown(result.value.reason, location), result.type)
        return result

    def _range_arithmetic(self, operator: str, left: Result, right: Result) -> RangeObject | None:
        """Element by element; a number stands for a range of equal extents."""
        size = max(len(each.extents) for each in (left, right) if isinstance(each, RangeObject))
        sides: list[tuple[Value, ...]] = []
        for side in (left, right):
            if isinstance(side, RangeObject) and len(side.extents) == size:
                sides.append(side.extents)
            else:
                number = self.size(side)
                sides.append((number,) * size)
        extents: list[Value] = []
        for first, second in zip(*sides, strict=True):
            result = binary(operator, Scalar(first, ULONG), Scalar(second, ULONG))
            extents.append(result.value if isinstance(result, Scalar) else Unknown("not a number"))
        return RangeObject(tuple(extents), _members([each for each in (left, right) if isinstance(each, RangeObject)]))

    def kind(self, name: Name, point: Point) -> TypeKind:
        """What the type ``name`` is at ``point``: local aliases, template arguments and macros are looked through."""
        text = name.text
        if text in INTEGER_TYPES:
            return self.types.kind(name)
        if name.scope is not None or name.arguments is not None or "::" in text:
            given = library_type(self, name, point)
            if given is not None:
                whole, there = given
                is_plain = not (whole.pointers or whole.extents)
                return self.kind(whole.name, there) if is_plain else TypeKind(whole.name, extents=whole)
            kind = self.types.kind(name, point.place)
            return kind if kind.struct is None else self._instance(kind, name, point, self.frame)
        if text in self.facts.macros or text in self.defines:
            macro = self.macros.macro(name, point)
            if macro is None or macro.text == text:
                return TypeKind(name)
            return self.types.kind(Name(macro.text, None, None, name.start, name.end))
        if text in KEYWORDS:
            return self.types.kind(name)
        written = self.names.type_named(name, point)
        if written.whole is not None:
            return TypeKind(written.name, extents=written.whole)
        if written.unbound or written.others:
            return TypeKind(written.name)
        kind = self.types.kind(written.name)
        return kind if kind.struct is None else self._instance(kind, written.name, written.point, written.frame)

    def _instance(self, kind: TypeKind, name: Name, point: Point, frame: Frame | None) -> TypeKind:
        """``kind``, a class: which of several of its name, and what binds its parameters if it is a template's."""
        if kind.struct is None:
            return kind
        last = kind.struct.node.name
        is_template = self.instances.is_template(last)
        if not is_template and self.instances.is_single(last):
            return kind
        bound = self.under(frame, self.instances.of, name, point)
        if is_template:
            return kind if bound is None else kind._replace(struct=bound.struct, bound=bound.frame)
        return kind._replace(struct=None if bound is None else bound.struct)

    def cast(self, kind: Type, operand: Result, node: Expr, point: Point) -> Result:
        """``operand`` converted to ``kind``, which is written at ``point``."""
        if kind.pointers:
            found = self.construction.allocations.cast(operand, kind, point)
            return self.unknown("a pointer", node) if found is None else found
        return self.converted(operand, self.kind(kind.name, point), node)

    def converted(self, operand: Result, kind: TypeKind, node: Expr) -> Result:
        """``operand`` converted to a type that is known."""
        if kind.extents is not None:
            return self.unknown("a pointer or an array", node)
        if kind.sycl in ("range", "id") or kind.automatic:
            return operand
        scalar = self.scalar(operand)
        if isinstance(scalar, Unknown):
            return scalar
        if kind.integer is not None:
            return convert(scalar, kind.integer)
        if kind.floating:
            return as_real(scalar, kind.precision)
        return self.unknown(f"a value of type {kind.name.text or 'unknown'}", node)

    def _assignment(self, node: Assign, point: Point) -> Result:
        """``n = value`` has the type of ``n``."""
        if node.operator != "=":
            return self.unknown("an assignment inside an expression", node)
        result = self.evaluate(node.right, point)
        declared = self.declarations.type_of(node.left, point) if isinstance(node.left, Name) else None
        if declared is None or type(result) is Allocation:
            return result
        if isinstance(result, ListObject):
            kind = self.kind(declared.name, point)
            return self.construction.construct(kind, result.elements, result.point, node, braced=True)
        if isinstance(result, Instance) and self.members.is_copied(result.struct):
            return self.conversions.implicit(result, self.kind(declared.name, point), node.right, point)
        kind = self.kind(declared.name, point)
        if not isinstance(result, Instance) and kind.struct is not None and not declared.pointers:
            return self.conversions.implicit(result, kind, node.right, point)
        return self.cast(declared, result, node, point)

    def _conditional(self, node: Conditional, point: Point) -> Result:
        if self.expansion.needed(node, point):
            return self.expansion.value(node, point)
        condition = self.evaluate(node.condition, point)
        if self._hangs_together(node, condition, point):
            each_way = self._one_by_one(node, point)
            return each_way or self.unknown("a number that decides about itself", node)
        arms = [self._arm(arm, node.condition, point, holds=arm is node.then) for arm in (node.then, node.otherwise)]
        return self.chosen(condition, arms[0], arms[1], node)

    def _arm(self, arm: Expr, condition: Expr, point: Point, *, holds: bool) -> Result:
        """An arm of a conditional: a variable that the condition compares with a number is limited by that."""
        result = refinement.where(condition, self.evaluate(arm, point), point, self, holds=holds)
        if isinstance(arm, Name):
            return refinement.unchanged(condition, arm.text, result, point, self, holds=holds)
        return result

    def _hangs_together(self, node: Conditional, condition: Result, point: Point) -> bool:
        """``n < 64 ? n : 64`` where ``n`` is one of several numbers: not each of them is the result."""
        if not isinstance(condition, Scalar) or not isinstance(condition.value, OneOf):
            return False
        asked = {each.text for each in walk(node.condition) if isinstance(each, Name)}
        return any(
            isinstance(each, Name) and each.text in asked and isinstance(self.value(each, point), OneOf)
            for arm in (node.then, node.otherwise)
            for each in walk(arm)
        )

    def _one_by_one(self, node: Conditional, point: Point) -> Scalar | None:
        """``n < 64 ? n : 64`` for each number that ``n`` may be; ``None`` where the condition asks more than that."""
        match node.condition:
            case Binary(operator=operator, left=Name() as name, right=other):
                pass
            case _:
                return None
        asked, limit = self.evaluate(name, point), self.scalar(self.evaluate(other, point))
        if not isinstance(asked, Scalar) or not isinstance(asked.value, OneOf) or asked.value.open:
            return None
        results: list[Result] = []
        for each in asked.value.values:
            number = asked._replace(value=each)
            holds = self.scalar(self.combine(operator, number, limit, node))
            if not isinstance(holds, Scalar) or not isinstance(holds.value, Known):
                return None
            arm = node.then if holds.value.value else node.otherwise
            if isinstance(arm, Name) and arm.text == name.text:
                results.append(number)
            elif any(isinstance(inside, Name) and inside.text == name.text for inside in walk(arm)):
                return None
            else:
                results.append(self.evaluate(arm, point))
        found = self.joined(results, node)
        return found if isinstance(found, Scalar) else None

    def chosen(self, condition: Result, then: Result, otherwise: Result, node: Expr) -> Result:
        """``condition ? then : otherwise``: both branches have their common type."""
        if isinstance(then, Scalar | Real) and isinstance(otherwise, Scalar | Real):
            then, otherwise = alike(then, otherwise)
        decided = self.scalar(condition)
        if isinstance(decided, Scalar) and isinstance(decided.value, Known):
            return then if decided.value.value else otherwise
        if not isinstance(decided, Scalar) or not isinstance(decided.value, OneOf) or decided.value.open:
            return self.joined([then, otherwise], node)
        arms = [_with_steps(then if each.value else otherwise, each) for each in decided.value.values]
        return self.joined(arms, node)

    def joined(self, results: list[Result], node: Expr | Variable | None = None) -> Result:
        """One result that covers all of ``results``."""
        first = results[0]
        if all(each == first for each in results):
            return first
        if all(isinstance(each, RangeObject) for each in results):
            ranges = [each for each in results if isinstance(each, RangeObject)]
            if len({len(each.extents) for each in ranges}) == 1:
                columns = zip(*(each.extents for each in ranges), strict=True)
                ways = tuple(dict.fromkeys(way for each in ranges for way in each.ways or (each.extents,)))
                return RangeObject(tuple(join(list(column)) for column in columns), _members(ranges), ways)
        if type(first) is Instance and all(isinstance(each, Instance) for each in results):
            one = self.members.joined([each for each in results if isinstance(each, Instance)])
            if one is not None:
                return one
        if type(first) is ListObject and all(isinstance(each, ListObject) for each in results):
            listed = self.arrays.joined([each for each in results if isinstance(each, ListObject)])
            if listed is not None:
                return listed
        scalars = [self.scalar(each) for each in results]
        for each in scalars:
            if isinstance(each, Unknown):
                return each
            if isinstance(each, Real):
                return self.unknown("several possible floating-point values", node)
        numbers = [each for each in scalars if isinstance(each, Scalar)]
        kind = numbers[0].type if len({each.type for each in numbers}) == 1 else ULONG
        return Scalar(join([each.value for each in numbers]), kind)

    def index(self, inner: Expr, indices: tuple[Expr, ...], point: Point, node: Expr) -> Result:
        """``inner[indices]``."""
        target = self.evaluate(inner, point)
        if isinstance(target, Unknown):
            return target
        if len(indices) != 1:
            return self.unknown("an element of an object", node)
        index = self.value(indices[0], point)
        match target:
            case RangeObject(extents=extents):
                if isinstance(index, Known) and 0 <= index.value < len(extents):
                    return Scalar(extents[index.value], ULONG)
                if all(each == extents[0] for each in extents):
                    return Scalar(extents[0], ULONG)
                return self.unknown("an extent chosen at run time", node)
            case ListObject():
                return self.arrays.indexed(target, index, node)
            case Instance():
                called = Call(Member(inner, "operator[]", None, node.start, node.end), indices, node.start, node.end)
                found = self.members.called(target, "operator[]", called, point)
                return self.unknown("an element of an object", node) if found is None else found
            case _:
                asked = element_asked(self, target, index.value, node.start) if isinstance(index, Known) else None
                return self.unknown("an element of an object", node) if asked is None else asked

    def _sizeof(self, node: SizeOf, point: Point) -> Result:
        operand = node.operand
        count = length(self, operand, point) if node.operator == "sizeof..." and operand is not None else None
        if count is not None:
            return count
        if node.operator != "sizeof" or operand is None:
            return self.unknown(f"{node.operator} is not evaluated here", node)
        size = self.sizes.of_operand(operand, point)
        return size if isinstance(size, Unknown) and size.location is not None else Scalar(size, ULONG)

    def _character(self, text: str, node: Expr) -> Result:
        inner = text.strip("'")
        if len(inner) == 1 and ord(inner) < 128:
            return Scalar(Known(ord(inner)), CHAR)
        if inner in _CHARACTERS:
            return Scalar(Known(_CHARACTERS[inner]), CHAR)
        return self.unknown("a character", node)

    def as_range(self, expression: Expr, point: Point, dims: int | None) -> RangeObject:
        """``expression`` where a range of ``dims`` dimensions is wanted."""
        return self.construction.as_range(expression, point, dims)

    def range_arithmetic(self, operator: str, left: Result, right: Result) -> RangeObject | None:
        """``left operator right`` element by element; ``None`` when neither is a range."""
        if isinstance(left, RangeObject) or isinstance(right, RangeObject):
            return self._range_arithmetic(operator, left, right)
        return None

    def initial(self, variable: Variable, point: Point) -> Result:
        """What ``variable`` is initialised with; ``point`` is where its declaration stands."""
        question = (variable, point.place.occurrence, point.offset)
        return self._initials.of(question, self.construction.initial, variable, point)

    def held(self, kernel: Expr, place: Place, frame: Frame | None) -> "Held | None":
        """What a kernel, a lambda or an expression for a function object, holds; ``None`` without a C++ front end."""
        return None

    def callee(self, call: Call, place: Place) -> Function | None:
        """The function of the unit that a call means; ``None`` without a C++ front end."""
        return None

    def class_of(self, expression: Expr, point: Point) -> str | None:
        """The class of an expression, with its namespaces; ``None`` without a C++ front end."""
        return None

    def named(self, name: str, result: Result, start: int, end: int, place: Place | None = None) -> Result:
        """``result``, and that ``name``, at ``place``, stood for it; only the names nearest to literals are kept."""
        if isinstance(result, Scalar) and isinstance(result.value, Known) and not result.value.because:
            where = self.facts.file_at(place or self.here).location(start, end)
            step = Step(name, result.value.value, where)
            return Scalar(Known(result.value.value, (step,)), result.type)
        if isinstance(result, Scalar) and isinstance(result.value, Symbolic):
            return Scalar(named_as(result.value, name), result.type)
        return result


def _members(ranges: list[RangeObject]) -> tuple[str, ...]:
    """What the extents are called when all of ``ranges`` are of one class."""
    named = {each.members for each in ranges}
    return named.pop() if len(named) == 1 else ()


def _with_steps(result: Result, behind: Value) -> Result:
    """A number as one that ``behind`` has decided."""
    if not isinstance(result, Scalar) or not isinstance(result.value, Known):
        return result
    return result._replace(value=Known(result.value.value, steps(result.value, behind)))
