"""A TOML file of settings: its tables, and the lines on which keys and strings stand."""

import os
import re

from sycllint.config.settings import Origin
from sycllint.errors import SycllintError
from sycllint.record import NamedTuple
from sycllint.source.files import shown
from sycllint.source.regular import regular_content

HEADER = ("tool", "sycllint")
"""The table of our settings in a ``pyproject.toml``."""
_LARGEST = 4_000_000
"""Bytes of a file of settings."""


_PARTS = 50
_DEEP = rf"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]{{0,99}}"|'[^'\n]{{0,99}}')[ \t]*+\.[ \t]*+){{{_PARTS}}}"""
"""A key of so many parts that the standard parser takes minutes for a megabyte of them."""


class TomlTable(NamedTuple):
    """Our table of one file."""

    path: str
    """As shown."""
    table: object
    places: "Places"
    numbered: bool = True
    """Whether lines have numbers: in a file, not in an option."""

    def origin(self, line: int) -> Origin:
        """A place in it."""
        return Origin(self.path, line if self.numbered else None)

    def wrong(self, message: str, line: int) -> SycllintError:
        """The error for a mistake on ``line``."""
        return SycllintError(message, path=self.path, line=line if self.numbered else None)


def read_document(path: str, *, named: bool) -> TomlTable | None:
    """The table in ``path``; ``None`` when it has none for us. A file that was ``named`` must be there.

    Raises ``SycllintError`` for a file that is not TOML.
    """
    try:
        content = regular_content(path, _LARGEST)
    except FileNotFoundError:
        if named:
            raise SycllintError(f"{shown(path)}: no such configuration file") from None
        return None
    except OSError as error:
        if not named and os.path.isdir(path):
            return None
        raise SycllintError(f"not read: {error.strerror}", path=shown(path)) from None
    shared = os.path.basename(path) == "pyproject.toml"
    if shared and b"sycllint" not in content:  # another tool's file, whatever state it is in
        return None
    return _document(shown(path), content, HEADER if shared else ())


def _document(path: str, content: bytes, header: tuple[str, ...]) -> TomlTable | None:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SycllintError("this is not UTF-8, as TOML must be", path=path, line=line) from None
    table: object = parsed(path, text)
    for name in header:
        table = table.get(name) if isinstance(table, dict) else None
    return None if table is None else TomlTable(path, table, Places(text, header))


def parsed(path: str, text: str) -> dict[str, object]:
    """All of a TOML text."""
    import tomllib

    if deep := re.search(_DEEP, text):
        line = text.count("\n", 0, deep.start()) + 1
        raise SycllintError(f"a key of more than {_PARTS} parts, which no setting has", path=path, line=line)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        place = re.search(r" \(at line (\d+), column \d+\)", str(error))
        line = int(place[1]) if place else text.count("\n") + 1
        reason = str(error).partition(" (at ")[0]
        raise SycllintError(f"this is not TOML: {reason}", path=path, line=line) from None


class Places:
    """The lines on which keys and strings stand in a TOML text, for the keys below ``header``.

    Found by reading it line by line, because the standard parser keeps no places.
    """

    _NAME = r"""(?:[\w-]+|"(?:\\.|[^"\\])*"|'[^']*')"""
    _DOTTED = rf"{_NAME}(?:\s*\.\s*{_NAME})*"
    _TABLE = rf"\s*\[\[?\s*({_DOTTED})\s*\]\]?\s*(?:#.*)?$"
    _KEY = rf"\s*({_DOTTED})\s*="
    _TOKEN = r"""#.*|"((?:\\.|[^"\\])*)"|'([^']*)'"""

    def __init__(self, text: str, header: tuple[str, ...]) -> None:
        self._header = header
        self._keys: dict[tuple[str, ...], int] = {}
        self._strings: dict[tuple[tuple[str, ...], str], int] = {}
        table: tuple[str, ...] = ()
        here: tuple[str, ...] = ()
        for number, line in enumerate(text.replace("\r", "").split("\n"), 1):
            if header_line := re.match(self._TABLE, line):
                table = here = self._names(header_line[1])
                self._keys.setdefault(here, number)
                continue
            key = re.match(self._KEY, line)
            if key is not None:
                here = (*table, *self._names(key[1]))
                self._keys.setdefault(here, number)
            for token in re.finditer(self._TOKEN, line if key is None else line[key.end() :]):
                if not token[0].startswith("#"):
                    self._strings.setdefault((here, token[1] or token[2] or ""), number)

    def key(self, *names: str) -> int:
        """The line of a key, or of the nearest table around it."""
        path = (*self._header, *names)
        while path and path not in self._keys:
            path = path[:-1]
        return self._keys.get(path, 1)

    def string(self, key: tuple[str, ...], value: str) -> int:
        """The line of a string in the value of ``key``."""
        return self._strings.get(((*self._header, *key), value), self.key(*key))

    def _names(self, key: str) -> tuple[str, ...]:
        return tuple(name.strip("\"'") for name in re.findall(self._NAME, key))
