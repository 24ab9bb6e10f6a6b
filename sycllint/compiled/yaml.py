"""The YAML that compilers write: blocks of keys, lists and plain scalars, each with its line.

A reader of this subset alone, so that no YAML library is needed. Flow collections, anchors and multi-line scalars do
not occur in zeinfo and are refused.
"""

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
    lines = []
    for number, each in enumerate(text.splitlines(), first_line):
        bare = each.strip()
        if not bare or bare.startswith(("#", "---", "...", "%")):
            continue
        if "\t" in each[: len(each) - len(each.lstrip())]:
            raise SycllintError("a tab indents this line; YAML takes blanks", path=path, line=number)
        lines.append(_Line(len(each) - len(each.lstrip(" ")), bare, number))
    reader = _Reader(lines, path)
    found = reader.block(lines[0].indent if lines else 0)
    reader.end()
    return found


class _Reader:
    """The lines of a document and how far they are read."""

    def __init__(self, lines: list[_Line], path: str) -> None:
        self._lines = lines
        self._path = path
        self._at = 0

    def end(self) -> None:
        """Refuse what is left over."""
        if self._at < len(self._lines):
            line = self._lines[self._at]
            raise SycllintError("this line is indented like none before it", path=self._path, line=line.number)

    def block(self, indent: int) -> YamlCollection:
        """The entries that are indented so."""
        start = self._lines[self._at].number if self._at < len(self._lines) else 0
        entries: list[tuple[str, YamlScalar | YamlCollection]] = []
        while self._at < len(self._lines) and self._lines[self._at].indent == indent:
            line = self._lines[self._at]
            if line.text == "-" or line.text.startswith("- "):
                entries.append(("", self._element(line)))
            else:
                entries.append(self._entry(line))
        return YamlCollection(tuple(entries), start)

    def _element(self, line: _Line) -> YamlScalar | YamlCollection:
        rest = line.text[1:].lstrip()
        if not rest:
            self._at += 1
            return self._below(line)
        if not _is_entry(rest):
            self._at += 1
            return YamlScalar(_unquoted(rest), line.number)
        inner = line.indent + len(line.text) - len(rest)
        self._lines[self._at] = _Line(inner, rest, line.number)
        return self.block(inner)

    def _entry(self, line: _Line) -> tuple[str, YamlScalar | YamlCollection]:
        if not _is_entry(line.text):
            raise SycllintError(f"{line.text[:40]!r} is not KEY: VALUE", path=self._path, line=line.number)
        key, _, value = line.text.partition(":")
        value = value.strip()
        self._at += 1
        if value[:1] in {"{", "|", ">", "&", "*"} or value[:1] == "[":
            return _unquoted(key), YamlScalar(value, line.number)
        return _unquoted(key), YamlScalar(_unquoted(value), line.number) if value else self._below(line)

    def _below(self, line: _Line) -> YamlCollection:
        """What is indented further; lists may stand as far left as their key."""
        following = self._lines[self._at] if self._at < len(self._lines) else None
        if following is None:
            return YamlCollection((), line.number)
        if following.indent > line.indent or (following.indent == line.indent and following.text.startswith("-")):
            return self.block(following.indent)
        return YamlCollection((), line.number)


def _is_entry(text: str) -> bool:
    return text.endswith(":") or ": " in text


def _unquoted(text: str) -> str:
    bare = text.strip()
    if len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "'\"":
        return bare[1:-1]
    return bare
