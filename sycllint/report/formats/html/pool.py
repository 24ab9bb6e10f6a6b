"""Tables of distinct values: the page's data names a text or a curve by its number, so that each stands there once."""

import json

from sycllint.report.json import Json
from sycllint.report.terminal.display import printable


class Interned:
    """Distinct values by number. A text is one line, without a character that reorders or controls."""

    def __init__(self) -> None:
        self.all: list[Json] = []
        """The values in the order of their numbers."""
        self._numbers: dict[str, int] = {}

    def of(self, value: Json) -> int:
        """The number of ``value``."""
        value = printable(value) if isinstance(value, str) else value
        number = self._numbers.setdefault(json.dumps(value), len(self.all))
        if number == len(self.all):
            self.all.append(value)
        return number

    def optional(self, text: str | None) -> int:
        """The number of ``text``; -1 for none."""
        return self.of(text) if text else -1


def page_text(text: str) -> str:
    """Several lines, each without a character that reorders or controls."""
    return "\n".join(map(printable, text.split("\n")))


def source_text(line: str) -> str:
    """A line of source as long as it was, its tabs kept, without any other character that reorders or controls."""
    return "\t".join(map(printable, line.split("\t")))
