"""Fingerprints of findings: GitHub's hash of a line and its surroundings, and sycllint's own."""

import hashlib
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate

from sycllint.diagnostic import Diagnostic
from sycllint.report.place import Sources, place_of

_WINDOW = 100  # UTF-16 code units that one line hash covers
_MULTIPLIER = 37
_MASK = (1 << 64) - 1
_OUTGOING = pow(_MULTIPLIER, _WINDOW, 1 << 64)
_END_OF_FILE = 0xFFFF


def line_hashes(content: bytes) -> Sequence[str]:
    """``primaryLocationLineHash`` of every line, first line first, as GitHub's upload action computes it.

    A polynomial hash over the 100 UTF-16 code units from the line's start on, blanks and tabs left out, every line end
    one line feed, the end of the file the unit 0xFFFF and zeros after it; ``:n`` counts equal hashes within the file.
    Source: github/codeql-action, ``src/fingerprints.ts`` and its test's expectations.
    """
    units = _units(content)
    prefix = list(accumulate(units, lambda before, unit: (before * _MULTIPLIER + unit) & _MASK, initial=0))
    seen: Counter[int] = Counter()
    hashes: list[str] = []
    for start in _line_starts(units):
        value = (prefix[start + _WINDOW] - prefix[start] * _OUTGOING) & _MASK
        seen[value] += 1
        hashes.append(f"{value:x}:{seen[value]}")
    return hashes


def _units(content: bytes) -> "array[int]":
    text = content.decode("utf-8", errors="replace").replace("\r\n", "\n").replace("\r", "\n")
    text = text.replace(" ", "").replace("\t", "")
    units = array("H")
    units.frombytes(text.encode("utf-16-le"))
    if array("H", b"\x01\x00")[0] != 1:  # a big-endian machine
        units.byteswap()
    units.append(_END_OF_FILE)
    units.extend([0] * _WINDOW)
    return units


def _line_starts(units: "array[int]") -> Iterator[int]:
    yield 0
    for index, unit in enumerate(units):
        if unit == ord("\n"):
            yield index + 1


def fingerprints(diagnostics: Sequence[Diagnostic], sources: Sources) -> list[str]:
    """One fingerprint for each diagnostic, in order; it stays while lines move and white space changes.

    SHA-256 over the rule's code, the text of the finding's lines and the number of equal ones before it in its file.
    With the path it is unique in a run.
    """
    seen: Counter[tuple[str, str, str]] = Counter()
    found: list[str] = []
    for diagnostic in diagnostics:
        place = place_of(diagnostic.location, sources)
        source = sources(place.path)
        lines = range(place.line, place.end_line + 1)
        text = " ".join(" ".join(source.line_text(number) for number in lines).split())
        key = (place.path, diagnostic.code, text)
        seen[key] += 1
        hashed = "\0".join((diagnostic.code, text, str(seen[key])))
        found.append(hashlib.sha256(hashed.encode("utf-8", errors="surrogatepass")).hexdigest())
    return found
