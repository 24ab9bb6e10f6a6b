"""The commands of one function, by their words: which memory each may use, and what is wrong with that by itself."""

import re

from sycllint.host.relevance.outline import InFlightMemory
from sycllint.host.relevance.passage import Event, Passage
from sycllint.host.relevance.variables import Variables
from sycllint.host.relevance.wording import arguments, variables_in, without_elements, words_in
from sycllint.host.vocabulary import ASYNC_FUNCTIONS, COPIES, LAUNCHES
from sycllint.record import NamedTuple

Names = frozenset[str]

_MOVES = {**COPIES, **ASYNC_FUNCTIONS}
_ADDRESS = re.compile(r"(?:&|\baddressof\s*\()\s*(\w+)")
_WITH_MEMBER = re.compile(r"(?<![.>\w])(\w+)\s*(?:\.|->)")
"""Objects and pointers of which a member is named."""
_MEMBERS_ELEMENT = re.compile(r"(?<![.>\w])(\w+)\s*(?:\.|->)\s*\w+\s*\[")
_ELEMENT = re.compile(r"(?<![.>\w])(\w+)\s*\[")
_HANDED = re.compile(r"[(,]\s*(\w+)\s*(?=[,)+])")
_INCLUDE = re.compile(r"#\s*include")


class MemoryNames(NamedTuple):
    """Names of memory by who allocated it."""

    plain: Names
    """The C library, ``new``."""
    device: Names
    usm: Names
    """SYCL, for the device or not."""


class Effect(NamedTuple):
    """What one command may use."""

    flight: InFlightMemory
    words: Names


class Commanded:
    """What is known of commands up to one point of a function; ``is_called`` by others, which ask for its copies."""

    def __init__(self, passage: Passage, variables: Variables, memory: MemoryNames, *, is_called: bool) -> None:
        self._passage = passage
        self._variables = variables
        self._memory = memory
        self._is_called = is_called
        self._effects: dict[Event, Effect] = {}
        self._handed: dict[str, int] | None = None
        self.named: set[str] = set()
        """What commands, and functions that are entered, were given."""
        self.kernels: set[str] = set()
        """Pointers that kernels may use."""
        self.copies: list[tuple[Names, Names, bool]] = []
        """Destinations and sources, and whether nothing wrote the source before."""
        self.suspicious = False

    def effect(self, event: Event) -> Effect:
        """What a command uses; the same each time it is submitted."""
        found = self._effects.get(event)
        if found is None:
            found = self._effects[event] = self._worked_out(event)
        return found

    def _worked_out(self, event: Event) -> Effect:
        passage, variables = self._passage, self._variables
        words = variables.with_lambdas(words_in(passage.slice(event.start, event.end)))
        kernel = variables.with_lambdas(self._in_kernel(event, words))
        if variables.containers and event.name not in _MOVES:
            elements = _ELEMENT.findall(passage.slice(event.start, event.end))
            self.suspicious |= not variables.containers.isdisjoint(elements)
        kernel &= variables.pointers
        names = variables.alike(kernel)
        self.kernel(names)
        # Of a variable that its words do not have, the kernel has a pointer.
        self.suspicious |= not variables.objects.isdisjoint(names - kernel)
        held = names - kernel
        writes = names = names | self._with_elements(event)
        for inner in passage.between(event.start, event.end):
            if inner.name in _MOVES and passage.is_command(inner) and inner.end <= event.end:
                written, read = self._copy(inner)
                writes, names, held = writes | written, names | written | read, held | written | read
        return Effect(InFlightMemory(writes, names, held), words)

    def _with_elements(self, event: Event) -> Names:
        """Objects with a member through which the kernel of a command reads or writes."""
        if event.name in _MOVES:
            return frozenset()
        text = self._passage.slice(event.start, event.end)
        return frozenset(each for each in _MEMBERS_ELEMENT.findall(text) if each in self._variables)

    def _in_kernel(self, event: Event, words: Names) -> Names:
        """What of the words of a command its kernel may know: elements that the group around it reads are values."""
        if event.name in _MOVES:
            return frozenset()
        passage = self._passage
        inner = passage.between(event.start + 1, event.end) if event.name not in LAUNCHES else ()
        launches = [each for each in inner if each.name in LAUNCHES and passage.is_command(each)]
        if not launches:
            return words
        group, kernels, position = [], [], event.start
        for each in launches:
            if each.start >= position:
                group.append(passage.slice(position, each.start))
                kernels.append(passage.slice(each.start, each.end))
                position = each.end
        group.append(passage.slice(position, event.end))
        return words_in(without_elements(" ".join(group))) | words_in(" ".join(kernels))

    def kernel(self, names: Names) -> None:
        """A kernel may use these."""
        self.kernels |= names
        variables, plain = self._variables, self._memory.plain
        if names & plain or any(variables.is_object(each) and each not in variables.pointers for each in names):
            self.suspicious = True

    def _copy(self, event: Event) -> tuple[Names, Names]:
        to, source, count = _MOVES[event.name]
        given = arguments(self._passage.head(event)[1])
        if len(given) < count:
            return frozenset(), frozenset()
        written = self.used_by(given[to])
        if source is None:
            return written, frozenset()
        read = self.used_by(given[source])
        self.copied(written, read, event.start)
        return written, read

    def copied(self, written: Names, read: Names, start: int) -> None:
        """Memory is copied at an offset."""
        matters = self._is_called or not read.isdisjoint(self._memory.device)
        fresh = matters and read.isdisjoint(self.named) and not self._is_handed(read, start)
        self.copies.append((written, read, fresh))
        self.checked(written, read, fresh)

    def _is_handed(self, names: Names, before: int) -> bool:
        """Whether names are given to some function before an offset."""
        if self._handed is None:
            passage = self._passage
            self._handed = {}
            for match in _HANDED.finditer(passage.text):
                self._handed.setdefault(match[1], passage.start + match.start())
            include = _INCLUDE.search(passage.text)
            # Of a file that is included nothing is known.
            self._handed[""] = passage.start + include.start() if include is not None else passage.end
        handed = self._handed
        return handed[""] < before or any(handed.get(each, before) < before for each in names)

    def checked(self, written: Names, read: Names, fresh: bool) -> None:
        """A copy from host memory to host memory, or of device memory that nothing has written, to host memory."""
        memory = self._memory
        to_plain = bool(written & memory.plain)
        to_host = to_plain or not self._variables.objects.isdisjoint(written)
        self.suspicious |= (to_plain and bool(read & memory.plain)) or (
            fresh and to_host and bool(read & memory.device)
        )

    def used_by(self, text: str) -> Names:
        """The memory that an argument gives access to."""
        variables = self._variables
        words = variables_in(text)
        found = {*_ADDRESS.findall(text), *(words & variables.pointers)}
        found.update(each for each in words if variables.is_object(each))
        found.update(each for each in _WITH_MEMBER.findall(text.replace("this->", "")) if each in variables)
        return variables.alike(found)
