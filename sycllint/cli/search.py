"""Rules by a word of the field: what a document calls a thing, and the rules that are about it.

A reader comes with the word of the document she read: SLM, LDS and shared memory are what SYCL calls local memory. The
table beside this module says for such words what rules call the same thing; it is the only place that does.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache

from sycllint.beside import beside
from sycllint.heads import AnyRule
from sycllint.registry import all_rules, codes_of, find_rule

_WHOLE = 3
"""Words of so few letters, and with digits, are whole words: EU is not in `queue`. Others begin one: `spills`."""


def search(word: str, rules: Sequence[AnyRule]) -> tuple[AnyRule, ...]:
    """The ``rules`` that match ``word``, the best match first; equal ones in their order.

    First those it means by code, family or name; then those with it in the name or title, then with another word for
    it in the name or title, then with it on the page. Loads every rule, for its page.
    """
    others = _synonyms().get(_folded(word)) or _synonyms().get(_folded(word).removesuffix("s"), ())
    ranked = [(rank, number) for number, rule in enumerate(rules) if (rank := _rank(word, others, rule)) is not None]
    return tuple(rules[number] for _, number in sorted(ranked))


def about(word: str) -> tuple[AnyRule, ...]:
    """The one rule that ``word`` is the code or name of, else all that it is about.

    Raises ``SycllintError`` with the closest code or name where there is none.
    """
    meant = codes_of(word)
    return (find_rule(word),) if len(meant) == 1 else search(word, all_rules()) or (find_rule(word),)


def _rank(word: str, others: Sequence[str], rule: AnyRule) -> tuple[int, ...] | None:
    """How far ``word`` is from ``rule``, less is closer; ``None`` when the rule is not about it."""
    if rule.code in codes_of(word):
        return (0,)
    page = rule.page
    name, title = _folded(rule.name), _folded(page.partition("\n")[0])
    for rank, text in enumerate((name, title), 1):
        if _has(text, word):
            return (rank,)
    for number, other in enumerate(others):
        for place, text in enumerate((name, title, rule.family)):
            if _has(text, other):
                return 3, number, place
    return (4,) if _has(_folded(page), word) else None


@cache
def _synonyms() -> Mapping[str, Sequence[str]]:
    """Synonyms, by normalised word."""
    return {_folded(word): each["rules"] for each in beside(__file__)["concepts"] for word in each["words"]}


def _folded(text: str) -> str:
    """Small letters, with one space for dashes, underscores and ends of lines: the form in which texts are compared."""
    return re.sub(r"[\s_-]+", " ", text.lower()).strip()


def _has(text: str, word: str) -> bool:
    return _pattern(word).search(text) is not None


@cache
def _pattern(word: str) -> re.Pattern[str]:
    plain = _folded(word)
    end = r"s?(?![a-z0-9])" if len(plain) <= _WHOLE or re.search(r"\d", plain) else ""
    return re.compile(rf"(?<![a-z0-9]){re.escape(plain)}{end}")
