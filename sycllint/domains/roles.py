"""Which values of a function that is being run are items, groups or objects made from them."""

from __future__ import annotations

from collections.abc import Sequence

from sycllint.cpp.expression import Brace, Cast, Member, Name, Type
from sycllint.cpp.statement import Variable
from sycllint.domains.activation import Activation
from sycllint.domains.meaning import ClassObject, Meaning, Role, hands_on, maker
from sycllint.domains.vocabulary import GROUP_HANDLES, ITEM_MAKERS
from sycllint.ir import ops

_SAME = frozenset({ops.READ, ops.ADDR, ops.DEREF})


def role(frame: Activation, position: int) -> Meaning | None:
    """What a value or a place stands for; ``None`` when that is not known to matter."""
    body, context = frame.body, frame.context
    members: list[str] = []
    while position != ops.NONE:
        code = body.op[position]
        if code in _SAME:
            position = body.a[position]
        elif code == ops.CAST:
            node = body.node[position]
            made = context.run.meanings.of_type(node.type.name) if isinstance(node, Cast) else None
            if made is not None:
                return _part(frame, made, members)
            position = body.a[position]
        elif code == ops.FIELD:
            members.append(body.name(position))
            position = body.a[position]
        else:
            break
    return _part(frame, _named(frame, position, members), members)


def _named(frame: Activation, position: int, members: list[str]) -> Meaning | None:
    """What stands at the root of a chain of ``members``; a member of the object itself is taken from them."""
    body, context = frame.body, frame.context
    code = body.op[position] if position != ops.NONE else ops.CONST
    if code in (ops.LOAD, ops.ADDR_LOCAL):
        return context.roles.get(body.a[position])
    if code == ops.CAPTURE:
        found = context.run.captured(frame, body.name(position))
        if found is not None:
            return found[0].context.roles.get(found[1])
    if code in (ops.CAPTURE, ops.GLOBAL):
        return _own(frame, body.name(position))
    if code == ops.THIS and members:
        return _own(frame, members.pop())
    return context.made.get(position)


def _own(frame: Activation, name: str) -> Meaning | None:
    """A member of the object that the function, or the one around a lambda, is called on."""
    current: Activation | None = frame
    while current is not None:
        if name in current.context.members:
            return current.context.members[name]
        current = current.context.around
    return None


def _part(frame: Activation, whole: Meaning | None, members: Sequence[str]) -> Meaning | None:
    for name in reversed(members):
        if not isinstance(whole, ClassObject) or whole.struct is None:
            return None
        whole = frame.context.run.meanings.members(whole.struct).get(name)
    return whole


def is_held(frame: Activation, values: Sequence[int]) -> bool:
    """Whether one of these values hands on an item or a work-group."""
    return any(hands_on(role(frame, each)) for each in values)


def of_variable(frame: Activation, kind: Type, arguments: Sequence[int]) -> Meaning:
    """What a variable stands for by its type, or by what it is made from."""
    run = frame.context.run
    found: Meaning | None = run.meanings.of_type(kind.name)
    if found is None:
        struct = run.evaluator.types.kind(kind.name).struct
        if struct is not None:
            return ClassObject(struct, is_held(frame, arguments))
        found = role(frame, arguments[0]) if len(arguments) == 1 else None
    return found if found is not None else Role.OTHER


def made(frame: Activation, position: int) -> Meaning | None:
    """What a call or a construction gives, as far as its name or its type says."""
    body = frame.body
    values = body.list(position)
    if body.op[position] == ops.CONSTRUCT:
        return _constructed(frame, position, values)
    name = body.called(position)
    if isinstance(body.callee(position), Member):
        return maker(name, values)
    callee = body.callee(position)
    if not isinstance(callee, Name):
        return None
    if name in ITEM_MAKERS:
        return Role.ITEM
    if name in GROUP_HANDLES and values:
        return role(frame, values[0])
    return maker(name, values) or _object(frame, callee, values)


def _constructed(frame: Activation, position: int, values: Sequence[int]) -> Meaning | None:
    node = frame.body.node[position]
    if isinstance(node, Variable) or not isinstance(node, Brace):
        return None
    if isinstance(node.type, Name):
        found = _object(frame, node.type, values)
        if found is not None:
            return found
    elif node.type is not None:
        return None
    return ClassObject(None, True) if is_held(frame, values) else None


def _object(frame: Activation, kind: Name, values: Sequence[int]) -> Meaning | None:
    """An object made from its arguments."""
    run = frame.context.run
    found = run.meanings.of_type(kind)
    if found is not None:
        return found
    struct = run.evaluator.types.kind(kind).struct
    return ClassObject(struct, is_held(frame, values)) if struct is not None else None
