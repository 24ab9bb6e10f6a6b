"""An evaluator that asks a C++ front end where it does not know by itself."""

import os
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from sycllint.cpp.expression import Call, Expr, Lambda, Member, Name, SizeOf
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Alias, Function, Instantiation, Struct
from sycllint.facts.file import FileFacts
from sycllint.memoized import memoized
from sycllint.record import NamedTuple
from sycllint.semantics.answers import Constant, Held, Way
from sycllint.semantics.unit import ParsedUnit
from sycllint.symbols.unit import Unit
from sycllint.values.argument_bytes import ArgumentBytes
from sycllint.values.arithmetic import IntegerType, Scalar
from sycllint.values.constancy import Constancy
from sycllint.values.evaluate import Evaluator
from sycllint.values.frame import WHOLE
from sycllint.values.objects import Frame, Owner, Point, Result
from sycllint.values.sizes import Layout, Sizes
from sycllint.values.value import Known, OneOf, Symbolic, Unknown

LEAST_LIMIT = 1024
"""Bytes of arguments that a kernel may have on any device (SYCL 2020, ``info::device::max_parameter_size``)."""

Looked = TypeVar("Looked")


class DeepOracle(NamedTuple):
    """A front end, and how far its preprocessor can be trusted."""

    parsed: Callable[[], ParsedUnit | None]
    """The unit as the front end understands it, which parses it when it is first asked; ``None`` where it does not."""
    settings_known: bool
    """It was given the macros that the project is compiled with.

    Without them a number may depend on a macro that the front end takes to be undefined; sizes of types rarely do.
    """


class DeepEvaluator(Evaluator):
    """The same answers where they are known, and the front end's where they are not."""

    def __init__(self, unit: Unit, defines: Mapping[str, str], asked: DeepOracle) -> None:
        super().__init__(unit, defines)
        self.parsed = asked.parsed
        self._settings_known = asked.settings_known
        self.sizes = _DeepSizes(self)
        self.constancy = Constancy(self)
        self.argument_bytes = ArgumentBytes(self)

    def held(self, kernel: Expr, place: Place, frame: Frame | None) -> Held | None:
        """What a kernel that is written at ``place`` holds when it is reached by ``frame``."""
        if not self._is_worth_asking(kernel, place, frame):
            return None
        path, way, unit = self.path(place), self._way(frame), self.parsed()
        if unit is None:
            return None
        if isinstance(kernel, Lambda):
            return unit.held_by_lambda(path, kernel.start, way)
        return unit.held_by_object(path, kernel.start, kernel.end, way)

    def _is_worth_asking(self, kernel: Expr, place: Place, frame: Frame | None) -> bool:
        """Whether a kernel may hold more than every device takes, or may reach members that are not visible."""
        self.work = 0
        most = self.argument_bytes.at_most(kernel, place, frame)
        return most is None or most > LEAST_LIMIT or (isinstance(kernel, Lambda) and self._has_unseen_members(place))

    def _has_unseen_members(self, place: Place) -> bool:
        """Whether code stands in a member function of a class that inherits, or is not visible."""
        scope = self.symbols.class_around(place)
        if scope is not None:
            found = self.symbols.definition(scope)
            return found is None or bool(found.node.bases)
        function = place.innermost(Function)
        if function is None or "::" not in function.name:
            return False
        return function.name.split("::")[-2] not in self.facts.spaces

    def callee(self, call: Call, place: Place) -> Function | None:
        """The function that a call means, should it be one of the unit."""
        way = self.way(place)
        unit = self.parsed() if way is not None else None
        found = unit.callee(self.path(place), call.start, call.end, way or ()) if unit is not None else None
        if found is None:
            return None
        name = call.function.last if isinstance(call.function, Name) else getattr(call.function, "name", "")
        for each in self.facts.functions.get(name):
            if each.node.start == found.start and os.path.abspath(self.path(each.place)) == found.path:
                return each.node
        return None

    def class_of(self, expression: Expr, point: Point) -> str | None:
        """The class of an expression, or of what it points to, with its namespaces."""
        way = self.way(point.place)
        unit = self.parsed() if way is not None else None
        if way is None or unit is None:
            return None
        return unit.class_of(self.path(point.place), expression.start, expression.end, way)

    def path(self, place: Place) -> str:
        """The file in which a place is."""
        return self.facts.file_at(place).path

    def way(self, place: Place) -> Way | None:
        """How the code at ``place`` is reached now, as far as that matters there.

        ``None`` where explicit instantiations, which no call names, may be meant.
        """
        if not _templates(place):
            return ()
        self.frames.sought.unbound.add(WHOLE)
        return None if self._is_explicit(place) and _has_gap(self.frame) else self._way(self.frame)

    @memoized
    def _way(self, frame: Frame | None) -> Way:
        if frame is None:
            return ()
        outer, call = self._way(frame.outer), frame.call
        return outer if call is None else (*outer, (self.path(frame.point.place), call.start, call.end))

    def _evaluate(self, expression: Expr, point: Point) -> Result:
        if not self._settings_known or not isinstance(expression, Name | Call | Member | SizeOf):
            return super()._evaluate(expression, point)
        result, awaits = self.awaiting(lambda: super(DeepEvaluator, self)._evaluate(expression, point))
        if awaits or not _is_open(result) or not self.constancy.may_be_constant(expression, point):
            return result
        found = self.folded(expression, point.place)
        if found is None:
            return result
        known = Scalar(Known(found.value), IntegerType(found.bits, found.signed))
        if isinstance(expression, Name):
            return self.named(expression.text, known, expression.start, expression.end)
        return known

    def awaiting(self, look: Callable[[], Looked]) -> tuple[Looked, bool]:
        """What ``look`` finds, and whether it asked for parameters of a function that no way binds yet.

        The ways to that function bind them, and the question is asked again under each.
        """
        outer, self.free = self.free, {}
        found = look()
        awaits = any(isinstance(each, Function | Lambda) for each in self.free.values())
        outer.update(self.free)
        self.free = outer
        return found, awaits

    def folded(self, expression: Expr, place: Place) -> Constant | None:
        """The front end's number, which in a template may be another on each way there."""
        templates, way = _templates(place), self.way(place)
        span, unit = (expression.start, expression.end), self.parsed()
        found = unit.number(self.path(place), *span, way or (), bool(templates)) if unit else None
        if found is None or (found.constant is None and not found.hangs):
            return None
        if way is None or found.hangs:
            self.frames.sought.unbound.add(WHOLE)
            free = next(_unbound(place, self.frame), None)
            if free is not None:
                self.free[id(free)] = free
            return None
        return found.constant

    def layout_of(self, name: Name, place: Place) -> tuple[int, int] | None:
        """Size and alignment of the type that is named there, if the front end knows them."""
        way, templates = self.way(place), _templates(place)
        unit = self.parsed() if way is not None and name.arguments is None else None
        if way is None or unit is None:
            return None
        return unit.layout_of(self.path(place), name.end - 1, way, bool(templates))

    def _is_explicit(self, place: Place) -> bool:
        """Whether a file instantiates templates explicitly: then they have more instances than calls show."""
        return self.facts.file_at(place).once(_instantiates)


def _instantiates(facts: FileFacts) -> bool:
    return any(isinstance(each, Instantiation) for each in facts.unit.statements)


class _DeepSizes(Sizes):
    """Sizes, those of classes that are not visible or not plain among them."""

    def __init__(self, evaluator: DeepEvaluator) -> None:
        super().__init__(evaluator, evaluator.macros)
        self._deep = evaluator

    def _of_name(self, name: Name, point: Point) -> Layout:
        layout, awaits = self._deep.awaiting(lambda: super(_DeepSizes, self)._of_name(name, point))
        is_settled = awaits or isinstance(layout.size, Known)
        found = None if is_settled else self._deep.layout_of(name, point.place)
        return layout if found is None else Layout(Known(found[0]), found[1])


def _is_open(result: Result) -> bool:
    """Whether the front end may know better."""
    value = result.value if isinstance(result, Scalar) else result
    return isinstance(value, Unknown | OneOf | Symbolic)


def _has_gap(frame: Frame | None) -> bool:
    """Whether some binding of a way, or all of it, is not by a call."""
    return frame is None or frame.call is None or (frame.outer is not None and _has_gap(frame.outer))


def _unbound(place: Place, frame: Frame | None) -> Iterator[Owner]:
    """The templates around a place, and around the calls that lead there, that a way does not bind; innermost first."""
    frames = (frame, *frame.around()) if frame is not None else ()
    for around in (place, *(each.point.place for each in frames)):
        yield from (each for each in _templates(around) if frame is None or frame.of(each) is None)


def _templates(place: Place) -> list[Owner]:
    """What is around a place and instantiated for each use, innermost first."""
    return [node for node in place.chain() if isinstance(node, Owner) and _is_template(node)]


def _is_template(node: Owner) -> bool:
    if node.template_parameters:
        return True
    return not isinstance(node, Struct | Alias) and any(each.type.name.text == "auto" for each in node.parameters)
