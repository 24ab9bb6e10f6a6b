"""Arguments of templates: written at a call, handed on as packs, or spelled in the type of a function's argument.

``template <int K, int... Rest> void pick(list<int, K, Rest...>, int n)`` that calls itself with ``list<int, Rest...>``
goes through the list of its first caller: ``K`` is one element of it. So is ``Ns`` in ``(run<Ns>(n), ...)``. Which one
is a ``PackChoice``, made once for all names of that template, so that what depends on one element stays together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Brace, Call, Expr, Lambda, Name, Number, Opaque, Type
from sycllint.cpp.node import walk
from sycllint.cpp.place import Template
from sycllint.cpp.statement import Function, Struct
from sycllint.memoized import memoized
from sycllint.symbols.templates import template_parameter
from sycllint.values.arithmetic import Scalar
from sycllint.values.deduction.instances import Instances
from sycllint.values.deduction.static_types import StaticTypes
from sycllint.values.objects import Element, Frame, PackChoice, Point
from sycllint.values.packs import PackArgument, is_pack, paired
from sycllint.values.types import as_type
from sycllint.values.value import Known

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

MAX_ELEMENTS = 64
"""The longest sequence ``std::make_index_sequence`` is spelled out for."""
_MADE = {"make_index_sequence": "index_sequence", "make_integer_sequence": "integer_sequence"}


class Undecided:
    """An argument, or how many there are, is not known."""


_UNDECIDED = Undecided()


class TemplateArguments:
    """Arguments for one evaluator."""

    def __init__(self, evaluator: Evaluation, static_types: StaticTypes, instances: Instances) -> None:
        self._evaluator = evaluator
        self._static_types = static_types
        self._instances = instances

    def of(self, owner: Template, index: int, frame: Frame) -> Element | Undecided | None:
        """The argument for the parameter at ``index`` of ``owner``, which ``frame`` binds.

        ``None`` when none is written. Of a pack it is the element that ``frame`` is about; where it is about none, that
        choice is noted as asked for.
        """
        parameters = owner.template_parameters
        pack = _pack_of(owner)
        walked = pack is not None and index in (pack, pack - 1) and self.goes_through(owner)
        elements = self._elements(owner, index, frame)
        if not isinstance(elements, tuple):
            return elements
        if parameters[index].pack or walked:
            return self._chosen(elements, frame)
        return elements[0] if elements else None

    @memoized
    def goes_through(self, owner: Template) -> bool:
        """Whether a function template calls itself with all but the first of a list or of its own arguments."""
        return isinstance(owner, Function) and _hands_on_rest(owner)

    def is_next(self, owner: Template, frame: Frame) -> bool:
        """Whether ``frame`` binds ``owner`` by its call of itself with the rest of the list."""
        return self.goes_through(owner) and any(node is owner for node in frame.point.place.chain())

    def is_walk(self, functions: Sequence[Function]) -> bool:
        """Whether one of ``functions`` goes through a list and the others are for the list without elements."""
        walking = [each for each in functions if self.goes_through(each)]
        lists = [index for each in walking for index, parameter in enumerate(each.parameters) if parameter.type.is_list]
        if len(walking) != 1 or not lists:
            return False
        full = walking[0].parameters[lists[0]].type
        ends = (each.parameters[lists[0] : lists[0] + 1] for each in functions if each is not walking[0])
        return all(parameters and _is_shorter(parameters[0].type, full) for parameters in ends)

    def _chosen(self, elements: Sequence[Element], frame: Frame) -> Element | Undecided:
        if len(elements) == 1:
            return elements[0]
        if frame.element is not None and frame.element < len(elements):
            return elements[frame.element]
        if frame.element is None and elements:
            self._evaluator.free[id(frame)] = PackChoice(frame, len(elements))
        return _UNDECIDED

    def _elements(self, owner: Template, index: int, frame: Frame) -> tuple[Element, ...] | Undecided | None:
        """What is given from the parameter at ``index`` on, up to the end of its list; ``None`` where nothing is."""
        if isinstance(owner, Struct) and owner.specialization is not None:
            deduced = self._instances.deduced(owner, index, frame)
            return deduced if deduced is not None else _UNDECIDED
        given, pack = frame.templates, _pack_of(owner)
        if pack is None and not any(map(is_pack, given)):
            if index < len(given):
                return (Element(given[index], frame.point, frame.outer),)
            return self._listed(owner, index, frame) if isinstance(owner, Function | Lambda) else None
        written = self._spelled_out(given, frame.point, frame.outer)
        if written is None:
            return _UNDECIDED
        if index < len(written) and (pack is None or index <= pack):
            return written[index:]
        return self._listed(owner, index, frame) if isinstance(owner, Function | Lambda) else None

    def _listed(self, owner: Function | Lambda, index: int, frame: Frame) -> tuple[Element, ...] | Undecided | None:
        """The same, from the type of an argument for ``list<First, Rest...>``."""
        name = owner.template_parameters[index].name
        for parameter, argument in paired(self._evaluator.frames, owner.parameters, frame):
            wanted = parameter.type.name.arguments or ()
            position = next((place for place, each in enumerate(wanted) if _is_for(each, name)), None)
            if position is None or any(map(is_pack, wanted[:position])):
                continue
            elements = self.spelled(argument, parameter.type.name.last)
            if elements is not None:
                return elements[position:]
            if parameter.type.is_list:
                return _UNDECIDED
        return None

    def spelled(self, argument: PackArgument, wanted: str) -> tuple[Element, ...] | None:
        """The template arguments of the type of ``argument``, an instance of the template ``wanted``."""
        under, point, frame = self._evaluator.under, argument.frame.point, argument.frame.outer
        named = _made(argument.expression)
        if named is None:
            typed = under(frame, self._static_types.of, argument.expression, point)
            if typed is None or typed.type.pointers:
                return None
            named, point, frame = typed.type.name, typed.point, typed.frame
        used = under(frame, self._instances.used, named, point)
        if used is None or used.name.scope is not None:
            return None
        last, arguments = used.name.last, used.name.arguments or ()
        if _MADE.get(last) == wanted:
            return under(used.frame, self._sequence, arguments, used.point)
        return self._spelled_out(arguments, used.point, used.frame) if last == wanted else None

    def _sequence(self, arguments: Sequence[Expr], point: Point) -> tuple[Element, ...] | None:
        """The arguments of the ``std::integer_sequence`` that is made of a length, the last of ``arguments``."""
        evaluator = self._evaluator
        length = evaluator.scalar(evaluator.evaluate(arguments[-1], point)) if arguments else None
        if not isinstance(length, Scalar) or not isinstance(length.value, Known) or length.value.value > MAX_ELEMENTS:
            return None
        start = arguments[-1].start
        numbers = [Number(str(each), start, start) for each in range(length.value.value)]
        return tuple(Element(each, point, evaluator.frame) for each in (*arguments[:-1], *numbers))

    def _spelled_out(self, arguments: Sequence[Expr], point: Point, frame: Frame | None) -> tuple[Element, ...] | None:
        """``arguments`` with the elements of packs in the places of these; ``None`` where one is not known."""
        found: list[Element] = []
        for each in arguments:
            if not is_pack(each):
                found.append(Element(each, point, frame))
                continue
            elements = self._expanded(each, point, frame)
            if elements is None:
                return None
            found += elements
        return tuple(found)

    def _expanded(self, expression: Expr, point: Point, frame: Frame | None) -> tuple[Element, ...] | None:
        """The elements of ``Rest...``."""
        name = _simple(expression)
        return self.pack(name, point, frame) if name is not None else None

    def pack(self, name: str, point: Point, frame: Frame | None) -> tuple[Element, ...] | None:
        """The arguments that the pack ``name`` of a template around ``point`` stands for; ``None`` if not known."""
        found = template_parameter(name, point.place)
        if found is None or not found[0].template_parameters[found[1]].pack:
            return None
        owner, index = found
        around = self._evaluator.frames.binding(owner, frame)
        if around is None:
            self._evaluator.free[id(owner)] = owner
            return None
        elements = self._elements(owner, index, around)
        if not isinstance(elements, tuple) or not self.goes_through(owner) or index != _pack_of(owner):
            return None if isinstance(elements, Undecided) else elements or ()
        if around.element is None:
            self._evaluator.free[id(around)] = PackChoice(around, len(elements) + 1)
            return None
        return elements[around.element :]


def _pack_of(owner: Template) -> int | None:
    """Which parameter of a template is its first pack."""
    for index, each in enumerate(owner.template_parameters):
        if each.pack:
            return index
    return None


def _is_shorter(end: Type, full: Type) -> bool:
    """Whether ``list<int>`` ends what goes through a ``list<int, First, Rest...>``."""
    fewer = len(end.name.arguments or ()) < len(full.name.arguments or ()) - 1
    return end.name.last == full.name.last and fewer and not end.is_list


def _is_for(wanted: Expr, name: str) -> bool:
    """Whether an argument of a parameter's type is simply the template's parameter ``name``, or that pack."""
    if is_pack(wanted):
        return _simple(wanted) == name
    kind = as_type(wanted)
    return kind is not None and kind.name.text == name and not kind.pointers and not kind.reference


def _simple(expression: Expr) -> str | None:
    """The pack that ``Rest...`` hands on as it is."""
    if not isinstance(expression, Opaque) or len(expression.parts) != 1:
        return None
    kind = as_type(expression.parts[0])
    is_plain = kind is not None and kind.name.arguments is None and not (kind.pointers or kind.extents)
    return kind.name.text if kind is not None and is_plain else None


def _made(expression: Expr) -> Name | None:
    """``list<int, 1, 2>`` of ``list<int, 1, 2>()`` and ``list<int, 1, 2>{}``."""
    match expression:
        case Call(function=Name(arguments=(_, *_)) as name, arguments=()) | Brace(type=Name() as name, elements=()):
            return name
        case _:
            return None


def _hands_on_rest(owner: Function) -> bool:
    """Whether a function calls itself with its pack of template parameters, but not with the one before it."""
    pack = _pack_of(owner)
    if pack is None or owner.body is None:
        return False
    rest, last = owner.template_parameters[pack].name, owner.name.rpartition("::")[2]
    first = owner.template_parameters[pack - 1].name if pack else ""
    for node in walk(owner.body):
        if isinstance(node, Call) and isinstance(node.function, Name) and node.function.last == last:
            lists = [
                node.function.arguments or (),
                *((_made(each) or Name("", None, None, 0, 0)).arguments or () for each in node.arguments),
            ]
            if any(
                any(_simple(each) == rest for each in found if is_pack(each)) and not _names(found, first)
                for found in lists
            ):
                return True
    return False


def _names(arguments: Sequence[Expr], name: str) -> bool:
    """Whether ``name`` itself is one of the arguments."""
    kinds = [as_type(each) for each in arguments if isinstance(each, Name | Type)]
    return any(each is not None and each.name.text == name for each in kinds)
