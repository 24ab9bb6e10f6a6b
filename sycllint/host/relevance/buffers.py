"""Buffers and host accessors of one function, by the words of their declarations."""

from collections.abc import Iterable

from sycllint.cpp.statement import Variable
from sycllint.host.relevance.variables import Variables
from sycllint.host.vocabulary import LOCKS

Names = frozenset[str]


class Buffers:
    """Which are alive at one point of a function, and which memory of the host is older than what they hold."""

    def __init__(self, variables: Variables) -> None:
        self._variables = variables
        self._memory: dict[str, Names] = {}
        """Buffers, and what they are made from."""
        self._locks: dict[str, Names] = {}
        """Host accessors, and what they are made from."""
        self._stale: dict[str, str] = {}
        """Memory that a command may have a newer state of, and its buffer."""
        self.suspicious = False

    def __bool__(self) -> bool:
        """Whether the use of some memory has to be noted."""
        return bool(self._stale)

    def declared(self, variable: Variable, words: Names, inside: set[str] | None) -> None:
        """A declaration with these words; ``inside`` are the names that the innermost loop declares."""
        given = frozenset(each for each in words if each != variable.name and each in self._variables)
        if variable.type.name.last == "buffer" and variable.arguments:
            self._memory[variable.name] = given
            self.suspicious |= inside is not None and not given <= inside
        elif not LOCKS.isdisjoint(words):
            for each in given:
                self._settle(each)
            self.suspicious |= self._is_locked(given)
            self._locks[variable.name] = given

    def commanded(self, words: Names) -> None:
        """These are named by a command, or given to a function that may submit one."""
        self.suspicious |= self._is_locked(words)
        for buffer in words & self._memory.keys():
            for host in self._memory[buffer]:
                self._stale[host] = buffer

    def used(self, words: Names) -> None:
        """These are named by the host."""
        for buffer in words & self._memory.keys():
            self._settle(buffer)
        self.suspicious |= not self._stale.keys().isdisjoint(words)

    def outer(self) -> "Buffers":
        """What is known before a block."""
        known = Buffers(self._variables)
        known._memory, known._locks, known._stale = dict(self._memory), dict(self._locks), dict(self._stale)
        return known

    def closed(self, before: "Buffers", declared: Iterable[str]) -> None:
        """A block ends, and what it declared."""
        self._memory, self._locks = before._memory, before._locks
        ended = {*declared}
        self._stale = {
            host: buffer for host, buffer in self._stale.items() if buffer not in ended or host in before._stale
        }

    def _settle(self, buffer: str) -> None:
        self._stale = {host: other for host, other in self._stale.items() if other != buffer}

    def _is_locked(self, names: Names) -> bool:
        """Whether a host accessor of one of these buffers is alive."""
        return any(names & each for each in self._locks.values())
