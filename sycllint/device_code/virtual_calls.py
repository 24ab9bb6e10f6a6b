"""Which calls choose their function at run time: those of virtual functions through a pointer or a reference."""

from functools import cached_property

from sycllint.cpp.expression import Call, Expr, Index, Member, Name, Unary
from sycllint.cpp.place import Place
from sycllint.cpp.statement import VIRTUAL, Function, FunctionParameter, Variable
from sycllint.symbols.arity import accepts
from sycllint.symbols.scope import Scope
from sycllint.values.evaluate import Evaluator
from sycllint.values.memory import Memo
from sycllint.values.objects import Point

_ALLOWED_BY = (b"indirectly_callable", b"calls_indirectly", b"assume_indirect_calls")
"""Properties of sycl_ext_oneapi_virtual_functions, which allows such calls."""


class VirtualDispatch:
    """Answers for one translation unit."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._facts = evaluator.facts
        self._symbols = evaluator.symbols

    @cached_property
    def names(self) -> frozenset[str]:
        """Virtual functions of the unit's classes, destructors left out; none where an extension allows such calls."""
        files = [each for each in self._facts.files if b"virtual" in each.content]
        if any(map(self._facts.spells, _ALLOWED_BY)):
            return frozenset()
        structs = (declared.node for each in files for found in each.structs.values() for declared in found)
        return frozenset(
            method.name
            for struct in structs
            for method in struct.members.statements
            if isinstance(method, Function) and method.flags & VIRTUAL and not method.name.startswith("~")
        )

    def chosen(self, call: Call, place: Place) -> str:
        """The virtual function that ``call``, at ``place``, surely calls of an object whose class it does not know.

        Empty for other calls.
        """
        match call.function:
            case Member(object=called_on, name=name, arguments=None):
                pass
            case Name(arguments=None) | Unary(operator="*") as called_on:
                name = "operator()"
            case _:
                return ""
        scope = self._class_behind(called_on, place) if name in self.names else None
        return name if scope is not None and self._is_virtual(scope, name, len(call.arguments)) else ""

    def _class_behind(self, value: Expr, place: Place) -> Scope | None:
        """The class of what a pointer or a reference leads to; ``None`` for an object itself."""
        steps = 0
        while not isinstance(value, Name):
            if isinstance(value, Index) and len(value.indices) == 1:
                value = value.object
            elif isinstance(value, Unary) and value.operator == "*":
                value = value.operand
            else:
                return None
            steps += 1
        found = self._evaluator.declarations.nearest(value.text, Point(place, value.start))
        if found is None or not isinstance(found[0], Variable | FunctionParameter):
            return None
        written = found[0].type
        if written.extents or not (written.pointers or written.reference) or written.pointers - steps not in (0, 1):
            return None
        return self._only(written.name, place)

    def _only(self, name: Name, place: Place) -> Scope | None:
        """The class of a name, where it is no template and has one definition."""
        struct = self._evaluator.types.kind(name, place).struct
        if struct is None or name.arguments is not None or struct.node.template_parameters:
            return None
        alike = self._symbols.scopes.named(self._symbols.scopes.types, struct.node.name)
        return self._symbols.scope_of(struct) if len(alike) == 1 else None

    def _is_virtual(self, scope: Scope, name: str, count: int) -> bool:
        """Whether the nearest class that has a function of this name has only virtual ones of it."""
        declared = (each.node for each in self._symbols.methods(name, scope) if "::" not in each.node.name)
        meant = [each for each in declared if accepts(each, count)]
        return bool(meant) and all(each.flags & VIRTUAL for each in meant)


dispatch = Memo(VirtualDispatch)
