"""Functions that macros write: what a macro used outside all functions defines, as facts of a text of its own.

``HOST(scale, scale_kernel)`` where a header has ``#define HOST(name, kernel) void name(…) { … parallel_for(…) }``.
The text is what the preprocessor would make of the use. Its offsets begin at the use, so that it stands in its file's
order.
"""

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from sycllint.cpp.names import LAUNCHING, LAUNCHING_FREELY
from sycllint.cpp.statement import REST, Macro, Namespace
from sycllint.facts.collect import file_facts
from sycllint.facts.file import FileFacts
from sycllint.facts.leading import launching, leading, sycl_aliases
from sycllint.facts.macro_table import MacroTable, Writing
from sycllint.facts.writers import WORD, TopLevelUse
from sycllint.record import record, replace

MAX_NESTING = 8
"""The depth to which macros in macros are expanded."""
MAX_TEXT = 100_000
"""Bytes that one use may write."""

_BODY = re.compile(r"\)[^;{})]*\{|\btemplate\s+[^<\s]")
"""The end of a parameter list, and a body; or an explicit instantiation."""
_TOKEN = re.compile(
    r'(?<!\\)"(?:[^"\\\n]|\\.)*+"'
    r"|(?<!\\)'(?:[^'\\\n]|\\.)*+'"
    r"|[A-Za-z_]\w*"
    r"|(?:(?<!\s)\s++)?##\s*"
    r"|\#\s*(?=[A-Za-z_])"
    r"|.",
    re.DOTALL,
)


Meant: TypeAlias = Callable[[str], Macro | None]
"""The macro that a name means; ``None`` for one that is not to be replaced."""


def generated(table: MacroTable, defines: Mapping[str, str]) -> list[FileFacts]:
    """The facts of what macros write in the files of ``table``, for each use that defines what leads to a launch."""
    defining = Writing(table.files, lambda name: filter(None, (table.last(name),)), _BODY)

    uses = [each for each in table.uses(_BODY) if each.is_free and any(word in defining for word in each.words)]
    handed_on = {word for each in uses if each.use.name not in defining for word in defining.words(each.use.name)}
    """Of macros that are given one which defines, ``FOR_ALL(DEFINE)``, and of those in their text."""

    def meant(name: str) -> Macro | None:
        return table.last(name) if name in defining or name in handed_on else None

    def leading_uses(names: frozenset[str], handed: frozenset[str]) -> list[TopLevelUse]:
        """The uses that may write one of ``names``, or are given a function of their file that is in ``handed``."""
        macros = frozenset[str]().union(*(each.words for each in uses)) & defining.possible
        names |= {each for each in macros if each in defining and not names.isdisjoint(defining.words(each))}
        return [each for each in uses if not (names.isdisjoint(each.words) and handed.isdisjoint(each.handed))]

    made: list[FileFacts] = []
    aliases = sycl_aliases(table.files.files)
    names = LAUNCHING | LAUNCHING_FREELY | launching(table.files.files, aliases) if uses else frozenset[str]()
    handed = table.leading if any(each.handed for each in uses) else frozenset[str]()
    while names and uses:
        now = leading_uses(names, handed)
        new = [each for each in (_written(use, meant, defines) for use in now) if each is not None]
        made += new
        names = frozenset(name for each in new for name in each.functions)
        written = set(map(id, now))
        uses = [each for each in uses if id(each) not in written]
        handed = leading(table.files, aliases, names, handed) if names and uses else names
    return made


def _written(use: TopLevelUse, meant: Meant, defines: Mapping[str, str]) -> FileFacts | None:
    """The facts of the text that one use expands to."""
    text = expansion(use, meant, generated)
    return facts_of(use, text, defines) if text is not None and _BODY.search(text) else None


def expansion(use: TopLevelUse, meant: Meant, asker: object) -> str | None:
    """The text that a use writes (see ``expanded``); the last one for ``asker`` is kept while it is valid."""
    key = (expansion, asker, use.use.span)
    known = use.facts.made.get(key)
    if isinstance(known, _Expansion) and all(meant(word) is macro for word, macro in known.meant.items()):
        return known.text
    asked: dict[str, Macro | None] = {}

    def noted(word: str) -> Macro | None:
        if word not in asked:
            asked[word] = meant(word)
        return asked[word]

    text = expanded(use.text, noted)
    use.facts.made[key] = _Expansion(text, asked)
    return text


@record
class _Expansion:
    """The expansion of a use, valid while its words have the same definitions."""

    text: str | None
    meant: Mapping[str, Macro | None]


def facts_of(use: TopLevelUse, text: str, defines: Mapping[str, str]) -> FileFacts:
    """The facts of ``text``, which the use of a macro writes where it stands."""
    facts, span, place = use.facts, use.use.span, use.use.place
    key = (facts_of, span, text, tuple(defines.items()))
    made = facts.made.get(key)
    if not isinstance(made, FileFacts):
        names = [node.name for node in place.chain() if isinstance(node, Namespace)][::-1]
        before = "".join(f"namespace {name} {{ " for name in names).encode()
        content = before.rjust(span.start) + text.encode() + b" }" * len(names)
        made = facts.made[key] = replace(file_facts(facts.path, content, defines), origin=span)
    return made


def expanded(use: str, meant: Meant, depth: int = 0) -> str | None:
    """The text that a use writes, its macros expanded, too; ``None`` where it is not known."""
    name, _, rest = use.partition("(")
    macro = meant(name.strip())
    given = _arguments(rest.rpartition(")")[0])
    text = replaced(macro, given) if macro is not None and macro.parameters is not None else None
    if text is None or len(text) > MAX_TEXT:
        return None
    return _again(text, meant, depth + 1)


def _again(text: str, meant: Meant, depth: int) -> str | None:
    """``text`` with the uses of macros in it replaced."""
    parts: list[str] = []
    position = 0
    for found in WORD.finditer(text):
        macro = meant(found.group()) if found.start() >= position else None
        inner: str | None = None
        if macro is None or depth >= MAX_NESTING:
            continue
        if macro.parameters is None:
            end = found.end()
            inner = _again(macro.text, meant, depth + 1)
        elif end := _closing(text, found.end()):
            inner = expanded(text[found.start() : end], meant, depth)
        if inner is None:
            continue
        parts += (text[position : found.start()], inner)
        position = end
        if sum(map(len, parts)) > MAX_TEXT:
            return None
    return "".join((*parts, text[position:]))


def replaced(macro: Macro, given: list[str]) -> str | None:
    """The macro's text with the arguments in place of its parameters; ``None`` where their numbers differ."""
    parameters = macro.parameters or ()
    named = parameters[:-1] if parameters and parameters[-1] == REST else parameters
    if len(given) < len(named) or (named == parameters and len(given) > len(named) and given != [""]):
        return None
    values = dict(zip(named, given, strict=False))
    if named != parameters:
        values[REST] = ", ".join(given[len(named) :])
    written: list[str] = []
    as_text = False
    for token in _TOKEN.findall(macro.text):
        if token.strip() == "##":
            if written:
                written[-1] = written[-1].rstrip()
            written.append("")
            continue
        if token.startswith("#"):
            as_text = True
            continue
        value = values.get(token, token)
        written.append('"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"' if as_text else value)
        as_text = False
    return "".join(written)


def _arguments(text: str) -> list[str]:
    """The arguments of a use, as the preprocessor separates them: commas in parentheses separate none."""
    found = [""]
    depth = 0
    for token in _TOKEN.findall(text):
        depth += (token == "(") - (token == ")")
        if token == "," and depth == 0:
            found.append("")
        else:
            found[-1] += token
    return [each.strip() for each in found]


def _closing(text: str, start: int) -> int:
    """The offset of the parenthesis that closes the one at ``start``, after blanks; 0 where there is none."""
    depth = 0
    for found in _TOKEN.finditer(text, start):
        token = found.group()
        depth += (token == "(") - (token == ")")
        if depth == 0 and not token.isspace():
            return found.end() if token == ")" else 0
    return 0
