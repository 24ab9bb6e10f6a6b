"""Functions and lambdas that a kernel calls, as they are entered: what their parameters and names stand for there."""

from __future__ import annotations

from collections.abc import Sequence

from sycllint.cpp.expression import Member, Name
from sycllint.cpp.statement import Function, FunctionParameter
from sycllint.dataflow.engine import SolverFrame
from sycllint.domains.activation import Activation, Context, LambdaValue
from sycllint.domains.levels import UNIFORM, UNKNOWN, Content
from sycllint.domains.meaning import Meaning
from sycllint.domains.states import State
from sycllint.domains.transfer import alias, place, value
from sycllint.facts.file import Declared
from sycllint.ir import ops
from sycllint.ir.body import Body, Storage
from sycllint.record import replace
from sycllint.values.objects import Frame, Point

MAX_CALLS = 10
"""How deep calls are followed."""


def opened(frame: Activation, body: Body, scope: object, state: State) -> Activation:
    """A frame for ``body``, called from ``frame``, with room for its variables in ``state``."""
    run = frame.context.run
    base = len(state.contents)
    state.contents.extend([None] * len(body.locals))
    context = Context(run, body, base, scope)
    context.exits = state.exits
    return SolverFrame(body, context, UNKNOWN)


def enter_closure(frame: Activation, position: int, closure: LambdaValue, state: State) -> Activation:
    """A lambda that is called."""
    run, body = frame.context.run, closure.body
    entered = opened(frame, body, (body.function, frame.context.scope), state)
    context = entered.context
    context.around = closure.around
    around = closure.around if closure.around is not None else frame
    roles = context.roles
    context.owner, roles.members = around.context.owner, around.context.roles.members
    roles.around = closure.around.context.roles if closure.around is not None else None
    arguments = frame.body.list(position)
    roles.bind(body.function.parameters, [frame.context.roles.of(each) for each in arguments])
    _bind(frame, entered, arguments, state)
    if closure.around is not None:
        _capture(closure.around, entered, state)
    context.outer = run.evaluator.frame
    return entered


def _capture(around: Activation, entered: Activation, state: State) -> None:
    """What init-captures hold: what they held when the lambda was made."""
    body, node = around.body, entered.body.function
    made = next((each for each in body.at(ops.LAMBDA) if body.node[each] is node), ops.NONE)
    values = body.lists[body.b[made]] if made != ops.NONE else ()
    slots = [slot for slot, local in enumerate(entered.body.locals) if local.storage is Storage.CAPTURE]
    for slot, each in zip(slots, values, strict=False):
        referred = alias(around, each) if entered.body.locals[slot].is_reference else None
        if referred is not None:
            entered.context.aliases[slot] = referred
        state.contents[entered.context.base + slot] = value(around, each, state)


def enter(
    frame: Activation,
    position: int,
    declared: Declared[Function],
    passed: Sequence[Meaning | None],
    owner: Content | None,
    state: State,
) -> Activation:
    """A function that is called; ``owner`` is what the object holds that it is called on."""
    run, function = frame.context.run, declared.node
    symbols, evaluator = run.evaluator.symbols, run.evaluator
    body = run.bodies.of(function, declared.place)
    reached = _reached(frame, position, function)
    struct = symbols.class_of(declared)
    scope = reached if struct is not None or function.template_parameters else function
    entered = opened(frame, body, scope, state)
    context = entered.context
    definition = symbols.definition(struct)
    if definition is not None:
        context.roles.members = run.meanings.members(definition)
    context.roles.bind(function.parameters, passed)
    _bind(frame, entered, frame.body.list(position), state)
    if struct is not None:
        context.owner = owner if owner is not None else frame.context.owner
    context.call = run.written(frame.body, position)
    context.outer = evaluator.frame
    evaluator.frame = reached
    return entered


def _reached(frame: Activation, position: int, function: Function) -> Frame:
    """How the function is reached: one and the same in every round of a loop, so that what is known in it is found."""
    run, body = frame.context.run, frame.body
    node = body.call(position)
    outer = run.evaluator.frame
    key = (body, position, function, outer)
    found = run.reached.get(key)
    if found is None:
        templates = (node.function.arguments if isinstance(node.function, Name | Member) else None) or ()
        point = Point(body.around_of(position), node.start)
        found = run.reached[key] = Frame(function, node.arguments, templates, point, node, outer)
    return found


def _bind(frame: Activation, entered: Activation, arguments: Sequence[int], state: State) -> None:
    """Let the parameters hold what they are given."""
    context = entered.context
    for slot, parameter in enumerate(entered.body.function.parameters):
        number = context.base + slot
        if slot >= len(arguments):
            state.contents[number] = UNIFORM if parameter.default is not None else UNKNOWN
            continue
        argument = arguments[slot]
        closure = context.run.closure(frame, argument)
        if closure is not None:
            context.closures[slot] = closure
            continue
        referred = alias(frame, argument) if parameter.type.reference else None
        if referred is not None:
            context.aliases[slot] = referred
        else:
            state.contents[number] = _given(frame, argument, parameter, state)


def _given(frame: Activation, argument: int, parameter: FunctionParameter, state: State) -> Content:
    run, kind = frame.context.run, parameter.type
    if not kind.reference:
        return run.arithmetic.typed(value(frame, argument, state), kind)
    content = place(frame, argument)
    if content.memory is not None and content.memory.is_local:
        resolved = run.evaluator.types.kind(kind.name)
        if not kind.pointers and resolved.is_number:
            # An accessor of no dimensions converts to its element.
            return replace(content, through=True)
    return content
