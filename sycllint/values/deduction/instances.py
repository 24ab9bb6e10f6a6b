"""Instances of class templates: which definition the arguments choose, and what binds its parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Expr, Name, Opaque, Type
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place, Template
from sycllint.cpp.statement import Alias, Declaration, Function, Struct, TemplateParameter
from sycllint.facts.file import Declared
from sycllint.memoized import memoized
from sycllint.record import NamedTuple
from sycllint.symbols.scopes import Compiled
from sycllint.symbols.templates import template_parameter
from sycllint.values.answers import FrameAnswers
from sycllint.values.arithmetic import Scalar
from sycllint.values.deduction.library_types import library_type
from sycllint.values.objects import BoundClass, Element, Frame, Point, TypeKind, Used
from sycllint.values.packs import is_pack
from sycllint.values.types import as_type, depends_on
from sycllint.values.value import Known

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

MAX_ALIASES = 12
_OF_ONE_NAME = frozenset({1, 16, 32})
"""Widths of which there is one signed and one unsigned builtin type."""
_BUILTIN = frozenset({"float", "double", "long double"})


class Definitions(NamedTuple):
    """The definitions of the classes of one unqualified name that may be compiled."""

    all: list[Declared[Struct]]
    is_template: bool


class _Match:
    """A specialisation that is being matched with arguments."""

    def __init__(self, here: Point, parameters: Sequence[TemplateParameter]) -> None:
        self.here = here
        self.deduced: dict[str, tuple[Element, ...]] = {}
        """What parameters of it are; of a pack, its elements."""
        self._names = frozenset(each.name for each in parameters)

    def parameter(self, want: Expr) -> str | None:
        """The parameter that an argument in the specialisation's list simply is."""
        kind = _undeclared(want)
        return kind.name.text if kind is not None and kind.name.is_plain and kind.name.text in self._names else None

    def is_open(self, want: Expr) -> bool:
        """Whether there is a parameter in it."""
        return any(isinstance(each, Name) and each.text in self._names for each in walk(want))


class Instances:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluation, compiled: Compiled) -> None:
        self._evaluator = evaluator
        self._compiled = compiled
        self._answers: FrameAnswers[BoundClass | None] = FrameAnswers(evaluator)

    def is_template(self, name: str) -> bool:
        """Whether a class of this unqualified name is a template, or a specialisation of one."""
        return self._all(name).is_template

    def is_single(self, name: str) -> bool:
        """Whether there is one class of this unqualified name."""
        return len(self._all(name).all) == 1

    def of(self, name: Name, point: Point) -> BoundClass | None:
        """The class that ``name`` means at ``point``; ``None`` when it is not visible, or may be one of several."""
        # The text of a macro stands in several places.
        key = name.text if name.scope is None and name.arguments is None else name
        return self._answers.of((key, point.place.node, point.place.outer, point.offset), self._of, name, point)

    def _of(self, name: Name, point: Point) -> BoundClass | None:
        used = self.used(name, point)
        if used is None:
            return None
        if used.name.scope is not None:
            return self._nested(used)
        # Specialisations among them.
        found = self._evaluator.symbols.classes(used.name, used.point.place).declared
        if not found and "::" in used.name.text:
            return self._member(used)
        general = [each for each in found if each.node.specialization is None]
        special = [each for each in found if each.node.specialization is not None]
        if not general and special:
            # Of a template that is declared and not defined, there is only what is specialised.
            declared = self._evaluator.symbols.templates(used.name, used.point.place).declared[:1]
            bound = self._chosen(declared[0], special, used) if declared and used.name.arguments else None
            return None if bound is None or bound.struct is declared[0] else bound
        if len(general) != 1:
            return None
        struct, arguments = general[0], used.name.arguments
        if not struct.node.template_parameters:
            return BoundClass(struct, used.frame)
        if arguments is None:
            # Inside the template, its name without arguments is the instance itself.
            frame = self._evaluator.frames.binding(struct.node, used.frame)
            if frame is not None:
                return BoundClass(struct, frame)
            if any(each.node is struct.node for each in used.point.place.within()):
                self._evaluator.free[id(struct.node)] = struct.node
            if not self.is_of_defaults(used.name, used.point):
                return None
            arguments = ()
        if any(isinstance(each, Opaque) and each.is_pack for each in arguments):
            return None
        return self._chosen(general[0], special, used) if special else self._bound(struct, arguments, used)

    def is_of_defaults(self, name: Name, point: Point) -> bool:
        """Whether ``name``, without arguments, is the instance of a class template whose arguments are all defaults.

        So it is where nothing can be deduced: no constructor, or no member of an aggregate, has a type that depends on
        a parameter of the template.
        """
        if name.arguments is not None or name.scope is not None:
            return False
        found = self._evaluator.symbols.classes(name, point.place).declared
        general = [each.node for each in found if each.node.specialization is None]
        if len(general) != 1 or any(each.node is general[0] for each in point.place.within()):
            return False
        struct, members = general[0], general[0].members.statements
        named = [each for each in members if isinstance(each, Function) and each.name == struct.name]
        types = [each.type for constructor in named for each in constructor.parameters]
        if not named:
            types = [each.type for member in members if isinstance(member, Declaration) for each in member.variables]
        return bool(struct.template_parameters) and not any(
            parameter.default is None or any(depends_on(parameter.name, each) for each in types)
            for parameter in struct.template_parameters
        )

    def _nested(self, used: Used) -> BoundClass | None:
        """``Policy<T>::Tile``: a class, or an alias of one, that is a member of an instance."""
        name, under = used.name, self._evaluator.under
        assert name.scope is not None
        around = under(used.frame, self.of, name.scope, used.point)
        if around is None or name.arguments is not None:
            return None
        return under(used.frame, self.inside, around, name.text.split("::"))

    def _member(self, used: Used) -> BoundClass | None:
        """``T::Tile``: a member of the class that a template's parameter or an alias stands for."""
        first, *rest = used.name.text.split("::")
        name = Name(first, None, None, used.name.start, used.name.end)
        around = self._evaluator.under(used.frame, self.of, name, used.point) if first else None
        return None if around is None or used.name.arguments is not None else self.inside(around, rest)

    def inside(self, around: BoundClass, parts: Sequence[str]) -> BoundClass | None:
        """The class that is a member called ``parts[0]`` of ``around``, and in that the next."""
        if not parts:
            return around
        struct = around.struct
        place = Place(struct.node.members, struct.place)
        for statement in struct.node.members.statements:
            found: BoundClass | None = None
            if isinstance(statement, Struct) and statement.name == parts[0] and not statement.template_parameters:
                found = BoundClass(Declared(statement, Place(statement, place)), around.frame)
            elif isinstance(statement, Alias) and statement.name == parts[0]:
                kind = statement.type
                if kind.pointers or kind.reference or kind.extents or statement.template_parameters:
                    return None
                found = self._evaluator.under(around.frame, self.of, kind.name, Point(place, statement.start))
            if found is not None:
                return self.inside(found, parts[1:])
        return None

    def bases(self, bound: BoundClass) -> Iterator[BoundClass]:
        """The classes that a class inherits from, as far as they are known."""
        struct = bound.struct
        here = Point(struct.place, struct.node.start)
        found = (self._evaluator.under(bound.frame, self.of, each, here) for each in struct.node.bases)
        return (each for each in found if each is not None)

    def used(self, name: Name, point: Point) -> Used | None:
        """``name`` with aliases and bound template parameters looked through."""
        evaluator = self._evaluator
        outer = frame = evaluator.frame
        try:
            for _ in range(MAX_ALIASES):
                evaluator.frame = frame
                step = library_type(evaluator, name, point)
                if step is not None:
                    kind, point = step
                    if kind.pointers or kind.extents:
                        return None
                    name = kind.name
                    continue
                if name.scope is not None:
                    return Used(name, point, frame)
                if name.arguments is None and "::" not in name.text:
                    written = evaluator.names.type_named(name, point)
                    if written.unbound or written.others or written.whole is not None:
                        return None
                    name, point, frame = written.name, written.point, written.frame
                    if name.is_plain:
                        return Used(name, point, frame)
                    continue
                template = template_parameter(name.text, point.place) if "::" not in name.text else None
                if template is not None:
                    return self._template_argument(*template, name, point, frame)
                aliases = evaluator.names.aliases(name, point)
                if not aliases:
                    return Used(name, point, frame)
                declared = aliases[0]
                kind, around = declared.node.type, declared.place
                if len(aliases) > 1 or kind.pointers or kind.reference or kind.extents:
                    return None
                if declared.node.template_parameters:
                    given = name.arguments or ()
                    frame = evaluator.frames.made(declared.node, (), given, point, None, frame)
                name, point = kind.name, Point(around, declared.node.start)
        finally:
            evaluator.frame = outer
        return None

    def _template_argument(
        self, owner: Template, index: int, name: Name, point: Point, frame: Frame | None
    ) -> Used | None:
        """``C<64>``, where ``C`` is a parameter, the one of ``owner`` at ``index``, that stands for a template."""
        given = self._evaluator.bindings.type_given(owner, index, point.place, frame)
        if given is None or given[0].name.arguments is not None or given[0].name.scope is not None:
            return None
        return Used(Name(given[0].name.text, name.arguments, None, name.start, name.end), point, frame)

    @memoized
    def _all(self, name: str) -> Definitions:
        compiled = self._compiled
        found = [each for each in self._evaluator.facts.structs.get(name) if compiled(each.place) is not False]
        return Definitions(found, any(each.node.template_parameters or each.node.specialization for each in found))

    def _bound(self, struct: Declared[Struct], arguments: tuple[Expr, ...], used: Used) -> BoundClass | None:
        parameters = struct.node.template_parameters
        if len(arguments) > len(parameters) and not any(each.pack for each in parameters):
            return None
        return self._made(struct, arguments, used)

    def _made(self, struct: Declared[Struct], arguments: tuple[Expr, ...], used: Used) -> BoundClass:
        frame = self._evaluator.frames.made(struct.node, (), arguments, used.point, None, used.frame)
        return BoundClass(struct, frame)

    # ------------------------------------------------------- specialisations

    def _chosen(self, general: Declared[Struct], special: list[Declared[Struct]], used: Used) -> BoundClass | None:
        """The one specialisation that the arguments match, or the general definition when they match none."""
        given = self._completed(general, used)
        if given is None:
            return None
        fitting: list[Declared[Struct]] = []
        for each in special:
            matches = self._matched(each, given)[0]
            if matches is None:
                return None
            if matches:
                fitting.append(each)
        if not fitting:
            return self._bound(general, used.name.arguments or (), used)
        full = [each for each in fitting if not each.node.template_parameters]
        if len(full) != 1 and len(fitting) != 1:
            return None
        (struct,) = full or fitting
        # Its frame has the arguments of the template: its own parameters follow from them.
        return self._made(struct, used.name.arguments or (), used)

    def deduced(self, special: Struct, index: int, frame: Frame) -> tuple[Element, ...] | None:
        """What the parameter at ``index`` of a partial specialisation is, given the template's arguments by ``frame``.

        ``None`` where that is not known; several of a pack.
        """
        for each in self._all(special.name).all:
            if each.node is special:
                general = self._general(each)
                given = self._completed(general, _written(special, frame)) if general is not None else None
                deduced = self._matched(each, given)[1] if given is not None else {}
                return deduced.get(special.template_parameters[index].name)
        return None

    def _general(self, special: Declared[Struct]) -> Declared[Struct] | None:
        """The template, defined or only declared, that a class specialises."""
        name = Name(special.node.name, None, None, special.node.start, special.node.start)
        symbols = self._evaluator.symbols
        found = [*symbols.classes(name, special.place).declared, *symbols.templates(name, special.place).declared]
        return next((each for each in found if each.node.specialization is None), None)

    def _completed(self, general: Declared[Struct], used: Used) -> list[Element] | None:
        """The arguments with the defaults of those that are not given."""
        arguments, parameters = used.name.arguments or (), general.node.template_parameters
        given = [Element(each, used.point, used.frame) for each in arguments]
        bound = self._bound(general, arguments, used)
        if bound is None or any(is_pack(each) for each in arguments):
            return None
        for each in parameters[len(given) :]:
            if each.default is None:
                return given if each.pack else None
            inside = Place(general.node.members, general.place)
            given.append(Element(each.default, Point(inside, general.node.start), bound.frame))
        return given

    def _matched(
        self, special: Declared[Struct], given: Sequence[Element]
    ) -> tuple[bool | None, dict[str, tuple[Element, ...]]]:
        """Whether a specialisation is for these arguments, ``None`` when that is not known; what its parameters are."""
        match = _Match(Point(special.place, special.node.start), special.node.template_parameters)
        return self._all_fit(special.node.specialization or (), given, match), match.deduced

    def _all_fit(self, wanted: Sequence[Expr], given: Sequence[Element], match: _Match) -> bool | None:
        last = wanted[-1] if wanted else None
        if isinstance(last, Opaque) and last.is_pack and len(given) >= len(wanted) - 1:
            pack = match.parameter(last.parts[0])
            if pack is None or pack in match.deduced:
                return None
            wanted = wanted[:-1]
            match.deduced[pack] = tuple(given[len(wanted) :])
            given = given[: len(wanted)]
        if len(wanted) != len(given):
            return None
        answers = [self._fits(*each, match) for each in zip(wanted, given, strict=True)]
        return False if False in answers else None if None in answers else True

    def _fits(self, want: Expr, given: Element, match: _Match) -> bool | None:
        """Whether an argument is what a part of a specialisation's list stands for."""
        parameter = match.parameter(want)
        if parameter is not None:
            known = match.deduced.setdefault(parameter, (given,))
            return self._same(known[0], given) if known[0] is not given else True
        if not match.is_open(want):
            return self._same(Element(want, match.here, None), given)
        pattern = as_type(want)
        if pattern is None or pattern.extents or pattern.reference or pattern.name.scope is not None:
            return None
        if pattern.pointers:
            # Of pointers it is only seen that a class or a number is none.
            kind = self._number_and_type(given)[1]
            return None if kind is None or _class(kind) is None else False
        written, under = _undeclared(given.expression), self._evaluator.under
        used = under(given.frame, self.used, written.name, given.point) if written is not None else None
        if used is None or used.name.scope is not None or pattern.name.arguments is None:
            return None
        general, other = self._template(pattern.name, match.here), self._template(used.name, used.point)
        if general is None or other is None or general.node is not other.node:
            return None if general is None or other is None else False
        if used.name.arguments is None:
            # Inside the template its name alone is the instance around.
            bound = under(used.frame, self.of, used.name, used.point)
            if bound is None or bound.frame is None:
                return None
            used = _written(general.node, bound.frame)
        elements = self._completed(general, used)
        return self._all_fit(pattern.name.arguments, elements, match) if elements is not None else None

    def _template(self, name: Name, point: Point) -> Declared[Struct] | None:
        """The class template that a name means at ``point``, if it is one of the project."""
        symbols = self._evaluator.symbols
        for found in (symbols.classes(name, point.place), symbols.templates(name, point.place)):
            general = [each for each in found.declared if each.node.specialization is None]
            if general:
                return general[0] if len(general) == 1 and found.sure else None
        return None

    def _same(self, first: Element, second: Element) -> bool | None:
        """Whether two arguments are one."""
        (number, kind), (other, other_kind) = map(self._number_and_type, (first, second))
        if number is not None and other is not None:
            return number == other
        if kind is None or other_kind is None:
            return None
        return same_kind(kind, other_kind)

    def _number_and_type(self, element: Element) -> tuple[int | None, TypeKind | None]:
        """The number that an argument is, or the type."""
        under, (written, point, frame) = self._evaluator.under, element
        return under(frame, self._number, written, point), under(frame, self._type, written, point)

    def _number(self, expression: Expr, point: Point) -> int | None:
        if isinstance(expression, Type):
            return None
        result = self._evaluator.scalar(self._evaluator.evaluate(expression, point))
        return result.value.value if isinstance(result, Scalar) and isinstance(result.value, Known) else None

    def _type(self, expression: Expr, point: Point) -> TypeKind | None:
        kind = _undeclared(expression)
        return None if kind is None or kind.name.scope is not None else self._evaluator.kind(kind.name, point)


def _written(struct: Struct, frame: Frame) -> Used:
    """The name of an instance of a class template with the arguments that its frame gives it."""
    return Used(Name(struct.name, frame.templates, None, struct.start, struct.start), frame.point, frame.outer)


def _undeclared(argument: Expr) -> Type | None:
    """A type that is an argument of a template, if it has no declarators."""
    kind = as_type(argument)
    has_any = kind is None or kind.pointers or kind.reference or kind.extents or kind.constant
    return None if has_any else kind


def same_kind(first: TypeKind, second: TypeKind) -> bool | None:
    """Whether two types are one; ``None`` where that depends on what is not visible."""
    classes = {_class(first), _class(second)}
    if None not in classes and len(classes) > 1:
        return False
    if first.integer is not None and second.integer is not None:
        # ``long`` and ``long long`` are two types of one width, ``char`` and ``signed char`` too.
        is_one = first.integer.bits in _OF_ONE_NAME or first.name.text == second.name.text
        return False if first.integer != second.integer else True if is_one else None
    if first.floating and second.floating:
        names = {_bare(first), _bare(second)}
        return len(names) == 1 if names <= _BUILTIN else None
    if first.name.arguments or second.name.arguments:
        return None
    if first.struct is not None and second.struct is not None:
        return first.struct.node is second.struct.node
    return True if first.name.text == second.name.text else None


def _bare(kind: TypeKind) -> str:
    return kind.name.text.removeprefix("::").removeprefix("std::")


def _class(kind: TypeKind) -> str | None:
    """What kind of type it is, when that is sure."""
    if kind.integer is not None:
        return "integer"
    if kind.floating:
        return "floating"
    if kind.struct is not None:
        return "class"
    if kind.name.qualifier.removeprefix("::") in ("std", "sycl"):
        return kind.name.qualifier.removeprefix("::")
    return None
