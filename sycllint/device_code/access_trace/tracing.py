"""One walk through a kernel that records what it does to shared memory: which element, when, under which conditions.

The walk goes forwards and knows what every variable of a work-item holds as a function of its ids. Visible functions
are walked where they are called. What cannot be followed is ``None``, and what is done with that is never judged.
"""

from __future__ import annotations

from sycllint.cpp.statement import Declaration
from sycllint.device_code.access_trace.abstract_values import AbstractValue, Environment
from sycllint.device_code.access_trace.branches import BranchTransfer
from sycllint.device_code.access_trace.calls import DeviceCalls
from sycllint.device_code.access_trace.declarations import DeclarationTransfer
from sycllint.device_code.access_trace.escape_analysis import EscapeAnalysis
from sycllint.device_code.access_trace.expressions import ExpressionTransfer
from sycllint.device_code.access_trace.followed_calls import FollowedCalls
from sycllint.device_code.access_trace.initial_values import InitialValues
from sycllint.device_code.access_trace.interpreter import Interpreter
from sycllint.device_code.access_trace.loops import LoopTransfer
from sycllint.device_code.access_trace.memory_calls import MemoryCalls
from sycllint.device_code.access_trace.state import NotFollowedError
from sycllint.device_code.access_trace.statements import StatementTransfer
from sycllint.device_code.access_trace.trace import Trace
from sycllint.device_code.code import KernelCode
from sycllint.domains.meaning import Meanings, Role
from sycllint.domains.vocabulary import GROUP_FUNCTIONS, may_synchronise
from sycllint.record import singular
from sycllint.source.span import Span
from sycllint.values.certainty import guessed_names
from sycllint.values.memory import Memo


@singular
class _Latest:
    """The launch that was walked last."""

    code: KernelCode | None = None
    trace: Trace | None = None


_latest: Memo[_Latest] = Memo(lambda _: _Latest())


def walked(code: KernelCode) -> Trace | None:
    """What a kernel does to memory in one launch; ``None`` when it does something that is not followed."""
    latest = _latest.of(code.evaluator)
    if latest.code is not code:
        latest.code, latest.trace = code, _traced(code)
    return latest.trace


def _traced(code: KernelCode) -> Trace | None:
    """What ``code`` does to memory; ``None`` when it does something that is not followed."""
    body = code.function.body
    if body is None or code.function.damaged:
        return None
    names = guessed_names(code.evaluator.facts, code.place, Span(body.start, body.end))
    if any(name in GROUP_FUNCTIONS or may_synchronise(name, shouted=False) for name in names):
        return None
    evaluator = code.evaluator
    frame, free, work = evaluator.frame, evaluator.free, evaluator.work
    evaluator.free = {}
    try:
        return _interpreted(code)
    except (NotFollowedError, RecursionError):
        return None
    finally:
        evaluator.frame, evaluator.free, evaluator.work = frame, free, work


def _interpreted(code: KernelCode) -> Trace:
    interpreter = Interpreter(code)
    escapes = EscapeAnalysis(interpreter)
    shared = MemoryCalls(interpreter, escapes)
    _assemble(interpreter, escapes, shared)
    names = _parameters(code, interpreter)
    if code.function.body is not None:
        interpreter.block(code.function.body, names)
    memories = (*interpreter.given.memories.values(), *shared.made)
    state = interpreter.state
    interpreter.release()
    parameters = interpreter.given.parameters
    return Trace(tuple(state.events), memories, interpreter.queries.dims or None, tuple(state.branches), parameters)


def _assemble(interpreter: Interpreter, escapes: EscapeAnalysis, shared: MemoryCalls) -> None:
    """Hand the interpreter its transfer functions."""
    bindings = InitialValues(interpreter, escapes)
    followed = FollowedCalls(interpreter, escapes, shared, bindings)
    calls = DeviceCalls(interpreter, escapes, shared, followed)
    expressions = ExpressionTransfer(interpreter, escapes, calls, bindings)
    declarations = DeclarationTransfer(interpreter, escapes, shared, bindings)
    interpreter.extend(expressions=expressions.transfers())
    interpreter.extend(statements={Declaration: declarations.declaration})
    interpreter.extend(statements=StatementTransfer(interpreter, followed, calls, expressions).transfers())
    interpreter.extend(statements=BranchTransfer(interpreter, escapes).transfers())
    interpreter.extend(statements=LoopTransfer(interpreter, escapes, calls, expressions).transfers())


def _parameters(code: KernelCode, interpreter: Interpreter) -> Environment:
    """The parameters of the kernel, by what SYCL hands to each."""
    names: Environment = {}
    parameters = code.function.parameters
    roles = Meanings(code.evaluator).parameters(parameters, kernel=True)
    for position, parameter in enumerate(parameters):
        thing: AbstractValue = None
        role = roles.get(parameter.name)
        kind = code.evaluator.types.kind(parameter.type.name).sycl
        if kind in ("group", "h_item"):
            raise NotFollowedError
        if position == 0 and kind == "id":
            thing = interpreter.queries.ids("global id")
        elif isinstance(role, Role):
            thing = role
        interpreter.state.declare(names, parameter.name, thing)
    return names
