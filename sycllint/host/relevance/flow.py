"""One function followed by its words: which memory commands may be using, and what the host does meanwhile."""

import re
from collections.abc import Callable, Iterable, Sequence

from sycllint.cpp.statement import (
    Block,
    Case,
    Damaged,
    Declaration,
    Evaluate,
    If,
    Jump,
    Loop,
    RangeLoop,
    Return,
    Statement,
    Switch,
    Try,
    Variants,
)
from sycllint.host.relevance.buffers import Buffers
from sycllint.host.relevance.commanded import Commanded, MemoryNames
from sycllint.host.relevance.outline import OPAQUE, FunctionOutline, InFlightMemory, OpaqueError
from sycllint.host.relevance.passage import WAITS, Event, Passage
from sycllint.host.relevance.predicates import Those
from sycllint.host.relevance.variables import Variables
from sycllint.host.relevance.wording import ACTING, changed, indexed, read_through, starred, words_in
from sycllint.host.vocabulary import COPIES
from sycllint.record import NamedTuple

_LISTED = re.compile(r"\s*\(\s*\{([\w\s,.\[\]]*)\}\s*\)\s*")
"""Events that are waited for together."""
Names = frozenset[str]

_LEAVES = frozenset({Evaluate, Declaration, Return, Jump})
_RESULT = re.compile(r"([\w.]+(?:->[\w.]+)*(?:\[\w*\])?)\s*=\s*$")
_NEAR = 300
"""Characters before a command in which the name is looked for that holds its event."""
_APPENDED = re.compile(r"([\w.]+(?:->[\w.]+)*)(?:\.|->)(?:push|emplace)_back\s*\(\s*$")
"""A list that an event is put into."""
_LIST = re.compile(r"\s*\(\s*([\w.]+)\s*\)\s*")


class Entered(NamedTuple):
    """A call of a function whose outline is known."""

    event: Event
    parameters: tuple[str, ...]
    arguments: list[str]
    outline: FunctionOutline
    elsewhere: bool
    """It stands in another file, whose walk leaves its records there."""
    is_sure: bool = True
    """It is entered, and not another of the same name."""


class Flow:
    """The course of one function. ``enter`` tells what a call may enter, if anything in sight."""

    def __init__(
        self,
        passage: Passage,
        variables: Variables,
        memory: MemoryNames,
        defined: Those,
        enter: Callable[[Event], Sequence[Entered]],
        *,
        is_called: bool,
    ) -> None:
        self._passage = passage
        self._variables = variables
        self._memory = memory
        self._defined = defined
        self._enter = enter
        self._buffers = Buffers(variables)
        self._suspicious = False
        self._flying: dict[object, InFlightMemory] = {}
        self._waiting_for: dict[str, object] = {}
        """Variables, elements and members that hold events, and the commands they belong to."""
        self._lists: dict[str, list[object]] = {}
        """Lists of events, and the commands of those that are put into them."""
        self._last: dict[object, InFlightMemory] = {}
        """What was in flight where the function was left."""
        self._loops: list[set[str]] = []
        """Names declared in the loops around."""
        self._blocks: list[set[str]] = []
        self.commanded = Commanded(passage, variables, memory, is_called=is_called)
        self.collides = False
        self._waited = False

    def run(self, body: Block) -> None:
        """The whole function."""
        self._block(body.statements)
        self._dying(self._variables.dying)

    @property
    def suspicious(self) -> bool:
        """Whether there is something for a walk to find."""
        return self._suspicious or self.commanded.suspicious or self._buffers.suspicious

    @property
    def ends(self) -> Iterable[InFlightMemory]:
        """What may be in flight when the function is left."""
        return {**self._last, **self._flying}.values()

    @property
    def waits(self) -> bool:
        """Whether nothing is in flight on any way out."""
        return self._waited and not self._last and not self._variables.queues

    # ------------------------------------------------------------ statements

    def _block(self, statements: Iterable[Statement]) -> None:
        self._blocks.append(set())
        buffers = self._buffers.outer() if self._variables.has_buffers else None
        self._run(statements)
        declared = self._blocks.pop()
        self._dying(declared & self._variables.dying)
        if buffers is not None:
            self._buffers.closed(buffers, declared)

    def _run(self, statements: Iterable[Statement]) -> None:
        has_buffers = self._variables.has_buffers
        for statement in statements:
            if type(statement) is Declaration:
                self._declared(statement)
            if not self._flying and not has_buffers and not self._passage.has_events(statement.start, statement.end):
                continue
            if type(statement) not in _LEAVES:
                self._within(statement)
                continue
            self._leaf(statement.start, statement.end, quiet=self._makes_lambda(statement))
            if isinstance(statement, Return) or (isinstance(statement, Jump) and statement.keyword == "throw"):
                self._dying(self._variables.dying)
                self._last.update(self._flying)
                self._flying = {}

    def _within(self, node: Statement) -> None:
        match node:
            case Block(statements=statements):
                self._block(statements)
            case If(initializer=initializer, then=then, otherwise=otherwise):
                if initializer is not None:
                    self._run((initializer,))
                self._leaf(node.start, then.start)
                self._ways([then.statements, otherwise.statements if otherwise is not None else ()])
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
                before = dict(self._flying)
                for arm in arms:
                    self._run(arm.body.statements)
                    self._flying = {**before, **self._flying}
            case Damaged():
                self._flying = {}
            case _:
                return

    def _ways(self, ways: Iterable[Sequence[Statement]]) -> None:
        before, ends = self._flying, {}
        for way in ways:
            self._flying = dict(before)
            self._block(way)
            ends.update(self._flying)
        self._flying = ends

    def _loop(self, body: Block, first: Callable[[], None], last: Callable[[], None]) -> None:
        before = dict(self._flying)
        self._loops.append(set())
        first()
        self._block(body.statements)
        last()
        if self._flying.keys() - before.keys():
            self._flying = {**before, **self._flying}
            first()
            self._block(body.statements)
            last()
        self._loops.pop()

    def _declared(self, node: Declaration) -> None:
        names = [each.name for each in node.variables]
        self._blocks[-1].update(names)
        if not self._variables.has_buffers:
            return
        for loop in self._loops:
            loop.update(names)
        words = words_in(self._passage.slice(node.start, node.end))
        for variable in node.variables:
            self._buffers.declared(variable, words, self._loops[-1] if self._loops else None)

    def _makes_lambda(self, node: Statement) -> bool:
        lambdas = self._variables.lambdas
        return bool(lambdas) and type(node) is Declaration and any(each.name in lambdas for each in node.variables)

    def _leaf(self, start: int, end: int, *, quiet: bool = False) -> None:
        """A stretch without statements inside."""
        passage = self._passage
        events = passage.between(start, end)
        if not events:
            if not quiet and (self._flying or self._buffers):
                self._host(passage.slice(start, end))
            return
        entered: list[Entered] = []
        outside: list[str] = []
        position = start
        for event in events:
            if event.start < position:
                continue
            is_command = passage.is_command(event)
            calls = self._enter(event) if not is_command else ()
            if is_command or calls:
                outside.append(passage.slice(position, event.start))
                position = event.end
            entered += calls
        outside.append(passage.slice(position, end))
        if len(outside) > 1 and not self._suspicious:
            # Statements behind a command, in a stretch without any, are those of a lambda.
            self._suspicious = ";" in outside[-1][:-1] or (len(outside) > 2 and ";" in "".join(outside[1:-1]))
        if self._flying or self._buffers:
            self._host(" ; ".join(outside))
        covered = -1
        for event in events:
            if event.start < covered:
                continue
            if event.name in WAITS:
                covered = event.end
                self._wait(event)
            elif passage.is_command(event):
                covered = event.end
                self._command(event, start)
        for call in entered:
            self._call(call)

    # ---------------------------------------------------------- what happens

    def _names(self) -> Names:
        return frozenset().union(*[each.names for each in self._flying.values()])

    def _dying(self, objects: set[str]) -> None:
        """Automatic objects end."""
        if objects and any(not objects.isdisjoint(each.held) for each in self._flying.values()):
            self._suspicious = True

    def _host(self, text: str) -> None:
        """A text of the host."""
        variables = self._variables
        words = variables.with_lambdas(words_in(text))
        names = self._names()
        if words & self._defined and not self._variables.are_own(names):
            # A function in sight may use what it has not been handed.
            self._suspicious = True
        met = words & names
        if met:
            inside = words & ACTING or words & variables.lambdas.keys() or words & self._defined
            if not inside:
                # What is handed to nobody in sight is not used by that.
                read = variables.alike(read_through(text, words, variables.beside))
                met -= (met & variables.surely_pointers) - read
            self._met(met, lambda: words & variables.alike(changed(text, words)))
        if self._buffers:
            self._buffers.used(words)

    def _met(self, used: Names, changed: Callable[[], Names]) -> None:
        """The host uses memory, some of which it changes."""
        if not self._suspicious and used:
            self._suspicious = any(
                used & each.writes or (used & each.names and changed() & each.names) for each in self._flying.values()
            )

    def _wait(self, event: Event) -> None:
        passage = self._passage
        before, behind = passage.head(event)
        receiver = before.rstrip(".->:").rstrip()
        listed = self._listed(behind) if receiver.endswith("event") else None
        if listed is not None:
            for name in listed:
                self._wait_for(name)
            return
        if receiver.endswith(")"):
            inner = [each for each in passage.between(event.start, event.start + 1) if passage.is_command(each)]
            if inner:
                self._command(inner[0], event.start, waited=True)
                if not self._variables.unordered:
                    self._done()
                return
        self._wait_for(receiver)

    def _listed(self, given: str) -> list[str] | None:
        """What ``sycl::event::wait(given)`` waits for, when that is known."""
        listed = _LISTED.fullmatch(given)
        if listed is not None:
            return [name.strip() for name in listed[1].split(",")]
        named = _LIST.fullmatch(given)
        commands = self._lists.get(named[1]) if named is not None else None
        return [f"{named[1]}[{number}]" for number in range(len(commands))] if named and commands else None

    def _wait_for(self, name: str) -> None:
        """A wait for what a variable is, or an element of a list."""
        before, _, end = name.rpartition(".")
        if end in ("front()", "back()") and before in self._lists:
            name = f"{before}[{0 if end == 'front()' else len(self._lists[before]) - 1}]"
        last = self._waiting_for.get(name)
        if last is None:
            self._done()
        elif self._variables.unordered:
            self._flying.pop(last, None)
        elif last in self._flying:
            for each in list(self._flying):
                del self._flying[each]
                if each == last:
                    break

    def _done(self) -> None:
        """Nothing is in flight any more."""
        self._flying = {}
        if len(self._blocks) == 1:
            self._waited = True

    # -------------------------------------------------------------- commands

    def _command(self, event: Event, leaf: int, *, waited: bool = False) -> None:
        flight, words = self.commanded.effect(event)
        if self._flying and flight.names & self._names():
            self.collides = True
            self._suspicious |= self._variables.unordered
        if self._flying and event.name not in COPIES:
            # The host reads what a kernel is given by value when it submits the kernel.
            copied = words & self._variables.objects
            self._suspicious |= any(not copied.isdisjoint(each.writes) for each in self._flying.values())
        self._given(words)
        if waited:
            return
        self._flying[event.start] = flight
        self._held(self._passage.slice(leaf, event.start), event.start)

    def _held(self, before: str, command: object) -> None:
        """What holds the event of a command, by the text before that."""
        before = before.rstrip()[-_NEAR:]
        result, appended = _RESULT.search(before), _APPENDED.search(before)
        if result is not None:
            self._waiting_for[result[1]] = command
        elif appended is not None:
            commands = self._lists.setdefault(appended[1], [])
            self._waiting_for[f"{appended[1]}[{len(commands)}]"] = command
            commands.append(command)

    def _given(self, words: Names) -> None:
        """Names that a command, or a function that may submit one, is given."""
        self.commanded.named |= words
        if self._variables.has_buffers:
            self._buffers.commanded(words)

    # ----------------------------------------------------------------- calls

    def _call(self, call: Entered) -> None:
        outline, given = call.outline, call.arguments
        acts = bool(outline.kernels or outline.copies or outline.flying or outline.collides)
        if outline is OPAQUE or (self._variables.unordered and acts):
            raise OpaqueError
        self._suspicious |= outline.suspicious and call.elsewhere
        known = {name: self.commanded.used_by(argument) for name, argument in zip(call.parameters, given, strict=False)}
        alike = self._variables.alike

        def here(names: Iterable[str]) -> Names:
            return alike(other for each in names for other in known.get(each, (each,)))

        text = ";".join(given)
        through = frozenset((*indexed(text), *starred(text, self._variables.beside)))
        used = through | here(outline.used)
        self._met(used & self._names(), lambda: used)
        self.commanded.kernel(here(outline.kernels))
        for to, source, fresh in outline.copies:
            if fresh:
                self.commanded.copied(here(to), here(source), call.event.start)
            else:
                self.commanded.copies.append((here(to), here(source), False))
                self.commanded.checked(here(to), here(source), fresh=False)
        memory = self._memory
        self._suspicious |= bool(
            memory.device & (here(outline.read) | through)
            or here(outline.freed[0]) & memory.usm
            or here(outline.freed[1]) & memory.plain
        )
        self._given(words_in(" ".join(given)))
        if outline.waits and call.is_sure:
            self._done()
        for number, flight in enumerate(outline.flying):
            self._flying[call.event.start, number] = InFlightMemory(*map(here, flight))
