"""The callable of a launch: the lambda or function object that is the kernel, wherever it is written."""

from collections.abc import Iterator
from functools import partial

from sycllint.cpp.expression import Brace, Call, Expr, Lambda, Name, Type
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Block, Evaluate, Function, Namespace, Return, Statement, Struct, Variants
from sycllint.facts.file import Declared
from sycllint.record import record, replace
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Closure, Frame, Instance, Point, Result
from sycllint.values.value import Unknown


@record
class KernelFunction:
    """The callable of a launch: its parameters, attributes and body, wherever they are written."""

    name: str | None
    item: Type | None
    """Type of the first parameter."""
    closure: Closure | None = None
    operator: Declared[Function] | None = None
    """The call operator of a function object; ``None`` when it is not visible, or is one of several."""
    properties: tuple[Expr, ...] = ()
    instance: Instance | None = None
    """The function object, when it is one."""
    argument: Expr | None = None
    """What the launch is given."""
    frame: Frame | None = None
    """How its code is reached: of a template's instance, with what binds the parameters."""

    @property
    def calls(self) -> Name | None:
        """The free function that a kernel lambda does nothing but call: the project's, or a library's."""
        statements = self.closure.function.body.statements if self.closure is not None else ()
        match statements:
            case (Evaluate(expression=Call(function=Name() as function)),):
                return function
            case _:
                return None


def kernel_function(evaluator: Evaluator, arguments: tuple[Expr, ...], point: Point) -> KernelFunction | None:
    """The kernel among a launch's arguments: the last that is a function; where there are several, not the first."""
    for argument in reversed(arguments[1:] or arguments):
        match argument:
            case Lambda():
                frame = evaluator.frame
                return KernelFunction(
                    None, _first(argument), Closure(argument, Place(argument, point.place), frame), frame=frame
                )
            case Name() | Call() | Brace():
                result = _shared(evaluator, argument, point) or evaluator.evaluate(argument, point)
                match result:
                    case Closure(function=function):
                        name = argument.text if isinstance(argument, Name) else None
                        return KernelFunction(name, _first(function), result, frame=result.frame)
                    case Instance():
                        return _function_object(evaluator, result, argument, point)
                    case _:
                        continue
    return _declared_object(evaluator, arguments[-1], point) if arguments else None


def _shared(evaluator: Evaluator, argument: Expr, point: Point) -> Result | None:
    """What ``argument`` is in all instances of a template that agree in what that rests on, if it is no object."""
    frame = evaluator.frame
    found = evaluator.instantiations.shared((argument, point), partial(evaluator.evaluate, argument, point))
    if frame is None or found is None or isinstance(found.answer, Instance):
        return None
    if not isinstance(found.answer, Closure):
        return Unknown("no function")
    made = evaluator.frames.standing_on(found.answer.frame, found.frame, frame)
    return None if made is None else found.answer._replace(frame=made)


def _declared_object(evaluator: Evaluator, argument: Expr, point: Point) -> KernelFunction | None:
    """A variable of which only the class is known: a parameter, one whose members are set elsewhere."""
    declared = evaluator.declarations.type_of(argument, point) if isinstance(argument, Name) else None
    if declared is None or declared.pointers or declared.extents:
        return None
    kind = evaluator.types.kind(declared.name)
    if kind.struct is None or kind.bound is not None or kind.struct.node.template_parameters:
        return None
    made = Instance(kind.struct, (), point, evaluator.frame)
    found = _function_object(evaluator, made, argument, point)
    return replace(found, instance=None) if found.operator is not None else None


def _first(function: Lambda) -> Type | None:
    return function.parameters[0].type if function.parameters else None


def _function_object(evaluator: Evaluator, instance: Instance, argument: Expr, point: Point) -> KernelFunction:
    struct = _meant(evaluator, instance, argument, point)
    if struct is None:
        return KernelFunction(instance.struct.node.name, None, instance=instance, argument=argument)
    operators: list[Declared[Function]] = []
    properties: tuple[Expr, ...] = ()
    for member, place in members(evaluator, struct):
        if isinstance(member, Function):
            if member.name == "operator()":
                operators.append(Declared(member, place))
            elif member.name == "get" and member.body is not None:
                properties = (*properties, *_returned(member.body))
    found = _defined(evaluator, operators[0], struct.node.name) if len(operators) == 1 else None
    item = found.node.parameters[0].type if found is not None and found.node.parameters else None
    instance = instance._replace(struct=struct)
    frame = _reached(evaluator, instance, found)
    return KernelFunction(struct.node.name, item, None, found, properties, instance, argument, frame)


def _reached(evaluator: Evaluator, instance: Instance, operator: Declared[Function] | None) -> Frame | None:
    """How the call operator is reached; one that is defined outside its class has template parameters of its own."""
    bound = instance.bound
    if bound is None or operator is None:
        return bound or instance.frame
    written = operator.place.node
    if not isinstance(written, Function) or "::" not in written.name or not written.template_parameters:
        return bound
    return evaluator.frames.made(written, (), bound.templates, bound.point, None, bound)


def members(evaluator: Evaluator, struct: Declared[Struct]) -> Iterator[tuple[Statement, Place]]:
    """The members of a class that may be compiled, and where each stands."""
    stack = [Place(struct.node.members, struct.place)]
    while stack:
        place = stack.pop()
        node = place.node
        for statement in node.statements if isinstance(node, Block) else ():
            inner = Place(statement, place)
            if isinstance(statement, Variants):
                stack += [
                    Place(arm.body, Place(arm, inner))
                    for arm in statement.arms
                    if evaluator.macros.arm(arm, inner) is not False
                ]
            else:
                yield statement, inner


def _meant(evaluator: Evaluator, instance: Instance, argument: Expr, point: Point) -> Declared[Struct] | None:
    """The class that a qualified name means, of several of one name; ``None`` when that is not evident."""
    unit = evaluator.facts
    if instance.bound is not None:
        return instance.struct
    struct = instance.struct
    if any(each.node.specialization is not None for each in unit.structs.get(struct.node.name)):
        return None
    same = [each for each in unit.structs.get(struct.node.name) if each.node.specialization is None]
    same = [
        each for each in same if each.node.members.statements and evaluator.macros.compiled(each.place) is not False
    ]
    if len(same) <= 1:
        return struct
    match argument:
        case Call(function=Name() as name) | Brace(type=Name() as name):
            pass
        case Name():
            declared = evaluator.declarations.type_of(argument, point)
            if declared is None:
                return None
            name = declared.name
        case _:
            return None
    wanted = tuple(part for part in name.qualifier.split("::") if part)
    around = {_key(node) for node in point.place.chain()}
    scopes = [tuple(part for name in each.scope for part in name.split("::")) for each in same]
    fitting = [each for each, scope in zip(same, scopes, strict=True) if scope[len(scope) - len(wanted) :] == wanted]
    if not wanted:
        # The innermost of those whose own surroundings are also around the launch.
        seen = [each for each in same if all(key in around for key in _surroundings(each))]
        deepest = max((len(_surroundings(each)) for each in seen), default=0)
        fitting = [each for each in seen if len(_surroundings(each)) == deepest]
    return fitting[0] if len(fitting) == 1 else None


def _surroundings(struct: Declared[Struct]) -> list[object]:
    outer = struct.place.outer
    kinds = Namespace | Struct | Function | Lambda
    return [_key(node) for node in outer.chain() if isinstance(node, kinds)] if outer is not None else []


def _key(node: Node) -> object:
    """The identity of a scope: its name for a namespace, which may be opened again, else the node itself."""
    return node.name if isinstance(node, Namespace | Struct) else id(node)


def _defined(evaluator: Evaluator, operator: Declared[Function], owner: str) -> Declared[Function]:
    """The call operator with its body, which may stand outside the class."""
    if operator.node.body is not None:
        return operator
    for each in evaluator.facts.functions.get("operator()"):
        if each.node.body is not None and each.node.name.startswith(f"{owner}::"):
            attributes = operator.node.attributes + each.node.attributes
            return Declared(replace(each.node, attributes=attributes), each.place)
    return operator


def _returned(body: Block) -> Iterator[Expr]:
    for statement in body.statements:
        if isinstance(statement, Return) and statement.value is not None:
            yield statement.value
