"""The YAML that compilers write: blocks of keys, lists and plain scalars, each with its line.

A reader of this subset alone, so that no YAML library is needed. Flow collections, anchors and multi-line scalars do
not occur in zeinfo and are refused.
"""

from collections import deque

from sycllint.errors import SycllintError
from sycllint.record import NamedTuple


class YamlScalar(NamedTuple):
    """A value, without its quotes."""

    text: str
    line: int


class YamlCollection(NamedTuple):
    """Keys and their values, or the elements of a list, whose keys are then empty."""

    entries: "tuple[tuple[str, YamlScalar | YamlCollection], ...]"
    line: int

    def child(self, key: str) -> "YamlScalar | YamlCollection | None":
        """The value of ``key``."""
        return next((value for name, value in self.entries if name == key), None)

    def block(self, key: str) -> "YamlCollection":
        """The block at ``key``; an empty one when there is none."""
        found = self.child(key)
        return found if isinstance(found, YamlCollection) else YamlCollection((), self.line)

    @property
    def elements(self) -> "tuple[YamlCollection, ...]":
        """The elements that are blocks."""
        return tuple(value for _, value in self.entries if isinstance(value, YamlCollection))


class _Line(NamedTuple):
    indent: int
    text: str
    number: int


def read_yaml(text: str, path: str, first_line: int = 1) -> YamlCollection:
    """The document. Raises ``SycllintError`` with the line that is not of this subset."""
    lines: deque[_Line] = deque()
    for number, each in enumerate(text.splitlines(), first_line):
        bare = each.strip()
        if not bare or bare.startswith(("#", "---", "...", "%")):
            continue
        if "\t" in each[: len(each) - len(each.lstrip())]:
            raise SycllintError("a tab indents this line; YAML takes blanks", path=path, line=number)
        lines.append(_Line(len(each) - len(each.lstrip(" ")), bare, number))
    found = _block(lines, path) if lines else YamlCollection((), 0)
    if lines:
        raise SycllintError("this line is indented like none before it", path=path, line=lines[0].number)
    return found


def _block(lines: deque[_Line], path: str) -> YamlCollection:
    """The entries that are indented as the first of ``lines``, which are taken from there."""
    indent, start = lines[0].indent, lines[0].number
    entries: list[tuple[str, YamlScalar | YamlCollection]] = []
    while lines and lines[0].indent == indent:
        line = lines.popleft()
        if line.text == "-" or line.text.startswith("- "):
            rest = line.text[1:].lstrip()
            if not rest:
                entries.append(("", _below(line, lines, path)))
            elif _is_entry(rest):
                lines.appendleft(_Line(indent + len(line.text) - len(rest), rest, line.number))
                entries.append(("", _block(lines, path)))
            else:
                entries.append(("", YamlScalar(_unquoted(rest), line.number)))
        elif _is_entry(line.text):
            key, value = map(str.strip, line.text.split(":", 1))
            plain = value if value.startswith(("{", "[", "|", ">", "&", "*")) else _unquoted(value)
            entries.append((_unquoted(key), YamlScalar(plain, line.number) if value else _below(line, lines, path)))
        else:
            raise SycllintError(f"{line.text[:40]!r} is not KEY: VALUE", path=path, line=line.number)
    return YamlCollection(tuple(entries), start)


def _below(line: _Line, lines: deque[_Line], path: str) -> YamlCollection:
    """What is indented further; lists may stand as far left as their key."""
    following = lines[0] if lines else line
    is_list = following.indent == line.indent and following is not line and following.text.startswith("-")
    return _block(lines, path) if following.indent > line.indent or is_list else YamlCollection((), line.number)


def _is_entry(text: str) -> bool:
    return text.endswith(":") or ": " in text


def _unquoted(text: str) -> str:
    bare = text.strip()
    if len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "'\"":
        return bare[1:-1]
    return bare
