"""Random C++ from a grammar whose symbols gain productions as names are declared, so that most sentences compile.

A grammar is a file as ``benchmarks.grammar`` reads it. ``¦`` stands between productions of one line, and a production
``3: text`` counts three times. In its text ``<symbol>`` is a sentence of the symbol, and

- ``<+symbol>`` a new name, ``<=>`` that name again, and ``<!>`` nothing: from there on the name is one of the
  symbol's productions,
- ``<.>`` nothing: names that the production and those within it declared are gone,
- ``<^symbol>`` nothing: a sentence of the symbol stands before the program.

A production is not taken while one of its symbols has none, unless it declares what it needs before the program.
"""

import random
import re
from collections.abc import Mapping, Sequence
from itertools import count

from benchmarks.grammar import NOTHING

_HOLE = re.compile(r"<(\w+|[+^]\w+|[=!.])>")
_WEIGHT = re.compile(r"(\d+): ")


def _weighted(lines: Sequence[str]) -> list[str]:
    found: list[str] = []
    for each in (production for line in lines for production in line.split(" ¦ ")):
        weight = _WEIGHT.match(each)
        times, text = (int(weight[1]), each[weight.end() :]) if weight else (1, each)
        found += ["" if text == NOTHING.strip() else text] * times
    return found


class Sentences:
    """One program in the making: its productions are its own, its names no other program of the file has."""

    def __init__(self, grammar: Mapping[str, Sequence[str]], chance: random.Random, numbers: "count[int]") -> None:
        self.chance = chance
        self.top: list[str] = []
        """What stands before the program."""
        self._numbers = numbers
        self._productions = {symbol: _weighted(each) for symbol, each in grammar.items()}
        self._declared: list[str] = []
        """The symbols of the names in scope, in order."""

    def let(self, **productions: object) -> None:
        """Give symbols one production each."""
        self._productions.update((symbol, [str(text)]) for symbol, text in productions.items())

    def declare(self, symbol: str, *texts: str) -> None:
        """Add productions to a symbol."""
        self._productions[symbol] += texts

    def text(self, text: str) -> str:
        """The text with all its symbols replaced."""
        name = symbol = ""
        outside = len(self._declared)

        def replaced(hole: re.Match[str]) -> str:
            nonlocal name, symbol
            what, of = hole[1][0], hole[1][1:]
            if what == "+":
                name, symbol = f"{of[0]}_{next(self._numbers)}", of
                return name
            if what == "=":
                return name
            if what == "!":
                self.declare(symbol, name)
                self._declared.append(symbol)
            elif what == ".":
                while len(self._declared) > outside:
                    self._productions[self._declared.pop()].pop()
            elif what == "^":
                self.top.append(self._sentence(of))
            else:
                return self._sentence(hole[1]) if hole[1] in self._productions else hole[0]
            return ""

        return _HOLE.sub(replaced, text)

    def _sentence(self, symbol: str) -> str:
        possible = [each for each in self._productions[symbol] if self._is_possible(each)]
        assert possible, f"{symbol} has no production that is possible"
        return self.text(self.chance.choice(possible))

    def _is_possible(self, production: str) -> bool:
        return "<^" in production or all(self._productions.get(each, "?") for each in _HOLE.findall(production))
