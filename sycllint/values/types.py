"""Type names to what they are: builtin integers, SYCL's ranges, aliases of the file resolved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from sycllint.cpp.expression import Expr, Name, Number, Type
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Alias, TemplateParameter
from sycllint.facts.file import Declared
from sycllint.record import replace
from sycllint.symbols.scope import Scope
from sycllint.symbols.symbols import Symbols
from sycllint.symbols.templates import template_parameter
from sycllint.values.arithmetic import FLOATING_TYPES, INTEGER_TYPES
from sycllint.values.objects import TypeKind

_SYCL = frozenset({"sycl", "::sycl", "cl::sycl", "::cl::sycl", "hipsycl::sycl", "acpp::sycl"})
_STANDARD = frozenset({"", "std", "::std", "::", "sycl", "cl", "cl::sycl"})
_SHORT = {"auto", "bool", "char", "double", "float", "int", "long", "short", "signed", "unsigned", "void"}
KEYWORDS = frozenset(_SHORT.union(each for each in (*INTEGER_TYPES, *FLOATING_TYPES) if " " in each))
"""Names of types that nothing declares: they are the same everywhere."""
MAX_ALIASES = 12

Asked: TypeAlias = str | Name | tuple[str | Name, Scope, bool]
"""A name; with the scope in which it stands, and whether it is a parameter of a template around it."""


def unaliased(qualifier: str, namespaces: Mapping[str, str]) -> str:
    """``qualifier`` with the namespace that its first part is an alias of."""
    first, _, rest = qualifier.partition("::")
    target = namespaces.get(first)
    if target is None:
        return qualifier
    return f"{target}::{rest}" if rest else target


def qualifier_is_sycl(qualifier: str, namespaces: Mapping[str, str]) -> bool:
    """Whether names with this qualifier come from SYCL. A namespace alias is looked through once."""
    qualifier = unaliased(qualifier, namespaces)
    if qualifier in _SYCL:
        return True
    return qualifier.removeprefix("::").removeprefix("cl::").startswith("sycl::")


class Types:
    """Type resolution for one unit."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self._facts = symbols.unit
        self._kinds: dict[Asked, TypeKind] = {}

    def alias(self, name: Name) -> Declared[Alias] | None:
        """The alias a name stands for, when there is exactly one."""
        return self._alias(name, None)

    def _alias(self, name: Name, place: Place | None) -> Declared[Alias] | None:
        if name.scope is not None:
            return None
        is_plain = "::" not in name.text
        is_anywhere = is_plain and place is None
        found = self._facts.aliases.get(name.text) if is_anywhere else self._symbols.aliases(name, place).declared
        return found[0] if len(found) == 1 else None

    def kind(self, name: Name, place: Place | None = None) -> TypeKind:
        """What ``name`` is at ``place``; without one, whatever declares a plain name anywhere in the unit."""
        text = name.text
        key = name if name.scope is not None or name.arguments is not None or not text else text
        asked: Asked = key
        if place is not None and key not in KEYWORDS:
            is_inside = bool(place.enclosing.templates)
            is_parameter = is_inside and template_parameter(text.partition("::")[0], place) is not None
            asked = (key, self._symbols.scopes.at(place), is_parameter)
        found = self._kinds.get(asked)
        if found is None:
            found = self._kinds[asked] = self._resolved(name, place)
        return found

    def _resolved(self, name: Name, place: Place | None) -> TypeKind:
        for _ in range(MAX_ALIASES):
            declared = self._alias(name, place)
            if declared is None or declared.node.type.name.text == name.text:
                break
            target = declared.node.type
            if target.pointers or target.extents:
                return TypeKind(target.name, extents=target)
            if declared.node.template_parameters and name.arguments is not None:
                filled = _filled(target.name, declared.node.template_parameters, name.arguments)
                return self._plain(filled, declared.place.outer)
            name, place = target.name, declared.place.outer
        return self._plain(name, place)

    def _plain(self, name: Name, place: Place | None) -> TypeKind:
        last, qualifier = name.last, name.qualifier
        text = name.text.removeprefix("::").removeprefix("std::")
        integer = INTEGER_TYPES.get(text)
        if integer is not None:
            return TypeKind(name, integer=integer)
        if text in FLOATING_TYPES:
            return TypeKind(name, floating=True)
        if not text and name.end > name.start:
            # decltype(x): written, but not followed.
            return TypeKind(name)
        if text in ("auto", "decltype(auto)", ""):
            return TypeKind(name, automatic=True)
        is_plain = name.scope is None and not qualifier
        is_anywhere = is_plain and place is None
        structs = self._facts.structs.get(last) if is_anywhere else self._symbols.classes(name, place).declared
        if structs:
            return TypeKind(name, struct=structs[0])
        if is_plain or qualifier_is_sycl(qualifier, self._facts.namespaces):
            if last in INTEGER_TYPES:
                return TypeKind(name, integer=INTEGER_TYPES[last])
            return TypeKind(name, sycl=last)
        return TypeKind(name)

    def is_sycl(self, name: Name, *names: str) -> bool:
        """Whether ``name`` is one of SYCL's ``names``, through aliases."""
        return self.kind(name).sycl in names

    def dimensions(self, name: Name) -> int | None:
        """The literal first template argument of ``range<2>``, ``nd_item<1>`` …"""
        arguments = self.kind(name).name.arguments
        if arguments and isinstance(arguments[0], Number) and arguments[0].text in ("1", "2", "3"):
            return int(arguments[0].text)
        return None


def _filled(target: Name, parameters: tuple[TemplateParameter, ...], given: tuple[Expr, ...]) -> Name:
    """What an alias template stands for, with arguments in the place of its parameters."""
    if target.arguments is None:
        return target
    values = {each.name: each.default for each in parameters if each.default is not None}
    values.update(zip((each.name for each in parameters), given, strict=False))
    arguments = (values.get(_bare_name(each), each) for each in target.arguments)
    return replace(target, arguments=tuple(arguments))


def _bare_name(argument: Expr) -> str:
    """The name that an argument of a template is; empty when it is more than that."""
    if isinstance(argument, Type) and not (argument.pointers or argument.reference or argument.extents):
        argument = argument.name
    return argument.text if isinstance(argument, Name) and argument.arguments is None else ""


def as_type(expression: Expr) -> Type | None:
    """A type argument; a plain name may be one too."""
    if isinstance(expression, Name):
        return plain_type(expression)
    return expression if isinstance(expression, Type) else None


def plain_type(name: Name) -> Type:
    """The type ``name`` without declarators."""
    return Type(name, 0, False, False, (), name.start, name.end)


def depends_on(parameter: str, wanted: Type) -> bool:
    """Whether a function's parameter of type ``wanted`` has a template's parameter in a place it is deduced from."""
    if wanted.name.text == parameter:
        return True
    inner = [as_type(each) for each in wanted.name.arguments or ()]
    return any(each is not None and depends_on(parameter, each) for each in inner)


def pointed(kind: Type, pointers: int) -> Type:
    """``kind`` with so many pointers in the place of its own."""
    return Type(kind.name, pointers, False, kind.constant, kind.extents, kind.start, kind.end)
