"""TOML without its rarer forms, read in less time than it takes to load ``tomllib``.

Tables with plain names, and values that are texts in one line, whole numbers, booleans, lists and inline tables: what
device profiles and most configurations consist of. Whatever else a text holds, also mistakes, is left to ``tomllib``.
"""

import re

Table = dict[str, object]

_HEADER = re.compile(r"\[([A-Za-z0-9_-]+)\]|\[\[([A-Za-z0-9_-]+)\]\]")
_KEY = re.compile(r"([A-Za-z0-9_-]+)[ \t]*=[ \t]*")
_TEXT = re.compile(r'"((?:[^"\\\x00-\x08\x0a-\x1f\x7f]|\\["\\])*)"')
_ESCAPED = re.compile(r"\\(.)")
_NUMBER = re.compile(r"(?:0x[0-9A-Fa-f]+|0|[1-9][0-9]*)(?![\w.:+-])", re.ASCII)
_TRUTH = re.compile(r"(true|false)(?!\w)")
_BLANK = re.compile(r"[ \t]*")
_COMMENT = r"#[^\x00-\x08\x0a-\x1f\x7f]*"
_LINE_END = re.compile(rf"[ \t]*(?:{_COMMENT})?(?:\n|\Z)")
_LINES = re.compile(rf"(?:[ \t\n]|{_COMMENT}(?:\n|\Z))*")
_TOO_LARGE = 18
"""Digits from which on a number may not be one of TOML's 64 bits."""


def read_plain(text: str) -> Table | None:
    """The table of the whole text; ``None`` when there is anything in it that is not plain."""
    try:
        return _Reader(text).document()
    except (_NotPlainError, RecursionError):
        return None


class _NotPlainError(Exception):
    """A form that is left to ``tomllib``."""


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def document(self) -> Table:
        """All tables of the text."""
        whole: Table = {}
        table = whole
        self._skip(_LINES)
        while self._at < len(self._text):
            header = _HEADER.match(self._text, self._at)
            if header is None:
                self._entry(table)
            else:
                self._at = header.end()
                table = self._opened(whole, header[1], header[2])
            self._take(_LINE_END)
            self._skip(_LINES)
        return whole

    def _opened(self, whole: Table, name: str | None, list_name: str | None) -> Table:
        """The table under a header: one of its own name, or the next of a list."""
        table: Table = {}
        if name is not None:
            self._put(whole, name, table)
            return table
        assert list_name is not None
        tables = whole.setdefault(list_name, _Tables())
        if not isinstance(tables, _Tables):
            raise _NotPlainError
        tables.append(table)
        return table

    def _entry(self, table: Table) -> None:
        key = self._take(_KEY)[1]
        self._put(table, key, self._value())

    def _put(self, table: Table, key: str, value: object) -> None:
        if key in table:
            raise _NotPlainError
        table[key] = value

    def _value(self) -> object:
        match self._text[self._at : self._at + 1]:
            case '"':
                text = self._take(_TEXT)[1]
                return _ESCAPED.sub(r"\1", text) if "\\" in text else text
            case "[":
                return self._list()
            case "{":
                return self._inline_table()
            case "t" | "f":
                return self._take(_TRUTH)[1] == "true"
            case _:
                digits = self._take(_NUMBER)[0]
                if len(digits) > _TOO_LARGE:
                    raise _NotPlainError
                return int(digits, 0)

    def _list(self) -> list[object]:
        found: list[object] = []
        self._at += 1
        self._skip(_LINES)
        while not self._is_next("]"):
            found.append(self._value())
            self._skip(_LINES)
            if not self._is_next(","):
                if not self._is_next("]"):
                    raise _NotPlainError
                return found
            self._skip(_LINES)
        return found

    def _inline_table(self) -> Table:
        table: Table = {}
        self._at += 1
        self._skip(_BLANK)
        if self._is_next("}"):
            return table
        while True:
            self._entry(table)
            self._skip(_BLANK)
            if self._is_next("}"):
                return table
            if not self._is_next(","):
                raise _NotPlainError
            self._skip(_BLANK)

    def _is_next(self, sign: str) -> bool:
        found = self._text.startswith(sign, self._at)
        self._at += found
        return found

    def _skip(self, pattern: re.Pattern[str]) -> None:
        self._take(pattern)

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str]:
        found = pattern.match(self._text, self._at)
        if found is None:
            raise _NotPlainError
        self._at = found.end()
        return found


class _Tables(list[Table]):
    """The tables of one ``[[name]]``: unlike a list that is a value, it may grow."""
