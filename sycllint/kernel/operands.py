"""Expressions of a kernel: the level and the number of each, and which memory an lvalue stands for."""

from __future__ import annotations

from collections.abc import Callable
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
    Increment,
    Index,
    Lambda,
    Member,
    Name,
    Number,
    Opaque,
    SizeOf,
    Text,
    Type,
    Unary,
)
from sycllint.cpp.node import Node, children
from sycllint.cpp.place import Place
from sycllint.cpp.spelling import spelled
from sycllint.cpp.statement import (
    Struct,
)
from sycllint.kernel.controls import Control, LaneArithmetic, Names
from sycllint.kernel.levels import (
    UNIFORM,
    UNKNOWN,
    Content,
    Level,
    Memory,
    collected,
    constant,
    either,
    exact_of,
    joined,
    one_of,
    part_of,
    scalar_of,
    truth_of,
    with_part,
)
from sycllint.kernel.meaning import Role, fields
from sycllint.kernel.rounding import either_made, given_by, made_by
from sycllint.kernel.trips import perhaps_aligned
from sycllint.record import replace
from sycllint.symbols.templates import template_parameter
from sycllint.values.arithmetic import LONG, Scalar, convert, literal
from sycllint.values.objects import Point
from sycllint.values.symbolic import highest, lowest, negate, parameter, symbolic
from sycllint.values.value import Known, Unknown, Value, known

if TYPE_CHECKING:
    from sycllint.kernel.flow import Walk

COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})
_DIVISIONS = frozenset({"%", "&", "/", ">>"})
_LOGICAL = {"&&": "&&", "||": "||", "and": "&&", "or": "||"}
_CONSTANTS = frozenset({"true", "false", "nullptr", "NULL"})
_LITERALS = frozenset({Number, Text, Character, SizeOf, Type})


class Operands:
    """The expressions of one walk."""

    def __init__(self, walk: Walk) -> None:
        self._walk = walk
        self.compared: tuple[Binary, Content, Content] | None = None
        """The last comparison walked, and what its sides are."""
        self._unnamed = 0
        """Products with a number that is not known."""
        self._literals: dict[str, Scalar | None] = {}
        self._combined: dict[tuple[str, int, int], tuple[Scalar, Scalar, Scalar | None, Level | None]] = {}
        """By operator and identities of the sides, which are kept with it: the result, and the level that it has."""
        self._outcomes: dict[tuple[str, int, int, Level], tuple[Scalar, Scalar, Content]] = {}
        """Likewise of comparisons, whose sides are of the level."""

    def typed(self, content: Content, kind: Type) -> Content:
        """A value as a variable of its type holds it."""
        if kind.pointers or kind.extents:
            return content
        resolved = self._walk.evaluator.types.kind(kind.name)
        if resolved.floating or resolved.struct is not None:
            return Content(content.level, parts=content.parts)
        if resolved.integer is None:
            # A template's type: where numbers are followed, it is an integer.
            return content
        number = convert(content.number, resolved.integer) if content.number is not None else None
        return Content(content.level, number, made=content.made)

    def value(self, expression: Expr, place: Place, names: Names) -> Content:
        """What an expression gives; remembers its level."""
        walk = self._walk
        state = walk.state
        if walk.tired() or state is None:
            return UNKNOWN
        kind = type(expression)
        if kind in _LITERALS:
            return self._literal(expression)
        visit = _EXPRESSIONS.get(kind)
        content = visit(self, expression, place, names) if visit is not None else self._opaque(expression, place, names)
        if content.through:
            content = walk.read(content)
        if walk.part is None:
            walk.note(expression, content.level)
        return content

    def _literal(self, expression: Expr) -> Content:
        if not isinstance(expression, Number):
            return UNIFORM
        text = expression.text
        if self._walk.counts and text not in self._literals:
            number = literal(text)
            self._literals[text] = number if isinstance(number, Scalar) else None
        return Content(Level.GRID, self._literals.get(text))

    def lvalue(self, expression: Expr, place: Place, names: Names) -> Content:
        """What an expression stands for: for elements of memory, which and with which address."""
        visit = _EXPRESSIONS.get(type(expression))
        if visit is not None:
            return visit(self, expression, place, names)
        if type(expression) in _LITERALS:
            return self._literal(expression)
        return self._opaque(expression, place, names)

    def _opaque(self, node: Node, place: Place, names: Names) -> Content:
        for each in children(node):
            if isinstance(each, Expr):
                self.value(each, place, names)
        if isinstance(node, Opaque) and "asm" in node.kind:
            self._walk.disclosed.inside(node, names)
            self._walk.uncertain_barrier()
        return UNKNOWN

    def _name(self, node: Name, place: Place, names: Names) -> Content:
        key = names.keys.get(node.text)
        if key is not None:
            assert self._walk.state is not None
            content = self._walk.state.contents.get(key, UNKNOWN)
            if key in self._walk.disclosed.shared and content.memory is None:
                return UNKNOWN
            return self._walk.indices.only(content.ids) if content.ids else content
        if node.text in names.closures:
            return UNIFORM
        point = Point(place, node.start)
        is_macro = node.text in self._walk.facts.macros
        macro = self._walk.evaluator.macros.macro(node, point) if is_macro else None
        if macro is not None and macro.value is not None and macro.parameters is None:
            if isinstance(macro.value, Name) and macro.value.text == node.text:
                return UNIFORM
            return self.lvalue(macro.value, Place(macro.value, Place(macro, place)), names)
        owner = self._walk.called[-1].owner
        if owner is not None and self._is_member(node, place):
            return part_of(owner, node.text)
        return self._from_outside(node, point)

    def _is_member(self, node: Name, place: Place) -> bool:
        struct = next((each for each in place.chain() if isinstance(each, Struct)), None)
        return struct is None or any(each.name == node.text for each in fields(struct))

    def _from_outside(self, node: Name, point: Point) -> Content:
        """A name that the kernel was given: an argument, a capture, a constant."""
        key = (node.text, self._walk.scope)
        before = self._walk.outer.get(key)
        if before is not None:
            return before
        result = self._walk.evaluator.evaluate(node, point) if self._walk.counts else None
        number = result if isinstance(result, Scalar) and not isinstance(result.value, Unknown) else None
        # A constant or a macro out of sight may be any number: a guard by it may let every work-item pass.
        level = Level.GRID if number is not None or self._is_in_sight(node, point) else Level.UNKNOWN
        memory = self._memory(node, point)
        through = memory is not None and memory.is_local and self._has_no_dimensions(node, point)
        content = self._walk.outer[key] = Content(level, number, memory, through, made=given_by(number))
        return content

    def _is_in_sight(self, node: Name, point: Point) -> bool:
        """Whether it is known what a name from outside the kernel is, if not which number."""
        if node.text in _CONSTANTS or self._declared(node, point) is not None:
            return True
        return template_parameter(node.text, point.place) is not None

    def is_macro_out_of_sight(self, name: Name, place: Place, names: Names) -> bool:
        """Whether a name that stands alone is that of nothing in sight."""
        if name.text in names.keys or name.text in names.closures or name.text in names.roles:
            return False
        return not self._is_in_sight(name, Point(place, name.start))

    def _declared(self, node: Name, point: Point) -> Type | None:
        """The type a name from outside the kernel is declared with, there or as a member of the class around."""
        declared = self._walk.evaluator.lookup.declaration(node, point)
        if declared is None:
            struct = next((each for each in point.place.chain() if isinstance(each, Struct)), None)
            members = fields(struct) if struct is not None else ()
            declared = next((each.type for each in members if each.name == node.text), None)
        return declared

    def _memory(self, node: Name, point: Point) -> Memory | None:
        """The memory behind a name from outside the kernel: none behind numbers."""
        declared = self._declared(node, point)
        if declared is None:
            return None if node.text in _CONSTANTS else Memory(node.text, False)
        kind = self._walk.evaluator.types.kind(declared.name)
        if kind.is_number and not declared.pointers and not declared.extents:
            return None
        arguments = kind.name.arguments or ()
        is_target = len(arguments) > 3 and isinstance(arguments[3], Name) and arguments[3].last == "local"
        return Memory(node.text, kind.name.last == "local_accessor" or is_target)

    def _has_no_dimensions(self, node: Name, point: Point) -> bool:
        """Whether an accessor stands for its only element."""
        declared = self._walk.evaluator.lookup.declaration(node, point)
        arguments = self._walk.evaluator.types.kind(declared.name).name.arguments if declared is not None else None
        return bool(arguments and len(arguments) > 1 and isinstance(arguments[1], Number) and arguments[1].text == "0")

    def _index(self, node: Index, place: Place, names: Names) -> Content:
        target = self.lvalue(node.object, place, names)
        indices = [self.value(each, place, names) for each in node.indices]
        if self._walk.part is not None:
            for each, content in zip(node.indices, indices, strict=True):
                self._walk.note(each, content.level)
        if target.memory is not None and target.number is None and not target.ids:
            role = None
        else:
            role = self._walk.following.role(node.object, names)
        dimension = exact_of(indices[0]) if len(indices) == 1 else None
        if target.ids:
            return self._walk.indices.element(target.ids, dimension)
        if role is Role.ITEM:
            return self._walk.indices.of_item("get_global_id", dimension, chosen=True)
        if role is Role.WORK_GROUP:
            return self._walk.indices.of_item("get_group_id", dimension, chosen=True)
        level = target.level
        if target.parts:
            level = part_of(target, str(dimension)).level if dimension is not None else Level.UNKNOWN
        for content in indices:
            level = max(level, content.level)
        if target.number is not None and target.memory is None and dimension == 0:
            # The one component of a one-dimensional id.
            return target
        if target.memory is not None:
            return Content(level, memory=target.memory, through=True)
        return Content(level)

    def _member(self, node: Member, place: Place, names: Names) -> Content:
        if isinstance(node.object, Name) and node.object.text == "this":
            return self._name(Name(node.name, None, None, node.start, node.end), place, names)
        target = self.lvalue(node.object, place, names)
        memory = target.memory
        if memory is None:
            return part_of(target, node.name)
        if target.through:
            return Content(target.level, memory=memory, through=True)
        return Content(target.level, memory=Memory((memory.key, node.name), memory.is_local))

    def _unary(self, node: Unary, place: Place, names: Names) -> Content:
        if node.operator == "*":
            target = self._walk.read(self.lvalue(node.operand, place, names))
            if target.memory is not None:
                return Content(target.level, memory=target.memory, through=True)
            return target if target.level is Level.ITEM else UNKNOWN
        if node.operator == "&":
            target = self.lvalue(node.operand, place, names)
            if target.memory is not None:
                return replace(target, through=False, number=None)
            self._walk.disclosed.kept(node.operand, names)
            return UNKNOWN
        content = self.value(node.operand, place, names)
        if node.operator in ("!", "not"):
            truth = truth_of(content)
            return Content(Level.GRID, constant(int(not truth))) if truth is not None else Content(content.level)
        if node.operator == "-" and content.number is not None:
            result = self._walk.evaluator.combine("-", constant(0), content.number, node)
            return Content(content.level, scalar_of(result))
        if node.operator == "~" and content.number is not None:
            # As a signed number, so that the bits above are those of a mask.
            result = self._walk.evaluator.combine("-", constant(-1), Scalar(content.number.value, LONG), node)
            return Content(content.level, scalar_of(result))
        if node.operator == "+":
            return content
        return Content(content.level)

    def _increment(self, node: Increment, place: Place, names: Names) -> Content:
        target = self.lvalue(node.operand, place, names)
        before = self._walk.read(target)
        after = self.arithmetic(node.operator[0], before, Content(Level.GRID, constant(1)), node)
        self._assign_to(node.operand, target, after, names)
        return after if node.prefix else before

    def _assign(self, node: Assign, place: Place, names: Names) -> Content:
        content = self.value(node.right, place, names)
        target = self.lvalue(node.left, place, names)
        if node.operator != "=":
            content = self.arithmetic(node.operator[:-1], self._walk.read(target), content, node)
        self._assign_to(node.left, target, content, names)
        return content

    def _assign_to(self, left: Expr, target: Content, content: Content, names: Names) -> None:
        state = self._walk.state
        if state is None:
            return
        if target.through:
            self._walk.store(target)
            return
        if isinstance(left, Name):
            key = names.keys.get(left.text)
            if key is not None:
                state.contents[key] = replace(content, through=False) if content.through else content
            return
        # A part of an object: the whole is what its parts are.
        root, addressed = root_of(left)
        key = names.keys.get(root) if root else None
        if key is None:
            self._walk.disclosed.changed(left, names)
            return
        old = state.contents.get(key, UNKNOWN)
        if old.memory is not None:
            return
        level = joined((content.level, *(self._walk.levels.get(id(each), Level.GRID) for each in addressed)))
        part = _part_name(left)
        parts = with_part(old, part, level) if part is not None else old.parts
        state.contents[key] = Content(max(old.level, level), parts=parts)

    def _binary(self, node: Binary, place: Place, names: Names) -> Content:
        logical = _LOGICAL.get(node.operator)
        if logical is not None:
            return self._logical(node, logical, place, names)
        left = self.value(node.left, place, names)
        right = self.value(node.right, place, names)
        if node.operator == ",":
            return right
        if left.ids:
            left = self._walk.indices.only(left.ids)
        if right.ids:
            right = self._walk.indices.only(right.ids)
        if node.operator in COMPARISONS:
            self.compared = (node, left, right)
        elif node.operator in _DIVISIONS and left.number is not None:
            self._divides_lanes(node, left.number, right, place)
        return self.arithmetic(node.operator, left, right, node)

    def _divides_lanes(self, node: Binary, left: Scalar, right: Content, place: Place) -> None:
        """Note arithmetic that takes a local id apart into lane and sub-group."""
        number = exact_of(right)
        if number is None or not self._walk.indices.is_lane(left.value) or not 0 < number < 1024:
            return
        width = {"&": number + 1, ">>": 1 << min(number, 16)}.get(node.operator, number)
        location = self._walk.use if self._walk.use is not None else self._walk.location(node, place)
        rows = not self._walk.indices.runs_along(left.value)
        self._walk.lanes[location] = LaneArithmetic(width, spelled(node), location, node.operator in ("%", "&"), rows)

    def arithmetic(self, operator: str, left: Content, right: Content, node: Expr) -> Content:
        """``left operator right``: its level, its number, and the memory that a pointer stays in."""
        level = max(left.level, right.level)
        memory = left.memory or right.memory
        if memory is not None and operator in ("+", "-"):
            pointed = left if left.memory is not None else right
            if pointed.number is None:
                return Content(level, memory=memory)
        first, second = left.number, right.number
        if operator in COMPARISONS:
            return self._comparison(operator, left, right, level)
        number, made = None, made_by(operator, left.made, right.made, node)
        if first is not None and second is not None:
            number, lowered = self._combination(operator, first, second, node)
            if lowered is not None:
                return Content(min(level, lowered), number, made=made)
        elif operator == "*" and level is Level.GRID:
            number = self._times(exact_of(left) or exact_of(right))
        if operator in ("/", ">>", "&") and left.level in (Level.ITEM, Level.SPLIT) and right.level <= Level.GROUP:
            level = self._divided(operator, left, right)
        return Content(level, number, made=made)

    def _times(self, factor: int | None) -> Scalar | None:
        """A number of which nothing is known, times ``factor``; the next one that is not known is another one."""
        if factor is None or factor < 2 or not self._walk.counts:
            return None
        self._unnamed += 1
        key = f"unnamed {self._unnamed}"
        return Scalar(parameter(key, key, "", multiple_of=factor), LONG)

    def _combination(
        self, operator: str, first: Scalar, second: Scalar, node: Expr
    ) -> tuple[Scalar | None, Level | None]:
        """The number of ``first operator second``, and the level that it says by itself."""
        key = (operator, id(first), id(second))
        found = self._combined.get(key)
        if found is None:
            number = self._walk.indices.quotient(operator, first.value, second.value)
            if number is None:
                number = scalar_of(self._walk.evaluator.combine(operator, first, second, node))
            lowered = self._walk.indices.level_of(number.value) if number is not None else None
            found = self._combined[key] = (first, second, number, lowered)
        return found[2:]

    def _divided(self, operator: str, left: Content, right: Content) -> Level:
        """The level of what is the same in runs of work-items: ``local_id / 32``."""
        by = self._divisor(operator, right)
        if by is None and operator == "&":
            return left.level
        divisor = known(by)
        if left.number is None:
            return Level.SPLIT
        if by is not None and self._walk.indices.is_of_group(left.number.value, by):
            return Level.GROUP
        if divisor is not None and self._walk.indices.may_be_of_group(left.number.value, divisor):
            return Level.UNKNOWN
        if not self._walk.indices.runs_along(left.number.value):
            return Level.SPLIT
        if right.number is not None and self._walk.indices.is_sub_group_size(right.number.value):
            return Level.SUB_GROUP
        return self._walk.indices.by_blocks(divisor) if divisor is not None else Level.SPLIT

    def _divisor(self, operator: str, right: Content) -> Value | None:
        """The length of the runs that ``x / n``, ``x >> n`` and ``x & -n`` are the same in."""
        exact = exact_of(right)
        match operator:
            case ">>":
                return Known(1 << exact) if exact is not None and 0 <= exact < 32 else None
            case "&":
                negative = symbolic(right.number.value) if right.number is not None else None
                if negative is None or (exact is not None and (exact >= 0 or exact & (exact - 1) != exact * 2)):
                    return None
                return Known(-exact) if exact is not None else negate(negative)
            case _:
                return right.number.value if right.number is not None else None

    def _comparison(self, operator: str, left: Content, right: Content, level: Level) -> Content:
        first, second = left.number, right.number
        if level.diverges and self._walk.counts and perhaps_aligned(left, right):
            return UNKNOWN
        if first is None or second is None:
            return Content(level)
        key = (operator, id(first), id(second), level)
        found = self._outcomes.get(key)
        if found is None:
            found = self._outcomes[key] = (first, second, self._outcome(operator, first, second, level))
        return found[2]

    def _outcome(self, operator: str, first: Scalar, second: Scalar, level: Level) -> Content:
        """What the comparison of two numbers gives, of which the one that differs more is of ``level``."""
        decided = self._walk.indices.decided(operator, first.value, second.value)
        if decided is not None:
            return Content(Level.GRID, constant(int(decided)))
        difference = scalar_of(self._walk.evaluator.combine("-", first, second, Number("0", 0, 0)))
        lowered = self._walk.indices.level_of(difference.value) if difference is not None else None
        if lowered is not None:
            return Content(min(level, lowered))
        if self._walk.indices.is_rounded_down(first.value, second.value):
            return UNKNOWN
        if operator not in ("==", "!="):
            aligned = self._walk.indices.aligned(operator, first.value, second.value)
            if aligned is not None:
                return Content(min(level, aligned))
        if level is Level.ITEM and operator not in ("==", "!="):
            for lane, bound in ((first, known(second.value)), (second, known(first.value))):
                if bound is not None and self._walk.indices.is_lane(lane.value):
                    return Content(self._edge(operator, bound, lane, plain=lane is first))
        return Content(level)

    def _edge(self, operator: str, bound: int, lane: Scalar, *, plain: bool) -> Level:
        """The level of ``local_id < bound``: at a multiple of the width, whole sub-groups go one way."""
        if not self._walk.indices.runs_along(lane.value):
            return Level.SPLIT
        inclusive = operator in (("<=", ">") if plain else ("<", ">="))
        return self._walk.indices.by_blocks(bound + 1 if inclusive else bound)

    def _logical(self, node: Binary, operator: str, place: Place, names: Names) -> Content:
        left = self.value(node.left, place, names)
        decisive = operator == "||"
        if truth_of(left) is decisive:
            return left
        if truth_of(left) is None:
            control = self._walk.control("branch", left.level, node.left, node, place, names)
            right = self._conditionally(control, node.right, place, names)
        else:
            right = self.value(node.right, place, names)
        if truth_of(right) is decisive:
            return Content(Level.GRID, constant(int(decisive)))
        if truth_of(left) is not None:
            return replace(right, memory=None)
        if truth_of(right) is not None:
            return Content(left.level)
        return Content(either(left.level, right.level))

    def _conditionally(self, control: Control, expression: Expr, place: Place, names: Names) -> Content:
        """The value of an operand that is evaluated only under ``control``."""
        found = [UNKNOWN]

        def evaluate() -> None:
            found[0] = self.value(expression, place, names)

        self._walk.choice(control, evaluate, None)
        return found[0]

    def _conditional(self, node: Conditional, place: Place, names: Names) -> Content:
        condition = self.value(node.condition, place, names)
        truth = truth_of(condition)
        if truth is not None:
            return self.value(node.then if truth else node.otherwise, place, names)
        control = self._walk.control("branch", condition.level, node.condition, node, place, names)
        found = [UNKNOWN, UNKNOWN]

        def evaluate(which: int, expression: Expr) -> None:
            found[which] = self.value(expression, place, names)

        self._walk.choice(control, lambda: evaluate(0, node.then), lambda: evaluate(1, node.otherwise))
        first, second = found
        if first.number is not None and first == second:
            return first
        memory = first.memory if first.memory == second.memory else None
        if (
            memory is None
            and (first.memory is not None or second.memory is not None)
            and not (first.number and second.number)
        ):
            level = joined((condition.level, first.level, second.level))
            return Content(level if _is_scalar(node) else Level.UNKNOWN)
        level = joined((condition.level, first.level, second.level))
        number = one_of(first, second, condition.level)
        return Content(level, number, memory, made=either_made(first.made, second.made))

    def _cast(self, node: Cast, place: Place, names: Names) -> Content:
        content = self.value(node.operand, place, names)
        return self.typed(content, node.type)

    def _brace(self, node: Brace, place: Place, names: Names) -> Content:
        contents = [self.value(each, place, names) for each in node.elements]
        return UNKNOWN if self._walk.disclosed.made_here(node, place, names) else collected(contents)

    def _call(self, node: Call, place: Place, names: Names) -> Content:
        return self._walk.following.call(node, place, names)

    def _lambda(self, node: Lambda, place: Place, names: Names) -> Content:
        """A lambda handed to something, which may run it."""
        self._walk.following.run(node, place, names, (), ())
        return UNKNOWN

    def extremum(self, last: str, values: list[Content]) -> Scalar | None:
        """The number of ``min`` or ``max`` of two that are the same in a whole group."""
        if last not in ("min", "max") or len(values) != 2:
            return None
        first, second = exact_of(values[0]), exact_of(values[1])
        if first is not None and second is not None:
            return constant(min(first, second) if last == "min" else max(first, second))
        left, right = (each.number for each in values)
        if left is None or right is None or any(each.level > Level.GROUP for each in values):
            return None
        one, other = symbolic(left.value), symbolic(right.value)
        if one is None or other is None:
            return None
        return Scalar((lowest if last == "min" else highest)(one, other), LONG)


def _is_scalar(node: Conditional) -> bool:
    """Whether the arms of ``?:`` look like values rather than pointers."""
    return any(isinstance(each, Index | Binary | Number | Unary) for each in (node.then, node.otherwise))


def _part_name(left: Expr) -> str | None:
    """The member or element of a variable that an lvalue is, where it is written plainly."""
    match left:
        case Member(object=Name(), name=name):
            return name
        case Call(function=Member(object=Name(), name=name), arguments=()):
            return name
        case Index(object=Name(), indices=(Number(text=text),)):
            return text
        case _:
            return None


def root_of(expression: Expr) -> tuple[str | None, list[Expr]]:
    """The variable that an lvalue is a part of, and the indices on the way."""
    indices: list[Expr] = []
    while True:
        match expression:
            case Name(text=text):
                return text, indices
            case Index(object=inner, indices=found):
                indices += found
                expression = inner
            case Member(object=inner):
                expression = inner
            case Call(function=Member(object=inner), arguments=()):
                expression = inner
            case _:
                return None, indices


_EXPRESSIONS: dict[type[Node], Callable[..., Content]] = {
    Assign: Operands._assign,
    Binary: Operands._binary,
    Brace: Operands._brace,
    Call: Operands._call,
    Cast: Operands._cast,
    Conditional: Operands._conditional,
    Increment: Operands._increment,
    Index: Operands._index,
    Lambda: Operands._lambda,
    Member: Operands._member,
    Name: Operands._name,
    Unary: Operands._unary,
}
