"""Whether a launch, or its size, hangs on a question to the device."""

import re

from sycllint.cpp.expression import Assign, Binary, Call, Conditional, Expr, Member, Name
from sycllint.cpp.names import LAUNCHING
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Block, Evaluate, Function, If, Loop, Switch, Try
from sycllint.launch.trail import conditions, owner, returned, target, written
from sycllint.values.arithmetic import Scalar
from sycllint.values.evaluate import Evaluator
from sycllint.values.leaving import leaves
from sycllint.values.objects import Point
from sycllint.values.value import Symbolic

_QUERIES = frozenset(
    {
        "device_has",
        "ext_oneapi_architecture_is",
        "get_backend",
        "get_info",
        "has",
        "has_extension",
        "if_architecture_is",
        "is_accelerator",
        "is_cpu",
        "is_gpu",
        "is_host",
    }
)
"""Questions to a device (SYCL 2020, chapter "Device class", and SYCL 1.2.1)."""
_NO_GPU = re.compile(r"(?:cpu|host|fpga\w*|accelerator)_selector")
"""Selectors of other devices (SYCL 2020, "Device selector", and Intel's FPGA extension)."""
MAX_STEPS = 4
"""How many variables and functions lie between a condition and the question."""


class Guards:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._functions: dict[int, bool] = {}
        files = evaluator.facts.files
        self._is_asked = any(name in facts.calls for facts in files for name in _QUERIES) or any(
            query in macro.node.text
            for facts in files
            for declared in facts.macros.values()
            for macro in declared
            for query in _QUERIES
        )
        """Whether anything in the unit asks a device at all."""
        self._is_selected = any(b"_selector" in facts.content for facts in files)
        """Whether anything in it chooses a device."""

    def device_checked(self, place: Place, offset: int, sizes: tuple[Expr, ...] = ()) -> bool:
        """Whether a condition that asks the device decides about the launch at ``place``, or about its ``sizes``.

        The condition is that of a branch the launch stands in, or of one before it that leaves the function. The calls
        by which the function is reached count as the launch does. So does a handler of exceptions that launches
        something else, and a queue that is made for no GPU.
        """
        evaluator = self._evaluator
        if _is_tried(place) or (self._is_selected and self._is_elsewhere(place, offset)):
            return True
        if not self._is_asked:
            return False
        way = evaluator.frame
        try:
            if self._guarded(place, offset) or any(self._chosen(each, Point(place, offset)) for each in sizes):
                return True
            frame = way
            while frame is not None:
                evaluator.frame = frame.outer
                if frame.call is not None and self._guarded(Place(frame.call, frame.point.place), frame.call.start):
                    return True
                frame = frame.outer
        finally:
            evaluator.frame = way
        return False

    def _is_elsewhere(self, place: Place, offset: int) -> bool:
        """Whether the queue is made with a selector that chooses no GPU."""
        for node in place.chain():
            if isinstance(node, Call) and isinstance(node.function, Member):
                queue = node.function.object
                if isinstance(queue, Name) and self._is_made_elsewhere(queue, Point(place, offset)):
                    return True
        return False

    def _is_made_elsewhere(self, name: Name, point: Point, steps: int = 0) -> bool:
        found = self._evaluator.lookup.variable(name, point)
        if found is None or steps > 1:
            return False
        variable, made_at = found
        if _NO_GPU.search(variable.type.name.text):
            return True
        names = [each for part in variable.arguments for each in walk(part) if isinstance(each, Name)]
        return any(_NO_GPU.search(each.text) or self._is_made_elsewhere(each, made_at, steps + 1) for each in names)

    def _guarded(self, place: Place, offset: int) -> bool:
        current = place
        while current.outer is not None and current.outer.outer is not None:
            inner, current = current.node, current.outer
            node = current.node
            if isinstance(node, Function):
                return False
            condition = _deciding(node, inner)
            if condition is not None and self._asks(condition, Point(current.outer or current, condition.start)):
                return True
            if isinstance(node, Block) and self._checked_before(node, current, offset):
                return True
        return False

    def _checked_before(self, block: Block, place: Place, offset: int) -> bool:
        for statement in block.statements:
            if statement.start >= offset:
                return False
            match statement:
                case If(condition=condition, then=then, otherwise=otherwise) if condition is not None:
                    checks = leaves(then) or (otherwise is not None and leaves(otherwise))
                case Evaluate(expression=Call(function=Name() as function) as condition):
                    checks = "assert" in function.last.lower()
                case _:
                    continue
            if checks and self._asks(condition, Point(place, statement.start)):
                return True
        return False

    # ------------------------------------------------------------- questions

    def _asks(self, condition: Expr, point: Point, steps: int = 0) -> bool:
        """Whether an expression asks the device, by itself, a variable or a function."""
        for node in walk(condition):
            match node:
                case Call(function=Member(name=name)) if name in _QUERIES or self._function_asks(name, steps):
                    return True
                case Call(function=Name() as function):
                    if function.last in _QUERIES or self._function_asks(function.last, steps):
                        return True
                case Name(arguments=None) if self._name_asks(node, point, steps):
                    return True
                case Member(name=name) if self._member_asks(name, point, steps):
                    return True
                case _:
                    pass
        return False

    def _function_asks(self, name: str, steps: int) -> bool:
        if steps >= MAX_STEPS:
            return False
        for declared in self._evaluator.facts.functions.get(name):
            key = id(declared.node)
            if key not in self._functions:
                self._functions[key] = False
                body = declared.node.body
                if body is not None:
                    given = returned(Place(body, declared.place))
                    self._functions[key] = any(self._asks(value, there, steps + 1) for value, there in given)
            if self._functions[key]:
                return True
        return False

    def _name_asks(self, name: Name, point: Point, steps: int) -> bool:
        if steps >= MAX_STEPS or "::" in name.text:
            return False
        found = list(written(self._evaluator, name.text, point))
        if found:
            return any(self._asks(value, there, steps + 1) for value, there in found)
        result = self._evaluator.evaluate(name, point)
        if isinstance(result, Scalar) and isinstance(result.value, Symbolic) and result.value.asks_device:
            return True
        return self._member_asks(name.text, point, steps)

    def _member_asks(self, name: str, point: Point, steps: int) -> bool:
        """A data member that the constructor of the class around sets from a question."""
        around = owner(point.place)
        if around is None or steps >= MAX_STEPS:
            return False
        for declared in self._evaluator.facts.functions.get(around):
            function, place = declared.node, declared.place
            if function.body is None:
                continue
            for member, arguments in function.initializers:
                if member == name and any(
                    self._asks(each, Point(place, function.start), steps + 1) for each in arguments
                ):
                    return True
            inner = Place(function.body, place)
            for node in walk(function.body):
                if not isinstance(node, Assign) or target(node.left) != name:
                    continue
                if self._asks(node.right, Point(inner, node.start), steps + 1):
                    return True
        return False

    def _chosen(self, size: Expr, point: Point, steps: int = 0) -> bool:
        """Whether a condition that asks the device chooses among the values of ``size``."""
        for node in walk(size):
            if isinstance(node, Conditional) and self._asks(node.condition, point):
                return True
            if isinstance(node, Name) and "::" not in node.text and steps < MAX_STEPS:
                if any(self._asks(each, there) for each, there in conditions(self._evaluator, node.text, point)):
                    return True
                if any(
                    self._chosen(value, there, steps + 1) for value, there in written(self._evaluator, node.text, point)
                ):
                    return True
        return False


def _is_tried(place: Place) -> bool:
    """Whether a failure of the launch is caught, and something else launched."""
    current = place
    while current.outer is not None:
        node = current.outer.node
        if isinstance(node, Try) and current.node is node.body:
            for handler in node.handlers:
                called = (each.function for each in walk(handler) if isinstance(each, Call))
                if any(isinstance(each, Member) and each.name in LAUNCHING for each in called):
                    return True
        current = current.outer
    return False


def _deciding(node: Node, inner: Node) -> Expr | None:
    """The condition by which control goes from ``node`` into ``inner``, which stands right in it."""
    match node:
        case If(condition=condition, then=then, otherwise=otherwise):
            return condition if inner is then or inner is otherwise else None
        case Loop(condition=condition, body=body) | Switch(condition=condition, body=body):
            return condition if inner is body else None
        case Binary(operator="&&" | "||", left=left, right=right):
            return left if inner is right else None
        case Conditional(condition=condition, then=then, otherwise=otherwise):
            return condition if inner is then or inner is otherwise else None
        case _:
            return None
