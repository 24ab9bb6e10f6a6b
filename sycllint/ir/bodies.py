"""The lowered bodies of a unit: each made when it is first asked for, and forgotten with the evaluator."""

from __future__ import annotations

from collections import defaultdict

from sycllint.cpp.expression import Call, Expr, Lambda, Name
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, Macro
from sycllint.ir import ops
from sycllint.ir.body import Body, Region, Storage
from sycllint.ir.builder import Builder, Step
from sycllint.ir.lower_expressions import EXPRESSIONS, construct
from sycllint.ir.lower_statements import STATEMENTS, ignore
from sycllint.ir.macros import MacroLookup
from sycllint.ir.ops import NONE
from sycllint.memoized import memoized
from sycllint.symbols.overloads import CallTargets
from sycllint.values.evaluate import Evaluator
from sycllint.values.memory import Memo
from sycllint.values.objects import Point

_STEPS: dict[type[Node], Step] = defaultdict(lambda: ignore, {**STATEMENTS, **EXPRESSIONS})


class Bodies:
    """The lowered bodies of one evaluator, each made on first use."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._macros = MacroLookup(evaluator)
        self._known: dict[tuple[Node, Node | None], Body] = {}

    def of(self, function: Lambda | Function, place: Place) -> Body:
        """The body of ``function``, which stands at ``place``; without instructions where no definition is visible."""
        key = function, _use(place)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = Body(function, place)
            self._lower(found)
        return found

    @memoized
    def called(self, call: Call, place: Place) -> CallTargets:
        """What a call in a body, where its instruction has this place, may run."""
        return self._evaluator.overloads.of(call, place)

    def _lower(self, outermost: Body) -> None:
        waiting = [outermost]
        for body in waiting:
            if body.function.body is not None:
                self._fill(body)
                for inner in body.lambdas:
                    # Asked for by itself, a lambda is the body that knows the variables around it.
                    self._known.setdefault((inner.function, _use(inner.place)), inner)
                waiting += body.lambdas

    def _fill(self, body: Body) -> None:
        function = body.function
        block = function.body
        assert block is not None
        around = Place(block, body.place)
        self._macros.begin(Point(around, block.start), Point(around, block.end))
        builder = Builder(body, self._evaluator, _STEPS, self._macros)
        body.regions.append(Region(around, 0, 0, NONE, function.damaged))
        for parameter in function.parameters:
            slot = builder.declare(parameter, Storage.PARAMETER)
            builder.emit(ops.PARAM, slot, NONE, NONE, parameter)
        builder.each(block.statements)
        if isinstance(function, Lambda):
            for capture in function.captures:
                if capture.value is not None:
                    builder.emit(ops.PARAM, builder.hold(capture), NONE, NONE, capture)
        else:
            for member, arguments in reversed(function.initializers):
                _initialize(builder, function, member, arguments)
        builder.run()
        body.regions[0].end = len(body.op)


def _initialize(builder: Builder, function: Function, member: str, arguments: tuple[Expr, ...]) -> None:
    """What a constructor gives a member, or a base class, before its body runs."""

    def written(builder: Builder, node: Function, _: int) -> None:
        this = builder.emit(ops.THIS, NONE, NONE, NONE, node)
        place = builder.emit(ops.FIELD, this, NONE, builder.number(member), node)
        builder.emit(ops.WRITE, place, builder.values.pop(), NONE, node)

    builder.then(written, function)
    construct(builder, function, arguments)


def _use(place: Place) -> Node | None:
    """The use of the macro that a function is written in: there its names may mean something else than elsewhere."""
    for current in place.within():
        if isinstance(current.node, Macro):
            outer = current.outer
            return outer.node if outer is not None and isinstance(outer.node, Call | Name) else None
    return None


bodies = Memo(Bodies)
"""The bodies of an evaluator."""
