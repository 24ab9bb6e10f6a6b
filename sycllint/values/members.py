"""Members of objects whose class is in sight: what they start with, what was assigned to them since, their methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sycllint.cpp.expression import Assign, Brace, Call, Expr, Index, Member, Name, Opaque
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, Struct, Variable
from sycllint.facts.file import Declared
from sycllint.values.arithmetic import LONG, UINT, ULONG, Scalar
from sycllint.values.arrays import MEMBERS
from sycllint.values.bindings import MAX_FRAMES, accepts
from sycllint.values.exposures import Exposures
from sycllint.values.fields import Classes, Fields
from sycllint.values.frame import Frame
from sycllint.values.instances import Bound
from sycllint.values.lvalues import spelled
from sycllint.values.objects import Closure, Instance, ListObject, NdRangeObject, Point, RangeObject, Result
from sycllint.values.range_classes import DIM3
from sycllint.values.symbolic import parameter
from sycllint.values.types import TypeKind
from sycllint.values.value import Unknown

if TYPE_CHECKING:
    from sycllint.values.evaluate import Evaluator

_PLAIN_OBJECTS = (Instance, RangeObject, NdRangeObject, Closure)


class Members:
    """Members for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._classes = Classes(evaluator)
        self._exposures = Exposures(evaluator, self._classes)

    # ---------------------------------------------------------------- values

    def read(self, inner: Expr, name: str, point: Point, node: Expr) -> Result:
        """``inner.name``; what is not known of it is a number of that name."""
        evaluator = self._evaluator
        whole = self.object(inner, point)
        if isinstance(whole, RangeObject) and name in whole.members:
            return Scalar(whole.extents[whole.members.index(name)], UINT if whole.members == DIM3.extents else ULONG)
        if isinstance(whole, ListObject) and name in MEMBERS:
            return evaluator.arrays.element(whole, MEMBERS[name], node)
        found = self.value(whole, name) if isinstance(whole, Instance) else None
        if found is not None and not isinstance(found, Unknown):
            return found
        text = spelled(inner)
        if text is None:
            return evaluator.unknown(f"the member {name} of an object", node)
        location = evaluator.location(node.start, node.end)
        owner = found or evaluator.scalar(
            evaluator.evaluate(Name(text.partition(".")[0], None, None, node.start, node.start), point)
        )
        changed = owner.location if isinstance(owner, Unknown) else None
        anchor = f"{changed.path}:{changed.span.start}" if changed is not None else evaluator.scope_key("", point.place)
        if found is not None:
            anchor += evaluator.scope_key("", point.place)
        reason = f"the member {name} of {text}"
        return Scalar(parameter(f"{text}.{name}", f"{text}.{name}@{anchor}", reason, location), LONG)

    def object(self, expression: Expr, point: Point) -> Result | None:
        """The object that a member is asked of; ``None`` when that cannot be one that is known."""
        match expression:
            case Name():
                return self._evaluator.evaluate(expression, point)
            case Member(object=inner, name=name):
                whole = self.object(inner, point)
                return self.value(whole, name) if isinstance(whole, Instance) else None
            case Call(function=Name()) | Brace(type=Name()) | Index():
                return self._evaluator.evaluate(expression, point)
            case _:
                return None

    def value(self, of: Instance, name: str) -> Result | None:
        """The member called ``name``; ``None`` when nothing is known of it."""
        fields = self._classes.fields(of.struct)
        if fields is None or name not in fields.variables:
            constant = Name(name, None, None, of.struct.node.start, of.struct.node.start)
            found = self._evaluator.names.constant(Bound(of.struct, self._class_frame(of)), constant)
            if found is not None or fields is None:
                return found
            found = self._inherited(of, name, fields)
        else:
            found = None if name in fields.disturbed else self._current(of, fields, name)
        if found is None or isinstance(found, Unknown):
            return found
        return None if self._exposures.is_exposed(of) else found

    def _current(self, of: Instance, fields: Fields, name: str) -> Result | None:
        """What a data member was made with, or given since."""
        last = max((index for index, (path, _) in enumerate(of.written) if path == name), default=None)
        result = self._first(of, fields, name) if last is None else of.written[last][1]
        inner = tuple(
            (path.partition(".")[2], value)
            for path, value in of.written[0 if last is None else last :]
            if path.startswith(f"{name}.")
        )
        if not inner:
            return result
        return result._replace(written=(*result.written, *inner)) if isinstance(result, Instance) else None

    def part(self, of: Instance, index: int, count: int) -> Result | None:
        """The data member at ``index`` of an object that has ``count``."""
        fields = self._classes.fields(of.struct)
        if fields is None or len(fields.variables) != count or of.struct.node.bases:
            return None
        return self.value(of, list(fields.variables)[index])

    def at(self, of: Instance, path: str) -> Result | None:
        """The member of a member, and so on: ``tile.rows``."""
        first, _, rest = path.partition(".")
        found = self.value(of, first)
        if not rest:
            return found
        return self.at(found, rest) if isinstance(found, Instance) else None

    def assigned(self, of: Instance, path: str, assign: Assign, point: Point) -> Instance | None:
        """The object once ``assign`` has set what is at ``path``; ``None`` when that is none of its data members."""
        evaluator = self._evaluator
        variable, there = self._variable_at(of, path)
        if variable is None or there is None:
            return None
        value = evaluator.evaluate(assign.right, point)
        if assign.operator != "=":
            before = self.at(of, path)
            value = (
                evaluator.unknown("an unknown member is changed", assign)
                if before is None
                else evaluator.combine(assign.operator[:-1], before, value, assign)
            )
        kept = self._held(variable, there, value, assign.right)
        if isinstance(kept, Unknown) and kept.location is None:
            kept = evaluator.unknown(kept.reason, assign)
        return of._replace(written=(*of.written, (path, kept)))

    def joined(self, objects: list[Instance]) -> Instance | None:
        """One object that may be any of ``objects``, which were made as one."""
        first = objects[0]
        fresh = first._replace(written=(), names=())
        if any(each._replace(written=(), names=()) != fresh for each in objects):
            return None
        paths = dict.fromkeys(path for each in objects for path, _ in each.written)
        written: list[tuple[str, Result]] = []
        for path in paths:
            values = [self.at(each, path) or Unknown(f"the member {path}") for each in objects]
            written.append((path, self._evaluator.joined(values)))
        names = dict.fromkeys(name for each in objects for name in each.names)
        return first._replace(written=tuple(written), names=tuple(names))

    def called(self, of: Instance, call: Call, point: Point) -> Result | None:
        """The result of a method that only reads; ``None`` when the class has none that the call surely means."""
        function = call.function
        if not isinstance(function, Member):
            return None
        methods = self._classes.methods(of.struct, function.name)
        if len(methods) != 1 or not accepts(methods[0], len(call.arguments)):
            return None
        if not self._classes.only_reads(methods[0], of.struct):
            return None
        if call.arguments and of.bound is not None and of.bound.outer is not self._evaluator.frame:
            return None
        here = of._replace(frame=self._evaluator.frame)
        return self._evaluator.bindings.method(methods[0], self._inside(of.struct), call, point, self._frame(here))

    def is_copied(self, struct: Declared[Struct]) -> bool:
        """Whether an assignment makes an object equal to another of the class."""
        return self._classes.fields(struct) is not None and not self._classes.methods(struct, "operator=")

    # ---------------------------------------------------------------- fields

    def _variable_at(self, of: Instance, path: str) -> tuple[Variable | None, Instance | None]:
        """The declaration of the member at ``path``, and the object that it is a member of."""
        first, _, rest = path.partition(".")
        fields = self._classes.fields(of.struct)
        variable = fields.variables.get(first) if fields is not None else None
        if variable is None or not rest:
            return variable, of
        inner = self.value(of, first)
        return self._variable_at(inner, rest) if isinstance(inner, Instance) else (None, None)

    def _inside(self, struct: Declared[Struct]) -> Place:
        return Place(struct.node.members, struct.place)

    def _class_frame(self, of: Instance) -> Frame | None:
        return of.bound if of.bound is not None else of.frame

    def _frame(self, of: Instance) -> Frame:
        """The frame in which the names of the class mean the members of the object."""
        frames, bound = self._evaluator.frames, of.bound
        if bound is None:
            return frames.made(of.struct.node, (), (), of.point, None, of.frame, of)
        return frames.made(of.struct.node, (), bound.templates, bound.point, None, bound.outer, of)

    # -------------------------------------------------------- initial values

    def _first(self, of: Instance, fields: Fields, name: str) -> Result | None:
        """What a data member is when the object has just been made."""
        if of.frame is not None and of.frame.depth >= MAX_FRAMES:  # a class whose members are made of objects of it
            return None
        fresh = of._replace(written=(), names=())
        if len(of.arguments) == 1:
            whole = self._evaluated(of.arguments[0], fresh)
            if isinstance(whole, Instance) and whole.struct.node is of.struct.node:
                return self.value(whole, name)
        if fields.constructors:
            return self._constructed(fresh, fields, name)
        return self._aggregated(fresh, fields, name)

    def _evaluated(self, expression: Expr, of: Instance) -> Result:
        """An argument of the object, where it is written."""
        evaluator = self._evaluator
        outer, evaluator.frame = evaluator.frame, of.frame
        try:
            return evaluator.evaluate(expression, of.point)
        finally:
            evaluator.frame = outer

    def _aggregated(self, of: Instance, fields: Fields, name: str) -> Result | None:
        """A member of an object without a constructor: by its place in the list, by its designator, or by itself."""
        arguments = of.arguments
        if arguments and of.struct.node.bases:
            return None
        if any(_designated(each) is not None for each in arguments):
            if any(_designated(each) is None for each in arguments):
                return None
            given = next((value for member, value in map(_pair, arguments) if member == name), None)
        else:
            if any(isinstance(each, Opaque) for each in arguments) or len(arguments) > len(fields.variables):
                return None
            position = list(fields.variables).index(name)
            given = arguments[position] if position < len(arguments) else None
            pairs = zip(fields.variables.values(), arguments[:position], strict=False)
            if any(self._may_spread(variable, of, each) for variable, each in pairs):
                return None
        variable = fields.variables[name]
        if given is not None:
            if self._may_spread(variable, of, given):
                return None
            return self._held(variable, of, self._evaluated(given, of), given)
        return self._default(variable, of, fields)

    def _may_spread(self, variable: Variable, of: Instance, given: Expr) -> bool:
        """Whether more than one element of a list without inner braces may belong to a member."""
        if isinstance(given, Brace):
            return False
        kind = self._kind(variable, of)
        if variable.type.pointers or kind.is_number or variable.type.reference:
            return False
        if kind.sycl or (kind.name.qualifier == "std" and kind.name.last != "array"):
            return bool(variable.type.extents)
        return not isinstance(self._evaluated(given, of), _PLAIN_OBJECTS)

    def _default(self, variable: Variable, of: Instance, fields: Fields) -> Result | None:
        """What a member is made with that nothing is given for."""
        evaluator = self._evaluator
        outer, evaluator.frame = evaluator.frame, self._frame(of)
        here, evaluator.here = evaluator.here, fields.place
        try:
            point = Point(fields.place, variable.start)
            if variable.arguments or variable.style:
                result = evaluator.initial(variable, point)
                return evaluator.named(variable.name, result, variable.start, variable.end)
            if variable.type.pointers or variable.type.extents:
                return None
            kind = evaluator.kind(variable.type.name, point)
            if kind.struct is None and not (of.zeroed or of.arguments):
                return None
            return evaluator.construction.construct(kind, (), point, variable, braced=of.zeroed or bool(of.arguments))
        finally:
            evaluator.frame, evaluator.here = outer, here

    def _kind(self, variable: Variable, of: Instance) -> TypeKind:
        evaluator = self._evaluator
        outer, evaluator.frame = evaluator.frame, self._class_frame(of)
        kind = evaluator.kind(variable.type.name, Point(self._inside(of.struct), variable.start))
        evaluator.frame = outer
        return kind

    def _held(self, variable: Variable, of: Instance, value: Result, node: Expr) -> Result:
        """``value`` as a member holds it."""
        evaluator = self._evaluator
        if variable.type.pointers or variable.type.reference:
            return evaluator.unknown(f"{variable.name} refers to something else", node)
        kind = self._kind(variable, of)
        if variable.type.extents:
            return value._replace(kind=kind) if isinstance(value, ListObject) else evaluator.unknown("an array", node)
        if isinstance(value, ListObject):
            outer, evaluator.frame = evaluator.frame, of.frame
            made = evaluator.construction.construct(kind, value.elements, value.point, node, braced=True)
            evaluator.frame = outer
            return made
        if isinstance(value, Instance):
            return evaluator.construction.as_class(value, kind, node)
        if isinstance(value, Closure | NdRangeObject):
            return value
        return evaluator.named(variable.name, evaluator.converted(value, kind, node), node.start, node.end)

    # ----------------------------------------------------------- constructors

    def _constructed(self, of: Instance, fields: Fields, name: str) -> Result | None:
        """A member as the one constructor that fits leaves it."""
        evaluator, node = self._evaluator, of.struct.node
        fitting = [each for each in fields.constructors if accepts(each, len(of.arguments))]
        if len(fitting) != 1 or any(isinstance(each, Opaque) for each in of.arguments):
            return None
        (constructor,) = fitting
        if constructor.body is None or constructor.damaged or constructor.template_parameters:
            return None
        given = dict(constructor.initializers)
        if node.name in given or (of.bound is not None and of.arguments and of.bound.outer is not of.frame):
            return None
        if constructor.body.statements and self._may_go_elsewhere(constructor, node):
            return None
        place = Place(constructor, fields.place)
        frames = evaluator.frames
        frame = frames.made(constructor, of.arguments, (), of.point, None, self._frame(of))
        outer, evaluator.frame = evaluator.frame, frame
        try:
            body = constructor.body
            if any(each.name == name for each in constructor.parameters) and name in evaluator.mutations.of(body):
                return None
            if evaluator.lookup.declared_by(body, name) or self._exposures.is_handed(body, name, place):
                return None
            found = evaluator.lookup.before(body.statements, name, Place(body, place), body.end + 1)
            if found is not None:
                return found
            variable = fields.variables[name]
            if name not in given:
                return self._default(variable, of._replace(arguments=(), zeroed=False), fields)
            return self._initialised(variable, of, given[name], Point(place, constructor.extent_end))
        finally:
            evaluator.frame = outer

    def _initialised(self, variable: Variable, of: Instance, given: tuple[Expr, ...], point: Point) -> Result | None:
        """``name(given)`` or ``name{given}`` of a constructor."""
        evaluator = self._evaluator
        if len(given) == 1 and not isinstance(given[0], Opaque):
            value = evaluator.evaluate(given[0], point)
            if not isinstance(value, ListObject):
                kind = self._kind(variable, of)
                if kind.is_number or isinstance(value, Instance | RangeObject):
                    return self._held(variable, of, value, given[0])
        kind = self._kind(variable, of)
        if variable.type.pointers or variable.type.extents or variable.type.reference:
            return None
        return evaluator.construction.construct(kind, given, point, variable, braced=True)

    def _may_go_elsewhere(self, constructor: Function, struct: Struct) -> bool:
        """Whether a constructor's body sets members in ways that are not followed: by methods, through ``this``."""
        methods = {each.name for each in struct.members.statements if isinstance(each, Function)}
        assert constructor.body is not None
        return any(
            (isinstance(each, Name) and each.text == "this")
            or (isinstance(each, Call) and isinstance(each.function, Name) and each.function.last in methods)
            for each in walk(constructor.body)
        )

    def _inherited(self, of: Instance, name: str, fields: Fields) -> Result | None:
        """A data member of a base that is made without arguments."""
        evaluator, node = self._evaluator, of.struct.node
        if of.arguments and not fields.constructors:
            return None
        initialised = {each for constructor in fields.constructors for each, _ in constructor.initializers}
        for base in node.bases:
            outer, evaluator.frame = evaluator.frame, self._class_frame(of)
            bound = evaluator.instances.of(base, Point(fields.place, node.start))
            evaluator.frame = outer
            if bound is None or base.last in initialised or bound.struct.node is node:
                continue
            written = tuple(each for each in of.written if each[0].partition(".")[0] == name)
            part = Instance(bound.struct, (), of.point, of.frame, bound.frame, of.zeroed, written)
            found = self.value(part, name)
            if found is not None and not any(each.body and each.body.statements for each in fields.constructors):
                return found
        return None


def _designated(element: Expr) -> str | None:
    """The member that ``.name = value`` names."""
    match element:
        case Opaque(kind="initializer_pair", parts=(Opaque(kind="field_designator", parts=(Name(text=text),)), _)):
            return text
        case _:
            return None


def _pair(element: Expr) -> tuple[str, Expr]:
    """Member and value of ``.name = value``."""
    assert isinstance(element, Opaque)
    return _designated(element) or "", element.parts[1]
