"""The variables that one function names: which may be pointers, which die with it, which stand for the same memory."""

import re
from collections.abc import Callable, Iterable, Iterator

from sycllint.cpp.expression import Lambda, Type
from sycllint.cpp.node import Node
from sycllint.cpp.statement import (
    STATIC,
    Block,
    Case,
    Damaged,
    Declaration,
    Function,
    FunctionParameter,
    If,
    Loop,
    RangeLoop,
    Statement,
    Struct,
    Switch,
    Try,
    Variable,
    Variants,
)
from sycllint.facts.file import Declared, FileFacts
from sycllint.host.relevance.outline import OpaqueError
from sycllint.host.relevance.passage import Event, Passage
from sycllint.host.relevance.predicates import Those
from sycllint.host.relevance.wording import assigned, swapped, words_in
from sycllint.host.vocabulary import ADDRESSES, CLASSES, LAUNCHES, LOCKS
from sycllint.symbols.unit import Unit

NOT, PERHAPS, SURELY = 0, 1, 2

_NUMBERS = frozenset(
    {"int", "unsigned", "long", "short", "char", "bool", "float", "double", "size_t", "ssize_t", "uint", "ulong"}
    | {"int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t"}
    | {"ushort", "uchar", "half"}
)
_OBJECTS = CLASSES | {"thread"}
"""Classes whose objects are no memory that a command is given."""
_CONTAINERS = frozenset({"vector", "string"})
_ACCESSORS = frozenset({"accessor", "unsampled_image_accessor"})


_ADDRESS_TAKEN = re.compile(r"&\s*(\w+)\s*(?=[,)}])")

_MAKES_QUEUE = re.compile(r"=\s*(?:\w+\s*::\s*)*queue\s*[({]")

_NESTS = frozenset({Block, If, Loop, RangeLoop, Switch, Case, Damaged, Try, Variants})
"""Statements that hold others."""


def pointing(written: Type, unit: Unit) -> int:
    """Whether a variable of a type is a pointer: ``SURELY``, ``PERHAPS`` when its name hides it, or ``NOT``."""
    last = written.name.last
    if last in _OBJECTS:
        return NOT
    if written.pointers or written.extents or last == "auto":
        return SURELY
    return PERHAPS if last in unit.aliases else NOT


def together(kinds: Iterable[int]) -> int:
    """What is known of a name that stands for several variables."""
    found = {*kinds}
    return found.pop() if len(found) == 1 else PERHAPS


def members(declared: Declared[Function], unit: Unit) -> dict[str, int]:
    """The data members of the classes around a function, and whether they are pointers."""
    return {
        variable.name: pointing(variable.type, unit)
        for node in declared.place.chain()
        if isinstance(node, Struct)
        for variable in node.variables
    }


def queue_fields(facts: FileFacts) -> frozenset[str]:
    """The data members of the classes of a file that are queues themselves."""
    return frozenset(
        variable.name
        for found in facts.structs.values()
        for struct in found
        for variable in struct.node.variables
        if variable.type.name.last == "queue" and not variable.type.pointers and not variable.type.reference
    )


class Variables:
    """What is declared in one function, and what it may name that is declared outside."""

    def __init__(self, function: Function, outside: Callable[[str], int | None], passage: Passage, unit: Unit) -> None:
        """``outside``: what is known of a variable that is declared outside; ``None`` where there is none."""
        self._passage = passage
        self._unit = unit
        self._outside = outside
        self._own: dict[str, int] = {}
        self.parameters = frozenset(each.name for each in function.parameters)
        self.objects: set[str] = set()
        """Those that end with their block, and are no pointers or references."""
        self.numbers: set[str] = set()
        """Those of them that are copied into a kernel as they are."""
        self.pointing: set[str] = set()
        """Pointers that end with their block themselves, and arrays of them."""
        self.dying: set[str] = set()
        """What ends with its block and may be memory of a command: objects, and pointers whose address is taken."""
        self.containers: set[str] = set()
        """Those that allocate the memory of their elements."""
        self.queues: set[str] = set()
        self.unordered = "out_of_order_queue" in passage.text
        """A queue is made here, or asked for, that is not in order."""
        self.classes: dict[str, str] = {}
        """The types of variables, by their last words."""
        self.lambdas: dict[str, frozenset[str]] = {}
        """The words of lambdas that variables hold."""
        self.hidden: list[Event] = []
        """Where those lambdas stand."""
        self.beside: set[str] = set()
        """Names that share a declaration with another."""
        self.has_buffers = any(each in passage.text for each in LOCKS)
        self.suspicious = False
        """A declaration alone is worth a walk."""
        self._same: dict[str, set[str]] = {}
        for parameter in function.parameters:
            self._given(parameter)
        if function.body is not None:
            self._collect(function.body.statements)
        self.dying |= self.objects
        if self.pointing:
            self.dying |= self.pointing.intersection(_ADDRESS_TAKEN.findall(passage.text))
        self.pointers = Those(lambda name: self._kind(name) in (PERHAPS, SURELY))
        """Names that may be pointers."""
        self.surely_pointers = Those(lambda name: self._kind(name) == SURELY)
        """Names that are pointers by their types' own spelling."""
        self.outside = Those(lambda name: name not in self._own and outside(name) is not None)
        """Names that are declared outside the function, and not hidden in it."""
        self.visible = Those(lambda name: name in self.parameters or name in self.outside)
        """Names that callers know."""

    # ---------------------------------------------------------- declarations

    def _given(self, parameter: FunctionParameter) -> None:
        written = parameter.type
        self._own[parameter.name] = pointing(written, self._unit)
        self.classes[parameter.name] = written.name.last
        if written.reference:
            return
        if written.pointers:
            self.pointing.add(parameter.name)
        elif not written.extents:
            self.objects.add(parameter.name)

    def _collect(self, statements: Iterable[Statement]) -> None:
        for statement in statements:
            if isinstance(statement, Declaration):
                if len(statement.variables) > 1:
                    self.beside.update(each.name for each in statement.variables)
                for variable in statement.variables:
                    self._declare(variable, statement)
                continue
            if type(statement) not in _NESTS:
                continue
            queues = len(self.queues)
            for inner in _inside(statement):
                self._collect(inner)
            if isinstance(statement, Loop | RangeLoop):
                # A queue that is made each time is a matter of its own.
                self.suspicious |= len(self.queues) > queues
                if isinstance(statement, RangeLoop):
                    self._point(statement.variable)

    def _declare(self, variable: Variable, around: Declaration) -> None:
        written = variable.type
        self.classes[variable.name] = last = written.name.last
        for argument in variable.arguments:
            if isinstance(argument, Lambda):
                self._hold(variable.name, argument)
        self.suspicious |= last in _ACCESSORS
        self.has_buffers |= last == "buffer"
        self._point(variable)
        if written.reference or variable.flags & STATIC:
            return
        if written.pointers:
            self.pointing.add(variable.name)
            if written.extents:
                self.dying.add(variable.name)
            return
        text = self._passage.slice(around.start, around.end) if last in ("queue", "auto") else ""
        if last == "queue" or _MAKES_QUEUE.search(text):
            self.queues.add(variable.name)
            self.unordered |= "in_order" not in text
        elif last not in _OBJECTS:
            self.objects.add(variable.name)
            if last in _CONTAINERS:
                self.containers.add(variable.name)
            if last.split(" ")[-1] in _NUMBERS and not written.extents:
                self.numbers.add(variable.name)

    def _hold(self, name: str, function: Lambda) -> None:
        """A lambda that a variable holds; one that is given a handler is the command group of another call."""
        passage = self._passage
        start, end = function.start, function.end
        events = passage.between(start, end)
        is_group = bool(function.parameters) and function.parameters[0].type.name.last == "handler"
        if events and not (is_group and all(each.name in LAUNCHES for each in events)):
            raise OpaqueError
        if events:
            passage.forget(start, end)
        self.hidden.append(Event(start, end, ""))
        self.lambdas[name] = words_in(passage.slice(start, end))

    def _point(self, variable: Variable) -> None:
        kind = pointing(variable.type, self._unit)
        if self._own.setdefault(variable.name, kind) != kind:
            self._own[variable.name] = PERHAPS

    # --------------------------------------------------------------- answers

    def __contains__(self, name: str) -> bool:
        return self._kind(name) is not None

    def _kind(self, name: str) -> int | None:
        found = self._own.get(name)
        return self._outside(name) if found is None else found

    def are_own(self, names: frozenset[str]) -> bool:
        """Whether all names are declared in the function."""
        return names <= self._own.keys()

    def is_object(self, name: str) -> bool:
        """Whether a name is an automatic object whose memory a command may be given."""
        return name in self.objects and name not in self.numbers

    def with_lambdas(self, words: frozenset[str]) -> frozenset[str]:
        """Words, with those of the lambdas that they name."""
        for each in self.lambdas.keys() & words:
            words |= self.lambdas[each]
        return words

    # --------------------------------------------------------------- aliases

    def join(self, text: str) -> None:
        """Names that ``text`` may make stand for the same memory."""
        for name, value in assigned(text, self.pointers):
            base = value.name
            if value.following == "(" or (value.following == "[" and not value.is_address) or base not in self:
                continue
            if value.method is None or value.method in ADDRESSES or value.is_address:
                self._join(name, base)
        for one, other in swapped(text):
            self._join(one, other)

    def _join(self, one: str, other: str) -> None:
        joined = self._same.get(one, {one}) | self._same.get(other, {other})
        for each in joined:
            self._same[each] = joined

    def alike(self, names: Iterable[str]) -> frozenset[str]:
        """All names of the same memory."""
        names = frozenset(names)
        if not self._same or self._same.keys().isdisjoint(names):
            return names
        return frozenset(other for each in names for other in self._same.get(each, (each,)))


def _inside(node: Node) -> Iterator[Iterable[Statement]]:
    """The statements inside one, in their order."""
    match node:
        case Block(statements=statements):
            yield statements
        case If(initializer=initializer, then=then, otherwise=otherwise):
            yield (initializer,) if initializer is not None else ()
            yield then.statements
            yield otherwise.statements if otherwise is not None else ()
        case Loop(initializer=initializer, body=body):
            yield (initializer,) if initializer is not None else ()
            yield body.statements
        case RangeLoop(body=body) | Switch(body=body) | Case(body=body) | Damaged(body=body):
            yield body.statements
        case Try(body=body, handlers=handlers):
            yield body.statements
            yield from (each.statements for each in handlers)
        case Variants(arms=arms):
            yield from (each.body.statements for each in arms)
