"""The words of a file that may be called, by its bytes alone: a filter before a look into bodies not read yet."""

import re
from collections.abc import Iterator, Mapping
from sys import intern

from sycllint.facts.file import FileFacts

_CALLED = re.compile(rb"\b(\w++)[\s\\]*+(?:[(<]|/[/*])")
"""A word before a comment counts: what follows that is not looked for."""


_CALL_GOES_ON = re.compile(rb"[\s\\]*+(?:\(|/[/*]|\)[\s\\]*+\(|<[^;]{0,500}?>[\s\\]*+\()")
"""What stands behind the name in a call: a parenthesis, or arguments of a template and then one."""


def words_called(facts: FileFacts) -> frozenset[str]:
    """The words before a parenthesis or an angle bracket: no other word is called in the file."""
    content = facts.content
    # What a macro wrote stands behind blanks, up to where the macro is used.
    start = 0 if facts.origin is None else len(content) - len(content.lstrip())
    return called_in(content, start, len(content))


def called_at(content: bytes, name: str) -> Iterator[int]:
    """Where an identifier stands as in a call; also where it does in a declaration or a comment."""
    word = name.encode()
    found = content.find(word)
    while found >= 0:
        behind = found + len(word)
        before = content[found - 1 : found]
        if _CALL_GOES_ON.match(content, behind) and not (before.isalnum() or before == b"_"):
            yield found
        found = content.find(word, behind)


def callers_among_macros(facts: FileFacts) -> Mapping[str, frozenset[str]]:
    """By each such word of their text, the function-like macros of the file."""
    found: dict[str, set[str]] = {}
    for name, declared in facts.macros.items():
        for macro in (each.node for each in declared if each.node.parameters is not None):
            text = macro.text.encode("utf-8", "surrogateescape")
            for word in called_in(text, 0, len(text)):
                found.setdefault(word, set()).add(name)
    return {word: frozenset(names) for word, names in found.items()}


def names_in(facts: FileFacts, name: str) -> bool:
    """Whether a name stands anywhere in a file."""
    word = name.encode()
    return word in facts.content and re.search(rb"\b%b\b" % re.escape(word), facts.content) is not None


def called_in(content: bytes, start: int, end: int) -> frozenset[str]:
    """The names called in a part of a text."""
    return frozenset(intern(each.decode("latin-1")) for each in set(_CALLED.findall(content, start, end)))
