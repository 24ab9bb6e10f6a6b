"""Members of objects whose class is visible: what they start with, what was assigned to them since, their methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sycllint.cpp.expression import Assign, Brace, Call, Expr, Index, Member, Name, Number
from sycllint.cpp.statement import STATIC, Function, Struct, Variable
from sycllint.facts.file import Declared
from sycllint.memoized import memoized
from sycllint.record import replace
from sycllint.symbols.arity import accepts
from sycllint.values.arithmetic import LONG, UINT, Scalar
from sycllint.values.deduction.instances import Instances
from sycllint.values.deduction.static_types import StaticTypes, pointee
from sycllint.values.frame import WHOLE
from sycllint.values.object_model.arrays import MEMBERS, Arrays
from sycllint.values.object_model.conversions import ObjectConversions
from sycllint.values.object_model.exposures import Exposures
from sycllint.values.object_model.fields import Classes, Fields
from sycllint.values.object_model.making import Making
from sycllint.values.object_model.methods import Methods
from sycllint.values.object_model.object_arguments import ObjectArguments
from sycllint.values.object_model.stores import Stores
from sycllint.values.objects import BoundClass, Frame, Instance, ListObject, Point, RangeObject, Result, TypeKind
from sycllint.values.side_effects.lvalues import spelled
from sycllint.values.symbolic import parameter
from sycllint.values.value import Known, OneOf, Unknown

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

MAX_WAYS = 16
"""How many values of one object are distinguished."""


class Members:
    """Members for one evaluator."""

    def __init__(
        self,
        evaluator: Evaluation,
        arrays: Arrays,
        conversions: ObjectConversions,
        instances: Instances,
        static_types: StaticTypes,
    ) -> None:
        self._evaluator = evaluator
        self._static_types = static_types
        self._arrays = arrays
        self._methods = Methods(evaluator)
        self._classes = Classes(evaluator, self._methods)
        self._exposures = Exposures(evaluator, self._methods)
        self._making = Making(evaluator, arrays, conversions, instances, self._methods, self._classes, self._exposures)
        self._stores = Stores(evaluator, instances, static_types, self._classes, self._methods, self._making)
        self.object_arguments = ObjectArguments(
            evaluator, instances, self._methods, self._classes, self._making, self._stores
        )

    # ---------------------------------------------------------------- values

    def read(self, inner: Expr, name: str, point: Point, node: Expr) -> Result:
        """``inner.name``; what is not known of it is a number of that name."""
        evaluator = self._evaluator
        if isinstance(inner, Name) and inner.text == "this":
            own = self.object_arguments.of_this(name, point)
            if own is not None and not isinstance(own, Unknown):
                return own
        whole = self.object(inner, point)
        if isinstance(whole, Unknown) and isinstance(inner, Name):
            whole = self.object_arguments.behind(inner, name, point) or whole
        if isinstance(whole, RangeObject) and name in whole.members:
            return Scalar(whole.extents[whole.members.index(name)], UINT)
        if isinstance(whole, ListObject) and name in MEMBERS:
            return self._arrays.element(whole, MEMBERS[name], node)
        if isinstance(whole, Scalar) and isinstance(whole.value, Known | OneOf) and name == "value":
            # Of numbers, those have members that are objects of ``std::integral_constant``.
            return whole
        found = self.value(whole, name) if isinstance(whole, Instance) else None
        if found is None or isinstance(found, Unknown):
            found = self._stored(inner, name, point) or found
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

    def _stored(self, inner: Expr, name: str, point: Point) -> Result | None:
        """``inner.name`` as it is in all objects of the class."""
        evaluator = self._evaluator
        typed = self._static_types.of(inner, point) if self._stores.may_be_stored(name) else None
        if typed is None or typed.type.extents or typed.type.pointers > 1:
            return None
        struct = evaluator.under(typed.frame, evaluator.kind, pointee(typed.type).name, typed.point).struct
        return self._stores.of(struct, name) if struct is not None else None

    def object(self, expression: Expr, point: Point) -> Result | None:
        """The object that a member is asked of; ``None`` when that cannot be one that is known."""
        match expression:
            case Name():
                return self._evaluator.evaluate(expression, point)
            case Member(object=inner, name=name):
                whole = self.object(inner, point)
                return self.value(whole, name) if isinstance(whole, Instance) else None
            case Call(function=Member(object=inner, name=name)):
                whole = self.object(inner, point)
                if not isinstance(whole, Instance):
                    return None
                return self.itself(whole, expression, point) or self.called(whole, name, expression, point)
            case Call(function=Name()) | Brace(type=Name()) | Index():
                return self._evaluator.evaluate(expression, point)
            case _:
                return None

    def value(self, of: Instance, name: str) -> Result | None:
        """The member called ``name``; ``None`` when nothing is known of it."""
        fields = self._classes.fields(of.struct)
        if fields is None or name not in fields.variables:
            constant = Name(name, None, None, of.struct.node.start, of.struct.node.start)
            found = self._evaluator.names.constant(BoundClass(of.struct, self._making.class_frame(of)), constant)
            if found is not None or fields is None:
                return found
            found = self._making.inherited(of, name, fields)
        else:
            found = None if name in fields.disturbed else self._current(of, fields, name)
        if found is None or isinstance(found, Unknown):
            return found
        if isinstance(found, ListObject) and self._exposures.decays(of, name):
            return None
        return None if self._exposures.is_exposed(of, name) else found

    def _current(self, of: Instance, fields: Fields, name: str) -> Result | None:
        """What a data member was made with, or given since."""
        last = max((index for index, (path, _) in enumerate(of.written) if path == name), default=None)
        result = self._making.first(of, fields, name) if last is None else of.written[last][1]
        inner = tuple(
            (path.partition(".")[2], value)
            for path, value in of.written[0 if last is None else last :]
            if path.startswith(f"{name}.")
        )
        if not inner:
            return result
        return result._replace(written=(*result.written, *inner)) if isinstance(result, Instance) else None

    def pointed_to(self, pointer: Variable, point: Point) -> Instance | None:
        """The object that a local pointer, which always leads to it alone, is made with."""
        return self.object_arguments.pointees.made(pointer, point)

    def within(self, of: Instance, outer: Frame | None) -> Frame | None:
        """The frame in which a method names the members of an object; ``outer``, in which it is, for too deep ones."""
        frames = self._evaluator.frames
        if frames.is_deepest(outer):
            return outer
        templates = of.bound.templates if of.bound is not None else ()
        return frames.made(of.struct.node, (), templates, of.bound.point if of.bound else of.point, None, outer, of)

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

    def assigned(
        self, of: Instance, path: str, assign: Assign, point: Point, index: Expr | None = None
    ) -> Instance | None:
        """The object once ``assign`` has set what is at ``path``; ``None`` when that is none of its data members.

        With ``index``, once it has set that element of the array there.
        """
        evaluator = self._evaluator
        variable, there = self._variable_at(of, path)
        if variable is None or there is None:
            return None
        if index is not None:
            whole = self.at(of, path)
            made: Result | None = None
            which = evaluator.value(index, point)
            if isinstance(whole, ListObject):
                made = self._arrays.after(whole, which, assign, point)
            elif isinstance(whole, RangeObject) and assign.operator == "=":
                made = whole.with_extent(which, evaluator.value(assign.right, point))
            lost = evaluator.unknown(f"an element of {path} that is set", assign)
            return of._replace(written=(*of.written, (path, made or lost)), ways=())
        value = evaluator.evaluate(assign.right, point)
        if assign.operator != "=":
            before = self.at(of, path)
            value = (
                evaluator.unknown("an unknown member is changed", assign)
                if before is None
                else evaluator.combine(assign.operator[:-1], before, value, assign)
            )
        kept = self._making.held(variable, there, value, assign.right, point)
        if isinstance(kept, Unknown) and kept.location is None:
            kept = evaluator.unknown(kept.reason, assign)
        return of._replace(written=(*of.written, (path, kept)), ways=())

    def joined(self, objects: list[Instance]) -> Instance | None:
        """One object that may be any of ``objects``, of one class; ``None`` when they have nothing else in common."""
        first = objects[0]
        if any((each.struct.node, each.bound) != (first.struct.node, first.bound) for each in objects):
            return None
        fresh = first._replace(written=(), ways=(), names=())
        paths = dict.fromkeys(path for each in objects for path, _ in each.written)
        if any(each._replace(written=(), ways=(), names=()) != fresh for each in objects):
            fields = self._classes.fields(first.struct)
            if fields is None or first.struct.node.bases:
                return None
            paths = dict.fromkeys(fields.variables)
        ways = tuple(dict.fromkeys(way for each in objects for way in each.ways or (each,)))
        written: list[tuple[str, Result]] = []
        for path in paths:
            values = [self.at(each, path) or Unknown(f"the member {path}") for each in objects]
            written.append((path, self._evaluator.joined(values)))
        names = dict.fromkeys(name for each in objects for name in each.names)
        return first._replace(written=tuple(written), ways=ways if len(ways) <= MAX_WAYS else (), names=tuple(names))

    def called(self, of: Instance, name: str, call: Call, point: Point) -> Result | None:
        """The result of a method that only reads; ``None`` when the class has none that the call surely means."""
        base = None if self._methods.named(of.struct, name) else self._making.base_with(of, name)
        if base is not None:
            return self.called(base, name, call, point)
        method = self._meant(of.struct, name, len(call.arguments))
        if method is None or not self._methods.only_reads(method, of.struct):
            return None
        alone = self._standing_alone(of, call, point)
        return self._run(of, method, alone, point) if alone is not None else None

    def called_by_type(self, struct: Declared[Struct], bound: Frame | None, call: Call, point: Point) -> Result | None:
        """The result of a method of any object of a class whose parameters are ``bound``, ``call`` at ``point``.

        ``None`` when the class has none that the call surely means, or a class derived from it may override it.
        """
        assert isinstance(call.function, Member)
        name, evaluator = call.function.name, self._evaluator
        outer = evaluator.frame
        if not self._methods.named(struct, name):
            base = self._making.only_base_with(struct, bound, name)
            return None if base is None else self.called_by_type(base.struct, base.frame, call, point)
        method = self._meant(struct, name, len(call.arguments))
        found = None if method is None else self._methods.defined(method, struct)
        if method is None or found is None or self.is_overridable(found):
            return None
        if call.arguments and (bound is not None or self._making.mentions(struct, call.arguments, point)):
            return None
        templates, standing = ((), point) if bound is None else (bound.templates, bound.point)
        reached = outer if bound is None else bound.outer
        inside = evaluator.frames.made(struct.node, (), templates, standing, None, reached)
        return evaluator.bindings.method(found, call, point, inside)

    def _standing_alone(self, of: Instance, call: Call, point: Point) -> Call | None:
        """``call`` with arguments that mean the same among the members of the object; ``None`` where they may not.

        They are looked up where the parameters of its class are bound and its members have values: there, numbers stand
        for them.
        """
        self._evaluator.frames.sought.unbound.add(WHOLE)
        is_apart = of.bound is not None and of.bound.outer is not self._evaluator.frame
        if not (call.arguments and is_apart) and not self._making.mentions(of.struct, call.arguments, point):
            return call
        values = tuple(self._evaluator.value(each, point) for each in call.arguments)
        numbers = tuple(each.value for each in values if isinstance(each, Known) and each.value >= 0)
        if len(numbers) < len(values):
            return None
        return self._with_numbers(call, numbers)

    @memoized
    def _with_numbers(self, call: Call, numbers: tuple[int, ...]) -> Call:
        """``call`` with numbers as its arguments, one and the same each time."""
        pairs = zip(call.arguments, numbers, strict=True)
        return replace(call, arguments=tuple(Number(str(number), each.start, each.end) for each, number in pairs))

    def changed(self, of: Instance, call: Call, point: Point) -> Instance | None:
        """The object once a method has run that sets members; ``None`` when it is none whose body is followed."""
        assert isinstance(call.function, Member)
        method = self._meant(of.struct, call.function.name, len(call.arguments))
        fields = self._classes.fields(of.struct)
        if method is None or fields is None or not self._methods.is_followed(method, of.struct):
            return None
        alone = self._standing_alone(of, call, point)
        entered = self._entered(of, method, alone, point) if alone is not None else None
        if entered is None:
            return None
        (found, frame), evaluator = entered, self._evaluator
        left = [(name, evaluator.under(frame, self._making.left, found, name, of.struct)) for name in fields.variables]
        written = tuple(
            (name, self._making.held(fields.variables[name], of, value, call, point))
            for name, value in left
            if value is not None
        )
        return of._replace(written=(*of.written, *written), ways=())

    def entered(self, of: Instance, call: Call, point: Point) -> tuple[Declared[Function], Frame] | None:
        """The method of the object's own class that a call surely means, and how its body is reached."""
        assert isinstance(call.function, Member)
        method = self._meant(of.struct, call.function.name, len(call.arguments))
        return self._entered(of, method, call, point) if method is not None else None

    def _entered(
        self, of: Instance, method: Function, call: Call, point: Point
    ) -> tuple[Declared[Function], Frame] | None:
        found, frames = self._methods.defined(method, of.struct), self._evaluator.frames
        inside = self._making.frame(of, self._evaluator.frame)
        if found is None or frames.is_deepest(inside):
            return None
        return found, frames.made(found.node, call.arguments, (), point, call, inside)

    def itself(self, of: Instance, call: Call, point: Point) -> Instance | None:
        """The object once a method has run that returns it, ``return *this``; ``None`` for other methods."""
        return self.changed(of, call, point) if self._returns_itself(of, call) else None

    def after(self, of: Instance, calls: tuple[Call, ...], point: Point) -> Instance | None:
        """The object after a chain of calls on it, the first one first; ``None`` when none of them sets members."""
        changed: Instance | None = None
        for call in calls:
            whole = changed or of
            changed = self.changed(whole, call, point) or changed
            if not self._returns_itself(whole, call):
                break
        return changed

    def _returns_itself(self, of: Instance, call: Call) -> bool:
        assert isinstance(call.function, Member)
        method = self._meant(of.struct, call.function.name, len(call.arguments))
        return method is not None and self._methods.returns_itself(method, of.struct)

    def _meant(self, struct: Declared[Struct], name: str, count: int) -> Function | None:
        """The method that a call with ``count`` arguments of an object of a class means; ``None`` when not sure."""
        methods = [each for each in self._methods.named(struct, name) if accepts(each, count)]
        return methods[0] if len(methods) == 1 and not methods[0].template_parameters else None

    def _run(self, of: Instance, method: Function, call: Call, point: Point) -> Result | None:
        found = self._methods.defined(method, of.struct)
        if found is None:
            return None
        if of.ways:
            results = [
                self._run(each._replace(names=(*each.names, *of.names)), method, call, point) for each in of.ways
            ]
            known = [each for each in results if each is not None]
            return self._evaluator.joined(known, call) if len(known) == len(results) else None
        inside = self._making.frame(of, self._evaluator.frame)
        return self._evaluator.bindings.method(found, call, point, inside)

    def static(self, struct: Declared[Struct], name: str, count: int) -> Declared[Function] | None:
        """The one static function of a class that ``count`` arguments suit; ``None`` when it has none, or several."""
        method = self._meant(struct, name, count)
        return self._methods.defined(method, struct) if method is not None and method.flags & STATIC else None

    def conversions(self, of: Instance) -> list[tuple[Function, TypeKind]]:
        """The conversion functions of an object's class, and to what they convert."""
        evaluator = self._evaluator
        place = self._making.inside(of.struct)
        frame = self._making.class_frame(of)
        return [
            (each, evaluator.under(frame, evaluator.kind, each.returns.name, Point(place, each.start)))
            for each in self._methods.all(of.struct)
            if each.name.startswith("operator ") and each.returns is not None and not each.template_parameters
        ]

    def converted(self, of: Instance, function: Function) -> Result | None:
        """What a conversion function gives."""
        if not self._methods.only_reads(function, of.struct):
            return None
        return self._run(of, function, self._implied(function, of.point.offset), of.point)

    @memoized
    def _implied(self, function: Function, start: int) -> Call:
        """The call of a conversion function, which is not written: one and the same each time."""
        return Call(Name(function.name, None, None, start, start), (), start, start)

    def constructors(self, struct: Declared[Struct]) -> tuple[Function, ...] | None:
        """The constructors of a class that are written; ``None`` when its objects are not followed."""
        fields = self._classes.fields(struct)
        return fields.constructors if fields is not None else None

    def is_explicit(self, function: Function, struct: Declared[Struct]) -> bool:
        """Whether a constructor is used only where it is asked for."""
        return self._methods.is_explicit(function, struct)

    def is_overridable(self, function: Declared[Function]) -> bool:
        """Whether a call of a function by its name alone may run that of a derived class instead."""
        return self._methods.is_overridable(function.node, function.place)

    def is_copied(self, struct: Declared[Struct]) -> bool:
        """Whether an assignment makes an object equal to another of the class."""
        return self._classes.fields(struct) is not None and not self._methods.named(struct, "operator=")

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
