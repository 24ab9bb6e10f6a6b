"""Programs that no one wrote: sentences of a grammar of SYCL C++, with the launches, kernels and host code rules judge.

A grammar of our own rather than a library of generators: a soak wants a program in a fraction of the time that one
lint takes, made again from one number, and shrinks what fails as text, whichever way that came about.
"""

import random
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

_HOLE = re.compile(r"<(\w+)>")
NOTHING = "  (nothing)"
"""The production without text."""
DEPTH = 9
"""Productions within each other; below that, the first of each symbol, which is short, is taken."""


def grammar(path: Path) -> Mapping[str, Sequence[str]]:
    r"""The productions of each symbol: lines that are indented, below the line of the symbol; ``\n`` is a line end.

    The first of a symbol is short, and ends what would go on for ever. ``<symbol>`` stands for one of its productions.
    """
    found: dict[str, list[str]] = {}
    symbol = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            found[symbol].append("" if line == NOTHING else line[2:].replace("\\n", "\n"))
        else:
            symbol = line
            found[symbol] = []
    return found


GRAMMAR = grammar(Path(__file__).with_suffix(".txt"))


def program(chance: random.Random) -> bytes:
    """One program; it parses more often than not, and means little."""
    return ("#include <sycl/sycl.hpp>\n" + _sentence("<program>", chance, 0)).encode()


def _sentence(text: str, chance: random.Random, depth: int) -> str:
    def production(hole: re.Match[str]) -> str:
        found = GRAMMAR.get(hole[1])
        if found is None:  # a template argument of the text itself
            return hole[0]
        chosen = found[0] if depth > DEPTH else chance.choice(found)
        return _sentence(chosen, chance, depth + 1)

    return _HOLE.sub(production, text)
