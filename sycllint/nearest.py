"""Near spellings: which of the known words a misspelt one was meant to be."""

from collections.abc import Iterable

_LETTERS_PER_EDIT = 4
"""One edit is allowed for this many letters: `--targt` is near `--target`, `--frobnicate` is near nothing."""
_SHORTEST = 3
"""Words with fewer letters are one edit away from words that have nothing to do with them."""


def near(word: str, known: Iterable[str], *, most: int = 1) -> tuple[str, ...]:
    """The ``known`` words that ``word`` may be a misspelling of, the nearest first, at most ``most``.

    An edit is a letter that is added, left out, replaced, or exchanged with the next one. Of equally near words the one
    that agrees with ``word`` in most positions is first, as codes are near many others.
    """
    letters = len(word.strip("-"))
    if letters < _SHORTEST:
        return ()
    allowed = max(1, letters // _LETTERS_PER_EDIT)
    distances = {each: _edits(word, each) for each in known if abs(len(each) - len(word)) <= allowed}
    found = [each for each, distance in distances.items() if distance <= allowed]
    return tuple(sorted(found, key=lambda each: (distances[each], sum(map(str.__ne__, each, word)), each))[:most])


def suggestion(word: str, known: Iterable[str], listing: str) -> str:
    """``did you mean 'targets'?``; where no known word is near, ``listing``: what they are, or what lists them."""
    found = near(word, known)
    return f"did you mean {found[0]!r}?" if found else listing


def _edits(first: str, second: str) -> int:
    """The fewest edits that make one word of the other: their optimal string alignment distance."""
    before: list[int] = []
    row = list(range(len(second) + 1))
    for number, letter in enumerate(first, 1):
        earlier, before, row = before, row, [number]
        for at, other in enumerate(second, 1):
            cost = min(before[at] + 1, row[at - 1] + 1, before[at - 1] + (letter != other))
            exchanged = number > 1 and at > 1 and letter == second[at - 2] and first[number - 2] == other
            row.append(min(cost, earlier[at - 2] + 1) if exchanged else cost)
    return row[-1]
