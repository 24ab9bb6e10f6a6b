"""Functions that macros write: what a macro used outside all functions defines, as facts of a text of its own.

``HOST(scale, scale_kernel)`` where a header has ``#define HOST(name, kernel) void name(…) { … parallel_for(…) }``.
The text is what the preprocessor would make of the use. Its offsets begin at the use, so that it stands in its file's
order.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from sycllint.cpp.expression import Call
from sycllint.cpp.names import LAUNCHING, LAUNCHING_FREELY
from sycllint.cpp.place import Place, locate
from sycllint.cpp.statement import REST, Function, Macro, Namespace, Struct
from sycllint.facts.called import Sought, sought
from sycllint.facts.collect import file_facts
from sycllint.facts.file import FileFacts
from sycllint.record import NamedTuple, replace
from sycllint.source.span import Span

MAX_NESTING = 8
"""How deep macros that use macros are replaced."""
MAX_TEXT = 100_000
"""Bytes that one use may write."""

_BODY = re.compile(r"\)[^;{})]*\{")
"""The end of a parameter list, and a body."""
_WORD = re.compile(r"[A-Za-z_]\w*")
_TOKEN = re.compile(
    r'(?<!\\)"(?:[^"\\\n]|\\.)*+"'
    r"|(?<!\\)'(?:[^'\\\n]|\\.)*+'"
    r"|[A-Za-z_]\w*"
    r"|(?:(?<!\s)\s++)?##\s*"
    r"|\#\s*(?=[A-Za-z_])"
    r"|.",
    re.DOTALL,
)


_Use: TypeAlias = tuple[FileFacts, Span, Place]
"""A use of a macro: the file it stands in, and where."""


def generated(files: Sequence[FileFacts], defines: Mapping[str, str]) -> list[FileFacts]:
    """The facts of what macros write in ``files``: one for each use that defines what leads to a launch."""
    macros = _defining(files)
    uses: list[_Use] = []
    if macros:
        names = sought(macros)
        uses = [(facts, span, place) for facts in files for span, place in _uses(facts, names)]
    made: list[FileFacts] = []
    leading = LAUNCHING | LAUNCHING_FREELY
    while leading and uses:
        leading |= launching(files)
        now: list[_Use] = []
        later: list[_Use] = []
        for use in uses:
            (later if leading.isdisjoint(_words(_text(use), macros)) else now).append(use)
        new = [each for each in (_written(use, macros, defines) for use in now) if each is not None]
        made += new
        leading = frozenset(name for each in new for name in each.functions)
        uses = later
    return made


def launching(files: Iterable[FileFacts]) -> frozenset[str]:
    """The names of the functions in which a launch is written."""
    return frozenset().union(*(each.once(_launching) for each in files if each.submissions))


def _launching(facts: FileFacts) -> frozenset[str]:
    return frozenset(
        node.name.rpartition("::")[2]
        for each in facts.submissions
        for node in each.place.chain()
        if isinstance(node, Function)
    )


def _defining(files: Iterable[FileFacts]) -> dict[str, Macro]:
    """Macros with parameters whose text holds a function's body, or uses such a macro; the last definition of each."""
    known: dict[str, _Known] = {}
    for facts in files:
        known.update(facts.once(_with_parameters))
    found = {name: each.macro for name, each in known.items() if each.has_body}
    new = frozenset(found)
    while new:
        new = frozenset(name for name, each in known.items() if name not in found and not new.isdisjoint(each.words))
        found |= {name: known[name].macro for name in new}
    return found


class _Known(NamedTuple):
    """A macro with parameters."""

    macro: Macro
    has_body: bool
    """Its text holds a function's body."""
    words: frozenset[str]


def _with_parameters(facts: FileFacts) -> dict[str, _Known]:
    last = {name: declared[-1].node for name, declared in facts.macros.items()}
    return {
        name: _Known(macro, _BODY.search(macro.text) is not None, frozenset(_WORD.findall(macro.text)))
        for name, macro in last.items()
        if macro.parameters is not None
    }


def _uses(facts: FileFacts, macros: Sought) -> Iterator[tuple[Span, Place]]:
    """Where a file uses one of ``macros`` outside all functions and classes."""
    spans = [span for name in macros.may_be_in(facts) for span in facts.calls.get(name, ())]
    for span, place in sorted(locate(facts.unit, spans, Call).items()) if spans else ():
        around = [node for node in place.chain() if isinstance(node, Namespace | Struct | Function | Macro)]
        if all(isinstance(node, Namespace) for node in around):
            yield span, place


def _words(text: str, macros: Mapping[str, Macro]) -> set[str]:
    """The words of a use, and of the macros in it."""
    found: set[str] = set()
    waiting = _WORD.findall(text)
    while waiting:
        word = waiting.pop()
        if word not in found:
            found.add(word)
            waiting += _WORD.findall(macros[word].text) if word in macros else ()
    return found


def _text(use: _Use) -> str:
    facts, span, _ = use
    return facts.content[span.start : span.end].decode(errors="replace")


def _written(use: _Use, macros: Mapping[str, Macro], defines: Mapping[str, str]) -> FileFacts | None:
    """What one use writes."""
    text = expanded(_text(use), macros)
    return facts_of(*use, text, defines) if text is not None and "{" in text else None


def facts_of(facts: FileFacts, span: Span, place: Place, text: str, defines: Mapping[str, str]) -> FileFacts:
    """The facts of ``text``, which the use of a macro at ``place`` writes there."""
    names = [node.name for node in place.chain() if isinstance(node, Namespace)][::-1]
    before = "".join(f"namespace {name} {{ " for name in names).encode()
    content = before.rjust(span.start) + text.encode() + b" }" * len(names)
    return replace(file_facts(facts.path, content, defines), origin=span)


def expanded(use: str, macros: Mapping[str, Macro], depth: int = 0) -> str | None:
    """The text that a use writes, macros of ``macros`` in it replaced, too; ``None`` where that cannot be told."""
    name, _, rest = use.partition("(")
    macro = macros.get(name.strip())
    given = _arguments(rest.rpartition(")")[0])
    text = _replaced(macro, given) if macro is not None and macro.parameters is not None else None
    if text is None or len(text) > MAX_TEXT:
        return None
    return _again(text, macros, depth + 1)


def _again(text: str, macros: Mapping[str, Macro], depth: int) -> str | None:
    """``text`` with the uses of ``macros`` in it replaced."""
    parts: list[str] = []
    position = 0
    for found in _WORD.finditer(text):
        if found.start() < position or found.group() not in macros:
            continue
        macro = macros[found.group()]
        inner: str | None = None
        if depth >= MAX_NESTING:
            continue
        if macro.parameters is None:
            end = found.end()
            inner = _again(macro.text, macros, depth + 1)
        elif end := _closing(text, found.end()):
            inner = expanded(text[found.start() : end], macros, depth)
        if inner is None:
            continue
        parts += (text[position : found.start()], inner)
        position = end
        if sum(map(len, parts)) > MAX_TEXT:
            return None
    return "".join((*parts, text[position:]))


def _replaced(macro: Macro, given: list[str]) -> str | None:
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
    """Where the parentheses that open at ``start``, after blanks, are closed; 0 where none do."""
    depth = 0
    for found in _TOKEN.finditer(text, start):
        token = found.group()
        depth += (token == "(") - (token == ")")
        if depth == 0 and not token.isspace():
            return found.end() if token == ")" else 0
    return 0
