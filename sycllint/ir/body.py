"""A function or lambda as a flat list of instructions, with the source each of them comes from."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from itertools import chain

from sycllint.cpp.expression import Call, Capture, Expr, Lambda, Member, Name, Type
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place, macros_around
from sycllint.cpp.statement import Function, FunctionParameter, Macro, Variable
from sycllint.ir import ops
from sycllint.record import NamedTuple, mutable, unique

_OF_FIRST = frozenset(
    {
        *(ops.FIELD, ops.ELEM, ops.DEREF, ops.ADDR, ops.READ),
        *(ops.UNARY, ops.BINARY, ops.CAST, ops.SELECT, ops.CALL),
    }
)
"""Instructions that make a value of ``a``, and perhaps of more."""
_STEPS = frozenset({ops.FIELD, ops.ELEM, ops.DEREF, ops.READ, ops.ADDR, ops.CAST})
"""Instructions from a place to a part of it, and back."""
_OPENING = frozenset({ops.LOOP, ops.SWITCH, ops.TRY})
_LABELLED = _OPENING | {ops.VARIANT}
_LABELS = frozenset({ops.CASE, ops.NEXT, ops.CATCH, ops.VARIANT})
VARIABLES = frozenset({ops.LOAD, ops.ADDR_LOCAL, ops.CAPTURE, ops.GLOBAL})
"""Instructions that name a variable."""


class Storage(Enum):
    """How a slot comes by what it holds."""

    PARAMETER = "parameter"
    CAPTURE = "capture"
    VARIABLE = "variable"
    ELEMENT = "element"
    """The variable of a range-based loop."""
    BINDING = "binding"
    """One name of a structured binding."""


@unique
class Local:
    """One numbered slot: a variable, a parameter or an init-capture, each declaration its own."""

    name: str
    type: Type | None
    """As written; of an init-capture, ``None``."""
    storage: Storage
    node: Variable | FunctionParameter | Capture
    is_reference: bool


@mutable
class Region:
    """A stretch of instructions with one place in the source: a statement with a scope, a macro's text, an arm."""

    place: Place
    parent: int
    """The number of the region around it; its own for the function's."""
    begin: int
    end: int
    """Behind its last instruction. Arguments of a macro, lowered where its text uses them, may be in between."""
    is_guessed: bool
    """Whether the text does not parse, or is an operation of a macro without parentheses, which may group otherwise."""


class InstructionOrigin(NamedTuple):
    """The source of an instruction: its node, and the innermost statement with a scope around it.

    In a macro's text the place leads through the ``Macro`` to its use, as everywhere.
    """

    node: Node
    place: Place


class Body:
    """One function or lambda, lowered; never changed once it is.

    ``op``, ``a``, ``b``, ``extra``, ``region`` and ``node`` are columns, one entry for each instruction (see ``ops``).
    """

    def __init__(self, function: Lambda | Function, place: Place) -> None:
        self.function = function
        self.place = place
        """The place of ``function``."""
        self.op: list[int] = []
        self.a: list[int] = []
        self.b: list[int] = []
        self.extra: list[int] = []
        self.region: list[int] = []
        self.node: list[Node] = []
        self.locals: list[Local] = []
        self.names: list[str] = []
        self.lists: list[tuple[int, ...]] = []
        self.regions: list[Region] = []
        self.lambdas: list[Body] = []
        """The lambdas inside, in order, each with what it captures in ``around``."""
        self.around: dict[str, Local] = {}
        """The variables around a lambda in a lowered body."""
        self.renamed: dict[int, Call] = {}
        """Calls in which a macro stands for the name of the callee, with the name it stands for."""
        self._positions: dict[tuple[int, ...], list[int]] | None = None
        self._labels: dict[int, list[int]] | None = None

    def at(self, *opcodes: int) -> list[int]:
        """The positions of the instructions with one of these opcodes, in order."""
        known = self._positions
        if known is None:
            by_code: defaultdict[int, list[int]] = defaultdict(list)
            for position, code in enumerate(self.op):
                by_code[code].append(position)
            known = self._positions = {(code,): positions for code, positions in by_code.items()}
        found = known.get(opcodes)
        if found is None:
            found = known[opcodes] = sorted(chain.from_iterable(known.get((code,), ()) for code in opcodes))
        return found

    def inside(self, begin: int, *opcodes: int) -> list[int]:
        """The positions of such instructions in the construct that begins at ``begin``, in order."""
        positions = self.at(*opcodes)
        return positions[bisect_right(positions, begin) : bisect_left(positions, self.extra[begin])]

    def encloses(self, begin: int, *opcodes: int) -> bool:
        """Whether the construct that begins at ``begin`` has an instruction with one of these opcodes in it."""
        return bool(self.inside(begin, *opcodes))

    def labels(self, begin: int) -> list[int]:
        """The targets of jumps inside the construct that begins at ``begin``, in order.

        Cases of a ``SWITCH``, the ``NEXT`` of a ``LOOP``, handlers of a ``TRY``, the further arms of a ``VARIANT``.
        """
        found = self._labels
        if found is None:
            found = self._labels = {}
            opened: list[int] = []
            for position, code in enumerate(self.op):
                if code in _OPENING or (code == ops.VARIANT and self.b[position] == ops.NONE):
                    opened.append(position)
                elif code == ops.END and self.op[self.a[position]] in _LABELLED:
                    opened.pop()
                elif code in _LABELS:
                    found.setdefault(opened[-1], []).append(position)
        return found.get(begin, [])

    def whole(self) -> Iterator[Body]:
        """This body and those of the lambdas in it, at any depth."""
        yield self
        for each in self.lambdas:
            yield from each.whole()

    def origin(self, position: int) -> InstructionOrigin:
        """The source of an instruction."""
        return InstructionOrigin(self.node[position], self.regions[self.region[position]].place)

    def around_of(self, position: int) -> Place:
        """The place of an instruction: the innermost statement with a scope around it."""
        return self.regions[self.region[position]].place

    def depth(self, position: int) -> int:
        """How many statements with a scope are around an instruction in its function; a macro's text is none."""
        number, depth = self.region[position], 0
        while self.regions[number].parent != number:
            depth += not isinstance(self.regions[number].place.node, Macro)
            number = self.regions[number].parent
        return depth

    def is_guessed(self, position: int) -> bool:
        """Whether an instruction comes from text that does not parse, or that could be read in more than one way."""
        number = self.region[position]
        while not self.regions[number].is_guessed:
            if self.regions[number].parent == number:
                return False
            number = self.regions[number].parent
        return True

    def name(self, position: int) -> str:
        """The name that the ``extra`` column of a place, an operator or a global refers to."""
        return self.names[self.extra[position]]

    def list(self, position: int) -> tuple[int, ...]:
        """The values in the ``extra`` column: arguments, elements, indices."""
        return self.lists[self.extra[position]]

    def operands(self, position: int) -> tuple[int, ...]:
        """The values that one is made of; none of a variable, nor of what makes no value."""
        code = self.op[position]
        found = [self.a[position]] if code in _OF_FIRST else []
        if code in (ops.BINARY, ops.SELECT) or (code == ops.ELEM and self.extra[position] == ops.NONE):
            found.append(self.b[position])
        elif code in (ops.CALL, ops.CONSTRUCT, ops.ELEM):
            found += self.list(position)
        return tuple(each for each in found if each != ops.NONE)

    def made_of(self, *values: int, held: Callable[[int], Iterable[int]] | None = None) -> Iterator[int]:
        """The instructions that make some values, each once; with ``held``, those of what a ``LOAD`` may find, too."""
        waiting, seen = [*values], {ops.NONE}
        while waiting:
            position = waiting.pop()
            if position not in seen:
                seen.add(position)
                yield position
                waiting += self.operands(position)
                if held is not None and self.op[position] == ops.LOAD:
                    waiting += held(position)

    def initial(self, position: int) -> tuple[int, ...]:
        """The values that the variable of a ``DECL`` is made of."""
        given = self.b[position]
        if given != ops.NONE and self.op[given] == ops.CONSTRUCT and self.node[given] is self.node[position]:
            return self.list(given)
        return () if given == ops.NONE else (given,)

    def called(self, position: int) -> str:
        """The unqualified name of what a ``CALL`` calls; empty where that has none."""
        number = self.b[position]
        return self.names[number] if number != ops.NONE else ""

    def call(self, position: int) -> Call:
        """A ``CALL`` as an expression; where a macro stands for the name of the callee, with the name it stands for."""
        node = self.renamed.get(position) or self.node[position]
        assert isinstance(node, Call)
        return node

    def callee(self, position: int) -> Expr:
        """The callee of a ``CALL``, as written; where it is a macro, the name in its text."""
        return self.call(position).function

    def local(self, position: int) -> Local | None:
        """The variable of this function, or of one around it, whose value or address an instruction is."""
        code = self.op[position]
        if code == ops.READ:
            position = self.a[position]
            code = self.op[position]
        if code in (ops.LOAD, ops.ADDR_LOCAL):
            return self.locals[self.a[position]]
        return self.around.get(self.name(position)) if code == ops.CAPTURE else None

    def root(self, position: int) -> Local | str | None:
        """The variable that a place, or a value read from one, is part of or found through; by name from outside."""
        while position != ops.NONE and self.op[position] in _STEPS:
            position = self.a[position]
        if position == ops.NONE or self.op[position] not in VARIABLES:
            return None
        local = self.local(position)
        return self.name(position) if local is None else local

    def referred(self, position: int) -> int:
        """The place that a reference, declared in the function and read at ``position``, refers to; else that."""
        while self.op[position] == ops.LOAD:
            slot = self.a[position]
            kind = self.locals[slot].type
            made = (
                [each for each in self.at(ops.DECL) if self.a[each] == slot]
                if kind is not None and kind.reference
                else []
            )
            if len(made) != 1 or self.b[made[0]] == ops.NONE:
                break
            position = self.b[made[0]]
        return position

    def written(self, position: int) -> InstructionOrigin:
        """What is written in the file: of a macro's text, the use of the outermost macro."""
        return written(*self.origin(position))

    def is_in_macro(self, position: int) -> bool:
        """Whether an instruction comes from a macro's text."""
        return any(macros_around(self.around_of(position)))


def written(node: Node, place: Place) -> InstructionOrigin:
    """``node`` at ``place``; of the text of a macro, the outermost use that it comes from, in the file."""
    for macro in macros_around(place):
        use = macro.outer
        if use is not None and isinstance(use.node, Call | Name):
            assert use.outer is not None
            node, place = use.node, use.outer
    return InstructionOrigin(node, place)


def last_name(callee: Expr) -> str:
    """The unqualified name of what is called; empty where that has none."""
    if isinstance(callee, Name):
        return callee.last
    return callee.name if isinstance(callee, Member) else ""
