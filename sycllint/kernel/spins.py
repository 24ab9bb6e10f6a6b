"""Loops of device code that do nothing but wait for another work-item to write to memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Binary, Call, Expr, Index, Lambda, Member, Name, Unary
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.cpp.spelling import spelled
from sycllint.cpp.statement import Function, Jump, Loop, Return, Variable
from sycllint.kernel.contents import contents
from sycllint.kernel.once import once_per_function
from sycllint.record import record
from sycllint.source.span import Location, Span
from sycllint.values.evaluate import Evaluator

if TYPE_CHECKING:
    from sycllint.kernel.analyses import KernelCode

MAX_FUNCTIONS = 20


@record
class SpinWait:
    """A loop without another exit than what memory holds."""

    location: Location
    """Of its condition."""
    condition: str


@once_per_function
def spin_waits(code: KernelCode) -> Iterator[SpinWait]:
    """The spinning loops of the kernel, and of functions that it calls by a name with one definition."""
    if not code.scan.loops:
        return
    functions = code.evaluator.facts.functions
    waiting: list[tuple[Lambda | Function, Place]] = [(code.function, code.place)]
    seen = {id(code.function)}
    while waiting and len(seen) <= MAX_FUNCTIONS:
        function, place = waiting.pop()
        inside = contents(code.evaluator, function)
        if any(each.rpartition("::")[2] in ("root_group", "get_root_group") for each in inside.names):
            return
        path = code.evaluator.facts.file_at(place).path
        local = _local_names(inside.of(Variable))
        for loop in inside.of(Loop):
            if loop.condition is not None and _spins(code.evaluator, loop, local):
                span = Span(loop.condition.start, loop.condition.end)
                yield SpinWait(Location(path, span), spelled(loop.condition))
        for name in inside.called:
            found = [each for each in functions.get(name) if each.node.body is not None]
            if len(found) == 1 and id(found[0].node) not in seen:
                seen.add(id(found[0].node))
                waiting.append((found[0].node, found[0].place))


def _local_names(variables: list[Variable]) -> frozenset[str]:
    """Atomic references to local memory: only the own group writes there."""
    return frozenset(each.name for each in variables if _says_local(each.type.name))


def _says_local(kind: Name) -> bool:
    return any(isinstance(each, Name) and each.last in ("local_space", "work_group") for each in kind.arguments or ())


def _spins(evaluator: Evaluator, loop: Loop, local: frozenset[str]) -> bool:
    condition = loop.condition
    assert condition is not None
    if isinstance(condition, Binary) and condition.operator in ("&&", "and"):
        return False
    calls = [each for each in walk(condition) if isinstance(each, Call)]
    loads = any(_is_load(each) for each in calls)
    # Plain memory: only where the loop does nothing at all.
    if not loads and (calls or not _compares(condition) or not any(map(_reads, walk(condition)))):
        return False
    inside = list(walk(loop.body))
    if not loads and inside[1:]:
        return False
    if any(isinstance(each, Return | Jump) for each in inside):
        return False
    names = {each.text for each in walk(condition) if isinstance(each, Name)}
    if names & local or names & {each.lstrip("&*") for each in evaluator.mutations.of(loop.body)}:
        return False
    return loop.update is None or not names & evaluator.mutations.of(loop.update)


def _is_load(call: Call) -> bool:
    match call.function:
        case Member(object=inner, name="load"):
            made = inner.function if isinstance(inner, Call) else None
            return not (isinstance(made, Name) and _says_local(made)) and not call.arguments
        case Name(last="atomic_load"):
            return True
        case _:
            return False


def _reads(node: Node) -> bool:
    return isinstance(node, Index) or _dereferences(node)


def _dereferences(node: Node) -> bool:
    return isinstance(node, Unary) and node.operator == "*"


def _compares(condition: Expr) -> bool:
    match condition:
        case Binary(operator="==" | "!=" | "<" | ">" | "<=" | ">=") | Unary(operator="!") | Index():
            return True
        case _:
            return _dereferences(condition)
