"""One walk through a kernel and what it calls: how uniform each value is, and what decides whether barriers are met.

Statements are followed in the order in which they run. Where ways part, what is known is copied and met again; a loop
is walked until nothing rises any more. Functions are followed at each call, with what their parameters are bound to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

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
    SizeOf,
    Text,
    Type,
    Unary,
)
from sycllint.cpp.node import Node, children
from sycllint.cpp.place import Place
from sycllint.cpp.spelling import spelled
from sycllint.cpp.statement import (
    Block,
    Case,
    Damaged,
    Declaration,
    Evaluate,
    Function,
    If,
    Include,
    Jump,
    Loop,
    Macro,
    Parameter,
    RangeLoop,
    Return,
    Statement,
    Struct,
    Switch,
    Try,
    Variable,
    Variants,
)
from sycllint.facts.file import Declared
from sycllint.kernel.calls import (
    ADDRESS_MEMBERS,
    is_atomic,
    is_plain_function,
    result_of_group_function,
    takes_lane_of_group,
)
from sycllint.kernel.certainty import guessed
from sycllint.kernel.indices import Indices, Padding
from sycllint.kernel.levels import UNIFORM, UNKNOWN, Content, Level, Memory, State, either, joined, merged
from sycllint.kernel.meaning import Meaning, Meanings, Role, Thing, fields
from sycllint.kernel.meaning import Scope as Roles
from sycllint.kernel.targets import Calls, Targets
from sycllint.kernel.vocabulary import (
    GROUP_FUNCTIONS,
    ITEM_MAKERS,
    LOCAL_ALLOCATORS,
    LOCAL_SCRATCH,
    OLD_GROUP_FUNCTIONS,
    STATIC_LOCAL,
    SUB_GROUP_FUNCTIONS,
    SUB_GROUP_MEMBERS,
    may_synchronise,
)
from sycllint.source.span import Location, Span
from sycllint.values.arithmetic import LONG, Scalar, convert
from sycllint.values.evaluate import Evaluator
from sycllint.values.frame import Frame
from sycllint.values.objects import Closure, Point
from sycllint.values.value import Known, Symbolic, Unknown

MAX_CALLS = 10
"""How deep calls are followed."""
MAX_ROUNDS = 8
"""How often the body of a loop is walked; the lattice has six levels."""
MAX_WORK = 40_000
"""Nodes walked per kernel; beyond it nothing is said of it."""

_LOGICAL_WIDTH = 3
"""Arguments of SYCLomatic's shuffles before the width of the part of a sub-group that takes part."""

_COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})
_LOGICAL = {"&&": "&&", "||": "||", "and": "&&", "or": "||"}
_CONSTANTS = frozenset({"true", "false", "nullptr", "NULL"})
_LITERALS = frozenset({Number, Text, Character, SizeOf, Type})


@dataclass(slots=True, eq=False)
class Control:
    """Something that decides whether the code after or inside it runs."""

    kind: str
    """``branch``, ``loop``, or the jump before which it stood: ``return``, ``break``, ``continue``."""
    level: Level
    condition: Expr | None
    location: Location
    """Of the condition."""
    jump: Location | None = None
    """Of the jump that leaves by it."""
    proof: Padding | bool = False
    """Why it surely comes out both ways inside one group."""
    negated: bool = False
    """The code stands in the ``else`` branch."""
    in_both: bool = False
    """Both arms of the branch have as many barriers."""


@dataclass(slots=True, eq=False)
class Meeting:
    """A barrier or collective, by one chain of calls, with the controls by which some work-items miss it."""

    location: Location
    name: str
    role: Role
    call: Location | None
    """The call in the kernel by which it is reached, when it is not in the kernel itself."""
    controls: dict[tuple[str, Location, Location | None], Control] = field(default_factory=dict)
    undecided: bool = False
    """It stands under a condition of which it is not known whether it holds at all."""
    guessed: bool = False


class LaneArithmetic(NamedTuple):
    """``local_id % 32``, ``local_id & 31``, ``local_id / 32`` or ``local_id >> 5``."""

    width: int
    text: str
    location: Location
    is_lane: bool
    """It is the lane that is worked out, and not the sub-group."""
    per_row: bool
    """The id is that of one dimension, and the group has rows that are not whole sub-groups."""


class Names(NamedTuple):
    """What names stand for in one scope."""

    keys: dict[str, object]
    """Of variables: their declarations."""
    roles: Roles
    closures: dict[str, tuple[Lambda, Place, Names]]

    def inner(self) -> Names:
        """A scope inside this one."""
        return Names(dict(self.keys), dict(self.roles), dict(self.closures))


@dataclass(slots=True)
class _Called:
    """One function being followed."""

    owner: Content | None
    """What its members hold; ``None`` for the kernel itself, whose members are its arguments."""
    controls: int
    """How many controls lie around the call."""
    exits: int
    contents: list[Content] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    left: Level = Level.GRID
    """The level of what decides which return is taken."""


@dataclass(slots=True)
class _Looped:
    """One loop being followed."""

    controls: int
    broken: list[State] = field(default_factory=list)
    continued: list[State] = field(default_factory=list)
    left: Level = Level.GRID
    skipped: Level = Level.GRID


class Walk:
    """The walk over one kernel of one launch."""

    def __init__(self, evaluator: Evaluator, indices: Indices) -> None:
        self._evaluator = evaluator
        self._facts = evaluator.facts
        self._indices = indices
        self._meanings = Meanings(evaluator)
        self._calls = Calls(evaluator, self._meanings)
        self.levels: dict[int, Level] = {}
        """The highest level seen of each expression, by its identity."""
        self.reached: dict[int, Level] = {}
        """For each statement the level of what decides whether it runs."""
        self.meetings: dict[object, Meeting] = {}
        self.lanes: dict[Location, LaneArithmetic] = {}
        self.asks_width = False
        """The kernel asks a sub-group for its size."""
        self.lost = False
        """Something cannot be followed at all: nothing of the above counts."""
        self._stored: set[object] = set()
        self._state: State | None = State()
        self._controls: list[Control] = []
        self._exits: list[Control] = []
        self._called: list[_Called] = []
        self._loops: list[_Looped] = []
        self._chain: list[Location] = []
        self._use: Location | None = None
        """Where the macro is used whose text is being walked."""
        self._met = 0
        self._expanding = 0
        self._work = 0
        self._outer: dict[str, Content] = {}

    def run(self, function: Lambda | Function, place: Place) -> None:
        """Follow the kernel ``function`` at ``place``."""
        for _ in range(3):
            before = len(self._stored)
            self.levels, self.reached, self.meetings = {}, {}, {}
            self._kernel(function, place)
            if self.lost or len(self._stored) == before:
                return
        self.lost = True

    def _kernel(self, function: Lambda | Function, place: Place) -> None:
        self._state, self._controls, self._exits, self._loops, self._met = State(), [], [], [], 0
        self._called = [_Called(None, 0, 0)]
        names = Names({}, dict(self._meanings.parameters(function.parameters, kernel=True)), {})
        if isinstance(function, Function):
            names.roles.update(
                {name: role for name, role in self._own_members(place).items() if name not in names.roles}
            )
        for position, parameter in enumerate(function.parameters):
            self._kernel_parameter(parameter, position, names)
        if function.body is not None:
            self._block(function.body, Place(function.body, place), names)

    def _kernel_parameter(self, parameter: Parameter, position: int, names: Names) -> None:
        """The item, an ``id``, or an argument of the kernel."""
        kind = self._evaluator.types.kind(parameter.type.name).sycl or parameter.type.name.last
        key: object = id(parameter)
        if kind == "id":
            self._bind(
                parameter.name, key, Content(self._indices.only("get_global_id").level, ids="get_global_id"), names
            )
        elif names.roles.get(parameter.name) in (Role.ITEM, Role.WORK_GROUP):
            self._bind(parameter.name, key, self._indices.of_item("get_global_id", None, chosen=False), names)
        elif position > 0 or parameter.name:
            self._bind(parameter.name, key, Content(Level.GRID, memory=Memory(parameter.name, False)), names)

    def _own_members(self, place: Place) -> Roles:
        struct = next((node for node in place.chain() if isinstance(node, Struct)), None)
        if struct is None:
            return {}
        found = self._facts.structs.get(struct.name)
        return dict(self._meanings.members(found[0])) if len(found) == 1 else {}

    # ----------------------------------------------------------- bookkeeping

    def _location(self, node: Node, place: Place) -> Location:
        start = getattr(node, "start", 0)
        return Location(self._facts.file_at(place).path, Span(start, getattr(node, "end", start)))

    def _bind(self, name: str, key: object, content: Content, names: Names) -> None:
        names.keys[name] = key
        names.closures.pop(name, None)
        if self._state is not None:
            self._state.contents[key] = content

    def _around(self, since: int = 0) -> Level:
        """The level of what decides whether the code here runs."""
        return joined(each.level for each in self._controls[since:])

    def _runs(self) -> bool:
        """Whether anything gets here."""
        return self._state is not None

    def _tired(self) -> bool:
        self._work += 1
        if self._work > MAX_WORK:
            self.lost = True
        return self.lost

    # ------------------------------------------------------------ statements

    def _block(self, block: Block, place: Place, names: Names) -> None:
        inner = names.inner()
        for statement in block.statements:
            self._statement(statement, Place(statement, place), inner)

    def _statement(self, statement: Statement, place: Place, names: Names) -> None:
        if self._state is None or self._tired():
            return
        self._note(self.reached, statement, joined((self._around(), *(each.level for each in self._exits))))
        visit = _STATEMENTS.get(type(statement))
        if visit is not None:
            visit(self, statement, place, names)

    def _note(self, levels: dict[int, Level], node: Node, level: Level) -> None:
        known = levels.get(id(node), Level.GRID)
        levels[id(node)] = max(known, level)

    def _inner_block(self, node: Block, place: Place, names: Names) -> None:
        self._block(node, place, names)

    def _evaluate(self, node: Evaluate, place: Place, names: Names) -> None:
        expression = node.expression
        if isinstance(expression, Name):
            macro = self._evaluator.macros.macro(expression, Point(place, expression.start))
            if macro is not None:
                self._macro(macro, expression, place, names)
                return
        self._value(expression, place, names)

    def _declaration(self, node: Declaration, place: Place, names: Names) -> None:
        for variable in node.variables:
            self._variable(variable, Place(variable, place), names)

    def _variable(self, variable: Variable, place: Place, names: Names) -> None:
        arguments = variable.arguments
        only = arguments[0] if len(arguments) == 1 else None
        if isinstance(only, Lambda):
            names.keys.pop(variable.name, None)
            names.closures[variable.name] = (only, Place(only, place), names)
            return
        content = self._initial(variable, only, place, names)
        role = self._role_of(variable, only, names)
        if role is not None:
            names.roles[variable.name] = role
        else:
            names.roles[variable.name] = Role.OTHER
        alias = self._aliased(variable, only, names)
        if alias is not None:
            names.keys[variable.name] = alias
            names.closures.pop(variable.name, None)
            return
        self._bind(variable.name, id(variable), content, names)

    def _aliased(self, variable: Variable, only: Expr | None, names: Names) -> object | None:
        """The declaration that a reference to a variable stands for."""
        if variable.type.reference and isinstance(only, Name):
            return names.keys.get(only.text)
        return None

    def _role_of(self, variable: Variable, only: Expr | None, names: Names) -> Meaning | None:
        role = self._meanings.of_type(variable.type.name)
        if role is not None:
            return role
        if isinstance(only, Call) and isinstance(only.function, Name) and only.function.last in ITEM_MAKERS:
            return Role.ITEM
        struct = self._evaluator.types.kind(variable.type.name).struct
        if struct is not None:
            return Thing(struct, self._meanings.any_held(variable.arguments, names.roles))
        return self._meanings.of(only, names.roles) if only is not None else None

    def _initial(self, variable: Variable, only: Expr | None, place: Place, names: Names) -> Content:
        """What a variable holds where it is declared."""
        kind = variable.type
        resolved = self._evaluator.types.kind(kind.name)
        if kind.name.last in STATIC_LOCAL:
            return Content(Level.GRID, memory=Memory(id(variable), True))
        if kind.name.last == "atomic_ref" or resolved.sycl == "atomic_ref":
            content = self._lvalue(only, place, names) if only is not None else UNKNOWN
            self._store(content)
            return content
        if variable.style == "[":
            return Content(joined(self._value(each, place, names).level for each in variable.arguments))
        if only is None:
            level = joined(self._value(each, place, names).level for each in variable.arguments)
            return Content(level)
        if kind.reference and not isinstance(only, Name):
            content = self._lvalue(only, place, names)
            if content.memory is not None:
                return content
        content = self._value(only, place, names)
        if resolved.struct is not None:
            return Content(content.level)
        return self._typed(content, kind)

    def _typed(self, content: Content, kind: Type) -> Content:
        """A value as a variable of its type holds it."""
        if kind.pointers or kind.extents:
            return content
        resolved = self._evaluator.types.kind(kind.name)
        if resolved.floating or resolved.struct is not None:
            return Content(content.level)
        if resolved.integer is None:
            # A template's type: where numbers are followed, it is an integer.
            return content
        number = convert(content.number, resolved.integer) if content.number is not None else None
        return Content(content.level, number)

    # ---------------------------------------------------------------- control

    def _if(self, node: If, place: Place, names: Names) -> None:
        inner = names.inner()
        if node.initializer is not None:
            self._statement(node.initializer, Place(node.initializer, place), inner)
        if node.condition is None:
            # A declared condition: its variable was walked, what it says is not looked at.
            condition = UNKNOWN
        else:
            condition = self._value(node.condition, Place(node.condition, place), inner)
        taken = _truth(condition)
        then, otherwise = node.then, node.otherwise
        if taken is not None:
            arm = then if taken else otherwise
            if arm is not None:
                self._block(arm, Place(arm, place), inner)
            return
        control = self._control("branch", condition.level, node.condition, node, place, inner)
        self._choice(
            control,
            lambda: self._block(then, Place(then, place), inner),
            (lambda: self._block(otherwise, Place(otherwise, place), inner)) if otherwise is not None else None,
        )

    def _control(
        self, kind: str, level: Level, condition: Expr | None, node: Node, place: Place, names: Names
    ) -> Control:
        location = self._location(condition if condition is not None else node, place)
        proof = condition is not None and level.diverges and self._proof(condition, place, names)
        return Control(kind, level, condition, location, proof=proof)

    def _choice(self, control: Control, then: Callable[[], None], otherwise: Callable[[], None] | None) -> None:
        """Two ways of which one is taken."""
        before = self._state
        assert before is not None
        self._state = before.copy()
        self._controls.append(control)
        position, met = len(self._exits), self._met
        then()
        first, of_first, met_first = self._state, self._exits[position:], self._met - met
        del self._exits[position:]
        self._state = before.copy()
        met = self._met
        opposite = replace(control, negated=True)
        self._controls[-1] = opposite
        if otherwise is not None:
            otherwise()
        second, of_second = self._state, self._exits[position:]
        del self._exits[position:]
        self._controls.pop()
        control.in_both = opposite.in_both = met_first == self._met - met > 0
        self._state = merged(first, second, control.level)
        self._leave(control, first, of_first, second, of_second)

    def _leave(
        self,
        control: Control,
        first: State | None,
        of_first: list[Control],
        second: State | None,
        of_second: list[Control],
    ) -> None:
        """What is missed from here on by the work-items that left in one of two ways."""
        if (first is None) is (second is None):
            self._exits += of_first + of_second
            return
        self._exits += of_second if first is None else of_first
        if control.level <= Level.GROUP:
            return
        kind, jump = self._last_jump
        negated = first is not None
        self._exits.append(replace(control, kind=kind, jump=jump, negated=negated, in_both=False))

    _last_jump: tuple[str, Location]

    def _return(self, node: Return, place: Place, names: Names) -> None:
        content = self._value(node.value, place, names) if node.value is not None else UNIFORM
        called = self._called[-1]
        called.contents.append(content)
        if self._state is not None:
            called.states.append(self._state)
        called.left = max(called.left, self._around(called.controls))
        self._last_jump = ("return", self._location(node, place))
        self._state = None

    def _jump(self, node: Jump, place: Place, names: Names) -> None:
        if node.keyword == "goto":
            self.lost = True
        if node.keyword in ("break", "continue") and self._loops:
            loop = self._loops[-1]
            level = self._around(loop.controls)
            if self._state is not None:
                (loop.broken if node.keyword == "break" else loop.continued).append(self._state)
            if node.keyword == "break":
                loop.left = max(loop.left, level)
            else:
                loop.skipped = max(loop.skipped, level)
        self._last_jump = (node.keyword, self._location(node, place))
        self._state = None

    def _loop(self, node: Loop, place: Place, names: Names) -> None:
        inner = names.inner()
        if node.initializer is not None:
            self._statement(node.initializer, Place(node.initializer, place), inner)
        trips = self._trips(node, place, inner)
        self._forget_numbers(node, inner)
        self._repeat(
            node, place, inner, lambda: self._block(node.body, Place(node.body, place), inner), trips_alike=trips
        )

    def _repeat(
        self, node: Loop | RangeLoop, place: Place, names: Names, body: Callable[[], None], *, trips_alike: bool
    ) -> None:
        """Walk a loop until nothing rises any more."""
        entry = self._state
        assert entry is not None
        condition = node.condition if isinstance(node, Loop) else None
        update = node.update if isinstance(node, Loop) else None
        last = isinstance(node, Loop) and node.keyword == "do"
        position = len(self._exits)
        level = Level.GRID
        head: State = entry
        endless = False
        for _ in range(MAX_ROUNDS):
            loop = _Looped(len(self._controls) + 1)
            self._loops.append(loop)
            self._state = head.copy()
            tested, endless = (Level.GRID, False) if last else self._tested(condition, place, names)
            if trips_alike:
                tested = min(tested, Level.GROUP)
            level = joined((level, tested))
            control = self._control("loop", level, condition, node, place, names)
            if level > Level.GROUP:
                control.proof = False
            self._controls.append(control)
            leaving = None if endless else self._state.copy()
            body()
            for each in loop.continued:
                self._state = merged(self._state, each, loop.skipped)
            self._exits[position:] = [each for each in self._exits[position:] if each.kind != "continue"]
            if last and self._runs():
                tested, endless = self._tested(condition, place, names)
                leaving = self._state.copy() if self._state is not None and not endless else None
                level = joined((level, tested))
            if update is not None:
                self._value(update, place, names)
            self._controls.pop()
            self._loops.pop()
            level = joined((level, loop.left))
            back = self._state
            after = leaving
            for each in loop.broken:
                after = merged(after, each, level)
            met = merged(head, back, Level.GRID)
            if met is None or back is None or (met.same_levels(head) and level is control.level) or self.lost:
                break
            head = met
        self._exits[position:] = [each for each in self._exits[position:] if each.kind not in ("break", "continue")]
        self._state = _raised(entry, after, level)

    def _tested(self, condition: Expr | None, place: Place, names: Names) -> tuple[Level, bool]:
        """The level of a loop's condition, and whether it surely holds for ever."""
        if condition is None:
            return Level.GRID, True
        content = self._value(condition, Place(condition, place), names)
        return content.level, isinstance(condition, Number | Name) and _truth(content) is True

    def _range_loop(self, node: RangeLoop, place: Place, names: Names) -> None:
        inner = names.inner()
        ranged = self._value(node.range, place, inner)
        self._forget_numbers(node, inner)
        self._bind(node.variable.name, id(node.variable), Content(Level.UNKNOWN), inner)
        alike = ranged.level <= Level.GROUP
        self._repeat(
            node, place, inner, lambda: self._block(node.body, Place(node.body, place), inner), trips_alike=alike
        )

    def _forget_numbers(self, node: Loop | RangeLoop, names: Names) -> None:
        """The numbers of what a loop changes are not followed, nor is which memory its pointers go through."""
        mutations = self._evaluator.mutations
        changed = set(mutations.of(node.body))
        if isinstance(node, Loop):
            for part in (node.condition, node.update):
                if part is not None:
                    changed |= mutations.of(part)
        state = self._state
        if state is None:
            return
        for name in changed:
            key = names.keys.get(name.lstrip("&*"))
            content = state.contents.get(key)
            if content is not None and content.number is not None:
                state.contents[key] = replace(content, number=None)

    def _trips(self, node: Loop, place: Place, names: Names) -> bool:
        """Whether a counting loop surely makes as many trips in each work-item of a group."""
        counted = _counted(node)
        if counted is None or self._state is None:
            return False
        name, bound, stride = counted
        key = names.keys.get(name.text)
        content = self._state.contents.get(key) if key is not None else None
        if content is None or content.number is None or name.text in self._evaluator.mutations.of(node.body):
            return False
        end = self._value(bound, Place(bound, place), names)
        step = self._value(stride, place, names) if stride is not None else Content(Level.GRID, _number(1))
        changed = self._evaluator.mutations.of(node.body)
        if any(isinstance(each, Name) and each.text in changed for each in _inside(bound)):
            return False
        if end.number is None or step.number is None:
            return False
        return self._indices.same_trips(content.number.value, end.number.value, step.number.value)

    def _switch(self, node: Switch, place: Place, names: Names) -> None:
        condition = (
            self._value(node.condition, Place(node.condition, place), names) if node.condition is not None else UNKNOWN
        )
        control = self._control("branch", condition.level, node.condition, node, place, names)
        loop = _Looped(len(self._controls))
        self._loops.append(loop)
        before = self._state
        assert before is not None
        outcome: State | None = before.copy()
        self._controls.append(control)
        position = len(self._exits)
        running: State | None = None
        body = Place(node.body, place)
        inner = names.inner()
        for statement in node.body.statements:
            # A case is entered from the head, or by falling through.
            self._state = merged(before.copy(), running, control.level)
            self._statement(statement, Place(statement, body), inner)
            running = self._state
        for each in (*loop.broken, running):
            if each is not None:
                outcome = merged(outcome, each, joined((control.level, loop.left)))
        self._controls.pop()
        self._loops.pop()
        if loop.continued and self._loops:
            self._loops[-1].continued += loop.continued
            self._loops[-1].skipped = max(self._loops[-1].skipped, loop.skipped, control.level)
        self._exits[position:] = [each for each in self._exits[position:] if each.kind != "break"]
        self._state = outcome

    def _case(self, node: Case, place: Place, names: Names) -> None:
        for statement in node.body.statements:
            self._statement(statement, Place(statement, Place(node.body, place)), names)

    def _try(self, node: Try, place: Place, names: Names) -> None:
        self._block(node.body, Place(node.body, place), names)

    def _variants(self, node: Variants, place: Place, names: Names) -> None:
        """Branches of the preprocessor: what differs between them is not understood."""
        before = self._state
        assert before is not None
        outcome: State | None = None
        complete = False
        for arm in node.arms:
            compiled = self._evaluator.macros.arm(arm, place)
            if compiled is False:
                continue
            around = Place(arm.body, Place(arm, place))
            self._state = before.copy()
            uncertain = Control("branch", Level.UNKNOWN, None, self._location(node, place))
            if not compiled:
                self._controls.append(uncertain)
            for statement in arm.body.statements:
                self._statement(statement, Place(statement, around), names)
            if compiled:
                return
            self._controls.pop()
            outcome = self._state if outcome is None else merged(outcome, self._state, Level.UNKNOWN)
            complete = complete or arm.keyword == "else"
        self._state = merged(outcome, before, Level.UNKNOWN) if outcome is None or not complete else outcome

    def _include(self, node: Include, place: Place, names: Names) -> None:
        found = self._facts.included(node)
        if found is None:
            self.lost = True
            return
        around = Place(found.unit, place)
        for statement in found.unit.statements:
            self._statement(statement, Place(statement, around), names)

    def _damaged(self, node: Damaged, place: Place, names: Names) -> None:
        self.lost = True

    # ----------------------------------------------------------- expressions

    def _value(self, expression: Expr, place: Place, names: Names) -> Content:
        """What an expression gives; remembers its level."""
        if self._tired() or self._state is None:
            return UNKNOWN
        if type(expression) in _LITERALS:
            return self._literal(expression)
        content = self._read(self._lvalue(expression, place, names))
        self._note(self.levels, expression, content.level)
        return content

    def _literal(self, expression: Expr) -> Content:
        if isinstance(expression, Number):
            number = self._evaluator.evaluate(expression, Point(_NOWHERE, expression.start))
            return Content(Level.GRID, number if isinstance(number, Scalar) else None)
        return UNIFORM

    def _read(self, content: Content) -> Content:
        """An element of memory as the value that is in it."""
        memory = content.memory
        if memory is None or not content.through:
            return content
        level = content.level
        assert self._state is not None
        changes = memory.key in (self._state.written if memory.is_local else self._stored)
        if changes and level is not Level.ITEM:
            return replace(content, level=Level.UNKNOWN, through=False)
        floor = Level.GROUP if memory.is_local else Level.GRID
        return replace(content, level=max(level, floor), through=False)

    def _store(self, content: Content) -> None:
        """Something is written through an lvalue or a pointer."""
        memory = content.memory
        if memory is None or self._state is None:
            return
        if memory.is_local:
            self._state.written.add(memory.key)
        else:
            self._stored.add(memory.key)

    def _lvalue(self, expression: Expr, place: Place, names: Names) -> Content:
        """What an expression stands for: for elements of memory, which and with which address."""
        visit = _EXPRESSIONS.get(type(expression))
        if visit is not None:
            return visit(self, expression, place, names)
        if type(expression) in _LITERALS:
            return self._literal(expression)
        return self._opaque(expression, place, names)

    def _opaque(self, node: Node, place: Place, names: Names) -> Content:
        for each in children(node):
            if isinstance(each, Expr):
                self._value(each, place, names)
        return UNKNOWN

    def _name(self, node: Name, place: Place, names: Names) -> Content:
        key = names.keys.get(node.text)
        if key is not None:
            assert self._state is not None
            content = self._state.contents.get(key, UNKNOWN)
            if content.ids:
                return replace(self._indices.only(content.ids), ids=content.ids)
            return content
        if node.text in names.closures:
            return UNIFORM
        point = Point(place, node.start)
        macro = self._evaluator.macros.macro(node, point)
        if macro is not None and macro.value is not None and macro.parameters is None:
            if isinstance(macro.value, Name) and macro.value.text == node.text:
                return UNIFORM
            return self._lvalue(macro.value, Place(macro.value, Place(macro, place)), names)
        owner = self._called[-1].owner
        if owner is not None and self._is_member(node, place):
            return Content(owner.level)
        return self._from_outside(node, point)

    def _is_member(self, node: Name, place: Place) -> bool:
        struct = next((each for each in place.chain() if isinstance(each, Struct)), None)
        return struct is None or any(each.name == node.text for each in fields(struct))

    def _from_outside(self, node: Name, point: Point) -> Content:
        """A name that the kernel was given: an argument, a capture, a constant."""
        known = self._outer.get(node.text) if self._evaluator.frame is None else None
        if known is not None:
            return known
        result = self._evaluator.evaluate(node, point)
        number = result if isinstance(result, Scalar) and not isinstance(result.value, Unknown) else None
        memory = self._memory(node, point)
        through = memory is not None and memory.is_local and self._has_no_dimensions(node, point)
        content = Content(Level.GRID, number, memory, through)
        if self._evaluator.frame is None:
            self._outer[node.text] = content
        return content

    def _memory(self, node: Name, point: Point) -> Memory | None:
        """The memory behind a name from outside the kernel: none behind numbers."""
        declared = self._evaluator.lookup.declaration(node, point)
        if declared is None:
            struct = next((each for each in point.place.chain() if isinstance(each, Struct)), None)
            members = fields(struct) if struct is not None else ()
            declared = next((each.type for each in members if each.name == node.text), None)
        if declared is None:
            return None if node.text in _CONSTANTS else Memory(node.text, False)
        kind = self._evaluator.types.kind(declared.name)
        if (kind.integer is not None or kind.floating) and not declared.pointers and not declared.extents:
            return None
        arguments = kind.name.arguments or ()
        is_target = len(arguments) > 3 and isinstance(arguments[3], Name) and arguments[3].last == "local"
        return Memory(node.text, kind.name.last == "local_accessor" or is_target)

    def _has_no_dimensions(self, node: Name, point: Point) -> bool:
        """Whether an accessor stands for its only element."""
        declared = self._evaluator.lookup.declaration(node, point)
        arguments = self._evaluator.types.kind(declared.name).name.arguments if declared is not None else None
        return bool(arguments and len(arguments) > 1 and isinstance(arguments[1], Number) and arguments[1].text == "0")

    def _index(self, node: Index, place: Place, names: Names) -> Content:
        target = self._lvalue(node.object, place, names)
        indices = [self._value(each, place, names) for each in node.indices]
        role = self._role(node.object, names)
        dimension = _known(indices[0]) if len(indices) == 1 else None
        if target.ids:
            return self._indices.element(target.ids, dimension)
        if role is Role.ITEM:
            return self._indices.of_item("get_global_id", dimension, chosen=True)
        if role is Role.WORK_GROUP:
            return self._indices.of_item("get_group_id", dimension, chosen=True)
        level = joined((target.level, *(each.level for each in indices)))
        if target.number is not None and target.memory is None and dimension == 0:
            # The one component of a one-dimensional id.
            return target
        if target.memory is not None:
            return Content(level, memory=target.memory, through=True)
        return Content(level)

    def _member(self, node: Member, place: Place, names: Names) -> Content:
        if isinstance(node.object, Name) and node.object.text == "this":
            return self._name(Name(node.name, None, None, node.start, node.end), place, names)
        target = self._lvalue(node.object, place, names)
        memory = target.memory
        if memory is None:
            return Content(target.level)
        if target.through:
            return Content(target.level, memory=memory, through=True)
        return Content(target.level, memory=Memory((memory.key, node.name), memory.is_local))

    def _unary(self, node: Unary, place: Place, names: Names) -> Content:
        if node.operator == "*":
            target = self._read(self._lvalue(node.operand, place, names))
            if target.memory is not None:
                return Content(target.level, memory=target.memory, through=True)
            return target if target.level is Level.ITEM else UNKNOWN
        if node.operator == "&":
            target = self._lvalue(node.operand, place, names)
            if target.memory is not None:
                return replace(target, through=False, number=None)
            return UNKNOWN
        content = self._value(node.operand, place, names)
        if node.operator in ("!", "not"):
            truth = _truth(content)
            return Content(Level.GRID, _number(int(not truth))) if truth is not None else Content(content.level)
        if node.operator == "-" and content.number is not None:
            result = self._evaluator.combine("-", _number(0), content.number, node)
            return Content(content.level, _scalar(result))
        if node.operator == "+":
            return content
        return Content(content.level)

    def _increment(self, node: Increment, place: Place, names: Names) -> Content:
        target = self._lvalue(node.operand, place, names)
        before = self._read(target)
        after = self._arithmetic(node.operator[0], before, Content(Level.GRID, _number(1)), node)
        self._assign_to(node.operand, target, after, names)
        return after if node.prefix else before

    def _assign(self, node: Assign, place: Place, names: Names) -> Content:
        content = self._value(node.right, place, names)
        target = self._lvalue(node.left, place, names)
        if node.operator != "=":
            content = self._arithmetic(node.operator[:-1], self._read(target), content, node)
        self._assign_to(node.left, target, content, names)
        return content

    def _assign_to(self, left: Expr, target: Content, content: Content, names: Names) -> None:
        state = self._state
        if state is None:
            return
        if target.through:
            self._store(target)
            return
        if isinstance(left, Name):
            key = names.keys.get(left.text)
            if key is not None:
                state.contents[key] = replace(content, through=False)
            return
        # A part of an object: the whole is what its parts are.
        root, addressed = _root(left)
        key = names.keys.get(root) if root else None
        if key is None:
            return
        old = state.contents.get(key, UNKNOWN)
        if old.memory is not None:
            return
        state.contents[key] = Content(
            joined((old.level, content.level, *(self.levels.get(id(each), Level.GRID) for each in addressed)))
        )

    def _binary(self, node: Binary, place: Place, names: Names) -> Content:
        logical = _LOGICAL.get(node.operator)
        if logical is not None:
            return self._logical(node, logical, place, names)
        left = self._value(node.left, place, names)
        right = self._value(node.right, place, names)
        if node.operator == ",":
            return right
        self._divides_lanes(node, left, right, place)
        return self._arithmetic(node.operator, left, right, node)

    def _divides_lanes(self, node: Binary, left: Content, right: Content, place: Place) -> None:
        """Note arithmetic that takes a local id apart into lane and sub-group."""
        number = _known(right)
        if number is None or left.number is None or node.operator not in ("%", "&", "/", ">>"):
            return
        if not self._indices.is_lane(left.number.value) or not 0 < number < 1024:
            return
        width = {"&": number + 1, ">>": 1 << min(number, 16)}.get(node.operator, number)
        location = self._use if self._use is not None else self._location(node, place)
        rows = not self._indices.runs_along(left.number.value)
        self.lanes[location] = LaneArithmetic(width, spelled(node), location, node.operator in ("%", "&"), rows)

    def _arithmetic(self, operator: str, left: Content, right: Content, node: Expr) -> Content:
        level = joined((left.level, right.level))
        memory = left.memory or right.memory
        if memory is not None and operator in ("+", "-"):
            pointed = left if left.memory is not None else right
            if pointed.number is None:
                return Content(level, memory=memory)
        first, second = left.number, right.number
        if operator in _COMPARISONS:
            return self._comparison(operator, left, right, level)
        number = None
        if first is not None and second is not None:
            number = _scalar(self._evaluator.combine(operator, first, second, node))
            lowered = self._indices.level_of(number.value) if number is not None else None
            if lowered is not None:
                return Content(min(level, lowered), number)
        if operator in ("/", ">>") and left.level in (Level.ITEM, Level.SPLIT) and right.level <= Level.GROUP:
            level = self._divided(operator, left, right)
        return Content(level, number)

    def _divided(self, operator: str, left: Content, right: Content) -> Level:
        """The level of what is the same in runs of work-items: ``local_id / 32``."""
        divisor = _known(right)
        if divisor is not None and operator == ">>":
            divisor = 1 << divisor if 0 <= divisor < 32 else None
        if left.number is None:
            return Level.SPLIT
        if divisor is not None and divisor > 0 and self._indices.is_of_group(left.number.value, divisor):
            return Level.GROUP
        if not self._indices.runs_along(left.number.value):
            return Level.SPLIT
        if right.number is not None and self._indices.is_sub_group_size(right.number.value):
            return Level.SUB_GROUP
        return self._indices.by_blocks(divisor) if divisor is not None else Level.SPLIT

    def _comparison(self, operator: str, left: Content, right: Content, level: Level) -> Content:
        first, second = left.number, right.number
        if first is None or second is None:
            return Content(level)
        decided = self._indices.decided(operator, first.value, second.value)
        if decided is not None:
            return Content(Level.GRID, _number(int(decided)))
        difference = _scalar(self._evaluator.combine("-", first, second, Number("0", 0, 0)))
        lowered = self._indices.level_of(difference.value) if difference is not None else None
        if lowered is not None:
            return Content(min(level, lowered))
        if self._indices.is_rounded_down(first.value, second.value):
            return UNKNOWN
        if operator not in ("==", "!="):
            aligned = self._indices.aligned(operator, first.value, second.value)
            if aligned is not None:
                return Content(min(level, aligned))
        if level is Level.ITEM and operator not in ("==", "!="):
            for lane, bound in ((first, _known(right)), (second, _known(left))):
                if bound is not None and self._indices.is_lane(lane.value):
                    return Content(self._edge(operator, bound, lane, plain=lane is first))
        return Content(level)

    def _edge(self, operator: str, bound: int, lane: Scalar, *, plain: bool) -> Level:
        """The level of ``local_id < bound``: at a multiple of the width, whole sub-groups go one way."""
        if not self._indices.runs_along(lane.value):
            return Level.SPLIT
        inclusive = operator in (("<=", ">") if plain else ("<", ">="))
        return self._indices.by_blocks(bound + 1 if inclusive else bound)

    def _logical(self, node: Binary, operator: str, place: Place, names: Names) -> Content:
        left = self._value(node.left, place, names)
        decisive = operator == "||"
        if _truth(left) is decisive:
            return left
        if _truth(left) is None:
            control = self._control("branch", left.level, node.left, node, place, names)
            right = self._conditionally(control, node.right, place, names)
        else:
            right = self._value(node.right, place, names)
        if _truth(right) is decisive:
            return Content(Level.GRID, _number(int(decisive)))
        if _truth(left) is not None:
            return replace(right, memory=None)
        if _truth(right) is not None:
            return Content(left.level)
        return Content(either(left.level, right.level))

    def _conditionally(self, control: Control, expression: Expr, place: Place, names: Names) -> Content:
        """The value of an operand that is evaluated only under ``control``."""
        found = [UNKNOWN]

        def evaluate() -> None:
            found[0] = self._value(expression, place, names)

        self._choice(control, evaluate, None)
        return found[0]

    def _conditional(self, node: Conditional, place: Place, names: Names) -> Content:
        condition = self._value(node.condition, place, names)
        truth = _truth(condition)
        if truth is not None:
            return self._value(node.then if truth else node.otherwise, place, names)
        control = self._control("branch", condition.level, node.condition, node, place, names)
        found = [UNKNOWN, UNKNOWN]

        def evaluate(which: int, expression: Expr) -> None:
            found[which] = self._value(expression, place, names)

        self._choice(control, lambda: evaluate(0, node.then), lambda: evaluate(1, node.otherwise))
        first, second = found
        if first.number is not None and first == second:
            return first
        memory = first.memory if first.memory == second.memory else None
        if (
            memory is None
            and (first.memory is not None or second.memory is not None)
            and not (first.number and second.number)
        ):
            level = joined((condition.level, first.level, second.level))
            return Content(level if _is_scalar(node) else Level.UNKNOWN)
        return Content(joined((condition.level, first.level, second.level)), memory=memory)

    def _cast(self, node: Cast, place: Place, names: Names) -> Content:
        content = self._value(node.operand, place, names)
        return self._typed(content, node.type)

    def _brace(self, node: Brace, place: Place, names: Names) -> Content:
        return Content(joined(self._value(each, place, names).level for each in node.elements))

    def _lambda(self, node: Lambda, place: Place, names: Names) -> Content:
        """A lambda handed to something, which may run it."""
        self._run(node, place, names, (), ())
        return UNKNOWN

    # ----------------------------------------------------------------- calls

    def _role(self, expression: Expr, names: Names) -> Meaning | None:
        match expression:
            case Call(function=Name(last=last)) if last in ITEM_MAKERS:
                return Role.ITEM
            case _:
                return self._meanings.of(expression, names.roles)

    def _call(self, node: Call, place: Place, names: Names) -> Content:
        function = node.function
        match function:
            case Member():
                return self._member_call(node, function, place, names)
            case Name():
                return self._free_call(node, function, place, names)
            case Lambda():
                contents = self._arguments(node, place, names)
                return self._run(function, place, names, contents, node.arguments)
            case _:
                self._value(function, place, names)
                self._unfollowed(node, self._arguments(node, place, names), names)
                return UNKNOWN

    def _arguments(self, node: Call, place: Place, names: Names) -> tuple[Content, ...]:
        return tuple(
            UNKNOWN if isinstance(each, Lambda) else self._lvalue(each, place, names) for each in node.arguments
        )

    def _unfollowed(self, node: Call, contents: tuple[Content, ...], names: Names) -> None:
        """What a function that is not in sight may have done to its arguments."""
        state = self._state
        for argument, content in zip(node.arguments, contents, strict=True):
            self._store(content)
            target = argument.operand if isinstance(argument, Unary) and argument.operator == "&" else argument
            root, _ = _root(target)
            key = names.keys.get(root) if root else None
            if key is None or state is None or not isinstance(target, Name | Index | Member):
                continue
            if state.contents.get(key, UNKNOWN).memory is None:
                state.contents[key] = UNKNOWN

    def _member_call(self, node: Call, function: Member, place: Place, names: Names) -> Content:
        name = function.name
        role = self._role(function.object, names)
        if role in (Role.ITEM, Role.WORK_GROUP, Role.SUB_GROUP):
            return self._of_group(node, function, role, place, names)
        contents = self._arguments(node, place, names)
        receiver = self._lvalue(function.object, place, names)
        if is_atomic(name):
            self._store(receiver)
            return Content(Level.ITEM)
        if name in ADDRESS_MEMBERS:
            return replace(receiver, through=False, number=None)
        if receiver.ids and name in ("get", "size"):
            dimension = _known(self._read(contents[0])) if contents else None
            return self._indices.element(receiver.ids, dimension) if name == "get" else UNIFORM
        if isinstance(function.object, Name) and function.object.text == "this":
            passed = tuple(self._meanings.of(each, names.roles) for each in node.arguments)
            targets = self._calls.of_name(Name(name, None, None, 0, 0), passed, place)
            return self._targets(targets, node, passed, contents, place, names, self._called[-1].owner)
        if isinstance(role, Thing) and role.struct is not None:
            passed = tuple(self._meanings.of(each, names.roles) for each in node.arguments)
            targets = self._calls.of_method(name, role.struct, passed)
            return self._targets(targets, node, passed, contents, place, names, self._read(receiver))
        if not contents and name not in self._facts.functions and receiver.memory is None:
            return Content(receiver.level)
        self._unfollowed(node, contents, names)
        if may_synchronise(name, shouted=False):
            self._uncertain_barrier()
        return UNKNOWN

    def _uncertain_barrier(self) -> None:
        """Something that may be a barrier was met."""
        if self._state is not None:
            self._state.written.clear()

    def _of_group(self, node: Call, function: Member, role: Meaning | None, place: Place, names: Names) -> Content:
        """A member function of an item or a group."""
        name = function.name
        contents = tuple(self._read(each) for each in self._arguments(node, place, names))
        if name == "barrier":
            self._meet(node, "barrier", Role.SUB_GROUP if role is Role.SUB_GROUP else Role.WORK_GROUP, place)
            return UNIFORM
        if role is Role.SUB_GROUP:
            if name in SUB_GROUP_MEMBERS:
                self._meet(node, name, Role.SUB_GROUP, place)
                return result_of_group_function(name, Role.SUB_GROUP, contents)
            self.asks_width = self.asks_width or name in ("get_max_local_range", "get_local_range")
            return self._indices.of_sub_group(name)
        if name in ("async_work_group_copy", "wait_for"):
            self._meet(node, name, Role.WORK_GROUP, place)
            return UNIFORM
        if role is Role.WORK_GROUP and name == "get_id":
            name = "get_group_id"
        return self._indices.of_item(name, _known(contents[0]) if contents else None, chosen=bool(contents))

    def _meet(self, node: Node, name: str, role: Role, place: Place) -> None:
        """A barrier or collective."""
        location = self._use if self._use is not None else self._location(node, place)
        self._met += 1
        key = (location, tuple(self._chain))
        meeting = self.meetings.get(key)
        if meeting is None:
            call = self._chain[0] if self._chain else None
            meeting = self.meetings[key] = Meeting(location, name, role, call)
        meeting.guessed = meeting.guessed or guessed(self._facts, place, location.span.start)
        for control in (*self._controls, *self._exits):
            if control.level.diverges:
                of = (control.kind, control.location, control.jump)
                known = meeting.controls.get(of)
                if known is None or control.level > known.level:
                    meeting.controls[of] = control
            elif control.kind != "loop" or control.level is Level.UNKNOWN:
                meeting.undecided = True
        if role is Role.WORK_GROUP and self._state is not None:
            self._state.written.clear()

    def _free_call(self, node: Call, function: Name, place: Place, names: Names) -> Content:
        last = function.last
        library = not function.qualifier or is_plain_function(function, self._facts.namespaces)
        if last in LOCAL_ALLOCATORS or last in LOCAL_SCRATCH:
            return Content(Level.GRID, memory=Memory(id(node), True))
        if not function.qualifier and last in names.closures:
            closure, at, around = names.closures[last]
            return self._run(closure, at, around, self._arguments(node, place, names), node.arguments)
        if library and last in GROUP_FUNCTIONS and (last not in OLD_GROUP_FUNCTIONS or function.qualifier):
            return self._group_function(node, last, place, names)
        if last in SUB_GROUP_FUNCTIONS:
            contents = tuple(self._read(each) for each in self._arguments(node, place, names))
            if len(contents) <= _LOGICAL_WIDTH:
                self._meet(node, last, Role.SUB_GROUP, place)
            return result_of_group_function(last, Role.SUB_GROUP, contents[1:])
        macro = self._evaluator.macros.macro(function, Point(place, node.start))
        if macro is not None and macro.parameters is not None:
            return self._macro(macro, node, place, names)
        contents = self._arguments(node, place, names)
        if function.qualifier and library:
            return self._library(node, last, contents, names)
        passed = tuple(self._meanings.of(each, names.roles) for each in node.arguments)
        targets = self._calls.of_name(function, passed, place)
        if targets.found:
            return self._targets(targets, node, passed, contents, place, names, None)
        if is_atomic(last):
            for content in contents[:1]:
                self._store(content)
            return Content(Level.ITEM)
        outside = self._evaluator.lookup.name(function, Point(place, node.start)) if not function.qualifier else None
        if isinstance(outside, Closure):
            return self._run(outside.function, outside.place, Names({}, {}, {}), contents, node.arguments)
        kind = self._evaluator.types.kind(function)
        if kind.struct is not None or kind.integer is not None or kind.floating or is_plain_function(function, {}):
            return self._library(node, last, contents, names)
        self._unfollowed(node, contents, names)
        if last in self._facts.macros or may_synchronise(last):
            self._uncertain_barrier()
        return UNKNOWN

    def _library(self, node: Call, last: str, contents: tuple[Content, ...], names: Names) -> Content:
        """A function of SYCL or the C++ library, or a constructor: from values to a value, unless handed addresses."""
        if is_atomic(last):
            for content in contents[:1]:
                self._store(content)
            return Content(Level.ITEM)
        addressed = any(
            (content.memory is not None and not content.through and content.number is None)
            or (isinstance(each, Unary) and each.operator == "&")
            for each, content in zip(node.arguments, contents, strict=True)
        )
        values = [self._read(each) for each in contents]
        plain = all(isinstance(each, Name | Number | Index | Member) for each in node.arguments)
        if last == "swap" or (addressed and not plain):
            self._unfollowed(node, contents, names)
        if last == "mul24" and len(values) == 2:
            return self._arithmetic("*", values[0], values[1], node)
        number = self._extremum(last, values)
        return Content(joined(each.level for each in values), number)

    def _extremum(self, last: str, values: list[Content]) -> Scalar | None:
        if last not in ("min", "max") or len(values) != 2:
            return None
        first, second = _known(values[0]), _known(values[1])
        if first is None or second is None:
            return None
        return _number(min(first, second) if last == "min" else max(first, second))

    def _group_function(self, node: Call, last: str, place: Place, names: Names) -> Content:
        role = self._role(node.arguments[0], names) if node.arguments else None
        contents = tuple(self._read(each) for each in self._arguments(node, place, names)[1:])
        if role is not Role.WORK_GROUP and (role is Role.SUB_GROUP or takes_lane_of_group(last)):
            role = Role.SUB_GROUP
        if role not in (Role.WORK_GROUP, Role.SUB_GROUP):
            self._uncertain_barrier()
            return UNKNOWN
        self._meet(node, last, role, place)
        return result_of_group_function(last, role, contents)

    def _macro(self, macro: Macro, use: Call | Name, place: Place, names: Names) -> Content:
        """A macro's text where it is used: its parameters are what they are called with."""
        body: Node | None = macro.body if macro.body is not None else macro.value
        if body is None or self._expanding >= MAX_CALLS:
            if macro.text:
                self._uncertain_barrier()
            return UNKNOWN
        inner = names.inner()
        arguments = use.arguments if isinstance(use, Call) else ()
        for name, argument in zip(macro.parameters or (), arguments, strict=False):
            role = self._role(argument, names)
            if role is not None:
                inner.roles[name] = role
            if isinstance(argument, Name) and argument.text in names.keys:
                inner.keys[name] = names.keys[argument.text]
                continue
            content = self._lvalue(argument, place, names)
            self._bind(name, (id(macro), name, self._expanding), content, inner)
        around = Place(body, Place(macro, place))
        use_before, self._use = self._use, self._use or self._location(use, place)
        self._expanding += 1
        result = UNIFORM
        if isinstance(body, Block):
            for statement in body.statements:
                self._statement(statement, Place(statement, around), inner)
        elif isinstance(body, Expr):
            result = self._lvalue(body, around, inner)
        self._expanding -= 1
        self._use = use_before
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
        if len(targets.found) != 1 or not targets.sure or len(self._called) >= MAX_CALLS:
            self._unfollowed(node, contents, names)
            self._uncertain_barrier()
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
        struct = self._calls.owner(declared)
        structs = self._facts.structs.get(struct) if struct is not None else ()
        roles = dict(self._meanings.members(structs[0])) if len(structs) == 1 else {}
        roles |= self._meanings.parameters(function.parameters)
        inner = Names({}, roles, {})
        for parameter, meaning in zip(function.parameters, passed, strict=False):
            if meaning is not None:
                inner.roles[parameter.name] = meaning
        self._parameters(function.parameters, node.arguments, contents, names, inner)
        evaluator, body = self._evaluator, function.body
        templates = (node.function.arguments if isinstance(node.function, Name | Member) else None) or ()
        outer = evaluator.frame
        evaluator.frame = Frame(function, node.arguments, templates, Point(place, node.start), node, outer)
        if struct is None:
            owner = None
        elif owner is None and self._called[-1].owner is not None:
            owner = self._called[-1].owner
        self._chain.append(self._use if self._use is not None else self._location(node, place))
        use, self._use = self._use, None
        result = self._followed(owner, lambda: self._block(body, Place(body, declared.place), inner))
        self._use = use
        self._chain.pop()
        evaluator.frame = outer
        return result

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
                self._bind(parameter.name, id(parameter), UNIFORM if parameter.default is not None else UNKNOWN, inner)
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
                content = self._typed(self._read(content), parameter.type)
            elif content.memory is not None and content.memory.is_local and self._is_number(parameter.type):
                # An accessor of no dimensions converts to its element.
                content = replace(content, through=True)
            self._bind(parameter.name, (id(parameter), len(self._called)), content, inner)

    def _is_number(self, kind: Type) -> bool:
        resolved = self._evaluator.types.kind(kind.name)
        return not kind.pointers and (resolved.integer is not None or resolved.floating)

    def _run(
        self, function: Lambda, place: Place, names: Names, contents: tuple[Content, ...], arguments: tuple[Expr, ...]
    ) -> Content:
        """A lambda that is called."""
        if len(self._called) >= MAX_CALLS:
            return UNKNOWN
        inner = names.inner()
        inner.roles.update(self._meanings.parameters(function.parameters))
        for parameter, argument in zip(function.parameters, arguments, strict=False):
            role = self._role(argument, names)
            if role is not None:
                inner.roles[parameter.name] = role
        self._parameters(function.parameters, arguments, contents, names, inner)
        return self._followed(
            self._called[-1].owner, lambda: self._block(function.body, Place(function.body, place), inner)
        )

    def _followed(self, owner: Content | None, walk: Callable[[], None]) -> Content:
        """What a function gives; what left it early is back after the call."""
        if self._state is None:
            return UNKNOWN
        called = _Called(owner, len(self._controls), len(self._exits))
        self._called.append(called)
        loops, self._loops = self._loops, []
        walk()
        self._loops = loops
        self._called.pop()
        del self._exits[called.exits :]
        state: State | None = self._state
        for each in called.states:
            state = merged(state, each, called.left)
        self._state = state
        if not called.contents:
            return UNIFORM
        if len(called.contents) == 1:
            return called.contents[0]
        memories = {each.memory for each in called.contents if each.number is None}
        level = joined((called.left, *(each.level for each in called.contents)))
        return Content(level, memory=memories.pop() if len(memories) == 1 else None)

    # ---------------------------------------------------------------- proofs

    def _proof(self, condition: Expr, place: Place, names: Names) -> Padding | bool:
        """Why a condition surely comes out both ways inside one group, from the numbers of the launch."""
        if not isinstance(condition, Binary) or condition.operator not in _COMPARISONS:
            return False
        left, right = self._value(condition.left, place, names), self._value(condition.right, place, names)
        if left.number is None or right.number is None:
            return False
        first, second = left.number.value, right.number.value
        if self._indices.differs(condition.operator, first, second):
            return True
        if condition.operator in (">=", "<"):
            return self._indices.overhang(first, second) or False
        if condition.operator in ("<=", ">"):
            return self._indices.overhang(second, first) or False
        return False


_NOWHERE = Place(Block((), 0, 0), None)


def _raised(before: State, after: State | None, level: Level) -> State | None:
    """What is known after a loop that not every work-item leaves at the same trip."""
    if after is None or level <= Level.GROUP:
        return after
    contents = {
        key: content if before.contents.get(key) is content else replace(content, level=max(content.level, level))
        for key, content in after.contents.items()
    }
    return State(contents, after.written)


def _truth(content: Content) -> bool | None:
    number = _known(content)
    return None if number is None else bool(number)


def _known(content: Content) -> int | None:
    if content.number is None or not isinstance(content.number.value, Known):
        return None
    return content.number.value.value


def _number(value: int) -> Scalar:
    return Scalar(Known(value), LONG)


def _scalar(result: object) -> Scalar | None:
    return result if isinstance(result, Scalar) and isinstance(result.value, Known | Symbolic) else None


def _is_scalar(node: Conditional) -> bool:
    """Whether the arms of ``?:`` look like values rather than pointers."""
    return any(isinstance(each, Index | Binary | Number | Unary) for each in (node.then, node.otherwise))


def _root(expression: Expr) -> tuple[str | None, list[Expr]]:
    """The variable that an lvalue is a part of, and the indices on the way."""
    indices: list[Expr] = []
    while True:
        match expression:
            case Name(text=text):
                return text, indices
            case Index(object=inner, indices=found):
                indices += found
                expression = inner
            case Member(object=inner):
                expression = inner
            case Call(function=Member(object=inner), arguments=()):
                expression = inner
            case _:
                return None, indices


def _counted(node: Loop) -> tuple[Name, Expr, Expr | None] | None:
    """``for (…; i < bound; i += stride)``: the variable, the bound, the stride (``None`` is 1)."""
    match node.condition, node.update:
        case Binary(operator="<" | "!=", left=Name() as name, right=bound), Increment(
            operator="++", operand=Name(text=of)
        ):
            return (name, bound, None) if of == name.text else None
        case Binary(operator="<", left=Name() as name, right=bound), Assign(
            operator="+=", left=Name(text=of), right=by
        ):
            return (name, bound, by) if of == name.text else None
        case _:
            return None


def _inside(expression: Node) -> Iterable[Node]:
    yield expression
    for each in children(expression):
        yield from _inside(each)


_STATEMENTS: dict[type[Node], Callable[..., None]] = {
    Block: Walk._inner_block,
    Case: Walk._case,
    Damaged: Walk._damaged,
    Declaration: Walk._declaration,
    Evaluate: Walk._evaluate,
    If: Walk._if,
    Include: Walk._include,
    Jump: Walk._jump,
    Loop: Walk._loop,
    RangeLoop: Walk._range_loop,
    Return: Walk._return,
    Switch: Walk._switch,
    Try: Walk._try,
    Variants: Walk._variants,
}

_EXPRESSIONS: dict[type[Node], Callable[..., Content]] = {
    Assign: Walk._assign,
    Binary: Walk._binary,
    Brace: Walk._brace,
    Call: Walk._call,
    Cast: Walk._cast,
    Conditional: Walk._conditional,
    Increment: Walk._increment,
    Index: Walk._index,
    Lambda: Walk._lambda,
    Member: Walk._member,
    Name: Walk._name,
    Unary: Walk._unary,
}
