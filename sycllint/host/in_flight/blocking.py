"""Objects that are made from a queue: whether their constructors may block until its commands are finished.

``Image image(q, p);`` may copy from ``p`` and wait for that, as a function could. A class that is not visible may, but
for those of SYCL and of the C++ library, which do what the classes do that they hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sycllint.cpp.expression import Brace, Call, Member, Name, New, Type
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, Struct, Variable
from sycllint.dataflow.reach import Functions, ReachDomain
from sycllint.facts.file import Declared
from sycllint.host.scopes.classes import field_of
from sycllint.host.vocabulary import ALLOCATORS, CLASSES, WAITS
from sycllint.ir import ops
from sycllint.ir.body import Body
from sycllint.ir.lower_expressions import UNEVALUATED
from sycllint.symbols.arity import accepts
from sycllint.symbols.templates import template_parameter
from sycllint.values.evaluate import Evaluator
from sycllint.values.memory import Memo
from sycllint.values.objects import TypeKind
from sycllint.values.side_effects.library import BY_VALUE
from sycllint.values.types import as_type

_LIBRARIES = frozenset({"std", "sycl", "cl"})
_QUIET = CLASSES | {"stream", "usm_allocator", "command_graph", "sampled_image", "unsampled_image", "image"}
"""Classes of SYCL that wait for nothing when they are made."""
_HARMLESS = BY_VALUE | ALLOCATORS.keys() | {"move", "forward"} | UNEVALUATED
_NOTHING: tuple[bool, Functions] = (False, ())
_ANYTHING: tuple[bool, Functions] = (True, ())


class Blocking:
    """Answers for one evaluator."""

    bottom = False
    top = True

    def __init__(self, evaluator: Evaluator) -> None:
        self._symbols = evaluator.symbols
        self._overloads = evaluator.overloads
        self._types = evaluator.types
        self._reach: ReachDomain[bool] = ReachDomain(evaluator, self)

    def may_block(self, kind: Type, count: int, place: Place) -> bool:
        """Whether making an object of a type from ``count`` arguments, which lead to a queue, may wait for it."""
        if kind.pointers or kind.reference:
            return False
        blocks, found = self._made(kind.name, count, place)
        return blocks or self._reach.most(found)

    # ------------------------------------------------------------ instructions

    def members(self, body: Body) -> tuple[bool, Functions]:
        """What a constructor gives values makes the members and bases that it gives them to."""
        maker = body.function
        if not isinstance(maker, Function):
            return _NOTHING
        struct = self._symbols.definition(self._symbols.class_around(body.place))
        found: list[Declared[Function]] = []
        for member, values in maker.initializers:
            field = field_of(struct.node, member) if struct is not None else None
            if not values or (field is not None and (field.type.pointers or field.type.reference)):
                continue
            name = Name(member, None, None, 0, 0) if field is None else field.type.name
            blocks, makers = self._made(name, len(values), body.place)
            if blocks:
                return _ANYTHING
            found += makers
        return False, found

    def instruction(self, body: Body, position: int) -> tuple[bool, Functions]:
        """Whether a call or a construction may block by itself, and the visible functions that it may run."""
        node, place = body.node[position], body.around_of(position)
        match node:
            case Variable(type=kind, arguments=arguments) if body.op[position] == ops.DECL:
                made = bool(arguments) and not (kind.pointers or kind.reference)
                return self._made(kind.name, len(arguments), place) if made else _NOTHING
            case Brace(type=Name() as made, elements=elements):
                return self._made(made, len(elements), place) if elements else _NOTHING
            case New(type=kind, arguments=arguments):
                return self._made(kind.name, len(arguments), place) if arguments else _NOTHING
            case Call():
                return self._called(body, position, place)
            case _:
                return _NOTHING

    def _called(self, body: Body, position: int, place: Place) -> tuple[bool, Functions]:
        callee = body.callee(position)
        match callee:
            case Member(name=name):
                if WAITS.search(name) is not None:
                    return _ANYTHING
                found = self._overloads.of(body.call(position), place) if self._overloads.is_defined(name) else None
                return (False, found.found) if found is not None and found.sure else _NOTHING
            case Name(last=last) if not (_is_of_library(callee) or last in _HARMLESS):
                found = self._overloads.of(body.call(position), place)
                if found.found:
                    return False, found.found
                return self._made(callee, len(body.list(position)), place)
            case _:
                return _NOTHING

    # ----------------------------------------------------------------- classes

    def _made(self, name: Name, count: int, place: Place) -> tuple[bool, Functions]:
        """Whether constructing an object may block by itself, and the visible constructors that may run."""
        found: list[Declared[Function]] = []
        waiting = [(name, count, place)]
        seen: set[tuple[Struct, int]] = set()
        for written, number, around in waiting:
            kind = self._types.kind(written, around)
            if kind.struct is None:
                if not self._is_quiet(kind, around):
                    return _ANYTHING
                held = (as_type(each) for each in kind.name.arguments or ())
                waiting += [(each.name, 1, around) for each in held if each is not None and not each.pointers]
            elif (kind.struct.node, number) not in seen:
                seen.add((kind.struct.node, number))
                makers = self._makers(kind.struct, number)
                if makers and all(each.node.body is None for each in makers):
                    return _ANYTHING
                found += [each for each in makers if each.node.body is not None]
                waiting += self._parts(kind.struct, number) if not makers else ()
        return False, found

    def _makers(self, struct: Declared[Struct], count: int) -> Sequence[Declared[Function]]:
        scope = self._symbols.scope_of(struct)
        return [each for each in self._symbols.methods(scope.name, scope) if accepts(each.node, count)]

    def _parts(self, struct: Declared[Struct], count: int) -> Iterator[tuple[Name, int, Place]]:
        """The bases and the members of a class that are objects."""
        for base in struct.node.bases:
            yield base, count, struct.place
        for each in struct.node.variables:
            if not each.type.pointers and not each.type.reference:
                yield each.type.name, 1, struct.place

    def _is_quiet(self, kind: TypeKind, place: Place) -> bool:
        """Whether a type whose class is not visible is a number, or a class of SYCL or of the C++ library."""
        if kind.is_number or kind.automatic or kind.extents is not None or kind.name.last == "bool":
            return True
        if _is_of_library(kind.name) or kind.name.last in _QUIET:
            return True
        return template_parameter(kind.name.text, place) is not None


def _is_of_library(name: Name) -> bool:
    return name.qualifier.removeprefix("::").partition("::")[0] in _LIBRARIES


blocking = Memo(Blocking)
"""That of an evaluator."""
