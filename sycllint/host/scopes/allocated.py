"""Data members that are only ever set to memory of the device, whichever method does it.

A member is followed from the function that allocates it into others by its name alone: everything of a unit that is
called so, and is set, is set to what ``malloc_device`` gives or to nothing, and the member is not passed out to be set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from sycllint.cpp.node import walk
from sycllint.cpp.statement import Function, FunctionParameter, Struct, Variable
from sycllint.facts.file import FileFacts
from sycllint.memoized import memoized
from sycllint.source.span import Location, Span
from sycllint.symbols.unit import Unit

_SET = re.compile(rb"\b(\w++)\s*(?:=[^;={}]*?\b|[({]\s*(?:\([^()]*\)\s*)?(?:\w+::)*)\w*alloc_device\b")
_ALLOCATING = re.compile(rb"alloc_device\b")
_BEFORE = (b";", b"}")
"""What ends the statement before."""
_OTHERS = (b"?", b"alloc_shared", b"alloc_host")
_NOTHING = frozenset({b"", b"nullptr", b"NULL", b"0"})
_SETTING = re.compile(rb"(?i:swap|alloc|create|init|make|resize|exchange|tie)\w*\s*(?:<[^;()]*>)?\s*\(")
"""The call of a function that may set what it is handed."""
_MARKS = (b"(", b")", b";")
"""What arguments stand between."""
_THIS = b"this->"
_INDEXED = re.compile(rb"\s*[\[(]")
_LOOKED_THROUGH = 200
"""Bytes behind an ``=`` in which the allocation stands."""
_TYPE_BEFORE = re.compile(rb"(?:[*&]|(?<!\w)(?!(?:else|do|return)\s)\w+\s)\s*(?:(?:const|__restrict(?:__)?)\s+)*\Z")
"""What stands before the name that a declaration declares."""
_MOST_BEFORE = 40
"""Bytes before a name in which its type ends."""


def _members_set_in(facts: FileFacts) -> frozenset[str]:
    """What is set to memory of the device where it is not declared, or as a data member is."""
    if b"alloc_device" not in facts.content:
        return frozenset()
    fields = {each.start for fields in facts.once(_fields_of).values() for each in fields}
    found = ((each[1].decode("latin-1"), each.start()) for each in _set_in(facts.content, 0, len(facts.content)))
    return frozenset(name for name, start in found if start in fields or not _is_local(facts, name, start))


def _set_in(content: bytes, start: int, end: int) -> Iterator[re.Match[bytes]]:
    """What matches ``_SET``: looked for in the statements that allocate memory of the device."""
    for allocating in _ALLOCATING.finditer(content, start, end):
        begin = max(start, *(content.rfind(each, start, allocating.start()) for each in _BEFORE))
        for each in _SET.finditer(content, begin, allocating.end()):
            start = each.end()
            yield each


def _is_local(facts: FileFacts, name: str, start: int) -> bool:
    """Whether the name at an offset is declared there, as a type before it says, or is a variable of its function."""
    if _TYPE_BEFORE.search(facts.content, max(start - _MOST_BEFORE, 0), start) is not None:
        return True
    if facts.content[max(start - _MOST_BEFORE, 0) : start].rstrip().endswith((b".", b"->")):
        return False
    functions = (each.node for found in facts.functions.values() for each in found)
    locals_of = facts.once(_Locals).of
    return any(name in locals_of(each) for each in functions if each.start <= start < each.extent_end)


class _Locals:
    """The variables and parameters that functions of a file declare."""

    def __init__(self, _: FileFacts) -> None:
        pass

    @memoized
    def of(self, function: Function) -> frozenset[str]:
        """Their names."""
        return frozenset(each.name for each in walk(function) if isinstance(each, Variable | FunctionParameter))


def _fields_of(facts: FileFacts) -> Mapping[Struct, tuple[Variable, ...]]:
    """The data members that are pointers, by the class that declares them."""
    classes = (each.node for found in facts.structs.values() for each in found)
    return {each: tuple(variable for variable in each.variables if variable.type.pointers) for each in classes}


def _is_aggregate_of(facts: FileFacts, name: str) -> bool:
    """Whether objects of a class are made from the values of their members, of which one is not the device's."""
    word = re.escape(name.encode())
    alone = b"".join(b"(?<!%b%b)" % (before, word) for before in (rb"\w", b"struct ", b"class "))
    made = re.compile(rb"%b%b\s*(?:\w+\s*)?(?:=\s*)?\{\s*([^{};]+)\}" % (word, alone))
    return any(b"alloc_device" not in each[1] for each in made.finditer(facts.content))


def _is_handed(facts: FileFacts, name: re.Pattern[bytes]) -> bool:
    """Whether the address of what is called so is taken, or it is an argument of a function that may set it."""
    content = facts.content
    last = seen = -1
    for found in name.finditer(content):
        start = found.start()
        last = max(last, *(content.rfind(each, seen + 1, start) for each in _MARKS))
        seen = start
        if last in facts.once(_handing):
            return True
        before = start - len(_THIS) if content.endswith(_THIS, 0, start) else start
        while content[before - 1 : before].isspace():
            before -= 1
        is_address = content.endswith(b"&", 0, before) and not content.endswith(b"&&", 0, before)
        if is_address and _INDEXED.match(content, found.end()) is None:
            return True
    return False


def _handing(facts: FileFacts) -> frozenset[int]:
    """Where the arguments of functions begin that may set what they are handed."""
    return frozenset(each.end() - 1 for each in _SETTING.finditer(facts.content))


class Allocated:
    """Answers for the members of one unit."""

    def __init__(self, unit: Unit) -> None:
        self._files = unit.files
        self._fields = frozenset(self._members())
        """Data members that no class has in common with one that does not set them."""
        self._spelled = tuple(each.encode() for each in self._fields)

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._fields)

    def _members(self) -> Iterator[str]:
        found = frozenset[str]().union(*(each.once(_members_set_in) for each in self._files))
        owners: dict[str, list[tuple[FileFacts, Struct]]] = {}
        for facts in self._files:
            for struct, fields in facts.once(_fields_of).items():
                for name in {each.name for each in fields} & found:
                    owners.setdefault(name, []).append((facts, struct))
        for name, classes in owners.items():
            names = {struct.name for _, struct in classes}
            is_set = len(names) == 1 or all(self._sets(*each, name) for each in classes)
            if is_set and not any(_is_aggregate_of(facts, each) for each in names for facts in self._files):
                yield name

    @staticmethod
    def _sets(facts: FileFacts, struct: Struct, name: str) -> bool:
        """Whether the text of a class itself sets its member to memory of the device."""
        return any(each[1] == name.encode() for each in _set_in(facts.content, struct.start, struct.end))

    def may_be_named(self, content: bytes, start: int, end: int) -> bool:
        """Whether a data member that is set to memory of the device may stand in a part of a text."""
        return any(content.find(each, start, end) >= 0 for each in self._spelled)

    def on_device(self, name: str) -> Location | None:
        """Where memory of the device is allocated for a member that has no other."""
        return self._looked_up(name.encode("latin-1")) if name in self._fields else None

    @memoized
    def _looked_up(self, name: bytes) -> Location | None:
        word = rb"(?<!\w)" + re.escape(name) + rb"(?!\w)"
        is_set = re.compile(word + rb"\s*=(?!=)\s*|[:,]\s*" + word + rb"\s*[({]\s*")
        is_named = re.compile(word)
        found: Location | None = None
        is_local = False
        for file in self._files:
            content = file.content
            if name not in content:
                continue
            if _is_handed(file, is_named):
                return None
            for each in is_set.finditer(content):
                value = content[each.end() : each.end() + _LOOKED_THROUGH].partition(b";")[0]
                if b"alloc_device" in value and not any(other in value for other in _OTHERS):
                    is_of_variable = _is_local(file, name.decode("latin-1"), each.start())
                    if found is None or (is_local and not is_of_variable):
                        found = Location(file.path, Span(each.start(), each.end() + len(value)))
                        is_local = is_of_variable
                elif value.partition(b",")[0].rstrip(b" \t\r\n(){}") not in _NOTHING:
                    return None
        return found
