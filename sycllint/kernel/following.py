"""Calls of a kernel: group functions, SYCL's and the library's, macros, and the functions that are followed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sycllint.cpp.expression import (
    Call,
    Expr,
    Index,
    Lambda,
    Member,
    Name,
    Number,
    Type,
    Unary,
)
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    Block,
    Function,
    Macro,
    Parameter,
)
from sycllint.facts.file import Declared
from sycllint.kernel.calls import (
    ADDRESS_MEMBERS,
    is_atomic,
    is_plain_function,
    result_of_group_function,
    takes_lane_of_group,
)
from sycllint.kernel.controls import Called, Names
from sycllint.kernel.levels import (
    UNIFORM,
    UNKNOWN,
    Content,
    Level,
    Memory,
    State,
    collected,
    exact_of,
    joined,
    merged,
    one_of,
    part_of,
)
from sycllint.kernel.meaning import LANES, Meaning, Role, Thing
from sycllint.kernel.operands import root_of
from sycllint.kernel.rounding import either_made
from sycllint.kernel.vocabulary import (
    GROUP_FUNCTIONS,
    ITEM_MAKERS,
    LOCAL_ALLOCATORS,
    LOCAL_SCRATCH,
    OLD_GROUP_FUNCTIONS,
    SUB_GROUP_FUNCTIONS,
    SUB_GROUP_MEMBERS,
    may_synchronise,
)
from sycllint.record import replace
from sycllint.symbols.overloads import Targets
from sycllint.values.library import SETTERS
from sycllint.values.objects import Closure, Frame, Point

if TYPE_CHECKING:
    from sycllint.kernel.flow import Walk

MAX_CALLS = 10
"""How deep calls are followed."""
_LOGICAL_WIDTH = 3
"""Arguments of SYCLomatic's shuffles before the width of the part of a sub-group that takes part."""


class Following:
    """The calls of one walk."""

    def __init__(self, walk: Walk) -> None:
        self._walk = walk
        self._frames: dict[tuple[Call, Function, Frame | None], Frame] = {}

    def role(self, expression: Expr, names: Names) -> Meaning | None:
        """The item or group that an expression stands for."""
        match expression:
            case Call(function=Name(last=last)) if last in ITEM_MAKERS:
                return Role.ITEM
            case _:
                return self._walk.meanings.of(expression, names.roles)

    def call(self, node: Call, place: Place, names: Names) -> Content:
        """What a call gives, whatever it calls."""
        function = node.function
        match function:
            case Member():
                return self._member_call(node, function, place, names)
            case Name():
                return self._free_call(node, function, place, names)
            case Lambda():
                contents = self._arguments(node, place, names)
                return self.run(function, place, names, contents, node.arguments)
            case _:
                self._walk.operands.value(function, place, names)
                self._unfollowed(node, self._arguments(node, place, names), names)
                return UNKNOWN

    def _arguments(self, node: Call, place: Place, names: Names) -> tuple[Content, ...]:
        return tuple(
            UNKNOWN if isinstance(each, Lambda) else self._walk.operands.lvalue(each, place, names)
            for each in node.arguments
        )

    def _unfollowed(self, node: Call, contents: tuple[Content, ...], names: Names) -> None:
        """What a function that is not in sight may have done to its arguments."""
        state = self._walk.state
        for argument, content in zip(node.arguments, contents, strict=True):
            self._walk.store(content)
            if isinstance(argument, Lambda) or (isinstance(argument, Name) and argument.text in names.closures):
                self._walk.disclosed.kept(argument, names)
                continue
            target = argument.operand if isinstance(argument, Unary) and argument.operator == "&" else argument
            root, _ = root_of(target)
            key = names.keys.get(root) if root else None
            if key is None or state is None or not isinstance(target, Name | Index | Member):
                continue
            if state.contents.get(key, UNKNOWN).memory is None:
                state.contents[key] = UNKNOWN

    def _member_call(self, node: Call, function: Member, place: Place, names: Names) -> Content:
        name = function.name
        role = self.role(function.object, names)
        if role in (Role.ITEM, Role.WORK_GROUP) or role in LANES:
            return self._of_group(node, function, role, place, names)
        contents = self._arguments(node, place, names)
        receiver = self._walk.operands.lvalue(function.object, place, names)
        if is_atomic(name):
            self._walk.store(receiver)
            return Content(Level.ITEM)
        if name in ADDRESS_MEMBERS and receiver.memory is not None:
            return replace(receiver, through=False, number=None)
        if receiver.ids and name in ("get", "size"):
            dimension = exact_of(self._walk.read(contents[0])) if contents else None
            return self._walk.indices.element(receiver.ids, dimension) if name == "get" else UNIFORM
        if isinstance(function.object, Name) and function.object.text == "this":
            passed = tuple(self._walk.meanings.of(each, names.roles) for each in node.arguments)
            targets = self._walk.meanings.called(Name(name, None, None, 0, 0), node, passed, place)
            return self._targets(targets, node, passed, contents, place, names, self._walk.called[-1].owner)
        if isinstance(role, Thing) and role.struct is not None:
            passed = tuple(self._walk.meanings.of(each, names.roles) for each in node.arguments)
            targets = self._walk.meanings.called_on(role.struct, name, node, passed, place)
            return self._targets(targets, node, passed, contents, place, names, self._walk.read(receiver))
        if not contents and name not in self._walk.facts.functions and receiver.memory is None:
            # A range of one dimension has as many elements as it says.
            return receiver if name == "size" and receiver.number is not None else part_of(receiver, name)
        self._unfollowed(node, contents, names)
        if may_synchronise(name, shouted=False):
            self._walk.uncertain_barrier()
        return UNKNOWN

    def _of_group(self, node: Call, function: Member, role: Meaning | None, place: Place, names: Names) -> Content:
        """A member function of an item or a group."""
        name = function.name
        contents = tuple(self._walk.read(each) for each in self._arguments(node, place, names))
        if role is Role.PART:
            return UNKNOWN
        if name == "barrier":
            self._walk.meet(node, "barrier", Role.SUB_GROUP if role is Role.SUB_GROUP else Role.WORK_GROUP, place)
            return UNIFORM
        if role is Role.SUB_GROUP:
            if name in SUB_GROUP_MEMBERS:
                self._walk.meet(node, name, Role.SUB_GROUP, place)
                return result_of_group_function(name, Role.SUB_GROUP, contents)
            self._walk.asks_width = self._walk.asks_width or name in ("get_max_local_range", "get_local_range")
            return self._walk.indices.of_sub_group(name)
        if name in ("async_work_group_copy", "wait_for"):
            self._walk.meet(node, name, Role.WORK_GROUP, place)
            return UNIFORM
        if role is Role.WORK_GROUP and name == "get_id":
            name = "get_group_id"
        return self._walk.indices.of_item(name, exact_of(contents[0]) if contents else None, chosen=bool(contents))

    def _free_call(self, node: Call, function: Name, place: Place, names: Names) -> Content:
        last = function.last
        library = not function.qualifier or is_plain_function(function, self._walk.facts.namespaces)
        if last in LOCAL_ALLOCATORS or last in LOCAL_SCRATCH:
            return Content(Level.GRID, memory=Memory(id(node), True))
        if not function.qualifier and last in names.closures:
            closure, at, around = names.closures[last]
            return self.run(closure, at, around, self._arguments(node, place, names), node.arguments)
        if library and last in GROUP_FUNCTIONS and (last not in OLD_GROUP_FUNCTIONS or function.qualifier):
            return self._group_function(node, last, place, names)
        if last in SUB_GROUP_FUNCTIONS:
            contents = tuple(self._walk.read(each) for each in self._arguments(node, place, names))
            group = self.role(node.arguments[0], names) if node.arguments else None
            if len(contents) <= _LOGICAL_WIDTH and group is not Role.PART:
                self._walk.meet(node, last, Role.SUB_GROUP, place)
            return result_of_group_function(last, Role.SUB_GROUP, contents[1:])
        macro = self._walk.evaluator.macros.macro(function, Point(place, node.start))
        if macro is not None and macro.parameters is not None:
            return self.macro(macro, node, place, names)
        contents = self._arguments(node, place, names)
        if function.qualifier and library:
            return self._library(node, last, contents, names)
        passed = tuple(self._walk.meanings.of(each, names.roles) for each in node.arguments)
        targets = self._walk.meanings.called(function, node, passed, place)
        if targets.found:
            return self._targets(targets, node, passed, contents, place, names, None)
        if is_atomic(last):
            for content in contents[:1]:
                self._walk.store(content)
            return Content(Level.ITEM)
        outside = (
            self._walk.evaluator.lookup.name(function, Point(place, node.start)) if not function.qualifier else None
        )
        if isinstance(outside, Closure):
            return self.run(outside.function, outside.place, Names({}, {}, {}), contents, node.arguments)
        kind = self._walk.evaluator.types.kind(function)
        if kind.struct is not None or kind.is_number or is_plain_function(function, {}):
            return self._library(node, last, contents, names)
        self._unfollowed(node, contents, names)
        if last in self._walk.facts.macros or may_synchronise(last):
            self._walk.uncertain_barrier()
        return UNKNOWN

    def _library(self, node: Call, last: str, contents: tuple[Content, ...], names: Names) -> Content:
        """A function of SYCL or the C++ library, or a constructor: from values to a value, unless handed addresses."""
        if is_atomic(last) and last not in SETTERS:
            for content in contents[:1]:
                self._walk.store(content)
            return Content(Level.ITEM)
        addressed = any(
            (content.memory is not None and not content.through and content.number is None)
            or (isinstance(each, Unary) and each.operator == "&")
            for each, content in zip(node.arguments, contents, strict=True)
        )
        values = [self._walk.read(each) for each in contents]
        self._walk.disclosed.given_to(node, last, names)
        plain = all(isinstance(each, Name | Number | Index | Member) for each in node.arguments)
        if last == "swap" or (addressed and not plain):
            self._unfollowed(node, contents, names)
        if last == "mul24" and len(values) == 2:
            return self._walk.operands.arithmetic("*", values[0], values[1], node)
        number = self._walk.operands.extremum(last, values)
        return replace(collected(values), number=number)

    def _group_function(self, node: Call, last: str, place: Place, names: Names) -> Content:
        role = self.role(node.arguments[0], names) if node.arguments else None
        contents = tuple(self._walk.read(each) for each in self._arguments(node, place, names)[1:])
        if role is Role.PART:
            return UNKNOWN
        if role is not Role.WORK_GROUP and (role is Role.SUB_GROUP or takes_lane_of_group(last)):
            role = Role.SUB_GROUP
        if role not in (Role.WORK_GROUP, Role.SUB_GROUP):
            self._walk.uncertain_barrier()
            return UNKNOWN
        self._walk.meet(node, last, role, place)
        return result_of_group_function(last, role, contents)

    def macro(self, macro: Macro, use: Call | Name, place: Place, names: Names) -> Content:
        """A macro's text where it is used: its parameters are what they are called with."""
        body: Node | None = macro.body if macro.body is not None else macro.value
        arguments = use.arguments if isinstance(use, Call) else ()
        if body is None or self._walk.expanding >= MAX_CALLS or not macro.fits(arguments):
            if macro.text:
                self._walk.uncertain_barrier()
            for argument in arguments:
                self._walk.operands.value(argument, place, names)
            return UNKNOWN
        inner = names.inner()
        for name, argument in macro.handed(arguments):
            role = self.role(argument, names)
            if role is not None:
                inner.roles[name] = role
            if isinstance(argument, Name) and argument.text in names.keys:
                inner.keys[name] = names.keys[argument.text]
                continue
            content = self._walk.operands.lvalue(argument, place, names)
            self._walk.bind(name, (id(macro), name, self._walk.expanding), content, inner)
        around = Place(body, Place(macro, place))
        use_before, self._walk.use = self._walk.use, self._walk.use or self._walk.location(use, place)
        self._walk.expanding += 1
        result = UNIFORM
        if isinstance(body, Block):
            for statement in body.statements:
                self._walk.statements.statement(statement, Place(statement, around), inner)
        elif isinstance(body, Expr):
            result = self._walk.operands.lvalue(body, around, inner)
        self._walk.expanding -= 1
        self._walk.use = use_before
        return result

    def _targets(
        self,
        targets: Targets,
        node: Call,
        passed: tuple[Meaning | None, ...],
        contents: tuple[Content, ...],
        place: Place,
        names: Names,
        owner: Content | None,
    ) -> Content:
        if len(targets.found) != 1 or not targets.sure or len(self._walk.called) >= MAX_CALLS:
            self._unfollowed(node, contents, names)
            self._walk.uncertain_barrier()
            return UNKNOWN
        (declared,) = targets.found
        return self._enter(declared, node, passed, contents, place, names, owner)

    def _enter(
        self,
        declared: Declared[Function],
        node: Call,
        passed: tuple[Meaning | None, ...],
        contents: tuple[Content, ...],
        place: Place,
        names: Names,
        owner: Content | None,
    ) -> Content:
        function = declared.node
        if function.body is None or function.damaged:
            self._unfollowed(node, contents, names)
            return UNKNOWN
        symbols = self._walk.evaluator.symbols
        struct = symbols.class_of(declared)
        definition = symbols.definition(struct)
        roles = dict(self._walk.meanings.members(definition)) if definition is not None else {}
        roles |= self._walk.meanings.parameters(function.parameters)
        inner = Names({}, roles, {})
        for parameter, meaning in zip(function.parameters, passed, strict=False):
            if meaning is not None:
                inner.roles[parameter.name] = meaning
        self._parameters(function.parameters, node.arguments, contents, names, inner)
        evaluator, body = self._walk.evaluator, function.body
        templates = (node.function.arguments if isinstance(node.function, Name | Member) else None) or ()
        outer, scope = evaluator.frame, self._walk.scope
        frame = self._frame(function, templates, node, place)
        evaluator.frame = frame
        self._walk.scope = frame if struct is not None or function.template_parameters else function
        if struct is None:
            owner = None
        elif owner is None and self._walk.called[-1].owner is not None:
            owner = self._walk.called[-1].owner
        self._walk.chain.append(self._walk.use if self._walk.use is not None else self._walk.location(node, place))
        use, self._walk.use = self._walk.use, None
        result = self._followed(owner, lambda: self._walk.statements.block(body, Place(body, declared.place), inner))
        self._walk.use = use
        self._walk.chain.pop()
        evaluator.frame, self._walk.scope = outer, scope
        return result

    def _frame(self, function: Function, templates: tuple[Expr, ...], node: Call, place: Place) -> Frame:
        """The frame of a call: one and the same in every round of a loop, so that what is known in it is found."""
        key = (node, function, self._walk.evaluator.frame)
        found = self._frames.get(key) if not self._walk.expanding else None
        if found is None:
            _, _, outer = key
            found = Frame(function, node.arguments, templates, Point(place, node.start), node, outer)
            self._frames[key] = found
        return found

    def _parameters(
        self,
        parameters: tuple[Parameter, ...],
        arguments: tuple[Expr, ...],
        contents: tuple[Content, ...],
        names: Names,
        inner: Names,
    ) -> None:
        for position, parameter in enumerate(parameters):
            if position >= len(contents):
                self._walk.bind(
                    parameter.name, id(parameter), UNIFORM if parameter.default is not None else UNKNOWN, inner
                )
                continue
            argument, content = arguments[position], contents[position]
            if isinstance(argument, Name) and argument.text in names.closures:
                inner.closures[parameter.name] = names.closures[argument.text]
                continue
            if isinstance(argument, Lambda):
                place = Place(argument, None)
                inner.closures[parameter.name] = (argument, place, names)
                continue
            key = names.keys.get(argument.text) if isinstance(argument, Name) else None
            if parameter.type.reference and key is not None:
                inner.keys[parameter.name] = key
                continue
            if not parameter.type.reference:
                content = self._walk.operands.typed(self._walk.read(content), parameter.type)
            elif content.memory is not None and content.memory.is_local and self._is_number(parameter.type):
                # An accessor of no dimensions converts to its element.
                content = replace(content, through=True)
            self._walk.bind(parameter.name, (id(parameter), len(self._walk.called)), content, inner)

    def _is_number(self, kind: Type) -> bool:
        resolved = self._walk.evaluator.types.kind(kind.name)
        return not kind.pointers and resolved.is_number

    def run(
        self, function: Lambda, place: Place, names: Names, contents: tuple[Content, ...], arguments: tuple[Expr, ...]
    ) -> Content:
        """A lambda that is called."""
        if len(self._walk.called) >= MAX_CALLS:
            return UNKNOWN
        inner = names.inner()
        inner.roles.update(self._walk.meanings.parameters(function.parameters))
        for parameter, argument in zip(function.parameters, arguments, strict=False):
            role = self.role(argument, names)
            if role is not None:
                inner.roles[parameter.name] = role
        self._parameters(function.parameters, arguments, contents, names, inner)
        scope, self._walk.scope = self._walk.scope, (function, self._walk.scope)
        result = self._followed(
            self._walk.called[-1].owner,
            lambda: self._walk.statements.block(function.body, Place(function.body, place), inner),
        )
        self._walk.scope = scope
        return result

    def _followed(self, owner: Content | None, walk: Callable[[], None]) -> Content:
        """What a function gives; what left it early is back after the call."""
        if self._walk.state is None:
            return UNKNOWN
        called = Called(owner, len(self._walk.controls), len(self._walk.exits))
        self._walk.called.append(called)
        loops, self._walk.loops = self._walk.loops, []
        walk()
        self._walk.loops = loops
        self._walk.called.pop()
        del self._walk.exits[called.exits :]
        state: State | None = self._walk.state
        for each in called.states:
            state = merged(state, each, called.left)
        self._walk.state = state
        if not called.contents:
            return UNIFORM
        return _returned(called)


def _returned(called: Called) -> Content:
    """What a function gives that was followed: one of what its returns do."""
    first, *others = called.contents
    if not others:
        return first
    memories = {each.memory for each in called.contents if each.number is None}
    level = joined((called.left, *(each.level for each in called.contents)))
    found = Content(level, first.number, memories.pop() if len(memories) == 1 else None, made=first.made)
    for each in others:
        found = replace(found, number=one_of(found, each, level), made=either_made(found.made, each.made))
    return found
