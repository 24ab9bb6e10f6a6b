"""Directives of OpenMP to target regions."""

import re
from collections.abc import Iterator

from sycllint.cpp.place import Place, around
from sycllint.cpp.statement import Block, Pragma, Statement
from sycllint.facts.regions import Clause, OpenMPDirective, TargetRegion
from sycllint.source.span import Span
from sycllint.syntax.lower import macro_body

DIRECTIVES = frozenset({"target", "teams", "distribute", "parallel", "for", "simd", "loop"})
"""Words that combined directives around a target region are made of (OpenMP 5.2, "Combined Constructs")."""
_DATA = frozenset({"data", "enter", "exit", "update"})
"""Words after ``target`` that move data and run nothing."""
_NUMBERS = frozenset({"num_teams", "thread_limit", "num_threads", "collapse"})
_TARGET = re.compile(rb"#\s*pragma\s+omp\s+target\b")
_COUNTED = re.compile(rb"#[ \t]*pragma[ \t]+omp[ \t]+target\b[ \t]*(\w*)")
_OMP = re.compile(rb"#\s*pragma\s+omp\b")
_WORD = re.compile(rb"[a-z_]+")
_OPENING = re.compile(rb"\s*\(")
_MODIFIER = re.compile(rb"[^:?()]*[^:?()\s]\s*:(?!:)")
_LINE = re.compile(rb"(?:\\\r?\n|/\*.*?(?:\*/|\Z)|[^\n])*", re.DOTALL)
_SKIPPED = re.compile(rb"//[^\n]*|/\*.*?(?:\*/|\Z)|\\\r?\n", re.DOTALL)


def target_regions(unit: Block, content: bytes) -> tuple[TargetRegion, ...]:
    """The regions of one file, in source order."""
    targets = [each.start() for each in _TARGET.finditer(content)]
    if not targets:
        return ()
    blocks = (place for place in around(unit, targets) if isinstance(place.node, Block))
    found = [region for place in blocks for region in _in_block(place, content)]
    return tuple(sorted(found, key=lambda each: each.directives[0].span))


def region_count(content: bytes) -> int:
    """The number of regions in a file, from its text alone."""
    return sum(match[1].decode() not in _DATA for match in _COUNTED.finditer(content))


def _in_block(place: Place, content: bytes) -> Iterator[TargetRegion]:
    block = place.node
    assert isinstance(block, Block)
    for position, statement in enumerate(block.statements):
        if not isinstance(statement, Pragma):
            continue
        first = _directive(statement, content)
        if first is not None and first.words[0] == "target":
            after = block.statements[position + 1 :]
            followers, governed = _governed(after, content)
            whole = next((each for each in after if not isinstance(each, Pragma)), None) if governed else None
            yield TargetRegion((first, *followers), Place(statement, place), governed, whole)


def _governed(after: tuple[Statement, ...], content: bytes) -> tuple[list[OpenMPDirective], Statement | None]:
    """The directives directly inside a target construct, in its block or right below it, and what they govern."""
    found: list[OpenMPDirective] = []
    for statement in after:
        if isinstance(statement, Pragma):
            directive = _directive(statement, content)
            if directive is not None and directive.words[0] != "target":
                found.append(directive)
                continue
            return found, None
        if isinstance(statement, Block) and statement.statements and isinstance(statement.statements[0], Pragma):
            inner, governed = _governed(statement.statements, content)
            return found + inner, governed if inner else statement
        return found, statement
    return found, None


def _directive(pragma: Pragma, content: bytes) -> OpenMPDirective | None:
    """``None`` for what is no directive of OpenMP, and for those that only move data."""
    # To the grammar a comment ends the directive.
    line = _LINE.match(content, pragma.start)
    text = _SKIPPED.sub(lambda match: b" " * len(match[0]), line[0] if line is not None else b"")
    opening = _OMP.match(text)
    if opening is None:
        return None
    found: list[re.Match[bytes]] = []
    for match in _WORD.finditer(text, opening.end()):
        word = match[0].decode()
        if word in _DATA and len(found) == 1:
            return None
        if word not in DIRECTIVES or (found and text[found[-1].end() : match.start()].strip()):
            break
        found.append(match)
    if not found:
        return None
    end = found[-1].end()
    clauses = {each.name: each for each in _clauses(text, end, pragma.start)}
    span = Span(pragma.start + found[0].start(), pragma.start + end)
    return OpenMPDirective(tuple(each[0].decode() for each in found), span, clauses, pragma)


def _clauses(text: bytes, position: int, offset: int) -> Iterator[Clause]:
    while (match := _WORD.search(text, position)) is not None:
        end = match.end()
        opening = _OPENING.match(text, end)
        if opening is None:
            yield Clause(match[0].decode(), None, "", Span(offset + match.start(), offset + end))
            position = end
            continue
        close = _closing(text, opening.end())
        begin = _after_modifier(text, opening.end(), close)
        value, _ = macro_body(text[begin:close], offset + begin)
        argument = text[opening.end() : close].decode(errors="replace").strip()
        yield Clause(
            match[0].decode(), value, argument, Span(offset + match.start(), offset + min(close + 1, len(text)))
        )
        position = close + 1


def _closing(text: bytes, start: int) -> int:
    depth = 1
    for position in range(start, len(text)):
        depth += (text[position : position + 1] in b"([{") - (text[position : position + 1] in b")]}")
        if depth == 0:
            return position
    return len(text)


def _after_modifier(text: bytes, start: int, end: int) -> int:
    """The begin of the expression: in ``num_teams(8 : n)`` of the second one, which is the upper bound."""
    colon = _MODIFIER.match(text, start, end)
    return colon.end() if colon is not None else start
