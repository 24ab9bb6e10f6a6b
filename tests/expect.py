"""What a C++ fixture expects of itself: the comments in it, read strictly.

===================================  ===============================================================
``// target: tgl, pvc``              first line: the devices to lint for; ``tgl`` when left out
``// expect: SYC101``                this rule, on this line, once
``// expect: SYC101 "640 exceeds"``  and its message contains this
``// expect: SYC201 note "43%"``     and this is its severity (``error``, ``warning`` or ``note``)
``// related: SYC503 "b[i]"``        a finding of this rule names this line, too, and says this there
``// reveal: global = 1024x768``     what the model knows of the launch on this line
===================================  ===============================================================

A file ``x.fixed.cpp`` is the text of ``x.cpp`` after its safe fixes; the expectations in it are those of the old text.

On a line of its own a comment is about the next line of code; several may be stacked. A comment that nearly is one of
these is a ``MisspeltError``, as is an expectation about nothing.

What can be revealed, and how it is written (``unknown`` for a number that is not known, ``none`` for what the source
leaves to the runtime or compiler):

======================================  =================================================================
``launch``                              ``none``: no launch on this line
``kind``, ``dims``, ``kernel``          ``nd_range``, ``2``, ``blur``
``function``                            the host function around the launch
``global``, ``local``                   ``64x64x128``, slowest dimension first, ``?`` for an unknown extent
``required_work_group``                 the same, from the attribute
``work_group.size``                     work-items per group
``sub_group.size``                      the required one
``registers``                           demanded per thread
``local_memory.bytes``                  per work-group
``local_memory.at_least``               bytes of the part that is known
``private.bytes``                       private arrays per work-item
``barrier``                             ``true``, ``false`` or ``unknown``
``body``, ``loop``, ``sub_group.used``  ``true`` or ``false``: found, holds a loop, uses sub-group operations
``occupancy.tgl.simd8.FIELD``           ``threads`` per group, ``share`` of a core in one group, ``groups`` per core,
                                        ``ratio`` of a core in use, ``limiter``
``rounds.tgl.simd32``                   device occupancy round by round: ``9.5%`` or ``100% then 4.8%``
======================================  =================================================================

A number with several possible values is written ``64 | 128``, with `` | ...`` when others are possible; a number of
which only a multiple or a bound is known, ``unknown``, ``multiple of 64`` or ``at most 256``. Launches of one line in
several contexts reveal their values together, as ``64 | 128``.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches

WORDS = ("expect", "related", "reveal", "target")
SEVERITIES = ("error", "warning", "note")
FACTS = (
    "launch",
    "kind",
    "dims",
    "kernel",
    "function",
    "global",
    "local",
    "required_work_group",
    "work_group.size",
    "sub_group.size",
    "registers",
    "local_memory.bytes",
    "local_memory.at_least",
    "private.bytes",
    "barrier",
    "body",
    "loop",
    "sub_group.used",
)

_COMMENT = re.compile(r"//(?!.*//)\s*(?P<text>.*\S)?\s*$")
_LOUD = re.compile(r'expect: (?P<code>SYC\d{3,4})(?: (?P<severity>[a-z]+))?(?: "(?P<part>[^"]+)")?')
_RELATED = re.compile(r'related: (?P<code>SYC\d{3,4}) "(?P<part>[^"]+)"')
_FACT = re.compile(r"reveal: (?P<key>[\w.-]+) = (?P<value>\S.*)")
_TARGET = re.compile(r"target: (?P<names>[\w-]+(?:, [\w-]+)*)")
_COMPUTED = re.compile(r"occupancy\.[\w-]+\.simd\d+\.(threads|share|groups|ratio|limiter)|rounds\.[\w-]+\.simd\d+")


class MisspeltError(ValueError):
    """A comment that is meant to be an expectation and is not one."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """One finding that has to be there: rule and line, perhaps severity, perhaps a part of the message.

    Or, with ``related``, one that stands elsewhere and names the line as a second place.
    """

    line: int
    code: str
    severity: str | None = None
    part: str | None = None
    related: bool = False

    def __str__(self) -> str:
        """As it is written in the fixture, after its line."""
        word = "related" if self.related else None
        return " ".join(filter(None, (f"{self.line}:", word, self.code, self.severity, self.part and f'"{self.part}"')))


@dataclass(frozen=True, slots=True)
class Reveal:
    """A value of the model that has to come out for the launch on a line."""

    line: int
    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Fixture:
    """What one file expects: on which devices, which findings, which values."""

    targets: tuple[str, ...]
    expectations: tuple[Expectation, ...]
    reveals: tuple[Reveal, ...]


def read(text: str) -> Fixture:
    """The expectations in the C++ source ``text``. Raises ``MisspeltError``, with the line, for what is nearly one."""
    targets: tuple[str, ...] = ("tgl",)
    expectations: list[Expectation] = []
    reveals: list[Reveal] = []
    for number, about, comment in _comments(text.splitlines()):
        match _parsed(comment, number, about):
            case Expectation() as found:
                expectations.append(found)
            case Reveal() as found:
                reveals.append(found)
            case tuple() as found:
                targets = found
            case None:
                continue
    return Fixture(targets, tuple(expectations), tuple(reveals))


def _comments(lines: list[str]) -> Iterator[tuple[int, int | None, str]]:
    """Each ``//`` comment: its line, the line of code it is about (``None`` at the end), its text."""
    for number, line in enumerate(lines, 1):
        found = _COMMENT.search(line)
        if found is None or not found["text"]:
            continue
        alone = not line[: found.start()].strip()
        yield number, (_next_code(lines, number) if alone else number), found["text"]


def _next_code(lines: list[str], after: int) -> int | None:
    for number, line in enumerate(lines[after:], after + 1):
        if line.strip() and not line.lstrip().startswith("//"):
            return number
    return None


def _parsed(comment: str, line: int, about: int | None) -> Expectation | Reveal | tuple[str, ...] | None:
    word = re.match(r"\w*", comment)
    assert word is not None
    if not get_close_matches(word[0].lower(), WORDS, cutoff=0.75):
        return None
    if found := _TARGET.fullmatch(comment):
        if line != 1:
            raise MisspeltError(f"{line}: the target stands on the first line: // {comment}")
        return tuple(found["names"].split(", "))
    if about is None:
        raise MisspeltError(f"{line}: no line of code follows // {comment}")
    if found := _LOUD.fullmatch(comment):
        if found["severity"] not in (None, *SEVERITIES):
            raise MisspeltError(f"{line}: no such severity: // {comment}")
        return Expectation(about, found["code"], found["severity"], found["part"])
    if found := _RELATED.fullmatch(comment):
        return Expectation(about, found["code"], part=found["part"], related=True)
    if found := _FACT.fullmatch(comment):
        if found["key"] not in FACTS and not _COMPUTED.fullmatch(found["key"]):
            raise MisspeltError(f"{line}: nothing is called {found['key']}: // {comment}")
        return Reveal(about, found["key"], found["value"])
    raise MisspeltError(f"{line}: not an expectation: // {comment}")
