"""Whether walking a function can show anything, from its text: names in commands, and their use before a wait.

The walk of ``course`` knows what each pointer points to and which way leads where; most functions wait before they look
at anything, which their words show at a fraction of the cost. Every doubt is settled in favour of the walk.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence

from sycllint.cpp.expression import Lambda, Type
from sycllint.cpp.node import Node
from sycllint.cpp.statement import (
    STATIC,
    Block,
    Case,
    Damaged,
    Declaration,
    Evaluate,
    Function,
    If,
    Jump,
    Loop,
    RangeLoop,
    Return,
    Statement,
    Struct,
    Switch,
    Try,
    Variable,
    Variants,
)
from sycllint.facts.file import Declared, FileFacts
from sycllint.host.vocabulary import (
    ADDRESSES,
    ALGORITHMS,
    ALLOCATORS,
    C_ALLOCATORS,
    C_READERS,
    C_WRITERS,
    CONTAINER_QUIET,
    COPIES,
    ELEMENTS,
    FILLERS,
    OPERATIONS,
)
from sycllint.record import NamedTuple
from sycllint.values.bindings import accepts
from sycllint.values.unit import Unit

NOT, PERHAPS, SURELY = 0, 1, 2
WAITS = frozenset({"wait", "wait_and_throw", "queues_wait_and_throw"})

_LOCKS = frozenset({"host_accessor", "get_host_access", "get_access"})
_LOCKING = re.compile("|".join(sorted(_LOCKS)))
"""What makes an accessor of the host."""
_WORD = re.compile(r"[A-Za-z_]\w*")
_SET = re.compile(r"(?<![=!<>])=(?!=)")
_TARGET = re.compile(r"(?<![.>\w])([A-Za-z_]\w*)\s*$")
_PLAIN = frozenset({"new", *C_ALLOCATORS})
_ALLOCATING = _PLAIN | ALLOCATORS.keys()
_BASE = re.compile(
    r"[\s(]*(?:\(\s*[\w\s:<>]*[\s*&]*\)[\s(]*|\w+_cast\s*<[^()]*>\s*\(\s*)*(?P<address>&?)\s*(?P<name>[A-Za-z_]\w*)"
    r"\s*(?P<next>\[|\(|(?:\.|->)\s*(?P<method>\w+))?"
)
"""What a pointer is set to."""
_STATEMENT = re.compile(r"[;}]")
_INDEX = re.compile(r"\[|->")
_INDEXED = re.compile(r"(?<![^&]&)(?<![.>\w])(\w+)\s*$")
_STAR = re.compile(r"\*+\s*\(?\s*([A-Za-z_]\w*)")
_BEFORE_STAR = re.compile(r"(?:^|[^\w\s)\]>*]|\b(?:return|else|do))\s*$")
_C_LIBRARY = frozenset({*C_READERS, *C_WRITERS})
_LIBRARY = _C_LIBRARY | ALGORITHMS
_SIZE = re.compile(r"sizeof\s*\([^()]*\)")
_DELETE = re.compile(r"\bdelete\b\s*(?:\[\s*\])?\s*(\w+)")
_FREE = re.compile(r"\bfree\s*\((?:\s*\([^()]*\))?(?P<given>[^;]*)")
_LEFT = re.compile(r"[;{}=,]")
_STEPPED = re.compile(r"(\w+)\s*(?:\+\+|--)|(?:\+\+|--)[\s*(]*(\w+)")
_METHOD = re.compile(r"(\w+)\s*(?:\.|->)\s*(\w+)\s*\(")
_CHANGING = frozenset({"free", "delete", "swap", "fread", *C_WRITERS} | FILLERS)
_RESULT = re.compile(r"(\w+)\s*=\s*$")
_ADDRESS = re.compile(r"&\s*(\w+)")
_ACTING = re.compile(rf"\b(?:{'|'.join(sorted(OPERATIONS | WAITS | set(ALLOCATORS)))}|free|malloc|new|delete|queue)\b")
"""In a macro's text: what makes its use an act."""
_NUMBERS = frozenset(
    {"int", "unsigned", "long", "short", "char", "bool", "float", "double", "size_t", "ssize_t", "uint", "ulong"}
    | {"int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t"}
    | {"ushort", "uchar", "half"}
)
_OBJECTS = frozenset(
    {"queue", "event", "handler", "device", "context", "platform", "range", "nd_range", "id", "item", "nd_item"}
    | {"property_list", "buffer", "host_accessor", "accessor", "local_accessor", "thread"}
)
"""Classes whose objects are no memory that a command is given."""
_LEAVES = (Evaluate, Declaration, Return, Jump)


class Flight(NamedTuple):
    """Memory of a command that may be in flight."""

    writes: frozenset[str]
    names: frozenset[str]
    """All of it."""
    held: frozenset[str]
    """What would have to outlive the command, were it an automatic object."""


class Outline(NamedTuple):
    """What a function does with names that its callers know: its parameters, and variables outside functions."""

    suspicious: bool = False
    flying: tuple[Flight, ...] = ()
    """Memory of commands that may be in flight at its end."""
    kernels: frozenset[str] = frozenset()
    """Pointers that kernels may use."""
    used: frozenset[str] = frozenset()
    """Named outside commands."""
    read: frozenset[str] = frozenset()
    """Read or written through, outside commands."""
    copies: tuple[tuple[frozenset[str], frozenset[str], bool], ...] = ()
    """Destinations and sources of copies, and whether nothing wrote the source before."""
    freed: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    """By the C or C++ library; by SYCL."""
    waits: bool = False
    """All that was in flight before is done at its end."""
    collides: bool = False
    """Two of its commands share memory and may be in flight together."""


NOTHING = Outline()
SUSPICIOUS = Outline(suspicious=True)


class _SuspicionError(Exception):
    """There is something to look into; nothing more needs to be known of the function."""


class Event(NamedTuple):
    """A call that matters."""

    start: int
    end: int
    name: str


class Prospects:
    """Answers for the functions of one unit; ``concerned`` are those that submit, wait or allocate."""

    def __init__(self, unit: Unit, concerned: Sequence[Function]) -> None:
        self.unit = unit
        self._concerned = frozenset(map(id, concerned))
        self.defined = frozenset(
            name
            for file in unit.files
            for name, declared in file.functions.items()
            if any(each.node.body is not None for each in declared)
        )
        """Functions that the walk may follow."""
        self.called = self.defined & {each.name.rpartition("::")[2] for each in concerned}
        self._events: dict[int, list[Event]] = {}
        self._outlines: dict[int, Outline] = {}
        self._outer: dict[str, int | None] = {}
        self.macros = frozenset(
            name
            for file in unit.files
            for name, declared in file.macros.items()
            if any(_ACTING.search(each.node.text) for each in declared)
        )

    def may_show(self, declared: Declared[Function]) -> bool:
        """Whether walking a function may leave a record."""
        return self.outline(declared).suspicious

    def outline(self, declared: Declared[Function]) -> Outline:
        """What a function does; nothing while it is being looked at: the walk does not enter it twice."""
        key = id(declared.node)
        found = self._outlines.get(key)
        if found is None:
            self._outlines[key] = NOTHING
            found = self._outlines[key] = self._drawn(declared)
        return found

    def _drawn(self, declared: Declared[Function]) -> Outline:
        facts = self.unit.file_at(declared.place)
        try:
            return _Drawing(self, declared, facts).outline()
        except _SuspicionError:
            return SUSPICIOUS

    def callee(self, name: str, count: int) -> Declared[Function] | None:
        """The one function that a call of ``name`` enters."""
        bodies = [
            each for each in self.unit.functions.get(name) if each.node.body is not None and not each.node.damaged
        ]
        fitting = [each for each in bodies if accepts(each.node, count)]
        return fitting[0] if len(fitting) == 1 and id(fitting[0].node) in self._concerned else None

    def is_called(self, function: Function) -> bool:
        """Whether something in the unit may call a function."""
        name = function.name.rpartition("::")[2]
        return any(name in each.calls for each in self.unit.files)

    def events(self, facts: FileFacts, start: int, end: int) -> list[Event]:
        """The calls that matter in a part of a file, outer before inner."""
        found = self._events.get(id(facts))
        if found is None:
            names = OPERATIONS | WAITS | self.called
            spans = (Event(*span, name) for name in names for span in facts.calls.get(name, ()))
            found = self._events[id(facts)] = sorted(spans, key=lambda each: (each.start, -each.end))
        return found[bisect_left(found, (start,)) : bisect_left(found, (end,))]

    def outer(self, name: str) -> int | None:
        """Whether a variable outside functions is a pointer; ``None`` when there is none."""
        if name not in self._outer:
            declared = self.unit.variables.get(name)
            kinds = [_pointing(each.node.type, self.unit) for each in declared]
            self._outer[name] = _together(kinds) if kinds else None
        return self._outer[name]


def _together(kinds: Iterable[int]) -> int:
    """What is known of a name that stands for several variables."""
    found = {*kinds}
    return found.pop() if len(found) == 1 else PERHAPS


def _pointing(written: Type, unit: Unit) -> int:
    """Whether a variable of a type is a pointer: ``SURELY``, ``PERHAPS`` when its name hides it, or ``NOT``."""
    last = written.name.last
    if last in _OBJECTS:
        return NOT
    if written.pointers or last == "auto":
        return SURELY
    return PERHAPS if last in unit.aliases else NOT


class _Drawing:
    """One function being looked at."""

    def __init__(self, prospects: Prospects, declared: Declared[Function], facts: FileFacts) -> None:
        self._prospects = prospects
        self._function = declared.node
        self._facts = facts
        self._base = declared.node.start
        self._text = facts.content[self._base : declared.node.extent_end].decode("latin-1")
        self._members = {
            variable.name: _pointing(variable.type, prospects.unit)
            for node in declared.place.chain()
            if isinstance(node, Struct)
            for statement in node.members.statements
            if isinstance(statement, Declaration)
            for variable in statement.variables
        }
        self._events = prospects.events(facts, self._base, declared.node.extent_end)
        self._heads: dict[Event, tuple[str, str]] = {}
        self._starts = [each.start for each in self._events]
        self._pointers: dict[str, int] = {}
        """Variables of the function, and whether they may be pointers."""
        self._automatic: set[str] = set()
        self._numbers: set[str] = set()
        self._lambdas: dict[str, frozenset[str]] = {}
        self._queues: set[str] = set()
        self._unordered = False
        self._hidden: list[Event] = []
        """Lambdas that variables hold."""
        self._declared_together: set[str] = set()
        self.suspicious = False
        self._bufferlike = False
        self._classes: dict[str, set[str]] = {}
        self.flying: dict[object, Flight] = {}
        self._waiting_for: dict[str, object] = {}
        self._waited = False
        self._last: dict[object, Flight] = {}
        self._stale: dict[str, str] = {}
        self._buffers: dict[str, frozenset[str]] = {}
        self._locks: dict[str, frozenset[str]] = {}
        self._loops: list[set[str]] = []
        self._blocks: list[set[str]] = []
        self._kernels: set[str] = set()
        self._copies: list[tuple[frozenset[str], frozenset[str], bool]] = []
        self._named: set[str] = set()
        self._collides = False
        self._second = False

    # --------------------------------------------------------------- outline

    def outline(self) -> Outline:
        """What is known once all is looked at."""
        function = self._function
        body = function.body
        assert body is not None
        for parameter in function.parameters:
            kind = SURELY if parameter.type.extents else _pointing(parameter.type, self._prospects.unit)
            self._pointers[parameter.name] = kind
            if not parameter.type.pointers and not parameter.type.reference and not parameter.type.extents:
                self._automatic.add(parameter.name)
        self._collect(body.statements)
        if len(self._queues) > 1 and self._events:
            raise _SuspicionError
        outside = self._outside(self._base, function.extent_end)
        outside = _SIZE.sub("", outside) if "sizeof" in outside else outside
        outside = outside.replace("this->", "")
        words = frozenset(_WORD.findall(outside))
        if words & self._prospects.macros:
            raise _SuspicionError
        self._join(outside)
        plain, device, usm = self._allocations(outside, words)
        is_called = self._prospects.is_called(function)
        read = self._read(outside, words) if device or is_called else frozenset()
        if device & read:
            raise _SuspicionError
        self._plain, self._device, self._usm = plain, device, usm
        freed = self._freed(outside, words)
        if freed[0] & usm or freed[1] & plain:
            raise _SuspicionError
        self._block(body.statements)
        self._dying(self._automatic)
        if not is_called:
            return SUSPICIOUS if self.suspicious else NOTHING
        visible = {each.name for each in function.parameters}
        ends = {**self._last, **self.flying}.values()
        return Outline(
            suspicious=self.suspicious,
            flying=tuple(Flight(*(self._visible(names, visible) for names in each)) for each in ends if any(each)),
            kernels=self._visible(self._kernels, visible),
            used=self._visible(self._alike(self._used(words, read | freed[0] | freed[1])), visible),
            read=self._visible(read, visible),
            copies=tuple(
                (self._visible(to, visible), self._visible(of, visible), fresh) for to, of, fresh in self._copies
            ),
            freed=(self._visible(freed[0], visible), self._visible(freed[1], visible)),
            waits=self._waited and not self._last and not self._queues,
            collides=self._collides,
        )

    def _visible(self, names: Iterable[str], parameters: set[str]) -> frozenset[str]:
        return frozenset(
            each
            for each in names
            if each in parameters or (each not in self._pointers and self._kind_outside(each) is not None)
        )

    def _kind_outside(self, name: str) -> int | None:
        found = self._members.get(name)
        return found if found is not None else self._prospects.outer(name)

    # ---------------------------------------------------------- declarations

    def _collect(self, statements: Iterable[Statement]) -> None:
        for statement in statements:
            if isinstance(statement, Declaration):
                if len(statement.variables) > 1:
                    self._declared_together.update(each.name for each in statement.variables)
                for variable in statement.variables:
                    self._declare(variable, statement)
            elif not isinstance(statement, Evaluate):
                queues = len(self._queues)
                for inner in _inner(statement):
                    self._collect(inner)
                if len(self._queues) > queues and isinstance(statement, Loop | RangeLoop):
                    raise _SuspicionError
                if isinstance(statement, RangeLoop):
                    self._point(statement.variable)

    def _declare(self, variable: Variable, around: Declaration) -> None:
        written = variable.type
        last = written.name.last
        if last in ("accessor", "unsampled_image_accessor"):
            raise _SuspicionError
        for argument in variable.arguments:
            if isinstance(argument, Lambda):
                if self._between(argument.start, argument.end):
                    raise _SuspicionError
                self._hidden.append(Event(argument.start, argument.end, ""))
                text = self._slice(argument.start, argument.end)
                self._lambdas[variable.name] = frozenset(_WORD.findall(text))
        self._bufferlike = (
            self._bufferlike or last in ("buffer", "host_accessor") or bool(_LOCKING.search(self._of(around)))
        )
        self._point(variable)
        if last == "queue" and not written.pointers and not written.reference and not variable.flags & STATIC:
            self._queues.add(variable.name)
            self._unordered = self._unordered or "in_order" not in self._of(around)
        elif last not in _OBJECTS and not written.pointers and not written.reference and not variable.flags & STATIC:
            self._automatic.add(variable.name)
            if last.split(" ")[-1] in _NUMBERS and not written.extents:
                self._numbers.add(variable.name)

    def _point(self, variable: Variable) -> None:
        kind = _pointing(variable.type, self._prospects.unit)
        self._pointers[variable.name] = _together((self._pointers.get(variable.name, kind), kind))

    def _of(self, node: Declaration) -> str:
        return self._slice(node.start, node.end)

    def _slice(self, start: int, end: int) -> str:
        return self._text[start - self._base : end - self._base]

    def _outside(self, start: int, end: int) -> str:
        """The text without that of commands."""
        pieces = []
        position = start
        for event in sorted((*self._between(start, end), *self._hidden)):
            if event.start >= position and (not event.name or self._is_command(event)):
                pieces.append(self._slice(position, event.start))
                position = event.end
        pieces.append(self._slice(position, end))
        return " ; ".join(pieces)

    def _between(self, start: int, end: int) -> list[Event]:
        return self._events[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def _is_command(self, event: Event) -> bool:
        """``q.memcpy(…)``, and not ``memcpy(…)``."""
        return event.name in OPERATIONS and self._head(event)[0].endswith((".", "->", "."))

    def _head(self, event: Event) -> tuple[str, str]:
        """What stands before a call's name, and after it."""
        known = self._heads.get(event)
        if known is not None:
            return known
        text = self._slice(event.start, event.end)
        found = [*re.finditer(rf"\b{event.name}\b", text)] if event.name in WAITS else None
        match = found[-1] if found else re.search(rf"\b{event.name}\b", text)
        parts = (text[: match.start()].rstrip(), text[match.end() :]) if match is not None else ("", "")
        self._heads[event] = parts
        return parts

    # -------------------------------------------------------------- pointers

    def _join(self, outside: str) -> None:
        """Names that may stand for the same memory."""
        for match in _SET.finditer(outside):
            target = _TARGET.search(outside, max(match.start() - 40, 0), match.start())
            if target is None or not self._pointer(target.group(1)):
                continue
            name = target.group(1)
            base = self._base_of(outside, match.end())
            if base is None or base == name:
                continue
            joined = self._classes.get(name, {name}) | self._classes.get(base, {base})
            for each in joined:
                self._classes[each] = joined

    def _base_of(self, text: str, start: int) -> str | None:
        """The name of the memory that a pointer's value, which begins at ``start``, is in."""
        match = _BASE.match(text, start)
        if match is None:
            return None
        name, following, method = match["name"], match["next"], match["method"]
        if following == "(" or (following == "[" and not match["address"]):
            return None
        if method is not None and method not in ADDRESSES and not match["address"]:
            return None
        return name if self._is_variable(name) else None

    def _alike(self, names: Iterable[str]) -> frozenset[str]:
        """All names of the same memory."""
        if not self._classes:
            return frozenset(names)
        return frozenset(other for each in names for other in self._classes.get(each, (each,)))

    def _allocations(
        self, outside: str, words: frozenset[str]
    ) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
        """Names of memory of the C library and of containers; of device memory; of all USM."""
        plain, device, usm = set[str](), set[str](), set[str]()
        for allocator in words & _ALLOCATING:
            for match in re.finditer(rf"\b{allocator}\b", outside):
                names = _set_by(outside[max(match.start() - 200, 0) : match.start()])
                (plain if allocator in _PLAIN else usm).update(names)
                if ALLOCATORS.get(allocator) == "device":
                    device.update(names)
        return self._alike(plain), self._alike(device), self._alike(usm)

    def _read(self, outside: str, words: frozenset[str]) -> frozenset[str]:
        """What is read or written through."""
        found = set(self._indexed(outside)) | set(self._starred(outside))
        found |= self._by_library(outside, words)
        return self._alike(found)

    def _by_library(self, text: str, words: frozenset[str]) -> set[str]:
        """What functions of the C and C++ libraries are given that use memory."""
        found: set[str] = set()
        for name in words & _LIBRARY:
            qualifier = r"\bstd\s*::\s*" if name not in _C_LIBRARY else r"(?<![:.>])\b|\bstd\s*::\s*"
            for given in re.findall(rf"(?:{qualifier}){name}\s*\(([^;]*)", text):
                found.update(_WORD.findall(given))
        return found

    def _indexed(self, text: str) -> Iterator[str]:
        for match in _INDEX.finditer(text):
            name = _INDEXED.search(text, max(match.start() - 40, 0), match.start())
            if name is not None:
                yield name.group(1)

    def _starred(self, text: str) -> Iterator[str]:
        for match in _STAR.finditer(text):
            before = _BEFORE_STAR.search(text, max(match.start() - 8, 0), match.start())
            if before is not None and not (before.group()[:1] == "," and match.group(1) in self._declared_together):
                yield match.group(1)

    def _freed(self, outside: str, words: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
        by_library = frozenset(_DELETE.findall(outside)) if "delete" in words else frozenset()
        by_sycl: frozenset[str] = frozenset()
        for match in _FREE.finditer(outside) if "free" in words else ():
            given = match["given"]
            qualifier = outside[max(match.start() - 8, 0) : match.start()].rstrip()
            is_sycl = qualifier.endswith("sycl::") or (not qualifier.endswith("::") and "," in given)
            freed = frozenset(_WORD.findall(given)[:1])
            by_library, by_sycl = (by_library, by_sycl | freed) if is_sycl else (by_library | freed, by_sycl)
        return by_library, by_sycl

    def _changed(self, text: str, words: frozenset[str]) -> frozenset[str]:
        """What a text may write or free."""
        if words & _CHANGING:
            return words
        found = {name for left in _SET.split(text)[:-1] for name in _WORD.findall(_LEFT.split(left)[-1])}
        found.update(name for pair in _STEPPED.findall(text) for name in pair)
        quiet = CONTAINER_QUIET | ELEMENTS
        found.update(name for name, method in _METHOD.findall(text) if method not in quiet)
        return words & self._alike(found)

    # ------------------------------------------------------------------ flow

    def _names(self) -> frozenset[str]:
        return frozenset().union(*(each.names for each in self.flying.values()))

    def _dying(self, names: set[str]) -> None:
        """Automatic objects end."""
        if any(names & each.held for each in self.flying.values()):
            self.suspicious = True

    def _block(self, statements: Iterable[Statement]) -> None:
        self._blocks.append(set())
        stale, buffers, locks = dict(self._stale), dict(self._buffers), dict(self._locks)
        self._run(statements)
        declared = self._blocks.pop()
        self._dying(declared & self._automatic)
        self._stale = {each: of for each, of in self._stale.items() if of not in declared or each in stale}
        self._buffers, self._locks = buffers, locks

    def _run(self, statements: Iterable[Statement]) -> None:
        for statement in statements:
            if isinstance(statement, _LEAVES):
                if isinstance(statement, Declaration):
                    self._declared(statement)
                self._leaf(statement.start, statement.end, quiet=self._makes_lambda(statement))
                if isinstance(statement, Return) or (isinstance(statement, Jump) and statement.keyword == "throw"):
                    self._dying(self._automatic)
                    self._last.update(self.flying)
                    self.flying = {}
            elif self.flying or self._bufferlike or self._between(*_extent(statement)):
                self._within(statement)

    def _within(self, node: Statement) -> None:
        match node:
            case Block(statements=statements):
                self._block(statements)
            case If(initializer=initializer, then=then, otherwise=otherwise):
                if initializer is not None:
                    self._run((initializer,))
                self._leaf(node.start, then.start)
                ways: list[Sequence[Statement]] = [then.statements]
                ways.append(otherwise.statements if otherwise is not None else ())
                self._ways(ways)
            case Loop(initializer=initializer, body=body):
                if initializer is not None:
                    self._run((initializer,))
                self._loop(body, lambda: self._leaf(node.start, body.start), lambda: self._leaf(body.end, node.end))
            case RangeLoop(body=body):
                self._loop(body, lambda: self._leaf(node.start, body.start), lambda: None)
            case Switch(body=body):
                self._leaf(node.start, body.start)
                self._ways([(each,) for each in body.statements] + [()])
            case Case(body=body):
                self._run(body.statements)
            case Try(body=body, handlers=handlers):
                self._block(body.statements)
                self._ways([(), *(each.statements for each in handlers)])
            case Variants(arms=arms):
                before = dict(self.flying)
                for arm in arms:
                    self._run(arm.body.statements)
                    self.flying = {**before, **self.flying}
            case Damaged():
                self.flying = {}
            case _:
                return

    def _ways(self, ways: Iterable[Sequence[Statement]]) -> None:
        before, ends = self.flying, {}
        for way in ways:
            self.flying = dict(before)
            self._block(way)
            ends.update(self.flying)
        self.flying = ends

    def _loop(self, body: Block, first: Callable[[], None], last: Callable[[], None]) -> None:
        before = dict(self.flying)
        self._loops.append(set())
        first()
        self._block(body.statements)
        last()
        if self.flying.keys() - before.keys():
            self.flying = {**before, **self.flying}
            first()
            self._block(body.statements)
            last()
        self._loops.pop()

    # ---------------------------------------------------------------- leaves

    def _declared(self, node: Declaration) -> None:
        for variable in node.variables:
            self._blocks[-1].add(variable.name)
            for each in self._loops:
                each.add(variable.name)
        if not self._bufferlike:
            return
        text = self._of(node)
        words = frozenset(_WORD.findall(text))
        for variable in node.variables:
            given = frozenset(each for each in words - {variable.name} if self._is_variable(each))
            if variable.type.name.last == "buffer" and variable.arguments:
                self._buffers[variable.name] = given
                self.suspicious |= bool(self._loops) and not given <= self._loops[-1]
            elif words & _LOCKS:
                for each in given:
                    self._settle(each)
                self.suspicious |= self._is_locked(given)
                self._locks[variable.name] = given

    def _is_variable(self, name: str) -> bool:
        return name in self._pointers or self._kind_outside(name) is not None

    def _is_locked(self, names: frozenset[str]) -> bool:
        """Whether a host accessor of one of these buffers is alive."""
        return any(names & each for each in self._locks.values())

    def _settle(self, buffer: str) -> None:
        self._stale = {each: of for each, of in self._stale.items() if of != buffer}

    def _makes_lambda(self, node: Statement) -> bool:
        return isinstance(node, Declaration) and any(each.name in self._lambdas for each in node.variables)

    def _leaf(self, start: int, end: int, *, quiet: bool = False) -> None:
        events = self._between(start, end)
        if not events:
            if quiet:
                return
            if self.flying or self._stale:
                self._host(self._slice(start, end))
            return
        calls: list[tuple[Event, Declared[Function], list[str]]] = []
        outside: list[str] = []
        position = start
        for event in events:
            if event.start < position:
                continue
            if self._is_command(event):
                outside.append(self._slice(position, event.start))
                position = event.end
            elif event.name in self._prospects.called:
                given = self._entered(event)
                if given is not None:
                    calls.append((event, *given))
                    outside.append(self._slice(position, event.start))
                    position = event.end
        outside.append(self._slice(position, end))
        if self.flying or self._stale:
            self._host(" ; ".join(outside))
        covered = -1
        for event in events:
            if event.name in WAITS:
                if event.start >= covered:
                    covered = event.end
                    self._wait(event)
            elif event.start >= covered and self._is_command(event):
                covered = event.end
                self._command(event, start)
        for event, declared, arguments in calls:
            self._call(event, declared, arguments)

    def _all(self, words: Iterable[str]) -> frozenset[str]:
        """Words, with those of the lambdas that they name."""
        found = frozenset(words)
        for each in self._lambdas.keys() & found:
            found |= self._lambdas[each]
        return found

    def _used(self, words: Iterable[str], read: frozenset[str]) -> frozenset[str]:
        """Words that are a use of memory: a pointer by itself is none."""
        return frozenset(each for each in words if each in read or self._pointer(each) != SURELY)

    def _host(self, text: str) -> None:
        """A text of the host."""
        words = self._all(_WORD.findall(text))
        if self.flying:
            met = words & self._names()
            inside = words & _CHANGING or words & self._lambdas.keys() or words & self._prospects.defined
            if met and not inside:
                # What is handed to nobody in sight is not used by that.
                met = self._used(met, self._read(text, words))
            if met:
                self._met(met, lambda: self._changed(text, words))
        if self._stale:
            for buffer in words & self._buffers.keys():
                self._settle(buffer)
            if words & self._stale.keys():
                self.suspicious = True

    def _met(self, used: frozenset[str], changed: Callable[[], frozenset[str]]) -> None:
        """The host uses memory, some of which it changes."""
        if not self.suspicious and used & self._names():
            self.suspicious = any(
                used & each.writes or (used & each.names and changed() & each.names) for each in self.flying.values()
            )

    def _wait(self, event: Event) -> None:
        head, _ = self._head(event)
        if head.endswith(")") or head.rstrip(".->").rstrip().endswith(")"):
            inner = [each for each in self._between(event.start, event.start + 1) if self._is_command(each)]
            if inner:
                self._command(inner[0], event.start, waited=True)
                if not self._unordered:
                    self._done()
                return
        receiver = head.rstrip(".->:").rstrip()
        last = self._waiting_for.get(receiver)
        if last is None:
            self._done()
        elif self._unordered:
            self.flying.pop(last, None)
        elif last in self.flying:
            for each in list(self.flying):
                del self.flying[each]
                if each == last:
                    break

    def _done(self) -> None:
        """Nothing is in flight any more."""
        self.flying = {}
        if len(self._blocks) == 1:
            self._waited = True

    def _command(self, event: Event, leaf: int, *, waited: bool = False) -> None:
        text = self._slice(event.start, event.end)
        words = self._all(_WORD.findall(text))
        kernel = frozenset(each for each in words if self._pointer(each)) if event.name not in COPIES else frozenset()
        names = self._alike(kernel)
        self._kernel(names)
        flight = Flight(names, names, names - kernel)
        for inner in self._between(event.start, event.end):
            if inner.name in COPIES and self._is_command(inner) and inner.end <= event.end:
                written, read = self._copy(inner)
                flight = Flight(flight.writes | written, flight.names | written | read, flight.held | written | read)
        if self.flying and flight.names & self._names():
            self._collides = True
            self.suspicious = self.suspicious or self._unordered
        self._in_buffers(words)
        if waited:
            return
        before = _RESULT.search(self._slice(leaf, event.start))
        self.flying[event.start] = flight
        if before is not None:
            self._waiting_for[before.group(1)] = event.start

    def _kernel(self, names: frozenset[str]) -> None:
        self._kernels |= names
        objects = {each for each in names & self._automatic if each not in self._numbers and not self._pointer(each)}
        if names & self._plain or objects:
            self.suspicious = True

    def _in_buffers(self, words: frozenset[str]) -> None:
        """Names that a command, or a function that may submit one, is given."""
        self._named |= words
        self.suspicious |= self._is_locked(words)
        for buffer in words & self._buffers.keys():
            for host in self._buffers[buffer]:
                self._stale[host] = buffer

    def _pointer(self, name: str) -> int:
        found = self._pointers.get(name)
        return found if found is not None else self._kind_outside(name) or NOT

    def _copy(self, event: Event) -> tuple[frozenset[str], frozenset[str]]:
        to, source, count = COPIES[event.name]
        _, rest = self._head(event)
        arguments = _arguments(rest)
        if len(arguments) < count:
            return frozenset(), frozenset()
        written = self._memory(arguments[to])
        if source is None:
            return written, frozenset()
        read = self._memory(arguments[source])
        self._copied(written, read, event.start)
        return written, read

    def _copied(self, written: frozenset[str], read: frozenset[str], start: int) -> None:
        """A copy from host memory to host memory, or of device memory that nothing has written."""
        before = self._slice(self._base, start)
        fresh = not read & self._alike(self._named) and not any(
            re.search(rf"[(,]\s*{each}\s*[,)+]|#\s*include", before) for each in read
        )
        self._copies.append((written, read, fresh))
        self._checked(written, read, fresh)

    def _checked(self, written: frozenset[str], read: frozenset[str], fresh: bool) -> None:
        """A copy from host memory to host memory, or of device memory that nothing has written, to host memory."""
        to_plain = bool(written & self._plain)
        self.suspicious |= to_plain and bool(read & self._plain)
        self.suspicious |= fresh and bool(read & self._device) and (to_plain or bool(written & self._automatic))

    def _memory(self, text: str) -> frozenset[str]:
        found = set(_ADDRESS.findall(text))
        for each in _WORD.findall(text):
            if self._pointer(each) or (each in self._automatic and each not in self._numbers):
                found.add(each)
        return self._alike(found)

    # ----------------------------------------------------------------- calls

    def _entered(self, event: Event) -> tuple[Declared[Function], list[str]] | None:
        head, rest = self._head(event)
        if head.endswith((".", "->")):
            return None
        arguments = _arguments(rest)
        declared = self._prospects.callee(event.name, len(arguments))
        if declared is None and len(arguments) > 1 and any("<" in each for each in arguments):
            # Commas between template arguments count too.
            raise _SuspicionError
        return (declared, arguments) if declared is not None else None

    def _call(self, event: Event, declared: Declared[Function], arguments: list[str]) -> None:
        outline = self._prospects.outline(declared)
        parameters = declared.node.parameters
        elsewhere = self._prospects.unit.file_at(declared.place) is not self._facts
        acts = bool(outline.kernels or outline.copies or outline.flying or outline.collides)
        if outline is SUSPICIOUS or (self._unordered and acts):
            raise _SuspicionError
        self.suspicious |= outline.suspicious and elsewhere
        given = {
            parameter.name: self._memory(argument) for parameter, argument in zip(parameters, arguments, strict=False)
        }

        def here(names: Iterable[str]) -> frozenset[str]:
            return self._alike(other for each in names for other in given.get(each, (each,)))

        through = self._indirect(arguments)
        used = through | here(outline.used)
        self._met(used, lambda: used)
        self.suspicious |= bool(self._device & (here(outline.read) | through))
        self._kernel(here(outline.kernels))
        words = frozenset(_WORD.findall(" ".join(arguments)))
        for to, source, fresh in outline.copies:
            if fresh:
                self._copied(here(to), here(source), event.start)
            else:
                self._copies.append((here(to), here(source), False))
                self._checked(here(to), here(source), fresh=False)
        self.suspicious |= bool(here(outline.freed[0]) & self._usm or here(outline.freed[1]) & self._plain)
        self._in_buffers(words)
        if outline.waits:
            self._done()
        for number, flight in enumerate(outline.flying):
            self.flying[event.start, number] = Flight(*map(here, flight))

    def _indirect(self, arguments: Iterable[str]) -> frozenset[str]:
        """What is read to make the arguments of a call."""
        text = ";".join(arguments)
        return frozenset((*self._indexed(text), *self._starred(text)))


def _inner(node: Node) -> Iterator[Iterable[Statement]]:
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


def _extent(node: Statement) -> tuple[int, int]:
    return node.start, node.end


def _set_by(before: str) -> list[str]:
    """What gets the value that stands after ``before``: the name before ``=``, else any that may be made from it."""
    statement = _STATEMENT.split(before)[-1]
    target, is_set, _ = statement.rpartition("{")[2].rpartition("=")
    return _WORD.findall(target)[-1:] if is_set else _WORD.findall(statement)


def _arguments(text: str) -> list[str]:
    """The arguments in ``(a, b)``, which may follow template arguments."""
    opening = text.find("(")
    if opening < 0:
        return []
    depth, start, found = 0, opening + 1, []
    for match in re.finditer(r"[()\[\]{},]", text[opening:]):
        mark, position = match.group(), match.start() + opening
        if mark in "([{":
            depth += 1
        elif mark in ")]}":
            depth -= 1
            if not depth:
                if text[start:position].strip():
                    found.append(text[start:position])
                break
        elif depth == 1:
            found.append(text[start:position])
            start = position + 1
    return found
