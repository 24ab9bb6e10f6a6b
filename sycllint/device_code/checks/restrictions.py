"""What device code may not do: exceptions, heap, recursion, mutable globals, virtual calls, functions of the host.

SYCL 2020, chapter "Language restrictions for device functions". Calls are followed where the call graph knows what they
mean. Code in a branch whose condition says it is not taken, and code that only some builds have, is left out; so is a
branch that may be discarded, the text of macros, and what is never run: the operands of ``sizeof``, ``noexcept`` and
``typeid``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Lambda
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import CONSTEXPR, Arm, Function, If, Struct, Try
from sycllint.device_code.checks.forbidden import Restriction, forbidding
from sycllint.ir.body import Body
from sycllint.ir.callgraph import Edge
from sycllint.record import record
from sycllint.source.span import Location
from sycllint.values.certainty import truth
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point

if TYPE_CHECKING:
    from sycllint.device_code.code import KernelCode

MAX_FUNCTIONS = 200
"""Functions that are looked at for one kernel."""

_DISCARDING = re.compile(rb"if\s*!?\s*const(?:expr|eval)\b")


@record
class Forbidden:
    """One thing that device code may not do."""

    restriction: Restriction
    what: str
    location: Location
    function: str | None
    """The function it stands in; ``None`` for the kernel itself."""


def restrictions(code: KernelCode) -> Iterator[Forbidden]:
    """What one kernel, and the functions it calls, may not do."""
    evaluator, graph = code.evaluator, code.graph
    kernel, search = graph.body(code.function, code.place), forbidding.of(code.evaluator)
    if not any(search.within(each.body, graph) for each in graph.reached(kernel, MAX_FUNCTIONS, _may_follow)):
        return
    # Which ways lead to the launch does not hang on these questions.
    free, evaluator.free = evaluator.free, {}
    found = []
    for reached in graph.reached(kernel, MAX_FUNCTIONS, lambda edge: _follows(evaluator, edge)):
        function = reached.body.function
        name = function.name if isinstance(function, Function) and reached.edge is not None else None
        for restriction, what, node, place in search.within(reached.body, graph):
            if _may_run(evaluator, reached.body, node, place):
                start, end = getattr(node, "start", 0), getattr(node, "end", 0)
                location = evaluator.facts.file_at(place).location(start, min(end, start + 80))
                found.append(Forbidden(restriction, what, location, name))
    evaluator.free = free
    yield from found


def _may_follow(edge: Edge) -> bool:
    """Whether a call runs a function on the device: a macro's is not followed, and a constant is for the compiler."""
    target = edge.target.function
    return isinstance(target, Function) and not target.flags & CONSTEXPR and not edge.body.is_in_macro(edge.position)


def _follows(evaluator: Evaluator, edge: Edge) -> bool:
    return _may_follow(edge) and _may_run(evaluator, edge.caller, *edge.body.origin(edge.position), is_call=True)


def _may_run(evaluator: Evaluator, body: Body, node: Node, place: Place, *, is_call: bool = False) -> bool:
    """Whether the code at ``place`` in ``body`` is compiled, and in no branch that is not taken or may be discarded."""
    inside: Node | None = None
    is_generic = not is_call and _is_generic(place)
    for current in place.within(body.function):
        around = current.node
        if isinstance(around, Arm) and current.outer is not None and not evaluator.macros.arm(around, current.outer):
            return False
        if isinstance(around, Try) and around is not node:
            return False
        is_branch = isinstance(around, If) and inside in (around.then, around.otherwise)
        if is_branch and (is_generic or not _may_take(evaluator, current, inside)):
            return False
        inside = around
    return True


def _may_take(evaluator: Evaluator, place: Place, arm: Node | None) -> bool:
    """Whether an arm of the ``if`` at ``place`` may be taken; of ``if constexpr`` it has to be known."""
    branch, taken = place.node, None
    assert isinstance(branch, If)
    if branch.condition is not None and place.outer is not None:
        taken = truth(evaluator, branch.condition, Point(place.outer, branch.start + 1))
    if taken is not None:
        return taken is (arm is branch.then)
    content = evaluator.facts.content_at(place)
    return content is None or _DISCARDING.match(content, branch.start) is None


def _is_generic(place: Place) -> bool:
    """Whether a template is around ``place``, or a lambda with ``auto`` parameters that may be one."""
    return any(isinstance(each, Function | Lambda | Struct) and each.template_parameters for each in place.chain())
