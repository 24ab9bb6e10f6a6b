"""Whether a launch is reached only where the device was asked first."""

from sycllint.cpp.expression import Call, Expr, Member, Name
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Block, Function, If, Switch
from sycllint.values.arithmetic import Scalar
from sycllint.values.evaluate import Evaluator
from sycllint.values.lookup import leaves
from sycllint.values.objects import Point
from sycllint.values.value import Symbolic

_QUERIES = frozenset({"get_info", "has", "device_has", "if_architecture_is", "ext_oneapi_architecture_is"})


def device_checked(evaluator: Evaluator, place: Place, offset: int) -> bool:
    """Whether a condition that asks the device lies between the start of the function and the launch at ``place``.

    That is a branch the launch stands in, or one before it that leaves the function.
    """
    for current in _outwards(place):
        node = current.node
        if isinstance(node, Function):
            return False
        outer = current.outer
        condition = node.condition if isinstance(node, If | Switch) else None
        if condition is not None and _asks_device(evaluator, condition, Point(outer or current, offset)):
            return True
        if isinstance(node, Block):
            for statement in node.statements:
                if statement.start >= offset:
                    break
                left = isinstance(statement, If) and leaves(statement.then)
                condition = statement.condition if isinstance(statement, If) and left else None
                if condition is not None and _asks_device(evaluator, condition, Point(current, statement.start)):
                    return True
    return False


def _outwards(place: Place) -> list[Place]:
    found: list[Place] = []
    current: Place | None = place
    while current is not None:
        found.append(current)
        current = current.outer
    return found


def _asks_device(evaluator: Evaluator, condition: Expr, point: Point) -> bool:
    for node in walk(condition):
        match node:
            case Call(function=Member(name=name)) if name in _QUERIES:
                return True
            case Call(function=Name() as function) if function.last in _QUERIES:
                return True
            case Name(arguments=None):
                result = evaluator.evaluate(node, point)
                if isinstance(result, Scalar) and isinstance(result.value, Symbolic) and result.value.asks_device:
                    return True
            case _:
                pass
    return False
