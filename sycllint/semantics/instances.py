"""The instantiations of the templates of a unit, and the nodes of each by place.

Only what the project's own code names is looked for: system headers are not entered.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from sycllint.record import NamedTuple
from sycllint.semantics.library import specialized

if TYPE_CHECKING:
    from clang.cindex import Cursor, TranslationUnit

Span = tuple[int, int]


class FunctionSyntax(NamedTuple):
    """The syntax of one function, by byte offsets. Where several pieces have one span, the innermost counts.

    Members of objects stand under the span of their name, too.
    """

    expressions: dict[Span, "Cursor"]
    calls: dict[Span, "Cursor"]
    lambdas: dict[int, "Cursor"]
    """By where they begin."""
    types: dict[int, "Cursor"]
    """Names of types, by where they end."""


class FunctionInstantiation(NamedTuple):
    """A function that was made from a template, and the text of which it was made."""

    function: "Cursor"
    path: str
    start: int
    end: int

    def encloses(self, path: str, start: int, end: int) -> bool:
        """Whether a span is of its text."""
        return self.start <= start and end <= self.end and self.path == path


class FunctionInstantiations:
    """The functions that were made from templates in one unit."""

    def __init__(self, unit: "TranslationUnit") -> None:
        self._unit = unit
        self._all: list[FunctionInstantiation] | None = None
        self._contents: dict[int, FunctionSyntax] = {}

    def around(self, path: str, start: int, end: int) -> list[FunctionInstantiation]:
        """All that were made of the innermost function template around a span."""
        if self._all is None:
            self._all = list(self._found())
        return innermost(self._all, path, start, end)

    def contents(self, function: "Cursor") -> FunctionSyntax:
        """The nodes of a function by place."""
        key = function.hash
        if key not in self._contents:
            self._contents[key] = _contents(function)
        return self._contents[key]

    def _found(self) -> Iterator[FunctionInstantiation]:
        waiting = [each for each in self._unit.cursor.get_children() if not each.location.is_in_system_header]
        seen: set[int] = set()
        while waiting:
            for cursor in below(waiting.pop()):
                made = cursor.referenced if cursor.kind.is_expression() else None
                if made is None or made.hash in seen:
                    continue
                seen.add(made.hash)
                instance = instance_of(made)
                if instance is not None and not made.location.is_in_system_header:
                    yield instance
                    waiting.append(instance.function)


def instance_of(function: "Cursor") -> FunctionInstantiation | None:
    """A function that was made from a template, with its body; ``None`` for others."""
    if specialized(function) is None:
        return None
    return _with_text(function.get_definition() or function)


def called(call: "Cursor") -> FunctionInstantiation | None:
    """The function that a call runs; ``None`` where that is not settled before a template is made into something."""
    made = call.referenced
    if made is None or not made.kind.is_declaration():
        return None
    return _with_text(made.get_definition() or made)


def innermost(
    instances: Iterable[FunctionInstantiation], path: str, start: int, end: int
) -> list[FunctionInstantiation]:
    """The ``instances`` of the innermost template around a span."""
    around = [each for each in instances if each.encloses(path, start, end)]
    least = min((each.end - each.start for each in around), default=0)
    return [each for each in around if each.end - each.start == least]


def _with_text(function: "Cursor") -> FunctionInstantiation | None:
    file, extent = function.location.file, function.extent
    if file is None:
        return None
    return FunctionInstantiation(function, str(file), int(extent.start.offset), int(extent.end.offset))


def below(cursor: "Cursor") -> Iterator["Cursor"]:
    """Everything inside, outer before inner."""
    stack = [cursor]
    while stack:
        each = stack.pop()
        yield each
        stack.extend(reversed(list(each.get_children())))


def _contents(function: "Cursor") -> FunctionSyntax:
    from clang.cindex import CursorKind

    found = FunctionSyntax({}, {}, {}, {})
    for each in below(function):
        kind = each.kind
        if kind is CursorKind.TYPE_REF:
            found.types[each.extent.end.offset] = each
        elif kind.is_expression():
            extent = each.extent
            span = (extent.start.offset, extent.end.offset)
            found.expressions[span] = each
            if kind is CursorKind.MEMBER_REF_EXPR:
                found.expressions[each.location.offset, span[1]] = each
            if kind is CursorKind.CALL_EXPR:
                found.calls.setdefault(span, each)
            elif kind is CursorKind.LAMBDA_EXPR:
                found.lambdas.setdefault(span[0], each)
    return found
