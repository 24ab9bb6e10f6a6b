"""The functions that run in one kernel, and the nodes of their bodies by kind, for the analyses that look at those.

Every analysis finds the calls, loops and subscripts it asks for with ``DeviceFunction.of``. The text of macros belongs
to the body that uses them; branches of the preprocessor that are surely not compiled do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from sycllint.cpp.expression import Assign, Binary, Call, Expr, Increment, Index, Lambda, Name, Unary
from sycllint.cpp.node import Node, children, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, FunctionParameter, Variable
from sycllint.device_code.bodies.instruction_index import NodeKind, Spot, Spots
from sycllint.device_code.bodies.scalar_types import ScalarTypes
from sycllint.domains.meaning import Role, meanings
from sycllint.ir import body as ir
from sycllint.ir.body import written
from sycllint.ir.callgraph import CallGraph, ReachedBody
from sycllint.memoized import memoized
from sycllint.record import unique
from sycllint.source.span import Location
from sycllint.values.answers import FrameAnswers
from sycllint.values.arithmetic import Real, Scalar
from sycllint.values.evaluate import Evaluator
from sycllint.values.memory import Memo
from sycllint.values.objects import Frame, Point
from sycllint.values.value import Known, Unknown, Value

MAX_BODIES = 40
"""Functions that are looked at for one kernel."""


@unique
class DeviceFunction:
    """One function that runs in a kernel: the kernel itself when ``call`` is ``None``."""

    function: Lambda | Function
    place: Place
    """The place of ``function``."""
    call: Spot[Call] | None
    caller: DeviceFunction | None
    lowered: ir.Body
    spots: Spots

    def of(self, kind: type[NodeKind]) -> list[Spot[NodeKind]]:
        """The nodes of one kind, in the order in which they are written."""
        return self.spots.of(kind)

    def operations(self, operators: frozenset[str]) -> list[Spot[Binary]]:
        """The operations on two values by one of ``operators``, in the same order."""
        return self.spots.operations(operators)

    def handed(self, parameter: FunctionParameter) -> Expr | None:
        """What the call hands to a parameter of the function; ``None`` where it leaves that to a default."""
        arguments = self.call.node.arguments if self.call is not None else ()
        pairs = zip(self.function.parameters, arguments, strict=False)
        return next((argument for own, argument in pairs if own is parameter), None)

    def frame(self, kernel: Frame | None) -> Frame | None:
        """How the function is reached, when the kernel is by ``kernel``."""
        if self.call is None or self.caller is None or isinstance(self.function, Lambda):
            return kernel
        call, place = self.call
        outer = self.caller.frame(kernel)
        templates = call.function.arguments if isinstance(call.function, Name) else None
        return Frame(self.function, call.arguments, templates or (), Point(place, call.start), call, outer)


class DeviceFunctions:
    """The functions of one file's kernels."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self.meanings = meanings.of(evaluator)
        self.elements = ScalarTypes(evaluator)
        self.facts = evaluator.facts
        self.project_functions = evaluator.facts.functions
        self.graph = CallGraph(evaluator)
        self._spots: dict[ir.Body, Spots] = {}
        self._numbers: FrameAnswers[Scalar | Real | Unknown] = FrameAnswers(evaluator)
        self._bodies: dict[ir.Body, tuple[DeviceFunction, ...]] = {}
        self._instances: dict[tuple[object, ...], tuple[DeviceFunction, ...]] = {}
        """Those of kernels that call what a function around them was handed, by their calls."""
        self._latest: tuple[Node, Place, Frame | None, tuple[DeviceFunction, ...]] | None = None
        """The kernel that was asked about last, as many analyses do one after the other."""

    def bodies(self, function: Lambda | Function, place: Place) -> tuple[DeviceFunction, ...]:
        """The kernel ``function`` at ``place``, and the functions of the project that it surely calls."""
        latest, frame = self._latest, self._evaluator.frame
        if latest is not None and latest[0] is function and latest[1] is place and latest[2] is frame:
            return latest[3]
        lowered = self.graph.body(function, place)
        found = self._bodies.get(lowered)
        if found is None:
            found = self._reached(lowered)
        self._latest = function, place, frame, found
        return found

    def instance(self, function: Lambda | Function, place: Place) -> Lambda | Function | DeviceFunction:
        """The kernel by itself, or with the lambdas that it is handed."""
        kernel = self.bodies(function, place)[0]
        return function if kernel.lowered in self._bodies else kernel

    def _reached(self, kernel: ir.Body) -> tuple[DeviceFunction, ...]:
        reached = tuple(self.graph.reached(kernel, MAX_BODIES))
        if not any(self.graph.has_instances(each.body) for each in reached):
            found = self._bodies[kernel] = tuple(self._followed(reached))
            return found
        key = (kernel, *[each.edge for each in reached])
        if key not in self._instances:
            self._instances[key] = tuple(self._followed(reached))
        return self._instances[key]

    @memoized
    def written(self, function: Function) -> tuple[Node, ...]:
        """All nodes of a function of the host, which need not be lowered for it."""
        return tuple(walk(function.body)) if function.body is not None else ()

    @memoized
    def set_in(self, function: Function) -> frozenset[str]:
        """The names that a function of the host assigns to and, with an ``&``, those whose addresses it takes."""
        return frozenset(map(_set_by, self.written(function)))

    def value(self, expression: Expr, place: Place, frame: Frame | None = None) -> Value:
        """``expression`` as a number where it stands, in a function that is reached by ``frame``."""
        return self._evaluator.size(self._number(expression, place, frame))

    def captured(
        self, name: Name, variable: Variable, body: DeviceFunction, place: Place, frame: Frame | None
    ) -> Value:
        """The number of a variable that is declared around ``body``: in all of that it is the same."""
        return self._evaluator.size(self._number(name, place, frame, (variable, body.function)))

    def _number(
        self, expression: Expr, place: Place, frame: Frame | None, key: tuple[object, ...] = ()
    ) -> Scalar | Real | Unknown:
        evaluator = self._evaluator
        outer, evaluator.frame = evaluator.frame, frame
        evaluator.work = 0
        found = self._numbers.of(key or (expression, place), self._evaluated, expression, place)
        evaluator.frame = outer
        return found

    def _evaluated(self, expression: Expr, place: Place) -> Scalar | Real | Unknown:
        # What an included file says stands in it, at offsets of its own.
        offset = max(getattr(expression, "start", 0), getattr(place.node, "start", 0))
        return self._evaluator.scalar(self._evaluator.evaluate(expression, Point(place, offset)))

    def constant(self, expression: Expr, place: Place) -> int | float | None:
        """The number that ``expression`` is, with a fraction or without, however its function is reached."""
        match self._number(expression, place, None):
            case Scalar(value=Known(value=number)):
                return number
            case Real(value=float() as real):
                return real
            case _:
                return None

    def location(self, spot: Spot[Node]) -> Location:
        """Where ``spot`` is written; for text of a macro, where the macro is used."""
        return self._evaluator.facts.location(*written(*spot))

    @memoized
    def varying(self, body: DeviceFunction) -> frozenset[str]:
        """The names of ``body`` that hold an id, or a number computed from one; not what is read with such an index."""
        names = {each.name for each in self._given_ids(body)}
        used = self._set_from(body.spots)
        while grown := {name for name, inside in used if not inside.isdisjoint(names)} - names:
            names |= grown
        return frozenset(names)

    @memoized
    def _set_from(self, spots: Spots) -> tuple[tuple[str, frozenset[str]], ...]:
        """The names that a function declares or assigns to, each with those in what it is set to."""
        set_to: list[tuple[str, tuple[Node, ...]]] = [(each.name, each.arguments) for each, _ in spots.of(Variable)]
        set_to += [(each.left.text, (each.right,)) for each, _ in spots.of(Assign) if isinstance(each.left, Name)]
        return tuple(
            (name, frozenset(chain.from_iterable(map(names_outside_subscripts, values)))) for name, values in set_to
        )

    def _given_ids(self, body: DeviceFunction) -> tuple[FunctionParameter, ...]:
        """The parameters that are handed ids, or what has any."""
        parameters = body.function.parameters
        if body.caller is None:
            return parameters[:1] if body.call is None else parameters
        if any(each.pack for each in parameters):
            return parameters
        handed = ((each, body.handed(each)) for each in parameters)
        return tuple([each for each, given in handed if given is not None and self.mentions(body.caller, given)])

    def mentions(self, body: DeviceFunction, expression: Node) -> bool:
        """Whether a varying name stands in ``expression`` outside subscripts."""
        return not self.varying(body).isdisjoint(names_outside_subscripts(expression))

    def items(self, body: DeviceFunction) -> frozenset[str]:
        """The names of the parameters of ``body`` that are items, by type; those of the kernel by position too."""
        scope = self.meanings.parameters(body.function.parameters, kernel=body.call is None)
        return frozenset(name for name, meaning in scope.items() if meaning is Role.ITEM)

    def _followed(self, reached: Iterable[ReachedBody]) -> Iterator[DeviceFunction]:
        made: dict[ReachedBody, DeviceFunction] = {}
        for each in reached:
            lowered, edge = each.body, each.edge
            spots = self._spots.get(lowered)
            if spots is None:
                spots = self._spots[lowered] = Spots(() if lowered.function.damaged else lowered.whole())
            call = None if edge is None else Spot(edge.body.call(edge.position), edge.body.around_of(edge.position))
            caller = None if each.caller is None else made[each.caller]
            made[each] = DeviceFunction(lowered.function, lowered.place, call, caller, lowered, spots)
            yield made[each]


readings = Memo(DeviceFunctions)
"""Those of an evaluator."""


def _set_by(node: Node) -> str:
    """The name of the variable that a node assigns to, or with an ``&`` before it, of which it takes the address."""
    match node:
        case Assign(left=Name(text=text)) | Increment(operand=Name(text=text)):
            return text
        case Unary(operator="&", operand=Name(text=text)):
            return f"&{text}"
        case _:
            return ""


def names_outside_subscripts(expression: Node) -> list[str]:
    """The names in an expression; of ``a[i]`` only ``a``."""
    found: list[str] = []
    stack: list[Node] = [expression]
    while stack:
        node = stack.pop()
        if isinstance(node, Name):
            found.append(node.text)
        elif isinstance(node, Index):
            stack.append(node.object)
        elif not isinstance(node, Lambda):
            stack.extend(children(node))
    return found


def is_accessor(evaluator: Evaluator, name: str, place: Place, start: int) -> bool:
    """Whether a name of the function that begins at ``start`` is an accessor's, and no object's with some in it."""
    declared = evaluator.declarations.type_of(Name(name, None, None, start, start), Point(place, start))
    return declared is not None and evaluator.types.kind(declared.name, place).sycl in ("accessor", "local_accessor")
