"""The state of lowering one body: its columns as they grow, the names in scope, and the work that is left.

There is no recursion: each step lowers one node and puts the steps that come after it on a stack, so that a chain of
thousands of operators is as good as one. A step that lowers an expression leaves one value on ``values``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from sycllint.cpp.expression import Capture, Expr, Name, Type
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Block, FunctionParameter, Macro, Statement, Variable
from sycllint.ir import ops
from sycllint.ir.body import Body, Local, Region, Storage
from sycllint.ir.macros import MacroLookup
from sycllint.ir.ops import NONE
from sycllint.record import mutable, replace
from sycllint.values.evaluate import Evaluator

Step = Callable[..., None]
"""A function of the builder, a node, and a number: ``VALUE`` or ``PLACE``, or what an earlier step leaves it."""

VALUE, PLACE = 0, 1
"""The category of a lowered expression: its value, or its place in memory."""


@mutable
class MacroExpansion:
    """The use of a macro whose text is being lowered."""

    macro: Macro
    given: Mapping[str, Expr]
    """Arguments by parameter."""
    rest: tuple[Expr, ...]
    """The arguments that ``...`` takes."""
    outer: MacroExpansion | None
    """The use that the arguments are written in."""
    region: int
    """The region that the arguments are written in."""
    depth: int


class Builder:
    """The lowering of one function or lambda."""

    def __init__(self, body: Body, evaluator: Evaluator, steps: Mapping[type[Node], Step], macros: MacroLookup) -> None:
        self.body = body
        self.evaluator = evaluator
        self.steps = steps
        self.macros = macros
        self.work: list[tuple[Step, Node, int]] = []
        self.values: list[int] = []
        self.scope: dict[str, int] = {}
        """Slots by the names that mean them here."""
        self.log: list[tuple[str, int]] = []
        """Earlier meanings of names, restored at the ends of scopes."""
        self.opened = 0
        """Scopes that are open."""
        self.arms: list[tuple[int, dict[str, int]]] = []
        """For each ``#if`` around: the scopes open there, and what its arms declare."""
        self.positions: list[int] = []
        """For each of those, its last arm so far."""
        self.use: MacroExpansion | None = None
        """The use of a macro whose text is being lowered."""
        self.uses: list[MacroExpansion | None] = []
        """The stack of expansions around the current one."""
        self.region = 0
        self.callees: list[Expr] = []
        """The callees of the calls around the current one."""
        self.numbers: dict[str, int] = {}
        self.outer: frozenset[str] | None = None
        """Names of the functions around, once they are asked for."""

    def run(self) -> None:
        """Take all steps, and those that they add."""
        work = self.work
        while work:
            step, node, number = work.pop()
            step(self, node, number)

    # ------------------------------------------------------------------ steps

    def then(self, step: Step, node: Node, number: int = 0) -> None:
        """Take this step before those that wait already."""
        self.work.append((step, node, number))

    def lower(self, node: Node, mode: int = VALUE) -> None:
        """Lower an expression or a statement before what waits already."""
        self.work.append((self.steps[type(node)], node, mode))

    def each(self, nodes: Sequence[Node]) -> None:
        """Lower these one after the other."""
        steps, work = self.steps, self.work
        for node in reversed(nodes):
            work.append((steps[type(node)], node, VALUE))

    def taken(self, count: int) -> tuple[int, ...]:
        """The last ``count`` values, in order."""
        if not count:
            return ()
        found = tuple(self.values[-count:])
        del self.values[-count:]
        return found

    # ----------------------------------------------------------- instructions

    def emit(self, op: int, a: int, b: int, extra: int, node: Node) -> int:
        """Add an instruction; its position."""
        body = self.body
        position = len(body.op)
        body.op.append(op)
        body.a.append(a)
        body.b.append(b)
        body.extra.append(extra)
        body.region.append(self.region)
        body.node.append(node)
        return position

    def push(self, op: int, a: int, b: int, extra: int, node: Node) -> None:
        """Add an instruction that is the value of an expression."""
        self.values.append(self.emit(op, a, b, extra, node))

    def number(self, name: str) -> int:
        """The number of a name."""
        found = self.numbers.get(name)
        if found is None:
            found = self.numbers[name] = len(self.body.names)
            self.body.names.append(name)
        return found

    def list(self, values: Iterable[int]) -> int:
        """The number of a list of values."""
        self.body.lists.append(tuple(values))
        return len(self.body.lists) - 1

    # ---------------------------------------------------------------- regions

    def enter(self, node: Node) -> None:
        """Begin the region of ``node``; it ends after the steps that are added from here on."""
        self.enter_at(Place(node, self.body.regions[self.region].place))

    def enter_at(self, place: Place, *, is_guessed: bool = False) -> None:
        """Enter text with a place of its own."""
        self.then(_leave, place.node, self.region)
        parent, self.region = self.region, len(self.body.regions)
        self.body.regions.append(Region(place, parent, len(self.body.op), NONE, is_guessed))

    def open(self, node: Node) -> None:
        """Begin a scope of names; it ends after the steps that are added from here on."""
        self.then(_close, node, len(self.log))
        self.opened += 1

    def inner(self, block: Block) -> None:
        """Lower a block in a region and a scope of its own."""
        self.then(_inner, block)

    @property
    def place(self) -> Place:
        """The place of what is being lowered."""
        return self.body.regions[self.region].place

    # ------------------------------------------------------------------ names

    def declare(self, node: Variable | FunctionParameter, storage: Storage) -> int:
        """A slot for what is declared here. All arms of an ``#if`` declare the same by one name."""
        use = self.use
        name = self.substituted(node.name)
        arm = self.arms[-1][1] if self.arms and self.arms[-1][0] == self.opened else None
        if arm is not None and name in arm:
            slot = arm[name]
        else:
            kind = node.type if use is None else self._type(node.type, use)
            slot = self.slot(Local(name, kind, storage, node, kind.reference))
            if arm is not None:
                arm[name] = slot
        if name:
            self.log.append((name, self.scope.get(name, NONE)))
            self.scope[name] = slot
        return slot

    def slot(self, local: Local) -> int:
        """The number of a new slot."""
        self.body.locals.append(local)
        return len(self.body.locals) - 1

    def hold(self, capture: Capture) -> int:
        """A slot for an init-capture."""
        slot = self.slot(Local(capture.name, None, Storage.CAPTURE, capture, is_reference=capture.by_reference))
        self.scope[capture.name] = slot
        return slot

    def substituted(self, name: str) -> str:
        """A name in a macro's text, with what the macro is given in place of a parameter."""
        use = self.use
        while use is not None and name in use.given:
            given = use.given[name]
            if not isinstance(given, Name):
                break
            name, use = given.text, use.outer
        return name

    def _type(self, kind: Type, use: MacroExpansion) -> Type:
        given = use.given.get(kind.name.text)
        if isinstance(given, Name):
            return replace(kind, name=given)
        return replace(given, reference=kind.reference or given.reference) if isinstance(given, Type) else kind


def _leave(builder: Builder, _: Node, parent: int) -> None:
    builder.body.regions[builder.region].end = len(builder.body.op)
    builder.region = parent


def _close(builder: Builder, _: Node, length: int) -> None:
    log, scope = builder.log, builder.scope
    while len(log) > length:
        name, before = log.pop()
        if before == NONE:
            del scope[name]
        else:
            scope[name] = before
    builder.opened -= 1


def _inner(builder: Builder, block: Block, _: int) -> None:
    builder.enter(block)
    builder.open(block)
    builder.each(block.statements)


def end(builder: Builder, node: Node, begin: int) -> None:
    """The step that ends what began at ``begin``."""
    builder.body.extra[begin] = builder.emit(ops.END, begin, NONE, NONE, node)


def statements(builder: Builder, block: Block, _: int) -> None:
    """The step that lowers the statements of a block where it stands, without a scope."""
    builder.each(block.statements)


def forget(builder: Builder, _: Statement, __: int) -> None:
    """The step that takes no notice of a value."""
    builder.values.pop()
