"""Calls in a file, by name; bodies that are not lowered yet are lowered when they may contain such a call."""

import re
from collections.abc import Iterator, Mapping
from typing import TypeVar, overload

from sycllint.cpp.statement import Block
from sycllint.source.span import Span
from sycllint.syntax.lower.walk import Walk

Other = TypeVar("Other")


_CALLING = re.compile(rb"[\s\\]*+(?:[(<]|/[/*]|\)[\s\\]*+\()")
"""What stands behind the name in a call, or behind one in a comment."""


def _may_call(name: bytes, source: bytes, start: int, end: int) -> bool:
    """Whether something there reads like a call of ``name``; of what is no identifier, anything that holds it does."""
    found = source.find(name, start, end)
    if not name.isascii() or not name.decode().isidentifier():
        return found >= 0
    while found >= 0:
        behind = found + len(name)
        if _CALLING.match(source, behind, end) and not _is_word(source[found - 1 : found]):
            return True
        found = source.find(name, behind, end)
    return False


def _is_word(byte: bytes) -> bool:
    return byte.isalnum() or byte == b"_"


class Calls(Mapping[str, tuple[Span, ...]]):
    """Calls outside macros, by the unqualified name of what is called, in source order."""

    def __init__(self, walk: Walk, *waiting: Block) -> None:
        """``waiting``: bodies of the walk that were put off, beside those that it still has."""
        self._walk = walk
        self._waiting = [*waiting]
        self._found: dict[str, tuple[Span, ...]] = {}
        self._take_over()

    @property
    def parts(self) -> tuple[Walk | Block, ...]:
        """What such calls are made of."""
        return (self._walk, *self._waiting)

    def __getitem__(self, name: str) -> tuple[Span, ...]:
        found = self._of(name)
        if not found:
            raise KeyError(name)
        return found

    @overload
    def get(self, name: str, /) -> tuple[Span, ...] | None: ...

    @overload
    def get(self, name: str, /, default: tuple[Span, ...] | Other) -> tuple[Span, ...] | Other: ...

    def get(self, name: str, /, default: object = None) -> object:
        """The calls of ``name``; that most names have none in most files is no exception here, which would be slow."""
        return self._of(name) or default

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and bool(self._of(name))

    def _of(self, name: str) -> tuple[Span, ...]:
        found = self._found.get(name)
        if found is None:
            self._read(name.encode())
            found = self._found[name] = tuple(sorted(self._walk.calls.get(name, ())))
        return found

    def __iter__(self) -> Iterator[str]:
        self._read(b"")
        return iter(self._walk.calls)

    def __len__(self) -> int:
        self._read(b"")
        return len(self._walk.calls)

    def _read(self, name: bytes) -> None:
        """Read the bodies in which ``name`` is written."""
        self._take_over()
        source = self._walk.source
        if not self._waiting or name not in source:
            return
        left: list[Block] = []
        for block in self._waiting:
            if block.is_read:
                continue
            if _may_call(name, source, block.start, block.end):
                block.statements  # noqa: B018
            else:
                left.append(block)
        self._waiting = left

    def _take_over(self) -> None:
        """Take the bodies from the walk: a body knows its walk, and would live as long as the walk knew it."""
        self._waiting += self._walk.put_off
        self._walk.put_off.clear()
