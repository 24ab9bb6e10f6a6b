"""What a function or a constructor may do with the names given to it."""

from collections.abc import Callable, Sequence

from sycllint.cpp.expression import Call, Expr, Index, Lambda, Member, Name, Text, Type
from sycllint.cpp.node import Node
from sycllint.cpp.statement import VIRTUAL, Function, FunctionParameter
from sycllint.memoized import memoized
from sycllint.symbols.unit import Unit
from sycllint.values.arithmetic import FLOATING_TYPES, INTEGER_TYPES
from sycllint.values.side_effects.addresses import by_reference
from sycllint.values.side_effects.library import (
    BY_VALUE,
    FACTORIES,
    KEEPERS,
    METHODS_BY_VALUE,
    OBTAINING,
    READERS,
    SETTERS,
    TRANSIENT,
    TRANSIENT_METHODS,
)
from sycllint.values.side_effects.lvalues import decayed, lasting, named
from sycllint.values.types import as_type

MAX_BODIES = 3
"""How deep functions are looked into that take a name by reference."""
SCALARS = frozenset({"void", *INTEGER_TYPES, *FLOATING_TYPES})
"""Types of which a copy is worth nothing but its number."""
_LIBRARIES = frozenset({"std", "sycl", "cl", "oneapi", "dpct"})
_CONTAINERS = "string basic_string string_view pair tuple map unordered_map vector array list set optional variant"
_EXCEPTIONS = "exception runtime_error logic_error invalid_argument out_of_range"
_STREAMS = "ofstream ifstream fstream stringstream ostringstream istringstream"
TEXTUAL = frozenset(f"{_CONTAINERS} {_EXCEPTIONS} {_STREAMS}".split())
"""Classes of ``std`` that are made from text and copy what stands beside it."""


class Callees:
    """Functions and classes of one file, and what is known of the others."""

    def __init__(self, facts: Unit, changes: Callable[[Node], frozenset[str]]) -> None:
        """``changes`` says which names a piece of code may change."""
        self._facts = facts
        self._changes = changes
        self._entered: list[Function] = []
        """Functions whose bodies are being looked into, each inside the one before."""

    def is_transient(self, call: Call, index: int) -> bool:
        """Whether a pointer given to the callee at ``index`` is surely not kept when the call is over."""
        match call.function:
            case Member(name=name):
                methods = self._facts.functions.get(name)
                is_followed = bool(methods) and all(_takes_by_reference(each.node, index) for each in methods)
                return is_followed or name in TRANSIENT_METHODS
            case Name() as callee:
                candidates = self._facts.functions.get(callee.last)
                if candidates:
                    return all(_returns_scalar(each.node) for each in candidates)
                if callee.qualifier == "std":
                    return callee.last not in KEEPERS
                return callee.last in BY_VALUE or callee.last in TRANSIENT
            case _:
                return False

    def arguments(self, call: Call) -> set[str]:
        """Names that the callee takes by reference, or may."""
        plain = [
            (index, each) for index, each in enumerate(call.arguments) if isinstance(each, Name | Index | Member | Call)
        ]
        plain = [(index, each) for index, each in plain if not isinstance(each, Call) or named(each)]
        if not plain:
            return set()
        everything = {name for _, argument in plain for name in named(argument)}
        library = ""
        match call.function:
            case Name() as callee:
                last = callee.last
                first = callee.qualifier.removeprefix("::").partition("::")[0]
                known = first in _LIBRARIES
                library = first if known else ""
                if callee.text in ("std::swap", "swap", "std::tie", "std::exchange"):
                    return everything
                if known and last in KEEPERS:
                    return everything | lasting(everything)
                if known and last in SETTERS:
                    return everything
                if last in FACTORIES and callee.arguments and (made := as_type(callee.arguments[0])) is not None:
                    return self.constructed(made.name, call.arguments)
                if not known and last in self._facts.structs:
                    return self.constructed(callee, call.arguments)
            case Member(name=last):
                known = last in METHODS_BY_VALUE
            case Lambda(parameters=parameters):
                return {
                    name
                    for index, argument in plain
                    if index < len(parameters) and _writable(parameters[index].type)
                    for name in named(argument)
                }
            case _:
                return set()
        # ``sycl::range`` is none of the project's, unless it is the library.
        candidates = self._writing(last, library)
        if candidates is not None:
            return self._taken(candidates, plain)
        elements = set() if last in READERS else {f"*{name}" for name in everything}
        if known or last in BY_VALUE or last in self._facts.structs:
            return elements
        # A constructor or a function written elsewhere: by convention types start with a capital, macros are shouted.
        is_type = isinstance(call.function, Name) and last[:1].isupper() and not (last.isupper() and len(last) > 1)
        is_type = is_type and not last.lower().startswith(OBTAINING)
        return elements if is_type and not _names_an_option(call.arguments) else everything | elements

    @memoized
    def _writing(self, name: str, library: str) -> tuple[Function, ...] | None:
        """The functions of a name, in a library if one is named, that may write to an argument.

        ``None`` where there are none of the name at all.
        """
        found = [each.node for each in self._facts.functions.get(name) if not library or library in each.scope]
        return tuple([each for each in found if any(map(_may_be_written, each.parameters))]) if found else None

    def _taken(self, candidates: Sequence[Function], plain: Sequence[tuple[int, Expr]]) -> set[str]:
        """Names that one of ``candidates`` takes by reference or as a pointer to what it may change."""
        names: set[str] = set()
        for candidate in candidates:
            parameters = candidate.parameters
            for index, argument in plain:
                kind = parameters[min(index, len(parameters) - 1)].type
                if kind.constant:
                    continue
                if kind.reference:
                    names |= self._through_reference(candidate, min(index, len(parameters) - 1), argument)
                if kind.pointers or kind.extents:
                    names |= decayed(argument)
        return names

    def _through_reference(self, function: Function, index: int, argument: Expr) -> set[str]:
        """Names that a function may change that takes ``argument`` by reference to what is not constant."""
        target, parameter = named(argument), function.parameters[index]
        body = function.body
        if body is None or parameter.pack or function.initializers or len(self._entered) >= MAX_BODIES:
            return target
        if function in self._entered or (function.returns is not None and function.returns.reference):
            return target
        self._entered.append(function)
        changed = self._changes(body)
        self._entered.pop()
        text = parameter.name
        if not changed.isdisjoint((text, f".{text}", f"&{text}")) or text in self._facts.macro_words:
            return target | (lasting(target) if f"&{text}" in changed else set())
        return {f"*{name}" for name in target} if f"*{text}" in changed else set()

    def constructed(self, kind: Name, arguments: tuple[Expr, ...]) -> set[str]:
        """Names that an object made from ``arguments`` may change, now or later."""
        if kind.arguments and any(isinstance(each, Type) and _writable(each) for each in kind.arguments):
            # ``std::pair<int &, int>``
            names = {name for each in arguments for name in named(each)}
            return names | lasting(names)
        structs = self._facts.structs.get(kind.last)
        if not structs and kind.last not in KEEPERS and (kind.last in TEXTUAL or not _names_an_option(arguments)):
            return set()
        plain = [(index, each) for index, each in enumerate(arguments) if isinstance(each, Name | Index | Member)]
        names = self._taken(self._writing(kind.last, "") or (), plain)
        if not structs or any(_writable(held.type) for each in structs for held in each.node.variables):
            names |= {name for _, argument in plain for name in named(argument)}
        return names | lasting(names)


def _names_an_option(arguments: tuple[Expr, ...]) -> bool:
    """Whether a name as text stands beside what is given: ``option("size", size)`` sets it, now or later."""
    return any(isinstance(each, Text) for each in arguments)


def set_by_name(elements: tuple[Expr, ...]) -> set[str]:
    """The variables in a list of texts and variables: an option that is made from it may set them."""
    if not _names_an_option(elements):
        return set()
    return {name for each in elements if isinstance(each, Name | Member) for name in named(each)}


def _writable(kind: Type) -> bool:
    return kind.reference and not kind.constant


def _takes_by_reference(method: Function, index: int) -> bool:
    """Whether a method, which none overrides, does no more with a pointer that it is given than to dereference it."""
    return _returns_scalar(method) and not method.flags & VIRTUAL and by_reference(method, index) is not None


def _returns_scalar(function: Function) -> bool:
    returns = function.returns
    return (
        function.body is not None
        and returns is not None
        and not returns.pointers
        and not returns.reference
        and returns.name.text in SCALARS
    )


def _may_be_written(parameter: FunctionParameter) -> bool:
    """Whether what is given for a parameter, or what that points to, may be written through it."""
    kind = parameter.type
    return not kind.constant and (kind.reference or kind.pointers > 0 or bool(kind.extents))
