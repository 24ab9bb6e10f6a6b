"""Lambdas that only kernels run, however they get there: kept in variables, handed to functions, called by kernels."""

from __future__ import annotations

from collections.abc import Iterator

from sycllint.cpp.expression import Call, Capture, Lambda, Name
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place, inside
from sycllint.cpp.statement import STATIC, VIRTUAL, Block, FunctionParameter, Variable
from sycllint.facts.submissions import Submission, submission
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point
from sycllint.values.packs import forwarded, is_pack

_MAX_HANDED = 4
"""How many functions hand a lambda on to one another, or lambdas call one another."""
_ITEMS = frozenset({"nd_item", "item", "id", "group", "kernel_handler"})


def is_surely_sycl(evaluator: Evaluator, launch: Submission, kernel: Lambda) -> bool:
    """Whether the kernel's parameter, or the receiver's declared type, is SYCL's."""
    if kernel.parameters and evaluator.types.kind(kernel.parameters[0].type.name, launch.place).sycl in _ITEMS:
        return True
    receiver = launch.receiver
    if not isinstance(receiver, Name):
        return False
    declared = evaluator.declarations.type_of(receiver, Point(launch.place, launch.start))
    return declared is not None and evaluator.types.kind(declared.name, launch.place).sycl in ("queue", "handler")


def is_launched(evaluator: Evaluator, place: Place, steps: int = _MAX_HANDED) -> bool:
    """Whether all that is done with the lambda at ``place`` is to launch it, or to call it in kernels.

    A function that also runs on the host what it is handed, as one does that chooses the device, makes it no kernel.
    """
    outer, kernel = place.outer, place.node
    assert isinstance(kernel, Lambda)
    if outer is None:
        return False
    if isinstance(kept := outer.node, Variable):
        block = outer.around(Block)
        if block is None or kept.arguments != (kernel,) or kept.flags & STATIC:
            return False
        return _are_launched(evaluator, kept, block, kernel, steps)
    return _is_handed(evaluator, place, kernel, steps)


def _are_launched(
    evaluator: Evaluator, declared: Variable | FunctionParameter, root: Place, kernel: Lambda, steps: int
) -> bool:
    """Whether all uses of a variable or a parameter that holds ``kernel`` are such; ``root`` is its scope."""
    name, uses = declared.name, list(_uses(declared.name, root))
    for use in uses:
        assert isinstance(use.node, Name)
        meant = evaluator.declarations.nearest(name, Point(use, use.node.start))
        if steps <= 0 or meant is None or not (meant[0] is declared or isinstance(meant[0], Capture)):
            return False
        outer = use.outer
        is_forwarded = outer is not None and isinstance(outer.node, Call) and forwarded(outer.node) is use.node
        handed = outer if outer is not None and is_forwarded else use
        if not (
            _is_handed(evaluator, handed, kernel, steps)
            or any(
                isinstance(each.node, Lambda) and is_launched(evaluator, each, steps - 1)
                for each in use.within(root.node)
            )
        ):
            return False
    return bool(uses)


def _uses(name: str, root: Place) -> Iterator[Place]:
    """The places in which a name is written."""
    named = {each.start: each for each in walk(root.node) if isinstance(each, Name) and each.text == name}
    return (each for each in inside(root, named) if named.get(getattr(each.node, "start", -1)) is each.node)


def _is_handed(evaluator: Evaluator, place: Place, kernel: Lambda, steps: int) -> bool:
    """Whether what stands at ``place`` is the kernel of a launch, or is handed to a function that makes it one."""
    outer = place.outer
    call = outer.node if outer is not None else None
    if outer is None or not isinstance(call, Call):
        return False
    position = next((index for index, each in enumerate(call.arguments) if each is place.node), None)
    if position is None:
        return False
    launch = submission(outer, damaged=False)
    if launch is not None:
        is_kernel = position == len(call.arguments) - 1 and is_surely_sycl(evaluator, launch, kernel)
        return is_kernel and not evaluator.reach.never_runs(outer)
    targets = evaluator.overloads.of(call, outer)
    if len(targets.found) != 1 or not targets.sure or any(map(is_pack, call.arguments[: position + 1])):
        return False
    (target,) = targets.found
    function = target.node
    if function.body is None or function.damaged or function.flags & VIRTUAL or position >= len(function.parameters):
        return False
    parameter, body = function.parameters[position], Place(function.body, target.place)
    return not parameter.pack and _are_launched(evaluator, parameter, body, kernel, steps - 1)
