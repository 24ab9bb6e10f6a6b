"""Branches of device code, by conditions, labels and directives: each arm under its guard from the same start."""

from __future__ import annotations

from collections.abc import Callable

from sycllint.cpp.expression import Expr
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Block, Case, If, Jump, Return, Statement, Switch, Variants
from sycllint.device_code.access_trace.abstract_values import (
    PLACES,
    VALUES,
    AbstractValue,
    Condition,
    Environment,
    lose,
)
from sycllint.device_code.access_trace.conditions import calculated, chosen, combined, guards_of, when
from sycllint.device_code.access_trace.escape_analysis import EscapeAnalysis
from sycllint.device_code.access_trace.interpreter import Interpreter, Transfers
from sycllint.device_code.access_trace.state import BranchState, NotFollowedError
from sycllint.device_code.access_trace.trace import Event, Fork, Guard
from sycllint.record import NamedTuple
from sycllint.values.declarations import declared_in


class BranchTransfer(Transfers):
    """Those of one walk."""

    def __init__(self, interpreter: Interpreter, escapes: EscapeAnalysis) -> None:
        super().__init__(interpreter)
        self._escapes = escapes

    def transfers(self) -> dict[type[Node], Callable[..., bool]]:
        """The transfer functions of branches, by their kinds."""
        return {Case: self._case, If: self._if, Switch: self._switch, Variants: self._variants}

    def _if(self, node: If, names: Environment) -> bool:
        inner = dict(names)
        following = self._interpreter.following
        if node.initializer is not None:
            self._interpreter.statements(Block((node.initializer,), node.start, node.end), inner)
        condition = self._interpreter.condition(node.condition, inner) if node.condition is not None else None
        if isinstance(condition, int):
            taken = node.then if condition else node.otherwise
            return self._interpreter.block(taken, inner) if taken is not None else True
        others = node.otherwise.statements if node.otherwise is not None else following if leaves(node.then) else ()
        if node.condition is not None:
            self._state.branch(node.condition, condition, (node.then.statements, others), chosen=False)
        then, otherwise = guards_of(condition)
        arms = [(then, node.then), (otherwise, node.otherwise)]
        return self._fork(arms, inner, condition)

    def _fork(
        self,
        arms: list[tuple[Guard, Block | None]],
        names: Environment,
        condition: Condition,
        *,
        of_switch: bool = False,
    ) -> bool:
        """Each arm under its guard from the same start; then what variables hold after the one that was taken.

        A ``break`` at the end of an arm of a ``switch`` leads to what follows it.
        """
        state = self._state
        ends: list[BranchState] = []
        events: list[tuple[Event, ...]] = []
        reached: list[bool] = []
        for guard, block in arms:
            if block is None:
                ends.append(BranchState())
                reached.append(True)
                continue
            way, found, is_reached = state.on_way(guard, self._interpreter.block, block, names)
            ends.append(way)
            events.append(found)
            reached.append(is_reached or (of_switch and breaks(block)))
        if any(events):
            state.events.append(Fork.of(events))
        kept = [end for end, is_reached in zip(ends, reached, strict=True) if is_reached] or ends
        if len(kept) == 1:
            state.go(kept[0])
        else:
            self._join(kept, condition if len(kept) == len(arms) == 2 else None)
        return any(reached)

    def _join(self, ends: list[BranchState], condition: Condition) -> None:
        """What variables hold after a fork: what they were given on each way, or what they held before it."""
        for slot in (slot for end in ends for slot in end.declared):
            if isinstance(slot.value, PLACES):
                slot.value.memory.aside = True
        for slot in {slot: None for end in ends for slot in end.written}:
            value, *others = [end.written.get(slot, slot.value) for end in ends]
            if any(each is not value and each != value for each in others):
                value = self._either(value, others, condition)
            self._state.put(slot, value)

    def _either(self, value: AbstractValue, others: list[AbstractValue], condition: Condition) -> AbstractValue:
        """One of several values, chosen by ``condition``."""
        other = others[0]
        if len(others) == 1 and isinstance(value, VALUES) and isinstance(other, VALUES):
            one = chosen(condition, value, other)
            if one is not None:
                return one
        for each in (value, *others):
            lose(each)
        return None

    def _variants(self, node: Variants, names: Environment) -> bool:
        """Branches of the preprocessor; those of which it is not known whether they are compiled exclude each other."""
        place = Place(node, self._interpreter.function)
        blocks: list[Block | None] = []
        for arm in node.arms:
            compiled = self._evaluator.macros.arm(arm, place)
            if compiled:
                if not blocks:
                    return self._interpreter.statements(arm.body, names)
                blocks.append(arm.body)
                break
            if compiled is None:
                blocks.append(arm.body)
        else:
            blocks.append(None)
        if blocks == [None]:
            return True
        declared = {each.name for block in blocks if block is not None for each in declared_in(block.statements)}
        for name in declared:
            self._state.declare(names, name, None)
        arms = [(Guard(None, None), each) for each in blocks]
        return self._fork(arms, names, None)

    def _switch(self, node: Switch, names: Environment) -> bool:
        value = self._interpreter.condition(node.condition, names) if node.condition is not None else None
        found = choices(node)
        if found is None:
            raise NotFollowedError
        if is_only_default(node):
            return self._interpreter.once(node.body, names)
        if node.condition is not None:
            self._state.branch(node.condition, value, [each.body.statements for each in found], chosen=True)
        arms: list[tuple[Guard, Block | None]] = [(self._chosen(each, value, names), each.body) for each in found]
        if not has_default(node):
            arms.append((Guard(None, None), None))
        exits = len(self._state.exits)
        self._fork(arms, names, None, of_switch=True)
        left = [each.keyword == "break" for each in self._state.exits[exits:]]
        self._state.exits[exits:] = [each for each in self._state.exits[exits:] if each.keyword != "break"]
        if sum(left) > sum(breaks(each.body) for each in found):
            # What was assigned before a break inside a condition is not known to those that come to the end.
            self._escapes.forgotten(self._evaluator.mutations.of(node.body), names)
        return True

    def _chosen(self, choice: SwitchArm, value: Condition, names: Environment) -> Guard:
        """That ``value`` is one of the labels that lead to ``choice``."""
        if choice.is_default:
            return Guard(None, None)
        condition: Condition = 0
        for each in choice.labels:
            condition = combined("||", condition, calculated("==", value, self._interpreter.term(each, names)))
        return when(condition)

    def _case(self, node: Case, names: Environment) -> bool:
        return self._interpreter.block(node.body, names)


class SwitchArm(NamedTuple):
    """What runs for one of some labels."""

    labels: tuple[Expr, ...]
    is_default: bool
    body: Block


def choices(node: Switch) -> tuple[SwitchArm, ...] | None:
    """The ways of which exactly one, or none, is taken; ``None`` where one falls through to the next."""
    found: list[SwitchArm] = []
    labels: tuple[Expr, ...] = ()
    is_default = False
    for position, statement in enumerate(node.body.statements):
        if not isinstance(statement, Case):
            return None
        labels += (statement.value,) if statement.value is not None else ()
        is_default = is_default or statement.value is None
        is_last = position == len(node.body.statements) - 1
        if not statement.body.statements and not is_last:
            continue
        if not (is_last or leaves(statement.body)):
            return None
        found.append(SwitchArm(labels, is_default, statement.body))
        labels, is_default = (), False
    return tuple(found)


def has_default(node: Switch) -> bool:
    """Whether one of the ways is surely taken."""
    return any(isinstance(each, Case) and each.value is None for each in node.body.statements)


def is_only_default(node: Switch) -> bool:
    """Whether what is asked about decides nothing."""
    return all(isinstance(each, Case) and each.value is None for each in node.body.statements)


def breaks(block: Block) -> bool:
    """Whether the statements end with ``break``."""
    last = _last(block)
    return isinstance(last, Jump) and last.keyword == "break"


def leaves(block: Block) -> bool:
    """Whether the statements end with a jump or a return."""
    return isinstance(_last(block), Jump | Return)


def _last(block: Block) -> Statement | None:
    last = block.statements[-1] if block.statements else None
    return _last(last) if isinstance(last, Block) else last
