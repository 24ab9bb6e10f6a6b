"""What a kernel does, followed through the functions and macros of its file: barriers, collectives, loops, arrays."""

from collections.abc import Callable, Iterable
from functools import partial

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Brace,
    Call,
    Cast,
    Character,
    Conditional,
    Expr,
    Increment,
    Index,
    Lambda,
    Member,
    Name,
    Number,
    Opaque,
    SizeOf,
    Text,
    Type,
    Unary,
)
from sycllint.cpp.node import Node, children
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    CONST,
    STATIC,
    Block,
    Declaration,
    Evaluate,
    Function,
    If,
    Include,
    Loop,
    Macro,
    RangeLoop,
    Struct,
    Variable,
    Variants,
)
from sycllint.facts.file import Declared
from sycllint.kernel.certainty import guessed, guessed_names, truth
from sycllint.kernel.meaning import LANES, Kept, Meaning, Meanings, Pack, Renamed, Role, Scope, Thing
from sycllint.kernel.targets import Calls, Targets
from sycllint.kernel.vocabulary import (
    GROUP_FUNCTIONS,
    GROUP_HANDLES,
    LOCAL_ALLOCATORS,
    LOCAL_SCRATCH,
    OLD_GROUP_FUNCTIONS,
    STATIC_LOCAL,
    SUB_GROUP_FUNCTIONS,
    SUB_GROUP_MEMBERS,
    may_synchronise,
)
from sycllint.record import field, mutable, record, replace
from sycllint.source.span import Location, Span
from sycllint.values.arithmetic import join
from sycllint.values.evaluate import Evaluator
from sycllint.values.frame import Frame
from sycllint.values.objects import Closure, Instance, Point
from sycllint.values.types import qualifier_is_sycl
from sycllint.values.value import Known, Unknown, Value

MAX_OVERLOADS = 6
MAX_CALLS = 12
"""How deep calls are followed."""

_LIBRARY = frozenset({"sycl", "intel", "ONEAPI", "oneapi", "syclcompat", "syclex"})
_LEAVES = frozenset({Number, Text, Character, Type, SizeOf, Struct, Function, Macro})
"""Nodes with nothing to visit inside."""
_PLAIN = frozenset({Assign, Binary, Cast, Conditional, Increment, Index, Member, Unary})
"""Nodes that are only what is inside them."""


@record
class Sized:
    """An array or a local allocation made in a kernel, and where its type was read, to be measured again."""

    name: str
    element: str
    bytes: Value
    location: Location
    type: Type | None
    """``None`` when the size cannot be read off a type."""
    point: Point
    frame: Frame | None
    """The calls inside the kernel that lead there."""
    is_open: bool = False
    """Its size hangs on how the kernel is reached."""
    optional: bool = False
    """It is made in some builds, or in one of several functions that may be called."""

    def measured(self, evaluator: Evaluator, frame: Frame | None) -> "Sized":
        """The same for a kernel that is reached by ``frame``."""
        if self.type is None or not self.is_open:
            return self
        outer, evaluator.frame = evaluator.frame, evaluator.frames.rooted(self.frame, frame)
        size = evaluator.sizes.of_type(self.type, self.point)
        evaluator.frame = outer
        return replace(self, bytes=join([Known(0), size]) if self.optional else size)


@mutable
class Scan:
    """What was seen; filled while walking."""

    body_found: bool = True
    barriers: list[Location] = field(default_factory=list)
    sub_group_operations: list[Location] = field(default_factory=list)
    loops: list[Location] = field(default_factory=list)
    statements: int = 0
    calls_unknown: bool = False
    """Something that may hold a barrier is not in sight, or is there only in some builds."""
    questions: list[tuple[Expr, Point, Frame | None]] = field(default_factory=list)
    """Conditions on template arguments that decide whether a barrier is there, and the calls that lead to them."""
    arrays: list[Sized] = field(default_factory=list)
    local: list[Sized] = field(default_factory=list)
    """Local memory made inside the kernel."""

    def answers(self, evaluator: Evaluator, frame: Frame | None) -> tuple[bool | None, ...]:
        """The answers to ``questions`` in a kernel that is reached by ``frame``."""
        outer = evaluator.frame
        found: list[bool | None] = []
        for condition, point, inner in self.questions:
            evaluator.frame = evaluator.frames.rooted(inner, frame)
            found.append(truth(evaluator, condition, point))
        evaluator.frame = outer
        return tuple(found)

    def measured(self, evaluator: Evaluator, frame: Frame | None) -> "Scan":
        """The same for a kernel that is reached by ``frame``, as far as sizes go."""
        return replace(
            self,
            arrays=[each.measured(evaluator, frame) for each in self.arrays],
            local=[each.measured(evaluator, frame) for each in self.local],
        )


class Calling:
    """What the scans of one unit's kernels share: where expressions do something worth a visit, what names mean."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.meanings = Meanings(evaluator)
        self.calls = Calls(evaluator, self.meanings)
        self._found: dict[Node, tuple[Node, ...]] = {}

    def of(self, expression: Node) -> tuple[Node, ...]:
        """The outermost nodes inside ``expression`` that a scan visits, in order."""
        found = self._found.get(expression)
        if found is None:
            visited: list[Node] = []
            _gather(expression, visited)
            found = self._found[expression] = tuple(visited)
        return found


def _gather(expression: Node, visited: list[Node]) -> None:
    for child in children(expression):
        kind = type(child)
        if kind in _VISITS:
            visited.append(child)
        elif kind not in _LEAVES and kind is not Name:
            _gather(child, visited)


class Scanner:
    """One walk over one kernel."""

    def __init__(self, evaluator: Evaluator, calling: Calling) -> None:
        self._evaluator = evaluator
        self._calling = calling
        self._way = evaluator.frame
        """How the kernel is reached, where it is looked at for one way: then nothing tells what hangs on the way."""
        self._content: bytes | None = None
        """The text of the function being walked; ``None`` inside a macro's."""
        self._keeps = False
        """A lambda has a name, so that the name by itself may run it."""
        self._facts = evaluator.facts
        self._meanings = calling.meanings
        self._calls = calling.calls
        self._seen: dict[object, tuple[Location, ...]] = {}
        """The barriers of each function already entered, by what it was handed."""
        self.scan = Scan()

    def closure(self, function: Lambda, place: Place) -> Scan:
        """The kernel is a lambda at ``place``."""
        self.scan.body_found = not function.damaged
        self._body(function.body, place, self._meanings.parameters(function.parameters, kernel=True), 0)
        return self.scan

    def function(self, declared: Declared[Function]) -> Scan:
        """The kernel is a function, or the call operator of a function object."""
        node = declared.node
        self.scan.body_found = node.body is not None and not node.damaged
        if node.body is not None:
            scope = self._own_members(declared) | self._meanings.parameters(node.parameters, kernel=True)
            self._body(node.body, declared.place, scope, 0)
        return self.scan

    def _own_members(self, declared: Declared[Function]) -> Scope:
        owner = self._calls.owner(declared)
        structs = self._facts.structs.get(owner) if owner is not None else ()
        return dict(self._meanings.members(structs[0])) if len(structs) == 1 else {}

    def _location(self, node: Node, place: Place) -> Location:
        start = getattr(node, "start", 0)
        return Location(self._facts.file_at(place).path, Span(start, getattr(node, "end", start)))

    # ------------------------------------------------------------------ walk

    def _body(self, body: Block, place: Place, scope: Scope, depth: int) -> None:
        """A function's body; branches of it that were left out to read the file may synchronise too."""
        names = guessed_names(self._facts, place, Span(body.start, body.end))
        if any(name in GROUP_FUNCTIONS or may_synchronise(name, shouted=False) for name in names):
            self.scan.calls_unknown = True
        inside = Place(body, place)
        outer, self._content = self._content, self._facts.content_at(inside)
        self._walk(body, inside, scope, depth)
        self._content = outer

    def _is_silent(self, expression: Node) -> bool:
        """Whether the text of an expression surely holds no call and no lambda, nor the name of one."""
        content = self._content
        if content is None or self._keeps or type(expression) is Member:
            return False
        start, end = expression.start, expression.end  # type: ignore[attr-defined]
        return content.find(b"(", start, end) < 0 and content.find(b"{", start, end) < 0

    def _inside(self, node: Node, place: Place, scope: Scope, depth: int) -> None:
        self._each(children(node), place, scope, depth)

    def _each(self, nodes: Iterable[Node], place: Place, scope: Scope, depth: int) -> None:
        for child in nodes:
            kind = type(child)
            if kind in _LEAVES:
                continue
            if kind is Name:
                kept = scope.get(child.text)  # type: ignore[attr-defined]
                if type(kept) is Kept:
                    self._enter_kept(kept, (), depth)
                continue
            if kind in _PLAIN and not self._keeps:
                # Most expressions hold no call: then there is nothing to visit, and no place to be made on the way.
                if not self._is_silent(child):
                    for each in self._calling.of(child):
                        self._walk(each, Place(each, place), scope, depth)
                continue
            self._walk(child, Place(child, place), scope, depth)

    def _walk(self, node: Node, place: Place, scope: Scope, depth: int) -> None:
        """Visit ``node`` at ``place``; ``scope`` is extended by what its declarations name."""
        visit = _VISITS.get(type(node))
        if visit is not None:
            visit(self, node, place, scope, depth)
        else:
            self._inside(node, place, scope, depth)

    def _block(self, node: Block, place: Place, scope: Scope, depth: int) -> None:
        self._statements(node, place, dict(scope), depth)

    def _statements(self, node: Block, place: Place, scope: Scope, depth: int) -> None:
        self.scan.statements += len(node.statements)
        for statement in node.statements:
            if type(statement) not in _LEAVES:
                self._walk(statement, Place(statement, place), scope, depth)

    def _evaluate(self, node: Evaluate, place: Place, scope: Scope, depth: int) -> None:
        expression = node.expression
        if isinstance(expression, Name):
            self._statement_name(expression, place, scope, depth)
        elif not self._is_silent(node):
            self._inside(node, place, scope, depth)

    def _statement_name(self, name: Name, place: Place, scope: Scope, depth: int) -> None:
        """``SYNC;``: a macro without arguments."""
        macro = self._evaluator.macros.macro(name, Point(place, name.start))
        if macro is not None:
            self._enter_macro(macro, name, Place(name, place), scope, depth)
        elif name.last in self._facts.macros or (name.last not in scope and may_synchronise(name.last)):
            self.scan.calls_unknown = True

    def _loop(self, node: Loop | RangeLoop, place: Place, scope: Scope, depth: int) -> None:
        location = self._location(node, place)
        if location not in self.scan.loops:
            self.scan.loops.append(location)
        self._inside(node, place, dict(scope), depth)

    def _if(self, node: If, place: Place, scope: Scope, depth: int) -> None:
        """Both branches, but no barrier of one that is surely not taken."""
        before = self.scan.barriers
        inner = dict(scope)
        self.scan.barriers = seen = []
        for part in (node.initializer, node.condition):
            if part is not None and type(part) not in _LEAVES:
                self._walk(part, Place(part, place), inner, depth)
        for branch, taken in ((node.then, True), (node.otherwise, False)):
            if branch is None:
                continue
            found: list[Location] = []
            self.scan.barriers = found
            self._walk(branch, Place(branch, place), inner, depth)
            if found and node.condition is not None:
                known = self._truth(node.condition, Point(place, node.start + 1))
                found = found if known is None or known is taken else []
            seen += found
        self.scan.barriers = before
        self._reach(seen)

    def _truth(self, condition: Expr, point: Point) -> bool | None:
        evaluator = self._evaluator
        before, evaluator.free = evaluator.free, {}
        known = truth(evaluator, condition, point)
        if evaluator.free:
            self.scan.questions.append((condition, point, evaluator.frame))
        before.update(evaluator.free)
        evaluator.free = before
        return known

    def _variants(self, node: Variants, place: Place, scope: Scope, depth: int) -> None:
        """Branches of the preprocessor: a barrier in some of those that may be compiled is not certain."""
        walks: list[Callable[[], None]] = []
        complete = False
        for arm in node.arms:
            compiled = self._evaluator.macros.arm(arm, place)
            if compiled is False:
                continue
            around = Place(arm.body, Place(arm, place))
            if compiled:
                self._statements(arm.body, around, scope, depth)
                return
            walks.append(partial(self._statements, arm.body, around, scope, depth))
            complete = complete or arm.keyword == "else"
        self._alternatives(walks, complete=complete)

    def _alternatives(self, walks: list[Callable[[], None]], *, complete: bool) -> None:
        """Ways of which one is taken; when they are ``complete`` and each has a barrier, there is one."""
        scan = self.scan
        before = scan.barriers
        found: list[list[Location]] = []
        for walk in walks:
            arrays, local = len(scan.arrays), len(scan.local)
            scan.barriers = []
            walk()
            found.append(scan.barriers)
            if len(walks) > 1 or not complete:
                scan.arrays[arrays:] = map(_optional, scan.arrays[arrays:])
                scan.local[local:] = map(_optional, scan.local[local:])
        scan.barriers = before
        if complete and all(found):
            self._reach([each for one in found for each in one])
        elif any(found):
            scan.calls_unknown = True

    def _reach(self, barriers: list[Location] | tuple[Location, ...]) -> None:
        known = self.scan.barriers
        known += [each for each in barriers if each not in known]

    def _barrier(self, node: Node, place: Place) -> None:
        location = self._location(node, place)
        if guessed(self._facts, place, location.span.start):
            self.scan.calls_unknown = True
        else:
            self._reach([location])

    def _include(self, node: Include, place: Place, scope: Scope, depth: int) -> None:
        """The text of a kernel in another file: read in its place, or it may hold anything."""
        found = self._facts.included(node)
        if found is None or depth >= MAX_CALLS:
            self.scan.calls_unknown = True
            return
        if found.damaged:
            self.scan.calls_unknown = True
        self.scan.statements += len(found.unit.statements)
        around = Place(found.unit, place)
        outer, self._content = self._content, None
        for statement in found.unit.statements:
            self._walk(statement, Place(statement, around), scope, depth + 1)
        self._content = outer

    def _lambda(self, node: Lambda, place: Place, scope: Scope, depth: int) -> None:
        """A lambda handed to something, which may run it."""
        self._enter_kept(Kept(node, place, dict(scope)), (), depth)

    def _opaque(self, node: Opaque, place: Place, scope: Scope, depth: int) -> None:
        if "asm" in node.kind:
            self.scan.calls_unknown = True
        self._inside(node, place, scope, depth)

    # ---------------------------------------------------------- declarations

    def _declaration(self, node: Declaration, place: Place, scope: Scope, depth: int) -> None:
        for variable in node.variables:
            self._variable(variable, place, scope, depth)

    def _variable(self, variable: Variable, place: Place, scope: Scope, depth: int) -> None:
        kind = variable.type
        here = Place(variable, place)
        arguments = variable.arguments
        meaning: Meaning | None = self._meanings.of_type(kind.name)
        lambdas = len(arguments) == 1 and isinstance(arguments[0], Lambda)
        if not lambdas:
            self._inside(variable, here, scope, depth)
        if meaning is None:
            meaning = self._initial(variable, here, scope, depth)
        scope[variable.name] = meaning if meaning is not None else Role.OTHER
        if kind.extents and not kind.reference and not variable.flags & (STATIC | CONST):
            entry = self._sized(variable.name, "", kind, Point(place, variable.start), self._location(variable, here))
            if not any(each.location == entry.location and each.bytes == entry.bytes for each in self.scan.arrays):
                self.scan.arrays.append(entry)
        if kind.name.last in STATIC_LOCAL and kind.name.arguments:
            self._local(variable.name, kind.name.arguments[0], variable, here)

    def _initial(self, variable: Variable, place: Place, scope: Scope, depth: int) -> Meaning | None:
        """What a variable stands for by its initialiser and class."""
        arguments = variable.arguments
        only = arguments[0] if len(arguments) == 1 else None
        if variable.type.name.last in GROUP_HANDLES and arguments:
            return self._meanings.of(arguments[0], scope)
        struct = self._evaluator.types.kind(variable.type.name).struct
        if isinstance(only, Lambda):
            self._keeps = True
            return Kept(only, Place(only, place), scope)
        if struct is not None:
            holds = self._meanings.any_held(arguments, scope)
            if holds:
                self._construct(struct, variable, arguments, place, scope, depth)
            return Thing(struct, holds)
        if only is not None and (self._is_plain(variable.type) or variable.type.pointers or variable.type.reference):
            meaning = self._meanings.of(only, scope)
            if meaning is not None:
                return meaning
            name = only.operand if isinstance(only, Unary) and only.operator == "&" else only
            if isinstance(name, Name) and name.last in self._facts.functions:
                return Renamed(name)
            if isinstance(only, Call) and self._meanings.any_held(only.arguments, scope):
                return self._result(only)
        if self._meanings.any_held(arguments, scope) and not self._is_plain(variable.type):
            # A class out of sight is made from the item: what it does with it is not known.
            self.scan.calls_unknown = True
            return Thing(None, True)
        return None

    def _is_plain(self, kind: Type) -> bool:
        resolved = self._evaluator.types.kind(kind.name)
        qualifier = kind.name.qualifier
        library = qualifier.startswith("std") or (bool(qualifier) and self._is_sycl(qualifier))
        return library or resolved.integer is not None or resolved.floating or resolved.automatic

    def _result(self, call: Call) -> Meaning | None:
        """What a function that is handed the item gives back: it may hold it."""
        if not isinstance(call.function, Name):
            return None
        function = call.function
        if function.qualifier and (self._is_sycl(function.qualifier) or function.qualifier.startswith("std")):
            return None
        for each in self._facts.functions.get(function.last):
            returns = each.node.returns
            kind = self._evaluator.types.kind(returns.name) if returns is not None else None
            if kind is not None and kind.struct is None and not kind.automatic:
                return None
            return Thing(kind.struct if kind is not None else None, True)
        return Thing(None, True)

    def _local(self, name: str, element: Expr, node: Node, place: Place) -> None:
        kind = element if isinstance(element, Type) else None
        if isinstance(element, Name):
            kind = Type(element, 0, False, False, (), element.start, element.end)
        if kind is None:
            unknown = self._evaluator.unknown("the size of a local allocation", None)
            self._local_of_unknown_size(name, unknown, node, place)
            return
        text, point = kind.name.text, Point(place, kind.start)
        self.scan.local.append(self._sized(name, text, kind, point, self._location(node, place)))

    def _local_of_unknown_size(self, name: str, size: Unknown, node: Node, place: Place) -> None:
        point, where = Point(place, getattr(node, "start", 0)), self._location(node, place)
        self.scan.local.append(Sized(name, "", size, where, None, point, self._evaluator.frame))

    def _sized(self, name: str, element: str, kind: Type, point: Point, where: Location) -> Sized:
        evaluator = self._evaluator
        asked, evaluator.free = evaluator.free, {}
        size = evaluator.sizes.of_type(kind, point)
        is_open = self._way is not None or bool(evaluator.free)
        evaluator.free = asked | evaluator.free
        calls = evaluator.frames.within(evaluator.frame, self._way)
        return Sized(name, element, size, where, kind, point, calls, is_open)

    # ----------------------------------------------------------------- calls

    def _call(self, node: Call, place: Place, scope: Scope, depth: int) -> None:
        function = node.function
        passed = self._passed(node.arguments, place, scope)
        match function:
            case Member():
                self._member_call(node, function, passed, place, scope, depth)
            case Name():
                self._free_call(node, function, passed, place, scope, depth)
            case Lambda():
                self._enter_kept(Kept(function, Place(function, place), dict(scope)), passed, depth)
            case Call() | Brace():
                self._call_object(node, self._object(function, place, scope), passed, place, scope, depth)
            case _:
                self._unseen(passed)
        if isinstance(function, Member):
            self._each((function.object,), place, scope, depth)
        elif not isinstance(function, Name | Lambda):
            self._each((function,), place, scope, depth)
        self._each(node.arguments, place, scope, depth)

    def _passed(self, arguments: tuple[Expr, ...], place: Place, scope: Scope) -> tuple[Meaning | None, ...]:
        """What a call hands over: each argument's meaning, those of a pack one by one."""
        passed: list[Meaning | None] = []
        for each in arguments:
            kind = type(each)
            if kind is Name:
                passed.append(scope.get(each.text))  # type: ignore[union-attr]
            elif kind is Lambda:
                self._keeps = True
                passed.append(Kept(each, Place(each, place), dict(scope)))  # type: ignore[arg-type]
            elif kind is Opaque and each.is_pack:  # type: ignore[union-attr]
                passed.extend(self._meanings.expanded(each, scope))
            else:
                passed.append(self._meanings.of(each, scope))
        return tuple(passed)

    def _object(self, made: Call | Brace, place: Place, scope: Scope) -> Meaning | None:
        """What an object that is made to be called stands for; its class may be known here alone."""
        meaning = self._meanings.of(made, scope)
        kind = made.function if isinstance(made, Call) else made.type
        if meaning is not None or not isinstance(kind, Name):
            return meaning
        arguments = made.arguments if isinstance(made, Call) else made.elements
        struct = self._evaluator.kind(kind, Point(place, made.start)).struct
        return Thing(struct, self._meanings.any_held(arguments, scope)) if struct is not None else None

    def _unseen(self, passed: tuple[Meaning | None, ...]) -> None:
        """A function that is not in sight: with the item it can synchronise."""
        if any(_holds(each) for each in passed):
            self.scan.calls_unknown = True

    def _member_call(
        self, call: Call, function: Member, passed: tuple[Meaning | None, ...], place: Place, scope: Scope, depth: int
    ) -> None:
        name = function.name
        receiver = self._meanings.of(function.object, scope)
        if name in ("barrier", "wait", "wait_for") and name in self._facts.functions and isinstance(receiver, Thing):
            self._call_method(call, name, receiver, passed, place, depth)
        elif name == "barrier":
            if receiver in LANES:
                self.scan.sub_group_operations.append(self._location(call, place))
            elif receiver in (Role.ITEM, Role.WORK_GROUP):
                self._barrier(call, place)
            else:
                self.scan.calls_unknown = True
        elif receiver in LANES and name in SUB_GROUP_MEMBERS:
            self.scan.sub_group_operations.append(self._location(call, place))
        elif name in ("parallel_for_work_item", "wait_for", "async_work_group_copy"):
            self._barrier(call, place)
        elif isinstance(receiver, Thing) and (receiver.holds or any(_holds(each) for each in passed)):
            self._call_method(call, name, receiver, passed, place, depth)
        elif isinstance(function.object, Name) and function.object.text == "this":
            targets = self._calls.of_method(name, None, passed)
            around = self._calls.of_name(Name(name, None, None, 0, 0), passed, place)
            self._enter_targets(around if around.found else targets, call, passed, place, depth)
        elif any(_holds(each) for each in passed):
            self._enter_targets(
                self._calls.of_method(name, self._class(function.object, place), passed), call, passed, place, depth
            )
        elif name in self._facts.macros:
            self.scan.calls_unknown = True

    def _class(self, receiver: Expr, place: Place) -> Declared[Struct] | None:
        if not isinstance(receiver, Name):
            return None
        declared = self._evaluator.lookup.declaration(receiver, Point(place, receiver.start))
        return self._evaluator.types.kind(declared.name).struct if declared is not None else None

    def _call_method(
        self, call: Call, name: str, thing: Thing, passed: tuple[Meaning | None, ...], place: Place, depth: int
    ) -> None:
        targets = self._calls.of_method(name, thing.struct, passed) if thing.struct is not None else Targets()
        if not targets.found:
            self.scan.calls_unknown = True
        self._enter_targets(targets, call, passed, place, depth)

    def _call_object(
        self,
        call: Call,
        thing: Meaning | None,
        passed: tuple[Meaning | None, ...],
        place: Place,
        scope: Scope,
        depth: int,
    ) -> None:
        """``object(it)``: the call operator of its class."""
        if isinstance(thing, Thing) and thing.struct is not None:
            if thing.holds or any(_holds(each) for each in passed):
                self._call_method(call, "operator()", thing, passed, place, depth)
        else:
            self._unseen(passed)

    def _free_call(
        self, call: Call, function: Name, passed: tuple[Meaning | None, ...], place: Place, scope: Scope, depth: int
    ) -> None:
        qualifier, _, last = function.text.rpartition("::")
        qualified = bool(qualifier)
        sycl = not qualified or self._is_sycl(qualifier)
        if last in LOCAL_ALLOCATORS and function.arguments and sycl:
            self._local(last, function.arguments[0], call, place)
            return
        if last in LOCAL_SCRATCH:
            size = self._evaluator.unknown("scratch memory of a size given at launch", call)
            self._local_of_unknown_size(last, size, call, place)
            return
        if sycl and last in GROUP_FUNCTIONS and (last not in OLD_GROUP_FUNCTIONS or qualified):
            self._group_function(call, last, passed, place)
            return
        if last in SUB_GROUP_FUNCTIONS and passed and passed[0] in LANES and last not in self._facts.functions:
            self.scan.sub_group_operations.append(self._location(call, place))
            return
        kept = scope.get(last) if not qualified else None
        if isinstance(kept, Kept):
            self._enter_kept(kept, passed, depth)
            return
        if isinstance(kept, Thing):
            self._call_object(call, kept, passed, place, scope, depth)
            return
        if isinstance(kept, Renamed):
            function, last = kept.function, kept.function.last
        point = Point(place.outer if place.outer is not None else place, call.start)
        macro = self._evaluator.macros.macro(function, point)
        if macro is not None:
            if macro.parameters is None and isinstance(macro.value, Name) and macro.value.text != function.text:
                renamed = Call(macro.value, call.arguments, call.start, call.end)
                self._free_call(renamed, macro.value, passed, Place(renamed, place.outer), scope, depth)
            else:
                self._enter_macro(macro, call, place, scope, depth)
            return
        if qualified and (sycl or function.qualifier.startswith("std")):
            self.scan.calls_unknown = self.scan.calls_unknown or may_synchronise(last, shouted=False)
            return
        self._called(call, function, passed, place, scope, depth)

    def _called(
        self, call: Call, function: Name, passed: tuple[Meaning | None, ...], place: Place, scope: Scope, depth: int
    ) -> None:
        """A function of the project, a constructor, a lambda or function object from around the kernel, or neither."""
        last = function.last
        targets = self._calls.of_name(function, passed, place)
        if targets.found:
            # Arithmetic of many types synchronises nothing.
            if len(targets.found) <= MAX_OVERLOADS or any(_holds(each) for each in passed):
                self._enter_targets(targets, call, passed, place, depth)
            return
        struct = self._evaluator.types.kind(function).struct
        if struct is not None:
            if any(_holds(each) for each in passed):
                self._construct(struct, call, call.arguments, place, scope, depth)
            return
        point = Point(place.outer if place.outer is not None else place, call.start)
        result = self._evaluator.lookup.name(function, point) if not function.qualifier and last not in scope else None
        if isinstance(result, Closure):
            self._enter_kept(Kept(result.function, result.place, dict(scope)), passed, depth)
        elif isinstance(result, Instance):
            self._call_object(call, Thing(result.struct, False), passed, place, scope, depth)
        elif last in self._facts.macros or (last not in self._facts.functions and may_synchronise(last)):
            self.scan.calls_unknown = True
        elif self._meanings.of_type(function) is None:
            self._unseen(passed)

    def _is_sycl(self, qualifier: str) -> bool:
        if qualifier_is_sycl(qualifier, self._facts.namespaces):
            return True
        return not _LIBRARY.isdisjoint(qualifier.split("::"))

    def _group_function(self, call: Call, last: str, passed: tuple[Meaning | None, ...], place: Place) -> None:
        role = passed[0] if passed else None
        if role is Role.WORK_GROUP:
            self._barrier(call, place)
        elif role in LANES or last.startswith(("joint_matrix", "shift_", "permute_", "select_")):
            self.scan.sub_group_operations.append(self._location(call, place))
        else:
            self.scan.calls_unknown = True

    # ----------------------------------------------------------------- enter

    def _enter_targets(
        self, targets: Targets, call: Call, passed: tuple[Meaning | None, ...], place: Place, depth: int
    ) -> None:
        if not targets.sure or not targets.found:
            self._unseen(passed)
        if len(targets.found) == 1 and targets.sure:
            self._enter(targets.found[0], call, passed, place, depth)
            return
        walks: list[Callable[[], None]] = [
            partial(self._enter, each, call, passed, place, depth) for each in targets.found
        ]
        self._alternatives(walks, complete=targets.sure)

    def _construct(
        self,
        struct: Declared[Struct],
        node: Variable | Call,
        arguments: tuple[Expr, ...],
        place: Place,
        scope: Scope,
        depth: int,
    ) -> None:
        """An object is made from the item: its constructors see it."""
        passed = tuple(self._meanings.of(each, scope) for each in arguments)
        targets = self._calls.of_method(struct.node.name, struct, passed)
        call = Call(
            Name(struct.node.name, None, None, struct.node.start, struct.node.end), arguments, node.start, node.end
        )
        if targets.found:
            self._enter_targets(targets, call, passed, Place(call, place.outer), depth)

    def _entered(self, key: object, depth: int, walk: Callable[[], None]) -> None:
        """Walk once for each ``key``; the barriers count each time."""
        known = self._seen.get(key)
        if known is not None:
            self._reach(known)
            return
        if depth >= MAX_CALLS:
            self.scan.calls_unknown = True
            return
        self._seen[key] = ()
        before, self.scan.barriers = self.scan.barriers, []
        walk()
        self._seen[key] = found = tuple(self.scan.barriers)
        self.scan.barriers = before
        self._reach(found)

    def _enter(
        self, declared: Declared[Function], call: Call, passed: tuple[Meaning | None, ...], place: Place, depth: int
    ) -> None:
        node = declared.node
        templates = (call.function.arguments if isinstance(call.function, Name | Member) else None) or ()
        key = (id(node), tuple(map(_key, passed)))

        def walk() -> None:
            if node.body is None:
                return
            if node.damaged:
                self.scan.calls_unknown = True
            inner = self._own_members(declared) | self._meanings.bound(node.parameters, passed)
            evaluator = self._evaluator
            around = place.outer if place.outer is not None else place
            outer = evaluator.frame
            point = Point(around, call.start)
            evaluator.frame = evaluator.frames.made(node, call.arguments, templates, point, call, outer)
            self._body(node.body, declared.place, inner, depth + 1)
            evaluator.frame = outer

        self._entered(key, depth, walk)

    def _enter_kept(self, kept: Kept, passed: tuple[Meaning | None, ...], depth: int) -> None:
        function = kept.function
        key = (id(function), tuple(map(_key, passed)))

        def walk() -> None:
            inner = kept.scope | self._meanings.parameters(function.parameters)
            for parameter, meaning in zip(function.parameters, passed, strict=False):
                inner[parameter.name] = meaning if meaning is not None else Role.OTHER
            if function.parameters and function.parameters[-1].pack:
                inner[function.parameters[-1].name] = Pack(passed[len(function.parameters) - 1 :])
            self._body(function.body, kept.place, inner, depth + 1)

        self._entered(key, depth, walk)

    def _enter_macro(self, macro: Macro, use: Call | Name, place: Place, scope: Scope, depth: int) -> None:
        """A macro's body sees the names of the place where it is used, and its own arguments."""
        body: Node | None = macro.body if macro.body is not None else macro.value
        if body is None:
            self.scan.calls_unknown = self.scan.calls_unknown or bool(macro.text)
            return
        if type(body) in _PLAIN and not self._keeps and not self._calling.of(body):
            return
        arguments = use.arguments if isinstance(use, Call) else ()
        passed = tuple(self._meanings.of(each, scope) for each in arguments)
        handed = zip(macro.parameters or (), passed, strict=False)
        inner = scope | {parameter: meaning for parameter, meaning in handed if meaning is not None}
        before, self.scan.barriers = self.scan.barriers, []

        def walk() -> None:
            outer, self._content = self._content, None
            self._walk(body, Place(body, Place(macro, place)), inner, depth + 1)
            self._content = outer

        self._entered((id(macro), tuple(map(_key, passed))), depth, walk)
        found, self.scan.barriers = self.scan.barriers, before
        if found:
            # A barrier is where the macro is used: that is the line its author sees.
            self._barrier(use, place)


def _optional(sized: Sized) -> Sized:
    return replace(sized, bytes=join([Known(0), sized.bytes]), optional=True)


def _holds(meaning: Meaning | None) -> bool:
    if isinstance(meaning, Pack):
        return any(map(_holds, meaning.arguments))
    return meaning in (Role.ITEM, Role.WORK_GROUP) or (isinstance(meaning, Thing) and meaning.holds)


def _key(meaning: Meaning | None) -> object:
    match meaning:
        case Kept(function=function) | Renamed(function=function):
            return id(function)
        case Thing(holds=holds):
            return holds
        case Pack(arguments=arguments):
            return tuple(map(_key, arguments))
        case _:
            return meaning


_VISITS: dict[type[Node], Callable[..., None]] = {
    Block: Scanner._block,
    Call: Scanner._call,
    Declaration: Scanner._declaration,
    Evaluate: Scanner._evaluate,
    If: Scanner._if,
    Include: Scanner._include,
    Lambda: Scanner._lambda,
    Loop: Scanner._loop,
    Opaque: Scanner._opaque,
    RangeLoop: Scanner._loop,
    Variants: Scanner._variants,
}
