"""Comments that silence findings: ``// sycllint: ignore[SYC101] reason``, and clang-tidy's ``NOLINT(sycllint-…)``.

It reads what is written, and for which lines. Whether a word names a rule, and whether a comment silenced anything, is
decided by the pipeline.

A bare ``NOLINT``, or one that names other tools only, is none of ours. Source: clang-tidy's documentation, "Suppressing
Undesired Diagnostics".
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from enum import Enum

from sycllint.record import field, mutable, record, replace
from sycllint.source.comments import Comment, blanked, comments, may_suppress
from sycllint.source.edit import Edit, Fix
from sycllint.source.span import Location, Span
from sycllint.source.text import SourceFile

EVERYTHING = "ALL"
"""The word that a directive without a list stands for."""

VERBS = ("ignore", "ignore-file", "disable", "enable")

_NOLINT_PREFIX = "sycllint-"
_OURS = re.compile(r"[/!*\s]*sycllint\s*:\s*(?P<verb>[\w-]+)(?P<list>\s*\[(?P<words>[^\]\n]*)(?P<closed>\])?)?")
_NOLINT = re.compile(r"\bNOLINT(?P<verb>NEXTLINE|BEGIN|END)?\((?P<words>[^()\n]*)\)")
_UNTIL = re.compile(r"\buntil\s*=\s*(?P<date>[^\s,;]+)")
_ENTRY = re.compile(r"[^\s,](?:[^,]*[^\s,])?")

# A brace after `)`, `]` or such a word begins a block, a brace after anything else a list of values.
_BRACE = re.compile(rb"(?P<block>(?:[)\]]|\b(?:mutable|noexcept|const|else|do|try))\s*\{)|[;{}]")
MOST_WORDS = 5000
"""Words in the suppressions of one file; a file with more of them is generated, and the rest is not read."""
_LONGEST = 20_000
"""Characters of a comment with a suppression; of a longer one, what follows is not read."""
FAR = 4000
"""Bytes after a comment in which its statement is looked for."""


class SuppressionScope(Enum):
    """The lines that a suppression applies to."""

    STATEMENT = "statement"
    RANGE = "range"
    FILE = "file"


class Flaw(Enum):
    """Reasons why a comment silences nothing."""

    VERB = "verb"
    """The verb is misspelt."""
    LIST = "list"
    """The list of rules is empty or is not closed."""
    DATE = "date"
    """The text after ``until=`` is not a date."""
    OPENING = "opening"
    """An end without a beginning of the range."""
    LIMIT = "limit"
    """There are too many in the file; it and those after it are not read."""


@record
class Word:
    """One rule, family or pattern that is silenced, and on which lines."""

    text: str
    entry: str
    """As its list has it: for clang-tidy with ``sycllint-`` before it."""
    location: Location
    first: int
    last: int
    """Lines from 1, both included."""


@record
class Suppression:
    """One directive."""

    location: Location
    """From its first word to the end of its list."""
    words: tuple[Word, ...]
    scope: SuppressionScope
    reason: str = ""
    until: date | None = None
    """The last day on which it holds."""
    entries: tuple[str, ...] = ()
    """The list as written, other tools' entries included; empty when there is none."""
    listing: Location | None = None
    """The inside of the list's brackets."""
    whole: tuple[Location, ...] = ()
    """The places to remove with the directive: also the directive that ends its range."""

    def removal(self) -> Fix:
        """The file without it."""
        return Fix("remove the suppression", tuple(Edit(each, "") for each in self.whole))

    def without(self, dropped: Iterable[str]) -> Fix:
        """The file without these entries of it; without it when nothing is left."""
        gone = set(dropped)
        kept = [each for each in self.entries if each not in gone]
        if self.listing is None or not kept:
            return self.removal()
        return Fix(f"remove {', '.join(sorted(gone))}", (Edit(self.listing, ", ".join(kept)),))


@record
class Flawed:
    """A comment that was meant to be a suppression and is none."""

    location: Location
    flaw: Flaw
    word: str
    """The wrong word."""
    fix: Fix | None = None


@record
class Suppressions:
    """The suppressions of one file."""

    found: tuple[Suppression, ...] = ()
    flawed: tuple[Flawed, ...] = ()


def suppressions(source: SourceFile) -> Suppressions:
    """The directives of ``source``, in order."""
    if not may_suppress(source.content):
        return Suppressions()
    reader = _DirectiveReader(source)
    for comment in comments(source.content):
        if reader.words > MOST_WORDS:
            reader.flaw(comment, Flaw.LIMIT, f"{MOST_WORDS:,}")
            break
        reader.read(comment)
    return Suppressions(tuple(reader.found), tuple(reader.flawed))


@record
class _Directive:
    """One directive as it stands in its comment; offsets into the file."""

    verb: str
    span: Span
    entries: tuple[tuple[str, int], ...]
    """As written, and where; empty without a list."""
    listing: Span | None
    tail: str
    ours: bool
    """In sycllint's own words; else clang-tidy's."""
    removal: Span


@mutable
class _DirectiveReader:
    """The directives of one file so far, and which ranges are open."""

    source: SourceFile
    found: list[Suppression] = field(default_factory=list)
    """A range that nothing has ended reaches to the end of the file."""
    flawed: list[Flawed] = field(default_factory=list)
    words: int = 0
    """Words read so far, and directives without any."""
    _open: list[tuple[int, str, bool]] = field(default_factory=list)
    """Index into ``found``, the word, and whether in our own words; of the ranges that have not ended."""
    _blanked: bytes | None = None

    def read(self, comment: Comment) -> None:
        """Take what one comment says."""
        text = self._text(comment)
        if "sycllint" not in text:
            return
        for directive in self._directives(comment, text):
            self._take(directive, comment)

    # ------------------------------------------------------------ directives

    def _directives(self, comment: Comment, text: str) -> Iterator[_Directive]:
        own = _OURS.match(text)
        others = list(_NOLINT.finditer(text))
        starts = sorted(match.start() for match in (own, *others) if match is not None)
        alone = len(starts) == 1
        if own is not None:
            listed = own["words"] if own["list"] is not None else None
            if own["list"] is not None and own["closed"] is None:
                self.flaw(comment, Flaw.LIST, "it does not end")
                return
            yield self._directive(comment, text, own, listed, alone=alone, starts=starts)
        for match in others:
            if any(each.startswith(_NOLINT_PREFIX) for each, _ in _entries(match["words"], 0)):
                first = alone and not text[: match.start()].strip("/!* \t")
                yield self._directive(comment, text, match, match["words"], alone=first, starts=starts)

    def _directive(
        self,
        comment: Comment,
        text: str,
        match: "re.Match[str]",
        listed: str | None,
        *,
        alone: bool,
        starts: Sequence[int],
    ) -> _Directive:
        at = comment.text.start
        ours = match.re is _OURS
        start = match.start() + len(match[0]) - len(match[0].lstrip("/!* \t\r\n"))
        after = next((each for each in starts if each > match.start()), len(text))
        span = self._span(text, at, start, match.end())
        listing = None if listed is None else self._span(text, at, *match.span("words"))
        entries = () if listed is None else tuple(_entries(listed, match.start("words")))
        end = self._span(text, at, after, after).start
        return _Directive(
            verb=match["verb"] or "",
            span=span,
            entries=tuple((word, self._span(text, at, offset, offset).start) for word, offset in entries),
            listing=listing,
            tail=text[match.end() : after].strip(),
            ours=ours,
            removal=self._whole(comment) if alone else self._removal(comment, span, listing, end),
        )

    def _take(self, directive: _Directive, comment: Comment) -> None:
        verb = directive.verb
        if directive.ours and verb not in VERBS:
            self._misspelt(directive)
            return
        if directive.ours and directive.listing is not None and not directive.entries:
            self.flaw(comment, Flaw.LIST, "it is empty")
            return
        until = _UNTIL.search(directive.tail)
        day = _day(until["date"]) if until is not None else None
        if until is not None and day is None:
            self.flawed.append(Flawed(self._at(directive.span), Flaw.DATE, until["date"]))
            return
        if verb in ("enable", "END"):
            self._end(directive)
            return
        suppression = Suppression(
            location=self._at(directive.span),
            words=(),
            scope=_scope(verb),
            reason=_UNTIL.sub("", directive.tail).strip().lstrip(":-–, ").strip(),
            until=day,
            entries=tuple(word for word, _ in directive.entries),
            listing=None if directive.listing is None else self._at(directive.listing),
            whole=(self._at(directive.removal),),
        )
        self._add(suppression, directive, comment)

    def _add(self, suppression: Suppression, directive: _Directive, comment: Comment) -> None:
        first, last = self._lines(directive, comment)
        words = tuple(Word(text, entry, place, first, last) for text, entry, place in self._words(directive))
        if suppression.scope is SuppressionScope.RANGE:
            self._open += [(len(self.found), _folded(word.text), directive.ours) for word in words]
        self.words += max(1, len(words))
        self.found.append(replace(suppression, words=words))

    def _words(self, directive: _Directive) -> Iterator[tuple[str, str, Location]]:
        """For each entry of ours the rule it names, its text, and its place."""
        if directive.listing is None:
            yield EVERYTHING, "", self._at(directive.span)
        for entry, offset in directive.entries:
            place = self._at(Span(offset, offset + len(entry.encode("utf-8", errors="surrogateescape"))))
            if directive.ours:
                yield entry, entry, place
            elif entry.startswith(_NOLINT_PREFIX):
                yield entry.removeprefix(_NOLINT_PREFIX), entry, place

    # ---------------------------------------------------------------- ranges

    def _end(self, directive: _Directive) -> None:
        """End the ranges that a directive names; without a list, all of them."""
        named = {_folded(text) for text, _, _ in self._words(directive)}
        every = directive.listing is None
        ended = [each for each in self._open if each[2] == directive.ours and (every or each[1] in named)]
        strangers = () if every else sorted(named - {word for _, word, _ in ended})
        if not ended or strangers:
            word = ", ".join(strangers)
            fix = Fix("remove it", (Edit(self._at(directive.removal), ""),)) if not ended else None
            self.flawed.append(Flawed(self._at(directive.span), Flaw.OPENING, word, fix))
        line = self.source.line_of(directive.span.start)
        for each in ended:
            self._open.remove(each)
            self._shorten(each[0], each[1], line)
        self._pair({index for index, _, _ in ended}, directive, whole=not strangers)

    def _shorten(self, index: int, word: str, line: int) -> None:
        opened = self.found[index]
        words = (replace(each, last=line) if _folded(each.text) == word else each for each in opened.words)
        self.found[index] = replace(opened, words=tuple(words))

    def _pair(self, indices: set[int], directive: _Directive, *, whole: bool) -> None:
        """Pair a directive that begins a range with the one that ends it, so that both are removed together."""
        if len(indices) != 1 or not whole:
            return
        [index] = indices
        if all(each != index for each, _, _ in self._open):
            opened = self.found[index]
            self.found[index] = replace(opened, whole=(*opened.whole, self._at(directive.removal)))

    # ----------------------------------------------------------------- lines

    def _lines(self, directive: _Directive, comment: Comment) -> tuple[int, int]:
        here = self.source.line_of(comment.span.start)
        match _scope(directive.verb):
            case SuppressionScope.FILE:
                return 1, self.source.line_count
            case SuppressionScope.RANGE:
                return here, self.source.line_count
            case SuppressionScope.STATEMENT:
                next_line = directive.verb == "NEXTLINE"
                if not next_line and (not directive.ours or self._shares_line(comment)):
                    return here, here
                return self._statement(comment.span.end)

    def _shares_line(self, comment: Comment) -> bool:
        """Whether there is code on the line of a comment."""
        start, end = self._line_around(comment.span)
        before = self.source.content[start : comment.span.start]
        after = self.source.content[comment.span.end : end]
        return bool(before.strip() or blanked(after).strip(b" \t\r\n\\"))

    def _code(self) -> bytes:
        """The file without its comments: thousands of them may each ask for the statement behind."""
        if self._blanked is None:
            self._blanked = blanked(self.source.content)
        return self._blanked

    def _statement(self, after: int) -> tuple[int, int]:
        """The lines of the statement that begins after a comment; none at the end of the file."""
        text = self._code()[after : after + FAR]
        code = re.search(rb"[^\s\\]", text)
        if code is None:
            return self.source.line_count + 1, self.source.line_count
        first = self.source.line_of(after + code.start())
        return first, self.source.line_of(after + _statement_end(text, code.start()))

    # ---------------------------------------------------------------- places

    def _text(self, comment: Comment) -> str:
        end = min(comment.text.end, comment.text.start + _LONGEST)
        return self.source.content[comment.text.start : end].decode("utf-8", errors="surrogateescape")

    def _span(self, text: str, at: int, start: int, end: int) -> Span:
        """A stretch of a comment's text in bytes of the file."""
        before = len(text[:start].encode("utf-8", errors="surrogateescape"))
        return Span(at + before, at + before + len(text[start:end].encode("utf-8", errors="surrogateescape")))

    def _at(self, span: Span) -> Location:
        return Location(self.source.path, span)

    def _line_around(self, span: Span) -> tuple[int, int]:
        """From the start of the first line of ``span`` to the start of the line after its last."""
        starts = self.source.line_starts
        last = self.source.line_of(max(span.start, span.end - 1))
        end = starts[last] if last < len(starts) else len(self.source.content)
        return starts[self.source.line_of(span.start) - 1], end

    def _whole(self, comment: Comment) -> Span:
        """A comment with the blanks before it, with its line where it has that to itself."""
        content = self.source.content
        start, end = self._line_around(comment.span)
        before, after = content[start : comment.span.start], content[comment.span.end : end]
        if not before.strip(b" \t\xef\xbb\xbf") and not after.strip():
            return Span(start + (3 if before.startswith(b"\xef\xbb\xbf") else 0), end)
        if after.strip():
            blanks = len(after) - len(after.lstrip(b" \t"))
            if not blanks and before and not before[-1:].isspace():  # it stands between two words
                return comment.text
            return Span(comment.span.start, comment.span.end + blanks)
        return Span(start + len(before.rstrip(b" \t")), comment.span.end)

    def _part(self, span: Span) -> Span:
        """A directive among other words of a comment, with the blanks before it."""
        before = self.source.content[: span.start]
        kept = before.rstrip(b" \t")
        # The blank after the comment's slashes stays.
        return span if kept.endswith((b"//", b"/*")) else Span(len(kept), span.end)

    def _removal(self, comment: Comment, span: Span, listing: Span | None, end: int) -> Span:
        """What to remove of a directive among other words, so that those around it do not become one.

        It is the directive; else its entries alone, as an empty list silences nothing; else all before the next
        directive, at ``end``.
        """
        part = self._part(span)
        before = _directives_in(self._text(comment))
        left = self.source.content[comment.text.start : part.start] + self.source.content[part.end : comment.text.end]
        if _directives_in(left.decode("utf-8", errors="surrogateescape")) < before:
            return part
        return listing if listing is not None else Span(part.start, end)

    # ----------------------------------------------------------------- flaws

    def flaw(self, comment: Comment, flaw: Flaw, word: str) -> None:
        """Note what is wrong with a comment."""
        self.flawed.append(Flawed(self._at(comment.span), flaw, word))

    def _misspelt(self, directive: _Directive) -> None:
        """A word that nearly is a verb, or that has a list as a verb has; other words are prose."""
        from sycllint.nearest import near

        close = near(directive.verb, VERBS)
        if not close and directive.listing is None:
            return
        verb = directive.verb.encode(errors="surrogateescape")
        start = directive.span.start + self.source.content[directive.span.start :].index(verb)
        place = self._at(Span(start, start + len(verb)))
        fix = Fix(f"write {close[0]}", (Edit(place, close[0]),)) if close else None
        self.flawed.append(Flawed(self._at(directive.span), Flaw.VERB, directive.verb, fix))


def _directives_in(text: str) -> int:
    """How many directives a comment's text seems to hold, other tools' included."""
    own = _OURS.match(text)
    return (own is not None and own["verb"] in VERBS) + sum(1 for _ in _NOLINT.finditer(text))


def _statement_end(text: bytes, start: int) -> int:
    """The end of the statement at ``start``, or the beginning of its block; ``start`` when neither is found."""
    depth = 0
    for brace in _BRACE.finditer(text, start):
        opens, closes = brace[0].endswith(b"{"), brace[0] == b"}"
        if depth == 0 and not (opens and brace["block"] is None):
            return brace.start()
        depth += opens - closes
    return start


def _scope(verb: str) -> SuppressionScope:
    match verb:
        case "disable" | "BEGIN" | "enable" | "END":
            return SuppressionScope.RANGE
        case "ignore-file":
            return SuppressionScope.FILE
        case _:
            return SuppressionScope.STATEMENT


def _entries(listed: str, at: int) -> Iterator[tuple[str, int]]:
    """The entries of a list and where each begins."""
    for match in _ENTRY.finditer(listed):
        yield match[0], at + match.start()


def _folded(word: str) -> str:
    return word.lower().replace("_", "-")


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
