"""The one function of the project that a call in device code surely runs: free, member, call operator or lambda."""

from sycllint.cpp.expression import Call, Name
from sycllint.cpp.place import Place
from sycllint.cpp.statement import VIRTUAL
from sycllint.device_code.bodies.instruction_index import Spot
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Closure, Point


class DeviceCallees:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator

    def of(self, spot: Spot[Call]) -> Place | None:
        """The place of what ``spot`` runs; ``None`` when that is not in sight or not certain.

        A method may be another one, of a derived class, where it is virtual; constructors are not followed.
        """
        call, place = spot
        kept = self._kept(call.function, call, place) if isinstance(call.function, Name) else None
        if kept is not None:
            return kept
        targets = self._evaluator.overloads.of(call, place)
        if len(targets.found) != 1 or not targets.sure:
            return None
        (declared,) = targets.found
        node = declared.node
        is_open = bool(node.flags & VIRTUAL) or node.damaged or self._evaluator.symbols.is_constructor(declared)
        return None if is_open else declared.place

    def _kept(self, name: Name, call: Call, place: Place) -> Place | None:
        """The lambda that a variable holds."""
        evaluator, point = self._evaluator, Point(place, call.start)
        if name.qualifier or name.scope is not None or evaluator.declarations.type_of(name, point) is None:
            return None
        result = evaluator.lookup.name(name, point)
        return result.place if isinstance(result, Closure) else None
