"""Which argument a parameter can take, as far as the kinds of both are known.

A kind that is not known is ``None`` and converts to everything. Only what C++ surely refuses is refused: which of
several conversions is the better one is not asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum as Enumeration

from sycllint.cpp.expression import Type
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, Struct
from sycllint.facts.file import Declared
from sycllint.record import NamedTuple
from sycllint.symbols.arity import accepts
from sycllint.symbols.scope import Scope
from sycllint.symbols.scopes import Scopes


class TypeClass(Enumeration):
    """What sort of value it is."""

    NUMBER = "a number"
    TRUTH = "a bool, which pointers convert to as well"
    ZERO = "a literal 0, which may stand for a null pointer"
    POINTER = "a pointer or an array"
    TEXT = "a string literal"
    LAMBDA = "a lambda"
    CLASS = "an object of a class of the unit"
    LIBRARY = "an object of a class of SYCL or of the C++ library"


class ArgumentKind(NamedTuple):
    """What is known of the type of an argument or a parameter."""

    shape: TypeClass
    scope: Scope | None = None
    """The class, of a ``CLASS``."""
    library: str = ""
    """Unqualified name of the class of SYCL, of a ``LIBRARY``; ``STANDARD`` for any of ``std``."""
    dimensions: int | None = None
    """Its literal first template argument."""
    is_deduced: bool = False
    """Of a parameter: its first template argument is one of the function's own, deduced where no call writes it."""


OPAQUE = frozenset(
    {
        *("queue", "handler", "event", "device", "context", "platform", "buffer"),
        *("nd_item", "h_item", "group", "sub_group", "kernel_handler", "nd_range"),
    }
)
"""Classes of SYCL that are made neither from one number, pointer or lambda nor implicitly from one another, and that
convert to none of these (SYCL 2020, sections 4.6 to 4.9). ``item``, ``id`` and ``range`` are not among them: of one
dimension, they are a number; nor are accessors: of none, they are a reference to their element."""
ITEM = "item"
"""An item of whatever class."""
STANDARD = "std"
"""A class of the C++ library that neither is made from one of SYCL's handles nor becomes one."""
_ITEMS = frozenset({"nd_item", "h_item", ITEM})
_EXTENTS = frozenset({"range", "id"})
_SCALAR = frozenset(
    {TypeClass.NUMBER, TypeClass.TRUTH, TypeClass.ZERO, TypeClass.POINTER, TypeClass.TEXT, TypeClass.LAMBDA}
)


class Conversions:
    """Answers for one unit."""

    def __init__(self, scopes: Scopes, of_parameter: Callable[[Type, Place], ArgumentKind | None]) -> None:
        """``of_parameter`` gives the kind of a type that a declaration at a place writes."""
        self._scopes = scopes
        self._of_parameter = of_parameter
        self._wanted: dict[Function, Sequence[ArgumentKind | None]] = {}
        self._makers: dict[Scope, Sequence[Declared[Function]] | None] = {}
        self._converts: dict[Scope, bool] = {}
        self._lineages: dict[Scope, tuple[Scope, ...]] = {}

    def wanted(self, declared: Declared[Function]) -> Sequence[ArgumentKind | None]:
        """The kinds of a function's parameters."""
        found = self._wanted.get(declared.node)
        if found is None:
            types = [None if each.pack else each.type for each in declared.node.parameters]
            kinds = [None if each is None else self._of_parameter(each, declared.place) for each in types]
            found = self._wanted[declared.node] = tuple(kinds)
        return found

    def allows(self, argument: ArgumentKind | None, parameter: ArgumentKind | None, *, deduces: bool = False) -> bool:
        """Whether a parameter of one kind may take an argument of the other.

        With ``deduces``, no call writes template arguments: where one is to be deduced, nothing is converted.
        """
        if argument is None or parameter is None:
            return True
        if deduces and parameter.is_deduced and argument.shape in _SCALAR:
            return False
        given, wanted = argument.shape, parameter.shape
        if given is TypeClass.CLASS:
            return self._of_class(argument, parameter)
        if wanted is TypeClass.CLASS:
            return self._converts_to(argument, parameter.scope)
        if given is TypeClass.LIBRARY or wanted is TypeClass.LIBRARY:
            return _within_library(argument, parameter)
        if given in (TypeClass.POINTER, TypeClass.TEXT, TypeClass.LAMBDA):
            # A lambda that captures nothing is a function, and so a pointer.
            return wanted is not TypeClass.NUMBER
        return wanted is not TypeClass.POINTER or given is TypeClass.ZERO

    def _of_class(self, argument: ArgumentKind, parameter: ArgumentKind) -> bool:
        assert argument.scope is not None
        if self.has_conversion(argument.scope):
            return True
        if parameter.shape is TypeClass.CLASS:
            assert parameter.scope is not None
            return parameter.scope in self.lineage(argument.scope) or self._converts_to(argument, parameter.scope)
        return parameter.shape is TypeClass.LIBRARY and parameter.library not in OPAQUE

    def is_made_from_one(self, scope: Scope) -> bool:
        """Whether a class has, or may inherit, a constructor that takes one argument of another type."""
        makers = self._makers_from_one(scope)
        return makers is None or bool(makers)

    def _makers_from_one(self, scope: Scope) -> Sequence[Declared[Function]] | None:
        """The constructors of a class that take one argument of another type; ``None`` where it may inherit more."""
        if scope not in self._makers:
            makers: list[Declared[Function]] = self._scopes.inside(self._scopes.functions, scope.name, scope)
            is_open = self._scopes.has_unseen_base(scope) or self._inherits_makers(scope)
            found = [each for each in makers if accepts(each.node, 1) and not _is_copy(each.node, scope.name)]
            self._makers[scope] = None if is_open else found
        return self._makers[scope]

    def _converts_to(self, argument: ArgumentKind, scope: Scope | None) -> bool:
        """Whether a constructor of a class may take an argument, to which no other conversion of a class is applied."""
        makers = self._makers_from_one(scope) if scope is not None else None
        if makers is None:
            return True
        for each in makers:
            wanted = next(iter(self.wanted(each)), None)
            if wanted is None or wanted.shape is not TypeClass.CLASS:
                if self.allows(argument, wanted):
                    return True
            elif argument.scope is not None and wanted.scope in self.lineage(argument.scope):
                return True
        return False

    def lineage(self, scope: Scope) -> tuple[Scope, ...]:
        """A class and those it inherits from, as far as they are visible."""
        found = self._lineages.get(scope)
        if found is None:
            self._lineages[scope] = (scope,)
            above = (each for base in self._scopes.bases(scope) if base is not None for each in self.lineage(base))
            found = self._lineages[scope] = tuple(dict.fromkeys((scope, *above)))
        return found

    def _inherits_makers(self, scope: Scope) -> bool:
        """Whether a using declaration gives a class the constructors of a base: ``using Base::Base;``."""
        scopes = self._scopes
        introduced = (each for base in scopes.bases(scope) if base for each in scopes.unit.introduced.get(base.name))
        return any(scopes.home(each) is scope for each in introduced)

    def has_conversion(self, scope: Scope) -> bool:
        """Whether an object of a class may convert itself."""
        found = self._converts.get(scope)
        if found is None:
            self._converts[scope] = True
            own = any(_converts(each) for each in self._scopes.definitions(scope))
            bases = self._scopes.bases(scope)
            found = own or any(base is None or self.has_conversion(base) for base in bases)
            self._converts[scope] = found
        return found


def _within_library(argument: ArgumentKind, parameter: ArgumentKind) -> bool:
    given, wanted = argument.library, parameter.library
    if argument.shape is not TypeClass.LIBRARY:
        return wanted not in OPAQUE or argument.shape not in _SCALAR
    if parameter.shape is not TypeClass.LIBRARY:
        # SYCL 2020, 4.9.1.1: a range is made from a number and does not become one, as an id does.
        return given not in OPAQUE and given != "range"
    if given == wanted or (given in _EXTENTS and wanted in _EXTENTS):
        return None in (argument.dimensions, parameter.dimensions) or argument.dimensions == parameter.dimensions
    if given in _ITEMS and wanted in _ITEMS and ITEM in (given, wanted):
        return True
    return given not in OPAQUE and wanted not in OPAQUE


def _is_copy(function: Function, name: str) -> bool:
    """Whether a constructor copies or moves."""
    return bool(function.parameters) and function.parameters[0].type.name.last == name


def _converts(declared: Declared[Struct]) -> bool:
    """Whether a class declares a conversion operator."""
    members = declared.node.members.statements
    return any(isinstance(each, Function) and each.name.startswith("operator ") for each in members)
