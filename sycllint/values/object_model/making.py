"""What the members of a new object are: given by a list, by their own initialisers or by a constructor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Brace, Call, Expr, Name, Opaque
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, Statement, Struct, UsingName, Variable
from sycllint.facts.file import Declared
from sycllint.record import replace
from sycllint.symbols.arity import accepts
from sycllint.values.arithmetic import INT, Scalar
from sycllint.values.deduction.instances import Instances
from sycllint.values.object_model.arrays import Arrays
from sycllint.values.object_model.conversions import ObjectConversions
from sycllint.values.object_model.exposures import Exposures
from sycllint.values.object_model.fields import Classes, Fields, named_last
from sycllint.values.object_model.methods import THIS, Methods
from sycllint.values.objects import (
    Allocation,
    BoundClass,
    Closure,
    Frame,
    Instance,
    ListObject,
    NdRangeObject,
    Point,
    RangeObject,
    Result,
    TypeKind,
)
from sycllint.values.packs import is_pack
from sycllint.values.side_effects.leaving import returns_early
from sycllint.values.value import Known, Unknown

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

UNSET = Scalar(Known(0), INT)
"""What a data member without an initialiser is, where anything sets it."""
_PLAIN_OBJECTS = (Instance, RangeObject, NdRangeObject, Closure)


class Making:
    """Answers for one evaluator."""

    def __init__(
        self,
        evaluator: Evaluation,
        arrays: Arrays,
        conversions: ObjectConversions,
        instances: Instances,
        methods: Methods,
        classes: Classes,
        exposures: Exposures,
    ) -> None:
        self._evaluator = evaluator
        self._arrays = arrays
        self._conversions = conversions
        self._instances = instances
        self._classes = classes
        self._methods = methods
        self._exposures = exposures

    def inside(self, struct: Declared[Struct]) -> Place:
        """Where the members of a class stand."""
        return Place(struct.node.members, struct.place)

    def home(self, struct: Declared[Struct], member: str) -> Declared[Struct] | None:
        """The class that declares a data member of ``struct``: itself or a base."""
        fields = self._classes.fields(struct)
        if fields is None or member in fields.variables:
            return struct if fields is not None else None
        point = Point(fields.place, struct.node.start)
        bases = (self._instances.of(each, point) for each in struct.node.bases)
        homes = (self.home(each.struct, member) for each in bases if each and each.struct.node is not struct.node)
        return next((each for each in homes if each is not None), None)

    def class_frame(self, of: Instance) -> Frame | None:
        """What binds the parameters of an object's class."""
        return of.bound if of.bound is not None else of.frame

    def frame(self, of: Instance, outer: Frame | None) -> Frame:
        """The frame in which the names of the class mean the members of the object, asked for under ``outer``."""
        frames, bound = self._evaluator.frames, of.bound
        if bound is None:
            return frames.made(of.struct.node, (), (), of.point, None, outer, of)
        return frames.made(of.struct.node, (), bound.templates, bound.point, None, bound.outer, of)

    # -------------------------------------------------------- initial values

    def first(self, of: Instance, fields: Fields, name: str) -> Result | None:
        """What a data member is when the object has just been made."""
        if self._evaluator.frames.is_deepest(of.frame):  # a class whose members are made of objects of it
            return None
        fresh = of._replace(written=(), ways=(), names=())
        if len(of.arguments) == 1:
            whole = self._evaluated(of.arguments[0], fresh)
            if isinstance(whole, Instance) and whole.struct.node is of.struct.node:
                return self._evaluator.members.value(whole, name)
            if isinstance(whole, Unknown | Scalar) and self._is_copied(of):
                return None
        if fields.constructors:
            return self._constructed(fresh, fields, name)
        return self._aggregated(fresh, fields, name)

    def _is_copied(self, of: Instance) -> bool:
        """Whether the one argument of an object is another object of its class."""
        evaluator = self._evaluator
        (kind,) = evaluator.under(of.frame, evaluator.overloads.kinds, of.arguments, of.point.place, of.point.offset)
        return kind is not None and kind.scope is evaluator.symbols.scope_of(of.struct)

    def _evaluated(self, expression: Expr, of: Instance) -> Result:
        """An argument of the object, where it is written."""
        return self._evaluator.under(of.frame, self._evaluator.evaluate, expression, of.point)

    def _aggregated(self, of: Instance, fields: Fields, name: str) -> Result | None:
        """A member of an object without a constructor: by its place in the list, by its designator, or by itself."""
        arguments = of.arguments
        if arguments and any(_inherits_constructors(of.struct.node, each) for each in of.struct.node.bases):
            return self._default(fields.variables[name], of._replace(arguments=(), zeroed=False), fields)
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
            return self.held(variable, of, self._evaluated(given, of), given, of.point)
        return self._default(variable, of, fields)

    def _may_spread(self, variable: Variable, of: Instance, given: Expr) -> bool:
        """Whether more than one element of a list without inner braces may belong to a member."""
        if isinstance(given, Brace):
            return False
        kind = self._kind(variable, of)
        if variable.type.pointers or kind.is_number or variable.type.reference:
            return False
        fields = self._classes.fields(kind.struct) if kind.struct is not None else None
        if fields is not None and fields.constructors:
            return False
        if kind.sycl or (kind.name.qualifier == "std" and kind.name.last != "array"):
            return bool(variable.type.extents)
        return not isinstance(self._evaluated(given, of), _PLAIN_OBJECTS)

    def _default(self, variable: Variable, of: Instance, fields: Fields) -> Result | None:
        """What a member is made with that nothing is given for."""
        evaluator = self._evaluator
        here, evaluator.here = evaluator.here, fields.place
        try:
            return evaluator.under(self.frame(of, of.frame), self._by_default, variable, of, fields)
        finally:
            evaluator.here = here

    def _by_default(self, variable: Variable, of: Instance, fields: Fields) -> Result | None:
        evaluator, point = self._evaluator, Point(fields.place, variable.start)
        zeroed = of.zeroed or bool(of.arguments)
        if variable.arguments or variable.style:
            result = evaluator.initial(variable, point)
            return evaluator.named(variable.name, result, variable.start, variable.end)
        if variable.type.pointers:
            return None
        if variable.type.extents:
            made = evaluator.initial(variable, point)
            return made._replace(is_bare=not zeroed) if isinstance(made, ListObject) else None
        kind = evaluator.kind(variable.type.name, point)
        if kind.struct is None and not zeroed:
            return self._arrays.bare(self._arrays.counted(kind, point), point)
        return evaluator.construction.construct(kind, (), point, variable, braced=zeroed)

    def _kind(self, variable: Variable, of: Instance) -> TypeKind:
        under, frame = self._evaluator.under, self.class_frame(of)
        point = Point(self.inside(of.struct), variable.start)
        kind = under(frame, self._evaluator.kind, variable.type.name, point)
        return under(frame, self._arrays.counted, kind, point)

    def held(self, variable: Variable, of: Instance, value: Result, node: Expr, at: Point) -> Result:
        """``value``, which ``node`` at ``at`` has, as a member holds it."""
        evaluator = self._evaluator
        if type(value) is Allocation and not variable.type.reference and variable.type.pointers < 2:
            return value
        if variable.type.pointers or variable.type.reference:
            return evaluator.unknown(f"{variable.name} refers to something else", node)
        kind = self._kind(variable, of)
        if variable.type.extents:
            return value._replace(kind=kind) if isinstance(value, ListObject) else evaluator.unknown("an array", node)
        if isinstance(value, Closure | NdRangeObject):
            return value
        made = self._conversions.implicit(value, kind, node, at)
        if isinstance(made, Instance | RangeObject | ListObject) and not kind.is_number:
            return made
        return evaluator.named(variable.name, evaluator.converted(made, kind, node), node.start, node.end)

    # ----------------------------------------------------------- constructors

    def _constructed(self, of: Instance, fields: Fields, name: str) -> Result | None:
        """A member as the one constructor that fits leaves it."""
        declared = self._fitting(of, fields)
        return self._made_by(declared, of, fields, name, is_bound=True) if declared is not None else None

    def _fitting(self, of: Instance, fields: Fields) -> Function | None:
        """The constructor that makes an object, where its arguments have their meaning inside."""
        if any(isinstance(each, Opaque) and not is_pack(each) for each in of.arguments):
            return None
        if self.mentions(of.struct, of.arguments, of.point):
            return None
        is_apart = of.bound is not None and of.arguments and of.bound.outer is not of.frame
        return None if is_apart else self._meant(of, fields)

    def in_any(self, struct: Declared[Struct], fields: Fields, name: str) -> list[Result | None]:
        """What each constructor leaves a data member as, whatever it is given; not those that give it no value.

        ``UNSET`` for objects that no constructor makes, which may be filled with zeros.
        """
        whole, variable = Instance(struct, (), Point(fields.place, struct.node.start)), fields.variables[name]
        is_bare = not (variable.arguments or variable.style) and self._kind(variable, whole).is_number
        made = [
            self._made_by(each, whole, fields, name, is_bound=False)
            for each in fields.constructors
            if not (is_bare and self._leaves_alone(each, struct, name))
        ]
        if self._is_made_implicitly(struct, fields):
            made.append(UNSET if is_bare else self._default(variable, whole, fields))
        return made

    def _leaves_alone(self, declared: Function, struct: Declared[Struct], name: str) -> bool:
        """Whether a constructor gives a data member no value."""
        found = self._methods.defined(declared, struct)
        body, content = (found.node.body, self._evaluator.facts.content_at(found.place)) if found else (None, None)
        if found is None or body is None or content is None or name in dict(found.node.initializers):
            return False
        is_silent = content.find(name.encode(), body.start, body.end) < 0
        return (
            is_silent
            and self._methods.stays_within(found.node, struct)
            and not self._methods.setters(body, struct, name)
        )

    def _is_made_implicitly(self, struct: Declared[Struct], fields: Fields) -> bool:
        """Whether objects of a class may be made without a constructor that is written, and not from one another."""
        named = self._methods.named(struct, named_last(struct))
        return not named or any(not each.parameters and each not in fields.constructors for each in named)

    def inherited_in_any(self, struct: Declared[Struct], base: Declared[Struct], name: str) -> list[Result | None]:
        """The same for a data member that ``struct`` has from a class ``base``."""
        fields, inner = self._classes.fields(struct), self._classes.fields(base)
        if fields is None or inner is None:
            return [None]
        by_base = self.in_any(base, inner, name)
        whole = Instance(struct, (), Point(fields.place, struct.node.start))
        made = [self._inherited_by(each, whole, fields, name) for each in fields.constructors]
        if self._is_made_implicitly(struct, fields):
            made.append(self.inherited(whole, name, fields._replace(constructors=())))
        if all(each is UNSET for each in by_base):
            # Nothing but the constructors of ``struct`` may give it a value.
            return [*by_base, *(each for each in made if each is not None)]
        return made

    def _inherited_by(self, declared: Function, of: Instance, fields: Fields, name: str) -> Result | None:
        """A data member of a base as a constructor leaves it."""
        evaluator, found = self._evaluator, self._methods.defined(declared, of.struct)
        body = found.node.body if found is not None else None
        if found is None or body is None or found.node.damaged or found.node.template_parameters:
            return None
        if body.statements and not self._methods.stays_within(found.node, of.struct):
            return None
        frame = self.frame(of._replace(is_bare=True), of.frame)
        left = evaluator.under(frame, self.left, found, name, of.struct) if body.statements else None
        if left is not None:
            return left
        for base in of.struct.node.bases:
            bound = self._instances.of(base, Point(fields.place, of.struct.node.start))
            given = next((values for each, values in found.node.initializers if _is_of(each, base)), ())
            if bound is None or any(isinstance(each, Opaque) for each in given):
                return None
            part = Instance(bound.struct, given, Point(found.place, found.node.extent_end), frame, bound.frame)
            value = evaluator.members.value(part, name)
            if value is not None:
                return value
        return None

    def made_by(self, constructor: Function, of: Instance, name: str) -> Result | None:
        """A member as the initialisers of a constructor make it, whatever that is given; ``None`` for others."""
        fields = self._classes.fields(of.struct)
        for each in fields.constructors if fields is not None and name in fields.variables else ():
            found = self._methods.defined(each, of.struct)
            if fields is not None and found is not None and found.node is constructor:
                return self._made_by(each, of, fields, name, is_bound=False)
        return None

    def _made_by(self, declared: Function, of: Instance, fields: Fields, name: str, *, is_bound: bool) -> Result | None:
        """A member as a constructor leaves it, which is given the arguments of the object if ``is_bound``."""
        evaluator, found = self._evaluator, self._followed(declared, of)
        if found is None:
            return None
        frame = self._frame_of(found, of) if is_bound else self.frame(of._replace(is_bare=True), of.frame)
        left = None if of.is_bare else evaluator.under(frame, self.left, found, name, of.struct)
        if left is not None:
            return left
        variable, given = fields.variables[name], dict(found.node.initializers)
        point = Point(found.place, found.node.extent_end)
        delegated = given.get(named_last(of.struct))
        if delegated is not None:
            return self.first(Instance(of.struct, delegated, point, frame, of.bound), fields, name)
        if name not in given:
            return self._default(variable, of._replace(arguments=(), zeroed=False), fields)
        return evaluator.under(frame, self._initialised, variable, of, given[name], point)

    def _followed(self, declared: Function, of: Instance) -> Declared[Function] | None:
        """A constructor with its body; ``None`` where it is not known what that makes of the object."""
        found = self._methods.defined(declared, of.struct)
        body = found.node.body if found is not None else None
        if found is None or body is None or found.node.damaged or found.node.template_parameters:
            return None
        is_followed = not body.statements or of.is_bare or self._methods.stays_within(found.node, of.struct)
        return found if is_followed else None

    def _frame_of(self, constructor: Declared[Function], of: Instance) -> Frame:
        """The frame of the constructor that makes an object."""
        inside = self.frame(of._replace(is_bare=True), of.frame)
        return self._evaluator.frames.made(constructor.node, of.arguments, (), of.point, None, inside)

    def _meant(self, of: Instance, fields: Fields) -> Function | None:
        """The constructor that makes an object."""
        if any(map(is_pack, of.arguments)):
            # However many arguments they are, there is one to take them.
            return fields.constructors[0] if len(fields.constructors) == 1 else None
        fitting = [each for each in fields.constructors if accepts(each, len(of.arguments))]
        if len(fitting) <= 1:
            return fitting[0] if fitting else None
        values = [self._evaluated(each, of) for each in of.arguments]
        return self._conversions.chosen(fitting, values, self.inside(of.struct))

    def left(
        self, function: Declared[Function], name: str, struct: Declared[Struct], offset: int | None = None
    ) -> Result | None:
        """A member as the body of a constructor or a method leaves it, or has it before ``offset``.

        ``None`` when that does not set it. The body ``stays_within``; the evaluator's frame is that of the function.
        """
        evaluator, body = self._evaluator, function.node.body
        assert body is not None
        changed = evaluator.mutations.of(body)
        through = f"{THIS}{name}"
        is_hidden = any(each.name == name for each in function.node.parameters)
        is_named = not is_hidden and not changed.isdisjoint((name, f"*{name}", f"&{name}", f".{name}"))
        is_named = is_named or bool(evaluator.declarations.of_block(body, name))
        lost = Unknown(f"the member {name}, which {function.node.name} sets", evaluator.line(body.start))
        if self._exposures.is_handed(body, name, function.place, self._classes.class_of(struct, name)) or (
            is_named and through in changed
        ):
            return lost
        setters = self._methods.setters(body, struct, name)
        if (is_named or through in changed or setters) and offset is None and returns_early(body):
            return lost
        if evaluator.declarations.of_block(body, name):
            return lost
        text = through if through in changed else name
        is_visible = text == through or not is_hidden
        statements, place = body.statements, Place(body, function.place)
        end = body.end + 1 if offset is None else offset

        def last_set(part: tuple[Statement, ...]) -> Result | None:
            """What the last of some statements that may set the member leaves."""
            found = evaluator.lookup.before(part, text, place, end) if is_visible else None
            marks = (text, f"&{text}", f".{text}")
            is_set = is_visible and any(
                not evaluator.mutations.of(each).isdisjoint(marks) for each in part if each.start < end
            )
            return lost if found is None and is_set else found

        for call in reversed([each for each in setters if each.end <= end]):
            index = next(index for index, each in enumerate(statements) if each.end >= call.end)
            found = last_set(statements[index + 1 :])
            found = self._set_by(call, place, name, struct) if found is None else found
            if found is not None:
                return found
            statements = statements[:index]
        return last_set(statements)

    def _set_by(self, call: Call, place: Place, name: str, struct: Declared[Struct]) -> Result | None:
        """A member as a method of the same object leaves it, which a body at ``place`` calls."""
        evaluator, found = self._evaluator, self._methods.entered(call, struct)
        if found is None or evaluator.frames.is_deepest(evaluator.frame):
            return Unknown(f"the member {name}, which a method sets", evaluator.line(call.start))
        point = Point(place, call.start)
        frame = evaluator.frames.made(found.function.node, call.arguments, (), point, call, evaluator.frame)
        return evaluator.under(frame, self.left, found.function, name, found.struct)

    def mentions(self, struct: Declared[Struct], arguments: tuple[Expr, ...], point: Point) -> bool:
        """Whether code of the class itself gives an object arguments that are called like its members.

        There they mean the members of another object.
        """
        if not any(each is struct.node for each in point.place.chain()) and not self._is_method(struct, point):
            return False
        fields = self._classes.fields(struct)
        names = fields.variables if fields is not None else {}
        return any(isinstance(each, Name) and each.text in names for one in arguments for each in walk(one))

    def _is_method(self, struct: Declared[Struct], point: Point) -> bool:
        owners = (each.name for each in point.place.chain() if isinstance(each, Function) and "::" in each.name)
        return any(each.split("::")[-2] == named_last(struct) for each in owners)

    def _initialised(self, variable: Variable, of: Instance, given: tuple[Expr, ...], point: Point) -> Result | None:
        """``name(given)`` or ``name{given}`` of a constructor."""
        evaluator = self._evaluator
        if len(given) == 1 and not isinstance(given[0], Opaque):
            value = evaluator.evaluate(given[0], point)
            if not isinstance(value, ListObject):
                kind = self._kind(variable, of)
                if kind.is_number or isinstance(value, Instance | RangeObject | Allocation):
                    return self.held(variable, of, value, given[0], point)
        if variable.type.pointers or variable.type.reference:
            return None
        if variable.type.extents:
            return None if any(map(is_pack, given)) else evaluator.initial(_listed(variable, given), point)
        kind = self._kind(variable, of)
        return evaluator.construction.construct(kind, given, point, variable, braced=True)

    def inherited(self, of: Instance, name: str, fields: Fields) -> Result | None:
        """A data member of a base."""
        for part in self._bases(of, fields):
            written = tuple(each for each in of.written if each[0].partition(".")[0] == name)
            found = self._evaluator.members.value(part._replace(written=written), name)
            if found is not None:
                return found if written or of.is_bare else self._left_of_base(of, fields, name, found)
        return None

    def _left_of_base(self, of: Instance, fields: Fields, name: str, made: Result) -> Result | None:
        """A data member of a base, which has ``made`` it, as the one constructor of the class that fits leaves it."""
        declared = self._fitting(of, fields)
        if declared is None:
            return None if fields.constructors else made
        found = self._followed(declared, of)
        if found is None or named_last(of.struct) in dict(found.node.initializers):
            return None
        left = self._evaluator.under(self._frame_of(found, of), self.left, found, name, of.struct)
        return made if left is None else left

    def base_with(self, of: Instance, method: str) -> Instance | None:
        """The part of an object that is of the one base with a method of this name."""
        fields = self._classes.fields(of.struct) if of.struct.node.bases else None
        parts = self._bases(of, fields) if fields is not None and not of.ways else ()
        found = [each for each in parts if self._methods.named(each.struct, method)]
        return found[0]._replace(written=of.written, names=of.names) if len(found) == 1 else None

    def only_base_with(self, struct: Declared[Struct], bound: Frame | None, method: str) -> BoundClass | None:
        """The one base of a class, whose parameters are ``bound``, with a method of this name."""
        evaluator, point = self._evaluator, Point(self.inside(struct), struct.node.start)
        frame = evaluator.frame if bound is None else bound
        bases = [evaluator.under(frame, self._instances.of, each, point) for each in struct.node.bases]
        found = [each for each in bases if each is not None and self._methods.named(each.struct, method)]
        return found[0] if len(found) == 1 and None not in bases else None

    def _bases(self, of: Instance, fields: Fields) -> Iterator[Instance]:
        """The parts of an object that are of its bases, as far as it is evident how they are made."""
        under, node = self._evaluator.under, of.struct.node
        for base in node.bases:
            if of.arguments and not fields.constructors and not _inherits_constructors(node, base):
                continue
            bound = under(self.class_frame(of), self._instances.of, base, Point(fields.place, node.start))
            part = self._base(of, fields, base, bound) if bound is not None and bound.struct.node is not node else None
            if part is not None:
                yield part

    def _base(self, of: Instance, fields: Fields, base: Name, bound: BoundClass) -> Instance | None:
        """The part of an object that is of one of its bases; ``None`` when it is not evident how that is made."""
        if of.arguments and not fields.constructors:
            return Instance(bound.struct, of.arguments, of.point, of.frame, bound.frame)
        if not any(_is_of(each, base) for constructor in fields.constructors for each, _ in constructor.initializers):
            return Instance(bound.struct, (), of.point, of.frame, bound.frame, of.zeroed)
        declared = self._meant(of, fields)
        found = self._methods.defined(declared, of.struct) if declared is not None else None
        if found is None or found.node.damaged or found.node.template_parameters or of.struct.node.template_parameters:
            return None
        frame = self._evaluator.frames.made(found.node, of.arguments, (), of.point, None, of.frame)
        given = next((values for each, values in found.node.initializers if _is_of(each, base)), ())
        if any(isinstance(each, Opaque) for each in given):
            return None
        return Instance(bound.struct, given, Point(found.place, found.node.extent_end), frame, bound.frame)


def _inherits_constructors(struct: Struct, base: Name) -> bool:
    """``using Base::Base;``"""
    used = (each.name for each in struct.members.statements if isinstance(each, UsingName))
    return any(each.endswith(f"::{base.last}") and each.partition("::")[0] == base.last for each in used)


def _listed(variable: Variable, given: tuple[Expr, ...]) -> Variable:
    """An array with the elements that a constructor gives it."""
    return replace(variable, style="{", arguments=given)


def _is_of(initialised: str, base: Name) -> bool:
    """Whether what a constructor initialises is the base ``base``."""
    return initialised.partition("<")[0].rpartition("::")[2].strip() == base.last


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
