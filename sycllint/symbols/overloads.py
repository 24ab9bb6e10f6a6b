"""The functions that a call may mean: by lookup, the number of arguments, and their kinds. ``requires`` is ignored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from sycllint.cpp.expression import Brace, Call, Expr, Member, Name, Type
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Friend, Function
from sycllint.facts.file import Declared
from sycllint.record import NamedTuple
from sycllint.symbols.arity import accepts
from sycllint.symbols.candidates import FEW, Candidates, Functions, Kinds
from sycllint.symbols.conversions import ArgumentKind, Conversions, TypeClass
from sycllint.symbols.scope import Scope, ScopeKind
from sycllint.symbols.symbols import Meant, Symbols


class Typing(Protocol):
    """Static types, which take what is known of values: of ``auto``, of template arguments."""

    def of_argument(self, expression: Expr, place: Place, offset: int) -> ArgumentKind | None:
        """The kind of an expression in the code at ``place``, before ``offset``."""

    def of_parameter(self, written: Type, place: Place) -> ArgumentKind | None:
        """The kind of a type that a declaration at ``place`` writes."""

    def of_object(self, expression: Expr, place: Place, offset: int) -> ArgumentKind | None:
        """The kind of an object whose member is named; of a pointer or a smart pointer, that of what it leads to."""

    def is_variable(self, name: Name, place: Place, offset: int) -> bool:
        """Whether a function around ``place`` declares a variable of this name, which hides functions."""


class CallTargets(NamedTuple):
    """The functions with a body that a call may mean."""

    found: Functions = ()
    sure: bool = True
    """One of them is called; otherwise it may as well be a function that is not visible."""


OUT_OF_SIGHT = CallTargets(sure=False)


_NONE = Candidates(())


class Overloads:
    """Answers for one unit."""

    def __init__(self, symbols: Symbols, typing: Typing) -> None:
        self._symbols = symbols
        self._scopes = symbols.scopes
        self._typing = typing
        self._conversions = Conversions(symbols.scopes, typing.of_parameter)
        self._named: dict[int, tuple[Meant[Any], Candidates]] = {}
        """By the identity of what lookup found."""
        self._of_classes: dict[tuple[str, Scope | None], Candidates] = {}

    def of(self, call: Call, place: Place, arguments: Kinds | None = None) -> CallTargets:
        """What ``call``, which stands in the code at ``place``, may run.

        ``arguments`` are the kinds of its arguments where they are more than is written, as of a pack.
        """
        match call.function:
            case Name(last=last) if not (self.is_defined(last) or self.is_defined("operator()")):
                return OUT_OF_SIGHT
            case Name() as name if self._is_hidden(name, place, call.start):
                return self._on(name, "operator()", call, place, arguments)
            case Name() as name:
                found = self._free(name, place)
                found = found if found.functions else self._makers(name, place)
                return self._among(found, name.last, call, place, arguments)
            case Member(object=Name(text="this"), name=name):
                found = self._methods(name, self._symbols.class_around(place))
                return self._among(found, name, call, place, arguments)
            case Member(object=inner, name=name):
                return self._on(inner, name, call, place, arguments)
            case Call() | Brace() as made:
                return self._on(made, "operator()", call, place, arguments)
            case _:
                return OUT_OF_SIGHT

    def of_name(self, function: Name, arguments: Kinds, place: Place | None) -> CallTargets:
        """The free functions, and methods of the classes around ``place``, that ``function(…)`` may run."""
        return self._chosen(self._free(function, place), function.last, arguments)

    def of_call(self, function: Name, call: Call, place: Place, known: Kinds = ()) -> CallTargets:
        """The same for the arguments of ``call``, whose kinds are looked for, but for those that are ``known``."""
        return self._looked_for(self._free(function, place), function.last, call, place, known)

    def taking(self, functions: Iterable[Declared[Function]], arguments: Kinds) -> list[Declared[Function]]:
        """Those of several functions that may be called with arguments of these kinds."""
        fitting = (each for each in functions if accepts(each.node, len(arguments)))
        return [each for each in fitting if self._takes(each, arguments, deduces=False)]

    def kinds(
        self, arguments: Sequence[Expr | None], place: Place, offset: int, known: Kinds = ()
    ) -> tuple[ArgumentKind | None, ...]:
        """The kinds of arguments in the code at ``place``; those that are ``known`` are not looked for."""
        given = (*known, *[None] * (len(arguments) - len(known)))
        of_argument = self._typing.of_argument
        pairs = zip(arguments, given, strict=False)
        return tuple([kind or (None if each is None else of_argument(each, place, offset)) for each, kind in pairs])

    def is_defined(self, name: str) -> bool:
        """Whether the unit declares a function of this unqualified name."""
        return bool(self._scopes.named(self._scopes.functions, name))

    def of_method(self, name: str, scope: Scope | None, arguments: Kinds) -> CallTargets:
        """What ``object.name(…)`` may run, of one class when that is known; else that of the one class that has it."""
        found = self._chosen(self._methods(name, scope), name, arguments)
        return found if scope is not None else CallTargets(found.found, sure=len(found.found) == 1)

    # ------------------------------------------------------------ candidates

    def _is_hidden(self, name: Name, place: Place, offset: int) -> bool:
        is_plain = name.scope is None and "::" not in name.text
        return is_plain and self._typing.is_variable(name, place, offset)

    def _free(self, function: Name, place: Place | None) -> Candidates:
        """What lookup finds for a name, constructors and functions that only a friend declaration declares left out."""
        meant = self._symbols.functions(function, place)
        if not meant.declared:
            return _NONE
        known = self._named.get(id(meant))
        if known is None:
            is_maker = self._symbols.is_constructor
            kept = tuple(each for each in meant.declared if not is_maker(each) and not _is_friend(each))
            known = self._named[id(meant)] = (meant, Candidates(kept, sure=meant.sure))
        return known[1]

    def _makers(self, name: Name, place: Place) -> Candidates:
        """The constructors of the class that ``name`` is."""
        classes = self._symbols.classes(name, place).declared
        scope = self._symbols.scope_of(classes[0]) if classes else None
        return self._methods(scope.name, scope) if scope is not None else _NONE

    def _methods(self, name: str, scope: Scope | None) -> Candidates:
        """The methods of a name: those of a class, or, of no certain class, all."""
        key = (name, scope)
        found = self._of_classes.get(key)
        if found is None:
            pool = self._scopes.functions
            if scope is not None:
                functions = tuple(self._scopes.inside(pool, name, scope))
            else:
                named = self._scopes.named(pool, name)
                functions = tuple(each for each, home in named if home.kind is ScopeKind.CLASS)
            found = self._of_classes[key] = Candidates(functions, sure=scope is not None)
        return found

    def _on(self, inner: Expr, name: str, call: Call, place: Place, arguments: Kinds | None) -> CallTargets:
        """What a call of the method ``name`` of an object may run."""
        if not self.is_defined(name):
            return OUT_OF_SIGHT
        kind = self._typing.of_object(inner, place, call.start)
        if kind is not None and kind.shape is not TypeClass.CLASS:
            return OUT_OF_SIGHT
        scope = kind.scope if kind is not None else None
        if scope is None and name == "operator()":
            return OUT_OF_SIGHT
        found = self._methods(name, scope)
        if not found.functions and scope is not None and self._leads_on(scope):
            found = self._methods(name, None)
        return self._among(found, name, call, place, arguments)

    def _leads_on(self, scope: Scope) -> bool:
        """Whether ``->`` on an object of a class, or what it inherits, may lead to another class."""
        arrows = self._scopes.inside(self._scopes.functions, "operator->", scope)
        return bool(arrows) or self._scopes.has_unseen_base(scope)

    def _associated(self, last: str, found: Candidates, arguments: Kinds) -> Functions:
        """Functions other than ``found``, by argument-dependent lookup in the namespaces of the arguments' classes."""
        if not self._may_have_others(last, found):
            return ()
        named = self._scopes.named(self._scopes.functions, last)
        spaces = {each.scope.namespace for each in arguments if each is not None and each.scope is not None}
        known = {each.node for each in found.functions}
        beside = (each for each, home in named if not spaces.isdisjoint(home.shown_in()))
        return tuple(each for each in beside if each.node not in known)

    def _may_have_others(self, last: str, found: Candidates) -> bool:
        if len(self._scopes.named(self._scopes.functions, last)) <= len(found.functions):
            return False
        return all(self._symbols.class_of(each) is None for each in found.functions[:1])

    # ---------------------------------------------------------------- choice

    def _among(self, found: Candidates, last: str, call: Call, place: Place, arguments: Kinds | None) -> CallTargets:
        """Those that take the arguments of a call, whose kinds are looked for where there is something to choose."""
        if not self.is_defined(last):
            return OUT_OF_SIGHT
        deduces = isinstance(call.function, Name | Member) and not call.function.arguments
        if arguments is None:
            return self._looked_for(found, last, call, place, deduces=deduces)
        return self._chosen(found, last, arguments, deduces=deduces)

    def _looked_for(
        self, found: Candidates, last: str, call: Call, place: Place, known: Kinds = (), *, deduces: bool = False
    ) -> CallTargets:
        """Those that take the arguments of a call, of which the kinds are looked for that the choice may rest on."""
        asked: Sequence[Expr | None] = call.arguments
        near = found.of_count(len(asked))
        if len(near) <= FEW and not self._may_have_others(last, found):
            wanted = {at for each in near for at, kind in enumerate(self._conversions.wanted(each)) if kind is not None}
            asked = [each if at in wanted else None for at, each in enumerate(asked)]
        return self._chosen(found, last, self.kinds(asked, place, call.start, known), deduces=deduces)

    def _chosen(self, found: Candidates, last: str, arguments: Kinds, *, deduces: bool = False) -> CallTargets:
        near = found.near(arguments, self._conversions)
        fitting = [each for each in near if self._takes(each, arguments, deduces=deduces)]
        beside = (each for each in self._associated(last, found, arguments) if accepts(each.node, len(arguments)))
        fitting += [each for each in beside if self._takes(each, arguments, deduces=deduces)]
        bodies = tuple(each for each in fitting if each.node.body is not None)
        if not bodies:
            return OUT_OF_SIGHT
        sure = found.sure
        if sure and len(bodies) < len(fitting):
            homes = {self._scopes.home(each) for each in bodies}
            sure = all(self._scopes.home(each) in homes for each in fitting)
        return CallTargets(bodies, sure=sure)

    def _takes(self, declared: Declared[Function], arguments: Kinds, *, deduces: bool) -> bool:
        """Whether no argument is of a kind that its parameter surely does not take."""
        if not any(arguments):
            return True
        pairs = zip(arguments, self._conversions.wanted(declared), strict=False)
        allows = self._conversions.allows
        return all(allows(argument, wanted, deduces=deduces) for argument, wanted in pairs)


def _is_friend(declared: Declared[Function]) -> bool:
    return declared.place.outer is not None and type(declared.place.outer.node) is Friend
