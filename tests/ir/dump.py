"""A body as text, one instruction a line, for tests and for debugging."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias, get_args

from sycllint.cpp.expression import Cast, Expr
from sycllint.cpp.spelling import spelled
from sycllint.cpp.statement import Arm
from sycllint.ir import ops
from sycllint.ir.body import Body, Local
from sycllint.ir.ops import NONE

_SLOTS = frozenset({ops.PARAM, ops.DECL, ops.LOAD, ops.STORE, ops.ADDR_LOCAL})
"""Instructions whose ``a`` is a slot."""
_NAMED = frozenset({ops.CAPTURE, ops.GLOBAL, ops.FIELD, ops.UPDATE, ops.UNARY, ops.BINARY})
"""Instructions whose ``extra`` is a name."""
_LISTED = frozenset({ops.CALL, ops.CONSTRUCT, ops.NEW, ops.DELETE})
"""Instructions whose ``extra`` is a list."""
_VALUES = frozenset(range(ops.DECL)) | frozenset((*range(ops.LOAD, ops.IF), ops.UNSEEN)) - {ops.STORE, ops.WRITE}
"""Instructions that make a value."""
_BEGINNINGS = frozenset({ops.IF, ops.LOOP, ops.SWITCH, ops.TRY, ops.SCOPE})
_MIDDLES = frozenset({ops.ELSE, ops.CATCH})
_ANSWERS = ("no", "yes", "perhaps")
_MAY = ((ops.MAY_SYNC, "sync"), (ops.MAY_WRITE, "write"), (ops.MAY_LEAVE, "leave"))


Facts: TypeAlias = Callable[[Body, int], str]
"""The annotation of an instruction, by body and position; empty for none."""


def dump(body: Body, facts: Facts | None = None) -> str:
    """The locals and instructions of a body and of the lambdas in it; behind ``;`` what a domain says of each."""
    return "\n".join(_lines(body, "body", facts))


def _lines(body: Body, title: str, facts: Facts | None) -> Iterator[str]:
    yield f"{title}:"
    for slot, local in enumerate(body.locals):
        yield f"  ${slot} {_declared(local)}"
    depth = 1
    for position, code in enumerate(body.op):
        if code == ops.END or code in _MIDDLES or (code == ops.VARIANT and body.b[position] != NONE):
            depth -= 1
        fact = facts(body, position) if facts is not None else ""
        yield "  " * depth + _instruction(body, position) + f"  ; {fact}" * bool(fact)
        if code in _BEGINNINGS or code in _MIDDLES or code == ops.VARIANT:
            depth += 1
    for number, each in enumerate(body.lambdas):
        yield from (f"  {line}" for line in _lines(each, f"lambda {number}", facts))


def _declared(local: Local) -> str:
    kind = spelled(local.type) + "&" * local.is_reference if local.type is not None else "auto"
    return f"{local.storage.value} {kind} {local.name}"


def _instruction(body: Body, position: int) -> str:
    code = body.op[position]
    made = f"%{position} = " if code in _VALUES else ""
    guess = "?" if body.is_guessed(position) else ""
    parts = [part for part in (*_operands(body, position), *_details(body, position)) if part]
    return " ".join((f"{made}{ops.NAMES[code]}{guess}", *parts))


def _operands(body: Body, position: int) -> Iterator[str]:
    code, a, b = body.op[position], body.a[position], body.b[position]
    if code in (ops.VARIANT, ops.UNSEEN, ops.END, ops.ELSE):
        return
    if a != NONE:
        yield f"${a}" if code in _SLOTS else f"%{a}"
    if code in (ops.CALL, ops.LAMBDA, ops.IF, ops.LOOP):
        return
    if b != NONE:
        yield f"%{b}"


def _details(body: Body, position: int) -> Iterator[str]:
    code, node = body.op[position], body.node[position]
    if code == ops.CALL:
        yield body.called(position)
    if code in _NAMED:
        yield body.name(position)
    if code in _LISTED:
        yield _values(body.list(position))
    if code == ops.ELEM and body.extra[position] != NONE:
        yield _values(body.list(position))
    if code == ops.LAMBDA:
        yield f"{body.extra[position]} {_values(body.lists[body.b[position]])}"
    if code == ops.VARIANT and isinstance(node, Arm):
        yield f"{_ANSWERS[body.a[position]]} {node.keyword} {node.condition}".rstrip()
    if code == ops.UNSEEN:
        may = [word for flag, word in _MAY if body.a[position] & flag]
        yield f"{ops.REASONS[body.extra[position]]} {'+'.join(may)}"
    if isinstance(node, Cast):
        yield spelled(node.type)
    elif code == ops.CONST and isinstance(node, get_args(Expr)):
        yield spelled(node)


def _values(values: tuple[int, ...]) -> str:
    return f"({', '.join(f'%{each}' for each in values)})"
