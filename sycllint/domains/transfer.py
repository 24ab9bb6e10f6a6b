"""Transfer functions of uniformity: what each instruction that calls nothing gives, and what it changes."""

from __future__ import annotations

from collections.abc import Mapping

from sycllint.cpp.expression import Binary, Brace, Cast, Conditional, Expr, Increment, Index, Name, Number, Type, Unary
from sycllint.cpp.macro_arguments import with_arguments
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.cpp.spelling import spelled
from sycllint.cpp.statement import Evaluate, Struct, Variable
from sycllint.dataflow.engine import Step
from sycllint.domains.activation import Activation, Context
from sycllint.domains.controls import Construct, LaneArithmetic
from sycllint.domains.id_sums import moves_in_loop
from sycllint.domains.levels import (
    UNIFORM,
    UNKNOWN,
    Content,
    Level,
    Memory,
    collected,
    constant,
    either,
    exact_of,
    joined,
    one_of,
    part_of,
    scalar_of,
    truth_of,
    with_part,
)
from sycllint.domains.library import is_library_type
from sycllint.domains.meaning import Role
from sycllint.domains.outside import from_outside
from sycllint.domains.rounding import either_made
from sycllint.domains.states import State
from sycllint.domains.vocabulary import STATIC_LOCAL, may_synchronise
from sycllint.ir import ops
from sycllint.ir.body import Storage
from sycllint.record import replace
from sycllint.values.arithmetic import LONG, Scalar, literal
from sycllint.values.types import plain_type


def value(frame: Activation, position: int, state: State) -> Content:
    """What a value is, read from memory where it is a place there."""
    if position == ops.NONE:
        return UNKNOWN
    content = frame.values[position]
    return frame.context.run.read(state, content) if content.through else content


def place(frame: Activation, position: int) -> Content:
    """The place that a value was read from; what has none is a value."""
    return frame.values[frame.body.a[position] if frame.body.op[position] == ops.READ else position]


# ---------------------------------------------------------------- values, names


def _constant(frame: Activation, position: int, state: State) -> Content:
    node = frame.body.node[position]
    run = frame.context.run
    if not isinstance(node, Number):
        return UNIFORM
    number = run.literals.get(node.text)
    if number is None:
        found = literal(node.text)
        number = run.literals[node.text] = Content(Level.GRID, found if isinstance(found, Scalar) else None)
    return number


def _loaded(frame: Activation, position: int, state: State) -> Content:
    return _held(frame, frame.body.a[position], state)


def _held(frame: Activation, slot: int, state: State) -> Content:
    """What a variable holds."""
    context = frame.context
    run = context.run
    number = context.base + slot
    if slot in context.aliases:
        number = context.aliases[slot]
    content = state.contents[number]
    if content is None or (number in run.shared and content.memory is None):
        return UNIFORM if slot in context.closures else UNKNOWN
    return run.indices.only(content.ids) if content.ids else content


def _captured(frame: Activation, position: int, state: State) -> Content:
    found = frame.context.run.captured(frame, frame.body.name(position))
    return _held(*found, state) if found is not None else _named(frame, position, state)


def _named(frame: Activation, position: int, state: State) -> Content:
    """A name from outside the function: a member of its object, or what the kernel was given."""
    node, body = frame.body.node[position], frame.body
    if not isinstance(node, Name):
        return UNKNOWN
    return _outer(frame, node, body.around_of(position))


def _outer(frame: Activation, node: Name, around: Place) -> Content:
    owner = frame.context.owner
    if owner is not None and _is_member(node, around):
        return part_of(owner, node.text)
    return from_outside(frame.context.run, node, around, frame.context.scope)


def _is_member(node: Name, around: Place) -> bool:
    struct = around.innermost(Struct)
    return struct is None or any(each.name == node.text for each in struct.variables)


# ----------------------------------------------------------------------- places


def _field(frame: Activation, position: int, state: State) -> Content:
    body = frame.body
    base = body.a[position]
    name = body.name(position)
    if body.op[base] == ops.THIS:
        node = body.node[position]
        start, end = getattr(node, "start", 0), getattr(node, "end", 0)
        return _outer(frame, Name(name, None, None, start, end), body.around_of(position))
    target = frame.values[base]
    memory = target.memory
    if memory is None:
        return part_of(target, name)
    if target.through:
        return Content(target.level, memory=memory, through=True)
    return Content(target.level, memory=Memory((memory.key, name), memory.is_local))


def _element(frame: Activation, position: int, state: State) -> Content:
    body, run = frame.body, frame.context.run
    base, first = body.a[position], body.b[position]
    target = frame.values[base]
    if body.extra[position] != ops.NONE:
        indices = [value(frame, each, state) for each in body.list(position)]
    else:
        indices = [value(frame, first, state)] if first != ops.NONE else []
    dimension = exact_of(indices[0]) if len(indices) == 1 else None
    if target.ids:
        return run.indices.element(target.ids, dimension)
    if target.memory is None or target.number is not None:
        stands_for = frame.context.roles.of(base)
        if stands_for is Role.ITEM:
            return run.indices.of_item("get_global_id", dimension, chosen=True)
        if stands_for is Role.WORK_GROUP:
            return run.indices.of_item("get_group_id", dimension, chosen=True)
    level = target.level
    if target.parts:
        level = part_of(target, str(dimension)).level if dimension is not None else Level.UNKNOWN
    for content in indices:
        level = max(level, content.level)
    if target.memory is not None:
        return Content(level, memory=target.memory, through=True)
    if target.number is not None and dimension == 0:
        # The one component of a one-dimensional id.
        return target
    return Content(level)


def _dereferenced(frame: Activation, position: int, state: State) -> Content:
    target = value(frame, frame.body.a[position], state)
    if target.memory is not None:
        return Content(target.level, memory=target.memory, through=True)
    return target if target.level is Level.ITEM else UNKNOWN


def _addressed(frame: Activation, position: int, state: State) -> Content:
    target = frame.values[frame.body.a[position]]
    if target.memory is not None:
        return replace(target, through=False, number=None)
    run = frame.context.run
    run.share(state, run.roots(frame, frame.body.a[position]))
    return UNKNOWN


def _address_of_local(frame: Activation, position: int, state: State) -> Content:
    run = frame.context.run
    number = run.number(frame, frame.body.a[position])
    target = run.held(state, number)
    if target.memory is not None:
        return replace(target, through=False, number=None)
    run.share(state, (number,))
    return UNKNOWN


def _read(frame: Activation, position: int, state: State) -> Content:
    return value(frame, frame.body.a[position], state)


# ----------------------------------------------------------------- declarations


def _declared(frame: Activation, position: int, state: State) -> Content:
    body, context = frame.body, frame.context
    slot, given = body.a[position], body.b[position]
    local, node = body.locals[slot], body.node[position]
    number = context.base + slot
    if local.storage is not Storage.VARIABLE or local.type is None or not isinstance(node, Variable):
        bound = value(frame, given, state)
        is_known = local.storage is Storage.BINDING and not bound.parts
        state.contents[number] = Content(bound.level) if is_known else UNKNOWN
        return UNKNOWN
    arguments = body.initial(position)
    closure = context.run.closure(frame, arguments[0]) if len(arguments) == 1 else None
    if closure is not None:
        context.closures[slot] = closure
        return UNKNOWN
    context.closures.pop(slot, None)
    state.contents[number] = _initial(frame, slot, node, arguments, state)
    context.roles.slots[slot] = context.roles.of_variable(local.type, arguments)
    return UNKNOWN


def _initial(frame: Activation, slot: int, node: Variable, arguments: tuple[int, ...], state: State) -> Content:
    """What a variable holds where it is declared."""
    run, body = frame.context.run, frame.body
    local = body.locals[slot]
    kind = local.type
    assert kind is not None
    resolved = run.evaluator.types.kind(kind.name)
    only = arguments[0] if len(arguments) == 1 else ops.NONE
    if kind.name.last in STATIC_LOCAL:
        return Content(Level.GRID, memory=Memory(local, True))
    if kind.name.last == "atomic_ref" or resolved.sycl == "atomic_ref":
        content = place(frame, only) if only != ops.NONE else UNKNOWN
        run.store(state, content)
        if content.memory is None and only != ops.NONE:
            run.keep(frame, state, only)
        return content
    if node.style in ("(", "{") and is_opaque(frame, kind, body.place):
        for each in arguments:
            run.keep(frame, state, each)
        return UNKNOWN
    if only == ops.NONE:
        return collected([value(frame, each, state) for each in arguments])
    if kind.reference:
        referred = alias(frame, only)
        if referred is not None:
            frame.context.aliases[slot] = referred
            return UNKNOWN
        content = frame.values[only]
        if content.memory is not None:
            return content
        if not kind.constant:
            run.keep(frame, state, only)
    content = value(frame, only, state)
    if resolved.struct is not None:
        return Content(content.level, parts=content.parts)
    return run.arithmetic.typed(content, kind)


def alias(frame: Activation, position: int) -> int | None:
    """The number of the variable that a place surely is."""
    body, run = frame.body, frame.context.run
    if body.op[position] == ops.READ:
        position = body.a[position]
    if body.op[position] == ops.LOAD:
        return run.number(frame, body.a[position])
    found = run.captured(frame, body.name(position)) if body.op[position] == ops.CAPTURE else None
    return run.number(*found) if found is not None else None


def is_opaque(frame: Activation, kind: Type, around: Place) -> bool:
    """Whether an object of a class may keep references to what it is made from."""
    if kind.pointers or kind.reference:
        return False
    run = frame.context.run
    resolved = run.evaluator.types.kind(kind.name, around)
    return resolved.struct is None and not is_library_type(resolved, run.facts.namespaces)


# ------------------------------------------------------------------ assignments


def _stored(frame: Activation, position: int, state: State) -> Content:
    body = frame.body
    content = value(frame, body.b[position], state)
    state.contents[frame.context.base + body.a[position]] = content
    return content


def _written(frame: Activation, position: int, state: State) -> Content:
    body = frame.body
    content = value(frame, body.b[position], state)
    assign(frame, body.a[position], content, state)
    return content


def _updated(frame: Activation, position: int, state: State) -> Content:
    body, run = frame.body, frame.context.run
    target, by, node = body.a[position], body.b[position], body.node[position]
    before = value(frame, target, state)
    operator = body.name(position)
    if by == ops.NONE:
        other, operator = Content(Level.GRID, constant(1)), operator[0]
    else:
        other, operator = value(frame, by, state), operator[:-1]
    assert isinstance(node, Expr)
    after = run.arithmetic.arithmetic(operator, before, other, node)
    assign(frame, target, after, state)
    return before if isinstance(node, Increment) and not node.prefix else after


def assign(frame: Activation, target: int, content: Content, state: State) -> None:
    """A place gets a value."""
    run = frame.context.run
    held = frame.values[target]
    if held.through:
        run.store(state, held)
        return
    number = alias(frame, target)
    if number is not None:
        state.contents[number] = content
        return
    # A part of an object: the whole is what its parts are.
    number, level = _whole(frame, target, content.level, state)
    if number is None:
        run.forget(state, run.roots(frame, target))
        return
    old = run.held(state, number)
    if old.memory is not None:
        return
    part = _part_name(frame, target)
    parts = with_part(old, part, level) if part is not None else old.parts
    state.contents[number] = Content(max(old.level, level), parts=parts)


def _whole(frame: Activation, target: int, level: Level, state: State) -> tuple[int | None, Level]:
    """The variable that a place is a part of, and the level of what it is written with and where."""
    body = frame.body
    while True:
        code = body.op[target]
        if code == ops.ELEM:
            indices = body.list(target) if body.extra[target] != ops.NONE else (body.b[target],)
            level = joined((level, *(value(frame, each, state).level for each in indices if each != ops.NONE)))
        elif code == ops.CALL and body.a[target] != ops.NONE and not body.list(target):
            pass
        elif code != ops.FIELD:
            return alias(frame, target), level
        target = body.a[target]


def _part_name(frame: Activation, target: int) -> str | None:
    """The member or element of a variable that a place is, where it is written plainly."""
    body = frame.body
    if body.a[target] == ops.NONE or body.op[body.a[target]] not in (ops.LOAD, ops.CAPTURE):
        return None
    code = body.op[target]
    if code == ops.FIELD:
        return body.name(target)
    if code == ops.CALL and not body.list(target):
        return body.called(target)
    node = body.node[target]
    match node:
        case Index(indices=(Number(text=text),)) if code == ops.ELEM:
            return text
        case _:
            return None


def _dropped(frame: Activation, position: int, state: State) -> Content:
    """``in >> a >> b;`` changes what it reads into."""
    body, run = frame.body, frame.context.run
    current = body.a[position]
    if isinstance(body.node[position], Evaluate):
        while current != ops.NONE and body.op[current] == ops.BINARY and body.name(current) == ">>":
            run.forget(state, run.roots(frame, body.b[current]))
            current = body.a[current]
    return UNKNOWN


# ------------------------------------------------------------------- arithmetic


def _unary(frame: Activation, position: int, state: State) -> Content:
    body, run = frame.body, frame.context.run
    operator, node = body.name(position), body.node[position]
    content = value(frame, body.a[position], state)
    assert isinstance(node, Expr)
    if operator in ("++", "--"):
        return run.arithmetic.arithmetic(operator[0], content, Content(Level.GRID, constant(1)), node)
    if operator == "!":
        truth = truth_of(content)
        return Content(Level.GRID, constant(int(not truth))) if truth is not None else Content(content.level)
    if operator == "-" and content.number is not None:
        result = run.evaluator.combine("-", constant(0), content.number, node)
        return Content(content.level, scalar_of(result))
    if operator == "~" and content.number is not None:
        # As a signed number, so that the bits above are those of a mask.
        result = run.evaluator.combine("-", constant(-1), Scalar(content.number.value, LONG), node)
        return Content(content.level, scalar_of(result))
    if operator == "+":
        return content
    return Content(content.level)


def _binary(frame: Activation, position: int, state: State) -> Content:
    body, run = frame.body, frame.context.run
    operator, node = body.name(position), body.node[position]
    left = value(frame, body.a[position], state)
    if operator in ("&&", "||"):
        return _logical(frame, position, left, state)
    right = value(frame, body.b[position], state)
    if left.ids:
        left = run.indices.only(left.ids)
    if right.ids:
        right = run.indices.only(right.ids)
    assert isinstance(node, Expr)
    if operator in DIVISIONS and left.number is not None and isinstance(node, Binary):
        note_lanes(frame, position, node, left.number, right)
    return run.arithmetic.arithmetic(operator, left, right, node)


def _logical(frame: Activation, position: int, left: Content, state: State) -> Content:
    body = frame.body
    decisive = body.name(position) == "||"
    truth = truth_of(left)
    if truth is decisive:
        return left
    right = value(frame, body.b[position], state)
    if truth_of(right) is decisive:
        return Content(Level.GRID, constant(int(decisive)))
    if truth is not None:
        return replace(right, memory=None)
    if truth_of(right) is not None:
        return Content(left.level)
    return Content(either(left.level, right.level))


def _selected(frame: Activation, position: int, state: State) -> Content:
    body = frame.body
    condition = value(frame, body.a[body.a[position - 1]], state)
    truth = truth_of(condition)
    if truth is not None:
        return value(frame, (body.a if truth else body.b)[position], state)
    first, second = value(frame, body.a[position], state), value(frame, body.b[position], state)
    if first.number is not None and first == second:
        return first
    memory = first.memory if first.memory == second.memory else None
    level = joined((condition.level, first.level, second.level))
    is_pointer = first.memory is not None or second.memory is not None
    if memory is None and is_pointer and not (first.number and second.number):
        return Content(level if _is_scalar(body.node[position]) else Level.UNKNOWN)
    number = one_of(first, second, condition.level)
    return Content(level, number, memory, made=either_made(first.made, second.made))


def _is_scalar(node: Node) -> bool:
    """Whether the arms of ``?:`` look like values rather than pointers."""
    return isinstance(node, Conditional) and any(
        isinstance(each, Index | Binary | Number | Unary) for each in (node.then, node.otherwise)
    )


def _cast(frame: Activation, position: int, state: State) -> Content:
    node = frame.body.node[position]
    content = value(frame, frame.body.a[position], state)
    return frame.context.run.arithmetic.typed(content, node.type) if isinstance(node, Cast) else content


def _constructed(frame: Activation, position: int, state: State) -> Content:
    body, node = frame.body, frame.body.node[position]
    frame.context.roles.make(position)
    values = body.list(position)
    made_of = plain_type(node.type) if isinstance(node, Brace) and isinstance(node.type, Name) else None
    if made_of is not None and is_opaque(frame, made_of, body.around_of(position)):
        for each in values:
            frame.context.run.keep(frame, state, each)
        return UNKNOWN
    return collected([value(frame, each, state) for each in values])


# ------------------------------------------------------------------------- text


def _unseen(frame: Activation, position: int, state: State) -> Content:
    body, run = frame.body, frame.context.run
    reason, node = body.extra[position], body.node[position]
    if reason in (ops.DAMAGED, ops.INCLUDED):
        run.solver.lose()
    elif reason == ops.UNKNOWN_NAME:
        # A macro that is not visible may mean anything, unless its name says that it waits.
        text = spelled(node.expression) if isinstance(node, Evaluate) else ""
        if may_synchronise(text, shouted=False):
            state.written = frozenset()
        else:
            run.solver.lose()
    elif reason == ops.ASSEMBLER:
        names = {each.text for each in walk(node) if isinstance(each, Name)}
        slots = [slot for slot, local in enumerate(body.locals) if local.name in names]
        run.forget(state, [run.number(frame, slot) for slot in slots])
        state.written = frozenset()
    elif body.a[position] & ops.MAY_SYNC:
        state.written = frozenset()
    return UNKNOWN


_STEPS: Mapping[int, Step[State, Content, Context, Construct]] = {
    ops.CONST: _constant,
    ops.CAPTURE: _captured,
    ops.GLOBAL: _named,
    ops.DECL: _declared,
    ops.LOAD: _loaded,
    ops.STORE: _stored,
    ops.ADDR_LOCAL: _address_of_local,
    ops.FIELD: _field,
    ops.ELEM: _element,
    ops.DEREF: _dereferenced,
    ops.ADDR: _addressed,
    ops.READ: _read,
    ops.WRITE: _written,
    ops.UPDATE: _updated,
    ops.UNARY: _unary,
    ops.BINARY: _binary,
    ops.CAST: _cast,
    ops.SELECT: _selected,
    ops.CONSTRUCT: _constructed,
    ops.UNSEEN: _unseen,
    ops.DROP: _dropped,
}
STEPS = tuple(_STEPS.get(code) for code in range(len(ops.NAMES)))
"""By opcode."""


DIVISIONS = frozenset({"%", "&", "/", ">>"})
"""Operators that give the rest or the quotient of a division by a power of two."""


def width_of(operator: str, right: int) -> int:
    """The width by which ``operator`` divides."""
    return {"&": right + 1, ">>": 1 << max(0, min(right, 16))}.get(operator, right)


def note_lanes(frame: Activation, position: int, node: Binary, left: Scalar, right: Content) -> None:
    """Note a division of a local id by a number; that of a counter, which goes through data, gives no lane."""
    run = frame.context.run
    number = exact_of(right)
    if number is None or not 0 < number < 1024 or moves_in_loop(left.value):
        return
    per_row = not run.indices.counts_group(left.value)
    if per_row and not run.indices.is_lane(left.value):
        return
    location = run.written(frame.body, position)
    is_lane = node.operator in ("%", "&")
    run.lanes[location] = LaneArithmetic(
        width_of(node.operator, number),
        spelled(with_arguments(node, frame.body.around_of(position))),
        location,
        is_lane,
        per_row,
    )
