"""Calls of a kernel: group functions, those of SYCL and of the C++ library, and functions that are entered."""

from __future__ import annotations

from collections.abc import Sequence

from sycllint.cpp.expression import Expr, Index, Lambda, Member, Name, Number, Unary
from sycllint.domains.activation import Activation, LambdaValue
from sycllint.domains.entering import MAX_CALLS, enter, enter_closure
from sycllint.domains.levels import UNIFORM, UNKNOWN, Content, Level, Memory, collected, exact_of, part_of
from sycllint.domains.meaning import LANES, ClassObject, Meaning, Role
from sycllint.domains.results import (
    ADDRESS_MEMBERS,
    is_atomic,
    is_group_function,
    is_plain_function,
    result_of_group_function,
    takes_lane_of_group,
)
from sycllint.domains.states import State
from sycllint.domains.transfer import place, value
from sycllint.domains.vocabulary import (
    LOCAL_ALLOCATORS,
    LOCAL_SCRATCH,
    SUB_GROUP_FUNCTIONS,
    SUB_GROUP_MEMBERS,
    may_synchronise,
)
from sycllint.ir import ops
from sycllint.record import replace
from sycllint.symbols.overloads import OUT_OF_SIGHT, CallTargets
from sycllint.values.objects import Closure, Point
from sycllint.values.side_effects.library import KEEPERS, SETTERS

_LOGICAL_WIDTH = 3
"""Arguments of SYCLomatic's shuffles before the width of the part of a sub-group that takes part."""


def called(frame: Activation, position: int, state: State) -> Content | Activation:
    """What a call gives, or the function that it enters."""
    frame.context.roles.make(position)
    callee = frame.body.callee(position)
    if isinstance(callee, Member):
        return _member_call(frame, position, callee, state)
    if isinstance(callee, Name):
        return _free_call(frame, position, callee, state)
    closure = frame.context.run.closure(frame, frame.body.a[position])
    if closure is not None and len(frame.context.run.solver.frames) < MAX_CALLS:
        return enter_closure(frame, position, closure, state)
    _unfollowed(frame, position, state)
    return UNKNOWN


def _unfollowed(frame: Activation, position: int, state: State) -> None:
    """What a function that is not visible may have done to its arguments."""
    run, body = frame.context.run, frame.body
    for each in body.list(position):
        run.store(state, place(frame, each))
        if run.closure(frame, each) is not None:
            run.keep(frame, state, each)
        elif body.op[each] in _NAMING or body.op[body.a[each]] in _NAMING:
            for number in run.roots(frame, each):
                content = state.contents[number]
                if content is not None and content.memory is None:
                    state.contents[number] = UNKNOWN


_NAMING = frozenset({ops.LOAD, ops.ADDR_LOCAL, ops.CAPTURE, ops.ELEM, ops.FIELD})


def _values(frame: Activation, position: int, state: State) -> tuple[Content, ...]:
    return tuple(value(frame, each, state) for each in frame.body.list(position))


# ------------------------------------------------------------------ member calls


def _member_call(frame: Activation, position: int, callee: Member, state: State) -> Content | Activation:
    body, run = frame.body, frame.context.run
    receiver, name = body.a[position], body.called(position)
    stands_for = frame.context.roles.of(receiver)
    if stands_for in (Role.ITEM, Role.WORK_GROUP) or stands_for in LANES:
        return _of_group(frame, position, name, stands_for, state)
    content = place(frame, receiver) if receiver != ops.NONE else UNKNOWN
    if is_atomic(name):
        run.store(state, content)
        return Content(Level.ITEM)
    if name in ADDRESS_MEMBERS and content.memory is not None:
        return replace(content, through=False, number=None)
    arguments = body.list(position)
    if content.ids and name in ("get", "size"):
        dimension = exact_of(value(frame, arguments[0], state)) if arguments else None
        return run.indices.element(content.ids, dimension) if name == "get" else UNIFORM
    if receiver != ops.NONE and body.op[receiver] == ops.THIS:
        passed = _passed(frame, position)
        targets = _meant(frame, position, Name(name, None, None, 0, 0), passed)
        return _targets(frame, position, targets, passed, frame.context.owner, state)
    if isinstance(stands_for, ClassObject) and stands_for.struct is not None:
        passed = _passed(frame, position)
        around = body.around_of(position)
        targets = run.meanings.called_on(stands_for.struct, name, body.call(position), passed, around)
        return _targets(frame, position, targets, passed, run.read(state, content), state)
    if isinstance(callee.object, Name):
        targets = _of_object(frame, position, callee.object, name)
        if targets.found:
            return _targets(frame, position, targets, _passed(frame, position), run.read(state, content), state)
    if not arguments and name not in run.facts.functions and content.memory is None:
        # A range of one dimension has as many elements as it says.
        return content if name == "size" and content.number is not None else part_of(content, name)
    _unfollowed(frame, position, state)
    if may_synchronise(name, shouted=False):
        state.written = frozenset()
    return UNKNOWN


def _of_object(frame: Activation, position: int, name: Name, method: str) -> CallTargets:
    """What a call runs of an object that the kernel was made with, by the class that its declaration names."""
    run, body = frame.context.run, frame.body
    if method not in run.facts.functions:
        return OUT_OF_SIGHT
    key = (body, position, run.evaluator.frame)
    found = run.targets.get(key)
    if found is None:
        around = body.around_of(position)
        struct = run.meanings.class_of_object(name, around)
        found = OUT_OF_SIGHT
        if struct is not None:
            found = run.meanings.called_on(struct, method, body.call(position), _passed(frame, position), around)
        run.targets[key] = found
    return found


def _passed(frame: Activation, position: int) -> tuple[Meaning | None, ...]:
    return tuple(frame.context.roles.of(each) for each in frame.body.list(position))


def _of_group(frame: Activation, position: int, name: str, group: Meaning | None, state: State) -> Content:
    """A member function of an item or a group."""
    run = frame.context.run
    contents = _values(frame, position, state)
    if group is Role.PART:
        return UNKNOWN
    if name == "barrier":
        run.reach_barrier(frame, position, state, name, Role.SUB_GROUP if group is Role.SUB_GROUP else Role.WORK_GROUP)
        return UNIFORM
    if group is Role.SUB_GROUP:
        if name in SUB_GROUP_MEMBERS:
            run.reach_barrier(frame, position, state, name, Role.SUB_GROUP)
            return result_of_group_function(name, Role.SUB_GROUP, contents)
        if name in ("get_max_local_range", "get_local_range"):
            run.ask_width()
        return run.indices.of_sub_group(name)
    if name in ("async_work_group_copy", "wait_for"):
        run.reach_barrier(frame, position, state, name, Role.WORK_GROUP)
        return UNIFORM
    if group is Role.WORK_GROUP and name == "get_id":
        name = "get_group_id"
    return run.indices.of_item(name, exact_of(contents[0]) if contents else None, chosen=bool(contents))


# -------------------------------------------------------------------- free calls


def _free_call(frame: Activation, position: int, callee: Name, state: State) -> Content | Activation:
    body, run = frame.body, frame.context.run
    last = callee.last
    library = not callee.qualifier or is_plain_function(callee, run.facts.namespaces)
    if last in LOCAL_ALLOCATORS or last in LOCAL_SCRATCH:
        return Content(Level.GRID, memory=Memory((body, position), True))
    closure = run.closure(frame, body.a[position]) if body.a[position] != ops.NONE else None
    if closure is not None:
        if len(run.solver.frames) >= MAX_CALLS:
            return UNKNOWN
        return enter_closure(frame, position, closure, state)
    if is_group_function(callee, run.facts.namespaces):
        return _group_function(frame, position, last, state)
    if last in SUB_GROUP_FUNCTIONS:
        return _sub_group_function(frame, position, last, state)
    if callee.qualifier and library:
        return _library(frame, position, last, state)
    return _named_call(frame, position, callee, state)


def _named_call(frame: Activation, position: int, callee: Name, state: State) -> Content | Activation:
    """A call of a function of the project, or of an unknown one."""
    body, run = frame.body, frame.context.run
    last = callee.last
    passed = _passed(frame, position)
    targets = _meant(frame, position, callee, passed)
    if targets.found:
        return _targets(frame, position, targets, passed, None, state)
    if is_atomic(last):
        for each in body.list(position)[:1]:
            run.store(state, place(frame, each))
        return Content(Level.ITEM)
    point = Point(body.around_of(position), body.call(position).start)
    is_object = not callee.qualifier and run.meanings.may_be_object(callee, *point)
    outside = run.evaluator.lookup.name(callee, point) if is_object else None
    if isinstance(outside, Closure) and isinstance(outside.function, Lambda):
        return _outside_lambda(frame, position, outside, state)
    targets = _of_object(frame, position, callee, "operator()")
    if targets.found:
        return _targets(frame, position, targets, passed, _held_by(frame, position, state), state)
    kind = run.evaluator.types.kind(callee)
    if kind.struct is not None or kind.is_number or is_plain_function(callee, {}):
        return _library(frame, position, last, state)
    _unfollowed(frame, position, state)
    if last in run.facts.macros or may_synchronise(last):
        state.written = frozenset()
    return UNKNOWN


def _held_by(frame: Activation, position: int, state: State) -> Content:
    """What an object that is called holds."""
    run, callee = frame.context.run, frame.body.a[position]
    return run.read(state, place(frame, callee)) if callee != ops.NONE else UNKNOWN


def _meant(frame: Activation, position: int, callee: Name, passed: tuple[Meaning | None, ...]) -> CallTargets:
    """The functions of the project that a call may run."""
    body = frame.body
    return frame.context.run.meanings.called(callee, body.call(position), passed, body.around_of(position))


def _outside_lambda(frame: Activation, position: int, outside: Closure, state: State) -> Content | Activation:
    """A lambda that was made outside the kernel."""
    run = frame.context.run
    if len(run.solver.frames) >= MAX_CALLS:
        return UNKNOWN
    body = run.bodies.of(outside.function, outside.place)
    return enter_closure(frame, position, LambdaValue(body, None), state)


def _targets(
    frame: Activation,
    position: int,
    targets: CallTargets,
    passed: Sequence[Meaning | None],
    owner: Content | None,
    state: State,
) -> Content | Activation:
    if len(targets.found) != 1 or not targets.sure or len(frame.context.run.solver.frames) >= MAX_CALLS:
        _unfollowed(frame, position, state)
        state.written = frozenset()
        return UNKNOWN
    (declared,) = targets.found
    if declared.node.body is None or declared.node.damaged:
        _unfollowed(frame, position, state)
        return UNKNOWN
    return enter(frame, position, declared, passed, owner, state)


def _library(frame: Activation, position: int, last: str, state: State) -> Content:
    """A function of SYCL or the C++ library, or a constructor: from values to a value, unless handed addresses."""
    body, run = frame.body, frame.context.run
    arguments = body.list(position)
    places = [place(frame, each) for each in arguments]
    if is_atomic(last) and last not in SETTERS:
        for content in places[:1]:
            run.store(state, content)
        return Content(Level.ITEM)
    nodes = [body.node[each] for each in arguments]
    addressed = any(
        (content.memory is not None and not content.through and content.number is None)
        or (isinstance(node, Unary) and node.operator == "&")
        for node, content in zip(nodes, places, strict=True)
    )
    values = [run.read(state, each) for each in places]
    _hand(frame, position, last, state)
    plain = all(isinstance(each, Name | Number | Index | Member) for each in nodes)
    if last == "swap" or (addressed and not plain):
        _unfollowed(frame, position, state)
    node = body.node[position]
    assert isinstance(node, Expr)
    if last == "mul24" and len(values) == 2:
        return run.arithmetic.arithmetic("*", values[0], values[1], node)
    return replace(collected(values), number=run.arithmetic.extremum(last, values))


def _hand(frame: Activation, position: int, last: str, state: State) -> None:
    """What a function of the C++ library takes by reference to change it, or to keep it."""
    run = frame.context.run
    for each in frame.body.list(position):
        if last in KEEPERS or run.closure(frame, each) is not None:
            run.keep(frame, state, each)
        elif last in SETTERS:
            run.forget(state, run.roots(frame, each))


def _group_function(frame: Activation, position: int, last: str, state: State) -> Content:
    run, arguments = frame.context.run, frame.body.list(position)
    group = frame.context.roles.of(arguments[0]) if arguments else None
    contents = _values(frame, position, state)[1:]
    if group is Role.PART:
        return UNKNOWN
    if group is not Role.WORK_GROUP and (group is Role.SUB_GROUP or takes_lane_of_group(last)):
        group = Role.SUB_GROUP
    if group is not Role.WORK_GROUP and group is not Role.SUB_GROUP:
        state.written = frozenset()
        return UNKNOWN
    run.reach_barrier(frame, position, state, last, group)
    return result_of_group_function(last, group, contents)


def _sub_group_function(frame: Activation, position: int, last: str, state: State) -> Content:
    arguments = frame.body.list(position)
    contents = _values(frame, position, state)
    group = frame.context.roles.of(arguments[0]) if arguments else None
    if len(contents) <= _LOGICAL_WIDTH and group is not Role.PART:
        frame.context.run.reach_barrier(frame, position, state, last, Role.SUB_GROUP)
    return result_of_group_function(last, Role.SUB_GROUP, contents[1:])
