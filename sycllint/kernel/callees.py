"""The one function of the project that a call in device code surely runs: free, member, call operator or lambda."""

from sycllint.cpp.expression import Brace, Call, Expr, Member, Name
from sycllint.cpp.place import Place
from sycllint.cpp.statement import VIRTUAL
from sycllint.kernel.spots import Spot
from sycllint.kernel.targets import Calls, Targets
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Closure, Point

_CALLED = "operator()"


class Callees:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluator, calls: Calls) -> None:
        self._evaluator = evaluator
        self._functions = evaluator.facts.functions
        self._calls = calls

    def of(self, spot: Spot[Call]) -> Place | None:
        """The place of what ``spot`` runs; ``None`` when that is not in sight or not certain."""
        call, place = spot
        function = call.function
        match function:
            case Member(object=Name(text="this"), name=name) if name in self._functions:
                return _surely(self._named(Name(name, None, None, call.start, call.start), call, place))
            case Member(object=inner, name=name) if name in self._functions:
                return _surely(self._method(inner, name, call, place))
            case Name() if function.last in self._functions:
                return _surely(self._named(function, call, place))
            case Name():
                return self._held(function, call, place)
            case Call() | Brace() if _CALLED in self._functions:
                return _surely(self._method(function, _CALLED, call, place))
            case _:
                return None

    def _named(self, function: Name, call: Call, place: Place) -> Targets:
        return self._calls.of_name(function, (None,) * len(call.arguments), place)

    def _method(self, inner: Expr, name: str, call: Call, place: Place) -> Targets:
        """The member function ``name`` of the class of ``inner``; of an object of a base class it may be another."""
        evaluator, point = self._evaluator, Point(place, call.start)
        if isinstance(inner, Brace):
            kind, there = inner.type, point
        else:
            typed = evaluator.static_types.of(inner, point)
            if typed is None or typed.type.extents or typed.type.pointers > 1:
                return Targets()
            kind, there = typed.type.name, typed.point
        struct = evaluator.kind(kind, there).struct if isinstance(kind, Name) else None
        if struct is None:
            return Targets()
        found = self._calls.of_method(name, struct, (None,) * len(call.arguments))
        return Targets() if any(each.node.flags & VIRTUAL for each in found.found) else found

    def _held(self, name: Name, call: Call, place: Place) -> Place | None:
        """What a variable holds that is called: a lambda, or an object with a call operator."""
        evaluator, point = self._evaluator, Point(place, call.start)
        if name.qualifier or evaluator.lookup.declaration(name, point) is None:
            return None
        result = evaluator.lookup.name(name, point)
        if isinstance(result, Closure):
            return result.place
        return _surely(self._method(name, _CALLED, call, place)) if _CALLED in self._functions else None


def _surely(targets: Targets) -> Place | None:
    if len(targets.found) != 1 or not targets.sure:
        return None
    (declared,) = targets.found
    return None if declared.node.damaged else declared.place
