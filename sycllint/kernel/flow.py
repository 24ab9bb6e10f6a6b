"""One walk through a kernel and what it calls: how uniform each value is, and what decides whether barriers are met.

Statements are followed in the order in which they run. Where ways part, what is known is copied and met again; a loop
is walked until nothing rises any more. Functions are followed at each call, with what their parameters are bound to.
"""

from __future__ import annotations

from collections.abc import Callable

from sycllint.cpp.expression import (
    Binary,
    Expr,
    Lambda,
)
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    Function,
    Parameter,
)
from sycllint.kernel.certainty import guessed
from sycllint.kernel.controls import Called, Control, LaneArithmetic, Looped, Meeting, Names
from sycllint.kernel.disclosed import Disclosed
from sycllint.kernel.following import Following
from sycllint.kernel.indices import Indices, Padding
from sycllint.kernel.levels import (
    Content,
    Level,
    Memory,
    State,
    joined,
    merged,
)
from sycllint.kernel.meaning import Meanings, Role
from sycllint.kernel.meaning import Scope as Roles
from sycllint.kernel.operands import COMPARISONS, Operands
from sycllint.kernel.statements import Statements
from sycllint.record import replace
from sycllint.source.span import Location
from sycllint.values.evaluate import Evaluator

MAX_WORK = 25_000
"""Nodes walked per kernel; beyond it nothing is said of it."""


class Walk:
    """The walk over one kernel of one launch: what is known where it is, and what it has met."""

    def __init__(
        self, evaluator: Evaluator, indices: Indices, part: frozenset[int] | None = None, *, counts: bool = True
    ) -> None:
        self.evaluator = evaluator
        self.part = part
        """The statements that are walked, by identity; ``None`` is all."""
        self.counts = counts
        """Numbers are followed; without them the levels are those of any launch, and found in half the time."""
        self.facts = evaluator.facts
        self.indices = indices
        self.meanings = Meanings(evaluator)
        self.levels: dict[int, Level] = {}
        """The highest level seen of expressions, by their identity: of indices; where all is walked, of every one."""
        self.meetings: dict[object, Meeting] = {}
        self.lanes: dict[Location, LaneArithmetic] = {}
        self.asks_width = False
        """The kernel asks a sub-group for its size."""
        self.lost = False
        """Something cannot be followed at all: nothing of the above counts."""
        self.stored: set[object] = set()
        self.unstored: set[object] = set()
        """Memory outside the group that was read before anything was seen to be stored there."""
        self.state: State | None = State()
        self.controls: list[Control] = []
        self.exits: list[Control] = []
        self.called: list[Called] = []
        self.loops: list[Looped] = []
        self.chain: list[Location] = []
        self.use: Location | None = None
        """Where the macro is used whose text is being walked."""
        self.met = 0
        self.expanding = 0
        self.work = 0
        self.disclosed = Disclosed(self)
        self.statements = Statements(self)
        self.operands = Operands(self)
        self.following = Following(self)
        self.last_jump: tuple[str, Location] | None = None
        self.scope: object = None
        """The function in which names are looked for, or how it is reached where that makes a difference."""
        self.outer: dict[tuple[str, object], Content] = {}
        """What names from outside such a function stand for."""
        self._locations: dict[int, Location] = {}

    def run(self, function: Lambda | Function, place: Place) -> None:
        """Follow the kernel ``function`` at ``place``."""
        for _ in range(3):
            self.levels, self.meetings = {}, {}
            self.unstored.clear()
            self._kernel(function, place)
            if self.lost or self.unstored.isdisjoint(self.stored):
                return
        self.lost = True

    def _kernel(self, function: Lambda | Function, place: Place) -> None:
        self.state, self.controls, self.exits, self.loops, self.met = State(), [], [], [], 0
        self.called = [Called(None, 0, 0)]
        names = Names({}, dict(self.meanings.parameters(function.parameters, kernel=True)), {})
        if isinstance(function, Function):
            names.roles.update(
                {name: role for name, role in self._own_members(place).items() if name not in names.roles}
            )
        for position, parameter in enumerate(function.parameters):
            self._kernel_parameter(parameter, position, names)
        if function.body is not None:
            self.statements.block(function.body, Place(function.body, place), names)

    def _kernel_parameter(self, parameter: Parameter, position: int, names: Names) -> None:
        """The item, an ``id``, or an argument of the kernel."""
        kind = self.evaluator.types.kind(parameter.type.name).sycl or parameter.type.name.last
        key: object = id(parameter)
        if kind == "id":
            self.bind(
                parameter.name, key, Content(self.indices.only("get_global_id").level, ids="get_global_id"), names
            )
        elif names.roles.get(parameter.name) in (Role.ITEM, Role.WORK_GROUP):
            self.bind(parameter.name, key, self.indices.of_item("get_global_id", None, chosen=False), names)
        elif position > 0 or parameter.name:
            self.bind(parameter.name, key, Content(Level.GRID, memory=Memory(parameter.name, False)), names)

    def _own_members(self, place: Place) -> Roles:
        symbols = self.evaluator.symbols
        struct = symbols.definition(symbols.class_around(place))
        return dict(self.meanings.members(struct)) if struct is not None else {}

    def location(self, node: Node, place: Place) -> Location:
        """Where ``node`` stands."""
        found = self._locations.get(id(node))
        if found is None:
            start = getattr(node, "start", 0)
            found = self.facts.file_at(place).location(start, getattr(node, "end", start))
            self._locations[id(node)] = found
        return found

    def bind(self, name: str, key: object, content: Content, names: Names) -> None:
        """Let ``name`` stand for a variable with this content."""
        names.keys[name] = key
        names.closures.pop(name, None)
        if self.state is not None:
            self.state.contents[key] = content

    def around(self, since: int = 0) -> Level:
        """The level of what decides whether the code here runs."""
        return joined(each.level for each in self.controls[since:])

    def runs(self) -> bool:
        """Whether anything gets here."""
        return self.state is not None

    def tired(self) -> bool:
        """Count a node; whether there were too many, or the walk is lost for another reason."""
        self.work += 1
        if self.work > MAX_WORK:
            self.lost = True
        return self.lost

    def note(self, node: Node, level: Level) -> None:
        """Remember the highest level seen of a node."""
        if level > self.levels.get(id(node), -1):
            self.levels[id(node)] = level

    def control(
        self, kind: str, level: Level, condition: Expr | None, node: Node, place: Place, names: Names
    ) -> Control:
        """What decides whether the code under ``condition`` runs."""
        location = self.location(condition if condition is not None else node, place)
        proof = self.counts and condition is not None and level.diverges and self._proof(condition, place, names)
        return Control(kind, level, condition, location, proof=proof)

    def choice(self, control: Control, then: Callable[[], None], otherwise: Callable[[], None] | None) -> None:
        """Two ways of which one is taken."""
        before = self.state
        assert before is not None
        self.state = before.copy()
        self.controls.append(control)
        position, met = len(self.exits), self.met
        then()
        first, of_first, met_first = self.state, self.exits[position:], self.met - met
        del self.exits[position:]
        self.state = before
        met = self.met
        opposite = control.opposite()
        self.controls[-1] = opposite
        if otherwise is not None:
            otherwise()
        second, of_second = self.state, self.exits[position:]
        del self.exits[position:]
        self.controls.pop()
        control.in_both = opposite.in_both = met_first == self.met - met > 0
        self.state = merged(first, second, control.level, once=True)
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
            self.exits += of_first + of_second
            return
        self.exits += of_second if first is None else of_first
        if control.level <= Level.GROUP:
            return
        if self.last_jump is None:  # what ends a branch without one, as code that does not parse, leads nowhere
            return
        kind, jump = self.last_jump
        negated = first is not None
        self.exits.append(replace(control, kind=kind, jump=jump, negated=negated, in_both=False))

    def read(self, content: Content) -> Content:
        """An element of memory as the value that is in it."""
        memory = content.memory
        if memory is None or not content.through:
            return content
        level = content.level
        assert self.state is not None
        changes = memory.key in (self.state.written if memory.is_local else self.stored)
        if not (changes or memory.is_local):
            self.unstored.add(memory.key)
        if changes and level is not Level.ITEM:
            level = Level.UNKNOWN
        elif memory.is_local and level is Level.GRID:
            level = Level.GROUP
        return Content(level, content.number, memory, ids=content.ids)

    def store(self, content: Content) -> None:
        """Something is written through an lvalue or a pointer."""
        memory = content.memory
        if memory is None or self.state is None:
            return
        if memory.is_local:
            self.state.written.add(memory.key)
        else:
            self.stored.add(memory.key)

    def uncertain_barrier(self) -> None:
        """Something that may be a barrier was met."""
        if self.state is not None:
            self.state.written.clear()

    def meet(self, node: Node, name: str, role: Role, place: Place) -> None:
        """A barrier or collective."""
        location = self.use if self.use is not None else self.location(node, place)
        self.met += 1
        key = (location, tuple(self.chain))
        meeting = self.meetings.get(key)
        if meeting is None:
            call = self.chain[0] if self.chain else None
            meeting = self.meetings[key] = Meeting(location, name, role, call)
            meeting.guessed = guessed(self.facts, place, location.span.start)
        for control in (*self.controls, *self.exits):
            if control.level.diverges:
                of = (control.kind, control.location, control.jump)
                known = meeting.controls.get(of)
                if known is None or control.level > known.level:
                    meeting.controls[of] = control
            elif control.kind != "loop" or control.level is Level.UNKNOWN:
                meeting.undecided = True
        if role is Role.WORK_GROUP and self.state is not None:
            self.state.written.clear()

    def _proof(self, condition: Expr, place: Place, names: Names) -> Padding | bool:
        """Why a condition surely comes out both ways inside one group, from the numbers of the launch."""
        if not isinstance(condition, Binary) or condition.operator not in COMPARISONS:
            return False
        compared = self.operands.compared
        if compared is not None and compared[0] is condition:
            _, left, right = compared
        else:
            left = self.operands.value(condition.left, place, names)
            right = self.operands.value(condition.right, place, names)
        if left.number is None or right.number is None:
            return False
        first, second = left.number.value, right.number.value
        if self.indices.differs(condition.operator, first, second):
            return True
        if condition.operator in (">=", "<"):
            return self.indices.overhang(first, second) or False
        if condition.operator in ("<=", ">"):
            return self.indices.overhang(second, first) or False
        return False
