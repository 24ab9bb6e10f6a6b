"""Braces around a stretch of text, laid out as the text around them is."""

from collections.abc import Iterator

from sycllint.source.edit import Edit
from sycllint.source.span import Location, Span

_STEP = "  "


def enclosed(path: str, content: bytes, span: Span, head: str = "") -> tuple[Edit, ...]:
    """``head`` and braces around the statements that cover ``span``, on lines of their own when those have such."""
    return tuple(Edit(Location(path, Span(offset, offset)), text) for offset, text in _insertions(content, span, head))


def margin(content: bytes, offset: int) -> str | None:
    """The white space before ``offset`` on its line; ``None`` when something else stands there."""
    before = content[content.rfind(b"\n", 0, offset) + 1 : offset]
    return None if before.strip() else before.decode()


def step(indent: str) -> str:
    """The indentation of one more level, beside lines indented by ``indent``."""
    return "\t" if indent.endswith("\t") else _STEP


def _insertions(content: bytes, span: Span, head: str) -> Iterator[tuple[int, str]]:
    start, end = span
    opening = f"{head} {{" if head else "{"
    indent = margin(content, start)
    newline = content.find(b"\n", end)
    stop = newline if newline >= 0 else len(content)
    rest = content[end:stop].strip()
    if indent is None or (rest and not rest.startswith(b"//")) or _is_fixed(content[start:end]):
        yield start, f"{opening} "
        yield end, " }"
        return
    yield start, f"{opening}\n{indent}{step(indent)}"
    position = content.find(b"\n", start, end)
    while position >= 0:
        if content[position + 1 : position + 2] not in (b"\n", b"\r"):
            yield position + 1, step(indent)
        position = content.find(b"\n", position + 1, end)
    yield stop - (content[stop - 1 : stop] == b"\r"), f"\n{indent}}}"


def _is_fixed(stretch: bytes) -> bool:
    """Whether white space at the start of its lines may mean something: in a raw string, or after a backslash."""
    return b'R"' in stretch or b"\\\n" in stretch or b"\\\r\n" in stretch
