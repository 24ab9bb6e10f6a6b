"""Parameters to arguments: of functions, lambdas and templates, along the frames by which code is reached."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from sycllint.cpp.expression import Call, Expr, Lambda, Name, Type
from sycllint.cpp.place import Place, Template
from sycllint.cpp.statement import Block, Function, FunctionParameter, If, Return, Struct
from sycllint.facts.file import Declared
from sycllint.memoized import memoized
from sycllint.symbols.arity import accepts
from sycllint.symbols.templates import template_parameter
from sycllint.values import refinement
from sycllint.values.answers import FrameAnswers
from sycllint.values.arithmetic import Real, Scalar
from sycllint.values.deduction.instantiations import TypeFound
from sycllint.values.deduction.static_types import deduced
from sycllint.values.deduction.template_arguments import Undecided
from sycllint.values.objects import Closure, Frame, Instance, ListObject, NdRangeObject, Point, Result, Used
from sycllint.values.packs import PackArgument, Unlisted, given, paired
from sycllint.values.returned import returned
from sycllint.values.side_effects.lvalues import root
from sycllint.values.types import as_type, depends_on
from sycllint.values.value import Known, OneOf, Unknown

if TYPE_CHECKING:
    from sycllint.values.whole import Whole

MAX_RETURNS = 8
_BY_DEFAULT = "by default"
"""For a type: the parameter's own default, if it has one."""


class Bindings:
    """Binding for one evaluator, which holds the current frame."""

    def __init__(self, evaluator: Whole) -> None:
        self._evaluator = evaluator
        self._types: FrameAnswers[object] = FrameAnswers(evaluator)
        self._values: FrameAnswers[Result | None] = FrameAnswers(evaluator)

    # ------------------------------------------------------------ parameters

    def argument(self, owner: Function | Lambda, index: int, place: Place) -> Result:
        """The argument for a parameter; unknown, and noted as free, when no frame binds ``owner``."""
        evaluator = self._evaluator
        parameter = owner.parameters[index]
        frame = evaluator.frames.binding(owner, evaluator.frame)
        name = _called(owner)
        if frame is None:
            if name != "main":
                evaluator.free[id(owner)] = owner
            return Unknown(f"{parameter.name} is a parameter of {name}", evaluator.line(parameter.start))
        argument = given(evaluator.frames, frame, index) if not parameter.pack else None
        if isinstance(argument, Unlisted):
            if argument.owner is not None:
                evaluator.free[id(argument.owner)] = argument.owner
            return Unknown(f"{parameter.name} of {name} is handed on as a pack", evaluator.line(parameter.start))
        if argument is not None:
            if parameter.type.reference and _is_shared(owner, frame, index, argument):
                return Unknown(f"{parameter.name} is given as another argument, too", evaluator.line(parameter.start))
            result = evaluator.under(
                argument.frame.outer, evaluator.evaluate, argument.expression, argument.frame.point
            )
            return self._converted(result, parameter, argument.expression, argument.frame, place)
        if parameter.default is not None:
            point = Point(place.outer if place.outer is not None else place, parameter.start)
            result = evaluator.evaluate(parameter.default, point)
            if not parameter.type.pointers:
                there = Point(place, parameter.start)
                result = self._as(result, parameter.type, there, parameter.default, point, evaluator.frame)
            return evaluator.named(parameter.name, result, parameter.start, parameter.default.end)
        return Unknown(f"{parameter.name} of {name} is not given", evaluator.line(parameter.start))

    def _converted(
        self, result: Result, parameter: FunctionParameter, argument: Expr, frame: Frame, place: Place
    ) -> Result:
        evaluator = self._evaluator
        if parameter.type.pointers:
            return result
        result = self._as(result, parameter.type, Point(place, parameter.start), argument, frame.point, frame.outer)
        if not isinstance(result, Scalar | Real):
            return result
        return evaluator.named(parameter.name, result, argument.start, argument.end, frame.point.place)

    def _as(self, made: Result, wanted: Type, there: Point, node: Expr, point: Point, frame: Frame | None) -> Result:
        """What is given or returned where ``wanted``, written at ``there``, is asked for.

        It is the value of ``node``, which stands at ``point`` and is reached by ``frame``. What is deduced keeps its
        own type.
        """
        evaluator = self._evaluator
        if isinstance(made, Unknown | Closure | NdRangeObject) or wanted.name.text == "auto":
            return made
        if template_parameter(wanted.name.text, there.place) is not None:
            return made
        kind = evaluator.kind(wanted.name, there)
        return evaluator.under(frame, evaluator.conversions.implicit, made, kind, node, point)

    # ------------------------------------------------------------- templates

    def template(self, text: str, place: Place) -> Result | None:
        """The argument for a value parameter of a template around ``place``; ``None`` when ``text`` names none."""
        found = template_parameter(text, place)
        if found is None:
            return None
        owner, index = found
        evaluator = self._evaluator
        parameter = owner.template_parameters[index]
        frame = evaluator.frames.binding(owner, evaluator.frame)
        if frame is None:
            value = evaluator.instantiations.value(owner, index, text, place)
            if value is not None:
                return value
            evaluator.free[id(owner)] = owner
            return Unknown(f"{text} is a template parameter of {_called(owner)}", evaluator.line(parameter.start))
        given = evaluator.under(frame, self._values.of, (owner, index), self._value_bound, owner, index, place)
        if given is not None:
            return given
        if parameter.default is not None:
            result = evaluator.evaluate(parameter.default, Point(place, parameter.start))
            return evaluator.named(text, result, parameter.start, parameter.end)
        return Unknown(f"{text} of {_called(owner)} is deduced", evaluator.line(parameter.start))

    def _value_bound(self, owner: Template, index: int, place: Place) -> Result | None:
        """The value that the frame, one of ``owner``, gives its parameter; ``None`` where it gives none."""
        evaluator, parameter = self._evaluator, owner.template_parameters[index]
        frame = evaluator.frames.binding(owner, evaluator.frame)
        assert frame is not None
        argument = evaluator.template_arguments.of(owner, index, frame)
        if isinstance(argument, Undecided):
            where = evaluator.facts.file_at(next(each for each in place.within() if each.node is owner))
            reason = f"{parameter.name} of {_called(owner)} is one of a pack"
            return Unknown(reason, where.location(parameter.start, parameter.start))
        if argument is not None:
            written = argument.expression
            result = evaluator.under(argument.frame, evaluator.evaluate, written, argument.point)
            return evaluator.named(parameter.name, result, written.start, written.end, argument.point.place)
        return self._deduced(parameter.name, owner, frame)

    def _deduced(self, text: str, owner: Template, frame: Frame) -> Result | None:
        """``N`` from ``sycl::range<N>``, ``T (&)[N]`` or ``std::array<T, N>`` and the argument's declared type."""
        if not isinstance(owner, Function | Lambda):
            return None
        evaluator = self._evaluator
        for parameter, argument in paired(evaluator.frames, owner.parameters, frame):
            if parameter.type.is_list or not _mentions(text, parameter.type):
                continue
            typed = evaluator.under(
                argument.frame.outer, evaluator.static_types.of, argument.expression, argument.frame.point
            )
            if typed is None:
                continue
            used = evaluator.under(typed.frame, evaluator.instances.used, typed.type.name, typed.point)
            if used is None or used.name.last != parameter.type.name.last:
                used = Used(typed.type.name, typed.point, typed.frame)
            written = used.name.arguments or ()
            for wanted, each in zip(parameter.type.name.arguments or (), written, strict=False):
                if isinstance(wanted, Name) and wanted.text == text:
                    return evaluator.under(used.frame, evaluator.evaluate, each, used.point)
            extents = zip(parameter.type.extents, typed.type.extents, strict=False)
            given = next((one for most, one in extents if isinstance(most, Name) and most.text == text and one), None)
            if given is not None:
                return evaluator.under(typed.frame, evaluator.evaluate, given, typed.point)
        return None

    def type_given(self, owner: Template, index: int, place: Place, frame: Frame | None) -> TypeFound | None:
        """The type bound to the type parameter of ``owner`` at ``index``, and where it is written."""
        evaluator, parameter = self._evaluator, owner.template_parameters[index]
        binding = evaluator.frames.binding(owner, frame)
        if binding is None:
            instance = evaluator.instantiations.type(owner, index, parameter.name, place, frame)
            if instance is None:
                evaluator.free[id(owner)] = owner
            return None if instance is None else instance.type
        given = evaluator.under(binding, self._types.of, (owner, index), self._type_bound, owner, index)
        if given is not _BY_DEFAULT:
            return cast("TypeFound | None", given)
        kind = as_type(parameter.default) if parameter.default is not None else None
        return (kind, Point(place, owner.start), frame) if kind is not None else None

    def _type_bound(self, owner: Template, index: int) -> object:
        """The type that the frame, one of ``owner``, gives its parameter; ``_BY_DEFAULT`` where it gives none."""
        evaluator, text = self._evaluator, owner.template_parameters[index].name
        frame = evaluator.frames.binding(owner, evaluator.frame)
        assert frame is not None
        argument = evaluator.template_arguments.of(owner, index, frame)
        if isinstance(argument, Undecided):
            return None
        if argument is not None:
            kind = as_type(argument.expression)
            return (kind, argument.point, argument.frame) if kind is not None else None
        if isinstance(owner, Function | Lambda) and any(depends_on(text, each.type) for each in owner.parameters):
            return self._deduced_type(text, owner, frame)
        return _BY_DEFAULT

    def _deduced_type(self, text: str, owner: Function | Lambda, frame: Frame) -> TypeFound | None:
        """``T`` from a parameter ``T x``, ``T *x`` or ``vector<T> &x`` and the argument's type."""
        evaluator = self._evaluator
        for parameter, argument in paired(evaluator.frames, owner.parameters, frame):
            if not depends_on(text, parameter.type) or parameter.type.is_list:
                continue
            typed = evaluator.under(
                argument.frame.outer, evaluator.static_types.of, argument.expression, argument.frame.point
            )
            kind = deduced(text, parameter.type, typed.type) if typed is not None else None
            if typed is not None and kind is not None:
                return kind, typed.point, typed.frame
        return None

    # --------------------------------------------------------------- results

    def member(self, text: str, around: Place | None) -> Result | None:
        """A member of the object of the class ``around``; ``None`` when it has none of that name, or is not known."""
        evaluator, node = self._evaluator, around.node if around is not None else None
        frame = evaluator.frames.binding(node, evaluator.frame) if isinstance(node, Struct) else None
        return evaluator.members.value(frame.instance, text) if frame is not None and frame.instance else None

    def method(self, declared: Declared[Function], node: Call, point: Point, inside: Frame) -> Result:
        """The result of calling a method, whose names are looked up ``inside`` its object."""
        evaluator, method = self._evaluator, declared.node
        name = Name(method.name, None, None, node.start, node.start)
        unknown = evaluator.symbol(f"{method.name}()", f"the result of {method.name}()", node.start)
        if evaluator.frames.is_deepest(inside):
            return unknown
        return self._returned(method, declared.place, name, node, point, unknown, inside)

    def of_lambda(self, function: Lambda, node: Call, point: Point) -> Result:
        """The result of calling a lambda where it is written."""
        evaluator = self._evaluator
        unknown = evaluator.unknown("the result of a call", node)
        if evaluator.frames.is_deepest(evaluator.frame):
            return unknown
        name, place = Name("operator()", None, None, node.start, node.start), Place(node, point.place)
        return self._returned(function, Place(function, place), name, node, point, unknown)

    def result(self, function: Name, node: Call, point: Point) -> Result:
        """The result of calling a function or a lambda by name, from its return statements."""
        evaluator = self._evaluator
        unknown = evaluator.symbol(f"{function.text}()", f"the result of {function.text}()", node.start)
        if evaluator.frames.is_deepest(evaluator.frame):
            return unknown
        if "::" not in function.text and function.scope is None:
            kept = evaluator.lookup.local(function, point)
            if isinstance(kept, Closure) and _is_made_elsewhere(kept, point):
                return unknown
            if isinstance(kept, Closure):
                return self._returned(kept.function, kept.place, function, node, point, unknown)
            if isinstance(kept, Scalar) and isinstance(kept.value, Known | OneOf) and not node.arguments:
                # Of numbers, those can be called that are objects of ``std::integral_constant``.
                return kept
            if isinstance(kept, Instance):
                return evaluator.members.called(kept, "operator()", node, point) or unknown
            if kept is not None:
                # A variable of that name hides the function.
                return unknown
        if function.scope is None and function.around is not None:
            static = self._static(function, node, point)
            if static is not None:
                declared, inside = static
                return self._returned(declared.node, declared.place, function, node, point, unknown, inside)
            if template_parameter(function.text.partition("::")[0], point.place) is not None:
                return unknown
        candidates = evaluator.overloads.of(node, point.place).found
        if len(candidates) > 1 and evaluator.frame is not None:
            kinds = evaluator.argument_kinds.bound(node.arguments, point)
            candidates = evaluator.overloads.of(node, point.place, kinds).found
        if len(candidates) > 1:
            meant = evaluator.callee(node, point.place)
            candidates = tuple(each for each in candidates if each.node is meant)
        if len(candidates) != 1:
            return unknown
        (declared,) = candidates
        if "::" not in function.text and evaluator.members.is_overridable(declared):
            return unknown
        return self._returned(declared.node, declared.place, function, node, point, unknown)

    def _static(self, function: Name, node: Call, point: Point) -> tuple[Declared[Function], Frame | None] | None:
        """``Policy::size(n)``: the static function of an instance of a class template, and the frame of that."""
        evaluator = self._evaluator
        bound = evaluator.instances.of(function.around, point) if function.around is not None else None
        if bound is None:
            return None
        found = evaluator.members.static(bound.struct, function.last, len(node.arguments))
        inside = bound.frame if bound.frame is not None else evaluator.frame
        is_instance = bound.struct.node.template_parameters or template_parameter(
            function.text.partition("::")[0], point.place
        )
        return (found, inside) if found is not None and is_instance else None

    def is_defined(self, function: Name, count: int, point: Point) -> bool:
        """Whether the project has a function of this name that a call at ``point`` may mean."""
        found = self._evaluator.symbols.functions(function, point.place)
        return found.sure and any(each.node.body is not None and accepts(each.node, count) for each in found.declared)

    def _returned(
        self,
        owner: Function | Lambda,
        place: Place,
        function: Name,
        node: Call,
        point: Point,
        unknown: Result,
        inside: Frame | None = None,
    ) -> Result:
        evaluator = self._evaluator
        body = owner.body
        if body is None:
            return unknown
        if owner.returns is not None and owner.returns.reference and not owner.returns.constant:
            # Whoever has called it before may have changed what it gives.
            return unknown
        returns = self._returns(body, place)
        if not returns or len(returns) > MAX_RETURNS:
            return unknown
        there = Point(point.place, node.start)
        outside = inside if inside is not None else evaluator.frame
        if function.scope is not None:
            struct = place.innermost(Struct)
            if struct is None or struct.specialization is not None:
                return unknown
            outside = evaluator.frames.made(struct, (), function.scope.arguments or (), there, None, outside)
        frame = evaluator.frames.made(owner, node.arguments, function.arguments or (), there, node, outside)
        returns, results = evaluator.under(frame, self._each_returned, owner, returns, place)
        result = evaluator.joined(results, node) if results else unknown
        if isinstance(result, Unknown) or (_is_several(result) and self._is_compiled_choice(returns)):
            return unknown
        if owner.returns is not None and isinstance(result, Scalar | Real):
            return evaluator.under(frame, evaluator.cast, owner.returns, result, node, Point(place, owner.start))
        return result

    @memoized
    def _returns(self, body: Block, place: Place) -> list[tuple[Return, Place]]:
        """The return statements of a function at ``place``, and what is around each."""
        return list(returned(body, Place(body, place)))

    def _each_returned(
        self, owner: Function | Lambda, returns: list[tuple[Return, Place]], place: Place
    ) -> tuple[list[tuple[Return, Place]], list[Result]]:
        """The return statements that may run, of several, and what each gives."""
        evaluator, results = self._evaluator, list[Result]()
        if len(returns) > 1:
            returns = [each for each in returns if not evaluator.reach.is_skipped(*each)]
        for statement, around in returns:
            if statement.value is not None:
                result = self._given(owner, statement.value, Point(around, statement.start), place)
                results.append(refinement.at(result, statement, around, evaluator))
        return returns, results

    def _is_compiled_choice(self, returns: list[tuple[Return, Place]]) -> bool:
        """Whether an ``if constexpr`` decides which ``return`` there is: perhaps one of them is never compiled."""
        for _, around in returns:
            for node in around.chain():
                if isinstance(node, Function | Lambda):
                    break
                if isinstance(node, If) and self._evaluator.facts.is_constexpr(node, around):
                    return True
        return False

    def _given(self, owner: Function | Lambda, value: Expr, point: Point, place: Place) -> Result:
        """What ``return value`` gives; a list is made into an object while its names still have their meaning."""
        evaluator = self._evaluator
        result = evaluator.evaluate(value, point)
        if owner.returns is None:
            is_bare = isinstance(result, ListObject) and result.length is None
            return evaluator.unknown("a list", value) if is_bare else result
        if isinstance(result, Scalar | Real) and owner.returns.pointers:
            return result
        return self._as(result, owner.returns, Point(place, owner.start), value, point, evaluator.frame)


def _mentions(text: str, kind: Type) -> bool:
    """Whether a value parameter called ``text`` is an argument, or an extent, of a parameter's type."""
    parts = (*(kind.name.arguments or ()), *kind.extents)
    return any(isinstance(each, Name) and each.text == text for each in parts)


def _called(owner: Template) -> str:
    """What reasons call it."""
    return "a lambda" if isinstance(owner, Lambda) else owner.name


def _is_several(result: Result) -> bool:
    return isinstance(result, Scalar) and isinstance(result.value, OneOf)


def _is_made_elsewhere(closure: Closure, point: Point) -> bool:
    """Whether a lambda comes out of a function that has returned, so that what it captured there is not visible."""
    maker = closure.place.innermost(Function)
    return maker is not None and not any(node is maker for node in point.place.chain())


def _is_shared(owner: Function | Lambda, frame: Frame, index: int, argument: PackArgument) -> bool:
    """Whether another parameter may change what the reference at ``index``, which is given ``argument``, refers to."""
    text = root(argument.expression)
    if text is None:
        return False
    if argument.frame is not frame:
        # Handed on as a pack: which of the parameters the others are for is not looked for.
        others = (each for each in argument.frame.arguments if each is not argument.expression)
        return any(root(each) == text for each in others)
    return any(
        position != index and root(each) == text and parameter.type.reference and not parameter.type.constant
        for position, (each, parameter) in enumerate(zip(frame.arguments, owner.parameters, strict=False))
    )
