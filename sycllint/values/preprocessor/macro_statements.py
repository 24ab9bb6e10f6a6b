"""Statements that only name something without a visible declaration: macros, which may set whatever is around them.

``SET_SIZES;`` where a header that is not visible has ``#define SET_SIZES size = choose()``.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property

from sycllint.cpp.expression import Call, Name
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place, around
from sycllint.cpp.statement import Block, Declaration, Evaluate, Function, Loop, RangeLoop
from sycllint.facts.file import FileFacts
from sycllint.symbols.unit import Unit
from sycllint.values.declarations import Declarations
from sycllint.values.objects import Point

_KEYWORDS = rb"break|continue|return|const|override|final|noexcept|throw|else|do|try|co_return|public|private|protected"
_ALONE = re.compile(
    rb"[\n;{):](?<!::)(?:(?<!\))[ \t]*+(?!(?:" + _KEYWORDS + rb")\b)([A-Za-z_]\w*+)\s*+;"
    rb"|[ \t]*+([A-Z][A-Z0-9_]++)[ \t]*+(?:\(\s*+\)\s*+;|;|\r?$|//))",
    re.MULTILINE,
)
"""A name that ends a statement it began; one that is shouted, at the end of a line, may go without a semicolon.

It begins with a set of bytes, the end of a line among them: the search leaps from one to the next.
"""
_NEAR = 400
"""Bytes before a name in which the end of the statement before it is looked for."""


class MacroStatements:
    """Answers for one evaluator."""

    def __init__(self, facts: Unit, declarations: Declarations) -> None:
        self._facts = facts
        self._declarations = declarations
        self._alone: dict[int, tuple[int, ...]] = {}
        self._within: dict[int, tuple[Name, ...]] = {}

    def changing(self, text: str, point: Point) -> Name | None:
        """The macro that stands between the declaration of ``text`` and ``point``, if there is one."""
        if not self._may_exist or not self._candidates(self._facts.file_at(point.place)):
            return None
        function = point.place.innermost(Function)
        if function is None or function.body is None:
            return None
        within = self._in_body(function.body, point.place)
        if not within:
            return None
        declared = self._declarations.nearest(text, point)
        after = getattr(declared[0], "start", 0) if declared is not None else 0
        loops = [each for each in point.place.chain() if isinstance(each, Loop | RangeLoop)]
        for each in within:
            is_before = each.start < point.offset or any(one.start < each.start < one.end for one in loops)
            if after < each.start and is_before:
                return each
        return None

    @cached_property
    def _may_exist(self) -> bool:
        return any(map(self._candidates, self._facts.files))

    @cached_property
    def exist(self) -> bool:
        """Whether any function has one: it may set what is declared outside all of them, too."""
        return any(self._has(file, self._candidates(file)) for file in self._facts.files)

    def _has(self, file: FileFacts, candidates: tuple[int, ...]) -> bool:
        if not candidates:
            return False
        first, last = candidates[0], candidates[-1]
        for functions in file.functions.values():
            for declared in functions:
                body = declared.node.body
                if body is not None and body.start <= last and first < body.end and self._in_body(body, declared.place):
                    return True
        return False

    def _candidates(self, file: FileFacts) -> tuple[int, ...]:
        """Where in a file such a name may stand."""
        key = id(file)
        if key not in self._alone:
            macros = self._facts.macros
            self._alone[key] = tuple(start for start, name in file.once(_standing_alone) if name not in macros)
        return self._alone[key]

    def _in_body(self, body: Block, place: Place) -> tuple[Name, ...]:
        key = id(body)
        if key not in self._within:
            candidates = self._candidates(self._facts.file_at(place))
            inside = candidates[bisect_left(candidates, body.start) : bisect_left(candidates, body.end)]
            self._within[key] = tuple(self._macros(body, place, inside)) if inside else ()
        return self._within[key]

    def _macros(self, body: Block, place: Place, candidates: tuple[int, ...]) -> list[Name]:
        found = (_named(each.node) for each in around(body, candidates))
        names = [each for each in found if each is not None and each.start in candidates]
        return [each for each in names if self._is_undeclared(each, Place(body, place))]

    def _is_undeclared(self, name: Name, place: Place) -> bool:
        facts = self._facts
        if name.last in facts.functions or name.last in facts.structs or name.last in facts.variables:
            return False
        known = (facts.aliases, facts.enumerators)
        return (
            not any(name.last in each for each in known)
            and self._declarations.nearest(name.text, Point(place, name.start)) is None
        )


def _begins(content: bytes, offset: int) -> bool:
    """Whether a statement may begin there: another ends before it, or a comment or a directive does."""
    before = content[max(offset - _NEAR, 0) : offset].rstrip()
    line = before.rpartition(b"\n")[2]
    return before[-1:] in (b"", b";", b":", b"{", b"}", b")") or b"//" in line or before.endswith(b"*/") or b"#" in line


def _named(statement: Node) -> Name | None:
    """What a statement consists of, or begins with where a macro without semicolon is taken for a type."""
    match statement:
        case Evaluate(expression=Name() as name) | Evaluate(expression=Call(function=Name() as name, arguments=())):
            return name
        case Declaration(variables=(first, *_)):
            return first.type.name
        case _:
            return None


def _standing_alone(facts: FileFacts) -> tuple[tuple[int, str], ...]:
    """Names that are statements by themselves in the text of a file, and where."""
    content = b"\n" + facts.content
    found = ((each.start(each.lastindex or 0), each[each.lastindex or 0]) for each in _ALONE.finditer(content))
    return tuple((start - 1, name.decode()) for start, name in found if _begins(content, start))
