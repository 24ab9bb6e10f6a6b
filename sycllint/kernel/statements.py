"""Statements of a kernel: where ways part and meet, and what a loop makes of what it changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sycllint.cpp.expression import (
    Binary,
    Call,
    Expr,
    Lambda,
    Name,
    Number,
)
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    Block,
    Case,
    Damaged,
    Declaration,
    Evaluate,
    If,
    Include,
    Jump,
    Loop,
    RangeLoop,
    Return,
    Statement,
    Switch,
    Try,
    Variable,
    Variants,
)
from sycllint.kernel.cases import has_default, is_only_default
from sycllint.kernel.controls import Control, Looped, Names
from sycllint.kernel.counted import surely_counted
from sycllint.kernel.induction import put, steady
from sycllint.kernel.levels import (
    UNIFORM,
    UNKNOWN,
    Content,
    Level,
    Memory,
    State,
    collected,
    constant,
    joined,
    merged,
    raised,
    truth_of,
)
from sycllint.kernel.meaning import Meaning, Role, Thing
from sycllint.kernel.trips import perhaps_alike
from sycllint.kernel.vocabulary import (
    ITEM_MAKERS,
    STATIC_LOCAL,
    may_synchronise,
)
from sycllint.record import replace
from sycllint.values.objects import Point

if TYPE_CHECKING:
    from sycllint.kernel.flow import Walk

MAX_ROUNDS = 8
"""How often the body of a loop is walked; the lattice has six levels."""


class Statements:
    """The statements of one walk."""

    def __init__(self, walk: Walk) -> None:
        self._walk = walk
        self._bounds: list[Expr] = []
        """Those of loops: some are made here, and the walk knows expressions by their identity."""

    def block(self, block: Block, place: Place, names: Names) -> None:
        """Walk a block in a scope of its own."""
        walk = self._walk
        part = walk.part
        inner = names.inner()
        for statement in block.statements:
            if part is not None and id(statement) not in part:
                self._skip(statement, inner)
            elif walk.state is None or walk.tired():
                return
            else:
                visit = _STATEMENTS.get(type(statement))
                if visit is not None:
                    visit(self, statement, Place(statement, place), inner)

    def statement(self, statement: Statement, place: Place, names: Names) -> None:
        """Walk a statement, if anything gets there and it is asked about."""
        part = self._walk.part
        if part is None or id(statement) in part:
            self._run(statement, place, names)
        else:
            self._skip(statement, names)

    def _skip(self, statement: Statement, names: Names) -> None:
        """Pass a statement that is not asked about: what it declares is not known."""
        if isinstance(statement, Declaration):
            for variable in statement.variables:
                names.keys[variable.name] = id(variable)
                names.roles[variable.name] = Role.OTHER
                names.closures.pop(variable.name, None)

    def _run(self, statement: Statement, place: Place, names: Names) -> None:
        if self._walk.state is None or self._walk.tired():
            return
        visit = _STATEMENTS.get(type(statement))
        if visit is not None:
            visit(self, statement, place, names)

    def _inner_block(self, node: Block, place: Place, names: Names) -> None:
        self.block(node, place, names)

    def _evaluate(self, node: Evaluate, place: Place, names: Names) -> None:
        expression = node.expression
        if isinstance(expression, Name):
            macro = self._walk.evaluator.macros.macro(expression, Point(place, expression.start))
            if macro is not None:
                self._walk.following.macro(macro, expression, place, names)
                return
            if self._walk.operands.is_macro_out_of_sight(expression, place, names):
                self._macro_out_of_sight(expression.text)
                return
        self._walk.operands.value(expression, place, names)
        if isinstance(expression, Binary) and expression.operator == ">>":
            self._walk.disclosed.streamed(expression, names)

    def _macro_out_of_sight(self, name: str) -> None:
        """It may mean anything, unless its name says that it waits."""
        if may_synchronise(name, shouted=False):
            self._walk.uncertain_barrier()
        else:
            self._walk.lost = True

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
        self._walk.disclosed.declared(variable)
        if self._walk.disclosed.made(variable, place, names):
            content = UNKNOWN
        alias = self._aliased(variable, only, names)
        if alias is not None:
            names.keys[variable.name] = alias
            names.closures.pop(variable.name, None)
            return
        self._walk.bind(variable.name, id(variable), content, names)

    def _aliased(self, variable: Variable, only: Expr | None, names: Names) -> object | None:
        """The declaration that a reference to a variable stands for."""
        if variable.type.reference and isinstance(only, Name):
            return names.keys.get(only.text)
        return None

    def _role_of(self, variable: Variable, only: Expr | None, names: Names) -> Meaning | None:
        role = self._walk.meanings.of_type(variable.type.name)
        if role is not None:
            return role
        if isinstance(only, Call) and isinstance(only.function, Name) and only.function.last in ITEM_MAKERS:
            return Role.ITEM
        struct = self._walk.evaluator.types.kind(variable.type.name).struct
        if struct is not None:
            return Thing(struct, self._walk.meanings.any_held(variable.arguments, names.roles))
        return self._walk.meanings.of(only, names.roles) if only is not None else None

    def _initial(self, variable: Variable, only: Expr | None, place: Place, names: Names) -> Content:
        """What a variable holds where it is declared."""
        kind = variable.type
        resolved = self._walk.evaluator.types.kind(kind.name)
        if kind.name.last in STATIC_LOCAL:
            return Content(Level.GRID, memory=Memory(id(variable), True))
        if kind.name.last == "atomic_ref" or resolved.sycl == "atomic_ref":
            content = self._walk.operands.lvalue(only, place, names) if only is not None else UNKNOWN
            self._walk.store(content)
            if content.memory is None and only is not None:
                self._walk.disclosed.kept(only, names)
            return content
        if variable.style == "[":
            bound = [self._walk.operands.value(each, place, names) for each in variable.arguments]
            return UNKNOWN if any(each.parts for each in bound) else Content(joined(each.level for each in bound))
        if only is None:
            return collected([self._walk.operands.value(each, place, names) for each in variable.arguments])
        if kind.reference and not isinstance(only, Name):
            content = self._walk.operands.lvalue(only, place, names)
            if content.memory is not None:
                return content
            if not kind.constant:
                self._walk.disclosed.kept(only, names)
        content = self._walk.operands.value(only, place, names)
        if resolved.struct is not None:
            return Content(content.level, parts=content.parts)
        return self._walk.operands.typed(content, kind)

    def _if(self, node: If, place: Place, names: Names) -> None:
        inner = names.inner()
        if node.initializer is not None:
            self._run(node.initializer, Place(node.initializer, place), inner)
        if node.condition is None:
            # A declared condition: its variable was walked, what it says is not looked at.
            condition = UNKNOWN
        else:
            condition = self._walk.operands.value(node.condition, Place(node.condition, place), inner)
        taken = truth_of(condition)
        then, otherwise = node.then, node.otherwise
        if taken is not None:
            arm = then if taken else otherwise
            if arm is not None:
                self.block(arm, Place(arm, place), inner)
            return
        control = self._walk.control("branch", condition.level, node.condition, node, place, inner)
        self._walk.choice(
            control,
            lambda: self.block(then, Place(then, place), inner),
            (lambda: self.block(otherwise, Place(otherwise, place), inner)) if otherwise is not None else None,
        )

    def _return(self, node: Return, place: Place, names: Names) -> None:
        content = self._walk.operands.value(node.value, place, names) if node.value is not None else UNIFORM
        called = self._walk.called[-1]
        called.contents.append(content)
        if self._walk.state is not None:
            called.states.append(self._walk.state)
        called.left = max(called.left, self._walk.around(called.controls))
        self._walk.last_jump = ("return", self._walk.location(node, place))
        self._walk.state = None

    def _jump(self, node: Jump, place: Place, names: Names) -> None:
        if node.keyword == "goto":
            self._walk.lost = True
        if node.keyword in ("break", "continue") and self._walk.loops:
            loop = self._walk.loops[-1]
            level = self._walk.around(loop.controls)
            if self._walk.state is not None:
                (loop.broken if node.keyword == "break" else loop.continued).append(self._walk.state)
            if node.keyword == "break":
                loop.left = max(loop.left, level)
            else:
                loop.skipped = max(loop.skipped, level)
        self._walk.last_jump = (node.keyword, self._walk.location(node, place))
        self._walk.state = None

    def _loop(self, node: Loop, place: Place, names: Names) -> None:
        inner = names.inner()
        if node.initializer is not None:
            self._run(node.initializer, Place(node.initializer, place), inner)
        trips = self._trips(node, place, inner)
        steadies = self._forget_numbers(node, place, inner)
        put(self._walk.state, steadies)
        self._repeat(
            node,
            place,
            inner,
            lambda: self.block(node.body, Place(node.body, place), inner),
            trips_alike=trips,
            steadies=steadies,
        )

    def _repeat(
        self,
        node: Loop | RangeLoop,
        place: Place,
        names: Names,
        body: Callable[[], None],
        *,
        trips_alike: bool,
        steadies: dict[object, Content],
    ) -> None:
        """Walk a loop until nothing rises any more."""
        entry = self._walk.state
        assert entry is not None
        condition = node.condition if isinstance(node, Loop) else None
        update = node.update if isinstance(node, Loop) else None
        last = isinstance(node, Loop) and node.keyword == "do"
        position = len(self._walk.exits)
        level = Level.GRID
        head: State = entry
        endless = False
        for _ in range(MAX_ROUNDS):
            loop = Looped(len(self._walk.controls) + 1)
            self._walk.loops.append(loop)
            self._walk.state = head.copy()
            tested, endless = (Level.GRID, False) if last else self._tested(condition, place, names)
            if trips_alike:
                tested = min(tested, Level.GROUP)
            level = joined((level, tested))
            control = self._walk.control("loop", level, condition, node, place, names)
            if level > Level.GROUP:
                control.proof = False
            self._walk.controls.append(control)
            leaving = None if endless else self._walk.state.copy()
            body()
            for each in loop.continued:
                self._walk.state = merged(self._walk.state, each, loop.skipped)
            self._walk.exits[position:] = [each for each in self._walk.exits[position:] if each.kind != "continue"]
            if last and self._walk.runs():
                tested, endless = self._tested(condition, place, names)
                leaving = self._walk.state.copy() if self._walk.state is not None and not endless else None
                level = joined((level, tested))
            if update is not None:
                self._walk.operands.value(update, place, names)
            self._walk.controls.pop()
            self._walk.loops.pop()
            level = joined((level, loop.left))
            back = self._walk.state
            after = leaving
            for each in loop.broken:
                after = merged(after, each, level)
            met = merged(head, back, Level.GRID)
            if met is None or back is None or (met.same_levels(head) and level is control.level) or self._walk.lost:
                break
            head = met
            put(head, steadies)
        self._walk.exits[position:] = [
            each for each in self._walk.exits[position:] if each.kind not in ("break", "continue")
        ]
        self._walk.state = raised(entry, after, level)
        for key in steadies:
            self._forget(key)

    def _tested(self, condition: Expr | None, place: Place, names: Names) -> tuple[Level, bool]:
        """The level of a loop's condition, and whether it surely holds for ever."""
        if condition is None:
            return Level.GRID, True
        content = self._walk.operands.value(condition, Place(condition, place), names)
        compared = self._walk.operands.compared if self._walk.counts and content.level.diverges else None
        if compared is not None and compared[0] is condition and perhaps_alike(*compared[1:]):
            return Level.UNKNOWN, False
        return content.level, isinstance(condition, Number | Name) and truth_of(content) is True

    def _range_loop(self, node: RangeLoop, place: Place, names: Names) -> None:
        inner = names.inner()
        ranged = self._walk.operands.value(node.range, place, inner)
        self._forget_numbers(node, place, inner)
        self._walk.bind(node.variable.name, id(node.variable), Content(Level.UNKNOWN), inner)
        alike = ranged.level <= Level.GROUP
        self._repeat(
            node,
            place,
            inner,
            lambda: self.block(node.body, Place(node.body, place), inner),
            trips_alike=alike,
            steadies={},
        )

    def _forget_numbers(self, node: Loop | RangeLoop, place: Place, names: Names) -> dict[object, Content]:
        """Of what a loop changes, only the numbers are followed that each iteration moves by as much."""
        state = self._walk.state
        if not self._walk.counts or state is None:
            return {}
        mutations = self._walk.evaluator.mutations
        changed = set(mutations.of(node.body))
        if isinstance(node, Loop):
            for part in (node.condition, node.update):
                if part is not None:
                    changed |= mutations.of(part)
        apart: dict[str, Content] = {}
        for name in changed:
            # What has a star changes elements of an array: no number of ours.
            key = names.keys.get(name.removeprefix("&")) if "*" not in name else None
            content = state.contents.get(key)
            if content is not None and content.number is not None:
                state.contents[key] = replace(content, number=None)
                if content.level > Level.GROUP:
                    apart[name] = content
        return steady(self._walk, node, apart, changed, place, names) if apart and isinstance(node, Loop) else {}

    def _forget(self, key: object) -> None:
        """The number of a variable is not known from here on."""
        state = self._walk.state
        content = state.contents.get(key) if state is not None else None
        if state is not None and content is not None and content.number is not None:
            state.contents[key] = replace(content, number=None)

    def _trips(self, node: Loop, place: Place, names: Names) -> bool:
        """Whether a counting loop surely makes as many trips in each work-item of a group."""
        counter = surely_counted(node, self._walk.evaluator.mutations) if self._walk.counts else None
        if counter is None or self._walk.state is None or not counter.upwards or counter.operator == "<=":
            return False
        bound, stride = counter.bound, counter.step
        if counter.operator == "!=" and stride is not None:
            return False
        key = names.keys.get(counter.variable)
        content = self._walk.state.contents.get(key) if key is not None else None
        if content is None or content.number is None:
            return False
        self._bounds.append(bound)
        end = self._walk.operands.value(bound, Place(bound, place), names)
        step = (
            self._walk.operands.value(stride, place, names) if stride is not None else Content(Level.GRID, constant(1))
        )
        changed = self._walk.evaluator.mutations.of(node.body)
        if any(isinstance(each, Name) and each.text in changed for each in walk(bound)):
            return False
        if end.number is None or step.number is None:
            return False
        return self._walk.indices.same_trips(content.number.value, end.number.value, step.number.value)

    def _switch(self, node: Switch, place: Place, names: Names) -> None:
        condition = (
            self._walk.operands.value(node.condition, Place(node.condition, place), names)
            if node.condition is not None
            else UNKNOWN
        )
        level = Level.GRID if is_only_default(node) else condition.level
        control = self._walk.control("branch", level, node.condition, node, place, names)
        loop = Looped(len(self._walk.controls))
        self._walk.loops.append(loop)
        before = self._walk.state
        assert before is not None
        outcome: State | None = None if has_default(node) else before.copy()
        self._walk.controls.append(control)
        position = len(self._walk.exits)
        running: State | None = None
        body = Place(node.body, place)
        inner = names.inner()
        for statement in node.body.statements:
            # A case is entered from the head, or by falling through.
            self._walk.state = merged(before.copy(), running, control.level)
            self.statement(statement, Place(statement, body), inner)
            running = self._walk.state
        for each in (*loop.broken, running):
            if each is not None:
                outcome = merged(outcome, each, joined((control.level, loop.left)))
        self._walk.controls.pop()
        self._walk.loops.pop()
        if loop.continued and self._walk.loops:
            self._walk.loops[-1].continued += loop.continued
            self._walk.loops[-1].skipped = max(self._walk.loops[-1].skipped, loop.skipped, control.level)
        self._walk.exits[position:] = [each for each in self._walk.exits[position:] if each.kind != "break"]
        self._walk.state = outcome

    def _case(self, node: Case, place: Place, names: Names) -> None:
        for statement in node.body.statements:
            self.statement(statement, Place(statement, Place(node.body, place)), names)

    def _try(self, node: Try, place: Place, names: Names) -> None:
        self.block(node.body, Place(node.body, place), names)

    def _variants(self, node: Variants, place: Place, names: Names) -> None:
        """Branches of the preprocessor: what differs between them is not understood."""
        before = self._walk.state
        assert before is not None
        outcome: State | None = None
        complete = False
        for arm in node.arms:
            compiled = self._walk.evaluator.macros.arm(arm, place)
            if compiled is False:
                continue
            around = Place(arm.body, Place(arm, place))
            self._walk.state = before.copy()
            uncertain = Control("branch", Level.UNKNOWN, None, self._walk.location(node, place))
            if not compiled:
                self._walk.controls.append(uncertain)
            for statement in arm.body.statements:
                self.statement(statement, Place(statement, around), names)
            if compiled:
                return
            self._walk.controls.pop()
            outcome = self._walk.state if outcome is None else merged(outcome, self._walk.state, Level.UNKNOWN)
            complete = complete or arm.keyword == "else"
        self._walk.state = merged(outcome, before, Level.UNKNOWN) if outcome is None or not complete else outcome

    def _include(self, node: Include, place: Place, names: Names) -> None:
        found = self._walk.facts.included(node)
        if found is None:
            self._walk.lost = True
            return
        around = Place(found.unit, place)
        for statement in found.unit.statements:
            self.statement(statement, Place(statement, around), names)

    def _damaged(self, node: Damaged, place: Place, names: Names) -> None:
        self._walk.lost = True


_STATEMENTS: dict[type[Node], Callable[..., None]] = {
    Block: Statements._inner_block,
    Case: Statements._case,
    Damaged: Statements._damaged,
    Declaration: Statements._declaration,
    Evaluate: Statements._evaluate,
    If: Statements._if,
    Include: Statements._include,
    Jump: Statements._jump,
    Loop: Statements._loop,
    RangeLoop: Statements._range_loop,
    Return: Statements._return,
    Switch: Statements._switch,
    Try: Statements._try,
    Variants: Statements._variants,
}
