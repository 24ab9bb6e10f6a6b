"""Lambdas that are handed to functions: the calls of them that these functions make, by their parameters' names."""

from collections.abc import Iterator

from sycllint.cpp.expression import Call, Expr, Lambda, Name
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, Variable
from sycllint.launch.call_sites import CallSites, called_as
from sycllint.record import NamedTuple
from sycllint.values.objects import Frame
from sycllint.values.packs import forwarded, is_pack

MAX_HANDED = 4
"""How many functions hand a lambda on to one another."""


class _Use(NamedTuple):
    """A call of what is handed over, or one that it is handed on to."""

    site: Place
    position: int | None
    """Which argument it is; ``None`` where it is what is called."""


class Callbacks:
    """Lambdas handed to functions, for the call sites of one unit."""

    def __init__(self, sites: CallSites) -> None:
        self._sites = sites

    def bindings(self, owner: Lambda) -> list[Frame]:
        """How ``owner`` is called by the functions that it is handed to, itself or by the variable it is kept in.

        Empty where one of them does anything else with it: then who calls it is not known.
        """
        place = self._sites.place_of(owner)
        if place is None or place.outer is None:
            return []
        found: list[Frame] = []
        for use in self._handed(owner, place.outer):
            through = self._through(owner, use, None, 0)
            if through is None:
                return []
            found += through
        return found

    def _handed(self, owner: Lambda, outer: Place) -> Iterator[_Use]:
        """The calls that a lambda is handed to where it is written."""
        if isinstance(outer.node, Call):
            indices = [index for index, each in enumerate(outer.node.arguments) if each is owner]
            yield from (_Use(outer, index) for index in indices)
        elif isinstance(outer.node, Variable):
            around = outer.innermost(Function)
            uses = self._uses(around, outer.node.name) if around is not None else None
            yield from (each for each in uses or () if each.position is not None)

    def _through(self, owner: Lambda, use: _Use, outer: Frame | None, depth: int) -> list[Frame] | None:
        """The calls of ``owner`` by the function that it is handed to; ``None`` where not all are visible."""
        call, index = use.site.node, use.position
        targets = self._sites.callees(use.site)
        if not isinstance(call, Call) or index is None or len(targets) != 1 or depth >= MAX_HANDED:
            return None
        function = targets[0]
        before = call.arguments[:index]
        if index >= len(function.parameters) or function.parameters[index].pack or any(map(is_pack, before)):
            return None
        uses = self._uses(function, function.parameters[index].name)
        if uses is None:
            return None
        inside = self._sites.binding(function, use.site, call, outer)
        if self._sites.goes_on_through_list(inside):
            # All elements of the list are looked at already.
            return []
        found: list[Frame] = []
        for each in uses:
            if each.position is None:
                made = each.site.node
                if isinstance(made, Call) and len(made.arguments) == len(owner.parameters):
                    found.append(self._sites.binding(owner, each.site, made, inside))
                continue
            through = self._through(owner, each, inside, depth + 1)
            if through is None:
                return None
            found += through
        return found

    def _uses(self, function: Function, name: str) -> list[_Use] | None:
        """The calls in a function that call ``name`` or hand it on; ``None`` where something else is done with it."""
        if function.body is None or not name:
            return None
        found: list[_Use] = []
        named = 0
        for node in walk(function.body):
            named += isinstance(node, Name) and node.text == name
            if not isinstance(node, Call) or forwarded(node) is not None:
                continue
            indices = [index for index, each in enumerate(node.arguments) if _is_handed(each, name)]
            is_called = called_as(node, name)
            if is_called or indices:
                site = self._sites.place_in(function, node)
                if site is None:
                    return None
                found += [_Use(site, None)] * is_called + [_Use(site, index) for index in indices]
        return found if named == len(found) else None


def _is_handed(argument: Expr, name: str) -> bool:
    """``f``, ``std::move(f)``, ``std::forward<F>(f)``."""
    plain = argument if isinstance(argument, Name) else forwarded(argument)
    return isinstance(plain, Name) and plain.text == name
