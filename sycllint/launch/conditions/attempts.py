"""Whether a launch is an attempt: its failure is caught, and something else is done in its place."""

from collections.abc import Iterable

from sycllint.cpp.expression import Call, Lambda, Member, Name
from sycllint.cpp.names import LAUNCHING
from sycllint.cpp.node import Node, children, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Block, Function, Loop, RangeLoop, Return, Struct, Try
from sycllint.launch.conditions.whereabouts import Callers
from sycllint.values.evaluate import Evaluator

MAX_STEPS = 2
"""How many functions lie between a ``try`` or a handler and a launch."""


class Attempts:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluator, callers: Callers) -> None:
        self._evaluator = evaluator
        self._callers = callers

    def is_attempt(self, place: Place, *, varies: bool) -> bool:
        """Whether a failure of the launch at ``place`` is answered; ``varies`` when its size is not one number.

        The calls by which its function is reached, or all visible calls of it, count as the launch does.
        """
        frame = self._evaluator.frame
        while frame is not None:
            if frame.call is not None and self._is_answered(Place(frame.call, frame.point.place), varies=varies):
                return True
            frame = frame.outer
        return self._is_tried(place, 0, varies=varies)

    def _is_tried(self, place: Place, steps: int, *, varies: bool) -> bool:
        if self._is_answered(place, varies=varies):
            return True
        function = place.innermost(Function)
        if function is None or steps >= MAX_STEPS or not self._evaluator.facts.spells(b"catch"):
            return False
        calls = self._callers(function)
        return bool(calls) and all(self._is_tried(each, steps + 1, varies=varies) for each in calls)

    def _is_answered(self, place: Place, *, varies: bool) -> bool:
        """Whether a handler of this function answers: by another launch or value, or by the next turn of a loop."""
        for current in place.within():
            if current.outer is None or isinstance(current.node, Function):
                return False
            node = current.outer.node
            if not isinstance(node, Try) or current.node is not node.body:
                continue
            if any(self._does_something_else(each, 0) for each in node.handlers):
                return True
            if any(map(_returns, node.handlers)) and not self._ends_program(current.outer):
                return True
            if varies and _is_in_loop(current.outer) and not self._all_leave(node.handlers, current.outer):
                return True
        return False

    def _ends_program(self, place: Place) -> bool:
        """Whether a failure reported to the caller ends the program: of ``main``, or of a call that it returns."""
        if _is_in_main(place):
            return True
        function = place.innermost(Function)
        calls = self._callers(function) if function is not None else ()
        return bool(calls) and all(
            each.outer is not None and isinstance(each.outer.node, Return) and _is_in_main(each) for each in calls
        )

    def _all_leave(self, handlers: Iterable[Block], place: Place) -> bool:
        return all(self._evaluator.endings.leaves(each, place) for each in handlers)

    def _does_something_else(self, handler: Block, steps: int) -> bool:
        """Whether a handler launches, or calls what does."""
        for node in walk(handler):
            if not isinstance(node, Call):
                continue
            if isinstance(node.function, Member) and node.function.name in LAUNCHING:
                return True
            if isinstance(node.function, Name | Member) and steps < MAX_STEPS:
                name = node.function.last if isinstance(node.function, Name) else node.function.name
                for declared in self._evaluator.facts.functions.get(name):
                    body = declared.node.body
                    if body is not None and self._does_something_else(body, steps + 1):
                        return True
        return False


def _returns(handler: Block) -> bool:
    """Whether a handler reports the failure to the caller in the return value of the function."""
    return any(isinstance(each, Return) and each.value is not None for each in _own(handler))


def _is_in_main(place: Place) -> bool:
    """Whether a place is in the function ``main``."""
    function = place.innermost(Function)
    return function is not None and function.name == "main"


def _own(node: Node) -> list[Node]:
    """The nodes inside ``node``, without those of lambdas and classes written in it."""
    found: list[Node] = []
    waiting = [node]
    while waiting:
        for child in children(waiting.pop()):
            if not isinstance(child, Lambda | Function | Struct):
                found.append(child)
                waiting.append(child)
    return found


def _is_in_loop(place: Place) -> bool:
    for node in place.chain():
        if isinstance(node, Function):
            return False
        if isinstance(node, Loop | RangeLoop):
            return True
    return False
