"""Launch policies of SYCLcompat and launch configurations of SYCL's extension, as they are written at a launch."""

from sycllint.cpp.expression import Brace, Call, Expr, Name, Type
from sycllint.record import NamedTuple
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point
from sycllint.values.types import as_type


class Policy(NamedTuple):
    """What a policy is made from, and where that is written."""

    arguments: tuple[Expr, ...]
    point: Point


def policy(evaluator: Evaluator, expression: Expr, point: Point) -> Policy | None:
    """The policy that ``expression`` is, written in place or in a variable of the function around it."""
    match expression:
        case Call(function=Name() as name, arguments=arguments):
            return Policy(arguments, point) if _is_policy(evaluator, name, point) else None
        case Brace(type=Name() | Type() as written, elements=elements):
            kind = as_type(written)
            return Policy(elements, point) if kind is not None and _is_policy(evaluator, kind.name, point) else None
        case Name():
            found = evaluator.declarations.variable(expression.text, point)
            if found is None:
                return None
            variable, there = found
            if _is_policy(evaluator, variable.type.name, there):
                given = variable.arguments
                copied = policy(evaluator, given[0], there) if len(given) == 1 else None
                return copied or Policy(given, there)
            return policy(evaluator, variable.arguments[0], there) if len(variable.arguments) == 1 else None
        case _:
            return None


def is_policy(evaluator: Evaluator, expression: Expr, point: Point) -> bool:
    """Whether ``expression`` is a policy, also one from a caller."""
    if policy(evaluator, expression, point) is not None:
        return True
    typed = evaluator.static_types.of(expression, point)
    return typed is not None and _is_policy(evaluator, typed.type.name, typed.point)


def configured(evaluator: Evaluator, arguments: tuple[Expr, ...], point: Point) -> tuple[Expr, ...]:
    """The arguments of a free function, with what a ``launch_config`` written in place is made from."""
    found = policy(evaluator, arguments[0], point) if arguments and isinstance(arguments[0], Call | Brace) else None
    return (*found.arguments, *arguments[1:]) if found is not None else arguments


def _is_policy(evaluator: Evaluator, name: Name, point: Point) -> bool:
    return evaluator.construction.dim3.is_policy(evaluator.kind(name, point))
