"""Tables of distinct values: the page's data names a text or a curve by its number, so that each stands there once."""

import json
from collections.abc import Callable, Sequence

from sycllint.record import field, singular
from sycllint.report.json import Json
from sycllint.report.terminal.display import printable


@singular
class Texts:
    """Distinct texts by number. What goes in comes out on one line, without a character that reorders or controls."""

    _numbers: dict[str, int] = field(default_factory=dict)
    _clean: Callable[[str], str] = printable

    def of(self, text: str) -> int:
        """The number of ``text``."""
        return self._numbers.setdefault(self._clean(text), len(self._numbers))

    def optional(self, text: str | None) -> int:
        """The number of ``text``; -1 for none."""
        return self.of(text) if text else -1

    @property
    def all(self) -> Sequence[str]:
        """The texts in the order of their numbers."""
        return tuple(self._numbers)


@singular
class Rows:
    """Distinct JSON values by number."""

    _numbers: dict[str, int] = field(default_factory=dict)
    _values: list[Json] = field(default_factory=list)

    def of(self, value: Json) -> int:
        """The number of ``value``."""
        number = self._numbers.setdefault(json.dumps(value), len(self._values))
        if number == len(self._values):
            self._values.append(value)
        return number

    @property
    def all(self) -> Sequence[Json]:
        """The values in the order of their numbers."""
        return tuple(self._values)


def page_text(text: str) -> str:
    """Several lines, each without a character that reorders or controls."""
    return "\n".join(map(printable, text.split("\n")))


def source_text(line: str) -> str:
    """A line of source as long as it was, its tabs kept, without any other character that reorders or controls."""
    return "\t".join(map(printable, line.split("\t")))
