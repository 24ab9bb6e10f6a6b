"""Lists of template arguments as compilers see them: packs spelled out, defaults filled in."""

from collections.abc import Callable, Sequence

from sycllint.cpp.expression import Expr, Name, Opaque
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, Struct
from sycllint.facts.file import Declared
from sycllint.launch.names import Argument, Arguments
from sycllint.symbols.templates import template_parameter
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Frame, Point, Used
from sycllint.values.packs import is_pack
from sycllint.values.types import as_type, depends_on


class ArgumentLists:
    """The lists of one evaluator; ``argument`` reads one of a list, where it is written."""

    def __init__(self, evaluator: Evaluator, argument: Callable[[Expr, Point, Frame | None], Argument]) -> None:
        self._evaluator = evaluator
        self._argument = argument
        self._listing: set[Struct] = set()
        """The classes whose arguments are being listed: a default may be looked up from inside."""

    def of_name(self, used: Used) -> Arguments | None:
        """Those with which a class template is named; ``None`` where none are written."""
        written = used.name.arguments
        if written is None:
            return None
        listed = self._listed(written, used.point, used.frame)
        declared = self._declared(used.name, used.point.place)
        return self._completed(declared, listed, written, used.point, used.frame)

    def _declared(self, name: Name, place: Place) -> list[Declared[Struct]]:
        """The declarations of a class template, its definition among them; none where it may be one of several."""
        symbols = self._evaluator.symbols
        meant = [symbols.classes(name, place), symbols.templates(name, place)]
        found = [each for those in meant for each in those.declared if those.sure and each.node.specialization is None]
        homes = {symbols.scopes.home(each) for each in found}
        return found if len(homes) == 1 else []

    def around(self, struct: Declared[Struct], frame: Frame | None) -> Arguments | None:
        """Those of the class around a place that ``frame`` reaches."""
        if not struct.node.template_parameters or struct.node.specialization is not None:
            return None
        binding = frame.of(struct.node) if frame is not None else None
        if binding is None or struct.node in self._listing:
            return None
        self._listing.add(struct.node)
        try:
            listed = self._listed(binding.templates, binding.point, binding.outer)
            declared = [struct, *self._evaluator.symbols.scopes.forwards(struct)]
            return self._completed(declared, listed, binding.templates, binding.point, binding.outer)
        finally:
            self._listing.discard(struct.node)

    def given(self, function: Function, frame: Frame | None, first: int, last: int | None = None) -> Arguments:
        """Those that a function is called with, from ``first`` to ``last``; others may be deduced."""
        binding = frame.of(function) if frame is not None else None
        if binding is None:
            return Arguments()
        found = self._listed(binding.templates, binding.point, binding.outer)
        return Arguments(found.listed[first:last])

    def _listed(self, written: Sequence[Expr], point: Point, frame: Frame | None) -> Arguments:
        found: list[Argument] = []
        for each in written:
            if not isinstance(each, Opaque) or not is_pack(each):
                found.append(self._argument(each, point, frame))
                continue
            pack = self._pack(each, point.place, frame)
            found += pack.listed
            if not pack.is_whole:
                return Arguments(tuple(found))
        return Arguments(tuple(found), is_whole=True)

    def _pack(self, written: Opaque, place: Place, frame: Frame | None) -> Arguments:
        """What ``Types...`` stands for: the arguments for that parameter of a template around ``place``."""
        kind = as_type(written.parts[0]) if len(written.parts) == 1 else None
        if kind is None or kind.pointers or kind.reference or kind.constant or not kind.name.is_plain:
            return Arguments()
        found = template_parameter(kind.name.text, place)
        binding = frame.of(found[0]) if found is not None and frame is not None else None
        if found is None or binding is None:
            return Arguments()
        owner, index = found
        given = self._listed(binding.templates, binding.point, binding.outer)
        is_deduced = isinstance(owner, Function) and any(
            depends_on(kind.name.text, each.type) for each in owner.parameters
        )
        return Arguments(given.listed[index:], given.is_whole and not is_deduced)

    def _completed(
        self,
        declared: Sequence[Declared[Struct]],
        given: Arguments,
        written: tuple[Expr, ...],
        point: Point,
        frame: Frame | None,
    ) -> Arguments:
        """The list with the defaults of what is not given, where all are visible."""
        if not given.is_whole or not declared:
            return Arguments(given.listed)
        found = list(given.listed)
        for index in range(len(found), len(declared[0].node.template_parameters)):
            parameters = [(each, each.node.template_parameters[index : index + 1]) for each in declared]
            if any(each.pack for _, listed in parameters for each in listed):
                break
            defaults = [(each, one.default) for each, listed in parameters for one in listed if one.default is not None]
            if not defaults:
                return Arguments(tuple(found))
            struct, default = defaults[0]
            around = self._evaluator.frames.made(struct.node, (), written, point, None, frame)
            inside = Point(Place(struct.node.members, struct.place), struct.node.start)
            assert default is not None
            found.append(self._argument(default, inside, around))
        return Arguments(tuple(found), is_whole=True)
