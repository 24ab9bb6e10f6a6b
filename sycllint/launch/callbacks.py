"""Lambdas and functions that are handed to functions: the calls of them that these make, by their parameters' names."""

from collections.abc import Iterator

from sycllint.cpp.expression import Call, Expr, Lambda, Name, Unary
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place, inside
from sycllint.cpp.statement import Function, Variable
from sycllint.launch.call_sites import CallSites, is_call_of
from sycllint.memoized import memoized
from sycllint.record import NamedTuple
from sycllint.symbols.arity import accepts
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
    """What is handed to functions, for the call sites of one unit."""

    def __init__(self, sites: CallSites) -> None:
        self._sites = sites

    @memoized
    def of_function(self, owner: Function) -> tuple[Frame, ...]:
        """How a function is called by those that it, or a variable that holds it, is handed to, where that is known."""
        found: list[Frame] = []
        for name, place in self._sites.mentions(owner):
            is_address = isinstance(place.node, Unary) and place.node.operator == "&" and place.outer is not None
            node, outer = (place.node, place.outer) if is_address else (name, place)
            for use in self._handed(node, outer) if outer is not None else ():
                found += self._through(owner, use, None, 0) or ()
        return tuple(found)

    def of_lambda(self, place: Place) -> list[Frame]:
        """How the lambda at a place is called by the functions that it, or the variable it is kept in, is handed to.

        Empty where one of them does anything else with it: then who calls it is not known.
        """
        owner = place.node
        if not isinstance(owner, Lambda) or place.outer is None:
            return []
        found: list[Frame] = []
        for use in self._handed(owner, place.outer):
            through = self._through(owner, use, None, 0)
            if through is None:
                return []
            found += through
        return found

    def _handed(self, made: Node, outer: Place) -> Iterator[_Use]:
        """The calls that a lambda, or the name of a function, is handed to where it is written.

        Those of a variable that holds a function, too; of one that holds a lambda they are known.
        """
        if isinstance(outer.node, Call):
            indices = [index for index, each in enumerate(outer.node.arguments) if each is made]
            yield from (_Use(outer, index) for index in indices)
        elif isinstance(outer.node, Variable):
            around = outer.around(Function)
            uses = self._uses(around, outer.node.name) if around is not None else None
            yield from (each for each in uses or () if each.position is not None or not isinstance(made, Lambda))

    def _through(self, owner: Function | Lambda, use: _Use, outer: Frame | None, depth: int) -> list[Frame] | None:
        """The calls of ``owner`` by the function that it is handed to; ``None`` where not all are visible."""
        call, index = use.site.node, use.position
        match call:
            case Call(function=Name(text="std::invoke"), arguments=(called, *rest)) if index == 0:
                call, index = Call(called, tuple(rest), call.start, call.end), None
        if index is None and isinstance(call, Call):
            return [self._sites.binding(owner, use.site, call, outer)] if _takes(owner, call) else []
        targets = self._sites.callees(use.site)
        if not isinstance(call, Call) or index is None or len(targets) != 1 or depth >= MAX_HANDED:
            return None
        declared = targets[0]
        function = declared.node
        before = call.arguments[:index]
        if index >= len(function.parameters) or function.parameters[index].pack or any(map(is_pack, before)):
            return None
        uses = self._uses(declared.place, function.parameters[index].name)
        if uses is None:
            return None
        bound = self._sites.binding(function, use.site, call, outer)
        if self._sites.goes_on_through_list(bound):
            # All elements of the list are looked at already.
            return []
        found: list[Frame] = []
        for each in uses:
            through = self._through(owner, each, bound, depth + 1)
            if through is None:
                return None
            found += through
        return found

    def _uses(self, around: Place, name: str) -> list[_Use] | None:
        """The calls in a function that call ``name`` or hand it on; ``None`` where something else is done with it."""
        function = around.node
        if not isinstance(function, Function) or function.body is None or not name:
            return None
        calls: list[tuple[Call, list[int | None]]] = []
        named = 0
        for node in walk(function.body):
            named += isinstance(node, Name) and node.text == name
            if not isinstance(node, Call) or forwarded(node) is not None:
                continue
            positions: list[int | None] = [None] if is_call_of(node, name) else []
            positions += [index for index, each in enumerate(node.arguments) if _is_handed(each, name)]
            if positions:
                calls.append((node, positions))
        places = {each.node: each for each in inside(around, [call.start for call, _ in calls])} if calls else {}
        found = [_Use(places[call], each) for call, positions in calls if call in places for each in positions]
        return found if named == len(found) else None


def _takes(owner: Function | Lambda, call: Call) -> bool:
    """Whether a call may be one of a function or a lambda, by the number of arguments."""
    count = len(call.arguments)
    if any(map(is_pack, call.arguments)):
        return True
    return accepts(owner, count) if isinstance(owner, Function) else len(owner.parameters) == count


def _is_handed(argument: Expr, name: str) -> bool:
    """``f``, ``std::move(f)``, ``std::forward<F>(f)``."""
    plain = argument if isinstance(argument, Name) else forwarded(argument)
    return isinstance(plain, Name) and plain.text == name
