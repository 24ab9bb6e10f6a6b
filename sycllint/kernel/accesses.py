"""One walk through a kernel that records what it does to shared memory: which element, when, under which conditions.

The walk goes forwards and knows what every variable of a work-item holds as a function of its ids. Functions in sight
are walked where they are called. What cannot be followed is ``None``, and what is done with that is never judged.
"""

from __future__ import annotations

from sycllint.cpp.statement import Declaration
from sycllint.domains.meaning import Meanings, Role
from sycllint.domains.vocabulary import GROUP_FUNCTIONS, may_synchronise
from sycllint.kernel.bindings import Bindings
from sycllint.kernel.branches import Branches
from sycllint.kernel.certainty import guessed_names
from sycllint.kernel.code import KernelCode
from sycllint.kernel.construction import Construction
from sycllint.kernel.declarations import Declarations
from sycllint.kernel.device_calls import DeviceCalls
from sycllint.kernel.escapes import Escapes
from sycllint.kernel.expressions import Expressions
from sycllint.kernel.followed_calls import FollowedCalls
from sycllint.kernel.interpreter import Interpreter
from sycllint.kernel.lifetimes import Lifetimes
from sycllint.kernel.loops import Loops
from sycllint.kernel.shared_calls import SharedCalls
from sycllint.kernel.statements import Statements
from sycllint.kernel.trace import Trace
from sycllint.kernel.walk_state import Names, NotFollowedError, Thing
from sycllint.source.span import Span


def traced(code: KernelCode) -> Trace | None:
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
        return _walked(code)
    except (NotFollowedError, RecursionError):
        return None
    finally:
        evaluator.frame, evaluator.free, evaluator.work = frame, free, work


def _walked(code: KernelCode) -> Trace:
    interpreter = Interpreter(code)
    escapes = Escapes(interpreter)
    shared = SharedCalls(interpreter, escapes)
    _assemble(interpreter, escapes, shared)
    names = _parameters(code, interpreter)
    if code.function.body is not None:
        interpreter.block(code.function.body, names)
    memories = (*interpreter.given.memories.values(), *shared.made)
    state = interpreter.state
    return Trace(tuple(state.events), memories, interpreter.queries.dims or None, tuple(state.branches))


def _assemble(interpreter: Interpreter, escapes: Escapes, shared: SharedCalls) -> None:
    """Hand the interpreter its transfer functions."""
    bindings = Bindings(interpreter, escapes)
    construction = Construction(interpreter, bindings)
    followed = FollowedCalls(interpreter, escapes, shared, bindings, construction)
    calls = DeviceCalls(interpreter, escapes, shared, followed)
    expressions = Expressions(interpreter, escapes, calls, construction)
    declarations = Declarations(interpreter, escapes, shared, bindings, construction)
    lifetimes = Lifetimes(interpreter, escapes, declarations)
    interpreter.extend(expressions=expressions.transfers())
    interpreter.extend(statements={Declaration: lifetimes.declaration})
    interpreter.extend(statements=Statements(interpreter, followed, calls, expressions).transfers())
    interpreter.extend(statements=Branches(interpreter, escapes).transfers())
    interpreter.extend(statements=Loops(interpreter, escapes, calls, expressions).transfers())


def _parameters(code: KernelCode, interpreter: Interpreter) -> Names:
    """The parameters of the kernel, by what SYCL hands to each."""
    names: Names = {}
    parameters = code.function.parameters
    roles = Meanings(code.evaluator).parameters(parameters, kernel=True)
    for position, parameter in enumerate(parameters):
        thing: Thing = None
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
